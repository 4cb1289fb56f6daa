"""What a player's programs sign in with."""

from django.conf import settings
from django.db import models


class Token(models.Model):
    """A program's right to act as its user. Only a digest is kept; the token is shown once.

    Moments are of the wall. `last_used_at` is true to the minute.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at", "-pk")

    def __str__(self) -> str:
        return self.name
