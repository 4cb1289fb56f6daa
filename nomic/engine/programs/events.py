"""Events of programs, which happen by themselves day by day, week by week, month by month."""

from nomic.engine.events import appointment
from nomic.engine.outcomes import Outcome
from nomic.engine.programs.declarations import PERIODS, DeclaredEvent
from nomic.engine.programs.programs import PREFIX, Program, programs_of
from nomic.engine.programs.running import programs_at
from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Follower, Table, follow

KINDS = {period: f"{PREFIX}.{period}" for period in PERIODS}
_NOT_REFUSED = "What happens by itself cannot be refused"


def happen(table: Table, subject: str) -> Outcome:
    """Let what the subject names happen; where it fails, the entry says so and that is all."""
    programs = programs_at(table)
    program, declared = _found(programs.all, subject)
    rule, what = program.rule.title, declared.name
    try:
        done = programs.call(program, what, what, {})
        if done.refused:
            raise ProgramWrong(Problem(f"{_NOT_REFUSED}: {done.refused}"))
    except ProgramWrong as wrong:
        programs.fail(program, what, wrong.problem)
        text = f"“{declared.title}” comes to nothing: {wrong.problem}"
        return Outcome(text, {"failed": str(wrong.problem)}, rule=rule)
    said = programs.keep(program, what, done)
    return Outcome(" ".join(said) or f"{declared.title}.", rule=rule)


def name_of(kind: str, subject: str) -> str:
    """The name by which programs call the event of that kind and subject."""
    return f"{PREFIX}.{subject}" if kind in KINDS.values() else kind


def title_at(table: Table, subject: str) -> str:
    """The title of the event that the subject names; the subject, where it names none any more."""
    try:
        return _found(programs_of(table.rules.public), subject)[1].title
    except LookupError:
        return subject


for _period, _kind in KINDS.items():
    appointment(_kind, title="A program of a rule", every=_period, priority=150, titled=title_at)(
        happen
    )


def _found(programs: tuple[Program, ...], subject: str) -> tuple[Program, DeclaredEvent]:
    for program in programs:
        for declared in program.declared.events:
            if _subject(program, declared) == subject:
                return program, declared
    raise LookupError(f"No rule in force lets “{subject}” happen.")


def _subject(program: Program, declared: DeclaredEvent) -> str:
    return f"{program.key}.{declared.name}"


class _Appointments(Follower):
    """Makes what programs of the rules in force let happen, and cancels what none does any more."""

    def rules_changed(self, table: Table) -> None:
        wanted = {
            (KINDS[declared.every], _subject(program, declared))
            for program in programs_of(table.rules.public)
            for declared in program.declared.events
        }
        made = {
            (kind, subject)
            for kind in KINDS.values()
            for subject in table.appointments.subjects(kind)
        }
        for kind, subject in sorted(made - wanted):
            table.appointments.cancel(kind, subject)
        for kind, subject in sorted(wanted - made):
            table.appointments.begin(kind, subject)


follow(_Appointments())
