"""What a process keeps: by bytes, whatever is put into it."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from nomic.infrastructure.caching.memory import BoundedCache, all_caches, memoized, weight

# Of these no player decides how many there are, nor how long they are.
_OF_FIXED_SIZE = {
    "nomic/dice/master.py": "keys of games, which have a length",
    "nomic/record/keys.py": "signatures of heads and keys, which have a length",
    "nomic/rulebook/phrases.py": "phrases of code, never of a player's text",
}
_CACHED = r"@(?:functools\.)?cache\n *def \w+\("
_WITHOUT_SIZE = re.compile(rf"lru_cache\(|OrderedDict\(|{_CACHED}[^)]*\btext: str")


@dataclass(frozen=True, slots=True)
class Passage:
    text: str


@pytest.fixture
def a_megabyte(settings: Any) -> Iterator[None]:
    settings.BOUNDS = {"kept_megabytes": 1}
    yield
    for each in all_caches():
        if each.share == 1:
            each.clear()


@pytest.mark.usefixtures("a_megabyte")
def test_what_was_asked_for_longest_ago_goes_where_bytes_run_out() -> None:
    cache: BoundedCache[int, str] = BoundedCache(1)
    for number in range(3):
        cache[number] = str(number) * 300_000
    assert cache[0]
    cache[3] = "3" * 300_000
    assert set(cache) == {0, 2, 3}
    assert cache.bytes <= cache.most


@pytest.mark.thorough
@pytest.mark.usefixtures("a_megabyte")
def test_what_just_fits_is_kept_and_a_byte_more_is_not() -> None:
    cache: BoundedCache[str, str] = BoundedCache(1)
    cache["fits"] = ""
    spare = cache.most - cache.bytes
    cache["fits"] = "x" * spare
    assert cache.bytes == cache.most
    cache["fits"] = "x" * (spare + 1)
    assert not cache
    assert cache.bytes == 0
    cache["fits"] = "x" * 1000 * spare
    assert not cache


@pytest.mark.usefixtures("a_megabyte")
def test_a_heavy_thing_puts_out_nothing_that_is_kept() -> None:
    cache: BoundedCache[int, str] = BoundedCache(1)
    cache[1] = "light"
    cache[2] = "x" * 2_000_000
    assert dict(cache) == {1: "light"}


@pytest.mark.usefixtures("a_megabyte")
def test_threads_that_fill_a_cache_leave_its_bytes_right() -> None:
    cache: BoundedCache[int, str] = BoundedCache(1)

    def fill(number: int) -> None:
        for turn in range(300):
            cache[number * turn % 97] = "x" * (number * turn % 30_000)
            cache.get(turn)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(fill, range(1, 9)))
    assert cache.bytes <= cache.most
    while cache:
        del cache[next(iter(cache))]
    assert cache.bytes == 0


def test_a_function_is_called_once_for_the_same_arguments_none_included() -> None:
    called = []

    @memoized(share=0.01)
    def find(text: str, *, most: int = 1) -> None:
        called.append((text, most))

    for _ in range(3):
        find("a")
        find("a", most=2)
    assert called == [("a", 1), ("a", 2)]


def test_weight_counts_what_objects_hold_and_the_same_thing_once() -> None:
    text = "x" * 10_000
    assert 10_000 < weight(Passage(text)) < 10_500
    assert weight([Passage(text), Passage(text)]) < 10_500
    assert weight({"key": (text, "y" * 10_000)}) > 20_000
    assert weight(Passage(text), shared=(Passage,)) == 0
    assert 10_000 < weight([text, *range(10**6)], enough=10_000) < 10_000_000


def test_all_caches_together_have_no_more_than_the_budget() -> None:
    shares = [each.share for each in all_caches() if each.share < 1]
    assert len(shares) > 20
    assert sum(shares) <= 1


def test_no_cache_keeps_texts_without_a_size_in_bytes() -> None:
    root = Path(__file__).parents[2]
    houses = ("nomic", "horses", "proposals", "settlers", "aceofspades")
    files = (file for house in houses for file in (root / house).rglob("*.py"))
    astray = [
        f"{name}: {found[0]!r}"
        for file in files
        if not {"tests", "testing", "operations", "embedded"} & set(file.parts)
        and (name := str(file.relative_to(root))) not in _OF_FIXED_SIZE
        for found in _WITHOUT_SIZE.finditer(file.read_text(encoding="utf-8"))
    ]
    assert astray == []
