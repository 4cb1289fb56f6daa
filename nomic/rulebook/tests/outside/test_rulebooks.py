"""Rulebooks in the styles in which nomics keep theirs: each comes in whole, and what of one does
not is told line by line."""

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from nomic.rulebook.formats.reader_process import read_apart
from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.values import Brought, Category, Count, FileChoices

RULEBOOKS = Path(__file__).parent / "rulebooks"


def nothing_is_lost(found: Brought) -> bool:
    """Whether all was understood and accounted for."""
    assert found.faults == ()
    assert found.account.lines == ()
    assert [count for count in found.account.counts if count.stands != count.came] == []
    return found.account.missing == 0


def counts(found: Brought) -> dict[str, int]:
    return {count.kind: count.came for count in found.account.counts if count.came}


def heads(found: Brought) -> list[tuple[str, str, str]]:
    return [(rule.number, rule.title, rule.category) for rule in found.rules]


def test_headings_that_are_numbers_alone_give_numbers_classes_and_all_text() -> None:
    found = read(RULEBOOKS / "numbers.md")
    assert nothing_is_lost(found)
    assert found.fields == (), "there are none to be said"
    assert [(rule.number, rule.title) for rule in found.rules] == [
        ("101", "Rule 101"),
        ("102", "Rule 102"),
        ("201", "Rule 201"),
        ("314", "Rule 314"),
        ("-104", "Rule -104"),
        ("1", "THE CLOCK"),
        ("7", "Cats"),
        ("8", "DOGS (D)"),
    ]
    assert [rule.rule_class for rule in found.rules] == ["immutable", "immutable", *[""] * 6]
    assert found.rules[3].text == (
        "#### Battleship:\n\n- Each fleet has five ships.\n  - A ship sinks once."
    )
    assert "### Points\n\n| deed | points |" in found.rules[2].text
    assert counts(found) == {
        "rules": 8,
        "numbers": 8,
        "headings": 11,
        "table rows": 3,
        "list items": 4,
        "letters and figures": found.account.counts[-1].stands,
    }


def test_what_is_told_below_a_rule_of_its_past_is_its_history_and_its_annotations() -> None:
    found = read(RULEBOOKS / "history.md")
    assert nothing_is_lost(found)
    assert heads(found) == [
        ("101", "Rule 101", "Chapter One"),
        ("102", "Players", "Chapter One"),
        ("201", "Winning", "Chapter Two"),
    ]
    first, players, _ = found.rules
    assert first.text == "All obey."
    assert [(change.date, change.change) for change in first.history] == [
        ("2020-01-02", "2020-01-02: Enacted by Proposal 1."),
        ("", "2020-02-30 (so the log): Amended by Proposal 2."),
    ]
    assert [(entry.date, entry.text) for entry in first.annotations] == [
        ("", "CFJ 5: it means\nwhat it says."),
        ("3 May 2021", "CFJ 6, 3 May 2021: once."),
    ]
    assert players.history[0].date == "Jan. 5, 2021"
    assert json.loads(players.more) == {"rev": 3}
    badge = "[![rules](https://example.org/badge.svg)](https://example.org)"
    assert found.categories == (
        Category("", f"{badge}\n\nThe Rulebook\n\nKept by the Scribe."),
        Category("Chapter One", "What begins."),
    )


def test_numbers_in_bold_begin_rules_and_headings_above_them_are_categories() -> None:
    found = read(RULEBOOKS / "bold.md")
    assert nothing_is_lost(found)
    assert heads(found) == [
        ("", "Players", ""),
        ("7", "Rule 7", "Immutable Rules"),
        ("8", "Rule 8", "Immutable Rules"),
        ("9", "Turns", "Mutable Rules"),
        ("10", "Rule 10", "Mutable Rules"),
        ("11", "Rule 11", "Mutable Rules"),
    ]
    assert found.rules[1].text == (
        "All players obey,\nin the form then in effect.\n\n(Note: a note.)"
    )
    assert found.rules[3].text == "Play proceeds\n- clockwise,\n- by age."
    assert json.loads(found.rules[5].more) == {"Strength": "3"}


def test_numbers_in_bold_in_a_list_begin_rules() -> None:
    found = read(RULEBOOKS / "listed.md")
    assert nothing_is_lost(found)
    assert heads(found) == [("1", "On Rules", ""), ("2", "On Turns", ""), ("5", "On Time", "")]
    assert found.rules[0].text == "All rules have numbers.\n\n1. the repeal,\n2. the enactment."
    assert found.rules[1].text == "A turn ends:\n\n- at noon,\n- or not."


def test_a_wiki_page_is_one_as_a_whole_and_its_frames_stay_out() -> None:
    found = read(RULEBOOKS / "page.wiki")
    assert nothing_is_lost(found)
    assert heads(found) == [
        ("", "Ruleset", "Core"),
        ("", "Votes", "Core"),
        ("", "Isles", "Dynasty"),
    ]
    assert {rule.markup for rule in found.rules} == {"wiki"}
    assert found.rules[1].text.startswith("{| class")
    assert found.rules[1].text.endswith("|}\nA vote counts.\n: It is one.")
    assert found.rules[2].text.endswith("<pre>\n<div>== as it stands ==</div>\n</pre>")
    assert found.notes[0] == "page.wiki: 4 tags <div> of the wiki page are left out."


def test_the_plain_form_of_agora_keeps_no_dashes_and_no_other_categorys_name() -> None:
    found = read(RULEBOOKS / "plain.txt")
    assert nothing_is_lost(found)
    assert heads(found) == [
        ("101", "The Game of Isles", "The Game"),
        ("869", "How to Join and Leave", "The Game"),
        ("2125", "Regulation Regulations", "Mutability"),
    ]
    game, joining, regulations = found.rules
    assert game.text.endswith(
        "      -----\n\n      Treat it right:\n\n         a) for good;\n         b) forever."
    )
    assert joining.text == "      Any person joins."
    assert [change.date for change in joining.history] == ["Jun. 30 1993", "Aug. 24 1995"]
    assert joining.annotations[0].text == "[CFJ 24 (called 1 May 1996): It is\none.]"
    assert regulations.text == "      A Regulation is one."
    assert found.categories[1] == Category("Mutability", "How rules change.")
    assert "END OF THE SHORT LOGICAL RULESET" in found.categories[0].note


def test_restructured_text_has_its_titles_by_the_signs_below_them() -> None:
    found = read(RULEBOOKS / "titled.rst")
    assert nothing_is_lost(found)
    assert [(rule.title, rule.parent) for rule in found.rules] == [
        ("Joining", ""),
        ("Leaving", "Joining"),
        ("Winning", ""),
    ]
    assert found.rules[1].text == "Who leaves is gone::\n\n    Gone\n    ----"
    assert "1     crown" in found.rules[2].text


def test_a_folder_of_files_with_front_matter_comes_in_by_saying_which_field_is_which() -> None:
    found = read(RULEBOOKS / "folder")
    assert heads(found) == [
        ("102", "the clock", "core"),
        ("103", "Time", "core"),
        ("101", "Players", ""),
    ]
    assert found.account.lines == ("README.md: this file was not read.",)
    assert {"status", "votes"} <= {*found.fields}
    chosen = read(RULEBOOKS / "folder", choices=FileChoices(fields={"rule_class": "status"}))
    assert [rule.rule_class for rule in chosen.rules] == ["", "mutable", "immutable"]
    assert json.loads(chosen.rules[2].more) == {"votes": [3, 1]}
    assert chosen.rules[2].text == "All obey.\n\n## A part of it\n\n- one"


def archive(**files: str) -> bytes:
    into = BytesIO()
    with ZipFile(into, "w") as written:
        for name, text in files.items():
            written.writestr(name, text)
    return into.getvalue()


def test_an_archive_of_a_repository_comes_in_with_what_was_not_read_told() -> None:
    files = {
        "nomic/rules/rule101.md": "# 101 Players\n\nAll.",
        "nomic/rules/102-clock.wiki": "# tick",
        "nomic/rules/103.txt": "1. One.\n2. Two.\n3. Three.",
        "nomic/rules/104.md": "# 2 Fast\n\nruns",
        "nomic/rules/dance.png": "\x89",
        "nomic/dynasty.md": "# One\n\na\n\n# Two\n\nb",
        "nomic/LICENSE": "none",
    }
    found = read(archive(**files), "a.zip")
    assert sorted((rule.number, rule.title, rule.text) for rule in found.rules) == [
        ("", "One", "a"),
        ("", "Two", "b"),
        ("101", "Players", "All."),
        ("102", "clock", "# tick"),
        ("103", "Rule 103", "1. One.\n2. Two.\n3. Three."),
        ("104", "2 Fast", "runs"),
    ]
    assert {rule.number: rule.markup for rule in found.rules}["102"] == "wiki"
    assert found.account.lines == (
        "nomic/rules/dance.png: this file was not read.",
        "nomic/LICENSE: this file was not read.",
    )


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("x.md", "---\n- 1\n---\nq", "is no mapping of fields"),
        ("x.md", "---\n: [\n---\nq", "this is not YAML"),
        ("rule1.md", "---\ntitle: [a]\n---\nq", "`title` is text or a number"),
        ("x.yaml", "- 1", "a rule is a mapping of fields"),
        ("x.json", "5", "`rules` is a list of rules"),
        ("x.json", '{"a": [{}], "b": [{}], "c": 1}', "an object with one such list"),
    ],
)
def test_a_file_of_a_folder_that_cannot_be_read_is_told_by_its_name(
    name: str, text: str, told: str
) -> None:
    (fault,) = read(archive(**{name: text, "y.md": "# A\n\na"}), "a.zip").faults
    assert fault.startswith(name)
    assert told in fault


OTHERS = [
    {"no": 101, "heading": "Players", "body": ["All obey.", "Always."], "title": "Dr."},
    {"no": "102", "heading": "Points", "body": "x"},
]


@pytest.mark.parametrize(
    "document",
    [OTHERS, {"laws": OTHERS}, {"game": OTHERS[0]["heading"], "laws": OTHERS}],
)
def test_json_with_other_names_comes_in_by_saying_which_field_is_which(document: object) -> None:
    sent = json.dumps(document).encode()
    assert "has no title" in read(sent, "a.json", FileChoices(fields={"number": "no"})).faults[-1]
    assert read(sent, "a.json").fields == ("no", "heading", "body", "title")
    fields = {"number": "no", "title": "heading", "text": "body"}
    found = read(sent, "a.json", FileChoices(fields=fields))
    assert found.faults == ()
    assert heads(found) == [("101", "Players", ""), ("102", "Points", "")]
    assert found.rules[0].text == "All obey.\nAlways."
    assert json.loads(found.rules[0].more) == {"title in the file": "Dr."}
    lines = ("a.json, game: Players",) if "game" in document else ()
    assert found.account.lines == lines


def test_json_of_rules_by_their_numbers_gives_their_names_as_a_field() -> None:
    sent = json.dumps({"101": {"title": "A", "text": "x"}, "102": {"title": "B", "text": "y"}})
    found = read(sent.encode(), "a.json", FileChoices(fields={"number": "(its name)"}))
    assert heads(found) == [("101", "A", ""), ("102", "B", "")]


@pytest.mark.parametrize(
    ("place", "taken", "titles"),
    [
        ("a.md:7", "text", ["A", "C"]),
        ("a.md:11", "text", ["A", "B"]),
        ("a.md:1", "category", ["B", "C"]),
        ("a.md:1", "text", ["A", "B", "C"]),  # there is no rule above it
        ("a.md:99", "text", ["A", "B", "C"]),
        ("b.md:7", "text", ["A", "B", "C"]),
    ],
)
def test_what_a_heading_is_can_be_said_heading_by_heading(
    place: str, taken: str, titles: list[str]
) -> None:
    text = "# A\n\na\n\n\n\n## B\n\nb\n\n# C\n\nc\n"
    found = read(text.encode(), "a.md", FileChoices(headings={place: taken}))
    assert [rule.title for rule in found.rules] == titles
    assert nothing_is_lost(found)
    if (place, taken) == ("a.md:7", "text"):
        assert found.rules[0].text == "a\n\n\n\n## B\n\nb"
        assert [heading.taken for heading in found.headings] == ["rule", "text", "rule"]


def test_the_title_of_all_and_a_category_can_be_said_to_be_rules() -> None:
    text = "# All\n\nabout\n\n## Part\n\n### A\n\na"
    found = read(text.encode(), "a.md")
    assert [(rule.title, rule.category) for rule in found.rules] == [("A", "Part")]
    assert [heading.taken for heading in found.headings] == ["title", "category", "rule"]
    said = FileChoices(headings={"a.md:1": "rule", "a.md:5": "rule"})
    found = read(text.encode(), "a.md", said)
    assert [(rule.title, rule.parent) for rule in found.rules] == [
        ("All", ""),
        ("Part", "All"),
        ("A", "Part"),
    ]
    assert nothing_is_lost(found)


def test_a_part_of_a_numbered_rule_can_be_said_to_be_a_rule() -> None:
    text = "## 101\n\na\n\n### Part\n\nb\n\n## 102\n\nc"
    found = read(text.encode(), "a.md")
    assert [rule.title for rule in found.rules] == ["Rule 101", "Rule 102"]
    found = read(text.encode(), "a.md", FileChoices(headings={"a.md:5": "rule"}))
    assert [(rule.title, rule.parent) for rule in found.rules] == [
        ("Rule 101", ""),
        ("Part", "101"),
        ("Rule 102", ""),
    ]


@pytest.mark.parametrize(
    ("sent", "name", "title"),
    [
        ("{{TOCRight}}\n== One ==\na", "a.wiki", "One"),
        ("[![b](x)](y)\n\n# One\n\na", "a.md", "One"),
        ("[Initial Ruleset]\n\nRule 1: One\na", "a.txt", "One"),
        ("[Initial Ruleset]\n\nRule 1: One\na", "", "One"),
        ("{ a brace\n\n# One\n\na", "", "One"),
    ],
)
def test_what_begins_with_a_bracket_is_read_by_the_ending_of_its_name(
    sent: str, name: str, title: str
) -> None:
    found = read(sent.encode(), name)
    assert [rule.title for rule in found.rules] == [title]
    assert nothing_is_lost(found)


def test_a_line_that_does_not_come_is_told_with_where_it_stands() -> None:
    found = read(b"Rule 1: A\n\na\n", "a.txt")
    assert nothing_is_lost(found)
    lost = Brought(found.rules)
    assert lost.account == Brought().account
    files = {"a.json": json.dumps({"rules": [{"title": "A", "text": "x"}], "more": ["y", "z"]})}
    found = read(files["a.json"].encode(), "a.json")
    assert found.account.lines == ("a.json, more: y", "a.json, more: z")
    assert Count("letters and figures", 4, 2) in found.account.counts


@pytest.mark.parametrize(
    ("text", "name", "rules"),
    [
        ("1. All obey.\n2. Vote.\n3. Win.\n", "a.txt", ["All obey.", "Vote.", "Win."]),
        ("1. All obey.\n2. Vote.\n3. Win.\n", "a.md", ["All obey.", "Vote.", "Win."]),
        (
            "# R\n\n1. All\n   obey.\n2. Vote:\n   - so\n\n3. Win.",
            "a.md",
            ["All\nobey.", "Vote:\n- so", "Win."],
        ),
        (
            "Hi\n\n101. All\nmust.\n102. Next.\n\n103. Last.\n1. a\n2. b\n",
            "a.txt",
            ["All\nmust.", "Next.", "Last.\n1. a\n2. b"],
        ),
        ("101\n\nAll.\n\n102 (IMMUTABLE)\n\nB.\n", "a.txt", ["All.", "B."]),
        (
            "# 101 — All players obey." + " and so on" * 20 + ".\n\nYes.\n\n# 102\n\nB",
            "a.md",
            ["All players obey." + " and so on" * 20 + ".\n\nYes.", "B"],
        ),
        (
            "## 1. A\n\n### 1. x\na\n\n### 2. y\n\n### 3. z\n\n## 2. B\n\n### 1. x\nc\n",
            "a.md",
            ["### 1. x\na\n\n### 2. y\n\n### 3. z", "### 1. x\nc"],
        ),
        ("## 1\n\na\n\n##\n\nb\n\n## 2\n\nc", "a.md", ["a\n\n##\n\nb", "c"]),
    ],
)
def test_numbers_that_begin_rules_and_those_that_count_their_parts_are_told_apart(
    text: str, name: str, rules: list[str]
) -> None:
    found = read(text.encode(), name)
    assert nothing_is_lost(found)
    assert [rule.text for rule in found.rules] == rules
    assert all(rule.number for rule in found.rules)


HOSTILE = {
    "one line": "a" * 1_200_000,
    "one line with a heading": "# " + "a " * 600_000,
    "bold": "**1.** a\n" * 130_000,
    "bold and open": "**1" * 400_000,
    "items": "- **1 § a**\n" * 100_000,
    "numbers": "".join(f"{number}. a\n\n" for number in range(1, 130_000)),
    "dashes": "-----\n\na\n\n" * 120_000,
    "underlined": "a\n-\n" * 300_000,
    "fields": ":a: b\n" * 200_000,
    "frames": "<div>" * 240_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("name", ["", "a.wiki", "a.rst", "a.txt"])
@pytest.mark.thorough
def test_a_great_text_is_refused_with_a_sentence_and_in_linear_time(kind: str, name: str) -> None:
    (fault,) = read_apart(HOSTILE[kind].encode(), name, 30).faults
    assert "no heading" in fault or "are the most" in fault or "has 1 to 120" in fault


def test_what_a_rule_does_not_take_from_its_file_is_told_though_the_file_is_kept(
    tmp_path: Path,
) -> None:
    (tmp_path / "rules").mkdir()
    rank = "immutable, and never to be amended by anybody"
    (tmp_path / "rules" / "7").write_text(
        f"id: 7\nname: Cats\nrule_class: {rank}\ntext: |\n  Cats nap.\n"
        "versions:\n- date: 2020-01-02\n  title: Cat\n  text: A cat naps.\n  judge: Aris\n"
    )
    found = read(tmp_path)
    assert found.faults == ()
    assert found.rules[0].filed
    assert found.account.lines == (f"rules/7, rule_class: {rank}", "rules/7, versions, judge: Aris")
