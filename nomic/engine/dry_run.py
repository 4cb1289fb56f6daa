"""Doing something to a game and taking it back at once, to show what it would change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Never

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import DataError, IntegrityError, InternalError, OperationalError, transaction
from django.db.models import OuterRef, Q, Subquery, Sum
from psycopg.errors import QueryCanceled, ReadOnlySqlTransaction

from nomic.dice.roller import Choose
from nomic.dice.seeds import roll
from nomic.engine.actions import PrivateAction, UrgentAction, find_action
from nomic.engine.catch_up import catch_up
from nomic.engine.fairness.locks import Stay, locked_game, set_timeout
from nomic.engine.fairness.locks import TookTooLong as TookTooLong
from nomic.engine.outcomes import UnknownAction, UnknownGame
from nomic.engine.plain_words import place_in_words, value_in_words
from nomic.engine.requests import patience, settled, who_acts
from nomic.engine.subgames import KeepsSecrets, all_subgames, find_subgame
from nomic.engine.table import Table
from nomic.engine.take import perform
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance, Posting
from nomic.record.models import Entry
from nomic.rulebook.models import RuleVersion

_MOST_ROWS = 50
_LONGEST_VALUE = 300
_ON_A_STANDBY = "The database is a standby for now, in which nothing can be tried."
_SCRATCH = b"dice of a trial"  # known to everybody


@dataclass(frozen=True, slots=True)
class BalanceShift:
    """A holder's amount of a public asset before and after."""

    holder: str
    asset: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Rewording:
    """A rule's text before and after: empty where the rule is new, or is repealed.

    `title` is what it is called after it, `was` what it was called before if that is another.
    """

    title: str
    before: str
    after: str
    was: str = ""


type States = dict[str, Any]
type Fact = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Seen:
    """The changes that an imagined entry made.

    `facts` are (what, before, after) of the subgames, as far as the viewer may see them. `more`:
    there are more shifts or facts than these. Of an officer's act it has the `text` and `figures`
    of its entry as well.
    """

    shifts: list[BalanceShift]
    rewordings: list[Rewording]
    facts: list[Fact]
    more: bool
    text: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def facts_in_words(self) -> list[Fact]:
        """The facts as pages tell them."""
        return in_words(self.facts)


class Covered(LookupError):
    """Raised where what would happen cannot be shown: the dice decide it, or nothing can be
    written."""

    def __init__(self, reason: str = "What the dice decide cannot be shown beforehand.") -> None:
        super().__init__(reason)


class CoveredDice:
    """Dice of a dry run: whatever asks them raises Covered. `were_asked` tells of it where that is
    caught on the way."""

    committed = MappingProxyType[str, str]({})
    were_asked = False

    def open_period(self, *_: Any, **__: Any) -> None:
        """Open nothing: a new seed changes nothing that can be seen of the game."""

    def effects(self) -> list[Any]:
        """No effects, since nothing was rolled."""
        return []

    def __copy__(self) -> CoveredDice:
        return self

    def __getattr__(self, name: str) -> Never:
        self.were_asked = True
        raise Covered


class _ScratchDice(CoveredDice):
    """Dice of a trial, which follow from nothing of the game's: what they show tells nothing."""

    @contextmanager
    def several(self) -> Iterator[Choose]:
        """Rolls as the game's dice make them; nothing keeps them."""
        yield lambda label, options: options[roll(_SCRATCH, (label,), len(options))]


@contextmanager
def scratch_dice(table: Table) -> Iterator[None]:
    """Let programs throw dice at an imagined table, none of which are the game's."""
    covered, table.dice = table.dice, _ScratchDice()  # type: ignore[assignment]
    try:
        yield
    finally:
        table.dice = covered


class _Imagined(Table):
    """A table at which nothing is begun that takes longer than its `stay`."""

    stay: Stay | None = None

    @contextmanager
    def tentatively(self) -> Iterator[None]:
        """Undo the block where it raises. Raises GaveWay, TookTooLong."""
        if self.stay is not None:
            self.stay.go_on()
        with super().tentatively():
            yield


@contextmanager
def imagined(
    game: Game, *, seconds: float | None = None, stay: Stay | None = None, urgent: bool = False
) -> Iterator[Table]:
    """A locked table of that game as it is now; whatever the block does to it is undone. It waits
    so many `seconds` for the lock, and what is `urgent` longer.

    What asks the dice raises Covered, and so does all of it on a standby. Raises Busy, UnknownGame;
    TookTooLong where a single statement takes the database longer than `seconds`, or all of it
    longer than the `stay` lasts, and GaveWay where somebody waits for the game meanwhile.
    """
    try:
        with locked_game(pk=game.pk, urgent=urgent, wait=seconds) as locked:
            if locked is None:
                raise UnknownGame(f"There is no game “{game.slug}” any more.")
            if seconds is not None:
                set_timeout("statement_timeout", seconds)
            wall = wall_now()
            table = _Imagined(locked, locked.now(wall), wall, locked=True)
            table.dice = CoveredDice()  # type: ignore[assignment]
            if stay is not None:
                table.stay = stay
                stay.begin()
            try:
                yield table
            finally:
                transaction.set_rollback(True)
    except OperationalError as error:
        if seconds is not None and isinstance(error.__cause__, QueryCanceled):
            raise TookTooLong from error
        raise
    except InternalError as error:
        if isinstance(error.__cause__, ReadOnlySqlTransaction):
            raise Covered(_ON_A_STANDBY) from error
        raise


def states(table: Table, viewer: Player | None, names: Collection[str] | None = None) -> States:
    """The states of every subgame, or of those named, that the viewer may see, as the game stands
    now."""
    fresh = Table(table.game, table.now, table.wall, locked=False)
    fresh.rules = table.rules
    wanted = [part for part in all_subgames() if names is None or part.name in names]
    return {
        subgame.name: _without(
            subgame.state(fresh, viewer),
            subgame.counted_later if isinstance(subgame, KeepsSecrets) else (),
        )
        for subgame in wanted
    }


def _without(state: Any, keys: Collection[str]) -> Any:
    """The state without what two looks at the same game may differ in: it is counted meanwhile."""
    if _is_list(state):
        return [_without(part, keys) for part in state]
    if isinstance(state, Mapping):
        return {key: _without(part, keys) for key, part in state.items() if key not in keys}
    return state


def seen_since(table: Table, before: States, viewer: Player | None = None) -> Seen:
    """The changes that the entry being made, or just written, at an imagined table has made.

    `before` is what `states` gave for that viewer when the table was as it was found.
    """
    table.rules.write_versions()
    facts: list[Fact] = []
    # What a list has are numbers, which its subgame's title tells from those of another.
    are_several = sum(isinstance(state, Mapping) for state in before.values()) > 1
    for name, state_after in states(table, viewer, before.keys()).items():
        title, state_before = find_subgame(name).title, before[name]
        if state_before is None and state_after is not None:
            facts.append((title, "not played", "begins"))
        # What begins is told with all that it has then; of what ends its end is enough.
        if state_after is None and state_before is not None:
            facts.append((title, "played", "ends"))
        else:
            is_named = are_several or _is_list(state_after)
            facts += _differences(title if is_named else "", state_before, state_after)
    of_entry = Posting.objects.filter(transfer__game=table.game, transfer__entry=table.seq)
    public = of_entry.filter(asset__visibility="public").exclude(holder__kind="mint")
    now = Balance.objects.filter(holder=OuterRef("holder"), asset=OuterRef("asset"))
    rows = public.values_list("holder__name", "asset__name", "holder", "asset").annotate(
        by=Sum("amount"), after=Subquery(now.values("amount"))
    )
    # One more than are shown, which tells that there are more.
    moved = rows.exclude(by=0).order_by("holder__name", "asset__name")[: _MOST_ROWS + 1]
    shifts = [
        BalanceShift(holder, asset, after - by, after) for holder, asset, _, _, by, after in moved
    ]
    return Seen(
        shifts=shifts[:_MOST_ROWS],
        rewordings=_rewordings(table.game, table.seq),
        facts=facts[:_MOST_ROWS],
        more=len(shifts) > _MOST_ROWS or len(facts) > _MOST_ROWS,
    )


def rehearse(slug: str, actor: AbstractBaseUser, name: str, inputs: Mapping[str, Any]) -> Seen:
    """The changes that an officer's act would make, by doing it in a transaction that is undone.

    Of one that is announced first, they are those that it will make when it happens.

    Raises what `take` raises; LookupError for an act that chance decides or that is no officer's.
    """
    action = find_action(name)
    if not action.office or isinstance(action, PrivateAction):
        raise UnknownAction(f"“{name[:80]}” is not an officer's act.")
    game = Game.objects.filter(slug=slug, scratch=False).first()
    if game is None:
        raise UnknownGame(f"There is no game “{slug[:60]}”.")
    urgent = isinstance(action, UrgentAction)
    if not urgent:
        catch_up(game.pk, prepare=False, deadline=wall_now() + patience())
    with imagined(game, urgent=urgent) as table:
        covered = table.dice
        table = settled(table, name) if urgent else table
        table.dice = covered
        player, operator = who_acts(table, actor, action)
        before = states(table, player, {name.partition(".")[0]})
        entry = perform(table, player, action.as_done, inputs, operator=operator).entry
        assert isinstance(entry, Entry)
        changes = seen_since(table, before, player)
    return replace(changes, text=entry.text, figures=entry.outcome)


def _rewordings(game: Game, seq: int) -> list[Rewording]:
    """Each public rule that the entry gave another text or title, or took out of force, once."""
    public = RuleVersion.objects.filter(rule__game=game, rule__visibility="public")
    touched = public.filter(Q(enacted_in=seq) | Q(rule__repealed_in=seq)).values("rule")
    newest_first = public.filter(rule__in=touched).order_by("rule_id", "-number")
    older = newest_first.filter(enacted_in__lt=seq).distinct("rule_id")
    versions_before = {version.rule_id: version for version in older}
    rewordings = {}
    for version in newest_first.distinct("rule_id").select_related("rule"):
        version_before = versions_before.get(version.rule_id)
        is_repealed = version.rule.repealed_in == seq
        if version_before is None and is_repealed:
            continue
        was_called = version_before.title if version_before else ""
        other_title = was_called if was_called != version.title else ""
        rewordings[version.rule.position] = Rewording(
            version.title,
            version_before.text if version_before else "",
            "" if is_repealed else version.text,
            other_title,
        )
    return [rewordings[position] for position in sorted(rewordings)]


def _differences(path: str, before: Any, after: Any) -> Iterator[Fact]:
    """The places at which two states differ, as (path, before, after); empty is as if absent.

    Things in lists are compared by their ids, where they have any.
    """
    before, after = _by_id(before), _by_id(after)
    if before == after or (_is_nothing(before) and _is_nothing(after)):
        return
    if isinstance(after, Mapping) and (isinstance(before, Mapping) or before is None):
        parts_before = before or {}
        for key in sorted(parts_before.keys() | after.keys(), key=str):
            place = f"{path} · {key}" if path else str(key)
            yield from _differences(place, parts_before.get(key), after.get(key))
    else:
        yield path, _shortened(before), _shortened(after)


def _by_id(state: Any) -> Any:
    """A list of things that have ids, or numbers, as a mapping, where these tell one from another;
    anything else as it is."""
    for name in ("id", "number") if _is_list(state) else ():
        if all(isinstance(row, Mapping) and name in row for row in state):
            rows = {row[name]: row for row in state}
            if len(rows) == len(state):
                return rows
    return state


def _is_list(state: Any) -> bool:
    return isinstance(state, Sequence) and not isinstance(state, str)


def _is_nothing(state: Any) -> bool:
    return state is None or (isinstance(state, Mapping | Sequence) and not state)


def _shortened(state: Any) -> str:
    words = value_in_words(state)
    return words if len(words) <= _LONGEST_VALUE else words[:_LONGEST_VALUE].rstrip() + "…"


def in_words(facts: Iterable[Fact]) -> list[Fact]:
    """The facts as pages tell them, the place in words: “The races: Alexia, position”."""
    told_facts = []
    for path, before, after in facts:
        part, *rest = path.split(" · ")
        told_facts.append((place_in_words(part, rest), before, after))
    return told_facts


class Impossible(Exception):
    """The database does not take what was attempted."""


@contextmanager
def attempt() -> Iterator[None]:
    """Undo the block where the database refuses it; raises Impossible then.

    What is read from rows into memory in the block is for the caller to drop.
    """
    try:
        with transaction.atomic():
            yield
    except (DataError, IntegrityError, InternalError) as error:
        raise Impossible from error
