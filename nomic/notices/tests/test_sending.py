"""Letters: at most once each, whatever the mail server does, and nothing of players in headers."""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection
from django.test import Client

from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices import mail_files, sending
from nomic.notices.fan_out import spread
from nomic.notices.models import Delivery, DeliveryState, Notice
from nomic.notices.smtp import PerhapsTaken
from nomic.notices.tests.conftest import Post, choose, write_to
from nomic.record.keys import head_of
from tests.kit import Take

DOWN = "nomic.notices.tests.test_sending.Down"
HANGS = "nomic.notices.tests.test_sending.Hangs"


class Down(BaseEmailBackend):
    """A mail server that takes nothing."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        raise ConnectionRefusedError("down")


class Hangs(BaseEmailBackend):
    """A mail server that may have taken it, and does not say so."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        raise PerhapsTaken("silent")


@pytest.fixture
def reader(rival: Player) -> Player:
    return write_to(rival)


@pytest.fixture
def vote(act: Take, player: Player, reader: Player) -> int:
    body = 'Create a rule "Oats": Horses eat oats.'
    return int(act(player, "proposals.submit", title="Oats", body=body).entry.outcome["proposal"])


def later(**time: float) -> None:
    """Let what waits be due, as if so much time had passed."""
    passed = timedelta(**time)
    for each in Delivery.objects.filter(state=DeliveryState.WAITING):
        Delivery.objects.filter(pk=each.pk).update(due_at=each.due_at - passed)
    for told in Notice.objects.all():
        Notice.objects.filter(pk=told.pk).update(at=told.at - passed)


@pytest.mark.thorough
def test_a_letter_says_what_it_is_and_has_a_way_out_in_one_click(vote: int, post: Post) -> None:
    assert post() == [
        "madrid@example.org: [Nomic] Agora, August 2022: Proposal 1 “Oats” is open to votes."
    ]
    letter = mail.outbox[0]
    assert "http://localhost:8000/g/table/proposals/1/" in letter.body
    assert f"Agora, August 2022: {head_of(Game.objects.get(slug='table'))}" in letter.body
    headers = letter.message()
    sent = headers.as_bytes()
    assert re.search(rb"^List-Unsubscribe: <http://localhost:8000/\S+>$", sent, re.MULTILINE)
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    out = headers["List-Unsubscribe"].strip("<>").removeprefix("http://localhost:8000")
    scanner = Client(enforce_csrf_checks=True)
    asked = scanner.get(out).content.decode()
    assert "We will no longer send you notices by e-mail." in asked
    later(days=0)
    assert post() == []
    done = scanner.post(out, {"List-Unsubscribe": "One-Click"}).content.decode()
    assert "We no longer send you notices by e-mail." in done
    assert Client().get(f"{out[:-4]}AAA/").status_code == 404


def test_looked_at_by_a_scanner_it_still_writes_and_sent_it_does_not(
    vote: int, post: Post, act: Take, player: Player
) -> None:
    post()
    out = (
        mail.outbox[0]
        .message()["List-Unsubscribe"]
        .strip("<>")
        .removeprefix("http://localhost:8000")
    )
    Client().get(out)
    act(player, "proposals.submit", title="Hay", body='Create a rule "Hay": Hay.')
    assert len(post()) == 1
    act(player, "proposals.submit", title="Straw", body='Create a rule "Straw": Straw.')
    spread(wall_now())
    Client().post(out)
    assert post() == []
    act(player, "proposals.submit", title="Clover", body='Create a rule "Clover": Clover.')
    assert post() == []
    assert Notice.objects.count() == 4


@pytest.mark.thorough
def test_a_mail_server_that_is_down_for_a_day_loses_nothing_and_sends_nothing_twice(
    vote: int, post: Post, settings: Any, act: Take, player: Player
) -> None:
    works = settings.MAILERS
    settings.MAILERS = {"default": {"BACKEND": DOWN}}
    for _ in range(30):
        assert post() == []
        later(hours=1)
    act(player, "proposals.submit", title="Hay", body='Create a rule "Hay": Hay.')
    assert post() == []
    assert Delivery.objects.filter(state=DeliveryState.WAITING).count() == 2
    later(hours=1)
    settings.MAILERS = works
    assert post() == ["madrid@example.org: [Nomic] 2 notices: Agora, August 2022"]
    assert post() == []


class Slow(BaseEmailBackend):
    """A mail server that takes a minute for each letter."""

    clock: time_machine.Traveller

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        self.clock.shift(timedelta(minutes=1))
        mail.outbox.extend(email_messages)
        return len(email_messages)


def test_a_slow_mail_server_keeps_no_worker_and_the_rest_is_sent_later(
    vote: int, player: Player, game: Game, post: Post, settings: Any
) -> None:
    spread(wall_now())
    Notice.objects.create(
        user=write_to(player).user,
        game=game,
        kind="vote",
        text="x",
        url="/",
        at=wall_now(),
        about="x",
    ).deliveries.create(way="mail", due_at=wall_now())
    settings.MAILERS = {"default": {"BACKEND": "nomic.notices.tests.test_sending.Slow"}}
    with time_machine.travel(wall_now(), tick=False) as Slow.clock:
        sending.send(wall_now() + timedelta(seconds=15))
    assert len(mail.outbox) == 1
    assert Delivery.objects.filter(state=DeliveryState.WAITING, attempts=0).count() == 1
    with time_machine.travel(wall_now(), tick=False) as Slow.clock:
        assert len(post()) == 1


def test_after_three_days_it_is_given_up(vote: int, post: Post, settings: Any) -> None:
    settings.MAILERS = {"default": {"BACKEND": DOWN}}
    post()
    later(days=4)
    post()
    found = Delivery.objects.get()
    assert (found.state, found.problem) == (
        DeliveryState.GIVEN_UP,
        "The mail server does not take it.",
    )


def test_what_may_have_been_taken_is_not_sent_again(vote: int, post: Post, settings: Any) -> None:
    works = settings.MAILERS
    settings.MAILERS = {"default": {"BACKEND": HANGS}}
    post()
    settings.MAILERS = works
    later(days=1)
    assert post() == []


def test_a_worker_that_dies_between_sending_and_marking_sends_nothing_twice(
    vote: int, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(sending, "_settle", die)
        with pytest.raises(Killed):
            post()
    assert len(mail.outbox) == 1
    later(days=1)
    assert post() == []
    assert Delivery.objects.get().state == DeliveryState.SENDING


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_one_sends(vote: int) -> None:
    """Both have found it due before either claims it."""
    spread(wall_now())
    due = list(Delivery.objects.values_list("pk", flat=True))
    together = threading.Barrier(2, timeout=20)
    claimed: list[int] = []

    def work() -> None:
        together.wait()
        claimed.append(len(sending._claim(due)))
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert sorted(claimed) == [0, len(due)]


def test_names_and_titles_put_nothing_into_headers(
    reader: Player, player: Player, game: Game, act: Take, post: Post
) -> None:
    Game.objects.filter(pk=game.pk).update(title="Agora\r\nBcc: all@example.org")
    title = "Oats\nBcc: all@example.org \u202e\x07"
    Notice.objects.create(
        user=reader.user, game=game, kind="vote", text=title, url="/", at=wall_now(), about="x"
    ).deliveries.create(way="mail", due_at=wall_now())
    post()
    letter = mail.outbox[0].message()
    assert letter["Bcc"] is None
    assert "\n" not in mail.outbox[0].subject
    assert mail.outbox[0].recipients() == ["madrid@example.org"]


def test_an_address_that_was_never_confirmed_is_not_written_to(
    vote: int, reader: Player, post: Post, act: Take, player: Player
) -> None:
    assert reader.user is not None
    own = EmailAddress.objects.create(user=reader.user, email="madrid@example.org", primary=True)
    assert post() == []
    own.verified = True
    own.save()
    act(player, "proposals.submit", title="Hay", body='Create a rule "Hay": Hay.')
    assert len(post()) == 1


def test_a_digest_is_one_letter_a_day(
    reader: Player, player: Player, act: Take, post: Post
) -> None:
    choose(reader, digest=True)
    for title in ("Oats", "Hay", "Straw"):
        act(player, "proposals.submit", title=title, body=f'Create a rule "{title}": {title}.')
    assert post() == []
    due = set(Delivery.objects.values_list("due_at", flat=True))
    assert len(due) == 1
    assert (moment := due.pop()).hour == 7
    assert moment - wall_now() <= timedelta(days=1)
    Delivery.objects.update(due_at=wall_now())
    assert post() == ["madrid@example.org: [Nomic] 3 notices: Agora, August 2022"]
    assert mail.outbox[0].body.count("is open to votes") == 3


def test_a_deleted_user_is_told_no_more(vote: int, reader: Player, post: Post) -> None:
    spread(wall_now())
    assert reader.user is not None
    Player.objects.filter(user=reader.user).update(user=None)
    reader.user.delete()
    assert post() == []
    assert not Notice.objects.exists()


def test_a_game_whose_week_lasts_minutes_stays_on_the_site_unless_wanted(
    vote: int, reader: Player, game: Game, post: Post, act: Take, player: Player
) -> None:
    Game.objects.filter(pk=game.pk).update(pace="fast", rate=1)
    assert post() == []
    assert Notice.objects.count() == 1
    choose(reader, fast=True)
    Game.objects.filter(pk=game.pk).update(pace="manual", rate=0)
    act(player, "proposals.submit", title="Hay", body='Create a rule "Hay": Hay.')
    assert len(post()) == 1


def test_letters_in_files_are_read_by_nobody_else_on_the_machine(tmp_path: Path) -> None:
    folder = tmp_path / "mail"
    folder.mkdir(mode=0o755)
    before = os.umask(0)
    try:
        letter = EmailMessage("A link", "It lets you in.", to=["murphy@nomic.example"])
        mail_files.EmailBackend(alias="default", file_path=str(folder)).send_messages([letter])
    finally:
        os.umask(before)
    (file,) = folder.iterdir()
    assert "It lets you in." in file.read_text()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, file)] == [0o700, 0o600]
