"""From what changed one finds the proposal that changed it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse

from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from nomic.web.game_context import rule_url
from proposals.models import Proposal
from tests.kit import WEDNESDAY, Take, Visitor, on_one_line

TEXTS = (
    "Enact a new rule titled “Spoons” and the following text: { Spoons are nice. }",
    "Give each player 2 points.",
)


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


@pytest.fixture
def pass_all(game: Game, player: Player, act: Take) -> Callable[..., list[Proposal]]:
    """Submit these texts and let them be won; the proposals, once they are Historical."""

    def pass_all(*texts: str, ends: int) -> list[Proposal]:
        made = []
        for text in texts:
            act(player, "proposals.submit", body=text)
            made.append(Proposal.objects.filter(game=game).latest("serial"))
        advance(game.slug, WEDNESDAY + timedelta(days=ends - 4))
        for each in made:
            each.refresh_from_db()
            act(player, "proposals.vote", proposal=each.number, choice="FOR")
        advance(game.slug, WEDNESDAY + timedelta(days=ends))
        for each in made:
            each.refresh_from_db()
            assert each.passed
        return made

    return pass_all


@pytest.mark.thorough
def test_a_rule_names_the_proposals_that_enacted_amended_and_repealed_it(
    game: Game, pass_all: Callable[..., list[Proposal]], visit: Visitor
) -> None:
    first, gift = pass_all(*TEXTS, ends=12)
    (second,) = pass_all("Amend the rule “Spoons” to read: { Spoons are round. }", ends=24)
    (third,) = pass_all("Repeal the rule “Spoons”.", ends=36)
    rule = game.rules.get(title="Spoons")
    page = on_one_line(visit().get(rule_url(game, rule.title, rule.pk)).text)
    for verb, each in (("enacted", first), ("amended", second), ("repealed", third)):
        url = reverse("proposal", args=[game.slug, each.handle])
        assert f'{verb} by <a href="{url}">{each.label}</a>, ' in page
    assert gift.label not in page


@pytest.mark.thorough
def test_an_entry_leads_to_its_proposals_their_results_and_the_changed_rules(
    game: Game, pass_all: Callable[..., list[Proposal]], visit: Visitor
) -> None:
    first, gift = pass_all(*TEXTS, ends=12)
    page = visit().get(reverse("entry", args=[game.slug, first.closed_in])).content.decode()
    for url in (
        reverse("proposal", args=[game.slug, first.handle]),
        reverse("proposal", args=[game.slug, gift.handle]),
        reverse("proposal_results", args=[game.slug, first.closed_in]),
    ):
        assert f'href="{url}"' in page
    assert "Rules changed" in page
    assert f"<td>by {gift.label}</td>" in page
    (second,) = pass_all("Amend the rule “Spoons” to read: { Spoons are round. }", ends=24)
    page = visit().get(reverse("entry", args=[game.slug, second.closed_in])).content.decode()
    assert "The difference" in page
    assert "round" in page


def test_the_entry_of_a_vote_leads_to_its_proposal(
    game: Game, player: Player, pass_all: Callable[..., list[Proposal]], visit: Visitor
) -> None:
    (made,) = pass_all(TEXTS[0], ends=12)
    vote = game.entries.filter(name="proposals.vote").latest("seq")
    page = visit().get(reverse("entry", args=[game.slug, vote.seq])).content.decode()
    assert f'href="{reverse("proposal", args=[game.slug, made.handle])}"' in page


@pytest.mark.thorough
def test_pages_of_changed_rules_ask_little_of_the_database(
    game: Game,
    player: Player,
    pass_all: Callable[..., list[Proposal]],
    visit: Visitor,
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    (first,) = pass_all(TEXTS[0], ends=12)
    (second,) = pass_all("Amend the rule “Spoons” to read: { Spoons are round. }", ends=24)
    rule = game.rules.get(title="Spoons")
    client = visit(player)
    paths = [reverse("entry", args=[game.slug, each.closed_in]) for each in (first, second)]
    for path in (rule_url(game, rule.title, rule.pk), *paths):
        client.get(path)
        with django_assert_max_num_queries(14):  # type: ignore[attr-defined]
            client.get(path)
