"""What lets people prove what they saw: the head on each page, receipts, witnesses, keys."""

import hashlib
import json
from typing import Any

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from nomic.engine import actions
from nomic.engine.actions import PrivateAction
from nomic.engine.effects import Effects
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.operations.setup import new_game
from nomic.record.heads import Head
from nomic.record.keys import head_of, signed_head
from nomic.web.proof import witness as witness_room
from tests.kit import Take, Visitor
from tests.kit.visitors import tight

BET = "/g/table/act/horses.bet/"
GOOD = {"horse": "Fargo", "dollaries": "3"}
WITNESS, RECEIPTS = "/g/table/witness/", "/g/table/receipts/"
ELSEWHERE = "f" * 64
TWO_HISTORIES = "it has told two histories of this game"


def head_now(game: Game) -> Head:
    game.refresh_from_db()
    return head_of(game)


def brought(client: Client, text: str, **more: str) -> HttpResponse:
    return client.post(WITNESS, {"heads": text, **more})  # type: ignore[return-value]


def follows(receipt: dict[str, Any]) -> bool:
    """Whether the receipt proves what it says, by its own words alone."""
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(receipt["public_key"]))
    for each in receipt["signed"]:
        public.verify(bytes.fromhex(each["signature"]), rfc8785.dumps(each["said"]))
        if "opens" in each:
            opened = hashlib.sha256(rfc8785.dumps(each["opens"])).hexdigest()
            assert opened == each["said"]["content"]
    return True


@pytest.mark.parametrize("path", ["", "horses/", "rules/", "record/", "ledger/", "witness/"])
def test_every_page_tells_the_head_of_the_record(
    path: str, game: Game, player: Player, visit: Visitor
) -> None:
    page = visit(player).get(f"/g/table/{path}").text
    head = head_now(game)
    foot = page[page.index('<footer class="foot"') :]
    assert f'<data value="{head}">{head.hash[:8]}…</data>' in foot
    assert "your receipts" in foot
    assert "your receipts" not in visit().get(f"/g/table/{path}").text


def test_the_live_part_tells_it_anew_and_asks_nothing_for_it(
    game: Game, player: Player, act: Take, htmx: Visitor
) -> None:
    act(player, "horses.gain_dollaries")
    part = htmx(player).get("/g/table/horses/").text
    assert 'id="head"' in part
    assert str(head_now(game)) in part


def test_the_feed_tells_the_head_and_each_entry_its_own(
    game: Game, player: Player, visit: Visitor
) -> None:
    feed = visit().get("/g/table/record/feed/").text
    first = game.entries.get(seq=1)
    assert f"Its head: {head_now(game)}" in feed
    assert f"Head: {signed_head(game, 1, first.hash)}" in feed


def test_an_act_names_the_head_that_its_page_had_shown(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    browser = visit(player)
    before = head_now(game)
    assert f'name="saw" value="{before}"' in browser.get("/g/table/horses/").text
    act(rival, "horses.gain_dollaries")
    browser.post(BET, {**GOOD, "saw": str(before)})
    assert game.entries.get(name="horses.bet").saw == [before.number, before.hash]
    page = browser.get(WITNESS).text
    assert f'<data value="{Head(before.number, before.hash)}">' in page
    assert "yes" in page


@pytest.mark.parametrize("kind", ["visit", "htmx"])
def test_an_act_that_names_another_history_is_done_and_says_so(
    kind: str, game: Game, player: Player, request: pytest.FixtureRequest, visit: Visitor
) -> None:
    browser = request.getfixturevalue(kind)(player)
    forked = signed_head(game, 2, ELSEWHERE)
    answer = browser.post(BET, {**GOOD, "saw": str(forked)}, follow=True).text
    assert "had shown another history" in answer
    bet = game.entries.get(name="horses.bet")
    assert bet.saw == [2, ELSEWHERE, forked.key, forked.signature]
    page = visit().get(WITNESS).text
    assert "no, and this site has signed it: two histories" in page


def test_a_head_that_anybody_could_have_made_up_is_no_part_of_the_record(
    game: Game, player: Player, visit: Visitor
) -> None:
    browser = visit(player)
    answer = browser.post(BET, {**GOOD, "saw": f"2:{ELSEWHERE}"}, follow=True).text
    assert "anybody could have written it" in answer
    assert game.entries.get(name="horses.bet").saw is None
    page = browser.get(WITNESS).text
    assert "no; nobody has signed it" in page
    for nonsense in ("", "2", "x" * 5_000, "2:\0"):
        assert browser.post(BET, {**GOOD, "saw": nonsense}).status_code in (302, 409)


class Murmur(PrivateAction):
    """Say something that nobody hears."""

    name = "testing.murmur"
    title = "Murmur"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(say=f"{player} murmurs.")


@pytest.fixture
def acted(
    game: Game, player: Player, rival: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> Game:
    """A bet and a murmur of each of two players."""
    monkeypatch.setitem(actions._ACTIONS, Murmur.name, Murmur())
    for each in (player, rival):
        act(each, "horses.gain_dollaries")
        act(each, "testing.murmur")
    return game


def test_a_receipt_proves_itself_and_a_private_one_opens_what_was_sealed(
    acted: Game, player: Player, visit: Visitor
) -> None:
    browser = visit(player)
    page = browser.get(RECEIPTS).text
    gained = acted.entries.get(name="horses.gain_dollaries", actor=player)
    murmured = acted.sealed_entries.get(name=Murmur.name, actor=player)
    assert "Murphy murmurs." in page
    public = browser.get(f"{RECEIPTS}{gained.seq}/")
    assert 'filename="receipt-table-' in public["Content-Disposition"]
    told = public.json()
    assert follows(told)
    assert told["signed"][0]["said"]["hash"] == gained.hash == told["entry"]["hash"]
    sealed = browser.get(f"{RECEIPTS}{murmured.content_hash}/").json()
    assert follows(sealed)
    [signed] = sealed["signed"]
    assert signed["said"]["hash"] == murmured.content_hash
    assert signed["said"]["number"] is None
    assert signed["opens"]["text"] == "Murphy murmurs."
    assert "prev_hash" not in json.dumps(sealed)
    assert murmured.hash not in json.dumps(sealed)  # it would tell how many others had acted
    whole = browser.get(f"{RECEIPTS}?format=json").json()["receipts"]
    assert told in whole
    assert sealed in whole
    assert all(map(follows, whole))


@pytest.mark.thorough
def test_nobody_gets_the_receipts_of_another(
    acted: Game, player: Player, rival: Player, outsider: User, visit: Visitor
) -> None:
    gained = acted.entries.get(name="horses.gain_dollaries", actor=player)
    murmured = acted.sealed_entries.get(name=Murmur.name, actor=player)
    for name in (str(gained.seq), murmured.content_hash, "1", "999", "plugh"):
        address = f"{RECEIPTS}{name}/"
        assert visit(rival).get(address).status_code == 404
        assert visit(outsider).get(address).status_code == 404
        assert visit().get(address).status_code == 302
    theirs = visit(rival).get(RECEIPTS).text
    assert "Murphy" not in theirs[theirs.index("<main") :]
    assert visit(outsider).get(RECEIPTS)["Location"] == "/g/table/join/"
    assert "/accounts/login/" in visit().get(RECEIPTS)["Location"]


def test_many_acts_come_a_page_at_a_time_and_each_once(
    acted: Game, player: Player, act: Take, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomic.web.views.proof.A_PAGE", 2)
    monkeypatch.setattr("nomic.web.proof.receipts._AT_ONCE", 2)
    for _ in range(3):
        act(player, "testing.murmur")
    browser = visit(player)
    whole = browser.get(f"{RECEIPTS}?format=json").json()["receipts"]
    hashes = [each["signed"][0]["said"]["hash"] for each in whole]
    assert len(hashes) == len(set(hashes)) == 6  # they joined, gained, and murmured four times
    page = browser.get(RECEIPTS)
    shown: list[str] = []
    while page.context["older"]:
        shown += [each.hash for each in page.context["acts"]]
        page = browser.get(f"{RECEIPTS}?before={page.context['older']}")
    shown += [each.hash for each in page.context["acts"]]
    assert shown == hashes


def test_receipts_cost_as_much_for_many_acts_as_for_few(
    acted: Game,
    player: Player,
    act: Take,
    visit: Visitor,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    browser = visit(player)
    for _ in range(2):
        with django_assert_max_num_queries(12):
            assert browser.get(RECEIPTS).status_code == 200
        for _ in range(9):
            act(player, "testing.murmur")


@pytest.mark.thorough
def test_each_thing_that_is_brought_has_a_clear_answer(
    acted: Game, player: Player, visit: Visitor, settings: Any
) -> None:
    browser = visit(player)
    head = head_now(acted)
    other = new_game("other", "agora-races", pace="manual")[0]
    murmured = acted.sealed_entries.get(name=Murmur.name, actor=player)
    private = browser.get(f"{RECEIPTS}{murmured.content_hash}/").json()
    gained = acted.entries.get(name="horses.gain_dollaries", actor=player)
    receipt = browser.get(f"{RECEIPTS}{gained.seq}/").json()
    of_another = json.loads(json.dumps(receipt))
    of_another["signed"][0]["said"]["game"] = other.identity
    forged = json.loads(json.dumps(private))
    forged["signed"][0]["opens"]["text"] = "Murphy shouts."
    answers = {
        str(head): "This site has signed it.",
        f"{head.number}:{head.hash}": "It has no signature",
        f"{head}"[:-1] + ("0" if f"{head}"[-1] != "0" else "1"): "Its signature is not one",
        str(Head(head.number, head.hash, "0" * 16, head.signature)): "never been one of this site",
        str(signed_head(acted, 2, ELSEWHERE)): TWO_HISTORIES,
        str(signed_head(acted, 900, ELSEWHERE)): "This record has no entry 900",
        f"2:{ELSEWHERE}": "has another hash",
        str(signed_head(other, 2, ELSEWHERE)): "it is of another game",
        "plugh": "neither a head nor a receipt",
        json.dumps(receipt): "This site has signed it.",
        json.dumps(private): "What the receipt opens is what was sealed.",
        json.dumps(forged): "something else than what was sealed",
        json.dumps(of_another): "This receipt is of another game",
        json.dumps({"said": {"says": "\ud800"}}): "neither a head nor a receipt",
        '["\\ud800\\u0000"]': "neither a head nor a receipt",
        "[" * 9_000: "neither a head nor a receipt",
    }
    forks = {str(signed_head(acted, number, ELSEWHERE)) for number in (2, 900)}
    for text, sentence in answers.items():
        answer = brought(browser, text)
        [verdict] = answer.context["verdicts"]  # type: ignore[attr-defined]
        assert sentence in verdict.sentence, text
        assert verdict.is_fork == (text in forks), text
        assert ("another history</span>" in tight(answer.text)) == verdict.is_fork
    settings.SIGNING_KEY = "another secret"
    assert "This site has signed it." in brought(browser, str(head)).text
    assert head_of(acted).key != head.key


def test_who_has_seen_a_head_is_kept_and_shown(acted: Game, player: Player, visit: Visitor) -> None:
    head = head_now(acted)
    brought(visit(player), str(head), seen="yes")
    brought(visit(player), str(head), seen="yes")
    brought(visit(), f"{head}\n2:{ELSEWHERE}", seen="yes", name="A club in Oslo")
    seen = set(acted.seen_heads.values_list("player__name", "name", "hash", "foreign"))
    assert seen == {
        ("Murphy", "", head.hash, False),
        (None, "A club in Oslo", head.hash, False),
        (None, "A club in Oslo", ELSEWHERE, True),
    }
    rows = [(each.who, each.holds) for each in visit().get(WITNESS).context["witnesses"]]
    assert rows[-1] == ("A club in Oslo", False)
    assert ("Murphy", True) in rows
    assert acted.seen_heads.count() == 3
    brought(visit(player), str(head))
    assert acted.seen_heads.count() == 3


@pytest.mark.parametrize("name", ["", " ", "Murphy", "murphy", "<b>", "a\0b", "x" * 41, "Agora"])
def test_nobody_witnesses_under_a_name_that_is_none_or_a_players(
    name: str, acted: Game, visit: Visitor
) -> None:
    answer = brought(visit(), str(head_now(acted)), seen="yes", name=name)
    assert answer.status_code == 422
    assert acted.seen_heads.count() == 0


@pytest.mark.thorough
def test_what_is_too_much_is_not_read(
    acted: Game, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert brought(visit(), "x" * 20_001).status_code == 422
    assert brought(visit(), "").status_code == 422
    many = "\n".join(f"{number}:{ELSEWHERE}" for number in range(1, 99))
    assert len(brought(visit(), many).context["verdicts"]) == witness_room.MOST  # type: ignore[attr-defined]
    monkeypatch.setattr(witness_room, "AN_HOUR", 3)
    answers = [brought(visit(), "plugh").status_code for _ in range(4)]
    assert 429 in answers


def test_the_newest_are_kept_and_a_proof_of_two_histories_in_any_case(
    acted: Game, visit: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(witness_room, "_MOST_KEPT", 2)
    texts = [str(signed_head(acted, 2, ELSEWHERE))]
    texts += [f"2:{digit * 64}" for digit in "abcd"]
    for text in texts:
        brought(visit(), text, seen="yes", name="A club")
    kept = [each.hash[0] for each in acted.seen_heads.order_by("pk")]
    assert kept == ["f", "c", "d"]


def test_the_keys_are_public(acted: Game, visit: Visitor, settings: Any) -> None:
    before = head_of(acted).key
    visit().get("/keys/")
    settings.SIGNING_KEY = "another secret"
    page = visit().get("/keys/").text
    assert page.index(before) < page.index(head_of(acted).key)
    assert "another secret" not in page
