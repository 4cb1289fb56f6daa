"""For all that players see there is a correction, or a reason why there is none."""

from __future__ import annotations

from nomic.engine.actions import find_action
from nomic.engine.models import SwitchSetting
from nomic.engine.rows import models_of
from nomic.engine.subgames import all_subgames
from nomic.governance.corrections import Correction, RowCorrection

FOLLOWS = "follows from what happened, and a ratified recalculation makes it as it should be"
WRITTEN = "is a text as somebody wrote it, and what it should have said is said anew"
# A judgement's remedies are what the regulations let the Contestmaster set right: cards, who is in
# the contest, mutable regulations. A correction that everybody reads would tell what is hidden.
REMEDIES = "is set right by a judgement's remedy and nothing else (Regulation 114)"
HIDDEN = (
    "is not for everybody to read before the Moment of Reckoning, after which nothing is played"
)
# By the model: the corrections that there are of it, or why there is none.
CORRECTIONS: dict[str, tuple[str, ...] | str] = {
    "horses.race": FOLLOWS,
    "horses.runner": ("horses.correct_position", "horses.correct_place", "horses.correct_pulls"),
    "horses.gear": ("horses.correct_gear",),
    "horses.bet": ("horses.correct_bet",),
    "horses.turn": ("horses.correct_turn",),
    "horses.motivation": ("horses.correct_motivation",),
    "proposals.proposal": (
        "proposals.announce",
        "proposals.set_decision",
        "proposals.withdraw_decision",
    ),
    "proposals.version": WRITTEN,
    "proposals.link": "is what the author lists, who revises it",
    "proposals.vote": ("proposals.correct_vote", "proposals.strike_vote"),
    "proposals.strike": ("proposals.correct_vote",),  # to the word that was struck
    "proposals.resolution": ("proposals.resolve_vote",),
    "proposals.ballotstrength": ("proposals.set_ballot_strength",),
    "proposals.comment": WRITTEN,
    "proposals.errand": ("proposals.carry_out", "proposals.take_up"),
    "proposals.votingstrength": ("proposals.set_strength",),
    "proposals.nweekclock": "is the officer's to turn at once; which nweek it is "
    "follows from what happened, and a ratified recalculation makes it as it should be",
    "settlers.isle": ("settlers.correct_deck", "settlers.correct_visitor"),
    "settlers.settler": (
        "settlers.correct_domain",
        "settlers.correct_settlement",
        "settlers.correct_list",
        "settlers.correct_ready",
        "settlers.correct_use",
    ),
    "settlers.ally": ("settlers.correct_ally",),
    "settlers.offer": "moves nothing while it is open, when who made it withdraws it; what an "
    "accepted one moved is corrected in the ledger",
    "settlers.visit": ("settlers.correct_visitor",),
    "settlers.bribe": "is for the Settler and the Onlooker alone, and told anew by the Settler",
    "aceofspades.contest": FOLLOWS,
    "aceofspades.contestant": REMEDIES,
    "aceofspades.move": FOLLOWS,
    "aceofspades.offer": HIDDEN,
    "aceofspades.receiver": HIDDEN,
    "aceofspades.notice": HIDDEN,
    "aceofspades.alliance": FOLLOWS,
    "aceofspades.ally": HIDDEN,
    "aceofspades.pact": HIDDEN,
    "aceofspades.partner": HIDDEN,
    "aceofspades.proposal": FOLLOWS,
    "aceofspades.vote": HIDDEN,
    "aceofspades.regulation": REMEDIES,
    "aceofspades.needtoknow": "cannot be taken back from who has read the text",
    "aceofspades.hint": WRITTEN,
    "play.switchsetting": ("games.set_switch",),
    "aceofspades.request": "is judged, and a judgement stands (Regulation 114)",
}


def test_every_model_that_players_see_has_a_correction_or_a_reason() -> None:
    models = [
        model._meta.label_lower for subgame in all_subgames() for model in models_of(subgame.name)
    ]
    models.append(SwitchSetting._meta.label_lower)  # which no subgame keeps, but the rules
    assert sorted(CORRECTIONS) == sorted(
        model for model in models if not model.startswith("lottery.")
    )


def test_every_correction_of_the_table_is_one() -> None:
    for label, corrections in CORRECTIONS.items():
        for name in corrections if isinstance(corrections, tuple) else ():
            act = find_action(name)
            assert isinstance(act, Correction), name
            if isinstance(act, RowCorrection):
                assert act.model._meta.label_lower == label
