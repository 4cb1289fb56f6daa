"""`manage.py race FILE`: resolve runs of a race on paper."""

from horses.rules.on_paper import race
from nomic.operations.management.commands._common import CaseCommand


class Command(CaseCommand):
    help = (
        "Resolves the weekly runs of a horse race given as JSON, by the shipped rule texts, and "
        "writes the moves, the crossings and the final positions as JSON. Needs no game and no "
        "database."
    )
    resolve = staticmethod(race)
