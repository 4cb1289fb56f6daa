"""The rulebooks that games begin with, and how the program reads a text of theirs that has been
amended once: pure, as a game of the newest readings does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from aceofspades.rulebook import shipped_regulations
from aceofspades.rulebook.machinery import regulations
from aceofspades.rules.charts import Charts as ContestCharts
from aceofspades.rules.charts import charts_from
from horses.rules.charts import Charts as RaceCharts
from nomic.engine.subgames import find_subgame
from nomic.games.presets import PRESETS
from nomic.governance import powers
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import Machinery, Mark, as_of, marks_of
from nomic.rulebook.in_force import name_key
from nomic.rulebook.last_readable import RuleCharts, Texts, Unread, last_readable
from nomic.rulebook.tables import TableBroken
from proposals.rules import EDITIONS
from proposals.state import power
from settlers.rules.charts import Charts as IsleCharts

STANDARD = "governance"
ROOT = Path(powers.__file__).parent


class Book:
    """The texts of a rulebook as a game begins with them, by the titles that the program knows."""

    texts: Mapping[str, str]

    def played(self, texts: Texts, earlier: Any) -> tuple[Any, tuple[Unread, ...]]:
        """What those texts say, with what cannot be read."""
        raise NotImplementedError

    def figures(self, charts: Any) -> object:
        """All that the program takes out of them."""
        raise NotImplementedError

    def machinery(self, title: str) -> Machinery:
        """What the program knows of a rule."""
        raise NotImplementedError

    @cached_property
    def at_first(self) -> object:
        """The figures of the texts that a game begins with."""
        return self.figures(self.played(self.texts, lambda title: ())[0])

    def read(self, title: str, text: str) -> tuple[object, tuple[Unread, ...]]:
        """What the program plays by once that rule has been amended to this text."""

        def earlier(rule: str) -> Sequence[tuple[int, str]]:
            return [(1, self.texts[rule])] if rule == title else ()

        charts, unread = self.played({**self.texts, title: text}, earlier)
        return self.figures(charts), unread

    def marks(self, title: str, text: str, unread: Sequence[Unread] = ()) -> list[Mark]:
        """The marks of the passages of that rule's page, and of what is gone from it."""
        marks = marks_of(text, self.machinery(title))
        own = [each for each in unread if each.rule == title]
        marks = as_of(marks, own[0].text) if own else marks
        return [each.mark for each in (*marks.passages, *marks.gone)]


@dataclass
class ChartsBook(Book):
    """A rulebook that is read by charts."""

    charts: type[RuleCharts]
    folders: tuple[Path, ...]
    clauses: Any = ()

    @cached_property
    def texts(self) -> Mapping[str, str]:  # type: ignore[override]
        return dict(self.charts.shipped_texts())

    def played(self, texts: Texts, earlier: Any) -> tuple[Any, tuple[Unread, ...]]:
        charts = self.charts.of(texts, earlier)
        return charts, charts.unread

    def figures(self, charts: Any) -> object:
        return _all_of(charts)

    def machinery(self, title: str) -> Machinery:
        for folder in self.folders:
            known = machinery_in(folder, self.charts.open_tables, self.clauses)
            if name_key(title) in known:
                return known[name_key(title)]
        raise LookupError(title)


@dataclass
class EditionBook(Book):
    """The rules of proposals of an edition."""

    edition: str

    @cached_property
    def texts(self) -> Mapping[str, str]:  # type: ignore[override]
        folder = find_subgame("proposals").rulebook / self.edition
        shipped = find_subgame("proposals").shipped(self.edition)
        assert folder.exists()
        return {rule.title: rule.text for rule in shipped}

    def played(self, texts: Texts, earlier: Any) -> tuple[Any, tuple[Unread, ...]]:
        charts = EDITIONS[self.edition].charts.of(texts, earlier)
        return charts, charts.unread

    def figures(self, charts: Any) -> object:
        return _told(lambda: charts.terms)

    def machinery(self, title: str) -> Machinery:
        own = find_subgame("proposals")
        known = machinery_in(own.rulebook / self.edition, own.open_tables, own.clauses)
        return known[name_key(title)]


@dataclass
class ContestBook(Book):
    """The regulations of the contest."""

    @cached_property
    def texts(self) -> Mapping[str, str]:  # type: ignore[override]
        return {f"Regulation {rule.number}": rule.text for rule in shipped_regulations()}

    @cached_property
    def _immutable(self) -> list[int]:
        own = shipped_regulations()
        return [int(rule.number) for rule in own if rule.rule_class == "immutable"]

    def _charts(self, texts: Texts) -> ContestCharts:
        book = [(int(title.split()[1]), text) for title, text in texts.items()]
        return charts_from(book, immutable=self._immutable)

    def played(self, texts: Texts, earlier: Any) -> tuple[Any, tuple[Unread, ...]]:
        charts = self._charts
        return last_readable(
            texts, lambda own: charts(own).faults, earlier, lambda own: charts(own).gaps
        )

    def figures(self, charts: Any) -> object:
        own = self._charts(charts)
        numbers = [int(title.split()[1]) for title in charts]
        return _all_of(own), tuple(_told(lambda n=n: own.filling_of(n)) for n in numbers)

    def machinery(self, title: str) -> Machinery:
        return regulations(find_subgame("aceofspades").clauses)[name_key(title)]


def _all_of(charts: object) -> tuple[tuple[str, object], ...]:
    """Every figure of charts by its name."""
    names = sorted(
        name
        for name, own in vars(type(charts)).items()
        if isinstance(own, cached_property) and name not in ("faults", "gaps")
    )
    return tuple((name, _told(lambda name=name: getattr(charts, name))) for name in names)


def _told(read: Callable[[], object]) -> object:
    try:
        return _plain(read())
    except TableBroken as broken:
        return type(broken).__name__, broken.sentence


def _plain(value: Any) -> object:
    """The value so that it can be compared, its order included."""
    if isinstance(value, Mapping):
        return tuple((_plain(key), _plain(each)) for key, each in value.items())
    if isinstance(value, set | frozenset):
        return frozenset(map(_plain, value))
    return repr(value)


def books() -> dict[str, Book]:
    """Each rulebook that a game begins with by its name, with the rule that all games have."""
    found: dict[str, Book] = {
        "horses": ChartsBook(
            RaceCharts, (find_subgame("horses").rulebook,), find_subgame("horses").clauses
        ),
        "settlers": ChartsBook(
            IsleCharts,
            (find_subgame("settlers").rulebook, find_subgame("settlers").rulebook / "thug"),
            find_subgame("settlers").clauses,
        ),
        "aceofspades": ContestBook(),
        f"proposals/{power.FOLDER}": ChartsBook(
            power._Charts,
            (find_subgame("proposals").rulebook / power.FOLDER,),
            find_subgame("proposals").clauses,
        ),
        STANDARD: ChartsBook(powers._Charts, (ROOT / "rulebook",)),
    }
    return found | {f"proposals/{name}": EditionBook(name) for name in EDITIONS}


def of_presets() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each preset with the names of its rulebooks."""
    for name, preset in PRESETS.items():
        yield name, (*preset.rulebooks, STANDARD)
