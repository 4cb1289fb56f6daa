"""The sentences of the isle's rules that say numbers: those of the Thug (Protection Money)."""

from nomic.rulebook.clauses import Clause
from settlers.rules.titles import THUG

BRIBES = ("ITEMS OF ONE TYPE", "ADDED")
BEGINNING = ("BRIBE VALUE", "NUMBER")

CLAUSES = (
    Clause(
        THUG,
        BRIBES[0],
        "{n}",
        BRIBES[1],
        ("add {m} to the bribe value for each type of item … at least {n}…",),
        "{m}",
    ),
    Clause(
        THUG,
        BEGINNING[0],
        "At first",
        BEGINNING[1],
        (
            "(start|starts|begin|begins) (with|at) {n}",
            "(start|starts|begin|begins) (with|at) a bribe value of {n}",
        ),
    ),
)
