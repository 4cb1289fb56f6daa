"""Each row of a game names its game, and what it refers to is of the same one: the tables say so,
whoever writes them."""

from typing import Any

import pytest
from django.apps import apps
from django.db import connection

HOUSE = ("nomic", "horses", "proposals", "settlers", "aceofspades")
OF_NO_GAME = {
    "games_game",
    "notices_browser",
    "notices_choices",
    "pages_filling",
    "pages_guest",
    "pages_token",
    "record_sitekey",
    "shares_hold",  # numbers of games, users and tokens, which they outlive
    "shares_used",
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
SELECT c.conrelid::regclass::text, c.confrelid::regclass::text, c.condeferred,
       {COLUMNS.format(key="conkey", of="conrelid")},
       {COLUMNS.format(key="confkey", of="confrelid")}
  FROM pg_constraint c WHERE c.contype = 'f'
"""


def ours() -> list[Any]:
    """The models of the house, links of many to many included."""
    every = apps.get_models(include_auto_created=True)
    return [each for each in every if each.__module__.partition(".")[0] in HOUSE]


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
    kept = {
        (table, to, tuple(columns), tuple(those))
        for table, to, is_deferred, columns, those in asked(KEYS)
        if table in tables and to in tables and is_deferred
    }
    wanted = {
        (model._meta.db_table, to.db_table, ("game_id", field.column), ("game_id", to.pk.column))
        for model in ours()
        if model._meta.db_table in tables - BY_TRIGGER
        for field in model._meta.concrete_fields
        if field.related_model and (to := field.related_model._meta).db_table in tables
    }
    assert len(wanted) > 80
    assert not wanted - kept
    assert {(own[0], those[0]) for *_, own, those in kept} == {("game_id", "game_id")}
