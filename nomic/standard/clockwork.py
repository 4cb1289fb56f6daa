"""The game's own clock: its officers' acts on it, and the dice's weekly change of seeds."""

from __future__ import annotations

from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.play.actions import ANY_OFFICE, Action, Inputs, action
from nomic.play.events import appointment, is_event, title_of
from nomic.play.forms import ActionForm, Text
from nomic.play.models import Appointment, Status
from nomic.play.outcomes import Outcome
from nomic.play.subgames import all_subgames
from nomic.play.table import Table


@appointment("dice.week", title="The dice change their seed", every="week", priority=10)
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


class _Reasoned(Action):
    office = ANY_OFFICE

    class Form(ActionForm):
        reason = Text(longest=300)


def _by(player: Player | None) -> str:
    return player.name if player else "The operator"


@action
class Pause(_Reasoned):
    """Let the game's time stand still."""

    name = "games.pause"
    title = "Pause the game"
    sentence = "Pause the game, because {reason}"
    button = "Pause"
    confirm = "Nobody can act and nothing happens until the game is resumed. Pause it?"

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        game = table.game
        game.anchor_game, game.anchor_wall = table.now, table.wall
        game.paused_at, game.paused_wall = table.now, table.wall
        game.save(update_fields=["anchor_game", "anchor_wall", "paused_at", "paused_wall"])
        table.appointments.changed = True
        return f"{_by(player)} pauses the game: {data['reason']}"


@action
class Resume(Action):
    """Let time go on. What is counted in real hours has gone on during the pause."""

    name = "games.resume"
    title = "Resume the game"
    sentence = "Resume the game"
    button = "Resume"
    office = ANY_OFFICE
    while_paused = True

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        if table.game.paused_at is None:
            return Refusal("not_paused", "The game is not paused.")
        return None

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        game = table.game
        assert game.paused_wall is not None
        passed = (table.wall - game.paused_wall) * game.rate
        table.appointments.pull_hours(passed, table.now)
        game.anchor_game, game.anchor_wall = table.now, table.wall
        game.paused_at = game.paused_wall = None
        game.save(update_fields=["anchor_game", "anchor_wall", "paused_at", "paused_wall"])
        return Outcome(
            f"{_by(player)} resumes the game.", {"paused_seconds": passed.total_seconds()}
        )


class _Unsticking(Action):
    office = ANY_OFFICE
    while_stuck = True

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        if table.game.stuck_at is None:
            return Refusal("not_stuck", "The game is not stuck.")
        return None

    def _stuck(self, table: Table) -> Appointment:
        appointment = table.appointments.oldest()
        assert appointment is not None
        table.game.stuck_at, table.game.stuck_error = None, ""
        table.game.save(update_fields=["stuck_at", "stuck_error"])
        table.appointments.changed = True
        return appointment


@action
class SkipAppointment(_Unsticking):
    """Let the event at which the game is stuck not happen, for a reason that all can read."""

    name = "games.skip_appointment"
    title = "Skip the event that could not happen"
    sentence = "Skip it, because {reason}"
    button = "Skip"
    confirm = "The event will never happen. Skip it?"

    class Form(ActionForm):
        reason = Text(longest=300)

    def perform(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        skipped = self._stuck(table)
        skipped.status, skipped.entry = Status.SKIPPED, table.seq
        skipped.save(update_fields=["status", "entry"])
        if is_event(skipped.kind):
            table.appointments.begin(skipped.kind, skipped.subject)
        for subgame in all_subgames():
            if subgame.is_on(table.game):
                subgame.skipped(table, skipped.kind)
        return Outcome(
            f"{_by(player)} skips “{title_of(skipped.kind)}”: {data['reason']}",
            {"kind": skipped.kind, "subject": skipped.subject},
        )


@action
class RetryAppointment(_Unsticking):
    """Try the event at which the game is stuck again at once."""

    name = "games.retry_appointment"
    title = "Retry the event that could not happen"
    sentence = "Try it again now"
    button = "Retry"

    def perform(self, table: Table, player: Player | None, data: Inputs) -> str:
        retried = self._stuck(table)
        retried.retry_at = None
        retried.save(update_fields=["retry_at"])
        return f"{_by(player)} lets “{title_of(retried.kind)}” be tried again."
