"""Trade and alliances (The Gift of the Isle)."""

from collections.abc import Sequence

from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import OFFERS_OF_SETTLER
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from settlers.actions.fields import OFF, ON, AllyField, ItemsField, OfferField, SettlerField
from settlers.actions.settlers import SettlerAction
from settlers.models import Ally, Offer, OfferEnd
from settlers.models import Settler as Row
from settlers.rules import legality
from settlers.rules.isle import Items, Settler, describe_items
from settlers.rules.titles import GIFT
from settlers.state.reading import State, alliance_of, forget, row_of, state_of

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

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        refusal = legality.offer_refusal(
            own, data.get("to"), data.get("give"), data.get("take"), state.charts
        )
        if refusal or "to" not in data:
            return refusal
        sides = (own.name, data["to"])
        mine = state.offers_of(own.name)
        standing = next((o for o in mine if (o.by.player.name, o.to.player.name) == sides), None)
        if standing is None:
            own_offers = sum(offer.by.player.name == own.name for offer in mine)
            return OFFERS_OF_SETTLER.refusal(state.table.game, own_offers + 1, GIFT)
        sentence = (
            f"Your offer {standing.number} to {data['to']} stands still. Withdraw it before you"
            " make them another."
        )
        return Refusal("offer_stands", sentence, GIFT)

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        number = state_of(table).last_offer + 1
        to = row_of(table, data["to"])
        Offer.objects.create(
            game=table.game,
            number=number,
            by=state_of(table).own(player),
            to=to,
            gives=data["give"],
            takes=data["take"],
            entry=table.seq,
        )
        forget(table)
        text = (
            f"{player} offers {data['to']} {describe_items(data['give'])} for"
            f" {describe_items(data['take'])} (offer {number})."
        )
        return Outcome(text, {"offer": number})


@action
class AcceptTrade(SettlerAction):
    """Both sides change hands at once; each side then loses one item by chance, unless you two are
    allied."""

    name = "settlers.accept_trade"
    title = "Accept a trade"
    sentence = "Accept offer {offer}"

    class Form(ActionForm):
        offer = OfferField(got_only=True)

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        offer = _found(state, player.name, data.get("offer"))
        if offer is not None:
            state.read(Row.objects.filter(pk__in=(offer.by_id, offer.to_id)))
        return super().why_not(state, player, data)

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        got = state.offers_got(own.name)
        if "offer" not in data:
            return None if got else Refusal("no_offer", _NO_OFFER, GIFT)
        offer = _found(state, own.name, data["offer"])
        if offer is None or offer not in got:
            return _no_such_offer(data["offer"], "that you got", got)
        by = state.settler(offer.by.player)
        if by is None:
            sentence = f"{offer.by.player} is not a Settler at present, and cannot trade."
            return Refusal("no_settler", sentence, GIFT)
        return legality.accept_refusal(by, own, offer.gives, offer.takes, state.charts)

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        state = state_of(table)
        offer = _found(state, player.name, data["offer"])
        assert offer is not None
        by, to = offer.by.player, player
        allied = is_allied(state, by, to)
        lost_by, lost_to = ({}, {}) if allied else _lost(table, offer)
        why = f"offer {offer.number}"
        table.ledger.move_several(
            [*_carried(by, to, offer.gives, lost_by), *_carried(to, by, offer.takes, lost_to)], why
        )
        _end(table, offer, OfferEnd.ACCEPTED)
        Row.objects.filter(pk__in=[offer.by.pk, offer.to.pk]).update(
            traded_in=state.isle.production
        )
        forget(table)
        text = (
            f"{player} accepts offer {offer.number}: {by} gives {describe_items(offer.gives)} for"
            f" {describe_items(offer.takes)}."
        )
        if not allied:
            text += f" On the way are lost {describe_items(lost_by)} and {describe_items(lost_to)}."
        return Outcome(text, {"offer": offer.number, "lost": {str(by): lost_by, str(to): lost_to}})


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

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        mine = state.offers_of(own.name)
        if not mine:
            return Refusal("no_offer", _NONE_AT_ALL, GIFT)
        if "offer" in data and _found(state, own.name, data["offer"]) is None:
            return _no_such_offer(data["offer"], "that you made or got", mine)
        return None

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        offer = _found(state_of(table), player.name, data["offer"])
        assert offer is not None
        is_own = offer.by.player_id == player.pk
        _end(table, offer, OfferEnd.WITHDRAWN if is_own else OfferEnd.DECLINED)
        forget(table)
        text = (
            f"{player} withdraws offer {offer.number} to {offer.to}."
            if is_own
            else f"{player} declines offer {offer.number} of {offer.by}."
        )
        return Outcome(text, {"offer": offer.number})


@action
class SetAlliance(SettlerAction):
    """Costs nothing. If two Settlers list each other, their trades lose nothing."""

    name = "settlers.set_alliance"
    title = "Set your Alliance"
    sentence = "Let {other} be {listed} your Alliance list"
    also_said = (
        "Put {other} on{listed:on} my Alliance list",
        "Add {other} to{listed:on} my Alliance list",
        "Take {other} off{listed:off} my Alliance list",
        "Remove {other} from{listed:off} my Alliance list",
    )

    class Form(ActionForm):
        other = AllyField()
        listed = TextChoice(ON, OFF, label="On or off")

    def settler_refusal(self, state: State, own: Settler, data: Inputs) -> Refusal | None:
        listed = data.get("listed")
        return legality.alliance_refusal(
            own, data.get("other"), None if listed is None else listed == ON
        )

    def perform(self, table: Table, player: Player, data: Inputs) -> str:
        own, other = state_of(table).own(player), row_of(table, data["other"])
        if data["listed"] == ON:
            Ally.objects.create(settler=own, other=other)
            text = f"{player} puts {data['other']} on their Alliance list."
        else:
            Ally.objects.filter(settler=own, other=other).delete()
            text = f"{player} takes {data['other']} off their Alliance list."
        forget(table)
        return text


_NO_OFFER = "Nobody has an open offer for you. You may make one yourself."
_NONE_AT_ALL = "You have made no open offer and got none."


def is_allied(state: State, one: Player, other: Player) -> bool:
    """Whether each of the two has the other on their Alliance list."""
    mine, theirs = alliance_of(state.own(one)), alliance_of(state.own(other))
    return other.name in mine and one.name in theirs


def _found(state: State, name: str, number: int | None) -> Offer | None:
    """The open offer of that number that they made or got."""
    return next((offer for offer in state.offers_of(name) if offer.number == number), None)


def _no_such_offer(number: int, whose: str, mine: Sequence[Offer]) -> Refusal:
    listed = ", ".join(str(offer.number) for offer in mine) or "none"
    sentence = f"No offer {number} {whose} is open. Open ones: {listed}."
    return Refusal("no_such_offer", sentence, GIFT)


def _end(table: Table, offer: Offer, end: OfferEnd) -> None:
    offer.end, offer.ended_in = end, table.seq
    offer.save(update_fields=["end", "ended_in"])


def _lost(table: Table, offer: Offer) -> tuple[Items, Items]:
    """One item of each side by chance, each item of it as likely as any other."""
    units = {
        f"lost by {side}": [each for each, amount in items.items() for _ in range(amount)]
        for side, items in ((offer.by, offer.gives), (offer.to, offer.takes))
    }
    of_giver, of_taker = table.dice.choose_each(units).values()
    return {of_giver: 1}, {of_taker: 1}


def _carried(
    giver: Player, receiver: Player, items: Items, lost: Items
) -> list[tuple[Player, Player | None, int, str]]:
    """What reaches the other side, and what is lost: that goes to nobody."""
    arrives = [
        (giver, receiver, amount - lost.get(resource, 0), resource)
        for resource, amount in items.items()
    ]
    return [*arrives, *((giver, None, amount, resource) for resource, amount in lost.items())]
