"""manage.py close SLUG --reason WHY"""

from nomic.operations.management.commands._common import UrgentCommand


class Command(UrgentCommand):
    help = "Close a game for good, at once, whatever is due in it."
    act = "games.close"
