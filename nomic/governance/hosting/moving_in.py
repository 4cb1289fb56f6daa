"""Beginnings of a game that lived elsewhere, beside its rules: brought and taken back by its
host."""

from operator import attrgetter
from typing import Any

from nomic.engine.actions import HostAction, Inputs, NewcomerAction, action
from nomic.engine.effects import Effects, Set, Then, Turn, Verdict
from nomic.engine.forms import ActionForm, PlayerField, Text, TextChoice, WholeNumber
from nomic.engine.subgames import (
    NoSuchSwitch,
    find_switch,
    office_refusal,
    rulemaker_of,
)
from nomic.engine.table import Table
from nomic.games.admission import empty_seats, seat_given
from nomic.games.models import Player
from nomic.games.names import LONGEST_NAME, reads_as_one_of
from nomic.games.refusal import Refusal
from nomic.governance.offices import give
from nomic.governance.seats import name_refusal, names_of_things, sit_down
from nomic.ledger.models import Asset, AssetKind
from nomic.rulebook.declared import CURRENCIES, plural_of
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.limits import MUTABLE
from nomic.rulebook.text_cache import BEGINS

TAKE_RULES_BACK = "games.take_rules_back"
CLAIM_SEAT, FREE_SEAT = "games.claim_seat", "games.free_seat"
BRING_PLAYER, BRING_OFFICE = "games.bring_player", "games.bring_office"
BRING_BALANCE, BRING_SWITCH = "games.bring_balance", "games.bring_switch"
BRING_PROPOSAL, BRING_DUTY = "proposals.bring", "proposals.bring_duty"
_MOST = 1_000_000_000  # of one asset
_LONGEST_ASSET = _LONGEST_SWITCH = 40
_LONGEST_OFFICE = _LONGEST_OF = 60
_BROUGHT = " That was brought from before this game."
_DECIDED = Refusal(
    "decided", "A vote has been closed here: nothing more is brought from before or taken back."
)


class Brings(HostAction):
    """An act by which a host enters what a game had elsewhere, until the first vote is closed."""

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.rules.shares_titles)

    def verdict(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | Effects:
        rulemaker = rulemaker_of(table.game)
        if rulemaker and rulemaker.has_decided(table):
            return _DECIDED
        return super().verdict(table, player, inputs)


@action
class TakeRulesBack(Brings):
    """Let none of the rules be in force with which the game moved in, as long as no vote has been
    closed here. Those that the program plays by stay."""

    name = TAKE_RULES_BACK
    title = "Take back the rules that were brought"
    sentence = "Take back the rules that were brought"
    button = "Take them back"
    confirm = "None of the rules that were brought is in force after that. Take them back?"

    class Form(ActionForm):
        pass

    def absence(self, table: Table) -> Refusal | None:
        return super().absence(table) or self.needs(any(_brought(table)))

    def judge(self, table: Table, player: Player | None) -> Effects:
        def take_back(at: Table) -> str:
            gone = 0
            for immutable in filter(attrgetter("is_immutable"), _brought(at)):
                at.rules.transmute(immutable.pk, MUTABLE)
            # Read anew each time: with a rule go those below it.
            while rule := next(iter(_brought(at)), None):
                gone += len(at.rules.repeal(rule.pk))
            rules = "1 rule that was" if gone == 1 else f"{gone:,} rules that were"
            return f"The host takes back the {rules} brought."

        return Effects(Then(take_back))


@action
class BringPlayer(Brings):
    """Seat somebody who plays where the game comes from, under their name there. Until they come
    by a link for that seat, nobody of this site sits there: what they own is entered for them."""

    name = BRING_PLAYER
    title = "Bring a player from before"
    sentence = "Bring {name} from before"
    button = "Seat them"

    class Form(ActionForm):
        name = Text(longest=LONGEST_NAME, label="Name")

    def judge(self, table: Table, player: Player | None, name: str | None) -> Verdict:
        if name is None:
            return None
        return name_refusal(table, name) or Effects(
            Then(lambda at: f"{sit_down(at, None, name)} has a seat.{_BROUGHT}")
        )


@action
class BringOffice(Brings):
    """Let an office be held by who held it before, or by nobody. It may be new here: then its
    holder has the powers that the rules' texts give, and none that the program knows of."""

    name = BRING_OFFICE
    title = "Bring an office and its holder from before"
    sentence = "As before, let the {office} be {player}"
    button = "Enter"

    class Form(ActionForm):
        office = Text(longest=_LONGEST_OFFICE, label="Office")
        player = PlayerField(required=False, label="Player, or nobody")

    def judge(self, table: Table, by: Player | None, office: Any, player: str | None) -> Verdict:
        if office is None:
            return None
        named = (name for name in table.directory.offices if name.casefold() == office.casefold())
        existing = next(named, None)
        if existing is None and (refusal := _bad_name(table, office)):
            return refusal
        holder = table.seat(player) if player else None
        refusal = office_refusal(table, existing or office, holder) if holder else None
        return refusal or Effects(
            Then(lambda at: give(at, existing or at.office(office).name, holder)),
            say=f"{holder or 'Nobody'} is {existing or office}.{_BROUGHT}",
        )


@action
class BringBalance(Brings):
    """Enter what somebody owned before, of a currency that may be new here; or less than nothing,
    where a table of the rules lets it be owed."""

    name = BRING_BALANCE
    title = "Bring a balance from before"
    sentence = "As before, let {player} have {amount} {asset} more"
    button = "Enter"

    class Form(ActionForm):
        player = PlayerField(label="Player")
        amount = WholeNumber(-_MOST, _MOST)
        asset = Text(longest=_LONGEST_ASSET, label="Currency, as one of it is called")
        plural = Text(longest=_LONGEST_ASSET, required=False, label="Several of it, if it is new")

    def judge(
        self, table: Table, by: Any, player: Any, amount: Any, asset: Any, plural: Any
    ) -> Verdict:
        if asset is None:
            return None
        currency = _asset_called(table, asset)
        if currency is not None and currency not in table.ledger.public_assets(AssetKind.CURRENCY):
            return Refusal("no_currency", f"“{asset}” is no currency here. Choose another name.")
        if currency is not None and plural and plural.casefold() != currency.plural.casefold():
            sentence = f"Several of {currency.name} are {currency.plural} here, and not {plural}."
            return Refusal("other_plural", sentence)
        plural = plural or plural_of(asset)
        for name in () if currency else (asset, plural):
            if refusal := _bad_name(table, name):
                return refusal
        if player is None or amount is None:
            return None
        if amount == 0:
            return Refusal("nothing", "Nothing is no balance. Leave it out.")
        holder, origin = table.seat(player), "brought from before"
        if amount < 0 and not (currency and currency.may_owe):
            sentence = (
                f"Nobody has less than no {plural} here: a rule in force has to allow it, by a"
                f" table with the columns {' and '.join(CURRENCIES)}."
            )
            return Refusal("below_zero", sentence)

        def enter(at: Table) -> None:
            name = (currency or at.ledger.define(asset, plural)).name
            if amount < 0:
                at.ledger.destroy(holder, -amount, name, origin)
            else:
                at.ledger.create(holder, amount, name, origin)

        brought = currency or Asset(name=asset, plural=plural)
        way = "more" if amount > 0 else "less"
        counted = brought.amount(abs(amount), f"{abs(amount):,}")
        return Effects(Then(enter), say=f"{player} has {counted} {way}.{_BROUGHT}")


@action
class BringSwitch(Brings):
    """Set a switch of this game, such as somebody's Voting Strength, as it stood before."""

    name = BRING_SWITCH
    title = "Bring a switch from before"
    sentence = "As before, let the {switch} of {of} be {value}"
    button = "Enter"

    class Form(ActionForm):
        switch = Text(longest=_LONGEST_SWITCH, label="Switch")
        of = Text(longest=_LONGEST_OF, required=False, label="Of whom or of what, if not the game")
        value = Text(longest=_LONGEST_SWITCH, label="Value")

    def judge(self, table: Table, player: Any, switch: Any, of: Any, value: Any) -> Verdict:
        if None in (switch, of, value):
            return None
        try:
            game_switch = find_switch(switch, table)
        except NoSuchSwitch as error:
            return Refusal("no_switch", str(error))
        if not game_switch.subjects(table):
            return Refusal("no_switch", f"This game has no {game_switch.name}.")
        if of not in game_switch.subjects(table):
            named = f"“{of}”" if of else "The game itself"
            return Refusal("no_subject", f"{named} has no {game_switch.name} in this game.")
        if refusal := game_switch.refusal(table, of, value):
            return refusal
        whose = f"The {game_switch.name} of {of}" if of else f"The {game_switch.name}"
        if game_switch.is_at(table, of, value):
            stands = game_switch.value(table, of)
            return Refusal("is_so", f"{whose} is {stands} already: nothing is to be brought.")
        return Effects(Turn(game_switch, of, value, lambda now: f"{whose} is {now}.{_BROUGHT}"))


class EmptySeatField(TextChoice):
    """A seat that was brought, and to which its player has not come yet, by name."""

    noun = "empty seat"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return list(empty_seats(table.game).values_list("name", flat=True))


@action
class ClaimSeat(NewcomerAction):
    """Come to the seat that was brought from before, as the player who had it there. The host gives
    the link to it."""

    name = CLAIM_SEAT
    title = "Come to a seat from before"
    sentence = "Play on as {name}"
    button = "Take this seat"

    class Form(ActionForm):
        name = EmptySeatField(label="Name in this game")

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.rules.shares_titles and empty_seats(table.game).exists())

    def judge(self, table: Table, player: Player | None, name: str | None) -> Verdict:
        if player is not None:
            return Refusal("old_name", f"You played here as {player.name}. Come back by that name.")
        if name is None:
            return None
        visitor: Any = table.visitor
        seat = table.seat(name)
        if not (table.is_replayed or (visitor and seat == seat_given(table.game, visitor))):
            return Refusal("not_let_in", f"Ask the game’s host for the link to the seat of {name}.")
        return Effects(
            Set(seat, user=visitor),
            say=f"{seat} has come, and plays on in the seat that was brought from before.",
        )


@action
class FreeSeat(HostAction):
    """Take a seat back from the wrong person, who has done nothing in it yet."""

    name = FREE_SEAT
    title = "Free a seat from before"
    sentence = "Let nobody sit in the seat of {player}"
    button = "Free it"
    confirm = "Whoever came to that seat has no seat here after that. Free it?"

    class Form(ActionForm):
        player = PlayerField(label="Seat")

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(table.rules.shares_titles)

    def judge(self, table: Table, by: Player | None, player: str | None) -> Verdict:
        if player is None:
            return None
        seat = table.seat(player)
        if not table.is_replayed:
            claimed = table.game.entries.filter(name=CLAIM_SEAT, inputs__name=player).last()
            if claimed is None or seat.user_id is None:
                return Refusal("not_claimed", f"Nobody has come to a seat of {seat} from before.")
            books = (table.game.entries.filter(seq__gt=claimed.seq), table.game.sealed_entries)
            if any(book.filter(actor=seat).exists() for book in books):
                return Refusal("has_acted", f"{seat} has acted here, and keeps the seat.")

        # The link by which they came would let them claim it again.
        def close(at: Table) -> None:
            at.game.admissions.filter(user=seat.user_id).delete()

        return Effects(
            Then(close),
            Set(seat, user=None),
            say=f"By the host’s word, the seat of {seat} is empty again, as it was brought.",
        )


def _asset_called(table: Table, name: str) -> Asset | None:
    """What can be owned by that name, as one of it or several are called; a name goes first."""
    key, assets = name.casefold(), list(table.game.assets.order_by("name"))
    named = [asset for asset in assets if asset.name.casefold() == key]
    named += [asset for asset in assets if key in map(str.casefold, asset.names)]
    return next(iter(named), None)


def _bad_name(table: Table, name: str) -> Refusal | None:
    """The refusal of a name for a new office or currency that would be taken for another thing;
    None where it would not."""
    lookalike = reads_as_one_of(name, [*table.directory.players, *names_of_things(table)])
    sentence = f"“{name}” reads as “{lookalike}”. Choose another name."
    return Refusal("bad_name", sentence) if lookalike else None


def _brought(table: Table) -> list[RuleText]:
    """The rules in force that came in right after the game had begun."""
    return [rule for rule in table.rules.public if rule.by_people and rule.enacted_in == BEGINS + 1]
