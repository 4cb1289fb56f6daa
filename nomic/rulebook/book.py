"""The rulebook of one locked game: what is in force, and the ways in which it changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any

from django.db.models import Max

from nomic.games.models import Game
from nomic.rulebook.errors import NoSuchRule, RuleIsHidden, RuleIsImmutable
from nomic.rulebook.finding import find_rule, free_number, free_title, short
from nomic.rulebook.in_force import RulesInForce, RuleText, name_key
from nomic.rulebook.limits import check_text, checked_power, checked_title
from nomic.rulebook.models import Rule, RuleClass, RuleVersion, Visibility, describe_versions
from nomic.rulebook.passages import Settled
from nomic.rulebook.prose import prose
from nomic.rulebook.tables import Chart, TableBroken, find_table
from nomic.rulebook.text_cache import SHELF, as_text

_NAMES = ("title", "number", "known_as")
_TEXTS = ("text", "version", "played_as")
_find_table = lru_cache(maxsize=1024)(find_table)


@dataclass(frozen=True, slots=True)
class _Rewording:
    """A rule that gets a version: as the database has it, and as the entry being made leaves it."""

    row: RuleText
    now: RuleText
    is_new: bool = False


class Rulebook:
    """What the rules say now; what an entry changes of a rule is one version that names the entry.

    Titles and numbers of public rules are told apart from those of hidden ones, and an answer to a
    player never depends on a hidden one. Where a title names a rule, its key may stand instead: a
    title means the public rule first, and a key that one rule. `changes` counts the changes that
    the entry being made has made.
    """

    def __init__(self, game: Game, entry: int | None, own: RulesInForce | None = None) -> None:
        self._game = game
        self._entry = entry
        self._read = own  # once it was asked for, what the database has
        self.changed = own is not None  # by the entry that is being made
        self._reworded: dict[int, _Rewording] = {}
        self._written: list[RuleText] = []
        self._last_position: int | None = None
        self.changes = 0

    # Reading

    def in_force(self, *titles: str) -> bool:
        """Whether rules that have, or had at first, all of these titles are in force."""
        return all(map(self._rules().known, titles))

    @property
    def public(self) -> list[RuleText]:
        """The public rules in force, in the rulebook's order."""
        return [rule for rule in self._rules() if rule.is_public]

    def of_origin(self, app: str) -> list[RuleText]:
        """The rules in force that this app has shipped or enacted, hidden ones as well."""
        return [rule for rule in self._rules() if rule.origin == app]

    def find(self, title: str | int) -> RuleText:
        """The rule of that title, or else the one that had it at first; raises NoSuchRule."""
        if isinstance(title, int):
            return self.by_pk(title)
        rule = self._rules().known(title)
        if rule is None:
            raise NoSuchRule(f"No rule “{short(title)}” is in force.")
        return rule

    def by_pk(self, pk: int) -> RuleText:
        """The rule in force that has this key, be it hidden; raises NoSuchRule."""
        rule = self._rules().by_pk(pk)
        if rule is None:
            raise NoSuchRule(f"No rule with the key {pk} is in force.")
        return rule

    def find_rule(self, title: str = "", number: str = "") -> RuleText:
        """The public rule that players mean by a title, a number or both.

        The title may be a number. Raises NoSuchRule, also where both are those of two rules.
        """
        return find_rule(self._rules(), title, number)

    def look_alikes(self) -> list[tuple[str, ...]]:
        """The titles of public rules that the eye takes for one another, together."""
        return self._rules().look_alikes()

    def text(self, title: str | int) -> str:
        """The current text of that rule; raises NoSuchRule."""
        return self.find(title).text

    def texts(self, titles: Iterable[str]) -> dict[str, str]:
        """The current texts of those of these rules that are in force, by these titles."""
        known = self._rules().known
        return {title: rule.text for title in titles if (rule := known(title)) is not None}

    def table(self, title: str, *columns: str) -> Chart | None:
        """The table with those columns in the rule's current text, None where it has none.

        Raises NoSuchRule, and TableBroken with the rule's title where it cannot be read.
        """
        try:
            return _find_table(self.text(title), *columns)
        except TableBroken as broken:
            raise TableBroken(f"in the rule “{title}”: {broken.sentence}") from None

    # Changing

    def enact(
        self, title: str, text: str, *, parent: Rule | RuleText | None = None, **facts: Any
    ) -> Rule:
        """Add a rule. `facts` are further fields of Rule (number, rule_class, visibility …).

        Raises RuleExists where a rule of that title or number is in force, BadRule.
        """
        is_public = Visibility(facts.get("visibility", Visibility.PUBLIC)) is Visibility.PUBLIC
        title = free_title(self._rules(), title, public=is_public)
        number = facts.get("number", "")
        facts["number"] = free_number(self._rules(), number, public=is_public)
        facts["power"] = checked_power(facts.get("power", ""))
        check_text(text)
        rule = Rule.objects.create(
            game=self._game,
            title=title,
            text=text,
            parent_id=parent.pk if parent else None,
            enacted_in=self._writing(),
            position=self._next_position(),
            **facts,
        )
        enacted = as_text(rule, parent.title if parent else "")
        self._reworded[rule.pk] = _Rewording(enacted, enacted, is_new=True)
        self._book().put(enacted)
        return rule

    def amend(self, title: str | int, text: str, *, new_title: str = "") -> RuleText:
        """Give a rule a new text, and perhaps a new title; returns it as it is then.

        Where only tables changed, the machinery is known to fit: it plays by the tables. By its
        first title the machinery finds the rule still, unless another rule takes that title.

        Raises NoSuchRule, RuleExists, BadRule, RuleIsImmutable, RuleIsHidden.
        """
        rule = self._mutable(title)
        if not rule.is_public:
            raise RuleIsHidden
        if new_title:
            new_title = free_title(self._rules(), new_title, rule)
        check_text(text)
        is_retitled = bool(new_title) and name_key(new_title) != name_key(rule.title)
        amended = replace(
            rule,
            title=new_title or rule.title,
            known_as=self._first_title(rule) if is_retitled else rule.known_as,
            text=text,
        )
        rewording = self._reworded.setdefault(rule.pk, _Rewording(rule, rule))
        if not rewording.is_new:
            before = rewording.row
            version = before.version + 1
            only_tables = prose(before.text) == prose(text) and not before.is_played_otherwise
            played_as = version if only_tables else before.played_as
            amended = replace(amended, version=version, played_as=played_as)
        self._store(
            amended, *(name for name in _NAMES if getattr(amended, name) != getattr(rule, name))
        )
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
        number = free_number(self._rules(), number, rule, public=rule.is_public)
        renumbered = replace(rule, number=number)
        self._store(renumbered, "number")
        return renumbered

    def repeal(self, title: str | int) -> list[RuleText]:
        """Take a rule and all subrules under it out of force; their versions stay.

        Returns them as they were, the rule first. Raises NoSuchRule, RuleIsImmutable.
        """
        rule = self._mutable(title)
        gone = self._rules().with_all_under(rule)
        if any(each.is_immutable for each in gone):
            raise RuleIsImmutable(rule)
        Rule.objects.filter(pk__in=[rule.pk for rule in gone]).update(repealed_in=self._writing())
        book = self._book()
        for rule in gone:
            book.drop(rule)
        return gone

    def set_power(self, title: str | int, power: str) -> RuleText:
        """Give a rule another power; its text stays, so that is no new version.

        Raises NoSuchRule, BadRule, RuleIsImmutable.
        """
        empowered = replace(self._mutable(title), power=checked_power(power))
        self._store(empowered, "power")
        return empowered

    def transmute(self, title: str | int, rule_class: str) -> RuleText:
        """Make a rule mutable or immutable; raises NoSuchRule. For a subgame whose rules say so."""
        transmuted = replace(self.find(title), rule_class=RuleClass(rule_class).value)
        self._store(transmuted, "rule_class")
        return transmuted

    def disclose(self, title: str | int, visibility: str = Visibility.PUBLIC) -> RuleText:
        """Let a secret rule be private, or a hidden one public, from the entry being made on.

        A key may be that of a repealed rule. Raises NoSuchRule where no hidden rule is so called,
        RuleExists where a public one has its title or number, ValueError where it is that open.
        """
        rule = self._hidden(title)
        asked = Visibility(visibility)
        if asked.openness <= Visibility(rule.visibility).openness:
            raise ValueError(f"The rule is {rule.visibility} already.")
        is_public = asked is Visibility.PUBLIC
        is_in_force = self._rules().by_pk(rule.pk) is not None
        if is_public and is_in_force:
            free_title(self._rules(), rule.title)
            free_number(self._rules(), rule.number)
        entry = self._writing()
        disclosed = replace(rule, visibility=asked.value)
        Rule.objects.filter(pk=rule.pk).update(
            visibility=disclosed.visibility, disclosed_in=entry if is_public else None
        )
        if is_in_force and is_public:
            self._store(disclosed)
        elif is_in_force:  # no machinery plays by who may read a rule that stays hidden
            self._copied().put(disclosed)
        return disclosed

    def disclose_several(self, keys: Iterable[int]) -> None:
        """Make these rules public where they are hidden, repealed ones as well; one statement but
        for those whose title or number a public rule has."""
        found = list(keys)
        for rule in filter(None, map(self._rules().by_pk, found)):
            if rule.is_public:
                continue
            shown = _as_disclosed(rule, self._rules())
            if shown.title != rule.title:
                self._reworded[rule.pk] = _Rewording(rule, shown)
            self._store(shown, *(n for n in _NAMES if getattr(shown, n) != getattr(rule, n)))
        hidden = Rule.objects.filter(game=self._game, pk__in=found)
        hidden.exclude(visibility=Visibility.PUBLIC).update(
            visibility=Visibility.PUBLIC, disclosed_in=self._writing()
        )

    def settle(self, title: str | int, settled: Mapping[str, Settled]) -> None:
        """Keep what officers have found of a rule's passages, by their keys; raises NoSuchRule."""
        rule = replace(self.find(title), settled=dict(settled))
        facts = {key: asdict(found) for key, found in settled.items()}
        Rule.objects.filter(pk=rule.pk).update(settled=facts)
        self._store(rule)

    def confirm(self, title: str | int) -> RuleText:
        """State that the machinery fits the rule's current text; raises NoSuchRule."""
        rule = self.find(title)
        self._store(replace(rule, played_as=rule.version), "played_as")
        return self.find(rule.pk)

    def write_versions(self) -> None:
        """Keep the texts that the entry being made has given to rules, a version of each.

        `Table.write` does this at the end. Who looks for the versions before that asks for it.
        """
        reworded, self._reworded = list(self._reworded.values()), {}
        for each in reworded:
            fields = {name: getattr(each.now, name) for name in _TEXTS}
            if any(own != getattr(each.row, name) for name, own in fields.items()):
                Rule.objects.filter(pk=each.now.pk).update(**fields)
        RuleVersion.objects.bulk_create(
            RuleVersion(
                rule_id=each.now.pk,
                number=each.now.version,
                title=each.now.title,
                text=each.now.text,
                enacted_in=self._writing(),
            )
            for each in reworded
        )
        self._written += [each.now for each in reworded]

    def effects(self) -> list[tuple[bool, dict[str, Any]]]:
        """The versions that the entry being made has written: whether everybody may read each, and
        what the entry's effects tell of it."""
        written, self._written = self._written, []
        return describe_versions(written)

    # Inside

    def _rules(self) -> RulesInForce:
        if self._read is None:
            self._read = SHELF.get(self._game)
        return self._read

    def _book(self) -> RulesInForce:
        """The rules as the entry being made has left them, to note one more change."""
        self.changes += 1
        return self._copied()

    def _copied(self) -> RulesInForce:
        if not self.changed:
            self._read, self.changed = self._rules().copy(), True
        return self._rules()

    def _mutable(self, title: str | int) -> RuleText:
        """The rule of that title or key, to be changed; raises NoSuchRule, RuleIsImmutable."""
        rule = self.find(title)
        if rule.is_immutable:
            raise RuleIsImmutable(rule)
        return rule

    def _hidden(self, title: str | int) -> RuleText:
        """The hidden rule of that title, or of that key, be it repealed; raises NoSuchRule."""
        if isinstance(title, str):
            found = self._rules().titled(title, public=False)
        else:
            row = Rule.objects.filter(game=self._game, pk=title).first()
            found = self._rules().by_pk(title) or (as_text(row, "") if row else None)
        if found is None or found.is_public:
            raise NoSuchRule(f"No hidden rule “{short(str(title))}” is there to be disclosed.")
        return found

    def _first_title(self, rule: RuleText) -> str:
        """The title that a retitled rule stays known by, taken from whichever rule had it."""
        title = rule.known_as or rule.title
        other = self._rules().once_titled(title, public=rule.is_public)
        if other is not None and other.pk != rule.pk:
            self._store(replace(other, known_as=""), "known_as")
        return title

    def _next_position(self) -> int:
        if self._last_position is None:
            last = Rule.objects.filter(game=self._game).aggregate(last=Max("position"))["last"]
            self._last_position = last or 0
        self._last_position += 1
        return self._last_position

    def _writing(self) -> int:
        if self._entry is None:
            raise RuntimeError("This rulebook is open to be read only.")
        return self._entry

    def _store(self, rule: RuleText, *fields: str) -> None:
        """Write these fields of a rule that has changed; its text waits for `write_versions`."""
        self._writing()
        if fields:
            Rule.objects.filter(pk=rule.pk).update(**{name: getattr(rule, name) for name in fields})
        if rule.pk in self._reworded:
            self._reworded[rule.pk] = replace(self._reworded[rule.pk], now=rule)
        self._book().put(rule)


def _as_disclosed(rule: RuleText, rules: RulesInForce) -> RuleText:
    """The hidden rule as a public one. What a public rule is called by now, it gives up: a taken
    title gets a word more, which is a new version, and a taken number goes."""
    taken = rules.titled(rule.title, public=True) is not None
    free = rule.title
    if taken:
        more = (f"{rule.title} (disclosed{'' if n == 1 else f' {n}'})" for n in count(1))
        free = next(title for title in more if rules.titled(title) is None)
    version = rule.version + taken
    has_number = bool(rule.number) and rules.numbered(rule.number, public=True) is None
    return replace(
        rule,
        title=free,
        number=rule.number if has_number else "",
        version=version,
        played_as=version,
        visibility=Visibility.PUBLIC.value,
    )
