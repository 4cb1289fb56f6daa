"""The dice of one locked game: commit to a seed, roll, publish the seed."""

from typing import Any

from nomic.dice.models import Master, Period, Roll
from nomic.dice.seeds import commitment, period_seed, roll, sealing_salt
from nomic.games.models import Game


class Cup:
    """The dice as the entry that is being made sees them; None where nothing may be rolled."""

    def __init__(self, game: Game, entry: int | None) -> None:
        self._game = game
        self._entry = entry
        self._sealed = False
        self._master: bytes | None = None
        self._open: dict[bool, Period] = {}

    def belong_to_sealed(self, number: int) -> None:
        """Roll all that follows for the sealed entry of that number, which is being made."""
        self._rolling()
        self._entry, self._sealed = number, True

    def choose(self, label: str, options: list[Any], *, private: bool = False) -> Any:
        """One of the options by chance, each equally likely; recorded under the label.

        ValueError where there are none; a label serves once an entry. In a private act only
        private dice are rolled: the others are there for everybody to see.
        """
        cast = Roll(
            period=self._open_period(private),
            entry=self._rolling(public=not private),
            sealed=self._sealed,
            label=label,
            options=options,
        )
        seed = period_seed(self._key(), cast.period.number, private=private)
        cast.value = roll(seed, self._game.identity, cast.place, label, len(options))
        cast.save(force_insert=True)
        return options[cast.value]

    def open_period(self, number: int = 1, *, private: bool = False) -> Period:
        """Commit to the seed of a new period."""
        seed = period_seed(self._key(), number, private=private)
        self._open[private] = Period.objects.create(
            game=self._game,
            number=number,
            private=private,
            commitment=commitment(seed),
            opened_in=self._rolling(public=True),
        )
        return self._open[private]

    def close_period(self, *, private: bool = False) -> Period:
        """Publish the open period's seed; its rolls can be verified from now on."""
        period = self._open_period(private)
        del self._open[private]
        period.seed = period_seed(self._key(), period.number, private=private).hex()
        period.closed_in = self._rolling(public=True)
        period.save(update_fields=["seed", "closed_in"])
        return period

    def salt(self, number: int) -> str:
        """The salt of the sealed entry with that number."""
        return sealing_salt(self._key(), number)

    def _rolling(self, *, public: bool = False) -> int:
        if self._entry is None:
            raise RuntimeError("These dice are there to be looked at only.")
        if public and self._sealed:
            raise RuntimeError("A private act cannot touch what everybody sees of the dice.")
        return self._entry

    def _open_period(self, private: bool) -> Period:
        if private not in self._open:
            self._open[private] = Period.objects.get(
                game=self._game, private=private, closed_in__isnull=True
            )
        return self._open[private]

    def _key(self) -> bytes:
        if self._master is None:
            self._master = bytes(Master.objects.get(game=self._game).key)
        return self._master
