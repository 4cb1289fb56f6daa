"""Inputs that fit an action's schema, chosen by chance."""

from random import Random
from typing import Any

_WORDS = (
    *("oats", "barley", "a fair wind", "the third furlong", "rain on Thursday"),
    "Enact a new rule titled “Oats” with the following text: {Oats are good.}",
    "// A remark",
)


def inputs_for(schema: dict[str, Any], chance: Random) -> Any:
    """Something of that shape (a JSON Schema as the list of actions has them). Raises ValueError
    where there is nothing to choose from."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        if not schema["enum"]:
            raise ValueError("There is nothing to choose from.")
        return chance.choice(schema["enum"])
    for alternatives in ("anyOf", "oneOf"):
        if alternatives in schema:
            return inputs_for(chance.choice(schema[alternatives]), chance)
    if schema.get("examples"):
        return chance.choice(schema["examples"])
    kind = schema.get("type", "string")
    if kind == "object":
        needed = set(schema.get("required", ()))
        return {
            name: inputs_for(part, chance)
            for name, part in schema.get("properties", {}).items()
            if name in needed or (part.get("type") != "string" and chance.random() < 0.5)
        }
    if kind == "array":
        count = max(schema.get("minItems", 0), 1)
        members = [inputs_for(schema.get("items", {}), chance) for _ in range(count)]
        return members if not schema.get("uniqueItems") else list(dict.fromkeys(members))
    if kind == "integer":
        low = schema.get("minimum", 0)
        return chance.randint(low, min(schema.get("maximum", low + 10), low + 10))
    if kind == "boolean":
        return chance.random() < 0.5
    if schema.get("format") == "date":
        return "2100-01-01"
    return chance.choice(_WORDS)[: schema.get("maxLength", 100)]
