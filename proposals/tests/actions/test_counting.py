"""Votes that the officer counts: prepared at the close, announced by hand, exactly once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.test import Client

from nomic.engine.catch_up import catch_up
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Proposal
from proposals.office.desk import duties_of
from proposals.state.reading import state_of
from tests.kit import WEDNESDAY, Take, Visitor, afterwards

DAY = timedelta(days=1)
WEEK = 7 * DAY
NDAY_9 = WEDNESDAY + 8 * DAY
OFFICER, SYSTEM = "the officer", "the system"
SPOONS = "Enact a new rule titled “Spoons” and the following text: { Nice. }"
FORKS = SPOONS.replace("Spoons", "Forks")


@pytest.fixture
def preset(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "agora-proposals"))


def under(*presets: str) -> pytest.MarkDecorator:
    """The test is played in a game of each of those presets."""
    return pytest.mark.parametrize("preset", presets, indirect=True)


@pytest.fixture(autouse=True)
@afterwards
def holds_together(game: Game) -> Iterator[None]:
    """Whatever a test does, audit and replay find nothing wrong afterwards."""
    yield
    now = fresh(game)
    assert [finding for finding in audit(now) if finding.wrong] == []
    assert replay(now)[1] is None


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def refused(sentence: str) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, match=sentence)


def the(number: int = 1) -> Proposal:
    return Proposal.objects.get(number=number)


def titles(game: Game) -> set[str]:
    return set(game.rules.filter(repealed_in=None).values_list("title", flat=True))


type Close = Callable[[], None]


@pytest.fixture
def close(game: Game, player: Player, rival: Player, officer: Player, act: Take) -> Close:
    """Let all three vote FOR what is to be voted on, and the vote end."""

    def close() -> None:
        if game.edition not in ("adoption-index", "quorum"):
            advance(game.slug, NDAY_9)
        for number in sorted(
            Proposal.objects.filter(status="Open").values_list("number", flat=True)
        ):
            for voter in (player, rival, officer):
                if the(number).awaits_since is None and the(number).status == "Open":
                    act(voter, "proposals.vote", proposal=number, choice="FOR")
        if game.edition == "adoption-index":
            advance(game.slug, WEDNESDAY + WEEK)
        elif game.edition != "quorum":
            advance(game.slug, NDAY_9 + 4 * DAY)

    return close


@pytest.mark.thorough
@under("agora-proposals", "b-nomic-5e33", "b-nomic-2006", "blognomic")
def test_a_count_by_hand_waits_for_the_officer_and_the_others_do_not(
    game: Game, player: Player, officer: Player, act: Take, close: Close
) -> None:
    act(player, "proposals.submit", body=FORKS)
    if game.edition != "quorum":
        act(player, "proposals.submit", body=SPOONS)
    said = act(officer, "proposals.count_by_hand", keeper=OFFICER, proposal=1).entry.text
    assert said == "snail decides that the officer counts the votes on Proposal 1."
    close()
    assert the().awaits_since is not None
    assert the().status == "Open"
    assert "Forks" not in titles(game)
    assert ("Spoons" in titles(game)) is (game.edition != "quorum")
    with refused("is over; it waits for the .*'s announcement"):
        act(player, "proposals.vote", proposal=1, choice="AGAINST")
    counted = the().prepared["result"]["outcome"]
    told = act(officer, "proposals.announce", proposal=1, outcome=counted).entry
    assert told.text.startswith("snail announces the result. Proposal 1: ")
    assert (the().status, the().passed, the().outcome) == ("Historical", True, counted)
    assert "Forks" in titles(game)
    assert told.outcome["results"][0]["outcome"] == counted
    with refused("does not wait to be announced"):
        act(officer, "proposals.announce", proposal=1, outcome=counted)


@pytest.mark.thorough
def test_what_is_counted_is_who_played_and_how_strongly_when_the_vote_ended(
    game: Game, player: Player, rival: Player, officer: Player, act: Take, close: Close
) -> None:
    act(player, "proposals.submit", body=FORKS)
    act(officer, "proposals.keep_by_hand", keeper=OFFICER, duty="counting")
    close()
    act(rival, "games.leave")
    act(officer, "proposals.announce", proposal=1, outcome="ADOPTED")
    assert (the().figures["ballots"], the().figures["players"]) == (3, 3)
    assert the().closed_at == WEDNESDAY + WEEK


@pytest.mark.thorough
def test_another_outcome_than_was_counted_needs_a_reason_and_says_so(
    game: Game, player: Player, officer: Player, act: Take, close: Close
) -> None:
    act(player, "proposals.submit", body=FORKS)
    act(officer, "proposals.keep_by_hand", keeper=OFFICER, duty="counting")
    close()
    with refused("^The system has counted ADOPTED: announce that, or give a reason.$"):
        act(officer, "proposals.announce", proposal=1, outcome="REJECTED", reason="")
    act(None, "proposals.announce", proposal=1, outcome="REJECTED", reason="two were one")
    assert (the().outcome, the().passed, the().success) == ("REJECTED", False, "Lost")
    assert the().reasons[0] == "REJECTED, as the Assessor announces: two were one"
    assert the().reasons[1] == "The system had counted: ADOPTED."
    assert "Forks" not in titles(game)


@pytest.mark.thorough
@under("agora-proposals", "blognomic", "b-nomic-2006")
def test_giving_it_back_has_the_system_announce_at_once(
    game: Game, player: Player, officer: Player, act: Take, close: Close
) -> None:
    act(player, "proposals.submit", body=FORKS)
    act(player, "proposals.submit", body=SPOONS)
    act(officer, "proposals.keep_by_hand", keeper=OFFICER, duty="counting")
    with refused("counts all votes: give the counting back"):
        act(officer, "proposals.count_by_hand", keeper=OFFICER, proposal=1)
    close()
    assert not {"Forks", "Spoons"} & titles(game)
    act(officer, "proposals.keep_by_hand", keeper=SYSTEM, duty="counting")
    catch_up(game.pk)
    assert {"Forks", "Spoons"} <= titles(game)
    assert not Proposal.objects.exclude(status="Historical").exists()


def test_a_vacancy_has_the_system_announce_and_a_pause_puts_it_off(
    game: Game, player: Player, officer: Player, act: Take, close: Close
) -> None:
    act(player, "proposals.submit", body=FORKS)
    act(officer, "proposals.count_by_hand", keeper=OFFICER, proposal=1)
    close()
    act(None, "games.pause", reason="dinner")
    act(officer, "games.resign_office", office="Assessor")
    catch_up(game.pk)
    assert the().status == "Open"
    act(None, "games.resume")
    catch_up(game.pk)
    assert (the().status, the().passed) == ("Historical", True)
    told = game.entries.filter(name="proposals.count_announced")
    assert [each.outcome["results"][0]["number"] for each in told] == [1]


def test_where_nobody_holds_the_office_the_system_counts(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "proposals.submit", body=FORKS)
    with refused("^Nobody is the Assessor: the system counts until somebody is.$"):
        act(None, "proposals.count_by_hand", keeper=OFFICER, proposal=1)


@pytest.mark.thorough
def test_the_officer_has_a_duty_and_is_reminded_each_day_until_they_announce(
    game: Game, player: Player, officer: Player, act: Take, close: Close
) -> None:
    act(player, "proposals.submit", body=FORKS)
    act(officer, "proposals.count_by_hand", keeper=OFFICER, proposal=1)
    close()
    ((_, duty),) = duties_of(state_of(glance(fresh(game))))
    assert duty.title == "Announce the result of Proposal 1: the system has counted ADOPTED"
    assert (duty.due, duty.action) == (WEDNESDAY + WEEK + DAY, "proposals.announce")
    advance(game.slug, WEDNESDAY + WEEK + 2 * DAY)
    reminders = game.entries.filter(name="proposals.count_reminder").order_by("seq")
    assert [each.text for each in reminders] == [
        "The vote on Proposal 1 ended a day ago and waits for the Assessor's announcement of the"
        " result. The Assessor, snail, let a day after the vote go by without announcing the result"
        " of Proposal 1.",
        "The vote on Proposal 1 ended 2 days ago and waits for the Assessor's announcement of the"
        " result.",
    ]
    act(officer, "proposals.announce", **duty.inputs)
    advance(game.slug, WEDNESDAY + WEEK + 5 * DAY)
    assert reminders.count() == 2


@pytest.mark.thorough
def test_a_vote_that_is_struck_while_the_count_waits_is_counted_no_more(
    game: Game, player: Player, rival: Player, officer: Player, act: Take, close: Close
) -> None:
    act(player, "proposals.submit", body=FORKS)
    act(officer, "proposals.count_by_hand", keeper=OFFICER, proposal=1)
    close()
    said = act(None, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a sock").entry
    assert said.text.endswith("Counted again: Proposal 1: FAILED QUORUM.")
    act(officer, "proposals.announce", proposal=1, outcome="FAILED QUORUM")
    assert the().passed is False


@pytest.mark.thorough
@under("blognomic")
def test_in_a_queue_those_behind_wait_and_a_struck_vote_opens_it_again(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    for body in (FORKS, SPOONS):
        act(player, "proposals.submit", body=body)
    act(officer, "proposals.count_by_hand", keeper=OFFICER, proposal=1)
    for number in (2, 1):
        for voter in (player, rival):
            act(voter, "proposals.vote", proposal=number, choice="FOR")
    assert "Spoons" not in titles(game)
    act(None, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a sock")
    assert the().awaits_since is None
    act(officer, "proposals.vote", proposal=1, choice="FOR")
    said = act(officer, "proposals.announce", proposal=1, outcome="Enacted").entry.text
    assert {"Forks", "Spoons"} <= titles(game)
    assert "Proposal 2: " in said


@pytest.mark.thorough
@under("agora-proposals", "b-nomic-2006")
def test_pages_and_api_say_since_when_the_result_is_waited_for(
    game: Game, player: Player, officer: Player, act: Take, close: Close, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Forks", body=FORKS)
    act(officer, "proposals.count_by_hand", keeper=OFFICER, proposal=1)
    close()
    office = "Assessor" if game.edition == "adoption-index" else "Administrator"
    for path in ("", "1/"):
        page = visit().get(f"/g/{game.slug}/proposals/{path}").content.decode()
        assert f"aits for the {office}’s announcement since" in page
        assert "/act/proposals.vote" not in page
    assert "Counted:" in page
    when = "11 Mar 2026" if game.edition == "adoption-index" else "16 Mar 2026"
    assert when in page.partition("announcement since")[2][:300]
    assert "If the vote ended now" not in page
    home = visit().get(f"/g/{game.slug}/").content.decode()
    assert f"for the {office}’s announcement" in home
    (told,) = Client().get(f"/api/v1/games/{game.slug}/proposals").json()
    since = the().awaits_since
    assert since is not None
    assert told["awaits_since"].startswith(since.strftime("%Y-%m-%dT%H:%M"))
