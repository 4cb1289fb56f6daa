"""The one door: each form counts once, and what is not an action changes nothing."""

from collections.abc import Callable
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nomic.engine import watch
from nomic.engine.actions import Action, NewcomerAction, all_actions
from nomic.engine.forms import ActionForm
from nomic.engine.outcomes import Malformed, Receipt, Refused, UnknownAction, UnknownGame
from nomic.engine.take import take
from nomic.engine.tests.tiny import COIN, COINS, CUP
from nomic.games.models import Game, Player
from nomic.ledger.models import Balance
from nomic.record.chain import entry_hash
from nomic.record.models import Entry, SealedEntry
from tests.kit import Take, at_the_table


def state(game: Game) -> list[Any]:
    """All that an act that came to nothing may not have changed."""
    return [
        list(Game.objects.filter(pk=game.pk).values()),
        list(game.entries.values_list()),
        list(game.sealed_entries.values_list()),
        list(Balance.objects.filter(holder__game=game).order_by("pk").values_list()),
        list(game.players.values_list()),
        list(game.offices.values_list()),
        list(game.rules.values_list()),
        list(game.appointments.values_list()),
    ]


@pytest.fixture
def rich(game: Game, player: Player, rival: Player) -> Game:
    with at_the_table(game) as table:
        table.ledger.create(player, 10, COIN)
        table.ledger.create(rival, 10, COIN)
    game.refresh_from_db()
    return game


# Keys


def test_the_same_key_gives_the_first_receipt_and_happens_once(
    rich: Game, player: Player, act: Take
) -> None:
    first = act(player, "tiny.pay", key="k1", coins=3, to="Madrid")
    before = state(rich)
    again = act(player, "tiny.pay", key="k1", coins=3, to="Madrid")
    assert (first.repeated, again.repeated) == (False, True)
    assert again.entry == first.entry
    assert state(rich) == before


def test_a_key_repeated_where_the_act_would_be_refused_by_now_gives_the_first_receipt(
    rich: Game, player: Player, act: Take
) -> None:
    first = act(player, "tiny.buy_cup", key="k1")
    assert act(player, "tiny.buy_cup", key="k1").entry == first.entry


def test_a_key_repeated_where_the_choice_is_gone_by_now_gives_the_first_receipt(
    rich: Game, player: Player, act: Take
) -> None:
    first = act(player, "tiny.claim", key="k1", thing=CUP)
    again = act(player, "tiny.claim", key="k1", thing=CUP)
    assert (again.entry, again.repeated) == (first.entry, True)


def test_a_key_that_was_used_for_another_action_is_refused(
    rich: Game, player: Player, act: Take
) -> None:
    first = act(player, "tiny.buy_cup", key="k1").entry
    with pytest.raises(Refused) as refused:
        act(player, "tiny.pay", key="k1", coins=1, to="Madrid")
    assert refused.value.refusal.code == "key_used"
    assert f"entry {first.seq} already" in refused.value.refusal.sentence


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("tiny.pay", {"coins": 3, "to": "Madrid"}, {"coins": 4, "to": "Madrid"}),
        ("tiny.pay", {"coins": 3, "to": "Madrid"}, {"coins": 3, "to": "Murphy"}),
        ("tiny.whisper", {"words": "xyzzy"}, {"words": "plugh"}),
    ],
)
def test_a_key_that_was_used_with_other_inputs_is_refused(
    rich: Game, player: Player, act: Take, name: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    act(player, name, key="k1", **first)
    before = state(rich)
    with pytest.raises(Refused, match="This key was used for") as refused:
        act(player, name, key="k1", **second)
    assert refused.value.refusal.code == "key_used"
    assert state(rich) == before
    assert act(player, name, key="k1", **first).repeated


def test_of_a_key_that_was_used_what_is_misshapen_is_malformed(
    rich: Game, player: Player, act: Take
) -> None:
    inputs = {"coins": 3, "to": "Madrid"}
    act(player, "tiny.pay", key="k1", **inputs)
    for wrong in ({"coins": "3"}, {"more": 1}):
        with pytest.raises(Malformed):
            take(rich.slug, player, "tiny.pay", {**inputs, **wrong}, "k1", typed=True)
    assert take(rich.slug, player, "tiny.pay", inputs, "k1", typed=True).repeated


def test_a_form_that_is_sent_twice_counts_once_though_its_numbers_are_texts(
    rich: Game, player: Player, act: Take
) -> None:
    act(player, "tiny.pay", key="k1", coins=3, to="Madrid")
    assert act(player, "tiny.pay", key="k1", coins=" 3", to="Madrid").repeated


def test_each_persons_keys_are_their_own(
    rich: Game, player: Player, rival: Player, act: Take
) -> None:
    first = act(player, "tiny.pay", key="k1", coins=1, to="Madrid")
    second = act(rival, "tiny.pay", key="k1", coins=1, to="Murphy")
    assert (second.repeated, second.entry.actor) == (False, rival)
    assert second.entry != first.entry


def test_a_key_is_the_persons_whether_they_act_by_seat_or_as_user(
    rich: Game, player: Player, act: Take
) -> None:
    first = act(player, "tiny.pay", key="k1", coins=1, to="Madrid")
    assert act(player.user, "tiny.pay", key="k1", coins=1, to="Madrid").entry == first.entry


def test_a_repeated_whisper_is_whispered_once(rich: Game, player: Player, act: Take) -> None:
    first = act(player, "tiny.whisper", key="k1", words="xyzzy")
    again = act(player, "tiny.whisper", key="k1", words="xyzzy")
    assert (again.entry, again.repeated) == (first.entry, True)
    assert rich.sealed_entries.count() == 1


def test_without_a_key_each_act_counts(rich: Game, player: Player, act: Take) -> None:
    entries = [act(player, "tiny.pay", coins=1, to="Madrid").entry for _ in range(3)]
    assert len({entry.seq for entry in entries}) == 3


@pytest.mark.parametrize("key", ["k" * 81, "a\x00b", "\ud800", "a\nb"])
def test_a_key_that_cannot_be_one_is_refused_with_a_sentence(
    rich: Game, player: Player, act: Take, key: str
) -> None:
    with pytest.raises(Refused) as refused:
        act(player, "tiny.buy_cup", key=key)
    assert refused.value.refusal.code == "bad_key"


# What a receipt tells, and what others see of it


def test_a_receipt_is_the_entry_as_it_stands_in_the_record(
    rich: Game, player: Player, act: Take
) -> None:
    receipt = act(player, "tiny.pay", coins=2, to="Madrid")
    entry = rich.entries.get(seq=receipt.entry.seq)
    assert entry.inputs == {"coins": 2, "to": "Madrid"}
    assert entry.text == "Murphy pays 2 coins to Madrid."
    assert (entry.actor, entry.kind, entry.rule) == (player, "action", COINS)


def test_watchers_are_told_of_public_acts_and_of_private_ones_their_actor_alone(
    rich: Game, player: Player, rival: Player, act: Take, django_capture_on_commit_callbacks: Any
) -> None:
    def everything() -> dict[str, Any]:
        redis = cache.client.get_client()  # type: ignore[attr-defined]
        told = [key.decode() for key in redis.keys(str(key_of("*")))]
        own = ("nomic:measures", "nomic:used:", "nomic:filled:", "nomic:held")
        counted = tuple(str(key_of(each)) for each in own)
        return {key: redis.get(key) for key in told if not key.startswith(counted)}

    key_of = cache.client.make_key  # type: ignore[attr-defined]

    marks = {each.pk: watch.begin_seat_mark(each.pk) for each in (player, rival)}
    with django_capture_on_commit_callbacks(execute=True):
        entry = act(player, "tiny.pay", coins=2, to="Madrid").entry
    assert watch.mark(rich.pk) == str(entry.seq)
    assert {each: watch.seat_mark(each) for each in marks} == marks
    before = everything()
    with django_capture_on_commit_callbacks(execute=True):
        act(player, "tiny.whisper", words="xyzzy")
    assert watch.seat_mark(player.pk) is None
    watch.begin_seat_mark(player.pk)
    after = everything()
    assert [each for each in before | after if before.get(each) != after.get(each)] == [
        key_of(f"nomic:seat:{player.pk}")
    ]
    assert watch.mark(rich.pk) == str(entry.seq)


def test_an_act_takes_at_most_15_queries_with_all_it_causes(
    rich: Game, player: Player, act: Take
) -> None:
    act(player.user, "tiny.pay", coins=1, to="Madrid")
    with CaptureQueriesContext(connection) as queries:
        act(player.user, "tiny.pay", key="k1", coins=1, to="Madrid")
    counted = [q for q in queries if not q["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(counted) <= 15


# Bad input


def test_an_unknown_game_and_an_unknown_action_are_said_to_be_so(
    rich: Game, player: Player
) -> None:
    for slug in ("no-such-game", "", "a\x00b", "\ud800", "x" * 5000):
        with pytest.raises(UnknownGame, match="There is no game"):
            take(slug, player.user, "games.leave")
    for name in ("games.fly", "", "a\x00b", "__class__"):
        with pytest.raises(UnknownAction, match="There is no action"):
            take(rich.slug, player.user, name)


NASTY = [
    None,
    "",
    " \t\n",
    0,
    -1,
    10**30,
    1.5,
    float("nan"),
    True,
    [],
    {},
    "\x00",
    "Mur\x00phy",
    "\ud800",
    "x" * 100_001,
    "\u202egnihton",
    "😀",
    "9" * 5000,
    "'; DROP TABLE games_game; --",
    "<script>alert(1)</script>",
]
GOOD = {
    "games.join": {"name": "juan"},
    "games.take_office": {"office": "Keeper"},
    "games.resign_office": {"office": "Keeper"},
    "ledger.correct": {
        "amount": 1,
        "asset": COIN,
        "giver": "Murphy",
        "receiver": "Madrid",
        "reason": "a slip",
    },
    "rulebook.amend": {"rule": COINS, "text": "No coins.", "reason": "a slip"},
    "reports.publish": {"report": "none"},
    "reports.doubt": {"entry": 1, "what": "all of it"},
}
CORE = [
    act
    for act in all_actions()
    if act.name.startswith(("games.", "ledger.", "rulebook.", "reports."))
    and act.Form is not ActionForm
]


def good(act: Action) -> dict[str, Any]:
    """Inputs of the right shape for that action."""
    known = GOOD.get(act.name, {})
    return {name: known.get(name, "a reason") for name in act.Form.base_fields}


@pytest.fixture
def actor_of(player: Player, outsider: User) -> Callable[[Action], Any]:
    """Somebody who is admitted to the action, so that its inputs are looked at."""

    def choose(act: Action) -> Any:
        if isinstance(act, NewcomerAction):
            return outsider
        return None if act.office else player

    return choose


@pytest.mark.parametrize("act", CORE, ids=lambda act: act.name)
def test_whatever_is_sent_is_an_entry_or_a_sentence_and_then_nothing_has_changed(
    rich: Game, act: Action, actor_of: Callable[[Action], Any]
) -> None:
    actor, before = actor_of(act), state(rich)
    fields = list(act.Form.base_fields)
    for typed, asked in ((False, fields), (True, fields[:1])):
        for field, nasty in product(asked, NASTY):
            inputs = {**good(act), field: nasty}
            told, entry = sentences(
                lambda inputs=inputs, typed=typed: take(
                    rich.slug, actor, act.name, inputs, typed=typed
                )
            )
            assert all(sentence.endswith((".", ")")) for sentence in told), (nasty, told)
            if entry is None:
                assert told, nasty
                continue
            assert state(rich) != before
            kept = rich.entries.select_related("actor").get(seq=entry.seq)
            assert kept.hash == entry_hash(kept)
            if act.name == "games.pause":
                take(rich.slug, None, "games.resume")
            before = state(rich)
        assert state(rich) == before


def sentences(act: Callable[[], Receipt]) -> tuple[list[str], Entry | SealedEntry | None]:
    """What the one who acted is told where it came to nothing, or the entry that it made."""
    try:
        return [], act().entry
    except Refused as refused:
        return [refused.refusal.sentence], None
    except Malformed as malformed:
        return [sentence for told in malformed.errors.values() for sentence in told], None


@pytest.mark.parametrize("act", CORE, ids=lambda act: act.name)
def test_what_is_missing_is_named(
    rich: Game, act: Action, actor_of: Callable[[Action], Any]
) -> None:
    required = {name for name, field in act.Form.base_fields.items() if field.required}
    if act.Form.base_fields and not required:
        return  # it can be done as it stands
    with pytest.raises((Malformed, Refused)) as raised:
        take(rich.slug, actor_of(act), act.name, {})
    if isinstance(raised.value, Malformed):
        assert raised.value.errors.keys() == required


def test_json_of_the_wrong_type_and_unknown_inputs_are_named(rich: Game, player: Player) -> None:
    with pytest.raises(Malformed) as malformed:
        take(rich.slug, player, "tiny.pay", {"coins": "3", "to": 5, "tip": 1}, typed=True)
    assert malformed.value.errors == {
        "coins": ["This must be a whole number."],
        "to": ["This must be a text."],
        "tip": ["This action has no such input. Its inputs: coins, to."],
    }


def test_a_choice_that_the_game_does_not_have_is_told_with_those_it_has(
    rich: Game, player: Player, act: Take
) -> None:
    with pytest.raises(Malformed) as malformed:
        act(player, "tiny.pay", coins=1, to="Nobody")
    assert malformed.value.errors == {
        "to": ["“Nobody” is not a player of this game. Known: Madrid, Murphy."]
    }


def test_a_refused_act_does_not_take_the_clocks_progress_with_it(
    rich: Game, player: Player, act: Take
) -> None:
    later = rich.anchor_game + timedelta(days=8)
    Game.objects.filter(pk=rich.pk).update(anchor_game=later)
    with pytest.raises(Refused):
        act(player, "tiny.pay", coins=1000, to="Madrid")
    assert rich.entries.filter(name="tiny.week").count() == 1
