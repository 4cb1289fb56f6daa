"""Tries of simulated players on the isle: few trades and buildings that chance picks are legal."""

from nomic.simulation.bots import OFTEN, WHENEVER_OFFERED, Bots, Habit
from settlers.bots import practice
from settlers.bots.demonstration import DemonstrationIsle
from settlers.rulebook import protection_money

BOTS = Bots(
    practice.practice,
    demonstration=DemonstrationIsle(),
    habits={
        "settlers.join": Habit(OFTEN),
        "settlers.harvest": Habit(OFTEN),
        "settlers.build": Habit(OFTEN, tries=20),
        "settlers.offer_trade": Habit(OFTEN, tries=40),
        "settlers.accept_trade": Habit(WHENEVER_OFFERED),
        "settlers.bribe": Habit(WHENEVER_OFFERED),
    },
    bills=(protection_money(),),
)
