"""The dice of one locked game: commit to a seed, roll, publish the seed."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from nomic.dice.master import known_master_of
from nomic.dice.models import Master, Period, Roll, as_kept, spread
from nomic.dice.seeds import commitment, period_seed, roll, sealing_salt
from nomic.games.models import Game
from nomic.infrastructure.database.compiled_queries import CompiledQuery, insert, update, write

_ROLLS = """
INSERT INTO "dice_roll"
       (game_id, period_id, entry, sealed, label, options, value, seat, count, after)
SELECT r.game, r.period, r.entry, r.sealed, r.label, r.options::jsonb, r.value, r.seat, r.count,
       r.after
  FROM unnest(%s::bigint[], %s::bigint[], %s::int[], %s::bool[], %s::text[], %s::text[], %s::int[],
              %s::int[], %s::int[], %s::text[]) WITH ORDINALITY
       AS r (game, period, entry, sealed, label, options, value, seat, count, after, turn)
 ORDER BY r.turn
"""
Choose = Callable[[str, Sequence[Any]], Any]
Rolls = Mapping[str, tuple[list[Any] | int, int]]  # options and value, by label
_MASTER_KEY = Master.objects.filter(game=OuterRef("game")).values("key")
_ROLLED = Roll.objects.filter(period=OuterRef("pk")).order_by("-count")
_NEXT = Coalesce(Subquery(_ROLLED.values("count")[:1]) + 1, 0)
_PERIODS: CompiledQuery[Any] = CompiledQuery(
    lambda: Period.objects.annotate(key=Subquery(_MASTER_KEY), next=_NEXT).filter(
        closed_in__isnull=True
    ),
    annotated=["key", "next"],
)


class DiceRoller:
    """The dice as the entry that is being made sees them; None where nothing may be rolled.

    `committed` has the commitments to dice of a purpose that the entry has to tell, by purpose;
    `made` has the rolls that were made and are not told yet. `whose` tells the seat that acts and
    the hash that its rolls come after. `known` are rolls that come to what they
    came to once, as long as their options are the same.
    """

    def __init__(
        self, game: Game, entry: int | None, whose: Callable[[], tuple[int, str]] | None = None
    ) -> None:
        self._game = game
        self._whose = whose
        self._own: tuple[int, str] | None = None
        self._counts: dict[int, int] = {}
        self.made: list[Roll] = []
        self._periods: list[dict[str, Any]] = []
        self._entry = entry
        self._sealed = False
        self._master: bytes | None = None
        self._open: dict[tuple[bool, str], Period] = {}
        self._seeds: dict[int, bytes] = {}
        self.committed: dict[str, str] = {}
        self.known: Rolls = {}

    def belong_to_sealed(self, number: int) -> None:
        """Roll all that follows for the sealed entry of that number, which is being made."""
        self._rolling()
        self._entry, self._sealed = number, True

    def choose(
        self, label: str, options: Sequence[Any], *, private: bool = False, purpose: str = ""
    ) -> Any:
        """One of the options by chance, each equally likely; recorded under the label.

        ValueError where there are none; a label serves once an entry. In a private act only
        private dice are rolled: the others are there for everybody to see. Dice of a `purpose`
        are private.
        """
        with self.several(private=private, purpose=purpose) as choose:
            return choose(label, options)

    def choose_each(self, options: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
        """One option by chance for each label, as `choose` does, in one statement."""
        with self.several() as choose:
            return {label: choose(label, choices) for label, choices in options.items()}

    @contextmanager
    def several(self, *, private: bool = False, purpose: str = "") -> Iterator[Choose]:
        """Rolls that depend on each other: `choose(label, options)`, as the method does it.

        One statement at the end of the block saves them; where the block raises, none is made.
        """
        casts: list[Roll] | None = []
        counts = self._counts.copy()

        def choose(label: str, options: Sequence[Any]) -> Any:
            if casts is None:
                raise RuntimeError("These rolls have been saved: roll within the block.")
            cast = self._cast(label, options, private=private, purpose=purpose)
            casts.append(cast)
            return cast.option

        try:
            yield choose
            self._save_all(casts or [])
        except BaseException:
            self._counts = counts
            raise
        finally:
            casts = None

    def draw_for_each(
        self,
        labels: Iterable[str],
        options: list[Any],
        count: int,
        *,
        private: bool = False,
        purpose: str = "",
    ) -> dict[str, list[Any]]:
        """For each label `count` different options by chance, in the order in which they came.

        Each is a roll of its own among the options then left, recorded as “LABEL 1” to
        “LABEL count” (at most 80 characters). One statement however many labels there are;
        ValueError where the options are too few.
        """
        if count > len(options):
            raise ValueError(f"There are {len(options)} options, and {count} are to be drawn.")
        drawn: dict[str, list[Any]] = {}
        casts: list[Roll] = []
        for label in labels:
            remaining, drawn[label] = list(options), []
            for turn in range(1, count + 1):
                cast = self._cast(f"{label} {turn}", remaining, private=private, purpose=purpose)
                casts.append(cast)
                drawn[label].append(cast.option)
                remaining = remaining[: cast.value] + remaining[cast.value + 1 :]
        self._save_all(casts)
        return drawn

    def open_period(self, number: int = 1, *, private: bool = False, purpose: str = "") -> Period:
        """Commit to the seed of a new period, which serves the entries after this one.

        The entry that is being made must tell the commitment, in its text or its figures; for
        dice of a purpose it does so by itself.
        """
        seed = period_seed(self._key(), number, private=private, purpose=purpose)
        period = Period(
            game=self._game,
            number=number,
            private=private,
            purpose=purpose,
            commitment=commitment(seed),
            opened_in=self._rolling(public=True),
        )
        self._open[private, purpose] = insert(period)
        self._tell(self._open[private, purpose], "commitment")
        if purpose:
            self.committed[purpose] = self._open[private, purpose].commitment
        return self._open[private, purpose]

    def close_period(self, *, private: bool = False, purpose: str = "") -> Period:
        """Publish the open period's seed; its rolls can be verified from now on."""
        period = self._open_period(private, purpose)
        period.seed = self._seed(period).hex()
        period.closed_in = self._rolling(public=True)
        update(period, "seed", "closed_in")
        self._tell(period, "seed")
        del self._open[private, purpose]
        return period

    def effects(self) -> list[tuple[bool, dict[str, Any]]]:
        """The effects of the entry that is being made, of what was rolled, committed to and
        published since they were last asked for, each with whether everybody may see it."""
        all_effects = [(True, effect) for effect in self._periods]
        all_effects += [(not effect.period.private, describe_roll(effect)) for effect in self.made]
        self._periods, self.made = [], []
        return all_effects

    def _tell(self, period: Period, column: str) -> None:
        self._periods.append({"period": describe_period(period), column: getattr(period, column)})

    def salt(self, book: str, number: int) -> str:
        """The salt of the sealed entry with that number in the book."""
        return sealing_salt(self._key(), book, number)

    def _rolling(self, *, public: bool = False) -> int:
        if self._entry is None:
            raise RuntimeError("These dice are there to be looked at only.")
        if public and self._sealed:
            raise RuntimeError("A private act cannot touch what everybody sees of the dice.")
        return self._entry

    def _cast(self, label: str, options: Sequence[Any], *, private: bool, purpose: str) -> Roll:
        """A roll of that label in the open period, which is yet to be saved. Raises RuntimeError
        where no entry is being made, or a private one would roll in public."""
        cast = Roll(
            period=self._open_period(private, purpose),
            entry=self._rolling(public=not private),
            sealed=self._sealed,
            label=label,
            options=as_kept(options),
        )
        # What its value follows from beside the seed.
        if self._own is None:
            assert self._whose is not None, "Only at a table dice are rolled."
            self._own = self._whose()
        cast.seat, cast.after = self._own
        rolled = self._counts.get(cast.period_id, 0)
        cast.count = getattr(cast.period, "next", 0) + rolled
        seed = self._seed(cast.period)
        options_known, value_known = self.known.get(label, (0, 0))
        if options_known and [*spread(options_known)] == [*options]:
            cast.value = value_known
        else:
            cast.value = roll(seed, cast.words(self._game.identity), len(options))
        self._counts[cast.period_id] = rolled + 1
        return cast

    def _save_all(self, casts: list[Roll]) -> None:
        """Save rolls in their order, in one statement however many they are."""
        if casts:
            rows = [
                (
                    *(cast.period.game_id, cast.period_id, cast.entry, cast.sealed, cast.label),
                    *(json.dumps(cast.options), cast.value, cast.seat, cast.count, cast.after),
                )
                for cast in casts
            ]
            write(_ROLLS, [[*column] for column in zip(*rows, strict=True)])
            self.made += casts

    def _open_period(self, private: bool, purpose: str) -> Period:
        if (private, purpose) not in self._open:
            period = _PERIODS.get(game=self._game.pk, private=private, purpose=purpose)
            period.game = self._game
            self._open[private, purpose], self._master = period, bytes(period.key)
        return self._open[private, purpose]

    def _seed(self, period: Period) -> bytes:
        if period.pk not in self._seeds:
            self._seeds[period.pk] = period_seed(
                self._key(), period.number, private=period.private, purpose=period.purpose
            )
        return self._seeds[period.pk]

    def _key(self) -> bytes:
        if self._master is None:
            self._master = known_master_of(self._game.pk, self._game.identity)
        return self._master


def describe_roll(cast: Roll) -> dict[str, Any]:
    """A roll as the effects of its entry tell it."""
    return {
        "roll": cast.label,
        "options": cast.options,
        "value": cast.value,
        "seat": cast.seat,
        "count": cast.count,
        "after": cast.after,
        "period": describe_period(cast.period),
    }


def describe_period(period: Period) -> list[Any]:
    """The name of a period among the effects of an entry."""
    return [period.purpose, period.private, period.number]
