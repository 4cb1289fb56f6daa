"""The common base of commands: of the site, of one game, of cases on paper."""

import signal
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection

from nomic.engine.outcomes import Busy, Malformed, Refused
from nomic.engine.take import take
from nomic.games.clock import read_moment
from nomic.games.models import Game
from nomic.games.on_paper import WrongOnPaper, read_cases
from nomic.operations.replay import Departure
from nomic.quotas import disk

_MOST_TOLD = 40
_SAID_EACH = 10  # seconds


class SiteCommand(BaseCommand):
    """A command of this site, without Django's checks: they load every page.

    `manage.py check` and `migrate` make them, in CI and in `make play`. Where one of
    the `reported` errors is raised, its sentence is the command's error.
    """

    requires_system_checks = ()
    reported: tuple[type[Exception], ...] = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Told to end, it takes away what it has begun, as where it is interrupted."""
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            with disk.exempt():  # what the operator writes is nobody's share
                return super().execute(*args, **options)
        except self.reported as error:
            raise CommandError(str(error)) from error
        except OperationalError as error:
            if connection.in_atomic_block or connection.connection is not None:
                raise
            first = (str(error).strip() or "no answer").splitlines()[0]
            raise CommandError(f"The database cannot be reached: {first}.") from None


class GameCommand(SiteCommand):
    """A command of one game, whose slug comes first."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        self.of_game(game_of(slug), options)

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        """Run the command for that game."""
        raise NotImplementedError


class UrgentCommand(GameCommand):
    """The operator's act of that name, which needs a reason and no catching up."""

    reported = (Refused, Malformed, Busy)
    act: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--reason", required=True, help="which the record keeps")

    def of_game(self, game: Game, options: dict[str, Any]) -> None:
        receipt = take(game.slug, None, self.act, self.inputs(options))
        self.stdout.write(f"{receipt.entry.text} (entry {receipt.entry.seq})")

    def inputs(self, options: dict[str, Any]) -> dict[str, Any]:
        """The act's inputs."""
        return {"reason": options["reason"]}


def game_of(slug: str) -> Game:
    """The game of that slug, or the command's error with the slugs that there are."""
    try:
        return Game.objects.get(slug=slug, scratch=False)
    except Game.DoesNotExist:
        slugs = ", ".join(Game.objects.filter(scratch=False).values_list("slug", flat=True))
        raise CommandError(f"There is no game “{slug}”. Known: {slugs or 'none'}.") from None


def departure_lines(departures: Sequence[Departure]) -> Iterator[str]:
    """How many things a replay found to come out otherwise today, and the first of them, a line
    each."""
    if departures:
        things = f"{len(departures)} thing{'s' if len(departures) > 1 else ''}"
        yield (
            f"{things} would come out otherwise today; what was done then is taken from the record:"
        )
    yield from map(str, departures[:_MOST_TOLD])


def moment_of(text: str) -> datetime:
    """A moment as ISO 8601, in UTC unless it says otherwise; a date alone is its midnight."""
    try:
        return read_moment(text)
    except ValueError as error:
        raise CommandError(str(error)) from error


class Estimate:
    """Told how far something is, it says so now and then, and how long the rest may take."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._begun = self._said = monotonic()

    def __call__(self, played: int, of: int) -> None:
        now = monotonic()
        if now - self._said < _SAID_EACH or played >= of:
            return
        self._said = now
        remaining = timedelta(seconds=round((now - self._begun) * (of - played) / played))
        self._say(f"{played:,} of {of:,} are played, and the rest may take {remaining} …")


class CaseCommand(SiteCommand):
    """A command that resolves cases on paper: a file or standard input, and JSON for an answer."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        about = "A JSON file with one case or a list of cases; - for standard input"
        parser.add_argument("file", nargs="?", default="", help=about)

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            if not file:
                raise WrongOnPaper("FILE: it is missing; name a file, or - for standard input.")
            self.stdout.write(self.resolved(file, options))
        except WrongOnPaper as wrong:
            raise CommandError(str(wrong), returncode=2) from None

    def resolved(self, file: str, options: dict[str, Any]) -> str:
        """The results of the cases in that file; raises WrongOnPaper."""
        return self.resolve(read_cases(file))

    @staticmethod
    def resolve(source: str) -> str:
        """The results, as JSON, of the case or list of cases in `source`; raises WrongOnPaper."""
        raise NotImplementedError
