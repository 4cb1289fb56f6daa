"""Of every sentence of every shipped rule text it is known who carries it out: the lists
`built_in.txt` leave none out, name nothing that is not there, and tell how each begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from aceofspades.rulebook import LIBRARY
from aceofspades.rulebook.machinery import another_regulation, regulations
from nomic.engine.actions import find_action
from nomic.engine.events import is_event
from nomic.engine.outcomes import UnknownAction
from nomic.engine.subgames import all_subgames, find_subgame
from nomic.rulebook.coverage.built_in import FILE, OURS, built_in, machinery_in
from nomic.rulebook.coverage.marks import Machinery, Mark, key_of, marks_of
from nomic.rulebook.in_force import name_key
from nomic.rulebook.passages import Passage, PassageKind, normalised, passages_of
from nomic.rulebook.shipped import ShippedRule, shipped_rules

ROOT = Path(__file__).parents[1]
LISTS = sorted(path.parent for path in ROOT.glob(f"[a-z]*/**/rulebook/**/{FILE}"))
WHOLES = ("governance",)  # beside the subgames
BEGINNING = 4  # words
_LINE = re.compile(r"([0-9a-f]{12}) .+? # (.*)")


def machinery_of(folder: Path, rule: ShippedRule) -> Machinery:
    """What the program knows of that rule."""
    if folder == LIBRARY:
        return another_regulation(marks=True, clauses=())
    name = folder.relative_to(ROOT).parts[0]
    if name == "nomic":
        return machinery_in(folder)[name_key(rule.title)]
    if name == "aceofspades":
        return regulations(find_subgame(name).clauses)[name_key(rule.title)]
    subgame = find_subgame(name)
    known = machinery_in(folder, subgame.open_tables, subgame.clauses)
    return known[name_key(rule.title)]


def rules() -> Iterator[tuple[Path, ShippedRule]]:
    for folder in sorted({path.parent for path in ROOT.glob("[a-z]*/**/rulebook/**/*.md")}):
        if {"tests", "var"}.isdisjoint(folder.relative_to(ROOT).parts):
            yield from ((folder, rule) for rule in shipped_rules(folder, ""))


def said_in(text: str) -> list[Passage]:
    said = (PassageKind.SENTENCE, PassageKind.ITEM, PassageKind.HEADING)
    return [each for each in passages_of(text) if each.kind in said]


def _named(value: Path | ShippedRule) -> str:
    return value.title if isinstance(value, ShippedRule) else str(value.relative_to(ROOT))


@pytest.mark.parametrize(("folder", "rule"), list(rules()), ids=_named)
def test_somebody_carries_out_every_sentence_of_a_shipped_text(
    folder: Path, rule: ShippedRule
) -> None:
    known = machinery_of(folder, rule)
    marks = marks_of(rule.text, known)
    lines = [
        f"{key_of(each.passage.text, known.clauses)} WHO # {_beginning(each.passage)}"
        for each in marks.unfitted
        if each.passage
    ]
    assert lines == [], f"{folder.name}/{FILE} does not list these of “{rule.title}”"
    assert [each.parts for each in marks.gone] == []
    rows = [
        each for each in marks.passages if each.passage and each.passage.kind is PassageKind.ROW
    ]
    assert {each.mark for each in rows} <= {Mark.TABLE}


def _beginning(passage: Passage) -> str:
    return " ".join(normalised(passage.text).split()[:BEGINNING])


@pytest.mark.parametrize("folder", LISTS, ids=_named)
def test_a_list_tells_how_each_sentence_of_our_own_begins(folder: Path) -> None:
    begin = dict(
        found.groups()
        for line in (folder / FILE).read_text(encoding="utf-8").splitlines()
        if (found := _LINE.fullmatch(line))
    )
    for rule in shipped_rules(folder, ""):
        clauses = machinery_of(folder, rule).clauses
        told = {key_of(each.text, clauses): _beginning(each) for each in said_in(rule.text)}
        assert told == {key: begin.get(key) for key in told}


@pytest.mark.parametrize("folder", LISTS, ids=_named)
def test_a_list_has_nothing_of_ours_that_no_text_says_any_more(folder: Path) -> None:
    texts = {rule.title: rule for rule in shipped_rules(folder, "")}
    for title, known in built_in(folder).items():
        ours = {each.key for each in known if each.wording == OURS}
        clauses = machinery_of(folder, texts[title]).clauses
        assert ours == {key_of(each.text, clauses) for each in said_in(texts[title].text)}


@pytest.mark.parametrize("folder", LISTS, ids=_named)
def test_what_a_list_names_is_an_action_or_an_event_or_a_whole_part(folder: Path) -> None:
    wholes = {each.name for each in all_subgames()} | set(WHOLES)
    named = {part for known in built_in(folder).values() for each in known for part in each.parts}
    assert {part for part in named if not _exists(part) and part not in wholes} == set()


def _exists(part: str) -> bool:
    try:
        return is_event(part) or bool(find_action(part))
    except UnknownAction:
        return False
