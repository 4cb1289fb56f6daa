"""manage.py close SLUG --reason WHY"""

from nomic.operations.urgent.management.commands._urgently import UrgentCommand


class Command(UrgentCommand):
    help = "Close a game for good, at once, whatever is due in it."
    act = "games.close"
