"""The three real proposals are adopted from their own files, through the site, and take effect.

Their files are not part of the project; without them the twins in our own words, which ask for the
same changes, show the same.
"""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from horses.api import horses_state
from horses.rulebook import shipped_texts
from horses.rules.charts import TITLES
from horses.subgame import THE_RACES
from nomic.engine.coverage import unfitted
from nomic.engine.table import glance
from nomic.games.models import Game
from nomic.ledger.models import Balance
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Errand, Proposal
from proposals.tests.site import Site, remarks_in
from settlers.rulebook import protection_money
from tests.kit import WEDNESDAY

_SEEDS = Path(__file__).parents[5] / "shared/seeds"
_RACING_TWIN = "\n\n".join(
    f'Enact a new rule with title "{title}" and the following text:\n\n{{\n{text}\n}}'
    for title, text in shipped_texts().items()
)
_REFRESH_TWIN = """{{
Replace the text of rule 2-2 with:
{{
A proposal is what somebody proposes. { It may hold braces. }
Everything else stays as the players have always done it.
}}
Give Peter 5 points.
}}
"""


REAL_OR_TWIN = pytest.mark.parametrize(
    "real",
    [
        pytest.param(True, id="from its file", marks=pytest.mark.slow),
        pytest.param(False, id="the twin"),
    ],
)


def source(number: str) -> str:
    """The text of a source file; the test is skipped where it is not there."""
    found = sorted(_SEEDS.glob(f"{number}_*.txt"))
    if not found:
        pytest.skip("the source documents are not beside the project")
    return found[0].read_text(encoding="utf-8")


@pytest.fixture
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def holds_together(game: Game) -> None:
    """Audit and replay find nothing wrong."""
    game = Game.objects.get(pk=game.pk)
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


def not_carried_out(game: Game) -> list[str]:
    """What its rules say of which the site does not say who carries it out."""
    return [each.quoted for each in unfitted(glance(Game.objects.get(pk=game.pk)))]


# Agora, Proposal 8822

_VOTERS = ("snail", "Murphy", "Madrid", "juan", "Jason", "ais523")


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["agora-proposals"], indirect=True)
@REAL_OR_TWIN
def test_proposal_8822_is_adopted_twelve_to_six_and_the_races_begin(game: Game, real: bool) -> None:
    site = Site(game, *_VOTERS)
    body, votes = _RACING_TWIN, dict.fromkeys(_VOTERS[:4], "FOR")
    votes |= dict.fromkeys(_VOTERS[4:], "AGAINST")
    if real:
        header, body = source("000").split("Co-authors: Murphy", 1)
        votes = dict(_named(header, "FOR")) | dict(_named(header, "AGAINST"))
        assert len(votes) == 6
    assert horses_state(glance(game)) is None

    proposal = site.propose("snail", body, title="Horse Racing", index="1.0", coauthors="Murphy")
    site.vote(proposal, votes)
    advance(game.slug, WEDNESDAY + timedelta(days=7))

    adopted = site.fresh(proposal)
    assert (adopted.outcome, adopted.passed) == ("ADOPTED", True)
    assert adopted.figures["popularity"] == 0.333
    assert any("12/6" in reason for reason in adopted.reasons)
    rules = game.rules.filter(enacted_in=adopted.closed_in).values_list("title", flat=True)
    assert set(rules) == set(TITLES)
    assert THE_RACES.is_on(game)
    assert not Errand.objects.exists()
    assert not_carried_out(game) == []
    _play_a_week_of_races(site)
    holds_together(game)


def _named(header: str, word: str) -> list[tuple[str, str]]:
    names = re.search(rf"^{word} \(\d+\): (.+)$", header, re.MULTILINE)
    assert names is not None
    return [(name.strip(), word) for name in names[1].split(",")]


def _play_a_week_of_races(site: Site) -> None:
    """The new rules' own charts are played by."""
    game = Game.objects.get(pk=site.game.pk)
    site.do("Murphy", "horses.buy", horse="Alexia")
    site.do("Madrid", "horses.bet", horse="Fargo", dollaries="3")
    site.do("snail", "horses.motivate")
    told = horses_state(glance(game))
    assert told is not None
    assert (told["race"], told["horses"]["Alexia"]["owner"]) == (1, "Murphy")
    assert told["horses"]["Rubert"]["cost"] == 4
    held = Balance.objects.filter(asset__game=game, asset__name="dollary")
    amounts = dict(held.values_list("holder__name", "amount"))
    assert (amounts["Murphy"], amounts["Madrid"], amounts["juan"]) == (0, 7, 10)
    advance(game.slug, WEDNESDAY + timedelta(days=14))
    assert game.entries.filter(name="horses.run", outcome__ran=True).exists()


# B Nomic, the Refresh draft


@pytest.mark.parametrize("preset", ["b-nomic-2006"], indirect=True)
@REAL_OR_TWIN
def test_the_refresh_draft_replaces_rule_2_2_and_gives_peter_five_points(
    game: Game, real: bool
) -> None:
    site = Site(game, "Wonko", "Peter", "Iris")
    body = source("001") if real else _REFRESH_TWIN
    proposal = site.propose("Wonko", body, title="Refresh Prop", remarks=remarks_in(body))
    advance(game.slug, WEDNESDAY + timedelta(days=8))
    site.vote(proposal, {"Wonko": "FOR", "Peter": "FOR", "Iris": "ABSTAIN"})
    advance(game.slug, WEDNESDAY + timedelta(days=12))

    passed = site.fresh(proposal)
    assert (passed.success, passed.passed, passed.strength) == ("Won", True, 2)
    rule = game.rules.get(number="2-2")
    assert rule.version == 2
    assert rule.text.startswith("== Proposals ==" if real else "A proposal is what")
    assert "Peter" not in rule.text
    assert Balance.objects.get(holder__name="Peter", asset__name="points").amount == 5
    assert not Errand.objects.exists()
    assert bool(not_carried_out(game)) != real

    following = site.propose("Iris", "Give Iris 1 point.")
    assert following.number == (passed.number or 0) + 1
    advance(game.slug, WEDNESDAY + timedelta(days=20))
    site.vote(following, {"Iris": "FOR"})
    advance(game.slug, WEDNESDAY + timedelta(days=24))
    assert site.fresh(following).passed
    holds_together(game)


# BlogNomic, Protection Money

_SETTLERS = (
    "Kevan",
    "JonathanDark",
    "Josh",
    "lemonfanta",
    "Bucky",
    "Raven",
    "SingularByte",
    "Zack",
)
_OTHERS = ("Misty", "Trapdoor", "Brendan", "Lulu", "Clucky", "Chiiika")


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["blognomic"], indirect=True)
@REAL_OR_TWIN
def test_protection_money_reaches_quorum_eight_to_nothing_and_does_its_four_changes(
    game: Game, real: bool
) -> None:
    site = Site(game, *_SETTLERS, *_OTHERS)
    before = {title: site.text(title) for title in ("The Gift of the Isle", "Visitors")}
    body = source("003") if real else protection_money()
    proposal = site.propose(
        "JonathanDark", body, title="Protection Money", remarks=remarks_in(body)
    )
    site.vote(proposal, dict.fromkeys(_SETTLERS[1:], "FOR"))
    assert site.fresh(proposal).passed is None
    site.vote(proposal, {"Kevan": "FOR"})

    enacted = site.fresh(proposal)
    assert enacted.passed
    assert enacted.reasons[0].startswith("Reached quorum 8 votes to 0")
    gift, deck, visitors = (
        site.text(title) for title in ("The Gift of the Isle", "The Dice Deck", "Visitors")
    )
    assert gift != before["The Gift of the Isle"]
    assert ("“Injured” and “Victims”" if real else "unless they are Injured:") in gift
    assert [line for line in deck.splitlines() if line.startswith("* ")][-2:] == (
        [
            "* Set the Injured list to contain the same values as the Victims list",
            "* Set the Victims list to empty",
        ]
        if real
        else [
            "* Let the Injured be those who are the Victims",
            "* Let there be no Victims any more",
        ]
    )
    assert visitors.count("|| Thug") == 2
    assert before["Visitors"].rstrip() in visitors
    thug = game.rules.get(title="Thug")
    assert thug.parent is not None
    assert thug.parent.title == "Visitors"
    assert not Errand.objects.exists()
    assert [each for each in not_carried_out(game) if "“Thug”" not in each] == []
    assert Proposal.objects.get().closed_in == Game.objects.get(pk=game.pk).last_entry
    holds_together(game)
