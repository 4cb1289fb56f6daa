"""Sentences that the first reader left to an officer, for entries that tell no reading."""

import re

from nomic.rulebook.changes.grammar import VERBS, first_word
from nomic.rulebook.changes.hints import nearest
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
_ASKED = "It asks for something that no form of change says; it is carried out by hand."


def left_then(read: Sentence) -> str:
    """Why the first reader left that sentence, which is not of the language, to an officer; nothing
    where it found that the sentence asks for no change."""
    words, word = read.words, first_word(read.words, 0).casefold()
    looks_like_one = (
        (word in VERBS or word in _OTHER_VERBS)
        or (word in _PLACES and _RULE.search(words))
        or (_NAMED.search(words) and _VERB.search(words))
        or _SIGN.search(words)
    )
    if not looks_like_one:
        return ""
    return (nearest(read) if word in VERBS or word in _PLACES else "") or _ASKED
