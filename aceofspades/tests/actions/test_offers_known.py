"""Who learns of an offer, and who it is from where that is unnamed (Regulation 125)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from aceofspades.models import Move
from aceofspades.tests.asking import (
    answers,
    do,
    moved,
    notices,
    offer,
    pages,
    state_for,
)
from aceofspades.tests.conftest import Three
from aceofspades.tests.stage import (
    PRESET,
    give_cards,
    join,
    open_the_contest,
)
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.record.models import Entry
from tests.kit import WEDNESDAY, seat

pytestmark = pytest.mark.usefixtures("uncounted")


def test_regulation_125_an_offer_is_forwarded_to_those_it_is_for(contest: Game, dealt: Three):
    murphy, madrid, alexia = dealt
    code = offer(murphy, madrid)
    assert notices(madrid) == [f"Murphy offers you 2 Red for 1 Green (offer {code})."]
    assert notices(murphy) == notices(alexia) == []
    (told,) = state_for(contest, madrid)["offers"]
    assert (told["by"], told["gives"], told["takes"]) == ("Murphy", {"Red": 2}, {"Green": 1})
    assert state_for(contest, alexia)["offers"] == state_for(contest, None)["offers"] == []
    do(murphy, "withdraw_offer", offer=code)
    assert notices(madrid)[-1] == f"The offer {code} was withdrawn."


@pytest.mark.thorough
def test_regulation_125_offers_and_withdrawals_leave_no_public_trace(
    contest: Game, dealt: Three, outsider: User
):
    murphy, madrid, alexia = dealt
    public = contest_now(contest)
    before = [answers(contest, viewer) for viewer in (None, outsider, alexia)]
    code = offer(murphy, madrid)
    offer(murphy, madrid, anonymous=True)
    do(murphy, "withdraw_offer", offer=code)
    assert [answers(contest, viewer) for viewer in (None, outsider, alexia)] == before
    now = contest_now(contest)
    assert (now.last_entry, now.record_head) == (public.last_entry, public.record_head)
    assert code not in pages(contest, alexia, now.last_entry)


def test_regulation_125_an_unnamed_offerer_is_told_to_nobody(contest: Game, dealt: Three):
    murphy, madrid, alexia = dealt
    code = offer(murphy, madrid, anonymous=True)
    assert notices(madrid) == [f"Somebody offers you 2 Red for 1 Green (offer {code})."]
    (told,) = state_for(contest, madrid)["offers"]
    assert "by" not in told
    entry = do(madrid, "accept_offer", offer=code).entry
    assert isinstance(entry, Entry)
    assert entry.text == "Madrid accepts an offer: 2 cards and 1 card change hands."
    assert moved(contest, entry.seq) == [
        ("exchanged", "", "Madrid", 2),
        ("exchanged", "Madrid", "", 1),
    ]
    assert "Murphy" not in public_side(entry)
    assert all("Murphy" not in text for text in (*notices(madrid), *notices(alexia)))
    assert [each for each in state_for(contest, madrid)["offers"] if "by" in each] == []
    assert state_for(contest, murphy)["offers"][0]["by"] == "Murphy"


def test_regulation_125_an_unnamed_acceptor_is_told_to_nobody(contest: Game, dealt: Three):
    murphy, madrid, alexia = dealt
    code = offer(murphy, madrid, alexia)
    entry = do(madrid, "accept_offer", offer=code, anonymous=True).entry
    assert isinstance(entry, Entry)
    assert entry.actor is None
    assert entry.text == "An offer of Murphy is accepted: 2 cards and 1 card change hands."
    assert "Madrid" not in public_side(entry)
    assert notices(murphy)[-1] == (
        f"Somebody accepted your offer {code}: you gave 2 Red for 1 Green."
    )
    for viewer in (murphy, alexia, None):
        assert all("accepted_by" not in each for each in state_for(contest, viewer)["offers"])
    assert state_for(contest, madrid)["offers"][0]["accepted_by"] == "Madrid"


def test_regulation_125_a_failed_unnamed_acceptance_names_nobody(contest: Game, dealt: Three):
    murphy, madrid, _ = dealt
    give_cards(contest, madrid)
    code = offer(murphy, madrid, anonymous=True)
    do(madrid, "accept_offer", offer=code, anonymous=True)
    assert notices(murphy)[-1].startswith(f"Somebody accepted your offer {code}, and nothing")
    assert all("Murphy" not in text for text in notices(madrid))


@pytest.fixture
def two_worlds(db: None) -> list[tuple[Game, list[Player]]]:
    """Two contests that are alike, each with its four contestants."""
    found = []
    for place in (0, 1):
        game = new_game(f"world{place}", PRESET, pace="manual", start=WEDNESDAY)[0]
        cast = [seat(game, name) for name in ("Murphy", "Madrid", "Alexia", "Fred")]
        open_the_contest(game)
        join(game, *cast)
        for each in cast:
            give_cards(game, each, Red=2, Green=2)
        found.append((game, cast))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("unnamed", ["offerer", "acceptor", "both"])
def test_regulation_125_who_an_unnamed_party_is_makes_no_difference_to_others(
    two_worlds: list[tuple[Game, list[Player]]], unnamed: str
):
    """Two games differ in nothing but who the unnamed party is: others can tell no difference."""
    seen = []
    for place, (game, cast) in enumerate(two_worlds):
        offerer, acceptor = cast[0], cast[2]
        if unnamed != "acceptor":
            offerer = cast[place]
        if unnamed != "offerer":
            acceptor = cast[2 + place]
        addressees = cast[2:]
        code = offer(
            offerer,
            *addressees,
            gives={"Red": 1},
            takes={"Green": 1},
            anonymous=unnamed != "acceptor",
        )
        do(acceptor, "accept_offer", offer=code, anonymous=unnamed != "offerer")
        hidden = set() if unnamed == "acceptor" else {str(offerer)}
        hidden |= set() if unnamed == "offerer" else {str(acceptor)}
        seen.append(what_others_see(game, cast, hidden, code))
    first, second = seen
    assert len(first["public"]["entries"]) == len(second["public"]["entries"])
    for one, other in zip(first["public"]["entries"], second["public"]["entries"], strict=True):
        assert one == other
    for name in first.keys() & second.keys():
        assert first[name] == second[name], name


def contest_now(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def public_side(entry: Entry) -> str:
    """All that the public entry has, and the public moves of it."""
    moves = Move.objects.filter(entry=entry.seq).values_list("giver", "receiver", "kind")
    actor = entry.actor.name if entry.actor else ""
    shown = [entry.text, entry.inputs, entry.outcome, actor, entry.key, list(moves)]
    return json.dumps(shown, default=str)


HASH = re.compile(r"[0-9a-f]{32,}")
OF_THE_WALL = ("recorded_at",)


def what_others_see(game: Game, cast: list[Player], unnamed: set[str], code: str) -> dict[str, Any]:
    """What everybody but the unnamed sees, without hashes and moments of the wall clock."""
    seen: dict[str, Any] = {"public": plain(answers(game, None)["record"], game, code)}
    for viewer in (None, *cast):
        if str(viewer) in unnamed:
            continue
        told = notices(viewer) if viewer else []
        seen[str(viewer)] = plain([state_for(game, viewer), told], game, code)
    return seen


def plain(found: Any, game: Game, code: str) -> Any:
    """The same without what is of that game only: hashes, its name, the offer's code."""
    if isinstance(found, dict):
        return {
            key: plain(value, game, code) for key, value in found.items() if key not in OF_THE_WALL
        }
    if isinstance(found, list):
        return [plain(each, game, code) for each in found]
    if isinstance(found, str):
        return HASH.sub("HASH", found.replace(code, "CODE").replace(game.slug, "GAME"))
    return found
