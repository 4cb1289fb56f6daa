"""Reading a rulebook in any of its shapes."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from nomic.rulebook.outside.checking import Fault, Findings, as_text
from nomic.rulebook.outside.folders import read_folder, read_zip
from nomic.rulebook.outside.headings import read_text
from nomic.rulebook.outside.values import FORMAT, Brought

LARGEST = 10_000_000  # bytes of a file or an archive as it is sent
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
            read_folder(given, findings)
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
        read_zip(given, name, findings)
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
