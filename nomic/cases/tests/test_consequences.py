"""What followed from a judgement (the rule “Cases”): attached to its case, it leads back there."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from nomic.cases.subgame import THE_CASES
from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from tests.kit import Take, on_one_line, put_in_office, seat, sign_in_client


@pytest.fixture
def judged(act: Take, player: Player, rival: Player, third: Player) -> Receipt:
    """Case 1, which Murphy has called and Madrid has judged."""
    act(player, "cases.call", statement="The winner was not paid.")
    return act(rival, "cases.judge", case=1, verdict="TRUE", reasons="They were *not*.")


@pytest.fixture
def deed(act: Take, player: Player, judged: Receipt) -> int:
    """What was done because of it: its entry."""
    return act(player, "documents.publish", kind="Essay", title="Paid", text="Paid.").entry.seq


def refused(act: Take, actor: Player, **inputs: Any) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, "cases.attach", **inputs)
    return refusal.value.refusal.sentence


def test_the_judge_attaches_what_followed_and_each_leads_to_the_other(
    act: Take, game: Game, rival: Player, deed: int, client: Client
) -> None:
    attached = act(rival, "cases.attach", case=1, entry=deed)
    assert attached.entry.text == (
        f"Madrid attaches entry {deed} to Case 1, from which it followed."
    )
    whole = THE_CASES.item(glance(game), None, "1")
    assert whole is not None
    assert whole["consequences"] == [
        {"entry": deed, "attached_by": "Madrid", "attached_in": attached.entry.seq}
    ]
    sign_in_client(client, rival.user)
    page = on_one_line(client.get(f"/g/{game.slug}/cases/1/").content.decode())
    assert f'<a href="/g/{game.slug}/record/{deed}/">Murphy publishes Document 1' in page
    entry = on_one_line(client.get(f"/g/{game.slug}/record/{deed}/").content.decode())
    assert f'href="/g/{game.slug}/cases/1/"' in entry
    assert replay(game)[1] is None


def test_an_officer_attaches_it_too_and_other_players_do_not(
    act: Take, game: Game, player: Player, deed: int
) -> None:
    assert "Madrid, who judged Case 1, and officers" in refused(act, player, case=1, entry=deed)
    put_in_office(game, "Assessor", player)
    act(player, "cases.attach", case=1, entry=deed)
    assert "attached to Case 1 already" in refused(act, player, case=1, entry=deed)


def test_what_came_before_the_judgement_or_is_not_there_did_not_follow(
    act: Take, rival: Player, judged: Receipt
) -> None:
    assert "comes after entry" in refused(act, rival, case=1, entry=judged.entry.seq)
    assert "comes after entry" in refused(act, rival, case=1, entry=9_999)


def test_nothing_follows_from_a_case_that_is_open(
    act: Take, game: Game, player: Player, rival: Player
) -> None:
    seat(game, "Gaelan")
    act(player, "cases.call", statement="The winner was not paid.")
    assert "is open: nothing follows" in refused(act, rival, case=1, entry=1)


def test_who_may_put_it_right_finds_the_way_beside_the_judgement(
    act: Take, game: Game, player: Player, judged: Receipt, client: Client
) -> None:
    put_in_office(game, "Assessor", player)
    sign_in_client(client, player.user)
    page = on_one_line(client.get(f"/g/{game.slug}/cases/1/").content.decode())
    assert "act/ledger.correct/?reason=as+judged+in+Case+1" in page
    assert f"/g/{game.slug}/recalculations/" in page
