"""Webhooks: signed, never inward, at most once, and nothing waits for them."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from ipaddress import ip_network
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices import http_client, sending
from nomic.notices.http_client import is_public, url_fault
from nomic.notices.http_client import post as call_out
from nomic.notices.models import Browser, Delivery, DeliveryState, Notice, Outgoing
from nomic.notices.payloads import checked_keys, public_key, secret
from nomic.notices.tests.conftest import Post, choose, write_to
from nomic.notices.tests.receiver import Receiver, receiver
from nomic.notices.tests.test_sending import later
from nomic.record import keys
from nomic.record.keys import head_of
from tests.kit import Take, Visitor, around

INWARD = [
    *("127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.5.4", "192.168.1.1", "169.254.169.254"),
    *("0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1"),  # noqa: S104
    *("::", "::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1"),
    *("64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2001:0:7f00:1::", "not an address", ""),
]


@pytest.fixture
@around
def hook(settings: Any) -> Iterator[Receiver]:
    """A receiver on this machine, which the operator lets be called."""
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    with receiver() as here:
        yield here


def propose(act: Take, player: Player, title: str = "Oats") -> None:
    act(player, "proposals.submit", title=title, body=f'Create a rule "{title}": {title}.')


@pytest.mark.parametrize("address", INWARD)
def test_no_inward_address_is_called(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07::1"])
def test_public_addresses_are(address: str) -> None:
    assert is_public(address)


def test_a_network_that_the_operator_names_is_called_and_no_other(settings: Any) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("10.1.0.0/16")]
    assert is_public("10.1.2.3")
    assert not is_public("10.2.2.3")
    assert not is_public("::ffff:10.1.2.3")


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://example.org/", "file:///etc/passwd", "https://", "http://a:b@example.org/"),
        *("http://example.org:25/", "http://example.org:99999/", "http://[::1/", "gopher://x/"),
    ],
)
def test_an_address_that_is_none_is_refused_as_it_is_written(url: str) -> None:
    assert url_fault(url)


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1:{}/", "http://localhost:{}/", "http://2130706433:{}/"),
        *("http://0x7f.1:{}/", "http://[::1]:{}/", "http://[::ffff:127.0.0.1]:{}/"),
    ],
)
def test_what_leads_inward_however_written_is_not_connected_to(url: str) -> None:
    with receiver() as here:
        answer = asyncio.run(call_out(url.format(here.port), b"{}", {}))
        assert answer.problem == "Its name leads to no public address."
        assert here.got == []


def test_a_name_that_leads_elsewhere_the_second_time_is_not_asked_twice(
    hook: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = socket.getaddrinfo

    def rebinding(host: str, port: int, *more: Any, **named: Any) -> Any:
        if host != "rebinding.example":
            return real(host, port, *more, **named)
        asked.append(host)
        address = "127.0.0.1" if len(asked) == 1 else "127.0.0.99"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    url = f"http://rebinding.example:{hook.port}/hook"
    assert asyncio.run(call_out(url, b"{}", {})).problem == ""
    assert asked == ["rebinding.example"]
    assert hook.got[0][0]["Host"] == f"rebinding.example:{hook.port}"


def leads_to(*addresses: str) -> Any:
    """A name server that knows these addresses for every name."""

    def asked(host: str, port: int, *more: Any, **named: Any) -> Any:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in addresses]

    return asked


def test_where_one_address_takes_no_calls_the_next_is_called(
    hook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", leads_to("127.0.0.99", "127.0.0.1"))
    url = f"http://two.example:{hook.port}/hook"
    assert asyncio.run(call_out(url, b"{}", {})).problem == ""
    assert len(hook.got) == 1
    monkeypatch.setattr(socket, "getaddrinfo", leads_to("127.0.0.98", "127.0.0.99"))
    assert asyncio.run(call_out(url, b"{}", {})).problem == "Nobody answers there."


def test_a_name_server_that_hangs_keeps_nobody(
    hook: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, answered = threading.Event(), threading.Event()

    def hangs(*_: Any, **__: Any) -> Any:
        answers.wait(20)
        answered.set()
        return []

    monkeypatch.setattr(http_client, "_EACH_STEP", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", hangs)
    answer = asyncio.run(call_out("http://hangs.example/", b"{}", {}))
    assert answer.problem == "Its name leads to no public address."
    assert not answered.is_set()
    answers.set()
    assert answered.wait(20)


def test_one_inward_address_among_several_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", leads_to("93.184.215.14", "10.0.0.1"))
    answer = asyncio.run(call_out("https://both.example/", b"{}", {}))
    assert answer.problem == "Its name leads to no public address."


def test_a_call_tells_a_program_what_happened_and_is_signed(
    hook: Receiver,
    player: Player,
    rival: Player,
    act: Take,
    post: Post,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choices = choose(write_to(rival), webhook=hook.url, mail=False)
    propose(act, player)
    monkeypatch.setattr(keys, "_written_down", set())  # as in a process that has signed nothing yet
    assert post() == []
    headers, body = hook.got[0]
    told = json.loads(body)
    assert told["text"] == "Proposal 1 “Oats” is open to votes."
    assert (told["kind"], told["game"]) == ("vote", "table")
    assert told["url"] == "http://localhost:8000/g/table/proposals/1/"
    assert told["head"] == str(head_of(Game.objects.get(slug="table")))
    key = base64.b64decode(secret(choices).removeprefix("whsec_"))
    number, at = headers["webhook-id"], headers["webhook-timestamp"]
    made = hmac.new(key, f"{number}.{at}.".encode() + body, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(made).decode()}"
    choices.key += 1
    assert secret(choices).removeprefix("whsec_") != base64.b64encode(key).decode()


def test_discord_is_told_in_its_format_and_nobody_is_pinged(
    hook: Receiver, player: Player, rival: Player, act: Take, post: Post
) -> None:
    choose(write_to(rival), discord=hook.url)
    propose(act, player, "@everyone")
    post()
    told = json.loads(hook.got[0][1])
    assert told["allowed_mentions"] == {"parse": []}
    assert told["content"].startswith("Agora, August 2022: Proposal 1 “@everyone” is open")


def test_a_channel_with_other_readers_is_not_told_what_is_for_one_alone_unless_chosen(
    hook: Receiver, rival: Player, game: Game, post: Post
) -> None:
    def tell() -> list[str]:
        hook.got.clear()
        for kind in ("offer", "duty", "closing", "vote"):
            Outgoing.objects.create(
                game=game,
                kind=kind,
                text=kind,
                url="/",
                to=[rival.pk],
                at=wall_now(),
                about=f"{kind}{Notice.objects.count()}",
            )
        post()
        return sorted(json.loads(body)["content"].split()[3] for _, body in hook.got)

    choose(write_to(rival), discord=hook.url, mail=False)
    assert tell() == ["vote"]
    choose(rival, kinds={"discord": ["offer"]})
    assert tell() == ["offer"]


def test_a_receiver_that_asks_to_wait_is_called_when_it_said_and_not_before(
    hook: Receiver, player: Player, rival: Player, act: Take, post: Post
) -> None:
    choose(write_to(rival), discord=hook.url)
    hook.answers = [(429, {"Retry-After": "7200"}), (204, {})]
    propose(act, player)
    post()
    found = Delivery.objects.get(way="discord")
    assert found.problem == "It answered 429."
    assert 7100 < (found.due_at - wall_now()).total_seconds() <= 7200
    later(hours=1)
    post()
    assert len(hook.got) == 1
    later(hours=1)
    post()
    assert len(hook.got) == 2
    assert Delivery.objects.get(way="discord").state == DeliveryState.SENT


def test_who_asks_to_wait_is_not_called_for_anything_else_meanwhile(
    hook: Receiver, player: Player, rival: Player, act: Take, post: Post
) -> None:
    choose(write_to(rival), discord=hook.url)
    hook.answers = [(429, {"Retry-After": "7200"}), (204, {})]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nomic.notices.sending._MOST_CALLS", 1)
        for title in ("Oats", "Hay"):
            propose(act, player, title)
        post()
    assert len(hook.got) == 1
    later(hours=2)
    post()
    assert len(hook.got) == 3


def test_a_redirect_is_not_followed(
    hook: Receiver, player: Player, rival: Player, act: Take, post: Post
) -> None:
    choose(write_to(rival), webhook=hook.url)
    hook.answers = [(307, {"Location": hook.url})]
    propose(act, player)
    post()
    assert len(hook.got) == 1
    assert Delivery.objects.get(way="webhook").problem == "It answered 307."


def test_a_receiver_that_takes_it_and_does_not_answer_gets_it_once_and_holds_up_nobody(
    hook: Receiver,
    player: Player,
    rival: Player,
    act: Take,
    post: Post,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_client, "_ALTOGETHER", 1.0)
    choose(write_to(rival), webhook=hook.url)
    hook.answers_now.clear()
    propose(act, player)
    assert len(post()) == 1
    hook.answers_now.set()
    later(days=1)
    post()
    assert len(hook.got) == 1


@pytest.mark.thorough
def test_who_has_many_calls_waiting_keeps_nobody_elses_waiting(
    hook: Receiver, player: Player, rival: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    real = sending._claim

    def claim(picked: Any) -> list[Any]:
        found = real(picked)
        asked.append([each.notice.user.username for each in found])
        return found

    monkeypatch.setattr(sending, "_claim", claim)
    wall = wall_now()
    for whose, count in ((player, 100), (rival, 3)):
        choose(write_to(whose), webhook=hook.url)
        for number in range(count):
            notice = Notice.objects.create(
                user=whose.user, game=player.game, kind="vote", text="A vote", url="/", at=wall,
                about=f"{number}",
            )  # fmt: skip
            Delivery.objects.create(notice=notice, way="webhook", due_at=wall)
    assert sending._call() == 4
    assert sorted(asked[0]) == sorted([player.user.username] * 2 + [rival.user.username] * 2)


def test_who_takes_a_call_and_does_not_answer_rests_before_the_next(
    rival: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def take_long(*_: Any) -> http_client.CallResult:
        return http_client.CallResult(wait=60)

    monkeypatch.setattr(http_client, "post", take_long)
    choose(write_to(rival), webhook="https://example.org/")
    wall = wall_now()
    for number in range(9):
        notice = Notice.objects.create(
            user=rival.user, game=rival.game, kind="vote", text="A vote", url="/", at=wall,
            about=f"{number}",
        )  # fmt: skip
        Delivery.objects.create(notice=notice, way="webhook", due_at=wall)
    assert [sending._call(), sending._call()] == [2, 0]
    states = sorted(Delivery.objects.values_list("state", flat=True))
    assert states == sorted([DeliveryState.SENT.value] * 2 + [DeliveryState.WAITING.value] * 7)
    assert Delivery.objects.filter(state=DeliveryState.WAITING, due_at__gt=wall).count() == 7


@pytest.mark.thorough
def test_a_receiver_that_is_down_for_a_day_gets_everything_once(
    hook: Receiver, player: Player, rival: Player, act: Take, post: Post
) -> None:
    with receiver() as gone:
        port = gone.port
    choose(write_to(rival), webhook=f"http://127.0.0.1:{port}/", mail=False)
    for title in ("Oats", "Hay"):
        propose(act, player, title)
        post()
    assert set(Delivery.objects.values_list("problem", "state")) == {
        ("Nobody answers there.", "waiting")
    }
    choose(rival, webhook=hook.url)
    later(days=1)
    for _ in range(2):
        post()
    told = sorted(json.loads(body)["text"][:10] for _, body in hook.got)
    assert told == ["Proposal 1", "Proposal 2"]


def test_a_way_that_was_closed_meanwhile_is_not_called(
    hook: Receiver, player: Player, rival: Player, act: Take, post: Post
) -> None:
    choose(write_to(rival), webhook=hook.url, mail=False)
    hook.answers = [(500, {})]
    propose(act, player)
    post()
    choose(rival, webhook="")
    later(days=1)
    post()
    assert len(hook.got) == 1
    assert Delivery.objects.get().state == DeliveryState.GIVEN_UP


# Browsers


def browser_of(player: Player, endpoint: str) -> tuple[Any, bytes]:
    """What a browser that gave this address keeps: its private key and its secret."""
    key, auth = ec.generate_private_key(ec.SECP256R1()), b"sixteen letters!"
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    p256dh, secret = checked_keys(
        *(base64.urlsafe_b64encode(each).decode() for each in (point, auth))
    )
    Browser.objects.create(user=player.user, endpoint=endpoint, p256dh=p256dh, auth=secret)
    return key, auth


def test_a_browser_is_told_what_only_it_can_read_signed_by_this_site(
    player: Player, rival: Player, act: Take, post: Post, hook: Receiver
) -> None:
    key, auth = browser_of(write_to(rival), hook.url)
    propose(act, player)
    post()
    ((headers, body),) = hook.got
    told = json.loads(http_ece.decrypt(body, private_key=key, auth_secret=auth))
    assert told["title"] == "Agora, August 2022"
    assert told["text"] == "Proposal 1 “Oats” is open to votes."
    assert told["url"].startswith("http://localhost:8000/g/table/proposals/")
    assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "86400")
    assert Vapid02.verify(headers["Authorization"])
    assert headers["Authorization"].endswith(f"k={public_key()}")
    assert {each.state for each in Delivery.objects.filter(way="push")} == {DeliveryState.SENT}


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten_and_another_is_told_all_the_same(
    player: Player, rival: Player, act: Take, post: Post, hook: Receiver, status: int
) -> None:
    hook.answers, hook.answers_at = [(201, {})], {"/hook/1": (status, {})}
    browser_of(write_to(rival), f"{hook.url}/1")
    browser_of(rival, f"{hook.url}/2")
    propose(act, player)
    post()
    assert len(hook.got) == 2
    assert [each.endpoint for each in Browser.objects.all()] == [f"{hook.url}/2"]
    assert {each.state for each in Delivery.objects.filter(way="push")} == {DeliveryState.SENT}


def test_all_browsers_of_somebody_are_told_at_once(
    player: Player, rival: Player, act: Take, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived, both_are_there = [], asyncio.Event()

    async def slow(url: str, body: bytes, headers: Any) -> http_client.CallResult:
        arrived.append(url)
        if len(arrived) == 2:
            both_are_there.set()
        await asyncio.wait_for(both_are_there.wait(), 10)
        return (
            http_client.CallResult("", wait=60)
            if url.endswith("1")
            else http_client.CallResult("It answered 500.")
        )

    monkeypatch.setattr(http_client, "post", slow)
    for number in (1, 2):
        browser_of(write_to(rival), f"https://push.example/{number}")
    propose(act, player)
    post()
    assert sorted(arrived) == ["https://push.example/1", "https://push.example/2"]
    assert {each.state for each in Delivery.objects.filter(way="push")} == {DeliveryState.SENT}


def test_a_browser_says_where_and_how_it_is_told_and_is_forgotten_again(
    player: Player, visit: Visitor
) -> None:
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {
        "p256dh": base64.urlsafe_b64encode(point).decode(),
        "auth": base64.urlsafe_b64encode(b"sixteen letters!").decode(),
    }
    client = visit(player)
    assert f'data-push="{public_key()}"' in client.get("/settings/notices/").text
    for number in range(12):
        told = {"endpoint": f"https://push.example/{number}", "keys": keys}
        address = "/settings/notices/browsers/"
        assert client.post(address, told, content_type="application/json").status_code == 204
    assert Browser.objects.count() == 10
    assert "You are told in 10 browsers" in client.get("/settings/notices/").text
    client.post("/settings/notices/browsers/forget/")
    assert not Browser.objects.exists()


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "[]",
        "{}",
        '{"endpoint": "https://push.example/", "keys": {"p256dh": "x", "auth": "y"}}',
        '{"endpoint": "https://push.example/", "keys": {"p256dh": 7, "auth": null}}',
        '{"endpoint": "file:///etc", "keys": {"p256dh": "BOg", "auth": ""}}',
    ],
)
def test_what_names_no_browser_is_refused(player: Player, visit: Visitor, sent: str) -> None:
    answer = visit(player).generic("POST", "/settings/notices/browsers/", sent)
    assert (answer.status_code, answer.text) == (422, "This browser cannot be told anything.")
    assert not Browser.objects.exists()
