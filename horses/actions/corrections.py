"""The Horsened's corrections of the race: on the record, each with its reason."""

from horses.actions.fields import HorseField
from horses.actions.switches import PLACES, Pulls, RacePlace, RacePosition
from horses.rules.titles import HORSES, MOTIVATING
from horses.state import HORSENED, RUN_EVENT
from nomic.engine.actions import action
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.table import Table
from nomic.standard.corrections import SwitchCorrection
from nomic.standard.models import Motion

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
