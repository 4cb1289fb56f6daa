"""Inputs of the acts on the book: proposals, regulations and tabled acts by number, and names.

What a page offers is no limit: whether there is such a thing, and why it will not do, is the
actions' to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

from django import forms
from django.utils.functional import SimpleLazyObject

from aceofspades.actions.fields import CardsField, Lazily
from aceofspades.state.reading import DECK, State, state_of
from nomic.engine.forms import Shaped, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.names import LONGEST_NAME

LONGEST_REGULATION = 10_000
HIGHEST_NUMBER = 9_999
_LISTED = 60


class NumberField(Shaped, forms.IntegerField):
    """Something of the contest by its number; `found` are those that a page offers."""

    json_type = int
    json_name = "a whole number"
    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": "This is a whole number."}

    def __init__(self, found: Callable[[State], Sequence[int]], **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=HIGHEST_NUMBER, widget=forms.Select, **kwargs)
        self._found = found
        self._numbers: Callable[[], Sequence[int]] = list

    def offer(self, table: Table, player: Player | None) -> None:
        def numbers() -> Sequence[int]:
            state = state_of(table)
            return self._found(state)[:_LISTED] if state.is_on else []

        self._numbers = numbers
        self.widget.choices = Lazily(numbers)

    def schema(self) -> dict[str, Any]:
        numbers = list(self._numbers())
        shape: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": HIGHEST_NUMBER}
        return {**shape, "examples": numbers} if numbers else shape


class RegulationNumber(WholeNumber):
    """The number of a regulation, be there one or not."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(1, HIGHEST_NUMBER, **kwargs)


class NameField(TextChoice):
    """Somebody by name, out of those that a page offers, or whoever is written."""

    noun = "player"

    def offer(self, table: Table, player: Player | None) -> None:
        found = SimpleLazyObject(lambda: self.options(table, player))
        self.words = cast("list[str]", found)
        self.choices = lambda: [(word, word) for word in self.words]

    def validate(self, value: Any) -> None:
        forms.Field.validate(self, value)
        if len(value) > LONGEST_NAME:
            raise forms.ValidationError(f"A name has at most {LONGEST_NAME} characters.")

    def schema(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"type": "string", "maxLength": LONGEST_NAME}
        return {**shape, "examples": self.words[:_LISTED]} if self.words else shape


class ContestantField(NameField):
    """A current contestant."""

    noun = "contestant"

    def options(self, table: Table, player: Player | None) -> list[str]:
        state = state_of(table)
        return [each.player.name for each in state.contestants] if state.is_on else []


class OwnerField(NameField):
    """Who can have cards: a player of the game, or the Deck."""

    noun = "player"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [*table.directory.players, DECK]


class SomeCardsField(CardsField):
    """Cards by suit, or none where the act is not about cards."""

    def validate(self, value: Any) -> None:
        """None is as good as cards."""
