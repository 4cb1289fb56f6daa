"""A rulebook in the shapes in which one comes in: what is read is written the same."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from io import BytesIO
from itertools import islice
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from nomic.rulebook.formats.values import Annotation, Brought, BroughtRule, PastChange
from nomic.rulebook.formats.yaml_files import dump

_DAY_OF_ALL = (1980, 1, 1, 0, 0, 0)  # so that the same rulebook is the same archive


def as_json(brought: Brought) -> str:
    """JSON of our own schema."""
    return json.dumps(brought.facts(), ensure_ascii=False, indent=1) + "\n"


def as_zip(brought: Brought) -> bytes:
    """A zip archive with `config/index` and a file of YAML a rule."""
    into = BytesIO()
    with ZipFile(into, "w", ZIP_DEFLATED) as archive:
        for name, text in files_of(brought):
            member = ZipInfo(name, _DAY_OF_ALL)
            member.compress_type = ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            archive.writestr(member, text)
    return into.getvalue()


def files_of(brought: Brought) -> Iterator[tuple[str, str]]:
    """The files of YAML by their names, the index first."""
    named: dict[str, BroughtRule] = {}
    for rule in (*brought.rules, *brought.repealed):
        # By its number; where another had it, or it has none, by a name that says that.
        base = rule.number if rule.number and "/" not in rule.number else "place-1"
        name, further = base, 1
        while name in named:
            further += 1
            name = f"{base}-{further}" if rule.number else f"place-{further}"
        named[name] = rule
    index: list[dict[str, Any]] = []
    for name, rule in islice(named.items(), len(brought.rules)):
        if not index or index[-1]["name"] != rule.category:
            index.append({"name": rule.category, "rules": []})
        index[-1]["rules"].append(int(name) if name.isdecimal() and name[0] != "0" else name)
    yield "config/index", dump(index)
    for name, rule in named.items():
        is_placed = rule in brought.rules
        yield f"rules/{name}", dump(dict(_fields(rule, category=not is_placed)))


def _fields(rule: BroughtRule, *, category: bool) -> Iterator[tuple[str, Any]]:
    yield "name", rule.title
    if rule.number:
        yield "id", _plain(rule.number)
    if rule.power:
        yield "power", _plain(rule.power)
    if category and rule.category:
        yield "category", rule.category
    if rule.parent:
        yield "parent", rule.parent
    if rule.more:
        yield from json.loads(rule.more).items()
    yield "history", [_as_filed(entry, "change", "date", "agent") for entry in rule.history]
    yield "text", rule.text + "\n"
    yield "annotations", [_as_filed(entry, "text", "date") for entry in rule.annotations]
    if rule.versions:
        yield "versions", [asdict(version) for version in rule.versions]


def _plain(number: str) -> int | float | str:
    """A number as YAML has it, where that is read as the same words again."""
    if number.isdecimal() and str(int(number)) == number:
        return int(number)
    whole, dot, tail = number.partition(".")
    if dot and whole.isdecimal() and tail.isdecimal() and str(float(number)) == number:
        return float(number)
    return number


def _as_filed(entry: PastChange | Annotation, *names: str) -> Any:
    """The entry as its file had it; where that is not kept, what these fields of it say."""
    if entry.source:
        return json.loads(entry.source)
    return {name: fact for name in names if (fact := getattr(entry, name))}


def as_markdown(brought: Brought) -> str:
    """The rules in force in Markdown, a heading a rule, without their histories."""
    levels: dict[str, int] = {}
    parts, category = [], ""
    for rule in brought.rules:
        if rule.category != category and not rule.parent:
            category = rule.category
            parts.append(f"# {category}")
        level = levels.get(rule.parent, 1) + 1
        levels |= {name: level for name in (rule.number, rule.title) if name}
        title = rule.title
        if rule.number:
            power = f" (power {rule.power})" if rule.power else ""
            title = f"Rule {rule.number}{power}: {title}"
        elif rule.power:
            title = f"{title} (power {rule.power})"
        parts.append(f"{'#' * min(level, 6)} {title}")
        if rule.text:
            parts.append(rule.text)
    return "\n\n".join(parts) + "\n"
