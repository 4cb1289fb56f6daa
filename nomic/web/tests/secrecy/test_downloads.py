"""What a host takes along of a running game holds no secret but the host's own."""

from __future__ import annotations

import json
import re

import pytest

from nomic.dice.models import Master
from nomic.dice.seeds import period_seed
from nomic.games.models import Game
from nomic.web.tests.secrecy.everything_private import (
    BRIBE,
    CANARIES,
    HOST,
    begin,
    player,
    tell_the_bribe,
    vote_in_secret,
)
from tests.kit import Visitor, figure, user_of

_THE_BRIBE = re.compile(figure(BRIBE))


@pytest.fixture
def game(db: None) -> Game:
    game = begin()
    tell_the_bribe(game)
    vote_in_secret(game)
    return Game.objects.get(pk=game.pk)


def download(visit: Visitor, game: Game, who: object) -> list[dict[str, object]]:
    answer = visit(who).get(f"/g/{game.slug}/download/")  # type: ignore[arg-type]
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return [json.loads(line) for line in answer.getvalue().decode().splitlines()]


@pytest.mark.thorough
def test_a_host_takes_along_what_is_public_and_what_they_themselves_did_in_private(
    game: Game, visit: Visitor
) -> None:
    lines = download(visit, game, user_of(HOST))
    text = json.dumps(lines, ensure_ascii=False)
    assert not CANARIES.search(text)
    master = bytes(Master.objects.get(game=game).key)
    assert master.hex() not in text
    published = {bytes(each) for each in game.dice_periods.values_list("seed", flat=True) if each}
    seeds = {
        period_seed(master, number, private=private)
        for number in range(1, 20)
        for private in (True, False)
    }
    assert not [each for each in seeds - published if each.hex() in text]
    assert sum("entry" in line for line in lines) == game.last_entry
    assert lines[-1] == {"end": {"entries": game.last_entry, "hash": game.record_head}}
    assert not [line for line in lines if "own" in line], "the host has no seat"

    murphy = player(game, "Murphy")
    Game.objects.filter(pk=game.pk).update(host=murphy.user)
    own = [line for line in download(visit, game, murphy) if "own" in line]
    told = json.dumps(own)
    assert _THE_BRIBE.search(told), "their own bribe"
    for other in ("Jason", "Madrid", "Olga"):
        assert f'"actor": "{other}"' not in told


@pytest.mark.thorough
def test_nobody_but_the_host_takes_a_running_game_along(game: Game, visit: Visitor) -> None:
    address = f"/g/{game.slug}/download/"
    assert visit(player(game, "Murphy")).get(address).status_code == 403
    assert visit().get(address).url.startswith("/accounts/login/")


@pytest.mark.thorough
def test_record_ledger_and_rulebook_as_files_tell_everybody_what_is_public(
    game: Game, visit: Visitor
) -> None:
    files = ["record.jsonl", "ledger.csv", "rulebook.json", "rulebook.md", "rulebook/?full=1"]
    for name in files:
        answer = visit().get(f"/g/{game.slug}/{name}")
        assert answer.status_code == 200, name
        assert not CANARIES.search(answer.getvalue().decode()), name
    record = visit().get(f"/g/{game.slug}/record.jsonl").getvalue().decode().splitlines()
    api = visit().get(f"/api/v1/games/{game.slug}/record?limit=2").json()["entries"]
    again = [json.loads(line) for line in record]
    assert [each["seq"] for each in again] == [*range(1, game.last_entry + 1)]
    assert [again[0]["hash"], again[1]["effects"]] == [api[0]["hash"], api[1]["effects"]]
    ledger = visit().get(f"/g/{game.slug}/ledger.csv").getvalue().decode().splitlines()
    assert ledger[0] == "entry,at,holder,asset,amount"
    assert all(len(line.split(",")) >= 5 for line in ledger)
