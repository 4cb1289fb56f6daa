"""Which requests a web process takes on."""

from collections.abc import Callable, Iterator
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from nomic.quotas import concurrency as module
from nomic.quotas.concurrency import LONG, SITE, TOO_MUCH, Claim, Full, Place, Places

GAME = Claim("game:bad", 4, 2, shared=True)
WORSE = Claim("game:worse", 4, 2, shared=True)
GOOD = Claim("game:good", 4, 2, shared=True)


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Move the clock that places read."""
    now = [1000.0]

    def move(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    return move


def fill(places: Places, claim: Claim) -> list[Place]:
    """As many places as the claim gets at once."""
    found = []
    while True:
        try:
            found.append(places.enter([claim], patience=0))
        except Full:
            return found


Move = Callable[[float], None]


def test_no_game_holds_more_than_its_share_and_others_find_places(pass_time: Move) -> None:
    places = Places(8)
    assert len(fill(places, GAME)) == 4
    assert len(fill(places, GOOD)) == 2
    assert len(fill(places, WORSE)) == 1


def test_a_quick_game_has_half_of_its_share_where_others_ask(pass_time: Move) -> None:
    places = Places(8)
    places.leave(places.enter([GOOD], patience=0))
    assert len(fill(places, GAME)) == 2
    pass_time(11.0)
    assert len(fill(places, GAME)) == 2


def test_one_thread_is_left_for_what_claims_nothing(pass_time: Move) -> None:
    places = Places(8)
    claims = [Claim(f"game:{number}", 4, 2) for number in range(9)]
    held = [place for claim in claims for place in fill(places, claim)]
    assert len(held) == 7
    with pytest.raises(Full) as full:
        places.enter([GOOD], patience=0)
    assert full.value.claim.key == SITE
    places.enter([], patience=0)


def test_a_place_that_is_left_is_given_again(pass_time: Move) -> None:
    places = Places(8)
    held = fill(places, GAME)
    places.leave(held[0])
    places.leave(held[0])  # a file may be closed twice
    assert len(fill(places, GAME)) == 1


def test_who_was_slow_holds_less_until_that_is_past(pass_time: Move) -> None:
    places = Places(8)
    held = fill(places, GAME)
    pass_time(2.0)
    for place in held:
        places.leave(place)
    places.leave(places.enter([GOOD], patience=0))  # nobody is slow for themselves alone
    assert len(fill(places, GAME)) == 2
    with pytest.raises(Full) as full:
        places.enter([GAME], patience=0)
    assert 1 <= full.value.seconds <= 10
    assert len(fill(places, GOOD)) == 2
    pass_time(60)
    for place in list(places._taken):
        places.leave(place)
    pass_time(60)
    assert len(fill(places, GAME)) == 4


def test_a_slow_game_is_slow_for_nobody_where_nobody_asks_for_another(pass_time: Move) -> None:
    places = Places(8)
    for _ in range(3):
        held = fill(places, GAME)
        assert len(held) == 4
        pass_time(3.0)
        for place in held:
            places.leave(place)
    places.leave(places.enter([GOOD], patience=0))
    assert len(fill(places, GAME)) == 2


def test_what_has_no_game_is_among_the_others(pass_time: Move) -> None:
    places = Places(8)
    held = fill(places, GAME)
    pass_time(3.0)
    assert not places._is_slow(GAME, module.monotonic())
    places.leave(places.enter([], patience=0))
    assert places._is_slow(GAME, module.monotonic())
    pass_time(11.0)
    for place in held:
        places.leave(place)
    assert len(fill(places, GAME)) == 4


def test_slow_games_share_half_of_the_threads_however_many_they_are(pass_time: Move) -> None:
    places = Places(8)
    games = [Claim(f"game:{number}", 4, 2, shared=True) for number in range(3)]
    for game in games:
        held = fill(places, game)
        pass_time(3.0)
        for place in held:
            places.leave(place)
    assert sum(len(fill(places, game)) for game in games) == 4
    assert len(fill(places, GOOD)) == 2


def test_quick_requests_are_no_strain_however_many(pass_time: Move) -> None:
    places = Places(8)
    for _ in range(100):
        held = fill(places, GAME)
        assert len(held) == 4
        pass_time(0.4)
        for place in held:
            places.leave(place)


def test_what_is_long_under_way_counts_before_it_ends(pass_time: Move) -> None:
    places = Places(8)
    held = fill(places, GAME)
    places.leave(places.enter([GOOD], patience=0))
    assert not places._is_slow(GAME, module.monotonic())
    pass_time(LONG + TOO_MUCH / len(held) + 0.01)
    assert places._is_slow(GAME, module.monotonic())


def test_a_request_that_never_ended_is_forgotten(pass_time: Move) -> None:
    places = Places(8)
    fill(places, GAME)
    pass_time(601)
    pass_time(60)
    assert fill(places, GAME)


def test_idle_claims_are_forgotten(pass_time: Move, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KNOWN", 10)
    places = Places(8)
    for number in range(50):
        places.leave(places.enter([Claim(f"game:{number}", 4, 2)], patience=0))
    assert len(places._held) <= 11


def test_no_more_wait_than_may_have_it() -> None:
    places, few = Places(8), Claim("preview:tea", 2, 1)
    held = fill(places, few)
    waiting = [Thread(target=places.enter, args=([few], 60)) for _ in range(2)]
    for thread in waiting:
        thread.start()
    while len(places._waiting) < 2:
        pass
    with pytest.raises(Full):
        places.enter([few], patience=60)
    for place in held:
        places.leave(place)
    for thread in waiting:
        thread.join(20)
    assert len(places._taken) == 2


def run(count: int, call: Callable[[int], Any]) -> list[Any]:
    ready, ends = Barrier(count), [None] * count

    def one(number: int) -> None:
        ready.wait(20)
        try:
            ends[number] = call(number)
        except Full as full:
            ends[number] = full

    threads = [Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return ends


def test_of_24_at_once_no_more_get_in_than_may_and_none_is_counted_twice() -> None:
    places = Places(8)
    ends = run(24, lambda _: places.enter([GAME], patience=0))
    held = [end for end in ends if isinstance(end, Place)]
    assert len(held) == len(places._taken) == 4
    for place in held:
        places.leave(place)
    assert not places._taken
    assert not places._waiting


@pytest.fixture
def eight() -> Iterator[Places]:
    places = Places(8)
    yield places
    for place in list(places._taken):
        places.leave(place)


def test_quick_ones_wait_for_each_other_and_all_get_in(eight: Places) -> None:
    done = []

    def act(number: int) -> None:
        place = eight.enter([GAME], patience=30)
        assert len(eight._taken) <= 4
        eight.leave(place)
        done.append(number)

    run(32, act)
    assert sorted(done) == list(range(32))
    assert not eight._waiting


def test_who_waits_gets_the_place_of_who_leaves(eight: Places) -> None:
    held, inside = fill(eight, GAME), Event()

    def wait() -> None:
        eight.enter([GAME], patience=30)
        inside.set()

    waiting = Thread(target=wait)
    waiting.start()
    while not eight._waiting:
        pass
    assert not inside.is_set()
    eight.leave(held[0])
    assert inside.wait(20)
    waiting.join(20)
