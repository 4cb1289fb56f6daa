"""Votes are counted by what was in force as they opened: words, strengths, voters and quorum."""

from datetime import timedelta

import pytest
from django.test import Client

from nomic.engine.outcomes import Refused
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import NweekClock, Proposal
from proposals.tests.events.room import Room
from proposals.tests.events.test_fatal_decisions import enacting
from proposals.tests.events.test_mendable import law
from proposals.web.preview.preview import preview
from tests.kit import seat

SWAPPED = {
    "agora": '{"FOR": "AGAINST", "AGAINST": "FOR", "PRESENT": "PRESENT", "ENDORSE": "ENDORSE"}',
    "blognomic": '{"FOR": "AGAINST", "AGAINST": "FOR", "DEFERENTIAL": "DEFERENTIAL"}',
    "b-nomic-2006": '{"FOR": "AGAINST", "AGAINST": "FOR", "ABSTAIN": "ABSTAIN"}',
    "b-nomic-5e33": '{"FOR": "AGAINST", "AGAINST": "FOR"}',
}
LAWS = {
    "words": ("proposals.words", "words", SWAPPED["agora"]),
    "voters": ("proposals.voters", "players", '["Nora"] if "Nora" in players else players[:1]'),
    "strengths": ("proposals.strengths", "players", '{"juan": 15}'),
    "quorum": ("proposals.quorum", "players", "len(players)"),
    "outcome": ("proposals.outcome", "ballot", '"fails"'),
}


def propose(room: Room, *bodies: str) -> None:
    for body in bodies:
        room.do(room.murphy, "proposals.submit", body=body)
    if NweekClock.objects.exists():
        advance("room", NweekClock.objects.get().began_at + timedelta(days=8))


def close(room: Room) -> None:
    if NweekClock.objects.exists():
        advance("room", NweekClock.objects.get().began_at + timedelta(days=12))
    else:
        advance("room", room.fresh().last_at + timedelta(days=8))


def spoons(number: int) -> str:
    return f"Enact a new rule titled “Spoons {number}” and the following text: {{ Nice. }}"


def is_sound(room: Room) -> None:
    assert [finding for finding in audit(room.fresh()) if finding.wrong] == []
    assert replay(room.fresh())[1] is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    "preset",
    [pytest.param(each, marks=() if each == "agora" else pytest.mark.thorough) for each in SWAPPED],
)
def test_a_law_on_words_turns_no_vote_round_that_opened_before_it(preset: str) -> None:
    room = Room(preset)
    swap = enacting("proposals.words", "words", SWAPPED[preset])
    propose(room, swap, *(spoons(number) for number in range(13)))
    for number in range(1, 15):
        for voter in (room.murphy, room.madrid, room.juan):
            if Proposal.objects.get(serial=number).status == "Open":
                room.do(voter, "proposals.vote", proposal=f"p{number}", choice="FOR")
    close(room)
    assert [one.passed for one in Proposal.objects.order_by("serial")] == [True] * 14
    assert "Spoons 12" in law(room)
    propose(room, spoons(99))
    for voter in (room.murphy, room.madrid, room.juan):
        if Proposal.objects.get(serial=15).status == "Open":
            room.do(voter, "proposals.vote", proposal="p15", choice="AGAINST")
    close(room)
    assert "Spoons 99" in law(room)
    is_sound(room)


@pytest.mark.django_db
@pytest.mark.parametrize("what", LAWS)
def test_a_law_binds_votes_that_open_after_it(what: str) -> None:
    room = Room("agora")
    seat(room.fresh(), "Nora")
    propose(room, enacting(*LAWS[what]))
    for voter in (room.murphy, room.madrid, room.juan):
        room.do(voter, "proposals.vote", proposal=1, choice="FOR")
    advance("room", room.fresh().last_at + timedelta(days=6))
    propose(room, spoons(2))
    votes = {room.murphy: "FOR", room.madrid: "FOR", room.juan: "AGAINST"}
    for voter, word in votes.items():
        room.do(voter, "proposals.vote", proposal=2, choice=word)
    advance("room", room.fresh().last_at + timedelta(days=2))
    assert "Law" in law(room)
    propose(room, spoons(3))
    if what == "voters":
        with pytest.raises(Refused, match="Nora may vote on Proposal 3: so it was as its vote"):
            room.do(room.murphy, "proposals.vote", proposal=3, choice="FOR")
        votes = {}
    for voter, word in votes.items():
        room.do(voter, "proposals.vote", proposal=3, choice=word)
    advance("room", room.fresh().last_at + timedelta(days=8))
    assert "Spoons 2" in law(room)
    assert "Spoons 3" not in law(room)
    is_sound(room)


@pytest.mark.django_db
def test_tables_sentences_and_set_strengths_bind_as_the_vote_opened() -> None:
    room = Room("agora")
    replaced = (
        "In the rule “Voting”, replace “| Unless set otherwise | 3 |” with"
        " “| Unless set otherwise | 1 |”. In the rule “Voting”, replace “| At least | 3 |” with"
        " “| At least | 9 |”. In the rule “Voting”, replace “FOR, AGAINST or PRESENT, or” with"
        " “YES or NO, or”. Set juan's Voting Strength to 15."
    )
    propose(room, replaced, spoons(2))
    for number in (1, 2):
        room.do(room.murphy, "proposals.vote", proposal=number, choice="FOR")
        room.do(room.madrid, "proposals.vote", proposal=number, choice="FOR")
    room.do(room.juan, "proposals.vote", proposal=1, choice="FOR")
    room.do(room.juan, "proposals.vote", proposal=2, choice="AGAINST")
    close(room)
    second = Proposal.objects.get(number=2)
    assert second.passed
    assert (second.figures["ratio"], second.figures["quorum"]) == ("6/3", 3)
    entry = room.game.entries.get(seq=second.closed_in)
    [basis] = entry.outcome["counted_by"]
    assert basis["terms"]["default_strength"] == 3
    assert basis["strengths"] == {}
    struck = room.do(
        None, "proposals.strike_vote", proposal=2, voter="Madrid", reason="a slip of the pen"
    )
    assert "Counted again: Proposal 2 was ADOPTED and would be FAILED QUORUM" in struck
    is_sound(room)


@pytest.mark.django_db
def test_a_ballot_offers_the_words_of_its_vote(client: Client) -> None:
    room = Room("agora")
    ayes = '{"AYE": "FOR", "NAY": "AGAINST"}'
    propose(room, enacting("proposals.words", "words", ayes))
    advance("room", room.fresh().last_at + timedelta(days=6))
    propose(room, spoons(2))
    for voter in (room.murphy, room.madrid, room.juan):
        room.do(voter, "proposals.vote", proposal=1, choice="FOR")
    advance("room", room.fresh().last_at + timedelta(days=2))
    propose(room, spoons(3))
    assert room.murphy.user is not None
    client.force_login(room.murphy.user)
    old = client.get("/g/room/proposals/2/").content.decode()
    new = client.get("/g/room/proposals/3/").content.decode()
    assert 'value="FOR"' in old
    assert 'value="AYE"' not in old
    assert "other words" in old
    assert 'value="AYE"' in new
    assert 'value="FOR"' not in new
    assert "In this vote AYE counts as FOR." in new
    assert "counts as" not in old
    with pytest.raises(Refused, match=r"“AYE” is no vote that you can cast here: vote FOR"):
        room.do(room.murphy, "proposals.vote", proposal=2, choice="AYE")
    room.do(room.murphy, "proposals.vote", proposal=2, choice="FOR")
    with pytest.raises(Refused, match=r"“FOR” is no vote that you can cast here: vote AYE or NAY"):
        room.do(room.murphy, "proposals.vote", proposal=3, choice="FOR")
    is_sound(room)


@pytest.mark.django_db
def test_who_leaves_meanwhile_is_no_voter_and_who_comes_is_one_as_the_rule_says() -> None:
    room = Room("blognomic")
    propose(room, spoons(1))
    room.do(room.juan, "games.leave")
    nora = seat(room.fresh(), "Nora")
    room.do(room.murphy, "proposals.vote", proposal=1, choice="FOR")
    room.do(nora, "proposals.vote", proposal=1, choice="FOR")
    assert "Spoons 1" in law(room)
    assert Proposal.objects.get().figures["players"] == 3


@pytest.mark.django_db
def test_the_preview_shows_what_votes_that_open_after_it_have_otherwise() -> None:
    room = Room("agora")
    propose(room, spoons(1))

    def told(body: str) -> list[str]:
        consequences = preview(room.fresh(), None, body, {}).consequences
        return [each.sentence for each in consequences if "ote" in each.sentence.split()[1]][:1]

    swap = enacting("proposals.words", "words", SWAPPED["agora"])
    [words] = told(swap)
    assert words.startswith(
        "In votes that open after it the words are FOR, which counts as AGAINST;"
    )
    assert "AGAINST, which counts as FOR" in words
    sentence = "In the rule “Voting”, replace “FOR, AGAINST or PRESENT, or” with “YES or NO, or”."
    [words] = told(sentence)
    assert "YES, which counts as FOR; NO, which counts as AGAINST; ENDORSE" in words
    [voters] = told(enacting("proposals.voters", "players", "players[:2]"))
    assert voters == "In votes that open after it Madrid and Murphy may vote, and nobody else."
    [strengths] = told(enacting("proposals.strengths", "players", "{players[0]: 7}"))
    assert "voting strengths are Madrid 7, and those of others usual" in strengths
    [quorum] = told(enacting("proposals.quorum", "players", "2"))
    assert "lets a proposal need 2" in quorum
    every = [each.sentence for each in preview(room.fresh(), None, swap, {}).consequences]
    assert "Votes that are open by then are counted by what was in force as they opened." in every
