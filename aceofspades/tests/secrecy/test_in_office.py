"""Which hidden regulations a Contestmaster reads: those that were written while they held it."""

from __future__ import annotations

import pytest

from aceofspades.secrecy.view import View
from aceofspades.tests import stage
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from tests.kit import Take

pytestmark = pytest.mark.django_db


def read_by(game: Game, who: Player) -> set[int]:
    """The numbers of the hidden regulations whose text that player may have."""
    view = View(glance(Game.objects.get(pk=game.pk)), who)
    return {each.number for each in view.state.regulations if not each.is_public} & view.readable


def test_245_a_contestmaster_reads_what_was_written_while_they_held_the_office(
    contest: Game, master: Player, rival: Player, act: Take
):
    assert read_by(contest, master) == set(), "Chance drew the secret ones before anybody came."
    stage.enact(contest, 700, "More.", "secret")
    stage.enact(contest, 701, "Still more.", "private")
    assert read_by(contest, master) == {700, 701}
    assert read_by(contest, rival) == set()
    act(master, "games.resign_office", office="Contestmaster")
    assert read_by(contest, master) == set()
