"""Motions: acts that are announced first, who is counted for them, and how they are carried out."""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any, ClassVar, Self

from django.db import InterfaceError, OperationalError
from django.db.models import (
    Case,
    Max,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    When,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce

from nomic.engine.actions import (
    PAUSED,
    STANDSTILL,
    STUCK,
    Action,
    Inputs,
    admission,
    find_action,
    judged,
)
from nomic.engine.effects import Effects, Then, apply
from nomic.engine.events import appointment
from nomic.engine.models import CountedIn
from nomic.engine.outcomes import Malformed, Outcome
from nomic.engine.table import Table
from nomic.games.bounds import ANNOUNCED, ANNOUNCED_OF_PLAYER, MOTIONS, MOTIONS_OF_PLAYER
from nomic.games.clock import iso
from nomic.games.models import Game, Player
from nomic.games.powers import Voters, voters, voters_of, who_is_here
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.governance.models import Motion, Voice
from nomic.governance.powers import OFFICES_AND_CORRECTIONS, objection_time
from nomic.governance.rules import BY_SUPPORT, MotionTerms, fate
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.record.models import Entry, EntryKind
from nomic.rulebook.tables import TableBroken

JOIN = "games.join"
MOTION = "games.motion"
CARRY_OUT = "games.carry_out"
OBJECT, SUPPORT, WITHDRAW = "games.object", "games.support", "games.withdraw"
WITHDRAW_VOICE = "games.withdraw_voice"
BEHALF = "behalf"  # before the name of an act that somebody does for another
OF_OFFICE = "of_office"  # in the entry of one: that it is an office's
_LONGEST_TOLD = 200
_LAPSE = "lapse"  # stands behind a motion's number where it may have lapsed
_OPEN = CompiledQuery(lambda: Motion.objects.filter(end="").order_by("number"), "by__holder")
WITH_VOICES = Prefetch("voices", Voice.objects.select_related("player"))
log = logging.getLogger(__name__)


class CannotBeDone(Exception):
    """The act cannot be carried out as things are now. Nothing has changed."""


class MotionKind:
    """A kind of motion: whom it is for, what it takes, and what is done.

    Motions with one `label` are numbered together, and their kinds agree in all but `terms_of`,
    `intent` and `bring_about`. `event` is the appointment, `counted_in` so, at which time decides.
    Where `voices_decide` they do so in the entry of the last one, else in an `event` right after
    it; a voice can be changed where `voices_change`.
    """

    name: ClassVar[str]
    label: ClassVar[str] = Motion.LABEL
    event: ClassVar[str] = MOTION
    counted_in: ClassVar[CountedIn] = CountedIn.GAME
    voices_change: ClassVar[bool] = True
    voices_decide: ClassVar[bool] = True
    possible_while: ClassVar[tuple[str, ...]] = ()
    people: ClassVar[str] = "players"
    failing: ClassVar[str] = "cannot be done any more"

    def is_on(self, table: Table) -> bool:
        """Whether such motions are decided at all now."""
        return True

    def terms_of(self, table: Table, motion: Motion) -> MotionTerms | None:
        """The terms that hold for the motion now that it is announced; None where nothing is
        needed. Raises CannotBeDone where nothing says it any more, and TableBroken."""
        raise NotImplementedError

    def sealed_inputs(self, table: Table, inputs: Inputs) -> Collection[str]:
        """The names of those inputs that are not for everybody to read."""
        return ()

    def electorates(self, table: Table, motions: Collection[Motion]) -> dict[int, set[str]]:
        """By its number, the names of those whose support of each of these motions is counted."""
        return electorates(table, motions)

    def objectors(self, table: Table) -> Collection[str]:
        """The names of those whose objections are counted."""
        return table.directory.players

    def intent(self, inputs: Inputs) -> str:
        """The act that is meant, as part of a sentence that everybody may read."""
        raise NotImplementedError

    def act_in_words(self, motion: Motion) -> str:
        """The act that the motion means, in the same way."""
        return self.intent(motion.data)

    def row_columns(self, inputs: Inputs) -> dict[str, str]:
        """What is kept of such a motion beside its inputs."""
        return {"action": self.name}

    def hears(self, motion: Motion, terms: MotionTerms | None, side: Voice.Side) -> bool:
        """Whether voices on that side are of any use on these terms."""
        return side != Voice.Side.OBJECTS or motion.due is not None

    def bring_about(self, table: Table, motion: Motion) -> Outcome:
        """Do it; raises CannotBeDone where it may not be done now, and whatever doing it raises."""
        raise NotImplementedError

    # How entries tell of it

    def description(self, motion: Motion) -> str:
        """The motion with what it is about, as the beginning of a sentence."""
        return f"{motion}, “{self.act_in_words(motion)}”"

    def figures(self, motion: Motion) -> dict[str, Any]:
        """The figures that the entry which ends it tells programs."""
        return {"motion": motion.number, "action": motion.action}

    def waiting(self, table: Table, motion: Motion) -> Outcome:
        """The outcome where its time is over, and it is neither done nor prevented."""
        raise NotImplementedError

    def prevented(self, motion: Motion) -> str:
        """The sentence that it is not done, since its terms are not met."""
        return f"{self.description(motion)}, is prevented: enough {self.people} object."


_KINDS: dict[str, MotionKind] = {}


def kind_of(motion: Motion) -> MotionKind:
    """The kind of the motion, which says what it does and who decides."""
    return (not motion.how and _KINDS.get(motion.action)) or action_of(motion)


class AnnouncedAction(Action, MotionKind):
    """An action that is announced as a motion, and carried out when its terms are met.

    What `judge` says is asked when it is announced, and again when it is to be done: then of who
    may still act, unless it `outlives_its_maker`. That may be while the game is stuck: a record
    that is replayed does not tell when it was. One motion of those inputs is open `once_for` all.
    """

    possible_while: ClassVar[tuple[str, ...]] = (STUCK,)
    outlives_its_maker: ClassVar[bool] = False
    once_for: ClassVar[tuple[str, ...]] = ()
    electors_name: ClassVar[str] = "active players"
    is_at_once = False  # whether it waits for nobody, whatever its terms are
    is_due = False  # whether its terms are met, so that no bound of what waits concerns it

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        """The terms on which it is done; None where it is done at once."""
        raise NotImplementedError

    def verdict(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | Effects:
        """The refusal, or the effects that it has at once, or those of its announcement."""
        verdict = super().verdict(table, player, inputs)
        if self.is_due or isinstance(verdict, Refusal):
            return verdict
        if refusal := self.limit(table, player, inputs):
            return refusal
        if self.is_at_once or player is None:
            return verdict
        terms = self.terms(table, player, inputs)
        if terms is None:
            return verdict
        return Effects(Then(lambda at: announce(at, self, player, inputs, terms), likely=verdict))

    def concerned(self, inputs: Inputs) -> set[str]:
        """The names of whom these inputs name, players among them: it is about them."""
        fields = self.Form.base_fields.items()
        names = (inputs.get(name) for name, field in fields if getattr(field, "names_players", 0))
        return {str(name) for name in names if name}

    def announced_too(self, table: Table, inputs: Inputs) -> str:
        """A sentence that is said besides where it is announced; "" for none."""
        return ""

    def terms_of(self, table: Table, motion: Motion) -> MotionTerms | None:
        """By default what announcing it takes now."""
        return self.terms(table, motion.by, motion.data)

    def lapse(self, table: Table, motion: Motion) -> str:
        """Why what was announced is out of date, as a sentence; "" if it is not."""
        return ""

    def electors(self, table: Table) -> QuerySet[Player]:
        """Those whose support decides: the players who may vote."""
        return voters(table.game, table.now)

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """The names of those whose support is not counted: who announced it."""
        return {motion.by.name} if motion.by else set()

    def electorate(self, table: Table, motion: Motion) -> str:
        """Those whose support is counted, as a sentence names them: “other active players”."""
        but = self.uncounted(table, motion)
        is_others = motion.by is not None and but == {motion.by.name}
        words = [*(["other"] if is_others else []), self.electors_name]
        if voters_of(table.game) is not Voters.EVERYBODY:
            words.append("who may vote")
        if but and not is_others:
            words.append(f"but {enumerated(sorted(but))}")
        return " ".join(words)

    def takes(self, table: Table, motion: Motion) -> str:
        """The sentence that says what the motion, announced or not, waits for."""
        if motion.due is not None:
            due = f"{motion.due:%Y-%m-%d %H:%M} UTC in the game"
            return f"It is done at {due} unless a player objects."
        electorate = self.electorate(table, motion)
        return f"It is done as soon as more than half of the {electorate} support it."

    def may_be_done(self, table: Table, motion: Motion) -> bool:
        """Whether who announced it can do it by hand now."""
        return False

    def waiting(self, table: Table, motion: Motion) -> Outcome:
        return Outcome(
            f"{self.description(motion)} was objected to: it waits for the support of more than"
            f" half of the {self.electorate(table, motion)}.",
            {"motion": motion.number},
        )

    def limit(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | None:
        """The refusal of one more than may be open, where this would be announced: of an officer's
        act all inputs tell that, and others do nothing of the kind at once.

        Unlike `judge`, it is not asked again when what was announced is carried out.
        """
        if player is None:
            return None
        about = {name: inputs[name] for name in self.once_for if name in inputs}
        is_told_what = bool(about) and len(about) == len(self.once_for)
        if is_told_what and (waits := announced(table, self.name, **about)):
            return waits
        waiting = [(motion.by_id, _characters(motion.data)) for motion in open_motions(table)]
        own_sizes = [size for by, size in waiting if by == player.pk]
        allowed, added = MOTIONS_OF_PLAYER.of(table.game), _characters(inputs)
        counts = (
            (MOTIONS, len(waiting) + 1),
            (ANNOUNCED_OF_PLAYER, sum(own_sizes) + added),
            (ANNOUNCED, sum(size for _, size in waiting) + added),
        )
        refusals = (
            bound.refusal(table.game, much, OFFICES_AND_CORRECTIONS) for bound, much in counts
        )
        refusal = next(filter(None, refusals), None)
        if len(own_sizes) >= allowed:
            sentence = (
                f"You have announced {allowed} things that wait still. Withdraw one of them, or"
                " announce this when one has ended."
            )
            refusal = Refusal("too_many", sentence, OFFICES_AND_CORRECTIONS)
        if refusal and table.directory.held_by(player):
            is_told = self.Form.base_fields.keys() <= inputs.keys()
            return refusal if is_told and self.terms(table, player, inputs) else None
        return refusal

    def intent(self, inputs: Inputs) -> str:
        """A sentence without its full stop, with the beginnings of long inputs."""
        shown = {}
        for name, content in inputs.items():
            words = "none" if content in (None, "") else " ".join(str(content).split())
            shown[name] = words if len(words) <= _LONGEST_TOLD else f"{words[: _LONGEST_TOLD - 1]}…"
        return self.sentence.format(**shown) if self.sentence else self.title

    @property
    def as_done(self) -> Self:
        """The action as it is when it happens, to show beforehand what it will change."""
        done = copy(self)  # since the registered action is that of all games and threads
        done.is_at_once = True
        return done

    def bring_about(self, table: Table, motion: Motion) -> Outcome:
        assert motion.by is not None, "An action is announced by a player."
        if lapse := self.lapse(table, motion):
            raise CannotBeDone(lapse)
        inputs = self.Form(table, motion.by, motion.data).inputs()
        gone = None if self.outlives_its_maker else admission(self, table, motion.by)
        due = self.as_done  # a copy, too
        due.is_due = True
        verdict = gone or judged(due, table, motion.by, inputs)
        if isinstance(verdict, Refusal):
            raise CannotBeDone(verdict.sentence)
        return apply(table, verdict)


def _characters(inputs: Inputs) -> int:
    return sum(len(str(content)) for content in inputs.values())


class AskedOfAll(AnnouncedAction):
    """An officer's act that all players are asked to do while its office, or for `*` any, is
    vacant. Then they have to support it, so that nobody decides alone."""

    def is_everybodys(self, table: Table) -> bool:
        offices = table.directory.offices
        return self.is_of([name for name, holder in offices.items() if not holder], table.game)

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        if player is None or self.is_of(table.directory.held_by(player), table.game):
            return None
        return BY_SUPPORT


class BySupport(AnnouncedAction):
    """An act that takes the support of more than half of the players, whoever announces it."""

    rule = OFFICES_AND_CORRECTIONS
    possible_while = STANDSTILL

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms:
        return BY_SUPPORT


def announce(
    table: Table, act: AnnouncedAction, player: Player, inputs: Inputs, terms: MotionTerms
) -> Outcome:
    """Make the motion. Who announces it supports it, if that is counted."""
    motion = make_motion(table, act, inputs, terms, player)
    sentence = f"{player} announces {motion}: “{act.intent(inputs)}”."
    if player.name not in act.uncounted(table, motion):
        settled = speak(table, motion, [player], Voice.Side.SUPPORTS)
        if settled is not None:
            return replace(settled, text=f"{sentence} {settled.text}")
    figures = {"motion": motion.number, "due": iso(motion.due) if motion.due else None}
    text = f"{sentence} {act.takes(table, motion)} {act.announced_too(table, inputs)}"
    return Outcome(text.rstrip(), figures)


def next_number(rows: QuerySet[Any]) -> Any:
    """The number of the next of these rows, worked out by the database as it writes it: the game's
    lock keeps others away, and a query before it would be one more."""
    return Coalesce(Subquery(rows.order_by("-number").values("number")[:1]), 0) + 1


def make_motion(
    table: Table, kind: MotionKind, inputs: Inputs, terms: MotionTerms, by: Player | None = None
) -> Motion:
    """Make the motion, with its appointment where time alone can carry it out."""
    table.drop(_every_open_motion)
    sealed = {name: inputs[name] for name in kind.sealed_inputs(table, inputs)}
    motion = Motion.objects.create(
        game=table.game,
        label=kind.label,
        number=next_number(table.game.motions.filter(label=kind.label)),
        inputs={name: content for name, content in inputs.items() if name not in sealed},
        sealed=sealed,
        by=by,
        entry=table.seq,
        at=table.now,
        due=None if terms.wait is None else table.now + terms.wait,
        **kind.row_columns(inputs),
    )
    if terms.lapse is not None:
        lapses(table, motion, terms.lapse)
    if motion.due is not None:
        number, counted_in = str(motion.number), kind.counted_in
        table.appointments.make(kind.event, motion.due, number, counted_in=counted_in)
    return motion


def lapses(table: Table, motion: Motion, lapse: timedelta) -> None:
    """Let the motion be looked at when that time since its announcement is over."""
    if motion.at + lapse > table.now:
        kind = kind_of(motion)
        subject = f"{motion.number}/{_LAPSE}"
        table.appointments.make(kind.event, motion.at + lapse, subject, counted_in=kind.counted_in)


def open_motions(table: Table, label: str = Motion.LABEL) -> list[Motion]:
    """The motions of that label that have not ended, oldest first, each with who announced it and
    the voices; read once for all who ask at this table what there is. None in a game that is over.
    """
    return [motion for motion in table.once(_every_open_motion) if motion.label == label]


def open_motion(table: Table, number: int, label: str = Motion.LABEL) -> Motion:
    """The open one of that number; raises StopIteration if there is none."""
    return next(motion for motion in open_motions(table, label) if motion.number == number)


def _every_open_motion(table: Table) -> list[Motion]:
    motions = [] if table.game.is_closed else _OPEN.all(game=table.game)
    prefetch_related_objects(motions, WITH_VOICES)
    return motions


def open_with(table: Table, *actions: str, **inputs: Any) -> list[Motion]:
    """The open motions that are to do one of these actions, with such inputs."""
    return [
        motion
        for motion in open_motions(table)
        if motion.action in actions and inputs.items() <= motion.inputs.items()
    ]


def about(table: Table, name: str) -> list[Motion]:
    """The open motions that name the player of that name."""
    return [
        motion
        for motion in open_motions(table)
        if name in action_of(motion).concerned(motion.inputs)
    ]


def announced(
    table: Table, name: str, *, by: Player | None = None, **inputs: Any
) -> Refusal | None:
    """The refusal of a second motion of that action with these inputs, or of a second one `by` a
    player."""
    for motion in open_with(table, name, **inputs):
        if by is None or motion.by == by:
            sentence = f"That is announced already, as {motion}: it waits for support."
            return Refusal("announced", sentence, OFFICES_AND_CORRECTIONS)
    return None


_BY_ROWS: list[AnnouncedAction] = []  # the kind of what rows of rules let be announced


def action_of(motion: Motion) -> AnnouncedAction:
    """The action that the motion is to do."""
    act = _BY_ROWS[0] if motion.how else find_action(motion.action)
    assert isinstance(act, AnnouncedAction)
    return act


def decide_by_rows(kind: AnnouncedAction) -> AnnouncedAction:
    """Let that be the kind of motions that rows of rules let be announced."""
    _BY_ROWS.append(kind)
    return kind


def electorates(table: Table, motions: Collection[Motion]) -> dict[int, set[str]]:
    """By its number, the names of those who are counted for each of these motions of actions: the
    electors who had their seat for the objection time when it was announced, or, where nobody had,
    those who had one at all. Who has left and practice players are not, nor who is away and has not
    spoken."""
    if not motions:
        return {}
    since = min(motion.entry for motion in motions)
    joins = table.game.entries.filter(name=JOIN, seq__gt=since).order_by()
    came = dict(joins.values_list("actor").annotate(Max("seq")))
    wait = objection_time(table)
    seated: dict[str, list[tuple[int, str, datetime, bool]]] = {}

    @cache
    def spoken() -> set[tuple[int, int]]:
        voices = Voice.objects.filter(motion__in=motions, player__away_in__isnull=False)
        return {*voices.values_list("motion__number", "player")}

    def counted(motion: Motion) -> set[str]:
        act = action_of(motion)
        if act.name not in seated:
            electors = act.electors(table).filter(active=True, bot=False).order_by()
            is_here = Case(When(who_is_here(), then=True), default=False)
            seated[act.name] = list(electors.values_list("pk", "name", "joined_at", is_here))
        but, at = act.uncounted(table, motion), motion.at - wait
        seats = [
            (name, joined_at <= at)
            for pk, name, joined_at, is_here in seated[act.name]
            if came.get(pk, 0) <= motion.entry and name not in but
            if is_here or (motion.number, pk) in spoken()
        ]
        return {name for name, is_settled in seats if is_settled} or {name for name, _ in seats}

    return {motion.number: counted(motion) for motion in motions}


def voices(
    table: Table, motions: Collection[Motion]
) -> tuple[Counter[tuple[int, str]], dict[int, set[str]]]:
    """How many are counted of those who speak on a side of these motions of one label, by number
    and side; and by its number who may support each."""
    kind = kind_of(next(iter(motions)))
    counted = kind.electorates(table, motions)
    may_object, heard = set(kind.objectors(table)), Counter[tuple[int, str]]()
    spoken = Voice.objects.filter(motion__in=motions)
    for number, side, name in spoken.values_list("motion__number", "side", "player__name"):
        among = may_object if side == Voice.Side.OBJECTS else counted.get(number, ())
        heard[number, side] += name in among
    return heard, counted


def fates(
    table: Table, terms: Mapping[Motion, MotionTerms | None], *, is_over: bool = False
) -> dict[Motion, str | None]:
    """The fate of each of these motions of one label, on these terms: `done`, `prevented`, or None
    while it is undecided. Time `is_over` for all, or for those that are due."""
    if not terms:
        return {}
    asking = [motion for motion in terms if terms[motion]]
    heard, counted = voices(table, asking) if asking else (Counter[tuple[int, str]](), {})

    def come_to(motion: Motion, asked: MotionTerms | None) -> str | None:
        if asked is None:
            return "done"
        number, over = motion.number, is_over or bool(motion.due and table.now >= motion.due)
        objections, supports = heard[number, "objects"], heard[number, "supports"]
        has_lapsed = asked.lapse is not None and table.now >= motion.at + asked.lapse
        electors = len(counted[number])
        return fate(objections, supports, electors, over, asked, has_lapsed=has_lapsed)

    return {motion: come_to(motion, asked) for motion, asked in terms.items()}


def speak(
    table: Table, motion: Motion, players: Iterable[Player], side: Voice.Side
) -> Outcome | None:
    """Let these players object to the motion or support it, and do what that decides. Returns what
    is decided in the entry that is being made, if anything is."""
    kind = kind_of(motion)
    Voice.objects.bulk_create(
        [Voice(motion=motion, player=player, side=side, entry=table.seq) for player in players],
        update_conflicts=kind.voices_change,
        unique_fields=["motion", "player"],
        update_fields=["side", "entry"],
    )
    if kind.voices_decide:
        return settle(table, motion)
    settle_all(table, kind.label)
    return None


def side_of(motion: Motion, player: Player) -> str:
    """The side on which the player speaks of an open motion; "" for none."""
    sides = (voice.side for voice in motion.voices.all() if voice.player_id == player.pk)
    side = next(sides, "")
    return "" if side == Voice.Side.SILENT else side


def has_spoken(motion: Motion, player: Player, side: Voice.Side, rule: str) -> Refusal | None:
    """The refusal of what the player has said of an open motion already, or may not take back."""
    spoken = side_of(motion, player)
    if not spoken or (kind_of(motion).voices_change and spoken != side):
        return None
    verb = "object to" if spoken == Voice.Side.OBJECTS else "support"
    return Refusal("has_spoken", f"You {verb} {motion} already.", rule)


def settle(
    table: Table, motion: Motion, *, is_over: bool = False, is_decided: bool = False
) -> Outcome | None:
    """Carry the motion out, or end it, if that is decided; None while it is not. `is_over` for one
    whose time is, whatever moment was told for that; `is_decided` for one that is to be done."""
    kind = kind_of(motion)
    try:
        terms = {motion: kind.terms_of(table, motion)}
        decided = "done" if is_decided else fates(table, terms, is_over=is_over)[motion]
        if decided is None:
            return None
        if decided == "prevented":
            return end(table, motion, Motion.End.PREVENTED, kind.prevented(motion))
        if table.game.paused_at and PAUSED not in kind.possible_while:
            table.appointments.make(kind.event, table.now, f"{motion.number}/{table.seq}")
            text = f"{motion} is done as soon as the game is resumed."
            return Outcome(text, {"motion": motion.number})
        with table.tentatively():  # ended before it is done: what it makes impossible is not it
            ended = end(table, motion, Motion.End.DONE, f"{motion} is done.")
            outcome = kind.bring_about(table, motion)
            table.follow_the_rules()  # what they make follow from it may be impossible as well
        return Outcome(f"{ended.text} {outcome.text}", {**outcome.figures, **ended.figures})
    except (OperationalError, InterfaceError):
        raise  # the database may manage it at another try
    except (CannotBeDone, Malformed, TableBroken) as cannot:
        reason = str(cannot)
    except Exception:  # for everybody to read, so that a fault of the program tells no more
        log.exception("%s in the game %s could not be carried out", motion, table.game.slug)
        reason = "The program failed at it, and nothing has changed."
    return end(
        table,
        motion,
        Motion.End.FAILED,
        f"{kind.description(motion)}, {kind.failing}: {reason}",
        reason,
    )


def settle_all(table: Table, label: str = Motion.LABEL) -> None:
    """Let what is decided of the motions of that label by a voice, a coming or a leaving happen at
    this moment, each by itself. What a table cannot be read for waits for its own moment."""
    terms = {}
    for motion in open_motions(table, label):
        with suppress(CannotBeDone, TableBroken):
            terms[motion] = kind_of(motion).terms_of(table, motion)
    decided = [motion for motion, decision in fates(table, terms).items() if decision]
    if decided:
        # The entry tells this from the moment when the time is over.
        subjects = [f"{motion.number}/{table.seq}" for motion in decided]
        table.appointments.make(kind_of(decided[0]).event, table.now, subjects)


def end(table: Table, motion: Motion, how: Motion.End, text: str, note: str = "") -> Outcome:
    """Note how the motion has ended; what is appointed for it is cancelled."""
    kind = kind_of(motion)
    table.drop(_every_open_motion)
    motion.end, motion.ended_in, motion.note = how, table.seq, note
    motion.save(update_fields=["end", "ended_in", "note"])
    table.appointments.cancel_whole(kind.event, str(motion.number))
    return Outcome(text, {**kind.figures(motion), "end": str(how)})


def end_all(table: Table, reason: str, *actions: str, **inputs: Any) -> None:
    """Let nothing more be done of the open motions that are to do one of these actions, with such
    inputs: for that reason, a sentence."""
    for motion in open_with(table, *actions, **inputs):
        end(table, motion, Motion.End.FAILED, reason, reason)


def _look_at_the_motion(label: str, table: Table, subject: str) -> Outcome:
    """Carry it out, or end it, unless it has to wait for support.

    `subject` is its number, and behind a slash the entry that made it be looked at earlier.
    """
    number, _, early = subject.partition("/")
    for motion in open_motions(table, label):
        if motion.number == int(number) and (kind := kind_of(motion)).is_on(table):
            return settle(table, motion, is_over=not early) or kind.waiting(table, motion)
    return Outcome(f"Nothing is to be done of {label} {number} any more.")


appointment(MOTION, title="A motion's time is over", rule=OFFICES_AND_CORRECTIONS, at_once=True)(
    partial(_look_at_the_motion, Motion.LABEL)
)


def register[EntryKind: MotionKind](kind: EntryKind, title: str, rule: str) -> EntryKind:
    """Let there be that kind of motions, which is no action of its own, and its event."""
    _KINDS[kind.name] = kind
    look = partial(_look_at_the_motion, kind.label)
    appointment(kind.event, title=title, rule=rule, at_once=True)(look)
    return kind


def doer(player: Player | None) -> str:
    """Who does an officer's act, for the announcement."""
    return player.name if player else "The operator"


def made_by_officers(game: Game, act: str = "", *, but: Iterable[str] = ()) -> QuerySet[Entry]:
    """The entries in which an act of an office was done: at once, on its holder's behalf, or when
    what had been announced came about. Perhaps only `act`, or without the acts whose names begin
    like one of `but`."""
    done = Q(outcome__contains={"end": Motion.End.DONE.value})
    at_once = Q(kind=EntryKind.OFFICER) & (~Q(outcome__has_key="motion") | done)
    for_officer = Q(name__startswith=f"{BEHALF}.", outcome__has_key=OF_OFFICE)
    later = Q(name__in=(MOTION, SUPPORT, CARRY_OUT, WITHDRAW_VOICE)) & done
    if act:
        at_once, later = at_once & Q(name=act), later & Q(outcome__action=act)
        for_officer &= Q(name=f"{BEHALF}.{act}")
    for prefix in but:
        at_once &= ~Q(name__startswith=prefix)
        later &= ~Q(outcome__action__startswith=prefix)
        for_officer &= ~Q(name__startswith=f"{BEHALF}.{prefix}")
    return game.entries.filter(at_once | later | for_officer)
