"""Cases of Agora of 2021 to 2023, called and judged by hand in a game with the rules of that time
and the shipped law of cases, to the verdict and the annotation (cases_of_agora.toml)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from bench.years.reading import read_year, rulebook_of
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from nomic.rulebook.passages import passages_of
from tests.kit import user_of

YEAR = Path(__file__).parents[2] / "shared" / "corpora" / "agora-years" / "2021"
CASES = tomllib.loads(Path(__file__).with_name("cases_of_agora.toml").read_text())["case"]
ARBITOR = "Aspen"
API = "/api/v1/games/agora"
DAY = timedelta(days=1)

type By = Callable[..., Any]


def people(cases: Iterable[Mapping[str, Any]]) -> list[str]:
    """Everybody who called, judged, argued or was barred in these cases, with the Arbitor."""
    names = {ARBITOR}
    for case in cases:
        names |= {case[key] for key in ("by", "judge", "argued_by", "barred") if key in case}
        names |= {*case.get("recused", ()), *case.get("reopened_by", ())}
        names |= {case["then_assigned_to"]} if "then_assigned_to" in case else set()
    return sorted(names)


@pytest.fixture
def by(game: Game) -> By:
    """Lets somebody of the cast act, by name; returns the entry's figures."""

    def act(name: str, action: str, **inputs: Any) -> Any:
        return take(game.slug, game.players.get(name=name), action, inputs).entry.outcome

    return act


@pytest.fixture
def game(db: None) -> Game:
    """A game with the rules of Agora as 2021 ended, in which everybody of the cases sits."""
    start = datetime(2021, 1, 1, tzinfo=UTC)
    year = read_year(YEAR)
    told = json.loads((YEAR / "rules-after.json").read_text())
    brought = rulebook_of(replace(year, before=year.after or {}, brought=told))
    game, _ = new_game(
        "agora", "nomic", pace="manual", start=start, offices="open", brought=brought
    )
    for name in people(CASES):
        take(game.slug, user_of(name), "games.join", {"name": name})
    return game


def later(game: Game, length: timedelta) -> None:
    game.refresh_from_db()
    advance(game.slug, game.last_at + length)


def sentence(game: Game, rule: str, begins: str) -> dict[str, str]:
    """The sentence of that rule which begins so, as a judgement names it."""
    passages = passages_of(glance(game).rules.find_rule(rule).text)
    (text,) = (it.text for it in passages if " ".join(it.text.split()).startswith(begins))
    return {"rule": rule, "passage": text}


def judged(game: Game, by: By, number: int, case: Mapping[str, Any]) -> None:
    """Call that case, assign it, argue and judge it, as it went."""
    barred = {"barred": case["barred"]} if "barred" in case else {}
    by(case["by"], "cases.call", statement=case["statement"], **barred)
    if "argued" in case:
        by(case["argued_by"], "cases.argue", case=number, arguments=case["argued"])
    for name in case.get("recused", ()):
        by(ARBITOR, "cases.assign", case=number, judge=name)
        by(name, "cases.recuse", case=number)
    by(ARBITOR, "cases.assign", case=number, judge=case["judge"])
    passages = [sentence(game, *read) for read in case["reads"]]
    verdict = {"verdict": case["verdict"], "reasons": case["reasons"]}
    by(case["judge"], "cases.judge", case=number, **verdict, passages=passages)


def opened_again(by: By, number: int, case: Mapping[str, Any]) -> None:
    """Open its judgement again by support, and assign it to somebody else."""
    for name in case["reopened_by"]:
        by(name, "cases.file", case=number, motion="Reconsider by support")
    by(case["judge"], "cases.recuse", case=number)
    by(ARBITOR, "cases.assign", case=number, judge=case["then_assigned_to"])


@pytest.mark.thorough
@pytest.mark.skipif(not YEAR.exists(), reason="the rules of 2021 are not beside this repository")
@pytest.mark.django_db(transaction=True)
def test_cases_of_agora_are_judged_to_the_verdict_and_the_annotation(
    game: Game, by: By, client: Client
) -> None:
    by(ARBITOR, "games.take_office", office="Arbitor")
    for number, case in enumerate(CASES, 1):
        judged(game, by, number, case)
        if "reopened_by" in case:
            opened_again(by, number, case)
        later(game, 4 * DAY)

    told = {case["number"]: case for case in client.get(f"{API}/cases").json()}
    rules = {rule["number"]: rule for rule in client.get(f"{API}/rules").json()}
    noted = {
        (note["label"], rule["title"], passage["text"]): note["text"]
        for rule in rules.values()
        for passage in rule["passages"]
        for note in passage.get("notes", ())
    }
    wrong = []
    for number, case in enumerate(CASES, 1):
        is_open = "reopened_by" in case
        judge = case["then_assigned_to"] if is_open else case["judge"]
        verdict = None if is_open else case["verdict"]
        if (told[number]["judge"], told[number]["verdict"] or None) != (judge, verdict):
            wrong.append((case["number"], told[number]))
        for read in case["reads"]:
            named = sentence(game, *read)
            note = noted.get((f"Case {number}", named["rule"], named["passage"]))
            if note != f"This sentence was read in Case {number} ({verdict}).":
                wrong.append((case["number"], note))
    assert wrong == []
    assert [finding for finding in audit(game) if finding.wrong] == []
    game.refresh_from_db()
    assert replay(game)[1] is None
