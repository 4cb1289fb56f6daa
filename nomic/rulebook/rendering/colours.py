"""Which characters of a program in a rule's text are a word of the language, text, number, remark.

Python's own tokenizer tells, in linear time also on hostile text; where it cannot read on, the rest
stays plain.
"""

import io
import keyword
import re
import tokenize
from collections.abc import Sequence
from html import escape
from itertools import accumulate, groupby

_LONGEST = 20_000  # characters of a block; a longer one stays plain
_CLASSES = {
    tokenize.STRING: "code-text",
    tokenize.FSTRING_START: "code-text",
    tokenize.FSTRING_MIDDLE: "code-text",
    tokenize.FSTRING_END: "code-text",
    tokenize.NUMBER: "code-number",
    tokenize.COMMENT: "code-remark",
}
_KEYWORD = "code-keyword"
CODE_CLASSES = {_KEYWORD, *_CLASSES.values()}
_LANGUAGE = re.compile(r"\s*python\b")
_OPENS = re.compile(r" *(?P<fence>`{3,}|~{3,})" + _LANGUAGE.pattern)

type Colours = list[str]  # of each character its CSS class, or ""


def is_coloured(language: str) -> bool:
    """Whether a fenced block that says this after its fence is a program that is coloured."""
    return bool(_LANGUAGE.match(language))


def colours_of(code: str) -> Colours:
    colours = [""] * len(code)
    if len(code) > _LONGEST:
        return colours
    lines = io.StringIO(code).readlines()
    starts = [*accumulate(map(len, lines), initial=0), len(code)]
    try:
        for token in tokenize.generate_tokens(iter([*lines, ""]).__next__):
            css = _CLASSES.get(token.type, "")
            if token.type == tokenize.NAME and keyword.iskeyword(token.string):
                css = _KEYWORD
            if css:
                start, end = (starts[row - 1] + at for row, at in (token.start, token.end))
                colours[start:end] = [css] * len(colours[start:end])
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return colours


def colours_of_lines(text: str) -> dict[int, Colours]:
    """Of each line within such a block, counted from 0, the colours."""
    colours_by_line: dict[int, Colours] = {}
    lines = text.split("\n")
    fence, first = "", 0
    for number, line in enumerate([*lines, "```"]):
        bare = line.strip()
        if not fence:
            if opens := _OPENS.match(line):
                fence, first = opens["fence"], number + 1
        elif number == len(lines) or (bare.startswith(fence) and not bare.strip(fence[0])):
            colours, at = colours_of("\n".join(lines[first:number])), 0
            for inside in range(first, number):
                colours_by_line[inside] = colours[at : at + len(lines[inside])]
                at += len(lines[inside]) + 1
            fence = ""
    return colours_by_line


def draw(code: str, colours: Sequence[str]) -> str:
    """The code as HTML, each run of one colour a <span> of its class."""
    drawn, at = "", 0
    for css, run in groupby(colours):
        end = at + sum(1 for _ in run)
        piece = escape(code[at:end])
        drawn += f'<span class="{css}">{piece}</span>' if css else piece
        at = end
    return drawn
