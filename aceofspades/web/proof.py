"""Checking the contest after the Moment of Reckoning, from what is public then.

The hashes of all opened entries and all rolls are checked by the record and the dice themselves;
here it is whether what they say is what was played.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from aceofspades.events.opening import OPENING
from aceofspades.events.scoring import WORTHS, comparable, with_cards
from aceofspades.models import Contest, Contestant, Vote
from aceofspades.rules.marks import Question
from aceofspades.secrecy import reader
from aceofspades.state.counting import count
from aceofspades.state.reading import PURPOSE, State, state_of
from nomic.dice.models import Roll
from nomic.dice.seeds import roll
from nomic.engine.programs.sandbox import ENGINE
from nomic.engine.table import glance
from nomic.games.models import Game
from nomic.record.models import Entry, SealedEntry
from nomic.rulebook.models import RuleVersion, Visibility

VOTE = "aceofspades.vote"


@dataclass(frozen=True, slots=True)
class DrawnRegulation:
    """A secret regulation as it was drawn: its title in the library, its sealed text, its roll."""

    number: int
    title: str
    text: str
    roll: Roll | None
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Draw:
    """The entry that drew the secret regulations and named the hash of their sealed note.

    `note` and `drawn` are there once the note is open; `wrong` says what does not agree.
    """

    entry: Entry
    hash: str
    note: SealedEntry | None = None
    drawn: tuple[DrawnRegulation, ...] = ()

    @property
    def wrong(self) -> str:
        return next((draw.wrong for draw in self.drawn if draw.wrong), "")


def proofs(game: Game) -> Iterator[tuple[str, str]]:
    """Each thing that was checked of the contest, with its fault; "" where it has none."""
    contest = Contest.objects.filter(game=game).first()
    draw = the_draw(game) if contest else None
    if contest is None or draw is None:
        return
    if contest.reckoned_in is None:
        yield (
            f"the Ace of Spades: entry {draw.entry.seq} names the hash of its secret regulations,"
            f" {draw.hash}; what is sealed of it is opened at the Moment of Reckoning",
            "",
        )
        return
    claim = (
        "the Ace of Spades: its secret regulations are those that the dice drew and a note sealed"
    )
    yield claim, "" if draw.note and not draw.wrong else draw.wrong or "their note is not open"
    votes = Vote.objects.filter(proposal__contest=contest)
    claim = f"the Ace of Spades: {votes.count()} votes are those that were sealed"
    counted = set(votes.values_list("proposal__number", "contestant__player__name", "way"))
    acts = contest.game.sealed_entries.filter(name=VOTE, opened_in__isnull=False)
    columns = acts.values_list("inputs__proposal", "actor__name", "inputs__vote")
    odd = min(counted ^ set(columns), default=None, key=str)
    wrong = f"{odd[1]}'s vote on Proposal {odd[0]} is not the one that was sealed" if odd else ""
    yield claim, wrong
    yield from _worths(game)


# The secret regulations of the beginning


def the_draw(game: Game) -> Draw | None:
    """The drawing of the secret regulations; None before it. At most four queries."""
    drawings = game.entries.filter(name=OPENING, outcome__has_key="note")
    entry = drawings.order_by("seq").first()
    if entry is None:
        return None
    named = entry.outcome["note"]
    note = SealedEntry.objects.filter(game=game, hash=named, opened_in__isnull=False).first()
    if note is None:
        return Draw(entry, named)
    opening_rolls = Roll.objects.filter(
        period__game=game, period__purpose=PURPOSE, period__seed__isnull=False, entry=entry.seq
    )
    open_rolls = opening_rolls.filter(sealed=False).select_related("period")
    rolls = {cast.label: cast for cast in open_rolls}
    # The texts with which regulations took effect in that entry, as far as they are public.
    versions = RuleVersion.objects.filter(
        rule__regulation__contest__game=game,
        rule__enacted_in=entry.seq,
        rule__visibility=Visibility.PUBLIC,
        number=1,
    )
    texts = dict(versions.values_list("rule__regulation__number", "text"))
    sealed: Mapping[str, Any] = note.outcome["regulations"]
    numbers = sorted(map(int, sealed))
    drawn = []
    options: list[Any] | None = None
    for place, number in enumerate(numbers, 1):
        cast, facts = rolls.get(f"secret regulation {place}"), sealed[str(number)]
        if texts.get(number) == facts["text"]:
            wrong = _wrong_roll(game, number, facts, cast, options)
        else:
            wrong = f"Regulation {number} is not what the note of the opening has sealed"
        drawn.append(DrawnRegulation(number, facts["title"], facts["text"], cast, wrong))
        options = [option for option in cast.among if option != cast.option] if cast else None
    return Draw(entry, named, note, tuple(drawn))


def _wrong_roll(
    game: Game, number: int, sealed: Mapping[str, str], cast: Roll | None, options: list[Any] | None
) -> str:
    """Why the roll did not draw it out of the options that the one before left; "" if it did."""
    if cast is None or cast.period.seed is None:
        return f"no roll drew Regulation {number}"
    seed = bytes.fromhex(cast.period.seed)
    came = roll(seed, cast.words(game.identity), len(cast.among))
    if options is not None and [*cast.among] != options:
        return f"Regulation {number} was not drawn from what was left"
    if came == cast.value and cast.option == sealed["title"]:
        return ""
    return f"the dice did not draw “{sealed['title']}” for Regulation {number}"


# Votes and worths


def markings(game: Game) -> list[Entry]:
    """The entries that tell what the hands were worth, in their order."""
    return list(game.entries.filter(name=WORTHS, outcome__has_key="worths").order_by("seq"))


def as_reckoned(state: State) -> Question:
    """The Question of the Reckoning's hands, by the regulations as they can be read now."""
    game, contest = state.table.game, state.contest
    reckoned = game.entries.get(seq=contest.reckoned_in or 0).outcome
    order = Contestant.objects.filter(contest=contest).order_by("turn")
    names = list(order.values_list("player__name", flat=True))
    hands = {name: reckoned["hands"][name] for name in names if name in reckoned["hands"]}
    return Question(hands, tuple(map(tuple, reckoned["alliances"])), reader.programs(state))


def _worths(game: Game) -> Iterator[tuple[str, str]]:
    """Mark the hands of the Reckoning anew: each thing checked, with its fault or "" for none."""
    question = as_reckoned(state_of(glance(game)))
    supposed: Mapping[str, Mapping[str, int]] = {}
    for entry in markings(game):
        answer = count(replace(question, hands=with_cards(question.hands, supposed)))
        prepared = entry.inputs["prepared"]
        supposed = entry.outcome.get("supposed", {})
        claim = f"the Ace of Spades: the worths of entry {entry.seq} follow from the hands"
        if answer.tripped or prepared["tripped"]:
            yield f"{claim}, as far as time was enough to mark them", ""
        elif comparable(answer.worths) == prepared["worths"]:
            yield claim, ""
        elif (engine := prepared["engine"]) != ENGINE:
            yield f"{claim} as {engine} marks them, which {ENGINE} marks otherwise", ""
        else:
            yield claim, f"the worths of entry {entry.seq} are others, marked anew"
