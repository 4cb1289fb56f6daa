"""What is offered is what is legal, to whoever looks."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine.actions import Action, TwoSidedAction, action, all_actions, find_action, offers
from nomic.engine.events import appointment
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.engine.tests.tiny import COIN, COINS
from nomic.games.models import Game, Player
from nomic.ledger.models import Holder, HolderKind
from tests.kit import Take, at_the_table


def offered(game: Game, player: Player | None) -> dict[str, str]:
    """What the player is offered, by its name: empty, or the code of the refusal."""
    game.refresh_from_db()
    return {
        offer.action.name: offer.refusal.code if offer.refusal else ""
        for offer in offers(glance(game), player)
    }


def test_a_player_without_coins_is_offered_what_is_free_and_told_why_not_the_rest(
    game: Game, player: Player
) -> None:
    now = offered(game, player)
    assert {name for name, code in now.items() if not code} == {
        "games.away",
        "games.choose_host",
        "games.leave",
        "games.ratify",
        "games.record_report",
        "games.remove_player",
        "games.rename",
        "games.take_office",
        "ledger.correct",
        "rulebook.amend",
        "tiny.whisper",
        "tiny.claim",
    }, "What an officer corrects is asked of all while the office is vacant."
    assert now["tiny.buy_cup"] == now["tiny.pay"] == "cannot_pay"
    assert now["games.resign_office"] == "no_office"
    assert now["games.join"] == "seated"


def test_acts_of_an_office_are_offered_to_its_holder_alone(
    game: Game, player: Player, officer: Player
) -> None:
    office = {"games.pause", "ledger.correct", "rulebook.amend"}
    assert not office & offered(game, player).keys()
    assert office <= offered(game, officer).keys()


def test_an_outsider_is_offered_a_seat(game: Game, outsider: User) -> None:
    assert {name for name, code in offered(game, None).items() if not code} == {"games.join"}


def test_what_is_offered_with_a_refusal_is_refused_with_the_same(
    game: Game, player: Player, act: Take
) -> None:
    for name, code in offered(game, player).items():
        if code:
            with pytest.raises(Refused) as refused:
                act(player, name, coins=1, to="Murphy", office="Keeper", name=player.name)
            assert refused.value.refusal.code == code, name


def test_machinery_whose_rule_is_not_in_force_is_off(game: Game, player: Player, act: Take) -> None:
    Game.objects.filter(pk=game.pk).update(preset="demo")
    assert not [name for name in offered(game, player) if name.startswith("tiny.")]
    with pytest.raises(Refused) as refused:
        act(player, "tiny.buy_cup")
    assert refused.value.refusal.code == "not_in_force"
    assert refused.value.refusal.rule == COINS


def test_looking_changes_nothing(game: Game, player: Player) -> None:
    before = list(Game.objects.filter(pk=game.pk).values())
    with CaptureQueriesContext(connection) as queries:
        offered(game, player)
    writes = ("INSERT", "UPDATE", "DELETE")
    assert not [query for query in queries if query["sql"].startswith(writes)]
    assert list(Game.objects.filter(pk=game.pk).values()) == before


def test_two_actions_or_two_events_cannot_have_one_name() -> None:
    taken: Any = type("Again", (Action,), {"name": "tiny.pay", "title": "Again"})
    with pytest.raises(ValueError, match=r"two actions named tiny\.pay"):
        action(taken)
    assert find_action("tiny.pay").title == "Pay coins"
    with pytest.raises(ValueError, match=r"two events named tiny\.week"):
        appointment("tiny.week", title="Again")(lambda table, subject: None)


def test_an_act_takes_as_many_queries_among_300_players_as_among_3(
    game: Game, player: Player, rival: Player, act: Take
) -> None:
    with at_the_table(game) as table:
        table.ledger.create(player, 10, COIN)
    few = queries_of(lambda: act(player, "tiny.pay", coins=1, to="Madrid"))
    seats = Player.objects.bulk_create(
        Player(game=game, name=f"extra {n}", joined_at=game.anchor_game) for n in range(298)
    )
    Holder.objects.bulk_create(
        Holder(game=game, kind=HolderKind.PLAYER, name=seat.name, player=seat) for seat in seats
    )
    many = queries_of(lambda: act(player, "tiny.pay", coins=1, to="extra 7"))
    assert few == many <= 15


def queries_of(act: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


@pytest.mark.parametrize("act", all_actions(), ids=lambda act: act.name)
def test_what_an_action_is_about_is_told_in_whole_sentences_on_one_line(act: Action) -> None:
    assert act.about.endswith(".")
    assert "\n" not in act.about


def test_what_is_hidden_of_an_act_is_asked_of_acts_with_two_sides_only() -> None:
    hiding = {
        act.name
        for act in all_actions()
        for cls in type(act).__mro__
        if issubclass(cls, Action) and {"sealed_inputs", "hides_actor"} & vars(cls).keys()
    }
    two_sided = {act.name for act in all_actions() if isinstance(act, TwoSidedAction)}
    assert hiding == two_sided != set()
