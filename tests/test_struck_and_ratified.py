"""After an act is struck and ratified the game is as if it had never happened, or says why not.

Games are played at random. After an act of a kind that was not tried yet it is struck, the report
ratified by the players, and the game compared with what it was before the act; then all of that is
undone, and the game goes on.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from bench.simulate import Simulation
from nomic.engine.actions import all_actions
from nomic.engine.catch_up import catch_up
from nomic.engine.digest import parts_of_state
from nomic.engine.events import all_events
from nomic.engine.outcomes import Outcome, Receipt, Refused
from nomic.engine.restoring import restorable, rows_by_model
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.guards import EntryNumber
from nomic.games.models import Game, Player
from nomic.governance.recalculation.ratification import RATIFY, parsed
from nomic.governance.recalculation.revision import CannotRecalculate, Revision, checked
from nomic.operations.recalculation.report import recalculate
from nomic.operations.setup import locked_table, new_game
from nomic.record.models import EntryKind, SealedEntry
from tests.kit import WEDNESDAY, seat

pytestmark = pytest.mark.django_db

SEALED = "is sealed until it is opened"
BESIDE = "that cannot be made so"
NOTHING = "finds nothing that could be made so"
PARTLY = "is not in this report, since it was sealed"
REFUSALS = (SEALED, PARTLY, BESIDE, NOTHING)
GOOD = ""  # the game is as before
# What may become of it where nothing is sealed, by the act. What is announced is good where it was
# done at once, and refused while it leaves a motion open, or a voice.
AS_IF_IT_HAD_NOT_BEEN = (GOOD,)
WITH_A_MOTION = (GOOD, BESIDE)
WITH_WHO_PLAYS = (BESIDE,)
# A report that may become true is appointed for that, which a doubt takes back.
OF_A_REPORT = (NOTHING, BESIDE, GOOD)
NOTHING_KEPT = (NOTHING, BESIDE)  # reports, doubts and settings are beside the state of the game
OF_AN_OFFICE = (GOOD, BESIDE)  # refused where something of the office's part may be sealed
IN_A_CONTEST = (SEALED,)  # until the Reckoning, after which nothing is played
FATES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            *("horses.bet", "horses.buy", "horses.cannon_power", "horses.destructor_power"),
            *("horses.fargo_power", "horses.gain_dollaries", "horses.get_helmet"),
            *("horses.get_jersey", "horses.motivate", "horses.nacho_power", "horses.nudge"),
            *("horses.rubert_power", "horses.sugar_power", "horses.transfer"),
            *("proposals.assign_number", "proposals.comment", "proposals.count_by_hand"),
            *("proposals.distribute", "proposals.revise", "proposals.submit"),
            *("proposals.turn_clock", "proposals.vote", "proposals.withdraw"),
            *("settlers.accept_trade", "settlers.build", "settlers.cancel_trade"),
            *("settlers.harvest", "settlers.join", "settlers.not_ready", "settlers.offer_trade"),
            *("contracts.change", "contracts.consent", "contracts.enter", "contracts.give"),
            *("contracts.leave", "contracts.make", "contracts.pay", "contracts.withdraw"),
            *("documents.publish", "documents.revise", "documents.withdraw"),
            *("cases.argue", "cases.assign", "cases.attach", "cases.call", "cases.file"),
            *("cases.judge", "cases.recuse"),
            *("settlers.open_visit", "settlers.produce", "settlers.ready"),
            *("settlers.receive_visitor", "settlers.set_alliance", "settlers.swap_with_merchant"),
        ),
        AS_IF_IT_HAD_NOT_BEEN,
    ),
    **dict.fromkeys(
        (
            *("horses.correct_position", "horses.correct_place", "horses.correct_pulls"),
            *("horses.correct_gear", "horses.correct_bet", "horses.correct_turn"),
            *("horses.correct_motivation", "ledger.correct", "proposals.announce"),
            *("proposals.carry_out", "proposals.correct_vote", "proposals.resolve_vote"),
            *("proposals.set_ballot_strength", "proposals.set_decision", "proposals.set_strength"),
            *("proposals.strike_vote", "proposals.take_up", "proposals.withdraw_decision"),
            *("rulebook.amend", "rulebook.changes_nothing", "rulebook.enter"),
            *("rulebook.enter_class", "rulebook.enter_repeal", "rulebook.keep_by_hand"),
            *("settlers.correct_ally",),
            *("settlers.correct_deck", "settlers.correct_domain", "settlers.correct_list"),
            *("settlers.correct_ready", "settlers.correct_settlement", "settlers.correct_use"),
            *("settlers.correct_visitor", "games.accept_by_support", "games.choose_host"),
            *("games.object", "games.ratify", "games.recall", "games.remove_player"),
            *("games.resume", "games.skip_appointment", "games.stand", "games.support"),
            *("games.withdraw", "games.pause", "games.set_switch", "games.carry_out"),
            *("games.withdraw_voice", "games.deputise", "games.call_election"),
            "games.pause_together",
            *("games.be_candidate", "games.withdraw_candidacy", "games.vote_in_election"),
            *("cases.correct_the_ledger", "cases.set_switch", "cases.ratify", "cases.play_as"),
        ),
        WITH_A_MOTION,
    ),
    **dict.fromkeys(
        (
            *("games.accept", "games.add_bot", "games.bring_player", "games.claim_seat"),
            *("games.free_seat", "games.join", "games.leave", "games.remove_bot"),
            "games.rename",
        ),
        WITH_WHO_PLAYS,
    ),
    **dict.fromkeys(
        (
            *("horses.keep_by_hand", "proposals.keep_by_hand", "reports.answer"),
            *("reports.keep_by_hand", "games.record_report"),
            *("games.let_act", "games.let_act_no_more", "games.away", "games.back"),
        ),
        NOTHING_KEPT,
    ),
    **dict.fromkeys(
        ("documents.doubt", "reports.doubt", "reports.publish", "reports.publish_document"),
        OF_A_REPORT,
    ),
    **dict.fromkeys(
        ("games.appoint", "games.bring_office", "games.resign_office", "games.take_office"),
        OF_AN_OFFICE,
    ),
    **dict.fromkeys(
        (
            *("aceofspades.announce", "aceofspades.decline_pact", "aceofspades.grant_ntk"),
            *("aceofspades.hint", "aceofspades.join", "aceofspades.judge"),
            *("aceofspades.keep_by_hand", "aceofspades.leave", "aceofspades.leave_alliance"),
            *("aceofspades.object", "aceofspades.offer", "aceofspades.accept_offer"),
            *("aceofspades.ally", "aceofspades.agree_pact", "aceofspades.propose"),
            *("aceofspades.publish_regulation", "aceofspades.put_up_for_vote"),
            *("aceofspades.request_judgement", "aceofspades.reveal_regulation"),
            *("aceofspades.support", "aceofspades.table_remedy", "aceofspades.transfer"),
            *("aceofspades.vote", "aceofspades.withdraw_act", "aceofspades.withdraw_offer"),
            *("aceofspades.write_secret_regulation", "settlers.bribe"),
            *("documents.open", "documents.seal", "documents.revise_sealed"),
            "documents.withdraw_sealed",
        ),
        IN_A_CONTEST,
    ),
}
# Acts of hosts and of the operator, which no simulated player does: nobody has tried them here.
UNTRIED = {
    *("games.bring_balance", "games.bring_switch", "games.close", "games.decline_offer"),
    *("games.hand_over", "games.host_pause", "games.host_resume"),
    *("games.hide_remark", "games.open_to", "games.retry_appointment", "games.set_bound"),
    *("games.switch_off_program", "games.switch_on_program", "games.take_back"),
    *("games.take_over", "games.take_rules_back", "games.withdraw_offer", "proposals.bring"),
    "proposals.bring_duty",
}


def state_of(game: Game) -> dict[str, Any]:
    """The state without the numbers of entries, motions and what belongs to them."""
    models, parts = restorable(), parts_of_state()
    kept = {
        label: sorted(
            repr({name: cell for name, cell in row.items() if not is_entry_number(label, name)})
            for row in rows.values()
        )
        for label, rows in rows_by_model(game, ()).items()
    }
    assert kept.keys() == models.keys()
    appointments = [it for it in parts["appointments"](game) if not it.startswith("games.")]
    in_force = game.rules.filter(repealed_in=None)
    return {
        **kept,
        "balances": parts["balances"](game),
        "players": parts["players"](game),
        "appointments": sorted(appointments),
        "rules": dict(in_force.values_list("title", "text")),
    }


def is_entry_number(label: str, lookup: str) -> bool:
    model: Any = restorable()[label]
    *names, last = lookup.split("__")
    for name in names:
        model = model._meta.get_field(name).related_model
    return isinstance(model._meta.get_field(last), EntryNumber)


class StrikingSimulation(Simulation):
    """One in which the first act of each kind is struck, ratified and brought back.

    `fates` tells what became of it: "" where the game was as before, else the refusal.
    """

    fates: dict[str, str]

    def _try(self, player: Player, name: str, inputs: dict[str, Any]) -> Receipt | None:
        if name in self.fates:
            return super()._try(player, name, inputs)
        before = state_of(self.game)
        receipt = super()._try(player, name, inputs)
        if receipt and not isinstance(receipt.entry, SealedEntry):
            savepoint = transaction.savepoint_create()
            self.fates[name] = self._fate(receipt.entry.seq, before)
            transaction.savepoint_rollback(savepoint)
        return receipt

    def _fate(self, entry: int, before: dict[str, Any]) -> str:
        game = self.game
        try:
            report = recalculate(game, Revision("strike", entry))
        except CannotRecalculate as error:
            return str(error)
        first, *others = game.players.filter(active=True).order_by("pk")
        game.recalculations.create(
            by=first,
            revision=report.revision,
            asked_at=wall_now(),
            hash=report.hash,
            report=report.plain(),
        )
        as_it_is = state_of(game)
        try:
            take(game.slug, first, RATIFY, {"report": report.ratifiable})
        except Refused as refused:
            assert state_of(self.game) == as_it_is
            return str(refused)
        motion = game.motions.latest("number")
        for player in others:
            if not motion.end:
                take(game.slug, player, "games.support", {"motion": motion.number})
                motion.refresh_from_db()
        assert (motion.end, motion.note) == ("done", "")
        assert state_of(self.game) == before
        return ""


def struck(preset: str, weeks: int) -> dict[str, str]:
    simulation = StrikingSimulation("struck", preset, players=4, seed=3)
    simulation.fates = {}
    simulation.play(weeks)
    return simulation.fates


def has_a_reason(name: str, fate: str) -> bool:
    """Whether that is what the table says of such an act, or something may be sealed."""
    reason = next((reason for reason in REFUSALS if reason in fate), fate)
    return reason in (SEALED, PARTLY, *FATES[name])


def test_each_act_has_its_row_and_each_row_its_act() -> None:
    names = {act.name for act in all_actions() if not act.name.startswith(("tiny.", "lottery."))}
    assert sorted(names - FATES.keys() - UNTRIED) == []
    assert sorted((FATES.keys() | UNTRIED) - names) == []
    assert sorted(FATES.keys() & UNTRIED) == []


@pytest.mark.thorough
def test_no_event_is_struck_but_the_act_from_which_it_followed() -> None:
    """Whatever its kind: that there is another makes no difference."""
    game = new_game("struck", "agora-races", pace="manual", start=WEDNESDAY)[0]
    for event in all_events():
        with locked_table(game.slug) as table:
            table.write(EntryKind.EVENT, event.kind, None, {}, Outcome("It happens."))
    for seq, kind in game.entries.filter(kind=EntryKind.EVENT).values_list("seq", "name"):
        for revision in (Revision("strike", seq), Revision("change", seq, {})):
            with pytest.raises(CannotRecalculate, match=f"{kind}.* happened by itself"):
                checked(game, revision)
    assert game.entries.filter(kind=EntryKind.EVENT).count() == len(all_events())


@pytest.mark.thorough
def test_an_office_of_what_is_sealed_is_nobodys_to_have_had_or_not() -> None:
    """What it has read stays read; whether something there would differ is told to nobody."""
    game = new_game("struck", "ace-of-spades", pace="manual", start=WEDNESDAY)[0]
    seated = seat(game, "snail"), seat(game, "Murphy")
    catch_up(game.pk)
    taken = take(game.slug, seated[0], "games.take_office", {"office": "Contestmaster"}).entry
    report = recalculate(Game.objects.get(pk=game.pk), Revision("strike", taken.seq))
    assert report.hidden == ("aceofspades",)
    assert "who holds an office of what is sealed" in parsed(report.ratifiable)["against"]


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["agora-races", "multa"])
def test_the_first_weeks_acts(preset: str) -> None:
    fates = struck(preset, 2)
    assert {name: fate for name, fate in fates.items() if not has_a_reason(name, fate)} == {}
    assert "" in fates.values()


@pytest.mark.slow
@pytest.mark.parametrize(
    "preset",
    [
        *("agora", "multa", "b-nomic-5e33", "b-nomic-2006", "blognomic", "ace-of-spades", "nomic"),
        "demo",
    ],
)
def test_the_acts_of_months(preset: str) -> None:
    fates = struck(preset, 14)
    assert {name: fate for name, fate in fates.items() if not has_a_reason(name, fate)} == {}


def test_a_model_that_is_restored_stands_behind_those_to_which_its_rows_refer() -> None:
    models = [*restorable().values()]
    places: dict[Any, int] = {model: place for place, model in enumerate(models)}
    assert not [
        f"{model.__name__}.{field.name}"
        for model in models
        for field in model._meta.concrete_fields
        if places.get(field.related_model, -1) > places[model]
    ]
