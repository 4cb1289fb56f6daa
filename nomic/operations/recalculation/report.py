"""The report of a recalculation: what would be otherwise, and what would make it so; and whether
one that a record ratifies is what a recalculation finds."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from nomic.games.models import Game
from nomic.governance.recalculation.ratification import (
    FORMAT,
    RATIFY,
    RECORD_REPORT,
    Ratifiable,
    hash_of,
    parsed,
    written,
)
from nomic.governance.recalculation.revision import (
    BETWEEN_KEYS,
    CannotRecalculate,
    Revision,
    checked,
    sealed_parts,
)
from nomic.operations.recalculation.differences import (
    Difference,
    differences,
    public_state,
)
from nomic.operations.recalculation.makeable import Makeable, against, changes_between
from nomic.operations.recalculation.past import Deviation, ReplayedPast
from nomic.operations.recorded_inputs import RecordedAct, recording_of
from nomic.operations.scratch import Progress, no_progress, scratch_game
from nomic.operations.snapshot import snapshot
from nomic.record.canonical import canonical_json

COPY = "recalculation"  # begins the slug of a copy
_SHARED = ("players", "offices", "wins", "balances", "rules")  # parts of no subgame


@dataclass(frozen=True, slots=True)
class RecalculationReport:
    """The result of a recalculation: what would be otherwise in a game as of an entry.

    `played` is how many public acts of the record were judged and done, `hidden` names the parts of
    which nothing is told since something of them may be sealed. `ratifiable` is what a ratification
    carries out, as a text.
    """

    revision: dict[str, Any]
    as_of: int
    played: int
    steps: tuple[Deviation, ...]
    differences: tuple[Difference, ...]
    hidden: tuple[str, ...]
    ratifiable: str

    @property
    def hash(self) -> str:
        """The SHA-256 of `ratifiable`, in hexadecimal, by which the report is named."""
        return hash_of(self.ratifiable)

    def plain(self) -> dict[str, Any]:
        """The report with its hash, as values that JSON can hold."""
        return {"hash": self.hash, **asdict(self)}


def recalculate(
    game: Game, revision: Revision, progress: Progress = no_progress
) -> RecalculationReport:
    """Play the game's past with that revision, in a copy that is removed at the end, and compare.

    `progress` is called now and then with how many acts are played, of how many. It is all as of
    the game's last entry at the instant at which this begins. Raises CannotRecalculate.
    """
    with snapshot(game) as frozen:
        checked(frozen, revision)
        stood = _Stood.of(frozen)
    with scratch_game(COPY) as slug:
        past = ReplayedPast(frozen, recording_of(frozen), frozen.last_entry, slug)
        scratch = past.play(revision, progress)
        return _compared(frozen, stood, scratch, past, revision)


def recalculated_then(game: Game, revision: Revision, as_of: int) -> RecalculationReport:
    """The report of a recalculation when that entry was the game's last one, but for what a part
    hid of which the first was sealed after it. It leaves no trace. Raises CannotRecalculate."""
    with scratch_game(COPY) as slug_then, scratch_game(COPY) as slug_revised:
        stood = ReplayedPast(game, recording_of(game), as_of, slug_then).play(None)
        checked(stood, revision)
        past = ReplayedPast(game, recording_of(game), as_of, slug_revised)
        scratch = past.play(revision)
        return _compared(stood, _Stood.of(stood), scratch, past, revision)


@dataclass(frozen=True)
class _Stood:
    """How the game stood for everybody's eyes at the instant that is recalculated.

    `hidden` are the parts of which something may be sealed.
    """

    at: datetime
    hidden: frozenset[str]
    state: dict[str, Any]
    makeable: Makeable

    @classmethod
    def of(cls, game: Game) -> _Stood:
        at, hidden = game.last_at or game.anchor_game, frozenset(sealed_parts(game))
        return cls(at, hidden, public_state(game, at, hidden), Makeable.of(game, at, hidden))


def _compared(
    game: Game, stood: _Stood, scratch: Game, past: ReplayedPast, revision: Revision
) -> RecalculationReport:
    hidden, before = stood.hidden, stood.state
    after = public_state(scratch, stood.at, hidden)
    makeable = Makeable.of(scratch, stood.at, hidden, past.number_of)
    steps = tuple(step for step in past.steps if step.app not in hidden)
    caused = tuple(
        _with_cause(difference, steps, revision) for difference in differences(before, after)
    )
    rest = {
        "steps": [asdict(step) for step in steps],
        "differences": [asdict(difference) for difference in caused],
    }
    ratifiable: Ratifiable = {
        "format": FORMAT,
        "game": game.identity,
        "as_of": game.last_entry,
        "head": game.record_head,
        "revision": revision.plain(),
        "makes": changes_between(stood.makeable, makeable),
        "against": against(stood.makeable, makeable),
        "rest": hashlib.sha256(canonical_json(rest)).hexdigest(),
    }
    if past.late:
        ratifiable["late"] = True
    return RecalculationReport(
        revision=revision.plain(),
        as_of=game.last_entry,
        played=past.played,
        steps=steps,
        differences=caused,
        hidden=tuple(sorted(hidden)),
        ratifiable=written(ratifiable),
    )


def _with_cause(
    difference: Difference, steps: Sequence[Deviation], revision: Revision
) -> Difference:
    """With the first step of the same part that names what differs, else of the same part."""
    names = [name.casefold() for name in difference.path.split(BETWEEN_KEYS)]

    def names_it(step: Deviation) -> bool:
        words = f"{step.was} {step.now}".casefold()
        return any(len(name) > 1 and name in words for name in names)

    of_part = [step for step in steps if difference.part in (step.app, *_SHARED)]
    cause = next(filter(names_it, of_part), next(iter(of_part), None))
    return replace(difference, cause=cause.entry if cause else revision.entry)


def hidden_as_sentence(hidden: Collection[str]) -> str:
    """The sentence about the parts of which nothing is told; "" where there are none."""
    if not hidden:
        return ""
    return (
        f"Nothing is told of {', '.join(sorted(hidden))}: something of it is sealed still, and what"
        " would have been otherwise could tell it."
    )


def is_about_a_report(act: RecordedAct) -> bool:
    """Whether a report stands in the act's inputs, which may have to be made anew."""
    return act.name in (RATIFY, RECORD_REPORT)


class Reports:
    """The reports that a record rests on, each made anew where it comes first."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def must_be_found(self, game: Game, act: RecordedAct, otherwise: list[str]) -> None:
        """Raise LookupError where the act is about a report that no recalculation of the game, in
        which the act was done just now, comes to.

        Where a program's time decided, that is added to `otherwise`.
        """
        text = act.inputs["report"] if is_about_a_report(act) else ""
        if not text or text in self._known:
            return
        self._known.add(text)
        report = parsed(text)
        try:
            recalculated = recalculated_then(game, Revision.of(report["revision"]), report["as_of"])
            remade = parsed(recalculated.ratifiable)
        except (CannotRecalculate, KeyError, TypeError) as error:
            wrong, of_time = f"nobody can recalculate that: {error}", False
        else:
            wrong = "; ".join(_mismatches(report, remade))
            of_time = "late" in report or "late" in remade
        if not wrong:
            return
        sentence = f"the report {hash_of(text)[:16]} is not what a recalculation finds: {wrong}"
        if not of_time:
            raise LookupError(sentence)
        otherwise.append(f"{sentence}.")


def _mismatches(report: Mapping[str, Any], remade: Mapping[str, Any]) -> Iterator[str]:
    """How the report differs from the one that was made again, as parts of a sentence. What it
    tells beside, nobody ratifies."""
    for name in ("game", "as_of", "head", "against"):
        if report[name] != remade[name]:
            yield f"it has another {name}"
    for name, wanted in remade["makes"].items():
        if report["makes"][name] != wanted:
            yield f"its {name} are others"
