"""A ballot in a letter: read there, voted on by a link, and never by looking at it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.notices.mail import message
from nomic.notices.models import Notice, Outgoing
from nomic.operations.setup import advance
from proposals.models import Proposal, Vote
from proposals.state.results import results_of
from proposals.web.results import text_of
from tests.kit import Take, Visitor

BODY = "Enact a new rule titled “Spoons” and the following text: { Spoons are silver. }"


@pytest.fixture
def preset() -> str:
    return "blognomic"


@pytest.fixture
def link(game: Game, player: Player, rival: Player, act: Take) -> str:
    """The address in the letter by which the player's rival is told of a proposal."""
    act(player, "proposals.submit", title="Spoons", body=BODY)
    assert isinstance(rival.user, User)
    told = Notice(
        user=rival.user,
        game=game,
        kind="vote",
        text="Proposal 1 “Spoons” is open to votes.",
        url=f"/g/{game.slug}/proposals/{Proposal.objects.get().handle}/",
        at=wall_now(),
    )
    letter = message(rival.user, [told])
    text = str(letter.body)
    assert BODY in text
    assert "What it would change: enacts “Spoons”." in text
    assert re.search(r"Voting on it closes on \d+ \w+ at \d\d:\d\d in the game\.", text)
    assert text.index("Vote without") < text.index("-- \n") < text.index("The head of the record")
    found = re.search(r"Vote without signing in: \S+?(/ballot/\S+)", text)
    assert found
    return found[1]


def test_looked_at_it_shows_the_ballot_and_sent_it_votes_without_signing_in(
    link: str, rival: Player, visit: Visitor
) -> None:
    before = Vote.objects.count()
    page = visit().get(link)
    assert "Spoons are silver." in page.content.decode()
    assert visit().head(link).status_code == 200
    assert Vote.objects.count() == before
    answer = visit().post(link, {"choice": "AGAINST"})
    assert "Your vote is kept: AGAINST." in answer.content.decode()
    assert Vote.objects.latest("pk").player == rival
    assert Vote.objects.latest("pk").word == "AGAINST"
    assert "_auth_user_id" not in answer.client.session


def test_a_word_that_is_none_votes_nothing(link: str, visit: Visitor) -> None:
    before = Vote.objects.count()
    answer = visit().post(link, {"choice": "MAYBE"})
    assert answer.status_code == 409
    assert "MAYBE" in answer.content.decode()
    assert Vote.objects.count() == before


def test_a_link_that_was_changed_or_is_of_somebody_who_left_opens_nothing(
    link: str, game: Game, rival: Player, visit: Visitor
) -> None:
    assert visit().get(link[:-3] + "x/").status_code == 404
    take(game.slug, rival, "games.leave")
    assert visit().get(link).status_code == 404
    assert visit().post(link, {"choice": "FOR"}).status_code == 404


@pytest.mark.thorough
def test_after_the_vote_it_says_that_it_is_over(link: str, game: Game, visit: Visitor) -> None:
    Game.objects.filter(pk=game.pk).update(pace="manual", rate=0)
    advance(game.slug, glance(game).now + timedelta(days=30))
    page = visit().get(link)
    assert "is over." in page.content.decode()
    assert "<button" not in page.content.decode().split("<main")[1]
    assert visit().post(link, {"choice": "FOR"}).status_code == 409


def letter(user: object, told: Outgoing) -> str:
    assert isinstance(user, User)
    return str(message(user, [Notice(user=user, **told.message)]).body)


def test_before_a_vote_closes_a_letter_has_the_ballots_that_are_not_cast(
    link: str, game: Game, player: Player, rival: Player, act: Take
) -> None:
    closing = Outgoing(game=game, kind="closing", text="Voting closes.", url="/", at=wall_now())
    act(player, "proposals.vote", proposal=Proposal.objects.get().handle, choice="FOR")
    waits, is_done = letter(rival.user, closing), letter(player.user, closing)
    assert "Proposal 1 “Spoons”" in waits
    assert "Spoons are silver." in waits
    assert "/ballot/" in waits
    assert "Spoons" not in is_done
    closes = glance(game).now + timedelta(days=2)
    Proposal.objects.update(closes_at=closes)
    goes = {
        "pace": "real",
        "rate": 1,
        "anchor_game": closes - timedelta(days=2),
        "anchor_wall": wall_now(),
    }
    Game.objects.filter(pk=game.pk).update(**goes)
    closing.game = Game.objects.get(pk=game.pk)
    closing.until = wall_now() + timedelta(days=1)
    assert "Spoons" not in letter(rival.user, closing), "its vote closes later"


@pytest.mark.thorough
def test_a_letter_on_a_result_has_the_whole_of_it(link: str, game: Game, rival: Player) -> None:
    Game.objects.filter(pk=game.pk).update(pace="manual", rate=0)
    advance(game.slug, glance(game).now + timedelta(days=30))
    told = Outgoing.objects.get(game=game, kind="result")
    found = results_of(game, int(told.about.split("/")[1]))
    assert found is not None
    assert text_of(found).strip() in letter(rival.user, told)
