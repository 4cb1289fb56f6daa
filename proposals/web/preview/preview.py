"""What a proposal would change as of now, learned by letting it pass and undoing that.

The dry run is `proposals.events.passing.carry_out`, which is what passing does. Nothing that is
private to anybody is in a preview. While it runs nobody else can act in the game, so it ends early
where a text has much to try. It has the game's lock all the same: without it, its rows and those
of an action would wait for each other, each in an order of its own, and the action could be what
fails.
"""

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

from django.core.cache import cache

from nomic.engine.dry_run import (
    Covered,
    Fact,
    Seen,
    TookTooLong,
    imagined,
    in_words,
    seen_since,
    states,
)
from nomic.engine.outcomes import Busy
from nomic.engine.programs.checking import check
from nomic.engine.programs.telling import Added, Fault, unfit
from nomic.engine.table import Table, glance
from nomic.games.bounds import PAGE_SECONDS
from nomic.games.models import Game, Player
from nomic.rulebook.changes.forms import ByHand, Change, Reading
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.tables import TableBroken
from proposals.actions.players import LONGEST_BODY
from proposals.events.effects import Effect
from proposals.events.executors import Executor, executors
from proposals.events.passing import carry_out
from proposals.models import Proposal
from proposals.state.bodies import changes_of, reading_of
from proposals.state.competing_changes import competing_changes
from proposals.state.reading import Handle, state_of
from proposals.web.drafts import too_long
from proposals.web.preview import consequences
from proposals.web.preview.changes import PreviewedChange, PreviewedLink, shown_changes, shown_links
from proposals.web.preview.consequences import Consequence, Part, Standing
from proposals.web.preview.trials import trials

BUSY = "The game is busy just now; the preview follows."
_TOO_MUCH = "What this would do takes too long to be shown here. It is done when it passes."
_OURS = "proposals"  # whose state is as long as the game is old
_MOST_CONSEQUENCES = 30
_MOST_UNREAD = 200  # sentences that are shown, each with a box beside it
_KEPT = 3600  # seconds
_FORMAT = 6  # of what is kept: another for other fields of a Preview or of anything in it
_WORKING = 10  # seconds for which others wait for whoever computes a preview
_TURNS, _A_TURN = 25, 0.02  # how often a text that is being written asks for its turn; seconds


@dataclass(frozen=True, slots=True)
class Written:
    """A body, and which of its sentences its author calls remarks."""

    body: str
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Patience:
    """How much of a text is tried: so many changes, for so many seconds.

    `longest` are the seconds that the database may work at one statement.
    """

    changes: int
    seconds: float
    longest: float


WHILE_TYPED = Patience(changes=200, seconds=0.3, longest=0.4)
SUBMITTED = Patience(changes=500, seconds=0.5, longest=0.8)
_WAITS = "Of {} the names and types take longer to check than a page may; it is done meanwhile."
_LATER = "Of {} the names and types are not checked while you write, but when it is submitted."
_GIVEN_UP = (
    "Of {} the names and types are not checked: together they take too long. Fewer programs in one"
    " proposal, or simpler ones, can be."
)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a body would change. `unreadable` says where its braces do not fit; then the rest is
    empty. `busy` is said where the answer has to be asked for again.

    `more` changes follow those told, `untried` of them after all that were tried; of those that
    were, `by_hand` are left to the officer, `refused` are left undone. `unread` are the first
    sentences that could not be read, and `more_unread` tells how many follow; `marked` are those
    that the author calls remarks, and `executors` who would carry out each sentence. `figures` are
    (what, before, after) of the subgames' state; `unplayed` are sentences that would not be carried
    out as they read; `adds` what programs add, `errors` what is wrong with them, `costs` what it
    costs the site that things happen by themselves. `is_record` tells that this has happened.
    `unchecked` are the rules and the texts of programs that were not checked in time; where it
    `waits`, they are soon.
    """

    changes: tuple[PreviewedChange, ...] = ()
    more: int = 0
    untried: int = 0
    by_hand: int = 0
    refused: int = 0
    unread: tuple[str, ...] = ()
    more_unread: int = 0
    marked: tuple[str, ...] = ()
    executors: tuple[Executor, ...] = ()
    consequences: tuple[Consequence, ...] = ()
    figures: tuple[Fact, ...] = ()
    more_figures: bool = False
    warnings: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    adds: tuple[Part, ...] = ()
    errors: tuple[Fault, ...] = ()
    costs: tuple[str, ...] = ()
    links: tuple[PreviewedLink, ...] = ()
    officer: str = ""
    unreadable: str = ""
    line: int = 0
    column: int = 0
    busy: str = ""
    is_record: bool = False
    unchecked: tuple[tuple[str, str], ...] = ()
    waits: bool = False

    @property
    def count(self) -> int:
        """How many changes the body asks for."""
        return len(self.changes) + self.more

    @property
    def count_in_words(self) -> str:
        """How many changes there are, and how many of them are not made."""
        told = ["1 change" if self.count == 1 else f"{self.count} changes"]
        if self.by_hand:
            all_of_them = "all " if self.count > 1 else ""
            which = all_of_them if self.by_hand == self.count else f"{self.by_hand} of them "
            told.append(f"{which}left to the {self.officer}")
        if self.refused:
            told.append(f"{self.refused} left undone")
        return f"{', '.join(told)}."

    @property
    def figures_in_words(self) -> list[Fact]:
        """The figures as pages tell them."""
        return in_words(self.figures)


def preview(
    game: Game,
    player: Player | None,
    body: str,
    links: Mapping[str, Iterable[Handle]],
    own: Proposal | None = None,
    remarks: Sequence[str] = (),
) -> Preview:
    """What that body would change if it passed now.

    `links` are handles by LinkKind, `remarks` what the author calls remarks. `own` is the proposal
    that has the body or is to get it. What a submitted proposal would do is computed once for all
    readers. What somebody is writing is in no cache; only the tables of its rules, which the
    rulebook knows by their texts, stay for a while in this process's memory.
    """
    if len(body) > LONGEST_BODY:
        return Preview(unreadable=too_long(body))
    table = glance(game)
    told = shown_links(table, links, own)
    written = Written(body, tuple(remarks))
    if own is None or (own.body, own.remarks) != (body, list(remarks)):
        return replace(_computed_in_turn(game, table, written, own), links=told)
    digest = hashlib.sha256(repr(written).encode()).hexdigest()
    key = f"nomic:preview:{_FORMAT}:{game.pk}:{game.last_entry}:{own.pk}:{digest}"
    found = cache.get(key)
    if not isinstance(found, Preview):
        if cache.add(f"{key}:at-work", 1, _WORKING) is False:
            return Preview(busy=BUSY, links=told)
        found = _computed(game, table, written, own, SUBMITTED)
        if not found.busy:
            cache.set(key, found, _KEPT)
        cache.delete(f"{key}:at-work")
    return replace(_checked_since(found), links=told)


def _checked_since(found: Preview) -> Preview:
    """The preview with what a worker has found since of programs that were not checked in time."""
    if not found.unchecked:
        return found
    checked = check([source for _, source in found.unchecked], 0)
    problems = [(rule, checked.found.get(source)) for rule, source in found.unchecked]
    errors = [unfit(rule, problem) for rule, problem in problems if problem]
    told = [each.sentence for each in errors]
    told += [_WAITS.format(_programs(len(checked.waiting)))] if checked.waiting else []
    told += [_GIVEN_UP.format(_programs(len(checked.given_up)))] if checked.given_up else []
    return replace(
        found,
        errors=(*found.errors, *errors),
        warnings=(*found.warnings, *told),
        waits=bool(checked.waiting),
    )


def _programs(count: int) -> str:
    return "1 program" if count == 1 else f"{count} programs"


def _computed_in_turn(game: Game, table: Table, written: Written, own: Proposal | None) -> Preview:
    """What a text that is being written would change; of these, one at a time has the game."""
    key = f"nomic:preview:{game.pk}:typing"
    for _ in range(_TURNS):
        if cache.add(key, 1, _WORKING) is not False:
            break
        time.sleep(_A_TURN)
    else:
        return Preview(busy=BUSY)
    try:
        return _computed(game, table, written, own, WHILE_TYPED)
    finally:
        cache.delete(key)


def _computed(
    game: Game, table: Table, written: Written, own: Proposal | None, patience: Patience
) -> Preview:
    until = time.monotonic() + PAGE_SECONDS.most
    try:
        reading = read_changes(written.body, written.remarks)
    except Unreadable as wrong:
        return Preview(unreadable=wrong.sentence, line=wrong.line, column=wrong.column)
    officer = state_of(table).edition.officer
    bare = Preview(officer=officer, **_beside(reading), executors=_executors(reading, []))
    if not reading.changes:
        return bare
    try:
        imagination = _imagine(game, table, reading, patience)
    except Busy:
        return replace(bare, busy=BUSY)
    except TookTooLong:
        return replace(bare, warnings=(_TOO_MUCH,))
    except (TableBroken, Covered) as broken:
        sentence = f"What this would do cannot be shown: {broken}"
        return replace(bare, warnings=(sentence,))
    before, effects, after, seen = imagination
    is_typed = patience is WHILE_TYPED
    new = consequences.new_programs(before, after)
    errors, unchecked = _checked(new, until, private=is_typed)
    errors = (*errors, *(after.tried.faults if after.tried else ()))
    untried = len(reading.changes) - len(effects)
    only = _only_the_first(len(effects), len(reading.changes), patience)
    return replace(
        bare,
        **shown_changes(table, effects, untried),
        executors=_executors(reading, effects),
        untried=untried,
        consequences=tuple(consequences.follows(before, after))[:_MOST_CONSEQUENCES],
        figures=tuple(seen.facts) if seen else (),
        more_figures=bool(seen and seen.more),
        unplayed=tuple(consequences.unplayed(before, after)),
        adds=consequences.adds(before, after),
        errors=errors,
        costs=after.tried.told[:_MOST_CONSEQUENCES] if after.tried else (),
        unchecked=() if is_typed else unchecked,
        warnings=(
            *only,
            *([_LATER.format(_programs(len(unchecked)))] if is_typed and unchecked else ()),
            *(each.sentence for each in errors),
            *consequences.breakages(before, after),
            *consequences.losses(table, effects),
            *competing_changes(table, reading, own),
        ),
    )


def _beside(reading: Reading) -> dict[str, Any]:
    """What of a body is no change, each sentence once."""
    unread = list(dict.fromkeys(each.sentence for each in reading.unread))
    return {
        "unread": tuple(unread[:_MOST_UNREAD]),
        "more_unread": max(len(unread) - _MOST_UNREAD, 0),
        "marked": tuple(dict.fromkeys(each.sentence for each in reading.marked)),
    }


def _executors(reading: Reading, effects: Sequence[Effect]) -> tuple[Executor, ...]:
    """Who would carry out each sentence; of what was not tried it is the program."""
    untried = reading.changes[len(effects) :]
    others = [Effect(each, not isinstance(each, ByHand), "") for each in untried]
    return tuple(executors(reading, [*effects, *others]))


def _checked(
    programs: Sequence[Added], until: float, *, private: bool
) -> tuple[tuple[Fault, ...], tuple[tuple[str, str], ...]]:
    """What is wrong with these programs, and which of them were not checked in time, with their
    rules."""
    read = [each for each in programs if not each.problem]
    seconds = until - time.monotonic()
    checked = check([each.source for each in read], seconds, private=private)
    return (
        tuple(fault for each in programs for fault in each.wrong(checked)),
        tuple((each.rule, each.source) for each in read if each.source not in checked.found),
    )


def _only_the_first(tried: int, asked: int, patience: Patience) -> tuple[str, ...]:
    """A sentence that says so where not all changes were tried."""
    if tried == asked:
        return ()
    others = "all are made when it passes."
    if patience is WHILE_TYPED:
        others = f"more are tried when it is submitted, and {others}"
    return (
        f"Only the first {tried:,} of {asked:,} changes are tried here, and what follows from them"
        f" is told; {others}",
    )


def _imagine(
    game: Game, table: Table, reading: Reading, patience: Patience
) -> tuple[Standing, list[Effect], Standing, Seen | None]:
    """How the game stands, what each change does, how it stands then, and what else differs.

    Raises Busy and TookTooLong, and TableBroken or Covered where the subgames cannot follow the
    rules.
    """
    before = consequences.standing(table)
    state = states(table, None, before.on - {_OURS})
    with imagined(game, seconds=patience.longest) as locked:
        until = time.perf_counter() + patience.seconds
        if locked.game.last_entry != game.last_entry:
            before = consequences.standing(locked)
            state = states(locked, None, before.on - {_OURS})

        def enough(tried: int) -> bool:
            return tried >= patience.changes or (tried > 0 and time.perf_counter() > until)

        effects = carry_out(locked, reading, enough=enough)
        tried = trials(locked, before.programs, until)
        after = replace(consequences.standing(locked), tried=tried)
        lasting = {name: known for name, known in state.items() if name in after.on}
        moved = lasting != states(locked, None, lasting.keys())
        return before, effects, after, seen_since(locked, lasting) if moved else None


# What has happened


def recorded(table: Table, proposal: Proposal) -> Preview:
    """What a Historical proposal changed when it passed, as its effects were kept."""
    read = changes_of(proposal)
    changes = read if len(read) == len(proposal.effects) else repeat(Change())
    effects = [Effect.of(*each) for each in zip(changes, proposal.effects, strict=False)]
    officer = state_of(table).edition.officer
    told = Preview(**shown_changes(table, effects), officer=officer, is_record=True)
    try:
        return replace(told, marked=_beside(reading_of(proposal))["marked"])
    except Unreadable:
        return told
