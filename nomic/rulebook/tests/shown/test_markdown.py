"""Rule texts as HTML: as the players wrote them, and harmless."""

import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomic.rulebook.rendering.markdown import render


def test_prose_lists_and_emphasis():
    html = render("Horses are *indestructible*.\n\n* bet\n* get a **jersey**\n")
    assert "<em>indestructible</em>" in html
    assert html.count("<li>") == 2
    assert "<strong>jersey</strong>" in html


def test_a_chart_aligned_by_spaces_keeps_its_look():
    chart = "HORSE           COST (dollaries)\n--------------------\nAlexia          10\n"
    html = render(f"They are listed below.\n{chart}\nAlexia's power: once per month.")
    assert f'<pre class="chart"><code>{chart}</code></pre>' in html
    assert "<h" not in html


def cells(html):
    """The cells of every row, heading cells in capitals."""
    return [
        [text.upper() if kind == "h" else text for kind, text in CELL.findall(row)]
        for row in re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    ]


CELL = re.compile(r"<t([hd])>(.*?)</t[hd]>", re.DOTALL)


@pytest.mark.parametrize(
    "text",
    [
        "! Roll !! Visitor\n| 5 || *Merchant*\n| 9 || <b>\n",
        "! Roll !! Visitor\n|-\n| 5 || *Merchant*\n|-\n| 9 || <b>",
        "! Roll\n! Visitor\n|-\n| 5\n| *Merchant*\n|-\n| 9\n| <b>\n",
    ],
)
def test_a_wiki_table_is_a_table(text):
    expected = [["ROLL", "VISITOR"], ["5", "<em>Merchant</em>"], ["9", "&lt;b&gt;"]]
    for before in ("", "The Visitors table:\n", "* it\n\n"):
        assert cells(render(f"{before}{text}")) == expected


def test_wiki_rows_alone_are_a_table_without_a_heading():
    html = render("Add the rows:\n\n| 4 || Thug\n| 10 || Thug\n\nto it.")
    assert cells(html) == [["4", "Thug"], ["10", "Thug"]]
    assert "<thead>" not in html


@pytest.mark.parametrize(
    "text",
    [
        "! Roll !! Visitor\n| 5 || Merchant || twice\n",
        "! Roll !! Visitor\n| 5 || Merchant\n9 || Merchant\n",
        "! Roll !! Visitor\n| 5 || Merchant\nand so on\n",
        "! Roll !! Visitor\n|-\n",
    ],
)
def test_wiki_rows_that_do_not_fit_keep_their_look(text):
    assert f'<pre class="chart"><code>{text}</code></pre>' in render(text)


def test_a_markdown_table_is_a_table():
    html = render("| Horse | Cost |\n|---|--:|\n| Alexia | 10 |\n")
    assert "<td>Alexia</td>" in html
    assert '<td class="right">10</td>' in html


def test_a_chart_in_a_list_or_a_quotation_stays_there():
    html = render("> HORSE    COST\n> -----\n> Alexia   10\n")
    assert "<blockquote>" in html
    assert 'class="chart"><code>HORSE    COST\n-----\nAlexia   10' in html


def test_headings_stand_below_those_of_the_page():
    html = render("# One\n\n###### Six\n\nTwo words\n---------\n")
    assert "<h3>One</h3>" in html
    assert "<h6>Six</h6>" in html
    assert "<h4>Two words</h4>" in html


def test_links_lead_to_the_web_and_say_that_they_are_not_ours():
    html = render("[Agora](https://agoranomic.org) <mailto:a@example.org> [home](/g/races/)")
    assert 'href="https://agoranomic.org" rel="nofollow noopener noreferrer"' in html
    assert 'href="mailto:a@example.org"' in html
    assert 'href="/g/races/"' in html


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<style>body{display:none}</style>",
    '<a href="javascript:alert(1)" onclick="x()" style="position:fixed">x</a>',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](vbscript:x)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](data:image/svg+xml,<svg onload=alert(1)>)",
    "![x](https://evil.example/pixel.png)",
    "![x](data:image/png;base64,AAAA)",
    "<javascript:alert(1)>",
    '[x](https://e.example "onmouseover=alert(1)")',
    "[r]: javascript:alert(1)\n\n[r]",
    "```js onload=alert(1)\n</code></pre><script>alert(1)</script>\n```",
    "A    B\n-----\n</code></pre><script>alert(1)</script>  <svg onload=x>",
    "| a |\n|---|\n| <script>alert(1)</script> |",
    "<math><mtext></p><style><!--</style><img title='--><img src=x onerror=alert(1)>'>",
    "! <svg onload=x> !! b\n| <script>alert(1)</script> || [x](javascript:alert(1))\n",
    "<iframe src=//evil.example></iframe><object data=x></object><form action=x><input>",
    "<!--[if IE]><script>alert(1)</script><![endif]-->",
    "\0<script\0>alert(1)</script>",
]
ALLOWED_TAG = re.compile(
    r"<(?:/?(?:p|br|hr|em|strong|s|code|pre|blockquote|ul|ol|li|a|h[3-6]|table|thead|tbody|tr|th|td)"
    r'|ol start="\d+"|pre class="chart"|t[hd] class="(?:right|centre)"'
    r'|a href="(?:https?:|mailto:|(?![a-zA-Z][a-zA-Z0-9+.-]*:))[^"<>]*"(?: title="[^"<>]*")?'
    r' rel="nofollow noopener noreferrer"'
    r'|a title="[^"<>]*" rel="[a-z ]*"|a rel="[a-z ]*")>'
)


def harmless(html: str) -> bool:
    """No markup is left but elements and attributes that we know."""
    return "<" not in ALLOWED_TAG.sub("", html)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_comes_out_harmless(text):
    html = render(text)
    assert harmless(html), html
    assert not re.search(r'<[^>]*href="\s*(javascript|vbscript|data):', html, re.IGNORECASE)


@given(
    st.lists(
        st.sampled_from([*HOSTILE, "\n", "\n\n", "*", "`", "> ", "    ", "[", "](", "a  b\n---\n"]),
        max_size=12,
    )
)
def test_any_mixture_of_hostile_pieces_comes_out_harmless(pieces):
    assert harmless(render("".join(pieces)))


@given(st.text(max_size=300))
def test_any_text_comes_out_harmless(text):
    assert harmless(render(text))


@pytest.mark.parametrize(
    "piece", ["[", "*", "`", "> ", "![", "<", "a  b\n---\n", "| a ", "- ", "\\", "&", "_a", "]("]
)
def test_a_long_hostile_text_takes_bounded_time(piece):
    text = (piece * 20_000)[:20_000]
    start = time.process_time()
    render(text)
    assert time.process_time() - start < 3


NOTE = '<span class="who" title="t">note</span>'


def test_notes_stand_where_the_text_has_their_places() -> None:
    text = (
        "One. **Two** three.\n\n- four\n\n| A | B |\n| --- | --- |\n| c | d |\n\n```\nx = 1\n```\n"
    )
    places = [text.index(word) for word in ("One", "Two", "three", "four", "c |", "x =")]
    html = render(text, [(place, NOTE) for place in places])
    for word in ("One. ", "Two<", "three", "four", "c<", "x = 1"):
        assert f"{NOTE}{word}" in html
    assert html.replace(NOTE, "") == render(text)


@pytest.mark.parametrize("sign", ["\n", "[", "*", "|", "<"])
def test_a_text_with_more_signs_than_a_page_has_patience_for_stands_as_it_was_written(
    sign: str, settings: Any
) -> None:
    settings.BOUNDS = {"signs": 10}
    laid_out, long = f"- a\n{sign * 7}", f"- a\n{sign * 8}<b>"
    assert "<li>" in render(laid_out)
    html = render(long, [(2, NOTE), (len(long), NOTE)])
    told = long.replace("<", "&lt;").replace(">", "&gt;")
    assert html == f'<pre class="chart">- {NOTE}{told[2:]}{NOTE}</pre>'


@given(
    st.text(alphabet="aB1. \n*|-`[](){}<>\"'=_!~\ue000\ue001:/", max_size=80),
    st.lists(st.integers(0, 80), max_size=4),
)
def test_notes_add_nothing_but_themselves(text: str, places: list[int]) -> None:
    html = render(text, [(min(place, len(text)), NOTE) for place in sorted(places)])
    assert html.count("<span") == html.count(NOTE) <= len(places)
    assert not re.search("[\ue000\ue001]", html)


PROGRAM = "# Pay all\ndef pay():\n    give(me, 12, 'points')\n"
COLOURED = (
    '<pre><code><span class="code-remark"># Pay all</span>\n'
    '<span class="code-keyword">def</span> pay():\n    give(me, '
    '<span class="code-number">12</span>, <span class="code-text">\'points\'</span>)\n'
    "</code></pre>"
)
COLOUR = re.compile(r'<span class="code-[a-z]+">([^<]*)</span>')


def plain_and_coloured(code: str) -> tuple[str, str]:
    """The same code in a block that is no program, and in one that is, without its colours."""
    plain, coloured = (render(f"```{name}\n{code}\n```\n") for name in ("text", "python"))
    return plain, COLOUR.sub(r"\1", coloured)


def test_a_program_in_a_text_has_colours() -> None:
    assert render(f"```python\n{PROGRAM}```").strip() == COLOURED


@pytest.mark.parametrize("language", ["", "js", "pythonic", "text"])
def test_what_is_no_program_has_no_colours(language: str) -> None:
    assert "<span" not in render(f"```{language}\n{PROGRAM}```\n")


@pytest.mark.parametrize("line", ["x = y\n" * 4_000, "1 " * 9_000], ids=["long", "dense"])
def test_a_program_too_long_to_colour_or_too_large_for_its_page_stays_plain(line: str) -> None:
    assert "<span" in render(f"```python\n{line[:3_000]}\n1\n```\n")
    html = render(f"```python\n{line}\n1\n```\n")
    assert html.startswith("<pre><code>")
    assert "<span" not in html


@pytest.mark.parametrize(
    "code",
    ["x = 'open", "if x:\n    y\n  z", "'''open", "((((", "f'{</code><script>", "1__0 0x", "?\0!"],
)
def test_code_that_is_no_python_is_shown_letter_by_letter(code: str) -> None:
    plain, coloured = plain_and_coloured(code)
    assert coloured == plain
    assert harmless(coloured)


@given(st.text(alphabet="aif1 \n'\"#{}()\\\t\r\f<>&=:é\ue000\ue001", max_size=80))
def test_colours_add_nothing_but_themselves(code: str) -> None:
    plain, coloured = plain_and_coloured(code)
    assert coloured == plain


@pytest.mark.parametrize("piece", ["\n ", "\t\n", "(", "'''", "f'{", "\\\n", "if 1:\n", "é "])
def test_a_hostile_program_takes_bounded_time(piece: str) -> None:
    start = time.process_time()
    render(f"```python\n{(piece * 10_000)[:9_000]}\n```\n")
    assert time.process_time() - start < 3


def test_notes_stand_in_a_program_with_colours() -> None:
    text = f"```python\n{PROGRAM}```\n"
    html = render(text, [(text.index("pay()"), NOTE), (text.index("2, 'p"), NOTE)])
    assert f"{NOTE}pay()" in html
    without = html.replace(NOTE, "").replace('1</span><span class="code-number">2', "12")
    assert without == render(text)
