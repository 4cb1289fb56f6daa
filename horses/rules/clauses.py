"""The sentences of the seven rules that say their numbers, in the source's words and in ours.

Each stands for a cell of the tables in `charts.py`.
"""

from horses.rules.titles import ACTIONS, HORSES, MOTIVATING, MULTIPLIER, POWERS, RUN, VICTORY
from nomic.rulebook.clauses import Clause

_DOLLARIES = "{n} (dollary|dollaries)"
_BY_PAYING = "by paying {n} (hoof|hooves)"


def _power(horse: str, column: str, wording: str, cell: str = "{n}") -> Clause:
    words = f"{horse.casefold()}s power: {wording}".strip()
    return Clause(POWERS, "POWER", horse, column, (words,), cell)


def _prize(place: str) -> Clause:
    said = (
        f"race place of {place.casefold()} gains {_DOLLARIES}",
        f"{place.casefold()} horse gains {_DOLLARIES}",
    )
    return Clause(VICTORY, "PLACE", place, "DOLLARIES", said)


CLAUSES = (
    Clause(
        HORSES,
        "TRACK",
        "Start",
        "POSITION",
        ("integers from {n} (default)", "race position is set to {n}"),
    ),
    Clause(HORSES, "TRACK", "Finish", "POSITION", ("integers from … (default) to {n}",)),
    Clause(
        HORSES,
        "WHEN THE RACE STARTS ANEW",
        "Each player receives",
        "DOLLARIES",
        (f"each player receives {_DOLLARIES}", f"each player is given {_DOLLARIES}"),
    ),
    Clause(
        RUN,
        "WHEN THE HORSES RUN",
        "Each player gains",
        "HOOVES",
        ("(each|every) player gains {n} (hoof|hooves)",),
    ),
    Clause(
        RUN,
        "FINISH LINE",
        "Crossed from",
        "POSITION",
        (
            "race position of {n} and a race place of none",
            "running horse that stands at position {n}",
        ),
    ),
    *map(_prize, ("First", "Second", "Third")),
    Clause(
        VICTORY,
        "REWARD",
        "Jersey and helmet for one horse",
        "DOLLARIES",
        (f"both a jersey and a helmet … gains {_DOLLARIES}", f"a jersey … gains {_DOLLARIES}"),
    ),
    Clause(
        VICTORY,
        "REWARD",
        "Most dollaries",
        "POINTS",
        ("the most dollaries is increased by {n}", "eir score raised by {n}"),
    ),
    Clause(
        MULTIPLIER,
        "STRETCH",
        "Home stretch",
        "FROM POSITION",
        ("race position is {n} or (more|a later one)", "race position is less than {n}"),
    ),
    Clause(
        ACTIONS,
        "BET",
        "{n}",
        "FEE",
        ("bet {n*} dollaries … by paying a fee of {m*} dollaries",),
        "{m}",
    ),
    Clause(ACTIONS, "ACTION", "Get a jersey", "FEE", (f"get a jersey … {_BY_PAYING}",)),
    Clause(ACTIONS, "ACTION", "Get a helmet", "FEE", (f"get a helmet … {_BY_PAYING}",)),
    Clause(
        ACTIONS,
        "ACTION",
        "Nudge a horse",
        "FEE",
        (f"increase or decrease … race position … {_BY_PAYING}", f"nudge … {_BY_PAYING}"),
    ),
    Clause(
        ACTIONS,
        "ACTION",
        "Nudge a horse",
        "STEPS",
        ("increase or decrease … race position by 1, {n} times", "nudge … {n} (step|steps)"),
    ),
    Clause(
        ACTIONS, "GAIN", "By announcement", "DOLLARIES", (f"gain {_DOLLARIES} by announcement",)
    ),
    Clause(
        ACTIONS,
        "BETS NEED A HELMET",
        "Every horse",
        "FROM POSITION",
        ("race position of {n} or higher", "from race position {n} on"),
    ),
    Clause(
        MOTIVATING,
        "DISTANCE",
        "{n}",
        "STEPS",
        ("random number choice of {n*}", "one of the distances {n*}"),
    ),
    Clause(
        MOTIVATING,
        "MOVER",
        "Each pull of the galloper",
        "STEPS",
        (
            "pulls have their race position increased by {n}",
            "pulls go forward {n} (step|steps)",
        ),
    ),
    _power("Alexia", "FEE", "", "–"),
    _power("Baxter", "DOLLARIES", f"… gains {_DOLLARIES}"),
    _power("Cannon", "STEPS", "… race position by {n} by announcement"),
    _power("Destructor", "STEPS", "… race position by 1, {n} times"),
    _power("Fargo", "DOLLARIES", "… bet {n} dollaries"),
    _power("Fargo", "FEE", f"… {_BY_PAYING}"),
    _power("Nacho", "FEE", f"… {_BY_PAYING}"),
    _power("Rubert", "STEPS", "… race position by 1, {n} times"),
    _power("Sugar", "STEPS", "… of a specified horse by {n}, by paying"),
    _power("Sugar", "FEE", f"… {_BY_PAYING}"),
)
