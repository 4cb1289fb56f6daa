"""Cases on paper: what the tools that need no game read, as JSON, and how they say what is wrong.

For `manage.py race` and its like: a file has one case or a list of cases.
"""

import json
import sys
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any, ClassVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

type Json = Any
_LONGEST_SHOWN = 60


class WrongOnPaper(Exception):
    """An input that is no case; `str()` is a sentence that names the field."""


def read_cases(file: str) -> str:
    """The text of that file, of standard input for "-"; raises WrongOnPaper where there is none."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise WrongOnPaper(f"The file {file} is not text in UTF-8.") from None
    except OSError as wrong:
        raise WrongOnPaper(f"The file {file} cannot be read: {wrong.strerror}.") from None
    except ValueError as wrong:  # a name with a null character
        raise WrongOnPaper(f"The file {shortened(file)} cannot be read: {wrong}.") from None


def resolve_each(source: str, resolve: Callable[[Json, str], Json]) -> str:
    """The result, as JSON, of the case or list of cases in `source`; raises WrongOnPaper if it is
    none.

    `resolve` takes a case and the words that its fields' names have to begin with.
    """
    try:
        case_or_cases = json.loads(source, object_pairs_hook=_without_repeats)
    except RecursionError:
        raise WrongOnPaper("The JSON is nested too deeply for a case.") from None
    except ValueError as wrong:
        raise WrongOnPaper(f"This is not JSON: {wrong}.") from None
    if isinstance(case_or_cases, list):
        results = [
            resolve(case, f"case {number}: ") for number, case in enumerate(case_or_cases, 1)
        ]
    else:
        results = resolve(case_or_cases, "")
    return json.dumps(results, indent=2, ensure_ascii=False)


def _without_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for key, content in pairs:
        if key in members:
            raise WrongOnPaper(f"{shortened(key)} stands twice in one object.")
        members[key] = content
    return members


class Misfit(ValueError):
    """A fault of a shape as a whole, in a sentence; `place` is the way to the field that tells."""

    def __init__(self, sentence: str, *place: str | int) -> None:
        super().__init__(sentence)
        self.place = place


class Shape(BaseModel):
    """An object with these fields and no others; `called` is what a sentence calls it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    called: ClassVar[str] = "the case"

    @model_validator(mode="before")
    @classmethod
    def _is_an_object(cls, case: Json) -> Json:
        names_known = [field.alias or name for name, field in cls.model_fields.items()]
        if not isinstance(case, dict):
            names = ", ".join(names_known)
            raise ValueError(
                f"{cls.called} has to be an object with {names}, not {shortened(case)}."
            )
        for name in case:
            if name not in names_known:
                names = ", ".join(names_known)
                raise ValueError(f"{shortened(name)} is no field of {cls.called}; it has {names}.")
        return case


class Otherwise:
    """An annotation: what is said of an input that does not fit, for which `{}` stands."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return self.around(handler(source))

    def around(self, schema: CoreSchema) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(self._fit, schema)

    def _fit(self, content: Json, fit: Callable[[Json], Any]) -> Any:
        try:
            return fit(content)
        except ValidationError as wrong:
            if any(error["loc"] for error in wrong.errors()):
                raise  # a part of it does not fit, and says so
            raise ValueError(self.sentence.format(shortened(content))) from None


class Belongs(Otherwise):
    """An annotation: what has to stand there, in words."""

    def __init__(self, words: str) -> None:
        super().__init__(f"{words} belongs here, not {{}}.")


class Whole(Belongs):
    """An annotation: a whole number from `least` to `most`; `or_else` are words for what else."""

    def __init__(self, lowest: int, highest: int, or_else: str = "") -> None:
        super().__init__(f"a whole number from {lowest} to {highest}{or_else}")
        self.schema = core_schema.int_schema(ge=lowest, le=highest, strict=True)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return self.around(self.schema)


def one_of(choices: Container[Any]) -> AfterValidator:
    """An annotation: one of these; a `Belongs` after it has the words for what is none."""

    def check(choice: Any) -> Any:
        if choice not in choices:
            raise ValueError
        return choice

    return AfterValidator(check)


def shaped[S: Shape](shape: type[S], case: Json, where: str) -> S:
    """The case in that shape; raises WrongOnPaper, beginning with `where`, if it does not fit."""
    try:
        return shape.model_validate(case)
    except ValidationError as wrong:
        error = wrong.errors()[0]
        cause = error.get("ctx", {}).get("error")
        place = [*error["loc"], *getattr(cause, "place", ())]
        if place[-1:] == ["[key]"]:  # the name before it is what does not fit, and is told
            place = place[:-2]
        # The way to the field, as `horses.Fargo.pulls[1]: `; names are cut where they are long.
        way = ""
        for part in place:
            way += f"[{part}]" if isinstance(part, int) else f".{shortened(part).strip('"')}"
        way = f"{way.removeprefix('.')}: " if way else ""
        fault = "it is missing." if error["type"] == "missing" else str(cause or error["msg"])
        raise WrongOnPaper(f"{where}{way}{fault}") from None


def is_whole(number: Json) -> bool:
    """Whether JSON gave a whole number; true and false are none."""
    return isinstance(number, int) and not isinstance(number, bool)


def shortened(content: Json) -> str:
    """A value as JSON shows it, cut where it is long."""
    if isinstance(content, dict):
        return "an object"
    if isinstance(content, list):
        return "a list"
    if is_whole(content) and abs(content) >= 10**12:
        return "a huge number"
    text = json.dumps(content, ensure_ascii=True)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}…"
