"""Rulebooks as nomics keep them in git, on wikis, blogs and mailing lists, each with what a careful
reader has of it: numbers, titles, classes, categories and texts."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from nomic.rulebook.formats.heading_words import heading_words
from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.values import Brought, FileChoices
from nomic.rulebook.formats.writing import as_json, as_zip

STYLES = Path(__file__).parent / "rulebooks" / "styles"
EXPECTED: dict[str, Any] = json.loads((STYLES / "expected.json").read_text())
FACTS = ("number", "title", "text", "category", "rule_class", "parent")


def rules_of(found: Brought) -> list[dict[str, str]]:
    facts = (rule.facts() for rule in found.rules)
    return [{name: rule[name] for name in FACTS if name in rule} for rule in facts]


def packed(**files: str) -> bytes:
    into = BytesIO()
    with ZipFile(into, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return into.getvalue()


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_rulebook_comes_in_as_a_careful_reader_has_it_and_goes_out_the_same(name: str) -> None:
    expected = EXPECTED[name]
    found = read(STYLES / name, choices=FileChoices(fields=expected.get("fields", {})))
    assert found.faults == ()
    assert rules_of(found) == expected["rules"]
    beside = ("other-names.json, game: Loop", "other-names.json, updated: 2020")
    assert found.account.lines == (beside if name == "other-names.json" else ())
    for file, written in (("a.json", as_json(found).encode()), ("a.zip", as_zip(found))):
        back = read(written, file)
        assert (back.rules, back.faults) == (found.rules, ())


@pytest.mark.parametrize(
    ("heading", "number", "title", "rule_class"),
    [
        ("Immutable Rule 101", "101", "Rule 101", "immutable"),
        ("Rule 101 - Immutable", "101", "Rule 101", "immutable"),
        ("101 {mutable}", "101", "Rule 101", "mutable"),
        ("101 — Obey — immutable", "101", "Obey", "immutable"),
        ("101. What is mutable", "101", "What is mutable", ""),
        ("[101. Obey](rules/101.md)", "101", "Obey", ""),
        ("101\\. Obey {#r101}", "101", "Obey", ""),
        ("(101) Obey", "101", "Obey", ""),
        ("[101]: Obey", "101", "Obey", ""),
        ("#101 Obey", "101", "Obey", ""),
        ("Rule 101, Obey", "101", "Obey", ""),
        ("Rule IV: Obey", "IV", "Obey", ""),
        ("Rule №5: Obey", "5", "Obey", ""),
        ("~~Rule 5: Obey~~ (repealed)", "5", "~~Obey (repealed)~~", ""),
        ("~~Obey~~", "", "~~Obey~~", ""),
        ("Rule A is fun", "", "Rule A is fun", ""),
        ("101. Players, etc.", "101", "Players, etc.", ""),
        ("101. The U.S.A.", "101", "The U.S.A.", ""),
        ("101. To be continued...", "101", "To be continued...", ""),
        ("101. Players.", "101", "Players", ""),
        ("Rule 101: <Obey & Win>", "101", "<Obey & Win>", ""),
        ("101: 2 * 3", "101", "2 * 3", ""),
        ("10:30 meetings", "", "10:30 meetings", ""),
    ],
)
def test_a_heading_says_number_title_and_class(
    heading: str, number: str, title: str, rule_class: str
) -> None:
    said = heading_words(heading)
    assert (said.number, said.title, said.rule_class) == (number, title, rule_class)


def test_a_heading_without_a_number_that_is_too_long_for_a_title_is_its_text_as_well() -> None:
    long = "Whoever wants to play has to say so before anybody else does. " * 3
    found = read(f"# {long}\n\nmore\n\n# B\n\nb".encode(), "a.md")
    assert found.rules[0].title == long[:117] + "…"
    assert found.rules[0].text == f"{long.strip()}\n\nmore"
    assert found.account.lines == ()


@pytest.mark.parametrize(
    ("text", "name", "rules"),
    [
        ("##101. A\na\n\n##102. B\n\nb", "a.md", [("101", "A", "a"), ("102", "B", "b")]),
        ("#101\n\na\n\n#102#\n\nb", "a.md", [("101", "Rule 101", "a"), ("102", "Rule 102", "b")]),
        ("## 1. A\n\na\n\n##2. B\n\nb", "a.md", [("1", "A", "a"), ("2", "B", "b")]),
        (
            "# 1. A\n\n#7 is open\n\n# 2. B\n\nb",
            "a.md",
            [("1", "A", "#7 is open"), ("2", "B", "b")],
        ),
        (
            "Rule 1: A\n\na\n\nTHE END\n\nRule 2: B\n\nb",
            "a.txt",
            [("1", "A", "a\n\nTHE END"), ("2", "B", "b")],
        ),
        (
            "== A ==\n'''1.''' x\n'''2.''' y\n\n== B ==\nprose\n",
            "a.wiki",
            [("", "A", "'''1.''' x\n'''2.''' y"), ("", "B", "prose")],
        ),
        (
            "<div>'''1.''' x</div>\n'''2.''' y",
            "a.wiki",
            [("1", "Rule 1", "x"), ("2", "Rule 2", "y")],
        ),
    ],
)
def test_what_nearly_is_a_heading_is_told_from_what_is_none(
    text: str, name: str, rules: list[tuple[str, str, str]]
) -> None:
    found = read(text.encode(), name)
    assert [(rule.number, rule.title, rule.text) for rule in found.rules] == rules
    assert found.account.missing == 0


# Folders

REPOSITORY = {
    "nomic/README.md": "# Read me\n",
    "nomic/LICENSE": "MIT\n",
    "nomic/.github/workflows/ci.yml": "on: push\n",
    "nomic/.gitignore": "x\n",
    "nomic/rules/101.md": "# Rule 101: Obey\n\nAll obey.\n",
    "nomic/rules/102.md": "---\ntitle: Vote\n---\nAll vote.\n\n## How\n\nBy hand.\n",
    "nomic/rules/mutable/201-turns.md": "Turns go round.\n",
}


def test_of_a_repository_every_file_that_was_not_read_is_told_hidden_ones_too(
    tmp_path: Path,
) -> None:
    for name, text in REPOSITORY.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for found in (read(packed(**REPOSITORY), "a.zip"), read(tmp_path)):
        assert [(rule.number, rule.title, rule.text) for rule in found.rules] == [
            ("101", "Obey", "All obey."),
            ("102", "Vote", "All vote.\n\n## How\n\nBy hand."),
            ("201", "turns", "Turns go round."),
        ]
        assert sorted(found.account.lines) == [
            "nomic/.github/: hidden, and not read.",
            "nomic/.gitignore: hidden, and not read.",
            "nomic/LICENSE: this file was not read.",
            "nomic/README.md: this file was not read.",
        ]


def test_a_heading_in_a_rules_own_file_can_be_said_to_begin_another() -> None:
    content = packed(**REPOSITORY)
    place = "nomic/rules/102.md:6"
    assert (place, "How", "text") in [
        (heading.place, heading.words, heading.taken) for heading in read(content, "a.zip").headings
    ]
    found = read(content, "a.zip", FileChoices(headings={place: "rule"}))
    assert [(rule.title, rule.text) for rule in found.rules[1:3]] == [
        ("Vote", "All vote."),
        ("How", "By hand."),
    ]
    assert all("not read" in line for line in found.account.lines)


def test_in_a_folder_of_files_with_a_rule_each_smaller_headings_are_parts_of_their_rules() -> None:
    files = {
        "rules/points.md": "# Points\n\nPoints are good.",
        "rules/turns.md": "# Turns\n\nTurn.",
        "rules/voting.md": "# Voting\n\nVote.\n\n## How\n\nBy hand.",
    }
    found = read(packed(**files), "a.zip")
    assert [rule.title for rule in found.rules] == ["Points", "Turns", "Voting"]
    assert found.rules[2].text == "Vote.\n\n## How\n\nBy hand."
    assert found.account.missing == 0


def test_a_repository_of_a_readme_alone_has_its_rules_there() -> None:
    text = "# My Nomic\n\n## Rule 1: A\n\na\n\n## Rule 2: B\n\nb\n"
    found = read(packed(**{"nomic/README.md": text, "nomic/LICENSE": "MIT"}), "a.zip")
    assert [(rule.number, rule.title, rule.category) for rule in found.rules] == [
        ("1", "A", ""),
        ("2", "B", ""),
    ]


def test_of_a_document_with_several_lists_the_one_of_rules_is_read_and_the_others_are_told() -> (
    None
):
    document = {"players": [{"nick": "Aris"}], "rules": [{"number": 1, "title": "A", "text": "a"}]}
    found = read(json.dumps(document).encode(), "a.json")
    assert [rule.title for rule in found.rules] == ["A"]
    assert found.account.lines == ("a.json, players, nick: Aris",)


def test_of_an_export_of_a_wiki_the_last_text_of_each_page_is_read() -> None:
    page = "<page><title>{}</title><revision><text bytes='9'>{}</text></revision>{}</page>"
    later = (
        "<revision><text xml:space='preserve'>== 1. A &amp; B ==\na &lt;b&gt;\n</text></revision>"
    )
    pages = page.format("Ruleset", "== 1. Old ==", later) + page.format("Core/2", "== C ==\nc", "")
    export = f'<?xml version="1.0"?>\n<mediawiki xmlns="x" version="0.11">{pages}</mediawiki>'
    found = read(export.encode(), "export.xml")
    assert [(rule.number, rule.title, rule.text, rule.category) for rule in found.rules] == [
        ("1", "A & B", "a <b>", "Ruleset"),
        ("", "C", "c", "Core/2"),
    ]
    assert found.account.lines == (
        "export.xml: of its pages the last texts were read, and no more.",
    )


def test_a_categorys_name_has_all_that_its_heading_says() -> None:
    text = (
        "# All\n\n## Rules 101-116 (Immutable)\n\n### 101\n\na\n\n## Rest (Power=2)\n\n### 201\n\nb"
    )
    found = read(text.encode(), "a.md")
    assert [rule.category for rule in found.rules] == [
        "Rules 101-116 (immutable)",
        "Rest (power 2)",
    ]


# What can be said


def test_an_item_of_a_list_can_be_said_to_be_a_rule() -> None:
    text = "# Voting\n\n1. **Hands.** By hand.\n2. By voice.\n\n# Turns\n\n1. Left.\n2. Right.\n"
    found = read(text.encode(), "a.md")
    assert [rule.title for rule in found.rules] == ["Voting", "Turns"]
    offered = {heading.place: heading.words for heading in found.headings}
    assert offered["a.md:4"] == "2. By voice."
    places = ("a.md:3", "a.md:4", "a.md:8", "a.md:9")
    found = read(text.encode(), "a.md", FileChoices(headings=dict.fromkeys(places, "rule")))
    assert [(rule.number, rule.title, rule.text) for rule in found.rules] == [
        ("1", "Hands", "By hand."),
        ("2", "Rule 2", "By voice."),
        ("", "Rule 1", "Left."),
        ("", "Rule 2", "Right."),
    ]
    assert [rule.category for rule in found.rules] == ["Voting", "Voting", "Turns", "Turns"]
    assert found.account.lines == ()


def test_a_line_that_is_no_heading_can_be_said_to_be_one() -> None:
    text = "{|\n| 1\n|}\n\nObey\n\nAll obey.\n\nVote\n\nAll vote.\n"
    assert read(text.encode(), "a.wiki").faults
    said = FileChoices(headings={"a.wiki:5": "rule", "a.wiki:9": "rule", "a.wiki:4": "rule"})
    found = read(text.encode(), "a.wiki", said)
    assert [(rule.title, rule.text) for rule in found.rules] == [
        ("Obey", "All obey."),
        ("Vote", "All vote."),
    ]
    assert "a.wiki, line 4: nothing stands there that could begin a rule." in found.notes


def test_lists_within_a_rule_among_others_begin_no_rules() -> None:
    text = "# Voting\n\n1. a\n2. b\n3. c\n\n# Turns\n\nTurns go left.\n"
    found = read(text.encode(), "a.md")
    assert [rule.text for rule in found.rules] == ["1. a\n2. b\n3. c", "Turns go left."]


def test_a_line_alone_before_a_rule_that_may_be_a_categorys_name_can_be_said_to_be_one() -> None:
    text = "101. Obey.\n\nOf money\n\n102. Pay.\n"
    found = read(text.encode(), "a.txt")
    assert [rule.text for rule in found.rules] == ["Obey.\n\nOf money", "Pay."]
    assert ("a.txt:3", "Of money", "text") in [
        (heading.place, heading.words, heading.taken) for heading in found.headings
    ]
    found = read(text.encode(), "a.txt", FileChoices(headings={"a.txt:3": "category"}))
    assert [(rule.text, rule.category) for rule in found.rules] == [
        ("Obey.", ""),
        ("Pay.", "Of money"),
    ]
    assert found.account.missing == 0


def test_lines_of_signs_that_stand_in_no_text_are_noted() -> None:
    found = read(b"-----\nRule 1: A\n\na\n\n-----\nRule 2: B\n\nb\n\n  ---\n", "a.txt")
    assert [rule.text for rule in found.rules] == ["a", "b\n\n  ---"]
    assert found.notes == (
        "a.txt: 2 lines of signs alone stand in no text, the first “-----” in line 1.",
    )


def test_a_rule_without_a_title_has_its_number_unless_another_field_may_be_its_title() -> None:
    found = read(b'[{"number": 101, "text": "All obey."}]', "a.json")
    assert (found.rules[0].title, found.notes) == (
        "Rule 101",
        ("a.json, rule 1 (rule 101): the rule has no title.",),
    )
    assert read(b'[{"number": 101, "text": "a", "heading": "A"}]', "a.json").faults
