"""A year as a folder has it: what was proposed, how it was voted on, what became of the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

ADOPTED = "adopted"


def words(text: str) -> str:
    """A text without its lines: the Rulekeepor wraps texts anew."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class YearRule:
    """A rule as the Rulekeepor has it, or as the game does, with its key `pk` there. `power` is
    None where it has none."""

    number: str
    title: str
    power: Decimal | None
    text: str
    pk: int = 0

    def differs(self, other: "YearRule") -> list[str]:
        """In what the two differ, but for their numbers and lines: title, power, text."""
        sides = {
            "title": (self.title, other.title),
            "power": (self.power, other.power),
            "text": (words(self.text), words(other.text)),
        }
        return [name for name, (one, two) in sides.items() if one != two]


@dataclass(frozen=True, slots=True)
class YearBallot:
    """A vote as it was resolved. `strength` is None where none is told, `endorses` whom it
    followed, `condition` what was written as it was resolved."""

    voter: str
    word: str
    strength: Fraction | None
    endorses: str
    condition: str


@dataclass(frozen=True, slots=True)
class YearProposal:
    """A proposal and the votes on it. `index` is its adoption index, None where it has none, and
    `decided_by` that by which it was decided."""

    number: int
    title: str
    index: Decimal | None
    decided_by: Decimal | None
    author: str
    coauthors: Sequence[str]
    proposal_class: str
    text: str
    ballots: Sequence[YearBallot]
    outcome: str


@dataclass(frozen=True, slots=True)
class Distribution:
    """Proposals that came to the vote together, resolved in a month (“2021-04”)."""

    name: str
    resolved: str
    quorum: int
    proposals: Sequence[YearProposal]
    where: str


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A recorded change of the rules: each changed rule as it is then, and those that are gone.

    `caused_by` are the numbers of those of the year's proposals that it names.
    """

    recorded: str
    cause: str
    caused_by: Sequence[int]
    rules: Sequence[YearRule]
    gone: Sequence[str]
    where: str


@dataclass(frozen=True, slots=True)
class Year:
    """All of it. `after` is None where the folder does not tell how the rules are at its end."""

    name: str
    begins: int
    brought: Sequence[Mapping[str, object]]
    before: Mapping[str, YearRule]
    after: Mapping[str, YearRule] | None
    distributions: Sequence[Distribution]
    steps: Sequence[RecordedChange]
