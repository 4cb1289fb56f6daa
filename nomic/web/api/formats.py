"""What is told in the form that the format of a record has."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import AliasChoices, BeforeValidator, Field, GetJsonSchemaHandler

from nomic.games.clock import iso


def read_at(path: str, name: str = "", **kwargs: Any) -> Any:
    """A field that is read there, or by its own name."""
    return Field(validation_alias=AliasChoices(path, name or path.rpartition(".")[2]), **kwargs)


def _moment(value: Any) -> Any:
    return iso(value) if isinstance(value, datetime) else value


Moment = Annotated[str, BeforeValidator(_moment)]
_OF_FORMAT_2 = ("effects", "anchors", "saw", "nonce", "book", "number", "tag")


def of_its_format(told: dict[str, Any], form: int, old: str) -> dict[str, Any]:
    """What the record's format has: an entry is hashed with the fields that it has, no others."""
    without = {*(_OF_FORMAT_2 if form == 1 else (old,))}
    without |= {name for name in ("sealed", "receipt") if told.get(name) is None}
    return {name: value for name, value in told.items() if name not in without}


def _as_declared(core: Any) -> Any:
    """The schema of the fields, whatever is done to them as they are told."""
    own = {name: value for name, value in core.items() if name != "serialization"}
    if own["type"] in ("function-wrap", "function-after", "function-before", "model"):
        own["schema"] = _as_declared(own["schema"])
    return own


class OfARecord(Schema):
    """What is told as the record's format has it; the document shows that of the newest."""

    format: int = read_at("game.format", default=2, exclude=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> Any:
        return handler(_as_declared(core))
