"""The players' own words: what was and is said on the lists of Agora, B Nomic and BlogNomic."""

from __future__ import annotations

from typing import Any

import pytest

from nomic.engine.actions import Action, NewcomerAction, all_actions
from nomic.engine.forms import ActionForm
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.web.announcement import suggestions, understood_acts
from tests.kit import WEDNESDAY, Visitor, seat

RACES: list[tuple[str, str, dict[str, str]]] = [
    ("I gain 4 dollaries", "gain_dollaries", {}),
    ("I gain 4 dollaries by announcement.", "gain_dollaries", {}),
    ("I gain four dollaries via Alexia's power", "gain_dollaries", {"via_alexia": "on"}),
    ("As promised: I get 4 dollaries", "", {}),
    ("I bet 3 dollaries on Fargo", "bet", {"dollaries": "3", "horse": "Fargo"}),
    (
        "I bet 3 dollaries on Fargo via Alexia's power",
        "bet",
        {"dollaries": "3", "horse": "Fargo", "via_alexia": "on"},
    ),
    (
        "I bet 2 dollaries on Sugar by paying a fee of 2 dollaries.",
        "bet",
        {"dollaries": "2", "horse": "Sugar"},
    ),
    (
        "I hereby pay a fee of 1 dollary to bet 1 dollary on Nacho",
        "bet",
        {"dollaries": "1", "horse": "Nacho"},
    ),
    ("I'd like to bet one dollary on Rubert", "bet", {"dollaries": "1", "horse": "Rubert"}),
    ("I put 3 dollaries on Cannon", "bet", {"dollaries": "3", "horse": "Cannon"}),
    ("I place a bet of 2 dollaries on Alexia", "bet", {"dollaries": "2", "horse": "Alexia"}),
    ("I bet 3 on Baxter", "bet", {"dollaries": "3", "horse": "Baxter"}),
    ("Bet on Fargo", "bet", {"horse": "Fargo"}),
    ("I get a helmet for Fargo by paying 1 hoof", "get_helmet", {"horse": "Fargo"}),
    ("I pay 1 hoof to get a helmet for Sugar", "get_helmet", {"horse": "Sugar"}),
    ("I buy a helmet for Destructor for 1 hoof", "get_helmet", {"horse": "Destructor"}),
    (
        "I get a jersey for Alexia, adding Baxter to its pull, by paying 1 hoof",
        "get_jersey",
        {"horse": "Alexia", "added_pull": "Baxter"},
    ),
    (
        "I get a jersey for Fargo, specifying Sugar to be added to its pull",
        "get_jersey",
        {"horse": "Fargo", "added_pull": "Sugar"},
    ),
    ("I buy Fargo", "buy", {"horse": "Fargo"}),
    ("I buy Fargo for 6 dollaries", "buy", {"horse": "Fargo"}),
    (
        "I transfer Sugar from Agora to myself by paying a fee of 4 dollaries",
        "buy",
        {"horse": "Sugar"},
    ),
    ("I transfer Sugar, owned by Agora, to myself", "buy", {"horse": "Sugar"}),
    (
        "I increase Fargo's Race Position by 1, twice",
        "nudge",
        {"horse": "Fargo", "direction": "forward"},
    ),
    (
        "I pay 3 hooves to increase Fargo’s Race Position by 1, twice.",
        "nudge",
        {"horse": "Fargo", "direction": "forward"},
    ),
    (
        "I decrease the Race Position of Nacho by 1, twice, by paying 3 hooves",
        "nudge",
        {"horse": "Nacho", "direction": "back"},
    ),
    ("I nudge Cannon back", "nudge", {"horse": "Cannon", "direction": "back"}),
    ("I use Cannon's power", "cannon_power", {}),
    ("I increase Cannon's Race Position by 1 by announcement", "cannon_power", {}),
    ("I use Destructor's power on Sugar", "destructor_power", {"horse": "Sugar"}),
    (
        "I decrease Sugar's Race Position by 1, twice, via Destructor's power",
        "destructor_power",
        {"horse": "Sugar"},
    ),
    (
        "I get a helmet for and bet 2 dollaries on Alexia by paying 1 hoof",
        "fargo_power",
        {"horse": "Alexia"},
    ),
    (
        "I bet 3 dollaries on Sugar via Rubert's power",
        "rubert_power",
        {"horse": "Sugar", "dollaries": "3"},
    ),
    (
        "I get a helmet for and increase the Race Position of Nacho by 1, by paying 1 hoof",
        "sugar_power",
        {"horse": "Nacho"},
    ),
    (
        "I get a jersey for Fargo, adding Sugar to Baxter's pull, through Nacho's power",
        "nacho_power",
        {"horse": "Fargo", "added_pull": "Sugar", "pulling_horse": "Baxter"},
    ),
    ("I motivate the horses", "motivate", {}),
    ("I motivate the horses this week", "motivate", {}),
    ("I transfer Fargo to Madrid", "transfer", {"horse": "Fargo", "to": "Madrid"}),
    ("I give Madrid Fargo", "transfer", {"horse": "Fargo", "to": "Madrid"}),
]
VOTES: list[tuple[str, str, dict[str, str]]] = [
    ("I vote FOR 1", "vote", {"choice": "FOR", "proposal": "1"}),
    ("I vote FOR Proposal 1", "vote", {"choice": "FOR", "proposal": "Proposal 1"}),
    ("I vote AGAINST on proposal 1.", "vote", {"choice": "AGAINST", "proposal": "proposal 1"}),
    ("I cast a vote AGAINST 1", "vote", {"choice": "AGAINST", "proposal": "1"}),
    ("FOR on 1", "vote", {"choice": "FOR", "proposal": "1"}),
    ("FOR 1", "vote", {"choice": "FOR", "proposal": "1"}),
    ("I vote as follows: 1 FOR", "vote", {"choice": "FOR", "proposal": "1"}),
    ("I cast my votes as follows: 1 FOR", "vote", {"choice": "FOR", "proposal": "1"}),
    ("I endorse Madrid on 1", "vote", {"choice": "endorse Madrid", "proposal": "1"}),
    ("I withdraw proposal 1", "withdraw", {"proposal": "1"}),
    ("I submit the following proposal", "submit", {}),
]
ISLE: list[tuple[str, str, dict[str, str]]] = [
    ("I harvest the crops", "harvest", {}),
    ("I collect my resources", "harvest", {}),
    ("I build a Farm on the isle", "build", {"building": "Farm"}),
    ("I exchange 3 brick for 1 wheat", "swap_with_merchant", {"give": "brick", "take": "wheat"}),
    (
        "I trade 1 wheat for 1 stone with Madrid",
        "offer_trade",
        {"to": "Madrid", "give": "1 wheat", "take": "1 stone"},
    ),
    ("I am Ready", "ready", {}),
]
CONTEST: list[tuple[str, str, dict[str, str]]] = [
    ("I join the contest", "join", {}),
    ("I become a contestant", "join", {}),
    ("I transfer 1 Red card to Madrid", "transfer", {"cards": "1 Red", "to": "Madrid"}),
    ("I give Madrid 2 Mauve cards", "transfer", {"cards": "2 Mauve", "to": "Madrid"}),
    (
        "I offer Madrid 1 Red for 1 Black",
        "offer",
        {"to": "Madrid", "gives": "1 Red", "takes": "1 Black"},
    ),
    ("I form an alliance with Madrid", "ally", {"others": "Madrid"}),
    ("I pay the fee for Regulation 340", "reveal_regulation", {"regulation": "340"}),
]
EVERYWHERE: list[tuple[str, str, dict[str, str]]] = [
    ("I become the Horsened", "take_office", {"office": "Horsened"}),
    ("I resign as Horsened", "resign_office", {"office": "Horsened"}),
    ("I deregister", "leave", {}),
]
_ALL = [
    *((words, f"horses.{name}" if name else "", said) for words, name, said in RACES),
    *((words, f"proposals.{name}", said) for words, name, said in VOTES),
    *((words, f"settlers.{name}", said) for words, name, said in ISLE),
    *((words, f"aceofspades.{name}", said) for words, name, said in CONTEST),
    *((words, f"games.{name}", said) for words, name, said in EVERYWHERE),
]


@pytest.fixture
def player(db: None) -> Player:
    """Murphy plays, with Madrid, a game that has all there is."""
    game = new_game("all", "demo", pace="manual", start=WEDNESDAY)[0]
    players = [seat(game, name) for name in ("Murphy", "Madrid")]
    for player in players:
        for join in ("settlers.join", "aceofspades.join"):
            take("all", player, join)
    take("all", players[0], "proposals.submit", {"body": "Repeal “Horses”."})
    return players[0]


@pytest.fixture
def forms(player: Player) -> list[tuple[Action, ActionForm]]:
    table = glance(Game.objects.get(slug="all"))
    acts = [act for act in all_actions() if not (act.office or isinstance(act, NewcomerAction))]
    return [(act, act.Form(table, player)) for act in acts]


def test_what_players_say_is_understood(forms: list[tuple[Action, ActionForm]]) -> None:
    wrong = []
    for words, name, said in _ALL:
        heard = understood_acts(words, forms)
        found = [(each.action.name, each.inputs) for each in heard if not each.wrong]
        if found != ([(name, said)] if name else []):
            wrong.append((words, found or [each.wrong for each in heard]))
    assert not wrong
    assert len(_ALL) >= 60


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("I get a helmet for Fargo. I bet 3 dollaries on Fargo.", ["get_helmet", "bet"]),
        ("I motivate the horses and then gain 4 dollaries", ["motivate", "gain_dollaries"]),
        (
            "I bet 1 dollary on Nacho; I gain 4 dollaries via Alexia's power",
            ["bet", "gain_dollaries"],
        ),
    ],
)
def test_several_acts_of_one_announcement_are_heard_in_their_order(
    words: str, names: list[str], forms: list[tuple[Action, ActionForm]]
) -> None:
    assert [each.action.name for each in understood_acts(words, forms)] == [
        f"horses.{n}" for n in names
    ]


def test_votes_may_be_listed(forms: list[tuple[Action, ActionForm]]) -> None:
    heard = understood_acts("I vote as follows: 1 FOR, p2 AGAINST", forms)
    assert [each.inputs for each in heard] == [
        {"proposal": "1", "choice": "FOR"},
        {"proposal": "p2", "choice": "AGAINST"},
    ]


def test_a_horse_that_nobody_can_get_is_no_matter_of_the_contest(
    forms: list[tuple[Action, ActionForm]],
) -> None:
    (heard,) = understood_acts("I transfer Fargo to Nobody", forms)
    assert heard.action.name == "horses.transfer"
    assert [each.partition(" is not")[0] for each in heard.wrong] == ["To: “Nobody”"]


@pytest.mark.thorough
@pytest.mark.parametrize("words", ["Hello everyone!", "What a nice day for a horse race", "gg"])
def test_a_remark_gets_one_sentence_and_few_examples_without_braces(
    words: str, player: Player, visit: Visitor
) -> None:
    answer: Any = visit(player).post("/g/all/say/", {"words": words})
    body = answer.content.decode()
    assert "is nothing that you can do here. Nothing was done." in body
    assert "Say it as talk to everybody" in body
    assert len(answer.context["near"]) <= 3
    assert "{" not in body.partition("<main")[2].partition("</main>")[0]


def test_what_is_near_is_shown_as_one_says_it(forms: list[tuple[Action, ActionForm]]) -> None:
    found = suggestions("I wager on whichever helmet is cheapest", forms)
    assert "Get a helmet for Baxter" in [each.example for each in found]


def test_several_acts_are_offered_as_forms_to_be_confirmed(player: Player, visit: Visitor) -> None:
    words = "I get a helmet for Fargo. I bet 3 dollaries on Sugar."
    body = visit(player).post("/g/all/say/", {"words": words}).content.decode()
    assert "Your announcement has 2 acts." in body
    assert '<option value="Sugar" selected' in body
    assert not player.game.entries.filter(name="horses.bet").exists()
