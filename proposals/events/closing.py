"""How votes end: the tally, the culls, what passes and takes effect, and the proposals after it;
and counts that the officer announces: prepared by the system as the vote ends, and kept."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from nomic.engine.outcomes import Outcome
from nomic.engine.programs.hooks import happened, publish_happening
from nomic.engine.table import Table
from nomic.games.bounds import EVENT_CHANGES
from nomic.infrastructure.database.compiled_queries import write
from nomic.rulebook.tables import TableBroken
from proposals.events.adopting import (
    ADOPTED,
    MOST_TOLD,
    announcement_of,
    result_facts,
    shorten_effects,
    take_effect,
    unchanging,
    wait_for_effect,
)
from proposals.events.opening import TIMED_OUT, assign_numbers
from proposals.models import Proposal, Status
from proposals.rules.ballots import Result, Tally
from proposals.rules.words import names_in_words
from proposals.state.offices import COUNTING, officer_of
from proposals.state.reading import MAIN, State, drop_state, state_of
from proposals.state.retally import (
    Basis,
    abbreviate_alike,
    bases_of,
    basis_with,
    electorate_of,
    prepared_result,
)

NOT_ADOPTED = publish_happening(
    "proposals.not_adopted", "A proposal has not been adopted after its vote; `me` is its author."
)
QUEUE = "proposals.queue_moves"
ANNOUNCED = "proposals.count_announced"
REMINDER = "proposals.count_reminder"
REMINDED = timedelta(days=1)  # after the end of the vote, and after each reminder
# Characters: PostgreSQL takes no JSON of 256 MB, and the rows, their texts and the statement are in
# memory together.
_LONGEST_PIECE = 32_000_000
_SAVED = ("success", "passed", "outcome", "strength", "stamina", "figures", "reasons", "effects")
# One statement for however many an nweek decides: `bulk_update` composes a CASE of all of them.
_SAVE = """
UPDATE proposals_proposal p
   SET status = %s, success = d.success, passed = d.passed, outcome = d.outcome,
       strength = d.strength, stamina = d.stamina, figures = d.figures, reasons = d.reasons,
       effects = d.effects, closed_at = %s, closed_in = %s, awaits_since = NULL
  FROM jsonb_to_recordset(%s::jsonb) AS d (
       id bigint, success text, passed boolean, outcome text, strength integer, stamina integer,
       figures jsonb, reasons jsonb, effects jsonb)
 WHERE p.id = d.id
"""


def close(table: Table, proposals: Collection[Proposal]) -> Outcome:
    """Count the votes on these Open proposals; what passes takes effect in its order.

    The tally and what it leaves behind cost a fixed number of queries, and one more for each result
    that an office announces. Raises TableBroken.
    """
    # First: the tally tells proposals, and links between them, by their numbers.
    assign_numbers(table, proposals)
    # Who voted what is public from the close on, where it was not before.
    if secret := [proposal.book for proposal in proposals if proposal.secret]:
        table.open_books(secret)
    return conclude(table, proposals, state_of(table).tally(proposals))


def conclude(table: Table, proposals: Collection[Proposal], tally: Tally) -> Outcome:
    """Let what passes pass, in order, and make the decided proposals Historical; what the officer
    counts by hand waits for their announcement."""
    state = state_of(table)
    decided = [
        proposal
        for proposal in proposals
        if tally.results[proposal.tally_number].passed is not None
    ]
    decided.sort(key=lambda proposal: proposal.tally_number)
    # Read before anything passes, which may change who votes.
    counted_by = bases_of(state, decided)
    by_hand = [proposal for proposal in decided if state.counts_by_hand(proposal)]
    if not by_hand:
        return decide(table, decided, tally, counted_by)
    waits = hold_for_announcement(table, by_hand, tally.results, counted_by)
    by_system = [proposal for proposal in decided if proposal not in by_hand]
    announced = decide(table, by_system, tally, counted_by if by_system else [])
    return one_after_the_other(announced, waits)


def decide(
    table: Table, decided: Sequence[Proposal], tally: Tally, counted_by: list[Basis]
) -> Outcome:
    """Make these proposals Historical with their results; what passes passes in its order.

    Of more than one event has room for, those behind take effect in events of their own.
    """
    # As it is before anything takes effect: they are decided by these terms and voters.
    state = state_of(table)
    by_number = {proposal.number: proposal for proposal in decided}
    # Of the tally's others an office announces the result.
    passing = [by_number[number] for number in tally.passed_in_order if number in by_number]
    for proposal in decided:
        result = tally.results[proposal.tally_number]
        players = {"players": state.electorate_for(proposal).headcount}
        proposal.figures = {**players, **result.counts, **result.figures}
    passed = take_effect(table, passing)
    _save(table, state, decided, tally, passed.stored)
    wait_for_effect(table, passed.waiting)
    drop_state(table)
    results = [result_facts(proposal, passed) for proposal in decided]
    # To programs those that wait for an event of their own are adopted when they take effect.
    later = {proposal.pk for proposal in passed.waiting}
    for proposal, facts in zip(decided, results, strict=True):
        if proposal.pk not in later:
            happening = ADOPTED if proposal.passed else NOT_ADOPTED
            outcome, subject = Outcome(str(proposal), facts), f"p{proposal.serial}"
            happened(table, happening, outcome, by=proposal.author, subject=subject)
    shorten_effects(results)  # only now: programs are told of all of them
    sentences = [
        announcement_of(proposal, passed, state.officer(COUNTING))
        for proposal in decided[:MOST_TOLD]
    ]
    figures = {"results": results, "counted_by": counted_by, **passed.read}
    return Outcome(" ".join([*sentences, *_totals(results)]), figures)


def _save(
    table: Table,
    state: State,
    decided: Collection[Proposal],
    tally: Tally,
    stored: dict[int, list[dict[str, Any]]],
) -> None:
    """Make all Historical with their results, in one statement unless that would be too long."""
    rows = []
    for proposal in decided:
        result = tally.results[proposal.tally_number]
        proposal.status, proposal.success = Status.HISTORICAL, state.edition.success[result.outcome]
        proposal.passed, proposal.outcome = result.passed, result.outcome
        proposal.strength, proposal.stamina = result.strength, result.stamina
        effects = stored.get(proposal.tally_number, [])
        proposal.figures |= unchanging(effects)
        proposal.reasons = list(result.reasons)
        proposal.effects = effects
        proposal.closed_at, proposal.closed_in = table.now, table.seq
        proposal.awaits_since = None
        rows.append({"id": proposal.pk} | {name: getattr(proposal, name) for name in _SAVED})
    for piece in json_pieces(rows):
        write(_SAVE, [Status.HISTORICAL, table.now, table.seq, piece])


def json_pieces(rows: Iterable[dict[str, Any]], longest: int = _LONGEST_PIECE) -> Iterator[str]:
    """The rows as JSON arrays of at most `longest` characters, or of one row."""
    piece: list[str] = []
    length = 0
    for row in map(json.dumps, rows):
        if piece and length + len(row) > longest:
            yield f"[{','.join(piece)}]"
            piece, length = [], 0
        piece.append(row)
        length += len(row)
    if piece:
        yield f"[{','.join(piece)}]"


def _totals(results: Collection[dict[str, Any]]) -> list[str]:
    """How many were decided, where they are more than are told one by one."""
    passed = sum(bool(decided["passed"]) for decided in results)
    return [f"In all {len(results)} were decided and {passed} passed."] * (len(results) > MOST_TOLD)


def one_after_the_other(first: Outcome, second: Outcome) -> Outcome:
    """Both as one announcement; where both have a list of that name, one after the other."""
    lists = {
        name: [*entries, *second.figures.get(name, [])]
        for name, entries in first.figures.items()
        if isinstance(entries, list)
    }
    figures = {**first.figures, **second.figures, **lists}
    return Outcome(f"{first.text} {second.text}".strip(), figures)


# Where the officer counts by hand


def hold_for_announcement(
    table: Table,
    proposals: Collection[Proposal],
    results: Mapping[int, Result],
    bases: Sequence[Basis],
) -> Outcome:
    """Keep what the votes on these come to until the officer announces it. Nobody votes on them."""
    for proposal in proposals:
        proposal.awaits_since, proposal.secret = table.now, False
        # Saved one by one, since each keeps all voters with its result.
        basis = basis_with(bases, f"p{proposal.serial}")
        prepare(proposal, results[proposal.tally_number], basis)
    serials = [str(proposal.serial) for proposal in proposals]
    table.appointments.make(REMINDER, table.now + REMINDED, serials)
    officer, labels = officer_of(table.game, COUNTING), [proposal.label for proposal in proposals]
    wait = "waits" if len(labels) == 1 else "wait"
    sentence = f"{names_in_words(labels)} {wait} for the {officer}'s announcement of the result."
    return Outcome(sentence, {"awaiting": [proposal.handle for proposal in proposals]})


def prepare(proposal: Proposal, result: Result, basis: Basis) -> None:
    """Keep that result with a proposal that waits, and by what it was counted."""
    players = electorate_of(basis).headcount
    counted = replace(result, figures={**result.figures, "players": players})
    proposal.prepared = {"result": asdict(counted), "basis": basis}
    proposal.save(update_fields=["awaits_since", "secret", "prepared"])


def announce(table: Table, proposals: Collection[Proposal], **otherwise: Any) -> Outcome:
    """Let the results that were prepared of these be theirs; `otherwise` are other facts of them.

    In a queue those behind them are looked at after that.
    """
    in_order = sorted(proposals, key=lambda proposal: proposal.tally_number)
    results = {}
    for proposal in in_order:
        results[proposal.tally_number] = replace(prepared_result(proposal), **otherwise)
        table.appointments.cancel(REMINDER, str(proposal.serial))
    bases: list[Basis] = [proposal.prepared["basis"] for proposal in in_order]
    # Compared, and not a set, since what JSON brings back cannot be hashed.
    counted_by = [basis for place, basis in enumerate(bases) if basis not in bases[:place]]
    ended = decide(table, in_order, Tally(results), counted_by)
    return one_after_the_other(ended, move_the_queue(table))


def leave_to_the_system(table: Table) -> None:
    """Let what waits and is no longer counted by hand be announced as it was counted, at once."""
    state = state_of(table)
    if any(not state.counts_by_hand(proposal) for proposal in state.awaiting):
        table.appointments.make(ANNOUNCED, table.now, str(table.seq))


# A queue


def move_the_queue(table: Table) -> Outcome:
    """Resolve the oldest proposals of a queue for as long as each can be (BlogNomic).

    The outcome's text is empty where none can, and in editions that have no queue. Each that passes
    may change what the next is counted by; where it leaves no table that can be read, the queue
    waits until that is mended; what is more than one event has room for goes on in the next. Raises
    TableBroken where nothing can be counted from the start.
    """
    if state_of(table).edition.period != "queue":
        return Outcome("")
    sentences: list[str] = []
    changes = 0
    figures: dict[str, list[Any]] = {}
    while table.rules.in_force(MAIN):
        drop_state(table)
        state = state_of(table)
        if state.awaiting:  # only the oldest is resolved, and it waits for its announcement
            break
        try:
            tally = state.tally(state.open)
        except TableBroken as broken:
            if not sentences:
                raise
            # Instead of the last one where as many are told as may be.
            sentences[MOST_TOLD - 1 :] = [f"The queue waits: {broken.sentence}"]
            break
        oldest = next(iter(state.open), None)
        if oldest is None or tally.results[oldest.tally_number].passed is None:
            break
        if changes > EVENT_CHANGES.of(table.game):
            table.appointments.make(QUEUE, table.now, str(table.seq))
            break
        ended = conclude(table, [oldest], tally)
        changes += sum(max(decided["changes"], 1) for decided in ended.figures.get("results", ()))
        table.appointments.cancel(TIMED_OUT, str(oldest.serial))
        if len(sentences) < MOST_TOLD:
            sentences.append(ended.text)
        for name, rows in ended.figures.items():  # lists, all that `conclude` has
            figures.setdefault(name, []).extend(rows)
    results = figures.get("results", [])
    shorten_effects(results)
    abbreviate_alike(figures.get("counted_by", []))
    return Outcome(" ".join([*sentences, *_totals(results)]), figures)
