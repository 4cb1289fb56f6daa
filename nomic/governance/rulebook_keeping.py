"""What the rulebook's keeper puts on the record of rules that the program does not carry out.

In a game whose rules people keep they enter what people have carried out by hand, with its cause.
Of a rule that is not carried out as it reads they say, with a reason, that it changes nothing, or
keep by hand what the sentence is about; or a vote changes the rule, so that the program fits it
again. While nobody keeps the rulebook, all players are asked, and it takes their support.
"""

from collections.abc import Iterable
from typing import Any, ClassVar

from nomic.engine.actions import Guide, Inputs, action, find_action
from nomic.engine.coverage import Unfitted, unfitted
from nomic.engine.effects import Change, Effects, Then, Verdict
from nomic.engine.events import is_event, title_of
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.outcomes import Outcome, UnknownAction
from nomic.engine.subgames import Rulemaking, all_subgames
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.governance.corrections import KeptCorrection, RuleField, whole
from nomic.governance.models import Motion
from nomic.governance.motions import doer
from nomic.governance.powers import OFFICES_AND_CORRECTIONS
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from nomic.rulebook import limits
from nomic.rulebook.book import Rulebook
from nomic.rulebook.coverage.marks import End, key_of
from nomic.rulebook.in_force import RulesInForce, RuleText, may_carry_program
from nomic.rulebook.passages import Settled, passages_of

ENTER, ENTER_REPEAL = "rulebook.enter", "rulebook.enter_repeal"
ENTER_CLASS = "rulebook.enter_class"
_LONGEST_REASON = 300
_MOST_QUOTED = 3
_MOST_UNFITTED = 10
ALL = "all that wait in it"
CHANGES_NOTHING, KEEP_BY_HAND = "rulebook.changes_nothing", "rulebook.keep_by_hand"


class _Enters(KeptCorrection):
    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.rules.shares_titles)

    def named(self, table: Table, inputs: Inputs) -> RuleText | None:
        """The rule that the inputs name, if they do."""
        return table.rules.find_rule(inputs["rule"]) if inputs.get("rule") else None

    def verdict(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | Effects:
        refusal = self.not_theirs(table, player, inputs, "what people have made of the rules")
        rule = None if refusal else self.named(table, inputs)
        if rule is not None and not rule.by_people:
            sentence = f"“{rule.title}” is played by the program: propose to change it."
            return Refusal("not_peoples", sentence, rule.title)
        return refusal or super().verdict(table, player, inputs)


@action
class Enter(_Enters):
    """Enter how a rule reads by what people have carried out: its text, title, number or power, as
    far as given. Without a rule, it is a new one."""

    name = ENTER
    title = "Enter a change that was carried out by hand"
    sentence = (
        "Enter of {rule} the number {number}, title {title}, power {power} and text {text}, because"
        " {reason}"
    )
    button = "Enter it"

    class Form(ActionForm):
        rule = RuleField(required=False, label="Rule, or none for a new one")
        number = Text(longest=limits.LONGEST_NUMBER, required=False)
        title = Text(longest=limits.LONGEST_TITLE, required=False)
        power = Text(longest=limits.LONGEST_NUMBER, required=False)
        text = Text(lines=True, longest=limits.LONGEST_TEXT, required=False)
        reason = Text(longest=_LONGEST_REASON)

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        if not self.Form.base_fields.keys() <= inputs.keys():
            return None
        rule = self.named(table, inputs)
        try:
            if inputs["title"]:
                limits.checked_title(inputs["title"])
            limits.checked_power(inputs["power"])
            table.rules.free_number(inputs["number"], rule)
            if inputs["text"]:
                limits.check_text(text := whole(inputs["text"]))
                if excess := table.rules.too_much((text, rule)):
                    raise limits.BadRule(excess)
        except (limits.BadRule, limits.RuleExists) as wrong:
            return Refusal("bad_rule", str(wrong), OFFICES_AND_CORRECTIONS)
        if rule is not None and rule.is_immutable:
            return _immutable(rule)
        if rule is None and not (inputs["title"] and inputs["text"]):
            sentence = "A new rule has a title and a text: give both, or name the rule."
            return Refusal("no_text", sentence, OFFICES_AND_CORRECTIONS)
        if rule is not None and not _changed(rule, inputs):
            sentence = f"“{rule.title}” has all of that already."
            return Refusal("so_already", sentence, OFFICES_AND_CORRECTIONS)
        return Effects(
            Then(lambda at: self._enter(at.rules, rule, f"{doer(player)} enters", inputs))
        )

    def _enter(
        self, rules: Rulebook, rule: RuleText | None, sentence: str, inputs: Inputs
    ) -> Outcome:
        if rule is None:
            facts = {name: inputs[name] for name in ("number", "power")}
            rule = rules.enact(inputs["title"], whole(inputs["text"]), **facts)
            number = f" {rule.number}" if rule.number else ""
            sentence += f" a new rule{number} “{rule.title}”"
        else:
            changed = _changed(rule, inputs)
            if {"text", "title"} & changed.keys():
                text, title = changed.get("text", rule.text), changed.get("title", "")
                rules.amend(rule.pk, text, new_title=title)
            if "number" in changed:
                rules.renumber(rule.pk, changed["number"])
            if "power" in changed:
                rules.set_power(rule.pk, changed["power"])
            sentence += f" the {enumerated(list(changed))} of “{rule.title}”"
        if may_carry_program(inputs["text"]):  # nobody has voted for one
            rules.switch_program(rule.pk, on=False)
        now = rules.find(rule.pk)
        figures = {"rule": now.title, "number": now.number, "version": now.version}
        return Outcome(f"{sentence}: {inputs['reason']}", figures)


@action
class EnterRepeal(_Enters):
    """Enter that a rule is in force no longer, by what people have carried out."""

    name = ENTER_REPEAL
    title = "Enter that a rule is in force no longer"
    sentence = "Enter that {rule} is in force no longer, because {reason}"
    button = "Enter it"

    class Form(ActionForm):
        rule = RuleField()
        reason = Text(longest=_LONGEST_REASON)

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        rule, reason = self.named(table, inputs), inputs.get("reason")
        if rule is None:
            return None
        if table.rules.holds_immutable(rule):
            return _immutable(rule)
        return Effects(
            Change(Rulebook.repeal, rule.pk),
            say=f"{doer(player)} enters that “{rule.title}” is in force no longer: {reason}",
            figures={"rule": rule.title, "number": rule.number},
        )


@action
class EnterClass(_Enters):
    """Enter that a rule has been transmuted, by what people have carried out."""

    name = ENTER_CLASS
    title = "Enter that a rule was transmuted"
    sentence = "Enter that {rule} is {rule_class}, because {reason}"
    button = "Enter it"

    class Form(ActionForm):
        rule = RuleField()
        rule_class = TextChoice(*limits.CLASSES, label="It is")
        reason = Text(longest=_LONGEST_REASON)

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(table.rules.in_force(limits.CLASS_RULE))

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        rule, rule_class = self.named(table, inputs), inputs.get("rule_class")
        if rule is None or rule_class is None:
            return None
        if rule.rule_class == rule_class:
            sentence = f"“{rule.title}” is {rule_class} already."
            return Refusal("so_already", sentence, OFFICES_AND_CORRECTIONS)
        reason = inputs.get("reason")
        return Effects(
            Change(Rulebook.transmute, rule.pk, rule_class),
            say=f"{doer(player)} enters that “{rule.title}” is {rule_class}: {reason}",
            figures={"rule": rule.title, "number": rule.number},
        )


def _immutable(rule: RuleText) -> Refusal:
    return Refusal("immutable", str(limits.RuleIsImmutable(rule)), rule.title)


def _changed(rule: RuleText, inputs: Inputs) -> dict[str, Any]:
    """The new values of the rule that differ from its own, by their names in the form."""
    changes: dict[str, Any] = {}
    if inputs["number"] and inputs["number"] != rule.number:
        changes["number"] = inputs["number"]
    if inputs["title"] and inputs["title"] != rule.title:
        changes["title"] = inputs["title"]
    if inputs["power"] and limits.checked_power(inputs["power"]) != rule.power:
        changes["power"] = inputs["power"]
    if inputs["text"] and whole(inputs["text"]) != whole(rule.text):
        changes["text"] = whole(inputs["text"])
    return changes


# How it ends that a rule is not carried out as it reads


def part_title(part: str) -> str:
    """The title of an action, an event or a whole part of the program."""
    if is_event(part):
        return title_of(part)
    try:
        return find_action(part).title
    except UnknownAction:
        titles = (subgame.title for subgame in all_subgames() if subgame.name == part)
        return next(titles, "What every game has")


def listed_parts(parts: tuple[str, ...]) -> str:
    """Their titles in quotes, for a sentence."""
    return ", ".join(f"“{part_title(part)}”" for part in parts)


def never_off(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the parts that cannot be switched off by themselves."""
    switchable = {subgame.name for subgame in all_subgames() if not isinstance(subgame, Rulemaking)}
    return tuple(
        part for part in parts if "." not in part or part.partition(".")[0] not in switchable
    )


# What a vote would leave to nobody, told before it


def new_passages(before: Iterable[Unfitted], after: Iterable[Unfitted]) -> list[Unfitted]:
    """Those of `after` that are not among those `before`. What programs claim has no key."""
    keys = set(map(_key, before))
    return [passage for passage in after if _key(passage) not in keys]


def _key(passage: Unfitted) -> tuple[int, str, str]:
    return passage.rule.pk, passage.marked.key, "" if passage.marked.is_unfitted else passage.name


def sentences_of(passages: Iterable[Unfitted], earlier: RulesInForce) -> list[str]:
    """These passages, on one line each; of one that is gone from its rule and carried out still,
    the words that it had by the earlier rules, where everybody may read these."""
    return [
        passage.marked.passage.said if passage.marked.passage else _words_before(passage, earlier)
        for passage in passages
    ]


def _words_before(gone: Unfitted, earlier: RulesInForce) -> str:
    rule = earlier.by_pk(gone.rule.pk) or earlier.known(gone.rule.title)
    passages = passages_of(rule.text) if rule and rule.is_public else ()
    words = (passage.said for passage in passages if key_of(passage.text) == gone.marked.key)
    return next(words, gone.quoted)


def unplayed_sentences(passages: Iterable[Unfitted], keeper: str) -> list[str]:
    """Sentences on what would not be carried out as it reads, what the program would do instead,
    and which office is to keep by hand what nothing does; "" for none."""
    unplayed = list(passages)
    changed = [passage for passage in unplayed if passage.marked.parts]
    sentences = [
        f"Not carried out as it reads, {passage.quoted}: the program goes on with"
        f" {listed_parts(passage.marked.parts)} as before, until an officer or another vote ends"
        " that."
        for passage in changed[:_MOST_UNFITTED]
    ]
    if len(changed) > _MOST_UNFITTED:
        sentences.append(
            f"{len(changed) - _MOST_UNFITTED} more sentences would not be carried out."
        )
    rules = _by_rule(passage for passage in unplayed if not passage.marked.parts)
    for title, quoted, count in rules[:_MOST_UNFITTED]:
        them = "it" if count == 1 else "them"
        ends = f"it is the {keeper}’s duty to keep" if keeper else "the rule’s page says so of"
        sentences.append(
            f"In “{title}” the site does not carry out {quoted} by itself: {ends}"
            f" {them}{' by hand' if keeper else ''}."
        )
    return [*sentences, *_more(rules)]


def claim_sentences(claims: Iterable[Unfitted]) -> list[str]:
    """Sentences on what programs say of themselves that they carry out."""
    rules = _by_rule(claims)
    sentences = [
        f"The program of “{title}” says that it carries out {quoted}: that is its claim, which"
        " nobody has checked."
        for title, quoted, _ in rules[:_MOST_UNFITTED]
    ]
    return [*sentences, *_more(rules)]


def _by_rule(passages: Iterable[Unfitted]) -> list[tuple[str, str, int]]:
    """The rules' titles, with the first passages of each quoted, and how many there are."""
    rules: dict[str, list[str]] = {}
    for passage in passages:
        rules.setdefault(passage.rule.title, []).append(f"“{passage.name}”")
    counted = []
    for title, names in rules.items():
        surplus = len(names) - _MOST_QUOTED
        end = f" and {surplus} more sentence{'s' if surplus > 1 else ''}" if surplus > 0 else ""
        counted.append((title, ", ".join(names[:_MOST_QUOTED]) + end, len(names)))
    return counted


def _more(rules: list[tuple[str, str, int]]) -> list[str]:
    count = len(rules) - _MOST_UNFITTED
    return [f"So it is with sentences of {count} more rules."] if count > 0 else []


class PassageField(TextChoice):
    """A passage that is not carried out as it reads, by its words, or all of a rule; a passage's
    key is taken as well."""

    noun = "passage that is not carried out as it reads"

    def offer(self, table: Table, player: Player | None) -> None:
        self._names = {passage.marked.key: passage.name for passage in unfitted(table)}
        self.words = [*dict.fromkeys(self._names.values()), ALL]
        self.choices = [(name, name) for name in self.words]

    def to_python(self, value: Any) -> str:
        words = str(super().to_python(value))
        return self._names.get(words, words)

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": [*self.words, *self._names]}


class _End(KeptCorrection):
    """An end of the duty that a passage which is not carried out as it reads makes."""

    end: ClassVar[End]
    finds: ClassVar[str]

    class Form(ActionForm):
        rule = RuleField()
        passage = PassageField()
        reason = Text(longest=300)

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(any(unfitted(table)))

    def lapse(self, table: Table, motion: Motion) -> str:
        if not _named_passages(table, motion.inputs):
            return "That passage does not wait for anything any more."
        return super().lapse(table, motion)

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        refusal = self.not_theirs(table, player, inputs, "What the program does not fit")
        if refusal or not {"rule", "passage"} <= inputs.keys():
            return refusal
        passages, reason = _named_passages(table, inputs), inputs.get("reason", "")
        if not passages:
            sentence = f"“{inputs['rule']}” has no such passage: choose one that waits."
            return Refusal("fits", sentence, inputs["rule"])
        rule, quoted = passages[0].rule, passages[0].quoted
        if len(passages) > 1:
            quoted = f"in “{rule.title}”, {len(passages)} passages"
        ended = {
            passage.marked.key: Settled(str(self.end), reason, table.seq, passage.marked.parts)
            for passage in passages
        }
        return Effects(
            Change(Rulebook.settle, rule.pk, {**rule.settled, **ended}),
            say=f"{doer(player)} {self.finds} {quoted}: {reason.rstrip('.')}.",
            figures={"rule": rule.title, "parts": list(_parts(passages))},
        )

    def guide(self, table: Table, inputs: Inputs) -> Guide | None:
        passages = _named_passages(table, inputs)
        if not passages:
            return None
        title, parts = passages[0].rule.title, _parts(passages)
        about = f"The program does not carry this out as “{title}” reads now."
        if parts:
            about += f" What it does still, as before: {listed_parts(parts)}."
        about += (
            " Three things end this: you find that it changes nothing of what is played; you keep"
            " it by hand; or a proposal is adopted that gives the rule other words or a program."
        )
        step_inputs = {"rule": title, "passage": inputs["passage"]}
        steps = [(WAYS[name], name, step_inputs) for name in WAYS if name != self.name]
        quoted = " / ".join(passage.name for passage in passages[:_MOST_QUOTED])
        rest = f" / and {len(passages) - _MOST_QUOTED} more" if len(passages) > _MOST_QUOTED else ""
        return Guide(quoted[:1].upper() + quoted[1:] + rest, about, tuple(steps))


WAYS = {CHANGES_NOTHING: "It changes nothing", KEEP_BY_HAND: "We keep this by hand"}


@action
class ChangesNothing(_End):
    """Find that a passage which reads otherwise now means what the program does all the same.

    That changes nothing that is played, so the officer's word does not wait.
    """

    name = CHANGES_NOTHING
    title = "Find that a changed sentence changes nothing"
    sentence = "In “{rule}”, “{passage}” changes nothing of what is played, because {reason}"
    button = "It changes nothing"
    waits = False
    end, finds = End.NOTHING, "finds that what changed plays on as before,"


@action
class KeepByHand(_End):
    """Keep by hand what a changed passage says. The program does it no more: the action is refused
    and the event skipped, until the program fits the rule again."""

    name = KEEP_BY_HAND
    title = "Keep by hand what a changed sentence says"
    sentence = "In “{rule}”, “{passage}” is kept by hand, because {reason}"
    button = "We keep this by hand"
    end, finds = End.BY_HAND, "keeps by hand what is said"

    def judge(self, table: Table, player: Player | None, **inputs: Any) -> Verdict:
        verdict = super().judge(table, player, **inputs)
        parts = verdict.figures["parts"] if isinstance(verdict, Effects) else ()
        if not (isinstance(verdict, Effects) and parts):
            return verdict
        if needed_parts := never_off(parts):
            sentence = (
                f"{listed_parts(needed_parts)} cannot be switched off: the game needs it to go on"
                " and to mend itself. Find that the sentence changes nothing, or let a proposal"
                " change it."
            )
            return Refusal("never_off", sentence, OFFICES_AND_CORRECTIONS)
        return verdict.also(say=f"{verdict.say} The program leaves alone: {listed_parts(parts)}.")

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        """Where that switches nothing off, the officer's word does not wait."""
        terms = super().terms(table, player, inputs)
        if terms is None or terms is BY_SUPPORT:
            return terms
        passages = _named_passages(table, inputs)
        return terms if _parts(passages) or not passages else None


def _named_passages(table: Table, inputs: Inputs) -> list[Unfitted]:
    """The passages that the inputs name, while they wait; none where there are no such ones."""
    named, title = inputs.get("passage"), inputs.get("rule")
    waiting = [passage for passage in unfitted(table) if passage.rule.title == title]
    if named == ALL:
        return waiting
    return [passage for passage in waiting if named in (passage.name, passage.marked.key)][:1]


def _parts(passages: list[Unfitted]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for passage in passages for part in passage.marked.parts))
