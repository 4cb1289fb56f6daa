"""What follows from a judgement, as its judge announces it (the rule “Cases”): what is put right,
and how a sentence that the judgement reads is played from then on."""

import json
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, ClassVar

from nomic.cases.actions import OfOneCase
from nomic.cases.evidence import passage_of
from nomic.cases.fields import CaseNumber
from nomic.cases.judging import end_playing
from nomic.cases.models import LONGEST_PASSAGE, Case, Consequence, Reading
from nomic.cases.precedents import read_in
from nomic.cases.rules import CASES, MOST_CONSEQUENCES, names_in
from nomic.cases.state import State
from nomic.engine.actions import Inputs, action, find_action, judged, obstacle
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Flag, Prose, Text, TextChoice
from nomic.engine.programs.declarations import declared_in, program_in
from nomic.engine.programs.descriptions import added
from nomic.engine.programs.hooks import (
    Decision,
    all_decisions,
    fatal_decision,
    is_of_type,
    try_out,
)
from nomic.engine.programs.in_force import (
    declared_by,
    declares_too_much,
    programs_now,
)
from nomic.engine.programs.sandbox import ProgramWrong
from nomic.engine.subgames import in_play, keepers_of_secrets, rulebook_keeper
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted, enumerated
from nomic.governance.acts_by_rows import by_oneself
from nomic.governance.corrections import CorrectTheLedger, faults
from nomic.governance.models import Motion
from nomic.governance.motions import AnnouncedAction
from nomic.governance.powers import objection_time
from nomic.governance.recalculation.ratification import Ratify
from nomic.governance.rules import BY_SUPPORT, MotionTerms
from nomic.governance.switches import SetDeclaredSwitch
from nomic.rulebook.book import Rulebook
from nomic.rulebook.charts import cut
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.judged import MOST_JUDGED, JudgedPassage
from nomic.rulebook.passages import PassageKind, fingerprint, passages_of
from nomic.rulebook.text_cache import committed_rules

MOVE = by_oneself("cases.correct_the_ledger")
SWITCH = by_oneself("cases.set_switch")
RATIFY = by_oneself("cases.ratify")
PLAY_AS = by_oneself("cases.play_as")
REMEDIES = (MOVE, SWITCH, RATIFY, PLAY_AS)
_LONGEST_WORDS = 10_000  # of a program, half of what a rule may have
_LONGEST_VALUE = 2_000
_CONDITIONS = ("Player", "str", "int")  # the types of what a value may depend on


class FromJudgement(OfOneCase, AnnouncedAction):
    """What the judge of a case lets follow from its judgement, by the terms of the rule's table.

    What is about the judge takes support, whatever the table says.
    """

    needs_open = False
    page = "cases"
    possible_while = ()

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        if player is None:
            return None
        days = table.once(State).charts.follows
        is_whole = self.Form.base_fields.keys() <= inputs.keys()
        if days is None or (is_whole and self.is_about(table, player, inputs)):
            return BY_SUPPORT
        return MotionTerms(timedelta(days=days)) if days else None

    def is_about(self, table: Table, player: Player, inputs: Inputs) -> bool:
        """Whether it is about that player, or about something that is theirs as well."""
        names = self.concerned(inputs)
        owners = (part.owners_of(table.game, names) for part in in_play(table.game))
        return player.name in names or any(player.pk in keys for keys in owners)

    def terms_of(self, table: Table, motion: Motion) -> MotionTerms:
        return MotionTerms(motion.due - motion.at) if motion.due else BY_SUPPORT

    def lapse(self, table: Table, motion: Motion) -> str:
        """Also where the case was opened again, even if its judge has judged it anew since."""
        case = Case.objects.filter(game=table.game, number=motion.inputs["case"]).first()
        if case is None or case.judged_in is None or case.judged_in > motion.entry:
            return f"Case {motion.inputs['case']} was opened again after that was announced."
        return super().lapse(table, motion)

    def judged_case(self, state: State, player: Player | None, number: int) -> Refusal | Case:
        """The case, if something may follow from its judgement that the player announces."""
        row = self.case_of(state, number)
        if isinstance(row, Refusal):
            return row
        if row.judged_in is None:
            return Refusal("is_open", f"{row} is open: nothing follows from it yet.", CASES)
        if not self.may_announce(state, row, player):
            return Refusal("not_the_judge", self.not_theirs(row), CASES)
        if row.consequences.count() >= MOST_CONSEQUENCES:
            sentence = f"{MOST_CONSEQUENCES} entries are attached to {row}, which is the most."
            return Refusal("too_many", sentence, CASES)
        return row

    def may_announce(self, state: State, case: Case, player: Player | None) -> bool:
        """Whether the player may announce what follows from that case's judgement."""
        return player is not None and case.judge_id == player.pk

    def not_theirs(self, case: Case) -> str:
        """The sentence that somebody else announces it."""
        return f"{case.judge}, who judged {case}, announces what follows from it."


def comes_to_force(table: Table, player: Player | None, case: Case) -> str:
    """The end of a sentence: when what that player lets follow from a judgement comes to force."""
    act = find_action(PLAY_AS)
    assert isinstance(act, PlayAs)
    terms = act.terms(table, player, {"case": case.number})
    if terms is None:
        return "at once"
    if terms.wait is None:
        return "once more than half of the other players support it"
    days, hours = terms.wait // timedelta(days=1), terms.wait // timedelta(hours=1)
    wait = counted(hours, "hour") if hours % 24 else counted(days, "day")
    waits = f"after {wait} of the game in which nobody objects"
    return f"{waits}, or once more than half of the other players support it"


def _attach(case: Case, player: Player | None) -> Then:
    """Note that the entry which is being made follows from the case."""

    def attach(table: Table) -> None:
        by = player or case.judge
        row = Consequence(case=case, deed=table.seq, player=by, entry=table.seq)
        row.save()

    return Then(attach)


class Remedy(FromJudgement):
    """An act of an office that follows from a judgement: its judge announces it by the rule's
    terms, whoever holds the office."""

    act: ClassVar[type[AnnouncedAction]]

    @property
    def _act(self) -> Any:
        """The office's act as it is done by judgement, at once."""
        act: Any = find_action(self.act.name).as_done  # a copy: the registered one is of all games
        act.by_judgement = act.is_due = True
        return act

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or obstacle(find_action(self.act.name), table)

    def concerned(self, inputs: Inputs) -> set[str]:
        return set(self._act.concerned(_but_case(inputs)))

    def announced_too(self, table: Table, inputs: Inputs) -> str:
        return str(self._act.announced_too(table, _but_case(inputs)))

    def lapse(self, table: Table, motion: Motion) -> str:
        inner = copy(motion)  # never saved
        inner.inputs = _but_case(motion.inputs)
        return super().lapse(table, motion) or str(self._act.lapse(table, inner))

    def judge(self, state: State, player: Player, **inputs: Any) -> Verdict:
        if "case" not in inputs:
            return None
        row = self.judged_case(state, player, inputs["case"])
        if isinstance(row, Refusal):
            return row
        if not self.Form.base_fields.keys() <= inputs.keys():
            return None
        verdict = judged(self._act, state.table, player, _but_case(inputs))
        if isinstance(verdict, Refusal):
            return verdict
        say = f"As judged in {row}: {verdict.say}"
        figures = {**verdict.figures, "case": row.number}
        return verdict.also(_attach(row, player), say=say, figures=figures)


def _but_case(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: content for name, content in inputs.items() if name != "case"}


@action
class CorrectTheLedgerAsJudged(Remedy):
    """Move assets as a judgement says. From the Mint they are made, to the Mint they are
    destroyed."""

    name = MOVE
    title = "Move assets as judged"
    sentence = (
        "As judged in Case {case}, move {amount} {asset} from {giver} to {receiver}, because"
        " {reason}"
    )
    act = CorrectTheLedger
    once_for = ("case", "amount", "asset", "giver", "receiver")

    class Form(CorrectTheLedger.Form):
        case = CaseNumber()
        field_order = ("case",)


@action
class SetSwitchAsJudged(Remedy):
    """Set a switch as a judgement says, whichever office keeps it."""

    name = SWITCH
    title = "Set a switch as judged"
    sentence = "As judged in Case {case}, let the {switch} of {of} be {value}, because {reason}"
    act = SetDeclaredSwitch
    once_for = ("case", "switch", "of")

    class Form(SetDeclaredSwitch.Form):
        case = CaseNumber()
        field_order = ("case",)


@action
class RatifyAsJudged(Remedy):
    """Make so all that a recalculation says would be otherwise, as a judgement says."""

    name = RATIFY
    title = "Ratify a recalculation as judged"
    sentence = "As judged in Case {case}, make so what this report says: {report}"
    act = Ratify
    once_for = ("report",)

    class Form(Ratify.Form):
        case = CaseNumber()
        field_order = ("case",)

    def intent(self, inputs: Inputs) -> str:
        return f"{self._act.intent(_but_case(inputs))}, as judged in Case {inputs['case']}"


# As what a sentence is played


class DecisionField(TextChoice):
    """A decision of the subgames that a program may take over."""

    noun = "decision"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [decision.name for decision in decisions_of(table)]


def decisions_of(table: Table) -> list[Decision]:
    """The decisions of what is played in the game."""
    parts = {part.name for part in in_play(table.game)}
    return [decision for decision in all_decisions() if decision.name.partition(".")[0] in parts]


def conditions_of(decision: Decision) -> list[str]:
    """The names of what the decision is given by which a value can be limited."""
    return [name for name, kind in decision.takes.items() if kind in _CONDITIONS]


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a passage is to be played as, and how a sentence says that."""

    words: str
    says: str


@action
class PlayAs(FromJudgement):
    """Let a sentence that a judgement reads be played otherwise from now on: a table's row as
    another row, any other as a value that is decided, or as a program. The rule's text stays.

    Without words and without a decision, it is played as it reads again.
    """

    name = PLAY_AS
    title = "Let a sentence be played as judged"
    sentence = (
        "As judged in Case {case}, let “{passage}” of “{rule}” be played as: {words} {decision}"
        " {value} {where}"
    )
    button = "Let it be played so"
    once_for = ("case", "rule", "passage")

    class Form(ActionForm):
        case = CaseNumber()
        rule = Text(longest=120, label="Rule")
        passage = Text(longest=LONGEST_PASSAGE, lines=True, label="Sentence, as it stands there")
        words = Prose(
            "As these words: a table's row as another row, any other sentence as a program",
            _LONGEST_WORDS,
            required=False,
        )
        decision = DecisionField(required=False, label="What is decided by it")
        value = Text(longest=_LONGEST_VALUE, required=False, label="As this value")
        where = Text(
            longest=300, required=False, label="Only where, as “horse = Baxter” (else always)"
        )
        in_place_of_all = Flag(label="The rule's own program rests meanwhile")

    def intent(self, inputs: Inputs) -> str:
        words, value = (
            cut(" ".join((inputs[field] or "").split()), 200) for field in ("words", "value")
        )
        wording = "as it reads again"
        if words:
            wording = f"as “{words}”"
        elif decision := inputs["decision"]:
            condition = f", where {inputs['where']}" if inputs["where"] else ""
            wording = f"so that {decision} is {value}{condition}"
        rests = ", while the rule's own program rests" if inputs["in_place_of_all"] else ""
        passage = cut(" ".join(inputs["passage"].split()), 200)
        return (
            f"As judged in Case {inputs['case']}, let “{passage}” of “{inputs['rule']}” be played"
            f" {wording}{rests}"
        )

    def may_announce(self, state: State, case: Case, player: Player | None) -> bool:
        return super().may_announce(state, case, player) or self._is_keeper(state.table, player)

    def not_theirs(self, case: Case) -> str:
        return f"{case.judge}, who judged {case}, or the rulebook's keeper announces that."

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        number = inputs.get("case")
        case = Case.objects.filter(game=table.game, number=number).first() if number else None
        if case is None or player is None or case.judge_id == player.pk:
            return super().terms(table, player, inputs)
        wait = objection_time(table)
        return MotionTerms(wait) if wait else None

    def is_about(self, table: Table, player: Player, inputs: Inputs) -> bool:
        """Also where what is to be played names them."""
        text = " ".join(inputs[name] or "" for name in ("words", "value", "where"))
        return bool(names_in(text, [player.name])) or super().is_about(table, player, inputs)

    def judge(
        self,
        state: State,
        player: Player | None,
        case: int | None,
        rule: str | None,
        passage: str | None,
        words: str | None,
        decision: str | None,
        value: str | None,
        where: str | None,
        in_place_of_all: bool | None,
    ) -> Verdict:
        if case is None:
            return None
        row = self.judged_case(state, player, case)
        if isinstance(row, Refusal):
            return row
        if rule is None or passage is None:
            return None
        reading = _reading(state, row, rule, passage)
        if isinstance(reading, Refusal):
            return reading
        if words is None and decision is None:
            return None
        overruled = _overruled(state.table, row, reading)
        is_played = reading.since is not None and reading.until is None
        if overruled and not is_played:
            return overruled
        text = state.table.rules.find(reading.rule_id)
        meaning = _meaning_of(
            state.table, reading, words or "", decision or "", value or "", where or ""
        )
        if isinstance(meaning, Refusal):
            return meaning
        if not meaning.words:
            return _ends(row, reading, text, player)
        if overruled:
            return overruled
        seq = state.table.seq
        as_judged = JudgedPassage(meaning.words, seq, bool(in_place_of_all))
        if refusal := _unplayable(state.table, text, reading.key, as_judged):
            return refusal

        def play(table: Table) -> None:
            end_playing(table, reading.rule_id, reading.key)
            Reading.objects.filter(pk=reading.pk).update(
                played_as=meaning.words, since=table.seq, until=None
            )
            judged_passage = JudgedPassage(meaning.words, table.seq, bool(in_place_of_all))
            table.rules.judge(reading.rule_id, reading.key, judged_passage)

        rests = " The rule's own program rests meanwhile." if in_place_of_all else ""
        quote = cut(" ".join(reading.passage.split()), 300)
        return Effects(
            Then(play),
            _attach(row, player),
            say=f"As judged in {row}, {player} lets “{quote}” of “{text.title}” be played"
            f" {meaning.says} from now on.{rests}",
            figures={"case": row.number, "rule": text.title},
        )

    @staticmethod
    def _is_keeper(table: Table, player: Player | None) -> bool:
        return player is not None and rulebook_keeper(table.game) in table.directory.held_by(player)


def _overruled(table: Table, case: Case, reading: Reading) -> Refusal | None:
    """The refusal where a later judgement that binds read the sentence the other way."""
    place = reading.rule_id, reading.key
    row = next(row for row in read_in(table, case) if (row.rule, row.key) == place)
    if not row.later:
        return None
    later_cases = enumerated([f"Case {number}" for number in row.later])
    sentence = f"{later_cases} read that sentence the other way later, and that binds."
    return Refusal("overruled", sentence, CASES)


def _ends(case: Case, reading: Reading, rule: RuleText, player: Player | None) -> Refusal | Effects:
    if reading.key not in rule.judged:
        sentence = "Say as what it is to be played: give its words, or a decision and its value."
        return Refusal("no_words", sentence, CASES)

    def end(table: Table) -> None:
        end_playing(table, reading.rule_id, reading.key)
        table.rules.judge(reading.rule_id, reading.key, None)

    quote = cut(" ".join(reading.passage.split()), 300)
    say = f"As judged in {case}, {player} lets “{quote}” be played as it reads again."
    return Effects(Then(end), _attach(case, player), say=say, figures={"case": case.number})


def _reading(state: State, case: Case, rule: str, passage: str) -> Reading | Refusal:
    """The reading of that sentence by the case's judgement."""
    place = passage_of(state.table, rule, passage)
    if isinstance(place, Refusal):
        return place
    reading = state.standing_readings({place.rule.pk}).filter(
        judgement__case=case, key=fingerprint(passage)
    )
    sentence = f"The judgement of {case} does not name that sentence among those that it reads."
    return reading.first() or Refusal("not_read", sentence, CASES)


def _meaning_of(
    table: Table, reading: Reading, words: str, decision: str, value: str, where: str
) -> _Meaning | Refusal:
    """What is to be played; nothing where neither words nor a decision are given."""
    if words.strip() and decision:
        sentence = "Give its words, or a decision with its value: one of the two."
        return Refusal("both", sentence, CASES)
    if decision:
        named_decision = next(entry for entry in all_decisions() if entry.name == decision)
        return _decided(table, named_decision, value.strip(), where, reading.key)
    if value.strip() or where.strip():
        return Refusal("no_decision", "Say which decision has that value.", CASES)
    words = words.strip()
    if is_row(reading.passage):
        return _Meaning(words, f"as “{words}”")
    source = _source_in(words)
    lines = len(source.splitlines())
    return _Meaning(source, f"by a program of {lines} lines")


def is_row(passage: str) -> bool:
    """Whether the passage is a table's row."""
    return passage.lstrip().startswith("|")


def _source_in(words: str) -> str:
    """The program that is written there, with or without the marks of a block around it."""
    return program_in(words).strip("\n") if "```" in words or "~~~" in words else words


def _decided(
    table: Table, decision: Decision, value: str, where: str, key: str
) -> _Meaning | Refusal:
    """The program by which that decision is `value`, wherever it is asked for or only `where` what
    it is given is so."""
    if not value:
        return Refusal("no_value", f"Say what {decision.name} is decided as.", CASES)
    parsed: Any = value
    if decision.gives not in ("str", "Outcome"):
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            parsed = None
    if not is_of_type(decision, parsed):
        sentence = f"{decision.name} is {decision.gives}: write its value so."
        return Refusal("no_such_value", sentence, CASES)
    if obstacle_there := decision.unfit(table, parsed):
        sentence = f"{decision.name} cannot be {cut(value, 60)}: {obstacle_there}."
        return Refusal("no_such_value", sentence, CASES)
    conditions: dict[str, str | int] = {}
    for part in filter(str.strip, where.split(",")):
        name, equals, text = (piece.strip() for piece in part.partition("="))
        kind = decision.takes.get(name)
        if not equals or kind not in _CONDITIONS:
            can_be = conditions_of(decision)
            sentence = (
                f"“{cut(part.strip(), 60)}” is no condition of {decision.name}: write one of"
                f" {', '.join(can_be) or 'nothing'}, “=” and its value, with commas between."
            )
            return Refusal("no_condition", sentence, CASES)
        if kind == "int" and not (text.isascii() and text.isdecimal() and len(text) < 10):
            return Refusal("no_condition", f"{name} is a whole number.", CASES)
        conditions[name] = int(text) if kind == "int" else text
    tests = " and ".join(f"{name} == {text!r}" for name, text in conditions.items())
    condition = f" if {tests} else None" if tests else ""
    program = (
        f'@decide("{decision.name}")\n'
        f"def judged_{key}({', '.join(conditions)}):\n"
        f"    return {parsed!r}{condition}"
    )
    condition_words = "".join(f", where {name} is {text}" for name, text in conditions.items())
    return _Meaning(program, f"so that {decision.name} is {cut(value, 200)}{condition_words}")


def _unplayable(table: Table, rule: RuleText, key: str, judged_as: JudgedPassage) -> Refusal | None:
    """Why that passage of the rule cannot be played so; None if it can."""
    for keeper in keepers_of_secrets():
        if rule.origin == keeper.name:
            sentence = (
                f"“{rule.title}” is played as it reads: {keeper.title} has judges of its own."
            )
            return Refusal("played_elsewhere", sentence, rule.title)
    if len({*rule.judged, key}) > MOST_JUDGED:
        sentence = f"At most {MOST_JUDGED} sentences of a rule are played otherwise than they read."
        return Refusal("too_many", sentence, rule.title)
    changed_rule = replace(rule, judged={**rule.judged, key: judged_as})
    passage = next(part for part in passages_of(rule.text) if fingerprint(part.text) == key)
    if passage.kind is PassageKind.ROW:
        new_passages = passages_of(changed_rule.played)
        if [part.kind for part in new_passages] != [
            part.kind for part in passages_of(rule.played)
        ] or (judged_as.words.count("|") != passage.text.count("|")):
            sentence = f"A row is played as another row of as many cells: “{passage.text}”."
            return Refusal("no_row", sentence, rule.title)
    elif rule.switched_off:
        sentence = f"Nothing of the program of “{rule.title}” runs now: it is switched off."
        return Refusal("switched_off", sentence, rule.title)
    elif problem := declared_in(program_in(changed_rule.played)).problem:
        sentence = f"The program cannot be played: {problem}"
        return Refusal("no_program", sentence, rule.title)
    elif not declared_in(judged_as.words):
        sentence = "A sentence is played by a program that declares something, as a decision."
        return Refusal("no_program", sentence, rule.title)
    before = declared_by(table.rules.public)
    table_then = Table(table.game, table.now, table.wall, locked=False)
    rules = committed_rules(table.game).copy()
    rules.put(changed_rule)
    table_then.rules = Rulebook(table.game, None, rules)
    if refusal := declares_too_much(table.game, before, table_then.rules.public):
        return refusal
    new_faults = [
        new_fault
        for fault, new_fault in zip(faults(table), faults(table_then), strict=True)
        if new_fault and new_fault != fault
    ]
    if new_faults:
        return Refusal("no_row", f"Then a table could not be read: {new_faults[0]}", rule.title)
    # A replay takes what was accepted: on a slower machine a program could run out of time.
    return None if table.is_replayed else _failing(table, table_then, changed_rule)


def _failing(table: Table, table_then: Table, rule: RuleText) -> Refusal | None:
    """Why the programs of the rule, as it would be played, cannot decide what they declare."""
    adds = added(table_then, rule.pk)
    if adds is not None and adds.astray:
        sentence = f"The program does not fit: {adds.astray[0].sentence}"
        return Refusal("no_program", sentence, rule.title)
    sources = {program.source for program in programs_now(table)}
    for program in programs_now(table_then):
        if program.rule.pk == rule.pk and program.source not in sources:
            for decision in program.declared.decisions:
                try:
                    try_out(table_then, program, decision)
                except ProgramWrong as wrong:
                    sentence = f"{decision.of} cannot be decided so: {wrong.problem}"
                    return Refusal("no_program", sentence, rule.title)
    if failure := fatal_decision(table_then, sources):
        sentence = f"Then nothing could be adopted any more: {failure.problem}"
        return Refusal("ends_all", sentence, rule.title)
    return None
