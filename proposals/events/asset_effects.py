"""Moves of assets by a passed proposal: each function does one change or says why not.

Amounts are whole units. A name is a player's, or a department's; “each player” is everybody who
is in the game, at the cost of one statement.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from weakref import WeakKeyDictionary

from django.db.models import Max

from nomic.engine.dry_run import BalanceShift
from nomic.engine.programs.additions import define_assets
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.governance.corrections import MOST
from nomic.ledger.books import Owner
from nomic.ledger.models import Asset, AssetKind, AssetVisibility, HolderKind

MOST_HELD = 10**15  # units, of which the mint can owe thousands of times as many
MOST_SHOWN = 50  # shifts of one change that are told one by one
_EVERYBODY = frozenset({"each player", "every player", "all players"})
_OWNERS = (HolderKind.GAME, HolderKind.LOST_AND_FOUND)


class CannotBe(Exception):
    """A change cannot be made; the sentence says why."""


class NotUnderstood(CannotBe):
    """A change names what this game does not have, so that it may say something else."""


type Moved = tuple[str, tuple[BalanceShift, ...]]


class _Names:
    """Players and public assets for gifts in a row, each read once, while the rules stay as they
    are."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.players: dict[str, list[Player]] = {}

    @cached_property
    def assets(self) -> list[Asset]:
        """The public ones: what is private is to every proposal as if it were not there."""
        return list(self.table.game.assets.filter(visibility=AssetVisibility.PUBLIC))

    @cached_property
    def holders(self) -> list[tuple[int, str]]:
        """The holder and name of each player in the game, in the order of the names."""
        rows = self.table.game.holders.filter(player__active=True).order_by("name")
        return list(rows.values_list("pk", "name"))


_label: WeakKeyDictionary[Table, str] = WeakKeyDictionary()


def credit(table: Table, label: str) -> None:
    """Let the ledger give that proposal, such as “Proposal 4”, as the reason of what follows."""
    _label[table] = label


def _reason(table: Table) -> str:
    return f"by {_label.get(table, 'a proposal')}"


def drop_names(table: Table) -> None:
    """Let the next gift read again who there is and what can be given."""
    table.drop(_Names)


def give(table: Table, receiver: str, amount: int, currency: str) -> Moved:
    """Make new units for the receiver; a unique thing comes from Agora where Agora has it."""
    asset = _asset(table, currency, amount)
    if is_everybody(receiver):
        if asset.kind == AssetKind.UNIQUE:
            raise CannotBe(f"There is only one {asset}: it cannot be given to each player.")
        rows = table.ledger.balance_rows(asset.name)
        balances: dict[int, tuple[str, int]] = {}
        if len(table.once(_Names).holders) <= MOST_SHOWN:
            amounts = dict(rows.values_list("holder_id", "amount"))
            balances = _of_each(table, amounts)
            highest = max(amounts.values(), default=0)
        else:
            highest = rows.aggregate(most=Max("amount"))["most"] or 0
        _must_fit(highest + amount)
        players = table.game.players.filter(active=True)
        table.ledger.create_for_each(players, amount, asset.name, _reason(table))
        moved = ((name, balance, balance + amount) for name, balance in balances.values())
        return f"Each player gains {asset.amount(amount)}.", _shifts(asset, moved)
    owner = _owner(table, receiver, receives=True)
    holder = table.ledger.owner_of(asset.name) if asset.kind == AssetKind.UNIQUE else None
    if holder is not None:
        if holder.kind != HolderKind.GAME:
            raise CannotBe(f"There is only one {asset}, and {holder} has it: transfer it.")
        return _move(table, holder, owner, 1, asset)
    before = table.ledger.balance(owner, asset.name)
    _must_fit(before + amount)
    return f"{owner} gains {asset.amount(amount)}.", _bring(table, owner, asset, before + amount)


def take(table: Table, giver: str, amount: int | None, currency: str) -> Moved:
    """Destroy units that somebody has, all of them where no amount is given."""
    asset = _asset(table, currency, 1 if amount is None else amount)
    _must_be_destructible(asset)
    if not giver.strip() and amount is None:
        held = {
            name: balance
            for name, balance in table.ledger.balances(asset.name).items()
            if balance > 0
        }
        table.ledger.destroy_all(asset.name, _reason(table))
        shifts = _shifts(asset, ((name, balance, 0) for name, balance in sorted(held.items())))
        return f"All {asset.plural} are destroyed, whoever has them.", shifts
    if not giver.strip() or is_everybody(giver):
        balances = _held(table, asset)
        for name, balance in balances.values():
            _must_have(name, balance, amount or 0, asset)
        remaining = {
            holder: (name, balance, min(balance, 0) if amount is None else balance - amount)
            for holder, (name, balance) in balances.items()
        }
        lost = f"all {asset.plural}" if amount is None else asset.amount(amount)
        return f"Each player loses {lost}.", _bring_each(table, asset, remaining)
    owner = _owner(table, giver)
    before = table.ledger.balance(owner, asset.name)
    gone = max(before, 0) if amount is None else amount
    _must_have(str(owner), before, gone, asset)
    return f"{owner} loses {asset.amount(gone)}.", _bring(table, owner, asset, before - gone)


def _bring(table: Table, owner: Owner, asset: Asset, wanted: int) -> tuple[BalanceShift, ...]:
    """Let the owner have so much, by making or destroying the difference."""
    balance = table.ledger.balance(owner, asset.name)
    if wanted < balance:
        table.ledger.destroy(owner, balance - wanted, asset.name, _reason(table))
    else:
        table.ledger.create(owner, wanted - balance, asset.name, _reason(table))
    return _shifts(asset, [(str(owner), balance, wanted)])


def _shifts(asset: Asset, moved: Iterable[tuple[str, int, int]]) -> tuple[BalanceShift, ...]:
    """Whose balance was and is what; none where they are more than are told one by one."""
    shifts = tuple(BalanceShift(name, asset.name, before, after) for name, before, after in moved)
    return shifts if len(shifts) <= MOST_SHOWN else ()


def transfer(table: Table, giver: str, receiver: str, amount: int, currency: str) -> Moved:
    """Move units from one to another, fixed assets as well: a proposal may."""
    asset = _asset(table, currency, amount)
    if is_everybody(giver) or is_everybody(receiver):
        raise CannotBe("A transfer is from one to one: take from each player, or give to each.")
    return _move(table, _owner(table, giver), _owner(table, receiver, receives=True), amount, asset)


def _move(table: Table, giver: Owner, receiver: Owner, amount: int, asset: Asset) -> Moved:
    if str(giver) == str(receiver):
        raise CannotBe(f"{giver} is giver and receiver at once: name two.")
    giver_balance = table.ledger.balance(giver, asset.name)
    _must_have(str(giver), giver_balance, amount, asset)
    receiver_balance = table.ledger.balance(receiver, asset.name)
    _must_fit(receiver_balance + amount)
    table.ledger.transfer(giver, receiver, amount, asset.name, _reason(table))
    goes = "goes" if amount == 1 else "go"
    moved = [
        (str(giver), giver_balance, giver_balance - amount),
        (str(receiver), receiver_balance, receiver_balance + amount),
    ]
    return f"{asset.amount(amount)} {goes} from {giver} to {receiver}.", _shifts(asset, moved)


def change_by(table: Table, currency: str, of: str, by: int) -> Moved:
    """Raise a balance, or lower it where `by` is below zero."""
    if not of.strip():
        raise CannotBe(f"It does not say whose {currency}: write, say, Peter's.")
    return give(table, of, by, currency) if by >= 0 else take(table, of, -by, currency)


def set_to(table: Table, currency: str, of: str, value: str) -> Moved:
    """Bring a balance to a value, by making or destroying the difference."""
    asset = _asset(table, currency, 1)
    lowest = -MOST if asset.may_owe else 0
    plain = value.replace(",", "").replace("−", "-")
    digits = plain.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(MOST))):
        raise NotUnderstood(
            f"“{value[:60]}” is no balance: write a whole number from {lowest:,} to {MOST:,}."
        )
    wanted = int(plain)
    if not lowest <= wanted <= MOST:
        raise CannotBe(
            f"A balance of {asset.plural} is set to a whole number from {lowest:,} to {MOST:,}."
        )
    if asset.kind == AssetKind.UNIQUE:
        raise CannotBe(f"There is only one {asset}: give it to somebody, or transfer it.")
    if is_everybody(of):
        held = _held(table, asset)
        if any(balance > wanted for _, balance in held.values()):
            _must_be_destructible(asset)
        changed = {
            holder: (name, balance, wanted)
            for holder, (name, balance) in held.items()
            if balance != wanted
        }
        return f"Each player has {asset.amount(wanted)} now.", _bring_each(table, asset, changed)
    if not of.strip():
        raise CannotBe(f"It does not say whose {asset.plural}: write, say, Peter's.")
    owner = _owner(table, of, receives=True)
    before = table.ledger.balance(owner, asset.name)
    if wanted < before:
        _must_be_destructible(asset)
    shifts = _bring(table, owner, asset, wanted) if wanted != before else ()
    return f"{owner} has {asset.amount(wanted)} now, and had {before:,}.", shifts


def _bring_each(
    table: Table, asset: Asset, wanted: Mapping[int, tuple[str, int, int]]
) -> tuple[BalanceShift, ...]:
    """Let many have so much, each by their holder with name, balance and what it is to be."""
    moved = {holder: after - before for holder, (_, before, after) in wanted.items()}
    if moved:
        table.ledger.pay_out(moved, asset.name, _reason(table))
    return _shifts(asset, wanted.values())


def hand_over(table: Table, unique: str, giver: str, receiver: str) -> Moved:
    """Move a thing of which there is one; where no giver is named, Agora must have it."""
    asset = _asset(table, unique, 1)
    if asset.kind != AssetKind.UNIQUE:
        raise CannotBe(f"It does not say how many {asset.plural}: write the number in digits.")
    if is_everybody(giver) or is_everybody(receiver):
        raise CannotBe(f"There is only one {asset}: name the one who gets it.")
    if giver:
        return transfer(table, giver, receiver, 1, asset.name)
    return give(table, receiver, 1, asset.name)


def is_currency(table: Table, name: str) -> bool:
    """Whether the game has something of that name that can be held."""
    return bool(_assets_named(table, name)[0])


def _must_be_destructible(asset: Asset) -> None:
    if asset.indestructible:
        raise CannotBe(f"{asset} is indestructible: transfer it to somebody else, or to Agora.")


def _must_fit(balance: int) -> None:
    if balance > MOST_HELD:
        raise CannotBe(f"Nobody has more than {MOST_HELD:,} of anything: give less.")


def _held(table: Table, asset: Asset) -> dict[int, tuple[str, int]]:
    """The name and balance of each player in the game, by holder, in the order of the names."""
    rows = table.ledger.balance_rows(asset.name)
    return _of_each(table, dict(rows.values_list("holder_id", "amount")))


def _of_each(table: Table, amounts: dict[int, int]) -> dict[int, tuple[str, int]]:
    return {pk: (name, amounts.get(pk, 0)) for pk, name in table.once(_Names).holders}


def _must_have(owner: str, balance: int, wanted: int, asset: Asset) -> None:
    if asset.may_owe:
        if balance - wanted < -MOST_HELD:
            raise CannotBe(f"Nobody owes more than {MOST_HELD:,} of anything: take less.")
    elif balance < wanted:
        holding = asset.amount(balance) if balance else f"no {asset.plural}"
        raise CannotBe(f"{owner} has {holding}, and cannot lose {asset.amount(wanted)}.")


def is_everybody(name: str) -> bool:
    """Whether that name means each player."""
    return " ".join(name.casefold().split()) in _EVERYBODY


def _asset(table: Table, currency: str, amount: int) -> Asset:
    """The public asset of that name or plural, where there can be so much of it."""
    matches, assets = _assets_named(table, currency)
    if not matches and define_assets(table):
        drop_names(table)
        matches, assets = _assets_named(table, currency)
    if not matches:
        plurals = [public.plural for public in assets if public.kind == AssetKind.CURRENCY]
        currencies = f"Its currencies are: {', '.join(plurals)}."
        raise NotUnderstood(f"This game has no “{currency[:60]}”. {currencies}")
    asset = matches[0]
    if not 1 <= amount <= MOST:
        raise CannotBe(f"An amount is a whole number from 1 to {MOST:,}.")
    if asset.kind == AssetKind.UNIQUE and amount > 1:
        raise CannotBe(f"There is only one {asset}.")
    return asset


def _assets_named(table: Table, currency: str) -> tuple[list[Asset], list[Asset]]:
    """The assets of that name or plural, and all; “the horse Alexia” is the one thing Alexia."""
    key = " ".join(currency.casefold().split())
    assets = table.once(_Names).assets
    names = [(asset, {name.casefold() for name in asset.names}) for asset in assets]
    matches = [asset for asset, called in names if key in called]
    matches += [asset for asset, called in names if not matches and f"{key}s" in called]
    short = key.removeprefix("the ").partition(" ")[2]
    for asset, called in names if not matches and short else ():
        if asset.kind == AssetKind.UNIQUE and short in called:
            matches.append(asset)
    return matches, assets


def _owner(table: Table, name: str, *, receives: bool = False) -> Owner:
    """The player or department of that name, in whatever case if that is clear."""
    words = " ".join(name.split())
    bare = words.casefold().removeprefix("the ").removesuffix(" department")
    for kind in _OWNERS:
        department = table.ledger.department(kind)
        if bare == department.name.casefold():
            return department
    # The players of that name in whatever case, those who left too.
    by_name = table.once(_Names).players
    if words not in by_name:
        namesakes = table.game.players.select_related("holder").filter(name__iexact=words)
        by_name[words] = list(namesakes) if words.isprintable() else []
    players = by_name[words]
    exact = [player for player in players if player.name == words]
    if not players:
        raise CannotBe(f"There is no player “{words[:60]}” in this game.")
    if len(players) > 1 and not exact:
        names = " or ".join(player.name for player in players)
        raise CannotBe(f"“{words}” may be {names}: write the name as they do.")
    player = (exact or players)[0]
    if receives and not player.active:
        raise CannotBe(f"{player} has left the game, and is given nothing.")
    return player
