"""Habits of simulated players in an assembly."""

from nomic.simulation.bots import OFTEN, SELDOM, Bots, Habit
from proposals.bots import practice
from proposals.bots.demonstration import Votes

BOTS = Bots(
    practice.practice,
    facts=practice.facts,
    demonstration=Votes(),
    habits={
        "proposals.submit": Habit(OFTEN),
        "proposals.vote": Habit(OFTEN),
        "proposals.comment": Habit(SELDOM),
    },
    # Submits a text, or once it is brought votes for it.
    passing=lambda body, brought: (
        ("proposals.submit", {"body": body})
        if brought is None
        else ("proposals.vote", {"proposal": brought["proposal"], "choice": "FOR"})
    ),
)
