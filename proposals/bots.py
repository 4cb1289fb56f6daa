"""What simulated players do in an assembly."""

from nomic.engine.subgames import OFTEN, SELDOM, Habit

HABITS = {
    "proposals.submit": Habit(OFTEN),
    "proposals.vote": Habit(OFTEN),
    "proposals.comment": Habit(SELDOM),
}
