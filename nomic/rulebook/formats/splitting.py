"""Where the headings of one text are: Markdown, MediaWiki, reStructuredText or plain, and rules
whose number stands in bold or begins a line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, heading

from nomic.rulebook.formats.checking import MOST_RULES, Enough, check_length
from nomic.rulebook.formats.heading_words import heading_words
from nomic.rulebook.formats.in_text import (
    MOST_HEADINGS,
    WITHIN_TEXT,
    Start,
    are_counted,
    are_rising,
    are_rules,
    bold,
    items,
    may_be_bold,
    tight_headings,
    wiki_bold,
)

_DEEPEST = 100  # of what stands in one another in Markdown
_WIKI = re.compile(r"^(={1,6})[^=\n].*?\1[ \t]*$", re.MULTILINE)
_ATX = re.compile(r"^ {0,3}#{1,6}\s+\S|^#{2,6}(?:Rule |R|§)?[0-9]", re.MULTILINE)
_FRONT = re.compile(
    r"---[ \t]*\n(?:(?:[\w-]+:|[ \t]+\S|- |#)[^\n]*\n|[ \t]*\n){1,200}(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FILLED = re.compile(r"[^\n]")
_WIKI_LINE = re.compile(r"^=[^\n]*", re.MULTILINE)
_VERBATIM = ("nowiki", "pre", "source", "syntaxhighlight", "math")
_HIDES = re.compile(
    rf"<!--|<(?P<tag>{'|'.join(_VERBATIM)})\b[^<>\n]*>|\{{\{{|\}}\}}", re.IGNORECASE
)
_COMMENT_ENDS = re.compile("-->")
_TAG_ENDS = {tag: re.compile(rf"</{tag}[ \t]*>", re.IGNORECASE) for tag in _VERBATIM}
_DIV = re.compile(r"</?div\b[^<>\n]{0,500}>", re.IGNORECASE)
_ONLY_FILLED = re.compile(r"^[ \t]*\0[\0 \t]*(?:\n|\Z)", re.MULTILINE)
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\s*")
_RULER = re.compile(r"[ \t]*(?:={5,}|-{5,}|_{5,}|\*{5,})[ \t]*")
OF_CATEGORY = re.compile(
    r"\b(?:immutable|mutable|core|dynastic|part|chapter|section|article|category)\b", re.IGNORECASE
)
_RST_LINE = re.compile(r"([!-/:-@\[-`{-~])\1+\s*")
_RULE_LINE = re.compile(r"(?:Rule|RULE)\s+-?[0-9]")
_SENTENCE = re.compile(r"(?:Rule|RULE)\s+[0-9][\w.\-]*,?\s+[a-z]")
_SHORT_LINE = re.compile(r"R[0-9]{1,6}\s*(?:[:.–—]|-\s)")
_DIGITS_LINE = re.compile(r"-?[0-9]{1,6}(?:\.[0-9]{1,4})*[a-z]?(?:/[0-9]{1,6})?(?=[.:)–—\s]|$)")
_TITLED = re.compile(r"R(?:ule |ULE )?-?[0-9][\w.\-/]{0,30}\s*:")
_COUNTED = re.compile(r"([0-9]{1,6})[.):](?=\s)")
_LONGEST_HEADING = 120
_OF_PROGRAM = 4  # columns by which one is indented
_LONGEST_NAME = 60
_LONGEST_NOTE = 40  # lines of what stands below a category's name in a plain text


@dataclass(frozen=True, slots=True)
class Split:
    """A text with its headings in order. `doubts` are the lines with numbers that begin no rule,
    and why; of `frames`, tags that are no text, as many were taken out. `offers` are
    places that may be said to begin rules."""

    text: str
    starts: list[Start]
    is_wiki: bool = False
    has_rulers: bool = False
    frames: int = 0
    doubts: tuple[tuple[int, str], ...] = ()
    offers: tuple[Start, ...] = ()


def split(text: str, name: str) -> Split:
    """The text, parted in the way in which its headings are written; the ending of its name decides
    first. Raises Enough."""
    kind = name.rpartition(".")[2].casefold()
    if kind in ("wiki", "mediawiki", "mw"):
        parts = _wiki(text, name)
        return parts if parts.starts else replace(_plain(text, name), is_wiki=True)
    if kind in ("md", "markdown"):
        parts = _markdown(text, name)
        return parts if parts.starts else _plain(text, name)
    if kind in ("rst", "rest"):
        titled = _rst(text, name)
        return Split(text, titled) if titled else _plain(text, name)
    wiki = len(_WIKI.findall(text))
    if wiki > 1 or wiki > len(_ATX.findall(text)):  # `# ` is an item of a list there
        return _wiki(text, name)
    if _ATX.search(text) or may_be_bold(text):
        parts = _markdown(text, name)
        if parts.starts:
            return parts
    return _plain(text, name)  # where `# ` is within a program alone, too


def too_many(name: str, line: int) -> Enough:
    """Why reading ends at the heading in that line."""
    return Enough(
        f"{name}, line {line}: heading {MOST_HEADINGS + 1:,} stands there, and {MOST_HEADINGS:,}"
        f" for {MOST_RULES:,} rules are the most. Nothing behind it was read."
    )


def _markdown(text: str, name: str) -> Split:
    """Markdown; raises Enough."""
    offsets = [0]
    for line in text.split("\n"):
        offsets.append(offsets[-1] + len(line) + 1)
    offsets[-1] = len(text)
    headings: list[int] = []  # the lines of those with #
    by_library = heading

    def counted_heading(state: StateBlock, line: int, last: int, silent: bool) -> bool:
        """The library's rule, which ends the reading where more is open than a rulebook holds: a
        heading builds three tokens of a kilobyte, and a page of them a process's memory."""
        is_heading = by_library(state, line, last, silent)
        if is_heading and not silent and state.level == 0:
            headings.append(line)
            if len(headings) > MOST_HEADINGS:
                raise too_many(name, line + 1)
        return is_heading

    def bounds(state: StateBlock, line: int, last: int, silent: bool) -> bool:
        """No kind of block: it ends the reading below a heading where a text is too long."""
        if headings:
            begun = headings[-1]
            check_length(offsets[line] - offsets[begun], f"{name}, line {begun + 1}")
        return False

    blocks = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    blocks.core.ruler.enableOnly(["normalize", "block"])
    within = ["paragraph", "reference", "blockquote"]  # that it ends, as the library's own
    blocks.block.ruler.at("heading", counted_heading, {"alt": within})
    blocks.block.ruler.before("code", "bounds", bounds)
    front = _FRONT.match(text)  # whose last line would make a heading of those above it
    shown = _FILLED.sub(" ", front[0]) + text[front.end() :] if front else text
    tokens = blocks.parse(shown)
    starts = []
    is_atx = any(token.type == "heading_open" and token.markup[0] == "#" for token in tokens)
    for at, token in enumerate(tokens):
        is_heading = token.type == "heading_open" and (token.markup[0] == "#") == is_atx
        if is_heading and token.level == 0 and token.map:
            first, last = token.map
            words = tokens[at + 1].content
            starts.append(Start(offsets[first], offsets[last], int(token.tag[1]), words))
    tight = list(islice(tight_headings(text, tokens, offsets), MOST_HEADINGS + 1))
    starts = _in_order(
        starts, [start for start in tight if not starts or (is_atx and start.level > 1)]
    )
    if len(starts) > MOST_HEADINGS:
        raise too_many(name, text.count("\n", 0, starts[MOST_HEADINGS].begins) + 1)
    begun = list(bold(text, tokens, offsets)) if may_be_bold(text) else []
    if are_rules(begun, starts):
        return Split(text, _in_order(starts, begun))
    if any(heading_words(start.words).number for start in starts):
        return Split(text, starts)
    listed = list(islice(items(text, tokens, offsets), MOST_HEADINGS + 1))
    if are_counted(listed, starts):
        listed = [start for start in listed if not starts or start.begins > starts[0].begins]
        return Split(text, _in_order(starts, listed))
    return Split(text, starts, offers=tuple(_in_order(begun, listed)))


def _in_order(starts: list[Start], others: list[Start]) -> list[Start]:
    return sorted([*starts, *others], key=lambda start: start.begins)


def _wiki(text: str, name: str) -> Split:
    """A page of MediaWiki; raises Enough.

    A whole parser of it builds each sign of each list, for 30 µs and 800 bytes a character. Where
    headings are is known by the lines that begin with `=`, and by what hides such a line. The
    page's `<div>`s are taken out: they are its frames, and one ends in another rule's text.
    """
    spans = _hidden(text)
    frames = 0
    if "\0" not in text:
        text, frames = _without_frames(text, spans)
    hidden = iter(spans)
    begins, ends = next(hidden, (len(text), 0))
    starts = []
    for line in _WIKI_LINE.finditer(text):
        at = line.start()
        while ends and at >= ends:
            begins, ends = next(hidden, (len(text), 0))
        words = _without_comments(line[0])
        inner = words.strip("=")
        before, after = (len(words) - len(strip("=")) for strip in (words.lstrip, words.rstrip))
        level = min(6, before, after)
        if at < begins and level and inner:
            starts.append(Start(at, line.end(), level, words[level:-level].strip()))
            if len(starts) > MOST_HEADINGS:
                raise too_many(name, text.count("\n", 0, at) + 1)
    begun = wiki_bold(text, spans)
    if are_rules(begun, starts):
        starts, begun = _in_order(starts, begun), []
    elif any(heading_words(start.words).number for start in starts):
        begun = []
    return Split(text, starts, is_wiki=True, frames=frames, offers=tuple(begun))


def unframed(body: str) -> str:
    """A part of a wiki page without what its frames have left."""
    return _ONLY_FILLED.sub("", body).replace("\0", "") if "\0" in body else body


def _without_frames(text: str, hidden: list[tuple[int, int]]) -> tuple[str, int]:
    """The text with as many NUL in place of each `<div …>` and `</div>` that is not shown as it
    stands, so that all else is where it was; and how many they are."""
    spans = iter(hidden)
    begins, ends = next(spans, (len(text), len(text)))
    parts, at = [], 0
    for tag in _DIV.finditer(text):
        while ends <= tag.start() and begins < len(text):
            begins, ends = next(spans, (len(text), len(text)))
        if tag.start() < begins or text.startswith("{{", begins):
            parts += [text[at : tag.start()], "\0" * len(tag[0])]
            at = tag.end()
    return "".join([*parts, text[at:]]), len(parts) // 2


def _without_comments(line: str) -> str:
    """The line without the comments and the space at its end."""
    line = line.rstrip()
    while line.endswith("-->") and "<!--" in line:
        line = line[: line.rindex("<!--")].rstrip()
    return line


def _hidden(text: str) -> list[tuple[int, int]]:
    """Where on a page of MediaWiki no heading is: in comments, templates, and what is shown as it
    stands. In order, each from where it begins to where it ends; what does not end hides nothing.
    """
    parts: list[tuple[int, int]] = []
    templates: list[int] = []
    endless: set[str] = set()  # what begins and does not end is looked for once, not each time
    at = 0
    while sign := _HIDES.search(text, at):
        at = sign.end()
        kind = (sign["tag"] or sign[0]).casefold()
        begins = sign.start()
        if kind == "{{":
            templates.append(begins)
            continue
        if kind == "}}":
            if not templates:
                continue
            begins = templates.pop()
        elif kind in endless or sign[0].endswith("/>"):
            continue
        elif end := (_COMMENT_ENDS if kind == "<!--" else _TAG_ENDS[kind]).search(text, at):
            at = end.end()
        else:
            endless.add(kind)
            continue
        while parts and parts[-1][0] > begins:
            parts.pop()
        parts.append((begins, at))
    return parts


def _rst(text: str, name: str) -> list[Start]:
    """The headings of reStructuredText: lines of one sign below a line, or above it as well, whose
    levels are in the order in which they first stand. Raises Enough."""
    lines = text.split("\n")
    starts, levels, at, offset = [], dict[tuple[str, bool], int](), 0, 0
    while at < len(lines):
        rulers = [line for line in lines[at : at + 3] if _RST_LINE.fullmatch(line)]
        over = bool(_RST_LINE.fullmatch(lines[at])) and len(rulers) == 2
        title = lines[at + over].rstrip() if at + over < len(lines) else ""
        under = lines[at + over + 1].rstrip() if at + over + 1 < len(lines) else ""
        is_alone = at == 0 or not lines[at - 1].strip()
        is_title = title.strip() and not _RST_LINE.fullmatch(title)
        is_title = is_title and (over or not title[0].isspace())
        is_title = is_title and (not over or lines[at].rstrip() == under)
        if is_alone and is_title and _RST_LINE.fullmatch(under) and len(under) >= len(title):
            level = levels.setdefault((under[0], over), len(levels) + 1)
            last = at + over + 2
            ends = offset + sum(len(line) + 1 for line in lines[at:last])
            starts.append(Start(offset, min(ends, len(text)), level, title.strip()))
            if len(starts) > MOST_HEADINGS:
                raise too_many(name, at + 1)
        else:
            last = at + 1
            ends = offset + len(lines[at]) + 1
        at, offset = last, ends
    return starts


# Plain text


def _plain(text: str, name: str) -> Split:
    """Plain text: rules that begin with their numbers, or titles that are underlined; lines of
    dashes between rules, and names of categories between such lines. Raises Enough."""
    lines = text.split("\n")
    rulers = [bool(_RULER.fullmatch(line)) for line in lines]
    begins = [at for at in range(len(lines)) if _is_alone(lines, rulers, at)]
    pattern = _DIGITS_LINE
    if any(_RULE_LINE.match(lines[at].strip()) for at in begins):
        pattern = _RULE_LINE
    elif sum(bool(_SHORT_LINE.match(lines[at].strip())) for at in begins) > 1:
        pattern = _SHORT_LINE
    numbered = [at for at in begins if pattern.match(lines[at].strip())]
    left = min((_indented(lines[at]) for at in numbered), default=0)
    # What is indented as a program is part of a text, as in Markdown.
    numbered = [at for at in numbered if _indented(lines[at]) < left + _OF_PROGRAM]
    begins = [
        at
        for at in begins
        if not pattern.match(lines[at].strip()) or _indented(lines[at]) < left + _OF_PROGRAM
    ]
    if pattern is _DIGITS_LINE:
        begins = sorted({*begins, *_tight(lines, numbered)})
    for at in numbered:
        if _is_underlined(lines, at):
            rulers[at + 1] = False
    named = _category_names(lines, begins, {*numbered})
    behind_ruler = sum(_is_behind_ruler(lines, rulers, at) for at in numbered)
    has_rulers = bool(behind_ruler) and behind_ruler * 2 >= len(numbered)
    is_named = pattern is not _DIGITS_LINE
    underlined = [
        at
        for at in begins
        if _is_underlined(lines, at) and (not has_rulers or at == 0 or rulers[at - 1])
    ]
    are_few = len(numbered) <= MOST_HEADINGS and not is_named
    are_categories = are_few and _are_counted_below(lines, numbered, underlined)
    is_underlined = bool(underlined) and not is_named and not are_categories
    starts: list[Start] = []
    doubts: list[tuple[int, str]] = []
    offers: list[Start] = []
    last: tuple[int, ...] = ()
    offsets = list(accumulate((len(line) + 1 for line in lines), initial=0))
    until, marks = 0, {*underlined}
    for at in begins:
        offset, ends, bare = offsets[at], offsets[at + 1], lines[at].strip()
        start = None
        banner = _banner(lines, rulers, at) if has_rulers else 0
        if at < until or rulers[at]:
            pass
        elif is_named and _SENTENCE.match(bare) and _ends_as_text(lines, at):
            doubts.append((at + 1, "it is a sentence about a rule"))
            if len(offers) < MOST_HEADINGS:
                offers.append(Start(offset, ends, WITHIN_TEXT, bare))
        elif is_named and pattern.match(bare) and (words := heading_words(bare)).number:
            start = _numbered_start(lines, rulers, at, offset, words.number, bare)
        elif named.get(at):
            start = Start(offset, ends, 1, bare, "category")
        elif banner:
            start, until = Start(offset, ends, 1, bare, "category"), banner
        elif at in marks:
            level = "=-~".index(lines[at + 1].strip()[0]) + 1
            start = Start(offset, ends + len(lines[at + 1]) + 1, level, bare)
        elif not is_underlined and not is_named and pattern.match(bare):
            number = heading_words(bare).number
            order = tuple(int(part) for part in re.findall(r"-?[0-9]{1,18}", number))
            if number and order > last:
                last = order
                start = _numbered_start(lines, rulers, at, offset, number, bare)
            elif number:
                doubts.append((at + 1, f"{number} does not come after that rule's number"))
                if len(offers) < MOST_HEADINGS:
                    offers.append(_numbered_start(lines, rulers, at, offset, number, bare))
        elif at in named and len(offers) < MOST_HEADINGS:
            offers.append(Start(offset, ends, 1, bare))
        if start:
            starts.append(start)
            if len(starts) > MOST_HEADINGS:
                raise too_many(name, at + 1)
    starts = [replace(start, ends=min(start.ends, len(text))) for start in starts]
    return Split(text, starts, has_rulers=has_rulers, doubts=tuple(doubts), offers=tuple(offers))


def _category_names(lines: list[str], begins: list[int], numbered: set[int]) -> dict[int, bool]:
    """The lines alone that stand next before a rule and may name a category, and whether they do:
    a word says so, or several are in capitals. The first is none where it is the only one."""
    named: dict[int, bool] = {}
    for at, below in pairwise(begins):
        bare = lines[at].strip()
        is_line = at not in numbered and below in numbered and not lines[at + 1].strip()
        if (
            is_line
            and len(bare) <= _LONGEST_NAME
            and bare[-1] not in ".:;,!?)"
            and bare[0].isalnum()
        ):
            named[at] = not lines[at][0].isspace() and (
                bare.isupper() or bool(OF_CATEGORY.search(bare))
            )
    capitals = [at for at in named if named[at] and not OF_CATEGORY.search(lines[at])]
    if len(capitals) == 1:  # “THE END” is a rule's
        named[capitals[0]] = False
    does = [at for at in named if named[at]]
    if len(does) == 1 and not any(at < does[0] for at in numbered):
        named[does[0]] = False
    return named


def _are_counted_below(lines: list[str], numbered: list[int], underlined: list[int]) -> bool:
    """Whether numbers at the left begin the rules, and underlined titles the categories of them."""
    titles = {*underlined}
    begun = [Start(at, at, WITHIN_TEXT, lines[at].strip()) for at in numbered if at not in titles]
    headings = [Start(at, at, 1, lines[at].strip()) for at in underlined]
    return are_rules(begun, headings) and are_rising(begun)


def _tight(lines: list[str], numbered: list[int]) -> Iterator[int]:
    """The lines that begin rules right below another's text: those whose number comes next, from
    101 on, or where no more than the first begins behind an empty line."""
    last = -1
    for at, line in enumerate(lines):
        counted = _COUNTED.match(line)
        number = int(counted[1]) if counted else -1
        if number == last + 1 and (number > 100 or len(numbered) < 2):
            yield at
        if number == last + 1 or at in numbered[:1] or number > max(last, 100):
            last = number


def _ends_as_text(lines: list[str], at: int) -> bool:
    """Whether the paragraph that begins there goes on as a text, or ends as a sentence does."""
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    return lines[at].strip()[-1] in ".:;," or below[:1].islower()


def _indented(line: str) -> int:
    """Its columns before the first word."""
    line = line.expandtabs(_OF_PROGRAM)
    return len(line) - len(line.lstrip())


def _is_alone(lines: list[str], rulers: list[bool], at: int) -> bool:
    """Whether a line may begin a rule: what stands above it is nothing, or a line of dashes."""
    return bool(lines[at].strip()) and (at == 0 or rulers[at - 1] or not lines[at - 1].strip())


def _is_behind_ruler(lines: list[str], rulers: list[bool], at: int) -> bool:
    """Whether a line of dashes stands above it, with nothing or empty lines between."""
    above = at - 1
    while above >= max(0, at - 3) and not lines[above].strip():
        above -= 1
    return above >= 0 and rulers[above]


def _banner(lines: list[str], rulers: list[bool], at: int) -> int:
    """The line behind the name of a category that stands there, with what is said of it, between
    two lines of dashes; 0 where none does."""
    if not (lines[at].strip() and _is_behind_ruler(lines, rulers, at)):
        return 0
    if len(lines[at].strip()) > _LONGEST_HEADING:
        return 0
    name = lines[at].strip()
    above = next(line for line in reversed(lines[max(0, at - 3) : at]) if line.strip())
    is_great, filled = above.strip()[0] == "=", 0
    for below in range(at, min(at + 2 * _LONGEST_NOTE, len(lines))):
        if rulers[below]:
            return below
        bare = lines[below].strip()
        if _RULE_LINE.match(bare) or _SHORT_LINE.match(bare):
            is_name = filled == 1 and lines[at][0].isalnum() and name[-1] not in ".:;,"
            return at + 1 if is_name else 0
        filled += bool(bare)
        # What is said of a category is indented, or its name stands below a greater line.
        is_note = is_great or (lines[below][:1].isspace() and not lines[at][0].isspace())
        if filled > _LONGEST_NOTE or (filled > 1 and bare and not is_note):
            return 0
    return 0


def _is_underlined(lines: list[str], at: int) -> bool:
    ends = at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1])
    return bool(ends and lines[at].strip() and not _UNDERLINE.fullmatch(lines[at]))


def _numbered_start(
    lines: list[str], rulers: list[bool], at: int, offset: int, number: str, bare: str
) -> Start:
    """A rule that begins with its number: with a title behind it or on the next line, or with its
    text at once."""
    level, ends = 4 + number.count("."), offset + len(lines[at]) + 1
    title = heading_words(bare).title
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    if title == f"Rule {number}" and len(bare) <= _LONGEST_HEADING:
        rest = lines[at + 2].strip() if at + 2 < len(lines) else ""
        is_title = below and not rest and len(below) <= _LONGEST_HEADING
        if is_title and below[-1] not in ".:;," and not rulers[at + 1]:
            return Start(offset, ends + len(lines[at + 1]) + 1, level, f"{bare}: {below}")
        return Start(offset, ends, level, bare)
    if _is_underlined(lines, at):
        return Start(offset, ends + len(lines[at + 1]) + 1, level, bare)
    goes_on = below and below[0].islower() and not _TITLED.match(bare)
    if len(title) > 80 or bare[-1] in ".;," or goes_on:
        begins = offset + lines[at].index(title[:20]) if title[:20] in lines[at] else ends
        return Start(offset, begins, level, f"Rule {number}")
    return Start(offset, ends, level, bare)
