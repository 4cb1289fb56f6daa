"""A file of YAML, as the one who keeps Agora's rules writes it: read with nothing built, nothing
repeated and nothing guessed."""

import re
from decimal import Decimal
from typing import Any

import yaml

from nomic.rulebook.formats.checking import Fault

_MOST_EVENTS = 100_000
_DEEPEST = 20
_CORE = ("null", "bool", "int", "float", "str", "seq", "map")
_RESOLVED = (
    ("null", r"~|null|Null|NULL|", "~nN\0"),
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"0|-?[1-9][0-9]*", "-0123456789"),
    ("float", r"-?(?:0|[1-9][0-9]*)\.[0-9]+", "-0123456789"),
)


class _Shape:
    """The part of YAML that is used: no moments, no octal or sexagesimal numbers, no yes and no."""

    yaml_implicit_resolvers: Any = {}


for _name, _pattern, _firsts in _RESOLVED:
    for _first in _firsts:
        _at = _Shape.yaml_implicit_resolvers.setdefault("" if _first == "\0" else _first, [])
        _at.append((f"tag:yaml.org,2002:{_name}", re.compile(f"(?:{_pattern})$")))


# libyaml where it is there, since it reads ten times as fast: a page waits for the rulebook.
class YamlLoader(_Shape, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Builds text, numbers, truth, lists and mappings, and nothing else."""

    yaml_constructors = {
        f"tag:yaml.org,2002:{name}": yaml.SafeLoader.yaml_constructors[f"tag:yaml.org,2002:{name}"]
        for name in _CORE
    } | {None: yaml.SafeLoader.yaml_constructors[None]}

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [key.value for key, _ in getattr(node, "value", ())]
        if len(set(map(str, keys))) < len(keys):
            raise yaml.constructor.ConstructorError(
                None, None, "a key stands there twice", node.start_mark
            )
        return super().construct_mapping(node, deep=deep)


# As it is written: rule 308.10 is not rule 308.1.
YamlLoader.yaml_constructors["tag:yaml.org,2002:float"] = lambda loader, node: Decimal(
    loader.construct_scalar(node)
)


class YamlDumper(_Shape, getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes what `YamlLoader` reads; a text of several lines as a block."""

    def represent_text(self, text: str) -> Any:
        style = "|" if "\n" in text else None
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


YamlDumper.add_representer(str, YamlDumper.represent_text)


def load(text: str, where: str) -> Any:
    """The one value of the file; raises Fault, also where something is repeated by name, or there
    is too much or too deep of it."""
    depth = 0
    try:
        for count, event in enumerate(yaml.parse(text, Loader=YamlLoader)):
            line = event.start_mark.line + 1 if event.start_mark else 0
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise Fault(
                    f"{where}, line {line}: anchors and aliases (& and *) are not read. Write out"
                    " what they stand for, or put the text in quotes."
                )
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST:
                raise Fault(f"{where}, line {line}: this is nested more than {_DEEPEST} deep.")
            if count > _MOST_EVENTS:
                raise Fault(f"{where}, line {line}: there are more than {_MOST_EVENTS:,} values.")
        return yaml.load(text, Loader=YamlLoader)  # noqa: S506 – builds plain values only
    except (yaml.YAMLError, ValueError, TypeError) as error:
        if isinstance(error, Fault):
            raise
        mark = getattr(error, "problem_mark", None) or getattr(error, "start_mark", None)
        place = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        raise Fault(f"{where}{place}: this is not YAML: {problem}.") from None


def dump(rules: Any) -> str:
    """The value as a file of YAML."""
    written = yaml.dump(rules, Dumper=YamlDumper, sort_keys=False, allow_unicode=True, width=100)
    return str(written)
