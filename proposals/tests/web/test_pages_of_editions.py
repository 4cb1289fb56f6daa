"""What the pages say in each edition: calendar, queue, strengths, sealed votes, by hand."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from proposals.models import Proposal
from tests.kit import WEDNESDAY, Take, Visitor, seat, tight, write_anew

LIST = "/g/table/proposals/"
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
_SEEN = "| While voting lasts | yes |"


IN_A_QUEUE = pytest.mark.parametrize("preset", ["blognomic"])
BY_AN_INDEX = pytest.mark.parametrize("preset", ["agora-proposals"])


@pytest.fixture
def preset() -> str:
    return "b-nomic-5e33"


def words(page: str) -> str:
    """What the page says, without what its words mean and white space at tags."""
    return " ".join(re.sub(r"<span popover.*?</span>|<[^>]*>", "", page).split())


def shown(client: Client, path: str = LIST) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return re.sub(r"term-[0-9a-f]{8}", "term", tight(answer.content.decode()))


@pytest.mark.usefixtures("officer")
def test_while_the_clock_is_off_the_page_counts_ndelay_and_names_the_officer(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(None, "proposals.keep_by_hand", duty="clock", keeper="the officer")
    act(None, "proposals.turn_clock", to="off")
    act(player, "proposals.submit", title="Spoons", body="x")
    advance(game.slug, WEDNESDAY + timedelta(days=2, hours=1))
    page = shown(visit())
    assert "the Clock is off · ndelay 3" in page
    assert "No nday passes until the Chairman turns it on" in page
    assert "Waits until the Clock is turned on" in page
    assert "The Chairman turns the Clock on again by hand." in page
    assert "Nweek 1, nday 1" in page


def test_what_is_submitted_while_voting_lasts_waits_for_the_next_nweek(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    advance(game.slug, NDAY_9)
    act(player, "proposals.submit", title="Spoons", body="x")
    assert "Comes to the vote in nweek 2" in shown(visit())


def test_the_vested_are_named_and_the_discarded_are_marked(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    seat(game, "snail")
    act(player, "proposals.submit", title="Spoons", body="x")
    assert "3: Madrid, Murphy and snail" in shown(visit())
    advance(game.slug, NDAY_9)
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    assert "If it closed now: Discarded: its Stamina of 1" in shown(visit())
    advance(game.slug, THE_END)
    for path in (LIST, f"{LIST}1/"):
        assert 'class="pill warn">Discarded' in shown(visit(), path)


def test_a_rule_that_is_played_as_of_an_earlier_version_is_told(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    text = game.rules.get(title="Voting").text.replace("| Begins | 9 |", "| Begins | soon |")
    act(None, "rulebook.amend", rule="Voting", text=text, reason="a slip of the pen")
    page = shown(visit())
    assert "“Voting” is played as of version 1: " in page
    assert "from nday 9 to the end of nday 12" in page


def test_a_table_that_could_never_be_read_is_told_where_the_count_would_stand(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    advance(game.slug, NDAY_9)
    write_anew(game, "Voting", "| Begins | 9 |", "| Begins | soon |")
    page = shown(visit())
    assert "Cannot be read" in page
    assert "Waits until the rule’s tables can be read" in page
    assert shown(visit(player), f"{LIST}1/")
    assert "soon" in shown(visit(), f"{LIST}1/what-if/")


@pytest.mark.thorough
def test_nobody_else_sees_from_any_page_that_a_sealed_vote_was_cast(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    text = game.rules.get(title="Voting").text
    hidden = text.replace(_SEEN, _SEEN.replace("yes", "no"))
    take(game.slug, None, "rulebook.amend", {"rule": "Voting", "text": hidden, "reason": "secrecy"})
    act(player, "proposals.submit", title="Spoons", body="x")
    act(player, "proposals.submit", title="Forks", body="x", conflicts=[1])
    advance(game.slug, NDAY_9)
    paths = (LIST, f"{LIST}1/", f"{LIST}2/", f"{LIST}1/what-if/")
    before = [shown(visit(), path) for path in paths]
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    assert [shown(visit(), path) for path in paths] == before
    assert "The votes are sealed" in before[0]
    assert "The votes are sealed" in before[1]
    assert "Madrid" not in shown(visit(player), f"{LIST}1/")
    for path in paths[:2]:
        assert shown(visit(rival), path).count('aria-pressed="true"') == 1
        assert shown(visit(player), path).count('aria-pressed="true"') == 0
    advance(game.slug, THE_END)
    assert "Madrid" in shown(visit(), f"{LIST}1/")


@IN_A_QUEUE
def test_a_queue_shows_its_quorum_its_emperor_and_who_waits_for_whom(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(rival, "games.take_office", office="Emperor")
    for title in ("Spoons", "Forks"):
        act(player, "proposals.submit", title=title, body="x")
    page = shown(visit(rival))
    assert "2 votes FOR, of 2 players" in page
    assert "<dd>Madrid</dd>" in page
    assert "Waits for 1, which is older and not decided yet." in page
    assert words(page).count("quorum2") == 2
    assert "VETO" in page
    assert "VETO" not in shown(visit(player))
    advance(game.slug, WEDNESDAY + timedelta(hours=49))
    assert "Timed out" in shown(visit())


@IN_A_QUEUE
def test_an_author_may_still_change_what_waits_in_the_queue(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    seat(game, "snail")
    act(player, "proposals.submit", title="Spoons", body="x")
    assert Proposal.objects.get().status == "Open"
    assert "Withdraw…" in shown(visit(player), f"{LIST}1/")


@BY_AN_INDEX
def test_strengths_that_were_set_are_told_and_counted(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    seat(game, "snail")
    act(None, "proposals.set_strength", who="Madrid", strength=5, reason="a ribbon")
    act(player, "proposals.submit", title="Spoons", body="x", index=1.5, coauthors=["Madrid"])
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    act(player, "proposals.vote", proposal=1, choice="ENDORSE Madrid")
    assert "3 each, but Madrid 5" in shown(visit())
    page = shown(visit(player), f"{LIST}1/")
    assert ", with Madrid" in page
    assert "adoption index1.5" in words(page)
    assert "F/A8/0" in words(page)
    assert "<td>ENDORSE Madrid</td><td>FOR</td>" in page


@BY_AN_INDEX
@pytest.mark.usefixtures("officer")
def test_what_the_officer_distributes_by_hand_says_so(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(None, "proposals.keep_by_hand", duty="distribution", keeper="the officer")
    act(None, "proposals.keep_by_hand", duty="numbers", keeper="the officer")
    act(player, "proposals.submit", title="Spoons", body="x")
    page = shown(visit())
    assert "Comes to the vote when the Assessor distributes it" in page
    assert "The Assessor gives proposals their numbers by hand." in page
    assert f'href="{LIST}p1/"' in page
    assert "Proposal p1" in shown(visit(), f"{LIST}p1/")


@IN_A_QUEUE
def test_a_queue_tells_the_latest_moment_and_nobody_stands_in_for_the_emperor(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    assert "Decided at the latest" in shown(visit())
    page = " ".join(shown(visit(), "/g/table/").split())
    assert "<dt>Emperor</dt><dd>vacant: nobody has its powers" in page
    assert "vacant: the system does what it can" in page
