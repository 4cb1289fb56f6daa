"""The Thug on paper: Stockpiles and Bribes as JSON, by the shipped text of the Thug.

For communities that play their isle elsewhere. Needs no game and no database; no Django here.
"""

from __future__ import annotations

from nomic.games.cases import CaseWrong, Json, check_fields, is_whole, resolve_each, shown
from settlers.rulebook import thug_text
from settlers.rules.charts import THUG, charts_from
from settlers.rules.isle import RESOURCES, Items
from settlers.rules.thug import BribeTerms, thug

MOST_ITEMS = 10**12  # of one resource in a Stockpile or a Bribe


def bribes(source: str) -> str:
    """The result, as JSON, of the case or list of cases in `source`; CaseWrong if it is none.

    A case has each Settler's Stockpile and Bribe; what is left out is empty. The result has the
    Bribe Values after payment, what was really paid, the Stockpiles after it, in which a resource
    that was named stays named, and the Targets, of whom chance would choose the Victim.
    """
    terms = charts_from({THUG: thug_text()}).bribes
    return resolve_each(source, lambda given, where: _result(given, terms, where))


def _result(given: Json, terms: BribeTerms, where: str) -> dict[str, Json]:
    stockpiles, told = _settlers(given, where)
    visit = thug(stockpiles, told, terms)
    return {
        "values": visit.values,
        "paid": visit.paid,
        "stockpiles": visit.stockpiles,
        "targets": list(visit.targets),
    }


def _settlers(given: Json, where: str) -> tuple[dict[str, Items], dict[str, Items]]:
    check_fields(given, ("settlers",), where, "the case")
    if "settlers" not in given:
        raise CaseWrong(f"{where}settlers: it is missing.")
    settlers = given["settlers"]
    if not isinstance(settlers, dict):
        raise CaseWrong(
            f"{where}settlers: an object with the Settlers by name belongs here, not"
            f" {shown(settlers)}."
        )
    stockpiles: dict[str, Items] = {}
    told: dict[str, Items] = {}
    for name, own in settlers.items():
        place = f"{where}settlers.{_name(name, where)}"
        check_fields(own, ("stockpile", "bribe"), f"{place}: ", "a Settler")
        stockpiles[name] = _items(own.get("stockpile", {}), f"{place}.stockpile")
        told[name] = _items(own.get("bribe", {}), f"{place}.bribe")
    return stockpiles, told


def _name(given: str, where: str) -> str:
    """The name as a sentence has it, cut where it is long."""
    if not given.strip():
        raise CaseWrong(f"{where}settlers: {shown(given)} is no name.")
    return shown(given).strip('"')


def _items(given: Json, where: str) -> dict[str, int]:
    if not isinstance(given, dict):
        raise CaseWrong(
            f"{where}: an object with amounts by resource belongs here, not {shown(given)}."
        )
    for resource, amount in given.items():
        if resource not in RESOURCES:
            raise CaseWrong(
                f"{where}: {shown(resource)} is no resource; they are {', '.join(RESOURCES)}."
            )
        if not is_whole(amount) or not 0 <= amount <= MOST_ITEMS:
            raise CaseWrong(
                f"{where}.{resource}: a whole number from 0 to {MOST_ITEMS} belongs here, not"
                f" {shown(amount)}."
            )
    return given
