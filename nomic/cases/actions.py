"""Calling a case, assigning, arguing and judging it, saying what followed, and opening a judgement
again."""

from collections.abc import Collection

from django.forms import TextInput

from nomic.cases.evidence import exhibits, passages_read
from nomic.cases.fields import (
    CaseNumber,
    Choice,
    ChosenField,
    MotionNameField,
    PassagesField,
    VerdictField,
    statement_field,
)
from nomic.cases.judging import (
    add_text,
    against,
    assign,
    deliver,
    goes_back,
    open_again,
    seek_judge,
    take_off,
)
from nomic.cases.models import (
    LONGEST_TEXT,
    Assignment,
    Barring,
    Case,
    CaseText,
    Consequence,
    Request,
)
from nomic.cases.rules import (
    ANYBODY,
    CASES,
    MOST_ARGUMENTS,
    MOST_CONSEQUENCES,
    barring_refusal,
    call_refusal,
    not_open,
    reopening_refusal,
)
from nomic.cases.state import State, is_on, office_of, state_of
from nomic.engine.actions import Action, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import (
    LAST_NUMBER,
    ActionForm,
    PlayerField,
    Prose,
    SomebodyField,
    WholeNumber,
)
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated, listed_names
from nomic.governance.acts_by_rows import by_oneself
from nomic.rulebook.charts import unless_broken

CALL, ASSIGN, FILE, ATTACH = "cases.call", "cases.assign", "cases.file", "cases.attach"
# Who may not judge a case does not do so for its judge either.
JUDGE, RECUSE = by_oneself("cases.judge"), by_oneself("cases.recuse")
NO_STATEMENT = Refusal("no_statement", "A statement says something: write a sentence.", CASES)
NO_REASONS = Refusal("no_text", "A judgement has reasons: write them.", CASES)
NO_ARGUMENTS = Refusal("no_text", "Write arguments, or name evidence.", CASES)


class CaseAction(Action):
    rule = CASES
    State = State

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(is_on(table))


class _BarredField(SomebodyField):
    """Players who shall not judge the case: one of a list, or several by name with commas between,
    where the rule lets several be barred."""

    noun = "player"

    def offer(self, table: Table, player: Player | None) -> None:
        super().offer(table, player)
        if is_on(table) and unless_broken(lambda: state_of(table).charts.may_bar, 0) > 1:
            self.widget = TextInput({"placeholder": "names, with commas between"})

    def options(self, table: Table, player: Player | None) -> list[str]:
        return table.directory.players

    def validate(self, word: str) -> None:
        for name in listed_names(word) or [word]:
            super().validate(name)


@action
class CallCase(CaseAction):
    """Say in one sentence what is so, or what somebody is to be paid, and why: a judge says whether
    it is true, and puts right what was not."""

    name = CALL
    title = "Call a case"
    sentence = "Call a case: “{statement}”, barring {barred}, with the arguments {arguments}"
    button = "Call it"
    page = "case_new"

    def is_for_who_left(self, table: Table) -> bool:
        """Whether somebody who has left the game may call one: where the rule lets anybody."""
        called_by = unless_broken(lambda: state_of(table).charts.called_by, "")
        return is_on(table) and called_by == ANYBODY

    class Form(ActionForm):
        statement = statement_field()
        barred = _BarredField(required=False, label="Who shall not judge it")
        arguments = Prose("Arguments", LONGEST_TEXT, required=False)
        evidence = ChosenField(required=False, label="Evidence")

    def judge(
        self,
        state: State,
        player: Player,
        statement: str | None,
        barred: str | None,
        arguments: str | None,
        evidence: list[Choice] | None,
    ) -> Verdict:
        charts = state.charts
        # Asked for with a statement alone: pages look at what they offer without a query for it.
        called = state.called_this_week(player) if statement is not None else 0
        offices, is_officer = state.offices_of(player), state.is_officer(player)
        if refusal := call_refusal(charts, offices, called, is_officer=is_officer):
            return refusal
        if statement is None:
            return None
        if not any(sign.isalnum() for sign in statement):
            return NO_STATEMENT
        names = listed_names(barred or "")
        if refusal := barring_refusal(charts, len(names)):
            return refusal
        chosen = exhibits(state.table, evidence or [])
        if isinstance(chosen, Refusal):
            return chosen
        number = state.next_number
        written = arguments or ""

        def call(table: Table) -> None:
            case = Case.objects.create(
                game=table.game,
                number=number,
                statement=statement,
                caller=player,
                called_at=table.now,
                entry=table.seq,
            )
            for name in names:
                Barring.objects.create(case=case, player=table.seat(name))
            if written.strip() or chosen:
                add_text(table, case, CaseText.Kind.ARGUMENTS, player, written, chosen)
            seek_judge(table, case)

        verb = "is" if len(names) == 1 else "are"
        barring_words = f" {enumerated(names)} {verb} barred from it." if names else ""
        return Effects(
            Then(call),
            say=f"{player} calls Case {number}: “{statement}”{barring_words}",
            figures={"case": number},
        )


class OfOneCase(CaseAction):
    """An action on a case that there is; `needs_open` where it is done while it is not judged."""

    needs_open = True

    def case_of(self, state: State, number: int) -> Refusal | Case:
        """The case, or why nothing is done in it."""
        case = state.cases.filter(number=number).first()
        if case is None:
            return Refusal("no_such_case", f"This game has no Case {number}.", CASES)
        return (not_open(case) if self.needs_open else None) or case

    def case_of_judge(self, state: State, player: Player, number: int) -> Refusal | Case:
        """The open case, if that player judges it."""
        case = self.case_of(state, number)
        if isinstance(case, Refusal) or case.judge_id == player.pk:
            return case
        judging = f"{case.judge} judges" if case.judge else "nobody is yet to judge"
        sentence = f"This is for the judge of a case, and {judging} {case}."
        return Refusal("not_the_judge", sentence, CASES)


@action
class AssignCase(OfOneCase):
    """Assign an open case to a player who is eligible to judge it."""

    name = ASSIGN
    title = "Assign a case"
    sentence = "Assign Case {case} to {judge}"
    office = "Arbitor"
    page = "cases"

    class Form(ActionForm):
        case = CaseNumber()
        judge = PlayerField(label="Judge")

    def is_of(self, offices: Collection[str], game: Game) -> bool:
        return office_of(game) in offices

    def office_in(self, table: Table) -> str:
        return office_of(table.game)

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(office_of(table.game))

    def judge(
        self, state: State, player: Player | None, case: int | None, judge: str | None
    ) -> Verdict:
        if case is None:
            return None
        row = self.case_of(state, case)
        if isinstance(row, Refusal):
            return row
        if row.judge is not None:
            return Refusal("has_a_judge", f"{row} is {row.judge}'s to judge.", CASES)
        eligible = {seat.name: seat for seat in state.eligible(row)}
        if not eligible:
            return Refusal("nobody_eligible", f"Nobody is eligible to judge {row}.", CASES)
        if judge is None:
            return None
        if judge not in eligible:
            sentence = f"{judge} is not eligible to judge {row}: {enumerated([*eligible])} may be."
            return Refusal("not_eligible", sentence, CASES)
        return Effects(
            Then(lambda table: assign(table, row, eligible[judge])),
            say=f"{player or 'The operator'} assigns {row} to {judge}.",
            figures={"case": row.number, "judge": judge},
        )


@action
class Recuse(OfOneCase):
    """Step back from a case that one is to judge. It is assigned to somebody else."""

    name = RECUSE
    title = "Step back from a case"
    sentence = "Recuse myself from Case {case}"
    button = "Step back"
    confirm = "Step back for good? The case goes to another judge, and never back to you."
    page = "cases"

    class Form(ActionForm):
        case = CaseNumber()

    def judge(self, state: State, player: Player, case: int | None) -> Verdict:
        if case is None:
            return None
        row = self.case_of_judge(state, player, case)
        if isinstance(row, Refusal):
            return row
        return Effects(
            Then(lambda table: take_off(table, row, Assignment.End.RECUSED)),
            say=f"{player} recuses themself from {row}.",
            figures={"case": row.number},
        )


@action
class JudgeCase(OfOneCase):
    """Judge a case that was assigned to one: a verdict, the reasons, and the sentences of rules
    that the judgement reads."""

    name = JUDGE
    title = "Judge a case"
    sentence = "Judge Case {case} {verdict}, for these reasons: {reasons}"
    page = "cases"

    class Form(ActionForm):
        case = CaseNumber()
        verdict = VerdictField(label="Verdict")
        reasons = Prose("Reasons", LONGEST_TEXT)
        passages = PassagesField(
            required=False,
            label="Sentences of rules that it reads",
            help_text="Each carries a mark with the case from then on.",
        )

    def judge(
        self,
        state: State,
        player: Player,
        case: int | None,
        verdict: str | None,
        reasons: str | None,
        passages: list[Choice] | None,
    ) -> Verdict:
        if case is None:
            return None
        row = self.case_of_judge(state, player, case)
        if isinstance(row, Refusal):
            return row
        if verdict is None or reasons is None:
            return None
        # Where its table cannot be read, the form takes any word: reading it here refuses that.
        _ = state.charts.verdicts[verdict]
        if not reasons.strip():
            return NO_REASONS
        read = passages_read(state.table, passages or [])
        if isinstance(read, Refusal):
            return read
        contradicted = enumerated(
            [str(precedent) for precedent in against(state.table, row, verdict, read)]
        )
        binds = f" It reads a sentence otherwise than {contradicted}, and binds from now on."
        return Effects(
            Then(lambda table: deliver(table, row, verdict, reasons, read)),
            say=f"{player} judges {row} {verdict}.{binds if contradicted else ''}",
            figures={"case": row.number, "verdict": verdict},
        )


@action
class Argue(OfOneCase):
    """Give arguments or evidence in an open case, which everybody may do."""

    name = "cases.argue"
    title = "Argue in a case"
    sentence = "Argue in Case {case}: {arguments}"
    button = "Argue"
    page = "cases"

    class Form(ActionForm):
        case = CaseNumber()
        arguments = Prose("Arguments", LONGEST_TEXT, required=False)
        evidence = ChosenField(required=False, label="Evidence")

    def judge(
        self,
        state: State,
        player: Player,
        case: int | None,
        arguments: str | None,
        evidence: list[Choice] | None,
    ) -> Verdict:
        if case is None:
            return None
        row = self.case_of(state, case)
        if isinstance(row, Refusal):
            return row
        gratuitous = CaseText.Kind.GRATUITOUS
        if row.texts.filter(by=player, kind=gratuitous).count() >= MOST_ARGUMENTS:
            sentence = f"You have argued {MOST_ARGUMENTS} times in {row}, which is the most."
            return Refusal("too_many", sentence, CASES)
        if arguments is None:
            return None
        if not arguments.strip() and not evidence:
            return NO_ARGUMENTS
        chosen = exhibits(state.table, evidence or [])
        if isinstance(chosen, Refusal):
            return chosen

        def argue(table: Table) -> None:
            add_text(table, row, gratuitous, player, arguments, chosen)

        say = f"{player} argues in {row}."
        return Effects(Then(argue), say=say, figures={"case": row.number})


@action
class FileMotion(OfOneCase):
    """Ask that a judgement be opened again, or support that: the case is open again as soon as
    enough ask for it."""

    name = FILE
    title = "Ask for a case to be opened again"
    sentence = "File “{motion}” in Case {case}"
    button = "File it"
    page = "cases"
    needs_open = False

    class Form(ActionForm):
        case = CaseNumber()
        motion = MotionNameField(label="Motion")

    def judge(self, state: State, player: Player, case: int | None, motion: str | None) -> Verdict:
        if case is None:
            return None
        row = self.case_of(state, case)
        if isinstance(row, Refusal):
            return row
        judgement = state.judgement(row)
        if judgement is None or row.judged_at is None:
            return Refusal("is_open", f"{row} is open: there is nothing to open again.", CASES)
        if motion is None:
            return None
        filed = state.charts.motions[motion]
        age = state.table.now - row.judged_at
        is_judge = row.judge_id == player.pk
        before = state.filed(row, filed.name)
        if refusal := reopening_refusal(filed, age, before, is_judge=is_judge):
            return refusal
        supporters = state.supporters(judgement, filed)
        if player.pk in supporters:
            sentence = f"You ask for that already: “{filed.name}” in {row} waits for others."
            return Refusal("has_asked", sentence, CASES)
        missing = filed.needs(age) + 1 - len({*supporters, player.pk})
        asks = Set(Request, judgement=judgement, motion=filed.name, player=player)
        verb = "supports" if supporters else "files"
        figures = {"case": row.number, "motion": filed.name}
        if missing > 0:
            support = "player supports" if missing == 1 else "players support"
            waits = f"It is opened again once {missing} other {support} it."
            return Effects(
                asks, say=f"{player} {verb} “{filed.name}” in {row}. {waits}", figures=figures
            )
        goes = "to its judge" if goes_back(row, filed) else "to another judge"
        return Effects(
            asks,
            Then(lambda table: open_again(table, row, judgement, filed)),
            say=f"{player} {verb} “{filed.name}” in {row}, which is open again and goes {goes}.",
            figures={**figures, "reopened": True},
        )


@action
class AttachConsequence(OfOneCase):
    """Attach to a judged case what was done because of it: a correction, another past that was
    ratified, a rule that was changed. The case and that entry then lead to each other."""

    name = ATTACH
    title = "Attach what followed from a case"
    sentence = "Attach entry {entry} to Case {case}, from which it followed"
    button = "Attach"
    page = "cases"
    needs_open = False

    class Form(ActionForm):
        case = CaseNumber()
        entry = WholeNumber(1, LAST_NUMBER, label="Entry")

    def judge(self, state: State, player: Player, case: int | None, entry: int | None) -> Verdict:
        if case is None:
            return None
        row = self.case_of(state, case)
        if isinstance(row, Refusal):
            return row
        if row.judged_in is None:
            return Refusal("is_open", f"{row} is open: nothing follows from it yet.", CASES)
        if row.judge_id != player.pk and not state.is_officer(player):
            sentence = f"{row.judge}, who judged {row}, and officers attach what followed from it."
            return Refusal("not_the_judge", sentence, CASES)
        deeds = set(row.consequences.values_list("deed", flat=True))
        if len(deeds) >= MOST_CONSEQUENCES:
            sentence = f"{MOST_CONSEQUENCES} entries are attached to {row}, which is the most."
            return Refusal("too_many", sentence, CASES)
        if entry is None:
            return None
        if entry in deeds:
            return Refusal("is_attached", f"Entry {entry} is attached to {row} already.", CASES)
        if not row.judged_in < entry < state.table.seq:
            sentence = f"What follows from {row} comes after entry {row.judged_in}, its judgement."
            return Refusal("no_such_entry", sentence, CASES)
        return Effects(
            Set(Consequence, case=row, deed=entry, player=player),
            say=f"{player} attaches entry {entry} to {row}, from which it followed.",
            figures={"case": row.number},
        )
