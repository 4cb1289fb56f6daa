"""The assets that programs declare: in the ledger from when their rule is in force, for good."""

from nomic.engine.programs.programs import programs_of
from nomic.engine.table import Follower, Table, follow
from nomic.ledger.models import AssetKind


def define_assets(table: Table) -> bool:
    """Make those that the ledger does not have yet; whether there was one. A name that is taken
    stays what it is."""
    wanted = {
        asset.name: asset
        for program in reversed(programs_of(table.rules.public))
        for asset in program.declared.assets
    }
    if not wanted:
        return False
    taken = table.game.assets.filter(name__in=wanted).values_list("name", flat=True)
    missing = wanted.keys() - {*taken}
    for name in sorted(missing):
        kind = AssetKind.UNIQUE if wanted[name].is_unique else AssetKind.CURRENCY
        table.ledger.define(name, wanted[name].plural, kind=kind)
    return bool(missing)


def counted(table: Table, price: str) -> str:
    """A price as it is counted, “5 coins” for “5 coin”; as it is written if it is none of these."""
    number, _, name = price.partition(" ")
    if number.isdecimal():
        for asset in table.ledger.public_assets():
            if name in (asset.name, asset.plural):
                return asset.amount(int(number))
    return price


class _Assets(Follower):
    """Makes what is declared as soon as the rule is in force."""

    def rules_changed(self, table: Table) -> None:
        define_assets(table)


follow(_Assets())
