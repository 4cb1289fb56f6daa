"""Statements compiled once do what the ORM does with the same rows."""

from typing import Any

import django
import psycopg
import pytest
from django.db import DataError, IntegrityError, ProgrammingError, transaction
from django.db.models import F, Model, QuerySet, Value
from django.db.models.functions import Lower
from pytest_django import DjangoAssertNumQueries

from nomic.games.clock import wall_now
from nomic.games.models import Game, Office, Player
from nomic.infrastructure.database.compiled_queries import (
    CompiledQuery,
    CompiledValues,
    among,
    insert,
    insert_together,
    update,
    update_several,
)


def facts(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_it_was_tried_with_these_versions() -> None:
    """Where one is raised, see whether this file passes: `Query.sql_with_params` and a field's
    `set_cached_value` are used and not documented."""
    tried = django.VERSION[:2], tuple(map(int, psycopg.__version__.split(".")[:2]))
    assert tried == ((6, 1), (3, 3))


def test_rows_are_what_the_query_gives(game: Game, player: Player, rival: Player) -> None:
    seats = CompiledQuery(lambda: Player.objects.all(), "holder")
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
    names = CompiledValues(lambda other: Player.objects.exclude(name=other).values_list("name"))
    assert names.all(other=rival.name, game=game.pk) == [(player.name,)]
    assert names.all(game=game.pk, other=player.name) == [(rival.name,)]


def test_so_many_of_the_rows_are_given(game: Game, player: Player, rival: Player) -> None:
    names = CompiledValues(lambda: Player.objects.order_by("name").values_list("name"))
    every = names.all(game=game.pk)
    assert names.some(1, game=game.pk) == every[:1]
    assert names.some(len(every) + 1, game=game.pk) == every


def test_rows_refer_to_the_object_that_was_given(game: Game, player: Player) -> None:
    seats = CompiledQuery(lambda: Player.objects.all())
    assert all(each.game is game for each in seats.all(game=game))
    assert seats.get(game=game, name=player.name).game is game


def test_fields_are_read_as_the_orm_reads_them(game: Game) -> None:
    games = CompiledQuery(lambda: Game.objects.annotate(known=F("slug")), annotated=["known"])
    (same,) = games.all(pk=game.pk)
    game.refresh_from_db()
    assert facts(same) == facts(game)
    assert same.known == game.slug  # type: ignore[attr-defined]


def test_values_are_read_as_the_orm_reads_them(game: Game) -> None:
    columns = ("settings", "settings__bounds__rules", "anchor_game")
    assert CompiledValues(lambda: Game.objects.values_list(*columns)).all(pk=game.pk) == [
        (game.settings, game.settings["bounds"]["rules"], game.anchor_game)
    ]


def test_what_rows_are_without_they_read_when_it_is_asked_for(game: Game, player: Player) -> None:
    seats = CompiledQuery(lambda: Player.objects.all(), "game", without=["name", "game__settings"])
    (seat,) = seats.all(pk=player.pk)
    assert (seat.get_deferred_fields(), seat.game.get_deferred_fields()) == ({"name"}, {"settings"})
    assert (seat.name, seat.game.settings) == (player.name, game.settings)


def test_who_is_related_to_nobody_is_there_all_the_same(game: Game) -> None:
    insert(Office(game=game, name="Tailor"))
    offices = CompiledQuery(lambda: Office.objects.all(), "holder__holder", "game")
    tailor = offices.get(game__slug=game.slug, name="Tailor")
    assert tailor.holder is None
    assert tailor.game == game


def test_that_nothing_refers_to_a_row_is_known_without_asking(
    game: Game, player: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    seats = CompiledQuery(lambda: Player.objects.all(), "at_table")
    seat = seats.get(game=game.pk, name=player.name)
    with django_assert_num_queries(0):
        assert not hasattr(seat, "at_table")


def test_no_field_is_compared_with_none(game: Game) -> None:
    with pytest.raises(ValueError, match="None"):
        CompiledQuery(lambda: Player.objects.all()).all(user=None)


def test_the_query_does_not_say_what_is_read(
    game: Game, player: Player, django_assert_num_queries: Any
) -> None:
    seats = Player.objects.select_related("holder").prefetch_related("offices").defer("name")
    with django_assert_num_queries(1):
        (seat,) = CompiledQuery(lambda: seats).all(pk=player.pk)
        assert seat.name == player.name
    with django_assert_num_queries(1):
        assert seat.holder == player.holder


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
    with transaction.atomic(), pytest.raises(ProgrammingError):
        insert(Office(game=game, name=Lower(Value("Tailor"))))


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
    gone, there = (insert(Office(game=game, name=name)) for name in ("Tailor", "Herald"))
    Office.objects.filter(pk=gone.pk).delete()
    for change in (lambda: update(gone, "name"), lambda: update_several([there, gone], "name")):
        with transaction.atomic():
            with pytest.raises(Office.NotUpdated):
                change()
            assert transaction.get_rollback()


def test_several_rows_are_updated_in_one_statement(
    game: Game, player: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    names = ("Tailor", "Herald", "Promotor")
    offices = [insert(Office(game=game, name=name)) for name in names]
    offices[0].holder, offices[1].name, offices[2].since = player, "Clerk", 7
    with django_assert_num_queries(1):
        update_several(offices, "holder", "name")
    kept = Office.objects.filter(pk__in=[each.pk for each in offices]).order_by("pk")
    assert [each.name for each in kept] == ["Tailor", "Clerk", "Promotor"]
    assert [each.holder for each in kept] == [player, None, None]
    assert kept[2].since != 7


def test_a_text_that_is_too_long_is_not_cut(game: Game) -> None:
    offices = [insert(Office(game=game, name=name)) for name in ("Tailor", "Herald")]
    offices[0].name = "T" * (Office._meta.get_field("name").max_length + 1)
    with transaction.atomic(), pytest.raises(DataError):
        update_several(offices, "name")


def test_rows_are_inserted_in_their_order_and_another_with_them(
    game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    def some(*names: str) -> list[Office]:
        return [Office(game=game, name=name) for name in names]

    player = Player(game=game, name="somebody", joined_at=game.now(wall_now()))
    with django_assert_num_queries(1):
        insert_together(some("Tailor", "Herald"), [player])
    assert player == game.players.get(name="somebody")
    assert not player._state.adding
    another = Player(game=game, name="another", joined_at=game.now(wall_now()))
    with django_assert_num_queries(2):
        insert_together(some("a", "b", "c"))
        insert_together(offices := some("d", "e", "f"), [another])
    assert [each.name for each in Office.objects.filter(game=game).order_by("pk")][-8:] == [
        *("Tailor", "Herald"),
        *"abcdef",
    ]
    assert [Office.objects.get(pk=each.pk).name for each in offices] == [*"def"]


def test_one_statement_serves_for_any_number_of_values(
    game: Game, player: Player, rival: Player
) -> None:
    names = CompiledValues(
        lambda known: Player.objects.filter(among("name", known)).values_list("name")
    )
    for known in ([player.name, rival.name, "nobody"], [rival.name], []):
        orms = game.players.filter(name__in=known).values_list("name")
        assert names.all(known=known, game=game.pk) == list(orms)
