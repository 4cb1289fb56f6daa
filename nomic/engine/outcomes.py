"""Outcomes and errors of taking actions and keeping appointments, and whom these concern."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import TextChoices

from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted
from nomic.record.models import Entry, SealedEntry


@dataclass(frozen=True, slots=True)
class Outcome:
    """The announcement, as a sentence, and the figures that programs read.

    `actor` is set by the action that seats its own actor. `sealed` is the private sentence about
    an act with a private side: its actor reads it, and the others after a disclosure. `rule` is
    told where what happens has more than one.
    """

    text: str
    figures: Mapping[str, Any] = field(default_factory=dict)
    actor: Player | None = None
    sealed: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The entry that an action made; `repeated` where the same key had made it before.

    `private_sentence` is what its actor alone is told of it.
    """

    entry: Entry | SealedEntry
    repeated: bool = False
    private_sentence: str = ""

    @property
    def sentences(self) -> str:
        """The sentences told to its actor, in public and in private."""
        private = f" For you alone: {self.private_sentence}" if self.private_sentence else ""
        return self.entry.text + private

    @property
    def was_in_vain(self) -> bool:
        """Whether the act is kept in its book and nothing came of it: `failed` among its figures
        says why."""
        return "failed" in self.entry.outcome


class Refused(Exception):
    """The action is not legal now. Nothing has changed. Of several that were sent together it is
    the one at that `place`, counted from 0."""

    place = 0

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


class Malformed(Exception):
    """The inputs do not have the action's shape. `errors` is field name to sentences; `place` as
    `Refused` has it."""

    place = 0

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        super().__init__(
            "; ".join(f"{name}: {' '.join(sentences)}" for name, sentences in errors.items())
        )
        self.errors = dict(errors)


class Busy(Exception):
    """The game's lock could not be had in time; the same call may be tried again."""

    def __init__(
        self, sentence: str = "The game is busy with another action. Please try again."
    ) -> None:
        super().__init__(sentence)


class Behind(Busy):
    """So much of wall time is overdue in the game that no request works it off: a worker does.

    `seconds` is when to try again.
    """

    def __init__(self, late: timedelta) -> None:
        self.late = late
        self.seconds = round(min(max(late.total_seconds() / 10, 2), 60))
        units = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))
        length, unit = next((pair for pair in units if late.total_seconds() >= pair[0]), units[-1])
        span = counted(int(late.total_seconds()) // length, unit)
        super().__init__(
            f"This game is behind by {span}; nothing is lost, and what is due happens in its order."
            f" This is not done: send it again in {self.seconds} seconds."
        )


class UnknownGame(LookupError):
    """There is no game of that name."""


class UnknownAction(LookupError):
    """There is no action of that name; `place` as `Refused` has it."""

    place = 0


class NoticeKind(TextChoices):
    """The subject of a notice, by which people choose which notices reach them."""

    VOTE = "vote", "A vote has opened"
    CLOSING = "closing", "A vote closes within 24 hours, and you have not voted"
    OFFER = "offer", "Somebody offers you something, or asks for your consent"
    DUTY = "duty", "A duty of your office comes up, is due or was let go by"
    NAMED = "named", "You are named with an @, or a motion, correction or contract is about you"
    REPLY = "reply", "Somebody has commented where you proposed or commented"
    ANSWER = "answer", "What you have doubted or asked for is answered"
    CASE = "case", "A case is yours to judge, or one that concerns you is judged"
    RESULT = "result", "A vote or a race is decided, or somebody wins"
    REPORT = "report", "An officer's report is published"
    RECKONING = "reckoning", "A Moment of Reckoning has come"
    WEEK = "week", "What the week brought in a game, each Monday"
    AWAY = "away", "Nobody waits for you in a game any more, since you have been silent"
    HOST = (
        "host",
        "Somebody joins a game that you host, asks for a seat or complains; a game has no host now",
    )


@dataclass(frozen=True, slots=True)
class Concern:
    """A sentence for players, and the address on this site that it leads to.

    It is sent out of the house, so it tells nothing that is not public. `to` are the keys of the
    players; None is everybody who plays. Nobody needs it any more from the game moment `until` on.
    Of what has the same `about`, the same people are told once. `users` are told as well, be they
    players or not, by the keys of their accounts.
    """

    kind: NoticeKind
    text: str
    url: str
    to: frozenset[int] | None = None
    until: datetime | None = None
    about: str = ""
    users: frozenset[int] = frozenset()
