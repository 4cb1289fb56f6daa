"""A game as its inputs: what a replay needs, from the database or from a file."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    ConfigDict,
    StrictInt,
    TypeAdapter,
    ValidationError,
)

from nomic.dice.master import master_of
from nomic.games.clock import read_moment
from nomic.games.models import Game
from nomic.record.game_file import FORMAT, both_books, of_the_clock, users_of
from nomic.record.models import CONSEQUENCES, PART, Entry, SealedEntry

_BEFORE_1_0 = ("nomic game 1", "nomic game 2")

Moment = Annotated[
    datetime,
    BeforeValidator(lambda moment: read_moment(moment) if isinstance(moment, str) else moment),
]


class _Shaped:
    __pydantic_config__ = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class SealedPart(_Shaped):
    """The sealed book's part of a public entry, as far as a replay is fed with it."""

    actor: str | None
    inputs: dict[str, Any]
    key: str | None
    programs: dict[str, Any] = field(default_factory=dict)
    saw: list[Any] | None = None
    nonce: str = ""


@dataclass(frozen=True)
class _Head:
    """The game that a recording is of, and how its clock goes."""

    slug: str
    identity: str
    pace: str
    rate: StrictInt
    master: Annotated[
        bytes, BeforeValidator(lambda key: bytes.fromhex(key) if isinstance(key, str) else key)
    ]
    clock: dict[str, str]
    users: dict[str, str]


class BadRecording(ValueError):
    """A file does not hold a game; the text says where it fails."""


@dataclass(frozen=True)
class RecordedAct(_Shaped):
    """One entry of either book, as values. `seq` of a sealed one counts in the sealed book; `after`
    is the number of the public entry before it.

    `part` is what the sealed book keeps of a public one that has a private side.
    """

    seq: StrictInt
    at: Moment
    recorded_at: Moment
    kind: str
    name: str
    actor: str | None
    inputs: dict[str, Any]
    outcome: dict[str, Any]
    text: str
    rule: str
    key: str | None
    hash: str
    after: StrictInt | None = None
    part: SealedPart | None = None
    saw: list[Any] | None = None
    nonce: str = ""

    @property
    def whole(self) -> tuple[str | None, dict[str, Any], str | None]:
        """Who did it, with what inputs and which key, be they public or not."""
        if self.part is None:
            return self.actor, self.inputs, self.key
        return self.part.actor, {**self.inputs, **self.part.inputs}, self.part.key

    @property
    def as_part(self) -> SealedPart:
        """The same, where it was sealed as the part of a public entry."""
        programs = self.outcome.get("programs", {})
        return SealedPart(self.actor, self.inputs, self.key, programs, self.saw, self.nonce)

    @property
    def is_sealed(self) -> bool:
        """Whether it stands in the sealed book."""
        return self.after is not None

    @property
    def place(self) -> tuple[int, int, int]:
        """Where it stands in the order in which things happened, over both books."""
        return (self.seq, 0, 0) if self.after is None else (self.after, 1, self.seq)

    @property
    def label(self) -> str:
        """The entry as a person would name it."""
        return f"{'sealed entry' if self.is_sealed else 'entry'} {self.seq}"


@dataclass(frozen=True)
class Recording(_Head):
    """All that a game was fed with, in order, and how its clock goes."""

    acts: Iterator[RecordedAct]
    end: dict[str, Any] = field(default_factory=dict)  # known once all acts have been read


def recording_of(game: Game, since: Game | None = None) -> Recording:
    """The recording of a game of this database as far as both its books go in `game`, which is read
    as it is played; with `since`, an earlier look at the game, what happened after that."""
    return Recording(
        slug=game.slug,
        identity=game.identity,
        master=master_of(game),
        acts=_joined(map(act_of, both_books(game, since=since))),
        **of_the_clock(game),
        users=users_of(game),
    )


def _joined(entries: Iterator[RecordedAct]) -> Iterator[RecordedAct]:
    """What public entries made in the sealed books comes of them again, and is left out; what only
    the sealed books keep of them is a part of theirs."""
    part: SealedPart | None = None
    for act in entries:
        if not act.is_sealed:
            yield replace(act, part=part)
            part = None
        elif act.name == PART:
            part = act.as_part
        elif act.name not in CONSEQUENCES:
            yield act


def act_of(entry: Entry | SealedEntry, part: SealedEntry | None = None) -> RecordedAct:
    """An entry's values, with those of its part."""
    values = {name: getattr(entry, name) for name in _AS_WRITTEN}
    kind, after = (entry.kind, None) if isinstance(entry, Entry) else ("action", entry.after)
    sealed_part = act_of(part).as_part if part else None
    return RecordedAct(**values, actor=entry.actor_name, kind=kind, after=after, part=sealed_part)


def from_file(lines: Iterator[Any]) -> Recording:
    """The recording that such values hold; raises BadRecording, where the file is not whole as
    well once its last act is asked for."""
    head = next(lines, None)
    form = head.get("format") if isinstance(head, dict) else None
    if form in _BEFORE_1_0:
        raise BadRecording(
            f"This file (“{form}”) was made before version 1.0 of the program, and this version"
            " cannot read it."
        )
    if form != FORMAT:
        raise BadRecording(f"This is not a file of a game (its first line lacks “{FORMAT}”).")
    end: dict[str, Any] = {}
    game = vars(_read(_HEAD, head, "The file's head"))
    return Recording(**game, acts=_joined(_entries(lines, end)), end=end)


def _entries(lines: Iterator[Any], end: dict[str, Any]) -> Iterator[RecordedAct]:
    """The entries of the lines; puts the last line in `end`."""
    for number, values in enumerate(lines, 2):
        where = f"Line {number} of the file"
        if end:
            raise BadRecording(f"{where} comes after the line that closes the file.")
        line = _read(_LINE, values, where)
        if line.end is not None:
            end.update(line.end)
        elif entry := line.sealed or line.entry:
            yield entry
    if not end:
        raise BadRecording("The file is not whole: the line that closes it is missing.")


def _read[Shape](shape: TypeAdapter[Shape], values: Any, where: str) -> Shape:
    """The values in that shape; raises BadRecording, which begins with `where`."""
    try:
        return shape.validate_python(values)
    except ValidationError as errors:
        error = errors.errors()[0]
        place = ".".join(map(str, error["loc"]))
        fault = "it is missing" if error["type"] == "missing" else error["msg"]
        raise BadRecording(f"{where} cannot be read: “{place}”: {fault}.") from errors
    except UnicodeEncodeError as error:
        raise BadRecording(f"{where} holds half a character, which no text has.") from error


@dataclass(frozen=True, kw_only=True)
class _EntryLine(RecordedAct):
    """A public entry or a sealed one, as a line of a file has it."""

    kind: str = "action"
    key: str | None
    saw: list[Any] | None
    nonce: str
    effects: list[dict[str, Any]]
    prev_hash: str
    anchors: dict[str, str] = field(default_factory=dict)
    book: str = ""
    number: StrictInt | None = None
    salt: str = ""
    opened_in: StrictInt | None = None


@dataclass(frozen=True)
class _Line(_Shaped):
    entry: _EntryLine | None = None
    sealed: _EntryLine | None = None
    end: dict[str, Any] | None = None


_AS_WRITTEN = {column.name for column in fields(RecordedAct)} - {"kind", "actor", "after", "part"}
_LINE = TypeAdapter(_Line)
_HEAD = TypeAdapter(_Head)
