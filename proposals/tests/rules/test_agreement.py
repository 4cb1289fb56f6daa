"""The program's tallies agree with the slow ones, which were written from the sources alone."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proposals.rules.on_paper import tally
from proposals.tests.rules.slow_editions import slow_5e33, slow_adoption, slow_quorum, slow_refresh
from tests.kit import examples

SLOW = {
    "refresh-2006": slow_refresh,
    "rule-5e33": slow_5e33,
    "adoption-index": slow_adoption,
    "quorum": slow_quorum,
}
VOTERS = ["Alice", "Bob", "Carol", "Dave", "Eve", "Fay", "Gus"]
WORDS = ["FOR", "FOR", "FOR", "AGAINST", "AGAINST", "PRESENT", "ABSTAIN", "DEFERENTIAL", "VETO"]


def told(edition: str, case: dict) -> dict:
    """What the program says of the case, as the slow ones say it."""
    found = json.loads(tally(edition, json.dumps(case)))
    return {
        "outcomes": {
            int(number): [own["outcome"], own["passed"]] for number, own in found["results"].items()
        },
        "passed_in_order": found["passed_in_order"],
    }


def some_votes(chance: Random) -> dict:
    """By name, or counts alone."""
    if chance.random() < 0.3:
        return {word: chance.choice([0, 1, 1, 2, 3]) for word in ("for", "against", "present")}
    voters = chance.sample(VOTERS, chance.randint(0, len(VOTERS)))
    votes = {
        voter: f"ENDORSE {chance.choice(VOTERS)}"
        if chance.random() < 0.25
        else chance.choice(WORDS)
        for voter in voters
    }
    some = chance.sample(voters, len(voters) // 3)
    return {"votes": votes, "strengths": {voter: chance.randint(0, 15) for voter in some}}


def some_case(chance: Random, most: int = 9) -> dict:
    """Proposals with links of any density, circles among them, and some that are Historical."""
    numbers = chance.sample(range(1, 3 * most), chance.randint(1, most))
    density = chance.choice([0.0, 0.1, 0.2, 0.4])

    def links(number: int) -> list[int]:
        return [other for other in numbers if other != number and chance.random() < density]

    case = {
        "vested": chance.randint(0, 7),
        "strengths": {"Bob": chance.randint(0, 15)},
        "proposals": [
            {
                "number": number,
                **some_votes(chance),
                "index": chance.choice([1, 1.0, 1.1, 1.5, 2.0, 2.4, 3]),
                "conflicts": links(number),
                "dependencies": links(number),
                "status": chance.choice(["Open"] * 8 + ["Lost", "Won"]),
                "ripe": chance.random() < 0.5,
            }
            for number in numbers
        ],
    }
    who = chance.choice(["names", "names", "number", "nobody"])
    if who != "nobody":
        names = chance.sample(VOTERS, chance.randint(4, len(VOTERS)))
        case["players"] = names if who == "names" else len(VOTERS)
    if who == "nobody" or chance.random() < 0.3:
        case["quorum"] = chance.randint(1, 5 if who == "nobody" else 4)  # no more than play
    if chance.random() < 0.7:
        case["emperor"] = chance.choice(VOTERS)
    return case


@pytest.mark.thorough
@pytest.mark.parametrize("edition", SLOW)
def test_an_edition_agrees_over_thousands_of_random_ballots(edition):
    for seed in range(0, 2500, 2500 // examples(2500)):
        case = some_case(Random(seed))
        assert told(edition, case) == SLOW[edition](case), seed


@pytest.mark.parametrize("edition", SLOW)
def test_an_edition_agrees_on_ballots_of_hundreds_of_proposals(edition):
    for seed in range(6):
        chance = Random(seed)
        case = some_case(chance)
        case["proposals"] = [
            {
                "number": number,
                "for": chance.randint(0, 4),
                "against": chance.randint(0, 2),
                "conflicts": [chance.randint(1, 300)] if chance.random() < 0.4 else [],
                "dependencies": [chance.randint(1, 300)] if chance.random() < 0.7 else [],
            }
            for number in range(1, 301)
        ]
        for own in case["proposals"]:
            for name in ("conflicts", "dependencies"):
                own[name] = [number for number in own[name] if number != own["number"]]
        assert told(edition, case) == SLOW[edition](case), seed


@st.composite
def cases(draw) -> dict:
    """Small cases, so that what goes wrong is told by the smallest one."""
    numbers = draw(st.lists(st.integers(1, 9), unique=True, min_size=1, max_size=6))
    vote = st.sampled_from(WORDS) | st.sampled_from(VOTERS).map(lambda name: f"ENDORSE {name}")

    def links(number: int) -> st.SearchStrategy:
        return st.lists(st.sampled_from(numbers), unique=True).map(
            lambda found: [other for other in found if other != number]
        )

    return {
        "vested": draw(st.integers(0, 7)),
        "players": draw(st.lists(st.sampled_from(VOTERS), unique=True)),
        "emperor": draw(st.sampled_from(["", *VOTERS])),
        "proposals": [
            {
                "number": number,
                "votes": draw(st.dictionaries(st.sampled_from(VOTERS), vote)),
                "conflicts": draw(links(number)),
                "dependencies": draw(links(number)),
                "status": draw(st.sampled_from(["Open", "Open", "Open", "Lost", "Won"])),
                "ripe": draw(st.booleans()),
            }
            for number in numbers
        ],
    }


@settings(max_examples=examples(300), deadline=None)
@given(case=cases(), edition=st.sampled_from(sorted(SLOW)))
def test_an_edition_agrees_on_whatever_small_ballot(case, edition):
    assert told(edition, case) == SLOW[edition](case)
