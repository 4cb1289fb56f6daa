"""Trade and alliances (The Gift of the Isle)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from nomic.engine.actions import action
from nomic.engine.effects import Effects, Pay, Roll, Set, Then, Together, Transfer, Verdict
from nomic.engine.forms import ActionForm, TextChoice
from nomic.engine.table import Table
from nomic.games.bounds import OFFERS_OF_SETTLER
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from settlers.actions.fields import OFF, ON, AllyField, ItemsField, OfferField, SettlerField
from settlers.actions.settlers import SettlerAction
from settlers.models import Ally, Offer, OfferEnd
from settlers.models import Settler as Row
from settlers.rules import legality
from settlers.rules.isle import Items, describe_items
from settlers.rules.titles import GIFT
from settlers.state.reading import State, row_of

MOST_TRADED = 100  # of each resource: chance names one item among all of a side


@action
class OfferTrade(SettlerAction):
    """Costs nothing now. When they accept, both sides change hands, and each side loses one item
    by chance, unless you two are allied."""

    name = "settlers.offer_trade"
    title = "Offer a trade"
    sentence = "Offer {to} {give} for {take}"
    also_said = (
        "Offer {give} to {to} for {take}",
        "Offer to trade {to} {give} for {take}",
        "(Trade|Swap|Exchange) {give} for {take} with {to}",
    )

    class Form(ActionForm):
        to = SettlerField()
        give = ItemsField(label="What you give", own=True, most=MOST_TRADED)
        take = ItemsField(label="What you get", most=MOST_TRADED)

    def judge(
        self, state: State, player: Player, to: str | None, give: Items | None, take: Items | None
    ) -> Verdict:
        settler, row = state.acting(player)
        refusal = legality.offer_refusal(settler, to, give, take, state.charts)
        if refusal or to is None:
            return refusal
        own_offers = [offer for offer in state.offers_of(settler.name) if offer.by_id == row.pk]
        standing = next((offer for offer in own_offers if offer.to.player.name == to), None)
        if standing is not None:
            sentence = (
                f"Your offer {standing.number} to {to} stands still. Withdraw it before you make"
                " them another."
            )
            return Refusal("offer_stands", sentence, GIFT)
        if refusal := OFFERS_OF_SETTLER.refusal(state.table.game, len(own_offers) + 1, GIFT):
            return refusal
        if give is None or take is None:
            return Effects()
        number, to_row = state.last_offer + 1, row_of(state.table, to)
        sides = f"{describe_items(give)} for {describe_items(take)}"
        return Effects(
            Set(Offer, number=number, by=row, to=to_row, gives=give, takes=take),
            say=f"{player} offers {to} {sides} (offer {number}).",
            figures={"offer": number},
        )


@action
class AcceptTrade(SettlerAction):
    """Both sides change hands at once; each side then loses one item by chance, unless you two are
    allied."""

    name = "settlers.accept_trade"
    title = "Accept a trade"
    sentence = "Accept offer {offer}"

    class Form(ActionForm):
        offer = OfferField(got_only=True)

    def judge(self, state: State, player: Player, offer: int | None) -> Verdict:
        offers_got = state.offers_got(player.name)
        if offer is None:
            return Effects() if offers_got else Refusal("no_offer", _NO_OFFER, GIFT)
        trade = next((row for row in offers_got if row.number == offer), None)
        if trade is None:
            return _no_such_offer(offer, "that you got", offers_got)
        # Both sides at once: read one by one, each would cost a query for the row and one for the
        # Stockpile.
        state.read(Row.objects.filter(pk__in=(trade.by_id, trade.to_id)))
        giver = trade.by.player
        by, settler = state.settler(giver), state.acting(player)[0]
        if by is None:
            sentence = f"{giver} is not a Settler at present, and cannot trade."
            return Refusal("no_settler", sentence, GIFT)

        def effects_of(lost_by: Items, lost_to: Items) -> Effects:
            sides = (giver, player, trade.gives, lost_by), (player, giver, trade.takes, lost_to)
            since = state.isle.production
            exchange = f"{describe_items(trade.gives)} for {describe_items(trade.takes)}"
            way = f"{describe_items(lost_by)} and {describe_items(lost_to)}"
            lost = f" On the way are lost {way}." if lost_by or lost_to else ""
            pays: list[Transfer] = []  # what reaches the other side, and what is lost: to nobody
            for payer, payee, items, lost_items in sides:
                arrive = {
                    resource: amount - lost_items.get(resource, 0)
                    for resource, amount in items.items()
                }
                pays += [
                    Pay(payer, number, resource, to=payee) for resource, number in arrive.items()
                ]
                pays += [Pay(payer, number, resource) for resource, number in lost_items.items()]
            return Effects(
                Together(pays, f"offer {offer}"),
                *(Set(row, traded_in=since) for row in (trade.by, trade.to)),
                Set(trade, end=OfferEnd.ACCEPTED, ended_in=state.table.seq),
                say=f"{player} accepts offer {offer}: {giver} gives {exchange}.{lost}",
                figures={"offer": offer, "lost": {str(giver): lost_by, str(player): lost_to}},
            )

        if refusal := legality.accept_refusal(by, settler, trade.gives, trade.takes, state.charts):
            return refusal
        # Alliance takes two: a list with the other's name on one side alone saves nothing.
        if giver.name in settler.alliance and player.name in by.alliance:
            return effects_of({}, {})
        sides = (trade.by, trade.gives), (trade.to, trade.takes)
        units = {f"lost by {side}": [*Counter(items).elements()] for side, items in sides}
        return Effects(Roll(units, lambda *lost: effects_of(*({resource: 1} for resource in lost))))


@action
class CancelTrade(SettlerAction):
    """Withdraw an offer that you made, or decline one that you got."""

    name = "settlers.cancel_trade"
    title = "Withdraw or decline an offer"
    sentence = "Withdraw or decline offer {offer}"
    also_said = ("Withdraw offer {offer}", "Decline offer {offer}")
    button = "Take it off the table"

    class Form(ActionForm):
        offer = OfferField()

    def judge(self, state: State, player: Player, offer: int | None) -> Verdict:
        offers = state.offers_of(player.name)
        if not offers:
            return Refusal("no_offer", _NONE_AT_ALL, GIFT)
        if offer is None:
            return Effects()
        row = next((row for row in offers if row.number == offer), None)
        if row is None:
            return _no_such_offer(offer, "that you made or got", offers)
        is_own = row.by.player_id == player.pk
        done = f"withdraws offer {offer} to {row.to}" if is_own else ""
        end = OfferEnd.WITHDRAWN if is_own else OfferEnd.DECLINED
        return Effects(
            Set(row, end=end, ended_in=state.table.seq),
            say=f"{player} {done or f'declines offer {offer} of {row.by}'}.",
            figures={"offer": offer},
        )


@action
class SetAlliance(SettlerAction):
    """Costs nothing. If two Settlers list each other, their trades lose nothing."""

    name = "settlers.set_alliance"
    title = "Set your Alliance"
    sentence = "From now on {other} is {listed} your Alliance list"
    also_said = (
        "Put {other} on{listed:on} my Alliance list",
        "Add {other} to{listed:on} my Alliance list",
        "Take {other} off{listed:off} my Alliance list",
        "Remove {other} from{listed:off} my Alliance list",
    )

    class Form(ActionForm):
        other = AllyField()
        listed = TextChoice(ON, OFF, label="On or off")

    def judge(self, state: State, player: Player, other: str | None, listed: str | None) -> Verdict:
        settler, row = state.acting(player)
        on = None if listed is None else listed == ON
        refusal = legality.alliance_refusal(settler, other, on)
        if refusal or other is None:
            return refusal
        ally: dict[str, Any] = {"settler": row, "other": row_of(state.table, other)}
        done = f"puts {other} on" if on else f"takes {other} off"

        def remove(table: Table) -> None:
            Ally.objects.filter(**ally).delete()

        return Effects(
            Set(Ally, **ally) if on else Then(remove), say=f"{player} {done} their Alliance list."
        )


_NO_OFFER = "Nobody has an open offer for you. You may make one yourself."
_NONE_AT_ALL = "You have made no open offer and got none."


def _no_such_offer(number: int, whose: str, offers: Sequence[Offer]) -> Refusal:
    numbers = ", ".join(str(offer.number) for offer in offers) or "none"
    sentence = f"No offer {number} {whose} is open. Open ones: {numbers}."
    return Refusal("no_such_offer", sentence, GIFT)
