"""The history of rules, entry by entry, and what led to it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from nomic.engine.subgames import Trace, all_subgames, voting_on_rules
from nomic.rulebook.models import Rule, RuleVersion
from nomic.rulebook.shown.differences import Differences
from nomic.rulebook.text_cache import BEGINS
from nomic.web.game_page import GamePage, rule_url

_MOST = 20  # changed rules of one entry that are shown with their difference
_MOST_ENACTED = 200
_MOST_TRACES = 3
_REPEALED = "repealed"


@dataclass(frozen=True, slots=True)
class Happened:
    """A change of a rule, and the proposals that made it.

    `version` is None where the text stayed: at its repeal, and where a hidden one became public.
    """

    verb: str
    version: RuleVersion | None
    entry: int
    at: datetime | None
    by: list[Trace]


def history(
    game_page: GamePage, rule: Rule, versions: Iterable[RuleVersion], *, whole: bool = True
) -> list[Happened]:
    """The rule's repeal, and then these of its versions and its disclosure, newest first; not
    `whole`, the versions alone.

    The same few queries however many there are.
    """
    newest_first = sorted(versions, key=lambda version: -version.number)
    first = "brought in" if is_brought(rule) else "enacted"
    told: list[tuple[str, int, RuleVersion | None]] = [
        *(_ends(rule) if whole else ()),
        *(
            (first if version.number == 1 else "amended", version.enacted_in, version)
            for version in newest_first
        ),
    ]
    told.sort(key=lambda each: (each[0] != _REPEALED, -each[1]))
    entries = {entry for _, entry, _ in told}
    moments = dict(game_page.game.entries.filter(seq__in=entries).values_list("seq", "at"))
    found = [
        trace
        for each in voting_on_rules(all_subgames())
        for trace in each.traces(game_page.game, entries)
    ]
    titles = {rule.title.casefold(), *(version.title.casefold() for version in newest_first)}
    happened = []
    for verb, entry, version in told:
        # What led to it are the traces that name the rule; all that could be meant if none does.
        there = [trace for trace in found if trace.entry == entry]
        named = [trace for trace in there if trace.rules & titles]
        by = (named or [trace for trace in there if not trace.rules])[:_MOST_TRACES]
        happened.append(Happened(verb, version, entry, moments.get(entry), by))
    return happened


def is_brought(rule: Rule) -> bool:
    """Whether it came in from elsewhere, right after the game had begun."""
    return rule.by_people and rule.enacted_in == BEGINS + 1


def _ends(rule: Rule) -> Iterator[tuple[str, int, None]]:
    """The repeal and the disclosure of the rule, as verb and entry, the repeal first."""
    if rule.repealed_in:
        yield _REPEALED, rule.repealed_in, None
    if rule.disclosed_in:
        yield "made public", rule.disclosed_in, None


@dataclass(frozen=True, slots=True)
class Changed:
    """A rule that an entry enacted, amended, made public or repealed."""

    title: str
    url: str
    verb: str
    differences: str = ""


def changed_in(game_page: GamePage, seq: int) -> tuple[list[Changed], bool]:
    """The public rules that an entry changed, and whether there are more than these."""
    public = game_page.game.rules.filter(visibility="public")
    versions = RuleVersion.objects.filter(rule__in=public, enacted_in=seq).select_related("rule")
    new = list(versions.filter(number=1).defer("text", "rule__text")[: _MOST_ENACTED + 1])
    later = list(versions.filter(number__gt=1).defer("rule__text")[: _MOST + 1])
    wanted = {each.rule_id: each.number - 1 for each in later[:_MOST]}
    older = RuleVersion.objects.filter(rule__in=wanted.keys(), number__in=set(wanted.values()))
    before = {each.rule_id: each for each in older if each.number == wanted[each.rule_id]}
    whole = public.filter(Q(repealed_in=seq) | Q(disclosed_in=seq))
    ended = list(whole.defer("text")[: _MOST_ENACTED + 1])
    page = Differences()
    told = [
        *(_changed(game_page, each.rule, "enacted", each.title) for each in new[:_MOST_ENACTED]),
        *(_amended(game_page, each, before.get(each.rule_id), page) for each in later[:_MOST]),
    ]
    for rule in ended[:_MOST_ENACTED]:
        verb = next(verb for verb, entry, _ in _ends(rule) if entry == seq)
        told.append(_changed(game_page, rule, verb, rule.title))
    return told, len(told) < len(new) + len(later) + len(ended)


def _changed(game_page: GamePage, rule: Rule, verb: str, title: str) -> Changed:
    return Changed(title, rule_url(game_page.game, rule.title, rule.pk), verb)


def _amended(
    game_page: GamePage, version: RuleVersion, before: RuleVersion | None, page: Differences
) -> Changed:
    rule = version.rule
    address = rule_url(game_page.game, rule.title, rule.pk)
    if before is None:
        return Changed(version.title, address, "amended")
    verb = "amended" if before.text != version.text else "retitled"
    shown = page.show(before.text, version.text) if verb == "amended" else ""
    title = version.title
    if before.title != version.title:
        title = f"{version.title}, until then “{before.title}”"
    url = f"{address}?from={before.number}&to={version.number}"
    return Changed(title, url, verb, shown)
