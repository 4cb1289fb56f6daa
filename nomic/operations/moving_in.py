"""A game that lived elsewhere moves in: its rules, and how it stood beside them, by a file."""

import csv
import io
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nomic.engine.outcomes import Malformed, Outcome, Refused
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.games.presets import Preset
from nomic.governance.hosting.moving_in import (
    BRING_BALANCE,
    BRING_DUTY,
    BRING_OFFICE,
    BRING_PLAYER,
    BRING_PROPOSAL,
    BRING_SWITCH,
)
from nomic.operations.scratch import remove_game
from nomic.record.models import Entry, EntryKind
from nomic.rulebook.book import BY_PEOPLE
from nomic.rulebook.formats.values import Brought
from nomic.rulebook.limits import NoSuchRule
from nomic.rulebook.text_cache import BEGINS
from nomic.web.hosting.game_starter import BadSetup

BRING_RULES = "games.bring_rules"
_MOST_TOLD = 5  # faults
_LARGEST = 1_000_000  # bytes
_MOST = 10_000  # entries
_MAY_LACK = {"index", "plural", "of"}
_WHOLE = re.compile("-?[0-9]{1,18}")
_ACTS: dict[str, tuple[str, dict[str, type]]] = {
    "player": (BRING_PLAYER, {"name": str}),
    "office": (BRING_OFFICE, {"office": str, "player": str}),
    "duty": (BRING_DUTY, {"office": str, "duty": str}),
    "balance": (BRING_BALANCE, {"player": str, "amount": int, "asset": str, "plural": str}),
    "switch": (BRING_SWITCH, {"switch": str, "of": str, "value": str}),
    "proposal": (BRING_PROPOSAL, {"author": str, "title": str, "body": str, "index": str}),
}


def check_brought(brought: Brought | None, preset: Preset) -> Preset:
    """The preset; raises BadSetup where these rules cannot come into a game of it."""
    if brought is None:
        return preset
    if not preset.settings.get(BY_PEOPLE):
        raise BadSetup(
            f"A game of the preset “{preset.name}” begins with its own rules: those of a game that"
            " lives elsewhere come into one of the preset “nomic”."
        )
    if brought.faults:
        surplus = len(brought.faults) - _MOST_TOLD
        behind = [f"And {surplus:,} more."] if surplus > 0 else []
        raise BadSetup(" ".join([*brought.faults[:_MOST_TOLD], *behind]))
    if not brought.rules:
        raise BadSetup("No rule was found in it.")
    return preset


def bring_rules(table: Table, inputs: dict[str, Any]) -> Entry:
    """Let the rules that lived elsewhere be in force, at a locked table, as the second entry of a
    game; a replay calls this as well. Raises BadSetup, and LookupError where it is another entry
    or game."""
    if table.seq != BEGINS + 1 or not table.game.setting(BY_PEOPLE):
        raise LookupError("rules come in from outside right after a game of people's rules begins")
    try:
        in_force = table.rules.bring(inputs["rules"], inputs["repealed"])
    except (ValueError, NoSuchRule) as wrong:
        raise BadSetup(str(wrong)) from wrong
    count = "1 rule is" if in_force == 1 else f"{in_force:,} rules are"
    text = (
        f"{count} brought in from a game that lived elsewhere. They are kept by people, as before"
        " this game; what their histories tell was not played here."
    )
    if gone := len(inputs["repealed"]):
        text += f" {gone:,} that were repealed before stay to be read."
    return table.write(EntryKind.SYSTEM, BRING_RULES, None, inputs, Outcome(text))


type Beginning = tuple[str, str, dict[str, Any]]  # where it stands, an action and its inputs


def read_beginnings(path: Path) -> list[Beginning]:
    """The entries that the file of TOML or CSV asks for, players first; raises BadSetup with a
    sentence that says where."""
    try:
        if path.stat().st_size > _LARGEST:
            raise BadSetup(f"{path.name} has more than {_LARGEST:,} bytes.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadSetup(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise BadSetup(f"{path.name} is not UTF-8.") from None
    read = _rows_of_csv if path.suffix.lower() == ".csv" else _rows_of_toml
    rows = sorted(read(text, path.name), key=lambda row: [*_ACTS].index(row[0]))
    if len(rows) > _MOST:
        raise BadSetup(f"{path.name} asks for {len(rows):,} entries; {_MOST:,} are the most.")
    beginnings: list[Beginning] = []
    for kind, where, row in rows:
        act, fields = _ACTS[kind]
        needed = {key: of for key, of in fields.items() if key not in _MAY_LACK or key in row}
        if not isinstance(row, dict) or {key: type(row[key]) for key in row} != needed:
            needs = " and ".join(f"`{key}` ({of.__name__})" for key, of in needed.items())
            raise BadSetup(f"{where}: it has {needs}, and nothing else.")
        beginnings.append((where, act, row))
    return beginnings


def _rows_of_toml(text: str, name: str) -> Iterator[tuple[str, str, Any]]:
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSetup(f"{name} is not TOML: {error}.") from None
    for kind, rows in document.items():
        if kind not in _ACTS:
            kinds = ", ".join(f"[[{key}]]" for key in _ACTS)
            raise BadSetup(f"{name}: there is no [[{kind[:40]}]]; there are {kinds}.")
        if not isinstance(rows, list):
            raise BadSetup(f"{name}: {kind} is written [[{kind}]], once for each.")
        yield from ((kind, f"{name}, {kind} {at}", row) for at, row in enumerate(rows, 1))


def _rows_of_csv(text: str, name: str) -> Iterator[tuple[str, str, Any]]:
    """A row each, whose first cell says what it is; the cells of other kinds stay empty."""
    columns = ["what", *dict.fromkeys(field for _, fields in _ACTS.values() for field in fields)]
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        head = [*(reader.fieldnames or ())]
        if head[:1] != ["what"] or len({*head}) < len(head) or not {*head} <= {*columns}:
            raise BadSetup(f"{name}, line 1: the columns are of {', '.join(columns)}.")
        for row in reader:
            where = f"{name}, line {reader.line_num}"
            if None in row or None in row.values():
                raise BadSetup(f"{where}: it has {len(head)} cells, as the first line has.")
            kind = row.pop("what")
            if kind not in _ACTS:
                raise BadSetup(f"{where}: there is no “{kind[:40]}”; there are {', '.join(_ACTS)}.")
            fields = _ACTS[kind][1]
            inputs = {
                field: int(cell) if fields.get(field) is int and _WHOLE.fullmatch(cell) else cell
                for field, cell in row.items()
                if cell or field in fields.keys() - _MAY_LACK
            }
            yield kind, where, inputs
    except csv.Error as error:
        raise BadSetup(f"{name}, line {reader.reader.line_num}: {error}.") from None


def bring_beginnings(game: Game, beginnings: list[Beginning]) -> None:
    """Enter them one by one in the record of the game that has just begun; where one cannot be,
    the game is gone again. Raises BadSetup."""
    for where, act, inputs in beginnings:
        try:
            take(game.slug, None, act, inputs)
        except (Refused, Malformed) as error:
            Game.objects.filter(pk=game.pk).update(scratch=True)
            remove_game(game)
            raise BadSetup(f"{where}: {error} Nothing was made.") from None
