"""The worths of hands at the Moment of Reckoning, and who is a Finalist and becomes Semigenius
(118–121, 999).

The counting runs before the entry, without the game's lock. What it found, and by which engine,
stands in the entry's inputs, so that a replay depends neither on how fast a machine is nor on it.

Regulation 999 bears on the Reckoning alone: what is told before of an alliance's worth is told
without it. Each marking anew is an entry of its own, since its cards are dealt in the one before.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aceofspades.events import moves
from aceofspades.models import Contest, Contestant
from aceofspades.rules import contest
from aceofspades.rules.charts import Tie
from aceofspades.rules.marks import Hands, Number, as_compared
from aceofspades.secrecy import reader
from aceofspades.state.counting import count
from aceofspades.state.reading import State, drop_state, state_of
from nomic.engine.events import appointment
from nomic.engine.models import CountedIn
from nomic.engine.outcomes import Outcome
from nomic.engine.programs.sandbox import ENGINE
from nomic.engine.table import Table
from nomic.games.wording import enumerated, first_of
from nomic.record.models import ANCHOR

NEXT_FINALIST = "aceofspades.next_finalist"
WORTHS = "aceofspades.worths"
R120, R121 = "Regulation 120", "Regulation 121"
FIRST = 30  # at one moment, before decisions and reports
_MOST_NAMED = 12
TITLE = "Semigenius"


# Semigenius (Regulation 121)


@appointment(NEXT_FINALIST, title="A Finalist becomes Semigenius", priority=40, rule=R121)
def a_finalist_becomes_semigenius(table: Table, subject: str) -> Outcome:
    """One of the Finalists who have not been chosen yet, all of them being equally likely.

    Raises TableBroken.
    """
    state = state_of(table)
    if not state.is_on:
        return Outcome(f"The contest is not played any more: nobody becomes {TITLE}.")
    if state.charts.next_finalist_after is None:
        return Outcome(f"No regulation in force awards the title of {TITLE}.")
    last = next(reversed(state.semigenius), None)
    # “No Player has won the Game” (121) asks for wins since the last one was chosen, not for any.
    if last is not None and table.game.wins.filter(entry__gt=last.semigenius_in).exists():
        since = f"The game has been won since {last} became {TITLE}"
        return Outcome(f"{since}: no other Finalist becomes it.")
    candidates = waiting_finalists(state)
    if not candidates:
        return Outcome(f"Every Finalist is {TITLE} already.")
    name = table.dice.choose(TITLE, [candidate.player.name for candidate in candidates])
    chosen = next(candidate for candidate in candidates if candidate.player.name == name)
    Contestant.objects.filter(pk=chosen.pk).update(semigenius_in=table.seq, semigenius_at=table.now)
    expect_another(table, len(candidates) - 1)
    figures = {"semigenius": name, "among": [candidate.player.name for candidate in candidates]}
    whom = "a Finalist"
    if len(candidates) > 1:
        whom = f"chosen by the dice among {len(candidates)} Finalists"
    text = (
        f"Notice of SemiGeniosity: {chosen}, {whom} of the Ace of Spades, is hereby awarded the"
        f" Patent Title {TITLE}."
    )
    return Outcome(text, figures)


def expect_another(table: Table, remaining: int) -> None:
    """Appoint the choice of the next Finalist, if any is left; real hours, as the regulation
    counts them. Raises TableBroken."""
    wait = state_of(table).charts.next_finalist_after
    if remaining and wait is not None:
        table.appointments.make(NEXT_FINALIST, table.now + wait, counted_in=CountedIn.HOURS)


def waiting_finalists(state: State) -> list[Contestant]:
    """The Finalists who have not become Semigenius, in the order of their first joining."""
    finalists = [contestant for contestant in state.everybody if contestant.finalist]
    return [finalist for finalist in finalists if finalist.semigenius_in is None]


# The worths


def count_worths(table: Table, subject: str) -> dict[str, Any]:
    """The worths of all hands by the marking regulations, with the cards that the last entry of
    worths supposed; and their errors by number, for everybody to read. Nothing where no marking is
    due."""
    state = state_of(table)
    if not _is_due(state):
        return {}
    question = reader.everybodys_worth(state)
    supposed = last_marking(state).get("supposed", {})
    answer = count(replace(question, hands=with_cards(question.hands, supposed)))
    return {
        "worths": comparable(answer.worths),
        "errors": {str(number): error for number, error in sorted(answer.errors.items())},
        "tripped": list(answer.tripped),
        "engine": ENGINE,
    }


def may_differ(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Why hands that are marked again may have other worths than an entry tells."""
    engine = then["engine"]
    late = [str(number) for number in (*then["tripped"], *now["tripped"])]
    if any(not then["errors"].get(str(number)) for number in then["tripped"]):
        return ""
    if engine != ENGINE:
        same = all(then[name] == now[name] for name in ("worths", "errors"))
        how = "which gives the same" if same else "which marks them otherwise"
        return f"the hands were marked by {engine[:60]} then, and are by {ENGINE} now, {how}."
    if late:
        return f"time was not enough, then or now, for Regulation {enumerated(sorted({*late}))}."
    return ""


@appointment(
    WORTHS,
    title="The hands are marked",
    priority=FIRST,
    rule=R120,
    prepare=count_worths,
    compare=may_differ,
)
def the_hands_are_marked(table: Table, subject: str) -> Outcome:
    """The worth of every hand. Where the highest one is shared, the hands that share it are marked
    anew with more cards; else those that have it are the Finalists."""
    state = state_of(table)
    if not _is_due(state):
        return Outcome("The contest is not played any more: no hand is marked.")
    last = last_marking(state)
    names = [contestant.player.name for contestant in state.contestants]
    counted, marked = table.prepared["worths"], last.get("tied", names)
    worths = {name: (counted if name in marked else last["worths"])[name] for name in names}
    anew = [*last.get("anew", []), *last.get("tied", [])]
    Contest.objects.filter(pk=state.contest.pk).update(worths_in=table.seq)
    for contestant in state.contestants:
        contestant.worth = float(worths[contestant.player.name])
    Contestant.objects.bulk_update(state.contestants, ["worth"])
    drop_state(table)
    # Open the anchor of the Moment of Reckoning, which ties what was opened in it to its entry.
    reckoned = state.contest.reckoned_in
    assert reckoned is not None, "No hand is marked before the Moment of Reckoning."
    table.open_sealed(table.game.sealed_entries.filter(name=ANCHOR, after=reckoned - 1))
    figures = {"worths": worths, "errors": table.prepared["errors"], "anew": anew}
    tie, tied = state.charts.tie, contest.tied(worths)
    if tie is not None and tied and not set(tied) & set(anew):
        # Counted, since a moment has one appointment of each kind and subject, and this is kept.
        table.appointments.make(WORTHS, table.now, str(int(subject or 1) + 1))
        return _suppose(table, tie, tied, figures)
    return _conclude(table, figures)


def comparable(worths: Mapping[str, float]) -> dict[str, float]:
    """The worths as the Reckoning compares them."""
    return {name: as_compared(worth) for name, worth in worths.items()}


def with_cards(hands: Hands, extra: Hands) -> dict[str, dict[str, int]]:
    """The hands, as if those of some contestants had these cards as well."""
    return {
        name: {**hand, **{suit: hand.get(suit, 0) + n for suit, n in extra.get(name, {}).items()}}
        for name, hand in hands.items()
    }


# A tie (Regulation 999)


def _suppose(table: Table, tie: Tie, tied: tuple[str, ...], figures: Mapping[str, Any]) -> Outcome:
    """Deal cards to the hands of a tie from a Deck that is none: nothing moves."""
    state = state_of(table)
    with table.dice.several() as choose:
        dealt = moves.deal(state, tied, tie.cards, choose)
    supposed = {name: dealt.hand_of(name) for name in tied}
    shown = list(supposed.items())[:_MOST_NAMED]
    cards = [f"{name} {contest.describe_cards(hand)}" for name, hand in shown]
    rest = [f"and {len(supposed) - len(shown)} more"] if len(supposed) > len(shown) else []
    text = (
        f"{_describe(figures)} {_listed(tied)} share the highest worth: by Regulation"
        f" {tie.number} their hands are marked anew as if they had been dealt more cards:"
        f" {'; '.join([*cards, *rest])}."
    )
    return Outcome(text, {**figures, "tied": list(tied), "supposed": supposed})


def _conclude(table: Table, figures: Mapping[str, Any]) -> Outcome:
    worths = figures["worths"]
    names = contest.finalists(worths)
    rows = state_of(table).contest.contestants.filter(player__name__in=names)
    rows.update(finalist=True)
    drop_state(table)
    figures = {**figures, "finalists": list(names)}
    if not names:
        nobody = "No hand is worth more than zero: there is no Finalist."
        return Outcome(f"{_describe(figures)} {nobody}", figures)
    table.appointments.make(NEXT_FINALIST, table.now)
    verb = "is a Finalist" if len(names) == 1 else "are Finalists"
    highest = marks(worths[names[0]])
    return Outcome(f"{_describe(figures)} With {highest}, {_listed(names)} {verb}.", figures)


def _is_due(state: State) -> bool:
    return state.is_on and state.is_reckoned


def last_marking(state: State) -> dict[str, Any]:
    """The outcome of the last entry of worths: worths by name, errors by number; nothing before the
    first."""
    entries = state.table.game.entries.filter(seq=state.contest.worths_in or 0)
    return entries.values_list("outcome", flat=True).first() or {}


# In words


def marks(worth: Number) -> str:
    """“1 Mark”, “12.5 Marks”."""
    number = int(worth) if worth == int(worth) else worth
    return f"{number} Mark{'' if number == 1 else 's'}".replace("-", "−")


def _describe(figures: Mapping[str, Any]) -> str:
    """The highest worths, with how many more there are, and what could not be worked out."""
    worths: Mapping[str, Number] = figures["worths"]
    best = sorted(worths, key=lambda name: -worths[name])
    if not best:
        return "There is no hand to be marked."
    errors = [f" Regulation {number}: {error}" for number, error in figures["errors"].items()]
    ranked = first_of([f"{name} {marks(worths[name])}" for name in best], _MOST_NAMED)
    return f"The hands are marked: {ranked}.{''.join(errors[:_MOST_NAMED])}"


def _listed(names: tuple[str, ...]) -> str:
    rest = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return enumerated([*names[:_MOST_NAMED], *rest])
