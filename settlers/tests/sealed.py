"""Visits of the Thug by acts of the record, and what is public of them afterwards."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from django.test import Client

from nomic.dice.models import spread
from nomic.engine.models import AppointmentStatus
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.setup import advance, new_game
from nomic.record.models import Entry, SealedEntry
from settlers.models import Visit
from settlers.rulebook import protection_money
from settlers.rules.titles import SEALED, VISITORS
from settlers.state.reading import PRODUCTION
from settlers.tests.stage import hours
from settlers.tests.votes import adopt
from tests.kit import WEDNESDAY, seat

KEY = bytes(range(32))
ROWS = "| 4 || Thug\n| 10 || Thug"
BY_ITSELF = "| By itself | at a victory |"
BY_ONLOOKER = "| By the Onlooker | 2 Productions after its end |"


def thugs_isle(key: bytes = KEY) -> Game:
    """A game that its record tells wholly: three Settlers, snail as Onlooker, Protection Money.

    The dice bring no Thug to it.
    """
    game = new_game("table", "multa", pace="manual", start=WEDNESDAY, dice_key=key)[0]
    for name in ("Murphy", "Madrid", "Alexia", "snail"):
        seat(game, name)
    act(game, "snail", "games.take_office", office="Onlooker")
    for name in ("Murphy", "Madrid", "Alexia"):
        act(game, name, "settlers.join")
    adopt(game, protection_money())
    let_be(game, ROWS, "", VISITORS)
    for name in ("Murphy", "Madrid", "Alexia"):
        for resource in ("wheat", "stone"):
            grant(game, name, resource, 60)
    produce(game)
    return Game.objects.get(pk=game.pk)


def act(game: Game, name: str | None, action: str, **inputs: Any) -> Entry | SealedEntry:
    """Let the player of that name act; the operator where there is none."""
    player: Player | None = game.players.get(name=name) if name else None
    return take(game.slug, player, action, inputs).entry


def grant(game: Game, name: str, resource: str, amount: int) -> None:
    """Put something into a stockpile, as a correction."""
    act(
        game,
        None,
        "ledger.correct",
        amount=amount,
        asset=resource,
        giver="Mint",
        receiver=name,
        reason="to begin with",
    )


def produce(game: Game) -> None:
    """Let all happen up to the next Production."""
    game.refresh_from_db()
    waiting = game.appointments.get(kind=PRODUCTION, status=AppointmentStatus.WAITING)
    advance(game.slug, waiting.due)


def thugs_visit(game: Game, **bribes: dict[str, int]) -> Visit:
    """A visit of the Thug, with these bribes by their Settlers' names, until somebody else comes.

    Its end is an event of the record.
    """
    act(game, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    visit = Visit.objects.get(game=game, over_in__isnull=True)
    for name, items in bribes.items():
        act(game, name, "settlers.bribe", items=items)
    hours(game, 24)
    visit.refresh_from_db()
    assert visit.over_in is not None
    return visit


def let_be(game: Game, before: str, after: str, rule: str = SEALED) -> None:
    """Let the operator amend a rule: “The Sealed Visits”, if no other."""
    text = game.rules.get(title=rule).text
    assert before in text
    act(game, None, "rulebook.amend", rule=rule, text=text.replace(before, after), reason="a try")


def asked(part: str) -> Any:
    """What the API tells somebody without an account, as JSON."""
    answer = Client().get(f"/api/v1/games/table/{part}")
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


# By hand, from public JSON alone, as docs/record-format.md has it


def sha(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()


def hash_of(entry: dict[str, Any], game: str) -> str:
    """The hash of a sealed entry, as the API tells it: of a header with its content's hash."""
    header = {name: entry[name] for name in _HEADER}
    return _of({**header, "game": game, "content": content_of(entry)})


def content_of(entry: dict[str, Any]) -> str:
    """The hash of its content."""
    no_content = {*_HEADER, "hash", "opened_in"}
    return _of({name: value for name, value in entry.items() if name not in no_content})


_HEADER = ("book", "number", "tag", "prev_hash")


def _of(value: dict[str, Any]) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha(text.encode())


def rolled(seed: str, game: str, period: tuple[str, int], roll: dict[str, Any]) -> int:
    """What the dice of that seed give for a roll as the API tells it: the number of an option.

    `period` is its purpose and number.
    """
    attempt = 0
    while True:
        facts = (str(roll[name]) for name in ("seat", "count", "after"))
        words = "\n".join([game, *map(str, period), *facts])
        message = f"{words}\n{attempt}".encode()
        number = int.from_bytes(hmac.digest(bytes.fromhex(seed), message, "sha256"), "big")
        options = len(spread(roll["options"]))
        if number < 2**256 - 2**256 % options:
            return number % options
        attempt += 1
