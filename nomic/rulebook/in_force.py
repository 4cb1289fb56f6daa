"""The rules in force as the program keeps them in mind, found by title, number and old title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule in force, as the machinery reads it.

    `parent` is the title of the rule of which it is a subrule. `known_as` is the title that it
    had before it was ever retitled, and by which the machinery knows it still.
    """

    pk: int
    title: str
    text: str
    version: int
    played_as: int
    is_public: bool
    number: str = ""
    parent: str = ""
    known_as: str = ""

    @property
    def is_played_otherwise(self) -> bool:
        """Whether the prose was amended and no officer has confirmed the machinery since."""
        return self.played_as != self.version


def name_key(name: str) -> str:
    """The form in which titles and numbers are compared: without regard to case.

    No two names that the database takes for the same differ in it.
    """
    return name.casefold().replace("i\u0307", "i")


class RulesInForce:
    """Rules in the rulebook's order."""

    def __init__(self, rules: Iterable[RuleText] = ()) -> None:
        self._rules: dict[int, RuleText] = {}
        self._titles: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._old_titles: dict[str, int] = {}
        for rule in rules:
            self.put(rule)

    def __iter__(self) -> Iterator[RuleText]:
        return iter(self._rules.values())

    def copy(self) -> RulesInForce:
        """The same rules, to be changed apart from these."""
        twin = RulesInForce()
        twin._rules = self._rules.copy()
        twin._titles = self._titles.copy()
        twin._numbers = self._numbers.copy()
        twin._old_titles = self._old_titles.copy()
        return twin

    def titled(self, title: str) -> RuleText | None:
        """The rule that has this title."""
        return self._at(self._titles, title)

    def numbered(self, number: str) -> RuleText | None:
        """The rule that has this number."""
        return self._at(self._numbers, number)

    def once_titled(self, title: str) -> RuleText | None:
        """The rule that had this title before it was ever retitled."""
        return self._at(self._old_titles, title)

    def under(self, rule: RuleText) -> list[RuleText]:
        """The rule's own subrules."""
        return [each for each in self if each.parent == rule.title]

    def with_all_under(self, rule: RuleText) -> list[RuleText]:
        """The rule, its subrules, theirs and so on."""
        found = [rule]
        for each in found:
            found += self.under(each)
        return found

    def put(self, rule: RuleText) -> None:
        """Keep the rule as it is now; its subrules learn its new title."""
        before = self._rules.get(rule.pk)
        if before is not None:
            self._forget_names(before)
            if before.title != rule.title:
                for child in self.under(before):
                    self._rules[child.pk] = replace(child, parent=rule.title)
        self._rules[rule.pk] = rule
        self._titles[name_key(rule.title)] = rule.pk
        if rule.number:
            self._numbers[name_key(rule.number)] = rule.pk
        if rule.known_as:
            self._old_titles[name_key(rule.known_as)] = rule.pk

    def drop(self, rule: RuleText) -> None:
        """The rule is in force no longer."""
        self._forget_names(self._rules.pop(rule.pk))

    def _at(self, index: dict[str, int], name: str) -> RuleText | None:
        pk = index.get(name_key(name))
        return None if pk is None else self._rules[pk]

    def _forget_names(self, rule: RuleText) -> None:
        self._titles.pop(name_key(rule.title), None)
        self._numbers.pop(name_key(rule.number), None)
        if self._old_titles.get(name_key(rule.known_as)) == rule.pk:
            del self._old_titles[name_key(rule.known_as)]
