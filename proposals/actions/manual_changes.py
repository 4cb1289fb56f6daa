"""The rest of a passed proposal, for the officer: sentences to be carried out by hand.

The officer makes the correction that a sentence asks for, and then states here which entry it was.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import Max, QuerySet

from nomic.engine.actions import Guide, Inputs, action
from nomic.engine.effects import Cancel, Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, Flag, Text, WholeNumber
from nomic.engine.table import Table
from nomic.games.bounds import BY_HAND
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.governance.corrections import Correction
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from nomic.record.models import Entry
from nomic.rulebook.changes.kinds import Become, ByHand
from nomic.rulebook.changes.left_to_officer import UNREAD
from nomic.rulebook.charts import cut
from proposals.actions.chair import ChairAction, OwedCorrection, actor_in_words
from proposals.actions.fields import ProposalField
from proposals.events.adopting import SENTENCES_WAIT, give_the_week, left_this_week
from proposals.models import Errand, Proposal
from proposals.state.bodies import reading_of
from proposals.state.offices import RULEBOOK
from proposals.state.reading import MAIN, state_of
from proposals.state.workload import CITES, corrections, waiting_by_hand

CARRY_OUT, TAKE_UP = "proposals.carry_out", "proposals.take_up"
_MOST = 999_999_999
_MOST_OFFERED = 30
_LONGEST_SENTENCE = 2_000
_LONGEST_REASON = 300
_STEPS = (
    ("Move assets: correct the ledger", "ledger.correct"),
    ("Change a rule: correct its text", "rulebook.amend"),
)


def citation(errand: Errand) -> str:
    """How a correction's reason names the sentence that it carries out."""
    return f"{errand.proposal.label}{CITES}{errand.place}"


def reason_for(errand: Errand) -> str:
    """A correction's reason, with the sentence as far as there is room."""
    room = _LONGEST_REASON - len(f"{citation(errand)}: “”")
    return f"{citation(errand)}: “{cut(errand.sentence, room)}”"


def corrections_since(game: Game, seq: int) -> QuerySet[Entry]:
    """The officers' entries after entry `seq` that can have carried something out, newest first."""
    return corrections(game).filter(seq__gt=seq).order_by("-seq")


def cited_by(errands: Sequence[Errand]) -> dict[int, int]:
    """By errand (pk) the newest correction whose words name it; one query for all."""
    if not errands:
        return {}
    since = min(errand.made_in for errand in errands)
    game = errands[0].proposal.game
    entries = corrections_since(game, since).filter(text__contains=CITES)
    texts = list(entries.values_list("seq", "text")[: _MOST_OFFERED * 10])
    cited = {}
    for errand in errands:
        named = f"{citation(errand)}:"
        seq = next((seq for seq, text in texts if named in text and seq > errand.made_in), None)
        if seq is not None:
            cited[errand.pk] = seq
    return cited


def _errand_named(table: Table, data: Mapping[str, Any]) -> Errand | None:
    """The sentence that a form's beginning names, if there is one."""
    place = str(data.get("place", ""))
    proposal = state_of(table).named_in(data) if place.isdecimal() and len(place) < 9 else None
    if proposal is None:
        return None
    return proposal.errands.select_related("proposal").filter(place=int(place)).first()


@action
class CarryOut(OwedCorrection, ChairAction):
    """State that a sentence of a passed proposal has been carried out by hand.

    It cites the entry of the correction that did it. With the entry 0 it says that it was `done`
    where the program keeps nothing of it, with a note that says how; or that nothing had to be
    changed, which waits for objections, since the sentence is dropped with that.
    """

    name = CARRY_OUT
    duty = RULEBOOK
    title = "Carry out a sentence by hand"
    about_too = ("place",)
    sentence = "Change {place} of {proposal} was carried out by entry {entry}, with the note {note}"
    button = "State it"

    class Form(ActionForm):
        proposal = ProposalField(
            lambda state, player: list(
                state.proposals()
                .filter(errands__done_in__isnull=True, errands__isnull=False)
                .distinct()
            )
        )
        place = WholeNumber(1, 100_000, label="Which change")
        entry = WholeNumber(0, _MOST, label="Entry")
        done = Flag(label="It was done by hand, where the program keeps nothing of it")
        note = Text(longest=300, required=False, label="Note")

        def begin(self, table: Table) -> None:
            typed = self.data or self.initial
            errand = _errand_named(table, typed) if typed and typed.get("place") else None
            if errand is None or errand.done_in is not None:
                return
            # Who comes here has begun with that sentence, from its duty. Corrections before it was
            # adopted cannot have carried it out; the one that cites it is most likely the one.
            proposal, cited = errand.proposal, cited_by([errand]).get(errand.pk)
            later = corrections_since(proposal.game, errand.made_in)[:_MOST_OFFERED]
            offered = [(entry.seq, f"{entry.seq}: {cut(entry.text, 70)}") for entry in later]
            offered.sort(key=lambda choice: choice[0] != cited)
            entries = [("", ""), *offered, (0, "0: nothing had to be changed here")]
            for name, choices in (
                ("proposal", [(proposal.handle, str(proposal))]),
                ("place", [(errand.place, str(errand.place))]),
                ("entry", entries),
            ):
                self.fields[name].widget = forms.Select(choices=choices)
            if cited is not None:
                self.initial.setdefault("entry", cited)

    def guide(self, table: Table, data: Inputs) -> Guide | None:
        errand = _errand_named(table, data)
        if errand is None or errand.done_in is not None:
            return None
        cited = cited_by([errand]).get(errand.pk)
        about = f"{errand.proposal}, change {errand.place}, passed in entry {errand.made_in}."
        about += f" It was left to be done by hand: {errand.why}"
        if cited:
            return Guide(errand.sentence, f"{about} Entry {cited} says that it carries it out.")
        steps = tuple((step, name, {"reason": reason_for(errand)}) for step, name in _STEPS)
        about += " Make the correction first; its entry is then offered here."
        return Guide(errand.sentence, about, steps)

    def judge(self, table: Table, player: Player | None, **data: Any) -> Verdict:
        proposal = data.get("proposal")
        if proposal is None and not state_of(table).errands:
            return Refusal("none_left", "Nothing is left to be carried out by hand.", MAIN)
        if proposal is None or "place" not in data:
            return None
        errand = Errand.objects.filter(proposal=proposal, place=data["place"]).first()
        if errand is None:
            sentence = f"{proposal.label} has no change {data['place']} to be carried out by hand."
            return Refusal("no_errand", sentence, MAIN)
        if errand.done_in is not None:
            sentence = f"That was carried out already, in entry {errand.done_in}."
            return Refusal("carried_out", sentence, MAIN)
        cited, note = data.get("entry") or None, data.get("note")
        quoted = f"“{errand.sentence[:300]}” of {proposal}"
        actor = actor_in_words(table, self, player)
        is_done = bool(data.get("done"))
        uncited = "was done by hand:" if is_done else "nothing had to be changed for"
        claim = f"entry {cited} carries out" if cited else uncited
        if "entry" in data and not cited and "note" in data and not note:
            sentence = (
                "Say how it was done, or why nothing had to be changed; or name the entry of the"
                " correction."
            )
            return Refusal("no_reason", sentence, MAIN)
        if cited and is_done:
            sentence = (
                f"Entry {cited} carries it out, or it was done by hand beside the program: say one."
            )
            return Refusal("both", sentence, MAIN)
        if is_done and _changes_the_law(errand):
            sentence = (
                "That asks for a change of what is kept here: make the correction first, then name"
                " its entry."
            )
            return Refusal("no_correction", sentence, MAIN)
        if cited:
            corrections = corrections_since(table.game, errand.made_in)
            if not corrections.filter(seq=cited).exists():
                sentence = (
                    f"Entry {cited} is not an officer's correction after entry {errand.made_in}, in"
                    " which the sentence was left to them. Make the correction first, then name its"
                    " entry."
                )
                return Refusal("no_correction", sentence, MAIN)
        is_last = not left_this_week(table).exclude(pk=errand.pk).exists()
        return Effects(
            Set(errand, done_in=table.seq, cited=cited, note=note),
            *([Cancel(SENTENCES_WAIT)] if is_last else []),
            say=f"{actor} states that {claim} {quoted}. {note}".strip(),
            figures={"proposal": proposal.handle, "place": errand.place, "by": cited},
        )

    def terms(self, table: Table, player: Player | None, data: Inputs) -> MotionTerms | None:
        terms = super().terms(table, player, data)
        is_kept = not data.get("entry") and not data.get("done")  # nothing is changed for it
        return terms if terms is BY_SUPPORT or is_kept else None


@action
class TakeUp(Correction, ChairAction):
    """Take up a sentence of a passed proposal that is a remark, or was read as one.

    From then on it is a duty to carry it out by hand, like a change that could not be read.
    """

    name = TAKE_UP
    duty = RULEBOOK
    title = "Take up a sentence of a proposal"
    sentence = "Of {proposal} this is to be carried out by hand: {words} since {reason}"
    button = "Take it up"

    class Form(ActionForm):
        proposal = ProposalField(lambda state, player: list(state.proposals().filter(passed=True)))
        words = Text(longest=_LONGEST_SENTENCE, label="Sentence")
        reason = Text(longest=_LONGEST_REASON)

        def begin(self, table: Table) -> None:
            proposal = None if self.data else state_of(table).named_in(self.initial)
            if proposal is None:
                return
            # What was no change when it passed, as far as it can be taken up.
            reading = reading_of(proposal)
            passages = (*reading.marked, *reading.unread)
            sentences = dict.fromkeys(passage.sentence for passage in passages)
            choices = [
                (text, cut(text, 90)) for text in sentences if len(text) <= _LONGEST_SENTENCE
            ]
            if choices:
                self.fields["words"].widget = forms.Select(choices=choices)

    def judge(self, table: Table, player: Any, proposal: Any, words: Any, reason: Any) -> Verdict:
        if proposal is None:
            has_passed = state_of(table).counts["passed"]
            nothing = Refusal("none_passed", "No proposal has passed yet.", MAIN)
            return None if has_passed else nothing
        if not proposal.passed:
            sentence = f"{proposal.label} has not passed, so nothing of it is carried out."
            return Refusal("not_passed", sentence, MAIN)
        if words is None:
            return None
        words = _single_spaced(words)
        if words not in _single_spaced(proposal.body):
            sentence = f"That does not stand in {proposal.label}: quote it as it stands there."
            return Refusal("not_quoted", sentence, MAIN)
        if words not in _wholes(proposal):
            sentence = (
                f"Quote a whole sentence or paragraph of {proposal.label}, not a part of one."
            )
            return Refusal("not_whole", sentence, MAIN)
        if proposal.errands.filter(sentence=words).exists():
            return Refusal("taken_up", "That sentence is to be carried out by hand already.", MAIN)
        last = proposal.errands.aggregate(last=Max("place"))["last"] or 0
        # After all its changes: `place` tells a correction's words which sentence they cite.
        place, actor = max(last, len(proposal.effects)) + 1, actor_in_words(table, self, player)
        quoted = f"“{words[:300]}” of {proposal}"
        columns = {"sentence": words, "why": f"{actor} took it up: {reason}", "made_in": table.seq}
        return Effects(
            Set(Errand, proposal=proposal, place=place, **columns),
            Then(give_the_week),
            say=f"{actor} takes up {quoted}, to be carried out by hand: {reason}",
            figures={"proposal": proposal.handle, "place": place},
        )

    def limit(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        refusal = super().limit(table, player, data)
        if refusal or "words" not in data:
            return refusal
        return BY_HAND.refusal(table.game, waiting_by_hand(table.game) + 1, MAIN)


def _changes_the_law(errand: Errand) -> bool:
    """Whether the sentence reads as a change, or looks like one: other sentences than that let
    somebody do something, of which nothing is kept."""
    changes = reading_of(errand.proposal).changes
    own = (
        change
        for change in changes
        if not isinstance(change, Become)
        and not (isinstance(change, ByHand) and change.why == UNREAD)
    )
    return _single_spaced(errand.sentence) in {_single_spaced(it.sentence) for it in own}


def _single_spaced(text: str) -> str:
    return " ".join(text.split())


def _wholes(proposal: Proposal) -> set[str]:
    """The wholes of a body: its paragraphs, and its sentences as the program read them."""
    reading = reading_of(proposal)
    sentences = [change.sentence for change in reading.changes]
    sentences += [remark.sentence for remark in (*reading.remarks, *reading.unread)]
    paragraphs = re.split(r"\n\s*\n", proposal.body)
    return {_single_spaced(text) for text in (*paragraphs, *sentences)} - {""}
