"""Statements compiled once do what the ORM does with the same rows."""

from typing import Any

import pytest
from django.core.exceptions import FieldFetchBlocked
from django.db import IntegrityError, ProgrammingError, transaction
from django.db.models import FETCH_PEERS, FETCH_RAISE, F, Model, QuerySet, Value
from django.db.models.functions import Lower

from nomic.compiled import CompiledQuery, insert, update
from nomic.games.models import Game, Office, Player


def facts(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_rows_are_what_the_query_gives(game: Game, player: Player, rival: Player) -> None:
    seats = CompiledQuery(lambda: Player.objects.select_related("holder"))
    found = seats.all(game=game.pk)
    assert [facts(each) for each in found] == [facts(each) for each in game.players.all()]
    assert [facts(each.holder) for each in found] == [
        facts(each.holder) for each in game.players.all()
    ]


def test_one_statement_serves_for_other_values(game: Game, player: Player, rival: Player) -> None:
    built = []

    def build() -> QuerySet[Player]:
        built.append(True)
        return Player.objects.all()

    seats = CompiledQuery(build)
    assert [seats.get(game=game.pk, name=each.name) for each in (player, rival)] == [player, rival]
    assert seats.first(game=game.pk, name="nobody") is None
    assert seats.first(name="nobody", game=game.pk) is None
    assert len(built) == 2  # the names came in another order


def test_a_query_takes_values_of_its_own(game: Game, player: Player, rival: Player) -> None:
    names = CompiledQuery(
        lambda other: Player.objects.exclude(name=other).values_list("name", flat=True)
    )
    assert names.all(other=rival.name, game=game.pk) == [player.name]
    assert names.all(game=game.pk, other=player.name) == [rival.name]


def test_so_many_of_the_rows_are_given(game: Game, player: Player, rival: Player) -> None:
    names = CompiledQuery(lambda: Player.objects.order_by("name").values_list("name", flat=True))
    every = names.all(game=game.pk)
    assert names.some(1, game=game.pk) == every[:1]
    assert names.some(len(every) + 1, game=game.pk) == every


def test_rows_refer_to_the_object_that_was_given(game: Game, player: Player) -> None:
    seats = CompiledQuery(lambda: Player.objects.all())
    assert all(each.game is game for each in seats.all(game=game))
    assert seats.get(game=game, name=player.name).game is game


def test_fields_are_read_as_the_orm_reads_them(game: Game) -> None:
    pairs = CompiledQuery(lambda: Game.objects.values_list("settings", "anchor_game"))
    assert pairs.all(pk=game.pk) == [(game.settings, game.anchor_game)]
    (same,) = CompiledQuery(lambda: Game.objects.annotate(known=F("slug"))).all(pk=game.pk)
    game.refresh_from_db()
    assert facts(same) == facts(game)
    assert same.known == game.slug  # type: ignore[attr-defined]


def test_no_field_is_compared_with_none(game: Game) -> None:
    with pytest.raises(ValueError, match="None"):
        CompiledQuery(lambda: Player.objects.all()).all(user=None)


def test_rows_are_of_their_query_alone_and_of_three_shapes(game: Game) -> None:
    def rows_of(query: QuerySet[Any, Any]) -> list[Any]:
        return CompiledQuery(lambda: query).all(game=game.pk)

    seats = Player.objects.all()
    queries: list[QuerySet[Any, Any]] = [
        *(seats.values(), seats.values_list("name", named=True)),
        *(seats.prefetch_related("offices"), seats.fetch_mode(FETCH_PEERS)),
    ]
    for query in queries:
        with pytest.raises(TypeError):
            rows_of(query)


def test_what_a_query_fetches_later_its_rows_fetch_as_well(game: Game, player: Player) -> None:
    seats = Player.objects.select_related("holder").fetch_mode(FETCH_RAISE)
    seat = CompiledQuery(lambda: seats).get(pk=player.pk)
    assert seat.holder == player.holder
    with pytest.raises(FieldFetchBlocked):
        _ = seat.game


def test_what_is_not_there_is_missed_by_its_model(game: Game) -> None:
    with pytest.raises(Player.DoesNotExist) as of_the_orm:
        Player.objects.get(game=game, name="nobody")
    with pytest.raises(Player.DoesNotExist) as missed:
        CompiledQuery(lambda: Player.objects.all()).get(game=game.pk, name="nobody")
    assert str(missed.value) == str(of_the_orm.value)


def test_an_inserted_row_is_there(game: Game, player: Player) -> None:
    game.refresh_from_db()
    office = insert(Office(game=game, name="Tailor", holder=player))
    assert not office._state.adding
    kept = Office.objects.get(pk=office.pk)
    assert (kept.name, kept.holder_id) == ("Tailor", player.pk)
    assert kept.since == game.last_entry + 1
    assert insert(Office(game=game, name="Herald")).pk != office.pk


def test_a_row_with_a_key_of_its_own_or_with_an_expression_is_not_inserted(game: Game) -> None:
    with pytest.raises(ValueError, match="has a key"):
        insert(Office(pk=7, game=game, name="Tailor"))
    with pytest.raises(TypeError):
        insert(Office(game=game, name=Lower(Value("Tailor"))))
    insert(Office(game=game, name="Tailor"))
    with transaction.atomic(), pytest.raises(ProgrammingError):
        insert(Office(game=game, name=Lower(Value("Herald"))))


def test_what_is_updated_is_these_fields_alone(game: Game, player: Player) -> None:
    name, player.name, player.vested = player.name, "somebody", True
    update(player, "vested")
    player.refresh_from_db()
    assert (player.name, player.vested) == (name, True)


def test_a_write_that_fails_ends_its_transaction(game: Game) -> None:
    tailor, herald = insert(Office(game=game, name="Tailor")), Office(game=game, name="Herald")
    insert(herald)
    tailor.name = "Herald"
    for write in (lambda: insert(Office(game=game, name="Herald")), lambda: update(tailor, "name")):
        with transaction.atomic():
            with pytest.raises(IntegrityError):
                write()
            assert transaction.get_rollback()


def test_a_row_that_is_gone_cannot_be_updated(game: Game) -> None:
    gone = insert(Office(game=game, name="Tailor"))
    Office.objects.filter(pk=gone.pk).delete()
    with transaction.atomic():
        with pytest.raises(Office.NotUpdated):
            update(gone, "name")
        assert transaction.get_rollback()
