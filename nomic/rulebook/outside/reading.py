"""Reading a rulebook in any of its shapes."""

import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from nomic.rulebook.outside.checking import Fault, Findings
from nomic.rulebook.outside.values import FORMAT, Brought

LARGEST = 8_000_000  # bytes


def read(given: Path | bytes, name: str = "") -> Brought:
    """What is understood of the rulebook in that file, or in these bytes of a file of that name.

    What cannot be understood is among its faults; nothing is raised but OSError of a file.
    """
    findings = Findings()
    try:
        _read(given if isinstance(given, bytes) else given.read_bytes(), name, findings)
    except Fault as fault:
        findings.faults.append(str(fault))
    return findings.told()


def _read(given: bytes, name: str, findings: Findings) -> None:
    if len(given) > LARGEST:
        raise Fault(f"{name} has {len(given):,} bytes; {LARGEST:,} are the most.")
    _read_json(_text(given, name), name, findings)


def _text(given: bytes, name: str) -> str:
    try:
        return given.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = given.count(b"\n", 0, error.start) + 1
        raise Fault(
            f"{name}, line {line}: the byte 0x{given[error.start]:02X} is not UTF-8. Save the file"
            " as UTF-8 first."
        ) from None


def _read_json(text: str, name: str, findings: Findings) -> None:
    try:
        told = json.loads(text, parse_float=Decimal)
    except RecursionError:
        raise Fault(f"{name} is nested too deeply.") from None
    except ValueError as error:
        raise Fault(f"{name} is not JSON: {error}.") from None
    repealed: object = []
    if isinstance(told, Mapping):
        if told.get("format") != FORMAT:
            raise Fault(f"{name}: a rulebook in JSON is a list of rules, or has “{FORMAT}”.")
        told, repealed = told.get("rules"), told.get("repealed", [])
    if not isinstance(told, list) or not isinstance(repealed, list):
        raise Fault(f"{name}: a rulebook in JSON is a list of rules.")
    for at, rule in enumerate(told, 1):
        findings.add(rule, f"{name}, rule {at}")
    for at, rule in enumerate(repealed, 1):
        findings.add(rule, f"{name}, repealed rule {at}", repealed=True)
