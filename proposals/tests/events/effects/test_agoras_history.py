"""A slice of Agora's history, played in order through the votes of a game."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from nomic.games.models import Game
from nomic.infrastructure.paths import ROOT
from nomic.operations import replayer
from nomic.operations.replay import Departure, replay
from nomic.operations.setup import advance
from nomic.rulebook.changes.on_paper import changes
from nomic.rulebook.changes.reading import READER
from proposals.events import adopting
from proposals.models import Errand
from proposals.tests.site import Site
from tests.kit import WEDNESDAY, at_the_table

HISTORY = ROOT.parent / "shared/corpora/agora-history/2020-2023.jsonl"
VOTERS = ("snail", "Murphy", "Madrid", "juan", "Jason", "ais523")
SLICE = 12


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


def fold(text: str) -> str:
    return " ".join(text.split())


def lay_out(game: Game, before: list[dict[str, Any]]) -> None:
    """Let the game have those rules as they were at Agora before a proposal."""
    with at_the_table(Game.objects.get(pk=game.pk)) as table:
        for rule in before:
            own = game.rules.filter(number=str(rule["number"]), repealed_in=None).first()
            if own is None:
                power = str(rule["power"] or "")
                table.rules.enact(
                    rule["title"], rule["text"], number=str(rule["number"]), power=power
                )
            elif own.text != rule["text"]:
                table.rules.amend(own.pk, rule["text"])


def titles_of(case: dict[str, Any]) -> set[str]:
    return {rule["title"].casefold() for rule in (*case["before"], *case["after"])}


@pytest.mark.thorough
@pytest.mark.skipif(not HISTORY.exists(), reason=f"there is no {HISTORY}")
def test_a_slice_of_agoras_history_comes_out_as_on_paper(game: Game):
    site = Site(game, *VOTERS)
    own = {title.casefold() for title in game.rules.values_list("title", flat=True)}
    cases = [json.loads(line) for line in HISTORY.read_text().splitlines()]
    played = [case for case in cases if case["before"] and not titles_of(case) & own][:SLICE]
    for week, case in enumerate(played, 1):
        lay_out(game, case["before"])
        line = {"id": case["id"], "body": case["body"], "rules": case["before"]}
        on_paper = json.loads(changes(json.dumps(line), confirm=True))
        proposal = site.propose("snail", case["body"], title=case["title"], index="1.0")
        site.vote(proposal, dict.fromkeys(VOTERS, "FOR"))
        advance(game.slug, WEDNESDAY + timedelta(days=8 * week))
        assert site.fresh(proposal).passed
        numbers = [str(rule["number"]) for rule in case["before"]]
        in_force = game.rules.filter(repealed_in=None)
        now = {each.number: each for each in in_force.filter(number__in=numbers)}
        kept = {str(r["number"]): r for r in on_paper["rules"] if r["number"] is not None}
        assert now.keys() == kept.keys(), case["id"]
        for number, rule in kept.items():
            assert (now[number].title, fold(now[number].text)) == (
                rule["title"],
                fold(rule["text"]),
            )
        for rule in on_paper["rules"]:
            assert rule["number"] or fold(site.text(rule["title"])) == fold(rule["text"])
        left = sum(not change["done"] for change in on_paper["changes"])
        assert Errand.objects.filter(proposal=proposal).count() == left


def test_a_replay_carries_out_what_was_read_when_it_passed(
    game: Game, monkeypatch: pytest.MonkeyPatch
):
    site = Site(game, *VOTERS)
    body = "Enact a power-2 rule titled “Tea” with the text: { Tea is served. }\n\n[Serve the tea.]"
    proposal = site.propose("snail", body, title="Tea", index="1.0")
    site.vote(proposal, dict.fromkeys(VOTERS, "FOR"))
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    assert (site.text("Tea"), game.rules.get(title="Tea").power) == ("Tea is served.\n", 2)
    for place in (adopting, replayer):  # another reader, which reads nothing in the body
        monkeypatch.setattr(place, "READER", READER + 1)
    monkeypatch.setattr(adopting, "changes_of", lambda proposal: ())
    told: list[Departure] = []
    assert replay(Game.objects.get(pk=game.pk), told)[1] is None
    assert [each.sentence for each in told] == [
        "the body of Proposal 1 would be read otherwise today."
    ]
