"""Checking chance after the fact: what anybody can check, and what only the operator can."""

from collections.abc import Iterator
from dataclasses import dataclass

from nomic.compiled import CompiledQuery
from nomic.dice.master import master_of
from nomic.dice.models import Period, Roll
from nomic.dice.seeds import commitment, period_seed, roll
from nomic.games.models import Game

_PERIODS = CompiledQuery(lambda: Period.objects.order_by("private", "purpose", "number"))
_ROLLS = CompiledQuery(lambda: Roll.objects.order_by("pk"))


@dataclass(frozen=True, slots=True)
class PeriodProof:
    """The result of checking one period: how many `rolls` were checked; `wrong` is empty where all
    is as committed."""

    period: Period
    rolls: int
    wrong: str = ""

    @property
    def is_published(self) -> bool:
        return self.period.seed is not None

    def __str__(self) -> str:
        name = self.period.name
        if self.wrong:
            return f"{name}: {self.wrong}"
        if not self.is_published:
            return (
                f"{name}: its seed is not published yet; committed to as {self.period.commitment}"
            )
        noun = "roll" if self.rolls == 1 else "rolls"
        return f"{name}: the seed matches its commitment, and {self.rolls} {noun} its formula"


def check_published(game: Game) -> Iterator[PeriodProof]:
    """Check every published period of the game from public facts alone, in order."""
    for period in _PERIODS.all(game=game):
        seed = bytes.fromhex(period.seed) if period.seed else None
        yield _check(game, period, seed)


def check_all(game: Game) -> Iterator[PeriodProof]:
    """Check every period, the open ones and the private ones too, with the master secret."""
    master = master_of(game)
    for period in _PERIODS.all(game=game):
        seed = period_seed(master, period.number, private=period.private, purpose=period.purpose)
        yield _check(game, period, seed)


def _check(game: Game, period: Period, seed: bytes | None) -> PeriodProof:
    if seed is None:
        return PeriodProof(period, 0)
    if commitment(seed) != period.commitment:
        return PeriodProof(period, 0, "the seed does not match its commitment")
    if period.seed not in (None, seed.hex()):
        return PeriodProof(period, 0, "the published seed is not the one that served")
    count = 0
    for cast in _ROLLS.all(period=period):
        count += 1
        value = roll(seed, cast.words(game.identity), len(cast.among))
        if value != cast.value:
            wrong = (
                f"the roll “{cast.label}” of {cast.whose} is recorded as {cast.value},"
                f" and the formula gives {value}"
            )
            return PeriodProof(period, count, wrong)
    return PeriodProof(period, count)
