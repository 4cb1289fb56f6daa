"""What an act at the races brings and costs, said before it is done.

Pure: every number is the charts', which raise ChartBroken where one cannot be read.
"""

from horses.rules.charts import Charts
from horses.rules.race import FIRST, SECOND, THIRD
from nomic.games.wording import counted, listed

_PLACES = (FIRST, SECOND, THIRD)


def dollaries(number: int) -> str:
    """That many dollaries."""
    return counted(number, "dollary", "dollaries")


def hooves(number: int) -> str:
    """That many hooves."""
    return counted(number, "hoof", "hooves")


def steps(number: int) -> str:
    """That many steps."""
    return counted(number, "step")


def any_of(numbers: list[int]) -> str:
    """These numbers as a choice: “1, 2 or 3”."""
    return listed([*map(str, numbers)], "or")


def of_a_bet(charts: Charts, horse: str | None, stake: int | None) -> str:
    """A bet's fee, and what it pays at each place, of what is chosen."""
    fee = "" if stake is None else f"Costs {dollaries(charts.bets[stake])}. "
    if horse is None:
        return f"{fee}When the race ends a bet pays its dollaries times the horse's odds (below)."
    odds, bet = charts.odds_of(horse), 1 if stake is None else stake
    first, second, third = (bet * each for each in (odds.first, odds.second, odds.third))
    each = "" if stake else "for each dollary "
    return (
        f"{fee}When the race ends it pays {each}{first} if {horse} is first, {second} if second, "
        f"{third} if third. Without a place it pays {bet * odds.near} from position "
        f"{charts.home_stretch} on, and {bet * odds.far or 'nothing'} before it."
    )


def of_a_jersey(charts: Charts, horse: str | None, added: str | None) -> str:
    """A jersey's fee, the pull that comes with it, and the outfit."""
    return (
        f"Costs {hooves(charts.jersey_fee)}. {of_a_pull(charts, horse, added)} "
        f"{of_an_outfit(charts)}"
    )


def of_a_pull(charts: Charts, horse: str | None, added: str | None) -> str:
    """What an added pull does."""
    far = steps(charts.pull_steps)
    return f"{added or 'The added horse'} goes {far} whenever {horse or 'the other'} gallops."


def of_a_helmet(charts: Charts, horse: str | None) -> str:
    """A helmet's fee, the bets that it allows, and the outfit."""
    which = horse or "the horse"
    return (
        f"Costs {hooves(charts.helmet_fee)}. You can bet on {which} from position "
        f"{charts.helmet_from} on, too. {of_an_outfit(charts)}"
    )


def of_an_outfit(charts: Charts) -> str:
    """What jersey and helmet pay together."""
    paid = dollaries(charts.victory.outfit)
    return f"Jersey and helmet for the same horse pay you {paid} when the race ends."


def of_buying(charts: Charts, horse: str | None) -> str:
    """A horse's cost, its power, and its prizes."""
    if horse is None:
        costs = sorted(set(charts.costs.values()))
        cost = any_of(costs) if len(costs) < 2 else f"{costs[0]} to {costs[-1]}"
        return f"Costs {cost} dollaries. You get the horse's power, and {prizes(charts)}."
    power = of_the_power(charts, horse)
    cost = dollaries(charts.cost(horse))
    return f"Costs {cost}. {horse}'s power: {power} You also get {prizes(charts)}."


def prizes(charts: Charts) -> str:
    """What a horse's owner gets for its place."""
    paid = any_of([charts.victory.prizes[place] for place in _PLACES])
    return f"{paid} dollaries if it comes first, second or third"


def of_a_nudge(charts: Charts, horse: str | None, direction: str | None) -> str:
    """A nudge's fee and steps."""
    which, way = horse or "The horse", direction or "forward or back"
    return f"Costs {hooves(charts.nudge_fee)}. {which} goes {steps(charts.nudge_steps)} {way}."


def of_gaining(charts: Charts) -> str:
    """What is gained by announcement."""
    return f"You gain {dollaries(charts.gain)}."


def of_motivating(charts: Charts) -> str:
    """What motivating does, and that it is not the week's action."""
    far = any_of(list(charts.distances))
    return (
        "Costs nothing, and is not your race action. The dice choose which horse will gallop and "
        f"how far: {far} steps. The horses run when the next week begins."
    )


def of_fargos_power(charts: Charts, horse: str | None) -> str:
    """A helmet and a bet for one fee."""
    power, which = charts.power("Fargo"), horse or "the horse"
    bet = f"You get a helmet for {which} and a bet of {dollaries(power.dollaries)} on it."
    pays = f" {of_a_bet(charts, horse, None)}" if horse else ""
    return f"Costs {hooves(power.fee)} and nothing more. {bet}{pays}"


def of_nachos_power(charts: Charts, horse: str | None, added: str | None) -> str:
    """A jersey, and a pull for another horse."""
    fee = hooves(charts.power("Nacho").fee)
    return f"Costs {fee}. {of_a_pull(charts, horse, added)} {of_an_outfit(charts)}"


def of_ruberts_power(charts: Charts, horse: str | None, stake: int | None) -> str:
    """A bet, and steps for a horse at the back."""
    far = steps(charts.power("Rubert").steps)
    which = horse or "the horse"
    return f"{of_a_bet(charts, horse, stake)} If no horse is behind {which}, it goes {far} forward."


def of_sugars_power(charts: Charts, horse: str | None) -> str:
    """A helmet and steps for one fee."""
    power, which = charts.power("Sugar"), horse or "the horse"
    far = steps(power.steps)
    return f"Costs {hooves(power.fee)}. You get a helmet for {which}, which goes {far} forward."


_POWERS = {
    "Alexia": "Once a month, the owner may take a second race action in a week.",
    "Baxter": "The owner gains {dollaries} for each step that Baxter gallops.",
    "Cannon": "Once a month, the owner may move Cannon {steps} forward.",
    "Destructor": "Once a month, the owner may move a horse that is still running {steps} back.",
    "Fargo": "Race action: for {fee}, the owner gets a helmet for a horse and a bet of {dollaries}"
    " on it.",
    "Nacho": "Race action: for {fee}, the owner gets a jersey for a horse and adds a pull to"
    " another horse.",
    "Rubert": "Race action: the owner bets on a horse; if no horse is behind it, it goes {steps}"
    " forward.",
    "Sugar": "Race action: for {fee}, the owner gets a helmet for a horse, which goes {steps}"
    " forward.",
}


def of_the_power(charts: Charts, horse: str) -> str:
    """What a horse's power does for its owner; ChartMissing where no rule in force says it."""
    power, told = charts.power(horse), _POWERS.get(horse, "The rules tell what it does.")
    far, fee = steps(power.steps), hooves(power.fee)
    return told.format(steps=far, fee=fee, dollaries=dollaries(power.dollaries))
