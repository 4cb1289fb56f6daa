"""manage.py simulate --preset NAME --weeks N --players N --seed S"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from nomic.engine.outcomes import Refused
from nomic.operations.management.commands._common import SiteCommand
from nomic.operations.setup import BadSetup


class Command(SiteCommand):
    help = (
        "Play a new game at random, legally and illegally, auditing it after each week and "
        "replaying it at the end; exits 1 on the first thing that is wrong, naming it. The same "
        "options play the same game. It needs a checkout, with its bench/."
    )
    reported = (BadSetup, Refused)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--preset", default="agora-races")
        parser.add_argument("--weeks", type=int, default=20)
        parser.add_argument("--players", type=int, default=12)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--slug", help="the game's slug (simulation-SEED, if left out)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            from bench import simulate  # an image of the site has none of the tools beside it
        except ModuleNotFoundError:
            raise CommandError("Games are simulated from a checkout: there is no bench/.") from None
        slug = options["slug"] or f"simulation-{options['seed']}"
        try:
            simulation = simulate.Simulation(
                slug, options["preset"], players=options["players"], seed=options["seed"]
            )
            for line in simulate.summary_of(simulation, options["weeks"]):
                self.stdout.write(line)
        except simulate.SimulationFailed as failed:
            raise CommandError(str(failed)) from failed
