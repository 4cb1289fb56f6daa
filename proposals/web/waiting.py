"""The votes that wait for a player."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet

from nomic.compiled import CompiledQuery
from nomic.engine.actions import admission, find_action
from nomic.engine.subgames import QuickAct, Waiting
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.wording import counted
from nomic.web.game_page import address_of
from proposals.events.opening import CLOSES
from proposals.models import Proposal, Status, Vote
from proposals.rules.words import ENDORSE
from proposals.state.reading import state_of
from proposals.web.change_summaries import change_summaries, unplayed
from proposals.web.voting import VOTE, words_of

_MOST = 50


def _without_a_vote(player: Player) -> QuerySet[Proposal]:
    """The Open proposals that the player has not voted on, the oldest first."""
    voted = Vote.objects.filter(player=player, proposal=OuterRef("pk"), strike__isnull=True)
    is_open = Proposal.objects.filter(status=Status.OPEN, awaits_since=None)
    return is_open.exclude(Exists(voted)).order_by("serial")


_MISSING = CompiledQuery(_without_a_vote, "author", without=["body", "effects"])


def waiting(table: Table, player: Player) -> Iterator[Waiting]:
    """Each Open proposal that the player has not voted on, with a button for each word."""
    if not state_of(table).workload.counts["open"]:
        return
    proposals = _MISSING.some(_MOST, game=table.game, player=player.pk)
    if not proposals or admission(find_action(VOTE), table, player) is not None:
        return
    words = [word for word in words_of(table, player) if word != ENDORSE]
    lines, unkept = change_summaries(proposals), unplayed(table, proposals)
    closes = table.appointments.due(CLOSES) if not proposals[0].closes_at else None
    for each in proposals:
        acts = (QuickAct(word, VOTE, {"proposal": each.handle, "choice": word}) for word in words)
        title = f": {each.title}" if each.title else ""
        url = address_of("proposal", table.game.slug, each.handle)
        due = each.closes_at or closes
        says = list(filter(None, [lines.get(each.pk)]))
        if remarks := len(each.remarks):
            says.append(f"{counted(remarks, 'remark')}, which change{'s' * (remarks == 1)} nothing")
        if left := unkept.get(each.pk, 0):
            says.append(f"{counted(left, 'sentence')} for people to keep")
        yield Waiting(f"Vote on {each.label}{title}", url, due, tuple(acts), " · ".join(says))
