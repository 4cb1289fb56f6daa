"""The preview tells what it costs that something happens by itself, and what would pass a bound."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from nomic.dice.models import Roll
from nomic.games.models import Game, Player
from proposals.tests.events.test_programs import with_program
from proposals.web.preview.preview import preview
from tests.kit import Take

TIDE = """
currency("shell", "shells")

@every("day", title="The tide")
def tide():
    for turn in range(50):
        roll(1000)
    for player in players():
        give(player, 1, "shell")

@every("day", title="The ebb")
def ebb():
    roll(6)

@every("week")
def moon():
    say("Full.")
"""


@pytest.fixture
def preset() -> str:
    return "agora"


def plain(sentence: str) -> str:
    """The sentence without how long it took."""
    return re.sub(r"\d+ ms", "… ms", sentence)


def test_what_happens_by_itself_has_its_cost_in_the_preview(
    game: Game, player: Player, rival: Player
) -> None:
    found = preview(game, player, with_program("Tides", TIDE), {})
    assert found.errors == ()
    day, week, *each = map(plain, found.costs)
    assert re.fullmatch(
        r"All that this lets happen each day: 2 events, 51 rolls, 2 movements, 2\d\.\d kB\.", day
    )
    assert week.startswith("All that this lets happen each week: 1 event, 6.2 kB")
    assert [re.sub(r"[\d.]+ kB", "… kB", told) for told in each] == [
        "“The tide” of “Tides”, each day: 50 rolls, 2 movements, … kB, … ms.",
        "“The ebb” of “Tides”, each day: 1 roll, … kB, … ms.",
        "“Moon” of “Tides”, each week: … kB, … ms.",
    ]


def test_no_die_of_the_game_is_thrown_for_it(game: Game, player: Player) -> None:
    game.refresh_from_db()
    before = Roll.objects.count(), game.last_entry
    preview(game, player, with_program("Tides", TIDE), {})
    game.refresh_from_db()
    assert (Roll.objects.count(), game.last_entry) == before


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("for turn in range(990): roll(1000)", "at most 100 rolls, and this would be 101"),
        ("for turn in range(1001): give(players()[0], 1, 'hoof')", "moves at most 1,000 times"),
        (
            "state['x'] = 'x' * 60_000\n    roll(6)\n    if now: refuse('No.')",
            "What happens by itself cannot be refused: “No.”",
        ),
    ],
)
def test_what_would_pass_a_bound_is_an_error(
    game: Game, player: Player, body: str, said: str
) -> None:
    program = f'@every("day")\ndef f():\n    {body}\n'
    found = preview(game, player, with_program("Tides", program), {})
    assert said in str(found.errors)
    assert found.costs == ()


def test_pages_and_the_api_tell_the_cost(game: Game, player: Player, client: Client) -> None:
    assert player.user is not None
    client.force_login(player.user)
    url = reverse("proposal_preview", args=[game.slug])
    page = client.post(url, {"body": with_program("Tides", TIDE)}).content.decode()
    assert "All that this lets happen each day: 2 events, 51 rolls" in page


@pytest.mark.parametrize(
    ("program", "told", "untold"),
    [
        (TIDE, "All that this lets happen each day: 2 events, 51 rolls", "at most"),
        (
            '@every("day")\ndef f():\n    for turn in range(101): roll(6)\n',
            "at most 100 rolls, and this would be 101",
            "All that this lets happen",
        ),
    ],
)
def test_who_votes_is_told_of_cost_and_bound_by_page_and_api(
    game: Game, player: Player, act: Take, client: Client, program: str, told: str, untold: str
) -> None:
    entry = act(player, "proposals.submit", title="T", body=with_program("Tides", program)).entry
    handle = entry.outcome["id"]
    page = client.get(reverse("proposal_changes", args=[game.slug, handle])).text
    answer = client.get(f"/api/v1/games/{game.slug}/proposals/{handle}").json()["preview"]
    said = " ".join([*answer["costs"], *(str(each) for each in answer["errors"])])
    assert (told in page, told in said) == (True, True)
    assert (untold in page, untold in said) == (False, False)
