"""How votes end: the tally, the culls, what passes and takes effect, and the proposals after it."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from nomic.compiled import write
from nomic.engine.outcomes import Outcome
from nomic.engine.programs.hooks import happened, publish_happening
from nomic.engine.table import Table
from nomic.rulebook.changes.forms import ByHand, Reading
from nomic.rulebook.changes.keeping import changes_of, kept
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.charts import ChartBroken, cut
from proposals.events.asset_effects import credit
from proposals.events.counting import REMINDER, hold
from proposals.events.effects import Effect
from proposals.events.opening import TIMED_OUT, number_them
from proposals.events.passing import carry_out
from proposals.models import Errand, Proposal, Status, Vote
from proposals.rules.ballots import Result, Tally
from proposals.state.reading import MAIN, State, forget, state_of
from proposals.state.retally import Basis, basis_of, prepared_result, say_once

ADOPTED = publish_happening(
    "proposals.adopted",
    "A proposal has been adopted, and what it changes is changed; `me` is its author.",
)
NOT_ADOPTED = publish_happening(
    "proposals.not_adopted",
    "A proposal has not been adopted after its vote; `me` is its author.",
)
_MOST_TOLD = 12
_LONGEST_QUOTE = 200
_LONGEST_ERRAND = 2_000  # characters of a sentence that is left to the officer, and of its reason
_LONGEST_EFFECT = 500  # characters of what a stored effect says
_MOST_OF_TEXTS = 200_000  # characters of changed texts that are stored with one proposal
_MOST_SHIFTS = 2_000  # moved balances that are stored with one proposal
_MOST_IN_ENTRY = 200  # effects of all its proposals that an entry of the record repeats
_MOST_READ = 8_000_000  # characters of bodies whose changes an entry of the record keeps as read
_LONGEST_PIECE = 32_000_000  # characters; the database takes no JSON of 256 MB
_SAVED = ("success", "passed", "outcome", "strength", "stamina", "figures", "reasons", "effects")
_SAVE = """
UPDATE proposals_proposal p
   SET status = 'Historical', success = d.success, passed = d.passed, outcome = d.outcome,
       strength = d.strength, stamina = d.stamina, figures = d.figures, reasons = d.reasons,
       effects = d.effects, closed_at = %s, closed_in = %s, awaits_since = NULL
  FROM jsonb_to_recordset(%s::jsonb) AS d (
       id bigint, success text, passed boolean, outcome text, strength integer, stamina integer,
       figures jsonb, reasons jsonb, effects jsonb)
 WHERE p.id = d.id
"""


def close(table: Table, proposals: Collection[Proposal]) -> Outcome:
    """Count the votes on these Open proposals; what passes takes effect in its order.

    The tally and what it leaves behind cost a fixed number of queries. Raises ChartBroken.
    """
    number_them(table, proposals)
    _unseal(table, proposals)
    return conclude(table, proposals, state_of(table).tally(proposals))


def conclude(table: Table, proposals: Collection[Proposal], tally: Tally) -> Outcome:
    """Let what passes pass, in order, and make the decided proposals Historical."""
    state = state_of(table)
    decided = [each for each in proposals if tally.results[each.number or 0].passed is not None]
    decided.sort(key=lambda each: each.number or 0)
    counted_by = [basis_of(state, decided)] if decided else []
    held = [each for each in decided if state.counts_by_hand(each)]
    if not held:
        return decide(table, decided, tally, counted_by)
    waits = hold(table, held, tally.results, counted_by[0])
    others = [each for each in decided if each not in held]
    return together(decide(table, others, tally, counted_by if others else []), waits)


def together(first: Outcome, then: Outcome) -> Outcome:
    """Both as one announcement; where both have a list of that name, one after the other."""
    lists = {
        name: [*own, *then.figures.get(name, [])]
        for name, own in first.figures.items()
        if isinstance(own, list)
    }
    figures = {**first.figures, **then.figures, **lists}
    return Outcome(f"{first.text} {then.text}".strip(), figures)


def decide(
    table: Table, decided: Sequence[Proposal], tally: Tally, counted_by: list[Basis]
) -> Outcome:
    """Make these proposals Historical with their results; what passes passes in its order."""
    state = state_of(table)
    by_number = {each.number: each for each in decided}
    effects: dict[int, list[Effect]] = {}
    stored: dict[int, list[dict[str, Any]]] = {}
    for number in filter(by_number.get, tally.passed_in_order):
        made = _pass(table, by_number[number])
        stored[number] = effects_to_dicts(made)
        effects[number] = [replace(each, before="", after="", shifts=()) for each in made]
    _save(table, state, decided, tally, stored)
    forget(table)
    told = [
        _to_dict(each, tally.results[each.number or 0], effects.get(each.number or 0, []))
        for each in decided
    ]
    for each, facts in zip(decided, told, strict=True):
        what = ADOPTED if each.passed else NOT_ADOPTED
        happened(table, what, Outcome(str(each), facts), by=each.author, subject=f"p{each.serial}")
    _repeat_few(told)
    shown = decided[:_MOST_TOLD]
    said = [_sentence(each, tally, effects, state.edition.officer) for each in shown]
    read = _read(table, ((by_number[number], made) for number, made in effects.items()))
    figures = {"results": told, "counted_by": counted_by, **read}
    return Outcome(" ".join([*said, *_in_all(told)]), figures)


def announce(table: Table, proposals: Collection[Proposal], **otherwise: Any) -> Outcome:
    """Let the results that were prepared of these be theirs; `otherwise` are other facts of them.

    In a queue those behind them are looked at after that.
    """
    those = sorted(proposals, key=lambda each: each.number or 0)
    found = {each.number or 0: replace(prepared_result(each), **otherwise) for each in those}
    for each in those:
        table.appointments.cancel(REMINDER, str(each.serial))
    bases: list[Basis] = [each.prepared["basis"] for each in those]
    counted_by = [basis for at, basis in enumerate(bases) if basis not in bases[:at]]
    ended = decide(table, those, Tally(found), counted_by)
    return together(ended, move_the_queue(table))


def _in_all(told: Collection[dict[str, Any]]) -> list[str]:
    """How many were decided, where they are more than are told one by one."""
    passed = sum(bool(each["passed"]) for each in told)
    return [f"In all {len(told)} were decided and {passed} passed."] * (len(told) > _MOST_TOLD)


def _repeat_few(told: Collection[dict[str, Any]]) -> None:
    """Leave an entry so many sentences on effects as it can hold; each proposal keeps its own."""
    left = _MOST_IN_ENTRY
    for each in told:
        each["effects"] = each["effects"][:left]
        left -= len(each["effects"])


def _unseal(table: Table, proposals: Collection[Proposal]) -> None:
    """Who voted what is public from the close on, where it was not before."""
    secret = [each for each in proposals if each.secret]
    if secret and table.game.format >= 2:
        table.open_books([each.book for each in secret])
    elif secret:
        votes = Vote.objects.filter(proposal__in=secret, sealed__isnull=False)
        sealed = table.game.sealed_entries.filter(seq__in=votes.values("sealed"))
        table.open_sealed(sealed)


def move_the_queue(table: Table) -> Outcome:
    """Resolve the oldest proposals of a queue for as long as each can be (BlogNomic).

    The outcome's text is empty where none can, and in editions that have no queue. Each that passes
    may change what the next is counted by; where it leaves no table that can be read, the queue
    waits until that is mended. Raises ChartBroken where nothing can be counted from the start.
    """
    if state_of(table).edition.period != "queue":
        return Outcome("")
    said: list[str] = []
    figures: dict[str, list[Any]] = {}
    while table.rules.in_force(MAIN):
        forget(table)
        state = state_of(table)
        if state.awaiting:
            break
        try:
            tally = state.tally(state.open)
        except ChartBroken as broken:
            if not said:
                raise
            said[_MOST_TOLD - 1 :] = [f"The queue waits: {broken.sentence}"]
            break
        oldest = next(iter(state.open), None)
        if oldest is None or tally.results[oldest.number or 0].passed is None:
            break
        ended = conclude(table, [oldest], tally)
        table.appointments.cancel(TIMED_OUT, str(oldest.serial))
        if len(said) < _MOST_TOLD:
            said.append(ended.text)
        for name, more in ended.figures.items():
            figures.setdefault(name, []).extend(more)
    told = figures.get("results", [])
    _repeat_few(told)
    say_once(figures.get("counted_by", []))
    return Outcome(" ".join([*said, *_in_all(told)]), figures)


def _pass(table: Table, proposal: Proposal) -> list[Effect]:
    """The proposal's list of changes occurs; what the program cannot do is left to the officer."""
    credit(table, proposal.label)
    try:
        effects = carry_out(table, _reading(table, proposal))
    except Unreadable as unreadable:  # it could be read when it was submitted
        why, sentence = str(unreadable), _errand_of(proposal, proposal.body)
        whole = ByHand(why, sentence=sentence, end=len(proposal.body))
        effects = [Effect(whole, False, cut(why, _LONGEST_ERRAND))]
    Errand.objects.bulk_create(
        Errand(
            proposal=proposal,
            place=place,
            sentence=_errand_of(proposal, effect.change.sentence),
            why=cut(effect.sentence, _LONGEST_ERRAND),
            made_in=table.seq,
        )
        for place, effect in enumerate(effects, 1)
        if not effect.done and not effect.refused
    )
    return effects


def _reading(table: Table, proposal: Proposal) -> Reading:
    """What the body asks for; in a replay, as it was read when the proposal passed."""
    then = (table.read_then or {}).get(str(proposal.serial))
    return read_changes(proposal.body) if then is None else Reading(changes_of(then))


def _read(
    table: Table, passed: Iterable[tuple[Proposal, list[Effect]]]
) -> dict[str, list[dict[str, Any]]]:
    """The changes that were read in the bodies that passed, which a replay does not read anew.

    Entries of an earlier version tell none.
    """
    if table.read_then == {}:
        return {}
    told, room = [], _MOST_READ
    for proposal, made in passed:
        room -= len(proposal.body)
        if room > 0:
            changes = kept(effect.change for effect in made)
            told.append({"of": str(proposal.serial), "changes": changes})
    return {"read": told} if told else {}


def _errand_of(proposal: Proposal, sentence: str) -> str:
    """The sentence as an officer's duty quotes it; what is too long says where the rest stands."""
    if len(sentence) <= _LONGEST_ERRAND:
        return sentence
    rest = f"… (the rest stands in the text of {proposal.label})"
    return sentence[: _LONGEST_ERRAND - len(rest)] + rest


def effects_to_dicts(effects: Collection[Effect]) -> list[dict[str, Any]]:
    """The effects of one proposal as they are stored with it.

    Of long texts and many moved balances the first are stored; the rules' versions and the
    ledger have all of them.
    """
    kept: list[dict[str, Any]] = []
    texts, shifts = _MOST_OF_TEXTS, _MOST_SHIFTS
    for effect in effects:
        facts = effect.facts()
        for name in ("before", "after"):
            facts[name] = cut(facts[name], max(texts, 0))
            texts -= len(facts[name])
        facts["shifts"] = facts["shifts"][: max(shifts, 0)]
        shifts -= len(facts["shifts"])
        facts["sentence"] = cut(facts["sentence"], _LONGEST_EFFECT)
        facts["target"] = cut(facts["target"], _LONGEST_QUOTE)
        if effect.refused:
            facts["refused"] = True
        kept.append(facts)
    return kept


def _save(
    table: Table,
    state: State,
    decided: Collection[Proposal],
    tally: Tally,
    stored: dict[int, list[dict[str, Any]]],
) -> None:
    """Write all results, in one statement unless that would be too long for one."""
    rows = []
    for each in decided:
        result = tally.results[each.number or 0]
        each.status, each.success = Status.HISTORICAL, state.edition.success[result.outcome]
        each.passed, each.outcome = result.passed, result.outcome
        each.strength, each.stamina = result.strength, result.stamina
        players = {"players": state.electorate.headcount}
        each.figures = {**players, **result.counts, **result.figures}
        each.reasons, each.effects = list(result.reasons), stored.get(each.number or 0, [])
        each.closed_at, each.closed_in = table.now, table.seq
        each.awaits_since = None
        rows.append({"id": each.pk} | {name: getattr(each, name) for name in _SAVED})
    for piece in in_pieces(rows):
        write(_SAVE, [table.now, table.seq, piece])


def in_pieces(rows: Iterable[dict[str, Any]], longest: int = _LONGEST_PIECE) -> Iterator[str]:
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


def _to_dict(proposal: Proposal, result: Result, effects: list[Effect]) -> dict[str, Any]:
    """A decided proposal for the entry of the record, with the first of its effects."""
    made = [cut(effect.sentence, _LONGEST_QUOTE) for effect in effects[:_MOST_TOLD]]
    return {
        "number": proposal.number,
        "title": proposal.title,
        "author": proposal.author.name,
        "outcome": result.outcome,
        "passed": result.passed,
        "strength": result.strength,
        "stamina": result.stamina,
        "for": result.votes_for,
        "against": result.votes_against,
        "reasons": list(result.reasons),
        "effects": made,
        "changes": len(effects),
        "by_hand": sum(not effect.done and not effect.refused for effect in effects),
    }


def _sentence(
    proposal: Proposal, tally: Tally, effects: dict[int, list[Effect]], officer: str
) -> str:
    """The announcement of one result: why, what was done, and what is left to the officer."""
    result = tally.results[proposal.number or 0]
    made = effects.get(proposal.number or 0, [])
    said = [f"{proposal}: {result.reasons[0] if result.reasons else result.outcome + '.'}"]
    done = [effect.sentence for effect in made if effect.done]
    said += [cut(each, _LONGEST_EFFECT) for each in done[:_MOST_TOLD]]
    refused = [effect for effect in made if effect.refused]
    said += [f"“{_quote(each)}”: {each.sentence}" for each in refused[:_MOST_TOLD]]
    left = [_quote(effect) for effect in made if not effect.done and not effect.refused]
    said += [f"The {officer} carries out by hand: “{each}”" for each in left[:_MOST_TOLD]]
    return " ".join(said)


def _quote(effect: Effect) -> str:
    return cut(effect.change.sentence, _LONGEST_QUOTE)
