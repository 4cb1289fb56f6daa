"""A Production and a Visitor Arrival with the Thug, every Settler bribing, against bare SQL.

The bare SQL does the same set by set, in tables that have the shape, the keys, the indexes and the
checks of the program's and no trigger: flags and lists, values, payments, Targets, the Victim,
what is announced and what is sealed.
"""

from __future__ import annotations

import random
from typing import Any

from django.db import connection, transaction

from bench import cast
from bench.benchmarks.weekly import Counted, timed
from bench.figures import Figure, median
from bench.size import Size
from nomic.engine.catch_up import catch_up
from nomic.engine.models import AppointmentStatus
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.ledger.models import Asset, Holder
from nomic.operations.setup import new_game
from settlers.models import Bribe, Settler, Visit
from settlers.rules.isle import RESOURCES
from settlers.state.reading import ARRIVAL, PRODUCTION
from settlers.tests.stage import bring_the_thug, visitor_is
from tests.kit import at_the_table

NAME = "a Production and an Arrival"
_TARGET = 2.0
_HELD = 1_000  # of each resource, so that it lasts
_BATCH = 2_000
_DOMAINS = {f"{resource}_domain": 2 + place for place, resource in enumerate(RESOURCES)}


def measure(size: Size) -> list[Figure]:
    """At each number of Settlers: the two events and their bare SQL by turns, and the queries."""
    figures: list[Figure] = []
    queries: dict[int, int] = {}
    _lay()
    for number in size.settlers:
        game = _game(number)
        _turn(game)  # makes the balances of the mint and warms the caches
        turns = []
        for _ in range(size.weeks):
            _prepare(game)
            production, arrival = _until(game, PRODUCTION), _until(game, ARRIVAL)
            _prepare(game)
            _fill(game)
            turns.append((production, arrival, _bare(game, _BARE_PRODUCTION), _bare(game, _BARE)))
        ours, taken, bare, bare_taken = (median([turn[at][0] for turn in turns]) for at in range(4))
        # A card that is drawn again, or the Thug who comes again, costs more, be they few or many.
        queries[number] = min(produced[1] + arrived[1] for produced, arrived, *_ in turns)
        case = f"{number:,} Settlers"
        figures += [
            Figure(NAME, case, "ms", ours + taken, bare + bare_taken),
            Figure(NAME, f"{case}, the Production", "ms", ours, bare, at_most=_TARGET),
            Figure(
                NAME, f"{case}, the Arrival with the Thug", "ms", taken, bare_taken, at_most=_TARGET
            ),
        ]
    fewest, most = min(queries), max(queries)
    case = f"queries at {most:,} Settlers, against {fewest:,}"
    figures.append(Figure(NAME, case, "queries", queries[most], queries[fewest], at_most=1.0))
    return figures


def _game(number: int) -> Game:
    """A game after Protection Money with so many Settlers, each with a full Stockpile."""
    game = new_game(f"isle-{number}", "multa", pace="manual", start=cast.SUNDAY)[0]
    with at_the_table(game) as table:
        bring_the_thug(table)
        players = Player.objects.bulk_create(
            (
                Player(game=table.game, name=f"player{at + 1}", joined_at=table.now)
                for at in range(number)
            ),
            batch_size=_BATCH,
        )
        Holder.objects.bulk_create(
            (Holder(game=table.game, kind="player", name=p.name, player=p) for p in players),
            batch_size=_BATCH,
        )
        Settler.objects.bulk_create(
            (Settler(game=table.game, player=p, entry=table.seq, **_DOMAINS) for p in players),
            batch_size=_BATCH,
        )
        for resource in RESOURCES:
            table.ledger.create_for_each(table.game.players.all(), _HELD, resource, "to begin with")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    game.refresh_from_db()
    return game


def _turn(game: Game) -> None:
    _prepare(game)
    _until(game, PRODUCTION)
    _until(game, ARRIVAL)


def _prepare(game: Game) -> None:
    """Let the Thug be here, each Settler have told a bribe, half be Ready, some be Victims."""
    visitor_is(game, "Thug")
    chance = random.Random(game.slug)
    rows = list(Settler.objects.filter(game=game).order_by("pk"))
    Bribe.objects.bulk_create(
        (Bribe(settler=row, items=_bribe(chance)) for row in rows), batch_size=_BATCH
    )
    numbers = [row.pk for row in rows]
    Settler.objects.filter(pk__in=numbers[::2]).update(ready=True)
    Settler.objects.filter(pk__in=numbers[::100]).update(victim=True)


def _bribe(chance: random.Random) -> dict[str, int]:
    """Of two resources, sometimes more than there is."""
    items = chance.sample(RESOURCES, 2)
    return {each: chance.choice((1, 2, 3, 3, 10 * _HELD)) for each in sorted(items)}


def _until(game: Game, kind: str) -> Counted:
    """Keep what is due up to that event; milliseconds and queries of it."""
    event = game.appointments.filter(kind=kind, status=AppointmentStatus.WAITING).earliest("due")
    anchor = {"anchor_game": event.due, "anchor_wall": wall_now()}
    Game.objects.filter(pk=game.pk).update(**anchor)
    waiting = game.appointments.filter(status=AppointmentStatus.WAITING, due__lte=event.due)
    took = 0.0, 0
    while (first := waiting.first()) is not None:
        counted = timed(lambda: catch_up(game.pk, limit=1))
        took = counted if first.pk == event.pk else took
    event.refresh_from_db()
    assert event.status == AppointmentStatus.DONE, event.error
    return took


# The bare SQL

_TABLES = {
    "transfer": "ledger_transfer",
    "posting": "ledger_posting",
    "balance": "ledger_balance",
    "settler": "settlers_settler",
    "bribe": "settlers_bribe",
    "visit": "settlers_visit",
}

_BARE_PRODUCTION = (
    "UPDATE bare_settler SET injured = victim, victim = false WHERE game_id = %(game)s"
    " AND (injured <> victim OR victim)",
    "UPDATE bare_settler SET ready = false WHERE game_id = %(game)s AND ready",
    "INSERT INTO bare_told (figures) SELECT jsonb_build_object('injured', jsonb_agg(p.name))"
    " FROM bare_settler s JOIN games_player p ON p.id = s.player_id"
    " WHERE s.game_id = %(game)s AND s.injured",
)

_RECKONED = """
CREATE TEMPORARY TABLE reckoned ON COMMIT DROP AS
SELECT s.id AS settler_id, p.name, h.id AS holder_id, a.id AS asset_id, a.name AS asset,
       b.amount AS held, coalesce((r.items ->> a.name)::bigint, 0) AS offered
  FROM bare_settler s
  JOIN games_player p ON p.id = s.player_id AND p.active
  JOIN ledger_holder h ON h.player_id = p.id
  JOIN bare_balance b ON b.holder_id = h.id
  JOIN ledger_asset a ON a.id = b.asset_id AND a.name = ANY (%(resources)s)
  LEFT JOIN bare_bribe r ON r.settler_id = s.id
 WHERE s.game_id = %(game)s
"""

_VALUED = """
CREATE TEMPORARY TABLE valued ON COMMIT DROP AS
SELECT settler_id, name,
       CASE WHEN bool_or(offered > held) THEN 0
            ELSE count(*) FILTER (WHERE offered >= 1) + 2 * count(*) FILTER (WHERE offered >= 3)
       END AS value,
       bool_or(held > offered) AS has_something,
       jsonb_object_agg(asset, least(offered, held)) FILTER (WHERE least(offered, held) > 0)
         AS paid,
       jsonb_object_agg(asset, offered) FILTER (WHERE offered > 0) AS bribe
  FROM reckoned GROUP BY settler_id, name
"""

_PAID = (
    "INSERT INTO bare_transfer (game_id, entry, rule, why) VALUES (%(game)s, 1, '', '')",
    "INSERT INTO bare_posting (game_id, transfer_id, holder_id, asset_id, amount)"
    " SELECT %(game)s, currval(pg_get_serial_sequence('bare_transfer', 'id')), holder_id, asset_id,"
    " -least(offered, held) FROM reckoned WHERE asset_id = %(asset)s AND least(offered, held) > 0",
    "INSERT INTO bare_posting (game_id, transfer_id, holder_id, asset_id, amount)"
    " SELECT %(game)s, currval(pg_get_serial_sequence('bare_transfer', 'id')), %(mint)s, asset_id,"
    " sum(least(offered, held)) FROM reckoned WHERE asset_id = %(asset)s GROUP BY asset_id",
    "UPDATE bare_balance b SET amount = b.amount - least(r.offered, r.held) FROM reckoned r"
    " WHERE r.asset_id = %(asset)s AND b.holder_id = r.holder_id AND b.asset_id = r.asset_id"
    " AND least(r.offered, r.held) > 0",
    "UPDATE bare_balance SET amount = amount + (SELECT coalesce(sum(least(offered, held)), 0)"
    " FROM reckoned WHERE asset_id = %(asset)s)"
    " WHERE holder_id = %(mint)s AND asset_id = %(asset)s",
)

_TARGETS = (
    "CREATE TEMPORARY TABLE targets ON COMMIT DROP AS SELECT settler_id, name FROM valued"
    " WHERE has_something AND value = (SELECT min(value) FROM valued WHERE has_something)",
    "UPDATE bare_settler SET victim = true"
    " WHERE id = (SELECT settler_id FROM targets ORDER BY random() LIMIT 1)",
    "INSERT INTO bare_told (figures) SELECT jsonb_build_object('bribes',"
    " jsonb_object_agg(name, bribe), 'values', jsonb_object_agg(name, value),"
    " 'targets', (SELECT jsonb_agg(name ORDER BY name) FROM targets)) FROM valued",
    "INSERT INTO bare_told (figures) SELECT jsonb_build_object('paid',"
    " jsonb_object_agg(name, paid)) FROM valued WHERE paid IS NOT NULL",
    "DELETE FROM bare_bribe r USING bare_settler s"
    " WHERE s.id = r.settler_id AND s.game_id = %(game)s",
    "UPDATE bare_settler SET used = array_remove(used, 'Thug')"
    " WHERE game_id = %(game)s AND used @> ARRAY['Thug']::varchar[]",
    "UPDATE bare_visit SET over_in = 1, over_after = 1"
    " WHERE game_id = %(game)s AND over_in IS NULL",
)

_BARE = (_RECKONED, _VALUED, _PAID, *_TARGETS)


def _lay() -> None:
    with connection.cursor() as cursor:
        for name, table in _TABLES.items():
            cursor.execute(f"DROP TABLE IF EXISTS bare_{name}")
            cursor.execute(f"CREATE TABLE bare_{name} (LIKE {table} INCLUDING ALL)")
        cursor.execute("CREATE TABLE bare_told (figures jsonb)")


def _fill(game: Game) -> None:
    """Let the bare tables hold what the program's do."""
    with connection.cursor() as cursor:
        for name, table in _TABLES.items():
            cursor.execute(f"TRUNCATE bare_{name}")
            cursor.execute(f"INSERT INTO bare_{name} OVERRIDING SYSTEM VALUE SELECT * FROM {table}")
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('bare_{name}', 'id'),"
                f" (SELECT max(id) FROM bare_{name}))"
            )
            cursor.execute(f"VACUUM ANALYZE bare_{name}")
    assert Visit.objects.filter(game=game, over_in__isnull=True).exists()


def _bare(game: Game, statements: tuple[Any, ...]) -> Counted:
    assets = list(Asset.objects.filter(game=game, name__in=RESOURCES))
    values = {"game": game.pk, "resources": list(RESOURCES)}

    def happen() -> None:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            for statement in statements:
                if isinstance(statement, str):
                    cursor.execute(statement, values)
                    continue
                for asset in assets:
                    for each in statement:
                        cursor.execute(each, {**values, "asset": asset.pk, "mint": asset.mint_id})

    return timed(happen)
