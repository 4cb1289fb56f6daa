"""The grammar: whether words are a sentence of the closed language, and as which tree."""

import re
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from nomic.kept import kept
from nomic.places import home
from nomic.rulebook.changes.layout import word_set

type Words = Tree[Token]

VERBS = word_set(
    "amend enact create repeal replace retitle rename renumber change set delete remove strike add "
    "prepend append insert substitute modify give award grant take deduct transfer destroy "
    "increase raise decrease reduce lower flip reenact re-enact ratify"
)
STARTERS = VERBS | word_set("in to from under after before")
_OPENERS = STARTERS | word_set("then also finally next and make apply within rule the r")
_LATER = re.compile(r"\b(?:gains?|receives?|gets?|loses?|becomes|is|are|it|its)\b", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")


def first_word(text: str, at: int) -> str:
    word = _FIRST_WORD.match(text, at)
    return word.group() if word else ""


@cache
def _parser() -> Lark:
    """The parser; Lark keeps its tables in the site's own folder, since making them takes long."""
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", cache=str(home().folder / "grammar"))


@kept(0.02)
def parsed(words: str) -> Words | None:
    """The tree of a sentence of the closed language, or None."""
    if not _may_be(words):
        return None
    try:
        return _parser().parse(f"{words} ")
    except UnexpectedInput:
        return None


def _may_be(words: str) -> bool:
    """Whether a sentence may be one of the language, by a quick look."""
    first = first_word(words, 0).casefold()
    known = first in _OPENERS or first.endswith("ing")
    return not first or known or _LATER.search(words) is not None


@kept(0.01)
def expects_block(words: str) -> bool:
    """Whether a marked text may come after these words."""
    if not _may_be(words):
        return False
    try:
        reader = _parser().parse_interactive(f"{words} ")
        reader.exhaust_lexer()
    except UnexpectedInput:
        return False
    return "BLOCK" in reader.parser_state.parse_conf.states[reader.parser_state.position]
