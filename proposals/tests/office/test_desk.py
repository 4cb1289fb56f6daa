"""The desk of the officer who keeps the proposals, and the page of a vote's results."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from nomic.games.models import Game, Player
from nomic.operations.setup import advance, seat_practice_players
from proposals.models import Errand, Proposal
from tests.kit import WEDNESDAY, Take, on_one_line, seat, tight

AFTER_A_WEEK = WEDNESDAY + timedelta(days=7)
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
BY_HAND = "Set the mood of the isle to merry."
OFFICER = "the officer"


@pytest.fixture
def preset(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "agora-proposals"))


def under(*presets: str) -> pytest.MarkDecorator:
    """The test is played in a game of each of those presets."""
    return pytest.mark.parametrize("preset", presets, indirect=True)


def browser(who: Player) -> Client:
    client = Client()
    assert who.user is not None
    client.force_login(who.user)
    return client


@pytest.fixture
def desk(officer: Player) -> Client:
    """The officer's browser."""
    return browser(officer)


def shown(client: Client, address: str, **query: object) -> str:
    """The page's text; it must be there."""
    answer = client.get(address, query)
    assert answer.status_code == 200, address
    return unescape(answer.text)


def the_desk(client: Client, game: Game) -> str:
    """The desk without what tells a moment to a browser."""
    return re.sub("</?time[^>]*>", "", shown(client, reverse("office:desk", args=[game.slug])))


def the_act(client: Client, game: Game, name: str, **begun: object) -> str:
    return shown(client, reverse("office:act", args=[game.slug, name]), **begun)


def previewed(client: Client, game: Game, name: str, **inputs: object) -> str:
    answer = client.post(reverse("office:act", args=[game.slug, name]), inputs)
    return unescape(answer.text)


@pytest.fixture
def passed(game: Game, player: Player, rival: Player, officer: Player, act: Take) -> Proposal:
    """A proposal that passed and left a sentence to the officer."""
    body = f"Be merry.\n\n{BY_HAND}"
    act(player, "proposals.submit", title="Moods", body=body, remarks=["Be merry."])
    for voter in (player, rival, officer):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, AFTER_A_WEEK)
    return Proposal.objects.get(game=game)


@under("agora-proposals", "b-nomic-2006", "b-nomic-5e33", "blognomic")
def test_the_desk_is_laid_in_every_edition(game: Game, officer: Player, desk: Client) -> None:
    page = the_desk(desk, game)
    assert "There is nothing to do now." in page
    assert "No vote has been counted yet." not in page
    assert "The weekly report on proposals" in page
    assert reverse("office:act", args=[game.slug, "proposals.strike_vote"]) in page


def test_who_does_not_keep_the_proposals_has_no_desk_for_them(
    game: Game, player: Player, passed: Proposal
) -> None:
    assert browser(player).get(reverse("office:desk", args=[game.slug])).status_code == 403
    act = reverse("office:act", args=[game.slug, "proposals.strike_vote"])
    assert browser(player).get(act).status_code == 403


@under("agora-proposals", "b-nomic-2006")
def test_what_is_kept_by_hand_is_a_duty_whose_form_is_filled(
    game: Game, player: Player, officer: Player, desk: Client, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", duty="numbers", keeper=OFFICER)
    if game.edition == "adoption-index":
        act(officer, "proposals.keep_by_hand", duty="distribution", keeper=OFFICER)
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    page = the_desk(desk, game)
    assert "Proposal p1 “Spoons” by Murphy has no number yet" in page
    filled = the_act(desk, game, "proposals.assign_number", proposal="p1")
    assert 'value="p1"' in filled
    assert 'value="1"' in filled
    said = previewed(desk, game, "proposals.assign_number", proposal="p1", number=1)
    assert "“snail gives Proposal p1 the number 1.”" in said
    assert '<th scope="row">Proposals: Proposal p1, number</th><td>none</td><td>1</td>' in tight(
        said
    )
    if game.edition == "adoption-index":
        assert "Proposal p1 “Spoons” by Murphy waits to be distributed" in page
        assert "overdue" not in page
        assert "due by Thu 5 Mar 2026, 12:00" in page
        said = previewed(desk, game, "proposals.distribute", proposal="p1")
        assert "snail distributes Proposal 1 “Spoons”. Proposal 1 is open to votes." in said


@under("b-nomic-2006")
def test_a_clock_that_stands_still_is_a_duty(
    game: Game, officer: Player, desk: Client, act: Take
) -> None:
    act(officer, "proposals.turn_clock", to="off")
    assert "The Clock is off (ndelay 1): nweek 1 waits for it" in the_desk(desk, game)
    said = previewed(desk, game, "proposals.turn_clock", to="on")
    assert "“snail turns the Clock on.”" in said


def test_a_sentence_left_to_the_officer_is_quoted_on_the_desk_and_beside_its_form(
    game: Game, officer: Player, desk: Client, passed: Proposal, act: Take
) -> None:
    page = the_desk(desk, game)
    assert f"Carry out “{BY_HAND}” of Proposal 1 “Moods” (change 1)" in page
    assert "due by Mon 16 Mar 2026, 00:00" in page
    form = the_act(desk, game, "proposals.carry_out", proposal=1, place=1)
    assert f'<blockquote class="announces">{BY_HAND}</blockquote>' in form
    assert "reason=Proposal+1%2C+change+1%3A" in form
    assert '<option value="0">0: nothing had to be changed' in form
    assert '<option value="" selected>entry…' in form
    assert 'name="place"' in form
    assert not re.search('<input[^>]*name="(place|proposal|entry)"', form)
    choose = the_act(desk, game, "rulebook.amend", reason="Proposal 1, change 1: “…”")
    assert "?reason=Proposal+1%2C+change+1%3A+%E2%80%9C%E2%80%A6%E2%80%9D&rule=Voting" in choose


def test_the_correction_that_cites_a_sentence_is_offered_first(
    game: Game, officer: Player, desk: Client, passed: Proposal, act: Take
) -> None:
    reason = f"Proposal 1, change 1: “{BY_HAND}”"
    made = act(officer, "rulebook.amend", rule="Voting", text="Merry.", reason=reason).entry
    act(None, "rulebook.amend", rule="Voting", text="Very merry.", reason="a misprint")
    page = the_desk(desk, game)
    assert f"entry {made.seq} cites it, so state that it is done" in page
    assert f"place=1&entry={made.seq}" in page
    for begun in ({"entry": made.seq}, {}):
        form = the_act(desk, game, "proposals.carry_out", proposal=1, place=1, **begun)
        assert f'<option value="{made.seq}" selected>' in form
    assert f"Entry {made.seq} says that it carries it out." in form
    said = previewed(
        desk, game, "proposals.carry_out", proposal=1, place=1, entry=made.seq, note=""
    )
    assert f"“snail states that entry {made.seq} carries out “{BY_HAND}” of Proposal 1" in said
    assert "Nothing has changed yet." in said
    assert Errand.objects.get().done_in is None


@pytest.mark.parametrize(
    "begun",
    [
        {"proposal": "nonsense", "place": "1"},
        {"proposal": "99999999999", "place": "1"},
        {"proposal": "1", "place": "-4"},
        {"proposal": "1", "place": "999999999999"},
        {"place": "1"},
    ],
)
def test_a_form_that_an_address_begins_wrongly_is_just_a_form(
    begun: dict[str, str], game: Game, desk: Client, passed: Proposal
) -> None:
    assert "State it" not in the_act(desk, game, "proposals.carry_out", **begun)
    assert "Take" in the_act(desk, game, "proposals.take_up", **begun)


def test_who_voted_is_offered_where_a_vote_is_to_be_struck(
    game: Game, desk: Client, passed: Proposal
) -> None:
    form = the_act(desk, game, "proposals.strike_vote", proposal=1)
    for name in ("Madrid", "Murphy", "snail"):
        assert f'<option value="{name}">{name}</option>' in form
    for wrong in ("nonsense", "9", ""):
        assert 'name="voter"' in the_act(desk, game, "proposals.strike_vote", proposal=wrong)


def test_the_reports_to_publish_are_offered_by_their_titles(game: Game, desk: Client) -> None:
    form = the_act(desk, game, "reports.publish")
    assert re.search('<option value="proposals[^"]*"[^>]*>The weekly report on proposals<', form)


def test_sealed_votes_tell_nobody_who_voted(
    game: Game, player: Player, desk: Client, act: Take
) -> None:
    act(player, "proposals.submit", title="Sealed", body="x")
    act(player, "proposals.vote", proposal=1, choice="FOR")
    Proposal.objects.update(secret=True)
    form = the_act(desk, game, "proposals.strike_vote", proposal=1)
    assert 'name="voter"' in form
    assert "Murphy" not in form


def test_prose_is_offered_to_be_taken_up(game: Game, desk: Client, passed: Proposal) -> None:
    form = the_act(desk, game, "proposals.take_up", proposal=1)
    assert '<option value="Be merry.">' in form
    said = previewed(
        desk, game, "proposals.take_up", proposal=1, words="Be merry.", reason="it asks for it"
    )
    assert "snail takes up “Be merry.” of Proposal 1 “Moods”" in said
    assert "<th" not in said.partition("What it will change")[2]


def test_the_preview_of_a_strike_shows_what_it_would_have_changed(
    game: Game, desk: Client, passed: Proposal
) -> None:
    struck = {"proposal": 1, "voter": "Madrid", "reason": "a slip"}
    said = previewed(desk, game, "proposals.strike_vote", **struck)
    assert "Proposal 1 was ADOPTED and would be FAILED QUORUM" in said
    assert "No vote of “nobody” on Proposal 1 stands." in previewed(
        desk, game, "proposals.strike_vote", **{**struck, "voter": "nobody"}
    )


@pytest.mark.thorough
def test_turnout_and_strengths_are_drawn_and_told(
    game: Game, desk: Client, passed: Proposal
) -> None:
    page = tight(the_desk(desk, game))
    assert "3 of 3<" in page
    assert '<th scope="row">1 Moods</th><td>3</td><td>3</td>' in page
    assert '<th scope="row">1 Moods</th><td>3</td><td>0</td><td>3</td><td>ADOPTED</td>' in page


@pytest.mark.thorough
@under("b-nomic-2006", "agora-proposals")
def test_the_desk_asks_as_often_with_much_on_it_as_with_little(
    game: Game, player: Player, officer: Player, desk: Client, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", duty="numbers", keeper=OFFICER)
    act(player, "proposals.submit", title="Spoons", body=BY_HAND)
    address = reverse("office:desk", args=[game.slug])

    def asked() -> int:
        desk.get(address)
        with CaptureQueriesContext(connection) as queries:
            desk.get(address)
        return len(queries)

    advance(game.slug, NDAY_9)
    before = asked()
    assert before <= 17
    seat_practice_players(game.slug, 12)
    for number in range(9):
        act(player, "proposals.submit", title=f"Number {number}", body=BY_HAND)
    assert asked() == before


# Books


def test_sealed_votes_are_in_no_book_until_the_close(
    game: Game, player: Player, officer: Player, desk: Client, act: Take
) -> None:
    text = game.rules.get(title="Voting").text
    sealed = text.replace("While voting lasts | yes", "While voting lasts | no")
    act(None, "rulebook.amend", rule="Voting", text=sealed, reason="as it was voted")
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    votes = reverse("office:proposals_vote_changelist")
    before = shown(desk, votes)
    act(player, "proposals.vote", proposal=1, choice="AGAINST")
    assert "AGAINST" not in shown(desk, votes)
    assert len(shown(desk, votes)) == len(before)
    advance(game.slug, AFTER_A_WEEK)
    assert "AGAINST" in shown(desk, votes)


def test_each_book_opens_and_finds(
    game: Game, officer: Player, desk: Client, passed: Proposal, act: Take
) -> None:
    act(officer, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a slip")
    for model, words in (
        ("proposal", "Moods"),
        ("version", "Moods"),
        ("vote", "FOR"),
        ("strike", "a slip"),
        ("errand", BY_HAND),
        ("comment", ""),
    ):
        page = shown(desk, reverse(f"office:proposals_{model}_changelist"), q=words[:8])
        assert words in page
    row = reverse("office:proposals_proposal_change", args=[passed.pk])
    assert BY_HAND in shown(desk, row)


# Results


def results_at(game: Game, seq: int) -> str:
    return reverse("proposal_results", args=[game.slug, seq])


def test_results_are_a_page_a_text_a_sheet_and_json_for_everybody(
    game: Game, passed: Proposal
) -> None:
    address = results_at(game, passed.closed_in or 0)
    page = shown(Client(), address)
    assert "Results of Proposal 1" in page
    assert "Madrid, Murphy, snail" in page
    assert BY_HAND in page
    assert "FOR (3): Madrid, Murphy, snail" in shown(Client(), address, format="text")
    assert "1,Moods,Madrid,FOR,FOR," in shown(Client(), address, format="csv")
    told = json.loads(shown(Client(), address, format="json"))
    assert told["proposals"][0]["counted"] == dict.fromkeys(("Madrid", "Murphy", "snail"), "FOR")
    assert told["struck_since"] == []


def test_what_is_struck_later_stands_beside_the_results(
    game: Game, officer: Player, passed: Proposal, act: Take
) -> None:
    address = results_at(game, passed.closed_in or 0)
    text = shown(Client(), address, format="text")
    struck = act(officer, "proposals.strike_vote", proposal=1, voter="Madrid", reason="a slip")
    assert shown(Client(), address, format="text") == text
    page = shown(Client(), address)
    assert "Struck since" in page
    assert struck.entry.text in page
    assert "Madrid, Murphy, snail" in page


def test_only_the_officer_is_led_from_the_results_to_what_is_left_to_do(
    game: Game, player: Player, desk: Client, passed: Proposal
) -> None:
    address = results_at(game, passed.closed_in or 0)
    todo = ("act/proposals.carry_out/?proposal=1&place=1", "act/proposals.take_up/?proposal=1")
    assert all(each in shown(desk, address) for each in todo)
    for visitor in (browser(player), Client()):
        assert not any(each in shown(visitor, address) for each in todo)


@pytest.mark.parametrize("seq", [1, 10**6, 10**12])
def test_an_entry_that_decided_nothing_has_no_page(seq: int, game: Game, passed: Proposal) -> None:
    assert Client().get(results_at(game, seq)).status_code == 404


@under("agora-races")
def test_a_game_without_proposals_has_no_results(game: Game, player: Player) -> None:
    assert Client().get(results_at(game, 1)).status_code == 404


def test_what_players_wrote_stands_on_the_page_as_text(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    body = "<script>alert(1)</script> =1+1"
    act(player, "proposals.submit", title="<b>=2+2", body=body)
    advance(game.slug, AFTER_A_WEEK)
    seq = Proposal.objects.get(game=game).closed_in or 0
    page = Client().get(results_at(game, seq)).text
    assert "<script>alert" not in page
    assert "<b>=2" not in page
    assert "&lt;b&gt;=2+2" in page


@pytest.mark.thorough
@under("b-nomic-2006")
def test_a_page_of_results_asks_as_often_for_many_as_for_few(
    game: Game, player: Player, act: Take
) -> None:
    for number in range(16):
        act(player, "proposals.submit", title=f"Number {number}", body="Nothing.")
    advance(game.slug, NDAY_9)
    voters = [player, *(seat(game, f"Voter{number}") for number in range(3))]
    for number in range(1, 17):
        act(voters[number % 4], "proposals.vote", proposal=number, choice="FOR")
    advance(game.slug, THE_END)
    seq = Proposal.objects.filter(game=game).latest("pk").closed_in or 0
    with CaptureQueriesContext(connection) as queries:
        page = shown(Client(), results_at(game, seq))
    assert len(queries) <= 14
    assert "Passed, in this order: 1, 2, 3" in on_one_line(page)
    assert '<th scope="row">Voter2</th>' in page
