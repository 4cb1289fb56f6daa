"""The report of a recalculation as it is voted on: a text that says all that will be made."""

import hashlib
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import Field, StrictInt, TypeAdapter, ValidationError, with_config

from nomic.games.wording import first_of
from nomic.record.canonical import canonical_json
from nomic.rulebook.charts import cut

FORMAT: Literal["recalculation 1"] = "recalculation 1"
_MOST = 10**15
_MOST_TOLD = 30  # balances, switches and rules that an announcement names
_LONGEST_VALUE = 80  # characters of each
Amount = Annotated[StrictInt, Field(ge=0, le=_MOST)]


class Makes(TypedDict):
    """The changes that are made: each with how it was as of the report, and how it is to be."""

    balances: list[tuple[str, str, Amount, Amount]]  # holder, asset, was, is to be
    switches: list[tuple[str, str, str, str]]  # switch, whose, was, is to be
    rules: list[tuple[str, str | None, str | None]]  # title, text as it was, as it is to be


class Ratifiable(TypedDict):
    """A report as it is voted on. `rest` is the hash of what it tells beside; `late` is there where
    a program was late in it, so that another machine may find other things."""

    format: Literal["recalculation 1"]
    game: str
    as_of: StrictInt
    head: str
    revision: dict[str, Any]
    makes: Makes
    rest: str
    late: NotRequired[Literal[True]]


_REPORT: TypeAdapter[Ratifiable] = TypeAdapter(with_config(extra="forbid")(Ratifiable))


def written(report: Ratifiable) -> str:
    """The text of a report: canonical JSON (RFC 8785)."""
    return canonical_json(report).decode()


def hash_of(text: str) -> str:
    """By which a report of that text is named: SHA-256, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def read(text: str) -> Ratifiable | None:
    """The report of that text; None where it is none."""
    try:
        return _REPORT.validate_json(text)
    except ValidationError:
        return None


def parsed(text: str) -> Ratifiable:
    """The report of a text that is one."""
    return _REPORT.validate_json(text)


def entry_revised(report: Ratifiable) -> int:
    """The number of the entry from which it recalculates; 0 where it names none."""
    told = report["revision"]
    found = told.get("strike", told.get("change", told.get("after")))
    return found if isinstance(found, int) else 0


def told(report: Ratifiable) -> str:
    """The change that a report makes to the past, as part of a sentence."""
    entry, act = entry_revised(report), report["revision"].get("insert")
    if isinstance(act, dict):
        return f"with {act.get('name')} by {act.get('actor') or 'the operator'} after entry {entry}"
    other = "with other inputs in" if "change" in report["revision"] else "without"
    return f"{other} entry {entry}"


def counted(makes: Makes) -> str:
    """The numbers of balances, switches and rules that are changed, as part of a sentence."""
    words = (("balances", "balance"), ("switches", "switch"), ("rules", "rule"))
    numbers = [(len(makes[many]), one, many) for many, one in words]  # type: ignore[literal-required]
    parts = [f"{number} {one if number == 1 else many}" for number, one, many in numbers]
    return f"{parts[0]}, {parts[1]} and {parts[2]}"


def amounts(makes: Makes) -> str:
    """The changes that are made, one by one, as part of a sentence."""
    named = [
        f"{holder} has {wanted:,} {asset} and not {was:,}"
        for holder, asset, was, wanted in makes["balances"]
    ]
    named += [
        f"{name} of {subject or 'the game'} is {cut(value, _LONGEST_VALUE)} and not"
        f" {cut(was, _LONGEST_VALUE)}"
        for name, subject, was, value in makes["switches"]
    ]
    for title, was_text, text in makes["rules"]:
        verb = "repealed" if text is None else "amended" if was_text is not None else "enacted"
        named.append(f"“{cut(title, _LONGEST_VALUE)}” is {verb}")
    return first_of(named, _MOST_TOLD)
