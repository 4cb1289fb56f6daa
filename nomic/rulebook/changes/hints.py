"""Sentences that are not of the language: whether they ask for a change, and what would be read."""

import re
import tomllib
from difflib import SequenceMatcher
from pathlib import Path

from nomic.rulebook.changes.grammar import VERBS, first_word
from nomic.rulebook.changes.layout import word_set
from nomic.rulebook.changes.sentences import Sentence

_OTHER_VERBS = word_set(
    "move swap reset revoke make let update upgrade restore appoint deregister "
    "register put merge split double halve draw roll shuffle revert undo void cancel declare "
    "designate assign pay distribute reorder reinstate clear empty start end begin convert correct "
    "fix allow require extend apply"
)
_PLACES = word_set("in to from under after before")
_SIGN = re.compile(
    r"\bhereby\b|\bSHALL\b|\b(?:is|are) (?:increased|decreased|set|changed|amended|repealed|"
    r"replaced|retitled|enacted|destroyed|transferred|awarded|given|granted)\b|"
    r"\b(?:becomes|gains?|loses?|receives?)\b"
)
_RULE = re.compile(r"\brules? #?\d|“\d+”", re.IGNORECASE)
_NAMED = re.compile(r"\brules? (?:#?\d|“\d+”)", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:{'|'.join(sorted(VERBS))})\b", re.IGNORECASE)
_FILE = Path(__file__).with_suffix(".toml")
EXAMPLES: dict[str, list[str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_BY_VERB = {verb: examples for verbs, examples in EXAMPLES.items() for verb in verbs.split()}
_TOKEN = re.compile(r"(“)[^”]*”|({)[^}]*}|([^\W\d_]+)|\d+")


def begins_like_one(read: Sentence) -> bool:
    """Whether a sentence begins like an instruction of the language."""
    return first_word(read.words, 0).casefold() in VERBS


def asks(read: Sentence) -> bool:
    """Whether a sentence that is not of the language still asks for a change to the game."""
    word = first_word(read.words, 0).casefold()
    if word in VERBS or word in _OTHER_VERBS:
        return True
    if word in _PLACES and _RULE.search(read.words):
        return True
    if _NAMED.search(read.words) and _VERB.search(read.words):
        return True
    return _SIGN.search(read.words) is not None


def hint(read: Sentence) -> str:
    """Why an officer carries a sentence out, and the shape nearest to it that would be read."""
    words = _tokens(read.words)
    verb = next((word for word in words if word in _BY_VERB), "")
    if not verb or not (begins_like_one(read) or words[0] in _PLACES):
        return "It asks for something that no form of change says; it is carried out by hand."
    nearest = max(
        _BY_VERB[verb], key=lambda one: SequenceMatcher(None, words, _tokens(one)).ratio()
    )
    return f"It begins like a change and goes on otherwise; this would be read: {nearest}"


def _tokens(words: str) -> list[str]:
    """The words of a sentence, with the mark of each marked text and nothing for a number."""
    return ["".join(groups) for groups in _TOKEN.findall(words.casefold())]
