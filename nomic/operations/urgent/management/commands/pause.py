"""manage.py pause SLUG --reason WHY"""

from nomic.operations.urgent.management.commands._urgently import UrgentCommand


class Command(UrgentCommand):
    help = "Let the time of a game stand still, at once, whatever is due in it."
    act = "games.pause"
