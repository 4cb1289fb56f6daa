"""Years of play at random: the books balance each week, and the past can be replayed."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from bench.simulate import Simulation
from nomic.operations.audit import audit, audit_guards
from nomic.operations.replay import replay

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("weeks", "seed"),
    [
        pytest.param(8, 3, id="two-months", marks=pytest.mark.brief),
        pytest.param(200, 205, marks=pytest.mark.slow),
    ],
)
def test_twelve_players_play_at_random_and_every_figure_stands(weeks, seed):
    simulation = Simulation("years", "agora-races", players=12, seed=seed)
    tally = simulation.play(weeks)
    assert [finding.wrong for finding in audit(simulation.game) if finding.wrong] == []
    assert audit_guards().wrong == ""
    agreed, difference = replay(simulation.game)
    assert difference is None
    assert agreed == simulation.game.last_entry
    assert tally.weeks == weeks
    for kind in (tally.taken, tally.refused):
        assert kind.total() > 5 * weeks
    assert tally.malformed > weeks
    assert tally.repeated > weeks / 2


def played(seed: int) -> list:
    simulation = Simulation("again", "agora-races", players=3, seed=seed)
    simulation.play(2)
    columns = ("seq", "at", "kind", "name", "actor__name", "inputs", "outcome", "text")
    entries = list(simulation.game.entries.order_by("seq").values_list(*columns))
    call_command("flush", interactive=False, verbosity=0)
    return entries


def test_the_same_seed_plays_the_same_game():
    assert played(seed=7) == played(seed=7) != played(seed=8)


@pytest.mark.thorough
def test_the_command_tells_what_was_played():
    said = StringIO()
    call_command("simulate", weeks=1, players=2, seed=3, stdout=said)
    assert "1 weeks, each audited" in said.getvalue()
    assert "agree with their replay" in said.getvalue()


def test_what_did_not_happen_is_not_listed():
    said = StringIO()
    call_command("simulate", weeks=0, players=1, seed=3, stdout=said)
    assert "0 refused" in said.getvalue()
    assert "taken:" not in said.getvalue()
    assert "refused:" not in said.getvalue()


@pytest.mark.thorough
def test_a_simulation_needs_a_game_of_its_own():
    call_command("simulate", weeks=0, players=1, seed=3, stdout=StringIO())
    with pytest.raises(CommandError, match="a simulation needs its own"):
        call_command("simulate", weeks=0, players=1, seed=3, stdout=StringIO())


def test_a_simulation_of_an_unknown_kind_of_game_says_which_there_are():
    with pytest.raises(CommandError, match="Known: agora-races"):
        call_command("simulate", preset="chess", stdout=StringIO())
