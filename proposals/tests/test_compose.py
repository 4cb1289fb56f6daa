"""Writing a proposal on its page: sending it, what is said against it, and who may write at all."""

import re

import pytest
from django.test import Client

from nomic.games.models import Game, Player
from nomic.pages.tests.conftest import Visitor
from nomic.pages.tests.conftest import htmx as htmx
from nomic.pages.tests.conftest import visit as visit
from proposals.models import Proposal

NEW = "/g/table/proposals/new/"
SPOONS = "Enact a new rule titled “Silver Spoons” with the following text:\n{\nSpoons shine.\n}"


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


def form_of(client: Client, path: str = NEW) -> dict[str, str]:
    """The hidden fields of the form, as a browser would send them back."""
    page = client.get(path).content.decode()
    return dict(
        re.findall(r'<input type="hidden" name="(key|window|seen|proposal)" value="([^"]*)"', page)
    )


def test_a_proposal_is_submitted_from_the_page(game: Game, player: Player, visit: Visitor) -> None:
    client = visit(player)
    sent = {**form_of(client), "title": "Spoons", "body": SPOONS}
    answer = client.post(NEW, sent)
    assert answer.status_code == 302, answer.content.decode()
    assert answer["Location"] == "/g/table/proposals/1/"
    proposal = Proposal.objects.get(game=game)
    assert (proposal.title, proposal.body) == ("Spoons", SPOONS)
