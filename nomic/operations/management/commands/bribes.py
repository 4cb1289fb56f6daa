"""`manage.py bribes FILE`: the Thug's steps on paper."""

from nomic.operations.management.commands._common import CaseCommand
from settlers.rules.on_paper import bribes


class Command(CaseCommand):
    help = (
        "Reckons the Bribes that Settlers pay the Thug, given as JSON, by the shipped rule text,"
        " and writes their values, what is paid, what is left and the Targets as JSON. Needs no"
        " game and no database."
    )
    resolve = staticmethod(bribes)
