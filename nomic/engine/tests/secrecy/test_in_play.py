"""Public acts with a private side: what is hidden goes to the sealed book, under one hash."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from nomic.engine.actions import _ACTIONS, TwoSidedAction
from nomic.engine.dry_run import rehearse
from nomic.engine.outcomes import Malformed, Receipt, Refused
from nomic.engine.take import take
from nomic.engine.tests.sides import WORD, is_right
from nomic.games.models import Game, Player
from nomic.governance.seats import Join
from nomic.operations.audit import audit
from nomic.operations.exports import export_game, import_game
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.record.chain import content, digest, entry_hash
from nomic.record.models import PART
from tests.kit import WEDNESDAY, Take, again_while_busy, all_at_once, seat, user_of

pytestmark = pytest.mark.usefixtures("acts_with_a_private_side")


def lines_of(game: Game) -> list[dict[str, Any]]:
    file = io.StringIO()
    export_game(game, file)
    return [json.loads(line) for line in file.getvalue().splitlines()]


def before(lines: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The line before that of the public entry of that name: its part."""
    at = next(n for n, line in enumerate(lines) if line.get("entry", {}).get("name") == name)
    return lines[at - 1]


# What stands where


def test_what_is_hidden_stands_in_a_part_that_the_public_entry_names(
    game: Game, player: Player, buried: Receipt
) -> None:
    entry, part = game.entries.get(seq=buried.entry.seq), game.sealed_entries.get()
    assert (entry.actor, entry.inputs, entry.key) == (player, {"thing": "a box"}, None)
    assert entry.outcome == {"thing": "a box", "part": part.content_hash}
    assert entry.text == "Murphy buries a box."
    assert (part.name, part.actor, part.inputs) == (PART, player, {"place": WORD})
    assert (part.text, part.outcome) == (f"It lies at {WORD}.", {"of": "tiny.bury"})
    assert (part.after, part.at, part.opened_in) == (entry.seq - 1, entry.at, None)
    assert is_right(game)


@pytest.mark.parametrize("nameless", [True, False])
def test_there_is_a_part_whether_anything_is_hidden_or_not(
    game: Game, player: Player, rival: Player, act: Take, nameless: bool
) -> None:
    entry = act(player, "tiny.give", to="Madrid", nameless=nameless).entry
    part = game.sealed_entries.get()
    assert entry.outcome == {"part": part.content_hash}
    assert (part.actor, part.inputs, part.text) == (player, {}, "")
    assert entry.actor == (None if nameless else player)
    assert is_right(game)


def test_a_part_comes_of_the_kind_of_act_alone(game: Game, player: Player, act: Take) -> None:
    shown = act(player, "tiny.show", thing="a box", place="here").entry
    assert shown.inputs == {"thing": "a box", "place": "here"}
    assert shown.outcome["part"] == game.sealed_entries.get().content_hash
    assert act(player, "tiny.lay", thing="a box", place="here").entry.outcome == {}
    assert game.sealed_entries.count() == 1


def test_the_database_keeps_one_part_an_entry(game: Game, player: Player, buried: Receipt) -> None:
    part = game.sealed_entries.get()
    part.pk, part.seq, part.number, part.key, part.prev_hash = None, 2, 2, None, part.hash
    with pytest.raises(IntegrityError, match="one_part_an_entry"), transaction.atomic():
        part.save(force_insert=True)


def test_an_act_that_may_be_private_goes_either_way(game: Game, player: Player, act: Take) -> None:
    aloud = act(player, "tiny.mumble", key="k1", words=WORD)
    aside = act(player, "tiny.mumble", key="k2", words=WORD, aside=True)
    assert (aloud.entry.text, aloud.private_sentence) == ("Murphy mumbles.", f"“{WORD}”")
    assert (aside.entry.text, aside.private_sentence) == (f"Murphy mumbles. “{WORD}”", "")
    assert aloud.entry.inputs == {"aside": False}
    assert game.entries.filter(name="tiny.mumble").count() == 1
    for key, first in {"k1": aloud, "k2": aside}.items():
        again = act(player, "tiny.mumble", key=key, words=WORD, aside=key == "k2")
        assert (again.entry, again.private_sentence, again.repeated) == (
            first.entry,
            first.private_sentence,
            True,
        )
    assert is_right(game)


def test_a_private_sentence_without_a_private_side_is_not_lost_in_silence(
    game: Game, player: Player, act: Take
) -> None:
    before = Game.objects.get(pk=game.pk).last_entry
    with pytest.raises(RuntimeError, match="private side"):
        act(player, "tiny.chatter")
    assert Game.objects.get(pk=game.pk).last_entry == before


def test_what_is_refused_or_misshapen_leaves_no_part(game: Game, player: Player, act: Take) -> None:
    with pytest.raises(Malformed):
        act(player, "tiny.bury", thing="a box", place=WORD * 20)
    with pytest.raises(Refused):
        act(player, "tiny.hint", number=3)
    assert not game.sealed_entries.exists()


# Keys and receipts


def test_the_same_key_gives_the_first_receipt_again_with_what_was_told(
    game: Game, player: Player, act: Take, buried: Receipt
) -> None:
    again = act(player, "tiny.bury", key="k1", thing="a box", place=WORD)
    assert (again.entry, again.repeated) == (buried.entry, True)
    assert again.private_sentence == buried.private_sentence == f"It lies at {WORD}."
    assert again.sentences == f"Murphy buries a box. For you alone: It lies at {WORD}."
    assert game.sealed_entries.count() == 1


@pytest.mark.parametrize("name", ["tiny.lay", "tiny.whisper"])
def test_its_key_serves_no_other_act(player: Player, act: Take, buried: Receipt, name: str) -> None:
    inputs = {"words": "hush"} if name == "tiny.whisper" else {"thing": "x", "place": "y"}
    with pytest.raises(Refused) as refused:
        act(player, name, key="k1", **inputs)
    assert refused.value.refusal.code == "key_used"
    assert f"for entry {buried.entry.seq} already" in refused.value.refusal.sentence


def test_a_key_of_another_act_serves_none_with_a_part(
    game: Game, player: Player, act: Take
) -> None:
    act(player, "tiny.lay", key="k1", thing="a box", place="here")
    with pytest.raises(Refused) as refused:
        act(player, "tiny.bury", key="k1", thing="a box", place=WORD)
    assert refused.value.refusal.code == "key_used"
    assert not game.sealed_entries.exists()


def test_one_key_sent_many_times_at_once_makes_one_entry_and_one_part(
    transactional_db: None, game: Game
) -> None:
    player = seat(game, "Murphy")
    bury = again_while_busy(lambda: _bury(game, player))
    ends = all_at_once(*[bury] * 6)
    assert all(isinstance(end, Receipt) for end in ends), ends
    assert len({(end.entry.pk, end.private_sentence) for end in ends}) == 1
    assert (game.entries.filter(name="tiny.bury").count(), game.sealed_entries.count()) == (1, 1)


def _bury(game: Game, player: Player) -> Receipt:
    return take(game.slug, player, "tiny.bury", {"thing": "a box", "place": WORD}, "the same")


# Replays, files, previews


def test_a_game_with_parts_goes_on_elsewhere_from_one_file(
    game: Game, player: Player, rival: Player, act: Take, buried: Receipt
) -> None:
    act(player, "tiny.give", key="k2", to="Madrid", nameless=True)
    act(None, "tiny.hint", number=3)
    act(player, "tiny.whisper", words="plugh")
    act(rival, "tiny.dig")
    advance(game.slug, WEDNESDAY.replace(day=10))
    game.refresh_from_db()
    assert is_right(game)
    lines = lines_of(game)
    part = before(lines, "tiny.give")["sealed"]
    assert (part["name"], part["actor"]) == (PART, "Murphy")
    copy = import_game([json.dumps(line) for line in lines], slug="copy", seat_users=True)
    hashes = list(copy.sealed_entries.values_list("hash", "key", "actor__name", "inputs"))
    assert hashes == list(game.sealed_entries.values_list("hash", "key", "actor__name", "inputs"))
    assert list(copy.entries.values_list("hash")) == list(game.entries.values_list("hash"))
    assert is_right(copy)


def _taken_out(line: dict[str, Any]) -> None:
    del line["sealed"]


def _of_another_shape(line: dict[str, Any]) -> None:
    line["sealed"]["actor"] = 7


def _no_part(line: dict[str, Any]) -> None:
    line["sealed"] = "nothing"


def _elsewhere(line: dict[str, Any]) -> None:
    line["sealed"]["inputs"]["place"] = "elsewhere"


def _by_another(line: dict[str, Any]) -> None:
    line["sealed"]["actor"] = "Madrid"


@pytest.mark.parametrize(
    "tamper", [_taken_out, _of_another_shape, _no_part, _elsewhere, _by_another]
)
def test_a_file_whose_parts_were_tampered_with_is_not_taken_in(
    game: Game, rival: Player, buried: Receipt, tamper: Callable[[dict[str, Any]], None]
) -> None:
    lines = lines_of(game)
    tamper(before(lines, "tiny.bury"))
    with pytest.raises(BadRecording):
        import_game([json.dumps(line) for line in lines], slug="copy")
    assert Game.objects.count() == 1


TAMPERED = {
    "its inputs": """SET inputs = '{"place": "elsewhere"}'""",
    "its actor": "SET actor_id = NULL, actor_name = NULL",
    "its sentence": "SET text = 'It lies elsewhere.'",
    "its place": "SET after = after - 1",
    "its kind": "SET name = 'record.note'",
    "its hash": "SET hash = repeat('0', 64)",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_part_that_was_tampered_with_is_found_out(
    game: Game, player: Player, act: Take, buried: Receipt, what: str
) -> None:
    act(player, "tiny.whisper", words="plugh")
    around_the_triggers(f"UPDATE record_sealedentry {TAMPERED[what]} WHERE seq = 1")
    assert not is_right(game)


def test_a_part_that_is_another_by_all_hashes_is_found_by_its_public_entry(
    game: Game, buried: Receipt
) -> None:
    """Somebody who can hash the whole sealed book anew still cannot make it fit the record."""
    part = game.sealed_entries.get()
    part.inputs = {"place": "elsewhere"}
    forged = entry_hash(part)
    around_the_triggers(
        f"""UPDATE record_sealedentry SET inputs = '{{"place": "elsewhere"}}', hash = '{forged}',
            content_hash = '{digest(content(part))}'""",
        f"""UPDATE games_game SET sealed_head = '{forged}',
            sealed_books = '{{"tiny": [1, "{forged}"]}}'""",
    )
    game.refresh_from_db()
    wrong = [str(finding) for finding in audit(game) if finding.wrong]
    said = f"entry {buried.entry.seq} and its part in the sealed book do not agree"
    assert [each.rpartition(": ")[2] for each in wrong] == [said]
    assert str(replay(game)[1]).startswith(f"entry {buried.entry.seq}: outcome is ")


def around_the_triggers(*statements: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for sql in statements:
            cursor.execute(sql)
            assert cursor.rowcount == 1
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_a_preview_leaves_no_part_and_tells_nothing_private(game: Game, officer: Player) -> None:
    seen = rehearse(game.slug, officer.user, "tiny.hint", {"number": "3"})
    assert seen.text == "A hint is given."
    assert WORD not in str(seen)
    assert not game.sealed_entries.exists()


# What it costs


def test_a_part_costs_three_queries_at_most(
    game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = {"thing": "a box", "place": "here"}
    without = queries_of(lambda: act(player, "tiny.lay", key="k1", **inputs))
    with_one = queries_of(lambda: act(player, "tiny.bury", key="k2", **inputs))
    assert with_one <= without + 3
    assert with_one <= 15


def queries_of(act: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)


class _JoinInTwoBooks(Join, TwoSidedAction):
    """Join, with a private side."""


def test_the_act_of_somebody_who_only_then_has_a_seat_is_theirs(
    game: Game, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_ACTIONS, "games.join", _JoinInTwoBooks())
    entry = act(user_of("Murphy"), "games.join", name="Murphy").entry
    part = game.sealed_entries.get()
    assert entry.actor is not None
    assert (entry.actor, entry.outcome["part"]) == (part.actor, part.content_hash)
    assert is_right(game)
