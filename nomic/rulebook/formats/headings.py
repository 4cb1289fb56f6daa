"""One text with a heading a rule: Markdown, MediaWiki or plain, headings under headings."""

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, heading

from nomic.rulebook.formats.checking import MOST_RULES, Enough, Fault, Findings, check_length

LARGEST_TEXT = 3_000_000  # characters
_DEEPEST = 100  # of what stands in one another in Markdown
MOST_HEADINGS = 2 * MOST_RULES  # a category has a heading as well
_WIKI = re.compile(r"^(={1,6})[^=\n].*?\1[ \t]*$", re.MULTILINE)
_ATX = re.compile(r"^ {0,3}#{1,6}\s+\S", re.MULTILINE)
_NUMBERED = re.compile(
    r"(?:Rule|RULE|rule|Regulation)\s+(?P<named>[0-9][\w.\-]{0,18}\b)(?:/[0-9]+)?(?P<rest>.*)"
    r"|(?P<dotted>[0-9]{1,6}(?:\.[0-9]{1,4})+|[0-9]{1,6}(?=[.:)–—]))(?P<after>.*)"
)
_POWER = re.compile(r"\s*[(\[]\s*[Pp]ower\s*[=:]?\s*(-?[0-9.]+)\s*[)\]]")
_MARKUP = re.compile(r"'{2,5}|\*{1,3}|`|<[^<>]{1,60}>|\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_WIKI_LINE = re.compile(r"^=[^\n]*", re.MULTILINE)
_VERBATIM = ("nowiki", "pre", "source", "syntaxhighlight", "math")
_HIDES = re.compile(
    rf"<!--|<(?P<tag>{'|'.join(_VERBATIM)})\b[^<>\n]*>|\{{\{{|\}}\}}", re.IGNORECASE
)
_COMMENT_ENDS = re.compile("-->")
_TAG_ENDS = {tag: re.compile(rf"</{tag}[ \t]*>", re.IGNORECASE) for tag in _VERBATIM}
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})\s*")
_LONGEST_HEADING = 120


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
    before, sections = _split(text, name, doubts)
    if not sections:
        raise Fault(
            f"{name}: no heading was found. A rule begins with a line such as “# Title”,"
            " “== Title ==”, “Rule 101: Title”, or a title underlined with =====."
        )
    for number, line in enumerate(before.split("\n"), 1):
        if line.strip():
            findings.note(f"{name}, line {number}: no rule, and left out: {line[:100]}")
    for line_number, rule_number in doubts:
        findings.note(
            f"{name}, line {line_number}: taken as part of the rule above it, since {rule_number}"
            " does not come after that rule's number."
        )
    _add(sections, name, findings)


def _split(text: str, name: str, doubts: list[tuple[int, str]]) -> tuple[str, list[HeadedSection]]:
    """The text before the first heading, and the sections, in the way in which its headings are
    written; raises Enough."""
    kind = name.rpartition(".")[2].casefold()
    if kind in ("wiki", "mediawiki", "mw"):
        return _wiki(text, name)
    if kind in ("md", "markdown"):
        return _markdown(text, name)
    wiki = len(_WIKI.findall(text))
    if wiki > 1 or wiki > len(_ATX.findall(text)):  # `# ` is an item of a list there
        return _wiki(text, name)
    if _ATX.search(text) and (parts := _markdown(text, name))[1]:
        return parts
    return _plain(text, name, doubts)  # where `# ` is within a program alone, too


# The three ways in which headings are written


def _cut(
    text: str, name: str, starts: list[tuple[int, int, int, str]]
) -> tuple[str, list[HeadedSection]]:
    """The text before the first heading, and the sections; `starts` has where each heading begins
    and where it ends, its level and its words. Raises Enough where there are too many."""
    sections = []
    line, counted = 1, 0
    for at, (begins, ends, level, words) in enumerate(starts):
        until = starts[at + 1][0] if at + 1 < len(starts) else len(text)
        line, counted = line + text.count("\n", counted, begins), begins
        if at >= MOST_HEADINGS:
            raise _too_many(name, line)
        lines = text[ends:until].split("\n")
        filled = [number for number, words_of_line in enumerate(lines) if words_of_line.strip()]
        body = "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""
        sections.append(HeadedSection(level, words, line, body))
    return text[: starts[0][0]] if starts else text, sections


def _too_many(name: str, line: int) -> Enough:
    return Enough(
        f"{name}, line {line}: heading {MOST_HEADINGS + 1:,} stands there, and {MOST_HEADINGS:,}"
        f" for {MOST_RULES:,} rules are the most. Nothing behind it was read."
    )


def _markdown(text: str, name: str) -> tuple[str, list[HeadedSection]]:
    """The sections of Markdown; raises Enough."""
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
                raise _too_many(name, line + 1)
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
    tokens = blocks.parse(text)
    starts = []
    is_atx = any(token.type == "heading_open" and token.markup[0] == "#" for token in tokens)
    for at, token in enumerate(tokens):
        is_heading = token.type == "heading_open" and (token.markup[0] == "#") == is_atx
        if is_heading and token.level == 0 and token.map:
            first, last = token.map
            begins, ends = offsets[first], offsets[last]
            starts.append((begins, ends, int(token.tag[1]), tokens[at + 1].content))
    return _cut(text, name, starts)


def _wiki(text: str, name: str) -> tuple[str, list[HeadedSection]]:
    """The sections of a page of MediaWiki; raises Enough.

    A whole parser of it builds each sign of each list, for 30 µs and 800 bytes a character. Where
    headings are is known by the lines that begin with `=`, and by what hides such a line.
    """
    hidden = iter(_hidden(text))
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
            starts.append((at, line.end(), level, words[level:-level].strip()))
    return _cut(text, name, starts)


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


def _plain(text: str, name: str, doubts: list[tuple[int, str]]) -> tuple[str, list[HeadedSection]]:
    """The sections of plain text; raises Enough. To `doubts` go the lines whose number begins no
    rule, since it does not rise."""
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
    return _cut(text, name, [(a, min(b, len(text)), c, d) for a, b, c, d in starts])


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
            for line in filter(str.strip, section.text.split("\n")):
                findings.note(
                    f"{name}, below the title “{title}”: no rule, and left out: {line[:100]}"
                )
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
