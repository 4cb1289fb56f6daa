"""How sentences of rules were read in cases (the rule “Cases”): what stands beside them, wherever
they are shown."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse

from nomic.cases.models import Case, Reading
from nomic.cases.state import state_of
from nomic.engine.subgames import PassageNote
from nomic.engine.table import Table
from nomic.games.wording import enumerated
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.passages import words_of


@dataclass(frozen=True, slots=True)
class Precedent:
    """A sentence of a rule, known again by its `key`, that the standing judgement of a case reads.

    `ended_in` is the entry since which the rule does not say it any more. Since the entry `since`,
    and until that of `until` if it is over, it is played as `played_as` says. Of judgements that
    read it with opposite verdicts, `later` has the cases of those that came after this one,
    `earlier` of those that came before it.
    """

    case: int
    verdict: str
    rule: int
    title: str
    key: str
    passage: str
    ended_in: int | None
    later: tuple[int, ...] = ()
    earlier: tuple[int, ...] = ()
    played_as: str = ""
    since: int | None = None
    until: int | None = None
    place: int = 0

    @property
    def quoted(self) -> str:
        """Its words as a page quotes them."""
        return words_of(self.passage)

    @property
    def is_played_otherwise(self) -> bool:
        """Whether it is played as the judgement has it, and not as it reads."""
        return self.since is not None and self.until is None

    @property
    def binds(self) -> bool:
        """Whether it is how the sentence is to be read."""
        return self.ended_in is None and not self.later

    @property
    def annotation(self) -> str:
        """The words beside the sentence."""
        text = f"This sentence was read in Case {self.case} ({self.verdict})."
        if self.is_played_otherwise:
            text += f" It is played so since entry {self.since}: {self.played_as}"
        if self.ended_in is not None:
            return f"{text} It has changed since, in entry {self.ended_in}: the mark has ended."
        if self.later:
            return f"{text} {_cases(self.later)} read it the other way later, and that binds."
        if self.earlier:
            return f"{text} That is otherwise than in {_cases(self.earlier)}, and binds."
        return text


def _cases(numbers: Collection[int]) -> str:
    return enumerated([f"Case {number}" for number in numbers])


def precedents(table: Table, rules: Collection[int] | None = None) -> list[Precedent]:
    """The sentences that standing judgements read, the oldest judgement first; perhaps of the rules
    with these keys alone. One query."""
    rows = Reading.objects.filter(game=table.game, judgement__overturned_in=None)
    rows = rows if rules is None else rows.filter(rule__in=rules)
    rows = rows.select_related("judgement__case", "rule").order_by("judgement__entry", "place")
    # What is hidden by now was public as it was read, and is never hidden again.
    readings = [*rows.filter(rule__visibility="public")]
    of_sentence = defaultdict[tuple[int, str], list[Reading]](list)
    for reading in readings:
        if reading.ended_in is None:
            of_sentence[reading.rule_id, reading.key].append(reading)
    opposite = {}
    if any(len(readings_of_one) > 1 for readings_of_one in of_sentence.values()):
        verdicts = unless_broken(lambda: state_of(table).charts.verdicts, {})
        opposite = {name: verdict.opposite for name, verdict in verdicts.items()}

    def precedent(reading: Reading) -> Precedent:
        judgement = reading.judgement
        otherwise = [
            (reading_beside.judgement.entry, reading_beside.judgement.case.number)
            for reading_beside in of_sentence[reading.rule_id, reading.key]
            if reading.ended_in is None
            and reading_beside.judgement.verdict == opposite.get(judgement.verdict, "")
        ]
        return Precedent(
            judgement.case.number,
            judgement.verdict,
            reading.rule_id,
            reading.rule.title,
            reading.key,
            reading.passage,
            reading.ended_in,
            tuple(number for entry, number in otherwise if entry > judgement.entry),
            tuple(number for entry, number in otherwise if entry < judgement.entry),
            reading.played_as,
            reading.since,
            reading.until,
            reading.place,
        )

    return [precedent(reading) for reading in readings]


def read_in(table: Table, case: Case) -> list[Precedent]:
    """The sentences that the standing judgement of the case reads."""
    rules = Reading.objects.filter(judgement__case=case).values_list("rule", flat=True)
    keys = set(rules)
    of_all = precedents(table, keys) if keys else []
    return [precedent for precedent in of_all if precedent.case == case.number]


def notes_on(table: Table, rules: Collection[int] | None) -> list[PassageNote]:
    """What stands beside the sentences that standing judgements read, or have read before they
    changed."""
    return [
        PassageNote(
            precedent.rule,
            precedent.key,
            precedent.passage,
            f"Case {precedent.case}",
            precedent.annotation,
            reverse("case", args=[table.game.slug, precedent.case]),
            precedent.ended_in is not None,
        )
        for precedent in precedents(table, rules)
    ]
