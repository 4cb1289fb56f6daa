"""What simulated players do on the isle: few trades and buildings that chance picks are legal."""

from nomic.engine.subgames import OFTEN, WHENEVER_OFFERED, Habit

HABITS = {
    "settlers.join": Habit(OFTEN),
    "settlers.harvest": Habit(OFTEN),
    "settlers.build": Habit(OFTEN, tries=20),
    "settlers.offer_trade": Habit(OFTEN, tries=40),
    "settlers.accept_trade": Habit(WHENEVER_OFFERED),
    "settlers.bribe": Habit(WHENEVER_OFFERED),
}
