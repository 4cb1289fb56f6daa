"""Currencies that the tables of a game's rules declare: they are there from when the rule is in
force, for good; that their holders may have less than nothing, as long as a rule says so."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nomic.engine.coverage import TablePlayed, play_tables, tell_unread
from nomic.engine.table import Follower, Table, follow
from nomic.ledger.models import AssetKind, AssetVisibility
from nomic.rulebook.book import Rulebook
from nomic.rulebook.declared import CURRENCIES, DeclaredCurrency, currencies_in, declared
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.last_readable import Unread

MOST = 100  # currencies that tables declare in a game


def _declared_by(
    rules: Rulebook, rule: RuleText
) -> tuple[Sequence[DeclaredCurrency], Unread | None]:
    return declared(
        currencies_in, CURRENCIES, rule.title, rule.text, lambda: rules.earlier_versions(rule)
    )


def rule_currencies(rules: Rulebook) -> dict[str, DeclaredCurrency]:
    """The currencies that the rules in force declare, by name; of two of one name the first."""
    currencies: dict[str, DeclaredCurrency] = {}
    for rule in rules.that_say(CURRENCIES[1]):
        for currency in _declared_by(rules, rule)[0]:
            currencies.setdefault(currency.name.casefold(), currency)
    return {it.name: it for it in [*currencies.values()][:MOST]}


def unread_currencies(rules: Rulebook) -> Iterator[Unread]:
    """What is wrong with the tables that declare currencies."""
    for rule in rules.that_say(CURRENCIES[1]):
        fault = _declared_by(rules, rule)[1]
        if fault:
            yield replace(fault, pk=rule.pk)


class _Currencies(Follower):
    def rules_changed(self, table: Table) -> None:
        """Make those that the ledger has not, and let those be owed that may be, and no others. A
        unique thing, or something private, of such a name stays what it is."""
        wanted = rule_currencies(table.rules)
        public = table.game.assets.filter(visibility=AssetVisibility.PUBLIC)
        if not wanted and not public.filter(may_owe=True).exists():
            return
        assets = {asset.name.casefold(): asset for asset in table.game.assets.all()}
        names = {key: asset for asset in assets.values() for key in map(str.casefold, asset.names)}
        may_owe = set()
        for currency in wanted.values():
            asset = names.get(currency.name.casefold())
            if asset is None:
                asset = table.ledger.define(currency.name, currency.plural)
            if asset.kind == AssetKind.CURRENCY and asset.visibility == AssetVisibility.PUBLIC:
                may_owe |= {asset.pk} if currency.may_owe else set()
        public.filter(pk__in=may_owe, may_owe=False).update(may_owe=True)
        public.filter(may_owe=True).exclude(pk__in=may_owe).update(may_owe=False)
        table.ledger.forget_assets()


follow(_Currencies())


def _table_played(rules: Rulebook, rule: RuleText) -> TablePlayed | None:
    currencies, fault = _declared_by(rules, rule)
    return TablePlayed(CURRENCIES, fault is None) if currencies or fault else None


play_tables(_table_played)
tell_unread(lambda table: unread_currencies(table.rules))
