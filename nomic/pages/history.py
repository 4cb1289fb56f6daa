"""What became of rules, entry by entry, and what led to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from nomic.play.frame import Frame, rule_url
from nomic.play.subgames import Trace, all_subgames
from nomic.rulebook.differences import differences, render_differences
from nomic.rulebook.models import Rule, RuleVersion

_MOST = 20  # changed rules of one entry that are shown with their difference
_MOST_ENACTED = 200
_MOST_TRACES = 3


@dataclass(frozen=True, slots=True)
class Happened:
    """A version of a rule, or its repeal (`version` is None), and the proposals that did it."""

    version: RuleVersion | None
    entry: int
    at: datetime | None
    by: list[Trace]

    @property
    def verb(self) -> str:
        """What happened to the rule."""
        if self.version is None:
            return "repealed"
        return "enacted" if self.version.number == 1 else "amended"


def history(frame: Frame, rule: Rule, versions: Iterable[RuleVersion]) -> list[Happened]:
    """A rule's versions and its repeal, newest first; the same few queries however many."""
    newest_first = sorted(versions, key=lambda version: -version.number)
    entries = {version.enacted_in for version in newest_first}
    if rule.repealed_in:
        entries.add(rule.repealed_in)
    moments = dict(frame.game.entries.filter(seq__in=entries).values_list("seq", "at"))
    found = [trace for each in all_subgames() for trace in each.traces(frame.game, entries)]
    titles = {rule.title.casefold(), *(version.title.casefold() for version in newest_first)}

    def happened(version: RuleVersion | None, entry: int) -> Happened:
        return Happened(version, entry, moments.get(entry), _behind(found, entry, titles))

    told = [happened(None, rule.repealed_in)] if rule.repealed_in else []
    return [*told, *(happened(version, version.enacted_in) for version in newest_first)]


def _behind(found: Iterable[Trace], entry: int, titles: set[str]) -> list[Trace]:
    """The traces of that entry that name the rule; all that could be meant if none does."""
    there = [trace for trace in found if trace.entry == entry]
    named = [trace for trace in there if trace.rules & titles]
    return (named or [trace for trace in there if not trace.rules])[:_MOST_TRACES]


@dataclass(frozen=True, slots=True)
class Changed:
    """A rule that an entry enacted, amended or repealed."""

    title: str
    url: str
    verb: str
    differences: str = ""


def changed_in(frame: Frame, seq: int) -> tuple[list[Changed], bool]:
    """The public rules that an entry changed, and whether there are more than these."""
    public = frame.game.rules.filter(visibility="public")
    versions = RuleVersion.objects.filter(rule__in=public, enacted_in=seq).select_related("rule")
    new = list(versions.filter(number=1).defer("text", "rule__text")[: _MOST_ENACTED + 1])
    later = list(versions.filter(number__gt=1).defer("rule__text")[: _MOST + 1])
    before = _before(later[:_MOST])
    repealed = list(public.filter(repealed_in=seq).defer("text")[: _MOST_ENACTED + 1])
    told = [
        *(_changed(frame, each.rule, "enacted", each.title) for each in new[:_MOST_ENACTED]),
        *(_amended(frame, each, before.get(each.rule_id)) for each in later[:_MOST]),
        *(_changed(frame, rule, "repealed", rule.title) for rule in repealed[:_MOST_ENACTED]),
    ]
    return told, len(told) < len(new) + len(later) + len(repealed)


def _before(versions: Collection[RuleVersion]) -> dict[int, RuleVersion]:
    """The version of each of these rules that the given one followed."""
    if not versions:
        return {}
    wanted = {each.rule_id: each.number - 1 for each in versions}
    older = RuleVersion.objects.filter(rule__in=wanted.keys(), number__in=set(wanted.values()))
    return {each.rule_id: each for each in older if each.number == wanted[each.rule_id]}


def _changed(frame: Frame, rule: Rule, verb: str, title: str) -> Changed:
    return Changed(title, rule_url(frame.game, rule.title, rule.pk), verb)


def _amended(frame: Frame, version: RuleVersion, before: RuleVersion | None) -> Changed:
    rule = version.rule
    address = rule_url(frame.game, rule.title, rule.pk)
    if before is None:
        return Changed(version.title, address, "amended")
    verb = "amended" if before.text != version.text else "retitled"
    changes = differences(before.text, version.text) if verb == "amended" else []
    title = version.title
    if before.title != version.title:
        title = f"{version.title}, until then “{before.title}”"
    url = f"{address}?from={before.number}&to={version.number}"
    return Changed(title, url, verb, render_differences(changes) if changes else "")
