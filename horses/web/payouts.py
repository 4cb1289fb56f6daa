"""What the end of a race paid: the best bets of a season, and the letter to who reads of it."""

from collections.abc import Iterator

from django.contrib.auth.models import User

from horses.models import Race
from horses.rules.payouts import DOLLARY, FOR_BET, POINTS
from horses.rules.titles import as_dollaries
from nomic.engine.outcomes import NoticeKind
from nomic.games.models import Game
from nomic.games.wording import counted
from nomic.notices.models import Notice
from nomic.web.panels import Highlight, Season

_MOST = 3
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
        if payout["of"] == FOR_BET
    ]
    for amount, seq, payout in sorted(paid, key=lambda row: row[:2], reverse=True)[:_MOST]:
        headline = f"{payout['player']} won {as_dollaries(amount)} in race {races[-seq]}"
        yield Highlight(f"{headline}: {payout['reason']}.", -seq)


def payouts_of(user: User, notice: Notice) -> str:
    """For what the user was paid when that race ended; "" for any other notice."""
    if notice.kind != NoticeKind.RESULT:
        return ""
    entry = notice.game.entries.filter(seq=notice.entry or 0, outcome__race_ended=True).first()
    seat = notice.game.players.filter(user=user).first()
    if entry is None or seat is None:
        return ""
    payouts = [
        payout for payout in entry.outcome.get("payouts", ()) if payout["player"] == seat.name
    ]
    if not payouts:
        return "You got nothing this time. The next race has begun."
    lines = ["What you got:"]
    for payout in payouts:
        amount, asset = payout["amount"], payout["asset"]
        named = {DOLLARY: as_dollaries(amount), POINTS: counted(amount, "point")}
        lines.append(f"- {named.get(asset, f'{amount} {asset}')}: {payout['reason']}")
    return "\n".join(lines)
