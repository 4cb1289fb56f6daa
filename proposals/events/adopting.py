"""How what was adopted takes effect: its changes, what is left to the officer, what is told.

Of what passes at one moment an event makes so many changes; the rest follows at the same moment.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from django.db.models import Max, QuerySet

from nomic.engine.outcomes import Outcome
from nomic.engine.programs.hooks import happened, publish_happening
from nomic.engine.table import Table
from nomic.games.bounds import BY_HAND, EVENT_CHANGES
from nomic.games.calendars import next_week
from nomic.rulebook.changes.kinds import (
    ByHand,
    Reading,
    Votes,
    changes_to_json,
    reading_from_json,
    reading_to_json,
)
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import READER
from nomic.rulebook.charts import cut
from proposals.events.asset_effects import credit
from proposals.events.effects import Effect, executors, shared
from proposals.events.passing import carry_out
from proposals.models import Errand, Proposal
from proposals.state.bodies import changes_of, reading_of
from proposals.state.offices import RULEBOOK, officer_of
from proposals.state.power import power_of
from proposals.state.reading import drop_state, state_of
from proposals.state.workload import undone, waiting_by_hand

ADOPTED = publish_happening(
    "proposals.adopted",
    "A proposal has been adopted, and what it changes is changed; `me` is its author.",
)
TAKES_EFFECT, SENTENCES_WAIT = "proposals.take_effect", "proposals.sentences_wait"
MOST_TOLD = 12
_LONGEST_QUOTE = 200
_LONGEST_ERRAND = 2_000  # characters of a sentence that is left to the officer, and of its reason
_LONGEST_EFFECT = 500  # characters of what a stored effect says
_MOST_OF_TEXTS = 200_000  # characters of changed texts that are stored with one proposal
_MOST_SHIFTS = 2_000  # moved balances that are stored with one proposal
_MOST_IN_ENTRY = 200  # effects of all its proposals that an entry of the record repeats
_MOST_READ = 8_000_000  # characters of bodies whose changes an entry of the record keeps as read
_SKIPPED = "The event in which it was to take effect was skipped."


@dataclass
class Passed:
    """The outcome of proposals that pass: the effects of those that took effect, by number, as an
    entry tells them and as they are `stored`; the `readings` of their bodies, and what the entry
    keeps as `read`, which a replay does not read anew; and those that are `waiting` for the next
    event."""

    effects: dict[int, list[Effect]] = field(default_factory=dict)
    stored: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    readings: dict[int, Reading] = field(default_factory=dict)
    read: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    waiting: list[Proposal] = field(default_factory=list)


def take_effect(table: Table, passing: Sequence[Proposal]) -> Passed:
    """Let proposals take effect in this order, the first at any rate, up to as many changes as one
    event has room for."""
    passed, room, changes = Passed(), EVENT_CHANGES.of(table.game), 0
    readings: list[tuple[Proposal, Reading]] = []
    errands: list[Errand] = []
    for place, proposal in enumerate(passing):
        if changes > room:
            passed.waiting = list(passing[place:])
            break
        (reading, effects), number = _pass(table, proposal), proposal.tally_number
        errands += _errands_of(table, proposal, effects, len(errands))
        changes += max(len(effects), 1)
        passed.stored[number] = effects_to_dicts(effects)
        # Without whole texts and balances, which are large and nothing of what an entry tells.
        passed.effects[number] = [
            replace(effect, before="", after="", shifts=()) for effect in effects
        ]
        passed.readings[number] = reading
        readings.append((proposal, reading))
    _leave(table, errands)
    # The entry keeps how each body was read and by which reader: an upgraded program that reads
    # otherwise makes in a replay what was made.
    as_read, characters = [], _MOST_READ
    for proposal, reading in readings:
        characters -= len(proposal.body)
        if characters > 0:
            as_read.append({"of": str(proposal.serial), **reading_to_json(reading)})
    passed.read = {"read": as_read} if as_read else {}
    return passed


def _leave(table: Table, errands: Sequence[Errand]) -> None:
    """Leave these sentences to the officer, who has until the next week begins, when the report
    lists them."""
    Errand.objects.bulk_create(errands)
    if errands:
        give_the_week(table)


def give_the_week(table: Table) -> None:
    """Let the officer have this week for the sentences that are left to them by the entry."""
    table.appointments.make(SENTENCES_WAIT, next_week(table.now))


def left_this_week(table: Table) -> QuerySet[Errand]:
    """The sentences that nobody has carried out, of which no end of a week has told yet."""
    told = table.game.entries.filter(name=SENTENCES_WAIT).aggregate(last=Max("seq"))["last"]
    return undone(table.game).filter(made_in__gt=told or 0)


def wait_for_effect(table: Table, waiting: Sequence[Proposal]) -> None:
    """Let these take effect in their order as the next that happens, at this moment."""
    for place, proposal in enumerate(waiting, 1):
        proposal.takes_effect = place
    if waiting:
        Proposal.objects.bulk_update(waiting, ["takes_effect"])
        table.appointments.make(TAKES_EFFECT, table.now, str(table.seq))


def take_effect_next(table: Table) -> Outcome:
    """Let those that wait take effect, as many as one event has room for."""
    officer = officer_of(table.game, RULEBOOK)
    waiting = _waiting(table)
    passed = take_effect(table, waiting)
    adopted = waiting[: len(waiting) - len(passed.waiting)]
    _save_effects(adopted, passed)
    wait_for_effect(table, passed.waiting)
    drop_state(table)
    results = [result_facts(proposal, passed) for proposal in adopted]
    for proposal, facts in zip(adopted, results, strict=True):
        about = f"p{proposal.serial}"
        happened(table, ADOPTED, Outcome(str(proposal), facts), by=proposal.author, subject=about)
    shorten_effects(results)
    sentences = [
        " ".join([f"{proposal} takes effect.", *_effect_sentences(proposal, passed, officer)])
        for proposal in adopted[:MOST_TOLD]
    ]
    text = " ".join(sentences) or "Nothing waits to take effect."
    return Outcome(text, {"took_effect": results, **passed.read})


def leave_to_the_officer(table: Table) -> dict[str, Any]:
    """Let those that wait be carried out by hand: their event was skipped. Returns what the entry
    tells of it."""
    waiting = _waiting(table)
    effects = {proposal.tally_number: [_whole_by_hand(proposal, _SKIPPED)] for proposal in waiting}
    errands = [_errands_of(table, proposal, effects[proposal.tally_number]) for proposal in waiting]
    _leave(table, list(chain.from_iterable(errands)))
    stored = {number: effects_to_dicts(unmade) for number, unmade in effects.items()}
    _save_effects(waiting, Passed(stored=stored))
    drop_state(table)
    results = [
        {
            "number": proposal.number,
            "executors": executors(Reading(), [_whole_by_hand(proposal, _SKIPPED)]),
        }
        for proposal in waiting
    ]
    return {"left": results} if results else {}


def _waiting(table: Table) -> list[Proposal]:
    waiting = state_of(table).proposals().filter(takes_effect__isnull=False)
    return list(waiting.order_by("takes_effect"))


def _save_effects(proposals: Sequence[Proposal], passed: Passed) -> None:
    for proposal in proposals:
        proposal.takes_effect, proposal.effects = None, passed.stored[proposal.tally_number]
        proposal.figures |= unchanging(proposal.effects)
    if proposals:
        Proposal.objects.bulk_update(proposals, ["takes_effect", "effects", "figures"])


def unchanging(effects: Collection[Mapping[str, Any]]) -> dict[str, bool]:
    """The figure `unchanging` of an adopted proposal of whose changes, as they are stored, none has
    changed anything."""
    changes = any(effect["done"] and not effect.get("idle") for effect in effects)
    return {"unchanging": True} if effects and not changes else {}


def _pass(table: Table, proposal: Proposal) -> tuple[Reading, list[Effect]]:
    """The proposal's list of changes occurs; what the program cannot do is left to the officer.

    Returns what was read of it, with the changes that were to be made in the end.
    """
    credit(table, proposal.label)
    try:
        reading = _reading(table, proposal)
        power = power_of(state_of(table), proposal)
        effects = carry_out(table, replace(reading, power=power, votes=_votes_for(proposal)))
    except Unreadable as unreadable:  # it could be read when it was submitted
        reading = Reading(reader=READER)
        effects = [_whole_by_hand(proposal, cut(str(unreadable), _LONGEST_ERRAND))]
    return replace(reading, changes=tuple(effect.change for effect in effects)), effects


def _votes_for(proposal: Proposal) -> Votes:
    """The votes by which it was adopted."""
    figures, votes = proposal.figures, proposal.figures["for"] + proposal.figures["against"]
    asked_in = proposal.submitted_in
    if proposal.version > 1:
        asked_in = proposal.versions.get(number=proposal.version).entry
    return Votes(figures["for"], figures["against"], figures["players"] or votes, asked_in)


def _whole_by_hand(proposal: Proposal, reason: str) -> Effect:
    """All of a proposal as one change that is left to the officer."""
    sentence = _quoted_errand(proposal, proposal.body)
    change = ByHand(reason, sentence=sentence, end=len(proposal.body))
    return Effect(change, False, reason)


def _errands_of(
    table: Table, proposal: Proposal, effects: Sequence[Effect], before_them: int = 0
) -> list[Errand]:
    """The officer's errands, beside those `before_them` of the same event: a duty for each sentence
    that is not done, or where the game has no room for so many, one for all."""
    undone = [
        (place, effect)
        for place, effect in enumerate(effects, 1)
        if not effect.done and not effect.refused
    ]
    waiting = len(undone) + before_them + waiting_by_hand(table.game) if len(undone) > 1 else 0
    if beyond := BY_HAND.refusal(table.game, waiting):
        reason = f"{len(undone)} changes of it are to be carried out by hand. {beyond.sentence}"
        undone = [(undone[0][0], _whole_by_hand(proposal, reason))]
    return [
        Errand(
            proposal=proposal,
            place=place,
            sentence=_quoted_errand(proposal, effect.change.sentence),
            why=cut(effect.sentence, _LONGEST_ERRAND),
            made_in=table.seq,
        )
        for place, effect in undone
    ]


def _reading(table: Table, proposal: Proposal) -> Reading:
    """The changes that the body asks for; in a replay of what an older reader read, as that one
    read it, and where it would be read otherwise today, that is told. Raises Unreadable."""
    past = table.original
    recorded = past.read.get(str(proposal.serial)) if past else None
    if past is None or recorded is None or recorded["reader"] == READER:
        return reading_of(proposal)
    read_then = reading_from_json(recorded)
    today = changes_of(proposal)
    if changes_to_json(today) != changes_to_json(read_then.changes):
        past.tell(f"the body of {proposal.label} would be read otherwise today.")
    return read_then


def _quoted_errand(proposal: Proposal, sentence: str) -> str:
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
    stored: list[dict[str, Any]] = []
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
        facts |= {name: True for name in ("refused", "idle") if getattr(effect, name)}
        stored.append(facts)
    return stored


def shorten_effects(results: Collection[dict[str, Any]]) -> None:
    """Leave an entry so many sentences on effects as it can hold; each proposal keeps its own."""
    room = _MOST_IN_ENTRY
    for decided in results:
        decided["effects"] = decided["effects"][:room]
        room -= len(decided["effects"])


def result_facts(proposal: Proposal, passed: Passed) -> dict[str, Any]:
    """A decided proposal for the entry of the record, with the first of its effects, and who
    carries out each sentence of what was adopted."""
    effects = passed.effects.get(proposal.tally_number, [])
    reading = passed.readings.get(proposal.tally_number, Reading())
    first_effects = [cut(effect.sentence, _LONGEST_QUOTE) for effect in effects[:MOST_TOLD]]
    return {
        "number": proposal.number,
        "title": proposal.title,
        "author": proposal.author.name,
        "outcome": proposal.outcome,
        "passed": proposal.passed,
        "strength": proposal.strength,
        "stamina": proposal.stamina,
        "for": proposal.figures["for"],
        "against": proposal.figures["against"],
        "reasons": list(proposal.reasons),
        "effects": first_effects,
        "changes": len(effects),
        "by_hand": sum(not effect.done and not effect.refused for effect in effects),
        "executors": executors(reading, effects),
    }


def announcement_of(proposal: Proposal, passed: Passed, officer: str) -> str:
    """The announcement of one result: why, what was done, and what is left to the officer."""
    reason = proposal.reasons[0] if proposal.reasons else f"{proposal.outcome}."
    sentences = [f"{proposal}: {reason}", *_effect_sentences(proposal, passed, officer)]
    if any(waiting.pk == proposal.pk for waiting in passed.waiting):
        sentences.append("It takes effect next, at the same moment.")
    return " ".join(sentences)


def _effect_sentences(proposal: Proposal, passed: Passed, officer: str) -> list[str]:
    effects = passed.effects.get(proposal.tally_number, [])
    done = [effect.sentence for effect in effects if effect.done]
    sentences = [cut(sentence, _LONGEST_EFFECT) for sentence in done[:MOST_TOLD]]
    refused = [effect for effect in effects if effect.refused]
    parted = shared(effects)
    sentences += [f"{_quote(effect, parted)}: {effect.sentence}" for effect in refused[:MOST_TOLD]]
    left = [effect for effect in effects if not effect.done and not effect.refused]
    by_hand = [
        f"The {officer} carries out by hand: {_quote(effect, parted)}"
        for effect in left[:MOST_TOLD]
    ]
    return sentences + by_hand


def _quote(effect: Effect, parted: Collection[int]) -> str:
    """The sentence as a quotation; of one of which another part is done, which part it is."""
    quote = f"“{cut(effect.change.sentence, _LONGEST_QUOTE)}”"
    is_part = effect.change.start in parted
    return f"{quote} ({cut(str(effect), _LONGEST_QUOTE)})" if is_part else quote
