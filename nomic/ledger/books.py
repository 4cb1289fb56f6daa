"""The ledger as one locked game sees it: who has what, and the verbs that move it.

Every verb is one transfer, written as one statement; the database keeps the balances. Bulk verbs
take a query and are one statement however many holders it has.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import FilteredRelation, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.infrastructure.database.compiled_queries import CompiledQuery, write
from nomic.ledger.models import Asset, AssetKind, AssetVisibility, Balance, Holder, HolderKind

Owner = Player | Holder
_HOLDINGS = CompiledQuery(
    lambda holder: (
        Asset.objects.annotate(
            own=FilteredRelation("balances", condition=Q(balances__holder=holder))
        )
        .annotate(held=Coalesce("own__amount", 0))
        .order_by("name")
    ),
    annotated=["held"],
)
_ASSETS = CompiledQuery(lambda: Asset.objects.all())
_NO_PLAYERS = CompiledQuery(lambda: Holder.objects.exclude(kind=HolderKind.PLAYER))
_PAIRS = "SELECT * FROM unnest(%s::bigint[], %s::bigint[])"
_TRANSFER = """
WITH t AS (
  INSERT INTO ledger_transfer (game_id, entry, sealed, rule, why)
  VALUES (%s, %s, %s, %s, %s) RETURNING id, game_id
){tables}
INSERT INTO ledger_posting (game_id, transfer_id, holder_id, asset_id, amount)
{postings}
RETURNING (SELECT h.name FROM ledger_holder h WHERE h.id = holder_id),
          (SELECT a.name FROM ledger_asset a WHERE a.id = asset_id), amount
"""
_AMOUNTS = """,
q (holder_id, amount) AS ({amounts}),
moved AS (SELECT holder_id, amount FROM q WHERE amount <> 0)"""
_POSTINGS_OF_AMOUNTS = """
SELECT t.game_id, t.id, moved.holder_id, %s, moved.amount FROM t, moved
UNION ALL
SELECT t.game_id, t.id, %s, %s, -total
  FROM t, (SELECT SUM(amount) AS total FROM moved) s WHERE total <> 0"""


class ReadOnly(Exception):
    """Something was written through a book that is only open to be read."""


class Indestructible(Exception):
    """An asset that cannot be destroyed was to go back to the mint."""

    def __init__(self, asset: Asset) -> None:
        super().__init__(f"{asset} is indestructible.")


class Ledger:
    """The balances of one game, and the transfers of the entry that is being made."""

    def __init__(self, game: Game, entry: int | None) -> None:
        self._game = game
        self._entry = entry
        self._sealed: int | None = None
        self._assets: dict[str, Asset] = {}
        self._holders: dict[tuple[str, str], Holder] = {}
        self._read: dict[int, dict[str, int]] = {}
        self._moved: list[tuple[str, str, list[Any]]] = []  # rule, why; holders, assets, amounts
        self.rule = ""

    # Reading

    def asset(self, name: str) -> Asset:
        """The game's asset of that name; Asset.DoesNotExist if there is none."""
        if name not in self._assets:
            self._assets.clear()  # it may have come to be since
        if name not in self._by_name():
            raise Asset.DoesNotExist(f"This game has no asset “{name}”.")
        return self._assets[name]

    def _by_name(self) -> dict[str, Asset]:
        """All assets of the game by their names, read together."""
        if not self._assets:
            self._assets = {asset.name: asset for asset in _ASSETS.all(game=self._game.pk)}
        return self._assets

    def public_assets(self, kind: AssetKind | None = None) -> list[Asset]:
        """The game's assets, perhaps of one kind, whose balances everybody may see."""
        public = [
            asset
            for asset in self._by_name().values()
            if asset.visibility == AssetVisibility.PUBLIC
        ]
        return [asset for asset in public if kind in (None, asset.kind)]

    def family(self, name: str) -> list[Asset]:
        """The game's assets of that family, in the order in which they were defined."""
        relatives = (asset for asset in self._by_name().values() if asset.family == name)
        return sorted(relatives, key=lambda asset: asset.pk)

    def department(self, kind: HolderKind) -> Holder:
        """The game itself, its mint, or its lost and found department: it has one of each."""
        return next(
            holder for (holder_kind, _), holder in self._no_players().items() if holder_kind == kind
        )

    @property
    def agora(self) -> Holder:
        """The game itself as an owner."""
        return self.department(HolderKind.GAME)

    @property
    def lost_and_found(self) -> Holder:
        """The lost and found department."""
        return self.department(HolderKind.LOST_AND_FOUND)

    def holdings(self, owner: Owner) -> Mapping[str, int]:
        """All that the owner has, by the asset's name; 0 for what they have none of."""
        holder = self._holder_id(owner)
        if holder not in self._read:
            rows = _HOLDINGS.all(holder=holder, game=self._game.pk)
            self._assets = {asset.name: asset for asset in rows}
            self._read[holder] = {asset.name: asset.held for asset in rows}
        return self._read[holder]

    def balance(self, owner: Owner, asset: str) -> int:
        """How much of the asset the owner has, 0 where they have none."""
        return self.holdings(owner).get(asset, 0)

    def balances(self, asset: str) -> dict[str, int]:
        """Who has how much of the asset, by the holder's name, the mint left out."""
        rows = self.balance_rows(asset).exclude(amount=0)
        return dict(rows.values_list("holder__name", "amount"))

    def balance_rows(self, asset: str) -> QuerySet[Balance]:
        """The balances of that asset, the mint's left out, to be filtered further."""
        return Balance.objects.filter(asset__game=self._game, asset__name=asset, is_mint=False)

    def owner_of(self, asset: str) -> Holder | None:
        """Who owns a unique asset; None where it is still with the mint."""
        row = self.balance_rows(asset).filter(amount=1).select_related("holder__player").first()
        return row.holder if row else None

    def unowned(self, assets: Iterable[str]) -> list[str]:
        """Those of the unique assets that nobody owns, be it that the game does not have them."""
        names = list(assets)
        owned = set(self._owned(names).values_list("asset__name", flat=True))
        return [name for name in names if name not in owned]

    def taken_names(self, family: str) -> frozenset[str]:
        """The names of the game's assets that are not of that family."""
        other_assets = self._game.assets.exclude(family=family)
        return frozenset(other_assets.values_list("name", flat=True))

    def cannot_pay(
        self, owner: Owner, amount: int, asset: str, *, to_owner: bool = False
    ) -> Refusal | None:
        """The refusal where the owner has less than `amount` of the asset, else None. It calls them
        “you” where it is said `to_owner`."""
        subject = "you have" if to_owner else f"{owner.name} has"
        return self._has_less(
            owner, amount, asset, "This costs {cost}, and {subject} {had}.", subject
        )

    def cannot_transfer(
        self, owner: Owner, amount: int, asset: str, *, to_owner: bool = False
    ) -> Refusal | None:
        """Why the owner cannot give so much of the asset to another by their own will, else None.
        It calls them “you” where it is said `to_owner`.

        Everything by which an owner gives something away asks this. What a rule or an officer's
        correction moves does not.
        """
        subject = "You have" if to_owner else f"{owner.name} has"
        template = "{subject} {had}, and cannot give away {cost}."
        # This reads all that is needed.
        less = self._has_less(owner, amount, asset, template, subject)
        if self.asset(asset).fixed:
            sentence = f"The asset “{asset}” is fixed: its owner cannot transfer it."
            return Refusal("fixed", sentence, self.rule)
        return less

    def _has_less(
        self, owner: Owner, amount: int, asset: str, template: str, subject: str
    ) -> Refusal | None:
        held = self.balance(owner, asset)
        if held >= amount or self.asset(asset).may_owe:
            return None
        asset_row = self.asset(asset)
        holding = asset_row.amount(held) if held else f"no {asset_row.plural}"
        sentence = template.format(cost=asset_row.amount(amount), subject=subject, had=holding)
        return Refusal("cannot_pay", sentence, self.rule)

    # Writing

    def belong_to_sealed(self, number: int) -> None:
        """Write all that follows to the sealed entry of that number, which is being made."""
        self._must_write()
        self._entry, self._sealed = None, number

    def define(self, name: str, plural: str = "", **facts: Any) -> Asset:
        """The asset of that name, made if the game does not have it yet; `facts` as for
        `define_all`."""
        return self.define_all({name: plural or name}, **facts)[0]

    def define_all(
        self,
        plurals: Mapping[str, str],
        *,
        kind: AssetKind = AssetKind.CURRENCY,
        fixed: bool = False,
        indestructible: bool = False,
        family: str = "",
        visibility: AssetVisibility = AssetVisibility.PUBLIC,
        officer: str = "",
    ) -> list[Asset]:
        """The assets by their names, each with its plural, made where the game does not have them
        yet; all that are new in one statement.

        Of a private asset no list tells anything before `disclose`: who has it and the holder of
        the office `officer` learn of it from the subgame.
        """
        self._must_write()
        if not plurals.keys() <= self._assets.keys():
            self._assets.clear()  # they may have come to be since
        assets = self._by_name()
        new_assets = Asset.objects.bulk_create(
            Asset(
                game=self._game,
                mint=self.department(HolderKind.MINT),
                name=name,
                plural=plural,
                kind=kind,
                fixed=fixed,
                indestructible=indestructible,
                family=family,
                visibility=visibility,
                officer=officer,
            )
            for name, plural in plurals.items()
            if name not in assets
        )
        assets.update({asset.name: asset for asset in new_assets})
        return [assets[name] for name in plurals]

    def deck(self, name: str) -> Holder:
        """The game's deck of that name, made if there is none.

        No list has it before something public was in it. ValueError where the name is taken.
        """
        place = HolderKind.DECK.value, name
        if place not in self._no_players():
            self._must_write()
            if self._game.holders.filter(name=name).exists():
                raise ValueError(f"Somebody in the ledger goes by “{name}” already.")
            deck = Holder.objects.create(game=self._game, kind=HolderKind.DECK, name=name)
            self._holders[place] = deck
        return self._holders[place]

    def forget_assets(self) -> None:
        """Let the assets be read anew: something of one was saved."""
        self._assets.clear()

    def disclose(self, assets: Iterable[str]) -> None:
        """Make private assets public for good, all their history with them; one statement.

        What sealed entries moved is seen once these are opened. RuntimeError in a private act.
        """
        self._must_write()
        if self._sealed is not None:
            raise RuntimeError("A private act cannot disclose: nobody would hear of it.")
        hidden = self._game.assets.filter(name__in=list(assets), visibility=AssetVisibility.PRIVATE)
        hidden.update(visibility=AssetVisibility.PUBLIC)
        self._assets.clear()
        self._read.clear()

    def create(self, owner: Owner, amount: int, asset: str, reason: str = "") -> None:
        """Move newly made assets from the mint to the owner."""
        self.move_several([(None, owner, amount, asset)], reason)

    def destroy(self, owner: Owner, amount: int, asset: str, reason: str = "") -> None:
        """Move assets back to the mint; a fee that is paid to nobody is one.

        Raises Indestructible for an asset that is.
        """
        self.move_several([(owner, None, amount, asset)], reason)

    def transfer(
        self, giver: Owner, receiver: Owner, amount: int, asset: str, reason: str = ""
    ) -> None:
        """Move assets from one owner to another."""
        self.move_several([(giver, receiver, amount, asset)], reason)

    def move_several(
        self, moves: Iterable[tuple[Owner | None, Owner | None, int, str]], reason: str = ""
    ) -> None:
        """Move assets in one transfer: giver, receiver, amount and asset of each move.

        None in an owner's place is the mint. Raises Indestructible.
        """
        postings: list[tuple[int, int, int]] = []
        for giver, receiver, amount, name in moves:
            asset = self.asset(name)
            if amount < 0:
                raise ValueError("An amount that changes hands is not negative.")
            source = asset.mint_id if giver is None else self._holder_id(giver)
            goal = asset.mint_id if receiver is None else self._holder_id(receiver)
            if goal == asset.mint_id and asset.indestructible:
                raise Indestructible(asset)
            if amount and source != goal:
                postings += [(source, asset.pk, -amount), (goal, asset.pk, amount)]
        if postings:
            self._post(postings, reason)

    def pay_out(self, amounts: Mapping[int, int], asset: str, reason: str = "") -> None:
        """Give to many at once: `amounts` is by holder id. One statement however many they are."""
        self._bulk_sql(_PAIRS, _pairs(amounts), self.asset(asset), 1, reason)

    def collect(self, amounts: Mapping[int, int], asset: str, reason: str = "") -> None:
        """Take from many at once, back to the mint: `amounts` is by holder id. One statement.

        Raises Indestructible for an asset that is.
        """
        self._bulk_sql(_PAIRS, _pairs(amounts), self.asset(asset), -1, reason)

    def create_for_each(
        self, players: QuerySet[Player], amount: int, asset: str, reason: str = ""
    ) -> None:
        """Give each of the players the same amount."""
        pairs = (
            Holder.objects.filter(player__in=players).order_by().values_list("pk", Value(amount))
        )
        self._bulk(pairs, self.asset(asset), 1, reason)

    def create_for_all_active(self, amount: int, asset: str, reason: str = "") -> None:
        """Give each player who is in the game the same amount."""
        self.create_for_each(self._game.players.filter(active=True), amount, asset, reason)

    def destroy_all(self, asset: str, reason: str = "") -> None:
        """Move all that there is of the asset back to the mint; raises Indestructible."""
        pairs = self.balance_rows(asset).filter(amount__gt=0).values_list("holder_id", "amount")
        self._bulk(pairs, self.asset(asset), -1, reason)

    def gather(self, receiver: Owner, assets: Iterable[str], reason: str = "") -> None:
        """Move all of those assets, whoever owns them, to one receiver in one transfer."""
        to = self._holder_id(receiver)
        rows = (
            self._owned(assets)
            .exclude(holder_id=to)
            .values_list("holder_id", "asset_id", "amount")
            .order_by("asset_id", "holder_id")
        )
        postings = [
            posting
            for holder, asset, amount in rows
            for posting in ((holder, asset, -amount), (to, asset, amount))
        ]
        if postings:
            self._post(postings, reason)

    def effects(self) -> list[tuple[bool, dict[str, Any]]]:
        """The transfers of the entry that is being made: whether everybody may see each, and what
        the entry's effects tell of it. What one moved in public and in private are two."""
        transfers = []
        for rule, reason, moves in self._moved:
            assets = {asset for _, asset, _ in moves}
            public = {
                name for name in assets if self.asset(name).visibility == AssetVisibility.PUBLIC
            }
            for is_open, of in ((True, public), (False, assets - public)):
                if of:  # sorted, since a statement that pays many does so in any order
                    ordered_moves = sorted(move for move in moves if move[1] in of)
                    movement = {"moves": ordered_moves, "rule": rule, "why": reason}
                    transfers.append((is_open, movement))
        self._moved = []
        return transfers

    # Inside

    def _no_players(self) -> dict[tuple[str, str], Holder]:
        """The departments and decks, by kind and name."""
        if not self._holders:
            holders = _NO_PLAYERS.all(game=self._game.pk)
            self._holders = {(holder.kind, holder.name): holder for holder in holders}
        return self._holders

    def _owned(self, assets: Iterable[str]) -> QuerySet[Balance]:
        """The balances of these assets that are not 0, the mint's left out."""
        return Balance.objects.filter(
            asset__game=self._game, asset__name__in=list(assets), is_mint=False, amount__gt=0
        )

    @staticmethod
    def _holder_id(owner: Owner) -> int:
        return owner.holder.pk if isinstance(owner, Player) else owner.pk

    def _must_write(self) -> None:
        if self._entry is None and self._sealed is None:
            raise ReadOnly("This book is open to be read only.")

    def _post(self, postings: list[tuple[int, int, int]], reason: str) -> None:
        rows = ", ".join(["(%s::bigint, %s::bigint, %s::bigint)"] * len(postings))
        sql = f"SELECT t.game_id, t.id, p.* FROM t, (VALUES {rows}) AS p"
        self._execute("", sql, reason, [column for posting in postings for column in posting])

    def _bulk(self, amounts: QuerySet[Any], asset: Asset, sign: int, reason: str) -> None:
        query, params = amounts.query.sql_with_params()
        self._bulk_sql(query, params, asset, sign, reason)

    def _bulk_sql(
        self, query: str, params: Iterable[Any], asset: Asset, sign: int, reason: str
    ) -> None:
        if sign < 0:
            if asset.indestructible:
                raise Indestructible(asset)
            query = f"SELECT holder_id, -amount FROM ({query}) AS a (holder_id, amount)"
        tables = _AMOUNTS.format(amounts=query)
        all_params = [*params, asset.pk, asset.mint_id, asset.pk]
        self._execute(tables, _POSTINGS_OF_AMOUNTS, reason, all_params)

    def _execute(self, tables: str, postings: str, reason: str, params: list[Any]) -> None:
        self._must_write()
        sql = _TRANSFER.format(tables=tables, postings=postings)
        posted = write(sql, [self._game.pk, self._entry, self._sealed, self.rule, reason, *params])
        if posted:
            self._moved.append((self.rule, reason, posted))
        self._read.clear()


def _pairs(amounts: Mapping[int, int]) -> list[list[int]]:
    return [list(amounts), list(amounts.values())]
