"""The same ballot under every edition: pure, and as a page."""

import pytest
from django.test import Client

from nomic.games.models import Game, Player
from nomic.operations.setup import advance
from proposals.models import Proposal
from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Electorate
from proposals.web.what_if import alternatives, assumed, counted_by
from tests.kit import WEDNESDAY, Take, Visitor, on_one_line, seat

PLAYERS = frozenset({"Murphy", "Madrid", "snail"})
SPOONS = {"Murphy": "FOR", "Madrid": "FOR", "snail": "AGAINST"}


def outcomes(ballots: list[Ballot], own: str = "refresh-2006") -> dict[str, dict[int, str]]:
    """Each edition's outcomes by number."""
    electorate = Electorate(players=PLAYERS, vested=PLAYERS)
    edition = EDITIONS[own]
    results = edition.tally(ballots, electorate, edition.shipped_terms()).results
    return {
        each.edition.name: {number: found.outcome for number, found in each.results.items()}
        for each in alternatives(ballots, electorate, own, results)
    }


def test_each_edition_answers_in_its_own_words_the_games_own_first() -> None:
    found = outcomes([Ballot(1, SPOONS)], "quorum")
    assert next(iter(found)) == "quorum"
    assert found == {
        "quorum": {1: "Enacted"},
        "refresh-2006": {1: "Won"},
        "rule-5e33": {1: "Won"},
        "adoption-index": {1: "ADOPTED"},
        "majority": {1: "ADOPTED"},
        "consent": {1: "REJECTED"},
    }


def test_two_that_conflict_at_equal_strength_end_otherwise_in_either_b_nomic() -> None:
    ballots = [Ballot(1, SPOONS, conflicts=frozenset({2})), Ballot(2, SPOONS)]
    found = outcomes(ballots)
    assert found["refresh-2006"] == {1: "Lost", 2: "Won"}
    assert found["rule-5e33"] == {1: "Won", 2: "Lost"}
    assert found["adoption-index"] == {1: "ADOPTED", 2: "ADOPTED"}


def test_the_reasons_say_whose_word_counts_for_nothing() -> None:
    ballot = Ballot(1, {**SPOONS, "snail": "DEFERENTIAL"})
    electorate = Electorate(players=PLAYERS, vested=PLAYERS)
    for each in alternatives([ballot], electorate, "quorum", "A sentence."):
        if each.is_own:
            assert (each.broken, dict(each.results)) == ("A sentence.", {})
        else:
            said = " ".join(each.results[1].reasons)
            assert "DEFERENTIAL is no word of this edition" in said
            assert "snail" in said


def test_every_edition_names_the_figures_that_decide_and_what_it_assumes() -> None:
    electorate = Electorate(players=PLAYERS, vested=PLAYERS)
    found = alternatives([Ballot(1, SPOONS)], electorate, "refresh-2006", {})[1:]
    told = {each.edition.name: dict(counted_by(each.edition, each.results[1])) for each in found}
    assert told["rule-5e33"]["Stamina"] == "3"
    assert told["adoption-index"]["F/A, by voting strength"] == "6/3"
    assert told["quorum"]["Quorum"] == "2"
    assert assumed(EDITIONS["rule-5e33"], "refresh-2006") == ""
    assert "Vested" in assumed(EDITIONS["rule-5e33"], "quorum")
    assert assumed(EDITIONS["quorum"], "quorum") == ""


PATH = "/g/table/proposals/1/what-if/"


def page_of(client: Client, path: str = PATH) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return on_one_line(answer.content.decode())


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


@pytest.fixture
def ballot(game: Game, player: Player, rival: Player, act: Take) -> Game:
    """Two proposals that conflict, with one vote FOR each, on the first day of Voting."""
    act(player, "proposals.submit", title="Spoons", body="x")
    act(player, "proposals.submit", title="Forks", body="x", conflicts=[1])
    advance(game.slug, NDAY_9)
    for number in (1, 2):
        act(rival, "proposals.vote", proposal=number, choice="FOR")
    act(player, "proposals.vote", proposal=1, choice="ABSTAIN")
    return game


NDAY_9 = WEDNESDAY.replace(day=12)
THE_END = WEDNESDAY.replace(day=16)


def test_an_open_ballot_is_counted_as_it_stands(ballot: Game, visit: Visitor) -> None:
    page = page_of(visit())
    assert "as they stand: it would pass under" in page
    assert "this game’s edition<" in page
    assert "ABSTAIN is no word of this edition" in page
    for edition in EDITIONS.values():
        assert edition.title in page
    assert page.index(EDITIONS["refresh-2006"].title) < page.index(EDITIONS["quorum"].title)
    assert "Lost: conflicts with 2" in page


def test_a_decided_ballot_is_counted_as_it_was(
    ballot: Game, act: Take, rival: Player, visit: Visitor
) -> None:
    advance(ballot.slug, THE_END)
    Proposal.objects.filter(number=1).update(reasons=["Lost: so it stands in the record."])
    page = page_of(visit())
    assert "as it was decided" in page
    assert "Lost: so it stands in the record." in page
    act(rival, "games.leave")
    assert "ADOPTED" in page_of(visit()) or "FAILED QUORUM" in page_of(visit())


def test_votes_of_players_who_left_still_count_in_a_decided_ballot(
    ballot: Game, act: Take, rival: Player, visit: Visitor
) -> None:
    advance(ballot.slug, THE_END)
    act(rival, "games.leave")
    assert "Not of active players" not in page_of(visit())


def test_a_decided_ballot_is_counted_with_the_players_of_that_time(
    ballot: Game, visit: Visitor
) -> None:
    assert "Counted as players: those of today." in page_of(visit())
    advance(ballot.slug, THE_END)
    before = page_of(visit()).partition("<h1")[2]
    assert "Counted as players: those of that time." in before
    for number in range(9):
        seat(ballot, f"Late{number}")
    Player.objects.update(vested=False)
    assert (
        page_of(visit()).partition("<h1")[2].partition("</article>")[0]
        == (before.partition("</article>")[0])
    )


@pytest.mark.parametrize("preset", ["b-nomic-5e33"])
def test_what_was_never_voted_on_has_nothing_to_count(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    assert "has not come to the vote" in page_of(visit())
    act(player, "proposals.withdraw", proposal=1)
    assert "has not come to the vote" in page_of(visit())


def test_sealed_votes_are_not_counted_before_the_close(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    act(player, "proposals.submit", title="Forks", body="x")
    advance(game.slug, NDAY_9)
    Proposal.objects.update(secret=True)
    act(rival, "proposals.vote", proposal=1, choice="FOR")
    assert "The votes are sealed" in page_of(visit(rival))
    Proposal.objects.filter(number=2).update(secret=False)
    assert "Spoons" not in page_of(visit(), PATH.replace("1", "2", 1))


@pytest.mark.parametrize("players", [3, 300])
@pytest.mark.parametrize("preset", ["b-nomic-2006", "b-nomic-5e33", "agora-proposals", "blognomic"])
def test_the_comparison_asks_little_of_the_database(
    players: int,
    preset: str,
    game: Game,
    player: Player,
    act: Take,
    visit: Visitor,
    django_assert_max_num_queries: object,
) -> None:
    Player.objects.bulk_create(
        Player(game=game, name=f"player {number}", joined_at=WEDNESDAY) for number in range(players)
    )
    for number in range(3):
        act(player, "proposals.submit", title=f"Spoon {number}", body="x")
    if preset.startswith("b-nomic"):
        advance(game.slug, NDAY_9)
    act(seat(game, "Madrid"), "proposals.vote", proposal=1, choice="FOR")
    client = visit(player)
    client.get(PATH)
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        assert client.get(PATH).status_code == 200


@pytest.mark.parametrize("preset", ["b-nomic-5e33", "agora-proposals", "blognomic"])
def test_every_kind_of_game_compares(
    preset: str, game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    act(player, "proposals.submit", title="Spoons", body="x")
    if preset.startswith("b-nomic"):
        advance(game.slug, NDAY_9)
    assert "as they stand" in page_of(visit(player)) or "as they were cast" in page_of(visit())
