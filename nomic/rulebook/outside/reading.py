"""Reading a rulebook in any of its shapes: one text, or a folder or archive with a file a rule."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from nomic.rulebook.outside.checking import Fault, Findings, as_text
from nomic.rulebook.outside.headings import read_text
from nomic.rulebook.outside.values import FORMAT, Brought
from nomic.rulebook.outside.yaml_files import load

LARGEST = 10_000_000  # bytes of a file or an archive as it is sent
MOST_FILES = 20_000
LARGEST_FILE = 2_000_000  # bytes
LARGEST_TOGETHER = 40_000_000
_WANTED = re.compile(r"(?:^|.*/)(rules/[^/]+|config/index)(?:\.ya?ml)?$")
_ZIP = b"PK\x03\x04"


def read(given: Path | bytes, name: str = "") -> Brought:
    """The rulebook in that folder or file, or in these bytes of a file of that name, as far as it
    is understood; pasted words have no name.

    What cannot be understood is among its faults; nothing is raised but OSError.
    """
    findings = Findings()
    try:
        if isinstance(given, bytes):
            _read(given, name or "The text", findings)
        elif given.is_dir():
            _read_folder(given, findings)
        else:
            _check_size(given.stat().st_size, name or given.name)
            _read(given.read_bytes(), name or given.name, findings)
    except Fault as fault:
        findings.faults.append(str(fault))
    return findings.told()


def _check_size(size: int, name: str) -> None:
    if size > LARGEST:
        raise Fault(f"{name} has {size:,} bytes; {LARGEST:,} are the most.")


def _read(given: bytes, name: str, findings: Findings) -> None:
    _check_size(len(given), name)
    if given.startswith(_ZIP):
        _read_zip(given, name, findings)
        return
    text = as_text(given, name)
    if not text.strip():
        raise Fault(f"{name} is empty.")
    if not name.casefold().endswith(".json") and text.lstrip()[:1] not in ("[", "{"):
        read_text(text, name, findings)
        return
    try:
        told: Any = json.loads(text, parse_float=Decimal)
    except RecursionError:
        raise Fault(f"{name} is nested too deeply.") from None
    except ValueError as error:
        raise Fault(f"{name} is not JSON: {error}.") from None
    parts = {"rules": told, "repealed": []}
    if isinstance(told, dict):
        if told.get("format") != FORMAT:
            raise Fault(f"{name}: a rulebook in JSON is a list of rules, or has “{FORMAT}”.")
        parts = {part: told.get(part, []) for part in parts}
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


def _read_zip(given: bytes, name: str, findings: Findings) -> None:
    """Add the rules of the archive to the findings; raises Fault."""
    try:
        with ZipFile(BytesIO(given)) as archive:
            _read_files(dict(_members(archive, name)), findings)
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise Fault(f"{name} is no zip archive that can be read: {error}.") from None


def _members(archive: ZipFile, name: str) -> Iterator[tuple[str, bytes]]:
    found = archive.infolist()
    if len(found) > MOST_FILES:
        raise Fault(f"{name} holds {len(found):,} files; {MOST_FILES:,} are the most.")
    together, seen = 0, set[str]()
    for each in found:
        parts = each.filename.replace("\\", "/").split("/")
        if ".." in parts or each.filename.startswith(("/", "\\")) or ":" in parts[0]:
            raise Fault(f"{name}: the file “{each.filename[:100]}” leads out of the archive.")
        wanted = _WANTED.fullmatch(each.filename)
        if each.is_dir() or not wanted or parts[-1].startswith("."):
            continue
        together += _allowed(each.filename, each.file_size, together)
        if wanted[1] in seen:
            raise Fault(f"{name} holds {wanted[1]} twice.")
        seen.add(wanted[1])
        with archive.open(each) as file:
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
    rules = {name[6:]: given for name, given in files.items() if name.startswith("rules/")}
    if not rules:
        raise Fault("There is no folder rules/ with a file a rule in it.")
    if "config/index" in files:
        placed = _index(load(as_text(files["config/index"], "config/index"), "config/index"))
    else:
        findings.notes.append("There is no config/index: all rules are taken to be in force.")
        placed = [(name, "") for name in sorted(rules, key=_numeric)]
    for name, category in placed:
        if name in rules:
            _read_rule(rules.pop(name), name, findings, category=category)
        else:
            findings.faults.append(f"config/index names rule {name}, and there is no rules/{name}.")
    for name in sorted(rules, key=_numeric):
        _read_rule(rules[name], name, findings, repealed=True)


def _numeric(name: str) -> tuple[tuple[int, str], ...]:
    parts = re.findall(r"[0-9]{1,18}|[^0-9]+|[0-9]+", name)
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)


def _index(told: Any) -> list[tuple[str, str]]:
    """The names of the rules' files in order, each with its category; raises Fault."""
    where = "config/index"
    if not isinstance(told, Sequence) or isinstance(told, str):
        raise Fault(f"{where} is a list of categories, each with `name` and `rules`.")
    placed: dict[str, str] = {}
    for at, each in enumerate(told, 1):
        if not isinstance(each, Mapping) or not isinstance(each.get("rules") or [], Sequence):
            raise Fault(f"{where}, category {at}: a category has `name` and `rules`.")
        for number in each.get("rules") or []:
            if str(number) in placed:
                raise Fault(f"{where} names rule {number} twice.")
            placed[str(number)] = str(each.get("name") or "")
    return list(placed.items())


def _read_rule(given: bytes, name: str, findings: Findings, **more: Any) -> None:
    where = f"rules/{name}"
    try:
        told = load(as_text(given, where), where)
    except Fault as fault:
        findings.faults.append(str(fault))
        return
    if isinstance(told, dict):
        number = str(told.get("id", told.get("number", name)))
        if number != name and not name.startswith((f"{number}-", "place-")):
            findings.faults.append(f"{where}: its id is {number}, which is not its file's name.")
            return
        if isinstance(told.get("text"), str):
            told["text"] = told["text"].removesuffix("\n")  # the end of the block, not the text's
    findings.add(told, where, **more)
