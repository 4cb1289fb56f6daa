"""The texts that proposals are played by: those in force, and the last that could be read of those
that cannot."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from nomic.kept import kept
from nomic.rulebook.charts import ChartBroken, ChartMissing, Gap
from nomic.rulebook.last_readable import Earlier, Texts, Unread, last_readable
from proposals.rules import EDITIONS

type _Known = tuple[tuple[str, str], ...]


def terms_of(edition: str, texts: Texts, *, shipped: bool = False) -> Any:
    """The terms in those texts, read once for the same texts. Raises ChartBroken."""
    return _terms(edition, tuple(texts.items()), shipped)


def as_played(
    edition: str, texts: Mapping[str, str], earlier: Earlier, *, losses: bool
) -> tuple[dict[str, str], tuple[Unread, ...]]:
    """The texts to play by, and which of them are not those in force.

    With `losses`, for games that began with the sixth readings, what an earlier version says in a
    table and the text in force does not say cannot be read either.
    """
    known = tuple(texts.items())
    is_readable = True
    try:
        with suppress(ChartMissing):  # what is missing is off
            _terms(edition, known, False)
    except ChartBroken:
        is_readable = False
    if is_readable and not (losses and _gaps(edition, known)):
        return dict(texts), ()

    def gaps_in(own: Texts) -> tuple[Gap, ...]:
        return _gaps(edition, tuple(own.items()))

    def faults_in(own: Texts) -> tuple[ChartBroken, ...]:
        return _faults(edition, tuple(own.items()))

    return last_readable(texts, faults_in, earlier, gaps_in if losses else None)


@kept(0.02)
def _terms(edition: str, known: _Known, shipped: bool) -> Any:
    return EDITIONS[edition].terms(dict(known), shipped=shipped)


@kept(0.01)
def _faults(edition: str, known: _Known) -> tuple[ChartBroken, ...]:
    found = EDITIONS[edition].faults(dict(known))
    return tuple(ChartBroken(each.rule, each.sentence) for each in found)  # without a traceback


@kept(0.01)
def _gaps(edition: str, known: _Known) -> tuple[Gap, ...]:
    return tuple(EDITIONS[edition].gaps(dict(known)))
