"""A database that was restored behind what the site has told: no game goes on in silence."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from nomic.engine.outcomes import Refused
from nomic.engine.restored import (
    RESTORED,
    UNKNOWN_ENTRIES,
    hold_where_lost,
    keep_heads,
    look_at_the_start,
)
from nomic.engine.table import glance
from nomic.games.clock import iso, wall_now
from nomic.games.models import Game, Player
from nomic.notices.models import Outgoing
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import BadSetup, advance, new_game, set_pace
from nomic.record.heads import Head
from nomic.record.keys import has_signed, head_of, signed_head, signer
from nomic.record.models import SiteKey
from tests.kit import Take, around
from tests.tampering.tools import verify_file

LOST = "f" * 64
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
@around
def heads_file(settings: Any, tmp_path: Path) -> Path:
    settings.HEADS_FILE = tmp_path / "heads.json"
    return settings.HEADS_FILE


@pytest.fixture
def other(game: Game) -> Game:
    return new_game("other", "agora-races", pace="manual")[0]


@pytest.fixture
def preset() -> str:
    return "agora-races"


def lose(game: Game, count: int, *, later: bool = False) -> Head:
    """The head of an entry so many beyond the last, which the site had told, and kept in `var`
    before what it has told since, or `later`."""
    game.refresh_from_db()
    head = signed_head(game, game.last_entry + count, LOST)
    keep(game, head, later=later)
    return head


def keep(game: Game, head: Head, *, later: bool = False) -> None:
    assert game.last_at is not None
    at = game.last_at + (HOUR if later else -HOUR)
    settings.HEADS_FILE.write_text(json.dumps({game.identity: [str(head), iso(at)]}))


def let_go_on(game: Game) -> str:
    out = StringIO()
    call_command("let-go-on", game.slug, reason="the disk broke", stdout=out)
    game.refresh_from_db()
    return out.getvalue()


def held(*games: Game) -> list[bool]:
    for game in games:
        game.refresh_from_db()
    return [bool(game.restored) for game in games]


def test_a_start_that_finds_heads_beyond_the_database_holds_all_games(
    game: Game, other: Game, player: Player, act: Take
) -> None:
    keep_heads()
    look_at_the_start()
    assert held(game, other) == [False, False]
    head, last = lose(game, 9), game.last_entry
    look_at_the_start()
    assert held(game, other) == [True, True]
    assert f"Entries {last + 1} to {head.number} of this game, and perhaps" in game.set_aside
    assert f"what of this game came after entry {other.last_entry} and is lost" in other.set_aside
    for name in ("horses.gain_dollaries", "games.pause"):
        with pytest.raises(Refused) as refused:
            act(
                player if "horses" in name else None,
                name,
                **({} if "horses" in name else {"reason": "x"}),
            )
        assert refused.value.refusal.code == "restored"
    for way in (
        lambda: advance("other", glance(other).now + timedelta(weeks=2)),
        lambda: set_pace("table", "fast"),
    ):
        with pytest.raises(BadSetup, match="restored from a backup"):
            way()
    assert held(game, other) == [True, True]
    assert game.last_entry == last
    told = Outgoing.objects.get(game=game, about__contains="set aside")
    assert (told.to, f"Entries {last + 1} to {head.number}" in told.text) == (None, True)
    assert "restored from a backup" in Client().get("/g/table/").text


def test_no_link_of_a_lost_account_leads_to_one_that_comes(game: Game) -> None:
    def sign_up(name: str) -> tuple[int, int]:
        user = User.objects.create_user(name)
        address = EmailAddress.objects.create(user=user, email=f"{name}@nomic.example")
        return user.pk, address.pk

    user, address = sign_up("dora")
    lose(game, 3)
    hold_where_lost()
    later_user, later_address = sign_up("eve")
    assert later_user > user + 1_000
    assert later_address > address + 1_000


def test_the_cache_knows_what_the_folder_has_lost(game: Game, heads_file: Path) -> None:
    lose(game, 3)
    cache.set("nomic:heads", heads_file.read_text())
    heads_file.unlink()
    assert hold_where_lost() == 1


@pytest.mark.parametrize("text", ["", "no JSON", "[]", '{"x": 3}', '{"x": ["9:zz", "now"]}'])
def test_what_cannot_be_read_holds_nothing(game: Game, heads_file: Path, text: str) -> None:
    heads_file.write_text(text)
    assert hold_where_lost() == 0
    keep_heads()
    assert json.loads(heads_file.read_text())[game.identity][0] == str(head_of(game))


def test_a_head_counts_with_a_signature_of_this_site_and_this_game_alone(
    game: Game, other: Game, settings: Any
) -> None:
    number = game.last_entry + 5
    mine = signed_head(game, number, LOST)
    settings.SIGNING_KEY = "that of another site"
    theirs = signed_head(game, number, LOST)
    settings.SIGNING_KEY = ""
    # Of a key of which this database knows nothing.
    unknown = Head(number, LOST, "0" * 16, theirs.signature)
    for head in (Head(number, LOST), unknown, signed_head(other, number, LOST)):
        keep(game, head)
        assert hold_where_lost() == 0, head
    keep(game, mine)
    assert hold_where_lost() == 1


def test_another_key_since_the_backup_takes_no_head_its_word(game: Game, settings: Any) -> None:
    head = lose(game, 4)
    settings.SIGNING_KEY = "a new secret after the restore"
    assert SiteKey.objects.exists()
    assert has_signed(game, head)
    assert hold_where_lost() == 1


def test_a_dump_of_another_site_has_none_of_these_games_and_is_held_by_the_operators_word(
    game: Game, heads_file: Path
) -> None:
    heads_file.write_text(
        json.dumps({"a game of elsewhere": [str(head_of(game)), iso(wall_now())]})
    )
    assert hold_where_lost() == 0
    out = StringIO()
    call_command("restored", stdout=out)
    assert held(game) == [True]
    assert f"table: {game.set_aside}" in out.getvalue()


def test_one_entry_is_told_as_one_and_a_list_holds_nothing(game: Game, other: Game) -> None:
    assert _listed() == "No game is held.\n"
    head = lose(game, 1)
    hold_where_lost()
    assert f"Entry {head.number} of this game, and perhaps later ones, are lost" in _listed()
    assert f"that entry {head.number} is lost: " in let_go_on(game)
    assert _listed().startswith("other: ")
    assert held(game, other) == [False, True]


def _listed() -> str:
    out = StringIO()
    call_command("restored", list=True, stdout=out)
    return out.getvalue()


def test_a_backup_of_another_site_takes_no_head_of_this_ones_games_away(
    game: Game, other: Game, heads_file: Path, settings: Any
) -> None:
    old = signed_head(game, game.last_entry + 3, LOST)
    settings.STATIC_ROOT = heads_file.parent
    (heads_file.parent / "staticfiles.json").touch()
    for days, is_kept in ((1, True), (31, False)):
        row = [str(old), iso(wall_now() - timedelta(days=days))]
        heads_file.write_text(json.dumps({"a game of this site": row}))
        err = StringIO()
        call_command("can-start", "web", stderr=err)
        assert (
            "has nothing of games whose records this site has signed (1)" in err.getvalue()
        ) is is_kept
        keep_heads()
        kept = json.loads(heads_file.read_text())
        assert kept.get("a game of this site") == (row if is_kept else None)
        assert kept[game.identity][0] == str(head_of(game))


def test_the_operator_ends_the_hold_with_a_word_on_the_record_and_new_dice(
    game: Game, other: Game, player: Player, act: Take
) -> None:
    head = lose(game, 9)
    before = game.last_entry
    hold_where_lost()
    with pytest.raises(CommandError, match="Say why, for the record"):
        call_command("let-go-on", "table")
    printed = let_go_on(game)
    mark = game.entries.get(name=RESTORED)
    assert f"entries {mark.seq} to {head.number} are lost: the disk broke." in mark.text
    assert mark.text in printed
    assert (mark.seq, mark.inputs["to"]) == (before + 1, head.number)
    old, new = mark.outcome["published"]["number"], mark.outcome["committed"]["number"]
    notice = Outgoing.objects.filter(game=game).latest("pk")
    assert notice.to is None
    assert notice.text.startswith(f"“{game.title}” goes on. The operator says that this site was")
    # None of the lost entries can have opened that period.
    assert new > old + (head.number - before)
    assert held(game, other) == [False, True]
    assert game.state == "running"
    act(player, "horses.gain_dollaries")
    assert hold_where_lost() == 0
    assert held(game, other) == [False, True]
    assert "nobody knows how many entries are lost" in let_go_on(other)
    keep_heads()
    assert hold_where_lost() == 0
    assert not replay(Game.objects.get(pk=game.pk))[1]
    assert [str(finding) for finding in audit(Game.objects.get(pk=game.pk)) if finding.wrong] == []


def test_the_dice_are_rolled_and_change_their_seeds_after_it(game: Game) -> None:
    lose(game, 9)
    hold_where_lost()
    let_go_on(game)
    advance("table", glance(game).now + timedelta(weeks=2))
    game.refresh_from_db()
    assert verify_file(game) == ""
    assert not replay(game)[1]


def test_the_verifier_knows_the_mark_and_takes_lost_heads_for_what_they_are(
    game: Game, player: Player, act: Take
) -> None:
    head = lose(game, 3)
    key = ("--key", signer().public)
    assert "of another history" in verify_file(game, *key, "--head", str(head))
    hold_where_lost()
    let_go_on(game)
    act(player, "horses.gain_dollaries")
    assert verify_file(game, *key, "--head", str(head)) == ""
    beyond = signed_head(game, head.number + 1, LOST)
    unsigned = f"{head.number}:{LOST}"
    for other_head in (str(beyond), unsigned):
        assert "of another history" in verify_file(game, *key, "--head", other_head)


def test_a_restore_of_a_restore_is_found_again(game: Game, player: Player, act: Take) -> None:
    lose(game, 9)
    hold_where_lost()
    let_go_on(game)
    keep_heads()
    lose(game, 2, later=True)  # of the history after the first restore, within what that took
    assert hold_where_lost() == 1
    assert held(game) == [True]
    let_go_on(game)
    assert game.entries.filter(name=RESTORED).count() == 2
    assert not replay(game)[1]


def test_a_restore_of_which_nobody_knows_what_it_took_explains_a_thousand_entries_alone(
    game: Game,
) -> None:
    call_command("restored", stdout=StringIO())
    held(game)
    assert "nobody knows how many entries are lost" in let_go_on(game)
    mark = game.entries.get(name=RESTORED)
    last = mark.seq + UNKNOWN_ENTRIES - 1
    assert mark.outcome["lost"] == [mark.seq, mark.inputs["to"]] == [mark.seq, last]
    assert not mark.inputs["known"]
    for head, is_held in ((signed_head(game, last, LOST), False), (beyond(game, last), True)):
        bring(head)
        assert held(game) == [is_held], head.number
    let_go_on(game)
    assert [each.inputs["to"] for each in game.entries.filter(name=RESTORED)] == [last, last + 1]
    key = ("--key", signer().public)
    assert verify_file(game, *key, "--head", str(beyond(game, last))) == ""
    assert "of another history" in verify_file(game, *key, "--head", str(beyond(game, last + 1)))
    assert not replay(Game.objects.get(pk=game.pk))[1]


def beyond(game: Game, number: int) -> Head:
    return signed_head(game, number + 1, LOST)


def test_a_receipt_that_a_browser_brings_holds_its_game_alone(game: Game, other: Game) -> None:
    head = signed_head(game, game.last_entry + 4, LOST)
    forged = str(head)[:-1] + ("1" if str(head).endswith("0") else "0")
    for worthless in (f"{head.number}:{LOST}", forged, str(head_of(game))):
        Client().post("/g/table/witness/", {"heads": worthless, "text": worthless})
        assert held(game, other) == [False, False], worthless
    for page in (bring(head), bring(head)):
        assert held(game, other) == [True, False]
        assert "Keep it until the record tells of the loss" in page
        assert "it has told two histories" not in page
    let_go_on(game)
    bring(head)
    assert held(game, other) == [False, False]
    page = bring(head)
    assert "this head is of an entry that was lost" in page


def bring(head: Head) -> str:
    return str(Client().post("/g/table/witness/", {"heads": str(head)}).text)
