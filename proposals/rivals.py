"""Which other proposals before the game change the same rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.core.cache import cache

from nomic.play.table import Table
from nomic.rulebook.book import NoSuchRule
from nomic.rulebook.changes import (
    AddSubrule,
    Change,
    Enact,
    Reading,
    RuleRef,
    Unreadable,
    read_changes,
)
from nomic.rulebook.in_force import name_key
from proposals.models import Proposal, Status

_MOST = 300  # other proposals that are looked at, the newest
_READ_AT_ONCE = 300_000  # characters of their bodies; the rest is read with the next preview
_KEPT = 86_400  # seconds
_MOST_NAMED = 5

Name = tuple[str, str, bool]  # title, number, and whether it is to be a new rule


def rivals(table: Table, reading: Reading, own: Proposal | None) -> list[str]:
    """A sentence for each rule that another Open or Pending proposal changes as well."""
    ours = {name_key(called): called for called in _places(table, _touched(reading))}
    if not ours:
        return []
    waiting = Proposal.objects.filter(
        game=table.game, status__in=(Status.OPEN, Status.PENDING)
    ).defer("body")
    others = [each for each in waiting.order_by("-serial")[:_MOST] if not own or each.pk != own.pk]
    touched = _touched_by(others)
    shared: dict[str, list[Proposal]] = {}
    for other in reversed(others):
        theirs = {name_key(called) for called in _places(table, touched.get(other.pk, ()))}
        for key in theirs & ours.keys():
            shared.setdefault(ours[key], []).append(other)
    return [_sentence(place, found) for place, found in sorted(shared.items())]


def _sentence(place: str, others: Collection[Proposal]) -> str:
    named = [f"{each} ({each.status})" for each in others][:_MOST_NAMED]
    more = f" and {len(others) - len(named)} more" if len(others) > len(named) else ""
    change = "changes" if len(others) == 1 else "change"
    return f"{', '.join(named)}{more} {change} {place} as well: whichever passes first is first."


def _places(table: Table, names: Iterable[Name]) -> set[str]:
    return {_place(table, name) for name in names}


def _place(table: Table, name: Name) -> str:
    """How the rule is called that a name means now."""
    title, number, is_new = name
    try:
        return f"the rule “{table.rules.find_rule(title=title, number=number).title}”"
    except NoSuchRule:
        called = f"“{title}”" if title else number
        return f"the new rule {called}" if is_new else f"the rule {called}"


def _touched_by(others: Collection[Proposal]) -> dict[int, list[Name]]:
    """What each changes, by proposal; a body is read once, since a version never changes."""
    keys = {f"nomic:touched:{each.pk}:{each.version}": each.pk for each in others}
    known = cache.get_many(list(keys)) or {}
    found: dict[int, list[Name]] = {keys[key]: names for key, names in known.items()}
    missing = {pk: key for key, pk in keys.items() if pk not in found}
    read = 0
    bodies = Proposal.objects.filter(pk__in=missing).values_list("pk", "body").order_by("-serial")
    for pk, body in bodies.iterator(chunk_size=20) if missing else ():
        if read > _READ_AT_ONCE:
            break
        read += len(body)
        try:
            names = sorted(_touched(read_changes(body)))
        except Unreadable:
            names = []
        found[pk] = names
        cache.set(missing[pk], names, _KEPT)
    return found


def _touched(reading: Reading) -> set[Name]:
    return {name for change in reading.changes for name in _names(change)}


def _names(change: Change) -> list[Name]:
    found = []
    if isinstance(change, Enact | AddSubrule):
        found.append((" ".join(change.title.split()), "", True))
    ref = getattr(change, "parent", None) or getattr(change, "rule", None)
    if isinstance(ref, RuleRef):
        found.append((" ".join(ref.title.split()), ref.number.strip(), False))
    return found
