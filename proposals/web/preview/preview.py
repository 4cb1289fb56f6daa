"""The preview of a proposal as of now, learned by letting it pass and undoing that.

The dry run is `proposals.events.passing.carry_out`, which is what passing does. Nothing that is
private to anybody is in a preview. It has the game's lock meanwhile: without it, its rows and those
of an action would wait for each other, each in an order of its own, and the action could be what
fails. So it ends early where somebody waits for the game, or a text has much to try. All of it has
one patience, a page's; of what is submitted a worker does then what was not done, once for all.
"""

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

from django.core.cache import cache

from nomic.engine.dry_run import Covered, Seen, imagined, seen_since, states
from nomic.engine.fairness.background_work import leave_to_worker, work
from nomic.engine.fairness.locks import Stay, TookTooLong
from nomic.engine.outcomes import Busy
from nomic.engine.programs.checking import check
from nomic.engine.programs.descriptions import Added, ProgramFault, fault_of
from nomic.engine.table import Table, glance
from nomic.games.bounds import PAGE_SECONDS
from nomic.games.models import Game, Player
from nomic.games.wording import counted
from nomic.governance.rulebook_keeping import new_passages, sentences_of
from nomic.rulebook.changes.confirming import Unit, confirmed
from nomic.rulebook.changes.kinds import Change, Reading
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.tables import TableBroken
from nomic.rulebook.text_cache import committed_rules
from proposals.actions.players import LONGEST_BODY
from proposals.events.effects import Effect, executors
from proposals.events.passing import carry_out
from proposals.models import Proposal
from proposals.shapes import ExecutorShape
from proposals.state.bodies import (
    Units,
    changes_of,
    competing_changes,
    meetings,
    reading_of,
    units_in,
)
from proposals.state.offices import RULEBOOK
from proposals.state.power import power_of
from proposals.state.reading import Handle, drop_state, state_of
from proposals.web.preview import consequences
from proposals.web.preview.consequences import LEAST, NOTHING_TRIED, MachineryState, Trials, trials
from proposals.web.preview.told import BodyPreview, beside, shown_changes, shown_links

BUSY = "The game is busy just now; the preview follows."
_TOO_MUCH = (
    "What this would do takes too long to work out for a page. If it passes, all of it is still"
    " done. Look again in a while, or part it into several proposals, each of which is shown."
)
_IS_LATE = (
    "What this would do takes longer to work out than a page may; it is done meanwhile. Look again"
    " in a moment."
)
_EARLIER = "The game goes on meanwhile: this is what it would have changed at entry {:,}."
_OURS = "proposals"  # whose state is as long as the game is old
_MOST_CONSEQUENCES = 30
_MOST_MEETINGS = 100
_KEPT = 3600  # seconds
_KEPT_IN_PART = 30  # seconds in which a worker comes to it
_AGAIN_IN = 0.2  # seconds after which a worker goes on that gave way, or had the game for long
_LONGEST = 1.5  # seconds for which any of them has the game, also where nobody waits
_FORMAT = 16  # of what is kept: another for other fields of a Preview or of anything in it
_WORKING = 10  # seconds for which others wait for whoever computes a preview
_TURNS, _A_TURN = 10, 0.02  # how often a text that is being written asks for its turn; seconds


type _Text = tuple[str, tuple[str, ...], Units]
"""A body, which of its sentences its author calls remarks, and what they have confirmed."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How much of a text is tried: so many changes, for so many seconds.

    `longest` are the seconds that the database may work at one statement, or its lock be waited
    for; `rest` is what becomes of changes that are not tried, `late` is said where none is.
    """

    changes: int
    seconds: float
    longest: float
    rest: str = "all are made when it passes."
    late: str = _TOO_MUCH


WHILE_TYPED = Patience(
    *(200, 0.3, 0.4), "more are tried when it is submitted, and all are made when it passes."
)
SUBMITTED = Patience(
    *(500, 0.4, 0.6), "others are tried meanwhile, and all are made when it passes.", _IS_LATE
)
BY_A_WORKER = Patience(changes=500, seconds=0.6, longest=0.8)  # each time; types are another work
_WAITS = "Of {} the names and types take longer to check than a page may; it is done meanwhile."
_LATER = "Of {} the names and types are not checked while you write, but when it is submitted."
_GIVEN_UP = (
    "Of {} the names and types are not checked: together they take too long. Fewer programs in one"
    " proposal, or simpler ones, can be."
)


def preview(
    game: Game,
    player: Player | None,
    body: str,
    links: Mapping[str, Iterable[Handle]],
    proposal: Proposal | None = None,
    remarks: Sequence[str] = (),
    units: Units = (),
) -> BodyPreview:
    """The preview of that body, as if it passed now.

    `links` are handles by LinkKind, `remarks` what the author calls remarks, and `units` what they
    have confirmed of what the body counts or names; what they have not is previewed as the site
    takes it, where somebody is writing. `proposal` is the one that has the body or is to get it.
    What a submitted proposal would do is computed once for all readers. What somebody is writing is
    in no cache; only what was read in it, and the tables of its rules, stay for a while in this
    process's memory.
    """
    if len(body) > LONGEST_BODY:
        return BodyPreview(unreadable=too_long(body))
    table = glance(game)
    written = body, tuple(remarks), units
    if proposal is None or _text_of(proposal) != (body, tuple(remarks), list(units)):
        previewed = _computed_in_turn(table, written, proposal)
    else:
        digest = hashlib.sha256(repr(written).encode()).hexdigest()
        previewed = _checked_since(_submitted_preview(table, written, proposal, digest), game)
    # What changes with time and with others' acts is as of now, also where the rest is cached.
    return replace(
        previewed,
        links=shown_links(table, links, proposal),
        next=previewed.next and previewed.next.at(table.now),
    )


def _text_of(proposal: Proposal) -> _Text:
    return proposal.body, tuple(proposal.remarks), proposal.units


def too_long(body: str) -> str:
    """The sentence on a body that is longer than a proposal may be."""
    return (
        f"This text has {len(body):,} characters, and a proposal at most {LONGEST_BODY:,}: shorten"
        " it, or make several proposals of it."
    )


def _submitted_preview(
    table: Table, written: _Text, proposal: Proposal, digest: str
) -> BodyPreview:
    """The preview of a submitted proposal, if known, or found out as fast as a page has to be."""
    game = table.game
    key = _key(proposal, digest, game.last_entry)
    previewed = cache.get(key)
    if isinstance(previewed, BodyPreview):
        return previewed
    previewed = BodyPreview(busy=BUSY)
    # None, and not False, where the cache cannot be asked: then each page works it out itself.
    if cache.add(f"{key}:at-work", 1, _WORKING) is not False:
        try:
            previewed = _Look(table, proposal, SUBMITTED, _until()).preview(written)
        finally:
            cache.delete(f"{key}:at-work")
        if previewed.busy or previewed.waits:
            leave_to_worker("preview", (proposal.pk, digest), game.pk)
        if not previewed.busy:
            _cache_preview(proposal, digest, game.last_entry, previewed)
    if previewed.busy:
        entry, earlier = cache.get(_key(proposal, digest)) or (0, None)
        if isinstance(earlier, BodyPreview):
            warnings = (_EARLIER.format(entry), *earlier.warnings)
            return replace(earlier, warnings=warnings, waits=True)
    return previewed


def _key(proposal: Proposal, digest: str, entry: int | None = None) -> str:
    """The cache's key of the preview after that entry; without one, of the last that was found."""
    return f"nomic:preview:{_FORMAT}:{proposal.game_id}:{proposal.pk}:{digest}:{entry}"


def _cache_preview(proposal: Proposal, digest: str, entry: int, previewed: BodyPreview) -> None:
    cache.set(_key(proposal, digest, entry), previewed, _KEPT_IN_PART if previewed.waits else _KEPT)
    if not previewed.waits:
        cache.set(_key(proposal, digest), (entry, previewed), _KEPT)


def _until() -> float:
    """The moment by which a page has what it shows, as `time.monotonic` has it."""
    return time.monotonic() + PAGE_SECONDS.most


@work("preview")
def _work_out(task: tuple[int, str], seconds: float) -> None:
    """Find out in a worker what a proposal would change, as often as it has to give way, and by
    turns what its programs do."""
    proposal = Proposal.objects.select_related("game").filter(pk=task[0], closed_in=None).first()
    if proposal is None:
        return
    written, until = _text_of(proposal), time.monotonic() + seconds
    tried = NOTHING_TRIED
    while time.monotonic() < until:
        game = Game.objects.get(pk=proposal.game_id)
        previewed = _Look(glance(game), proposal, BY_A_WORKER, until, tried).preview(written)
        if not previewed.busy and (previewed.changes or not tried.tried):
            tried = previewed.tried
            goes_on = tried.untried > 0 and time.monotonic() < until
            _cache_preview(proposal, task[1], game.last_entry, replace(previewed, waits=goes_on))
            if not goes_on:
                break
        time.sleep(_AGAIN_IN)


def _checked_since(previewed: BodyPreview, game: Game) -> BodyPreview:
    """The preview with what a worker has found since of programs that were not checked in time."""
    if not previewed.unchecked:
        return previewed
    checked = check([source for _, source in previewed.unchecked], 0, game=game.pk)
    problems = [(rule, checked.problems.get(source)) for rule, source in previewed.unchecked]
    errors = [fault_of(rule, problem) for rule, problem in problems if problem]
    warnings = [error.sentence for error in errors]
    warnings += [_WAITS.format(counted(len(checked.waiting), "program"))] if checked.waiting else []
    warnings += (
        [_GIVEN_UP.format(counted(len(checked.given_up), "program"))] if checked.given_up else []
    )
    return replace(
        previewed,
        errors=(*previewed.errors, *errors),
        warnings=(*previewed.warnings, *warnings),
        waits=previewed.waits or bool(checked.waiting),
    )


def _computed_in_turn(table: Table, written: _Text, proposal: Proposal | None) -> BodyPreview:
    """The preview of a text that is being written; of these, one at a time has the game."""
    key = f"nomic:preview:{table.game.pk}:typing"
    for _ in range(_TURNS):
        if cache.add(key, 1, _WORKING) is not False:  # None where the cache cannot be asked
            break
        time.sleep(_A_TURN)
    else:
        return BodyPreview(busy=BUSY)
    try:
        return _Look(table, proposal, WHILE_TYPED, _until()).preview(written)
    finally:
        cache.delete(key)


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at what a text would do at that table: as the body of its `proposal`, with that
    patience and until that moment, beside what was `tried` before."""

    table: Table
    proposal: Proposal | None
    patience: Patience
    until: float
    tried: Trials = NOTHING_TRIED

    def preview(self, written: _Text) -> BodyPreview:
        """What that text would do, as far as it is tried."""
        try:
            reading = read_changes(*written[:2])
        except Unreadable as wrong:
            return BodyPreview(unreadable=wrong.sentence, line=wrong.line, column=wrong.column)
        if self.patience is WHILE_TYPED:
            units = units_in(self.table, reading, written[2])
        else:
            units = list(map(Unit.of, written[2]))
        reading = confirmed(reading, units)
        told = {**beside(reading), "units": tuple(units)}
        if reading.misfit:
            sentence, line, column = reading.misfit
            return BodyPreview(unreadable=sentence, line=line, column=column)
        officer = state_of(self.table).officer(RULEBOOK)
        bare = BodyPreview(officer=officer, **told)
        if not reading.changes:
            return replace(bare, executors=_executors(reading, []), is_tried=True)
        try:
            imagination = self._imagined(reading)
        except TookTooLong:
            return replace(bare, warnings=(self.patience.late,), waits=self.patience is SUBMITTED)
        except Busy:
            return replace(bare, busy=BUSY)
        except (TableBroken, Covered) as broken:
            sentence = f"What this would do cannot be shown: {broken}"
            return replace(bare, warnings=(sentence,))
        return self._followed(bare, reading, *imagination)

    def _followed(
        self,
        bare: BodyPreview,
        reading: Reading,
        before: MachineryState,
        effects: list[Effect],
        after: MachineryState,
        differences: Seen | None,
    ) -> BodyPreview:
        """The preview with what was found out by trying."""
        is_typed = self.patience is WHILE_TYPED
        new = consequences.new_programs(before, after)
        seconds = 0 if self.patience is BY_A_WORKER else self.until - time.monotonic()
        errors, unchecked = _checked(new, seconds, self.table.game, private=is_typed)
        fatal = (effect.fault for effect in effects if effect.fault)
        errors = (*errors, *after.tried.faults, *dict.fromkeys(fatal))
        untried = len(reading.changes) - len(effects)
        only = (
            f"Only the first {len(effects):,} of {len(reading.changes):,} changes are tried here,"
            f" and what follows from them is told; {self.patience.rest}"
        )
        later = _LATER.format(counted(len(unchecked), "program"))
        met = meetings(self.table, reading, self.proposal)
        rules = committed_rules(self.table.game)
        return replace(
            bare,
            **shown_changes(self.table, effects, untried),
            executors=_executors(reading, effects),
            is_tried=True,
            meets=tuple(met[:_MOST_MEETINGS]),
            untried=untried,
            consequences=tuple(consequences.follows(before, after))[:_MOST_CONSEQUENCES],
            figures=tuple(differences.facts) if differences else (),
            more_figures=bool(differences and differences.more),
            unplayed=tuple(sentences_of(new_passages(before.unfitted, after.unfitted), rules)),
            claimed=tuple(sentences_of(new_passages(before.claimed, after.claimed), rules)),
            next=after.next,
            adds=consequences.adds(before, after),
            errors=errors,
            tried=after.tried,
            costs=after.tried.sentences[:_MOST_CONSEQUENCES],
            unchecked=() if is_typed else unchecked,
            broken=consequences.unreadable(before, after),
            waits=self.patience is SUBMITTED and bool(untried or after.tried.untried),
            warnings=(
                *([only] if untried else ()),
                *reading.warnings,
                *([later] if is_typed and unchecked else ()),
                *(error.sentence for error in errors),
                *consequences.breakages(before, after),
                *consequences.losses(self.table, effects, after),
                *consequences.code_tables(effects),
                *competing_changes(met),
                *consequences.read_sentences(self.table, effects),
            ),
        )

    def _imagined(
        self, reading: Reading
    ) -> tuple[MachineryState, list[Effect], MachineryState, Seen | None]:
        """How the game stands, what each change does, how it stands then, and what else differs.

        Raises Busy and TookTooLong, and TableBroken or Covered where the subgames cannot follow the
        rules.
        """
        game, patience = self.table.game, self.patience
        before = consequences.standing(self.table)
        state = states(self.table, None, before.on - {_OURS})
        stay = Stay(min(self.until, time.monotonic() + patience.longest + _LONGEST))
        with imagined(game, seconds=patience.longest, stay=stay) as locked:
            begun = time.monotonic()
            # The game may have gone on between the glance and the lock.
            if locked.game.last_entry != game.last_entry:
                before = consequences.standing(locked)
                state = states(locked, None, before.on - {_OURS})

            def is_up(seconds: float) -> bool:
                return time.monotonic() > begun + seconds

            def enough(tried: int) -> bool:
                stay.go_on()
                return tried >= patience.changes or (tried > 0 and is_up(patience.seconds))

            own_power = power_of(state_of(locked), self.proposal)
            effects = carry_out(locked, replace(reading, power=own_power), enough=enough)
            longest = max(patience.seconds, time.monotonic() - begun + LEAST)

            def is_enough() -> bool:
                return stay.is_over() or is_up(longest)

            tried = trials(locked, before.programs, is_enough, self.tried)
            drop_state(locked)
            after = replace(consequences.standing(locked), tried=tried)
            lasting = {name: figures for name, figures in state.items() if name in after.on}
            moved = lasting != states(locked, None, lasting.keys())
            return before, effects, after, seen_since(locked, lasting) if moved else None


def _executors(reading: Reading, effects: Sequence[Effect]) -> tuple[ExecutorShape, ...]:
    """Who would carry out each sentence; nothing of those of which a part was not tried."""
    untried = {change.start for change in reading.changes[len(effects) :]}
    tried = [effect for effect in effects if effect.change.start not in untried]
    return tuple(executors(reading, tried))


def _checked(
    programs: Sequence[Added], seconds: float, game: Game, *, private: bool
) -> tuple[tuple[ProgramFault, ...], tuple[tuple[str, str], ...]]:
    """The faults of these programs, and those that were not checked in time, with their rules."""
    readable = [added for added in programs if not added.problem]
    checked = check([added.source for added in readable], seconds, game=game.pk, private=private)
    return (
        tuple(fault for added in programs for fault in added.wrong(checked)),
        tuple(
            (added.rule, added.source) for added in readable if added.source not in checked.problems
        ),
    )


# What has happened


def recorded(table: Table, proposal: Proposal) -> BodyPreview:
    """The changes that a Historical proposal made when it passed, as its effects were kept."""
    asked = changes_of(proposal)
    # Read otherwise since, its changes and its effects are not of the same sentences.
    changes = asked if len(asked) == len(proposal.effects) else repeat(Change())
    effects = [Effect.of(*pair) for pair in zip(changes, proposal.effects, strict=False)]
    officer = state_of(table).officer(RULEBOOK)
    previewed = BodyPreview(**shown_changes(table, effects), officer=officer, is_record=True)
    try:
        marked = beside(reading_of(proposal))["marked"]
        return replace(previewed, marked=marked, units=tuple(map(Unit.of, proposal.units)))
    except Unreadable:
        return previewed
