"""A vote's results as the officer's report: the lines, the names, the reasons; and they stay."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Proposal
from proposals.state.results import Results, results_of, struck_since
from proposals.web.results import ballot_rows, csv_rows, legend, text_of
from tests.kit import WEDNESDAY, Take, seat

_SEEDS = Path(__file__).parents[4] / "shared/seeds"
_TWIN = [
    "PROPOSAL 8822 (Horse Racing)",
    "AUTHOR: snail",
    "CLASS: ORDINARY",
    "FOR (4): Madrid, Murphy, juan, snail",
    "AGAINST (2): Jason, ais523",
    "PRESENT (0): ",
    "BALLOTS: 6",
    "AI (F/A): 12/6 (AI=1.0)",
    "POPULARITY: 0.333",
    "OUTCOME: ADOPTED",
    "",
    "Resolved at: an address of the lists",
    "",
    "ID: 8822",
    "Title: Horse Racing",
    "Adoption index: 1.0",
    "Author: snail",
    "Co-authors: Murphy",
    "",
    "",
    "Let there be horses.",
]
AFTER_A_WEEK = WEDNESDAY + timedelta(days=7)
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)


@pytest.fixture
def preset(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "agora-proposals"))


def under(preset: str) -> pytest.MarkDecorator:
    """The test is played in a game of that preset."""
    return pytest.mark.parametrize("preset", [preset], indirect=True)


def the_results(game: Game) -> Results:
    """The results of the newest vote."""
    proposal = Proposal.objects.filter(game=game, closed_in__isnull=False).latest("closed_in")
    results = results_of(game, proposal.closed_in or 0)
    assert results is not None
    return results


@pytest.fixture(params=["its own file", "a twin"])
def announced(request: pytest.FixtureRequest) -> list[str]:
    """The lines above and of Proposal 8822 as they were announced."""
    if request.param == "a twin":
        return _TWIN
    found = sorted(_SEEDS.glob("000_*.txt"))
    if not found:
        pytest.skip("the source documents are not beside the project")
    return found[0].read_text(encoding="utf-8").split("\n")


def test_the_vote_on_8822_is_told_in_the_lines_that_stand_above_it(
    announced: list[str], game: Game, act: Take
) -> None:
    game.settings["proposals.numbers_from"] = 8822
    game.save()
    names = ("snail", "Murphy", "Madrid", "juan", "Jason", "ais523")
    players = {name: seat(game, name) for name in names}
    body = "\n".join(announced[19:]).strip()
    content = {"title": "Horse Racing", "body": body, "coauthors": ["Murphy"]}
    act(players["snail"], "proposals.submit", **content)
    for name in names:
        word = "AGAINST" if name in ("Jason", "ais523") else "FOR"
        act(players[name], "proposals.vote", proposal=8822, choice=word)
    advance(game.slug, AFTER_A_WEEK)
    told = text_of(the_results(game)).split("\n")
    assert told[:10] == announced[:10]
    resolved = next(line for line in told if line.startswith("Resolved at: "))
    below = told[told.index(resolved) + 2 :]
    assert below[:7] == announced[13:20]
    assert body.splitlines()[-1] in told


def test_endorsements_and_struck_votes_are_named_with_what_came_of_them(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    officer, juan = seat(game, "snail"), seat(game, "juan")
    act(officer, "games.take_office", office="Assessor")
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    act(player, "proposals.vote", proposal=1, choice="ENDORSE Madrid")
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    act(juan, "proposals.vote", proposal=1, choice="AGAINST")
    act(juan, "proposals.vote", proposal=1, choice="FOR")
    act(
        officer,
        "proposals.strike_vote",
        proposal=1,
        voter="juan",
        reason="cast by their cat",
    )
    advance(game.slug, AFTER_A_WEEK)
    told = text_of(the_results(game))
    assert "FOR (2): Madrid, Murphy\nAGAINST (1): juan\nPRESENT (0): \nBALLOTS: 3\n" in told
    assert "[Murphy endorses Madrid, which counts as FOR.]" in told
    assert "FOR of juan, cast by their cat.]" in told.replace("\n ", " ")
    assert ["1", "juan", "FOR", "struck"] in [
        [str(row[0]), *row[2:5]] for row in csv_rows(the_results(game))
    ]


def test_results_stay_as_they_were_when_a_vote_is_struck_afterwards(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    officer, juan = seat(game, "snail"), seat(game, "juan")
    act(officer, "games.take_office", office="Assessor")
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    for voter, word in ((player, "FOR"), (rival, "FOR"), (juan, "AGAINST")):
        act(voter, "proposals.vote", proposal=1, choice=word)
    advance(game.slug, AFTER_A_WEEK)
    before = the_results(game)
    receipt = act(
        officer,
        "proposals.strike_vote",
        proposal=1,
        voter="Madrid",
        reason="they had left by then",
    )
    assert the_results(game) == before
    (later,) = struck_since(game, before.entry)
    assert later["entry"] == receipt.entry.seq
    assert later["recount"] == [
        {"number": 1, "was": "ADOPTED", "would_be": "FAILED QUORUM", "passed": False}
    ]
    assert replay(game)[1] is None


@under("blognomic")
def test_a_quorum_is_told_in_the_line_that_stands_on_top_of_protection_money(
    game: Game, act: Take
) -> None:
    names = ("Kevan", "Josh", "JonathanDark", "Raven1207", "Habanero", "lendunistus", "Trapdoor")
    players = {name: seat(game, name) for name in names}
    act(players["JonathanDark"], "proposals.submit", title="Protection Money", body="Pay up.")
    for name in names[:4]:
        act(players[name], "proposals.vote", proposal=1, choice="FOR")
    lines = text_of(the_results(game)).split("\n")
    assert lines[:3] == [
        "Proposal: Protection Money",
        "Reached quorum 4 votes to 0. Enacted by the system for the Admin, at Raven1207's act.",
        "Adminned at 04 Mar 2026 12:00:00 UTC",
    ]
    assert "FOR (4): JonathanDark, Josh, Kevan, Raven1207" in lines
    assert "AGAINST (0): " in lines


@under("blognomic")
def test_what_resolves_the_queue_by_itself_is_nobodys_act(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    for name in ("juan", "Jason", "ais523"):
        seat(game, name)
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    act(rival, "proposals.vote", proposal=1, choice="DEFERENTIAL")
    advance(game.slug, WEDNESDAY + timedelta(hours=48))
    told = text_of(the_results(game))
    assert "it needs at least 2 votes that count. Failed by the system for the Admin." in told
    assert "NOT COUNTED (1): Madrid DEFERENTIAL" in told


@under("b-nomic-2006")
def test_an_nweek_is_told_as_a_table_of_every_vote_with_the_reason_of_every_cull(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    juan = seat(game, "juan")
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    act(rival, "proposals.submit", title="Forks", body="Forks are nice.", conflicts=[1])
    act(rival, "proposals.submit", title="Knives", body="Knives are nice.", dependencies=[2])
    advance(game.slug, NDAY_9)
    votes = {1: "FOR FOR ABSTAIN", 2: "FOR", 3: "FOR AGAINST FOR"}
    for number, words in votes.items():
        for voter, word in zip((player, rival, juan), words.split(), strict=False):
            act(voter, "proposals.vote", proposal=number, choice=word)
    advance(game.slug, THE_END)
    results = the_results(game)
    told = text_of(results)
    lines = told.split("\n")
    assert lines[0] == "RESULTS OF THE VOTE OF NWEEK 1"
    assert "Madrid  F  .  A" in lines
    assert "Murphy  F  F  F" in lines
    assert "juan    -  .  F" in lines
    assert "F FOR, A AGAINST, - ABSTAIN, . did not vote" in lines
    assert "  Lost: conflicts with 1, which has Strength 2 against 1." in lines
    assert "  Lost: depends on 2, which is Lost." in lines
    assert lines[-2] == "Passed, in this order: 1."
    assert ballot_rows(results)[2] == ("juan", ["ABSTAIN", "–", "FOR"])
    assert dict(legend(results))["-"] == "ABSTAIN"


@pytest.mark.thorough
@under("b-nomic-5e33")
def test_lines_stay_readable_with_many_proposals(game: Game, player: Player, act: Take) -> None:
    for number in range(40):
        act(player, "proposals.submit", title=f"The {number}th of a long row", body="Nothing.")
    advance(game.slug, NDAY_9)
    for number in range(1, 41):
        act(player, "proposals.vote", proposal=number, choice="FOR" if number % 2 else "AGAINST")
    advance(game.slug, THE_END)
    lines = text_of(the_results(game)).split("\n")
    rows = [line for line in lines if line.startswith("Murphy  ")]
    assert len(rows) == 3
    assert sum(line.count("F") for line in rows) == 20
    assert max(map(len, rows)) <= 78


def test_an_entry_that_decided_nothing_has_no_results(game: Game, player: Player) -> None:
    assert results_of(game, 1) is None
