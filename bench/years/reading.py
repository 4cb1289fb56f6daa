"""A folder in the shape of the corpus of Agora's years, read whole before anything is played."""

import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any

from bench.years.values import (
    ADOPTED,
    Distribution,
    RecordedChange,
    Year,
    YearBallot,
    YearProposal,
    YearRule,
)
from nomic.rulebook.formats.checking import Findings
from nomic.rulebook.formats.values import Brought
from nomic.rulebook.limits import LONGEST_TITLE

_WORDS = ("FOR", "AGAINST", "PRESENT")
_MOST_NUMBER = 999_999_999
_MOST_QUORUM = 100_000
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
_MOST_TOLD = 5
_BEFORE = "rules-before.json"
_CALLED: dict[type, str] = {list: "list", str: "text"}
_BARE = ("number", "title", "power", "text", "category")


class BadYear(ValueError):
    """A folder holds no year that can be played; the sentence says where."""


def read_year(folder: Path) -> Year:
    """The year in that folder; raises BadYear."""
    if not folder.is_dir():
        raise BadYear(f"There is no folder {folder}.")
    brought = _of(list, _json(folder / _BEFORE), _BEFORE)
    before = _rules(brought, _BEFORE)
    distributions = _distributions(folder / "distributions.jsonl")
    numbers = {each.number for one in distributions for each in one.proposals}
    steps = [_step(*line, numbers) for line in _lines(folder / "steps.jsonl")]
    there = set(before)
    for step in steps:
        for number in step.gone:
            if number not in there:
                raise BadYear(f"{step.where}: Rule {number} is gone by it, and is not in force.")
        there = (there | {rule.number for rule in step.rules}) - set(step.gone)
    after = folder / "rules-after.json"
    months = [each.resolved for each in distributions] + [each.recorded for each in steps]
    begins = [int(month[:4]) for month in months if _MONTH.match(month)]
    if not begins:
        raise BadYear(f"{folder.name}: nothing in it tells of which year it is.")
    return Year(
        name=folder.resolve().name,
        begins=min(begins),
        brought=brought,
        before=before,
        after=_rules(_of(list, _json(after), after.name), after.name) if after.exists() else None,
        distributions=distributions,
        steps=steps,
    )


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadYear(f"{file.name}: the folder has no such file.") from None
    except (OSError, ValueError, RecursionError) as wrong:
        raise BadYear(f"{file.name}: this is not JSON: {wrong}.") from None


def _lines(file: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects of a file that has one a line, each with where it stands."""
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        raise BadYear(f"{file.name}: the folder has no such file.") from None
    except (OSError, ValueError) as wrong:
        raise BadYear(f"{file.name}: this cannot be read: {wrong}.") from None
    for number, line in enumerate(lines, 1):
        where = f"{file.name}, line {number}"
        if not line.strip():
            continue
        try:
            told = json.loads(line)
        except (ValueError, RecursionError) as wrong:
            raise BadYear(f"{where}: this is not JSON: {wrong}.") from None
        if not isinstance(told, dict):
            raise BadYear(f"{where}: an object belongs here.")
        yield told, where


def _of[Kind](kind: type[Kind], value: Any, where: str) -> Kind:
    """The value, which has to be of that kind; nothing is an empty one."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise BadYear(f"{where}: a {_CALLED[kind]} belongs here.")
    return value


def _line(value: Any, where: str) -> str:
    return " ".join(_of(str, value, where).split())


def _number(value: Any, where: str, most: int = _MOST_NUMBER) -> int:
    is_whole = isinstance(value, int) or (isinstance(value, str) and value.isdecimal())
    if isinstance(value, bool) or not is_whole or not 0 <= int(value) <= most:
        raise BadYear(f"{where}: a whole number belongs here.")
    return int(value)


def _decimal(value: Any, where: str) -> Decimal | None:
    """The number; None where there is none (null, “none”)."""
    if value is None or (isinstance(value, str) and value.strip().casefold() in ("", "none")):
        return None
    try:
        found = Decimal(str(value).strip())
    except InvalidOperation:
        found = Decimal("NaN")
    if isinstance(value, bool) or not found.is_finite() or not 0 <= found < 1000:
        raise BadYear(f"{where}: a number belongs here.")
    return found


# Rules and steps


def _rules(told: Sequence[Any], where: str) -> dict[str, YearRule]:
    found: dict[str, YearRule] = {}
    for each in told:
        if not isinstance(each, dict) or isinstance(each.get("number"), bool | type(None)):
            raise BadYear(f"{where}: a rule is an object with number, title, power and text.")
        number = str(each["number"]).strip()
        at = f"{where}: Rule {number}"
        power = _decimal(each.get("power"), f"{at}: its power")
        rule = YearRule(
            number=number,
            title=_line(each.get("title"), f"{at}: its title")[:LONGEST_TITLE] or f"Rule {number}",
            power=None if power is None else round(power, 3),
            text=_of(str, each.get("text"), f"{at}: its text"),
        )
        if number in found:
            raise BadYear(f"{at} stands there twice.")
        found[number] = rule
    return found


def _step(told: dict[str, Any], where: str, numbers: set[int]) -> RecordedChange:
    named = [_number(each, where) for each in _of(list, told.get("proposals"), where)]
    return RecordedChange(
        recorded=_of(str, told.get("recorded") or told.get("date"), where),
        cause=_line(told.get("cause"), where),
        caused_by=[each for each in dict.fromkeys(named) if each in numbers],
        rules=list(_rules(_of(list, told.get("rules"), where), where).values()),
        gone=[str(each) for each in _of(list, told.get("gone"), where)],
        where=where,
    )


# Distributions


def _distributions(file: Path) -> list[Distribution]:
    found: list[Distribution] = []
    names: dict[str, str] = {}
    decided: dict[int, tuple[str, str]] = {}
    for told, where in _lines(file):
        quorum = told.get("quorum")
        one = Distribution(
            name=_line(told.get("name"), where) or where,
            resolved=_of(str, told.get("resolved"), where),
            quorum=0 if quorum is None else _number(quorum, f"{where}: the quorum", _MOST_QUORUM),
            proposals=[_proposal(each, where) for each in _of(list, told.get("proposals"), where)],
            where=where,
        )
        if one.name in names:
            raise BadYear(
                f"{where}: the distribution “{one.name}” stands in {names[one.name]} already."
            )
        names[one.name] = where
        for each in one.proposals:
            outcome, before = decided.get(each.number, ("", ""))
            if outcome == ADOPTED or before == where:
                raise BadYear(f"{where}: Proposal {each.number} was decided in {before} already.")
            decided[each.number] = each.outcome, where
        found.append(one)
    return found


def _proposal(told: Any, where: str) -> YearProposal:
    if not isinstance(told, dict):
        raise BadYear(f"{where}: a proposal is an object with number, text and ballots.")
    number = _number(told.get("number"), f"{where}: a proposal's number")
    at = f"{where}: Proposal {number}"
    ballots = [_ballot(each, number, at) for each in _of(list, told.get("ballots"), at)]
    voters: set[str] = set()
    for each in ballots:
        if each.voter in voters:
            raise BadYear(f"{at}: it has two ballots of {each.voter}.")
        voters.add(each.voter)
    index = _decimal(told.get("ai"), f"{at}: its adoption index")
    decided_by = _decimal(told.get("decision_ai"), f"{at}: the index of its decision")
    return YearProposal(
        number=number,
        title=_line(told.get("title"), at),
        index=decided_by if index is None else index,
        decided_by=index if decided_by is None else decided_by,
        author=_line(told.get("author"), at),
        coauthors=[_line(each, at) for each in _of(list, told.get("coauthors"), at)],
        proposal_class=_line(told.get("class"), at),
        text=_of(str, told.get("text"), at),
        ballots=ballots,
        outcome=_line(told.get("outcome"), at).casefold(),
    )


def _ballot(told: Any, number: int, where: str) -> YearBallot:
    if not isinstance(told, dict):
        raise BadYear(f"{where}: a ballot is an object with voter and vote.")
    if told.get("proposal", number) != number:
        raise BadYear(f"{where}: a ballot there is on Proposal {told['proposal']}.")
    voter = _line(told.get("voter"), where)
    if not voter:
        raise BadYear(f"{where}: a ballot there has no voter.")
    word = _line(told.get("vote"), where).upper()
    if word not in _WORDS:
        raise BadYear(f"{where}: the ballot of {voter} is none of {', '.join(_WORDS)}.")
    strength = _decimal(told.get("strength"), f"{where}: the strength of {voter}")
    return YearBallot(
        voter=voter,
        word=word,
        strength=None if strength is None else Fraction(strength),
        endorses=_line(told.get("endorses"), where),
        condition=_line(told.get("conditional"), where),
    )


def rulebook_of(year: Year) -> Brought:
    """The rules at the year's beginning, with what was told of them; a history that cannot be
    understood is left out. Raises BadYear."""
    findings = Findings(as_told=True)
    for told, rule in zip(year.brought, year.before.values(), strict=True):
        power = "" if rule.power is None else f"{rule.power.normalize():f}"
        own = {**told, "title": rule.title, "text": rule.text, "power": power}
        bare = {name: own[name] for name in _BARE if name in own}
        tried = Findings(as_told=True)
        tried.add(own, _BEFORE)
        findings.add(bare if tried.faults else own, _BEFORE)
    brought = findings.brought()
    if brought.faults:
        raise BadYear(" ".join(brought.faults[:_MOST_TOLD]))
    return brought
