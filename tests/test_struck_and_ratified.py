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
from nomic.engine.digest import parts_of_state
from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.restoring import restorable, rows_by_model
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.guards import EntryNumber
from nomic.games.models import Game, Player
from nomic.governance.recalculation.ratification import RATIFY
from nomic.governance.recalculation.revision import CannotRecalculate, Revision
from nomic.operations.recalculation.report import recalculate
from nomic.record.models import SealedEntry

pytestmark = pytest.mark.django_db

SEALED = "is sealed until it is opened"
BESIDE = "that cannot be made so"
NOTHING = "finds nothing that could be made so"
REFUSALS = (SEALED, BESIDE, NOTHING)
# Which acts are refused for which of these reasons, if they are tried while nothing is sealed; all
# others are made good.
REFUSED = {
    **dict.fromkeys(
        (
            *("horses.correct_position", "horses.correct_place", "horses.correct_pulls"),
            *("settlers.correct_domain", "settlers.correct_list", "settlers.correct_visitor"),
            *("horses.correct_gear", "horses.correct_bet", "horses.correct_turn"),
            *("horses.correct_motivation", "settlers.correct_ready", "settlers.correct_use"),
            *("settlers.correct_ally", "settlers.correct_deck", "settlers.correct_settlement"),
            *("proposals.correct_vote", "ledger.correct"),
            *("games.support", "games.object", "games.withdraw", "games.ratify", "games.pause"),
            *("games.join", "games.leave", "games.resume", "reports.keep_by_hand"),
            *("aceofspades.table_remedy", "proposals.correct"),
        ),
        BESIDE,
    ),
    "reports.publish": NOTHING,
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
            savepoint = transaction.savepoint()
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
    return SEALED in fate or (REFUSED[name] in fate if name in REFUSED else not fate)


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["agora-races", "multa"])
def test_the_first_weeks_acts(preset: str) -> None:
    fates = struck(preset, 2)
    assert {name: fate for name, fate in fates.items() if not has_a_reason(name, fate)} == {}
    assert "" in fates.values()


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["agora", "multa", "b-nomic-5e33", "blognomic", "ace-of-spades"])
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
