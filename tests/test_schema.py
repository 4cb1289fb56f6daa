"""Each row of a game names its game, and what it refers to is of the same one: the tables say so,
whoever writes them."""

from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from nomic.games.models import GameOf

FOREIGN = ("django", "allauth", "hordak", "mptt", "oauth2_provider", "unfold")
OF_NO_GAME = {
    "games_game",
    "notices_accountletter",
    "notices_browser",
    "notices_choices",
    "pages_bringing",
    "pages_closing",
    "pages_filling",
    "pages_guest",
    "pages_owncopy",
    "pages_sitepage",
    "pages_token",
    "record_sitekey",
    "quotas_hold",  # numbers of games, users and tokens, which they outlive
    "quotas_used",
}
BY_TRIGGER = {"ledger_posting", "ledger_balance"}  # ledger/tests/test_around_the_orm.py
NAMED = """
SELECT table_name FROM information_schema.columns
 WHERE column_name = 'game_id' AND is_nullable = 'NO' AND table_schema = current_schema
"""
COLUMNS = """
array(SELECT a.attname::text FROM unnest(c.{key}) WITH ORDINALITY AS k (n, at)
        JOIN pg_attribute a ON a.attrelid = c.{of} AND a.attnum = k.n ORDER BY k.at)
"""
KEYS = f"""
SELECT c.conrelid::regclass::text, c.confrelid::regclass::text, c.condeferred AND c.convalidated,
       {COLUMNS.format(key="conkey", of="conrelid")},
       {COLUMNS.format(key="confkey", of="confrelid")}
  FROM pg_constraint c WHERE c.contype = 'f'
"""


def ours() -> list[Any]:
    """The models of the house, links of many to many included."""
    every = apps.get_models(include_auto_created=True)
    return [each for each in every if each.__module__.partition(".")[0] not in FOREIGN]


def asked(sql: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


@pytest.mark.django_db
def test_every_row_of_a_game_names_it() -> None:
    named = {table for (table,) in asked(NAMED)}
    assert {each._meta.db_table for each in ours()} - named == OF_NO_GAME


@pytest.mark.django_db
def test_what_a_row_refers_to_is_of_its_game() -> None:
    tables = {each._meta.db_table for each in ours()} - OF_NO_GAME
    keys = [(*both, holds, tuple(own), tuple(those)) for *both, holds, own, those in asked(KEYS)]
    within = [key for key in keys if {key[0], key[1]} <= tables]
    kept = {(table, to, own, those) for table, to, _, own, those in within}
    wanted = {
        (model._meta.db_table, to.db_table, ("game_id", field.column), ("game_id", to.pk.column))
        for model in ours()
        if model._meta.db_table in tables - BY_TRIGGER
        for field in model._meta.concrete_fields
        if field.related_model and (to := field.related_model._meta).db_table in tables
    }
    assert len(wanted) > 80
    assert not wanted - kept
    assert all(holds for _, _, holds, _, _ in within)  # at the end, and for rows of before too
    assert {(own[0], those[0]) for *_, own, those in kept} == {("game_id", "game_id")}
    rooted = {table for table, to, _, own, _ in keys if to == "games_game" and own == ("game_id",)}
    hung = {
        each._meta.db_table
        for each in ours()
        if any(isinstance(field, GameOf) for field in each._meta.concrete_fields)
    }
    assert (rooted | hung, rooted & hung) == (tables, set())
