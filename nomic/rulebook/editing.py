"""How the rules in force change, whether they are a game's or stand on paper. No Django here."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nomic.games.wording import enumerated
from nomic.rulebook.edits.parts import straight
from nomic.rulebook.in_force import RulesInForce, RuleText, name_key
from nomic.rulebook.limits import (
    CLASS_RULE,
    CLASSES,
    NoSuchRule,
    RuleExists,
    RuleIsHidden,
    RuleIsImmutable,
    check_text,
    checked_number,
    checked_power,
    checked_title,
    short,
)

_NAMES = ("title", "number", "known_as")
_PLACE = re.compile(r"(.+) \(([1-9][0-9]{0,3})\)")


class EditableRules(ABC):
    """Rules in force and the ways in which they change.

    Where a title names a rule, its key may stand instead: a title means the public rule first, and
    a key that one rule.
    """

    gone_through = 0  # characters of rules' texts, by changes of passages

    @property
    def shares_titles(self) -> bool:
        """Whether several rules may have one title, since people keep them by their numbers."""
        return False

    @property
    def has_classes(self) -> bool:
        """Whether rules are immutable or mutable here."""
        return self._rules().known(CLASS_RULE) is not None

    @abstractmethod
    def _rules(self) -> RulesInForce:
        """The rules as they are now."""

    @abstractmethod
    def _add(self, parent: RuleText | None, **facts: Any) -> RuleText:
        """Keep a new rule of these facts, perhaps under another."""

    @abstractmethod
    def _store(self, rule: RuleText, *fields: str) -> None:
        """Keep a rule that has changed, in these fields beside its text."""

    def _store_names(self, rule: RuleText, before: RuleText) -> None:
        self._store(rule, *(n for n in _NAMES if getattr(rule, n) != getattr(before, n)))

    def _drop(self, gone: Sequence[RuleText]) -> None:
        """Let these rules be in force no longer."""
        rules = self._rules()
        for rule in gone:
            rules.drop(rule)

    def _reword(self, rule: RuleText, amended: RuleText) -> RuleText:
        """The amended rule with the version that it then has."""
        return replace(amended, version=rule.version + 1)

    def too_much(self, *texts: tuple[str, RuleText | None]) -> str:
        """Why there is no room for these texts together, each for that rule or for a new one, as a
        sentence; "" where there is. On paper there always is."""
        return ""

    def next_number(self) -> str:
        """The number of a new rule that comes without one; "" where rules have none. On paper who
        keeps them gives it."""
        return ""

    @property
    def public(self) -> list[RuleText]:
        """The public rules in force, in the rulebook's order."""
        return [rule for rule in self._rules() if rule.is_public]

    def find(self, title: str | int) -> RuleText:
        """The rule of that title, or else the one that had it at first, or the one with that key;
        raises NoSuchRule."""
        if isinstance(title, int):
            rule, called = self._rules().by_pk(title), f"with the key {title}"
        else:
            rule, called = self._rules().known(title), f"“{short(title)}”"
        if rule is None:
            raise NoSuchRule(f"No rule {called} is in force.")
        return rule

    def find_rule(self, title: str = "", number: str = "") -> RuleText:
        """The public rule that players mean by a title, a number or both.

        What stands in the title's place may be a number. Raises NoSuchRule, also where title and
        number are those of two rules, and where several are meant by a title.
        """
        rules = self._rules()
        by_number = rules.numbered(number, public=True) if number else None
        titled = rules.all_titled(title) if title else []
        if title and not titled:  # the one with it in other quotes
            plain = name_key(straight(title))
            alike = [rule for rule in self.public if name_key(straight(rule.title)) == plain]
            titled = alike if len(alike) == 1 else []
        if number and by_number is None:
            raise NoSuchRule(f"No rule has the number {short(number)}.")
        if by_number and title and by_number not in titled:
            raise NoSuchRule(
                f"Rule {by_number.number} is “{by_number.title}”, and not “{short(title)}”."
            )
        if title and not titled:
            by_number = rules.numbered(title, public=True)
            if by_number is None and (placed := _PLACE.fullmatch(title)):  # as `called` names it
                by_number = next(iter(rules.all_titled(placed[1])[int(placed[2]) - 1 :]), None)
        if len(titled) > 1 and by_number is None:
            numbers = enumerated([twin.number for twin in titled if twin.number])
            which = f": Rules {numbers}. Say which by its number." if numbers else "."
            raise NoSuchRule(f"{len(titled)} rules have the title “{short(title)}”{which}")
        meant = by_number or next(iter(titled), None)
        if meant is None:
            once = rules.once_titled(title, public=True)
            now = f" The rule that had this title is now “{once.title}”." if once else ""
            raise NoSuchRule(f"No rule “{short(title)}” is in force.{now}")
        return meant

    def called(self, rule: RuleText) -> str:
        """The name that tells a public rule from others, by which `find_rule` finds it: its title,
        where no other has it, else its number, or where it has none its title and its place among
        those of that title."""
        titled = self._rules().all_titled(rule.title)
        if len(titled) < 2:
            return rule.title
        return rule.number or f"{rule.title} ({titled.index(rule) + 1})"

    def free_title(self, title: str, of: RuleText | None = None, *, public: bool = True) -> str:
        """The title as it is kept; raises BadRule, and RuleExists where it is another rule's."""
        title = checked_title(title)
        if self.shares_titles and (of is None or of.by_people):
            return title
        holder = self._rules().titled(title, public=public)
        if holder is not None and (of is None or holder.pk != of.pk):
            raise RuleExists(f"A rule “{title}” is in force already.")
        return title

    def free_number(self, number: str, of: RuleText | None = None, *, public: bool = True) -> str:
        """The number as it is kept; raises BadRule, and RuleExists where it is another rule's."""
        number = checked_number(number)
        holder = self._rules().numbered(number, public=public) if number else None
        if holder is not None and (of is None or holder.pk != of.pk):
            raise RuleExists(f"Rule {number} is in force already: it is “{holder.title}”.")
        return number

    def enact(
        self,
        title: str,
        text: str,
        *,
        number: str = "",
        power: str = "",
        parent: RuleText | None = None,
        **facts: Any,
    ) -> RuleText:
        """Add a rule, perhaps under another, and return it.

        `facts` are further fields of a game's rule (visibility, rule_class, origin). Raises
        RuleExists where a rule of that title or number is in force, BadRule.
        """
        is_public = facts.get("visibility", "public") == "public"
        facts["title"] = self.free_title(title, public=is_public)
        facts["number"] = self.free_number(number, public=is_public)
        facts["power"] = checked_power(power)
        check_text(text)
        return self._add(parent, text=text, **facts)

    def amend(self, title: str | int, text: str, *, new_title: str = "") -> RuleText:
        """Give a rule a new text, and perhaps a new title; returns it as it is then.

        By its first title the machinery finds the rule still, unless another rule takes that title.

        Raises NoSuchRule, RuleExists, BadRule, RuleIsImmutable, RuleIsHidden.
        """
        rule = self._mutable(title)
        if not rule.is_public:
            raise RuleIsHidden
        if new_title:
            new_title = self.free_title(new_title, rule)
        check_text(text)
        is_retitled = bool(new_title) and name_key(new_title) != name_key(rule.title)
        known_as = rule.known_as
        if is_retitled and not rule.by_people:
            known_as = rule.known_as or rule.title
            namesake = self._rules().once_titled(known_as, public=rule.is_public)
            if namesake is not None and namesake.pk != rule.pk:
                self._store(replace(namesake, known_as=""), "known_as")
        amended = replace(rule, title=new_title or rule.title, known_as=known_as, text=text)
        amended = self._reword(rule, amended)
        self._store_names(amended, rule)
        return amended

    def retitle(self, title: str | int, new_title: str) -> RuleText:
        """Give a rule another title; its text stays. Raises what `amend` raises."""
        rule = self.find(title)
        checked_title(new_title)
        return self.amend(rule.pk, rule.text, new_title=new_title)

    def renumber(self, title: str | int, number: str) -> RuleText:
        """Give a rule another number, or none: "". Its text stays, so that is no new version.

        Raises NoSuchRule, RuleExists, BadRule, RuleIsImmutable.
        """
        rule = self._mutable(title)
        number = self.free_number(number, rule, public=rule.is_public)
        renumbered = replace(rule, number=number)
        self._store(renumbered, "number")
        return renumbered

    def repeal(self, title: str | int) -> list[RuleText]:
        """Take a rule and all subrules under it out of force; their versions stay.

        Returns them as they were, the rule first. Raises NoSuchRule, RuleIsImmutable.
        """
        rule = self.find(title)
        if self.holds_immutable(rule):
            raise RuleIsImmutable(rule)
        gone = self._rules().with_all_under(rule)
        self._drop(gone)
        return gone

    def holds_immutable(self, rule: RuleText) -> bool:
        """Whether the rule or one under it is immutable."""
        return any(member.is_immutable for member in self._rules().with_all_under(rule))

    def set_power(self, title: str | int, power: str) -> RuleText:
        """Give a rule another power; its text stays, so that is no new version.

        Raises NoSuchRule, BadRule, RuleIsImmutable.
        """
        empowered = replace(self._mutable(title), power=checked_power(power))
        self._store(empowered, "power")
        return empowered

    def transmute(self, title: str | int, rule_class: str) -> RuleText:
        """Make a rule mutable or immutable; a public one has a version by it. Raises NoSuchRule,
        and ValueError for any other class. For rules that say by what this is done."""
        rule = self.find(title)
        if rule_class not in CLASSES:
            raise ValueError(f"{rule_class} is no class of rules.")
        transmuted = replace(rule, rule_class=str(rule_class))
        if rule.is_public and transmuted != rule:
            transmuted = self._reword(rule, transmuted)
        self._store(transmuted, "rule_class")
        return transmuted

    def _mutable(self, title: str | int) -> RuleText:
        """The rule of that title or key, to be changed; raises NoSuchRule, RuleIsImmutable."""
        rule = self.find(title)
        if rule.is_immutable:
            raise RuleIsImmutable(rule)
        return rule
