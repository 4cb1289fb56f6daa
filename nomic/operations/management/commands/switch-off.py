"""manage.py switch-off SLUG RULE --reason WHY"""

from argparse import ArgumentParser
from typing import Any

from nomic.governance.hosting.program_switches import SWITCH_OFF
from nomic.operations.management.commands._common import UrgentCommand


class Command(UrgentCommand):
    help = "Let nothing of a rule's program run any more, at once, whatever is due in the game."
    act = SWITCH_OFF

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("rule", help="the rule's title")

    def inputs(self, options: dict[str, Any]) -> dict[str, Any]:
        return {"rule": options["rule"], "reason": options["reason"]}
