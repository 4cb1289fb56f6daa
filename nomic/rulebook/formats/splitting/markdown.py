"""The headings of Markdown, and its rules whose numbers stand in bold or count items of lists."""

import re
from collections.abc import Iterator
from itertools import accumulate, islice

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import heading as find_heading
from markdown_it.token import Token

from nomic.rulebook.formats.checking import check_length
from nomic.rulebook.formats.heading_words import heading_words
from nomic.rulebook.formats.splitting.starts import (
    FACTS,
    MOST_HEADINGS,
    WITHIN_TEXT,
    Split,
    Start,
    are_counted,
    are_rules,
    in_order,
    start_in_bold,
    too_many,
)

_DEEPEST = 100  # of what stands in one another in Markdown
_FRONT = re.compile(
    r"---[ \t]*\n(?:(?:[\w-]+:|[ \t]+\S|- |#)[^\n]*\n|[ \t]*\n){1,200}(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FILLED = re.compile(r"[^\n]")
_BOLD = re.compile(
    r" {0,3}(?P<item>[-*+][ \t]+)?(?P<mark>\*\*|__)(?P<words>(?:[^*_\n]|(?<=\w)_(?=\w)){1,200})"
    rf"(?P=mark){FACTS}[ \t]*(?P<rest>.*)"
)
_TIGHT = re.compile(
    r"(?P<level>\#{1,6})(?P<words>(?:Rule |R|§)?[0-9][^\n]{0,300}?)\#*[ \t]*$", re.MULTILINE
)
_MANY_BOLD = re.compile(r"^ {0,3}(?:[-*+][ \t]+)?(?:\*\*|__)(?:Rule |R|§ ?)?-?[0-9]", re.MULTILINE)
_ITEM_MARK = re.compile(r"[ \t]*[0-9]{1,9}[.)][ \t]*")
_RUN_IN = re.compile(
    r"(?P<mark>\*\*|__)(?P<title>[^*_\n]{1,118}[^*_\s.:–—-])[.:]?(?P=mark)[.:]?[ \t]*"
)


def split_markdown(text: str, name: str) -> Split:
    """Markdown; raises Enough."""
    offsets = [*accumulate((len(line) + 1 for line in text.split("\n")), initial=0)]
    offsets[-1] = len(text)
    front = _FRONT.match(text)  # whose last line would make a heading of those above it
    shown = _FILLED.sub(" ", front[0]) + text[front.end() :] if front else text
    tokens = _parser(offsets, name).parse(shown)
    starts = []
    is_atx = any(token.type == "heading_open" and token.markup[0] == "#" for token in tokens)
    for at, token in enumerate(tokens):
        is_heading = token.type == "heading_open" and (token.markup[0] == "#") == is_atx
        if is_heading and token.level == 0 and token.map:
            first, last = token.map
            words = tokens[at + 1].content
            starts.append(Start(offsets[first], offsets[last], int(token.tag[1]), words))
    tight = list(islice(_tight_headings(text, tokens, offsets), MOST_HEADINGS + 1))
    starts = in_order(
        starts, [start for start in tight if not starts or (is_atx and start.level > 1)]
    )
    if len(starts) > MOST_HEADINGS:
        raise too_many(name, text.count("\n", 0, starts[MOST_HEADINGS].begins) + 1)
    in_bold = list(_starts_in_bold(text, tokens, offsets)) if may_be_bold(text) else []
    if are_rules(in_bold, starts):
        return Split(text, in_order(starts, in_bold))
    if any(start.number for start in starts):
        return Split(text, starts)
    items = list(islice(_starts_of_items(text, tokens, offsets), MOST_HEADINGS + 1))
    if are_counted(items, starts):
        items = [start for start in items if not starts or start.begins > starts[0].begins]
        return Split(text, in_order(starts, items))
    return Split(text, starts, offers=tuple(in_order(in_bold, items)))


def _parser(offsets: list[int], name: str) -> MarkdownIt:
    """A parser of the blocks of a text whose lines begin at these offsets; it raises Enough where
    one is too long, or headings are too many."""
    headings: list[int] = []  # the lines of those with #

    def counted_heading(state: StateBlock, line: int, last: int, silent: bool) -> bool:
        """The library's rule, which ends the reading where more is open than a rulebook holds: a
        heading builds three tokens of a kilobyte, and a page of them a process's memory."""
        is_heading = find_heading(state, line, last, silent)
        if is_heading and not silent and state.level == 0:
            headings.append(line)
            if len(headings) > MOST_HEADINGS:
                raise too_many(name, line + 1)
        return is_heading

    def bounds(state: StateBlock, line: int, last: int, silent: bool) -> bool:
        """No kind of block: it ends the reading below a heading where a text is too long."""
        if headings:
            first = headings[-1]
            check_length(offsets[line] - offsets[first], f"{name}, line {first + 1}")
        return False

    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    parser.core.ruler.enableOnly(["normalize", "block"])
    within = ["paragraph", "reference", "blockquote"]  # that it ends, as the library's own
    parser.block.ruler.at("heading", counted_heading, {"alt": within})
    parser.block.ruler.before("code", "bounds", bounds)
    return parser


def _tight_headings(text: str, tokens: list[Token], offsets: list[int]) -> Iterator[Start]:
    """Lines such as `##101. Title`, which were headings before CommonMark, with numbers."""
    for token in tokens:
        if token.type != "paragraph_open" or token.level != 0 or not token.map:
            continue
        for line in range(*token.map):
            heading = _TIGHT.match(text, offsets[line])
            if heading and heading_words(heading["words"]).number:
                level, words = len(heading["level"]), heading["words"].strip()
                yield Start(offsets[line], offsets[line + 1], level, words)


def may_be_bold(text: str) -> bool:
    """Whether rules may begin with numbers in bold: there are some, and no more than may be."""
    many = sum(1 for _ in islice(_MANY_BOLD.finditer(text), MOST_HEADINGS + 1))
    return 1 < many <= MOST_HEADINGS


def _starts_in_bold(text: str, tokens: list[Token], offsets: list[int]) -> Iterator[Start]:
    """Lines of paragraphs, or of items of the outermost lists, that begin with a number in bold."""
    for at, token in enumerate(tokens):
        if token.type != "paragraph_open" or token.level not in (0, 2) or not token.map:
            continue
        if token.level == 2 and tokens[at - 1].type != "list_item_open":
            continue
        for line in range(*token.map):
            written = text[offsets[line] : offsets[line + 1]].rstrip("\n")
            if parts := _BOLD.fullmatch(written):
                start = start_in_bold(parts, offsets[line], is_item=bool(parts["item"]))
                if start:
                    yield start


def _starts_of_items(text: str, tokens: list[Token], offsets: list[int]) -> Iterator[Start]:
    """The items of the outermost numbered lists, with what is in bold at their beginning as title.

    They have the numbers that are written, or those that are shown where one is written twice.
    """
    lists: list[list[Token]] = []
    for token in tokens:
        if token.type == "ordered_list_open" and token.level == 0:
            lists.append([])
        elif token.type == "list_item_open" and token.level == 1 and token.info and token.map:
            lists[-1].append(token)
    for items in lists:
        is_counted = len({item.info for item in items}) < len(items)
        for at, token in enumerate(items):
            number = int(items[0].info) + at if is_counted else int(token.info)
            begins = offsets[token.map[0]] if token.map else 0
            marker = _ITEM_MARK.match(text, begins)
            if marker:
                run_in = _RUN_IN.match(text, marker.end())
                title = f" {run_in['title']}" if run_in else ""
                ends = run_in.end() if run_in else marker.end()
                yield Start(begins, ends, WITHIN_TEXT, f"{number}.{title}", is_item=True)
