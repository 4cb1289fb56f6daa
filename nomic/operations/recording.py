"""A game as its inputs: what a replay needs, from the database or from a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from heapq import merge
from typing import Annotated, Any, TypedDict

from django.db.models import QuerySet
from pydantic import BeforeValidator, ConfigDict, StrictInt, TypeAdapter, ValidationError

from nomic.dice.models import Master
from nomic.games.clock import iso, read_moment
from nomic.games.models import Game, Player
from nomic.record.models import Entry, SealedEntry
from nomic.record.writer import CONSEQUENCES, PART

FORMAT = "nomic game 1"
_AT_ONCE = 500  # entries that one query reads


def _moment(value: Any) -> Any:
    return read_moment(value) if isinstance(value, str) else value


Moment = Annotated[datetime, BeforeValidator(_moment)]


class _Shaped:
    __pydantic_config__ = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Part(_Shaped):
    """What the sealed book keeps of a public entry, as far as a replay is fed with it."""

    actor: str | None
    inputs: dict[str, Any]
    key: str | None
    programs: dict[str, Any] = field(default_factory=dict)


class _Head(TypedDict):
    slug: str
    identity: str
    pace: str
    rate: StrictInt
    master: str
    clock: dict[str, str]
    users: dict[str, str]


class BadRecording(ValueError):
    """A file does not hold a game; the text says where it fails."""


@dataclass(frozen=True)
class Act(_Shaped):
    """One entry of either book, as values. `seq` of a sealed one counts in the sealed book.

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
    sealed_after: StrictInt | None = None
    part: Part | None = None

    @property
    def whole(self) -> tuple[str | None, dict[str, Any], str | None]:
        """Who did it, with what inputs and which key, be they public or not."""
        if self.part is None:
            return self.actor, self.inputs, self.key
        return self.part.actor, {**self.inputs, **self.part.inputs}, self.part.key

    @property
    def place(self) -> tuple[int, int, int]:
        """Where it stands in the order in which things happened, over both books."""
        if self.sealed_after is None:
            return (self.seq, 0, 0)
        return (self.sealed_after, 1, self.seq)

    @property
    def label(self) -> str:
        """The entry as a person would name it."""
        return f"{'sealed entry' if self.sealed_after is not None else 'entry'} {self.seq}"


@dataclass(frozen=True)
class Recording:
    """All that a game was fed with, in order, and how its clock goes."""

    slug: str
    identity: str
    pace: str
    rate: int
    master: bytes
    acts: Iterator[Act]
    clock: dict[str, str] = field(default_factory=dict)
    users: dict[str, str] = field(default_factory=dict)


def recording_of(game: Game) -> Recording:
    """The recording of a game of this database; what its public acts seal is made again by them."""
    public = game.entries.select_related("actor").order_by("seq")
    book = game.sealed_entries.select_related("actor").order_by("seq")
    sealed, parts = book.exclude(name__in=CONSEQUENCES), book.filter(name=PART)
    return Recording(
        slug=game.slug,
        identity=game.identity,
        pace=game.pace,
        rate=game.rate,
        master=bytes(Master.objects.get(game=game).key),
        acts=merge(
            _joined(_in_order(public), _in_order(parts)),
            (act_of(entry) for entry in _in_order(sealed)),
            key=lambda act: act.place,
        ),
        clock={"anchor_game": iso(game.anchor_game), "anchor_wall": iso(game.anchor_wall)},
        users=dict(game.players.filter(user__isnull=False).values_list("name", "user__username")),
    )


def _in_order[Row: (Entry, SealedEntry)](rows: QuerySet[Row]) -> Iterator[Row]:
    """Rows by their numbers, some at a time. No cursor of the database is left open where a reader
    stops before the end."""
    last = 0
    while some := list(rows.filter(seq__gt=last)[:_AT_ONCE]):
        yield from some
        last = some[-1].seq


def _joined(entries: Iterator[Entry], parts: Iterator[SealedEntry]) -> Iterator[Act]:
    """Public entries in their order, each with the part that was sealed just before it."""
    part = next(parts, None)
    for entry in entries:
        while part and part.after + 1 < entry.seq:
            part = next(parts, None)
        yield act_of(entry, part if part and part.after + 1 == entry.seq else None)


def act_of(entry: Entry | SealedEntry, part: SealedEntry | None = None) -> Act:
    """An entry's values, with those of its part."""
    return Act(
        seq=entry.seq,
        at=entry.at,
        recorded_at=entry.recorded_at,
        kind=entry.kind if isinstance(entry, Entry) else "action",
        name=entry.name,
        actor=_name(entry.actor),
        inputs=entry.inputs,
        outcome=entry.outcome,
        text=entry.text,
        rule=entry.rule,
        key=entry.key,
        hash=entry.hash,
        sealed_after=entry.after if isinstance(entry, SealedEntry) else None,
        part=_part_of(part) if part else None,
    )


def _part_of(part: SealedEntry) -> Part:
    return Part(_name(part.actor), part.inputs, part.key, part.outcome.get("programs", {}))


def _name(actor: Player | None) -> str | None:
    return actor.name if actor else None


def to_file(recording: Recording) -> Iterator[dict[str, Any]]:
    """The recording as JSON values, one a line: a head, then the acts in order.

    The head holds the game's master secret: whoever has the file can foretell its dice.
    """
    yield {
        "format": FORMAT,
        "slug": recording.slug,
        "identity": recording.identity,
        "pace": recording.pace,
        "rate": recording.rate,
        "master": recording.master.hex(),
        "clock": recording.clock,
        "users": recording.users,
    }
    for act in recording.acts:
        values = asdict(act)
        yield {**values, "at": iso(act.at), "recorded_at": iso(act.recorded_at)}


def from_file(lines: Iterator[Any]) -> Recording:
    """The recording that such values hold; raises BadRecording."""
    head = next(lines, None)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BadRecording(f"This is not a file of a game (its first line lacks “{FORMAT}”).")
    told = _read(_HEAD, head, "The file's head")
    try:
        master = bytes.fromhex(told.pop("master"))
        return Recording(**told, master=master, acts=_acts(lines))
    except ValueError as error:
        raise BadRecording(f"The file's head cannot be read: {error}.") from error


def _acts(lines: Iterator[Any]) -> Iterator[Act]:
    for number, values in enumerate(lines, 2):
        yield _read(_ACT, values, f"Line {number} of the file")


def _read[Shape](shape: TypeAdapter[Shape], values: Any, what: str) -> Shape:
    """The values in that shape; raises BadRecording, which begins with `what`."""
    try:
        return shape.validate_python(values)
    except ValidationError as errors:
        error = errors.errors()[0]
        place = ".".join(map(str, error["loc"]))
        said = "it is missing" if error["type"] == "missing" else error["msg"]
        raise BadRecording(f"{what} cannot be read: “{place}”: {said}.") from errors
    except UnicodeEncodeError as error:
        raise BadRecording(f"{what} holds half a character, which no text has.") from error


_ACT = TypeAdapter(Act)
_HEAD: TypeAdapter[Any] = TypeAdapter(_Head)
