"""Currencies that the tables of a game's rules declare: they are there from when the rule is in
force, for good; that their holders may have less than nothing, as long as a rule says so."""

from collections.abc import Iterator, Sequence

from nomic.engine.coverage import TablePlayed, play_tables, tell_unread
from nomic.engine.table import Follower, Table, follow
from nomic.ledger.models import AssetKind, AssetVisibility
from nomic.rulebook.book import Rulebook
from nomic.rulebook.declared import CURRENCIES, DeclaredCurrency, currencies_in, declared
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.last_readable import Unread

MOST = 100  # currencies that tables declare in a game


def rule_currencies(rules: Rulebook) -> list[DeclaredCurrency]:
    """The currencies that the rules in force declare; of two of one name the first."""
    currencies: dict[str, DeclaredCurrency] = {}
    for rule in rules.that_say(CURRENCIES[0]):
        for currency in _declared_by(rules, rule)[0]:
            currencies.setdefault(currency.name.casefold(), currency)
    return [*currencies.values()][:MOST]


def _declared_by(
    rules: Rulebook, rule: RuleText
) -> tuple[Sequence[DeclaredCurrency], Unread | None]:
    """The currencies that the rule declares, and what is wrong with its table."""
    return declared(currencies_in, CURRENCIES, rule, rules.earlier_versions)


def _unread(table: Table) -> Iterator[Unread]:
    for rule in table.rules.that_say(CURRENCIES[0]):
        fault = _declared_by(table.rules, rule)[1]
        if fault:
            yield fault


class _Currencies(Follower):
    def rules_changed(self, table: Table) -> None:
        """Make those that the ledger has not, and let those be owed that may be, and no others. A
        unique thing, or something private, of such a name stays what it is."""
        currencies = rule_currencies(table.rules)
        public = table.game.assets.filter(visibility=AssetVisibility.PUBLIC)
        if not currencies and not public.filter(may_owe=True).exists():
            return
        assets = {
            name.casefold(): asset for asset in table.game.assets.all() for name in asset.names
        }
        may_owe = set()
        for currency in currencies:
            asset = assets.get(currency.name.casefold())
            if asset is None:
                asset = table.ledger.define(currency.name, currency.plural)
                assets |= {name.casefold(): asset for name in asset.names}
            if currency.may_owe and asset.kind == AssetKind.CURRENCY:
                may_owe.add(asset.pk)
        public.filter(pk__in=may_owe, may_owe=False).update(may_owe=True)
        public.filter(may_owe=True).exclude(pk__in=may_owe).update(may_owe=False)
        table.ledger.forget_assets()


follow(_Currencies())


def _table_played(rules: Rulebook, rule: RuleText) -> TablePlayed | None:
    currencies, fault = _declared_by(rules, rule)
    return TablePlayed(CURRENCIES, fault is None) if currencies or fault else None


play_tables(_table_played)
tell_unread(_unread)
