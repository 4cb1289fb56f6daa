"""Practice players at the races: how they play, and the changes of their rules that they
propose."""

from horses.bots import practice
from nomic.simulation.bots import Bots

BOTS = Bots(practice.practice)
