"""The best bets of a season."""

from collections.abc import Iterator

from horses.models import Race
from horses.rules.titles import as_dollaries
from nomic.games.models import Game
from nomic.web.panels import Highlight, Season

_MOST = 3
_OF_A_BET = " times the bets on "  # of horses/rules/payouts.py, as records have it
_MOST_RACES = 200  # the newest of a season whose payouts are read


def best_bets(game: Game, season: Season) -> Iterator[Highlight]:
    """The best payouts for bets on one horse in the races that ended in the season; two queries."""
    ended = Race.objects.filter(game=game, ended_in__range=(season.first, season.last))
    newest = ended.order_by("-number").values_list("ended_in", "number")[:_MOST_RACES]
    races = {seq: number for seq, number in newest if seq}
    entries = game.entries.filter(seq__in=races).values_list("seq", "outcome__payouts")
    paid = [
        (payout["amount"], -seq, payout)
        for seq, payouts in entries
        for payout in payouts or ()
        if _OF_A_BET in payout["reason"]
    ]
    for amount, seq, payout in sorted(paid, key=lambda each: each[:2], reverse=True)[:_MOST]:
        said = f"{payout['player']} won {as_dollaries(amount)} in race {races[-seq]}"
        yield Highlight(f"{said}: {payout['reason']}.", -seq)
