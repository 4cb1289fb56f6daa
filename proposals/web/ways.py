"""The ways on from a sentence that nobody reads: what its author can make of it by a button."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import log

from nomic.engine.coverage import rule_marks
from nomic.engine.subgames import in_play
from nomic.engine.table import Table
from nomic.games.wording import counted
from nomic.rulebook.changes.gathering import NotGathered, Rules, gathered, headline, takes_more
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.in_force import RulesInForce, RuleText
from nomic.rulebook.limits import LONGEST_TITLE
from nomic.rulebook.spots import Spot, SpotKind, played_by
from proposals.web.writing import new_text

_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(r"(?<![\w.,-])[0-9]{1,6}(?:\.[0-9]{1,3})?(?![\w-]|[.,][0-9])")
_SMALL = (
    "the and for that with from into than this have has had would should shall will can may must"
    " not each every all any one change make set let put give instead players player"
)
_SAY_NOTHING = frozenset(_SMALL.split())
_MOST_NEAR = 2
_MOST_FIGURES = 60  # that a page lists
_LEAST_SHARED = 2  # words of a sentence by which it is near to a cell
_IDEAS = 4
_LONGEST = 400  # characters of a sentence for which cells are looked for
QUOTES = frozenset('“”"{}\n')


class NoWay(ValueError):
    """A sentence cannot be made into that; says why."""


@dataclass(frozen=True, slots=True)
class NearCell:
    """A cell that a sentence seems to be about, and the number that it asks for there."""

    rule: RuleText
    spot: Spot
    new: str

    def __str__(self) -> str:
        place = f"{self.spot.row}, {self.spot.column}"
        return f"{self.rule.title}: {place} {self.new} instead of {self.spot.words}"


def near_cells(table: Table, sentence: str) -> list[NearCell]:
    """The cells of the game's tables that share most words with a sentence that has a number, the
    nearest first: by the rule's title, row, column, and what the subgames say of the cell."""
    numbers = _NUMBER.findall(sentence)
    words = _words(sentence)
    if not numbers or not words or len(sentence) > _LONGEST:
        return []
    near = _nearest(table, words, _LEAST_SHARED)[:_MOST_NEAR]
    best = near[0][0] if near else 0
    return [
        NearCell(rule, spot, numbers[-1])
        for nearness, rule, spot in near
        if nearness > best * 0.8 and spot.words != numbers[-1]
    ]


def figures_by(table: Table, words: str) -> list[tuple[RuleText, Spot]]:
    """The cells of the game's tables that share words with that text, the nearest first; all of
    them, rule by rule, where none does."""
    near = _nearest(table, _words(words[:_LONGEST]), 1) or _nearest(table, frozenset(), 0)
    return [(rule, spot) for _, rule, spot in near[:_MOST_FIGURES]]


def _nearest(table: Table, words: frozenset[str], least: int) -> list[tuple[float, RuleText, Spot]]:
    """The cells that share at least so many of those words, the nearest first, each with how near
    it is: a word that few cells have tells more."""
    cells = list(_cells(table))
    frequency = Counter(word for _, _, bag in cells for word in bag & words)
    near = [
        (sum(log(1 + len(cells) / frequency[word]) for word in bag & words), rule, spot)
        for rule, spot, bag in cells
        if len(bag & words) >= least
    ]
    return sorted(near, key=lambda cell: -cell[0])


def _cells(table: Table) -> Iterator[tuple[RuleText, Spot, frozenset[str]]]:
    """Each cell with a number by which the program plays, with the words that tell of it."""
    playing = in_play(table.game)
    for rule in table.rules.public:
        if rule.is_immutable or rule.by_people:
            continue
        for spot in played_by(rule.text, rule_marks(table, rule, subgames=playing)):
            if spot.kind is SpotKind.CELL and spot.place and _NUMBER.fullmatch(spot.words):
                titles = (rule.title, rule.known_as)
                sentences = " ".join(subgame.cells.of(titles, spot, "") for subgame in playing)
                about = f"{rule.title} {spot.table} {spot.row} {spot.column} {sentences}"
                yield rule, spot, _words(about)


def _words(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(
        word.removesuffix("s").removesuffix("ie").removesuffix("y")
        for word in words
        if word not in _SAY_NOTHING
    )


@dataclass(frozen=True, slots=True)
class BoldIdea:
    """A change of one cell of the game at hand: its `key` in an address, what it would mean, and
    the proposal that makes it."""

    key: str
    meaning: str
    title: str
    body: str


def bold_ideas(table: Table) -> list[BoldIdea]:
    """Changes of cells that the subgames can tell of, the largest number of a rule doubled, a few
    spread over the rules."""
    playing = in_play(table.game)
    rules = Rules(RulesInForce(table.rules.public), table.rules.shares_titles)
    largest: dict[int, tuple[RuleText, Spot]] = {}
    for rule, spot, _ in _cells(table):
        before = largest.get(rule.pk)
        if spot.words.isdecimal() and (before is None or int(spot.words) > int(before[1].words)):
            largest[rule.pk] = rule, spot
    ideas = []
    for rule, spot in largest.values():
        new = str(2 * int(spot.words) or 1)
        titles = (rule.title, rule.known_as)
        sentence = next(filter(None, (part.cells.of(titles, spot, new) for part in playing)), "")
        with suppress(NotGathered):
            body = gathered("", rules, rule, spot, new) if sentence else ""
            if body:
                key = f"{rule.pk}-{spot.start}"
                ideas.append(BoldIdea(key, sentence, headline(body, rules), body))
    return ideas[:: max(len(ideas) // _IDEAS, 1)][:_IDEAS]


def why_open(sentences: int, officer: str) -> str:
    """What is asked of who submits a text with so many sentences that nothing carries out."""
    many = counted(sentences, "sentence")
    return (
        f"Nothing carries out {many} of your text. Choose below what becomes of each: a new rule,"
        f" an addition to one, a remark, or a duty of the {officer}."
    )


def made_of(
    table: Table, body: str, remarks: Sequence[str], place: int, way: str, named: str
) -> str:
    """The body with the sentence at that place among those unread made into what the `way` says: a
    "rule" of the title that is `named`, an addition "to" the rule of that key, or a change of the
    cell that is "near" by that number. Raises NoWay."""
    try:
        reading = read_changes(body, remarks)
    except Unreadable as unreadable:
        raise NoWay(unreadable.sentence) from unreadable
    if not 0 <= place < len(reading.unread):
        raise NoWay("The text has changed meanwhile: look at the sentence again, and choose anew.")
    remark = reading.unread[place]
    before, after = body[: remark.start].rstrip(), body[remark.end :].strip()
    text = body[remark.start : remark.end].strip()
    if way == "near":
        cells = near_cells(table, remark.sentence)
        if named not in map(str, range(len(cells))):
            raise NoWay("That cell is not near to the sentence any more.")
        cell = cells[int(named)]
        without = "\n\n".join(filter(None, (before, after)))
        rules = Rules(RulesInForce(table.rules.public), table.rules.shares_titles)
        try:
            if takes_more(without):
                return gathered(without, rules, cell.rule, cell.spot, cell.new)
            change = gathered("", rules, cell.rule, cell.spot, cell.new)
        except NotGathered as wrong:
            raise NoWay(str(wrong)) from wrong
        return "\n\n".join(filter(None, (before, change, after)))
    if way == "rule":
        title = " ".join(named.split())
        if not title or len(title) > LONGEST_TITLE or QUOTES & set(title):
            raise NoWay("Give the new rule a title, without quotes and braces.")
        head = f"Enact a new rule titled “{title}” with the following text:"
    else:
        rule = next((rule for rule in table.rules.public if str(rule.pk) == named), None)
        if rule is None:
            raise NoWay("Choose a rule that is in force.")
        rules = Rules(RulesInForce(table.rules.public), table.rules.shares_titles)
        head = f"Append the following paragraph to {rules.named(rule)}:"
    return "\n\n".join(filter(None, (before, new_text(head, text), after)))
