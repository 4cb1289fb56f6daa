"""The words of votes, as the rules in force have them. Nothing here knows Django."""

from collections.abc import Mapping
from itertools import zip_longest

from nomic.rulebook.clauses import Clause, cells_of
from proposals.rules.titles import PROPOSALS, VOTING
from proposals.rules.words import ENDORSE, neither_of, word_of

type Vocabulary = Mapping[str, str]

_LISTS = (
    "(can|may) vote {word/w*} on each",
    "with {word/w*} and no other word",
    "a vote on a proposal is {word/w*}",
    "1 of the words {word/w*}",
    "valid votes are {{word/w*}}",
    "can vote {word/w*}, or endorse another player",
    "can vote {word/w*}",
)
_ENDORSES = ("or endorse another player",)


def _clause(rule: str, wordings: tuple[str, ...], row: str) -> Clause:
    return Clause(rule, "WORDS", row, "WORD", wordings, row)


WORDS = tuple(_clause(rule, _LISTS, "{word}") for rule in (PROPOSALS, VOTING))


def vocabulary(own: tuple[str, ...], texts: Mapping[str, str]) -> dict[str, str]:
    """The meaning of each word of a vote, in the order in which the words are offered.

    `own` are the words that the edition counts. In the sentence that lists them in a text, a word
    that the edition counts keeps its meaning, and others take in order the places of those that
    are not there any more; one too many counts as neither FOR nor AGAINST. Without such a sentence,
    which has them in capitals, the edition's words go on.
    """
    for title, text in texts.items():
        said = [word.upper() for word, _ in cells_of(text, [_clause(title, _LISTS, "{word}")])]
        if len(said) > 1 and all(word in text for word in said):
            ends = bool(cells_of(text, [_clause(title, _ENDORSES, ENDORSE)]))
            listed = said + [ENDORSE] * ends
            left = [word for word in own if word not in listed and word != ENDORSE]
            others = [word for word in listed if word not in own]
            places = zip_longest(others, left[: len(others)], fillvalue=neither_of(own))
            meant = dict(places)
            return {word: meant.get(word, word) or word for word in listed}
    return {word: word for word in own}


def translated(vote: str, words: Vocabulary) -> str:
    """The vote as the edition counts it; ENDORSE keeps the name after it."""
    word = word_of(vote)
    return words.get(word, word) + vote.removeprefix(word)
