"""In which order a year is played: when a distribution is due, and which proposal closes first."""

from collections.abc import Iterator, Sequence

from bench.years.values import ADOPTED, Distribution, RecordedChange, Year, YearProposal

type Due = Distribution | RecordedChange


def in_order(year: Year) -> Iterator[Due]:
    """Distributions and steps as they are due: a distribution before the first step that names one
    of its proposals, one without steps in its month."""
    waiting = list(year.distributions)
    decided_in: dict[int, str] = {}  # by proposal, where it was decided for good
    adopted: set[int] = set()
    for one in waiting:
        for proposal in one.proposals:
            if proposal.number not in adopted:
                decided_in[proposal.number] = one.name
            if proposal.outcome == ADOPTED:
                adopted.add(proposal.number)
    named = {number for step in year.steps for number in step.caused_by}
    without = [
        one
        for one in waiting
        if not any(decided_in[p.number] == one.name and p.number in named for p in one.proposals)
    ]
    for step in year.steps:
        wanted = {decided_in[number] for number in step.caused_by}
        due = [
            each
            for each in waiting
            if each.name in wanted or (each in without and each.resolved < step.recorded[:7])
        ]
        for each in due:
            # What was decided before and is decided again in it comes first.
            numbers = {proposal.number for proposal in each.proposals}
            for other in waiting[: waiting.index(each)]:
                if numbers & {proposal.number for proposal in other.proposals}:
                    waiting.remove(other)
                    yield other
            waiting.remove(each)
            yield each
        yield step
    yield from waiting


def closing_order(one: Distribution, steps: Sequence[RecordedChange]) -> list[YearProposal]:
    """Its proposals as they close: in the order of their numbers, but for those that steps name, in
    the order of these."""
    first: dict[int, int] = {}
    for place, step in enumerate(steps):
        for number in step.caused_by:
            first.setdefault(number, place)
    by_number = sorted(one.proposals, key=lambda each: each.number)
    in_steps = [each for each in by_number if each.number in first]
    named = iter(sorted(in_steps, key=lambda each: first[each.number]))
    return [next(named) if each.number in first else each for each in by_number]
