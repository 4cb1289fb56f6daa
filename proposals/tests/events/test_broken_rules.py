"""Proposals that break or end the rules by which they are voted on: said clearly, and mendable."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from nomic.engine.catch_up import catch_up
from nomic.engine.models import Status
from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.events.opening import TIMED_OUT
from proposals.models import Proposal
from proposals.tests.events.room import Room
from tests.kit import WEDNESDAY

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


@pytest.mark.usefixtures("third_readings")
def test_a_proposal_that_breaks_the_quorum_passes_and_the_queue_waits_to_be_mended(
    queue: Room,
) -> None:
    good = queue.text("Proposals")
    broken = good.replace("| More than | 1 | 2 |", "| More than | many | 2 |")
    assert broken != good
    queue.do(
        queue.murphy,
        "proposals.submit",
        body=f"Replace the text of the rule “Proposals” with: {{ {broken} }}",
    )
    queue.do(queue.murphy, "proposals.submit", body="Forks are nicer.")
    queue.do(queue.murphy, "proposals.vote", proposal=2, choice="FOR")
    said = queue.vote(1)
    assert "The queue waits: The table “QUORUM” of Proposals has “many”" in said
    assert Proposal.objects.get(number=1).passed
    with pytest.raises(Refused, match="The table “QUORUM”") as refused:
        queue.do(queue.madrid, "proposals.vote", proposal=2, choice="FOR")
    assert refused.value.refusal.code == "table_broken"
    assert set(visited(queue.game, queue.murphy).values()) <= {200, 302, 403, 404}

    advance("room", WEDNESDAY + HOURS_48)
    assert queue.fresh().state == "stuck"
    queue.amend("Proposals", good)
    if queue.fresh().state == "stuck":
        queue.do(None, "games.retry_appointment")
    catch_up(queue.game.pk)
    assert queue.fresh().state == "running"
    second = Proposal.objects.get(number=2)
    assert (second.closed_at, second.outcome) == (WEDNESDAY + HOURS_48, "Failed")
    assert replay(queue.fresh())[1] is None


@pytest.mark.thorough
@pytest.mark.usefixtures("third_readings")
def test_what_follows_the_repeal_of_the_rule_in_the_queue_is_not_resolved(queue: Room) -> None:
    queue.do(queue.murphy, "proposals.submit", body="Repeal the rule “Proposals”.")
    queue.do(queue.murphy, "proposals.submit", body="Forks are nicer.")
    queue.vote(2)
    queue.vote(1)
    assert [each.status for each in Proposal.objects.order_by("serial")] == ["Historical", "Open"]
    advance("room", WEDNESDAY + 2 * HOURS_48)
    assert Proposal.objects.get(number=2).status == "Open"
    assert replay(queue.fresh())[1] is None


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
@pytest.mark.usefixtures("third_readings")
def test_under_a_broken_table_nothing_is_submitted_and_nothing_fails(each: Room) -> None:
    each.do(each.murphy, "proposals.submit", body="Spoons are nice.")
    each.amend("Voting", each.text("Voting").replace("| From distribution | 7 |", "| From | 7 |"))
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
@pytest.mark.usefixtures("third_readings")
def test_a_close_under_a_broken_table_sticks_and_is_counted_once_it_is_mended(each: Room) -> None:
    good = each.text("Voting")
    each.do(each.murphy, "proposals.submit", body="Spoons are nice.")
    for who in (each.murphy, each.madrid, each.juan):
        each.do(who, "proposals.vote", proposal=1, choice="FOR")
    each.amend("Voting", good.replace("| At most | 15 |", "| At most | fifteen |"))
    advance("room", WEDNESDAY + timedelta(days=7))
    assert "“fifteen” under VOTES for At most" in each.fresh().stuck_error
    assert set(visited(each.game, each.murphy).values()) <= {200, 302, 403, 404}
    each.amend("Voting", good)
    if each.fresh().state == "stuck":
        each.do(None, "games.retry_appointment")
    catch_up(each.game.pk)
    proposal = Proposal.objects.get()
    assert (proposal.passed, proposal.closed_at) == (True, WEDNESDAY + timedelta(days=7))
    assert replay(each.fresh())[1] is None


# The main rule, gone


@pytest.mark.usefixtures("third_readings")
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
    room.do(room.murphy, "proposals.submit", body="Repeal the rule “Proposals”.")
    if Proposal.objects.get().status == "Pending":
        advance("room", WEDNESDAY + timedelta(days=8))
    for who in (room.murphy, room.madrid, room.juan):
        if Proposal.objects.get().status == "Open":
            room.do(who, "proposals.vote", proposal=1, choice="FOR")
    advance("room", WEDNESDAY + timedelta(days=30))
    assert not room.game.rules.filter(title="Proposals", repealed_in=None).exists()
    waiting = room.game.appointments.filter(kind__startswith="proposals.", status=Status.WAITING)
    assert not waiting.exists()
    for viewer in (room.murphy, None):
        found = visited(room.game, viewer)
        assert set(found.values()) <= {200, 302}
    (told,) = Client().get("/api/v1/games/room/proposals").json()
    assert (told["number"], told["success"]) == (1, "Won")
    whole = Client().get("/api/v1/games/room/proposals/1").json()
    assert whole["body"] == "Repeal the rule “Proposals”."
    assert whole["votes"]
    repealed = room.game.rules.get(title="Proposals").repealed_in
    client = Client()
    assert room.murphy.user is not None
    client.force_login(room.murphy.user)
    for path in ("", "1/"):
        page = client.get(f"/g/room/proposals/{path}").content.decode()
        assert "The rule “Proposals” is not in force since" in page
        assert f'href="/g/room/record/{repealed}/"' in page
        assert "/act/proposals." not in page
    assert client.get(f"/g/room/proposals/results/{repealed}/").status_code == 200
    for name, inputs in (
        ("proposals.vote", {"proposal": 1, "choice": "FOR"}),
        ("proposals.submit", {"body": "Forks."}),
        ("proposals.comment", {"proposal": 1, "text": "Well."}),
    ):
        with pytest.raises(Refused, match="not in force"):
            room.do(room.murphy, name, **inputs)


@pytest.mark.usefixtures("third_readings")
def test_what_was_open_when_the_rule_was_repealed_is_read_with_its_votes(queue: Room) -> None:
    queue.do(queue.murphy, "proposals.submit", body="Repeal the rule “Proposals”.")
    queue.do(queue.murphy, "proposals.submit", title="Forks", body="Forks are nicer.")
    queue.vote(2)
    queue.vote(1)
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
@pytest.mark.usefixtures("third_readings")
@pytest.mark.django_db
@pytest.mark.parametrize(("preset", "rule"), [("agora", "Voting"), ("blognomic", "Proposals")])
def test_a_vote_of_its_own_whose_end_is_skipped_is_held_once_more(room: Room, rule: str) -> None:
    room.do(room.murphy, "proposals.submit", body="Spoons are nice.")
    good = room.text(rule)
    bad = good.replace("| 3 |", "| some |").replace("| More than | 1 |", "| More than | some |")
    assert bad != good
    room.do(room.juan, "proposals.vote", proposal=1, choice="AGAINST")
    room.amend(rule, bad)
    end = Proposal.objects.get().closes_at
    assert end is not None
    advance("room", end)
    assert room.fresh().state == "stuck"
    room.amend(rule, good)
    room.do(None, "games.skip_appointment", reason="let us talk about it")
    assert Proposal.objects.get().closes_at == end + (end - WEDNESDAY)
    room.do(room.juan, "proposals.vote", proposal=1, choice="FOR")
    advance("room", end + (end - WEDNESDAY))
    assert Proposal.objects.get().status == "Historical"
    assert replay(room.fresh())[1] is None
