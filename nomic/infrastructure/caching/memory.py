"""Caches of what a process has worked out, bounded by bytes: players decide how long texts are.

Each cache has a share of one budget, so all of them together stay under it, whatever is put into
them. `nomic.games.bounds.KEPT_MEGABYTES` says how much that is.
"""

import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from enum import Enum
from functools import cached_property
from math import inf
from operator import itemgetter
from threading import Lock
from types import NoneType
from typing import Any

from cachetools import LRUCache, cached

_ENTRY = 300  # bytes of an entry besides what it keeps
_PLAIN = (str, bytes, int, float)
_COLLECTIONS = (tuple, list, set, frozenset)
_WEIGHTLESS = (bool, NoneType, type, Enum)


class BoundedCache[Key: Hashable, Value](MutableMapping[Key, Value]):
    """A cache from which what was asked for longest ago goes first, with a share of the budget.

    What is heavier than the whole share is not kept at all. What is of the types `shared` counts
    nothing, since others keep it anyway; each entry weighs `more` bytes that are not seen in it.
    Many threads may use it.
    """

    def __init__(self, share: float, *, shared: tuple[type, ...] = (), more: int = 0) -> None:
        self.share = share
        self._shared, self._more = shared, _ENTRY + more
        self._lock = Lock()
        _all.append(self)

    @cached_property
    def _weighed(self) -> LRUCache[Key, tuple[Value, int]]:
        # Made when something is first kept: a cache at the head of a module is older than the
        # settings, which have the budget.
        return LRUCache(int(self.share * _budget()), getsizeof=itemgetter(1))

    @property
    def most(self) -> int:
        """The bytes that it may keep."""
        return int(self._weighed.maxsize)

    @property
    def bytes(self) -> int:
        """The bytes that it keeps."""
        return int(self._weighed.currsize)

    def __getitem__(self, key: Key) -> Value:
        with self._lock:
            return self._weighed[key][0]

    def __setitem__(self, key: Key, content: Value) -> None:
        # Without the lock, since what is heavy takes a while.
        weighs = self._more + weight((key, content), self._shared, self.most)
        with self._lock:
            self._weighed.pop(key, None)
            with suppress(ValueError):  # it is heavier than all that may be kept
                self._weighed[key] = content, weighs

    def __delitem__(self, key: Key) -> None:
        with self._lock:
            del self._weighed[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(list(self._weighed))

    def __len__(self) -> int:
        return len(self._weighed)

    def clear(self) -> None:
        """Forget everything, at once: entry by entry it would list all keys for each of them."""
        with self._lock:
            self._weighed.clear()


def _usual_budget() -> int:
    return 160 * 2**20  # bytes, as `weight` counts them


_budget: Callable[[], int] = _usual_budget
_all: list[BoundedCache[Any, Any]] = []


def memoized[**Given, Value](
    *, share: float, shared: tuple[type, ...] = (), more: int = 0
) -> Callable[[Callable[Given, Value]], Callable[Given, Value]]:
    """Call the function once for the same arguments, as functools.lru_cache does, and keep of what
    it gave so many bytes as that share of the budget has."""
    return cached(BoundedCache(share, shared=shared, more=more))


def set_budget(budget: Callable[[], int]) -> None:
    """Let all caches of this process keep at most as many bytes together as that says."""
    global _budget
    _budget = budget


def all_caches() -> list[BoundedCache[Any, Any]]:
    """Every cache of this process."""
    return list(_all)


def weight(root: Any, shared: tuple[type, ...] = (), enough: float = inf) -> int:
    """About how many bytes are kept with a value: of texts, collections, and objects of fields;
    what they share is counted once, and what is `shared`, a class or a function not at all. What
    weighs more than `enough` is not counted further."""
    weighed: set[int] = set()
    weightless: tuple[type, ...] = (*_WEIGHTLESS, *shared)
    waiting, total = [root], 0
    while waiting and total <= enough:
        part = waiting.pop()
        if id(part) in weighed or isinstance(part, weightless) or callable(part):
            continue
        weighed.add(id(part))
        total += sys.getsizeof(part)
        if isinstance(part, _PLAIN):
            continue
        if isinstance(part, _COLLECTIONS):
            waiting += part
        elif isinstance(part, Mapping):
            waiting += [*part.keys(), *part.values()]
        elif hasattr(part, "__dict__"):
            waiting += vars(part).values()
        else:
            names = getattr(part, "__dataclass_fields__", ())
            waiting += [getattr(part, name, None) for name in names]
    return total
