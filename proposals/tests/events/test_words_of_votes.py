"""Votes are cast in the words that the rule in force lists, and counted by what they mean."""

from datetime import timedelta

import pytest
from django.test import Client

from nomic.engine.outcomes import Refused
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import NweekClock, Proposal
from proposals.tests.events.room import Room
from proposals.tests.events.test_mendable import adopt, enacting, law, sentences

LISTS = {
    "agora": ("Voting", "FOR, AGAINST or PRESENT, or", "YES or NO, or"),
    "b-nomic-2006": ("Proposals", "with FOR, AGAINST or ABSTAIN", "with YES or NO"),
    "b-nomic-5e33": ("Proposals", "is FOR or AGAINST", "is YES or NO"),
    "blognomic": ("Proposals", "FOR, AGAINST or DEFERENTIAL on", "YES or NO on"),
}


def yes_or_no(preset: str) -> str:
    title, before, after = LISTS[preset]
    return f"In the rule “{title}”, replace “{before}” with “{after}”."


@pytest.mark.django_db
@pytest.mark.parametrize(
    "preset",
    [
        pytest.param(each, marks=() if each == "agora" else pytest.mark.thorough)
        for each in sorted(LISTS)
    ],
)
def test_after_a_vote_for_yes_or_no_these_are_the_words(room: Room, preset: str) -> None:
    adopt(room, yes_or_no(preset))
    room.do(room.murphy, "proposals.submit", body=enacting("Spoons"))
    second = Proposal.objects.get(number=2)
    if second.status == "Pending":
        advance("room", NweekClock.objects.get().began_at + timedelta(days=8))
    with pytest.raises(
        Refused, match=r"“FOR” is no vote that you can cast here: vote YES(,| or) NO"
    ):
        room.do(room.murphy, "proposals.vote", proposal=2, choice="FOR")
    for who in (room.murphy, room.madrid, room.juan):
        if Proposal.objects.get(number=2).status == "Open":
            room.do(who, "proposals.vote", proposal=2, choice="no" if who == room.juan else "yes")
    opened = Proposal.objects.get(number=2).opened_at
    assert opened is not None
    if preset != "blognomic":
        advance("room", opened + timedelta(days=7 if preset == "agora" else 4))
    assert "Spoons" in law(room)
    second.refresh_from_db()
    assert second.figures["for"] == 2
    assert second.figures["against"] == (0 if preset == "blognomic" else 1)
    assert Client().get("/api/v1/games/room/proposals/2").json()["votes"]["Murphy"] == "YES"
    assert replay(room.fresh())[1] is None


def test_words_of_which_none_is_for_a_proposal_are_left_undone(db: None) -> None:
    room = Room("blognomic")
    change = (
        "In the rule “Proposals”, replace “FOR, AGAINST or DEFERENTIAL on” with “AGAINST or"
        " DEFERENTIAL on”."
    )
    (said,) = sentences(adopt(room, change))
    assert said.endswith("Nobody could vote FOR a proposal.")


def test_pages_offer_the_words_in_force(db: None, client: Client) -> None:
    room = Room("agora")
    adopt(room, yes_or_no("agora"))
    room.do(room.madrid, "proposals.submit", body=enacting("Spoons"))
    assert room.murphy.user is not None
    client.force_login(room.murphy.user)
    for path in ("", "proposals/", "proposals/2/"):
        page = client.get(f"/g/room/{path}").content.decode()
        assert 'name="choice" value="YES"' in page
        assert 'name="choice" value="FOR"' not in page
