"""The Celery tasks of practice players and the demonstration. A task carries no state."""

from functools import partial

from celery import shared_task

from nomic.simulation.demonstration.living import look_after
from nomic.simulation.practice import move_all

_task = partial(shared_task, ignore_result=True)

move_bots = _task(name="nomic.simulation.tasks.move_bots")(move_all)
look_after_demonstration = _task(name="nomic.simulation.tasks.look_after_demonstration")(look_after)
