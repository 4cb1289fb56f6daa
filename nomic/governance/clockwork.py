"""The game's own clock: its officers' acts on it, and the dice's weekly change of seeds."""

from typing import Any, ClassVar

from django.db.models import Q

from nomic.engine.actions import ANY_OFFICE, STANDSTILL, STUCK, Action, Inputs, TimeStopper, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.events import appointment, is_event, title_of
from nomic.engine.forms import ActionForm, Text
from nomic.engine.models import Appointment, AppointmentStatus
from nomic.engine.outcomes import Outcome
from nomic.engine.schedule import oldest_appointment
from nomic.engine.subgames import all_subgames, rulebook_keeper
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.powers import Offices, offices_of
from nomic.games.refusal import Refusal
from nomic.governance.models import Motion
from nomic.governance.motions import AnnouncedAction, AskedOfAll, announced, doer, end_all
from nomic.governance.powers import OFFICES_AND_CORRECTIONS
from nomic.governance.rules import BY_SUPPORT, MotionTerms

RESUME = "games.resume"


@appointment(
    "dice.week", title="The dice change their seed", every="week", priority=10, routine=True
)
def the_dice_change_their_seed(table: Table, subject: str) -> Outcome:
    """Start of a week: publish the seed that served the last one, commit to the next."""
    old = table.dice.close_period()
    new = table.dice.open_period(old.number + 1)
    text = (
        f"The dice's seed {old.number} is published: {old.seed}."
        f" Seed {new.number} is committed to as {new.commitment}."
    )
    figures = {
        "published": {"number": old.number, "seed": old.seed, "commitment": old.commitment},
        "committed": {"number": new.number, "commitment": new.commitment},
    }
    return Outcome(text, figures)


def let_time_stand_still(table: Table) -> None:
    """Let the game's time go on no more, if it does."""
    game = table.game
    if not game.paused_at:
        game.anchor_game, game.anchor_wall = table.now, table.wall
        game.paused_at, game.paused_wall = table.now, table.wall
        game.save(update_fields=["anchor_game", "anchor_wall", "paused_at", "paused_wall"])
    table.appointments.changed = True


def let_time_go_on(table: Table, by: str) -> Verdict:
    """The effects of letting the game's time go on, by whom that is said."""
    game = table.game
    if game.paused_at is None or game.paused_wall is None:
        return Refusal("not_paused", "The game is not paused.")
    pause = (table.wall - game.paused_wall) * game.rate
    anchors = {"anchor_game": table.now, "anchor_wall": table.wall}
    return Effects(
        Then(lambda at: at.appointments.pull_hours(pause, at.now)),
        Set(game, **anchors, paused_at=None, paused_wall=None),
        Then(lambda at: end_all(at, "The game was resumed.", RESUME)),
        say=f"{by} resumes the game.",
        figures={"paused_seconds": pause.total_seconds()},
    )


@action
class Pause(TimeStopper):
    """Let the game's time stand still."""

    name = "games.pause"
    title = "Pause the game"
    sentence = "Pause the game, because {reason}"
    office = ANY_OFFICE
    confirm = "Nobody can act and nothing happens until the game is resumed. Pause it?"

    class Form(ActionForm):
        reason = Text(longest=300)

    def judge(self, table: Table, player: Player | None, reason: str | None) -> Effects:
        return Effects(Then(let_time_stand_still), say=f"{doer(player)} pauses the game: {reason}")


@action
class Resume(AskedOfAll):
    """Let time go on. What counts real hours went on during the pause. The support of more than
    half of the players does it too, so no officer can pause a game for good."""

    name = RESUME
    title = "Resume the game"
    sentence = "Resume the game"
    office = ANY_OFFICE
    possible_while = STANDSTILL

    def is_everybodys(self, table: Table) -> bool:
        return table.game.paused_at is not None

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """Nobody: who announces it supports it."""
        return set()

    def judge(self, table: Table, player: Player | None) -> Verdict:
        waits = self.terms(table, player, {}) is not None
        again = announced(table, RESUME) if waits and table.game.paused_at else None
        return again or let_time_go_on(table, doer(player))


class _Unsticking(Action):
    office = ANY_OFFICE
    possible_while: ClassVar[tuple[str, ...]] = (STUCK,)

    def verdict(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | Effects:
        if table.game.stuck_at is None:
            return Refusal("not_stuck", "The game is not stuck.")
        return super().verdict(table, player, inputs)

    def _stuck(self, table: Table) -> Appointment:
        appointment = oldest_appointment(table.game)
        assert appointment is not None
        table.game.stuck_at, table.game.stuck_error = None, ""
        table.game.save(update_fields=["stuck_at", "stuck_error"])
        table.appointments.changed = True
        return appointment


@action
class SkipAppointment(_Unsticking, AnnouncedAction):
    """Let the event at which the game is stuck not happen, for a reason that all can read.

    Its officer, or the rulebook's, does it with the players' support; the operator does it at once,
    and so does any officer of a practice game.
    """

    name = "games.skip_appointment"
    title = "Skip the event that could not happen"
    sentence = "Skip it, because {reason}"
    confirm = "The event will never happen. Skip it?"

    class Form(ActionForm):
        reason = Text(longest=300)

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        if player is None or offices_of(table.game) is Offices.OPEN:
            return None
        return BY_SUPPORT

    def _not_theirs(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | None:
        """The refusal where offices keep that event, and the player holds none of them."""
        if player is None or self.terms(table, player, inputs) is None:
            return None
        oldest = oldest_appointment(table.game)
        part = oldest.kind.partition(".")[0] if oldest else ""
        names = {subgame.keeper(table.game) for subgame in all_subgames() if subgame.name == part}
        keepers = {*names, rulebook_keeper(table.game)} & table.directory.offices.keys()
        if not keepers or not keepers.isdisjoint(table.directory.held_by(player)):
            return None
        sentence = (
            f"This event is skipped by who holds the office of {' or '.join(sorted(keepers))}."
        )
        return Refusal("not_your_domain", sentence, OFFICES_AND_CORRECTIONS)

    def lapse(self, table: Table, motion: Motion) -> str:
        over = Q(
            status__in=(AppointmentStatus.DONE, AppointmentStatus.SKIPPED), entry__gt=motion.entry
        )
        oldest = oldest_appointment(table.game)
        passed = table.game.appointments.filter(over).exists()
        if passed or oldest is None or oldest.due > motion.at:
            return "The event at which the game was stuck then does not wait any more."
        refusal = self._not_theirs(table, motion.by, motion.inputs)
        return refusal.sentence if refusal else ""

    def judge(self, table: Table, player: Player | None, reason: str | None) -> Verdict:
        def skip(at: Table) -> Outcome:
            skipped = self._stuck(at)
            skipped.status, skipped.entry = AppointmentStatus.SKIPPED, at.seq
            skipped.save(update_fields=["status", "entry"])
            if is_event(skipped.kind):
                at.appointments.begin(skipped.kind, skipped.subject)
            figures: dict[str, Any] = {"kind": skipped.kind, "subject": skipped.subject}
            for subgame in all_subgames():
                if subgame.is_on(at.game):
                    figures |= subgame.skipped(at, skipped.kind) or {}
            sentence = f"{doer(player)} skips “{title_of(skipped.kind)}”: {reason}"
            return Outcome(sentence, figures)

        return self._not_theirs(table, player, {}) or Effects(Then(skip))


@action
class RetryAppointment(_Unsticking):
    """Try at once the event at which the game is stuck."""

    name = "games.retry_appointment"
    title = "Retry the event that could not happen"
    sentence = "Try it again now"

    def judge(self, table: Table, player: Player | None) -> Effects:
        def retry(at: Table) -> str:
            retried = self._stuck(at)
            retried.retry_at = None
            retried.save(update_fields=["retry_at"])
            return f"{doer(player)} lets “{title_of(retried.kind)}” be tried again."

        return Effects(Then(retry))
