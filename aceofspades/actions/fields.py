"""Inputs of the contest: cards by suit, contestants, offers, alliances, proposals, regulations.

A program sends objects and lists; a browser sends the parts of each, which its form has apart.
What a page offers is no limit: whether there is such a thing, and why it will not do, is the
actions' to say.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django import forms

from aceofspades.models import Contestant
from aceofspades.rules.charts import LONGEST_SUIT, MOST_SUITS
from aceofspades.secrecy import reader
from aceofspades.state.reading import DECK, State, state_of
from nomic.engine.forms import CountsField, CountsWidget, Parts, Shaped, SomebodyField, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.names import LONGEST_NAME
from nomic.games.wording import parted
from nomic.rulebook.charts import unless_broken

LONGEST_REGULATION = 10_000
HIGHEST_NUMBER = 9_999
MOST_CARDS = 10_000
MOST_NAMES = 1_000
_LONGEST_CODE = 8
_LISTED, _MOST_SUGGESTED = 40, 60
_CARDS = re.compile(r"([0-9]{1,20})\s+(.+?)(?:\s+cards?)?", re.IGNORECASE | re.DOTALL)
_PARTING = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)


class CardsWidget(CountsWidget):
    """A number for each suit."""

    template = "aceofspades/composite_widgets/cards.html"

    def said(self, text: str) -> Mapping[str, Any]:
        """The cards that a text like “2 Red and 1 Mauve” names; what is none stands for itself."""
        cards: dict[str, Any] = {}
        for part in filter(None, _PARTING.split(text.strip().removesuffix("."))):
            card = _CARDS.fullmatch(part)
            if card is None or card[2] in cards:
                return {part[:60]: None}
            cards[card[2]] = card[1]
        return cards


class ContestantsWidget(Parts):
    """A box to tick for each contestant; a line for their names where there are very many."""

    template = "aceofspades/composite_widgets/contestants.html"
    names: Callable[[], Sequence[str]] = staticmethod(list)
    most_boxes = 40

    def whole(self, parts: Mapping[str, Any]) -> Any:
        return list(parts)

    def drawn(self, value: Any) -> Mapping[str, Any]:
        names = self.names()
        chosen = names_in(value, names) if isinstance(value, str) else list(value or ())
        boxes = [(name, name in chosen) for name in names]
        return {"boxes": boxes if len(names) <= self.most_boxes else [], "line": ", ".join(chosen)}


def names_in(text: str, spellings: Sequence[str]) -> list[str]:
    """The names in a text like “Alice, Bob and Carol.”; the known ones as they are known."""
    return parted(text.strip().removesuffix("."), spellings, ",;")


class CardsField(CountsField):
    """Cards by suit: {"Red": 2, "Mauve": 1}, whole numbers from 0 each; as a text, “2 Red and 1
    Mauve”."""

    json_name = "an object of suits and whole numbers"
    widget = CardsWidget
    most_things = MOST_SUITS
    from_0 = "The number of {} cards is a whole number from 0."
    at_most = "The number of {} cards is at most {:,} here."
    no_counts = f"Cards are numbers of at most {MOST_SUITS} suits, such as 2 Red and 1 Mauve."

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(most=MOST_CARDS, **kwargs)

    def things_for(self, table: Table, player: Player | None) -> Sequence[str]:
        state = state_of(table)
        return unless_broken(lambda: state.charts.suits, ()) if state.is_on else ()

    def held_by(self, table: Table, player: Player | None) -> Mapping[str, int]:
        state = state_of(table)
        return reader.hand_of(state, player) if player and state.is_on else {}

    def called(self, given: Any) -> str:
        """The suit as it is known, or as it is given where it is not."""
        if not isinstance(given, str) or len(given) > LONGEST_SUIT or not given.isprintable():
            raise forms.ValidationError(f"“{str(given)[:LONGEST_SUIT]}” is no suit.")
        by_sound = {suit.casefold(): suit for suit in self.widget.things()}
        return by_sound.get(given.strip().casefold(), given.strip())


class ContestantsField(Shaped, forms.Field):
    """Other contestants by name; as a text, “Alice, Bob and Carol”."""

    json_type = list
    json_name = "a list of contestants' names"
    default_error_messages: ClassVar[dict[str, Any]] = {"required": "Name one contestant at least."}
    widget = ContestantsWidget
    names: Callable[[], Sequence[str]] = staticmethod(list)

    def offer(self, table: Table, player: Player | None) -> None:
        def names() -> Sequence[str]:
            state = state_of(table)
            return state.names if state.is_on else []

        player_name = "" if player is None else player.name
        self.names = names
        self.widget.names = lambda: sorted(
            (name for name in names() if name != player_name), key=str.casefold
        )

    def to_python(self, value: Any) -> list[str]:
        if value in self.empty_values:
            return []
        spellings = self.names()
        names = names_in(value, spellings) if isinstance(value, str) else value
        if not isinstance(names, list) or len(names) > MOST_NAMES:
            raise forms.ValidationError(f"This is a list of at most {MOST_NAMES:,} names.")
        by_sound = {name.casefold(): name for name in spellings}
        contestants = []
        for name in names:
            if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable():
                raise forms.ValidationError("This is a list of contestants' names.")
            contestants.append(by_sound.get(name.strip().casefold(), name.strip()))
        return list(dict.fromkeys(contestants))

    def schema(self) -> dict[str, Any]:
        shape = {"type": "array", "items": {"type": "string"}, "maxItems": MOST_NAMES}
        return {**shape, "examples": [[name] for name in self.widget.names()[:_LISTED]]}


class _Suggesting(Shaped, forms.Field):
    """A field of which a page offers values: those that `read` gives for the contest, or
    `of_contestant` for the one who acts. They are read as it is drawn, so that an action pays
    nothing for them."""

    widget: Any = forms.Select
    most_suggested: int | None = _MOST_SUGGESTED
    suggested: Callable[[], Sequence[Any]] = staticmethod(list)

    def __init__(
        self,
        read: Callable[..., Sequence[Any]],
        *,
        of_contestant: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._read, self._of_contestant = read, of_contestant

    def offer(self, table: Table, player: Player | None) -> None:
        def suggested() -> Sequence[Any]:
            state = state_of(table)
            if not state.is_on:
                return []
            if not self._of_contestant:
                rows = self._read(state)
            else:
                contestant = state.contestant(player)
                rows = self._read(state, contestant) if contestant else []
            return [getattr(row, "number", row) for row in rows[: self.most_suggested]]

        self.suggested = suggested
        self.widget.choices = lambda: [(choice, str(choice)) for choice in suggested()]

    def schema(self) -> dict[str, Any]:
        """The field's JSON schema, with the values that a page offers as `examples`."""
        shape, examples = super().schema(), list(self.suggested()[:_MOST_SUGGESTED])
        return {**shape, "examples": examples} if examples else shape


class CodeField(_Suggesting, forms.CharField):
    """The code of an offer or a pact, of those that a contestant may choose from."""

    most_suggested = _LISTED

    def __init__(self, read: Callable[[State, Contestant], list[str]]) -> None:
        super().__init__(read, of_contestant=True, max_length=_LONGEST_CODE)

    def to_python(self, value: Any) -> str:
        code = str(super().to_python(value)).upper()
        if not (code.isascii() and code.isalnum()) and code:
            raise forms.ValidationError("A code is of letters, such as BCDF.")
        return code


class NumberField(_Suggesting, WholeNumber):
    """Something of the contest by its number."""

    def __init__(
        self, read: Callable[..., Sequence[Any]], highest: int = HIGHEST_NUMBER, **kwargs: Any
    ) -> None:
        super().__init__(read, low=1, high=highest, **kwargs)


class NameField(_Suggesting, forms.ChoiceField):
    """Somebody by name, out of those that a page offers, or whoever is written."""

    most_suggested = None

    def validate(self, value: Any) -> None:
        forms.Field.validate(self, value)
        if len(value) > LONGEST_NAME:
            raise forms.ValidationError(f"A name has at most {LONGEST_NAME} characters.")

    def schema(self) -> dict[str, Any]:
        return {**super().schema(), "maxLength": LONGEST_NAME}


class CardReceiverField(SomebodyField):
    """Who can be given cards: another player of the game, or the Deck."""

    noun = "player"

    def options(self, table: Table, player: Player | None) -> list[str]:
        self.oneself = "" if player is None else player.name
        names = (name for name in table.directory.players if name != self.oneself)
        return [*sorted(names, key=str.casefold), DECK]
