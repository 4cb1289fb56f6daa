"""Officers' corrections: on the record, each with the reason that it follows from.

They are announced first and wait for objections, and each office corrects what it keeps.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

from django.db.models import Model, Q

from nomic.engine.actions import ANY_OFFICE, Action, Inputs, action
from nomic.engine.effects import AssetMove, Effect, Effects, Set, Then, Transfer, Turn, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.programs.in_force import declared_by, declares_too_much
from nomic.engine.subgames import (
    Switch,
    all_subgames,
    in_play,
    keeper_of,
    keepers_of_secrets,
    rulebook_keeper,
    rulemaker_of,
)
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance import powers
from nomic.governance.models import Motion
from nomic.governance.motions import AskedOfAll, doer, made_by_officers
from nomic.governance.powers import OFFICES_AND_CORRECTIONS, objection_time
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from nomic.ledger.models import HolderKind
from nomic.rulebook.book import Rulebook
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.limits import RuleIsImmutable
from nomic.rulebook.models import RuleVersion
from nomic.rulebook.prose import has_another_table
from nomic.rulebook.text_cache import committed_rules

AMEND = "rulebook.amend"
CORRECT_THE_LEDGER = "ledger.correct"
CORRECTION = "correction"  # why a transfer was made
LONGEST_RULE = 50_000  # of the form's shape, which no game changes; RULE is the game's bound
MOST = 1_000_000_000


def text_refusal(table: Table, rule: RuleText, text: str, reason: str | None) -> Refusal | None:
    """Why that rule is not given this text by hand; None if it may be.

    Without a `reason` it is the site's operator who does it: they are held to less.
    """
    for subgame in keepers_of_secrets():
        refusal = subgame.uncorrected(table, rule, text)
        if refusal:
            return refusal
    declared = declared_by(table.rules.public)
    changed = _with_text(table, rule, text).public
    if refusal := declares_too_much(table.game, declared, changed):
        return refusal
    if reason is None:
        return None
    corrected = made_by_officers(table.game, AMEND).values("seq")
    adopted = RuleVersion.objects.filter(rule=rule.pk).exclude(enacted_in__in=corrected)
    if _plain(text) in map(_plain, adopted.values_list("text", flat=True)):
        return None
    rulemaker = rulemaker_of(table.game)
    mandates = rulemaker.mandates(table) if rulemaker else ()
    cited = (mandate for mandate in mandates if mandate in reason)
    # “Proposal 1, change 2” stands in “Proposal 1, change 21”, too.
    if any(re.search(rf"{re.escape(mandate)}(?!\d)", reason) for mandate in cited):
        return None
    if _mends(table, rule, text):
        return None
    sentence = (
        f"A correction gives “{rule.title}” a text that was adopted before, or mends one table of"
        " it that cannot be read, or carries out what an adopted proposal left to the officer,"
        " which its reason cites as “Proposal 1, change 2: …”. Propose anything else."
    )
    return Refusal("not_adopted", sentence, powers.OFFICES_AND_CORRECTIONS)


def _mends(table: Table, rule: RuleText, text: str) -> bool:
    """Whether a fault of a table goes away with this text, in which nothing else is new.

    A fault that shows behind it is another rule's: else readable tables could be broken first.
    """
    if not has_another_table(rule.text.strip(), _plain(text)):
        return False
    faults_now = faults(table)
    if not any(faults_now):
        return False
    mended = Table(table.game, table.now, table.wall, locked=False)
    mended.rules = _with_text(table, rule, text)
    names = [name for name in (rule.title, rule.known_as) if name]
    return any(
        fault and fault != fault_after and not any(name in fault_after for name in names)
        for fault, fault_after in zip(faults_now, faults(mended), strict=True)
    )


def faults(table: Table) -> list[str]:
    """The faults of the tables that the game plays by: of each part the first one."""
    return [powers.broken(table), *(subgame.broken(table) for subgame in in_play(table.game))]


def _with_text(table: Table, rule: RuleText, text: str) -> Rulebook:
    """The rulebook as it would be, only to be read."""
    rules = committed_rules(table.game).copy()
    rules.put(replace(rule, text=text))
    return Rulebook(table.game, None, rules)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


# Corrections as announced actions


class Correction(AskedOfAll):
    """An officer's correction of what their office keeps.

    It waits for objections, also while time stands still; the site's operator makes it at once.
    Where no officer keeps it, any player may announce it, and it takes support. What follows from
    a judgement is corrected `by_judgement`, whoever keeps it.
    """

    by_judgement = False

    def keeper(self, table: Table, inputs: Inputs) -> str | None:
        """The office that corrects this; "" if none does, None while the inputs do not tell."""
        return self.office_in(table)

    def is_keeper(self, table: Table, player: Player, inputs: Inputs) -> bool:
        """Whether that player holds the office that corrects this."""
        return self.keeper(table, inputs) in table.directory.held_by(player)

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        if player is None:
            return None
        if not self.is_keeper(table, player, inputs):
            return BY_SUPPORT
        wait = objection_time(table)
        return MotionTerms(wait) if wait else None

    def terms_of(self, table: Table, motion: Motion) -> MotionTerms:
        return MotionTerms(motion.due - motion.at) if motion.due else BY_SUPPORT

    def lapse(self, table: Table, motion: Motion) -> str:
        if self.by_judgement:
            return ""
        if motion.due and motion.by and not self.is_keeper(table, motion.by, motion.inputs):
            return f"{motion.by} is not the {self.keeper(table, motion.inputs)} any more."
        return ""


def is_so(act: Action, subject: str, words: str) -> Refusal:
    """The refusal of a correction of something to what it is."""
    return Refusal("is_so", f"There is nothing to correct: {subject} is {words}.", act.rule)


class SwitchCorrection(Correction):
    """A correction that gives a switch another value.

    `of` is the input that says whose switch it is, "" for one of the whole game, and `to` that
    which says its value. `says` is what the record has of it.
    """

    button = "Correct"
    switch: ClassVar[Switch]
    of: ClassVar[str]
    to: ClassVar[str]
    says: ClassVar[str] = "{who} corrects {of}'s {switch} from {before} to {after}: {reason}"

    def switch_of(self, inputs: Inputs) -> Switch:
        """The switch, where the inputs say which of several it is."""
        return self.switch

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(self.switch.subjects(table))

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        if not self.Form.base_fields.keys() - {"reason"} <= inputs.keys():
            return None
        switch, setting = self.switch_of(inputs), str(inputs[self.to])
        of = inputs[self.of] if self.of else ""
        if refusal := switch.refusal(table, of, setting):
            return refusal
        facts = {
            "who": doer(player),
            "of": of,
            "switch": switch.name,
            "reason": inputs.get("reason"),
        }
        before = switch.value(table, of)
        if switch.is_at(table, of, setting):
            return is_so(self, f"{of}'s {switch.name}" if of else f"the {switch.name}", before)
        says = partial(self.says.format, before=before, **facts)
        return Effects(Turn(switch, of, setting, lambda after: says(after=after)))


class RowCorrection(Correction):
    """A correction of what the rows of a model that agree in a `key` say together: in their
    `columns`, where there are any, or else that there is one.

    `says` is what the record has of it.
    """

    button = "Correct"
    model: ClassVar[type[Model]]
    columns: ClassVar[tuple[str, ...]] = ()
    says: ClassVar[str] = "{who} corrects {subject} from {before} to {after}: {reason}"

    def key(self, state: Any, inputs: Inputs) -> dict[str, Any]:
        """The fields, with their values, that tell these rows from others."""
        raise NotImplementedError

    def to_be(self, state: Any, inputs: Inputs) -> Mapping[str, Any] | None:
        """What they are to say in their columns; None where there is to be no such row."""
        raise NotImplementedError

    def as_is(self, rows: Sequence[Any]) -> Mapping[str, Any]:
        """What these rows, of which there is one at least, say in their columns now."""
        return {name: getattr(rows[-1], name) for name in self.columns}

    def subject(self, inputs: Inputs) -> str:
        """What is corrected, as part of a sentence."""
        raise NotImplementedError

    def in_words(self, columns: Mapping[str, Any] | None, inputs: Inputs) -> str:
        """How that stands with such columns, as part of a sentence."""
        raise NotImplementedError

    def why_not(self, state: Any, inputs: Inputs) -> Refusal | None:
        """Why nothing can be so; None if it can."""
        return None

    def follows(self) -> Sequence[Effect]:
        """What happens after it."""
        return ()

    def judge(self, state: Any, by: Player | None, /, **inputs: Any) -> Verdict:
        if not self.Form.base_fields.keys() - {"reason"} <= inputs.keys():
            return None
        if refusal := self.why_not(state, inputs):
            return refusal
        key, to_be = self.key(state, inputs), self.to_be(state, inputs)
        rows = list(self.model._default_manager.filter(**key).order_by("pk"))
        before = self.as_is(rows) if rows else None
        subject, was = self.subject(inputs), self.in_words(before, inputs)
        if before == to_be:
            return is_so(self, subject, was)
        keeps = rows[:1] if to_be is not None else []
        gone = [row.pk for row in rows[len(keeps) :]]
        changes: list[Effect] = [Set(row, **to_be) for row in keeps if to_be]
        if to_be is not None and not keeps:
            changes.append(Set(self.model, **key, **to_be))
        if gone:
            changes.append(Then(partial(self._take_away, gone)))
        return Effects(
            *changes,
            *self.follows(),
            say=self.says.format(
                who=doer(by),
                subject=subject,
                before=was,
                after=self.in_words(to_be, inputs),
                reason=inputs.get("reason"),
            ),
        )

    def _take_away(self, keys: Sequence[int], table: Table) -> None:
        self.model._default_manager.filter(pk__in=keys).delete()

    def lapse(self, table: Table, motion: Motion) -> str:
        """What should be so was said of the rows as they were then."""
        state = table.once(self.State) if self.State else table
        rows = self.model._default_manager.filter(**self.key(state, motion.inputs))
        if hasattr(self.model, "entry") and rows.filter(entry__gt=motion.entry).exists():
            return "What that is about has changed since it was announced."
        return super().lapse(table, motion)


class KeptCorrection(Correction):
    """A correction of which only what is chosen tells whose it is."""

    office = ANY_OFFICE
    waits = True  # also where who keeps it says it

    def is_everybodys(self, table: Table) -> bool:
        return not table.directory.offices.get(rulebook_keeper(table.game))

    def keeper(self, table: Table, inputs: Inputs) -> str | None:
        """By default the rulebook's keeper."""
        return rulebook_keeper(table.game)

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        if not self.waits and player is not None and self.is_keeper(table, player, inputs):
            return None
        return super().terms(table, player, inputs)

    def not_theirs(
        self, table: Table, player: Player | None, inputs: Inputs, subject: str
    ) -> Refusal | None:
        """The refusal where another office is held that keeps it; `subject` is what it corrects."""
        keeper = self.keeper(table, inputs)
        if player is None or not keeper or self.by_judgement:
            return None
        holder = table.directory.offices.get(keeper)
        if not holder or holder == player.name:
            return None
        sentence = f"Only the {keeper}, who is {holder}, corrects {subject}."
        return Refusal("not_your_domain", sentence, OFFICES_AND_CORRECTIONS)


class AssetField(TextChoice):
    """An asset of the game by name."""

    noun = "asset"

    def options(self, table: Table, player: Player | None) -> list[str]:
        if player:
            table.ledger.holdings(player)  # asked for anyway, and tells of the assets as well
        return [asset.name for asset in table.ledger.public_assets()]


class HolderField(TextChoice):
    """One who can own, by name; the mint makes and destroys."""

    noun = "holder"
    names_players = True

    def options(self, table: Table, player: Player | None) -> list[str]:
        return table.directory.holders


class ReceiverField(HolderField):
    """One who can be given something, by name: nobody who has left the game."""

    noun = "receiver"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return table.directory.receivers


class RuleField(TextChoice):
    """A public rule in force by what it is called: its title, unless others have it as well. It is
    found by its number too, and by the title that it had at first."""

    noun = "rule"
    other_names: Mapping[str, str] = MappingProxyType({})

    def options(self, table: Table, player: Player | None) -> list[str]:
        public = list(table.rules.public)
        names = {rule.pk: table.rules.called(rule) for rule in public}
        self.other_names = {
            name: names[rule.pk] for rule in public for name in (rule.number, rule.known_as) if name
        }
        return list(names.values())

    def to_python(self, value: Any) -> str:
        named = str(super().to_python(value))
        return named if named in self.words else self.other_names.get(named, named)


@action
class CorrectTheLedger(KeptCorrection):
    """Move assets by correction. From the Mint they are made, to the Mint they are destroyed."""

    name = CORRECT_THE_LEDGER
    title = "Correct the ledger"
    sentence = "Move {amount} {asset} from {giver} to {receiver}, because {reason}"

    class Form(ActionForm):
        amount = WholeNumber(1, MOST)
        asset = AssetField()
        giver = HolderField(label="From")
        receiver = ReceiverField(label="To")
        reason = Text(longest=300)

    def is_everybodys(self, table: Table) -> bool:
        return super().is_everybodys(table) or Correction.is_everybodys(self, table)

    def keeper(self, table: Table, inputs: Inputs) -> str | None:
        if "asset" not in inputs:
            return None
        return keeper_of(table.game, table.ledger.asset(inputs["asset"]))

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        refusal = self.not_theirs(table, player, inputs, f"who has {inputs.get('asset')}")
        if refusal or not {"amount", "asset", "giver", "receiver"} <= inputs.keys():
            return refusal
        if inputs["giver"] == inputs["receiver"]:
            return Refusal("same_holder", "A correction moves something from one to another.")
        giver, receiver = (table.game.holders.get(name=inputs[of]) for of in ("giver", "receiver"))
        asset, amount = table.ledger.asset(inputs["asset"]), inputs["amount"]
        is_made, is_gone = (holder.kind == HolderKind.MINT for holder in (giver, receiver))
        if is_made and asset.kind == "unique" and (amount > 1 or table.ledger.owner_of(asset.name)):
            return Refusal("unique", f"There is only one {asset.name}, and it has an owner.")
        if is_gone and asset.indestructible:
            sentence = (
                f"The asset “{asset}” is indestructible: choose another receiver than the Mint."
            )
            return Refusal("indestructible", sentence)
        moves = AssetMove(None if is_made else giver, receiver, amount, asset.name, is_paid=True)
        deed = f"moves {asset.amount(amount)} from {giver} to {receiver}: {inputs.get('reason')}"
        return Effects(Transfer([moves], CORRECTION), Then(corrected), say=f"{doer(player)} {deed}")


@action
class AmendARule(KeptCorrection):
    """Publish a rule's text as it really is: as it was adopted, or with a table that can be read.

    The operator is not held to that.
    """

    name = AMEND
    title = "Correct a rule's text"
    sentence = "Let “{rule}” read {text}, because {reason}"

    class Form(ActionForm):
        rule = RuleField()
        text = Text(lines=True, longest=LONGEST_RULE)
        reason = Text(longest=300)

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        refusal = self.not_theirs(table, player, inputs, "the texts of rules")
        if refusal or "rule" not in inputs:
            return refusal
        rule = table.rules.find_rule(inputs["rule"])
        if rule.is_immutable:
            return Refusal("immutable", str(RuleIsImmutable(rule)), rule.title)
        if inputs.get("text") == rule.text.strip():
            return Refusal("same_text", "This is the rule's text already.")
        if "text" in inputs and (excess := table.rules.too_much((whole(inputs["text"]), rule))):
            return Refusal("too_much", excess, rule.title)
        if not {"text", "reason"} <= inputs.keys():
            return None
        text, reason = inputs["text"], inputs["reason"]
        return text_refusal(table, rule, text, reason if player else None) or Effects(
            Then(
                lambda at: Effects(
                    figures={"version": at.rules.amend(rule.pk, whole(text)).version}
                )
            ),
            say=f"{doer(player)} corrects the text of “{rule.title}”: {reason}",
            figures={"rule": rule.title},
        )

    def lapse(self, table: Table, motion: Motion) -> str:
        return _amended_since(table, motion) or super().lapse(table, motion)


def corrected(table: Table) -> None:
    """Let the subgames do what follows from assets that an officer has moved by hand."""
    for subgame in all_subgames():
        if subgame.is_on(table.game):
            subgame.corrected(table)


def whole(text: str) -> str:
    """The text as a rule has it."""
    return text.replace("\r\n", "\n").rstrip("\n") + "\n"


def _amended_since(table: Table, motion: Motion) -> str:
    """That the rule which the motion names has another text by now; "" if it has not."""
    title = motion.inputs["rule"]
    since = RuleVersion.objects.filter(rule__game=table.game, enacted_in__gt=motion.entry)
    if since.filter(Q(rule__title=title) | Q(rule__number=title)).exists():
        return f"“{title}” was amended after that was announced."
    return ""
