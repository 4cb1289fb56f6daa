"""Why something may not be done: a value, never an exception's text."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """A code for programs, a sentence for people, and the title of the rule it comes from.

    The sentence says what is wrong and what would make it right. `units` are what sentences of a
    text would be taken for, each with its sentence and passage, where that has to be confirmed;
    `sentences` are those of which their author has to say in one of the inputs that `choices` names
    what becomes of them.
    """

    code: str
    sentence: str
    rule: str = ""
    units: tuple[Mapping[str, str], ...] = ()
    sentences: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence


def first_refusal(rule: str, *cases: tuple[object, str, str]) -> Refusal | None:
    """Of cases, each with its code and sentence, the refusal by that rule for the first that holds;
    None where none does."""
    return next((Refusal(code, sentence, rule) for holds, code, sentence in cases if holds), None)
