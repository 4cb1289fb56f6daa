"""What is slow or broken keeps nothing else, and nothing is lost by it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend

from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices import sending
from nomic.notices.fan_out import spread
from nomic.notices.models import Delivery, DeliveryState
from nomic.notices.tests.conftest import Post, choose, write_to
from nomic.notices.tests.mail_server import MailServer, mail_server
from nomic.notices.tests.receiver import Receiver, receiver
from nomic.notices.tests.test_sending import Slow, later
from tests.kit import Take, Visitor, around, seat

KILLS = "nomic.notices.tests.test_faults.Kills"


class Killed(BaseException):
    """What ends a worker."""


class Kills(BaseEmailBackend):
    """Whoever writes to this mail server is killed."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        raise Killed


@pytest.fixture
@around
def post_office(settings: Any) -> Iterator[MailServer]:
    with mail_server() as here:
        settings.MAILERS = here.settings
        yield here


@pytest.fixture
@around
def hook(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    with receiver() as here:
        yield here


@pytest.fixture
def two(rival: Player, game: Game) -> list[Player]:
    return [write_to(rival), write_to(seat(game, "Wes"))]


def propose(act: Take, player: Player, title: str = "Oats") -> None:
    act(player, "proposals.submit", title=title, body=f'Create a rule "{title}": {title}.')


def states() -> list[str]:
    return sorted(Delivery.objects.values_list("state", flat=True))


@pytest.mark.parametrize("where", ["MAIL", "RCPT"])
def test_a_letter_that_a_slow_mail_server_never_took_is_sent_later_and_the_next_at_once(
    where: str, post_office: MailServer, two: list[Player], player: Player, act: Take, post: Post
) -> None:
    propose(act, player)
    post_office.silent_at = [where]
    post()
    assert states() == [DeliveryState.SENT, DeliveryState.WAITING]
    assert len(post_office.got) == 1
    later(hours=1)
    post()
    assert states() == [DeliveryState.SENT, DeliveryState.SENT]
    assert len(post_office.got) == 2
    assert all(
        any(f"To: {name}@example.org" in letter for letter in post_office.got)
        for name in ("madrid", "wes")
    )


@pytest.mark.parametrize(
    ("says", "then"), [("550 no", DeliveryState.GIVEN_UP), ("450 no", DeliveryState.WAITING)]
)
def test_an_address_that_is_refused_for_good_is_told_and_not_tried_again(
    says: str,
    then: DeliveryState,
    post_office: MailServer,
    two: list[Player],
    player: Player,
    act: Take,
    post: Post,
    visit: Visitor,
) -> None:
    propose(act, player)
    post_office.answers = {"RCPT": says}
    post()
    assert states() == [then, then]
    assert post_office.got == []
    for address in ("/notices/", "/settings/notices/"):
        page = visit(two[0]).get(address).content.decode()
        assert ("refuses your address (code 550)" in page) == (then == DeliveryState.GIVEN_UP)


def test_a_letter_that_it_took_without_saying_so_is_not_sent_again(
    post_office: MailServer, two: list[Player], player: Player, act: Take, post: Post
) -> None:
    propose(act, player)
    post_office.silent_at = ["."]
    for _ in range(2):
        post()
        later(days=1)
    assert len(post_office.got) == 2


def test_a_worker_that_is_killed_leaves_all_letters_but_its_own_to_others(
    two: list[Player], player: Player, act: Take, post: Post, settings: Any
) -> None:
    propose(act, player)
    works = settings.MAILERS
    settings.MAILERS = {"default": {"BACKEND": KILLS}}
    with pytest.raises(Killed):
        post()
    assert states() == [DeliveryState.SENDING, DeliveryState.WAITING]
    settings.MAILERS = works
    assert len(post()) == 1


def test_a_call_that_cannot_be_made_is_given_up_and_the_others_are_made(
    hook: Receiver,
    rival: Player,
    player: Player,
    act: Take,
    post: Post,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose(write_to(rival), webhook=hook.url, mail=False)
    made = sending.call

    def broken(way: Any, choices: Any, notice: Any, wall: Any) -> Any:
        if "Hay" in notice.text:
            raise RuntimeError("broken")
        return made(way, choices, notice, wall)

    monkeypatch.setattr(sending, "call", broken)
    for title in ("Oats", "Hay", "Straw"):
        propose(act, player, title)
    post()
    assert states() == [DeliveryState.GIVEN_UP, DeliveryState.SENT, DeliveryState.SENT]
    told = sorted(json.loads(body)["text"][:10] for _, body in hook.got)
    assert told == ["Proposal 1", "Proposal 3"]


def test_a_slow_mail_server_leaves_the_webhooks_their_turn(
    hook: Receiver, two: list[Player], player: Player, act: Take, settings: Any
) -> None:
    choose(two[0], webhook=hook.url)
    propose(act, player)
    spread(wall_now())
    settings.MAILERS = {"default": {"BACKEND": "nomic.notices.tests.test_sending.Slow"}}
    with time_machine.travel(wall_now(), tick=False) as Slow.clock:
        sending.send(wall_now() + timedelta(seconds=15))
    assert (len(mail.outbox), len(hook.got)) == (1, 1)


def test_a_digest_says_nothing_of_a_game_that_its_reader_left(
    hook: Receiver, rival: Player, player: Player, act: Take, post: Post
) -> None:
    choose(write_to(rival), digest=True, webhook=hook.url)
    hook.answers = [(500, {})]
    propose(act, player)
    assert post() == []
    act(rival, "games.leave")
    Delivery.objects.update(due_at=wall_now())
    assert post() == []
    assert states() == [DeliveryState.GIVEN_UP, DeliveryState.GIVEN_UP]
    assert len(hook.got) == 1
