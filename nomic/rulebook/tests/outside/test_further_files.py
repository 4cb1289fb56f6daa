"""Rulebooks as Org, AsciiDoc, pages of HTML, tables of values, and articles in plain text."""

from typing import Any

import pytest

from nomic.rulebook.edits.doubts import looks_like
from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.web_page import as_markdown
from nomic.rulebook.tests.outside.test_styles import packed

ORG = """#+TITLE: Laws

* Chapter
** Rule 101: Players
A player.

- one
** Rule 102: Winning
Nobody wins.
#+begin_src
* no heading
#+end_src
"""
ASCIIDOC = """= Laws

== Rule 101: Players

A player.

* one

== Rule 102: Winning

----
== no heading
----
"""
HTML = """<!DOCTYPE html><html><head><title>Laws</title><style>p{}</style></head><body>
<!-- <h2>Rule 7: Not this</h2> -->
<h1>Laws</h1><h2>Rule <b>101</b>: Players</h2><p>A player is\n a <b>person</b>.
<ol start="3"><li>one<ul><li>two</ul><li>three</ol>
<h2>Rule 102: Winning</h2><p># Nobody &amp; nothing<br>wins at <a href="x>y">last</a>.
<script>if (a < b) "<h2>Rule 8: Nor this</h2>"</script>
<table><tr><th>a<th>b<tr><td><p>1</p><td>2</table><pre>x  <b>y</b>\n  z</pre></body></html>"""
CSV = 'number,title,text,power\n101,Players,"A player\nis a ""person"".",3\n102,Winning,Nobody.,\n'
ARTICLES = """Article 1. Players

A player is a person.
See Article 2.

Article 2

Nobody wins.

Article 3. Everybody plays, and nobody wins, and so it goes on.
1. So it goes.
"""
WON = """\\# Nobody & nothing
wins at last.

| a | b |
| --- | --- |
| 1 | 2 |

```
x  y
  z
```"""


@pytest.mark.parametrize(
    ("name", "text", "rules"),
    [
        (
            "laws.org",
            ORG,
            [
                ("101", "Players", "A player.\n\n- one"),
                ("102", "Winning", "Nobody wins.\n#+begin_src\n* no heading\n#+end_src"),
            ],
        ),
        (
            "laws.adoc",
            ASCIIDOC,
            [
                ("101", "Players", "A player.\n\n* one"),
                ("102", "Winning", "----\n== no heading\n----"),
            ],
        ),
        (
            "laws.html",
            HTML,
            [
                (
                    "101",
                    "Players",
                    "A player is a **person**.\n\n3. one\n  - two\n4. three",
                ),
                ("102", "Winning", WON),
            ],
        ),
        (
            "laws.csv",
            CSV,
            [("101", "Players", 'A player\nis a "person".'), ("102", "Winning", "Nobody.")],
        ),
        (
            "laws.txt",
            ARTICLES,
            [
                ("1", "Players", "A player is a person.\nSee Article 2."),
                ("2", "Article 2", "Nobody wins."),
                (
                    "3",
                    "Article 3",
                    "Everybody plays, and nobody wins, and so it goes on.\n1. So it goes.",
                ),
            ],
        ),
    ],
)
def test_the_rules_come_in_and_each_line_is_accounted_for(
    name: str, text: str, rules: list[tuple[str, str, str]]
) -> None:
    found = read(text.encode(), name)
    assert [(rule.number, rule.title, rule.text) for rule in found.rules] == rules
    assert (found.faults, found.account.lines) == ((), ())


ROWS = """The rules.

{| class="wikitable"
! No. !! Name
! Text
|-
| 101 || Players || A player is a person.
|-
| style="x" | 102
| Winning
| Nobody wins.

# Never.
|}
Be nice."""


def test_a_wiki_page_has_its_rules_in_a_table_or_as_items_of_lists() -> None:
    found = read(ROWS.encode(), "a.wiki")
    assert [(rule.number, rule.title, rule.text) for rule in found.rules] == [
        ("101", "Players", "A player is a person."),
        ("102", "Winning", "Nobody wins.\n\n# Never."),
    ]
    assert [(each.name, each.note) for each in found.categories] == [("", "The rules.\n\nBe nice.")]
    assert (found.faults, found.account.lines) == ((), ())
    for other in (
        ROWS.replace("Text\n", "Votes\n"),
        ROWS.replace("| Winning\n", ""),
        f"== Rule 7: A ==\n{ROWS}",
        ROWS.replace("Be nice.", "{|\n|}"),
    ):
        assert "{|" in "".join(
            rule.text for rule in read(f"== A ==\n{other}".encode(), "a.wiki").rules
        )
    page = "== Laws ==\n# '''Players.''' A player.\n## Or two.\n# Second.\n#: More.\n# Third."
    found = read(page.encode(), "a.wiki")
    assert [(rule.number, rule.title, rule.text, rule.category) for rule in found.rules] == [
        ("1", "Players", "A player.\n## Or two.", ""),
        ("2", "Rule 2", "Second.\n#: More.", ""),
        ("3", "Rule 3", "Third.", ""),
    ]
    assert (found.faults, found.account.lines) == ((), ())
    steps = "== A ==\n# b\n# c\n== D ==\n# e\n# f"
    assert [rule.title for rule in read(steps.encode(), "a.wiki").rules] == ["A", "D"]


def test_a_table_of_values_has_its_columns_named_and_each_row_as_long() -> None:
    found = read(b"no;law\n1;So be it.\n", "a.csv")
    assert found.rules == ()
    found = read(b"number;title;text\n1;A;So be it.\n", "a.csv")
    assert [(rule.number, rule.title) for rule in found.rules] == [("1", "A")]
    (fault,) = read(b"number,title,text\n1,A,b,c\n", "a.csv").faults
    assert "row 1: it has more cells than the first line names columns" in str(fault)
    (fault,) = read(b'number,title,text\n1,A,"b\n', "a.csv").faults
    assert "is no table of comma-separated values" in str(fault)


def test_a_page_is_known_by_how_it_begins_and_says_what_it_was_taken_as() -> None:
    found = read(HTML.encode())
    assert len(found.rules) == 2
    assert "a page of HTML" in found.notes[0]
    files: dict[str, Any] = {"rules/1.md": "# 1 A\n\nb\n", "page.html": HTML, "list.csv": CSV}
    assert [rule.title for rule in read(packed(**files), "a.zip").rules] == ["A"]


def test_numbers_that_are_more_than_articles_begin_the_rules() -> None:
    text = "101. Players\n\nSection 1: a\n\nSection 2: b\n\n102. Winning\n\nc\n\n103. Ends\n\nd\n"
    assert [rule.number for rule in read(text.encode(), "a.txt").rules] == ["101", "102", "103"]


@pytest.mark.parametrize(
    "piece", ["<a ", "<!--", "<script>", "<a b='", "<p><li>", "&#", "<tr><td>", f"<{'a' * 50_000}"]
)
def test_a_hundred_thousand_characters_of_a_page_take_no_time_worth_telling(piece: str) -> None:
    page = piece * (100_000 // len(piece))
    assert len(as_markdown(page)) <= 3 * len(page)


def test_a_cell_of_many_words_and_blocks_has_them_all() -> None:
    page = f"<table><tr><td>{'a ' * 50_000}{'<p>' * 50_000}b</table>"
    assert as_markdown(page).split("\n")[0] == f"| {'a ' * 50_000}b |"


def test_a_number_of_many_digits_is_no_sign() -> None:
    digits = "9" * 5000
    assert as_markdown(f"<p>a&#65;&#{digits};b") == "aA\ufffd;b\n"
    assert looks_like(f"a&#65;&#{digits};b") == "aA\ufffd;b"


def test_a_cell_that_ends_in_no_style_is_read_as_it_is() -> None:
    cell = f"a={'bbb=' * 10_000}c"
    page = ROWS.replace("| Winning", '| style="x" class=y | Winning')
    page = page.replace("| Nobody", f"| {cell}\n{'x\n' * 50_000}Nobody")
    rule = read(page.encode(), "a.wiki").rules[1]
    assert (rule.title, rule.text[: len(cell)]) == ("Winning", cell)


def test_a_table_of_values_has_so_many_columns_and_rows_at_most() -> None:
    wide = ",".join(f"a{place}" for place in range(101))
    (fault,) = read(f"number,title,text,{wide}\n1\n".encode(), "a.csv").faults
    assert "has 104 columns; 100 are the most" in str(fault)
    (fault,) = read(f"number,title,text\n{'1\n' * 8000}".encode(), "a.csv").faults
    assert "has more than 7,000 rows" in str(fault)
