"""What is made of a sentence that nobody reads."""

import re

import pytest
from django.test import Client

from nomic.engine.table import glance
from nomic.games.models import Game, Player
from proposals.models import Draft, Proposal
from proposals.web.ways import NoWay, made_of, near_cells
from tests.kit import Visitor, on_one_line

NEW = "/g/table/proposals/new/"
PRIZE = "Change the prize for the third horse to 20."
CHEESE = "The moon is made of cheese."


@pytest.fixture
def preset() -> str:
    return "agora"


def sent(client: Client, body: str, do: str, **more: str) -> tuple[int, str]:
    """The status and page that follow when that form is sent."""
    fields = r'<input type="hidden" name="(key|window|seen|saw)" value="([^"]*)"'
    form = dict(re.findall(fields, client.get(NEW).content.decode()))
    answer = client.post(NEW, {**form, "title": "x", "body": body, "do": do, **more})
    return answer.status_code, on_one_line(answer.content.decode())


def test_a_sentence_leads_to_the_cell_that_all_its_words_tell(game: Game) -> None:
    near = near_cells(glance(game), PRIZE)
    assert str(near[0]) == "Horse Victory: Third, DOLLARIES 20 instead of 15"
    helmet = near_cells(glance(game), "I want a helmet to cost 3 hooves, please.")
    assert str(helmet[0]) == "Weekly Race Actions: Get a helmet, FEE 3 instead of 1"
    assert near_cells(glance(game), PRIZE.replace("20", "15")) == []  # as it is
    for prose in (CHEESE, "Give everybody cake on day 3.", "x 5 " * 200):
        assert near_cells(glance(game), prose) == []


def test_nobody_submits_what_nothing_carries_out_without_a_choice(
    player: Player, visit: Visitor
) -> None:
    status, page = sent(visit(player), CHEESE, "submit")
    assert status == 409
    assert "Nothing carries out 1 sentence of your text." in page
    assert "Make this a new rule" in page
    assert Draft.objects.get().body == CHEESE
    assert sent(visit(player), CHEESE, "submit", left=CHEESE)[0] == 302
    assert sent(visit(player), CHEESE, "submit", remarks=CHEESE)[0] == 302
    assert Proposal.objects.count() == 2


def test_a_sentence_becomes_what_was_chosen_for_it(player: Player, visit: Visitor) -> None:
    client = visit(player)
    _, page = sent(client, PRIZE, "look")
    assert "Horse Victory: Third, DOLLARIES 20 instead of 15" in page
    _, page = sent(client, PRIZE, "way near 0 0")
    assert "replace the row “Third” of the table “PLACE” with “| Third | 20 |”" in page
    _, page = sent(client, f"{CHEESE} {PRIZE}", "way near 1 0")
    assert "with “| Third | 20 |”" in page
    assert "1 sentence could not be read" in page
    _, page = sent(client, CHEESE, "way rule 0", way_rule_0="The Moon")
    assert "Enact a new rule titled “The Moon” with the following text: { The moon is" in page
    rule = glance(player.game).rules.find("Horses")
    _, page = sent(client, CHEESE, "way to 0", way_to_0=str(rule.pk))
    assert "Append the following paragraph to the rule “Horses”: { The moon is made" in page


def test_the_composer_s_ideas_are_made_of_the_game_at_hand(player: Player, visit: Visitor) -> None:
    client = visit(player)
    page = client.get(NEW).content.decode()
    said = dict(re.findall(r'href="[?]bold=([0-9-]+)"[^>]*>([^<]+)</a>', page))
    assert len(said) == 4
    assert any("would" in words and "instead of" in words for words in said.values())
    begun = client.get(NEW, {"bold": next(iter(said))}).content.decode()
    assert "replace the row “" in begun
    assert "instead of" in begun


@pytest.mark.parametrize(
    ("place", "way", "named", "why"),
    [
        (1, "rule", "Moon", "The text has changed meanwhile"),
        (0, "rule", " ", "Give the new rule a title"),
        (0, "rule", "A “Moon”", "Give the new rule a title"),
        (0, "to", "0", "Choose a rule that is in force"),
        (0, "near", "0", "That cell is not near"),
        (0, "near", "x", "That cell is not near"),
        (0, "near", "9" * 5000, "That cell is not near"),
    ],
)
def test_what_cannot_be_made_of_it_is_said(
    game: Game, place: int, way: str, named: str, why: str
) -> None:
    with pytest.raises(NoWay, match=why):
        made_of(glance(game), CHEESE, (), place, way, named)


@pytest.mark.parametrize("do", ["way ", "way rule", "way rule x", "way near 0 0 0", "way x 0 \0"])
def test_a_way_that_no_button_has_is_refused_with_a_sentence(
    player: Player, visit: Visitor, do: str
) -> None:
    assert sent(visit(player), CHEESE, do)[0] == 409


def test_a_text_that_is_too_long_is_not_read_for_a_way(player: Player, visit: Visitor) -> None:
    status, page = sent(visit(player), "x " * 110_000, "way rule 0", way_rule_0="Moon")
    assert status == 409
    assert "This text has 220,000 characters" in page


def test_a_refused_way_loses_nothing_that_was_typed(player: Player, visit: Visitor) -> None:
    status, page = sent(visit(player), CHEESE, "way rule 0")
    assert status == 409
    assert "Give the new rule a title" in page
    assert CHEESE in page
    assert Draft.objects.get().body == CHEESE


def test_a_sentence_leads_to_the_figures_that_its_words_tell_of(
    player: Player, visit: Visitor
) -> None:
    client = visit(player)
    _, page = sent(client, "The third horse to win brings more.", "look")
    address = re.search(r'href="([^"]*/figures/[^"]*)"\s*>Change a number instead', page)
    assert address is not None
    listed = on_one_line(client.get(address[1].replace("&amp;", "&")).content.decode())
    spots = re.findall(r'href="([^"]*/spot/[^"]*)" ?>([^<]*)</a> <strong>([^<]*)<', listed)
    assert spots[0][1:] == ("Horse Victory: Third, DOLLARIES", "15")
    assert "Change Horse Victory" in client.get(spots[0][0]).content.decode()
    for words in ("", "zzz", "%00", "x" * 5000):
        assert client.get(f"/g/table/proposals/figures/?words={words}").status_code == 200
