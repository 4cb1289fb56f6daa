"""The sentences of the editions' rules that say numbers, in the sources' words and in ours.

Each stands for a cell of the tables in `terms.py`.
"""

from nomic.rulebook.clauses import Clause
from proposals.rules.titles import CLOCK, PROPOSALS, VOTING

_PARTS = (("(half|halves)", "2"), ("(third|thirds)", "3"), ("(quarter|quarters)", "4"))


def _stamina(words: str, column: str, cell: str) -> Clause:
    said = (f"stamina is less than {words} the number of vested",)
    return Clause(PROPOSALS, "STAMINA", "At least", column, said, cell)


CLAUSES = (
    *(
        Clause(rule, "VOTING", "Begins", "NDAY", ("from the beginning of nday {n}",))
        for rule in (PROPOSALS, VOTING)
    ),
    _stamina("half", "VOTES", "1"),
    _stamina("half", "VESTED PLAYERS", "2"),
    *(
        clause
        for parts, whole in _PARTS
        for clause in (
            _stamina(f"{{n}} {parts}", "VOTES", "{n}"),
            _stamina(f"{{n}} {parts}", "VESTED PLAYERS", whole),
        )
    ),
    Clause(CLOCK, "LENGTH", "An nweek", "NDAYS", ("an nweek has {n} ndays",)),
    Clause(CLOCK, "LENGTH", "An nday", "HOURS", ("an nday has {n} hours",)),
    Clause(PROPOSALS, "WITHOUT A QUORUM", "Decided after", "HOURS", ("after {n} hours",)),
    Clause(PROPOSALS, "THEN IT NEEDS", "At least", "VALID VOTES", ("at least {n} valid votes",)),
)
