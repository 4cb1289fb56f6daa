"""The Horsened's corrections of the race, and whether they alone see to it that each week has a
motivation."""

from horses.actions.fields import HorseField
from horses.actions.switches import PLACES, Pulls, RacePlace, RacePosition
from horses.actions.turns import RaceAction
from horses.events import BY_HAND, DEPUTISE, is_deputised, schedule_last_hour
from horses.rules.titles import HORSES, MOTIVATING
from horses.state import HORSENED, RUN_EVENT, State
from nomic.engine.actions import action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.governance.corrections import SwitchCorrection
from nomic.governance.desks import OFFICER, KeeperField, keeping_refusal
from nomic.governance.models import Motion

_FARTHEST = 1_000


class _Correction(SwitchCorrection):
    office = HORSENED
    rule = HORSES
    of = "horse"

    def lapse(self, table: Table, motion: Motion) -> str:
        """Where a horse should stand was said of the race as it was before the horses ran."""
        ran = table.game.entries.filter(name=RUN_EVENT, outcome__ran=True)
        if ran.filter(seq__gt=motion.entry).exists():
            return "The horses have run after that was announced."
        return super().lapse(table, motion)


@action
class CorrectPosition(_Correction):
    """Put a horse where it should stand."""

    name = "horses.correct_position"
    title = "Correct a Race Position"
    sentence = "Put {horse} at position {position}, because {reason}"
    switch, to = RacePosition(), "position"

    class Form(ActionForm):
        horse = HorseField()
        position = WholeNumber(0, _FARTHEST)
        reason = Text(longest=300)


@action
class CorrectPlace(_Correction):
    """Set or take away a horse's Race Place. The third, which ends a race, only crossing gives."""

    name = "horses.correct_place"
    title = "Correct a Race Place"
    sentence = "Let {horse} have the Race Place {place}, because {reason}"
    switch, to = RacePlace(), "place"

    class Form(ActionForm):
        horse = HorseField()
        place = TextChoice(*PLACES)
        reason = Text(longest=300)


@action
class CorrectPulls(_Correction):
    """Set a horse's pulls: names separated by commas, or none."""

    name = "horses.correct_pulls"
    title = "Correct a horse's pulls"
    sentence = "Let the pulls of {horse} be {pulls}, because {reason}"
    says = "{who} corrects {of}'s pulls to {after}: {reason}"
    rule = MOTIVATING
    switch, to = Pulls(), "pulls"

    class Form(ActionForm):
        horse = HorseField()
        pulls = Text(required=False, longest=300, label="Pulls, separated by commas")
        reason = Text(longest=300)


@action
class KeepByHand(RaceAction):
    """Say who motivates the horses in a week's last hour if nobody has: the system, or the
    Horsened alone. If the Horsened does not, the horses do not run."""

    name = "horses.keep_by_hand"
    title = "Keep the motivating by hand, or leave it to the system"
    sentence = "From now on {keeper} motivates the horses if nobody has"
    button = "Decide"
    office = HORSENED
    rule = MOTIVATING

    class Form(ActionForm):
        keeper = KeeperField()

    def judge(self, race: State, player: Player | None, keeper: str | None) -> Verdict:
        game, by_hand = race.table.game, keeper == OFFICER
        settings = {**game.settings, BY_HAND: by_hand, **({} if by_hand else {DEPUTISE: True})}
        officer = player.name if player else "The operator, for the Horsened,"
        is_now = not is_deputised(race.table)
        return keeping_refusal(race.table, HORSENED, keeper, MOTIVATING, by_hand=is_now) or Effects(
            Set(game, settings=settings),
            Then(schedule_last_hour),
            say=f"{officer} decides that {keeper} motivates the horses if nobody has.",
        )
