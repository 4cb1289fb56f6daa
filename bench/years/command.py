"""The command line of `python -m bench.years FOLDER [--slug NAME] [--json]`."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.years.playing import Played, play_year
from bench.years.reading import BadYear, read_year
from nomic.operations.management.commands._common import Estimate, SiteCommand
from nomic.operations.setup import BadSetup


class Command(SiteCommand):
    help = (
        "Plays a year of a nomic that lived elsewhere in a new game, by its own ballots: a folder"
        " with distributions.jsonl, rules-before.json and steps.jsonl, as docs/moving-in.md has"
        " them. Its last line is what came of it, as JSON."
    )
    reported = (BadSetup, BadYear)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--slug", default="", help="of the new game (agora-FOLDER)")
        parser.add_argument("--json", action="store_true", help="print nothing but the last line")

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        year = read_year(folder)
        slug = options["slug"] or f"agora-{year.name.casefold()}"
        say = (lambda line: None) if options["json"] else self.stderr.write
        played = play_year(year, slug, Estimate(say))
        if not options["json"]:
            for line in told(played, slug):
                self.stdout.write(line)
        self.stdout.write(json.dumps(asdict(played), ensure_ascii=False))


def told(played: Played, slug: str) -> list[str]:
    """The results of a year, a line each."""
    changes = played.by_itself + played.by_hand + len(played.misread)
    return [
        f"The game is at /g/{slug}/, with {played.entries:,} entries.",
        f"Outcomes as recorded: {played.outcomes_right} of {played.proposals}.",
        *(f"  Proposal {n}: {why}" for n, why in sorted(played.outcomes_otherwise.items())),
        f"Changes by themselves: {played.by_itself} of {changes}; by hand: {played.by_hand};"
        f" otherwise than recorded: {len(played.misread)}.",
        *(f"  Proposal {each.proposal}, Rule {each.rule}: {each.why}" for each in played.misread),
        f"Rules as at the year's end: {played.rules_right}"
        + (f"; otherwise: {', '.join(played.rules_wrong)}." if played.rules_wrong else "."),
    ]
