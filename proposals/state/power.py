"""The power of proposals, and what it binds, where a rule on power with its table is in force."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import ClassVar

from django.db.models import Q

from nomic.engine.table import Table
from nomic.rulebook.changes.applying import is_of_rules
from nomic.rulebook.changes.kinds import (
    AddSubrule,
    Change,
    Enact,
    ReplaceThroughout,
    RuleRef,
    SetPower,
)
from nomic.rulebook.charts import unless_broken, unless_off
from nomic.rulebook.last_readable import RuleCharts, Unread, whole
from nomic.rulebook.limits import NoSuchRule, checked_power
from proposals.models import Proposal
from proposals.rulebook import shipped_texts
from proposals.rules.each_votes import shown_index
from proposals.rules.terms import POWER
from proposals.state.reading import State

_MOST = 999
_AGAIN = re.compile(r"\W*re-?enact", re.IGNORECASE)
FOLDER = "agoran-decisions"


class _Charts(RuleCharts):
    """The numbers of the rule “Power”."""

    titles = (POWER,)
    known: ClassVar = {POWER: (("POWER", "NUMBER"),)}
    of_a_proposal = whole(POWER, "POWER", "A proposal at most", "NUMBER", most=_MOST, off=_MOST)
    bound_below = whole(
        POWER, "POWER", "A proposal is bound below", "NUMBER", most=_MOST, off=_MOST
    )
    of_a_new_rule = whole(POWER, "POWER", "A new rule unless said", "NUMBER", most=_MOST, off=0)

    @classmethod
    def shipped_texts(cls) -> Mapping[str, str]:
        return shipped_texts(FOLDER)

    @property
    def binds(self) -> bool:
        """Whether the rule has its table of power."""
        return bool(unless_off(lambda: self.tables.table(POWER, "POWER"), None))


def _charts(table: Table) -> _Charts | None:
    """The numbers of the rule in force on power; None where none says any."""
    texts = table.rules.texts((POWER,)) if table.rules.shares_titles else {}
    if not texts:
        return None
    charts = _Charts.of(texts, table.rules.earlier_texts)
    return charts if unless_broken(lambda: charts.binds, False) else None


def unread(table: Table) -> tuple[Unread, ...]:
    """The rule on power, where it is played as of an earlier version."""
    return charts.unread if (charts := _charts(table)) else ()


def power_of(state: State, proposal: Proposal | None) -> Decimal | None:
    """The power of that proposal, or of one that names no class and no index; None where no rule
    binds it. Raises TableBroken."""
    if not state.edition.weighs or (charts := _charts(state.table)) is None:
        return None
    if proposal is None:
        index: Decimal = next(iter(state.terms.classes.values()))
    else:
        index = min(proposal.index, proposal.own_index or proposal.index)
    return min(index, Decimal(unless_broken(lambda: charts.of_a_proposal, _MOST)))


def bound_by_power(
    table: Table, change: Change, power: Decimal | None, touched: Collection[int]
) -> tuple[Change, str]:
    """The change as it is made by something of that power; and why it is left undone, as a
    sentence, "" where it is not. `touched` are the keys of the rules that it is about. Raises
    NoSuchRule and BadRule, as making it does."""
    if power is None or not is_of_rules(change) or (charts := _charts(table)) is None:
        return change, ""
    is_free = power >= unless_broken(lambda: charts.bound_below, _MOST)
    if isinstance(change, Enact | AddSubrule):
        asked = checked_power(change.power)
        if asked is None and isinstance(change, Enact) and _AGAIN.match(change.sentence):
            asked = _power_before(table, change)
            change = replace(change, power=f"{asked.normalize():f}")
        if asked is None:
            usual = Decimal(unless_broken(lambda: charts.of_a_new_rule, 0))
            power_of_rule = f"{min(usual, power).normalize():f}"
            return (replace(change, power=power_of_rule) if usual else change), ""
        return change, "" if is_free else _excess(asked, power, "a new rule would have")
    if is_free:
        return change, ""
    if isinstance(change, ReplaceThroughout):
        beyond = (
            _excess(rule.power, power, f"“{rule.title}” has")
            for rule in map(table.rules.find, touched)
        )
        return change, next(filter(None, beyond), "")
    ref = getattr(change, "rule", None)
    if isinstance(ref, RuleRef):
        rule = table.rules.find_rule(" ".join(ref.title.split()), ref.number.strip())
        if excess := _excess(rule.power, power, f"“{rule.title}” has"):
            return change, excess
    if isinstance(change, SetPower):
        return change, _excess(checked_power(change.power), power, "the rule would have")
    return change, ""


def _power_before(table: Table, change: Enact) -> Decimal:
    """The power with which a rule that is enacted again was repealed. Raises NoSuchRule."""
    named = Q(number=change.number) if change.number else Q(title__iexact=change.title)
    gone = table.game.rules.filter(named, repealed_in__isnull=False).order_by("-repealed_in")
    if (last := gone.first()) is None:
        raise NoSuchRule(
            f"No rule {change.number or f'“{change.title}”'} was repealed here, so that the power"
            " which it had is not known."
        )
    return Decimal(1) if last.power is None else last.power


def _excess(asked: Decimal | None, power: Decimal, has: str) -> str:
    if asked is None or asked <= power:
        return ""
    shown = f"{asked.normalize():f}"
    return (
        f"{has[:1].upper()}{has[1:]} the power {shown}, and the proposal has {shown_index(power)}"
        f" (“{POWER}”)."
    )
