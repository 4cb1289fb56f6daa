"""The Thug on paper: Stockpiles and Bribes as JSON, by the shipped text of the Thug.

For communities that play their isle elsewhere. Needs no game and no database; no Django here.
"""

from typing import Annotated, ClassVar

from pydantic import Field

from nomic.games.on_paper import (
    Belongs,
    Json,
    Otherwise,
    Shape,
    Whole,
    one_of,
    resolve_each,
    shaped,
)
from settlers.rulebook import thug_text
from settlers.rules.charts import Charts
from settlers.rules.isle import RESOURCES
from settlers.rules.thug import BribeTerms, collect_bribes
from settlers.rules.titles import THUG

MOST_ITEMS = 10**12  # of one resource in a Stockpile or a Bribe

Name = Annotated[str, Field(pattern=r"\S"), Otherwise("{} is no name.")]
Resource = Annotated[
    str, one_of(RESOURCES), Otherwise(f"{{}} is no resource; they are {', '.join(RESOURCES)}.")
]
Amount = Annotated[int, Whole(0, MOST_ITEMS)]
Items = Annotated[dict[Resource, Amount], Belongs("an object with amounts by resource")]


class SettlerGiven(Shape):
    """A Settler's Stockpile and Bribe; what is left out is empty."""

    called: ClassVar[str] = "a Settler"
    stockpile: Items = {}
    bribe: Items = {}


class Case(Shape):
    """The Settlers whom the Thug visits."""

    settlers: Annotated[dict[Name, SettlerGiven], Belongs("an object with the Settlers by name")]


def bribes(source: str) -> str:
    """The result, as JSON, of the case or list of cases in `source`; WrongOnPaper if it is none.

    The result has the Bribe Values after payment, what was really paid, the Stockpiles after it,
    in which a resource that was named stays named, and the Targets, of whom chance would choose
    the Victim.
    """
    terms = Charts.of({THUG: thug_text()}).bribes
    return resolve_each(source, lambda case, where: _result(shaped(Case, case, where), terms))


def _result(case: Case, terms: BribeTerms) -> dict[str, Json]:
    stockpiles = {name: settler.stockpile for name, settler in case.settlers.items()}
    visit = collect_bribes(
        stockpiles, {name: settler.bribe for name, settler in case.settlers.items()}, terms
    )
    return {
        "values": visit.values,
        "paid": visit.paid,
        "stockpiles": visit.stockpiles,
        "targets": list(visit.targets),
    }
