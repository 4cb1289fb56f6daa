"""Proposals that break or end the rules by which they are voted on: said clearly, and mendable."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from nomic.engine.catch_up import catch_up
from nomic.engine.models import AppointmentStatus
from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.events.opening import CLOSES, TIMED_OUT
from proposals.models import Proposal
from proposals.tests.events.room import Room
from tests.kit import WEDNESDAY, at_the_table, failing, on_one_line, write_anew

HOURS_48 = timedelta(hours=48)


def addresses(game: Game) -> list[str]:
    """Every page and API path on which proposals are told of."""
    own = [reverse("proposals", args=[game.slug])]
    own += [
        reverse(name, args=[game.slug, 1])
        for name in ("proposal", "proposal_what_if", "proposal_changes", "proposal_revise")
    ]
    own += [reverse(name, args=[game.slug]) for name in ("proposal_new", "proposal_drafts")]
    house = ("game", "rules", "record", "record_feed", "reports", "ledger", "seat")
    api = ("", "/actions", "/proposals", "/proposals/1", "/record", "/rules", "/reports")
    return [
        *own,
        *(reverse(name, args=[game.slug]) for name in house),
        *(f"/api/v1/games/{game.slug}{rest}" for rest in api),
    ]


def visited(game: Game, who: Player | None) -> dict[str, int]:
    """The status of each address for that player; a failure raises."""
    client = Client()
    if who is not None and who.user is not None:
        client.force_login(who.user)
    return {path: client.get(path).status_code for path in addresses(game)}


# The queue


@pytest.fixture
def queue(db: None) -> Room:
    return Room("blognomic")


@pytest.mark.parametrize("body", ["Spoons are nice.", "Repeal the rule “Merchant”."])
def test_what_is_decided_before_its_48_hours_does_not_time_out(queue: Room, body: str) -> None:
    queue.do(queue.murphy, "proposals.submit", body=body)
    queue.do(queue.murphy, "proposals.submit", body="Forks are nicer.")
    queue.do(queue.murphy, "proposals.withdraw", proposal=2)
    queue.vote(1)
    advance("room", WEDNESDAY + HOURS_48)
    assert not queue.game.entries.filter(name=TIMED_OUT).exists()


# Votes of seven days


@pytest.fixture
def each(db: None) -> Room:
    return Room("agora-proposals")


@pytest.mark.thorough
def test_under_a_broken_table_nothing_is_submitted_and_nothing_fails(each: Room) -> None:
    each.do(each.murphy, "proposals.submit", body="Spoons are nice.")
    write_anew(each.game, "Voting", "| From distribution | 7 |", "| From | 7 |")
    before = each.fresh().last_entry
    with pytest.raises(Refused, match="has no row “From distribution”") as refused:
        each.do(each.murphy, "proposals.submit", body="Forks are nicer.")
    assert refused.value.refusal.code == "table_broken"
    with pytest.raises(Refused):
        each.do(None, "proposals.set_strength", who="Murphy", strength=2, reason="why not")
    assert each.fresh().last_entry == before
    each.do(each.madrid, "proposals.vote", proposal=1, choice="FOR")
    assert set(visited(each.game, each.murphy).values()) <= {200, 302, 403, 404}


@pytest.mark.thorough
def test_a_close_that_fails_sticks_and_is_counted_once_it_is_mended(each: Room) -> None:
    each.do(each.murphy, "proposals.submit", body="Spoons are nice.")
    for who in (each.murphy, each.madrid, each.juan):
        each.do(who, "proposals.vote", proposal=1, choice="FOR")
    with failing(CLOSES):
        advance("room", WEDNESDAY + timedelta(days=7))
    assert each.fresh().state == "stuck"
    assert set(visited(each.game, each.murphy).values()) <= {200, 302, 403, 404}
    each.do(None, "games.retry_appointment")
    catch_up(each.game.pk)
    proposal = Proposal.objects.get()
    assert (proposal.passed, proposal.closed_at) == (True, WEDNESDAY + timedelta(days=7))
    assert replay(each.fresh())[1] is None


# The main rule, gone


def repeal_the_main_rule(room: Room) -> None:
    """Take it out of force, whatever votes would make of that."""
    with at_the_table(room.fresh()) as table:
        table.rules.repeal("Proposals")


@pytest.mark.parametrize(
    "preset",
    [
        "agora",
        *(
            pytest.param(each, marks=pytest.mark.thorough)
            for each in ("agora-proposals", "blognomic", "b-nomic-5e33")
        ),
    ],
)
def test_without_the_main_rule_everything_is_still_read_and_nothing_can_be_done(
    room: Room,
) -> None:
    room.do(room.murphy, "proposals.submit", body="Spoons are nice.")
    if Proposal.objects.get().status == "Pending":
        advance("room", WEDNESDAY + timedelta(days=8))
    for who in (room.murphy, room.madrid, room.juan):
        if Proposal.objects.get().status == "Open":
            room.do(who, "proposals.vote", proposal=1, choice="FOR")
    advance("room", WEDNESDAY + timedelta(days=30))
    repeal_the_main_rule(room)
    waiting = room.game.appointments.filter(
        kind__startswith="proposals.", status=AppointmentStatus.WAITING
    )
    assert not waiting.exists()
    for viewer in (room.murphy, None):
        found = visited(room.game, viewer)
        assert set(found.values()) <= {200, 302}
    (told,) = Client().get("/api/v1/games/room/proposals").json()
    assert (told["number"], told["success"]) == (1, "Won")
    whole = Client().get("/api/v1/games/room/proposals/1").json()
    assert whole["body"] == "Spoons are nice."
    assert whole["votes"]
    repealed = room.game.rules.get(title="Proposals").repealed_in
    client = Client()
    assert room.murphy.user is not None
    client.force_login(room.murphy.user)
    for path in ("", "1/"):
        page = on_one_line(client.get(f"/g/room/proposals/{path}").text)
        assert "The rule “Proposals” is not in force since" in page
        assert f'href="/g/room/record/{repealed}/"' in page
        assert "/act/proposals." not in page
    decided = Proposal.objects.get().closed_in
    assert client.get(f"/g/room/proposals/results/{decided}/").status_code == 200
    for name, inputs in (
        ("proposals.vote", {"proposal": 1, "choice": "FOR"}),
        ("proposals.submit", {"body": "Forks."}),
        ("proposals.comment", {"proposal": 1, "text": "Well."}),
    ):
        with pytest.raises(Refused, match="not in force"):
            room.do(room.murphy, name, **inputs)


def test_what_was_open_when_the_rule_was_repealed_is_read_with_its_votes(queue: Room) -> None:
    queue.do(queue.murphy, "proposals.submit", body="Spoons are nice.")
    queue.do(queue.murphy, "proposals.submit", title="Forks", body="Forks are nicer.")
    queue.vote(2)
    repeal_the_main_rule(queue)
    whole = Client().get("/api/v1/games/room/proposals/2").json()
    assert (whole["status"], whole["votes"]) == ("Open", {"Murphy": "FOR", "Madrid": "FOR"})
    client = Client()
    assert queue.murphy.user is not None
    client.force_login(queue.murphy.user)
    for path in ("", "2/"):
        page = client.get(f"/g/room/proposals/{path}").content.decode()
        assert "Forks" in page
        assert "proposals.vote" not in page
        assert "If the vote ended now" not in page


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize(("preset", "kind"), [("agora", CLOSES), ("blognomic", TIMED_OUT)])
def test_a_vote_of_its_own_whose_end_is_skipped_is_held_once_more(room: Room, kind: str) -> None:
    room.do(room.murphy, "proposals.submit", body="Spoons are nice.")
    room.do(room.juan, "proposals.vote", proposal=1, choice="AGAINST")
    end = Proposal.objects.get().closes_at
    assert end is not None
    with failing(kind):
        advance("room", end)
    assert room.fresh().state == "stuck"
    room.do(None, "games.skip_appointment", reason="let us talk about it")
    assert Proposal.objects.get().closes_at == end + (end - WEDNESDAY)
    room.do(room.juan, "proposals.vote", proposal=1, choice="FOR")
    advance("room", end + (end - WEDNESDAY))
    assert Proposal.objects.get().status == "Historical"
    assert replay(room.fresh())[1] is None
