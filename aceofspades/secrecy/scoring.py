"""Worths that can be told before the Moment of Reckoning: a hand's as far as its holder can know
it, the total of each alliance, which is public (Regulation 225), and all hands' for who may know.

They are counted by the worker, so that no regulation's program holds up a page: until then None.
"""

from collections import Counter
from collections.abc import Mapping

from aceofspades.rules.marks import Answer, Question, as_compared
from aceofspades.secrecy import matrix, reader
from aceofspades.secrecy.view import SeenOffer, View
from aceofspades.state.counting import ask
from aceofspades.state.reading import State
from nomic.rulebook.charts import unless_broken


def estimated_worth(view: View) -> float | None:
    """The worth of the viewer's own hand, as if no other were there, by the marking regulations
    that they may read; after the Moment of Reckoning, what it was marked with. None for who has no
    hand, and until it has been counted."""
    hand = view.own_hand()
    if hand is None or view.viewer is None:
        return None
    if view.state.is_reckoned:
        return next((row.worth for row in view.state.figures if view.is_viewer(row.name)), None)
    return _worth(view, view.viewer.name, hand)


def gain_by(view: View, offer: SeenOffer) -> float | None:
    """By how much the viewer's hand is worth more, in Marks by the same measure, once they have
    accepted the offer; None for who has no hand, and until both worths have been counted."""
    hand, present = view.own_hand(), estimated_worth(view)
    if hand is None or present is None or view.viewer is None:
        return None
    changed = Counter(hand)
    changed.update(offer.gives)
    changed.subtract(offer.takes)
    afterwards = _worth(view, view.viewer.name, changed)
    return None if afterwards is None else as_compared(afterwards - present)


def _worth(view: View, name: str, hand: Mapping[str, int]) -> float | None:
    question = Question(
        hands={name: {**dict.fromkeys(view.state.charts.suits, 0), **hand}},
        alliances=(),
        programs=reader.programs(view.state, view.readable),
    )
    answer = ask(question)
    return None if answer is None else as_compared(answer.worths[name])


def worths_of_alliances(state: State) -> dict[int, float]:
    """The total worth of each alliance by its number; empty until the hands have been counted.

    Where a tie is broken by cards that are yet to be dealt, it is not: that is for the Reckoning.
    After the Reckoning it is the sum of what the hands were marked with then.
    """
    allied = reader.allied(state)
    if not allied:
        return {}
    worths = {row.name: row.worth for row in state.current_figures}
    if not state.is_reckoned or None in worths.values():
        answer = ask(reader.everybodys_worth(state))
        if answer is None:
            return {}
        worths = {**answer.worths}
    return {
        number: as_compared(sum(worths.get(name) or 0.0 for name in members))
        for number, members in allied.items()
    }


def worths_of_hands(view: View) -> Answer | None:
    """The worth of each hand, with what is wrong with which marking regulation (118, 119), for who
    may see all of it; None until it has been counted, and where no table says what marks."""
    if not view.may(matrix.HAND_WORTH):
        return None
    return unless_broken(lambda: ask(reader.everybodys_worth(view.state)), None)
