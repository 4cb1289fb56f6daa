"""The inputs of the proposals' actions: proposals by what names them, an index, lists of names."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from nomic.engine.forms import MOST_LISTED, Shaped, Text, TextChoice
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.rulebook.changes.reading import LONGEST_SENTENCE
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.edits.confirmed import LONGEST_PASSAGE
from proposals.models import LONGEST_WORD
from proposals.rules.each_votes import shown_index
from proposals.rules.words import CONDITIONAL, ENDORSE
from proposals.state.reading import Handle, State, read_handle, state_of
from proposals.state.voters import words_offered

_MOST_LINKS = 1_000
_OFFERED = 60


def _handle(written: Any) -> Handle:
    try:
        return read_handle(written)
    except ValueError as error:
        raise forms.ValidationError(str(error)) from None


class ProposalField(Shaped, forms.Field):
    """One proposal of the game, by its number or its id.

    Whether there is such a proposal, and whether it may be used so, is the action's to say.
    `offered` picks from the state what a page lets one choose from.
    """

    json_type = (int, str)
    json_name = "a proposal's number, or its id as a text"

    def __init__(self, offered: Callable[[State, Player | None], list[Any]], **kwargs: Any) -> None:
        self._offered = offered
        self._choices: Callable[[], list[Any]] = list
        super().__init__(widget=forms.Select, **kwargs)

    def offer(self, table: Table, player: Player | None) -> None:
        def offered() -> list[Any]:
            if not table.game.edition:
                return []
            return self._offered(state_of(table), player)[:_OFFERED]

        self._choices = offered
        # Read as a page draws them, so that an action pays nothing for them.
        self.widget.choices = lambda: [(proposal.handle, str(proposal)) for proposal in offered()]

    def prepare_value(self, value: Any) -> Any:
        """The handle that a page's address gives, as the list of proposals has it."""
        with suppress(ValueError):
            handle = read_handle(value)
            offered = {f"p{proposal.serial}": proposal.handle for proposal in self._choices()}
            return offered.get(str(handle), handle)
        return value

    def clean(self, value: Any) -> Handle | None:
        super().validate(value)
        return None if value in self.empty_values else _handle(value)

    def schema(self) -> dict[str, Any]:
        handles = [proposal.handle for proposal in self._choices()]
        return {"type": ["integer", "string"], **({"examples": handles} if handles else {})}


class _ListField(Shaped, forms.Field):
    """A list: JSON's own from a program, separated by commas on a page."""

    json_type = list
    of: ClassVar[str | list[str]]  # the type of its items, for programs
    each_once: ClassVar[bool] = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(str(part) for part in value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[Any]:
        if value in self.empty_values:
            return []
        parts = value if isinstance(value, list) else str(value).split(",")
        if len(parts) > _MOST_LINKS:
            raise forms.ValidationError(f"This list has at most {_MOST_LINKS} items.")
        read = [self.read(part) for part in parts if str(part).strip()]
        return list(dict.fromkeys(read)) if self.each_once else read

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": self.of}, "default": []}

    def read(self, part: Any) -> Any:
        """One item; raises ValidationError."""
        raise NotImplementedError


class LinksField(_ListField):
    """Proposals that another lists among its Conflicts or Dependencies."""

    json_name = "a list of proposals' numbers"
    of = ["integer", "string"]

    def read(self, part: Any) -> Handle:
        return _handle(part)


class NamesField(_ListField):
    """Names of players."""

    json_name = "a list of players' names"
    of = "string"

    def read(self, part: Any) -> str:
        if not isinstance(part, str) or len(part) > 60 or not part.strip().isprintable():
            raise forms.ValidationError("This is a list of players' names.")
        return part.strip()


class SentencesField(_ListField):
    """Sentences of a text: on a page one a line, and each as often as it is meant."""

    json_name = "a list of sentences"
    of = "string"
    each_once = False
    widget = forms.Textarea

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[Any]:
        return super().clean(value.splitlines() if isinstance(value, str) else value)

    def read(self, part: Any) -> str:
        if not isinstance(part, str) or len(part) > LONGEST_SENTENCE:
            longest = f"{LONGEST_SENTENCE:,}"
            raise forms.ValidationError(
                f"This is a list of sentences of at most {longest} characters, as they stand there."
            )
        return " ".join(part.split())


class UnitsField(_ListField):
    """What sentences of a text count or name, each with the passage that is meant, "" for what the
    officer is to carry out; on a page an object of JSON a line."""

    json_name = "a list of objects with sentence and passage"
    of = "object"
    each_once = False
    widget = forms.Textarea
    _passage = Text(lines=True, longest=LONGEST_PASSAGE, required=False, strip=False)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(json.dumps, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[Any]:
        try:
            units = list(map(json.loads, value.splitlines())) if isinstance(value, str) else value
        except (ValueError, RecursionError):
            units = [None]
        return super().clean(units)

    def schema(self) -> dict[str, Any]:
        text = {"type": "string"}
        shape = {
            "type": "object",
            "properties": {
                "sentence": {**text, "maxLength": LONGEST_SENTENCE},
                "passage": {**text, "maxLength": LONGEST_PASSAGE},
            },
            "required": ["sentence", "passage"],
            "additionalProperties": False,
        }
        return {"type": "array", "items": shape, "default": []}

    def read(self, part: Any) -> dict[str, str]:
        if not isinstance(part, dict) or part.keys() != {"sentence", "passage"}:
            raise forms.ValidationError(f"This is {self.json_name}.")
        sentence, passage = part["sentence"], part["passage"]
        if not isinstance(sentence, str) or not isinstance(passage, str):
            raise forms.ValidationError(f"This is {self.json_name}, which are texts.")
        if len(sentence) > LONGEST_SENTENCE:
            raise forms.ValidationError(
                f"A sentence has at most {LONGEST_SENTENCE:,} characters, as it stands there."
            )
        words: str = self._passage.clean(passage.replace("\r\n", "\n").strip())
        return {"sentence": " ".join(self._passage.clean(sentence).split()), "passage": words}


class ClassField(TextChoice):
    """A class of proposals, as the rules' table names them."""

    noun = "class"

    def options(self, table: Table, player: Player | None) -> list[str]:
        if not table.game.edition:
            return []
        return unless_broken(lambda: list(getattr(state_of(table).terms, "classes", ())), [])


class WordField(Text):
    """The word of a vote, which the edition judges; ENDORSE has a player's name after it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(longest=LONGEST_WORD, **kwargs)
        self.words: tuple[str, ...] = ()

    def offer(self, table: Table, player: Player | None) -> None:
        if table.game.edition:
            self.words = tuple(words_offered(state_of(table)))
            self.examples = [word for word in self.words if word not in (ENDORSE, CONDITIONAL)]

    def schema(self) -> dict[str, Any]:
        names = f"; after {ENDORSE} stands a player's name" if ENDORSE in self.words else ""
        return {**super().schema(), "description": f"One of {', '.join(self.words)}{names}"}


class _Suggested(forms.TextInput):
    """A line of text for which a browser suggests words."""

    words: Sequence[str] = ()

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        words = f"{(attrs or {}).get('id', name)}_words"
        line = super().render(name, value, {**(attrs or {}), "list": words}, renderer)
        options = format_html_join("", '<option value="{}">', ((word,) for word in self.words))
        return format_html('{}<datalist id="{}">{}</datalist>', line, words, options)


class CorrectedWordField(WordField):
    """The same, with its words offered: with each player's name those that have one after them."""

    def offer(self, table: Table, player: Player | None) -> None:
        super().offer(table, player)
        names = table.directory.players[:MOST_LISTED] if ENDORSE in self.words else ()
        widget = _Suggested({"maxlength": self.max_length})
        widget.words = [*self.examples, *(f"{ENDORSE} {name}" for name in names)]
        self.widget = widget
        self.help_text = f"One of {', '.join(self.words)}."


class IndexField(Shaped, forms.Field):
    """An adoption index, in tenths, kept as a text such as `1.0`."""

    json_type = (int, float, str)
    json_name = "a number"
    decimals: ClassVar[int] = 1
    wrong: ClassVar[str] = "An adoption index is a number in tenths, such as 1.0."

    def clean(self, value: Any) -> str:
        super().validate(value)
        if value in self.empty_values:
            return ""
        try:
            # A float as its digits are written: Decimal would take its binary fraction, 1.7 as
            # 1.6999999999999999556.
            index = Decimal(json.dumps(value) if isinstance(value, float) else str(value).strip())
        except InvalidOperation:
            index = Decimal("NaN")
        if not index.is_finite() or not 0 <= index < 100 or index != round(index, self.decimals):
            raise forms.ValidationError(self.wrong)
        return shown_index(index)

    def schema(self) -> dict[str, Any]:
        return {"type": ["number", "string"], "minimum": 0, "maximum": 99.9, "default": 1.0}


class ExactIndexField(IndexField):
    """An index by which something is decided, with at most three decimals."""

    decimals = 3
    wrong = "An index is a number from 0 to 99 with at most three decimals, such as 1.0."
