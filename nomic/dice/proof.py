"""Checking chance after the fact, with the master secret that only the operator has."""

from collections.abc import Iterator
from dataclasses import dataclass

from nomic.dice.master import master_of
from nomic.dice.models import Period, Roll
from nomic.dice.seeds import commitment, period_seed, roll
from nomic.games.models import Game
from nomic.infrastructure.database.compiled_queries import CompiledQuery

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


def check_all(game: Game) -> Iterator[PeriodProof]:
    """Check every period, the open ones and the private ones too, with the master secret."""
    master = master_of(game)
    for period in _PERIODS.all(game=game):
        seed = period_seed(master, period.number, private=period.private, purpose=period.purpose)
        rolls, wrong = 0, ""
        if commitment(seed) != period.commitment:
            wrong = "the seed does not match its commitment"
        elif period.seed not in (None, seed.hex()):
            wrong = "the published seed is not the one that served"
        for cast in _ROLLS.all(period=period) if not wrong else ():
            rolls += 1
            face = roll(seed, cast.words(game.identity), len(cast.among))
            if face != cast.value:
                wrong = (
                    f"the roll “{cast.label}” of {cast.whose} is recorded as {cast.value},"
                    f" and the formula gives {face}"
                )
                break
        yield PeriodProof(period, rolls, wrong)
