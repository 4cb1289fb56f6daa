"""How often something may be done, counted in the cache."""

from django.core.cache import cache

from nomic.games.clock import wall_now


def is_too_often(what: str, most: int, seconds: int) -> bool:
    """Count that once more; whether that makes it more often than `most` within these seconds.

    Where the cache cannot be had, nobody is held up.
    """
    counter = f"nomic:{what}:{int(wall_now().timestamp()) // seconds}"
    cache.add(counter, 0, 2 * seconds)
    try:
        count = cache.incr(counter)
    except ValueError:  # the counter went between the two: a cache that forgets
        return False
    return count is not None and count > most
