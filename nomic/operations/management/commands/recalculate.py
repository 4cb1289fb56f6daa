"""manage.py recalculate SLUG --strike N | --change N JSON | --insert AFTER JSON"""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.games.models import Game
from nomic.games.wording import counted
from nomic.governance.recalculation.revision import CannotRecalculate, Revision
from nomic.operations.management.commands._common import Estimate, GameCommand
from nomic.operations.recalculation.report import (
    hidden_as_sentence,
    left_out_as_sentence,
    recalculate,
)
from nomic.operations.recorded_inputs import BadRecording
from nomic.operations.scratch import holding
from nomic.operations.tasks import LOCK

_ACT = '{"name": "horses.bet", "actor": "Murphy", "inputs": {…}}'


class Command(GameCommand):
    help = "Play a game's past with one act otherwise, in a copy, and tell what would differ."
    reported = (CannotRecalculate, BadRecording)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--strike", type=int, metavar="N", help="without entry N")
        about = "with these inputs in entry N"
        which.add_argument("--change", nargs=2, metavar=("N", "JSON"), help=about)
        about = f"with one more act after entry AFTER: {_ACT}"
        which.add_argument("--insert", nargs=2, metavar=("AFTER", "JSON"), help=about)
        parser.add_argument(
            "--json", action="store_true", help="print the text that a ratification takes"
        )

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        with holding(LOCK) as is_alone:
            if not is_alone:
                raise CommandError("Another recalculation is being made. Try again after it.")
            estimate = Estimate(self.stderr.write)
            report = recalculate(game, _revision(options), estimate)
        if options["json"]:
            self.stdout.write(report.ratifiable)
            return
        lines = [f"As of entry {report.as_of}, {report.played} acts played. Report {report.hash}."]
        lines += [""]
        for step in report.steps:
            where = f"entry {step.entry}" if step.entry else "not in the record"
            lines += [f"{where} ({step.name}): {step.went}"]
            lines += [f"    was: {step.was}"] if step.was else []
            lines += [f"    now: {step.now} {step.rule}".rstrip()] if step.now else []
        lines += ["", f"{counted(len(report.differences), 'difference')}:"]
        for difference in report.differences:
            cause = f" (entry {difference.cause})" if difference.cause else ""
            lines += [
                f"{difference.part} › {difference.path}: {difference.was} → {difference.now}{cause}"
            ]
        lines += filter(
            None, [hidden_as_sentence(report.hidden), left_out_as_sentence(report.left_out)]
        )
        self.stdout.write("\n".join(lines))


def _revision(options: dict[str, Any]) -> Revision:
    if options["strike"] is not None:
        return Revision("strike", options["strike"])
    verb, (entry, text) = next(
        (verb, options[verb]) for verb in ("change", "insert") if options[verb]
    )
    try:
        number, parsed = int(entry), json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CannotRecalculate(f"--{verb} takes an entry's number and JSON: {error}") from error
    if verb == "change" and isinstance(parsed, dict):
        return Revision("change", number, parsed)
    shape = {"name": str, "actor": str | None, "inputs": dict}
    if not isinstance(parsed, dict) or parsed.keys() - shape.keys():
        raise CannotRecalculate(f"--{verb} takes a JSON object; one that is put in is {_ACT}.")
    for name, kind in shape.items():
        if name in parsed and not isinstance(parsed[name], kind):
            raise CannotRecalculate(f"“{name}” is not of its type: one that is put in is {_ACT}.")
    return Revision(
        "insert", number, parsed.get("inputs", {}), parsed.get("name", ""), parsed.get("actor")
    )
