"""`manage.py changes FILE`: read what proposals change, and change rules, on paper."""

from nomic.operations.management.commands._common import CaseCommand
from nomic.rulebook.changes.on_paper import changes


class Command(CaseCommand):
    help = (
        "Reads what proposals ask to be changed, and writes a line of JSON for each: of lines"
        ' {"id", "body"} in JSON, or of the text of one proposal. Where a line has "rules", also'
        " what becomes of them, by the code by which a closing vote changes a game's. Needs no game"
        " and no database."
    )
    resolve = staticmethod(changes)
