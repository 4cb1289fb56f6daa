"""What everybody is told follows from no hidden text (104 to 107)."""

from __future__ import annotations

import pytest

from aceofspades.rules.tables import DECIDES, TABLES
from aceofspades.state.reading import FAMILY, state_of
from aceofspades.tests import stage
from aceofspades.tests.acts import a_proposal, master_of, refused
from aceofspades.tests.canaries import MARKS
from nomic.engine.models import Appointment
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from tests.kit import Take

pytestmark = pytest.mark.django_db

CANARY = "Zaffre"
FEE = 17


def table(part: str, *rows: tuple[str, object]) -> str:
    lines = ["| {} | {} |".format(*TABLES[part]), "| --- | --- |"]
    return "\n".join([*lines, *(f"| {name} | {cell} |" for name, cell in rows)])


HIDDEN = {
    200: table("day", ("Set for", "50 days after the contest begins")),
    201: table("suits", *((suit, "–") for suit in ("Mauve", "Red", "Black", CANARY))),
    202: table("filling", ("When this takes effect", 40)),
    203: table("fee", ("Paid to the deck", FEE)),
}


# What is refused


@pytest.mark.parametrize("part", DECIDES)
def test_106_a_hidden_table_that_decides_what_everybody_is_told_is_refused(part: str):
    """Whatever its rows say, and in whichever form it is written."""
    from aceofspades.rules.tables import decided_in

    first, second = TABLES[part]
    assert decided_in(f"Prose.\n\n{table(part, ('Some row', 3))}\n") == part
    assert decided_in(table(part)) == part
    assert decided_in(f'{{| class="wikitable"\n! {first} !! {second}\n|-\n| a || 1\n|}}') == part
    assert decided_in(f"{first}    {second}\n{'-' * 60}\nSome row    3\n") == part


def test_106_a_private_proposal_of_a_date_is_refused_before_the_vote(
    contest: Game, act: Take, player: Player
):
    code, sentence, rule = a_proposal(act, player, text=HIDDEN[200], visibility="private")
    assert (code, rule) == ("decides_in_public", "Regulation 106")
    assert sentence == (
        "Regulation 500 would decide when the Moment of Reckoning is, and what everybody is told"
        " follows from that: a private one decides worths alone, so propose it as public, or"
        " without the table “DAY OF THE RECKONING | WHEN”."
    )
    for text in HIDDEN.values():
        assert a_proposal(act, player, text=text, visibility="private")[0] == code
    broken = HIDDEN[200].replace("50 days", "some days")
    assert a_proposal(act, player, text=broken, visibility="private")[0] == code
    assert act(player, "aceofspades.propose", number=500, text=HIDDEN[200], visibility="public")


def test_106_the_contestmaster_hides_none_either(game: Game, act: Take):
    stage.open_the_contest(game)
    master = master_of(game)
    for text in HIDDEN.values():
        found = refused(act, master, "write_secret_regulation", regulation=340, text=text)
        assert found[0] == "decides_in_public"
        assert a_proposal(act, master, text=text, visibility="secret")[0] == "decides_in_public"


def test_119_worths_may_be_hidden_and_a_tie_with_them(contest: Game, act: Take, player: Player):
    tie = f"{MARKS}\n\n{table('tie', ('Dealt to each tied hand', 5))}"
    for number, text in ((500, MARKS), (998, tie)):
        act(player, "aceofspades.propose", number=number, text=text, visibility="private")


# What is not played by


@pytest.mark.thorough
def test_106_a_hidden_table_that_comes_to_be_all_the_same_is_not_played_by(
    contest: Game, player: Player
):
    due = Appointment.objects.get(game=contest, kind="aceofspades.reckoning").due
    deck = stage.deck_of(contest)
    for number in (201, 202, 203):
        stage.enact(contest, number, HIDDEN[number], "private")
    stage.enact(contest, 340, HIDDEN[200], "secret")
    contest.refresh_from_db()
    state = state_of(glance(contest))
    assert (
        state.charts.suits
        == state.public_charts.suits
        == ("Mauve", "Red", "Black", "Green", "Hearts")
    )
    assert state.charts.fee == 1
    assert stage.deck_of(contest) == deck
    assert not [each for each in state.table.ledger.family(FAMILY) if CANARY in each.name]
    assert Appointment.objects.get(game=contest, kind="aceofspades.reckoning").due == due
