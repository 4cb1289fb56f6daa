"""Which acts at the races are legal, and the sentence why not (Agora, Proposal 8822).

Pure; whether a player can pay is the ledger's to say.

Every function says whether one act is legal for one player, and takes None for what has not been
chosen yet: then it refuses only where no choice would do.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from horses.rules.charts import Charts
from horses.rules.race import Field, can_step
from horses.rules.titles import ACTIONS, HORSES, MOTIVATING, POWERS
from nomic.games.refusal import Refusal

ALEXIA, CANNON, DESTRUCTOR = "Alexia", "Cannon", "Destructor"
FARGO, NACHO, RUBERT, SUGAR = "Fargo", "Nacho", "Rubert", "Sugar"
FORWARD, BACK = "forward", "back"
STEP_BY = {FORWARD: 1, BACK: -1}


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's horses, gear in this race, and actions used this week and powers this month."""

    horses: frozenset[str] = frozenset()
    jerseys: frozenset[str] = frozenset()
    helmets: frozenset[str] = frozenset()
    acted: bool = False
    powers_used: frozenset[str] = frozenset()


def weekly_refusal(seat: Seat, via_alexia: bool) -> Refusal | None:
    """One weekly race action a week, and through Alexia's power one more a month."""
    if via_alexia:
        return monthly_refusal(seat, ALEXIA)
    if not seat.acted:
        return None
    second = " or take one more through Alexia's power" if ALEXIA in seat.horses else ""
    sentence = f"You have taken your race action of this week. Wait for the next week{second}."
    return Refusal("weekly_action_taken", sentence, ACTIONS)


def monthly_refusal(seat: Seat, power: str) -> Refusal | None:
    """A monthly power is its horse's owner's, once in a calendar month."""
    if power in seat.horses and power in seat.powers_used:
        sentence = f"You have used {power}'s power this month. You can use it again next month."
        return Refusal("power_used", sentence, POWERS)
    return owner_refusal(seat, power)


def owner_refusal(seat: Seat, power: str) -> Refusal | None:
    """A power applies only to the player who owns the horse."""
    if power in seat.horses:
        return None
    sentence = f"Only {power}'s owner can use its power, and you do not own {power}."
    return Refusal("not_the_owner", sentence, POWERS)


def bet_refusal(field: Field, charts: Charts, seat: Seat, horse: str | None) -> Refusal | None:
    """From a certain Race Position on, a bet needs a helmet for that horse in this race."""

    def no_bet(name: str) -> Refusal | None:
        if field[name].position < charts.helmet_from or name in seat.helmets:
            return None
        sentence = (
            f"{name} is at position {field[name].position}, and from {charts.helmet_from} on a bet "
            f"needs a helmet for the horse: get a helmet for {name} in this race first."
        )
        return Refusal("helmet_needed", sentence, ACTIONS)

    none = (
        f"Every horse is at position {charts.helmet_from} or further, where a bet needs a helmet:"
        " get a helmet first."
    )
    return _for_some(field.names, horse, no_bet, none)


def stake_refusal(charts: Charts, stake: int | None) -> Refusal | None:
    """Why no bet is of that stake, in dollaries; None if the table of bets has it."""
    if stake is None or stake in charts.bets:
        return None
    stakes = ", ".join(map(str, sorted(charts.bets)))
    return Refusal("no_such_bet", f"You can bet {stakes} dollaries, not {stake}.", ACTIONS)


def jersey_refusal(field: Field, seat: Seat, horse: str | None) -> Refusal | None:
    """Why the player cannot get that jersey: one for each horse in a race."""
    return _gear_refusal("jersey", seat.jerseys, field, horse)


def helmet_refusal(field: Field, seat: Seat, horse: str | None) -> Refusal | None:
    """Why the player cannot get that helmet: one for each horse in a race."""
    return _gear_refusal("helmet", seat.helmets, field, horse)


def _gear_refusal(
    kind: str, owned: frozenset[str], field: Field, horse: str | None
) -> Refusal | None:
    def has_it(name: str) -> Refusal | None:
        if name not in owned:
            return None
        sentence = f"You have a {kind} for {name} in this race. Choose another horse."
        return Refusal(f"{kind}_owned", sentence, ACTIONS)

    return _for_some(field.names, horse, has_it, f"You have a {kind} for every horse.")


def buy_refusal(field: Field, owners: dict[str, str], horse: str | None) -> Refusal | None:
    """Only Agora's horses are for sale. `owners` is by horse, without Agora's own."""

    def sold(name: str) -> Refusal | None:
        if name not in owners:
            return None
        sentence = f"{owners[name]} owns {name}. Only a horse that Agora owns can be bought."
        return Refusal("horse_not_for_sale", sentence, ACTIONS)

    none = "Every horse has an owner. Only a horse that Agora owns can be bought."
    return _for_some(field.names, horse, sold, none)


def nudge_refusal(
    field: Field, horse: str | None, direction: str | None, rule: str = ACTIONS
) -> Refusal | None:
    """A horse that is moved by hand has to be Running, and at least one step has to be possible."""

    def stuck(name: str) -> Refusal | None:
        if not field[name].running:
            sentence = (
                f"{name} has crossed the finish line."
                " Only a horse that is still running can be moved."
            )
            return Refusal("not_running", sentence, rule)
        ways = STEP_BY if direction is None else (direction,)
        refusals = [_no_step(field, name, way, rule) for way in ways]
        return None if None in refusals else refusals[0]

    none = "No horse can be moved: each has crossed the finish line or has no step left."
    return _for_some(field.names, horse, stuck, none)


def fargo_refusal(field: Field, seat: Seat, horse: str | None) -> Refusal | None:
    """Fargo's power gets a helmet with the bet, so it is refused where the player has one."""
    # No bet_refusal: the helmet is got first, and counts for the bet that comes with it.
    return owner_refusal(seat, FARGO) or helmet_refusal(field, seat, horse)


def nacho_refusal(
    field: Field, seat: Seat, horse: str | None, pulling_horse: str | None
) -> Refusal | None:
    """Nacho's power gets a jersey for one horse and changes the pulls of another one."""
    if refusal := owner_refusal(seat, NACHO) or jersey_refusal(field, seat, horse):
        return refusal
    if horse is not None and horse == pulling_horse:
        sentence = (
            f"Nacho's power changes the pulls of another horse than {horse}, which gets the "
            "jersey: choose two different horses."
        )
        return Refusal("same_horse", sentence, POWERS)
    return None


def rubert_refusal(field: Field, charts: Charts, seat: Seat, horse: str | None) -> Refusal | None:
    """Rubert's power is a bet; the steps of a horse at the lowest position only come with it."""
    return owner_refusal(seat, RUBERT) or bet_refusal(field, charts, seat, horse)


def sugar_refusal(field: Field, seat: Seat, horse: str | None) -> Refusal | None:
    """Sugar's power gets a helmet and moves the horse, so both have to be possible."""

    def no_use(name: str) -> Refusal | None:
        return helmet_refusal(field, seat, name) or _no_step(field, name, FORWARD, POWERS)

    none = "No horse will do: you have a helmet for it, or it cannot go forward."
    return owner_refusal(seat, SUGAR) or _for_some(field.names, horse, no_use, none)


def cannon_refusal(field: Field, seat: Seat) -> Refusal | None:
    """Once a month Cannon, if Running, moves forward."""
    return monthly_refusal(seat, CANNON) or nudge_refusal(field, CANNON, FORWARD, POWERS)


def destructor_refusal(field: Field, seat: Seat, horse: str | None) -> Refusal | None:
    """Why no horse is moved back now by Destructor's power, once a month (Horse Powers)."""
    return monthly_refusal(seat, DESTRUCTOR) or nudge_refusal(field, horse, BACK, POWERS)


def motivate_refusal(motivated_by: str | None) -> Refusal | None:
    """The horses are motivated once a week. `motivated_by` is who has done it this week."""
    if motivated_by is None:
        return None
    sentence = (
        f"{motivated_by} has motivated the horses this week. The next to do so can when the next"
        " week begins."
    )
    return Refusal("already_motivated", sentence, MOTIVATING)


def transfer_refusal(
    field: Field, seat: Seat, player: str, horse: str | None, to: str | None
) -> Refusal | None:
    """A horse's owner may give it to another player, or to Agora."""

    def not_mine(name: str) -> Refusal | None:
        if name in seat.horses:
            return None
        sentence = f"You do not own {name}. Only a horse's owner can give it away."
        return Refusal("not_the_owner", sentence, HORSES)

    if to == player:
        return Refusal("same_player", "The horse is yours already. Choose somebody else.", HORSES)
    return _for_some(field.names, horse, not_mine, "You own no horse, so you have none to give.")


def _no_step(field: Field, name: str, direction: str, rule: str) -> Refusal | None:
    if can_step(field, name, STEP_BY[direction]):
        return None
    end = "the finish" if direction == FORWARD else "the start"
    sentence = (
        f"{name} is at position {field[name].position}, {end}, and cannot go further {direction}: "
        "only a horse that has a step left can be moved."
    )
    return Refusal("no_step", sentence, rule)


def _for_some(
    names: Iterable[str], chosen: str | None, ask: Callable[[str], Refusal | None], none: str
) -> Refusal | None:
    """The refusal that `ask` gives for the chosen horse; with none chosen, one that says `none` if
    no horse would do."""
    if chosen is not None:
        return ask(chosen)
    first: Refusal | None = None
    for name in names:
        refusal = ask(name)
        if refusal is None:
            return None
        first = first or refusal
    return None if first is None else Refusal(first.code, none, first.rule)
