"""What a benchmark finds: figures, each beside what it is measured against."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number in `unit`, and the number that it is compared with, if any.

    `at_most` and `at_least` bound the ratio of the two; without either it is only told.
    """

    benchmark: str
    case: str
    unit: str
    ours: float
    against: float | None = None
    at_most: float | None = None
    at_least: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours as a multiple of the other; None where there is no other."""
        return self.ours / self.against if self.against else None

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.ratio is None or (self.at_most is None and self.at_least is None):
            return None
        return (self.at_most is None or self.ratio <= self.at_most) and (
            self.at_least is None or self.ratio >= self.at_least
        )

    @property
    def target(self) -> str:
        """The bound of the ratio in words."""
        if self.at_most is not None:
            return f"at most {self.at_most:g}"
        return f"at least {self.at_least:g}" if self.at_least is not None else ""

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {**asdict(self), "ratio": self.ratio, "met": self.met}


def table(figures: Sequence[Figure]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| benchmark | case | ours | against | unit | ratio | target | met |",
        "| --- | --- | ---: | ---: | --- | ---: | --- | --- |",
    ]
    for figure in figures:
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        met = {True: "yes", False: "**no**", None: ""}[figure.met]
        cells = (figure.benchmark, figure.case, _short(figure.ours), _short(figure.against))
        cells += (figure.unit, ratio, figure.target, met)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _short(number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.3g}"


def median(values: Sequence[float]) -> float:
    """The middle one: half the values are no larger."""
    return statistics.median(values)


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest value that is no less than so many percent of all of them."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]
