"""What is private stands on no page of the officers' site, for nobody."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from nomic.dice.models import Master, Period
from nomic.engine.effects import Effects, Roll
from nomic.engine.outcomes import Outcome
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.ledger.models import AssetVisibility
from nomic.offices.urls import office
from nomic.record.models import SealedEntry
from nomic.rulebook.models import Rule, RuleVersion
from nomic.web.models import Token
from tests.kit import Visitor, at_the_table

CANARY = "Quetzalcoatlus"


@pytest.fixture
def planted(game: Game, officer: Player, player: Player) -> Game:
    """The game, with the canary in every private thing that it can have."""
    with at_the_table(game) as table:
        table.ledger.define(CANARY, CANARY, visibility=AssetVisibility.PRIVATE, officer="Horsened")
        table.ledger.create(player, 918_273_645_546, CANARY, f"{CANARY} is hidden")
        rule = Rule.objects.create(
            game=game, title=CANARY, text=CANARY, visibility="private", enacted_in=table.seq
        )
        RuleVersion.objects.create(
            rule=rule, number=1, title=CANARY, text=CANARY, enacted_in=table.seq
        )
        table.seal("tiny.whisper", player, {"words": CANARY}, Outcome(f"{CANARY} is whispered."))
        Period.objects.create(
            game=game, number=1, private=True, commitment=CANARY, opened_in=table.seq
        )
    assert SealedEntry.objects.filter(text__contains=CANARY).exists()
    return game


def pages(client: Client, game: Game) -> dict[str, Any]:
    """The pages of the desk, each list and search, and each book's newest rows, by address."""
    found = [
        reverse("office:index"),
        reverse("office:desk", args=[game.slug]),
        reverse("office:act", args=[game.slug, "ledger.correct"]),
        reverse("office:act", args=[game.slug, "rulebook.amend"]),
        reverse("office:paper", args=[game.slug, "horsened"]),
    ]
    for admin in office.books.values():
        name = f"office:{admin.opts.app_label}_{admin.opts.model_name}"
        found.append(reverse(f"{name}_changelist"))
        if admin.search_fields:
            found.append(reverse(f"{name}_changelist") + f"?q={CANARY}")
        keys = admin.model._default_manager.order_by("-pk").values_list("pk", flat=True)[:5]
        found += [reverse(f"{name}_change", args=[key]) for key in keys]
    return {address: client.get(address) for address in found}


@pytest.mark.parametrize("who", ["officer", pytest.param("superuser", marks=pytest.mark.thorough)])
def test_no_page_shows_a_canary(
    who: str, planted: Game, officer: Player, superuser: User, visit: Visitor
) -> None:
    client = visit(officer if who == "officer" else superuser)
    seed_key = Master.objects.get(game=planted).key
    open_seed = planted.dice_periods.get(private=False, seed=None)
    for address, page in pages(client, planted).items():
        text = page.text.replace(f'value="{CANARY}"', "").replace(f"q={CANARY}", "")
        assert CANARY not in text, address
        assert "918273645546" not in text, address
        assert bytes(seed_key).hex() not in text, address
        assert planted.sealed_head not in text, address
    assert open_seed.commitment in client.get(reverse("office:dice_period_changelist")).text


def test_there_is_no_book_of_private_things() -> None:
    shown = {model._meta.label for model in office.books}
    for hidden in (SealedEntry, Master, Token, User):
        assert hidden._meta.label not in shown
    fields = {field for admin in office.books.values() for field in admin.fields}
    assert fields.isdisjoint({"key", "salt", "sealed_count", "user", "digest", "password"})


def test_a_preview_does_not_look_at_the_dice(game: Game, officer: Player, desk: Client) -> None:
    from nomic.engine.actions import _ACTIONS, Action, action

    @action
    class Draw(Action):
        name = f"lots.draw_{secrets.token_hex(4)}"
        title = "Draw lots"
        office = "*"

        def judge(self, table: Any, player: Any) -> Effects:
            lots = {"lot": ["long", "short"]}
            return Effects(Roll(lots, lambda lot: Effects(say=f"The lot is {lot}.")))

    try:
        address = reverse("office:act", args=[game.slug, Draw.name])
        preview = desk.post(address)
        assert "What the dice decide cannot be shown beforehand." in preview.text
        assert "The lot is" not in preview.text
        desk.post(address, {"confirmed": "yes"})
        assert game.entries.filter(name=Draw.name, text__startswith="The lot is").exists()
    finally:
        _ACTIONS.pop(Draw.name)


def test_rehearsing_needs_the_same_right_as_acting(
    game: Game, officer: Player, player: Player
) -> None:
    from nomic.engine.dry_run import rehearse
    from nomic.engine.outcomes import Refused, UnknownAction

    with pytest.raises(Refused) as refused:
        rehearse(game.slug, player.user, "games.pause", {"reason": "?"})
    assert refused.value.refusal.code == "not_the_officer"
    with pytest.raises(UnknownAction):
        rehearse(game.slug, player.user, "horses.motivate", {})
    take(game.slug, player, "horses.motivate")
