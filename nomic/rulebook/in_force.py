"""The rules in force as the program keeps them in mind, found by title, number and old title."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Self

from nomic.infrastructure.caching.memory import memoized
from nomic.rulebook.judged import JudgedPassage, played_text
from nomic.rulebook.passages import Settled, pieces_in

type _Index = dict[tuple[bool, str], int]


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule in force, as the machinery reads it.

    `parent` is the title of the rule of which it is a subrule, `parent_pk` its key. `known_as` is
    the title that it had before it was ever retitled, by which the machinery knows it still.
    `enacted_in` is the entry of its first text; `settled` is what officers have found of passages
    that the machinery does not fit, by their keys, `judged` the passages, by their keys, that are
    played as a judgement has it. `switched_off` is the entry since which nothing
    of its program runs, 0 where it does. `began_as` is its text as the game began, "" for one that
    came later. What is kept `by_people` the machinery plays by nowhere, whatever its title is.
    """

    pk: int
    title: str
    text: str
    version: int
    played_as: int
    visibility: str = "public"
    number: str = ""
    parent: str = ""
    known_as: str = ""
    parent_pk: int = 0
    rule_class: str = "mutable"
    origin: str = ""
    enacted_in: int = 0
    switched_off: int = 0
    settled: Mapping[str, Settled] = field(default_factory=dict)
    judged: Mapping[str, JudgedPassage] = field(default_factory=dict)
    power: Decimal | None = None
    began_as: str = ""
    by_people: bool = False

    @property
    def played(self) -> str:
        """Its text as the machinery plays it: as it reads, but for what was judged otherwise."""
        return played_text(self.text, self.judged) if self.judged else self.text

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.visibility == "public"

    @property
    def is_immutable(self) -> bool:
        """Whether it has to be transmuted before it is changed."""
        return self.rule_class == "immutable"

    @property
    def is_played_otherwise(self) -> bool:
        """Whether more than its tables was ever amended."""
        return self.played_as != self.version


@memoized(share=0.01)
def name_key(name: str) -> str:
    """The form in which titles and numbers are compared: without regard to case and composition.

    No two names that the database takes for the same differ in it.
    """
    folded = unicodedata.normalize("NFC", name).casefold().replace("i\u0307", "i")
    return unicodedata.normalize("NFC", folded)


def may_carry_program(text: str) -> bool:
    """Whether a program may stand in a rule's text: of some that have none as well, since what a
    program is, is known to the engine alone, which stands above the rulebook."""
    return "python" in text


class RulesInForce:
    """Rules in the rulebook's order.

    Public rules share no title and no number with each other, and hidden ones none; a public one
    may have those of a hidden one, so that nobody learns them by trying. A question that does not
    say which are meant is answered with the public one first. Those that are kept by people may
    share a title; the machinery knows none of them by it.
    """

    def __init__(self, rules: Iterable[RuleText] = ()) -> None:
        self._rules: dict[int, RuleText] = {}
        self._titles: _Index = {}
        self._numbers: _Index = {}
        self._old_titles: _Index = {}
        self._of_people: dict[str, tuple[int, ...]] = {}
        self.public = 0  # how many rules everybody may read, of how many characters and pieces
        self.characters = 0
        self.pieces = 0
        for rule in rules:
            self.put(rule)

    def __iter__(self) -> Iterator[RuleText]:
        return iter(self._rules.values())

    def copy(self) -> Self:
        """The same rules, to be changed apart from these."""
        twin = copy(self)
        vars(twin).update({name: copy(index) for name, index in vars(self).items()})
        return twin

    def by_pk(self, pk: int) -> RuleText | None:
        """The rule with this database key, None where it is not in force."""
        return self._rules.get(pk)

    def known(self, title: str) -> RuleText | None:
        """The rule that has this title, or else the one that had it at first; the public one first.

        Every action asks several times, so this takes one call.
        """
        key = name_key(title)
        for index in (self._titles, self._old_titles):
            pk = index.get((True, key)) or index.get((False, key))
            if pk is not None:
                return self._rules[pk]
        return None

    def titled(self, title: str, *, public: bool | None = None) -> RuleText | None:
        """The rule that has this title, the public one first unless `public` tells; or None."""
        return self._at(self._titles, title, public)

    def all_titled(self, title: str) -> list[RuleText]:
        """The public rules that have this title: one, or several that are kept by people."""
        key = name_key(title)
        sole = self._titles.get((True, key))
        pks = (*([] if sole is None else [sole]), *self._of_people.get(key, ()))
        return [self._rules[pk] for pk in pks]

    def numbered(self, number: str, *, public: bool | None = None) -> RuleText | None:
        """The rule that has this number, found as `titled` does it; or None."""
        return self._at(self._numbers, number, public)

    def once_titled(self, title: str, *, public: bool | None = None) -> RuleText | None:
        """The rule that had this title before it was ever retitled."""
        return self._at(self._old_titles, title, public)

    def under(self, rule: RuleText) -> list[RuleText]:
        """The rule's own subrules."""
        return [child for child in self if child.parent_pk == rule.pk]

    def with_all_under(self, rule: RuleText) -> list[RuleText]:
        """The rule, its subrules, theirs and so on."""
        family = [rule]
        for member in family:
            family += self.under(member)
        return family

    def put(self, rule: RuleText) -> None:
        """Keep the rule as it is now; its subrules learn its new title."""
        before = self._rules.get(rule.pk)
        if before is not None:
            self._forget_names(before)
            self._count(before, -1)
            if before.title != rule.title:
                for child in self.under(before):
                    self._rules[child.pk] = replace(child, parent=rule.title)
        self._rules[rule.pk] = rule
        self._count(rule, 1)
        for index, name in self._names(rule):
            index[rule.is_public, name_key(name)] = rule.pk
        if rule.by_people:
            key = name_key(rule.title)
            self._of_people[key] = (*self._of_people.get(key, ()), rule.pk)

    def drop(self, rule: RuleText) -> None:
        """Leave the rule out, which is in force no longer. Raises KeyError where it was not."""
        gone = self._rules.pop(rule.pk)
        self._count(gone, -1)
        self._forget_names(gone)

    def _count(self, rule: RuleText, way: int) -> None:
        if rule.is_public:
            self.public += way
            self.characters += way * len(rule.text)
            self.pieces += way * pieces_in(rule.text)

    def _at(self, index: _Index, name: str, public: bool | None) -> RuleText | None:
        key = name_key(name)
        for kind in (True, False) if public is None else (public,):
            pk = index.get((kind, key))
            if pk is not None:
                return self._rules[pk]
        return None

    def _names(self, rule: RuleText) -> Iterator[tuple[_Index, str]]:
        if not rule.by_people:
            yield self._titles, rule.title
        if rule.number:
            yield self._numbers, rule.number
        if rule.known_as:
            yield self._old_titles, rule.known_as

    def _forget_names(self, rule: RuleText) -> None:
        for index, name in self._names(rule):
            place = rule.is_public, name_key(name)
            if index.get(place) == rule.pk:
                del index[place]
        if rule.by_people:
            key = name_key(rule.title)
            self._of_people[key] = tuple(pk for pk in self._of_people[key] if pk != rule.pk)
