"""What players can write ends a vote as well as anything else: each change has its sentence."""

import pytest

from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.rulebook.limits import LONGEST_TEXT
from proposals.models import Errand, NweekClock, Proposal
from proposals.tests.events.room import Room
from proposals.tests.events.test_mendable import DAY, adopt, enacting, law, sentences


@pytest.fixture
def agora(db: None) -> Room:
    return Room("agora")


@pytest.mark.thorough
def test_the_rule_under_which_it_is_voted_may_be_amended(agora: Room) -> None:
    days = "| From distribution | {} |"
    change = f"In the rule “Voting”, replace “{days.format(7)}” with “{days.format(2)}”."
    adopt(agora, f"{change}\n\n{enacting('Spoons')}")
    assert days.format(2) in law(agora)["Voting"]
    assert "Spoons" in law(agora)
    assert replay(agora.fresh())[1] is None


@pytest.mark.thorough
def test_of_two_proposals_that_amend_one_passage_in_one_close_the_second_is_the_officers(
    db: None,
) -> None:
    room = Room("b-nomic-2006")
    old = "| An nweek | 12 | – |"
    for ndays in (10, 14):
        body = f"In the rule “The Clock”, replace “{old}” with “| An nweek | {ndays} | – |”."
        room.do(room.murphy, "proposals.submit", body=f"{body}\n\n{enacting(f'Spoons {ndays}')}")
    advance("room", NweekClock.objects.get().began_at + 8 * DAY)
    for number in (1, 2):
        room.do(room.madrid, "proposals.vote", proposal=number, choice="FOR")
    advance("room", NweekClock.objects.get().began_at + 12 * DAY)
    first, second = Proposal.objects.order_by("number")
    assert [effect["done"] for effect in first.effects] == [True, True]
    assert [effect["done"] for effect in second.effects] == [False, True]
    errand = Errand.objects.get()
    assert (errand.proposal, errand.place) == (second, 1)
    assert "| An nweek | 10 | – |" in law(room)["The Clock"]
    assert replay(room.fresh())[1] is None


@pytest.mark.thorough
def test_a_rule_that_is_retitled_and_amended_by_its_old_title_has_its_sentence(
    agora: Room,
) -> None:
    proposal = adopt(
        agora,
        "Retitle the rule “Voting” to “Ballots”.\n\n"
        "In the rule “Voting”, replace “| At least | 3 |” with “| At least | 2 |”.\n\n"
        "In the rule “Ballots”, replace “| From distribution | 7 |” with"
        " “| From distribution | 5 |”.",
    )
    assert [effect["done"] for effect in proposal.effects] == [True, False, True]
    assert "is now “Ballots”" in sentences(proposal)[1]
    assert Errand.objects.get().place == 2
    adopt(agora, enacting("Spoons"), 2)
    assert replay(agora.fresh())[1] is None


@pytest.mark.thorough
def test_five_hundred_changes_are_all_made(agora: Room) -> None:
    titles = {f"Spoon {number}" for number in range(500)}
    proposal = adopt(agora, "\n\n".join(enacting(title) for title in sorted(titles)))
    assert all(effect["done"] for effect in proposal.effects)
    assert titles <= law(agora).keys()


def test_a_text_at_the_limit_is_kept_and_beyond_it_is_the_officers(agora: Room) -> None:
    half = "x" * (LONGEST_TEXT // 2 - 100)
    enact = f"Enact a new rule titled “Long” and the following text: {{ {half} }}"
    adopt(agora, enact)
    proposal = adopt(agora, f"Append to the rule “Long”: {{ {half} }}", 2)
    assert proposal.effects[0]["done"]
    beyond = adopt(agora, f"Append to the rule “Long”: {{ {'y' * 1_000} }}", 3)
    assert not beyond.effects[0]["done"]
    assert "at most 200,000 characters" in sentences(beyond)[0]
    assert Errand.objects.count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize("quorum", ["banana", "three"])
def test_a_table_that_cannot_be_read_is_adopted_and_the_game_goes_on(
    agora: Room, quorum: str
) -> None:
    at_least = "| At least | {} |"
    change = f"In the rule “Voting”, replace “{at_least.format(3)}” with"
    proposal = adopt(agora, f"{change} “{at_least.format(quorum)}”.")
    assert proposal.effects[0]["done"]
    assert at_least.format(quorum) in law(agora)["Voting"]
    adopt(agora, enacting("Spoons"), 2)
    assert "Spoons" in law(agora)
    assert agora.fresh().state == "running"
    assert replay(agora.fresh())[1] is None
