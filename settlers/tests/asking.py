"""Asking for what may be refused, as a person, a browser and a program do."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from nomic.engine.outcomes import Refused
from nomic.engine.rows import rows_of
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.ledger.books import Ledger
from nomic.web.tokens import make_token
from settlers.models import Settler
from settlers.rules.isle import RESOURCES


def held(game: Game, player: Player) -> dict[str, int]:
    """What is in a stockpile, without what is zero."""
    balances = Ledger(game, None).holdings(player)
    return {resource: balances[resource] for resource in RESOURCES if balances.get(resource)}


def domains(player: Player) -> dict[str, int | None]:
    return Settler.objects.get(player=player).domains


def refusal(player: Player | None, name: str, /, **inputs: Any) -> Refusal:
    """Why the isle refuses that; nothing changes by it."""
    game = Game.objects.get(slug="table")
    before = everything(game)
    with pytest.raises(Refused) as refused:
        take("table", player, f"settlers.{name}", inputs)
    assert everything(game) == before
    return refused.value.refusal


def why_not(player: Player | None, name: str, /, **inputs: Any) -> tuple[str, str, str]:
    """The refusal's code, its sentence and the rule."""
    refused = refusal(player, name, **inputs)
    return refused.code, refused.sentence, refused.rule


def everything(game: Game) -> Any:
    """All that a refused act must leave as it is: both books, the isle, every balance."""
    now = Game.objects.get(pk=game.pk)
    moved = now.transfers.count()
    return now.last_entry, now.record_head, now.sealed_count, moved, rows_of("settlers", now)


def send(player: Player, name: str, inputs: Any, key: str = "") -> tuple[int, Any]:
    """Post an action of the isle to the API; `inputs` may be JSON's own text."""
    assert player.user is not None
    body = inputs if isinstance(inputs, str) else json.dumps(inputs)
    response = Client().post(
        f"/api/v1/games/table/actions/settlers.{name}",
        body,
        content_type="application/json",
        headers={
            "Authorization": f"Bearer {make_token(player.user, 'a program')[1]}",
            **({"Idempotency-Key": key} if key else {}),
        },
    )
    return response.status_code, json.loads(response.content)


def complaint(player: Player, name: str, inputs: Any) -> tuple[int, str]:
    """The status of a request that is to be refused, and all sentences of the answer."""
    status, answer = send(player, name, inputs)
    if status == 422 and isinstance(answer["detail"], list):
        return status, " ".join(fault["msg"] for fault in answer["detail"])
    return status, str(answer.get("sentence", answer.get("detail", answer)))
