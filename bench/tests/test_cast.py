"""Games seeded in bulk are games like any other."""

import pytest

from bench import cast
from nomic.engine.catch_up import catch_up
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.ledger.models import Balance
from nomic.operations.audit import audit
from nomic.operations.setup import advance


@pytest.fixture
def template(db: None) -> Game:
    game = cast.races("original")
    cast.seat(game, cast.users(3))
    return game


def _wrong(game: Game) -> list[str]:
    return [check.wrong for check in audit(game) if check.wrong]


def test_a_copied_game_passes_the_audit(template: Game) -> None:
    for game in cast.copies(template, 2):
        assert _wrong(game) == []


def test_a_copied_game_has_what_the_template_has(template: Game) -> None:
    [copy] = cast.copies(template, 1)
    balances = Balance.objects.values_list("holder__name", "asset__name", "amount")
    held = [sorted(balances.filter(asset__game=game)) for game in (template, copy)]
    assert held[0] == held[1]
    assert copy.slug == "original-1"
    assert copy.players.count() == 3


def test_a_copied_game_is_played_on_its_own(template: Game) -> None:
    [copy] = cast.copies(template, 1)
    user = copy.players.earliest("pk").user
    assert user is not None
    take(copy.slug, user, "horses.motivate")
    assert advance(copy.slug, cast.MONDAY) > 1
    copy.refresh_from_db()
    assert _wrong(copy) == []
    template.refresh_from_db()
    assert template.last_entry == 2
    assert catch_up(template.pk) == 0


def test_a_game_in_which_something_happened_by_itself_is_not_copied(template: Game) -> None:
    advance(template.slug, cast.MONDAY)
    template.refresh_from_db()
    with pytest.raises(ValueError, match="by itself"):
        cast.copies(template, 1)
