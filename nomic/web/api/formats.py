"""Answers in the form that the format of a record has."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from ninja import Schema
from pydantic import (
    AliasChoices,
    BeforeValidator,
    Field,
    GetJsonSchemaHandler,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from nomic.games.clock import iso


def read_at(path: str, name: str = "", **kwargs: Any) -> Any:
    """A field that is read there, or by its own name."""
    return Field(validation_alias=AliasChoices(path, name or path.rpartition(".")[2]), **kwargs)


Moment = Annotated[
    str, BeforeValidator(lambda value: iso(value) if isinstance(value, datetime) else value)
]
_OF_FORMAT_2 = ("effects", "anchors", "saw", "nonce", "book", "number", "tag")


def _as_declared(core: Any) -> Any:
    """The schema of the fields, whatever is done to them as they are told."""
    own = {name: value for name, value in core.items() if name != "serialization"}
    if own["type"] in ("function-wrap", "function-after", "function-before", "model"):
        own["schema"] = _as_declared(own["schema"])
    return own


class OfARecord(Schema):
    """What is told as the record's format has it; the document shows that of the newest.

    `only_in_format_1` is the field that format 1 alone has.
    """

    format: int = read_at("game.format", default=2, exclude=True)
    only_in_format_1: ClassVar[str]

    @model_serializer(mode="wrap")
    def _by_its_format(self, told: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """An entry is hashed with the fields that it has, no others."""
        found = told(self)
        without = {*(_OF_FORMAT_2 if self.format == 1 else (self.only_in_format_1,))}
        without |= {name for name in ("sealed", "receipt") if found.get(name) is None}
        return {name: value for name, value in found.items() if name not in without}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> Any:
        return handler(_as_declared(core))
