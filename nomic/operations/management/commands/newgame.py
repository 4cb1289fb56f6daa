"""manage.py newgame SLUG --preset NAME [--pace …] [--players N] [--start MOMENT] [--offices …]
[--host USERNAME] [--law NAME]
[--rules PATH [--field OURS=THEIRS …] [--heading LINE=KIND …] [--dry-run]]"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import CommandError

from nomic.games.models import AfterOutage, Pace
from nomic.games.powers import Offices, Voters
from nomic.games.presets import PRESETS
from nomic.governance.absence import MOST_DAYS
from nomic.operations.management.commands._common import SiteCommand, moment_of
from nomic.operations.moving_in import bring_beginnings, read_beginnings
from nomic.operations.setup import FAST_RATE, FASTEST, BadSetup, new_game, seat_practice_players
from nomic.rulebook.formats.reading import read
from nomic.rulebook.formats.values import FIELDS, HEADING_KINDS, FileChoices

MOST_PLAYERS = 1000
_AS_ASKED = (
    *("pace", "title", "rate", "after_outage", "offices", "voters", "law", "proposals_from"),
    "silent_days",
)


class Command(SiteCommand):
    help = "Start a game; where the slug is taken, that game is left as it is."
    reported = (BadSetup,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        presets = "; ".join(f"{preset.name}: {preset.about}" for preset in PRESETS.values())
        parser.add_argument("slug", help="the game's place in URLs: a–z, 0–9 and -")
        parser.add_argument("--preset", required=True, help=presets)
        parser.add_argument("--pace", default=Pace.REAL, choices=Pace.values)
        parser.add_argument("--players", type=int, default=0, help="seat player1 … playerN")
        parser.add_argument("--start", help="the game moment at which it begins (now)")
        parser.add_argument("--title", default="", help="the preset's title, if left out")
        parser.add_argument(
            "--rate", type=int, default=FAST_RATE, help="game seconds a second of a fast game"
        )
        parser.add_argument(
            "--after-outage", default=AfterOutage.REPLAY, choices=AfterOutage.values
        )
        parser.add_argument(
            "--offices",
            default="",
            choices=Offices.values,
            help="how offices are filled (by support; open at the fast and manual paces)",
        )
        voter_kinds = "; ".join(f"{voters.value}: {voters.label}" for voters in Voters)
        parser.add_argument(
            "--voters",
            default=Voters.EVERYBODY,
            choices=Voters.values,
            help=f"who votes. {voter_kinds}",
        )
        parser.add_argument(
            "--silent-days",
            type=int,
            choices=range(1, MOST_DAYS + 1),
            metavar="DAYS",
            help="after how many silent days of the game somebody is away (never)",
        )
        parser.add_argument(
            "--host", default="", help="the user who appoints to offices, with --offices host"
        )

        parser.add_argument(
            "--law", default="", help="of the preset's voting laws (nomic), the first if left out"
        )
        parser.add_argument(
            "--rules",
            type=Path,
            help="rules of a nomic that lived elsewhere: docs/moving-in.md",
        )
        parser.add_argument(
            "--beginnings", type=Path, help="players, offices, balances and proposals from before"
        )
        parser.add_argument(
            "--field",
            action="append",
            default=[],
            metavar="OURS=THEIRS",
            help=f"which field of the files of --rules is our {', '.join(FIELDS)}",
        )
        parser.add_argument(
            "--heading",
            action="append",
            default=[],
            metavar=f"LINE={'|'.join(HEADING_KINDS)}",
            help="what the heading in that line of --rules is; FILE:LINE in a folder",
        )
        parser.add_argument(
            "--proposals-from", type=int, help="the number of the first proposal, where one went on"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="print what of --rules is understood, as JSON"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rules: Path | None = options["rules"]
        try:
            choices = _choices(options["field"], options["heading"], rules)
            brought = read(rules, choices=choices) if rules else None
        except OSError as error:
            raise CommandError(f"{rules} cannot be read: {error.strerror}.") from None
        if options["dry_run"]:
            if brought is None:
                raise CommandError(
                    "--dry-run tells what is understood of --rules PATH: give that too."
                )
            understood = brought.facts() | brought.remarks()
            self.stdout.write(json.dumps(understood, ensure_ascii=False, indent=1))
            if brought.faults:
                raise CommandError("Not everything was understood: nothing would come in.")
            return
        if not 0 <= options["players"] <= MOST_PLAYERS:
            raise CommandError(f"--players takes 0 to {MOST_PLAYERS}.")
        if not 1 <= options["rate"] <= FASTEST:
            raise CommandError(f"--rate takes 1 to {FASTEST:,}.")
        host = get_user_model().objects.filter(username=options["host"]).first()
        if options["host"] and host is None:
            raise CommandError(f"There is no user “{options['host']}”.")
        path = options["beginnings"]
        beginnings = read_beginnings(path) if path else []
        start = moment_of(options["start"]) if options["start"] else None
        asked = {name: options[name] for name in _AS_ASKED}
        game, is_new = new_game(
            options["slug"], options["preset"], start=start, host=host, brought=brought, **asked
        )
        if is_new:
            bring_beginnings(game, beginnings)
            seat_practice_players(game.slug, options["players"])
            self.stdout.write(f"The game “{game.title}” has begun at /g/{game.slug}/.")
        else:
            self.stdout.write(f"The game “{game.title}” is there already, at /g/{game.slug}/.")


def _choices(fields: list[str], headings: list[str], rules: Path | None) -> FileChoices:
    """What is said of the rules; raises CommandError."""
    if rules is None:
        if fields or headings:
            raise CommandError(
                "--field and --heading say something of --rules PATH: give that too."
            )
        return FileChoices()
    names = {}
    for option in fields:
        ours, _, theirs = option.partition("=")
        if ours not in FIELDS or not theirs:
            raise CommandError(
                f"--field {option}: write OURS=THEIRS, and for OURS one of {', '.join(FIELDS)}."
            )
        names[ours] = theirs
    kinds = {}
    for option in headings:
        place, _, kind = option.rpartition("=")  # a file's name may have one as well
        if kind not in HEADING_KINDS or not place:
            raise CommandError(
                f"--heading {option}: write LINE=KIND, and for KIND one of"
                f" {', '.join(HEADING_KINDS)}."
            )
        kinds[place if ":" in place else f"{rules.name}:{place}"] = kind
    return FileChoices(kinds, names)
