"""What a game's own bounds let a vote do to the rules: as much, and not one more."""

import pytest

from nomic.engine.outcomes import Refused
from nomic.operations.replay import replay
from nomic.rulebook.text_cache import committed_rules
from proposals.models import Errand
from proposals.tests.events.room import Room
from proposals.tests.events.test_mendable import REPEAL, adopt, enacting, law, sentences


@pytest.fixture
def agora(db: None) -> Room:
    return Room("agora")


def enact(title: str, text: str) -> str:
    return f"Enact a rule titled “{title}” with the text: {{ {text} }}"


@pytest.mark.thorough
def test_the_rulebook_is_filled_to_its_bound_and_not_beyond(agora: Room) -> None:
    there = committed_rules(agora.fresh())
    agora.bound("rulebook", there.characters + 11)
    body = [enact("Ten", "x" * 10), enact("One", "y"), "Repeal the rule “Ten”.", enact("Two", "y")]
    proposal = adopt(agora, "\n\n".join(body))
    assert [effect["done"] for effect in proposal.effects] == [True, False, True, True]
    assert "The rulebook has at most" in sentences(proposal)[1]
    assert {"Two"} == {"Ten", "One", "Two"} & law(agora).keys()
    assert not Errand.objects.exists()  # nor could it be done by hand
    assert replay(agora.fresh())[1] is None


@pytest.mark.thorough
def test_a_rulebook_beyond_its_bound_is_made_shorter_and_no_longer(agora: Room) -> None:
    adopt(agora, enact("Long", "x" * 100))
    for name in ("rulebook", "rules", "rule"):
        agora.bound(name, 1)
    long = "Replace the text of the rule “Long” with: { %s }"
    body = [long % ("y" * 50), long % ("y" * 60), enact("New", "z"), "Repeal the rule “Long”."]
    proposal = adopt(agora, "\n\n".join(body), 2)
    assert [effect["done"] for effect in proposal.effects] == [True, False, False, True]
    with pytest.raises(Refused, match="at most 1 characters"):
        agora.amend("Voting", agora.text("Voting").strip() + "\n\nMore.")
    agora.amend("Voting", agora.text("Voting").strip().removesuffix("."))
    assert replay(agora.fresh())[1] is None


@pytest.mark.parametrize("beyond", [1, 1_000])
def test_so_many_rules_are_in_force_at_most(agora: Room, beyond: int) -> None:
    agora.bound("rules", committed_rules(agora.fresh()).public + 2)
    titles = [f"Spoon {number}" for number in range(min(beyond, 10) + 2)]
    proposal = adopt(agora, "\n\n".join(map(enacting, titles)))
    assert [effect["done"] for effect in proposal.effects] == [True] * 2 + [False] * (
        len(titles) - 2
    )


@pytest.mark.thorough
def test_what_changes_go_through_is_bounded_and_the_rest_is_the_officers(agora: Room) -> None:
    adopt(agora, f"{enact('Long', 'a b ' + 'x' * 1_000)}\n\n{enact('Short', 'c')}")
    agora.bound("edited", 2_000)
    places = (("Long", "a"), ("Long", "b"), ("Short", "c"))
    swaps = [f"In the rule “{rule}”, replace “{old}” with “{old * 2}”." for rule, old in places]
    proposal = adopt(agora, "\n\n".join(swaps), 2)
    assert [effect["done"] for effect in proposal.effects] == [True, True, False]
    assert "A proposal has at most 2,000 characters to go through" in sentences(proposal)[2]
    assert Errand.objects.get().place == 3
    assert replay(agora.fresh())[1] is None


def test_words_in_all_rules_are_looked_for_within_the_bound_alone(agora: Room) -> None:
    adopt(agora, enact("Short", "cats"))
    agora.bound("edited", 2_000)
    body = [f"Throughout the rules, replace “cats {number}” with “dogs”." for number in range(9)]
    units = [{"sentence": sentence, "passage": ""} for sentence in body]
    body.append("In the rule “Short”, delete “cats”.")
    proposal = adopt(agora, "\n\n".join(body), 2, units)
    assert [effect["done"] for effect in proposal.effects] == [False] * 10
    first, second, *_ = sentences(proposal)
    assert "its author has confirmed none" in first
    assert "A proposal has at most 2,000 characters to go through" in second
    assert agora.text("Short") == "cats\n"


def test_words_in_all_rules_grow_to_the_rulebook_s_bound_together(agora: Room) -> None:
    adopt(agora, "\n\n".join(enact(title, "cats") for title in ("One", "Two")))
    agora.bound("rulebook", committed_rules(agora.fresh()).characters + 15)
    longer = "Throughout the rules, replace “cats” with “{}”."
    body = longer.format("cats" * 3)
    with pytest.raises(Refused, match=r"2 rules: “One” and “Two”\. Confirm it, or leave it"):
        adopt(agora, body, 2)
    meant = {"sentence": body, "passage": "2 rules: “One” and “Two”"}
    lost = adopt(agora, body, 2, [meant])
    assert [effect["done"] for effect in lost.effects] == [False]
    assert "The rulebook has at most" in sentences(lost)[0]
    assert agora.text("One") == agora.text("Two") == "cats\n"
    body = longer.format("cats" * 2)
    adopt(agora, body, 3, [{**meant, "sentence": body}])
    assert agora.text("One") == agora.text("Two") == "catscats\n"


@pytest.mark.thorough
def test_a_list_too_long_to_look_for_its_fault_is_left_undone_as_a_whole(agora: Room) -> None:
    agora.bound("tries", 3)
    lost = adopt(agora, "\n\n".join([enacting("A"), enacting("B"), REPEAL, enacting("C")]))
    assert [effect["done"] for effect in lost.effects] == [False] * 4
    assert all("propose it in parts" in each for each in sentences(lost))
    assert not Errand.objects.exists()
    found = adopt(agora, "\n\n".join([enacting("A"), REPEAL]), 2)
    assert [effect["done"] for effect in found.effects] == [True, False]
    assert replay(agora.fresh())[1] is None
