"""The shape of an action's inputs: types and choices, and nothing about legality.

An action's form reads a browser's strings and a program's JSON alike; `typed=True` insists on
JSON's own types, so that "3" is not a number and 1 is not true.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from html import escape
from types import MappingProxyType
from typing import Any, ClassVar, cast

from django import forms
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString

from nomic.engine.outcomes import Malformed
from nomic.engine.table import Table
from nomic.games.bounds import LIST_KILOBYTES
from nomic.games.models import Player
from nomic.games.names import LONGEST_NAME
from nomic.games.wording import one
from nomic.infrastructure.caching.fragments import DrawnOnce, drawn_once
from nomic.rulebook.tables import TableBroken

LONGEST_TEXT = 2000
MOST_LISTED = 40  # names to choose from
LAST_NUMBER = 2**31 - 1  # the largest that a column of numbers holds
# Where a noun with a clause, as “deed that you let others do”, says of which game it is.
_OF_THIS_GAME = re.compile(r"(?= (?:that|whom) )|$")
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def unseen_in(text: str) -> bool:
    """Whether the text has signs that are not seen, or that turn what follows them round."""
    return _UNSEEN.search(text) is not None


class Shaped:
    """Mixin for every field of an action's form: its JSON type, schema, and choices in a game.

    `names_players` tells whether what it holds may be a player's name.
    """

    names_players: ClassVar[bool] = False
    json_type: type | tuple[type, ...] = str
    json_name = "a text"
    default_error_messages: ClassVar[dict[str, Any]] = {
        "required": "Fill this in.",
        "max_length": "This has at most %(limit_value)d characters, and yours %(show_value)d.",
        "max_value": "This is at most %(limit_value)s.",
        "min_value": "This is at least %(limit_value)s.",
    }

    def offer(self, table: Table, player: Player | None) -> None:
        """Fill the choices that depend on the game."""

    def schema(self) -> dict[str, Any]:
        """The field as JSON Schema."""
        return {"type": "string"}

    def fits(self, sent: Any) -> bool:
        """Whether a JSON value is of this field's type."""
        if isinstance(sent, bool):
            return self.json_type is bool
        return isinstance(sent, self.json_type)


class Text(Shaped, forms.CharField):
    """A line or, with `lines=True`, several lines of text; at most 2,000 characters unless told.

    `examples` are such texts, for those who wonder what to write.
    """

    def __init__(
        self,
        *,
        lines: bool = False,
        longest: int = LONGEST_TEXT,
        examples: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        if lines:
            kwargs.setdefault("widget", forms.Textarea)
        self.lines = lines
        self.examples = list(examples)
        super().__init__(max_length=longest, **kwargs)

    def validate(self, text: str) -> None:
        """Beside Django's checks: nothing that is not seen, or that turns what follows it round."""
        super().validate(text)
        if unseen_in(text):
            raise forms.ValidationError("A text has no invisible control characters.")
        if not self.lines and len(text.splitlines()) > 1:
            raise forms.ValidationError("This is one line of text.")

    def schema(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"type": "string", "maxLength": self.max_length}
        return {**shape, "examples": self.examples} if self.examples else shape


class Prose(Text):
    """Several lines of text as they were written, with the line ends of every system alike."""

    def __init__(self, label: str, longest: int, **kwargs: Any) -> None:
        super().__init__(lines=True, longest=longest, strip=False, label=label, **kwargs)

    def to_python(self, text: Any) -> str:
        return str(super().to_python(text)).replace("\r\n", "\n")


class WholeNumber(Shaped, forms.IntegerField):
    """A whole number between two bounds, both included."""

    json_type = int
    json_name = "a whole number"
    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": "This is a whole number."}

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        super().__init__(min_value=low, max_value=high, **kwargs)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.min_value, "maximum": self.max_value}


class Day(Shaped, forms.DateField):
    """A day of the calendar, as “2026-12-24”; "" where it is left out."""

    json_name = "a day, as “2026-12-24”"
    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": "This is a day, as “2026-12-24”."
    }

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
        super().__init__(widget=widget, input_formats=["%Y-%m-%d"], **kwargs)

    def to_python(self, sent: Any) -> date | None:
        return super().to_python(sent if sent in self.empty_values else str(sent))

    def clean(self, sent: Any) -> str:
        day = super().clean(sent)
        return day.isoformat() if day else ""

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date"}


class IntegerChoice(Shaped, forms.TypedChoiceField):
    """One of a few whole numbers, which `options` may take from the game; `unknown` refuses others.

    Where a rule's table should have them and cannot be read, the field `takes_any`, and the action
    is refused with the reason.
    """

    json_type = int
    json_name = "a whole number"
    unknown: ClassVar[str] = "This is one of {}."
    takes_any = False

    def __init__(self, *numbers: int, **kwargs: Any) -> None:
        super().__init__(coerce=int, empty_value=None, **kwargs)
        self._list(numbers)

    def options(self, table: Table, player: Player | None) -> Sequence[int]:
        """The numbers to choose from in this game; may raise TableBroken."""
        return self.numbers

    def offer(self, table: Table, player: Player | None) -> None:
        try:
            self._list(self.options(table, player))
        except TableBroken:
            self._list(())
            self.takes_any = True

    def _list(self, numbers: Sequence[int]) -> None:
        self.numbers = numbers
        self.choices = [(number, str(number)) for number in numbers]
        enumeration = ", ".join(map(str, numbers)) or "none"
        self.error_messages["invalid_choice"] = self.unknown.format(enumeration)

    def valid_value(self, number: Any) -> bool:
        return self.takes_any or super().valid_value(number)

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "enum": list(self.numbers)}


class TextChoice(Shaped, forms.ChoiceField):
    """One of a few words, which `options` may take from the game; written, where a page has no room
    for all of them.

    Where a rule's table should have them and cannot be read, the field `takes_any`, and the action
    is refused with the reason.
    """

    noun = "choice"
    takes_any = False

    def __init__(self, *options: str, **kwargs: Any) -> None:
        self.words = list(options)
        super().__init__(choices=[(word, word) for word in options], **kwargs)

    def options(self, table: Table, player: Player | None) -> list[str]:
        """The words to choose from in this game; may raise TableBroken."""
        return self.words

    def offer(self, table: Table, player: Player | None) -> None:
        try:
            self.words = self.options(table, player)
        except TableBroken:
            self.words, self.takes_any = [], True
        list_bytes = 2 * sum(len(escape(word).encode()) for word in self.words)
        if list_bytes <= LIST_KILOBYTES.count * 1000:
            self.choices = [(word, word) for word in self.words]
        else:
            self.widget = forms.TextInput({"placeholder": self.noun})

    def validate(self, word: Any) -> None:
        if self.takes_any:
            return
        forms.Field.validate(self, word)
        if word not in self.empty_values and word not in self.words:
            examples = ", ".join(self.words[:20]) or "nothing here"
            shown = word if len(word) <= 60 else word[:60] + "…"
            noun = _OF_THIS_GAME.sub(" of this game", one(self.noun), count=1)
            raise forms.ValidationError(f"“{shown}” is not {noun}. Known: {examples}.")

    def schema(self) -> dict[str, Any]:
        """With the words where there are few enough to be listed."""
        if isinstance(self.widget, forms.TextInput):
            return {"type": "string"}
        return {"type": "string", "enum": self.words}


class PlayerField(TextChoice):
    """A player of the game by name."""

    noun = "player"
    names_players = True
    former: Mapping[str, str] = MappingProxyType({})

    def offer(self, table: Table, player: Player | None) -> None:
        super().offer(table, player)
        self.former = table.directory.former

    def to_python(self, name: Any) -> str:
        """Who is called by a name that they had before is meant."""
        word = str(super().to_python(name))
        return word if word in self.words else self.former.get(word, word)

    def options(self, table: Table, player: Player | None) -> list[str]:
        return table.directory.players


class SomebodyField(TextChoice):
    """Somebody by name: chosen from a list, or written where there are very many.

    Where `options` leave `oneself` out, that name is taken all the same: the action refuses it,
    with its own sentence.
    """

    names_players = True
    oneself = ""

    def offer(self, table: Table, player: Player | None) -> None:
        if len(table.directory.players) <= MOST_LISTED:
            super().offer(table, player)
            return
        self.words = cast("list[str]", SimpleLazyObject(lambda: self.options(table, player)))
        attrs = {"size": 14, "maxlength": LONGEST_NAME, "placeholder": "name"}
        self.widget = forms.TextInput(attrs)

    def validate(self, word: Any) -> None:
        if word in self.words or not self.oneself or word != self.oneself:
            super().validate(word)


class Parts(forms.Widget):
    """A blank that a browser fills in parts, each named `BLANK_PART`; a program sends the whole.

    `template` draws them: it gets the blank's `name`, `id` and `label`, and what `drawn` tells.
    """

    template = ""

    def whole(self, parts: Mapping[str, Any]) -> Any:
        """The whole, made of the parts that were sent, by their names; None where they say that
        nothing was content in."""
        raise NotImplementedError

    def drawn(self, content: Any) -> Mapping[str, Any]:
        """The template's variables for that value, which may be of any shape."""
        raise NotImplementedError

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        if name in data:
            return data[name]
        head = f"{name}_"
        parts = {part.removeprefix(head): data[part] for part in data if part.startswith(head)}
        return self.whole(parts) if parts else None

    def value_omitted_from_data(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        return self.value_from_datadict(data, files, name) is None

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        html_attrs = self.build_attrs(self.attrs, attrs)
        label = html_attrs.get("aria-label", "")
        facts = {"name": name, "id": html_attrs.get("id", name), "label": label}
        return drawn_once(self.template, {**facts, **self.drawn(value)})


class CountsWidget(Parts):
    """A number for each thing. Which things there are, and what somebody has of them who is to give
    them, is asked for when it is drawn."""

    most = 0
    things: Callable[[], Sequence[str]] = staticmethod(list)
    held: Callable[[], Mapping[str, int]] = staticmethod(dict)

    def said(self, text: str) -> Mapping[str, Any]:
        """The counts that a text tells."""
        raise NotImplementedError

    def whole(self, parts: Mapping[str, Any]) -> Any:
        return {thing: number for thing, number in parts.items() if number != ""}

    def drawn(self, content: Any) -> Mapping[str, Any]:
        counts = self.said(content) if isinstance(content, str) else content
        counts = counts if isinstance(counts, Mapping) else {}
        held = self.held()
        rows = [(thing, counts.get(thing, ""), held.get(thing)) for thing in self.things()]
        return {"counts": rows, "most": self.most}


class CountsField(Shaped, forms.Field):
    """How many of which things, whole numbers from 0: {"wheat": 2}; or a text, as “2 wheat”.

    `most` is the highest number of each; `own` things are the player's to give, and the blank shows
    what they have. A refused number is told by `from_0` and `at_most`, and
    anything else than counts of at most `most_things` things by `no_counts`.
    """

    json_type = dict
    widget: Any
    most_things = 100
    from_0: ClassVar[str]
    at_most: ClassVar[str]
    no_counts: ClassVar[str]

    def __init__(self, *, most: int, own: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.most = self.widget.most = most
        self.own = own

    def things_for(self, table: Table, player: Player | None) -> Sequence[str]:
        """The things that there are, in their order, as far as the player knows of them."""
        raise NotImplementedError

    def held_by(self, table: Table, player: Player | None) -> Mapping[str, int]:
        """How many of each the player has, by the thing's name."""
        raise NotImplementedError

    def offer(self, table: Table, player: Player | None) -> None:
        self.widget.things = lambda: self.things_for(table, player)
        if self.own:
            self.widget.held = lambda: self.held_by(table, player)

    def called(self, name: Any) -> str:
        """The thing that is meant; raises ValidationError."""
        raise NotImplementedError

    def to_python(self, content: Any) -> dict[str, int] | None:
        if content in self.empty_values and not isinstance(content, dict):
            return None
        if isinstance(content, str):
            content = self.widget.said(content)
        if not isinstance(content, Mapping) or len(content) > self.most_things:
            raise forms.ValidationError(self.no_counts)
        counts: dict[str, int] = {}
        for name, number in content.items():
            thing = self.called(name)
            if thing in counts:
                raise forms.ValidationError(f"{thing} is named twice.")
            if isinstance(number, str) and number.strip().isascii() and number.strip().isdecimal():
                number = int(number.strip()[:20])
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise forms.ValidationError(self.from_0.format(thing))
            if number > self.most:
                raise forms.ValidationError(self.at_most.format(thing, self.most))
            counts[thing] = number
        order = dict.fromkeys([*self.widget.things(), *counts])
        return {thing: counts[thing] for thing in order if counts.get(thing)}

    def validate(self, counts: Any) -> None:
        if counts is None and self.required:
            raise forms.ValidationError(self.error_messages["required"])

    def schema(self) -> dict[str, Any]:
        things = self.widget.things()
        number = {"type": "integer", "minimum": 0, "maximum": self.most}
        return {
            "type": "object",
            "properties": dict.fromkeys(things, number),
            "additionalProperties": False,
            "examples": [{thing: 1} for thing in things],
        }


class Flag(Shaped, forms.BooleanField):
    """Yes or no; no if left out."""

    json_type = bool
    json_name = "true or false"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean", "default": False}


class ActionForm(forms.Form):
    """The inputs of one action in one game."""

    default_renderer = DrawnOnce
    may_follow: ClassVar[tuple[str, ...]] = ()  # words that fill some of it, added to a sentence

    def __init__(
        self,
        table: Table,
        player: Player | None,
        data: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(data=data, **kwargs)
        for field in self.shaped().values():
            field.offer(table, player)
        self.begin(table)

    def begin(self, table: Table) -> None:
        """Fit the fields to what the form begins with: `data` where it was sent, else `initial`."""

    def shaped(self) -> dict[str, Shaped]:
        """The form's fields, each with its JSON side."""
        return {name: field for name, field in self.fields.items() if isinstance(field, Shaped)}

    def schema(self) -> dict[str, Any]:
        """The inputs as JSON Schema."""
        return {
            "type": "object",
            "properties": {name: field.schema() for name, field in self.shaped().items()},
            "required": [name for name, field in self.fields.items() if field.required],
            "additionalProperties": False,
        }

    def inputs(self, *, typed: bool = False) -> dict[str, Any]:
        """The inputs as plain values for the record; raises Malformed with a sentence a field."""
        if typed:
            self.must_be_typed()
        if not self.is_valid():
            raise Malformed(
                {
                    name: [str(sentence) for sentence in sentences]
                    for name, sentences in self.errors.items()
                }
            )
        return dict(self.cleaned_data)

    def chosen(self) -> dict[str, Any]:
        """The inputs that are well-formed so far, for a page that asks what is legal."""
        self.is_valid()
        return dict(self.cleaned_data)

    def must_be_typed(self) -> None:
        """Raises Malformed for inputs that are no inputs of the action or not of JSON's types."""
        errors: dict[str, list[str]] = {}
        fields = self.shaped()
        for name, sent in self.data.items():
            if name not in fields:
                names = ", ".join(fields) or "none"
                errors[str(name)[:60]] = [f"This action has no such input. Its inputs: {names}."]
            elif not fields[name].fits(sent):
                errors[name] = [f"This must be {fields[name].json_name}."]
        if errors:
            raise Malformed(errors)
