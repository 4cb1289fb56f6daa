"""The rulebook of one locked game: what is in force, and the ways in which it changes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from typing import Any

from django.db import connection
from django.db.models import IntegerField, Max
from django.db.models.functions import Cast

from nomic.games.bounds import RULE, RULE_PIECES, RULEBOOK, RULEBOOK_PIECES, RULES
from nomic.games.confusables import likeness
from nomic.games.models import Game
from nomic.games.refusal import Refusal
from nomic.infrastructure.database.compiled_queries import CompiledValues, insert
from nomic.rulebook.editing import EditableRules
from nomic.rulebook.in_force import RulesInForce, RuleText, may_carry_program
from nomic.rulebook.judged import JudgedPassage, still_judged
from nomic.rulebook.last_readable import RuleCharts
from nomic.rulebook.limits import CLASS_RULE, IMMUTABLE, NoSuchRule, TooMuch, short
from nomic.rulebook.models import Rule, RuleVersion, Visibility, digest_of
from nomic.rulebook.passages import Settled, pieces_in
from nomic.rulebook.prose import prose
from nomic.rulebook.tables import TableBroken, TextTable, find_table
from nomic.rulebook.text_cache import BEGINS, SAYING, as_text, committed_rules

_WHOLE = "^[0-9]{1,9}$"
BY_PEOPLE = "rules_kept_by_people"
"""The setting of a game in which people keep all rules but those that it was shipped with."""
_TOLD = ("category", "history", "annotations", "versions", "more", "rule_class", "markup")
_TEXTS = ("text", "version", "played_as", "switched_off")
_EARLIER = CompiledValues(
    lambda: RuleVersion.objects.order_by("-number").values_list("number", "text")
)
_AT_ONCE = 1_000  # rows of a statement, whose texts are in memory once more
_NEXT_KEYS = """
SELECT nextval(pg_get_serial_sequence('rulebook_rule', 'id')) FROM generate_series(1, %s)
"""


def _is_whole(number: str) -> bool:
    return re.fullmatch(_WHOLE, number) is not None


@dataclass(frozen=True, slots=True)
class _Rewording:
    """A rule that gets a version: as the database has it, and as the entry being made leaves it."""

    row: RuleText
    now: RuleText
    is_new: bool = False


class Rulebook(EditableRules):
    """A game's rules as they are now; what an entry changes of one is one version, which names it.

    Titles and numbers of public rules are told apart from those of hidden ones, and an answer to a
    player never depends on a hidden one. `changes` counts the changes that the entry being made has
    made.
    """

    def __init__(self, game: Game, entry: int | None, rules: RulesInForce | None = None) -> None:
        self._game = game
        self._entry = entry
        self._read = rules  # once it was asked for, what the database has
        self.changed = rules is not None  # by the entry that is being made
        self._reworded: dict[int, _Rewording] = {}
        self._written: list[RuleText] = []
        self._last_position: int | None = None
        self._together: list[Rule] = []  # which have their keys, and are inserted together
        self.changes = 0

    # Reading

    @property
    def shares_titles(self) -> bool:
        return bool(self._game.setting(BY_PEOPLE))

    def in_force(self, *titles: str) -> bool:
        """Whether rules that have, or had at first, all of these titles are in force."""
        return all(map(self._rules().known, titles))

    def of_origin(self, app: str) -> list[RuleText]:
        """The rules in force that this app has shipped or enacted, hidden ones as well."""
        return [rule for rule in self._rules() if rule.origin == app]

    def look_alikes(self) -> list[tuple[str, ...]]:
        """The titles of public rules that the eye takes for one another, together."""
        by_likeness: dict[str, list[str]] = {}
        for rule in self.public:
            by_likeness.setdefault(likeness(rule.title), []).append(rule.title)
        return [tuple(titles) for titles in by_likeness.values() if len(titles) > 1]

    def text(self, title: str | int) -> str:
        """The current text of that rule; raises NoSuchRule."""
        return self.find(title).text

    def texts(self, titles: Iterable[str]) -> dict[str, str]:
        """The current texts of those of these rules that are in force, as they are played, by these
        titles."""
        rule_of = self._rules().known
        return {title: rule.played for title in titles if (rule := rule_of(title)) is not None}

    def earlier_texts(self, title: str) -> list[tuple[int, str]]:
        """The versions before the text in force of the rule of that title, the newest first."""
        rule = self._rules().known(title)
        return [] if rule is None else self.earlier_versions(rule)

    def earlier_versions(self, rule: RuleText) -> list[tuple[int, str]]:
        """The versions before the rule's text in force, the newest first."""
        if rule.version == 1:
            return []
        return _EARLIER.all(rule=rule.pk, number__lt=rule.version)

    def figures[Charts: RuleCharts](self, charts: type[Charts], texts: Mapping[str, str]) -> Charts:
        """The figures of these texts of rules in force."""
        return charts.of(texts, self.earlier_texts)

    def table(self, title: str, *columns: str) -> TextTable | None:
        """The table with those columns in the rule's current text, as it is played; None where it
        has none.

        Raises NoSuchRule, and TableBroken with the rule's title where it cannot be read.
        """
        try:
            return find_table(self.find(title).played, *columns)
        except TableBroken as broken:
            raise TableBroken(f"in the rule “{title}”: {broken.sentence}") from None

    def that_say(self, words: str) -> list[RuleText]:
        """The public rules in whose texts, as they are played, these words stand, in whatever
        case."""
        place = self._game.pk, self._game.rulebook_at, words
        # What the entry being made has changed is no part of the rulebook of that place.
        keys = None if self.changed else SAYING.get(place)
        if keys is not None:
            return [rule for rule in map(self._rules().by_pk, keys) if rule is not None]
        folded = words.casefold()
        rules = [rule for rule in self.public if folded in rule.played.casefold()]
        if not self.changed:
            SAYING[place] = tuple(rule.pk for rule in rules)
        return rules

    def too_much(self, *texts: tuple[str, RuleText | None]) -> str:
        rules, game = self._rules(), self._game
        new = sum(rule is None for _, rule in texts)
        longer = further = 0
        refusals: list[Refusal | None] = []
        # What makes a rule shorter is refused nowhere: so a rulebook beyond its bounds is mended.
        for text, rule in texts:
            characters, pieces = len(text), pieces_in(text)
            more_characters = characters - (len(rule.text) if rule else 0)
            more_pieces = pieces - (pieces_in(rule.text) if rule else 0)
            refusals += [
                RULE.refusal(game, characters) if more_characters > 0 else None,
                RULE_PIECES.refusal(game, pieces) if more_pieces > 0 else None,
            ]
            longer += more_characters
            further += more_pieces
        refusals += [
            RULES.refusal(game, rules.public + new) if new else None,
            RULEBOOK.refusal(game, rules.characters + longer) if longer > 0 else None,
            RULEBOOK_PIECES.refusal(game, rules.pieces + further) if further > 0 else None,
        ]
        return next((refusal.sentence for refusal in refusals if refusal), "")

    def next_number(self) -> str:
        """One more than the highest that a rule of people's ever had, where most of those in force
        have whole numbers."""
        numbers = [rule.number for rule in self.public if rule.by_people]
        if 2 * sum(map(_is_whole, numbers)) <= len(numbers):
            return ""
        own = Rule.objects.filter(game=self._game, by_people=True, number__regex=_WHOLE)
        highest = own.aggregate(highest=Max(Cast("number", IntegerField())))["highest"]
        return str(highest + 1)

    # Changing

    def bring(
        self, rules: Sequence[Mapping[str, Any]], repealed: Sequence[Mapping[str, Any]]
    ) -> int:
        """Let these be in force that lived elsewhere, and those have been (`BroughtRule.facts`);
        returns how many are in force. Raises RuleExists, BadRule, NoSuchRule, TooMuch."""
        if excess := self.too_much(*((facts["text"], None) for facts in rules)):
            raise TooMuch(excess)
        keys, repealed_in = iter(_next_keys(len(rules) + len(repealed))), self._writing()
        for facts in repealed:
            rule = self._brought(facts, None, next(keys), repealed_in=repealed_in)
            self._rules().drop(rule)  # before the next comes in, which may have its number
        by_name: dict[str, RuleText] = {}
        for facts in rules:
            above = facts.get("parent", "")
            if above and above not in by_name:
                raise NoSuchRule(
                    f"“{short(facts['title'])}” stands under “{short(above)}”, which is not there"
                    " before it."
                )
            rule = self._brought(facts, by_name.get(above), next(keys))
            by_name |= {name: rule for name in (rule.title, rule.number) if name}
        self._insert_together()
        return len(rules)

    def _brought(
        self, facts: Mapping[str, Any], parent: RuleText | None, key: int, **columns: Any
    ) -> RuleText:
        """The rule of these facts, enacted to be inserted with others; a program in its text is
        switched off, since nobody has voted for that here. Its class binds where a rule says so,
        and is only told elsewhere."""
        is_classed = self.in_force(CLASS_RULE)
        notes = {name: facts[name] for name in _TOLD if facts.get(name)}
        if is_classed and notes.pop("rule_class", "").casefold() == IMMUTABLE:
            columns["rule_class"] = IMMUTABLE
        return self.enact(
            facts["title"],
            facts["text"],
            number=facts.get("number", ""),
            power=facts.get("power", ""),
            parent=parent,
            pk=key,
            switched_off=self._writing() if may_carry_program(facts["text"]) else 0,
            told=notes,
            **columns,
        )

    def disclose(self, keys: Iterable[int], visibility: Visibility = Visibility.PUBLIC) -> None:
        """Let those of these rules be private or public that are less open, repealed ones as well,
        from the entry being made on; one statement but for those whose names a public rule has.

        What a public rule is called by now, those give up that become public: a taken title gets a
        word more, which is a new version, and a taken number goes.
        """
        pks, is_public = list(keys), visibility is Visibility.PUBLIC
        less_open = [level for level in Visibility if level.openness < visibility.openness]
        for rule in filter(None, map(self._rules().by_pk, pks)):
            if rule.visibility not in less_open:
                continue
            if not is_public:  # no machinery plays by who may read a rule that stays hidden
                self._copied().put(replace(rule, visibility=visibility.value))
                continue
            rules, title = self._rules(), rule.title
            is_taken = rules.titled(title, public=True) is not None
            if is_taken:
                endings = ("" if number == 1 else f" {number}" for number in count(1))
                longer = (f"{rule.title} (disclosed{ending})" for ending in endings)
                title = next(title for title in longer if rules.titled(title) is None)
            has_number = bool(rule.number) and rules.numbered(rule.number, public=True) is None
            version = rule.version + is_taken
            shown = replace(
                rule,
                title=title,
                number=rule.number if has_number else "",
                version=version,
                played_as=version,
                visibility=visibility.value,
            )
            if is_taken:
                self._reworded[rule.pk] = _Rewording(rule, shown)
            self._store_names(shown, rule)
        hidden = Rule.objects.filter(game=self._game, pk__in=pks, visibility__in=less_open)
        entry = self._writing()
        hidden.update(visibility=visibility, disclosed_in=entry if is_public else None)

    def enact_all(self, rules: Sequence[Mapping[str, Any]]) -> None:
        """Add these rules in their order and in one statement, each of the facts that `enact`
        takes, under the one whose title its `parent` is, if it has one. Raises what `enact`
        raises."""
        enacted: dict[str, RuleText] = {}
        for shipped, key in zip(rules, _next_keys(len(rules)), strict=True):
            facts = {**shipped, "parent": enacted.get(shipped["parent"]), "pk": key}
            enacted[shipped["title"]] = self.enact(**facts)
        self._insert_together()

    def settle(self, title: str | int, settled: Mapping[str, Settled]) -> None:
        """Keep what officers have found of a rule's passages, by their keys; raises NoSuchRule."""
        rule = replace(self.find(title), settled=dict(settled))
        facts = {key: asdict(finding) for key, finding in settled.items()}
        Rule.objects.filter(pk=rule.pk).update(settled=facts)
        self._store(rule)

    def judge(self, title: str | int, key: str, judged: JudgedPassage | None) -> None:
        """Let the rule's passage of that key be played so from the entry being made on, or as it
        reads; raises NoSuchRule."""
        rule = self.find(title)
        other_passages = {other: passage for other, passage in rule.judged.items() if other != key}
        passages = other_passages if judged is None else {**other_passages, key: judged}
        self._store(self._as_judged(rule, passages))

    def switch_program(self, title: str | int, *, on: bool) -> None:
        """Let nothing of that rule's program run from the entry being made on, or let it run again.
        Another text of the rule has its program on. Raises NoSuchRule."""
        rule = replace(self.find(title), switched_off=0 if on else self._writing())
        self._store(rule, "switched_off")

    def write_versions(self) -> None:
        """Keep the texts that the entry being made has given to rules, a version of each.

        `Table.write` does this at the end. Who looks for the versions before that asks for it.
        """
        reworded, self._reworded = list(self._reworded.values()), {}
        for rewording in reworded:
            fields = {name: getattr(rewording.now, name) for name in _TEXTS}
            if any(value_now != getattr(rewording.row, name) for name, value_now in fields.items()):
                Rule.objects.filter(pk=rewording.now.pk).update(**fields)
        versions = [
            RuleVersion(
                game=self._game,
                rule_id=rewording.now.pk,
                number=rewording.now.version,
                title=rewording.now.title,
                rule_class=rewording.now.rule_class,
                text=rewording.now.text,
                enacted_in=self._writing(),
            )
            for rewording in reworded
        ]
        RuleVersion.objects.bulk_create(versions, batch_size=_AT_ONCE)
        self._written += [rewording.now for rewording in reworded]

    def effects(self) -> list[tuple[bool, dict[str, Any]]]:
        """The versions that the entry being made has written: whether everybody may read each, and
        what the entry's effects tell of it."""
        written, self._written = self._written, []
        return [
            (
                rule.is_public,
                {"rule": rule.title, "version": rule.version, "text": digest_of(rule.text)},
            )
            for rule in written
        ]

    # Inside

    def _add(self, parent: RuleText | None, **facts: Any) -> RuleText:
        facts["visibility"] = Visibility(facts.get("visibility", Visibility.PUBLIC))
        if self.shares_titles and not facts.get("origin"):
            facts["by_people"] = True
        enacted_in = self._writing()
        if self._last_position is None:
            last = Rule.objects.filter(game=self._game).aggregate(last=Max("position"))["last"]
            self._last_position = last or 0
        self._last_position += 1
        rule = Rule(
            game=self._game,
            parent_id=parent.pk if parent else None,
            enacted_in=enacted_in,
            position=self._last_position,
            **facts,
        )
        if rule.pk is None:
            insert(rule)
        else:
            self._together.append(rule)
        began_as = rule.text if enacted_in == BEGINS else ""
        enacted = as_text(rule, parent.title if parent else "", began_as)
        self._reworded[rule.pk] = _Rewording(enacted, enacted, is_new=True)
        self._book().put(enacted)
        return enacted

    def _insert_together(self) -> None:
        """Insert the rules that have their keys and wait for it."""
        Rule.objects.bulk_create(self._together, batch_size=_AT_ONCE)
        self._together = []

    def _reword(self, rule: RuleText, amended: RuleText) -> RuleText:
        """The amended rule with its version, one for all that an entry makes of it.

        Where only tables changed, the machinery is known to fit: it plays by the tables.
        """
        rewording = self._reworded.setdefault(rule.pk, _Rewording(rule, rule))
        if rewording.is_new:
            return amended
        before = rewording.row
        version = before.version + 1
        only_tables = prose(before.text) == prose(amended.text) and not before.is_played_otherwise
        played_as = version if only_tables else before.played_as
        # Another text may say that its program runs; another class says nothing of it.
        if (judged := still_judged(rule.text, amended.text, rule.judged)) != rule.judged:
            amended = self._as_judged(amended, judged)
        switched_off = rule.switched_off if amended.rule_class != rule.rule_class else 0
        return replace(amended, version=version, played_as=played_as, switched_off=switched_off)

    def _as_judged(self, rule: RuleText, judged: Mapping[str, JudgedPassage]) -> RuleText:
        """The rule with just these passages judged, which are kept so."""
        facts = {key: asdict(passage) for key, passage in judged.items()}
        Rule.objects.filter(pk=rule.pk).update(judged=facts)
        return replace(rule, judged=dict(judged))

    def _drop(self, gone: Sequence[RuleText]) -> None:
        Rule.objects.filter(pk__in=[rule.pk for rule in gone]).update(repealed_in=self._writing())
        self._book()
        super()._drop(gone)

    def _rules(self) -> RulesInForce:
        if self._read is None:
            self._read = committed_rules(self._game)
        return self._read

    def _book(self) -> RulesInForce:
        """The rules as the entry being made has left them, to note one more change."""
        self.changes += 1
        return self._copied()

    def _copied(self) -> RulesInForce:
        if not self.changed:
            self._read, self.changed = self._rules().copy(), True
        return self._rules()

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


def _next_keys(number: int) -> list[int]:
    """The keys of so many rules to come."""
    with connection.cursor() as cursor:
        cursor.execute(_NEXT_KEYS, [number])
        return [key for (key,) in cursor.fetchall()]
