"""The Horsened's corrections of the race, and whether they alone see to it that each week has a
motivation."""

from collections.abc import Mapping, Sequence
from typing import Any

from horses.actions.fields import HorseField
from horses.actions.switches import PLACES, Pulls, RacePlace, RacePosition
from horses.actions.turns import RaceAction
from horses.events import BY_HAND, DEPUTISE, is_deputised, schedule_last_hour
from horses.models import WEEKLY, Bet, Gear, GearKind, Motivation, Turn
from horses.rules.legality import ALEXIA, CANNON, DESTRUCTOR
from horses.rules.titles import ACTIONS, HORSES, MOTIVATING, as_dollaries
from horses.state import HORSENED, RUN_EVENT, State, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effect, Effects, Set, Then, Verdict
from nomic.engine.forms import (
    ActionForm,
    IntegerChoice,
    PlayerField,
    Text,
    TextChoice,
    WholeNumber,
)
from nomic.engine.table import Table
from nomic.games.calendars import month_start, week_start
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.corrections import MOST, RowCorrection, SwitchCorrection
from nomic.governance.desks import OFFICER, KeeperField, keeping_refusal
from nomic.governance.models import Motion

HAVE, HAVE_NOT = "have", "not have"
USED, NOT_USED = "used", "not used"
NO_HORSE = "none"
# What can be used once a week or a month, as a sentence has it, and as its rows do.
TURNS = {
    "the weekly race action": WEEKLY,
    **{f"{horse}'s power": horse for horse in (ALEXIA, CANNON, DESTRUCTOR)},
}
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


class _RowCorrection(RowCorrection, RaceAction):
    """A correction of what players have done in this race."""

    office = HORSENED
    rule = ACTIONS

    def lapse(self, table: Table, motion: Motion) -> str:
        if state_of(table).running_race.started_in > motion.entry:
            return "The race that this is about has ended."
        return super().lapse(table, motion)


@action
class CorrectGear(_RowCorrection):
    """Give a player a jersey or a helmet for a horse, or take it from them. The fee, the week's
    action and a jersey's pull do not follow: each is corrected by itself."""

    name = "horses.correct_gear"
    title = "Correct a jersey or helmet"
    sentence = "Let {who} {having} a {gear} for {horse}, because {reason}"
    model = Gear

    class Form(ActionForm):
        who = PlayerField(label="Player")
        having = TextChoice(HAVE, HAVE_NOT)
        gear = TextChoice(*GearKind.values)
        horse = HorseField()
        reason = Text(longest=300)

    def key(self, state: State, inputs: Inputs) -> dict[str, Any]:
        player = state.table.seat(inputs["who"])
        race, horse, kind = state.running_race, inputs["horse"], inputs["gear"]
        return {"race": race, "player": player, "horse": horse, "kind": kind}

    def to_be(self, state: State, inputs: Inputs) -> dict[str, Any] | None:
        return {} if inputs["having"] == HAVE else None

    def subject(self, inputs: Inputs) -> str:
        return f"{inputs['who']}'s {inputs['gear']} for {inputs['horse']}"

    def in_words(self, columns: Mapping[str, Any] | None, inputs: Inputs) -> str:
        return "none" if columns is None else "one"


@action
class CorrectBet(_RowCorrection):
    """Set how many dollaries a player has bet on a horse in this race. No dollary moves by it: who
    has them is corrected in the ledger."""

    name = "horses.correct_bet"
    title = "Correct a bet"
    sentence = "Let the bet of {who} on {horse} be {dollaries} dollaries, because {reason}"
    model, columns = Bet, ("dollaries",)

    class Form(ActionForm):
        who = PlayerField(label="Player")
        horse = HorseField()
        dollaries = WholeNumber(0, MOST)
        reason = Text(longest=300)

    def key(self, state: State, inputs: Inputs) -> dict[str, Any]:
        player = state.table.seat(inputs["who"])
        return {"race": state.running_race, "player": player, "horse": inputs["horse"]}

    def as_is(self, rows: Sequence[Bet]) -> dict[str, Any]:
        """All bets of a player on a horse pay together."""
        return {"dollaries": sum(bet.dollaries for bet in rows)}

    def to_be(self, state: State, inputs: Inputs) -> dict[str, Any] | None:
        return {"dollaries": inputs["dollaries"]} if inputs["dollaries"] else None

    def subject(self, inputs: Inputs) -> str:
        return f"{inputs['who']}'s bet on {inputs['horse']}"

    def in_words(self, columns: Mapping[str, Any] | None, inputs: Inputs) -> str:
        return "none" if columns is None else as_dollaries(columns["dollaries"])


@action
class CorrectTurn(_RowCorrection):
    """Say whether a player has used their race action of this week, or a horse's power of this
    month."""

    name = "horses.correct_turn"
    title = "Correct what a player has used"
    sentence = "Let {who} have {used} {turn}, because {reason}"
    model = Turn

    class Form(ActionForm):
        who = PlayerField(label="Player")
        used = TextChoice(USED, NOT_USED)
        turn = TextChoice(*TURNS)
        reason = Text(longest=300)

    def key(self, state: State, inputs: Inputs) -> dict[str, Any]:
        what = TURNS[inputs["turn"]]
        period = state.week if what == WEEKLY else state.month
        return {"player": state.table.seat(inputs["who"]), "what": what, "period": period}

    def to_be(self, state: State, inputs: Inputs) -> dict[str, Any] | None:
        return {} if inputs["used"] == USED else None

    def subject(self, inputs: Inputs) -> str:
        return f"{inputs['turn']} of {inputs['who']}"

    def in_words(self, columns: Mapping[str, Any] | None, inputs: Inputs) -> str:
        return NOT_USED if columns is None else USED

    def lapse(self, table: Table, motion: Motion) -> str:
        start = week_start if TURNS[motion.inputs["turn"]] == WEEKLY else month_start
        if start(motion.at) != start(table.now):
            return "The time that this is about is over."
        return super().lapse(table, motion)


class GallopField(HorseField):
    """The horse that is to gallop, or none."""

    def options(self, table: Table, player: Player | None) -> list[str]:
        return [NO_HORSE, *super().options(table, player)]


class DistanceField(IntegerChoice):
    """One of the distances that chance chooses from, in steps."""

    unknown = "A horse gallops one of {} steps."

    def options(self, table: Table, player: Player | None) -> Sequence[int]:
        return state_of(table).charts.distances


@action
class CorrectMotivation(_RowCorrection):
    """Set which horse gallops how far when this week is over, or that none was motivated."""

    name = "horses.correct_motivation"
    title = "Correct the motivation of the week"
    sentence = "Let this week's galloper be {horse} and the steps {distance}, because {reason}"
    rule = MOTIVATING
    model, columns = Motivation, ("galloper", "distance")

    class Form(ActionForm):
        horse = GallopField(label="Galloper")
        distance = DistanceField(required=False, label="Steps, empty for none")
        reason = Text(longest=300)

    def key(self, state: State, inputs: Inputs) -> dict[str, Any]:
        return {"game": state.table.game, "week": state.week}

    def to_be(self, state: State, inputs: Inputs) -> dict[str, Any] | None:
        if inputs["horse"] == NO_HORSE:
            return None
        return {"galloper": inputs["horse"], "distance": inputs["distance"]}

    def why_not(self, state: State, inputs: Inputs) -> Refusal | None:
        if (inputs["horse"] == NO_HORSE) == (inputs["distance"] is None):
            return None
        sentence = "Say a horse and how far it gallops, or neither."
        return Refusal("half_a_motivation", sentence, MOTIVATING)

    def subject(self, inputs: Inputs) -> str:
        return "this week's motivation"

    def in_words(self, columns: Mapping[str, Any] | None, inputs: Inputs) -> str:
        return "none" if columns is None else "{galloper}, {distance} steps".format(**columns)

    def follows(self) -> Sequence[Effect]:
        return (Then(schedule_last_hour),)

    def lapse(self, table: Table, motion: Motion) -> str:
        if week_start(motion.at) != week_start(table.now):
            return "The week that this is about is over."
        return super().lapse(table, motion)


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
