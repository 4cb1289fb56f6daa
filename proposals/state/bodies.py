"""Readings of proposals' bodies, each read once since a version never changes, and which of them
change the same rules."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache

from nomic.engine.table import Table
from nomic.rulebook.changes.confirming import Unit, confirmed, counts, units_of
from nomic.rulebook.changes.kinds import AddSubrule, Change, Enact, Reading, RuleRef
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.on_paper import ImaginedRules
from nomic.rulebook.changes.reading import READER, read_changes
from nomic.rulebook.charts import cut
from nomic.rulebook.in_force import RulesInForce, name_key
from nomic.rulebook.limits import NoSuchRule
from proposals.models import Proposal, Status
from proposals.rules.words import names_in_words
from proposals.state.both import come_together

_READ_AT_ONCE = 300_000  # characters of bodies; the rest is read with the next look
_KEPT = 86_400  # seconds
_MOST_GONE_THROUGH = 400_000  # characters of rules in which units are looked for at once


type Units = Sequence[Mapping[str, Any]]
"""What an author has confirmed of what a body counts or names, as a proposal keeps it."""


def read(body: str, remarks: Collection[str] = (), units: Units = ()) -> Reading:
    """A body as the program reads it, with what its author marked and confirmed. Raises
    Unreadable."""
    return confirmed(read_changes(body, remarks), map(Unit.of, units))


def readable(body: str, remarks: Collection[str] = (), units: Units = ()) -> tuple[Change, ...]:
    """The changes that a body asks for; none where it cannot be read."""
    try:
        return read(body, remarks, units).changes
    except Unreadable:
        return ()


def reading_of(proposal: Proposal) -> Reading:
    """Its body as the program reads it. Raises Unreadable."""
    return read(proposal.body, proposal.remarks, proposal.units)


def changes_of(proposal: Proposal) -> tuple[Change, ...]:
    """The changes that it asks for; none where it cannot be read."""
    return readable(proposal.body, proposal.remarks, proposal.units)


def units_in(table: Table, reading: Reading, confirmations: Units) -> list[Unit]:
    """What a body counts or names, as its author has confirmed it, or else as the site takes it: in
    the public rules as they are now, and as its own changes would leave them."""
    if not counts(reading):
        return []
    public = RulesInForce(table.rules.public)
    rules = ImaginedRules(public, share_titles=table.rules.shares_titles)
    return units_of(rules, reading, map(Unit.of, confirmations), _MOST_GONE_THROUGH)


def answers_by_proposal[T](
    topic: str, proposals: Collection[Proposal], read: Callable[[str, list[str], Units], T]
) -> dict[int, T]:
    """The answer of `read` for each body with its remarks and units, by proposal (pk), without
    those that were not read yet.

    `topic` is a word for it in the cache. What was read before costs no query.
    """
    # The reader is in the key, since another one reads the same body in another way.
    keys = {
        f"nomic:{topic}:{READER}:{proposal.pk}:{proposal.version}": proposal.pk
        for proposal in proposals
    }
    cached = cache.get_many(list(keys)) or {}
    answers: dict[int, T] = {keys[key]: answer for key, answer in cached.items()}
    missing = {pk: key for key, pk in keys.items() if pk not in answers}
    at_once = 0
    rows = Proposal.objects.filter(pk__in=missing).values_list("pk", "body", "remarks", "units")
    for pk, body, remarks, units in (
        rows.order_by("-serial").iterator(chunk_size=20) if missing else ()
    ):
        if at_once > _READ_AT_ONCE:
            break
        at_once += len(body)
        answers[pk] = read(body, remarks, units)
        cache.set(missing[pk], answers[pk], _KEPT)
    return answers


_MOST_COMPARED = 300  # the newest others: each costs a key of the cache, or its reading
_MOST_NAMED = 5
_MOST_TRIED = 5  # others, of which it is tried what would come of both

# Title, number, whether it is to be a new rule, and the words of it, "" for all of it.
Name = tuple[str, str, bool, str]
_LONGEST_PASSAGE = 300  # characters of the words


@dataclass(frozen=True, slots=True)
class Meeting:
    """A rule that another proposal changes as well, and which words of it, "" for all of it.
    `label` tells the proposal with its status, `called` is the rule in a sentence, `together` says
    what would come of both."""

    proposal: int | str
    label: str
    rule: str
    called: str
    passage: str
    together: str = ""


def competing_changes(meetings: Iterable[Meeting]) -> list[str]:
    """A sentence for each other proposal that changes some of the same rules."""
    by_rival: dict[tuple[str, str], dict[str, None]] = {}
    for meeting in meetings:
        by_rival.setdefault((meeting.label, meeting.together), {})[meeting.called] = None
    sentences = []
    for (label, together), shared in by_rival.items():
        named = [*[*shared][:_MOST_NAMED], *(["others"] if len(shared) > _MOST_NAMED else [])]
        changes = f"{label} changes {names_in_words(named)} as well."
        sentences.append(f"{changes} {together}".strip())
    if len(sentences) > _MOST_NAMED:
        return [*sentences[:_MOST_NAMED], f"So do {len(sentences) - _MOST_NAMED} more proposals."]
    return sentences


def meetings(table: Table, reading: Reading, proposal: Proposal | None) -> list[Meeting]:
    """Where Open or Pending proposals change some of the same rules, the oldest first."""
    ours = _touched(reading.changes)
    if not ours:
        return []
    waiting = Proposal.objects.filter(
        game=table.game, status__in=(Status.OPEN, Status.PENDING)
    ).defer("body")
    rivals = [
        rival
        for rival in waiting.order_by("-serial")[:_MOST_COMPARED]
        if not proposal or rival.pk != proposal.pk
    ]
    touched = answers_by_proposal("meets", rivals, lambda *body: sorted(_touched(readable(*body))))
    if not any(touched.values()):
        return []
    places = {name_key(called): (called, rule) for called, rule, _ in _places(table, ours)}
    met: list[Meeting] = []
    tried: list[int] = []
    for rival in reversed(rivals):
        label = f"{rival} ({rival.status})"
        theirs = sorted(_places(table, touched.get(rival.pk, ())))
        shared = [
            (places[name_key(called)], passage)
            for called, _, passage in theirs
            if name_key(called) in places
        ]
        together = ""
        if shared and len(tried) < _MOST_TRIED:
            tried.append(rival.pk)
            together = come_together(table, reading.changes, changes_of(rival))
        met += [
            Meeting(rival.handle, label, rule, called, passage, together)
            for (called, rule), passage in shared
        ]
    return met


def _places(table: Table, names: Iterable[Name]) -> set[tuple[str, str, str]]:
    """What the rules are called that these names mean now, in a sentence and by title or number,
    each with the words of it."""
    places = set()
    for title, number, is_new, passage in names:
        if not number and table.rules.in_force(title) and table.rules.find(title).is_public:
            rule = table.rules.find(title).title
            places.add((f"the rule “{rule}”", rule, passage))
            continue
        called, rule = f"“{title}”" if title else number, title or number
        if is_new:
            places.add((f"the new rule {called}", rule, passage))
            continue
        with suppress(NoSuchRule):
            rule = table.rules.find_rule(title=title, number=number).title
            called = f"“{rule}”"
        places.add((f"the rule {called}", rule, passage))
    return places


def _touched(changes: Iterable[Change]) -> set[Name]:
    names = set()
    for change in changes:
        if isinstance(change, Enact | AddSubrule):
            names.add((" ".join(change.title.split()), "", True, ""))
        ref = getattr(change, "parent", None) or getattr(change, "rule", None)
        if isinstance(ref, RuleRef) and ref != RuleRef():
            words = getattr(change, "old", "") or getattr(change, "anchor", "")
            part = getattr(change, "part", None)
            passage = cut(words or getattr(part, "passage", ""), _LONGEST_PASSAGE)
            names.add((" ".join(ref.title.split()), ref.number.strip(), False, passage))
    return names
