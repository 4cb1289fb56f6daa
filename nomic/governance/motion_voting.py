"""Speaking for or against what was announced, how it stands, and what it would change."""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from django.utils.safestring import SafeString

from nomic.engine.actions import STANDSTILL, Action, action, find_action
from nomic.engine.dry_run import Covered, Seen, TookTooLong, imagined, seen_since, states
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.fairness.locks import Stay
from nomic.engine.forms import ActionForm, IntegerChoice
from nomic.engine.outcomes import Busy, Malformed, UnknownGame
from nomic.engine.table import Table
from nomic.games.bounds import PAGE_SECONDS
from nomic.games.clock import END_OF_TIME
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.corrections import Correction
from nomic.governance.models import Motion, Voice
from nomic.governance.motions import (
    CARRY_OUT,
    OBJECT,
    SUPPORT,
    WITHDRAW,
    WITHDRAW_VOICE,
    CannotBeDone,
    action_of,
    electorates,
    end,
    has_spoken,
    open_motion,
    open_motions,
    side_of,
    speak,
)
from nomic.governance.powers import OFFICES_AND_CORRECTIONS
from nomic.governance.rules import MotionTerms
from nomic.rulebook.rendering.diff import Differences
from nomic.rulebook.tables import TableBroken

_KEPT, _WORKING = 60, 10  # seconds
log = logging.getLogger(__name__)
_NEVER_DECIDED = "The game was over before it was decided."


class MotionField(IntegerChoice):
    """An open motion by its number."""

    unknown = "No such motion is open. Open: {}."

    def options(self, table: Table, player: Player | None) -> list[int]:
        return [motion.number for motion in open_motions(table)]


class MotionAction(Action):
    """An act about an open motion.

    Possible while time stands still: players who recall an officer need no officer for it."""

    rule = OFFICES_AND_CORRECTIONS
    possible_while = STANDSTILL

    class Form(ActionForm):
        motion = MotionField()

    def absence(self, table: Table) -> Refusal | None:
        sentence = "Nothing that was announced is waiting now."
        return None if open_motions(table) else Refusal("no_motion", sentence, self.rule)

    def judge(self, table: Table, player: Player, motion: int | None) -> Verdict:
        return None if motion is None else self.about_it(table, player, open_motion(table, motion))

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        """The effects of the act about that motion, or the refusal that says why not."""
        raise NotImplementedError


def _description(motion: Motion) -> str:
    return f"{motion}, “{action_of(motion).act_in_words(motion)}”."


def _not_heard(table: Table, player: Player, motion: Motion, side: Voice.Side) -> Refusal | None:
    """Why such a voice of the player's is of no use; None where it is of some."""
    try:
        terms = action_of(motion).terms_of(table, motion)
    except CannotBeDone as cannot:
        return Refusal("not_in_force", str(cannot), OFFICES_AND_CORRECTIONS)
    if terms is None or terms.method is None:
        return None
    if motion.by_id == player.pk:
        sentence = f"{motion} is yours, and you are not counted: withdraw it if you are against it."
        return Refusal("own_motion", sentence, OFFICES_AND_CORRECTIONS)
    if action_of(motion).hears(motion, terms, side):
        return None
    voices = "objections" if side == Voice.Side.OBJECTS else "support"
    sentence = f"{motion} is done {terms.method}: nobody counts {voices} there."
    return Refusal("not_heard", sentence, OFFICES_AND_CORRECTIONS)


class _VoiceAction(MotionAction):
    side: Voice.Side
    says: str

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        if refusal := _not_heard(table, player, motion, self.side):
            return refusal
        return has_spoken(motion, player, self.side, self.rule) or Effects(
            Then(lambda table: speak(table, motion, [player], self.side)),
            say=f"{player} {self.says} {_description(motion)}",
            figures={"motion": motion.number},
        )


@action
class Object(_VoiceAction):
    """Object to something that was announced. It then waits for the support of more than half of
    those who are counted."""

    name = OBJECT
    title = "Object to a motion"
    sentence = "Object to Motion {motion}"
    also_said = ("Object to {motion}",)
    side, says = Voice.Side.OBJECTS, "objects to"

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        if motion.due is None and not motion.how:
            sentence = f"{motion} needs support. If you are against it, do not support it."
            return Refusal("needs_no_objection", sentence, self.rule)
        return super().about_it(table, player, motion)


@action
class Support(_VoiceAction):
    """Support something that was announced: more than half of those who are counted carry it
    out."""

    name = SUPPORT
    title = "Support a motion"
    sentence = "Support Motion {motion}"
    also_said = ("Support {motion}",)
    side, says = Voice.Side.SUPPORTS, "supports"

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        # Who is away is counted as soon as they act.
        if not player.is_away and player.name not in electorates(table, [motion])[motion.number]:
            sentence = (
                f"Your support of {motion} is not counted: it is for the"
                f" {action_of(motion).electorate(table, motion)}, if they had their seat when it"
                " was announced, for as long as a correction waits."
            )
            return Refusal("not_counted", sentence, self.rule)
        return super().about_it(table, player, motion)


@action
class WithdrawVoice(MotionAction):
    """Take back the objection or the support that you have given. You may speak again."""

    name = WITHDRAW_VOICE
    title = "Take back an objection or support"
    sentence = "Say nothing more of Motion {motion}"
    also_said = ("Withdraw [my] (objection|support) (to|of|for) {motion}",)
    button = "Take it back"

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        spoken = side_of(motion, player)
        if not spoken:
            sentence = f"You have neither objected to {motion} nor supported it."
            return Refusal("not_spoken", sentence, self.rule)
        voice = "objection to" if spoken == Voice.Side.OBJECTS else "support of"
        return Effects(
            Then(lambda at: speak(at, motion, [player], Voice.Side.SILENT)),
            say=f"{player} takes back their {voice} {_description(motion)}",
            figures={"motion": motion.number},
        )


@action
class Withdraw(MotionAction):
    """Withdraw something that you have announced."""

    name = WITHDRAW
    title = "Withdraw a motion"
    sentence = "Withdraw Motion {motion}"

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        if motion.by_id != player.pk:
            return Refusal("not_yours", f"{motion} is {motion.by}'s to withdraw.", self.rule)
        text = f"{player} withdraws {_description(motion)}"
        return Effects(Then(lambda table: end(table, motion, Motion.End.WITHDRAWN, text)))


# How it stands, as pages and the API tell it to one viewer


@dataclass(frozen=True, slots=True)
class MotionStanding:
    """A motion as it stands. `supports` are the names of those who support it and are counted,
    `needed` how many it takes; both are empty and 0 where it has ended or support does not do.

    Where a row of a rule lets it be done, `standing` says how and when, in a sentence.

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
    standing: str = ""

    @property
    def backing(self) -> str:
        """Who supports it or did so, and how many it takes, as a sentence; "" for neither."""
        names = ", ".join(self.supports)
        if self.standing:
            return self.standing if not names else f"{self.standing} Supported by {names}."
        if self.needed and self.due and not self.is_held_up:
            sentence = f"With {self.needed} supporters it is done at once: it has"
            return f"{sentence} {names}." if names else f"{sentence} none yet."
        if self.needed:
            sentence = f"It has {len(self.supports)} of the {self.needed} supporters that it needs"
            return f"{sentence}: {names}." if names else f"{sentence}."
        if not self.motion.end and not self.note and self.due is None:
            return (
                "Nobody's support would count any more. Who announced it may withdraw it and"
                " announce it again."
            )
        return f"Supported by {names}." if names else ""


def standings(
    table: Table, viewer: Player | None, motions: Iterable[Motion] | None = None
) -> list[MotionStanding]:
    """Those motions, or all that are open, the oldest first: in the same number of queries
    for many as for few."""
    listed, is_over = (
        list(open_motions(table) if motions is None else motions),
        table.game.is_closed,
    )
    terms = {
        motion.number: None if motion.end or is_over else _terms_of(table, motion)
        for motion in listed
    }
    asked = [
        motion
        for motion in listed
        if (motion_terms := terms[motion.number]) and motion_terms.by_support
    ]
    counted = electorates(table, asked)
    supporting, objecting = Voice.Side.SUPPORTS, Voice.Side.OBJECTS

    def standing(motion: Motion) -> MotionStanding:
        act, motion_terms, names = (
            action_of(motion),
            terms[motion.number],
            counted.get(motion.number, set()),
        )
        has_ended = bool(motion.end) or is_over
        by_method = motion_terms is not None and motion_terms.method is not None
        has_waited = by_method and motion.due is not None and motion.due <= table.now
        voices = [voice for voice in motion.voices.all() if has_ended or voice.player.active]
        supports, objections = (
            [voice.player.name for voice in voices if voice.side == side]
            for side in (supporting, objecting)
        )
        may = []
        if viewer is not None and viewer.active and not has_ended:
            hears = {
                side
                for side in (supporting, objecting)
                if (motion_terms or not motion.how) and act.hears(motion, motion_terms, side)
            }
            others = not motion.how or motion.by_id != viewer.pk
            if viewer.name in names and viewer.name not in supports and supporting in hears:
                may.append(SUPPORT)
            if others and viewer.name not in objections and objecting in hears:
                may.append(OBJECT)
            if motion.by_id != viewer.pk and viewer.name in (*supports, *objections):
                may.append(WITHDRAW_VOICE)
            if motion.by_id == viewer.pk:
                may += [CARRY_OUT] if act.may_be_done(table, motion) else []
                may.append(WITHDRAW)
        return MotionStanding(
            motion=motion,
            title=act.title,
            intent=act.act_in_words(motion),
            supports=[name for name in supports if has_ended or name in names],
            objections=objections,
            needed=_needed(motion_terms, names),
            due=None if has_ended or has_waited else motion.due,
            is_held_up=not by_method
            and motion_terms is not None
            and len(objections) >= motion_terms.objections,
            may=[find_action(name) for name in may],
            note=motion.note or ("" if motion.end or not is_over else _NEVER_DECIDED),
            standing=act.takes(table, motion) if by_method and not has_ended else "",
        )

    return [standing(motion) for motion in listed]


def _terms_of(table: Table, motion: Motion) -> MotionTerms | None:
    """Its terms; None where a row let it be announced that no rule in force has any more."""
    try:
        return action_of(motion).terms_of(table, motion)
    except CannotBeDone:
        if not motion.how:
            raise
        return None


def _needed(terms: MotionTerms | None, names: Collection[str]) -> int:
    if terms is not None and terms.method is not None:
        return terms.method.support
    return len(names) // 2 + 1 if names else 0


def most_urgent_first(table: Table, label: str = Motion.LABEL) -> list[Motion]:
    """Open motions of that label: those that time alone carries out first, in the order in which
    they are due, so that nothing that needs support hides them."""
    return sorted(open_motions(table, label), key=lambda motion: motion.due or END_OF_TIME)


def unspoken(table: Table, player: Player) -> list[MotionStanding]:
    """The open motions of others that the player may support or object to and has not spoken of
    yet, the most urgent first."""
    motions = [
        motion
        for motion in most_urgent_first(table)
        if motion.by_id != player.pk
        and all(voice.player_id != player.pk for voice in motion.voices.all())
    ]
    return [standing for standing in standings(table, player, motions) if standing.may]


# Previews of a correction, for anybody who looks while it waits


@dataclass(frozen=True, slots=True)
class MotionPreview:
    """The changes as far as the viewer may see them, or the sentence why they are not shown.

    `rewordings` are the titles of rules with the differences of their texts.
    """

    text: str = ""
    changes: Seen | None = None
    rewordings: tuple[tuple[str, SafeString], ...] = ()
    sentence: str = ""


def preview_of(motion: Motion, viewer: Player | None) -> MotionPreview | None:
    """The changes that the motion would make now, learned by carrying it out and undoing that.

    That needs the game's lock, so it is done once for whoever looks again. None where it has ended,
    or is no correction: then there is nothing to be shown beforehand.
    """
    act = action_of(motion)
    if motion.end or motion.game.is_closed or not isinstance(act, Correction):
        return None
    # The same as long as nothing has happened in the game, in public or in private.
    at = f"{motion.game.last_entry}:{motion.game.sealed_count}"
    key = f"nomic:motion:{motion.pk}:{at}:{viewer.pk if viewer else ''}"
    preview: MotionPreview | None = cache.get(key)
    if preview is None:
        # One looks for all, since each look takes the game's lock; where the cache is away and
        # tells None, whoever asks looks.
        if cache.add(f"{key}:at-work", 1, _WORKING) is False:
            return MotionPreview(sentence=str(Busy()))
        try:
            preview = _preview(motion, act, viewer)
            cache.set(key, preview, _KEPT)
        except Busy as busy:
            return MotionPreview(sentence=str(busy))
        finally:
            cache.delete(f"{key}:at-work")
    return preview


def _preview(motion: Motion, act: Correction, viewer: Player | None) -> MotionPreview:
    seconds = PAGE_SECONDS.most
    stay = Stay(monotonic() + seconds)
    try:
        with imagined(motion.game, seconds=seconds, stay=stay) as table:
            before = states(table, viewer, {motion.action.partition(".")[0]})
            done = act.bring_about(table, motion)
            table.follow_the_rules()
            changes = seen_since(table, before, viewer)
    except (Covered, TookTooLong) as reason:
        return MotionPreview(sentence=str(reason) or str(TookTooLong()))
    except (CannotBeDone, Malformed, TableBroken) as cannot:
        return MotionPreview(sentence=f"As things are now it cannot be done: {cannot}")
    except (Busy, UnknownGame, OperationalError, InterfaceError):
        raise  # another look may manage it
    except Exception:
        log.exception("%s in the game %s could not be previewed", motion, motion.game.slug)
        return MotionPreview(
            sentence="The program fails at it as things are now, and it will not be done."
        )
    page = Differences()
    changed = ((rule.title, page.show(rule.before, rule.after)) for rule in changes.rewordings)
    return MotionPreview(done.text, changes, tuple(changed))
