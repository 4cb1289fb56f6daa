"""One text with a heading a rule: Markdown, MediaWiki or plain, headings under headings."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import mwparserfromhell
from markdown_it import MarkdownIt
from mwparserfromhell.nodes import Heading, Tag
from mwparserfromhell.wikicode import Wikicode

from nomic.rulebook.formats.checking import Fault, Findings

LARGEST_TEXT = 3_000_000  # characters
_DEEPEST = 100  # of what stands in one another on a wiki page
_WIKI = re.compile(r"^(={1,6})[^=\n].*?\1[ \t]*$", re.MULTILINE)
_ATX = re.compile(r"^ {0,3}#{1,6}\s+\S", re.MULTILINE)
_NUMBERED = re.compile(
    r"(?:Rule|RULE|rule|Regulation)\s+(?P<named>[0-9][\w.\-]{0,18}\b)(?:/[0-9]+)?(?P<rest>.*)"
    r"|(?P<dotted>[0-9]{1,6}(?:\.[0-9]{1,4})+|[0-9]{1,6}(?=[.:)–—]))(?P<after>.*)"
)
_POWER = re.compile(r"\s*[(\[]\s*[Pp]ower\s*[=:]?\s*(-?[0-9.]+)\s*[)\]]")
_MARKUP = re.compile(r"'{2,5}|\*{1,3}|`|<[^<>]{1,60}>|\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_BRACKETS = re.compile(r"<(?!/|(?i:br|hr)\b)(?=[A-Za-z!])|</|/>|-->|\{\{|\}\}|\{\||\|\}|\[|\]")
_CLOSES = {"</": "<", "/>": "<", "-->": "<", "}}": "{{", "|}": "{|", "]": "["}
_MOST_OPEN = 100
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\s*")
_LONGEST_HEADING = 120


type _Splitter = Callable[[str], tuple[str, list[HeadedSection]]]


@dataclass(frozen=True, slots=True)
class HeadedSection:
    """A heading and the text below it until the next, exactly as it stands. `line` counts from 1;
    `level` is 1 for the greatest."""

    level: int
    heading: str
    line: int
    text: str


def read_text(text: str, name: str, findings: Findings) -> None:
    """Add the rules of the text to the findings; raises Fault."""
    if len(text) > LARGEST_TEXT:
        raise Fault(f"{name} has {len(text):,} characters; {LARGEST_TEXT:,} are the most.")
    doubts: list[tuple[int, str]] = []
    before, sections = _splitter(text, name, doubts)(text)
    if not sections:
        raise Fault(
            f"{name}: no heading was found. A rule begins with a line such as “# Title”,"
            " “== Title ==”, “Rule 101: Title”, or a title underlined with =====."
        )
    for number, line in enumerate(before.split("\n"), 1):
        if line.strip():
            findings.notes.append(f"{name}, line {number}: no rule, and left out: {line[:100]}")
    findings.notes += [
        f"{name}, line {line}: taken as part of the rule above it, since {number} does not come"
        " after that rule's number."
        for line, number in doubts
    ]
    _add(sections, name, findings)


def _splitter(text: str, name: str, doubts: list[tuple[int, str]]) -> _Splitter:
    kind = name.rpartition(".")[2].casefold()
    if kind in ("wiki", "mediawiki", "mw"):
        return _wiki
    if kind in ("md", "markdown"):
        return _markdown
    wiki = len(_WIKI.findall(text))
    if wiki > 1 or wiki > len(_ATX.findall(text)):  # `# ` is an item of a list there
        return _wiki
    has_headings = _ATX.search(text) and _markdown(text)[1]  # `# ` may be within a program alone
    return _markdown if has_headings else partial(_plain, doubts=doubts)


# The three ways in which headings are written


def _cut(text: str, starts: list[tuple[int, int, int, str]]) -> tuple[str, list[HeadedSection]]:
    """The text before the first heading, and the sections; `starts` has where each heading begins
    and where it ends, its level and its words."""
    sections = []
    for at, (begins, ends, level, heading) in enumerate(starts):
        until = starts[at + 1][0] if at + 1 < len(starts) else len(text)
        line = text.count("\n", 0, begins) + 1
        lines = text[ends:until].split("\n")
        while lines and not lines[0].strip():
            lines.pop(0)
        while lines and not lines[-1].strip():
            lines.pop()
        sections.append(HeadedSection(level, heading, line, "\n".join(lines)))
    return text[: starts[0][0]] if starts else text, sections


def _markdown(text: str) -> tuple[str, list[HeadedSection]]:
    offsets = [0]
    for line in text.split("\n"):
        offsets.append(offsets[-1] + len(line) + 1)
    offsets[-1] = len(text)
    blocks = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    blocks.core.ruler.enableOnly(["normalize", "block"])
    tokens = blocks.parse(text)
    starts = []
    is_atx = any(token.type == "heading_open" and token.markup[0] == "#" for token in tokens)
    for at, token in enumerate(tokens):
        is_heading = token.type == "heading_open" and (token.markup[0] == "#") == is_atx
        if is_heading and token.level == 0 and token.map:
            first, last = token.map
            begins, ends = offsets[first], offsets[last]
            starts.append((begins, ends, int(token.tag[1]), tokens[at + 1].content))
    return _cut(text, starts)


def _wiki(text: str) -> tuple[str, list[HeadedSection]]:
    """Raises Fault where too much is open at once."""
    # Where so much is begun and not ended, reading would take the square of it.
    depths: dict[str, int] = {}
    for bracket in _BRACKETS.finditer(text):
        kind = _CLOSES.get(bracket[0], bracket[0])
        if bracket[0] in _CLOSES:
            depths[kind] = max(depths.get(kind, 0) - 1, 0)
        else:
            depths[kind] = depths.get(kind, 0) + 1
        if depths[kind] > _MOST_OPEN:
            line = text.count("\n", 0, bracket.start()) + 1
            raise Fault(
                f"Line {line} of the page: more than {_MOST_OPEN} “{kind}” are begun by there and"
                " not ended."
            )
    starts = [
        (at, at + len(str(heading)), heading.level, str(heading.title))
        for at, heading in _headings(mwparserfromhell.parse(text), 0, 0)
    ]
    return _cut(text, starts)


def _headings(code: Wikicode, at: int, depth: int) -> Iterator[tuple[int, Heading]]:
    """The page's headings and where each stands; those within a tag that surrounds sections too."""
    for node in code.nodes:
        if isinstance(node, Heading):
            yield at, node
        elif isinstance(node, Tag) and isinstance(node.contents, Wikicode) and depth < _DEEPEST:
            inside = str(node.contents)
            yield from _headings(node.contents, at + str(node).find(inside), depth + 1)
        at += len(str(node))


def _plain(text: str, doubts: list[tuple[int, str]]) -> tuple[str, list[HeadedSection]]:
    """To `doubts` go the lines whose number begins no rule, since it does not rise."""
    lines = text.split("\n")
    starts, offset = [], 0
    named = any(re.match(r"(?:Rule|RULE)\s+[0-9]", line.strip()) for line in lines)
    underlined = any(_is_underlined(lines, at) for at in range(len(lines) - 1))
    last: tuple[int, ...] = ()
    for at, line in enumerate(lines):
        ends = offset + len(line) + 1
        bare = line.strip()
        alone = at == 0 or not lines[at - 1].strip()
        numbered = _NUMBERED.fullmatch(bare) if alone and not underlined else None
        if underlined and alone and _is_underlined(lines, at):
            level = "=-~".index(lines[at + 1].strip()[0]) + 1
            starts.append((offset, ends + len(lines[at + 1]) + 1, level, bare))
        elif numbered and bool(numbered["named"]) == named:
            number = numbered["named"] or numbered["dotted"]
            order = tuple(int(part) for part in re.findall(r"[0-9]{1,18}", number))
            if named or order > last:
                last = order
                starts.append(_numbered_start(lines, at, offset, number, bare))
            else:
                doubts.append((at + 1, number))
        offset = ends
    return _cut(text, [(a, min(b, len(text)), c, d) for a, b, c, d in starts])


def _is_underlined(lines: list[str], at: int) -> bool:
    ends = at + 1 < len(lines) and _UNDERLINE.fullmatch(lines[at + 1])
    return bool(ends and lines[at].strip() and not _UNDERLINE.fullmatch(lines[at]))


def _numbered_start(
    lines: list[str], at: int, offset: int, number: str, bare: str
) -> tuple[int, int, int, str]:
    """A rule that begins with its number: with a title behind it or on the next line, or with its
    text at once."""
    level, ends = 1 + number.count("."), offset + len(lines[at]) + 1
    _, title, _ = heading_parts(bare)
    below = lines[at + 1].strip() if at + 1 < len(lines) else ""
    if title == f"Rule {number}":
        rest = lines[at + 2].strip() if at + 2 < len(lines) else ""
        if below and not rest and len(below) <= _LONGEST_HEADING and below[-1] not in ".:;,":
            return offset, ends + len(lines[at + 1]) + 1, level, f"{bare} {below}"
        return offset, ends, level, bare
    if len(title) > 80 or bare[-1] in ".;," or (below and below[0].islower()):
        begins = offset + lines[at].index(title[:20]) if title[:20] in lines[at] else ends
        return offset, begins, level, f"Rule {number}"
    return offset, ends, level, bare


# Sections as rules


def heading_parts(heading: str) -> tuple[str, str, str]:
    """Number, title and power of a heading such as “Rule 101/3 (Power=3): Title”, "" for none."""
    words = " ".join(_MARKUP.sub(lambda match: match[1] or "", heading).split())
    power = _POWER.search(words)
    if power:
        words = (words[: power.start()] + " " + words[power.end() :]).strip()
    numbered = _NUMBERED.fullmatch(words)
    if not numbered:
        return "", words, power[1] if power else ""
    number = (numbered["named"] or numbered["dotted"]).rstrip(".-")
    rest = (numbered["rest"] if numbered["named"] else numbered["after"]).strip(" .:–—-)")
    return number, " ".join(rest.split()) or f"Rule {number}", power[1] if power else ""


def _add(sections: list[HeadedSection], name: str, findings: Findings) -> None:
    topmost = min(section.level for section in sections)
    is_alone = sum(section.level == topmost for section in sections) == 1 < len(sections)
    first = sections[0]
    about = first if is_alone and first.level == topmost and first.text else None
    above: list[tuple[int, str, bool]] = []  # level, name and whether it is a rule
    for at, section in enumerate(sections):
        where = f"{name}, line {section.line}"
        number, title, power = heading_parts(section.heading)
        if section is about and not number:
            findings.notes += [
                f"{name}, below the title “{title}”: no rule, and left out: {line[:100]}"
                for line in section.text.split("\n")
                if line.strip()
            ]
            continue
        while above and above[-1][0] >= section.level:
            above.pop()
        under = next((rule_name for _, rule_name, is_rule in reversed(above) if is_rule), "")
        deeper = at + 1 < len(sections) and sections[at + 1].level > section.level
        if deeper and not section.text and not under and not number:
            above.append((section.level, title, False))
            continue
        category = next((title_above for _, title_above, is_rule in above if not is_rule), "")
        findings.add(
            {
                "number": number,
                "title": title,
                "power": power,
                "parent": under,
                "category": category,
                "text": section.text,
            },
            where,
        )
        above.append((section.level, number or title, True))
