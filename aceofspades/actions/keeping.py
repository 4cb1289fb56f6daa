"""Duties that the Contestmaster keeps by hand: putting up for vote, and announcing (108, 112)."""

from typing import Any

from aceofspades.actions.members import ContestmasterAction
from aceofspades.events.decisions import ANNOUNCE, PUT_UP, do_what_nobody_keeps
from aceofspades.state.reading import BY_HAND, CONTESTMASTER, State
from nomic.engine.actions import action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, TextChoice
from nomic.games.models import Player
from nomic.standard.desks import OFFICER, KeeperField, keeping_refusal

R108 = "Regulation 108"
_DUTIES = {"putting up for vote": PUT_UP, "announcing": ANNOUNCE}


@action
class KeepByHand(ContestmasterAction):
    """Say which duties the Contestmaster keeps by hand, and which the system does at once."""

    name = "aceofspades.keep_by_hand"
    title = "Keep a duty of the contest by hand, or leave it to the system"
    sentence = "From now on {keeper} keeps the {duty}"
    button = "Decide"
    rule = R108

    class Form(ActionForm):
        keeper = KeeperField()
        duty = TextChoice(*_DUTIES, label="Duty")

    def judge(self, state: State, player: Player | None, keeper: Any, duty: Any) -> Verdict:
        if duty is None:
            return None
        game, which = state.table.game, {_DUTIES[duty]}
        kept = {*game.setting(BY_HAND, [])} - which | (which if keeper == OFFICER else set())
        who = player.name if player else "The operator, for the Contestmaster,"
        is_now = state.by_hand(*which)
        return keeping_refusal(state.table, CONTESTMASTER, keeper, R108, by_hand=is_now) or Effects(
            Set(game, settings={**game.settings, BY_HAND: sorted(kept)}),
            Then(do_what_nobody_keeps),
            say=f"{who} decides that {keeper} keeps the {duty}.",
        )
