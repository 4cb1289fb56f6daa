"""Rules from wiki pages read on a page as they do on a wiki."""

import pytest

from nomic.rulebook.rendering.markdown import render
from nomic.rulebook.rendering.wiki import as_markdown, reads_as_wiki

PAGE = """A player may do '''all''' that [[The Rules|these rules]] say ''once''.
# first
# second [https://example.org there]
#* and below
{| class="wikitable"
! Name !! style="x" | Worth
|-
| Coin || 1
|}
After it."""


def test_a_wikis_lists_tables_emphasis_and_links_are_shown() -> None:
    shown = "".join(line.strip() for line in render(as_markdown(PAGE)).splitlines())
    assert (
        "<p>A player may do <strong>all</strong> that these rules say <em>once</em>.</p>" in shown
    )
    assert '<ol><li>first</li><li>second <a href="https://example.org"' in shown
    assert "<ul><li>and below</li></ul>" in shown
    assert "<th>Name</th><th>Worth</th>" in shown
    assert "<td>Coin</td><td>1</td>" in shown
    assert shown.endswith("<p>After it.</p>")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("* a\n** b\n* c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
        ("*** a\n** b", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
        ("# a", "<ol><li>a</li></ol>"),
        (": a\nb", "<ul><li>a</li></ul><p>b</p>"),
        ("<div class='x'>\n* a\n</div>", "<ul><li>a</li></ul>"),
    ],
)
def test_lists_and_frames_of_a_wiki_are_shown_as_such(text: str, shown: str) -> None:
    assert "".join(line.strip() for line in render(as_markdown(text)).splitlines()) == shown


@pytest.mark.parametrize(
    ("text", "is_wiki"),
    [
        (PAGE, True),
        ("# one\n# two", True),
        ("# One\n\nText with `[x]` and don't.\n\n- a", False),
        ("```\n# a\n# b\n```", False),
        ("A player CAN:\n  * do it.", False),
    ],
)
def test_what_has_no_sign_of_a_wiki_is_none(text: str, is_wiki: bool) -> None:
    assert reads_as_wiki(text) is is_wiki


def test_a_long_text_that_begins_much_and_ends_none_is_read_at_once() -> None:
    for piece in ("[[a", "[http://a b ", "'''a", "{|\n|", "|| ", "# a\n{|\n"):
        assert as_markdown(piece * (100_000 // len(piece))) is not None
