"""How it ends that a rule is not carried out as it reads: on the record, with a reason.

The rulebook's keeper says that it changes nothing, or keeps by hand what the sentence is about; or
a vote changes the rule, so that the program fits it again. While nobody keeps the rulebook, all
players are asked, and it takes their support.
"""

from __future__ import annotations

from typing import Any, ClassVar

from nomic.engine.actions import Guide, Inputs, action, find_action
from nomic.engine.events import is_event, title_of
from nomic.engine.fitting import Unfitted, unfitted
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.outcomes import Outcome, UnknownAction
from nomic.engine.subgames import all_subgames, rulebook_keeper
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.rulebook.fitting.marks import End
from nomic.rulebook.passages import Settled
from nomic.standard.corrections import KeptCorrection, RuleField, corrector
from nomic.standard.models import Motion
from nomic.standard.powers import OFFICES_AND_CORRECTIONS
from nomic.standard.rules import Terms

CHANGES_NOTHING, KEEP_BY_HAND = "rulebook.changes_nothing", "rulebook.keep_by_hand"


def part_title(part: str) -> str:
    """What people call an action, an event or a whole part of the program."""
    if is_event(part):
        return title_of(part)
    try:
        return find_action(part).title
    except UnknownAction:
        found = (each.title for each in all_subgames() if each.name == part)
        return next(found, "What every game has")


def listed_parts(parts: tuple[str, ...]) -> str:
    """Their titles in quotes, for a sentence."""
    return ", ".join(f"“{part_title(part)}”" for part in parts)


def lasting(parts: tuple[str, ...]) -> list[str]:
    """Those of the parts that cannot be switched off by themselves."""
    can = {f"{each.name}." for each in all_subgames() if not each.never_off}
    return [part for part in parts if part.partition(".")[0] + "." not in can or "." not in part]


class PassageField(TextChoice):
    """A passage that is not carried out as it reads, by its words; its key is taken as well."""

    noun = "passage that is not carried out as it reads"

    def offer(self, table: Table, player: Player | None) -> None:
        self._names = {each.marked.key: each.name for each in unfitted(table)}
        self.words = list(dict.fromkeys(self._names.values()))
        self.choices = [(name, name) for name in self.words]

    def to_python(self, value: Any) -> str:
        told = str(super().to_python(value))
        return self._names.get(told, told)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": [*self.words, *self._names]}


class _End(KeptCorrection):
    """An end of the duty that a passage which is not carried out as it reads makes."""

    end: ClassVar[End]

    class Form(ActionForm):
        rule = RuleField()
        passage = PassageField()
        reason = Text(longest=300)

    def applies(self, table: Table) -> bool:
        return any(unfitted(table))

    def keeper(self, table: Table, data: Inputs) -> str:
        return rulebook_keeper(table.game)

    def lapse(self, table: Table, motion: Motion) -> str:
        if _found(table, motion.inputs) is None:
            return "That passage does not wait for anything any more."
        return super().lapse(table, motion)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        refusal = self.not_theirs(table, player, data, "What the program does not fit")
        if refusal or not {"rule", "passage"} <= data.keys():
            return refusal
        if _found(table, data) is None:
            sentence = f"“{data['rule']}” has no such passage: choose one that waits."
            return Refusal("fits", sentence, data["rule"])
        return None

    def guide(self, table: Table, data: Inputs) -> Guide | None:
        found = _found(table, data)
        if found is None:
            return None
        marked = found.marked
        quoted = marked.passage.said if marked.passage else found.quoted.capitalize() + "."
        about = f"The program does not carry this out as “{found.rule.title}” reads now."
        if marked.parts:
            about += f" What it does still, as before: {listed_parts(marked.parts)}."
        about += (
            " Three things end this: you find that it changes nothing of what is played; you keep"
            " it by hand; or a proposal is adopted that gives the rule other words or a program."
        )
        inputs = {"rule": found.rule.title, "passage": found.name}
        steps = [(_WAYS[name], name, inputs) for name in _WAYS if name != self.name]
        return Guide(quoted, about, tuple(steps))

    def settled(self, table: Table, found: Unfitted, data: Inputs) -> Outcome:
        """Keep what was found; what it says comes after who found it."""
        marked, rule = found.marked, found.rule
        ended = Settled(str(self.end), data["reason"], table.seq, marked.parts)
        table.rules.settle(rule.pk, {**rule.settled, marked.key: ended})
        return Outcome("", {"rule": rule.title, "parts": list(marked.parts)})


_WAYS = {
    CHANGES_NOTHING: "It changes nothing",
    KEEP_BY_HAND: "We keep this by hand",
}


@action
class ChangesNothing(_End):
    """Find that a passage which reads otherwise now means what the program does all the same.

    That changes nothing that is played, so the officer's word does not wait.
    """

    name = CHANGES_NOTHING
    title = "Find that a changed sentence changes nothing"
    sentence = "In “{rule}”, “{passage}” changes nothing of what is played, because {reason}"
    button = "It changes nothing"
    end = End.NOTHING

    def terms(self, table: Table, player: Player | None, data: Inputs) -> Terms | None:
        is_keepers = player is not None and self.is_keeper(table, player, data)
        return None if is_keepers else super().terms(table, player, data)

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        found = _found(table, data)
        assert found is not None
        outcome = self.settled(table, found, data)
        text = f"{corrector(player)} finds that it changes nothing of what is played that"
        if found.marked.passage is None:
            text += f" {found.quoted}, is gone: {data['reason']}"
        else:
            text += f" {found.quoted} stands: {data['reason']}"
        return Outcome(text, outcome.figures)


@action
class KeepByHand(_End):
    """Keep by hand what a changed passage says. The program does it no more: the action is refused
    and the event skipped, until the program fits the rule again."""

    name = KEEP_BY_HAND
    title = "Keep by hand what a changed sentence says"
    sentence = "In “{rule}”, “{passage}” is kept by hand, because {reason}"
    button = "We keep this by hand"
    end = End.BY_HAND

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        refusal = super().refusal(table, player, data)
        found = None if refusal else _found(table, data)
        if found is None or not (kept := lasting(found.marked.parts)):
            return refusal
        sentence = (
            f"{listed_parts(tuple(kept))} cannot be switched off: the game needs it to go on and to"
            " mend itself. Find that the sentence changes nothing, or let a proposal change it."
        )
        return Refusal("never_off", sentence, OFFICES_AND_CORRECTIONS)

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        found = _found(table, data)
        assert found is not None
        outcome = self.settled(table, found, data)
        text = f"{corrector(player)} keeps by hand what is said {found.quoted}: {data['reason']}"
        if found.marked.parts:
            text = (
                f"{text.rstrip('.')}. The program leaves alone: {listed_parts(found.marked.parts)}."
            )
        return Outcome(text, outcome.figures)


def _found(table: Table, data: Inputs) -> Unfitted | None:
    """The passage that the inputs name, while it waits."""
    named, title = data.get("passage"), data.get("rule")
    waiting = (each for each in unfitted(table) if each.rule.title == title)
    return next((each for each in waiting if named in (each.name, each.marked.key)), None)
