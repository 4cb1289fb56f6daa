"""Calls that were late then: what the record may say of them, and what they come to now."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from nomic.engine.programs.sandbox import Problem, ProgramWrong
from nomic.engine.table import Table
from nomic.record.then import Then

# What `Problem`s say that are late, or of memory.
_SENTENCES = re.compile(
    r"(It takes longer than [\d.]+ s"
    r"|What it asks takes longer than [\d.]+ s to be answered"
    r"|What programs do at one act takes longer than [\d.]+ s in all"
    r"|No worker of the sandbox is free"
    r"|The sandbox could not go on with it"
    r"|It takes more than \d+ MiB of memory)( \(line \d+, column \d+\))?\."
)


def may_be_otherwise(problem: Problem) -> bool:
    """Whether another machine or another hour might not have it."""
    return problem.late or problem.memory


def late_then(then: Then | None) -> dict[int, Mapping[str, Any]]:
    """The failures that the record tells of the calls that were late, by the calls' numbers. Raises
    LookupError where it says of one what no program ever says."""
    told = then.programs.get("failed", ()) if then else ()
    found = {each["late"]: each for each in told if "late" in each}
    for each in found.values():
        if not _SENTENCES.fullmatch(each["sentence"]):
            raise LookupError(f"nothing is late in these words: “{each['sentence']}”")
    return found


def rolled_then(then: Mapping[str, Any], call: int) -> dict[str, int]:
    """The sides of the dice that the record says this call threw, by their labels."""
    told = then.get("rolled", {})
    return {label: sides for label, sides in told.items() if label.startswith(f"program {call}.")}


class _Undone(Exception):
    """A call came to its end: what it did is undone."""


def undone(table: Table, run: Callable[[], object]) -> Problem | None:
    """Why that run comes to nothing; None where it comes to something, which is undone."""
    try:
        with table.tentatively():
            run()
            raise _Undone
    except _Undone:
        return None
    except ProgramWrong as wrong:
        return wrong.problem


def must_have_thrown(
    thrown: Mapping[str, int], told: Mapping[str, int], late: Mapping[str, Any], what: str
) -> None:
    """Raise LookupError where the record says that a call threw dice which it does not throw."""
    if late.get("rolled", 0) > len(thrown) or any(thrown.get(each) != told[each] for each in told):
        raise LookupError(f"“{what}” throws other dice than the record says")
