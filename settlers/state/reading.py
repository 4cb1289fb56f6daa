"""Rows to the rules' dataclasses and back: the only bridge between models.py and the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Q

from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.infrastructure.database.compiled_queries import (
    CompiledQuery,
    CompiledValues,
    among,
    update,
)
from nomic.ledger.models import Balance
from nomic.rulebook.in_force import RuleText, name_key
from settlers.models import NOBODY, Isle, Offer, SettlerQuerySet, Visit
from settlers.models import Settler as Row
from settlers.rules.charts import Charts
from settlers.rules.isle import RESOURCES, Deck, Items, Settler
from settlers.rules.titles import DECK, GIFT, MERCHANT, SEALED, THUG, VISITORS

ONLOOKER = "Onlooker"
PRODUCTION = "settlers.production"
ARRIVAL = "settlers.arrival"
# The entries in which they happened, by themselves or by hand.
PRODUCTIONS = (PRODUCTION, "settlers.produce")
ARRIVALS = (ARRIVAL, "settlers.receive_visitor")
_ISLES = CompiledQuery(lambda: Isle.objects.all())
_ROWS = CompiledQuery(lambda: Row.objects.with_alliance(), annotated=["alliance"])
_FOREMOST = CompiledQuery(
    lambda onlooker: all_but(onlooker).foremost_first().with_alliance(),
    "player__holder",
    annotated=["alliance"],
)
_OFFERS = CompiledQuery(
    lambda name: Offer.objects.open().of(name), "by__player__holder", "to__player__holder"
)
_STOCKPILES = CompiledValues(
    lambda holders: Balance.objects.filter(
        among("holder", holders), asset__name__in=RESOURCES, amount__gt=0
    ).values_list("holder_id", "asset__name", "amount")
)
_GOING_ON = CompiledQuery(lambda: Visit.objects.going_on())
_SEALED_STILL = CompiledQuery(lambda: Visit.objects.sealed_still())
_NAMES = CompiledValues(lambda: Row.objects.order_by().values_list("player__name"))
_HOLDERS = CompiledValues(
    lambda onlooker: all_but(onlooker).order_by().values_list("player__name", "player__holder__pk")
)
# Two rows at most, however many Settlers there are: True, False or both.
_READY = CompiledValues(
    lambda onlooker: all_but(onlooker).order_by().values_list("ready").distinct()
)


def all_but(onlooker: str) -> SettlerQuerySet:
    """The rows of those who are Settlers now in any game, where that is the Onlooker's name."""
    return Row.objects.filter(player__active=True).exclude(player__name=onlooker)


class State:
    """The isle of one game as one table sees it; everything is read when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._rows: dict[int, Row | None] = {}
        self._settlers: dict[int, Settler] = {}
        self._offers: dict[str, list[Offer]] = {}

    # What everybody shares

    @cached_property
    def isle_or_none(self) -> Isle | None:
        """The isle, be its rules in force or not; None in a game that never had them."""
        return _ISLES.first(game=self.table.game.pk)

    @property
    def isle(self) -> Isle:
        """The isle, where there has to be one; AssertionError where there is none."""
        assert self.isle_or_none is not None, "This game has no isle."
        return self.isle_or_none

    @property
    def is_on(self) -> bool:
        """Whether the isle is played: there is one, and its rules are in force."""
        return self.table.rules.in_force(GIFT, DECK) and self.isle_or_none is not None

    @cached_property
    def charts(self) -> Charts:
        """The numbers of the rule texts in force."""
        rules = self.table.rules
        texts = rules.texts(_TITLES)
        texts |= {
            title: rule.played for title in (MERCHANT, THUG) if (rule := self.visitor_rule(title))
        }
        return rules.figures(Charts, texts)

    @property
    def visitor_rules(self) -> list[RuleText]:
        """The subrules of “Visitors”, in the rulebook's order. One that is titled as nobody is
        called is no Visitor's."""
        rules = self.table.rules
        if not rules.in_force(VISITORS):
            return []
        parent, nobody = rules.find(VISITORS).pk, name_key(NOBODY)
        return [
            rule
            for rule in rules.public
            if rule.parent_pk == parent and name_key(rule.title) != nobody
        ]

    def visitor_titled(self, title: str) -> str:
        """The title of the subrule of “Visitors” that is meant; None's name where there is none."""
        rule = self.rule_titled(title)
        return rule.title if rule else NOBODY

    def rule_titled(self, title: str) -> RuleText | None:
        """The subrule of “Visitors” that has this title now."""
        wanted = name_key(title)
        return next((rule for rule in self.visitor_rules if name_key(rule.title) == wanted), None)

    def visitor_rule(self, title: str) -> RuleText | None:
        """The subrule of “Visitors” that has, or had at first, that title; None if not in force."""
        rules = self.table.rules
        if not rules.in_force(VISITORS, title):
            return None
        rule = rules.find(title)
        return rule if rule.parent_pk == rules.find(VISITORS).pk else None

    def is_visited_by(self, title: str) -> bool:
        """Whether the Visitor is the one of that subrule, and it is in force."""
        rule = self.visitor_rule(title)
        return rule is not None and rule.pk == self.isle.visitor_rule_id

    @property
    def results(self) -> tuple[int, int] | None:
        """The two results of the most recent Production; None before the first."""
        isle = self.isle
        if isle.first is None or isle.second is None:
            return None
        return isle.first, isle.second

    @property
    def deck(self) -> Deck:
        """The Dice Deck as it lies; raises TableBroken."""
        cards = {int(number): count for number, count in self.isle.deck.items()}
        return Deck(cards, self.charts.deck, self.charts.remade_at)

    @cached_property
    def visit(self) -> Visit | None:
        """The visit that goes on; None before the first Visitor Arrival."""
        return _GOING_ON.first(game=self.table.game)

    @cached_property
    def next_sealed(self) -> Visit | None:
        """The past visit that is to be opened next; None where none is sealed."""
        return _SEALED_STILL.first(game=self.table.game)

    # The Settlers

    @property
    def onlooker(self) -> str:
        """The name of the Onlooker; empty where the office is vacant."""
        return self.table.directory.offices.get(ONLOOKER, "")

    def is_onlooker(self, player: Player | None) -> bool:
        """Whether that player keeps the books of the isle, and is no Settler meanwhile."""
        return player is not None and player.active and player.name == self.onlooker

    @property
    def rows(self) -> SettlerQuerySet:
        """The rows of those who are Settlers now, in the order of their names."""
        settlers = all_but(self.onlooker).filter(game=self.table.game)
        return settlers.order_by("player__name")

    @property
    def holders(self) -> dict[str, int]:
        """The holder of each who is a Settler now, by name."""
        return dict(_HOLDERS.all(onlooker=self.onlooker, game=self.table.game.pk))

    def row(self, player: Player) -> Row | None:
        """That player's row with their alliance, be they the Onlooker; None if they never came."""
        if player.pk not in self._rows:
            self._rows[player.pk] = _ROWS.first(player=player.pk)
        return self._rows[player.pk]

    def acting(self, player: Player) -> tuple[Settler, Row]:
        """Somebody who is a Settler now, as the rules see them, and their row."""
        settler = self.settler(player)
        assert settler is not None, f"{player} is no Settler now."
        return settler, self.settler_row(player)

    def settler_row(self, player: Player) -> Row:
        """The row of somebody who is a Settler; AssertionError where they are none."""
        row = self.row(player)
        assert row is not None, f"{player} is no Settler."
        return row

    def settler(self, player: Player | None) -> Settler | None:
        """That player as the rules see them; None for who is no Settler now."""
        if player is None or not player.active or self.is_onlooker(player):
            return None
        if player.pk not in self._settlers:
            row = self.row(player)
            if row is None:
                return None
            self._settlers[player.pk] = self._as_settler(
                row, player.name, self.table.ledger.holdings(player)
            )
        return self._settlers[player.pk]

    def read(self, rows: SettlerQuerySet) -> list[Settler]:
        """These as the rules see them, so that `settler` and `row` need not ask again."""
        return self._met(list(rows.with_alliance().select_related("player__holder")))

    def foremost(self, count: int) -> list[Settler]:
        """Those with the most Buildings, so many of them."""
        return self._met(_FOREMOST.some(count, game=self.table.game, onlooker=self.onlooker))

    def _met(self, rows: list[Row]) -> list[Settler]:
        stockpiles = self.stockpiles_of({row.player.name: row.player.holder.pk for row in rows})
        for row in rows:
            player = row.player
            self._rows[player.pk] = row
            self._settlers[player.pk] = self._as_settler(row, player.name, stockpiles[player.name])
        return [self._settlers[row.player_id] for row in rows]

    @cached_property
    def settlers(self) -> list[Settler]:
        """All Settlers in the order of their names, with their stockpiles: two queries."""
        return sorted(self.read(self.rows), key=lambda settler: settler.name)

    def stockpiles_of(self, holders: Mapping[str, int]) -> dict[str, Items]:
        """What each of these, with their holders by name, has of the resources that they have."""
        held: dict[int, dict[str, int]] = {holder: {} for holder in holders.values()}
        filters = {"asset__game": self.table.game.pk, "holders": list(held)}
        for holder, resource, amount in _STOCKPILES.all(**filters) if held else ():
            held[holder][resource] = amount
        stockpiles: dict[str, Items] = {}
        for name, holder in sorted(holders.items()):
            amounts = held[holder]
            stockpiles[name] = {r: amounts[r] for r in RESOURCES if r in amounts}
        return stockpiles

    @cached_property
    def names(self) -> list[str]:
        """The names of the Settlers, in an order that no database chooses, as everywhere where
        the record or the dice may see it."""
        return sorted(self.rows.order_by().values_list("player__name", flat=True))

    def offers_of(self, name: str) -> list[Offer]:
        """The open trade offers that the Settler of that name made or got, the oldest first."""
        if name not in self._offers:
            self._offers[name] = _OFFERS.all(game=self.table.game, name=name)
        return self._offers[name]

    def offers_got(self, name: str) -> list[Offer]:
        """Those of them that were made to that Settler."""
        return [offer for offer in self.offers_of(name) if offer.to.player.name == name]

    @property
    def last_offer(self) -> int:
        """The number of the newest trade offer; 0 where there was none."""
        numbers = Offer.objects.filter(game=self.table.game).values_list("number", flat=True)
        return numbers.order_by("-number").first() or 0

    def names_on_list(self, flag: str) -> list[str]:
        """The names on the list Injured (`injured`) or Victims (`victim`)."""
        rows = _NAMES.all(**{flag: True}, game=self.table.game.pk)
        return sorted(name for (name,) in rows)

    @cached_property
    def all_are_ready(self) -> bool:
        """Whether there are Settlers, and each is Ready."""
        return _READY.all(onlooker=self.onlooker, game=self.table.game.pk) == [(True,)]

    def _known_as(self, visitor: str) -> str:
        """The title by which the machinery knows that visitor."""
        rules = (rule for rule in self.visitor_rules if rule.title == visitor)
        return next((rule.known_as or rule.title for rule in rules), visitor)

    def _as_settler(self, row: Row, name: str, stockpile: Items) -> Settler:
        """A row with its alliance, as the rules see it."""
        isle = self.isle
        return Settler(
            name=name,
            stockpile={resource: stockpile.get(resource, 0) for resource in RESOURCES},
            domains=row.domains,
            buildings=tuple(row.buildings),
            ready=row.ready,
            injured=row.injured,
            victim=row.victim,
            harvested=row.harvested_in == isle.production,
            traded=row.traded_in == isle.production,
            used=frozenset(map(self._known_as, row.used)),
            alliance=frozenset(row.alliance),
        )


_TITLES = (GIFT, DECK, VISITORS, SEALED)


def state_of(table: Table) -> State:
    """The state of the isle at that table, the same until something is saved."""
    return table.once(State)


def drop_state(table: Table) -> None:
    """Let the state be read anew: something was saved."""
    table.drop(State)


def drop_state_but_isle(table: Table) -> None:
    """Let the rest of the state be read anew: something else was saved."""
    isle = state_of(table).isle
    drop_state(table)
    state_of(table).isle_or_none = isle


def save_isle(table: Table, **facts: Any) -> None:
    """Let what is told of the isle be so, and the rest of the state be read anew."""
    isle = state_of(table).isle
    for field, fact in facts.items():
        setattr(isle, field, fact)
    update(isle, *facts)
    drop_state_but_isle(table)


def row_of(table: Table, name: str) -> Row:
    """The row of the Settler of that name. Raises DoesNotExist where there is none."""
    return Row.objects.select_related("player").get(game=table.game, player__name=name)


def deck_as_json(cards: Mapping[int, int]) -> dict[str, int]:
    """The cards that are left, by their number as JSON has it."""
    return {str(number): count for number, count in sorted(cards.items()) if count}


A_PAGE = 40


@dataclass(frozen=True, slots=True)
class Listing:
    """Those Settlers of one page of the list by name, and the foremost by number of buildings.

    `total` counts all, `ready` those who are Ready; `page` counts from 1.
    """

    total: int
    ready: int
    page: int
    listed: list[Settler]
    foremost: list[Settler]

    @property
    def pages(self) -> int:
        return max(-(-self.total // A_PAGE), 1)

    @property
    def by_name(self) -> dict[str, Settler]:
        """All that were read, by name."""
        return {settler.name: settler for settler in (*self.foremost, *self.listed)}


def list_settlers(state: State, page: int, foremost_count: int) -> Listing:
    """That page of the Settlers (the first where there is no such) and so many of the foremost."""
    counts = state.rows.order_by().aggregate(
        total=Count("pk"), ready=Count("pk", filter=Q(ready=True))
    )
    page = page if (page - 1) * A_PAGE < counts["total"] else 1
    last = page * A_PAGE
    listed = state.read(state.rows.by_name()[last - A_PAGE : last])
    return Listing(counts["total"], counts["ready"], page, listed, state.foremost(foremost_count))
