"""How what was announced stands, as pages and the API tell it to one viewer."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from nomic.engine.actions import Action, find_action
from nomic.engine.table import Table
from nomic.games.clock import END_OF_TIME
from nomic.games.models import Player
from nomic.standard.entries import SUPPORT
from nomic.standard.models import Motion, Voice
from nomic.standard.motions import OBJECT, WITHDRAW, action_of, electorates, seen_open
from nomic.standard.rules import Terms

_NEVER_DECIDED = "The game was over before it was decided."


@dataclass(frozen=True, slots=True)
class Standing:
    """A motion as it stands. `supports` are the names of those who support it and are counted,
    `needed` how many it takes; both are empty and 0 where it has ended or support does not do.

    `is_held_up` tells whether objections keep it from being done when its time is over; `may` is
    what the viewer may do about it: support, object, withdraw; `note` says why it came to nothing.
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
    note: str

    @property
    def backing(self) -> str:
        """Who supports it or did so, and how many it takes, as a sentence; "" for neither."""
        names = ", ".join(self.supports)
        if self.needed:
            said = f"It has {len(self.supports)} of the {self.needed} supporters that it needs"
            return f"{said}: {names}." if names else f"{said}."
        if not self.motion.end and not self.note and self.due is None:
            return (
                "Nobody's support would count any more. Who announced it may withdraw it and"
                " announce it again."
            )
        return f"Supported by {names}." if names else ""


def standings(
    table: Table, viewer: Player | None, motions: Iterable[Motion] | None = None
) -> list[Standing]:
    """Those motions, or all that are open, the oldest first: in the same number of queries
    for many as for few."""
    found, is_over = list(seen_open(table) if motions is None else motions), table.game.is_closed
    terms = {
        motion.number: None if motion.end or is_over else action_of(motion).terms_of(table, motion)
        for motion in found
    }
    counted = electorates(table, [each for each in found if _by_support(terms[each.number])])
    return [
        _standing(viewer, each, terms[each.number], counted.get(each.number, set()), is_over)
        for each in found
    ]


def most_urgent_first(table: Table) -> list[Motion]:
    """What is open: what time alone will do first, in the order in which it is due, so that
    nothing that needs support hides it."""
    return sorted(seen_open(table), key=lambda each: each.due or END_OF_TIME)


def _by_support(terms: Terms | None) -> bool:
    return terms is not None and terms.by_support


def _standing(
    viewer: Player | None, motion: Motion, terms: Terms | None, counted: set[str], is_over: bool
) -> Standing:
    act, has_ended = action_of(motion), bool(motion.end) or is_over
    voices = list(motion.voices.all())
    heard = [each for each in voices if has_ended or each.player.active]
    objections = [each.player.name for each in heard if each.way == Voice.Way.OBJECTS]
    return Standing(
        motion=motion,
        title=act.title,
        intent=act.intent(motion.inputs),
        supports=[
            each.player.name
            for each in heard
            if each.way == Voice.Way.SUPPORTS and (has_ended or each.player.name in counted)
        ],
        objections=objections,
        needed=len(counted) // 2 + 1 if counted else 0,
        due=None if has_ended else motion.due,
        is_held_up=terms is not None and len(objections) >= terms.objections,
        may=[]
        if is_over
        else [find_action(name) for name in _may(viewer, motion, voices, counted)],
        note=motion.note or ("" if motion.end or not is_over else _NEVER_DECIDED),
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
