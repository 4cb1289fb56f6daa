"""Revisions of the past in a recalculation: an act that is struck, done otherwise, or put in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, Literal

from django.core.cache import cache
from django.db import transaction

from nomic.engine.subgames import all_subgames, find_subgame
from nomic.games.bounds import RECALCULATIONS, RECALCULATIONS_OF_PLAYER
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.models import Recalculation
from nomic.record.canonical import canonical_json
from nomic.record.models import EntryKind

Verb = Literal["strike", "change", "insert"]
BETWEEN_KEYS = " › "  # of a difference's place
LONGEST = 20_000  # bytes of a revision
_GIVEN_UP = timedelta(hours=6)  # after which one that was begun is taken for lost
_PROGRESS = "recalculation {} played"
_BEGUN = "recalculation {} begun"
MOST_KEPT = 50  # of a game
MOST_AWAITING = 10  # of a game: made by themselves after an opening
MOST_AWAITING_OF_PLAYER = 3
_LATER = " It is made by itself once all of that has been opened, and who asked is told then."
_CALCULATORS: list[Callable[[int], None]] = []
_PLAYED = (EntryKind.ACTION, EntryKind.OFFICER)


class CannotRecalculate(ValueError):
    """That part of the past cannot be played otherwise; the text says why, and what can be."""


class Covered(CannotRecalculate):
    """It cannot be told before all is opened that is sealed in these `parts`."""

    def __init__(self, *parts: str) -> None:
        self.parts = sorted(parts)
        super().__init__(
            f"What players do in private in “{'”, “'.join(self.parts)}” is sealed until it is"
            " opened, and what would have been otherwise could tell it."
        )


@dataclass(frozen=True, slots=True)
class Revision:
    """A change of the past at the public entry of that number, or just after it for an `insert`.

    `inputs` are those of the act that is changed or put in; `name` and `actor`, a player's name or
    None for the operator, are those of one that is put in.
    """

    verb: Verb
    entry: int
    inputs: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    actor: str | None = None

    def plain(self) -> dict[str, Any]:
        """The revision as a report writes it."""
        if self.verb == "strike":
            return {"strike": self.entry}
        if self.verb == "change":
            return {"change": self.entry, "inputs": self.inputs}
        act = {"name": self.name, "actor": self.actor, "inputs": self.inputs}
        return {"insert": act, "after": self.entry}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Revision:
        """The revision that `plain` wrote."""
        if "strike" in plain:
            return cls("strike", plain["strike"])
        if "change" in plain:
            return cls("change", plain["change"], plain["inputs"])
        return cls("insert", plain["after"], **plain["insert"])

    def __str__(self) -> str:
        if self.verb == "strike":
            return f"without entry {self.entry}"
        if self.verb == "change":
            return f"with other inputs in entry {self.entry}"
        return f"with “{self.name}” by {self.actor or 'the operator'} after entry {self.entry}"


def checked(game: Game, revision: Revision) -> Revision:
    """The revision, if the game's past can be played with it; raises CannotRecalculate."""
    try:  # a report is kept and hashed as canonical JSON
        written = canonical_json(revision.plain())
    except (ValueError, RecursionError) as error:
        raise CannotRecalculate(
            "Its inputs hold what no report can: give texts, whole numbers up to 2⁵³, lists and"
            " objects."
        ) from error
    if len(written) > LONGEST or rb"\u0000" in written:
        raise CannotRecalculate(
            f"Its inputs are too long, or hold characters that no text has: {LONGEST:,} bytes are"
            " the most."
        )
    entry = game.entries.filter(seq=revision.entry).first()
    if entry is None:
        raise CannotRecalculate(
            f"There is no entry {revision.entry} in “{game.title}”: the last is {game.last_entry}."
        )
    if revision.verb == "insert":
        if not revision.name:
            raise CannotRecalculate("Say what is put in: the name of an action, as horses.bet.")
    elif entry.seq == 1:
        raise CannotRecalculate("Entry 1 is the game's beginning: without it there is no game.")
    elif entry.kind not in _PLAYED:
        raise CannotRecalculate(
            f"Entry {entry.seq} ({entry.name}) happened by itself. Recalculate the act from which"
            " it followed."
        )
    about = revision.name if revision.verb == "insert" else entry.name
    app = about.partition(".")[0]
    seals = any(about in subgame.sealing_acts for subgame in all_subgames())
    in_private = "part" in entry.outcome and revision.verb != "insert"
    is_covered = app in sealed_parts(game) and (in_private or not parts_left_out(game, revision))
    if seals or is_covered:
        raise Covered(app)
    return revision


def parts_left_out(game: Game, revision: Revision) -> frozenset[str]:
    """The parts of which only what is public is played again with that revision, since it is about
    one of which something may be sealed; none where not all of these can be played so."""
    parts = sealed_parts(game)
    name = revision.name
    if revision.verb != "insert":
        name = game.entries.get(seq=revision.entry).name
    can_be = all(find_subgame(part).public_alone for part in parts)
    return frozenset(parts) if can_be and name.partition(".")[0] in parts else frozenset()


def sealed_parts(game: Game) -> set[str]:
    """The subgames, by their names, of which something may be sealed. Whether something is would
    tell that somebody has acted in private."""
    return {subgame.name for subgame in all_subgames() if subgame.may_seal(game)}


# Recalculations that players ask for on a page: made one after the other, elsewhere


def register_calculator(calculate: Callable[[int], None]) -> None:
    """Let `calculate` be given the key of each recalculation that is asked for, once it stands."""
    _CALCULATORS.append(calculate)


def ask(game: Game, player: Player, revision: Revision) -> Recalculation:
    """Ask for a recalculation; raises CannotRecalculate. A game makes one at a time, and so many a
    day. What has to wait for an opening is kept until then."""
    awaited: list[str] = []
    refusal = ""
    try:
        checked(game, revision)
    except Covered as covered:
        awaited, refusal = covered.parts, later(covered)
        if not sealed_parts(game).issuperset(awaited) or not may_await(game, player):
            raise
    now = wall_now()
    today = game.recalculations.filter(asked_at__gt=now - timedelta(days=1))
    for recent, bound in (
        (today.filter(by=player), RECALCULATIONS_OF_PLAYER),
        (today, RECALCULATIONS),
    ):
        if recent.count() >= bound.count:
            raise CannotRecalculate(
                f"{bound.subject} asks for at most {bound.count} {bound.unit} within a day. Ask"
                " again tomorrow, or ask the site's operator for `manage.py recalculate`."
            )
    open_ones = game.recalculations.filter(hash="", refusal="")
    if open_ones.filter(asked_at__gt=now - _GIVEN_UP).exists():
        raise CannotRecalculate(
            "Another recalculation of this game is being made. Ask again when it is done."
        )
    row = game.recalculations.create(
        by=player, revision=revision.plain(), asked_at=now, refusal=refusal, awaits=awaited
    )
    newest = game.recalculations.values_list("pk", flat=True)[:MOST_KEPT]
    game.recalculations.filter(awaits=[]).exclude(pk__in=list(newest)).delete()
    if awaited:
        return row
    # Another process would look for the row before it can be seen.
    for calculate in _CALCULATORS:
        transaction.on_commit(partial(calculate, row.pk))
    return row


def may_await(game: Game, player: Player) -> bool:
    """Whether the game keeps one more recalculation of that player for when something has been
    opened."""
    waiting = game.recalculations.exclude(awaits=[])
    of_player = waiting.filter(by=player)
    return waiting.count() < MOST_AWAITING and of_player.count() < MOST_AWAITING_OF_PLAYER


def later(covered: Covered) -> str:
    """Why it is not made yet, and that it will be."""
    return f"{covered}{_LATER}"


def is_opened(row: Recalculation) -> bool:
    """Whether it has waited for something to be opened, and all of that is."""
    return bool(row.awaits) and sealed_parts(row.game).isdisjoint(row.awaits)


def opened() -> list[int]:
    """The keys of those that have waited for something to be opened, and all of that is."""
    waiting = Recalculation.objects.exclude(awaits=[]).filter(game__scratch=False)
    return [row.pk for row in waiting.select_related("game") if is_opened(row)]


def times_begun(key: int) -> int:
    """How often it has been begun within some hours, this time among them; 1 where the cache does
    not know."""
    counter = _BEGUN.format(key)
    cache.add(counter, 0, _GIVEN_UP.total_seconds())
    try:
        return cache.incr(counter) or 1
    except ValueError:  # it went between the two
        return 1


def note_progress(key: int, played: int, of: int) -> None:
    """Note how many of its acts are played, for who waits for it."""
    cache.set(_PROGRESS.format(key), (played, of), _GIVEN_UP.total_seconds())


def progress(asked: Recalculation) -> tuple[int, int] | None:
    """How many acts are played, of how many; None where that is not known."""
    noted = cache.get(_PROGRESS.format(asked.pk))
    return (noted[0], noted[1]) if noted else None
