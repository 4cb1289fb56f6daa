"""What is read of proposals' bodies, once for each: a version never changes."""

from collections.abc import Callable, Collection

from django.core.cache import cache

from proposals.models import Proposal

_READ_AT_ONCE = 300_000  # characters of bodies; the rest is read with the next look
_KEPT = 86_400  # seconds


def read_of_each[T](
    what: str, proposals: Collection[Proposal], read: Callable[[str], T]
) -> dict[int, T]:
    """What `read` finds in each body, by proposal (pk), without those that were not read yet.

    `what` is a word for it in the cache. What is known costs no query.
    """
    keys = {f"nomic:{what}:{each.pk}:{each.version}": each.pk for each in proposals}
    known = cache.get_many(list(keys)) or {}
    found: dict[int, T] = {keys[key]: each for key, each in known.items()}
    missing = {pk: key for key, pk in keys.items() if pk not in found}
    at_once = 0
    bodies = Proposal.objects.filter(pk__in=missing).values_list("pk", "body").order_by("-serial")
    for pk, body in bodies.iterator(chunk_size=20) if missing else ():
        if at_once > _READ_AT_ONCE:
            break
        at_once += len(body)
        found[pk] = read(body)
        cache.set(missing[pk], found[pk], _KEPT)
    return found
