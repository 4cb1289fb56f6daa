"""Private acts: what they move and roll belongs to their sealed entries, and stays unseen."""

from collections.abc import Iterator

import pytest
from django.db import DatabaseError, connection, transaction

from nomic.dice.models import Roll
from nomic.dice.proof import check_all
from nomic.engine import effects
from nomic.engine.actions import _ACTIONS, Action, PrivateAction, action
from nomic.engine.effects import Effects, Gain, Then
from nomic.engine.outcomes import Refused
from nomic.engine.table import Table
from nomic.engine.tests.tiny import COIN
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.ledger.models import Balance, Transfer
from nomic.operations.audit import audit
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from tests.kit import WEDNESDAY, Take, around, at_the_table


class _Private(PrivateAction):
    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.preset == "tiny")


class Find(_Private):
    """Find a coin in private."""

    name = "tiny.find"
    title = "Find a coin"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(Gain(player, 1, COIN), say=f"{player} finds a coin.")


class Draw(_Private):
    """Draw a card in private."""

    name = "tiny.draw"
    title = "Draw a card"

    def judge(self, table: Table, player: Player) -> Effects:
        draw = Then(lambda at: str(at.dice.choose("card", range(1000), private=True)))
        return Effects(draw)


class Toss(_Private):
    """Roll the dice that everybody sees, in private."""

    name = "tiny.toss"
    title = "Toss a coin"

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(effects.Roll({"coin": [0, 1]}, lambda side: Effects(say=str(side))))


class Disclose(Action):
    """Open what was whispered."""

    name = "tiny.disclose"
    title = "Disclose"

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.game.preset == "tiny")

    def judge(self, table: Table, player: Player) -> Effects:
        return Effects(Then(self.disclose))

    def disclose(self, table: Table) -> str:
        opened = table.open_sealed(table.game.sealed_entries.filter(name="tiny.whisper"))
        return ", ".join(entry.text for entry in opened)


class OpenInPrivate(Disclose, PrivateAction):
    """Open what was whispered, where nobody would hear of it."""

    name = "tiny.peek"
    title = "Peek"


@pytest.fixture(autouse=True)
@around
def private_acts() -> Iterator[None]:
    acts = (Find, Draw, Toss, Disclose, OpenInPrivate)
    for each in acts:
        action(each)
    yield
    for each in acts:
        _ACTIONS.pop(each.name)


def is_right(game: Game) -> bool:
    game.refresh_from_db()
    return not [each for each in audit(game) if each.wrong] and replay(game)[1] is None


def test_a_private_act_moves_an_asset_and_is_replayed(
    game: Game, player: Player, act: Take
) -> None:
    sealed = act(player, "tiny.find").entry
    again = act(player, "tiny.find").entry
    assert Balance.objects.get(holder__player=player, asset__name=COIN).amount == 2
    made = Transfer.objects.filter(game=game, sealed__isnull=False)
    assert list(made.values_list("entry", "sealed")) == [
        (None, sealed.seq),
        (None, again.seq),
    ]
    advance(game.slug, WEDNESDAY.replace(day=10))
    assert is_right(game)


def test_the_replay_finds_what_a_private_act_did_not_move(
    game: Game, player: Player, act: Take
) -> None:
    sealed = act(player, "tiny.find").entry
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(
                "UPDATE ledger_posting SET amount = amount * 2 WHERE transfer_id ="
                " (SELECT id FROM ledger_transfer WHERE game_id = %s AND sealed = %s)",
                [game.pk, sealed.seq],
            )
            cursor.execute("UPDATE ledger_balance SET amount = amount * 2 WHERE amount <> 0")
            cursor.execute("SET LOCAL session_replication_role = origin")
        game.refresh_from_db()
        assert str(replay(game)[1]).startswith(f"sealed entry {sealed.seq}: ")
        transaction.set_rollback(True)


def leave_open(transfer: Transfer) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        transfer.save()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_a_transfer_is_of_one_book_and_its_sealed_entry_exists(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "tiny.find")
    game.refresh_from_db()
    last, count = game.last_entry, game.sealed_count
    wrong = {
        "a_transfer_is_of_one_book": [(None, None), (last + 1, count + 1)],
        "a_transfer_has_its_sealed_entry": [(None, count + 1)],
    }
    for constraint, places in wrong.items():
        for entry, sealed in places:
            with pytest.raises(DatabaseError, match=constraint):
                leave_open(Transfer(game=game, entry=entry, sealed=sealed))


def test_nothing_is_posted_into_a_sealed_entry_that_is_written_already(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "tiny.find")
    with pytest.raises(DatabaseError, match="written already"), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)"
            " SELECT p.game_id, p.transfer_id, p.holder_id, p.asset_id, p.amount"
            " FROM ledger_posting p JOIN ledger_transfer t ON t.id = p.transfer_id"
            " WHERE t.sealed IS NOT NULL"
        )


def test_two_private_acts_between_two_entries_roll_dice_of_their_own(
    game: Game, player: Player, act: Take
) -> None:
    with at_the_table(game) as table:
        table.dice.open_period(private=True)
        table.dice.choose("card", list(range(1000)), private=True)
    first, second = (act(player, "tiny.draw").entry for _ in range(2))
    rolls = Roll.objects.filter(period__game=game, sealed=True)
    assert [roll.entry for roll in rolls] == [first.seq, second.seq]
    assert first.text != second.text
    assert not [proof for proof in check_all(game) if proof.wrong]


def test_a_private_act_cannot_roll_what_everybody_sees(
    game: Game, player: Player, act: Take
) -> None:
    with pytest.raises(RuntimeError, match="private act"):
        act(player, "tiny.toss")
    assert not Roll.objects.filter(period__game=game).exists()


@pytest.mark.parametrize(
    ("first", "second"), [("tiny.find", "games.leave"), ("games.leave", "tiny.find")]
)
def test_a_key_serves_one_act_whichever_book_it_stands_in(
    player: Player, act: Take, first: str, second: str
) -> None:
    entry = act(player, first, key="a key").entry
    with pytest.raises(Refused) as refused:
        act(player, second, key="a key")
    assert refused.value.refusal.code == "key_used"
    said = f"sealed entry {entry.content_hash}" if first == "tiny.find" else f"entry {entry.seq}"
    assert f"used for {said} " in refused.value.refusal.sentence.replace("the ", "")
    assert entry.game.entries.filter(name="games.leave").exists() is (first == "games.leave")


def test_a_disclosure_names_what_it_opens_and_is_audited_and_replayed(
    game: Game, player: Player, act: Take
) -> None:
    sealed = act(player, "tiny.whisper", words="plugh").entry
    act(player, "tiny.find")
    with pytest.raises(RuntimeError, match="private act"):
        act(player, "tiny.peek")
    told = act(player, "tiny.disclose").entry
    assert told.text == "Murphy whispers plugh."
    assert told.outcome == {"opened": [["tiny", sealed.number, sealed.hash]]}
    assert list(game.sealed_entries.filter(opened_in=told.seq)) == [sealed]
    assert act(player, "tiny.disclose").entry.outcome == {}
    assert is_right(game)


def test_what_was_opened_around_the_record_is_found_out(
    game: Game, player: Player, act: Take
) -> None:
    sealed = act(player, "tiny.find").entry
    game.sealed_entries.update(opened_in=1)
    wrong = [str(finding) for finding in audit(game) if finding.wrong]
    assert len(wrong) == 1
    assert wrong[0].endswith(f"entry 1 and sealed entry tiny {sealed.number} do not agree")
    assert "opened" in str(replay(game)[1])
