"""The Celery tasks of practice players and the demonstration. A task carries no state."""

from celery import shared_task

from nomic.simulation.demonstration.demonstration import look_after
from nomic.simulation.practice import move_all

_HERE = "nomic.simulation.tasks"

move_bots = shared_task(name=f"{_HERE}.move_bots")(move_all)
look_after_demonstration = shared_task(name=f"{_HERE}.look_after_demonstration")(look_after)
