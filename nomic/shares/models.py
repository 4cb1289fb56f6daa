"""What games, users, tokens and rules cost, a day."""

from django.db import models


class Kind(models.TextChoices):
    """What something is counted of; of a rule, `number` is its game and `rule` its title."""

    GAME = "game"
    USER = "user"
    TOKEN = "token"  # noqa: S105 (no password)
    RULE = "rule"


class Used(models.Model):
    """What one game, user, token or rule has used on a day of the wall clock (UTC).

    The numbers are primary keys, and no references: what is counted outlives what it is of.
    """

    day = models.DateField()
    kind = models.CharField(max_length=10, choices=Kind)
    number = models.BigIntegerField()
    rule = models.CharField(max_length=120, blank=True)
    microseconds = models.BigIntegerField(default=0)
    requests = models.BigIntegerField(default=0)
    entries = models.BigIntegerField(default=0)
    bytes = models.BigIntegerField(default=0)

    class Meta:
        ordering = ("-day", "-microseconds")
        constraints = (
            models.UniqueConstraint("day", "kind", "number", "rule", name="used_once_a_day"),
        )
        indexes = (models.Index("kind", "number", "day", name="used_by_whom"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.number} on {self.day}"
