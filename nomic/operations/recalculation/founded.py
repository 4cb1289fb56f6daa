"""Whether what a record ratifies is what a recalculation finds."""

from collections.abc import Iterator, Mapping
from typing import Any

from nomic.games.models import Game
from nomic.operations.recalculation.report import recalculated_then
from nomic.operations.recording import Act
from nomic.standard.recalculation.ratifying import RATIFY, RECORD_REPORT, hash_of, parsed
from nomic.standard.recalculation.revision import CannotRecalculate, Revision


def is_about_a_report(act: Act) -> bool:
    """Whether a report stands in the act's inputs, which may have to be made anew."""
    return act.name in (RATIFY, RECORD_REPORT)


class Reports:
    """The reports that a record rests on, each made anew where it comes first."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def must_be_found(self, game: Game, act: Act, otherwise: list[str]) -> None:
        """Raise LookupError where the act is about a report that no recalculation of the game, in
        which the act was done just now, comes to.

        Where a program's time decided, that is added to `otherwise`, and so it is in games of
        earlier readings: they were not held to it.
        """
        text = act.inputs["report"] if is_about_a_report(act) else ""
        if not text or text in self._known:
            return
        self._known.add(text)
        report = parsed(text)
        try:
            found = recalculated_then(game, Revision.of(report["revision"]), report["as_of"])
            again = parsed(found.ratifiable)
        except (CannotRecalculate, KeyError, TypeError) as error:
            wrong, of_time = f"nobody can recalculate that: {error}", False
        else:
            wrong = "; ".join(_otherwise(game, report, again))
            of_time = "late" in report or "late" in again
        if not wrong:
            return
        said = f"the report {hash_of(text)[:16]} is not what a recalculation finds: {wrong}"
        if game.has_readings(6) and not of_time:
            raise LookupError(said)
        otherwise.append(f"{said}.")


def _otherwise(game: Game, report: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[str]:
    """How the report differs from the one that was made again, as parts of a sentence.

    It may leave out what is of a part of which the first was sealed after the report's entry, and
    before it was made. What it tells beside, nobody ratifies.
    """
    for name in ("game", "as_of", "head"):
        if report[name] != again[name]:
            yield f"it has another {name}"
    may_leave_out = game.sealed_entries.filter(after=report["as_of"]).exists()
    for name, made in again["makes"].items():
        told = report["makes"][name]
        if told != made and not (may_leave_out and all(each in made for each in told)):
            yield f"its {name} are others"
