"""Programs that decide what could never count: told before the vote, and left undone at its end."""

import pytest

from nomic.operations.replay import replay
from proposals.models import Proposal
from proposals.tests.events.room import Room
from proposals.tests.events.test_mendable import adopt, law, sentences
from proposals.web.preview.preview import preview

FATAL = {
    "proposals.voters": ("players", "[]", "nobody could vote."),
    "proposals.quorum": ("players", "10**9", "3 vote, and no proposal has more votes than that."),
    "proposals.strengths": ("players", "{one: 0 for one in players}", "with every player FOR it"),
    "proposals.words": ("words", '{"FOR": "AGAINST"}', "nobody could vote FOR a proposal."),
    "proposals.proposers": ("players", "[]", "nobody could submit a proposal."),
}
ODD = {
    "proposals.voters": ("players", '["Nobody"]', "“Nobody” is nobody who votes"),
    "proposals.quorum": ("players", "-1", "a quorum is at least 1."),
    "proposals.strengths": ("players", '{"Murphy": -1}', "a number from 0 to 30,000."),
    "proposals.words": ("words", '{"AYE": "FOR", "x": "AGAINST"}', "“x” is none."),
    "proposals.proposers": ("players", '["Nobody"]', "“Nobody” is no active player."),
    "horses.gain": ("player", "-1", "it is a number from 0 to 1,000,000."),
}


def enacting(of: str, takes: str, returned: str) -> str:
    program = f'@decide("{of}")\ndef it({takes}):\n    return {returned}'
    return (
        "Enact a new rule titled “Law” with the following text:\n"
        f"{{\nA law.\n\n```python\n{program}\n```\n}}\n"
    )


@pytest.fixture
def room(db: None) -> Room:
    return Room("agora")


@pytest.mark.parametrize("of", FATAL)
def test_what_would_end_all_votes_is_an_error_before_the_vote_and_left_undone_after_it(
    room: Room, of: str
) -> None:
    takes, returned, reason = FATAL[of]
    body = enacting(of, takes, returned) + "Give Murphy 2 hooves."
    told = preview(room.fresh(), None, body, {})
    [error] = told.errors
    assert (error.rule, error.line, error.column) == ("Law", 4, 2)
    assert error.sentence.startswith("Tried now, it of “Law” fails: It decides ")
    assert reason in error.sentence
    assert "has to return" not in error.sentence
    assert [executor["by"] for executor in told.executors] == ["nobody", "program"]
    adopted = adopt(room, body)
    assert "Law" not in law(room)
    undone, done = (effect["sentence"] for effect in adopted.effects)
    assert "This is left undone: after it nothing could be adopted any more." in undone
    assert reason in undone
    assert done == "Murphy gains 2 hooves."
    assert replay(room.fresh())[1] is None


@pytest.mark.parametrize("of", ODD)
def test_what_can_never_be_is_an_error_that_says_why(room: Room, of: str) -> None:
    takes, returned, reason = ODD[of]
    [error] = preview(room.fresh(), None, enacting(of, takes, returned), {}).errors
    assert error.sentence.startswith("Tried now, it of “Law” fails: It decides ")
    assert reason in error.sentence
    assert "has to return" not in error.sentence


def test_a_decision_of_another_type_is_told_its_type(room: Room) -> None:
    [error] = preview(room.fresh(), None, enacting("proposals.quorum", "players", "'7'"), {}).errors
    assert "It decides 7, which cannot be: it has to return int." in error.sentence


def test_one_that_lets_adopting_go_on_is_neither(room: Room) -> None:
    body = enacting("proposals.voters", "players", "players[:2]")
    assert preview(room.fresh(), None, body, {}).errors == ()
    adopt(room, body)
    assert "Law" in law(room)
    assert Proposal.objects.get().effects[0]["done"]
    assert replay(room.fresh())[1] is None


def test_what_ends_all_votes_beside_other_changes_is_found(room: Room) -> None:
    enact = enacting("proposals.quorum", "players", "10**9")
    told = sentences(
        adopt(room, f"{enact}Enact a new rule titled “Spoons” with the text {{ Nice. }}.")
    )
    assert "Spoons" in law(room)
    assert "Law" not in law(room)
    assert "no proposal has more votes than that" in told[0]
