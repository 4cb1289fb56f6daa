"""Protection Money, adopted by vote: the Thug's machinery comes with its rows and its subrule.

The source's file is not part of the project; the twin in our own words asks for the same changes.
"""

from __future__ import annotations

import pytest

from nomic.engine.actions import find_action
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.record.models import SealedEntry
from proposals.models import Errand
from proposals.tests.site import Site, remarks_in
from settlers.api import isle_state
from settlers.models import Bribe, Isle, Settler, Visit
from settlers.rulebook import protection_money, shipped_texts
from settlers.state.reading import State, state_of
from settlers.tests.stage import give, hours, isle_of, visitor_is
from settlers.tests.thug import let_the_dice_show, source, state_for
from settlers.tests.votes import adopt
from tests.kit import WEDNESDAY, Take, at_the_table, seat

pytestmark = pytest.mark.django_db

_SETTLERS = (
    *("Kevan", "JonathanDark", "Josh", "lemonfanta"),
    *("Bucky", "Raven", "SingularByte", "Zack"),
)
_OTHERS = ("Misty", "Trapdoor", "Brendan", "Lulu", "Clucky", "Chiiika")
_THE_REAL_PASSAGE = "list containing 0 or more names of Settlers"

Two = tuple[Player, Player]


def now(game: Game) -> State:
    """The isle as somebody without a seat sees it now."""
    return state_of(glance(Game.objects.get(pk=game.pk)))


def knows_the_thug(game: Game) -> bool:
    """Whether a bribe can be told at all, as the action itself has it."""
    return not find_action("settlers.bribe").absence(glance(Game.objects.get(pk=game.pk)))


def holds_together(game: Game) -> None:
    """Audit and replay find nothing wrong."""
    game = Game.objects.get(pk=game.pk)
    assert [finding for finding in audit(game) if finding.wrong] == []
    assert replay(game)[1] is None


@pytest.mark.thorough
@pytest.mark.parametrize("real", [True, False], ids=["from its file", "the twin"])
def test_adopting_it_puts_the_thug_in_play_at_that_moment(game: Game, real: bool) -> None:
    site = Site(game, *_SETTLERS, *_OTHERS)
    body = source() if real else protection_money()
    for name in ("Kevan", "Josh", "Misty"):
        site.do(name, "settlers.join")
    hours(game, 48)
    proposal = site.propose(
        "JonathanDark", body, title="Protection Money", remarks=remarks_in(body)
    )
    site.vote(proposal, dict.fromkeys(_SETTLERS[1:], "FOR"))
    before = now(game)
    assert site.fresh(proposal).passed is None
    assert not knows_the_thug(game)
    assert (before.charts.injury_steps, before.charts.injury_bars) == ((), False)
    assert state_for(game, game.players.get(name="Kevan"))["mine"] is None

    site.vote(proposal, {"Kevan": "FOR"})

    enacted = site.fresh(proposal)
    assert enacted.reasons[0].startswith("Reached quorum 8 votes to 0")
    assert not Errand.objects.exists()
    after = now(game)
    assert knows_the_thug(game)
    assert after.charts.visitors == {4: "Thug", 5: "Merchant", 9: "Merchant", 10: "Thug"}
    assert (len(after.charts.injury_steps), after.charts.injury_bars) == (2, True)
    assert (after.charts.bribes.start, after.charts.bribes.steps) == (0, ((1, 1), (3, 2)))
    assert real == (_THE_REAL_PASSAGE in site.text("The Gift of the Isle"))
    holds_together(game)
    _the_thug_comes_and_goes(site)


def _the_thug_comes_and_goes(site: Site) -> None:
    game = site.game
    players = {name: game.players.get(name=name) for name in ("Kevan", "Josh", "Misty")}
    with at_the_table(Game.objects.get(pk=game.pk)) as table:
        give(table, players["Kevan"], wheat=4, stone=1)
        give(table, players["Josh"], wood=2)
        give(table, players["Misty"], brick=3)
    visitor_is(game, "Thug")
    site.do("Kevan", "settlers.bribe", items="3 wheat and 1 stone")
    site.do("Josh", "settlers.bribe", items="1 wood")
    site.do("Misty", "settlers.bribe", items="5 brick")
    assert state_for(game, players["Kevan"])["mine"]["bribe_value"] == 4
    hours(game, 48 + 24)
    came = game.entries.filter(name="settlers.arrival").latest("seq")
    assert came.outcome["paid"] == {
        "Josh": {"wood": 1},
        "Kevan": {"wheat": 3, "stone": 1},
        "Misty": {"brick": 3},
    }
    assert came.outcome["victims"] == ["Josh"], "Misty has nothing left, and Kevan paid more."
    visitor_is(game, "Merchant")  # whom chance may have made the Thug again
    hours(game, 24)
    assert state_for(game, players["Kevan"])["injured"] == ["Josh"]
    assert state_for(game, players["Kevan"])["victims"] == []
    with pytest.raises(AssertionError, match="Injured list"):
        site.do("Josh", "settlers.harvest")
    hours(game, 48)
    site.do("Josh", "settlers.harvest")


@pytest.fixture
def adopted(game: Game, produced: Two) -> Game:
    """The game after the twin was adopted."""
    adopt(game, protection_money())
    return game


@pytest.mark.thorough
def test_repealing_the_subrule_takes_the_thug_and_what_they_were_told_out(
    adopted: Game, produced: Two, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    murphy, _ = produced
    visit = the_thug_comes(adopted, monkeypatch)
    before = state_for(adopted, murphy)["settlers"]["Murphy"]["stockpile"]
    act(murphy, "settlers.bribe", items={"wheat": 2, "wood": 1})
    assert Bribe.objects.exists()

    adopt(adopted, "Repeal the rule “Thug”.")

    assert isle_of(adopted).visitor == "None"
    assert not Bribe.objects.exists()
    assert SealedEntry.objects.filter(game=adopted, name="settlers.bribe").count() == 1
    visit.refresh_from_db()
    assert visit.over_in is not None
    assert not knows_the_thug(adopted)
    with pytest.raises(Refused, match="the rule that would allow it is not in force"):
        act(murphy, "settlers.bribe", items={"wheat": 1})
    assert state_for(adopted, murphy)["mine"] is None
    assert state_for(adopted, murphy)["visitor"] == "None"
    hours(adopted, 48)
    arrival = adopted.entries.filter(name="settlers.arrival").latest("seq")
    assert (arrival.outcome["paid"], arrival.outcome["victims"]) == ({}, [])
    assert state_for(adopted, murphy)["settlers"]["Murphy"]["stockpile"] == before
    holds_together(adopted)


def test_the_rows_alone_bring_nobody_and_enacting_the_subrule_again_brings_the_thug_back(
    adopted: Game, produced: Two, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    murphy, _ = produced
    adopt(adopted, "Repeal the rule “Thug”.")
    let_the_dice_show(monkeypatch, 4, 6)
    hours(adopted, 24)
    arrival = adopted.entries.filter(name="settlers.arrival").latest("seq")
    assert arrival.outcome["visitor"] == "None"
    assert "No subrule of “Visitors” is titled “Thug”" in arrival.text

    text = "When 1 item is paid, add 2 to the Bribe Value for each type of item that has at least 1"
    adopt(
        adopted,
        f"Add a subrule titled “Thug” to the rule “Visitors” and give it the following text:\n"
        f"{{\n{text}\n}}",
    )
    assert knows_the_thug(adopted)
    assert isle_of(adopted).visitor == "None", "The Thug comes with an Arrival only."
    hours(adopted, 48)
    assert isle_of(adopted).visitor == "Thug"
    act(murphy, "settlers.bribe", items={"wheat": 1})
    assert state_for(adopted, murphy)["mine"] == {"bribe": {"wheat": 1}, "bribe_value": 2}


def the_thug_comes(game: Game, monkeypatch: pytest.MonkeyPatch) -> Visit:
    """Let the next Visitor Arrival, due in a day, bring the Thug."""
    let_the_dice_show(monkeypatch, 4, 6)
    hours(game, 24)
    return Visit.objects.get(game=game, over_in__isnull=True, visitor="Thug")


def test_amending_one_of_the_two_rows_leaves_the_other(
    adopted: Game, produced: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt(adopted, "In the rule “Visitors”, replace “| 4 || Thug” with “| 4 || Merchant”.")
    assert now(adopted).charts.visitors == {4: "Merchant", 5: "Merchant", 9: "Merchant", 10: "Thug"}
    let_the_dice_show(monkeypatch, 1, 3)
    hours(adopted, 24)
    assert isle_of(adopted).visitor == "Merchant"
    let_the_dice_show(monkeypatch, 5, 5)
    hours(adopted, 48)
    assert isle_of(adopted).visitor == "Thug"


def test_a_row_that_names_no_subrule_brings_nobody(
    game: Game, produced: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt(
        game,
        "In the rule “Visitors”, add the following rows to the Visitors table:\n| 7 || Whale",
    )
    let_the_dice_show(monkeypatch, 3, 4)
    hours(game, 24)
    assert isle_of(game).visitor == "None"
    arrival = game.entries.filter(name="settlers.arrival").latest("seq")
    assert "“Whale”: nobody comes" in arrival.text


def test_a_visitor_that_players_invent_comes_and_goes_without_any_machinery(
    game: Game, produced: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    adopt(
        game,
        "Add a subrule titled “Whale” to the rule “Visitors” and give it the following text:\n"
        "{ It sings. }\nIn the rule “Visitors”, add the following rows to the Visitors table:\n"
        "| 7 || Whale",
    )
    let_the_dice_show(monkeypatch, 3, 4)
    hours(game, 24)
    assert isle_of(game).visitor == "Whale"
    assert not Visit.objects.get(visitor="Whale").sealed


def test_a_rule_of_that_title_elsewhere_is_no_thug(game: Game, produced: Two) -> None:
    adopt(game, "Enact a new rule titled “Thug” and the following text: { A thug is bad. }")
    assert not knows_the_thug(game)
    assert now(game).visitor_titled("Thug") == "None"


@pytest.mark.thorough
def test_repealing_visitors_sends_the_visitor_away_and_lets_none_come(
    adopted: Game, produced: Two, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    murphy, _ = produced
    the_thug_comes(adopted, monkeypatch)
    act(murphy, "settlers.bribe", items={"wheat": 1})
    adopt(adopted, "Repeal the rule “Visitors”.")
    assert isle_of(adopted).visitor == "None"
    assert not Bribe.objects.exists()
    assert not knows_the_thug(adopted)
    arrivals = adopted.entries.filter(name="settlers.arrival").count()
    hours(adopted, 100)
    assert adopted.entries.filter(name="settlers.arrival").count() == arrivals
    production = isle_of(adopted).production
    assert production == 3

    adopt(
        adopted,
        f"Enact a new rule titled “Visitors” and the following text:\n"
        f"{{\n{shipped_texts()['Visitors']}\n}}\n"
        "Add a subrule titled “Merchant” to the rule “Visitors” and give it the following text:\n"
        f"{{\n{shipped_texts()['Merchant']}\n}}",
    )
    hours(adopted, 48)
    assert isle_of(adopted).production == production + 1
    assert adopted.entries.filter(name="settlers.arrival").count() > arrivals
    holds_together(adopted)


@pytest.mark.thorough
@pytest.mark.parametrize("title", ["The Dice Deck", "The Gift of the Isle"])
def test_the_isle_stands_still_without_its_rules_and_goes_on_when_they_return(
    game: Game, produced: Two, act: Take, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    murphy, _ = produced
    let_the_dice_show(monkeypatch, 4, 5)
    hours(game, 24)
    assert isle_of(game).visitor == "Merchant"
    adopt(game, f"Repeal the rule “{title}”.")
    assert not now(game).is_on
    assert isle_state(glance(Game.objects.get(pk=game.pk)), murphy) is None
    assert isle_of(game).visitor == "None"
    hours(game, 200)
    assert isle_of(game).production == 1
    for action in ("settlers.harvest", "settlers.ready", "settlers.join"):
        with pytest.raises(Refused, match="not in force"):
            act(murphy, action)

    text = shipped_texts()[title]
    adopt(game, f"Enact a new rule titled “{title}” and the following text:\n{{\n{text}\n}}")
    assert now(game).is_on
    act(murphy, "settlers.harvest")
    hours(game, 0)
    assert isle_of(game).production == 2, "What is overdue happens when the rules are back."
    hours(game, 48)
    assert isle_of(game).production == 3
    holds_together(game)


@pytest.mark.thorough
def test_a_game_that_starts_with_proposals_alone_brings_the_isle_in_by_a_vote() -> None:
    game = new_game("bare", "agora-proposals", pace="manual", start=WEDNESDAY)[0]
    players = [seat(game, name) for name in ("Murphy", "Madrid", "snail")]
    texts = shipped_texts()
    body = "\n\n".join(
        f"Add a subrule titled “{title}” to the rule “Visitors” and give it the following"
        f" text:\n\n{{\n{text}\n}}"
        if title == "Merchant"
        else f"Enact a new rule titled “{title}” and the following text:\n\n{{\n{text}\n}}"
        for title, text in texts.items()
    )
    entry = take(game.slug, players[0], "proposals.submit", {"body": body}).entry
    for player in players:
        vote = {"proposal": entry.outcome["proposal"], "choice": "FOR"}
        take(game.slug, player, "proposals.vote", vote)
    assert not Isle.objects.exists()
    hours(game, 24 * 7 + 1)
    isle = isle_of(game)
    assert isle.is_on
    assert set(game.offices.values_list("name", flat=True)) >= {"Onlooker"}
    take(game.slug, players[2], "games.take_office", {"office": "Onlooker"})
    for player in players[:2]:
        take(game.slug, player, "settlers.join")
    hours(game, 48)
    assert Settler.objects.filter(game=game).count() == 2
    assert isle_of(game).production >= 1
    take(game.slug, players[0], "settlers.harvest")
    holds_together(game)
