"""Sentences that are not of the language: whether they ask for a change, and what would be read."""

import re
import tomllib
from difflib import SequenceMatcher
from pathlib import Path

from nomic.rulebook.changes.grammar import VERBS, first_word
from nomic.rulebook.changes.layout import word_set
from nomic.rulebook.changes.sentences import Sentence

_PLACES = word_set("in to from under after before")
_RULE = re.compile(r"\brules? #?\d|“\d+”", re.IGNORECASE)
_FILE = Path(__file__).with_suffix(".toml")
EXAMPLES: dict[str, list[str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_BY_VERB = {verb: examples for verbs, examples in EXAMPLES.items() for verb in verbs.split()}
_TOKEN = re.compile(r"(“)[^”]*”|({)[^}]*}|([^\W\d_]+)|\d+")


def begins_like_one(read: Sentence) -> bool:
    """Whether a sentence begins like an instruction of the language."""
    word = first_word(read.words, 0).casefold()
    return word in VERBS or (word in _PLACES and _RULE.search(read.words) is not None)


def hint(read: Sentence) -> str:
    """Why an officer carries out a sentence that begins like a change, and the nearest shape."""
    return nearest(read) or "It names a rule and asks for nothing that a form of change says."


def nearest(read: Sentence) -> str:
    """The shape that is nearest to a sentence, as one says it; nothing where no verb tells."""
    words = _tokens(read.words)
    verb = next((word for word in words if word in _BY_VERB), "")
    if not verb:
        return ""
    shape = max(_BY_VERB[verb], key=lambda one: SequenceMatcher(None, words, _tokens(one)).ratio())
    return f"It begins like a change and goes on otherwise; this would be read: {shape}"


def _tokens(words: str) -> list[str]:
    """The words of a sentence, with the mark of each marked text and nothing for a number."""
    return ["".join(groups) for groups in _TOKEN.findall(words.casefold())]
