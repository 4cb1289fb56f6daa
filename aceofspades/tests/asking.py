"""Asking for what may be refused, and looking at what a viewer can find out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from aceofspades.models import Move, Notice, Offer
from aceofspades.state.reading import state_of
from aceofspades.tests.stage import hand_of
from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.rows import rows_of
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.web.tokens import make_token

OPEN_API = ("", "record", "balances", "rules", "dice", "aceofspades")
OPEN_PAGES = ("", "record/", "record/feed/", "ledger/", "dice/")
FOR_ONE = {"gives": {"Red": 2}, "takes": {"Green": 1}}


def do(player: Player, name: str, /, key: str = "", **inputs: Any) -> Receipt:
    """Let the player take an action of the contest."""
    return take(player.game.slug, player, f"aceofspades.{name}", inputs, key)


def why_not(player: Player, name: str, /, **inputs: Any) -> tuple[str, str, str]:
    """The refusal's code, its sentence and the rule; nothing changes by it."""
    game = player.game
    before = everything(game)
    with pytest.raises(Refused) as refused:
        do(player, name, **inputs)
    assert everything(game) == before
    refusal = refused.value.refusal
    return refusal.code, refusal.sentence, refusal.rule


def everything(game: Game) -> Any:
    """All that a refused act must leave as it is: both books, the contest, every balance."""
    now = Game.objects.get(pk=game.pk)
    return (
        now.last_entry,
        now.record_head,
        now.sealed_count,
        now.transfers.count(),
        rows_of("aceofspades", now),
    )


def is_sound(game: Game) -> bool:
    """Whether the audit is clean and a replay agrees."""
    now = Game.objects.get(pk=game.pk)
    assert not [str(finding) for finding in audit(now) if finding.wrong]
    assert replay(now)[1] is None
    return True


def notices(player: Player) -> list[str]:
    """What the player was told about exchanges and alliances, in order."""
    rows = Notice.objects.filter(contestant__player=player).order_by("pk")
    return list(rows.values_list("text", flat=True))


def moved(game: Game, entry: int) -> list[tuple[str, str, str, int]]:
    """The public moves of an entry: kind, giver, receiver, number of cards."""
    rows = Move.objects.filter(contest__game=game, entry=entry).order_by("pk")
    return list(rows.values_list("kind", "giver", "receiver", "cards"))


def hands(*players: Player) -> list[dict[str, int]]:
    return [hand_of(player.game, player) for player in players]


def suits_to_swap(giver: Player, taker: Player) -> tuple[str, str]:
    """A suit that the one has and another that the other has, as they were dealt."""
    first, second = hands(giver, taker)
    return next((suit, wanted) for suit in first for wanted in second if suit != wanted)


def state_for(game: Game, viewer: Player | None) -> dict[str, Any]:
    """The contest as the API tells it to that viewer."""
    from aceofspades.api import contest_state

    table = glance(Game.objects.get(pk=game.pk))
    assert state_of(table).is_on
    state = contest_state(table, viewer)
    assert state is not None
    return dict(json.loads(json.dumps(state)))


def answers(game: Game, viewer: Player | User | None) -> dict[str, Any]:
    """What the API answers that viewer about the game, by the part of its address."""
    user = viewer.user if isinstance(viewer, Player) else viewer
    headers = {"Authorization": f"Bearer {make_token(user, 'a program')[1]}"} if user else {}
    by_part = {}
    for part in OPEN_API:
        address = f"/api/v1/games/{game.slug}/{part}".rstrip("/")
        response = Client().get(address, headers=headers)
        assert response.status_code == 200, (address, response.content)
        by_part[part] = json.loads(response.content)
    return by_part


def pages(game: Game, viewer: Player | User | None, since: int = 1) -> str:
    """The game's pages as that viewer sees them, with the page of each entry of the record; or of
    those since the one of that number, where what is looked for happened after it."""
    client = Client()
    user = viewer.user if isinstance(viewer, Player) else viewer
    if user is not None:
        client.force_login(user)
    last = Game.objects.get(pk=game.pk).last_entry
    paths = [*OPEN_PAGES, *(f"record/{seq}/" for seq in range(since, last + 1))]
    texts = []
    for path in paths:
        response = client.get(f"/g/{game.slug}/{path}")
        assert response.status_code == 200, (path, response.status_code)
        texts.append(response.content.decode())
    return "\n".join(texts)


def offer(by: Player, *to: Player, **inputs: Any) -> str:
    """Let an offer of two Red for one Green be made; returns its code."""
    do(by, "offer", to=[str(player) for player in to], **{**FOR_ONE, **inputs})
    return Offer.objects.latest("pk").code
