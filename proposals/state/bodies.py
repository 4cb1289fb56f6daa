"""Readings of proposals' bodies, each read once: a version never changes."""

from collections.abc import Callable, Collection

from django.core.cache import cache

from nomic.rulebook.changes.forms import Change, Reading
from nomic.rulebook.changes.reading import READER, read_changes, readable_changes
from proposals.models import Proposal

_READ_AT_ONCE = 300_000  # characters of bodies; the rest is read with the next look
_KEPT = 86_400  # seconds


def reading_of(proposal: Proposal) -> Reading:
    """Its body as the program reads it, with what its author marked. Raises Unreadable."""
    return read_changes(proposal.body, proposal.remarks)


def changes_of(proposal: Proposal) -> tuple[Change, ...]:
    """The changes that it asks for; none where it cannot be read."""
    return readable_changes(proposal.body, proposal.remarks)


def read_of_each[T](
    what: str, proposals: Collection[Proposal], read: Callable[[str, list[str]], T]
) -> dict[int, T]:
    """The answer of `read` for each body with its remarks, by proposal (pk), without those that
    were not read yet.

    `what` is a word for it in the cache. What is known costs no query.
    """
    keys = {f"nomic:{what}:{READER}:{each.pk}:{each.version}": each.pk for each in proposals}
    known = cache.get_many(list(keys)) or {}
    found: dict[int, T] = {keys[key]: each for key, each in known.items()}
    missing = {pk: key for key, pk in keys.items() if pk not in found}
    at_once = 0
    rows = Proposal.objects.filter(pk__in=missing).values_list("pk", "body", "remarks")
    for pk, body, remarks in rows.order_by("-serial").iterator(chunk_size=20) if missing else ():
        if at_once > _READ_AT_ONCE:
            break
        at_once += len(body)
        found[pk] = read(body, remarks)
        cache.set(missing[pk], found[pk], _KEPT)
    return found
