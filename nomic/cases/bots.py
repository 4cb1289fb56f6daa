"""How simulated and practice players dispute: they judge what they are to judge, and the
demonstration leaves a case open."""

from collections.abc import Iterator
from random import Random

from nomic.cases.state import is_on, state_of
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.simulation.bots import Act, Bots, Demonstration, take_first

_CASES = (1, 2, 3, 4)
_GAIN = [{"rule": "Weekly Race Actions", "passage": "| By announcement | 4 |"}]
_BETS = (
    "From a certain Race Position on, a horse takes a bet only from a player who has got a helmet"
    " for it since the race last started anew; anybody else CANNOT bet on it."
)
_RULE = "Weekly Race Actions"
_EARLIER = {
    "statement": "A helmet that somebody got in an earlier race still lets them bet on its horse.",
    "arguments": "They have the helmet still, and a helmet is a helmet.",
    "evidence": [{"rule": _RULE, "passage": _BETS}],
}
_EARLIER_REASONS = (
    "The rule counts helmets *since the race last started anew*. One of an earlier race was got"
    " before that, so it lets nobody bet."
)
_OPEN = {
    "statement": "Who bets on a horse before it is near the finish needs no helmet for it later.",
    "arguments": "The rule speaks of *taking* a bet. One that was taken is taken.",
    "evidence": [{"rule": _RULE, "passage": _BETS}, {"cases": "1"}],
}


def practice(table: Table, player: Player, chance: Random) -> Iterator[Act]:
    """A verdict with short reasons in each case that is theirs to judge."""
    state = state_of(table)
    if not is_on(table):
        return
    for case in state.open.filter(judge=player):
        texts = case.texts.count()
        heard = "what was argued" if texts else "the statement alone, since nobody has argued"
        reasons = f"I have read the rules and {heard}. A practice player knows no better."
        verdict = chance.choice([*state.charts.verdicts][:2])
        yield "cases.judge", {"case": case.number, "verdict": verdict, "reasons": reasons}


class Disputes(Demonstration):
    """Somebody calls a case, which is judged; of a second one a practice player has to judge."""

    def play(self, player: Player, week: int, chance: Random) -> None:
        if week == 1 and player.name == "Murphy":
            take(player.game.slug, player, "cases.call", _EARLIER)
        elif week > 1:
            take_first(player, _verdicts)

    def leave_open(self, game: Game) -> None:
        """The officer takes the office for as long as it takes to assign it to one of them."""
        seats = {seat.name: seat for seat in game.players.select_related("holder")}
        judge = next(seat for seat in seats.values() if seat.bot)
        officer, office = seats["snail"], {"office": "Arbitor"}
        take(game.slug, officer, "games.take_office", office)
        called = take(game.slug, seats["Jason"], "cases.call", _OPEN).entry
        assigned = {"case": called.outcome["case"], "judge": judge.name}
        take(game.slug, officer, "cases.assign", assigned)
        take(game.slug, officer, "games.resign_office", office)


def _verdicts(table: Table, player: Player) -> Iterator[Act]:
    """A verdict in the case that the player judges."""
    for case in state_of(table).open.filter(judge=player):
        judgement = {"case": case.number, "verdict": "FALSE", "reasons": _EARLIER_REASONS}
        yield "cases.judge", {**judgement, "passages": [{"rule": _RULE, "passage": _BETS}]}


BOTS = Bots(
    practice,
    demonstration=Disputes(),
    worth_trying={
        "cases.call": {
            "statement": ("Horses run.", "Case 1 is judged FALSE.", "Nobody owes anything."),
            "arguments": ("", "They *run*."),
            "evidence": ([], [{"entry": "1"}, {"rule": "Cases"}]),
        },
        "cases.assign": {"case": _CASES},
        "cases.recuse": {"case": _CASES},
        "cases.judge": {
            "case": _CASES,
            "reasons": ("It says so.",),
            "passages": ([], [{"rule": "Cases", "passage": "A judgement changes no rule."}], _GAIN),
        },
        "cases.argue": {
            "case": _CASES,
            "arguments": ("It does *not*.",),
            "evidence": ([], [{"documents": "1"}]),
        },
        "cases.file": {"case": _CASES},
        "cases.attach": {"case": _CASES, "entry": (40, 80, 160)},
        "cases.play_as": {
            "case": _CASES,
            **{name: (words,) for name, words in _GAIN[0].items()},
            "words": ("| By announcement | 5 |", "| By announcement | 3 |"),
            **dict.fromkeys(("decision", "value", "where"), ("",)),
        },
    },
)
