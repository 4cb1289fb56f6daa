"""The rulebook of one locked game: what is in force, and the ways in which it changes."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import Max

from nomic.games.models import Game
from nomic.rulebook.models import Rule, RuleVersion
from nomic.rulebook.prose import prose
from nomic.rulebook.tables import Chart, TableBroken, find_table

_SHELF_SIZE = 256
_find_table = lru_cache(maxsize=1024)(find_table)


class NoSuchRule(LookupError):
    """No rule of that title is in force."""


class RuleExists(ValueError):
    """A rule of that title is in force already."""


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule in force, as the machinery reads it."""

    pk: int
    title: str
    text: str
    version: int
    played_as: int
    is_public: bool

    @property
    def is_played_otherwise(self) -> bool:
        """Whether the prose was amended and no officer has confirmed the machinery since."""
        return self.played_as != self.version


class _Shelf:
    """Texts of committed rulebooks by game and the entry that last changed them.

    A rulebook never changes without a new entry, so what stands here is never out of date.
    """

    def __init__(self) -> None:
        self._books: OrderedDict[tuple[int, int], dict[str, RuleText]] = OrderedDict()

    def get(self, game: Game) -> dict[str, RuleText]:
        place = (game.pk, game.rulebook_at)
        book = self._books.get(place)
        if book is None:  # another thread may push it off again at once, so it is kept in hand
            book = self._books[place] = read_rules(game)
            while len(self._books) > _SHELF_SIZE:
                self._books.popitem(last=False)
        return book


_shelf = _Shelf()


def read_rules(game: Game) -> dict[str, RuleText]:
    """The rules in force by their titles in lower case, straight from the database."""
    rows = Rule.objects.filter(game=game, repealed_in__isnull=True)
    return {
        rule.title.casefold(): RuleText(
            rule.pk,
            rule.title,
            rule.text,
            rule.version,
            rule.played_as,
            rule.visibility == "public",
        )
        for rule in rows
    }


class Rulebook:
    """What the rules say now; every change is a version that names the entry being made."""

    def __init__(self, game: Game, entry: int | None) -> None:
        self._game = game
        self._entry = entry
        self._own: dict[str, RuleText] | None = None

    @property
    def changed(self) -> bool:
        """Whether the entry that is being made has changed the rulebook."""
        return self._own is not None

    def in_force(self, *titles: str) -> bool:
        """Whether rules of all of these titles are in force."""
        rules = self._rules()
        return all(title.casefold() in rules for title in titles)

    @property
    def public(self) -> list[RuleText]:
        """The public rules in force, in the rulebook's order."""
        return [rule for rule in self._rules().values() if rule.is_public]

    def find(self, title: str) -> RuleText:
        """The rule of that title; raises NoSuchRule."""
        try:
            return self._rules()[title.casefold()]
        except KeyError:
            raise NoSuchRule(f"No rule “{title}” is in force.") from None

    def text(self, title: str) -> str:
        """The current text of that rule; raises NoSuchRule."""
        return self.find(title).text

    def table(self, title: str, *columns: str) -> Chart | None:
        """The table with those columns in the rule's current text, None where it has none.

        Raises NoSuchRule, and TableBroken with the rule's title where it cannot be read.
        """
        try:
            return _find_table(self.text(title), *columns)
        except TableBroken as broken:
            raise TableBroken(f"in the rule “{title}”: {broken.sentence}") from None

    def enact(self, title: str, text: str, **facts: Any) -> Rule:
        """Add a rule. `facts` are fields of Rule (number, parent, origin …).

        Raises RuleExists where a rule of that title is in force.
        """
        if self.in_force(title):
            raise RuleExists(f"A rule “{title}” is in force already.")
        last = Rule.objects.filter(game=self._game).aggregate(last=Max("position"))["last"]
        rule = Rule.objects.create(
            game=self._game,
            title=title,
            text=text,
            enacted_in=self._writing(),
            position=(last or 0) + 1,
            **facts,
        )
        self._write_version(rule)
        return rule

    def amend(self, title: str, text: str, *, new_title: str = "") -> Rule:
        """Give a rule a new text, and perhaps a new title; raises NoSuchRule, RuleExists.

        Where only tables changed, the machinery is known to fit: it plays by the tables.
        """
        rule = Rule.objects.get(pk=self.find(title).pk)
        if new_title and new_title.casefold() != title.casefold() and self.in_force(new_title):
            raise RuleExists(f"A rule “{new_title}” is in force already.")
        only_tables = prose(rule.text) == prose(text) and not rule.is_played_otherwise
        rule.title = new_title or rule.title
        rule.text = text
        rule.version += 1
        if only_tables:
            rule.played_as = rule.version
        rule.save(update_fields=["title", "text", "version", "played_as"])
        self._write_version(rule)
        return rule

    def repeal(self, title: str) -> Rule:
        """Take a rule out of force; its versions stay. Raises NoSuchRule."""
        rule = Rule.objects.get(pk=self.find(title).pk)
        rule.repealed_in = self._writing()
        rule.save(update_fields=["repealed_in"])
        self._own = read_rules(self._game)
        return rule

    def confirm(self, title: str) -> Rule:
        """State that the machinery fits the rule's current text; raises NoSuchRule."""
        rule = Rule.objects.get(pk=self.find(title).pk)
        rule.played_as = rule.version
        rule.save(update_fields=["played_as"])
        self._own = read_rules(self._game)
        return rule

    def _rules(self) -> dict[str, RuleText]:
        return _shelf.get(self._game) if self._own is None else self._own

    def _writing(self) -> int:
        if self._entry is None:
            raise RuntimeError("This rulebook is open to be read only.")
        return self._entry

    def _write_version(self, rule: Rule) -> None:
        RuleVersion.objects.create(
            rule=rule,
            number=rule.version,
            title=rule.title,
            text=rule.text,
            enacted_in=self._writing(),
        )
        self._own = read_rules(self._game)
