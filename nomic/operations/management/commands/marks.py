"""`manage.py marks FILE`: the marks on paper."""

from aceofspades.rules.on_paper import marks
from nomic.operations.management.commands._common import CaseCommand


class Command(CaseCommand):
    help = (
        "Marks hands of cards, given as JSON, by the blocks of Marking Regulations, and writes"
        " their worths and what was wrong with a regulation as JSON. Needs no game and no database."
    )
    resolve = staticmethod(marks)
