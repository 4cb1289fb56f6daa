"""The acts of the officer who keeps the proposals: what they do, each refusal by its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from nomic.engine.actions import find_action, legality
from nomic.engine.outcomes import Malformed, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Errand, NweekClock, Proposal
from tests.kit import WEDNESDAY, Take, afterwards

AFTER_A_WEEK = WEDNESDAY + timedelta(days=7)
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)
BY_HAND = "Set the mood of the isle to merry."
OFFICER, SYSTEM = "the officer", "the system"


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
    now = Game.objects.get(pk=game.pk)
    assert [finding for finding in audit(now) if finding.wrong] == []
    assert replay(now)[1] is None


def refused(sentence: str) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, match=sentence)


def the(game: Game, serial: int = 1) -> Proposal:
    return Proposal.objects.get(game=game, serial=serial)


def why_not(officer: Player, name: str) -> str:
    """The sentence with which a page says that the act is not possible now."""
    table = glance(Game.objects.get(pk=officer.game_id))
    refusal = legality(find_action(name), table, officer, {})
    return refusal.sentence if refusal else ""


# Numbers


@under("agora-proposals", "b-nomic-5e33")
def test_numbers_kept_by_hand_are_given_one_by_one_each_greater_than_the_last(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    assert why_not(officer, "proposals.assign_number") == "Every proposal has a number."
    act(officer, "proposals.keep_by_hand", duty="numbers", keeper=OFFICER)
    if game.edition == "adoption-index":
        act(officer, "proposals.keep_by_hand", duty="distribution", keeper=OFFICER)
    for title in ("Spoons", "Forks", "Knives"):
        act(player, "proposals.submit", title=title, body="Nothing.")
    said = act(officer, "proposals.assign_number", proposal="p2", number=7).entry
    assert said.text == "snail gives Proposal p2 the number 7."
    with refused("^Proposal 7 has its number, and keeps it.$"):
        act(officer, "proposals.assign_number", proposal=7, number=8)
    with refused("^Numbers up to 7 are used or passed over: give a greater one.$"):
        act(officer, "proposals.assign_number", proposal="p1", number=7)
    with refused("^This game has no proposal p9.$"):
        act(officer, "proposals.assign_number", proposal="p9", number=8)
    act(player, "proposals.withdraw", proposal="p3")
    with refused("^Proposal 8 has its number, and keeps it.$"):
        act(officer, "proposals.assign_number", proposal="p3", number=9)
    said = act(officer, "proposals.keep_by_hand", duty="numbers", keeper=SYSTEM).entry
    assert said.text.endswith("Numbered: p1 is Proposal 9.")
    assert [the(game, serial).number for serial in (1, 2, 3)] == [9, 7, 8]


@pytest.mark.parametrize("number", [0, -1, "many", 10**12])
def test_a_number_is_a_whole_one_of_some_size(number: object, officer: Player, act: Take) -> None:
    with pytest.raises(Malformed):
        act(officer, "proposals.assign_number", proposal="p1", number=number)


def test_only_the_officer_or_who_runs_the_site_does_any_of_it(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    with refused("^Only the Assessor can do this.$"):
        act(player, "proposals.keep_by_hand", duty="numbers", keeper=OFFICER)
    said = act(None, "proposals.keep_by_hand", duty="numbers", keeper=OFFICER).entry.text
    assert said.startswith("The operator, for the Assessor, decides that the officer keeps")


# Which duties are kept by hand


def test_a_duty_is_kept_by_whom_the_officer_says(officer: Player, act: Take) -> None:
    with refused("^This game's edition has no Clock.$"):
        act(officer, "proposals.keep_by_hand", duty="clock", keeper=OFFICER)
    with refused("^The system keeps it already.$"):
        act(officer, "proposals.keep_by_hand", duty="numbers", keeper=SYSTEM)
    act(officer, "proposals.keep_by_hand", duty="numbers", keeper=OFFICER)
    with refused("^The officer keeps it already.$"):
        act(officer, "proposals.keep_by_hand", duty="numbers", keeper=OFFICER)
    with pytest.raises(Malformed, match="Known: numbers, distribution, clock"):
        act(officer, "proposals.keep_by_hand", duty="tea", keeper=OFFICER)


@under("b-nomic-2006")
def test_nobody_distributes_what_opens_together(officer: Player, act: Take) -> None:
    with refused("^Proposals of an nweek open together; nobody distributes them.$"):
        act(officer, "proposals.keep_by_hand", duty="distribution", keeper=OFFICER)


# Distribution


@under("agora-proposals", "blognomic")
def test_a_proposal_kept_back_comes_to_the_vote_when_it_is_distributed(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    assert why_not(officer, "proposals.distribute") == "No proposal is Pending."
    act(officer, "proposals.keep_by_hand", duty="distribution", keeper=OFFICER)
    act(player, "proposals.submit", title="Spoons", body="Nothing.")
    advance(game.slug, WEDNESDAY + timedelta(days=1))
    assert the(game).status == "Pending"
    with refused("^Proposal 1 is Pending: it cannot be voted on yet.$"):
        act(player, "proposals.vote", proposal=1, choice="FOR")
    said = act(officer, "proposals.distribute", proposal=1).entry.text
    assert said == "snail distributes Proposal 1 “Spoons”. Proposal 1 is open to votes."
    act(player, "proposals.vote", proposal=1, choice="FOR")
    with refused("^Proposal 1 is (Open|Historical): only a Pending one is distributed.$"):
        act(officer, "proposals.distribute", proposal=1)
    with refused("^This game has no proposal 8.$"):
        act(officer, "proposals.distribute", proposal=8)


def test_what_waits_is_distributed_at_once_when_the_system_takes_over(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", duty="distribution", keeper=OFFICER)
    act(player, "proposals.submit", body="Nothing.")
    act(officer, "proposals.keep_by_hand", duty="distribution", keeper=SYSTEM)
    advance(game.slug, WEDNESDAY + timedelta(minutes=1))
    assert the(game).status == "Open"


def test_a_distribution_that_was_appointed_waits_once_it_is_kept_by_hand(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    text = game.rules.get(title="Proposals").text
    later = text.replace("| After submission | 0 |", "| After submission | 24 |")
    act(None, "rulebook.amend", rule="Proposals", text=later, reason="a test of patience")
    act(player, "proposals.submit", body="Nothing.")
    act(officer, "proposals.keep_by_hand", duty="distribution", keeper=OFFICER)
    advance(game.slug, WEDNESDAY + timedelta(days=2))
    assert the(game).status == "Pending"


@under("b-nomic-5e33")
def test_in_an_nweek_nothing_is_distributed(officer: Player, act: Take) -> None:
    with refused("the rule that would allow it is not in force"):
        act(officer, "proposals.distribute", proposal=1)


# The Clock


@pytest.mark.thorough
@under("b-nomic-2006", "b-nomic-5e33")
def test_the_clock_is_turned_by_hand_and_nothing_is_due_while_it_is_off(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    with refused("^The Clock is on already.$"):
        act(officer, "proposals.turn_clock", to="on")
    act(player, "proposals.submit", body="Nothing.")
    said = act(officer, "proposals.turn_clock", to="off").entry.text
    assert said == "snail turns the Clock off."
    with refused("^The Clock is off already.$"):
        act(officer, "proposals.turn_clock", to="off")
    advance(game.slug, WEDNESDAY + timedelta(days=20))
    assert the(game).status == "Pending"
    act(officer, "proposals.turn_clock", to="on")
    advance(game.slug, WEDNESDAY + timedelta(days=28))
    assert the(game).status == "Open"
    with pytest.raises(Malformed):
        act(officer, "proposals.turn_clock", to="sideways")


@under("b-nomic-2006")
def test_a_clock_kept_by_hand_is_off_when_an_nweek_ends_and_goes_on_with_the_system(
    game: Game, officer: Player, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", duty="clock", keeper=OFFICER)
    advance(game.slug, THE_END)
    assert not NweekClock.objects.get(game=game).is_on
    said = act(officer, "proposals.keep_by_hand", duty="clock", keeper=SYSTEM).entry.text
    assert said.endswith("decides that the system keeps the clock. The Clock goes on.")
    assert NweekClock.objects.get(game=game).is_on


@under("agora-proposals", "blognomic")
def test_without_nweeks_there_is_no_clock_to_turn(officer: Player, act: Take) -> None:
    with refused("the rule that would allow it is not in force"):
        act(officer, "proposals.turn_clock", to="off")


# Strengths


def test_a_strength_is_set_within_what_the_table_allows_and_counts(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    with refused("^A voting strength is 15 at most.$"):
        act(officer, "proposals.set_strength", who="Madrid", strength=16, reason="a ribbon")
    with pytest.raises(Malformed):
        act(officer, "proposals.set_strength", who="Madrid", strength=-1, reason="a ribbon")
    with pytest.raises(Malformed, match="not a player of this game"):
        act(officer, "proposals.set_strength", who="nobody", strength=1, reason="a ribbon")
    said = act(officer, "proposals.set_strength", who="Madrid", strength=7, reason="a ribbon")
    assert said.entry.text == "snail sets the voting strength of Madrid to 7: a ribbon"
    act(player, "proposals.submit", body="Nothing.")
    for voter, word in ((player, "FOR"), (rival, "AGAINST"), (officer, "FOR")):
        act(voter, "proposals.vote", proposal=1, choice=word)
    advance(game.slug, AFTER_A_WEEK)
    assert (the(game).outcome, the(game).figures["ratio"]) == ("REJECTED", "6/7")


@under("b-nomic-2006", "b-nomic-5e33", "blognomic")
def test_where_everybody_counts_once_no_strength_is_set(officer: Player, act: Take) -> None:
    with refused("the rule that would allow it is not in force"):
        act(officer, "proposals.set_strength", who="snail", strength=1, reason="none")


# Sentences carried out by hand


@pytest.fixture
def passed(game: Game, player: Player, rival: Player, officer: Player, act: Take) -> Proposal:
    """A proposal that passed and left a sentence to the officer."""
    body = f"Be merry.\n\n{BY_HAND}"
    act(player, "proposals.submit", title="Moods", body=body, remarks=["Be merry."])
    for voter in (player, rival, officer):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, AFTER_A_WEEK)
    return the(game)


@pytest.mark.thorough
def test_a_sentence_is_carried_out_by_a_correction_that_is_cited(
    passed: Proposal, game: Game, player: Player, officer: Player, act: Take
) -> None:
    errand = passed.errands.get()
    assert errand.sentence == BY_HAND
    cite = {"proposal": 1, "place": errand.place}
    with refused(f"^Proposal 1 has no change {errand.place + 1} to be carried out by hand.$"):
        act(officer, "proposals.carry_out", proposal=1, place=errand.place + 1, entry=0)
    with refused("^Entry 2 is not an officer's correction after entry"):
        act(officer, "proposals.carry_out", **cite, entry=2)
    with refused("^Entry 999 is not an officer's correction"):
        act(officer, "proposals.carry_out", **cite, entry=999)
    chat = act(player, "proposals.comment", proposal=1, text="Well done!").entry
    with refused("Make the correction first, then name its entry.$"):
        act(officer, "proposals.carry_out", **cite, entry=chat.seq)
    pause = act(officer, "games.pause", reason="tea").entry
    act(officer, "games.resume")
    with refused("Make the correction first, then name its entry.$"):
        act(officer, "proposals.carry_out", **cite, entry=pause.seq)
    with refused("^Say how it was done, or why nothing had to be changed; or name the entry"):
        act(officer, "proposals.carry_out", **cite, entry=0)
    made = act(
        officer, "rulebook.amend", rule="Voting", text="Be merry.", reason="Proposal 1, change 1"
    ).entry
    said = act(officer, "proposals.carry_out", **cite, entry=made.seq, note="All are merry.").entry
    assert said.text == (
        f"snail states that entry {made.seq} carries out “{BY_HAND}” of Proposal 1 “Moods”."
        " All are merry."
    )
    errand.refresh_from_db()
    assert (errand.done_in, errand.cited) == (said.seq, made.seq)
    with refused(f"^That was carried out already, in entry {said.seq}.$"):
        act(officer, "proposals.carry_out", **cite, entry=made.seq)
    assert why_not(officer, "proposals.carry_out") == "Nothing is left to be carried out by hand."


def test_where_nothing_had_to_be_changed_the_officer_says_why(
    passed: Proposal, game: Game, officer: Player, act: Take
) -> None:
    place = passed.errands.get().place
    note = "The isle has no mood."
    said = act(officer, "proposals.carry_out", proposal=1, place=place, entry=0, note=note).entry
    assert said.text.startswith("snail states that nothing had to be changed for “Set the mood")
    assert Errand.objects.get().cited is None


def test_a_sentence_that_was_read_as_prose_can_be_taken_up(
    passed: Proposal, game: Game, player: Player, officer: Player, act: Take
) -> None:
    taken = {"proposal": 1, "reason": "it asks for something"}
    with refused("^That does not stand in Proposal 1: quote it as it stands there.$"):
        act(officer, "proposals.take_up", words="Be sad.", **taken)
    with refused("^That sentence is to be carried out by hand already.$"):
        act(officer, "proposals.take_up", words=BY_HAND, **taken)
    said = act(officer, "proposals.take_up", words="Be  merry.", **taken).entry
    assert said.text == (
        "snail takes up “Be merry.” of Proposal 1 “Moods”, to be carried out by hand:"
        " it asks for something"
    )
    errand = Errand.objects.get(sentence="Be merry.")
    assert errand.place == 2
    assert errand.why == "snail took it up: it asks for something"
    act(officer, "proposals.carry_out", proposal=1, place=2, entry=0, note="We are.")
    act(player, "proposals.submit", body="Be merry.")
    with refused("^Proposal 2 has not passed, so nothing of it is carried out.$"):
        act(officer, "proposals.take_up", proposal=2, words="Be merry.", reason="none")


def test_where_nothing_has_passed_nothing_is_taken_up(officer: Player, act: Take) -> None:
    assert why_not(officer, "proposals.take_up") == "No proposal has passed yet."
