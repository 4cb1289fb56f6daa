"""Offices are filled by elections, where a row of a rule says so."""

from __future__ import annotations

import pytest
from django.urls import reverse

from nomic.engine.outcomes import Malformed
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.engine.tests.tiny import COINS
from nomic.games.models import Game, Player
from nomic.governance.counting import APPROVAL, PLURALITY, RUNOFF, count
from nomic.governance.declared_elections import elections_in
from nomic.governance.elections import unvoted
from nomic.governance.models import Election
from nomic.governance.tests.correcting import KEEPER, hours, last, refused
from nomic.operations.replay import replay
from nomic.rulebook.tables import TableBroken
from tests.kit import Take, Visitor, on_one_line

HEAD = (
    "| Election of | Called by | How | Candidates | Voting | Count | On a tie |"
    " Without candidates | When vacant |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
)
ROW = "any office | players | at once | 4 | 7 | {} | {} | {} | {}"
CALL = {"office": KEEPER}


def says(
    count: str = PLURALITY, tie: str = "", nobody: str = "", vacant: str = "", row: str = ROW
) -> None:
    """Let the rule Coins have such a row."""
    text = "Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n\n"
    text += f"{HEAD}| {row.format(count, tie, nobody, vacant)} |\n"
    take("table", None, "rulebook.amend", {"rule": COINS, "text": text, "reason": "a test"})


def election(game: Game) -> Election:
    return game.elections.latest("number")


def holder(game: Game) -> str:
    found = game.offices.get(name=KEEPER).holder
    return found.name if found else ""


def replays(game: Game) -> bool:
    return replay(Game.objects.get(pk=game.pk))[1] is None


def days(game: Game, number: float) -> None:
    hours(game, 24 * number)


A, B, C = "ABC"


@pytest.mark.parametrize(
    ("method", "ballots", "first"),
    [
        (PLURALITY, [[A], [A], [B]], (A,)),
        (PLURALITY, [[A], [B]], (A, B)),
        (PLURALITY, [], (A, B, C)),
        (PLURALITY, [["D"], [C]], (C,)),
        (APPROVAL, [[A, B], [B], [C, B]], (B,)),
        (APPROVAL, [[A, B], [B, A]], (A, B)),
        (RUNOFF, [[A], [A], [B], [B], [C, B]], (B,)),
        (RUNOFF, [[A], [A], [A], [B], [C, B]], (A,)),
        (RUNOFF, [[A], [A], [B], [B], [C]], (A, B)),
        (RUNOFF, [[A, B], [B, C], [C, A]], (A, B, C)),
    ],
)
def test_ballots_are_counted(method: str, ballots: list[list[str]], first: tuple[str]) -> None:
    assert count(method, (A, B, C), ballots).first == first


def test_a_runoff_tells_each_round() -> None:
    rounds = count(RUNOFF, (A, B, C), [[A], [A], [B], [B], [C, B]]).rounds
    assert rounds == ({A: 2, B: 2, C: 1}, {A: 2, B: 3})


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Keeper | players | soon | 4 | 7 | plurality | | |", "under How"),
        ("Keeper | players | without objection | 4 | 7 | plurality | | |", "under How"),
        ("Keeper | players | at once | 0 | 7 | plurality | | |", "at least one day"),
        ("Keeper | players | at once | 4 | 7 | dice | | |", "under Count"),
        ("Keeper | players | at once | 4 | 7 | plurality | a duel | |", "under On a tie"),
        ("Keeper | players | at once | 4 | 7 | plurality | | earliest candidate |", "who stays"),
        ("Keeper | players | at once | 4 | 7 | plurality | | | perhaps", "yes or no"),
    ],
)
def test_a_row_that_cannot_be_read_is_told(row: str, words: str) -> None:
    with pytest.raises(TableBroken, match=words):
        elections_in("Elections", f"{HEAD}| {row} |\n")


def test_who_has_most_votes_holds_the_office_from_the_elections_end(
    game: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    says()
    murphy, madrid, jason, snail = players
    act(murphy, "games.call_election", **CALL)
    assert refused(act, jason, "games.call_election", **CALL) == "is_open"
    for candidate in (madrid, jason):
        act(candidate, "games.be_candidate", election=1)
    assert refused(act, jason, "games.be_candidate", election=1) == "stands"
    assert refused(act, murphy, "games.vote_in_election", election=1, first="Jason") == "no_voting"
    days(game, 4.1)
    assert last(game).text == (
        "Election 1, of the Keeper, is voted on for 7 days: Madrid and Jason stand. It is counted"
        " by plurality."
    )
    assert refused(act, snail, "games.be_candidate", election=1) == "candidates_closed"
    act(murphy, "games.vote_in_election", election=1, first="Madrid")
    act(murphy, "games.vote_in_election", election=1, first="Jason")
    act(snail, "games.vote_in_election", election=1, first="Jason")
    act(madrid, "games.vote_in_election", election=1, first="Madrid")
    assert holder(game) == "snail"
    days(game, 7)
    assert holder(game) == "Jason"
    ended = election(game)
    assert ended.ending == "Jason is elected by plurality and holds the office of Keeper."
    assert ended.rounds == [{"Madrid": 1, "Jason": 2}]
    assert replays(game)


@pytest.mark.parametrize(
    ("tie", "held"), [("", "snail"), ("the earliest candidate", "Jason"), ("nobody", "")]
)
def test_a_tie_ends_as_the_row_says(
    game: Game, players: list[Player], keeper: Player, act: Take, tie: str, held: str
) -> None:
    says(tie=tie)
    act(players[0], "games.call_election", **CALL)
    for candidate in (players[2], players[1]):
        act(candidate, "games.be_candidate", election=1)
    days(game, 12)
    assert holder(game) == held
    assert "Jason and Madrid tie" in election(game).ending


@pytest.mark.parametrize(("nobody", "held"), [("the incumbent stays", "snail"), ("nobody", "")])
def test_without_candidates_it_ends_as_the_row_says(
    game: Game, players: list[Player], keeper: Player, act: Take, nobody: str, held: str
) -> None:
    says(nobody=nobody)
    act(players[0], "games.call_election", **CALL)
    act(players[0], "games.be_candidate", election=1)
    act(players[0], "games.withdraw_candidacy", election=1)
    days(game, 5)
    assert holder(game) == held
    assert election(game).ending.startswith("Nobody stands: ")
    assert replays(game)


def test_the_only_candidate_is_elected_without_a_vote(
    game: Game, players: list[Player], act: Take
) -> None:
    says()
    act(players[0], "games.call_election", **CALL)
    act(players[1], "games.be_candidate", election=1)
    act(players[2], "games.be_candidate", election=1)
    act(players[2], "games.leave")
    days(game, 5)
    assert holder(game) == "Madrid"
    assert election(game).ends is None


def test_who_leaves_stands_no_more_though_they_come_back(
    game: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    says()
    act(players[0], "games.call_election", **CALL)
    act(players[1], "games.be_candidate", election=1)
    act(players[1], "games.leave")
    game.players.filter(name="Madrid").update(active=True, left_at=None)
    days(game, 5)
    assert holder(game) == "snail"


def test_an_election_ends_where_the_row_of_its_office_is_gone_and_others_stay(
    game: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    says()
    act(players[0], "games.call_election", **CALL)
    act(players[1], "games.be_candidate", election=1)
    says(row=ROW.replace("any office", "Herald"))
    days(game, 5)
    assert holder(game) == "snail"
    assert election(game).ending.startswith("No rule lets this office")


def test_it_takes_the_support_that_the_row_says(
    game: Game, players: list[Player], act: Take
) -> None:
    says(row="any office | players | with 2 support | 4 | 7 | {} | {} | {} | {}")
    act(players[0], "games.call_election", **CALL)
    assert not game.elections.exists()
    act(players[1], "games.support", motion=1)
    act(players[2], "games.support", motion=1)
    assert game.elections.count() == 1
    assert replays(game)


def test_a_vacancy_calls_it_by_itself_once(
    game: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    says(vacant="yes", row=ROW.replace("players", "the Herald"))
    assert refused(act, players[0], "games.call_election", **CALL) == "not_the_caller"
    act(keeper, "games.resign_office", office=KEEPER)
    assert election(game).by is None
    assert game.elections.count() == 1
    assert replays(game)


def test_ballots_name_candidates_once_and_as_many_as_the_count_reads(
    game: Game, players: list[Player], act: Take
) -> None:
    says(count=RUNOFF)
    murphy, madrid, jason, snail = players
    act(murphy, "games.call_election", **CALL)
    for candidate in (murphy, madrid, jason):
        act(candidate, "games.be_candidate", election=1)
    days(game, 4.1)
    ballot = {"election": 1, "first": "Jason", "second": "Jason"}
    assert refused(act, snail, "games.vote_in_election", **ballot) == "twice"
    with pytest.raises(Malformed, match="is not a candidate"):
        act(snail, "games.vote_in_election", election=1, first="snail")
    act(snail, "games.vote_in_election", election=1, first="Madrid", second="Jason")
    act(jason, "games.vote_in_election", election=1, first="Jason")
    act(murphy, "games.vote_in_election", election=1, first="Murphy", second="Jason")
    act(madrid, "games.vote_in_election", election=1, first="Jason")
    days(game, 7)
    assert holder(game) == "Jason"
    assert replays(game)


def test_without_the_rule_there_are_no_elections(
    game: Game, players: list[Player], keeper: Player, act: Take
) -> None:
    assert refused(act, players[0], "games.call_election", **CALL) == "not_in_force"
    says()
    act(players[0], "games.call_election", **CALL)
    act(players[1], "games.be_candidate", election=1)
    text = "Each week each player gains coins.\n\n| Coins |\n| --- |\n| 1 |\n"
    change = {"rule": COINS, "text": text, "reason": "a test"}
    take("table", None, "rulebook.amend", change)
    days(game, 5)
    assert holder(game) == "snail"
    assert election(game).ending.startswith(
        "No rule lets this office be filled by an election any more"
    )


def test_the_page_the_api_and_what_waits_tell_of_it(
    game: Game, players: list[Player], act: Take, visit: Visitor
) -> None:
    page = reverse("elections", args=[game.slug])
    assert visit(None).get(page).status_code == 404
    says(count=RUNOFF)
    act(players[0], "games.call_election", **CALL)
    for candidate in players[1:3]:
        act(candidate, "games.be_candidate", election=1)
    days(game, 4.1)
    act(players[3], "games.vote_in_election", election=1, first="Jason", second="Madrid")
    text = on_one_line(visit(None).get(page).content.decode())
    assert "Election 1, of the Keeper" in text
    assert "Candidates: Madrid, Jason." in text
    assert "1 ballot" in text
    own = on_one_line(visit(players[0]).get(page).content.decode())
    assert ("Call one</a>" in own, ">Vote</a>" in own) == (True, True)
    seat = visit(players[0]).get(reverse("seat", args=[game.slug])).content.decode()
    assert "Vote in an election" in seat
    table = glance(Game.objects.get(pk=game.pk))
    assert [election.number for election in unvoted(table, players[0])] == [1]
    assert unvoted(table, players[3]) == []
    (told,) = visit(None).get(f"/api/v1/games/{game.slug}/elections").json()
    assert told["ballots"] == {"snail": ["Jason", "Madrid"]}
    assert (told["count"], told["ended_in"]) == (RUNOFF, None)
