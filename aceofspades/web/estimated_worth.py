"""Worths that can be told before the Moment of Reckoning: a hand's as far as its holder can know
it, and the total of each alliance, which is public (Regulation 225).

They are counted by the worker, so that no regulation's program holds up a page: until then None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aceofspades.marking.counting import ask
from aceofspades.rules.marks import Question, as_compared
from aceofspades.secrecy import vault
from aceofspades.secrecy.secrets import Sight
from aceofspades.state.reading import State

Allied = Mapping[int, Sequence[str]]


def known_worth(sight: Sight) -> float | None:
    """The worth of the viewer's own hand, as if no other were there, by the marking regulations
    that they may read; None for who has no hand, and until it has been counted."""
    hand = sight.own_hand()
    if hand is None or sight.viewer is None:
        return None
    readable = frozenset(each.number for each in sight.state.regulations if sight.may_read(each))
    question = Question(
        hands={sight.viewer.name: {**dict.fromkeys(sight.state.charts.suits, 0), **hand}},
        alliances=(),
        programs=vault.programs(sight.state, readable),
    )
    answer = ask(question)
    return None if answer is None else as_compared(answer.worths[sight.viewer.name])


def worths_of_alliances(
    state: State, allied: Allied | None = None, held: Mapping[str, vault.Hand] | None = None
) -> dict[int, float]:
    """The total worth of each alliance by its number; empty until the hands have been counted.

    Where a tie is broken by cards that are yet to be dealt, it is not: that is for the Reckoning.
    After the Reckoning it is the sum of what the hands were marked with then. `allied` are the
    alliances' members by their numbers, and `held` all hands, where they have been read.
    """
    if allied is None:
        allied = {row.number: names for row, names in vault.numbered_alliances(state)}
    if not allied:
        return {}
    worths = _announced(state) if state.is_reckoned else None
    if worths is None:
        answer = ask(vault.everybodys_worth(state, list(allied.values()), held))
        if answer is None:
            return {}
        worths = answer.worths
    return {
        number: as_compared(sum(worths.get(name, 0.0) for name in members))
        for number, members in allied.items()
    }


def _announced(state: State) -> Mapping[str, float] | None:
    """What the hands were marked with at the Reckoning; None until that is announced."""
    worths = {str(each): each.worth for each in state.contestants}
    found = {name: worth for name, worth in worths.items() if worth is not None}
    return found if len(found) == len(worths) else None
