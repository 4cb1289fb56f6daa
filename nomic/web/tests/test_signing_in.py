"""Wrong passwords: who guesses is slowed down, and nobody else is kept out by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import User
from django.test import Client

from nomic.web.rate_limits import (
    FROM_A_DEVICE,
    FROM_AN_ADDRESS,
    LONGEST,
    OVERALL,
    TooSoon,
    begin,
)
from tests.kit import WEDNESDAY, all_at_once

PASSWORD, WRONG = "a long walk to Fargo", "a guess"
HOME, ELSEWHERE = "198.51.100.7", "203.0.113.9"


@pytest.fixture(autouse=True)
def wall() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(WEDNESDAY, tick=False) as wall:
        yield wall


@pytest.fixture
def owner(db: None) -> User:
    user = User.objects.create_user("Murphy", "murphy@nomic.example", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def at(address: str) -> Client:
    """A new browser at that address."""
    return Client(REMOTE_ADDR=address)


def signs_in(client: Client, password: str = PASSWORD, login: str = "Murphy") -> bool:
    client.post("/accounts/login/", {"login": login, "password": password})
    return "_auth_user_id" in client.session


def told(client: Client, password: str = WRONG, **more: Any) -> str:
    """What the page says above the form."""
    page = client.post("/accounts/login/", {"login": "Murphy", "password": password}, **more).text
    found = re.search(r"Too many[^<]*|[^<>]*do not go together[^<]*", page)
    assert found, page
    return found[0].strip()


def seconds_in(sentence: str) -> int:
    found = re.search(r"Try again in (\d+) (second|minute)s\.", sentence)
    assert found, sentence
    return int(found[1]) * (60 if found[2] == "minute" else 1)


def known_device(owner: User, address: str = HOME) -> Client:
    device = at(address)
    assert signs_in(device)
    device.post("/accounts/logout/")
    assert "_auth_user_id" not in device.session
    return device


def guess_from_everywhere(owner: User, times: int) -> None:
    """A wrong password from each of so many addresses, without the page around it."""
    for number in range(times):
        with suppress(TooSoon):
            begin(f"password of {owner.pk}", f"10.1.0.{number}", by_known_device=False)


@pytest.mark.thorough
def test_wrong_passwords_from_elsewhere_keep_nobody_out(
    owner: User, wall: time_machine.Traveller
) -> None:
    guesser = at(ELSEWHERE)
    for _ in range(40):
        told(guesser)
        wall.shift(5)
    assert "Too many" in told(guesser)
    assert signs_in(at(HOME))


@pytest.mark.thorough
def test_who_guesses_waits_longer_each_time_and_then_may_go_on(
    owner: User, wall: time_machine.Traveller
) -> None:
    guesser = at(ELSEWHERE)
    for _ in range(FROM_AN_ADDRESS):
        assert "do not go together" in told(guesser)
    waits = []
    for _ in range(9):
        waits.append(seconds_in(told(at(ELSEWHERE), PASSWORD)))
        wall.shift(waits[-1])
        assert "do not go together" in told(guesser)
    assert waits == sorted(waits)
    assert 0 < waits[0] < 10 < waits[-1] <= LONGEST
    wall.shift(LONGEST)
    assert signs_in(guesser)


@pytest.mark.thorough
def test_the_right_password_forgets_the_wrong_ones_before(owner: User) -> None:
    for _ in range(3):
        browser = at(HOME)
        for _ in range(FROM_AN_ADDRESS - 1):
            assert "do not go together" in told(browser)
        assert signs_in(browser)


@pytest.mark.thorough
def test_many_addresses_together_guess_slowly(owner: User, wall: time_machine.Traveller) -> None:
    guess_from_everywhere(owner, OVERALL)
    newcomer = at(HOME)
    minutes = 0
    while not signs_in(newcomer):
        wall.shift(60)
        minutes += 1
        guess_from_everywhere(owner, OVERALL + 20)
    assert 0 < minutes <= LONGEST // 60
    assert "Too many" in told(at("192.0.2.1"))


@pytest.mark.thorough
def test_a_device_that_has_signed_in_before_waits_for_nobody(
    owner: User, wall: time_machine.Traveller
) -> None:
    devices = known_device(owner), known_device(owner, ELSEWHERE)
    guess_from_everywhere(owner, OVERALL + 20)
    for _ in range(20):
        told(at(ELSEWHERE))
    for device in devices:
        for _ in range(8):
            assert "do not go together" in told(device)
        assert signs_in(device)


@pytest.mark.thorough
def test_a_device_that_is_known_does_not_guess_for_ever(owner: User) -> None:
    device = known_device(owner)
    for _ in range(FROM_A_DEVICE):
        assert "do not go together" in told(device)
    assert seconds_in(told(device)) < 10


def test_a_device_is_known_to_those_accounts_only_that_signed_in_there(owner: User) -> None:
    User.objects.create_user("Madrid", password=PASSWORD)
    browser = at(ELSEWHERE)
    assert signs_in(browser, login="Madrid")
    browser.post("/accounts/logout/")
    forged = at(ELSEWHERE)
    forged.cookies["device"] = f"0123456789abcdef.{owner.pk}"
    for client in (browser, forged):
        for _ in range(FROM_AN_ADDRESS):
            told(client)
        assert "Too many" in told(client)
    assert signs_in(browser, login="Madrid")
    browser.post("/accounts/logout/")
    assert signs_in(known_device(owner), login="Madrid")


def test_a_new_password_forgets_every_device(owner: User) -> None:
    device = known_device(owner)
    owner.set_password("a short walk home")
    owner.save()
    for _ in range(FROM_AN_ADDRESS):
        told(device)
    assert "Too many" in told(device)
    assert signs_in(at(ELSEWHERE), "a short walk home")


def test_a_device_keeps_no_name_or_number_of_an_account(owner: User) -> None:
    [told] = known_device(owner).cookies["device"].value.split(":")[:1]
    device, trace = told.split(".")
    assert re.fullmatch(r"[0-9a-f]{32}", device)
    assert re.fullmatch(r"[0-9a-f]{32}", trace)
    other = User.objects.create_user("Madrid", password=PASSWORD)
    browser = at(HOME)
    assert signs_in(browser, login=other.username)
    assert trace not in browser.cookies["device"].value


@pytest.mark.parametrize("secure", [True, False])
def test_what_makes_a_device_known_is_kept_from_scripts_and_other_sites(
    owner: User, settings: Any, secure: bool
) -> None:
    settings.SESSION_COOKIE_SECURE = secure
    browser = at(HOME)
    assert signs_in(browser)
    cookie = browser.cookies["device"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert bool(cookie["secure"]) == secure
    assert cookie["max-age"] > 300 * 24 * 60 * 60


def test_a_name_in_any_letters_and_the_address_are_one_account(owner: User) -> None:
    guesser = at(ELSEWHERE)
    for login in ("Murphy", "murphy", " MURPHY ", "murphy@nomic.example", "Murphy@nomic.example"):
        assert not signs_in(guesser, WRONG, login)
    assert not signs_in(guesser)
    assert "Too many" in told(guesser)


def test_a_name_that_nobody_has_is_answered_like_one_that_somebody_has(owner: User) -> None:
    def answers(login: str, address: str) -> list[str]:
        form = {"login": login, "password": WRONG}
        pages = [at(address).post("/accounts/login/", form).text for _ in range(8)]
        return re.findall(r"Too many[^<]*|[^<>]*do not go together[^<]*", "".join(pages))

    assert answers("Murphy", ELSEWHERE) == answers("Nobody", HOME)


def test_the_address_is_the_one_that_our_proxies_tell(owner: User, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for number in range(FROM_AN_ADDRESS):
        told(Client(), headers={"X-Forwarded-For": f"192.0.2.{number}, {ELSEWHERE}"})
    again = told(Client(), headers={"X-Forwarded-For": f"192.0.2.99, {ELSEWHERE}"})
    assert "Too many" in again
    other = told(Client(), headers={"X-Forwarded-For": f"{ELSEWHERE}, {HOME}"})
    assert "do not go together" in other


def test_wrong_codes_of_the_second_factor_from_elsewhere_keep_nobody_out(
    owner: User, wall: time_machine.Traveller
) -> None:
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(owner, secret)

    def code() -> str:
        counter = next(totp.yield_hotp_counters_from_time())
        return totp.format_hotp_value(totp.hotp_value(secret, counter))

    def says(client: Client, code: str) -> str:
        return client.post("/accounts/2fa/authenticate/", {"code": code}).text

    thief, mine = at(ELSEWHERE), at(HOME)
    for client in (thief, mine):
        assert not signs_in(client)
    for _ in range(FROM_AN_ADDRESS):
        assert "This code is wrong" in says(thief, "000000")
    refused = says(thief, code())
    assert "Too many wrong attempts at this account. Try again in" in refused
    says(mine, code())
    assert "_auth_user_id" in mine.session


@pytest.mark.django_db(transaction=True)
def test_attempts_at_once_are_no_more_than_one_after_another() -> None:
    ends: list[Callable[[], Any]] = [
        lambda: begin("an account", "a place", by_known_device=False)
    ] * 12
    done = all_at_once(*ends)
    assert len([end for end in done if isinstance(end, TooSoon)]) == 12 - FROM_AN_ADDRESS
