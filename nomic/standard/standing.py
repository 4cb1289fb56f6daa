"""How what was announced stands, as pages and the API tell it to one viewer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nomic.games.clock import iso
from nomic.games.models import Player
from nomic.play.actions import Action, find_action
from nomic.play.table import Table
from nomic.standard.entries import SUPPORT
from nomic.standard.models import Motion, Voice
from nomic.standard.motions import OBJECT, WITHDRAW, action_of, electorate, seen_open


@dataclass(frozen=True, slots=True)
class Standing:
    """A motion as it stands. `supports` are the names of those who support it and are counted,
    `needed` how many it takes; both are empty and 0 where it has ended or support does not do.

    `is_held_up` tells whether objections keep it from being done when its time is over; `may` is
    what the viewer may do about it: support, object, withdraw.
    """

    motion: Motion
    title: str
    intent: str
    supports: list[str]
    objections: list[str]
    needed: int
    due: datetime | None
    is_held_up: bool
    may: list[Action]

    @property
    def is_open(self) -> bool:
        return not self.motion.end

    @property
    def inputs(self) -> dict[str, Any]:
        return dict(self.motion.inputs)


def standings(
    table: Table, viewer: Player | None, motions: Iterable[Motion] | None = None
) -> list[Standing]:
    """Those motions, or all that are open, the oldest first; each costs a query more."""
    found = seen_open(table) if motions is None else motions
    return [_standing(table, viewer, motion) for motion in found]


def told(standing: Standing) -> dict[str, Any]:
    """The same as JSON can hold it."""
    motion = standing.motion
    return {
        "motion": motion.number,
        "action": motion.action,
        "inputs": standing.inputs,
        "intent": standing.intent,
        "by": motion.by.name,
        "at": iso(motion.at),
        "due": iso(standing.due) if standing.due else None,
        "supports": standing.supports,
        "objections": standing.objections,
        "needed": standing.needed,
    }


def _standing(table: Table, viewer: Player | None, motion: Motion) -> Standing:
    act = action_of(motion)
    voices = list(motion.voices.all())
    terms = None if motion.end else act.terms_of(table, motion)
    counted: set[str] = set()
    if terms is not None and terms.by_support:
        counted = set(electorate(table, motion).values_list("name", flat=True))
    heard = [each for each in voices if motion.end or each.player.active]
    objections = [each.player.name for each in heard if each.way == Voice.Way.OBJECTS]
    return Standing(
        motion=motion,
        title=act.title,
        intent=act.intent(motion.inputs),
        supports=[
            each.player.name
            for each in heard
            if each.way == Voice.Way.SUPPORTS and (motion.end or each.player.name in counted)
        ],
        objections=objections,
        needed=len(counted) // 2 + 1 if counted else 0,
        due=None if motion.end else motion.due,
        is_held_up=terms is not None and len(objections) >= terms.objections,
        may=[find_action(name) for name in _may(viewer, motion, voices, counted)],
    )


def _may(
    viewer: Player | None, motion: Motion, voices: list[Voice], counted: set[str]
) -> Iterable[str]:
    if viewer is None or not viewer.active or motion.end:
        return
    said = next((each.way for each in voices if each.player_id == viewer.pk), "")
    if viewer.name in counted and said != Voice.Way.SUPPORTS:
        yield SUPPORT
    if motion.due is not None and said != Voice.Way.OBJECTS:
        yield OBJECT
    if motion.by_id == viewer.pk:
        yield WITHDRAW
