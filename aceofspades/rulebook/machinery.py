"""The machinery of the regulations: the tables, rows and sentences that the contest's code knows.
No Django here.

A table of the contest may stand in any regulation, and a new regulation is played by its tables
and, where it marks hands, by its program.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import chain

from aceofspades.rulebook import LIBRARY, RULEBOOK, library
from nomic.rulebook.clauses import Clause
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import KnownPassage, Machinery, key_of
from nomic.rulebook.passages import PassageKind, passages_of

_OPEN_TABLES = frozenset(
    {"SUIT", "SUIT ALWAYS DEFINED", "MADE FOR A NEW CONTESTANT", "MADE FOR AN EMPTY HAND"}
)


@cache
def regulations(clauses: tuple[Clause, ...]) -> Mapping[str, Machinery]:
    """Those with which a contest begins, by their titles' keys."""
    shipped = machinery_in(RULEBOOK, _OPEN_TABLES, clauses)
    tables = tuple(chain.from_iterable(machinery.tables for machinery in shipped.values()))
    rows = dict(chain.from_iterable(machinery.rows.items() for machinery in shipped.values()))
    return {
        title: replace(machinery, tables=tables, rows=rows) for title, machinery in shipped.items()
    }


@cache
def another_regulation(*, marks: bool, clauses: tuple[Clause, ...]) -> Machinery:
    """Any other regulation; `marks` tells whether it is a Marking Regulation. Sentences of the
    shipped ones say numbers in it, where these `clauses` read any, and nothing else."""
    prose = chain.from_iterable(each.known for each in machinery_in(LIBRARY).values())
    listed = regulations(clauses)
    own = (known for each in listed.values() for known in each.known if not known.by_program)
    said = (replace(each, parts=()) for each in own)
    beside = next(iter(listed.values()))
    # Prose counts as carried out only where a block that is known is there, so blocks are known
    # passages, too.
    blocks = (
        KnownPassage(key_of(each.text), rule.title, by_program=True)
        for rule in library()
        for each in passages_of(rule.text)
        if each.kind is PassageKind.PROGRAM
    )
    known = (*prose, *blocks, *said)
    return replace(beside, known=known, clauses=clauses, blocks=marks, fitted=False)


@cache
def left_to_it(machinery: Machinery, columns: frozenset[str]) -> Machinery:
    """The rest of a regulation's machinery where other regulations prevail: tables that begin with
    these columns, and clauses of such."""
    return replace(
        machinery,
        tables=tuple(each for each in machinery.tables if each[0] in columns),
        clauses=tuple(each for each in machinery.clauses if each.table in columns),
    )
