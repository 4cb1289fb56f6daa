"""Rule texts as pages show them: Markdown to HTML that is safe whatever a player wrote.

Two nets, since either may have a hole: markdown-it-py is told to take no HTML, and nh3 lets
through only the elements named here. Charts that players aligned with spaces keep their look:
Markdown alone would make a heading and a paragraph of them. Wiki rows become a table where their
cells fit each other, and keep their look as well where they do not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import nh3
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from nomic.games.bounds import SIGNS, TEXT_KILOBYTES
from nomic.rulebook.rendering.blocks import with_charts
from nomic.rulebook.rendering.colours import CODE_CLASSES, colours_of, draw, is_coloured
from nomic.rulebook.tables import is_markdown_head

_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
_ALIGNED = {"text-align:right": "right", "text-align:center": "centre"}
_CLASSES = {"pre": {"chart"}, "th": set(_ALIGNED.values()), "td": set(_ALIGNED.values())}
_NOTE_CLASSES = {"who", "unfitted", "is-people", "is-program", "is-remark", "visually-hidden"}
_LINK_CLASSES = {"spot", "pencil", "who", "is-read"}
_PLACE, _PLACE_ENDS = "\ue000", "\ue001"
_PLACES = re.compile(f"{_PLACE}([0-9]+){_PLACE_ENDS}")
_SIGNS = re.compile(r"[^\w .,;:’“”()-]")  # each takes Markdown some 30 µs to read
_PIECE = re.compile(r"[^\n]{0,2000}\n|[^\n]{1,2000}")
_FAR_IN = re.compile(r"^(?: {4}|\t| {1,3}\t).*\|", re.MULTILINE)
_HEADINGS_START_AT = 3  # a page has the levels above


@dataclass(frozen=True, slots=True)
class ShownPart:
    """The part of a long text from one of its characters to another: the `number`th `of` so many.
    A text that a page has room for is one part."""

    start: int
    end: int
    number: int = 1
    of: int = 1

    @property
    def before(self) -> int:
        """The number of the part before it; 0 where it is the first."""
        return self.number - 1

    @property
    def next(self) -> int:
        """The number of the part after it; 0 where it is the last."""
        return (self.number + 1) % (self.of + 1)


def part_of(text: str, number: int) -> ShownPart:
    """The part of that number, or the nearest there is, of a text of which a page shows so much at
    a time. Parts end with lines, where lines are not too long for that."""
    room = TEXT_KILOBYTES.count * 1000
    if len(escape(text).encode()) <= room:
        return ShownPart(0, len(text))
    ends, taken, at = [], 0, 0
    lines = _PIECE.findall(text)
    escaped = escape("\0".join(lines)).encode().split(b"\0")  # of all in one call; no text has \0
    for line, size in zip(lines, map(len, escaped), strict=True):
        if taken + size > room:
            ends.append(at)
            taken = 0
        taken, at = taken + size, at + len(line)
    starts = [0, *ends]
    chosen = min(max(number, 1), len(starts))
    return ShownPart(starts[chosen - 1], [*ends, len(text)][chosen - 1], chosen, len(starts))


def render_part(text: str, part: ShownPart, notes: Sequence[tuple[int, str]] = ()) -> SafeString:
    """That part of a text as HTML for a page; of several parts each as it was written."""
    ends = part.end + (part.number == part.of)
    inside = [(at - part.start, note) for at, note in notes if part.start <= at < ends]
    shown = text[part.start : part.end]
    return render(shown, inside) if part.of == 1 else _as_written(shown, inside)


def render(text: str, notes: Sequence[tuple[int, str]] = ()) -> SafeString:
    """`text` as HTML for a page: no script, style, image or handler; links to the web only.

    One with more signs of Markdown than a page has patience for, or that would take more of a page
    than it has room for, stands there as it was written; of one that is too long even for that,
    the beginning. Each of `notes`, which are our own HTML, stands where the text has that
    character; they come in the text's order.
    """
    part = part_of(text, 1)
    if part.of > 1:
        beyond = f"And {len(text) - part.end:,} more characters, for which this page has no room."
        return format_html('{}<p class="muted">{}</p>', render_part(text, part, notes), beyond)
    if len(_SIGNS.findall(text)) > SIGNS.count:
        return _as_written(text, notes)
    # A sign stands at the place of each note; what looks like one already is taken out.
    plain = text.replace(_PLACE, "\ufffd").replace(_PLACE_ENDS, "\ufffd")
    marked, at = "", 0
    for number, (place, _) in enumerate(notes):
        marked += f"{plain[at:place]}{_PLACE}{number}{_PLACE_ENDS}"
        at = place
    tokens = _MARKDOWN.parse(marked + plain[at:])
    for token in tokens:  # headings are those below the page's own, and styles classes
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + _HEADINGS_START_AT - 1, 6)}"
        elif css := _ALIGNED.get(str(token.attrGet("style"))):
            token.attrSet("class", css)
    room = TEXT_KILOBYTES.count * 1000 + sum(len(note) for _, note in notes)
    colours = any(token.type == "fence" and is_coloured(token.info) for token in tokens)
    for in_colour in (True, False) if colours else (False,):
        clean = _clean(tokens, notes, in_colour)
        if len(clean.encode()) <= room:
            return mark_safe(_PLACES.sub("", clean))  # noqa: S308 - nh3 has just cleaned it
    return _as_written(text, notes)


def tables_in_code(text: str) -> list[str]:
    """The headings of tables that are drawn as code, since their lines are indented so far; of a
    text that a page shows as it was written, none."""
    if (
        not _FAR_IN.search(text)
        or part_of(text, 1).of > 1
        or len(_SIGNS.findall(text)) > SIGNS.count
    ):
        return []
    lines = (
        list(map(str.strip, token.content.splitlines()))
        for token in _MARKDOWN.parse(text)
        if token.type == "code_block"
    )
    return [
        head for block in lines for head, ruler in pairwise(block) if is_markdown_head(head, ruler)
    ]


def _clean(tokens: Sequence[Token], notes: Sequence[tuple[int, str]], in_colour: bool) -> str:
    """Them as HTML, of which only what is known to be safe is left."""
    env = {"notes": notes, "in_colour": in_colour}
    spans = (_NOTE_CLASSES if notes else set()) | (CODE_CLASSES if in_colour else set())
    return nh3.clean(
        _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, env),
        tags=_TAGS | {"span"} if spans else _TAGS,
        attributes={
            "a": {"href", "title"},
            "ol": {"start"},
            **({"span": {"id", "title"}} if notes else {}),
        },
        allowed_classes={
            **_CLASSES,
            **({"span": spans} if spans else {}),
            **({"a": _LINK_CLASSES} if notes else {}),
        },
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )


def _as_written(text: str, notes: Sequence[tuple[int, str]]) -> SafeString:
    """The text letter by letter, each note where it belongs."""
    pieces, at = [], 0
    for place, note in notes:
        pieces += [escape(text[at:place]), note]
        at = place
    return mark_safe(f'<pre class="chart">{"".join(pieces)}{escape(text[at:])}</pre>')  # noqa: S308 - escaped but for our own notes


def _note(state: StateInline, silent: bool) -> bool:
    """The sign of a note's place."""
    sign = _PLACES.match(state.src, state.pos)
    if sign is None:
        return False
    if not silent:
        state.push("note", "", 0).meta = {"number": int(sign[1])}
    state.pos = sign.end()
    return True


def _draw_code(kind: str) -> Any:
    """How a piece of code is drawn: as ever, with the notes that stand in it."""

    def draw(
        renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any
    ) -> str:
        notes = env.get("notes", ())
        if kind == "fence" and env.get("in_colour") and is_coloured(tokens[at].info):
            return _in_colour(tokens[at].content, notes)
        drawn: str = getattr(RendererHTML, kind)(renderer, tokens, at, options, env)
        return _PLACES.sub(lambda sign: notes[int(sign[1])][1], drawn) if notes else drawn

    return draw


def _in_colour(content: str, notes: Sequence[tuple[int, str]]) -> str:
    """A program with its colours; the notes stand where they would in any code."""
    pieces = _PLACES.split(content)  # code and the numbers of notes, by turns
    code = "".join(pieces[::2])
    colours, drawn, at = colours_of(code), "", 0
    for plain, number in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        end = at + len(plain)
        drawn += draw(plain, colours[at:end]) + (notes[int(number)][1] if number else "")
        at = end
    return f"<pre><code>{drawn}</code></pre>\n"


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_MARKDOWN.disable(["html_block", "html_inline", "image"])
_MARKDOWN.inline.ruler.before("text", "note", _note)
_MARKDOWN.inline.add_terminator_char(_PLACE)
with_charts(_MARKDOWN)
_MARKDOWN.add_render_rule(
    "note", lambda _, tokens, at, __, env: str(env["notes"][tokens[at].meta["number"]][1])
)
for _kind in ("code_inline", "code_block", "fence"):
    _MARKDOWN.add_render_rule(_kind, _draw_code(_kind))
