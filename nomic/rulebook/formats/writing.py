"""A rulebook in the shapes in which one comes in: what is read is written the same."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from io import BytesIO
from itertools import islice
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from nomic.rulebook.formats.checking import Enough
from nomic.rulebook.formats.splitting.markdown import split_markdown
from nomic.rulebook.formats.values import (
    OF_SITE,
    Annotation,
    Brought,
    BroughtRule,
    Category,
    PastChange,
)
from nomic.rulebook.formats.yaml_files import dump, load

_DAY_OF_ALL = (1980, 1, 1, 0, 0, 0)  # so that the same rulebook is the same archive


def as_json(brought: Brought) -> str:
    """JSON of our own schema."""
    of_site = [rule for rule in brought.rules if rule.category == OF_SITE]
    others = [rule for rule in brought.rules if rule.category != OF_SITE]
    facts = replace(brought, rules=(*others, *of_site), index="").facts()
    for rule in (*facts["rules"], *facts["repealed"]):
        rule.pop("filed", None)
    return json.dumps(facts, ensure_ascii=False, indent=1) + "\n"


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
    """The files of YAML by their names, the index first. What has the words of its own file goes
    out in them, so does the index where it names the same rules in their order."""
    named: dict[str, BroughtRule] = {}
    for rule in (*brought.rules, *brought.repealed):
        # By its number; where another had it, or it has none, by a name that says that.
        kind = "site" if rule.category == OF_SITE else "place"
        base = rule.number if rule.number and "/" not in rule.number else f"{kind}-1"
        name, further = base, 1
        while name in named:
            further += 1
            name = f"{base}-{further}" if rule.number else f"{kind}-{further}"
        named[name] = rule
    in_force = list(islice(named.items(), len(brought.rules)))
    yield "config/index", _index(brought, in_force)
    for name, rule in named.items():
        is_placed = rule in brought.rules
        yield f"rules/{name}", rule.filed or dump(dict(_fields(rule, category=not is_placed)))


def _index(brought: Brought, in_force: list[tuple[str, BroughtRule]]) -> str:
    """The categories with their rules and what is kept with them."""
    index: list[dict[str, Any]] = []
    for name, rule in in_force:
        if not index or index[-1]["name"] != rule.category:
            index.append({"name": rule.category, "rules": []})
        index[-1]["rules"].append(int(name) if name.isdecimal() and name[0] != "0" else name)
    of_site = [category for category in index if category["name"] == OF_SITE]
    others = [category for category in index if category["name"] != OF_SITE]
    if brought.index and others == _as_placed(brought.index):
        return brought.index + (dump(of_site) if of_site else "")
    notes = {category.name: category for category in brought.categories}
    for category in others:
        about = notes.pop(category["name"], Category(""))
        category |= json.loads(about.more) if about.more else {}
        if about.note:
            category["note"] = about.note + "\n"
    before = [
        {"name": about.name, "rules": [], "note": about.note + "\n"} for about in notes.values()
    ]
    return dump([*before, *others, *of_site])


def _as_placed(index: str) -> list[dict[str, Any]]:
    """The names of the categories and of their rules in a file of the index."""
    return [
        {"name": str(category.get("name") or ""), "rules": category.get("rules") or []}
        for category in load(index, "config/index")
    ]


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
    if rule.rule_class:
        yield "rule_class", rule.rule_class
    if rule.markup:
        yield "markup", rule.markup
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
    """The rules in force in Markdown, a heading a rule, without their histories. Where a text would
    be read as several, each heading says in a comment what it is."""
    plain, count = _in_markdown(brought, "")
    with suppress(Enough):
        if len(split_markdown(plain, "rulebook.md").starts) == count:
            return plain
    # One that no comment of the texts ends with.
    before = plain.split(" -->")[:-1]
    longest = max((len(part) - len(part.rstrip(".")) for part in before), default=-1)
    return _in_markdown(brought, "." * (longest + 1) or " ")[0]


def _in_markdown(brought: Brought, sign: str) -> tuple[str, int]:
    """The rules, with that sign in what marks their headings, or without any; and how many headings
    these are."""

    def mark(kind: str) -> str:
        return f" <!-- {kind}{sign.strip()} -->" if sign else ""

    count = 0
    notes = {category.name: category.note for category in brought.categories if category.note}
    levels: dict[str, int] = {}
    parts, category = [notes[""]] if "" in notes else [], ""
    for rule in _by_categories(brought.rules):
        if rule.category != category and not rule.parent:
            category = rule.category
            parts.append(f"# {category}{mark('category')}")
            count += 1
            if category in notes:
                parts.append(notes[category])
        level = levels.get(rule.parent, 1) + 1
        levels |= {name: level for name in (rule.number, rule.title) if name}
        title = rule.title
        facts = f" (power {rule.power})" if rule.power else ""
        facts += f" ({rule.rule_class})" if rule.rule_class else ""
        title = f"Rule {rule.number}{facts}: {title}" if rule.number else title + facts
        parts.append(f"{'#' * min(level, 6)} {title}{mark('rule')}")
        count += 1
        if rule.text:
            parts.append(rule.text)
    return "\n\n".join(parts) + "\n", count


def _by_categories(rules: Sequence[BroughtRule]) -> list[BroughtRule]:
    """Those without a category first, since they would belong to the one before them, and the
    site's own last; each with what stands under it."""
    groups: dict[str, tuple[bool, bool]] = {}
    keys = []
    for rule in rules:
        group = groups.get(rule.parent, (rule.category == OF_SITE, bool(rule.category)))
        groups |= {name: group for name in (rule.number, rule.title) if name}
        keys.append(group)
    return [rules[at] for at in sorted(range(len(rules)), key=keys.__getitem__)]
