"""Rule texts as they are played by: where one cannot be read, its last version that can be.

Nothing here knows Django.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from nomic.rulebook.charts import ChartBroken, ChartMissing

type Texts = Mapping[str, str]
type Version = int | str | None
type Earlier = Callable[[str], Sequence[tuple[Version, str]]]


@dataclass(frozen=True, slots=True)
class Unread:
    """A rule whose text in force cannot be read, with what is wrong.

    `version` is that as of which it is played; None where none could ever be read, so that what
    needs it is off.
    """

    rule: str
    version: Version
    sentence: str

    def __str__(self) -> str:
        played = f"played as of version {self.version}" if self.version else "not played"
        return f"“{self.rule}” is {played}: {self.sentence}"


def complaint(unread: Sequence[Unread], wrong: Sequence[ChartBroken]) -> str:
    """What a page says of rules that cannot be read: what is played instead, or what waits; ""
    where all can be."""
    if unread:
        return " ".join(map(str, unread))
    return f"{wrong[0]} What needs it waits until the rule’s text is mended." if wrong else ""


def faults(reads: Iterable[Callable[[], object]]) -> list[ChartBroken]:
    """What cannot be read; what is only missing is off, and no fault."""
    found: dict[tuple[str, str], ChartBroken] = {}
    for read in reads:
        try:
            read()
        except ChartMissing:
            continue
        except ChartBroken as broken:
            found.setdefault((broken.rule, broken.sentence), broken)
    return list(found.values())


def nothing_earlier(rule: str) -> Sequence[tuple[int, str]]:
    """The earlier versions of a text that has none."""
    return ()


def last_readable(
    texts: Texts, faults_in: Callable[[Texts], Sequence[ChartBroken]], earlier: Earlier
) -> tuple[dict[str, str], tuple[Unread, ...]]:
    """The texts to play by, and which of them are not those in force.

    `earlier` gives a rule's earlier versions, the newest first; None is the version of one that is
    not played at all. A fault is the rule's that it
    names, unless only another one's earlier version takes it away.
    """
    played, unread = dict(texts), dict[str, Unread]()
    given_up: set[tuple[str, str]] = set()
    while found := [each for each in faults_in(played) if _name(each) not in given_up]:
        fault = found[0]
        taken = _earlier_without(fault, played, faults_in, earlier)
        if taken is None and fault.rule not in unread:  # it may hide what is wrong with others
            taken = _own_earlier(fault.rule, played, faults_in, earlier)
        if taken is None:
            given_up.add(_name(fault))
            unread.setdefault(fault.rule, Unread(fault.rule, None, fault.sentence))
            continue
        rule, version, text = taken
        played[rule] = text
        first = unread[rule].sentence if rule in unread else fault.sentence
        unread[rule] = Unread(rule, version, first)
    return played, tuple(unread.values())


def _earlier_without(
    fault: ChartBroken,
    played: Texts,
    faults_in: Callable[[Texts], Sequence[ChartBroken]],
    earlier: Earlier,
) -> tuple[str, Version, str] | None:
    """The rule, version and text with which that fault goes away and no other comes."""
    others = [rule for rule in played if rule != fault.rule]
    known = {_name(each) for each in faults_in(played)} - {_name(fault)}
    for rule in (fault.rule, *others):
        for version, text in earlier(rule):
            if {_name(each) for each in faults_in({**played, rule: text})} <= known:
                return rule, version, text
    return None


def _own_earlier(
    rule: str, played: Texts, faults_in: Callable[[Texts], Sequence[ChartBroken]], earlier: Earlier
) -> tuple[str, Version, str] | None:
    """The rule, version and text with which nothing is wrong with that rule itself any more."""
    for version, text in earlier(rule):
        if all(each.rule != rule for each in faults_in({**played, rule: text})):
            return rule, version, text
    return None


def _name(fault: ChartBroken) -> tuple[str, str]:
    return fault.rule, fault.sentence
