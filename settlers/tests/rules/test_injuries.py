"""What prose says of the Injured and the Victims: who is barred, and which steps are taken."""

import pytest

from settlers.rules.charts import Charts
from settlers.rules.injuries import NO_VICTIMS, VICTIMS_ARE_INJURED
from settlers.rules.titles import DECK, GIFT
from settlers.tests.stage import UNLESS_INJURED

MOVE = "* Set the Injured list to contain the same values as the Victims list"
EMPTY = "* Set the Victims list to empty"


@pytest.mark.parametrize(
    "words",
    [
        UNLESS_INJURED,
        "They may begin Harvesting the Crop, unless they are Injured:",
        "Unless they are on the Injured list, a Settler may harvest.",
        "The Injured cannot harvest.",
        "The Injured can’t harvest.",
        "A Settler whose name is in the Injured list may not trade or harvest.",
        "Settlers who are Injured, poor things, must not harvest.",
    ],
)
def test_the_injured_are_barred_where_a_sentence_bars_them(words: str):
    assert Charts.of({GIFT: words}).injury_bars


@pytest.mark.parametrize(
    "words",
    [
        "The Injured are pitied. Everybody may harvest.",
        "The Injured may harvest like everybody else.",
        "The Injured may not trade, but they may harvest.",
        "Who is uninjured cannot harvest twice.",
        "They may harvest, unless they are uninjured.",
        "They may harvest, unless they are not Injured.",
        "Harvesting helps the Injured.",
        "The Injured may not swim; whoever likes may harvest.",
    ],
)
def test_speaking_of_the_injured_and_of_harvesting_bars_nobody(words: str):
    assert not Charts.of({GIFT: words}).injury_bars


@pytest.mark.parametrize(
    ("bullets", "steps"),
    [
        ([MOVE, EMPTY], (VICTIMS_ARE_INJURED, NO_VICTIMS)),
        ([EMPTY, MOVE], (NO_VICTIMS, VICTIMS_ARE_INJURED)),
        ([MOVE], (VICTIMS_ARE_INJURED,)),
        ([EMPTY], (NO_VICTIMS,)),
        ([MOVE, EMPTY, MOVE, EMPTY], (VICTIMS_ARE_INJURED, NO_VICTIMS)),
        (
            [
                "- Let the Injured be those who are the Victims",
                "- Let there be no Victims any more",
            ],
            (VICTIMS_ARE_INJURED, NO_VICTIMS),
        ),
        (
            ["+ Let the Victims become the Injured, then clear the Victims list"],
            (VICTIMS_ARE_INJURED, NO_VICTIMS),
        ),
        (["* Tell the Injured who the Victims are"], ()),
        (["* Set the uninjured against the Victims"], ()),
        (["Set the Victims list to empty, someday"], ()),
    ],
)
def test_each_step_of_the_production_is_taken_where_it_stands(
    bullets: list[str], steps: tuple[str, ...]
):
    text = "\n".join(["These are its steps:", "* Draw two results from the Deck", *bullets])
    assert Charts.of({DECK: text}).injury_steps == steps
