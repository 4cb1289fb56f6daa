"""Every address under /office/, with everything that it may name, asked by every role."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from nomic.engine.actions import all_actions
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.web.tests.watchers import addresses
from tests.kit import Visitor, tight

ACT = "/office/g/table/act/"
ACCOUNTS = ("/office/login/", "/office/logout/", "/office/password_change/")


@pytest.fixture
def preset() -> str:
    """A game with two offices."""
    return "agora"


@pytest.fixture
def assessor(game: Game, rival: Player) -> Player:
    """Another officer of the same game."""
    take(game.slug, rival, "games.take_office", {"office": "Assessor"})
    return rival


@pytest.fixture
def every(game: Game, officer: Player, assessor: Player) -> list[str]:
    take(game.slug, officer, "horses.motivate", {"galloper": "Fargo", "distance": 1})
    found = addresses(game, only=lambda route: route.startswith("/office/"))
    assert len(found) > 150
    return [address for address in found if address not in ACCOUNTS]


def answers(visit: Visitor, who: User | Player | None, every: list[str]) -> dict[str, int]:
    client = visit(who)
    return {address: client.get(address).status_code for address in every}


@pytest.mark.slow
def test_who_has_no_office_comes_in_nowhere(
    every: list[str], player: Player, outsider: User, visit: Visitor
) -> None:
    assert set(answers(visit, None, every).values()) == {302}
    for who in (outsider, player):
        assert set(answers(visit, who, every).values()) == {403}


@pytest.mark.slow
def test_an_officer_finds_their_own_acts_and_none_of_another_office(
    every: list[str], officer: Player, assessor: Player, visit: Visitor
) -> None:
    by_office = {act.name: act.office for act in all_actions()}
    for who, other in ((officer, "Assessor"), (assessor, "Horsened")):
        found = answers(visit, who, every)
        assert set(found.values()) <= {200, 302, 403, 404}
        for address, status in found.items():
            name = address.removeprefix(ACT).rstrip("/")
            if name in by_office:
                theirs = by_office[name] not in ("", "host", other)
                assert (status == 200) <= theirs, address
    assert answers(visit, officer, [f"{ACT}horses.correct_position/"]) == {
        f"{ACT}horses.correct_position/": 200
    }


@pytest.mark.slow
def test_the_operator_is_answered_everywhere(
    every: list[str], superuser: User, visit: Visitor
) -> None:
    assert set(answers(visit, superuser, every).values()) <= {200, 302, 403, 404}


@pytest.mark.thorough
def test_the_side_lists_the_books_of_what_one_keeps(
    every: list[str], officer: Player, assessor: Player, superuser: User, visit: Visitor
) -> None:
    def listed(who: Player | User) -> tuple[bool, bool]:
        page = visit(who).get("/office/").content.decode()
        return "/office/horses/" in page, "/office/proposals/" in page

    assert listed(officer) == (True, False)
    assert listed(assessor) == (False, True)
    assert listed(superuser) == (True, True)


def test_the_header_leads_officers_to_their_duties(
    officer: Player, player: Player, outsider: User, visit: Visitor
) -> None:
    assert 'href="/office/"' in (page := tight(visit(officer).get("/").content.decode()))
    assert '<span class="badge">1<' in page
    for who in (player, outsider, None):
        assert "/office/" not in visit(who).get("/").content.decode()
