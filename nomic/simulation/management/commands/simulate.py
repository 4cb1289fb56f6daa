"""manage.py simulate --preset NAME --weeks N --players N --seed S"""

from argparse import ArgumentParser
from time import perf_counter
from typing import Any

from django.core.management.base import CommandError

from nomic.engine.outcomes import Refused
from nomic.operations.management.commands._common import SiteCommand
from nomic.operations.replay import replay
from nomic.operations.setup import BadSetup
from nomic.simulation.simulate import Simulation, SimulationFailed


class Command(SiteCommand):
    help = (
        "Play a new game at random, legally and illegally, auditing it after each week and "
        "replaying it at the end; exits 1 on the first thing that is wrong, naming it. The same "
        "options play the same game."
    )
    told = (BadSetup, SimulationFailed, Refused)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--preset", default="agora-races")
        parser.add_argument("--weeks", type=int, default=20)
        parser.add_argument("--players", type=int, default=12)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--slug", help="the game's slug (simulation-SEED, if left out)")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["slug"] or f"simulation-{options['seed']}"
        started = perf_counter()
        simulation = Simulation(
            slug, options["preset"], players=options["players"], seed=options["seed"]
        )
        tally = simulation.play(options["weeks"])
        played = perf_counter() - started
        agreed, difference = replay(simulation.game)
        if difference:
            raise CommandError(f"{agreed} entries agree in the replay. {difference}")
        self.stdout.write(
            f"{tally.weeks} weeks, each audited: {tally.moves} moves and {tally.events} events "
            f"in {played:.1f} s."
        )
        self.stdout.write(
            f"{tally.taken.total()} were taken, {tally.refused.total()} refused, "
            f"{tally.malformed} malformed, {tally.unknown} unknown, {tally.repeated} sent again."
        )
        for title, counted in [("taken", tally.taken), ("refused", tally.refused)]:
            if counted:
                listed = ", ".join(f"{name} {count}" for name, count in counted.most_common())
                self.stdout.write(f"  {title}: {listed}")
        again = perf_counter() - started - played
        self.stdout.write(f"{agreed} entries agree with their replay ({again:.1f} s).")
