"""Reading a rulebook in any of its shapes: one text, or a folder or archive with a file a rule."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from nomic.rulebook.formats.checking import Fault, Findings, as_text
from nomic.rulebook.formats.headings import read_text
from nomic.rulebook.formats.values import FORMAT, Brought
from nomic.rulebook.formats.yaml_files import load

LARGEST = 10_000_000  # bytes of a file or an archive as it is sent
MOST_FILES = 20_000
LARGEST_FILE = 2_000_000  # bytes
LARGEST_TOGETHER = 40_000_000
_WANTED = re.compile(r"(?:^|.*/)(rules/[^/]+|config/index)(?:\.ya?ml)?$")
_ZIP = b"PK\x03\x04"


def read(source: Path | bytes, name: str = "") -> Brought:
    """The rulebook in that folder or file, or in these bytes of a file of that name, as far as it
    is understood; pasted words have no name.

    What cannot be understood is among its faults; nothing is raised but OSError.
    """
    findings = Findings()
    try:
        if isinstance(source, bytes):
            _read(source, name or "The text", findings)
        elif source.is_dir():
            _read_folder(source, findings)
        else:
            _check_size(source.stat().st_size, name or source.name)
            _read(source.read_bytes(), name or source.name, findings)
    except Fault as fault:
        findings.end(fault)
    return findings.brought()


def _check_size(size: int, name: str) -> None:
    if size > LARGEST:
        raise Fault(f"{name} has {size:,} bytes; {LARGEST:,} are the most.")


def _read(content: bytes, name: str, findings: Findings) -> None:
    _check_size(len(content), name)
    if content.startswith(_ZIP):
        _read_zip(content, name, findings)
        return
    text = as_text(content, name)
    if not text.strip():
        raise Fault(f"{name} is empty.")
    if not name.casefold().endswith(".json") and text.lstrip()[:1] not in ("[", "{"):
        read_text(text, name, findings)
        return
    try:
        rulebook: Any = json.loads(text, parse_float=Decimal)
    except RecursionError:
        raise Fault(f"{name} is nested too deeply.") from None
    except ValueError as error:
        raise Fault(f"{name} is not JSON: {error}.") from None
    parts = {"rules": rulebook, "repealed": []}
    if isinstance(rulebook, dict):
        if rulebook.get("format") != FORMAT:
            raise Fault(f"{name}: a rulebook in JSON is a list of rules, or has “{FORMAT}”.")
        parts = {part: rulebook.get(part, []) for part in parts}
    for part, rules in parts.items():
        if not isinstance(rules, list):
            raise Fault(f"{name}: `{part}` is a list of rules.")
        which = "rule" if part == "rules" else "repealed rule"
        for at, rule in enumerate(rules, 1):
            findings.add(rule, f"{name}, {which} {at}", repealed=part == "repealed")


# A folder or a zip archive


def _read_folder(folder: Path, findings: Findings) -> None:
    """Add the rules of the folder to the findings; raises Fault."""
    files: dict[str, bytes] = {}
    together = 0
    for sub in (folder / "rules", folder / "config"):
        for count, file in enumerate(sorted(sub.iterdir()) if sub.is_dir() else ()):
            name = f"{sub.name}/{file.name}"
            if count >= MOST_FILES:
                raise Fault(f"{sub.name}/ holds more than {MOST_FILES:,} files.")
            wanted = _WANTED.fullmatch(name)
            if not wanted or file.name.startswith("."):
                continue
            if file.is_symlink() or not file.is_file():
                raise Fault(f"{name} is no plain file.")
            together += _allowed(name, file.stat().st_size, together)
            files[wanted[1]] = file.read_bytes()
    _read_files(files, findings)


def _read_zip(content: bytes, name: str, findings: Findings) -> None:
    """Add the rules of the archive to the findings; raises Fault."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            _read_files(dict(_members(archive, name)), findings)
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise Fault(f"{name} is no zip archive that can be read: {error}.") from None


def _members(archive: ZipFile, name: str) -> Iterator[tuple[str, bytes]]:
    members = archive.infolist()
    if len(members) > MOST_FILES:
        raise Fault(f"{name} holds {len(members):,} files; {MOST_FILES:,} are the most.")
    together, names = 0, set[str]()
    for member in members:
        parts = member.filename.replace("\\", "/").split("/")
        if ".." in parts or member.filename.startswith(("/", "\\")) or ":" in parts[0]:
            raise Fault(f"{name}: the file “{member.filename[:100]}” leads out of the archive.")
        wanted = _WANTED.fullmatch(member.filename)
        if member.is_dir() or not wanted or parts[-1].startswith("."):
            continue
        together += _allowed(member.filename, member.file_size, together)
        if wanted[1] in names:
            raise Fault(f"{name} holds {wanted[1]} twice.")
        names.add(wanted[1])
        with archive.open(member) as file:
            yield wanted[1], file.read(LARGEST_FILE)


def _allowed(name: str, size: int, together: int) -> int:
    """The size, in bytes; raises Fault where it is too great, by itself or with those before."""
    if size > LARGEST_FILE:
        raise Fault(f"{name} has {size:,} bytes; {LARGEST_FILE:,} are the most.")
    if together + size > LARGEST_TOGETHER:
        raise Fault(f"Together the files have more than {LARGEST_TOGETHER:,} bytes.")
    return size


def _read_files(files: Mapping[str, bytes], findings: Findings) -> None:
    """The rules that the index names in its order, and all others as repealed."""
    rules = {name[6:]: content for name, content in files.items() if name.startswith("rules/")}
    if not rules:
        raise Fault("There is no folder rules/ with a file a rule in it.")
    if "config/index" in files:
        placed = _index(load(as_text(files["config/index"], "config/index"), "config/index"))
    else:
        findings.note("There is no config/index: all rules are taken to be in force.")
        placed = [(name, "") for name in sorted(rules, key=_numeric)]
    for name, category in placed:
        if name in rules:
            _read_rule(rules.pop(name), name, findings, category=category)
        else:
            findings.fault(f"config/index names rule {name}, and there is no rules/{name}.")
    for name in sorted(rules, key=_numeric):
        _read_rule(rules[name], name, findings, repealed=True)


def _numeric(name: str) -> tuple[tuple[int, str], ...]:
    parts = re.findall(r"[0-9]{1,18}|[^0-9]+|[0-9]+", name)
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)


def _index(categories: Any) -> list[tuple[str, str]]:
    """The names of the rules' files in order, each with its category; raises Fault."""
    where = "config/index"
    if not isinstance(categories, Sequence) or isinstance(categories, str):
        raise Fault(f"{where} is a list of categories, each with `name` and `rules`.")
    placed: dict[str, str] = {}
    for at, category in enumerate(categories, 1):
        numbers = (category.get("rules") or []) if isinstance(category, Mapping) else None
        if not isinstance(numbers, Sequence):
            raise Fault(f"{where}, category {at}: a category has `name` and `rules`.")
        for number in numbers:
            if str(number) in placed:
                raise Fault(f"{where} names rule {number} twice.")
            placed[str(number)] = str(category.get("name") or "")
    return list(placed.items())


def _read_rule(content: bytes, name: str, findings: Findings, **facts_beside: Any) -> None:
    where = f"rules/{name}"
    try:
        facts = load(as_text(content, where), where)
    except Fault as fault:
        findings.fault(str(fault))
        return
    if isinstance(facts, dict):
        number = str(facts.get("id", facts.get("number", name)))
        if number != name and not name.startswith((f"{number}-", "place-")):
            findings.fault(f"{where}: its id is {number}, which is not its file's name.")
            return
        if isinstance(facts.get("text"), str):
            facts["text"] = facts["text"].removesuffix("\n")  # the end of the block, not the text's
    findings.add(facts, where, **facts_beside)
