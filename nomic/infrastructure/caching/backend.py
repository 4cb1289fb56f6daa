"""The cache, which goes on counting sign-in attempts while Redis is away; and how long somebody
waits for what another process puts there."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from contextvars import ContextVar
from time import monotonic
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django_redis.cache import RedisCache
from redis.exceptions import RedisError

from nomic.infrastructure.contexts import within

_ATTEMPTS = ("allauth:", "attempts:")
_MISSING = object()
_UNTIL: ContextVar[float] = ContextVar("until when it is waited for", default=0.0)
_KEEP_THE_GREATER = """
local known = tonumber(redis.call('GET', KEYS[1]))
if not known or known < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
end
redis.call('PUBLISH', KEYS[1], ARGV[1])
"""
_FILL = """
local levels = {}
local now = tonumber(ARGV[1])
for place, key in ipairs(KEYS) do
  local known = redis.call('HMGET', key, 'level', 'at')
  local passed = math.max(0, now - tonumber(known[2] or now))
  local level = tonumber(known[1] or 0) - passed * ARGV[place + 2]
  level = math.max(0, level) + tonumber(ARGV[2])
  redis.call('HSET', key, 'level', string.format('%.0f', level), 'at', ARGV[1])
  redis.call('EXPIRE', key, 604800)
  levels[place] = string.format('%.0f', level)
end
return levels
"""


def patient(seconds: float) -> AbstractContextManager[float]:
    """Let what another process works out be waited for meanwhile, so long in all."""
    return within(_UNTIL, monotonic() + seconds)


def is_patient() -> bool:
    """Whether there is time left to wait for what another process works out."""
    return monotonic() < _UNTIL.get()


class Cache(RedisCache):
    """Redis. What it cannot be asked is unknown, which slows pages down and breaks none.

    Only attempts to sign in are counted in this process's memory meanwhile: not counting them
    would let anybody guess passwords, and refusing them all would lock everybody out.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._meanwhile = LocMemCache("attempts", {})

    def add(self, key: str, *args: Any, **kwargs: Any) -> bool | None:
        added: bool | None = super().add(key, *args, **kwargs)
        if added is None and key.startswith(_ATTEMPTS):
            return self._meanwhile.add(key, *args, **kwargs)
        return added

    def set(self, key: str, *args: Any, **kwargs: Any) -> bool | None:
        done: bool | None = super().set(key, *args, **kwargs)
        if done is None and key.startswith(_ATTEMPTS):
            self._meanwhile.set(key, *args, **kwargs)
        return done

    def get(self, key: str, default: Any = None, *args: Any, **kwargs: Any) -> Any:
        stored = super().get(key, _MISSING, *args, **kwargs)
        if stored is not _MISSING:
            return stored
        return self._meanwhile.get(key, default) if key.startswith(_ATTEMPTS) else default

    def clear(self) -> int | None:
        """Forget what is this cache's alone: others' keys and the broker's tasks are in the same
        database."""
        self._meanwhile.clear()
        removed: int | None = self.delete_pattern("*")
        return removed

    def raise_to(self, key: str, number: int, seconds: int) -> bool:
        """Let the key have that number for so long, unless it has a greater one, and tell it to
        whoever listens at that key; False where Redis cannot be asked."""
        try:
            redis = self.client.get_client(write=True)
            redis.eval(_KEEP_THE_GREATER, 1, self.client.make_key(key), number, seconds)
        except (RedisError, OSError):
            return False
        return True

    def tell(self, key: str) -> None:
        """Tell whoever listens at that key that there is something; nobody where Redis cannot be
        asked."""
        with suppress(RedisError, OSError):
            self.client.get_client(write=True).publish(self.client.make_key(key), "")

    def come(self, key: str, visitor: str, now: float, seconds: int) -> list[str]:
        """All who came to that place within so many seconds, the latest last, the `visitor`
        among them, unless it is empty; nobody where Redis cannot be asked. One call."""
        with suppress(RedisError, OSError):
            place = self.client.make_key(key)
            coming = self.client.get_client(write=True).pipeline(transaction=False)
            if visitor:
                coming.zadd(place, {visitor: now})
            coming.zremrangebyscore(place, 0, now - seconds)
            coming.expire(place, seconds)
            coming.zrange(place, 0, -1)
            return [name.decode() for name in coming.execute()[-1]]
        return []

    def go(self, key: str, visitor: str) -> None:
        """That somebody has not come to that place, after all."""
        with suppress(RedisError, OSError):
            self.client.get_client(write=True).zrem(self.client.make_key(key), visitor)

    def count(self, counts: Mapping[str, Mapping[str, int]]) -> None:
        """Add these amounts to what each key has counted; lost where Redis cannot be asked. One
        call."""
        with suppress(RedisError, OSError):
            counting = self.client.get_client(write=True).pipeline(transaction=False)
            for key, amounts in counts.items():
                for name, amount in amounts.items():
                    if amount:
                        counting.hincrby(self.client.make_key(key), name, amount)
            counting.execute()

    def counted(self, key: str, *, anew: bool = False) -> dict[str, int]:
        """The amounts counted under the key so far, by name, which `anew` begin at zero then; empty
        where Redis cannot be asked."""
        with suppress(RedisError, OSError):
            place = self.client.make_key(key)
            asking = self.client.get_client(write=True).pipeline().hgetall(place)
            if anew:
                asking.delete(place)
            return {name.decode(): int(amount) for name, amount in asking.execute()[0].items()}
        return {}

    def fill(self, amount: int, now: float, leaks: Mapping[str, float]) -> dict[str, int]:
        """Pour so much into the bucket of each key, each of which loses so much a second; how full
        each is then. Nothing where Redis cannot be asked."""
        with suppress(RedisError, OSError):
            keys = [self.client.make_key(key) for key in leaks]
            redis = self.client.get_client(write=True)
            levels = redis.eval(_FILL, len(keys), *keys, now, amount, *leaks.values())
            return {key: int(level) for key, level in zip(leaks, levels, strict=True)}
        return {}

    def delete(self, key: str, *args: Any, **kwargs: Any) -> bool | None:
        done: bool | None = super().delete(key, *args, **kwargs)
        if key.startswith(_ATTEMPTS):
            self._meanwhile.delete(key)
        return done
