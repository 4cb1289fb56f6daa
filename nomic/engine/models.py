"""Appointments, which the rules make for set moments, and the state of their programs."""

from typing import Self

from django.db import models
from django.db.models import Q

from nomic.games.guards import EntryNumber, Hidden, of_one_game
from nomic.games.models import Game, GameOf
from nomic.rulebook.models import Rule


class AppointmentStatus(models.TextChoices):
    WAITING = "waiting"
    DONE = "done"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"


class CountedIn(models.TextChoices):
    GAME = "game", "game time: a pause shifts it"
    HOURS = "hours", "real hours: a pause does not shift it"


class Appointments(models.QuerySet["Appointment"]):
    """Appointments, in the order in which they are kept."""

    def waiting(self) -> Self:
        """The appointments that are still to be kept."""
        return self.filter(status=AppointmentStatus.WAITING)


class Appointment(models.Model):
    """Something that happens by itself at `due` (game moment); lower priority goes first.

    `entry` is the entry of the record that its happening made. `attempts`, `error` and
    `retry_at` (wall moment) tell of a handler that raised. Of a `hidden` one nobody is told before
    it happens, since its moment follows from what not everybody may read.
    """

    hides = Hidden(unless=Q(hidden=False) | ~Q(status=AppointmentStatus.WAITING))
    game = models.ForeignKey(Game, models.PROTECT, related_name="appointments")
    kind = models.CharField(max_length=80)
    subject = models.CharField(max_length=80, blank=True)
    due = models.DateTimeField()
    priority = models.PositiveSmallIntegerField(default=100)
    counted_in = models.CharField(max_length=10, choices=CountedIn, default=CountedIn.GAME)
    status = models.CharField(
        max_length=10, choices=AppointmentStatus, default=AppointmentStatus.WAITING
    )
    hidden = models.BooleanField(default=False)
    entry = models.PositiveIntegerField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    retry_at = models.DateTimeField(null=True, blank=True)

    objects = Appointments.as_manager()

    class Meta:
        ordering = ("due", "priority", "pk")
        indexes = (
            models.Index(
                fields=("game", "due", "priority", "id"),
                name="waiting_appointments",
                condition=Q(status=AppointmentStatus.WAITING),
            ),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("game", "kind", "subject", "due"), name="one_appointment_a_moment"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}".strip()


class ProgramState(models.Model):
    """The state that the program of a rule keeps in mind, as one text of JSON.

    `failures` has, by what it did, the newest time that this came to nothing: `entry`, `version` of
    the rule, `sentence`. What it did since without a fault is not among them.
    """

    hides = None
    game = GameOf("rule")
    rule = models.OneToOneField(
        Rule, models.PROTECT, primary_key=True, related_name="program_state", db_constraint=False
    )
    state = models.TextField(default="{}")
    failures = models.JSONField(default=dict)

    class Meta:
        constraints = of_one_game("play_programstate", "rule")

    def __str__(self) -> str:
        return f"what the program of {self.rule} keeps in mind"


class SwitchSetting(models.Model):
    """The value that a switch has which a rule's table declares, where it was ever set; in `entry`
    last.

    `switch` is its name as `switch_key` has it, `of` whose it is, by name: "" for the game's. The
    value stays when the rule goes, and counts again when it comes back.
    """

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="switch_settings")
    switch = models.CharField(max_length=60)
    of = models.CharField(max_length=60, blank=True)
    value = models.CharField(max_length=60)
    entry = EntryNumber()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "switch", "of"), name="one_setting_each"),
        )

    def __str__(self) -> str:
        return f"{self.switch} of {self.of or 'the game'}: {self.value}"
