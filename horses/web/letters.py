"""The letter on a race's end: the payouts of its reader."""

from django.contrib.auth.models import User

from horses.rules.payouts import DOLLARY, POINTS
from horses.rules.titles import as_dollaries
from nomic.engine.outcomes import NoticeKind
from nomic.games.wording import counted
from nomic.notices.models import Notice


def payouts_of(user: User, notice: Notice) -> str:
    """For what the user was paid when that race ended; "" for any other notice."""
    if notice.kind != NoticeKind.RESULT:
        return ""
    entry = notice.game.entries.filter(seq=notice.entry or 0, outcome__race_ended=True).first()
    seat = notice.game.players.filter(user=user).first()
    if entry is None or seat is None:
        return ""
    own = [each for each in entry.outcome.get("payouts", ()) if each["player"] == seat.name]
    if not own:
        return "You were paid nothing this time. The next race has begun."
    lines = ["What you got:"]
    for each in own:
        amount, asset = each["amount"], each["asset"]
        named = {DOLLARY: as_dollaries(amount), POINTS: counted(amount, "point")}
        lines.append(f"- {named.get(asset, f'{amount} {asset}')}: {each['reason']}")
    return "\n".join(lines)
