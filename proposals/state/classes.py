"""Which rules are immutable, and by how many votes one is transmuted, where the rule on it with its
table is in force."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from django.db.models import Q

from nomic.engine.subgames import is_classed_elsewhere
from nomic.engine.table import Table
from nomic.rulebook.changes.applying import find
from nomic.rulebook.changes.kinds import Change, Transmute, Votes
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.last_readable import Figure, RuleCharts, Unread
from nomic.rulebook.limits import CLASS_RULE, CLASSES, IMMUTABLE, MUTABLE, NoSuchRule
from nomic.rulebook.models import RuleVersion
from nomic.rulebook.tables import Lack, TableBroken
from proposals.rulebook import shipped_texts

FOLDER = "immutable-rules"
PLAYERS, VOTES = "players", "votes"
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Need:
    """How many of the players, or of the votes FOR or AGAINST a proposal, have to be FOR it that a
    rule is transmuted: at least `part` out of `whole`."""

    part: int
    whole: int
    of_players: bool

    def __str__(self) -> str:
        share = "all" if self.part == self.whole else f"at least {self.part}/{self.whole}"
        return f"{share} of the {PLAYERS if self.of_players else VOTES}"

    def is_met(self, votes: Votes) -> bool:
        return votes.votes_for > 0 and votes.votes_for * self.whole >= self.part * self.base(votes)

    def base(self, votes: Votes) -> int:
        """How many there are of those that it counts."""
        return votes.players if self.of_players else votes.votes_for + votes.against


class _Charts(RuleCharts):
    """The table of the rule “Immutable Rules”."""

    titles = (CLASS_RULE,)
    known: ClassVar = {CLASS_RULE: (("A RULE BECOMES", "FOR", "OUT OF", "COUNTED"),)}

    @classmethod
    def shipped_texts(cls) -> Mapping[str, str]:
        return shipped_texts(FOLDER)

    @Figure
    def needs(self) -> dict[str, Need]:
        """What each class asks for that a rule comes to be of it, where the table says that."""
        table = self.tables.table(CLASS_RULE, "A RULE BECOMES")
        needs = {}
        for rule_class in CLASSES:
            if rule_class not in table.rows:
                continue
            counted = table.cell(rule_class, "COUNTED").casefold()
            if counted not in (PLAYERS, VOTES):
                where = f" under COUNTED for {rule_class}"
                raise table.unfit(counted, where, f"{PLAYERS} or {VOTES}")
            whole = table.whole(rule_class, "OUT OF", 1, _MOST)
            part = table.whole(rule_class, "FOR", 1, whole)
            needs[rule_class] = Need(part, whole, counted == PLAYERS)
        if not needs:
            raise TableBroken(f"{table} has no row.", CLASS_RULE, Lack.MISSING)
        return needs


def _charts(table: Table) -> _Charts | None:
    """The table of the rule in force on immutable rules; None where none has it."""
    texts = table.rules.texts((CLASS_RULE,))
    if not texts:
        return None
    charts = _Charts.of(texts, table.rules.earlier_texts)
    return charts if unless_broken(lambda: charts.needs, None) else None


def unread(table: Table) -> tuple[Unread, ...]:
    """The rule on immutable rules, where it is played as of an earlier version."""
    return charts.unread if (charts := _charts(table)) else ()


def bound_by_votes(table: Table, change: Change, votes: Votes | None) -> tuple[str, str]:
    """Why a rule is not transmuted by these votes, as a sentence; and where there are no `votes`
    yet, which it needs. "" for none. Raises NoSuchRule, also where no rule says that rules are
    immutable or mutable."""
    if not isinstance(change, Transmute):
        return "", ""
    if (charts := _charts(table)) is None:
        raise NoSuchRule("No rule in force says how a rule is transmuted.")
    rule, law = find(table.rules, change.rule), table.rules.find(CLASS_RULE).title
    if is_classed_elsewhere(rule):
        return f"Whether “{rule.title}” is immutable is said by rules of its own.", ""
    entry = _transmuted_in(rule)
    if votes and not change.rule_class and votes.asked_in < entry:
        since = f"“{rule.title}” was transmuted in entry {entry}, after this was proposed"
        return f"{since}, and this does not say what it is to be.", ""
    rule_class = change.rule_class or (MUTABLE if rule.is_immutable else IMMUTABLE)
    if rule_class == rule.rule_class:
        return "", ""
    need = charts.needs.get(rule_class)
    if need is None:
        return f"By “{law}” no rule becomes {rule_class}.", ""
    if votes is None:
        return "", f"That needs {need} FOR the proposal (“{law}”)."
    if need.is_met(votes):
        return "", ""
    shown = f"{votes.votes_for} of {need.base(votes)}"
    return (
        f"“{rule.title}” becomes {rule_class} with {need} FOR the proposal, and {shown} are"
        f" (“{law}”).",
        "",
    )


def immutable_since(rule: RuleText, votes: Votes | None) -> str:
    """That the rule became immutable after something was proposed, as a sentence; "" where it did
    not."""
    entry = _transmuted_in(rule) if votes and rule.is_immutable else 0
    if not votes or entry <= votes.asked_in:
        return ""
    return f" It became so in entry {entry}, after this was proposed."


def is_transmutable(table: Table, rule: RuleText) -> bool:
    """Whether a proposal may transmute that rule."""
    return _charts(table) is not None and not is_classed_elsewhere(rule)


def free_all(table: Table) -> None:
    """Let every rule be mutable where the rule that lets some be immutable was repealed."""
    bound = [
        rule for rule in table.rules.public if rule.is_immutable and not is_classed_elsewhere(rule)
    ]
    if not bound or table.rules.in_force(CLASS_RULE):
        return
    named = Q(title__iexact=CLASS_RULE) | Q(known_as__iexact=CLASS_RULE)
    if table.game.rules.filter(named, repealed_in__isnull=False, by_people=False).exists():
        for rule in bound:
            table.rules.transmute(rule.pk, MUTABLE)


def _transmuted_in(rule: RuleText) -> int:
    """The entry in which it got its class; that of its first text where it has had no other."""
    versions = RuleVersion.objects.filter(rule=rule.pk).order_by("-number")
    entry = rule.enacted_in
    for rule_class, enacted_in in versions.values_list("rule_class", "enacted_in"):
        if rule_class != rule.rule_class:
            break
        entry = enacted_in
    return entry
