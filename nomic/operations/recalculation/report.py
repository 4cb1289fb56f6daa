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
    Covered,
    Revision,
    checked,
    parts_left_out,
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
    which nothing is told since something of them may be sealed, `left_out` those of which only what
    is public was played. `ratifiable` is what a ratification carries out, as a text.
    """

    revision: dict[str, Any]
    as_of: int
    played: int
    steps: tuple[Deviation, ...]
    differences: tuple[Difference, ...]
    hidden: tuple[str, ...]
    left_out: tuple[str, ...]
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

    Of an act of a part of which something may be sealed only what is public is played, so that the
    report would be the same whatever is sealed; if that does not come to how the game stands for
    everybody's eyes, it has to wait until all is opened.
    """
    with snapshot(game) as frozen:
        checked(frozen, revision)
        left_out = parts_left_out(frozen, revision)
        stood = _Stood.of(frozen, left_out)
    if left_out:
        _must_follow_from_what_is_public(frozen, stood, lambda at, of: progress(at // 2, of))
    with scratch_game(COPY) as slug:
        past = ReplayedPast(
            frozen, recording_of(frozen), frozen.last_entry, slug, public_alone=bool(left_out)
        )
        scratch = past.play(
            revision, (lambda at, of: progress((at + of) // 2, of)) if left_out else progress
        )
        return _compared(frozen, stood, scratch, past, revision)


def _must_follow_from_what_is_public(game: Game, stood: _Stood, progress: Progress) -> None:
    """Raise CannotRecalculate unless what is public comes of what is public alone."""
    with scratch_game(COPY) as slug:
        past = ReplayedPast(game, recording_of(game), game.last_entry, slug, public_alone=True)
        alone = public_state(past.play(None, progress), stood.at, stood.hidden)
        if alone != stood.state:
            raise Covered(*stood.left_out)


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

    `hidden` are the parts of which something may be sealed, but for those of which what is public
    is looked at, which are `left_out`.
    """

    at: datetime
    hidden: frozenset[str]
    left_out: frozenset[str]
    state: dict[str, Any]
    makeable: Makeable

    @classmethod
    def of(cls, game: Game, left_out: frozenset[str] = frozenset()) -> _Stood:
        at, parts = game.last_at or game.anchor_game, frozenset(sealed_parts(game))
        hidden = parts - left_out
        state = public_state(game, at, hidden)
        return cls(at, hidden, left_out, state, Makeable.of(game, at, parts))


def _compared(
    game: Game, stood: _Stood, scratch: Game, past: ReplayedPast, revision: Revision
) -> RecalculationReport:
    hidden, before = stood.hidden, stood.state
    after = public_state(scratch, stood.at, hidden)
    makeable = Makeable.of(scratch, stood.at, hidden | stood.left_out, past.number_of)
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
    if stood.left_out:
        ratifiable["left_out"] = sorted(stood.left_out)
    return RecalculationReport(
        revision=revision.plain(),
        as_of=game.last_entry,
        played=past.played,
        steps=steps,
        differences=caused,
        hidden=tuple(sorted(hidden)),
        left_out=tuple(sorted(stood.left_out)),
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


def left_out_as_sentence(left_out: Collection[str]) -> str:
    """The sentence about the parts of which only what is public was played; "" where there are
    none."""
    if not left_out:
        return ""
    return (
        f"This recalculates only the public acts of {', '.join(sorted(left_out))}. Private acts"
        " there are still sealed: ask again when they have been opened, to see what follows from"
        " them and to ratify it."
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
