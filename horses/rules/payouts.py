"""Who is paid what when a race ends (Horse Victory). Pure; nobody's dollaries are touched here."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from horses.rules.charts import Victory
from horses.rules.race import FIRST, PLACE_NAMES, SECOND, THIRD, Field

DOLLARY = "dollary"
HOOF = "hoof"
POINTS = "points"
FOR_PLACE, FOR_OUTFIT, FOR_BET, FOR_GALLOP, FOR_MOST = "place", "outfit", "bet", "gallop", "most"


@dataclass(frozen=True, slots=True)
class Payout:
    """An amount of an asset that a player gains, and why: `of` is what it is for, FOR_PLACE or
    another, as programs read it; `reason` says it to people."""

    player: str
    asset: str
    amount: int
    reason: str
    of: str


@dataclass(frozen=True, slots=True)
class Holdings:
    """The horses, outfits and bets of the game's players as the race ends; who has left is in none.

    `owners` is by horse, without the horses that Agora owns; `outfits` are the players and horses
    with both jersey and helmet; `bets` are the dollaries bet in this race, by player and horse.
    """

    owners: Mapping[str, str]
    outfits: Collection[tuple[str, str]]
    bets: Mapping[tuple[str, str], int]


def payouts(
    field: Field, multipliers: Mapping[str, int], victory: Victory, books: Holdings
) -> tuple[Payout, ...]:
    """The dollaries that are paid at the end of a race, in the order of the rule.

    Owners by place; then, by horse and by player, outfits; then, by horse and by player, bets.
    `multipliers` are the horses' current ones, by name. Nothing is listed where it is 0.
    """
    paid = []
    placed = {horse.place: name for name, horse in field.horses.items() if horse.place is not None}
    for place in (FIRST, SECOND, THIRD):
        owner = books.owners.get(placed.get(place, ""))
        if owner is not None:
            reason = reason_of_place(placed[place], place)
            paid.append(Payout(owner, DOLLARY, victory.prizes[place], reason, FOR_PLACE))
    for player, horse in sorted(books.outfits, key=lambda outfit: (outfit[1], outfit[0])):
        if horse in field.horses:
            reason = f"jersey and helmet for {horse}"
            paid.append(Payout(player, DOLLARY, victory.outfit, reason, FOR_OUTFIT))
    bets = sorted(books.bets.items(), key=lambda bet: (bet[0][1], bet[0][0]))
    for (player, horse), stake in bets:
        if horse in field.horses:
            reason = f"{multipliers[horse]} times the bets on {horse}"
            paid.append(Payout(player, DOLLARY, multipliers[horse] * stake, reason, FOR_BET))
    return tuple(payout for payout in paid if payout.amount)


def reason_of_place(horse: str, place: int) -> str:
    """The reason for which the owner of the horse in that place is paid."""
    return f"{horse} came {PLACE_NAMES[place]}"


def victor(dollaries: Mapping[str, int]) -> str | None:
    """The one player who has the most dollaries; None on a tie. It names every player."""
    highest = max(dollaries.values(), default=0)
    richest = [player for player, held in dollaries.items() if held == highest]
    return richest[0] if len(richest) == 1 else None
