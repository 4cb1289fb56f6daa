"""What the office that keeps the proposals is late with, another player does as its deputy."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.calendars import next_week
from nomic.games.models import Game, Player
from nomic.governance.breaches import week_of
from nomic.governance.desks import Duty
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from proposals.events.adopting import SENTENCES_WAIT
from proposals.events.opening import WAITS, distribution_terms
from proposals.models import Proposal
from proposals.office.desk import duties_of
from proposals.state.offices import officer_of
from proposals.state.reading import state_of
from proposals.state.workload import undone
from proposals.subgame import THE_ASSEMBLY
from tests.kit import WEDNESDAY, Take, at_the_table, seat
from tests.kit.races import again_while_busy, all_at_once

OFFICER = "the officer"
SPOONS = "Enact a new rule titled “Spoons” and the following text: { Nice. }"
REMARK = "Everybody is to be nice."
MOOD = "Set the mood of the isle to merry."
WEEK = timedelta(days=7)
LATE = timedelta(days=3)  # a day to announce it, and two until a deputy does
CHAIR = "Assessor"


@pytest.fixture
def game(db: None, request: pytest.FixtureRequest) -> Game:
    """One in which there is a rule on offices and who is late with what they owe."""
    preset = getattr(request, "param", "agora-proposals")
    return new_game("table", preset, pace="manual", start=WEDNESDAY, offices="host")[0]


def duties(game: Game) -> list[Duty]:
    """Those of the office that keeps the proposals."""
    return [duty for _, duty in duties_of(state_of(glance(Game.objects.get(pk=game.pk))))]


def breaches(game: Game) -> list[str]:
    """What is told of the officer on the record."""
    told = game.entries.filter(outcome__has_key="breach").order_by("seq")
    return [entry.outcome["breach"]["says"] for entry in told]


@pytest.fixture
def officer(game: Game, player: Player, rival: Player, newcomer: Player, act: Take) -> Player:
    """Who keeps the proposals, and counts by hand."""
    act(None, "games.appoint", office=officer_of(game), player=newcomer.name)
    act(newcomer, "proposals.keep_by_hand", keeper=OFFICER, duty="counting")
    return newcomer


@pytest.fixture
def newcomer(game: Game) -> Player:
    return seat(game, "snail")


def the() -> Proposal:
    return Proposal.objects.get(number=1)


def voted_on(game: Game, players: list[Player], act: Take, body: str) -> None:
    act(players[0], "proposals.submit", body=body)
    for voter in players:
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    advance(game.slug, WEDNESDAY + WEEK)


def why_not(act: Take, who: Player, name: str, **inputs: object) -> str:
    with pytest.raises(Refused) as refused:
        act(who, name, **inputs)
    return refused.value.refusal.sentence


def test_a_result_that_is_late_is_told_and_announced_by_a_deputy(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    voted_on(game, [player, rival, officer], act, SPOONS)
    announce = {"proposal": 1, "outcome": "ADOPTED"}
    advance(game.slug, WEDNESDAY + WEEK + timedelta(days=1))
    told = game.entries.filter(outcome__has_key="breach").get()
    assert told.text.endswith(
        f"The {CHAIR}, snail, let a day after the vote go by without announcing the result of"
        " Proposal 1."
    )
    assert "nothing of it is so late now" in why_not(act, rival, "proposals.announce", **announce)
    advance(game.slug, WEDNESDAY + WEEK + LATE)
    entry = act(rival, "proposals.announce", **announce).entry
    assert entry.text.startswith(
        f"Madrid acts as deputy of the {CHAIR}. Madrid announces the result. Proposal 1: "
    )
    assert entry.outcome["deputy_for"] == CHAIR
    assert (the().passed, the().status) == (True, "Historical")
    assert game.entries.filter(outcome__has_key="breach").count() == 1
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_a_deputy_who_announces_otherwise_waits_for_objections_as_the_officer_does(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    voted_on(game, [player, rival, officer], act, SPOONS)
    advance(game.slug, WEDNESDAY + WEEK + LATE)
    otherwise = {"proposal": 1, "outcome": "REJECTED", "reason": "two are one"}
    said = act(rival, "proposals.announce", **otherwise).entry.text
    assert said.startswith(f"Madrid acts as deputy of the {CHAIR}. Madrid announces Motion 1: ")
    assert "unless a player objects" in said
    advance(game.slug, WEDNESDAY + WEEK + LATE + timedelta(days=1))
    done = game.entries.filter(name="games.motion").get()
    assert f"Madrid acts as deputy of the {CHAIR}." in done.text
    assert the().passed is False


def test_a_deputys_announcement_ends_when_the_office_is_vacant_by_then(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    voted_on(game, [player, rival, officer], act, SPOONS)
    advance(game.slug, WEDNESDAY + WEEK + LATE)
    otherwise = {"proposal": 1, "outcome": "REJECTED", "reason": "two are one"}
    act(rival, "proposals.announce", **otherwise)
    act(officer, "games.resign_office", office=CHAIR)
    assert the().passed is True  # the system counts
    advance(game.slug, WEDNESDAY + WEEK + LATE + timedelta(days=1))
    assert game.motions.get().end == "failed"
    assert game.motions.get().note == "The result is announced already."


def test_a_sentence_is_carried_out_by_a_deputy_when_it_is_late(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", keeper="the system", duty="counting")
    voted_on(game, [player, rival, officer], act, REMARK)
    done = {"proposal": 1, "place": 1, "entry": 0, "note": "It is a wish."}
    assert "Only the" in why_not(act, rival, "proposals.carry_out", **done)
    advance(game.slug, WEDNESDAY + 2 * WEEK + LATE)
    said = act(rival, "proposals.carry_out", **done).entry.text
    assert said.startswith(f"Madrid acts as deputy of the {CHAIR}. Madrid announces Motion 1: ")
    advance(game.slug, WEDNESDAY + 2 * WEEK + LATE + timedelta(days=1))
    assert the().errands.get().done_in is not None
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_a_sentence_that_is_carried_out_in_time_is_nobodys_breach(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", keeper="the system", duty="counting")
    voted_on(game, [player, rival, officer], act, f"{REMARK}\n\n{MOOD}")
    for place in (1, 2):
        done = {"proposal": 1, "place": place, "entry": 0, "note": "It is a wish."}
        act(officer, "proposals.carry_out", **done)
    advance(game.slug, WEDNESDAY + 3 * WEEK)
    assert undone(game).count() == 0
    assert breaches(game) == []
    assert not game.entries.filter(name=SENTENCES_WAIT).exists()


def test_a_sentence_that_waits_when_its_week_is_over_is_told(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", keeper="the system", duty="counting")
    voted_on(game, [player, rival, officer], act, f"{REMARK}\n\n{MOOD}")
    done = {"proposal": 1, "place": 1, "entry": 0, "note": "It is a wish."}
    act(officer, "proposals.carry_out", **done)
    advance(game.slug, WEDNESDAY + WEEK + timedelta(days=1))  # objections have had their day
    over = next_week(WEDNESDAY + WEEK)
    advance(game.slug, over)
    assert breaches(game) == [
        f"The {CHAIR}, snail, let {week_of(over - WEEK)} go by without carrying out 1 sentence of"
        " what was adopted."
    ]
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_a_sentence_that_is_taken_up_later_is_due_a_week_later(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", keeper="the system", duty="counting")
    body = f"{SPOONS}\n\nBe merry."
    act(player, "proposals.submit", body=body, remarks=["Be merry."])
    for voter in (player, rival, officer):
        act(voter, "proposals.vote", proposal=1, choice="FOR")
    taken_up = WEDNESDAY + 4 * WEEK
    advance(game.slug, taken_up)
    act(None, "proposals.take_up", proposal=1, words="Be merry.", reason="It is no remark.")
    (due,) = [duty.due for duty in duties(game) if duty.action == "proposals.carry_out"]
    assert due == next_week(taken_up)
    advance(game.slug, next_week(taken_up))
    assert [said.partition(" go by")[0] for said in breaches(game)] == [
        f"The {CHAIR}, snail, let {week_of(due - WEEK)}"
    ]


@pytest.fixture
def waiting(game: Game, player: Player, officer: Player, act: Take) -> Proposal:
    """A proposal that the officer is to distribute."""
    act(officer, "proposals.keep_by_hand", keeper=OFFICER, duty="distribution")
    act(player, "proposals.submit", body=SPOONS)
    return game.proposals.get()


A_DAY = timedelta(days=1)


def test_a_proposal_that_is_not_distributed_is_told_and_a_deputy_distributes_it(
    game: Game, waiting: Proposal, rival: Player, act: Take
) -> None:
    advance(game.slug, WEDNESDAY + A_DAY)
    assert breaches(game) == [
        f"The {CHAIR}, snail, let the time for Proposal 1 go by without distributing it."
    ]
    assert "so late now" in why_not(act, rival, "proposals.distribute", proposal="p1")
    advance(game.slug, WEDNESDAY + 3 * A_DAY)
    said = act(rival, "proposals.distribute", proposal="p1").entry.text
    assert said.startswith(f"Madrid acts as deputy of the {CHAIR}. Madrid distributes")
    assert len(breaches(game)) == 1
    assert replay(Game.objects.get(pk=game.pk))[1] is None


@pytest.mark.django_db(transaction=True)
def test_of_two_deputies_at_once_one_does_it_and_the_other_is_told(
    transactional_db: None, game: Game, waiting: Proposal, rival: Player, act: Take
) -> None:
    other = seat(game, "juan")
    advance(game.slug, WEDNESDAY + 3 * A_DAY)
    asked = {"proposal": "p1"}
    ends = all_at_once(
        *(
            again_while_busy(partial(take, game.slug, deputy, "proposals.distribute", asked))
            for deputy in (rival, other)
        )
    )
    (refused,) = [end for end in ends if not isinstance(end, Receipt)]
    assert "only a Pending one is distributed" in str(refused) or "so late now" in str(refused)
    assert game.entries.filter(name="proposals.distribute").count() == 1


@pytest.mark.parametrize("way", ["distributed", "left to the system", "withdrawn", "vacant"])
def test_what_is_not_late_or_nobodys_to_distribute_any_more_is_no_breach(
    game: Game, waiting: Proposal, player: Player, officer: Player, act: Take, way: str
) -> None:
    acts = {
        "distributed": (officer, "proposals.distribute", {"proposal": "p1"}),
        "left to the system": (
            officer,
            "proposals.keep_by_hand",
            {"keeper": "the system", "duty": "distribution"},
        ),
        "withdrawn": (player, "proposals.withdraw", {"proposal": "p1"}),
        "vacant": (officer, "games.resign_office", {"office": CHAIR}),
    }
    who, name, inputs = acts[way]
    act(who, name, **inputs)
    advance(game.slug, WEDNESDAY + 4 * A_DAY)
    assert breaches(game) == []
    assert not game.entries.filter(name=WAITS).exists()


def test_whoever_takes_the_duty_up_again_has_its_time_anew(
    game: Game, waiting: Proposal, officer: Player, newcomer: Player, act: Take
) -> None:
    advance(game.slug, WEDNESDAY + 2 * A_DAY)
    assert len(breaches(game)) == 1
    with at_the_table(game) as table:
        table.rules.enact("Other", "Text.")  # another rule does not begin the time anew
        THE_ASSEMBLY.rules_changed(table)
    assert distribution_terms(game, game.proposals.all()) == {1: WEDNESDAY + A_DAY}


@pytest.mark.parametrize("game", ["b-nomic-2006"], indirect=True)
def test_a_number_that_is_not_given_before_the_vote_is_told_and_a_deputy_gives_it(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    act(officer, "proposals.keep_by_hand", keeper=OFFICER, duty="numbers")
    for body in (SPOONS, SPOONS.replace("Spoons", "Forks")):
        act(player, "proposals.submit", body=body)
    number = {"proposal": "p1", "number": 1}
    opens = WEDNESDAY + 8 * A_DAY
    advance(game.slug, opens)
    assert breaches(game) == [
        "The Administrator, snail, let the time before the voting of nweek 1 go by without giving"
        " 2 proposals a number."
    ]
    assert "so late now" in why_not(act, rival, "proposals.assign_number", **number)
    advance(game.slug, opens + 2 * A_DAY)
    entry = act(rival, "proposals.assign_number", **number).entry
    assert entry.outcome["deputy_for"] == "Administrator"
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_a_number_that_is_not_given_before_the_system_distributes_is_told(
    game: Game, player: Player, officer: Player, act: Take
) -> None:
    row = "| After submission | {} |"
    text = game.rules.get(title="Proposals").text.replace(row.format(0), row.format(24))
    act(None, "rulebook.amend", rule="Proposals", text=text, reason="A day to read it.")
    act(officer, "proposals.keep_by_hand", keeper=OFFICER, duty="numbers")
    act(player, "proposals.submit", body=SPOONS)
    advance(game.slug, WEDNESDAY + A_DAY)
    assert the().status == "Open"
    assert breaches(game) == [
        f"The {CHAIR}, snail, let the time before the vote on Proposal p1 go by without giving 1"
        " proposal a number."
    ]
    assert replay(Game.objects.get(pk=game.pk))[1] is None


def test_nobody_acts_for_somebody_who_would_act_as_deputy(
    game: Game, player: Player, rival: Player, officer: Player, act: Take
) -> None:
    row = "| proposals.distribute | players | on behalf of any player | |"
    head = "| Act | Who | How | Days |\n| --- | --- | --- | --- |"
    with at_the_table(game) as table:
        table.rules.enact(title="Helpers", text=f"Players help.\n\n{head}\n{row}\n")
        table.follow_the_rules()
    act(officer, "proposals.keep_by_hand", keeper=OFFICER, duty="distribution")
    act(player, "proposals.submit", body=SPOONS)
    advance(game.slug, WEDNESDAY + 2 * WEEK + LATE)
    late = {"proposal": "p1"}
    said = why_not(act, rival, "behalf.proposals.distribute", on_behalf_of="Murphy", **late)
    assert "a deputy has no deputy" in said
    assert "as deputy" in act(rival, "proposals.distribute", **late).entry.text
