"""What practice players do at the races, and which of their rules they would change."""

from horses.bots import practice
from nomic.simulation.bots import Bots

BOTS = Bots(practice.practice)
