"""Practice players at the races: how they play, and the changes of their rules that they
propose."""

from horses.bots import practice
from horses.bots.demonstration import DemonstrationRaces
from nomic.simulation.bots import Bots

BOTS = Bots(practice.practice, facts=practice.facts, demonstration=DemonstrationRaces())
