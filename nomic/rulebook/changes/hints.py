"""Sentences that are not of the language: whether they ask for a change, and what would be read."""

import re

from nomic.rulebook.changes.grammar import VERBS, first_word
from nomic.rulebook.changes.layout import word_set
from nomic.rulebook.changes.sentences import Sentence

_OTHER_VERBS = word_set(
    "move swap reset revoke make let update upgrade restore ratify appoint deregister "
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
_EXAMPLES = {
    "enact create": "Enact a new rule with title “Horses” and the following text: {…}",
    "add append insert": "Append the following paragraph to the rule “Horses”: {…}",
    "replace amend change modify substitute in": "In the rule “Horses”, replace “16” with “20”.",
    "delete remove strike": "In the rule “Horses”, delete “indestructible”.",
    "repeal": "Repeal rule 2-2.",
    "retitle rename": "Retitle the rule “Horses” to “Ponies”.",
    "renumber": "Renumber rule 12 to 13.",
    "set flip": "Set Alexia's Race Position to 3.",
    "give award grant": "Give Peter 5 points.",
    "take deduct": "Take 5 points from Peter.",
    "transfer": "Transfer 5 points from Peter to Paul.",
    "increase raise": "Increase Peter's points by 3.",
    "decrease reduce lower": "Decrease Peter's points by 3.",
    "destroy": "Destroy 5 of Peter's points.",
}
_BY_VERB = {verb: example for verbs, example in _EXAMPLES.items() for verb in verbs.split()}


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
    """Why an officer carries a sentence out, and the shape that would have been read."""
    example = _BY_VERB.get(first_word(read.words, 0).casefold())
    if example is None:
        return "It asks for something that no form of change says; it is carried out by hand."
    return f"It begins like a change and goes on otherwise; this would be read: {example}"
