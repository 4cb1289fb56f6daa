"""Speaking for or against what was announced, and withdrawing it."""

from nomic.engine.actions import Action, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, IntegerChoice
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.models import Motion, Voice
from nomic.standard.motions import (
    OBJECT,
    SUPPORT,
    WITHDRAW,
    action_of,
    electorates,
    end,
    has_spoken,
    open_motion,
    open_motions,
    speak,
)
from nomic.standard.powers import OFFICES_AND_CORRECTIONS


class MotionField(IntegerChoice):
    """An open motion by its number."""

    def offer(self, table: Table, player: Player | None) -> None:
        self.numbers = tuple(motion.number for motion in open_motions(table))
        self.choices = [(number, str(number)) for number in self.numbers]
        listed = ", ".join(map(str, self.numbers)) or "none"
        self.error_messages["invalid_choice"] = f"No such motion is open. Open: {listed}."


class _MotionAction(Action):
    """Possible while time stands still: players who recall an officer need no officer for it."""

    rule = OFFICES_AND_CORRECTIONS
    while_stuck = True
    while_paused = True

    class Form(ActionForm):
        motion = MotionField()

    def applies(self, table: Table) -> bool:
        return bool(open_motions(table))

    def absence(self, table: Table) -> Refusal:
        return Refusal("no_motion", "Nothing that was announced is waiting now.", self.rule)

    def judge(self, table: Table, player: Player, motion: int | None) -> Verdict:
        return None if motion is None else self.about_it(table, player, open_motion(table, motion))

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        """The effects of the act about that motion, or the refusal that says why not."""
        raise NotImplementedError


def _told(motion: Motion) -> str:
    return f"{motion}, “{action_of(motion).intent(motion.data)}”."


class _VoiceAction(_MotionAction):
    side: Voice.Side
    says: str

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        return has_spoken(motion, player, self.side, self.rule) or Effects(
            Then(lambda table: speak(table, motion, [player], self.side)),
            say=f"{player} {self.says} {_told(motion)}",
            figures={"motion": motion.number},
        )


@action
class Object(_VoiceAction):
    """Object to something that was announced. It then waits for the support of more than half of
    the active players."""

    name = OBJECT
    title = "Object to a motion"
    sentence = "Object to Motion {motion}"
    also_said = ("Object to {motion}",)
    side, says = Voice.Side.OBJECTS, "objects to"

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        if motion.due is None:
            sentence = f"{motion} needs support. If you are against it, do not support it."
            return Refusal("needs_no_objection", sentence, self.rule)
        return super().about_it(table, player, motion)


@action
class Support(_VoiceAction):
    """Support something that was announced: more than half of the active players carry it out."""

    name = SUPPORT
    title = "Support a motion"
    sentence = "Support Motion {motion}"
    also_said = ("Support {motion}",)
    side, says = Voice.Side.SUPPORTS, "supports"

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        if player.name not in electorates(table, [motion])[motion.number]:
            sentence = (
                f"Your support of {motion} is not counted: it is for the others who had their seat"
                " when it was announced, for as long as a correction waits."
            )
            return Refusal("not_counted", sentence, self.rule)
        return super().about_it(table, player, motion)


@action
class Withdraw(_MotionAction):
    """Withdraw something that you have announced."""

    name = WITHDRAW
    title = "Withdraw a motion"
    sentence = "Withdraw Motion {motion}"

    def about_it(self, table: Table, player: Player, motion: Motion) -> Refusal | Effects:
        if motion.by_id != player.pk:
            return Refusal("not_yours", f"{motion} is {motion.by}'s to withdraw.", self.rule)
        text = f"{player} withdraws {_told(motion)}"
        return Effects(Then(lambda table: end(table, motion, Motion.End.WITHDRAWN, text)))
