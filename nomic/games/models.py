"""Who plays what: games, players' seats, offices."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime
from typing import Any

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q

from nomic.games.clock import Clock
from nomic.games.guards import (
    HELD_SINCE,
    ONLY_BY_ENTRIES,
    WRITTEN_ONCE,
    EntryNumber,
    Hidden,
    InGame,
    of_one_game,
    referred_to,
)
from nomic.games.names import LONGEST_NAME, Likeness, validate_player_name

# Settings of games.
SEEN_BY, JOINED_BY, CLOSED = "seen_by", "joined_by", "closed"
NUMBERS_FROM = "proposals.numbers_from"
HIGHEST_NUMBER = 100_000_000  # of the first proposal
OFFICES, READINGS = "offices", "readings"
NEWEST_READINGS = 1  # docs/readings.md


def _nonce() -> str:
    return secrets.token_hex(16)


class Pace(models.TextChoices):
    REAL = "real", "real: game time is wall time"
    FAST = "fast", "fast: a practice game whose week lasts minutes"
    MANUAL = "manual", "manual: time moves only when the operator moves it"


class AfterOutage(models.TextChoices):
    REPLAY = "replay", "what was missed happens, each event at its own moment"
    SHIFT = "shift", "the game's clock is set back by the length of the outage"


class SeenBy(models.TextChoices):
    """Who sees a game: one of its settings."""

    EVERYBODY = "everybody", "everybody"
    LINK = "link", "those with the link"


class JoinedBy(models.TextChoices):
    """Who may join a game that they see: one of its settings."""

    EVERYBODY = "everybody", "everybody who sees it"
    INVITATION = "invitation", "whoever has an invitation link"
    HOST = "host", "whom the host lets in"


_OPEN_TO_ALL = ~Q(settings__contains={SEEN_BY: SeenBy.LINK.value})
IS_CLOSED = Q(settings__contains={CLOSED: True})


class Games(models.QuerySet["Game"]):
    """The games of the site."""

    def seen_by(self, user: Any, invitations: Collection[int] = ()) -> Games:
        """Those that this user may know of, with the invitations that their browser has shown.

        Where only those with the link see a game, that is its host, whoever has a seat, and whoever
        came by a link that was good then; but nobody whose seat was taken away. The operator sees
        all.
        """
        if getattr(user, "is_superuser", False):
            return self.filter(scratch=False)
        shown = Invitation.objects.filter(
            game=OuterRef("pk"), pk__in=invitations, withdrawn_at=None
        )
        by_link = Q(Exists(shown)) if invitations else Q(pk__in=())
        if user is None or not user.is_authenticated:
            return self.filter(_OPEN_TO_ALL | by_link, scratch=False)
        return self.known_to(user.pk, by_link)

    def known_to(self, account: Any, by_link: Q | None = None) -> Games:
        """Those that the account with this key may know of where it does not operate the site, by
        itself or by a link as well."""
        by_link = Q(pk__in=()) if by_link is None else by_link
        seats = Player.objects.filter(game=OuterRef("pk"), user_id=account)
        came = Admission.objects.came().filter(game=OuterRef("pk"), user_id=account)
        let_in = (by_link | Exists(seats) | Exists(came)) & ~Exists(seats.filter(removed=True))
        return self.filter(_OPEN_TO_ALL | Q(host_id=account) | let_in, scratch=False)

    def hosted_by(self, user: Any) -> Games:
        """Those that are not over yet and whose host that user is."""
        return self.filter(~IS_CLOSED, host=user, scratch=False)


class Game(models.Model):
    """One nomic being played. Its row is the lock that everything which changes the game holds.

    `anchor_game`, `anchor_wall` and `rate` are the clock; `next_due` is the game moment of its
    oldest unfinished appointment and `wakes_at` the wall moment at which a sweep should look at
    it. `last_entry`, `last_at` and `record_head` are kept by the database as entries are written,
    and so are `last_act` and `last_actor`, the hash of the last entry that names a player who acted
    and who it was, `act_of_another`, that of the last before it that another had made, and the ends
    of the sealed books: `sealed_books` has the number and hash of the last entry of each that is
    not closed. A game that is `set_aside`, for the reason which that sentence says, rests: no sweep
    looks at it and nobody acts in it but urgently. What it has taken of the workers is paid for by
    its share at `busy_until`; `load` is what it took while it was behind. One that is `restored`
    is set aside since the database lacks entries of it that the site had told, up to the number
    `to` (0: nobody knows). These are the site's own and stand in no record.
    """

    slug = models.SlugField(max_length=60, unique=True)
    identity = models.CharField(max_length=64, help_text="The name its dice and hashes go by")
    format = models.PositiveSmallIntegerField(
        default=1, help_text="How its record is written; it stays what it was at the beginning"
    )
    title = models.CharField(max_length=120)
    preset = models.CharField(max_length=40)
    calendar = models.CharField(max_length=20, default="agoran")
    edition = models.CharField(max_length=40, blank=True)
    pace = models.CharField(max_length=10, choices=Pace)
    after_outage = models.CharField(max_length=10, choices=AfterOutage, default=AfterOutage.REPLAY)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="hosted_games",
        help_text="Who runs it, and appoints to offices where the host does; nobody: the operator",
    )
    settings = models.JSONField(default=dict)

    anchor_game = models.DateTimeField()
    anchor_wall = models.DateTimeField()
    rate = models.PositiveIntegerField()
    paused_at = models.DateTimeField(null=True, blank=True, help_text="Game moment")
    paused_wall = models.DateTimeField(null=True, blank=True)
    stuck_at = models.DateTimeField(null=True, blank=True, help_text="Game moment")
    stuck_error = models.TextField(blank=True)
    set_aside = models.TextField(blank=True, default="")
    busy_until = models.DateTimeField(null=True, blank=True, help_text="Wall moment")
    load = models.JSONField(default=dict, blank=True)
    restored = models.JSONField(default=dict, blank=True)
    next_due = models.DateTimeField(null=True, blank=True, help_text="Game moment")
    wakes_at = models.DateTimeField(null=True, blank=True, help_text="Wall moment")

    last_entry = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(null=True, blank=True)
    record_head = models.CharField(max_length=64)
    last_act = models.CharField(max_length=64, blank=True, default="")
    last_actor = models.PositiveBigIntegerField(null=True, blank=True)
    act_of_another = models.CharField(max_length=64, blank=True, default="")
    sealed_count = models.PositiveIntegerField(default=0)
    sealed_head = models.CharField(max_length=64)
    sealed_books = models.JSONField(default=dict, blank=True)
    rulebook_at = models.PositiveIntegerField(
        default=0, help_text="The entry that last changed the rulebook"
    )
    scratch = models.BooleanField(
        default=False, help_text="A replay's own game, never shown and never kept"
    )

    objects = Games.as_manager()

    class Meta:
        ordering = ("title",)
        indexes = (
            models.Index(
                "wakes_at", name="game_wakes", condition=Q(wakes_at__isnull=False, scratch=False)
            ),
        )
        constraints = (
            models.CheckConstraint(
                name="manual_time_stands_still",
                condition=Q(pace=Pace.MANUAL, rate=0) | (~Q(pace=Pace.MANUAL) & Q(rate__gt=0)),
            ),
        )
        triggers = (
            pgtrigger.Trigger(
                name="only_by_entries",
                when=pgtrigger.Before,
                operation=pgtrigger.UpdateOf(
                    *("identity", "format", "last_entry", "last_at", "record_head", "last_act"),
                    *("last_actor", "act_of_another"),
                    *("sealed_count", "sealed_head", "sealed_books"),
                ),
                func=ONLY_BY_ENTRIES,
            ),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def clock(self) -> Clock:
        """The clock as it goes now: at rate 0 while the game is paused."""
        return Clock(self.anchor_game, self.anchor_wall, 0 if self.paused_at else self.rate)

    def now(self, wall: datetime) -> datetime:
        """The game moment at that wall moment.

        In a stuck game time stands at the moment of the appointment that could not happen, in one
        that is set aside at that of the first which is due, and no game's time is ever before its
        last entry.
        """
        moment = self.stuck_at or self.clock.moment(wall)
        if self.set_aside and self.next_due:
            moment = min(moment, self.next_due)
        return max(moment, self.last_at) if self.last_at else moment

    @property
    def state(self) -> str:
        """`running`, `paused`, or `stuck`, as a game that is set aside is too."""
        if self.stuck_at or self.set_aside:
            return "stuck"
        return "paused" if self.paused_at else "running"

    @property
    def seen_by(self) -> SeenBy:
        """Who sees it: one of its settings, everybody where it has none."""
        return SeenBy(self.setting(SEEN_BY, SeenBy.EVERYBODY))

    @property
    def joined_by(self) -> JoinedBy:
        """Who may join it: one of its settings, everybody where it has none."""
        return JoinedBy(self.setting(JOINED_BY, JoinedBy.EVERYBODY))

    @property
    def is_closed(self) -> bool:
        """Whether it is over for good: its time stands still and nobody acts in it any more."""
        return bool(self.setting(CLOSED, False))

    def setting(self, name: str, default: Any = None) -> Any:
        """A setting of this game, as its pages show it."""
        return self.settings.get(name, default)


class Player(models.Model):
    """A person's seat in one game. `user` is empty for a seat whose person is not of this site.

    The seat of a `bot`, a practice player, is nobody's: the program plays it.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="players")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="seats"
    )
    name = models.CharField(max_length=LONGEST_NAME, validators=(validate_player_name,))
    joined_at = models.DateTimeField(help_text="Game moment")
    left_at = models.DateTimeField(null=True, blank=True, help_text="Game moment")
    active = models.BooleanField(default=True)
    vested = models.BooleanField(default=False)
    bot = models.BooleanField(default=False)
    accepted = models.BooleanField(
        default=False, help_text="As a voter, in a game where voters are accepted"
    )
    removed = models.BooleanField(
        default=False, help_text="By the players' support; comes back on the host's word alone"
    )
    away_in = models.PositiveIntegerField(
        null=True, blank=True, help_text="Entry since which nobody waits for the player"
    )
    away_until = models.DateTimeField(null=True, blank=True, help_text="Game moment")

    class Meta:
        ordering = ("name",)
        constraints = (
            models.CheckConstraint(
                name="a_bot_is_nobody", condition=Q(bot=False) | Q(user__isnull=True)
            ),
            models.UniqueConstraint("game", Likeness("name"), name="one_seat_a_likeness"),
            models.UniqueConstraint(
                fields=("game", "user"),
                name="one_seat_a_user",
                condition=Q(user__isnull=False),
            ),
            models.CheckConstraint(
                name="left_after_joining",
                condition=Q(left_at__isnull=True) | Q(left_at__gte=F("joined_at")),
            ),
            models.CheckConstraint(
                name="away_until_of_who_is_away",
                condition=Q(away_until__isnull=True) | Q(away_in__isnull=False),
            ),
            models.CheckConstraint(
                name="who_has_left_is_not_away",
                condition=Q(away_in__isnull=True) | Q(active=True, bot=False),
            ),
            referred_to("games_player"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_away(self) -> bool:
        """Whether nobody waits for them: they are counted in no quorum and no electorate."""
        return self.away_in is not None


class GameOf(models.ForeignKey[Game, Game]):
    """The game of a row that belongs to another row: the game of that which the field `of` names.
    Such rows are looked for by that field, so the game has no index."""

    def __init__(self, of: str) -> None:
        self.of = of
        super().__init__(
            "games.Game",
            models.DO_NOTHING,
            editable=False,
            related_name="+",
            db_constraint=False,
            db_index=False,
        )

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.ForeignKey", args, kwargs

    def clone(self) -> GameOf:
        return GameOf(self.of)

    def pre_save(self, row: models.Model, add: bool) -> Any:
        if getattr(row, self.attname) is None:
            setattr(row, self.attname, getattr(row, self.of).game_id)
        return getattr(row, self.attname)


class FormerName(models.Model):
    """A name by which a player went in their game, until they took another one in the entry of that
    number. The record keeps it where they acted under it, so nobody else takes it there."""

    hides = None
    game = GameOf("player")
    player = InGame(Player, models.PROTECT, related_name="former_names")
    name = models.CharField(max_length=LONGEST_NAME)
    entry = EntryNumber()

    class Meta:
        ordering = ("entry",)
        constraints = (
            models.UniqueConstraint(fields=("game", "name"), name="one_player_a_former_name"),
            *of_one_game("games_formername", "player"),
        )

    def __str__(self) -> str:
        return self.name


class Invitation(models.Model):
    """A link by which so many people may come to a game. No part of the game's record.

    Its address is made of `nonce` and the site's key, so that nobody guesses it, nobody learns how
    many there are, and the database alone does not tell it. `used` counts the accounts that came by
    it. Who came by one for a `seat` may take that seat, which nobody of this site has. Moments are
    of the wall.
    """

    hides = Hidden()
    game = models.ForeignKey(Game, models.CASCADE, related_name="invitations")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    name = models.CharField(max_length=60)
    nonce = models.CharField(max_length=32, unique=True, default=_nonce, editable=False)
    seat = InGame(Player, models.CASCADE, null=True, blank=True, related_name="invitations")
    most = models.PositiveIntegerField(help_text="How many accounts it lets in")
    used = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at", "-pk")
        constraints = (
            models.CheckConstraint(
                name="an_invitation_is_not_overdrawn", condition=Q(used__lte=F("most"))
            ),
            *of_one_game("games_invitation", "seat"),
            referred_to("games_invitation"),
        )

    def __str__(self) -> str:
        return self.name


class Admissions(models.QuerySet["Admission"]):
    """Who came to games, or asks to."""

    def came(self) -> Admissions:
        """Of those who came by a link or were let in, and were not declined. Asking alone shows
        nobody anything."""
        states = Admission.State
        asks_inside = Q(state=states.ASKED, invitation__isnull=False)
        return self.filter(Q(state__in=(states.INVITED, states.ADMITTED)) | asks_inside)


class Admission(models.Model):
    """Somebody whom a game was shown, or who asks for a seat in it. No part of its record.

    `invitation` is the link by which they came, which who asks keeps; `words` are what they say to
    the host.
    """

    hides = Hidden()

    class State(models.TextChoices):
        INVITED = "invited", "came by an invitation"
        ASKED = "asked", "asks the host"
        ADMITTED = "admitted", "let in by the host"
        DECLINED = "declined", "declined by the host"

    game = models.ForeignKey(Game, models.CASCADE, related_name="admissions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="admissions")
    invitation = InGame(
        Invitation, models.SET_NULL, null=True, blank=True, related_name="admissions"
    )
    state = models.CharField(max_length=10, choices=State)
    words = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField(help_text="Wall moment")

    objects = Admissions.as_manager()

    class Meta:
        ordering = ("-at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("game", "user"), name="one_admission_a_user"),
            *of_one_game("games_admission", "invitation"),
        )

    def __str__(self) -> str:
        return f"{self.user} {self.get_state_display()}"


class Office(models.Model):
    """A named duty in a game and the player who holds it; vacant, the system deputises.

    `since` is the entry in which the holder came to it, and has not left it since: what an office
    shows its holder of secrets begins there. The database keeps it, whoever writes the holder.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="offices")
    name = models.CharField(max_length=60)
    holder = InGame(Player, models.PROTECT, null=True, blank=True, related_name="offices")
    since = EntryNumber(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(fields=("game", "name"), name="one_office_a_name"),
            models.CheckConstraint(
                name="an_office_is_held_since_an_entry",
                condition=Q(holder__isnull=True, since__isnull=True)
                | Q(holder__isnull=False, since__isnull=False),
            ),
            *of_one_game("games_office", "holder"),
        )
        triggers = (
            pgtrigger.Trigger(
                name="held_since",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                func=HELD_SINCE,
            ),
        )

    def __str__(self) -> str:
        return self.name


class Win(models.Model):
    """A player won the game, in the entry of that number, by that rule; the game goes on."""

    hides = None
    game = models.ForeignKey(Game, models.PROTECT, related_name="wins")
    player = InGame(Player, models.PROTECT, related_name="wins")
    entry = EntryNumber()
    at = models.DateTimeField(help_text="Game moment")
    rule = models.CharField(max_length=120)
    how = models.CharField(max_length=200)

    class Meta:
        ordering = ("game", "entry", "pk")
        constraints = of_one_game("games_win", "player")
        triggers = (WRITTEN_ONCE,)

    def __str__(self) -> str:
        return f"{self.player}: {self.how}"


def way_to_the_game(model: type[models.Model]) -> str:
    """The lookup by which rows of that model are found by their game, by way of what they hang on;
    "" for games themselves. Raises FieldDoesNotExist for rows of no game."""
    if model is Game:
        return ""
    field: Any = model._meta.get_field("game")
    if not isinstance(field, GameOf):
        return "game"
    hangs_on: Any = model._meta.get_field(field.of)
    return f"{field.of}__{way_to_the_game(hangs_on.related_model)}"
