"""A player goes by another name: what goes on follows, and the record keeps what it says."""

import pytest
from django.test import Client
from django.urls import reverse

from nomic.engine.models import SwitchSetting
from nomic.engine.outcomes import Refused
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.governance.hosting.acts import offered_to
from nomic.governance.on_behalf import mandates
from nomic.governance.renaming import MOST
from nomic.governance.tests.correcting import TEN, coins
from nomic.governance.tests.test_acts_by_rows import say
from nomic.governance.tests.test_on_behalf import LENT, replays
from nomic.operations.audit import audit
from tests.kit import Take


def rename(act: Take, player: Player, name: str) -> str:
    return act(player, "games.rename", name=name).entry.text


def test_the_record_keeps_the_name_and_all_else_has_the_new_one(
    game: Game, players: list[Player], act: Take, client: Client
) -> None:
    murphy = players[0]
    act(None, "ledger.correct", **TEN)
    assert rename(act, murphy, "Murph") == "Murphy goes by the name Murph from now on."
    act(murphy, "tiny.pay", coins=2, to="Jason")
    assert coins(game, "Murph") == 8
    named = game.entries.filter(actor=murphy).order_by("seq").values_list("actor_name", flat=True)
    assert list(named)[-2:] == ["Murphy", "Murph"]
    assert replays(game)
    assert [finding for finding in audit(game) if finding.wrong] == []
    page = reverse("player", args=[game.slug, "Murph"])
    assert client.get(page).status_code == 200
    assert client.get(reverse("player", args=[game.slug, "Murphy"])).url == page  # type: ignore[attr-defined]
    ledger = client.get(reverse("statement", args=[game.slug, "Murphy"]))
    assert ledger.url == reverse("statement", args=[game.slug, "Murph"])  # type: ignore[attr-defined]


def test_what_is_kept_by_names_follows(game: Game, players: list[Player], act: Take) -> None:
    murphy, madrid, jason, _ = players
    say(game, LENT)
    act(murphy, "games.let_act", player="Madrid", act="Pay coins")
    act(madrid, "games.let_act", player="Murphy", act="Pay coins")
    game.refresh_from_db()
    SwitchSetting.objects.create(game=game, switch="hat", of="Murphy", value="red", entry=1)
    Game.objects.filter(pk=game.pk).update(settings={**game.settings, "host_offered_to": "Murphy"})
    rename(act, murphy, "Murph")
    table = glance(Game.objects.get(pk=game.pk))
    assert mandates(table) == {
        "Murph": {"Madrid": ["tiny.pay"]},
        "Madrid": {"Murph": ["tiny.pay"]},
    }
    assert offered_to(table.game) == "Murph"
    assert SwitchSetting.objects.get(game=game).of == "Murph"
    act(None, "ledger.correct", **{**TEN, "receiver": "Jason"})
    assert act(jason, "tiny.pay", coins=1, to="Murphy").entry.inputs["to"] == "Murph"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Madrid", "There is a player “Madrid” already"),
        ("madrid", "There is a player “Madrid” already"),
        ("Мadrid", "There is a player “Madrid” already"),
        ("The System", "department of the game"),
        ("Ann and Bob", "reads as several names"),
        ("coins", "reads as “coin"),
        ("Murphy", "You go by the name Murphy here"),
        ("x" * 41, "at most 40|1 to 40"),
    ],
)
def test_a_name_that_would_be_taken_for_another_is_refused(
    game: Game, players: list[Player], act: Take, name: str, why: str
) -> None:
    last = game.entries.count()
    with pytest.raises(Exception, match=why):
        rename(act, players[0], name)
    assert game.entries.count() == last


def test_nobody_else_takes_a_former_name_and_its_player_may(
    game: Game, players: list[Player], act: Take, outsider: Player
) -> None:
    murphy, madrid, *_ = players
    rename(act, murphy, "Murph")
    with pytest.raises(Refused, match="Murph was called “Murphy” here before"):
        rename(act, madrid, "Murphy")
    with pytest.raises(Refused, match="Murph was called “Murphy” here before"):
        act(outsider, "games.join", name="murphy")
    rename(act, murphy, "Murphy")
    assert [row.name for row in murphy.former_names.all()] == ["Murph"]
    rename(act, murphy, "MURPHY")
    assert replays(game)


def test_a_seat_has_had_so_many_names_at_most(game: Game, players: list[Player], act: Take) -> None:
    names = [f"Murphy the {word}" for word in ("First", "Second", "Third", "Fourth", "Fifth")]
    for name in names[:MOST]:
        rename(act, players[0], name)
    with pytest.raises(Refused, match="You have had 5 other names"):
        rename(act, players[0], "Murphy the Last")
    rename(act, players[0], names[0])


def test_who_has_left_changes_their_name_too(game: Game, players: list[Player], act: Take) -> None:
    act(players[0], "games.leave")
    rename(act, players[0], "Murph")
    assert replays(game)
