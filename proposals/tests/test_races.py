"""Many connections vote, revise and number at one moment: each counts once, and in one order."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from nomic.engine.outcomes import Receipt, Refused
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.events.opening import CLOSES
from proposals.models import Proposal, Version, Vote
from tests.kit import (
    WEDNESDAY,
    Take,
    again_while_busy,
    all_at_once,
    seat,
    take_away_the_lock,
    user_of,
)

CROWD = 20
NDAY_9 = WEDNESDAY + timedelta(days=8)
THE_END = WEDNESDAY + timedelta(days=12)


@pytest.fixture
def preset() -> str:
    return "b-nomic-2006"


@pytest.fixture
def crowd(transactional_db: None, game: Game) -> list[Player]:
    """Twenty players, and one proposal that is Pending, or Open where all are at once."""
    players = [seat(game, f"player{number}") for number in range(1, CROWD + 1)]
    take(game.slug, players[0], "proposals.submit", {"body": "Spoons are nice."})
    return players


def sent(player: Player, name: str, key: str = "", **inputs: Any) -> Callable[[], Receipt]:
    return again_while_busy(lambda: take("table", player.user, name, inputs, key))


def votes(crowd: list[Player], key: str = "") -> list[Callable[[], Receipt]]:
    return [sent(each, "proposals.vote", key, proposal=1, choice="FOR") for each in crowd]


def refused(ends: list[Any]) -> set[str]:
    return {end.refusal.sentence for end in ends if isinstance(end, Refused)}


def honest(game: Game) -> bool:
    return replay(Game.objects.get(pk=game.pk))[1] is None


def test_twenty_who_vote_at_once_are_twenty_votes_each_in_its_own_entry(
    game: Game, crowd: list[Player]
) -> None:
    advance(game.slug, NDAY_9)
    ends = all_at_once(*votes(crowd))
    assert all(isinstance(end, Receipt) for end in ends), ends
    cast = Vote.objects.values_list("player__name", "entry")
    assert len(cast) == len({name for name, _ in cast}) == len({entry for _, entry in cast}) == 20
    assert honest(game)


def test_one_key_that_is_sent_twenty_times_is_one_vote(game: Game, crowd: list[Player]) -> None:
    advance(game.slug, NDAY_9)
    ends = all_at_once(*votes([crowd[0]] * CROWD, "once"))
    assert sorted(end.repeated for end in ends) == [False] + [True] * (CROWD - 1)
    assert Vote.objects.count() == 1


def test_at_the_moment_of_the_close_the_close_comes_first_and_every_vote_is_refused(
    game: Game, crowd: list[Player]
) -> None:
    advance(game.slug, NDAY_9)
    Game.objects.filter(pk=game.pk).update(anchor_game=THE_END)
    ends = all_at_once(*votes(crowd))
    assert refused(ends) == {"The vote on Proposal 1 is over."}
    assert sum(isinstance(end, Refused) for end in ends) == CROWD
    assert (Vote.objects.count(), game.entries.filter(name=CLOSES).count()) == (0, 1)


def test_two_editions_of_one_text_at_once_are_two_versions(game: Game, crowd: list[Player]) -> None:
    texts = ["Forks are nice.", "Knives are nice."]
    ends = all_at_once(
        *(sent(crowd[0], "proposals.revise", proposal=1, body=text) for text in texts)
    )
    assert all(isinstance(end, Receipt) for end in ends), ends
    assert list(Version.objects.values_list("number", flat=True)) == [1, 2, 3]
    assert Proposal.objects.get().body == Version.objects.get(number=3).body
    assert honest(game)


def test_with_the_lock_taken_away_two_revisions_do_not_both_count(
    game: Game, crowd: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    take_away_the_lock(monkeypatch, 2)
    ends = all_at_once(
        *(
            sent(crowd[0], "proposals.revise", proposal=1, body=text)
            for text in ("Forks are nice.", "Knives are nice.")
        )
    )
    assert sum(isinstance(end, Receipt) for end in ends) < 2


def test_one_number_that_is_given_twice_at_once_is_one_proposals(
    game: Game, crowd: list[Player], act: Take
) -> None:
    act(crowd[0], "games.take_office", office=game.offices.get(name="Administrator").name)
    act(None, "proposals.keep_by_hand", keeper="the officer", duty="numbers")
    for author in crowd[:2]:
        act(author, "proposals.submit", body="Forks are nice.")
    ends = all_at_once(
        *(
            sent(crowd[0], "proposals.assign_number", proposal=f"p{serial}", number=7)
            for serial in (2, 3)
        )
    )
    assert sum(isinstance(end, Receipt) for end in ends) == 1
    assert refused(ends) == {"Numbers up to 7 are used or passed over: give a greater one."}
    assert sorted(each.number or 0 for each in Proposal.objects.all()) == [0, 1, 7]


class TestTheQueue:
    """Where a vote itself can decide."""

    @pytest.fixture
    def preset(self) -> str:
        return "blognomic"

    def test_all_who_reach_quorum_at_once_enact_it_once(
        self, game: Game, crowd: list[Player]
    ) -> None:
        ends = all_at_once(*votes(crowd))
        enacted = [
            end for end in ends if isinstance(end, Receipt) and end.entry.outcome.get("results")
        ]
        assert len(enacted) == 1
        assert sum(isinstance(end, Receipt) for end in ends) == 11  # more than half of twenty
        assert refused(ends) == {"The vote on Proposal 1 is over."}
        assert Proposal.objects.get().passed
        assert honest(game)

    def test_with_the_lock_taken_away_that_goes_wrong(
        self, game: Game, crowd: list[Player], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        take_away_the_lock(monkeypatch, CROWD)
        ends = all_at_once(*votes(crowd))
        assert sum(isinstance(end, Receipt) for end in ends) < 11
        assert not Proposal.objects.get().passed


def test_nobody_who_comes_at_once_gets_anothers_seat_to_vote_from(
    game: Game, crowd: list[Player]
) -> None:
    advance(game.slug, NDAY_9)
    outsiders = [user_of(f"newcomer{number}") for number in range(5)]
    ends = all_at_once(
        *(
            again_while_busy(
                lambda user=user: take(  # type: ignore[misc]
                    "table", user, "proposals.vote", {"proposal": 1, "choice": "FOR"}
                )
            )
            for user in outsiders
        )
    )
    assert {end.refusal.code for end in ends} == {"not_a_player"}
    assert not Vote.objects.exists()
