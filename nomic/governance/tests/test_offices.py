"""Nobody comes to an office, or stays in it, against the players' will."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from horses.rules.payouts import DOLLARY
from nomic.engine.outcomes import Malformed, Receipt, Refused
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.engine.tests.tiny import COIN, SCRIPTS
from nomic.games.models import Game, Player
from nomic.governance.models import Motion
from nomic.governance.motions import settle_all
from nomic.operations.replay import replay
from nomic.operations.setup import advance, new_game
from tests.kit import (
    WEDNESDAY,
    Take,
    again_while_busy,
    all_at_once,
    at_the_table,
    seat,
    user_of,
)

KEEPER = "Keeper"


def refused(act: Take, actor: object, name: str, **inputs: object) -> str:
    with pytest.raises(Refused) as refusal:
        act(actor, name, **inputs)
    assert refusal.value.refusal.sentence.endswith(".")
    return refusal.value.refusal.code


def holder(game: Game) -> str | None:
    return game.offices.values_list("holder__name", flat=True).get(name=KEEPER)


def stands(act: Take, candidate: Player) -> int:
    return int(act(candidate, "games.stand", office=KEEPER).entry.outcome["motion"])


def ends(game: Game) -> list[str]:
    return list(game.motions.order_by("number").values_list("end", flat=True))


def filled(act: Take, players: list[Player]) -> Player:
    """Let the last of four players hold the office, by two others' support."""
    motion = stands(act, players[3])
    for each in players[:2]:
        act(each, "games.support", motion=motion)
    return players[3]


def break_down(game: Game) -> None:
    """Let something be due at which the game gets stuck."""
    SCRIPTS["broken"] = lambda table: 1 / 0  # type: ignore[assignment, return-value]
    with at_the_table(game) as table:
        table.appointments.make("tiny.scripted", table.now, "broken")


def test_a_new_account_takes_nothing_from_the_mint_of_a_real_game(db: None) -> None:
    game, _ = new_game("real", "agora-races", pace="real")
    for name in ("Murphy", "Madrid", "Jason"):
        seat(game, name)
    newcomer = seat(game, "mallory")
    before = game.last_entry

    def act(name: str, **inputs: object) -> Receipt:
        return take("real", newcomer, name, inputs)

    with pytest.raises(Refused) as refusal:
        act("games.take_office", office="Horsened")
    assert refusal.value.refusal.sentence.startswith("Stand for it")
    act("games.stand", office="Horsened")
    with pytest.raises(Refused):
        act("games.support", motion=1)
    with pytest.raises(Refused):
        act("games.pause", reason="mine")
    game.refresh_from_db()
    assert (game.state, game.offices.get(name="Horsened").holder) == ("running", None)
    act(
        "ledger.correct",
        amount=1_000_000,
        asset=DOLLARY,
        giver="Mint",
        receiver="mallory",
        reason="mine",
    )
    assert glance(game).ledger.balance(newcomer, DOLLARY) < 1_000, "It waits for support."
    assert game.last_entry > before


def test_more_than_half_of_the_others_fill_an_office_at_once(
    act: Take, game: Game, players: list[Player]
) -> None:
    murphy, madrid, jason, _ = players
    motion = stands(act, murphy)
    act(madrid, "games.support", motion=motion)
    assert holder(game) is None
    entry = act(jason, "games.support", motion=motion).entry
    assert holder(game) == "Murphy"
    assert entry.text == (
        "Jason supports Motion 1, “Stand for the office of Keeper”. Motion 1 is done."
        " By the players' support Murphy is the Keeper now."
    )
    assert ends(game) == ["done"]


def test_the_candidate_is_not_counted(act: Take, game: Game, players: list[Player]) -> None:
    motion = stands(act, players[0])
    assert refused(act, players[0], "games.support", motion=motion) == "not_counted"
    act(players[1], "games.support", motion=motion)
    assert holder(game) is None


def test_several_stand_and_the_others_fail_when_one_is_chosen(
    act: Take, game: Game, players: list[Player]
) -> None:
    murphy, madrid, jason, snail = players
    stands(act, murphy), stands(act, madrid)
    assert refused(act, murphy, "games.stand", office=KEEPER) == "announced"
    act(madrid, "games.support", motion=1)
    act(jason, "games.support", motion=2)
    act(snail, "games.support", motion=2)
    assert holder(game) == "Madrid"
    assert ends(game) == ["failed", "done"]
    assert game.motions.get(number=1).note == "Madrid holds the office of Keeper now."


def test_accounts_that_joined_after_the_announcement_do_not_count(
    act: Take, game: Game, players: list[Player]
) -> None:
    motion = stands(act, players[0])
    for number in range(3):
        second = seat(game, f"second {number}")
        assert refused(act, second, "games.support", motion=motion) == "not_counted"
    act(players[1], "games.support", motion=motion)
    act(players[2], "games.support", motion=motion)
    assert holder(game) == "Murphy"  # the second accounts made it no harder, either


def test_many_accounts_made_before_one_stands_neither_fill_nor_keep_an_office(
    act: Take, game: Game, players: list[Player]
) -> None:
    advance(game.slug, WEDNESDAY + timedelta(days=1))
    crowd = [seat(game, f"second {number}") for number in range(5)]
    motion = stands(act, crowd[0])
    for each in crowd[1:]:
        assert refused(act, each, "games.support", motion=motion) == "not_counted"
    assert holder(game) is None
    assert filled(act, players) == players[3]
    assert holder(game) == "snail"
    advance(game.slug, WEDNESDAY + timedelta(days=2))
    recall = act(crowd[0], "games.recall", office=KEEPER).entry.outcome["motion"]
    act(crowd[1], "games.support", motion=recall)  # who has played for a day by now is counted
    assert replay(Game.objects.get())[1] is None


def test_while_nobody_has_played_for_long_all_are_counted(
    act: Take, game: Game, players: list[Player]
) -> None:
    advance(game.slug, WEDNESDAY + timedelta(hours=23))
    filled(act, players)
    assert holder(game) == "snail"


def test_a_sole_player_cannot_stand(act: Take, player: Player) -> None:
    assert refused(act, player, "games.stand", office=KEEPER) == "nobody_else"


def test_a_held_office_is_not_stood_for_and_a_vacant_one_not_recalled(
    act: Take, game: Game, players: list[Player]
) -> None:
    assert refused(act, players[0], "games.recall", office=KEEPER) == "all_vacant"
    filled(act, players)
    assert refused(act, players[0], "games.stand", office=KEEPER) == "no_vacancy"
    assert refused(act, players[3], "games.recall", office=KEEPER) == "holds_it"
    with pytest.raises(Malformed):
        act(players[0], "games.stand", office="Emperor")


def test_a_candidate_who_leaves_stands_no_more(
    act: Take, game: Game, players: list[Player]
) -> None:
    stands(act, players[0])
    act(players[0], "games.leave")
    assert ends(game) == ["withdrawn"]
    assert refused(act, players[1], "games.support", motion=1) == "no_motion"


def test_a_supporter_who_leaves_is_not_counted(
    act: Take, game: Game, players: list[Player]
) -> None:
    murphy, madrid, jason, snail = players
    motion = stands(act, murphy)
    act(madrid, "games.support", motion=motion)
    act(madrid, "games.leave")
    assert holder(game) is None
    act(jason, "games.support", motion=motion)
    assert holder(game) is None
    act(snail, "games.support", motion=motion)
    assert holder(game) == "Murphy"


def test_who_leaves_may_make_the_supporters_a_majority(
    act: Take, game: Game, players: list[Player]
) -> None:
    murphy, madrid, jason, snail = players
    motion = stands(act, murphy)
    act(madrid, "games.support", motion=motion)
    act(jason, "games.leave")
    assert holder(game) is None
    act(snail, "games.leave")
    assert holder(game) == "Murphy"
    assert game.entries.latest("seq").name == "games.motion"


def test_the_same_majority_recalls_and_who_begins_it_supports_it(
    act: Take, game: Game, players: list[Player]
) -> None:
    officer = filled(act, players)
    recall = act(players[0], "games.recall", office=KEEPER).entry
    assert recall.text.endswith("more than half of the active players but snail support it.")
    motion = recall.outcome["motion"]
    assert refused(act, players[1], "games.recall", office=KEEPER) == "announced"
    assert refused(act, officer, "games.support", motion=motion) == "not_counted"
    assert holder(game) == "snail"
    act(players[2], "games.support", motion=motion)
    assert holder(game) is None
    stands(act, players[0])


def test_a_recall_ends_with_the_tenure_that_it_is_about(
    act: Take, game: Game, players: list[Player]
) -> None:
    filled(act, players)
    act(players[0], "games.recall", office=KEEPER)
    act(players[3], "games.resign_office", office=KEEPER)
    assert ends(game) == ["done", "failed"]
    act(players[3], "games.leave")


@pytest.mark.parametrize("how", ["paused", "stuck"])
def test_officers_are_recalled_and_chosen_while_time_stands_still(
    how: str, act: Take, game: Game, players: list[Player]
) -> None:
    officer = filled(act, players)
    if how == "paused":
        act(officer, "games.pause", reason="a coup")
    else:
        break_down(game)
        with pytest.raises(Refused):
            act(officer, "tiny.buy_cup")
    game.refresh_from_db()
    assert game.state == how
    recall = act(players[0], "games.recall", office=KEEPER).entry.outcome["motion"]
    act(players[1], "games.support", motion=recall)
    assert holder(game) is None
    motion = stands(act, players[0])
    act(players[1], "games.support", motion=motion)
    act(players[2], "games.support", motion=motion)
    assert holder(game) == "Murphy"
    if how == "paused":
        act(players[0], "games.resume")
    else:
        skip = act(players[0], "games.skip_appointment", reason="it is broken").entry
        for each in players[1:3]:
            act(each, "games.support", motion=skip.outcome["motion"])
    game.refresh_from_db()
    assert game.state == "running"


def test_a_leaving_asks_no_more_for_many_motions_than_for_few(
    game: Game, act: Take, players: list[Player]
) -> None:
    def open_ones(numbers: range) -> None:
        for number in numbers:
            Motion.objects.create(
                game=game,
                number=number,
                action="games.stand",
                inputs={"office": KEEPER},
                by=players[0],
                entry=1,
                at=WEDNESDAY,
            )

    def queries() -> int:
        with at_the_table(game) as table, CaptureQueriesContext(connection) as asked:
            settle_all(table)
        return len(asked)

    open_ones(range(1, 4))
    queries()
    few = queries()
    open_ones(range(4, 61))
    assert queries() == few


def test_who_leaves_lays_down_every_office(act: Take, game: Game, players: list[Player]) -> None:
    act(filled(act, players), "games.leave")
    assert holder(game) is None


def test_what_is_asked_once_more_says_how_the_office_is_filled_then(
    act: Take, game: Game, players: list[Player]
) -> None:
    from nomic.engine.actions import find_action
    from nomic.engine.table import glance

    question = find_action("games.resign_office").question(glance(game), players[0], {})
    assert "more than half of the other players" in question


def test_two_candidates_at_the_majority_at_once_are_not_both_chosen(
    transactional_db: None,
) -> None:
    game, _ = new_game("race", "tiny", pace="manual", start=WEDNESDAY, offices="support")
    murphy, madrid, jason, snail = (
        seat(game, name) for name in ("Murphy", "Madrid", "Jason", "snail")
    )
    for candidate in (murphy, madrid):
        take("race", candidate, "games.stand", {"office": KEEPER})
        take("race", jason, "games.support", {"motion": 1 if candidate == murphy else 2})
    chose = all_at_once(
        again_while_busy(lambda: take("race", snail, "games.support", {"motion": 1})),
        again_while_busy(lambda: take("race", murphy, "games.support", {"motion": 2})),
    )
    assert sorted(ends(game)) == ["done", "failed"]
    assert [isinstance(each, Receipt) for each in chose].count(True) == 1
    assert holder(game) == ("Murphy" if isinstance(chose[0], Receipt) else "Madrid")


class TestTheHost:
    @pytest.fixture
    def offices(self) -> str:
        return "host"

    @pytest.fixture
    def host(self, game: Game) -> User:
        game.host = user_of("the landlord")
        game.save(update_fields=["host"])
        return game.host

    def test_a_host_without_a_seat_appoints_replaces_and_makes_vacant(
        self, act: Take, game: Game, players: list[Player], host: User
    ) -> None:
        entry = act(host, "games.appoint", office=KEEPER, player="Madrid").entry
        assert (entry.actor, entry.text) == (None, "By the host's word, Madrid is Keeper.")
        assert refused(act, host, "games.appoint", office=KEEPER, player="Madrid") == "so_already"
        act(host, "games.appoint", office=KEEPER, player="Murphy")
        assert holder(game) == "Murphy"
        act(host, "games.appoint", office=KEEPER, player="")
        assert holder(game) is None

    def test_nobody_else_appoints_but_the_operator(
        self, act: Take, game: Game, players: list[Player], host: User, outsider: User
    ) -> None:
        for actor in (players[0], outsider):
            with pytest.raises(Refused):
                act(actor, "games.appoint", office=KEEPER, player="Murphy")
        act(None, "games.appoint", office=KEEPER, player="Murphy")
        assert holder(game) == "Murphy"
        for way in ("games.stand", "games.take_office", "games.recall"):
            assert refused(act, players[1], way, office=KEEPER) == "filled_otherwise"

    def test_a_host_has_no_other_power(
        self, act: Take, game: Game, players: list[Player], host: User
    ) -> None:
        give = {"amount": 1, "asset": COIN, "giver": "Mint", "receiver": "Murphy", "reason": "x"}
        assert refused(act, host, "games.pause", reason="x") == "not_a_player"
        assert refused(act, host, "ledger.correct", **give) == "not_a_player"
        act(host, "games.join", name="landlord")
        assert refused(act, host, "games.pause", reason="x") == "not_the_officer"
        act(host, "games.appoint", office=KEEPER, player="landlord")
        act(host, "games.pause", reason="their office allows it")


class TestPractice:
    @pytest.fixture
    def offices(self) -> str:
        return "open"

    def test_whoever_takes_a_vacant_office_has_it(
        self, act: Take, game: Game, players: list[Player]
    ) -> None:
        act(players[0], "games.take_office", office=KEEPER)
        assert holder(game) == "Murphy"
        for way in ("games.stand", "games.recall"):
            assert refused(act, players[1], way, office=KEEPER) == "filled_otherwise"
        assert not Motion.objects.exists()
        advance(game.slug, WEDNESDAY)
