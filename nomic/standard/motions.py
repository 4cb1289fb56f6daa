"""Acts that are announced first: who is counted for them, and how they are carried out."""

import logging
from collections import Counter
from collections.abc import Callable, Collection
from copy import copy
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.models import Max, QuerySet

from nomic.engine.actions import Action, Inputs, admission, find_action, judgement
from nomic.engine.effects import Effects, Then, apply
from nomic.engine.events import appointment
from nomic.engine.outcomes import Malformed, Outcome
from nomic.engine.table import Table
from nomic.games.bounds import ANNOUNCED, ANNOUNCED_OF_PLAYER, MOTIONS, MOTIONS_OF_PLAYER
from nomic.games.clock import iso
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.voters import voters
from nomic.rulebook.tables import TableBroken
from nomic.standard.entries import MOTION
from nomic.standard.models import Motion, Voice
from nomic.standard.powers import OFFICES_AND_CORRECTIONS, objection_time
from nomic.standard.rules import BY_SUPPORT, Terms, fate

JOIN = "games.join"
OBJECT, WITHDRAW = "games.object", "games.withdraw"
_LONGEST_TOLD = 200
log = logging.getLogger(__name__)


class CannotBeDone(Exception):
    """The act cannot be carried out as things are now. Nothing has changed."""


class AnnouncedAction(Action):
    """An action that is announced as a motion, and carried out when its terms are met.

    What `refusal` says is asked when it is announced, and `hindrance` when it is to be done. That
    may be while the game is stuck: a record that is replayed does not tell when it was.
    """

    while_stuck = True

    def terms(self, table: Table, player: Player | None, data: Inputs) -> Terms | None:
        """What it takes; None where it is done at once: by default where an officer does it as
        such. Where all players are asked it takes support, so that nobody decides alone."""
        if player is None or not self.asked_of_all:
            return None
        return None if self.is_of(table.directory.held_by(player)) else BY_SUPPORT

    def verdict(self, table: Table, player: Player | None, data: Inputs) -> Refusal | Effects:
        """What it does at once, or that it is announced."""
        found = super().verdict(table, player, data)
        if not self.is_judged or player is None or isinstance(found, Refusal):
            return found
        terms = self.terms(table, player, data)
        if terms is None:
            return found
        return Effects(Then(lambda at: announce(at, self, player, data, terms), likely=found))

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> str | Outcome:
        """Do it, and return what is said of it."""
        found = super().verdict(table, player, data)
        if isinstance(found, Refusal):
            raise CannotBeDone(found.sentence)
        return apply(table, found)

    def terms_of(self, table: Table, motion: Motion) -> Terms | None:
        """What it takes now that it is announced; by default what announcing it takes now."""
        return self.terms(table, motion.by, motion.inputs)

    def lapse(self, table: Table, motion: Motion) -> str:
        """Why what was announced is out of date, as a sentence; "" if it is not."""
        return ""

    def electors(self, table: Table) -> QuerySet[Player]:
        """Those whose support decides: the players who may vote."""
        return voters(table.game, table.now)

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """The names of those whose support is not counted: who announced it."""
        return {motion.by.name}

    def hindrance(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        """Why it cannot be done any more, now that it is to be."""
        return admission(self, table, player) or judgement(
            self, table, player, data, announced=True
        )

    def limit(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        """The refusal of one more than may be open, where this would be announced: of an officer's
        act all inputs tell that, and others do nothing of the kind at once."""
        if player is None:
            return None
        refusal = _too_many(table, player, data)
        if refusal is None or not table.directory.held_by(player):
            return refusal
        is_told = self.Form.base_fields.keys() <= data.keys()
        return refusal if is_told and self.terms(table, player, data) is not None else None

    def intent(self, data: Inputs) -> str:
        """What is meant to be done, as a sentence without its full stop."""
        told = {name: _short(value) for name, value in data.items()}
        return self.sentence.format(**told) if self.sentence else self.title

    @property
    def as_done(self) -> Action:
        """The action as it is when it happens, to show beforehand what it will change."""
        done = copy(self)
        if self.is_judged:
            done.terms = lambda *_: None  # type: ignore[method-assign]
        else:
            done.perform = self.carry_out  # type: ignore[method-assign]
        return done

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str | Outcome:
        """Announce it, or do it where it waits for nobody."""
        terms = self.terms(table, player, data)
        if terms is None or player is None:
            return self.carry_out(table, player, data)
        return announce(table, self, player, data, terms)


def _too_many(table: Table, player: Player, data: Inputs) -> Refusal | None:
    """Why neither they nor the game has room for one more that waits."""
    waiting = [(each.by_id, _size(each.inputs)) for each in seen_open(table)]
    own = [size for by, size in waiting if by == player.pk]
    most = MOTIONS_OF_PLAYER.of(table.game)
    if len(own) >= most:
        sentence = (
            f"You have announced {most} things that wait still. Withdraw one of them, or"
            " announce this when one has ended."
        )
        return Refusal("too_many", sentence, OFFICES_AND_CORRECTIONS)
    more = _size(data)
    counts = (
        (MOTIONS, len(waiting) + 1),
        (ANNOUNCED_OF_PLAYER, sum(own) + more),
        (ANNOUNCED, sum(size for _, size in waiting) + more),
    )
    found = (bound.refusal(table.game, much, OFFICES_AND_CORRECTIONS) for bound, much in counts)
    return next(filter(None, found), None)


def _size(inputs: Inputs) -> int:
    """The characters of what is to be done, without what stands around them."""
    return sum(len(str(value)) for value in inputs.values())


class BySupport(AnnouncedAction):
    """What the support of more than half of the players does, whoever announces it."""

    rule = OFFICES_AND_CORRECTIONS
    while_paused = True

    def terms(self, table: Table, player: Player | None, data: Inputs) -> Terms:
        return BY_SUPPORT


def announce(
    table: Table, act: AnnouncedAction, player: Player, data: Inputs, terms: Terms
) -> Outcome:
    """Make the motion, with its appointment where time alone can carry it out."""
    table.forget(_open_with_voices)
    motion = Motion.objects.create(
        game=table.game,
        number=_next_number(table),
        action=act.name,
        inputs=data,
        by=player,
        entry=table.seq,
        at=table.now,
        due=None if terms.wait is None else table.now + terms.wait,
    )
    if motion.due is not None:
        table.appointments.make(MOTION, motion.due, str(motion.number))
    said = f"{player} announces {motion}: “{act.intent(data)}”."
    if player.name not in act.uncounted(table, motion):
        motion.voices.create(player=player, way=Voice.Way.SUPPORTS, entry=table.seq)
        settled = settle(table, motion)
        if settled is not None:
            return replace(settled, text=f"{said} {settled.text}")
    figures = {"motion": motion.number, "due": iso(motion.due) if motion.due else None}
    return Outcome(f"{said} {takes(table.now, terms)}", figures)


def open_motions(table: Table) -> QuerySet[Motion]:
    """The motions that have not ended, oldest first, each with who announced it; none in a game
    that is over."""
    waiting = table.game.motions.filter(end="").select_related("by__holder").order_by("number")
    return waiting.none() if table.game.is_closed else waiting


def announced(
    table: Table, name: str, *, by: Player | None = None, **inputs: str
) -> Refusal | None:
    """The refusal of a second motion of that action with these inputs, or of a second one `by` a
    player."""
    open_ones = open_motions(table).filter(action=name)
    for what, value in inputs.items():
        open_ones = open_ones.filter(**{f"inputs__{what}": value})
    motion = (open_ones if by is None else open_ones.filter(by=by)).first()
    if motion is None:
        return None
    sentence = f"That is announced already, as {motion}: it waits for support."
    return Refusal("announced", sentence, OFFICES_AND_CORRECTIONS)


def _open_with_voices(table: Table) -> list[Motion]:
    return list(open_motions(table).prefetch_related("voices__player"))


def seen_open(table: Table) -> list[Motion]:
    """The same with their voices, read once for all who ask at this table what there is."""
    return table.once(_open_with_voices)


def action_of(motion: Motion) -> AnnouncedAction:
    """The action that the motion is to do."""
    found = find_action(motion.action)
    assert isinstance(found, AnnouncedAction)
    return found


def electorates(table: Table, motions: Collection[Motion]) -> dict[int, set[str]]:
    """By its number, the names of those who are counted for each of these motions: the active
    players who had their seat for the objection time when it was announced, or, where nobody had,
    those who had one at all. Practice players are not."""
    since = min((each.entry for each in motions), default=0)
    joins = table.game.entries.filter(name=JOIN, seq__gt=since).order_by()
    came = dict(joins.values_list("actor").annotate(Max("seq")))
    wait = objection_time(table)
    seated: dict[str, list[tuple[int, str, datetime]]] = {}

    def counted(motion: Motion) -> set[str]:
        act = action_of(motion)
        if act.name not in seated:
            known = act.electors(table).filter(active=True, bot=False).order_by()
            seated[act.name] = list(known.values_list("pk", "name", "joined_at"))
        but, at = act.uncounted(table, motion), motion.at - wait
        had = [
            (name, joined <= at)
            for pk, name, joined in seated[act.name]
            if came.get(pk, 0) <= motion.entry and name not in but
        ]
        return {name for name, is_settled in had if is_settled} or {name for name, _ in had}

    return {motion.number: counted(motion) for motion in motions}


def fates(table: Table, motions: Collection[Motion]) -> dict[int, str | None]:
    """By its number, what each of these motions has come to: `done`, `prevented`, or None while
    it is undecided."""
    terms = {each.number: action_of(each).terms_of(table, each) for each in motions}
    counted = electorates(table, [each for each in motions if terms[each.number]])
    objections, supports = Counter[int](), Counter[int]()
    voices = Voice.objects.filter(motion__in=motions)
    for number, way, name, active in voices.values_list(
        "motion__number", "way", "player__name", "player__active"
    ):
        if way == Voice.Way.OBJECTS:
            objections[number] += active
        else:
            supports[number] += name in counted.get(number, ())

    def come_to(motion: Motion) -> str | None:
        number, over = motion.number, motion.due is not None and table.now >= motion.due
        asked = terms[number]
        if asked is None:
            return "done"
        return fate(objections[number], supports[number], len(counted[number]), over, asked)

    return {motion.number: come_to(motion) for motion in motions}


def settle(table: Table, motion: Motion) -> Outcome | None:
    """Carry the motion out, or end it, if that is decided; None while it is not."""
    decided = fates(table, [motion])[motion.number]
    if decided is None:
        return None
    if decided == "prevented":
        return end(table, motion, Motion.End.PREVENTED, f"{motion} is prevented by objections.")
    act = action_of(motion)
    if table.game.paused_at and not act.while_paused:
        table.appointments.make(MOTION, table.now, f"{motion.number}/{table.seq}")
        text = f"{motion} is done as soon as the game is resumed."
        return Outcome(text, {"motion": motion.number})

    def do() -> Outcome:
        # Ended before it is done: what it makes impossible is not it.
        ended = end(table, motion, Motion.End.DONE, f"{motion} is done.")
        outcome = carried_out(table, motion, act)
        return Outcome(f"{ended.text} {outcome.text}", {**outcome.figures, **ended.figures})

    done = attempt(table, str(motion), do)
    if isinstance(done, Outcome):
        return done
    said = f"{motion}, “{act.intent(motion.inputs)}”, cannot be done any more: {done}"
    return end(table, motion, Motion.End.FAILED, said, done)


def settle_all(table: Table) -> None:
    """Let what is decided by a player's leaving happen at this moment, each by itself."""
    for number, decided in fates(table, list(open_motions(table))).items():
        if decided:
            table.appointments.make(MOTION, table.now, f"{number}/{table.seq}")


def end(table: Table, motion: Motion, how: Motion.End, text: str, note: str = "") -> Outcome:
    """Note how the motion has ended; what is appointed for it is cancelled."""
    table.forget(_open_with_voices)
    motion.end, motion.ended_in, motion.note = how, table.seq, note
    motion.save(update_fields=["end", "ended_in", "note"])
    table.appointments.cancel_whole(MOTION, str(motion.number))
    figures = {"motion": motion.number, "action": motion.action, "end": str(how)}
    return Outcome(text, figures)


@appointment(MOTION, title="A motion's time is over", rule=OFFICES_AND_CORRECTIONS, at_once=True)
def look_at_the_motion(table: Table, subject: str) -> Outcome:
    """Carry it out unless it is objected to.

    `subject` is its number, and behind a slash the entry that made it be looked at earlier.
    """
    motion = table.game.motions.select_related("by__holder").get(number=subject.partition("/")[0])
    if motion.end:
        return Outcome(f"Nothing is to be done of {motion} any more.")
    return settle(table, motion) or Outcome(
        f"{motion}, “{action_of(motion).intent(motion.inputs)}”, was objected to: it waits for the"
        " support of more than half of the players.",
        {"motion": motion.number},
    )


def carried_out(table: Table, motion: Motion, act: AnnouncedAction) -> Outcome:
    """Do it with all that the rules make follow from it; raises CannotBeDone where it may not be
    done now, and whatever doing it raises."""
    lapse = act.lapse(table, motion)
    if lapse:
        raise CannotBeDone(lapse)
    data = act.Form(table, motion.by, motion.inputs).inputs()
    refusal = act.hindrance(table, motion.by, data)
    if refusal:
        raise CannotBeDone(refusal.sentence)
    done = act.carry_out(table, motion.by, data)
    table.follow_the_rules()
    return Outcome(done) if isinstance(done, str) else done


def attempt(table: Table, what: str, do: Callable[[], Outcome]) -> Outcome | str:
    """What is done; or, with nothing changed, why `what` cannot be done, for everybody to read: a
    fault of the program tells no more. Raises what the database may manage at another try."""
    try:
        with table.tentatively():
            return do()
    except (OperationalError, InterfaceError):
        raise
    except (CannotBeDone, Malformed, TableBroken) as cannot:
        return str(cannot)
    except Exception:
        log.exception("%s in the game %s could not be carried out", what, table.game.slug)
        return "The program failed at it, and nothing has changed."


def _next_number(table: Table) -> int:
    newest = table.game.motions.aggregate(newest=Max("number"))["newest"]
    return int(newest or 0) + 1


def doer(player: Player | None) -> str:
    """Who does an officer's act, for the announcement."""
    return player.name if player else "The operator"


def takes(at: datetime, terms: Terms) -> str:
    """What a motion waits for that is announced at that moment, as a sentence."""
    if terms.wait is None:
        return "It is done as soon as more than half of the other active players support it."
    due = at + terms.wait
    return f"It is done at {due:%Y-%m-%d %H:%M} UTC in the game unless a player objects."


def _short(value: Any) -> str:
    told = "none" if value in (None, "") else " ".join(str(value).split())
    return told if len(told) <= _LONGEST_TOLD else f"{told[: _LONGEST_TOLD - 1]}…"
