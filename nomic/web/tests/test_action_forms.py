"""Actions whose forms stand on pages of their own."""

import pytest

from horses.actions.betting import Bet
from nomic.games.models import Player
from tests.kit import Visitor, around, tight


@pytest.fixture(autouse=True)
@around
def bets_are_made_among_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bet, "page", "rules")


@pytest.mark.parametrize("path", ["/g/table/", "/g/table/horses/"])
def test_a_form_that_stands_on_its_own_page_is_a_link_elsewhere(
    path: str, player: Player, visit: Visitor
) -> None:
    page = tight(visit(player).get(path).content.decode())
    assert 'id="form-horses-bet"' not in page
    assert '<a class="button quiet" href="/g/table/rules/">Bet…</a>' in page
    assert 'id="form-horses-motivate"' in page


def test_the_form_can_still_be_had_by_itself(player: Player, visit: Visitor) -> None:
    page = visit(player).get("/g/table/act/horses.bet/").content.decode()
    assert 'id="form-horses-bet"' in page
