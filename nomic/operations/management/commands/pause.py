"""manage.py pause SLUG --reason WHY"""

from nomic.operations.management.commands._common import UrgentCommand


class Command(UrgentCommand):
    help = "Let the time of a game stand still, at once, whatever is due in it."
    act = "games.pause"
