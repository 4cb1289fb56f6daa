"""The votes that wait for a player, and a newcomer's steps."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet

from nomic.engine.actions import admission, find_action
from nomic.engine.subgames import QuickAct, TourStep, Waiting
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.wording import counted
from nomic.governance.bots import MARK
from nomic.infrastructure.database.compiled_queries import CompiledQuery, CompiledValues
from nomic.web.game_context import address_of
from proposals.events.opening import CLOSES
from proposals.models import Proposal, Status, Success, Vote
from proposals.rules.words import ENDORSE
from proposals.state.reading import state_of
from proposals.web.change_summaries import change_summaries, unplayed
from proposals.web.voting import VOTE, otherwise, words_of

_MOST = 50


def _without_a_vote(player: Player) -> QuerySet[Proposal]:
    """The Open proposals that the player has not voted on, the oldest first."""
    voted = Vote.objects.filter(player=player, proposal=OuterRef("pk"), strike__isnull=True)
    is_open = Proposal.objects.filter(status=Status.OPEN, awaits_since=None)
    return is_open.exclude(Exists(voted)).order_by("serial")


_MISSING = CompiledQuery(_without_a_vote, "author", without=["body", "effects"])
_OWN = CompiledQuery(lambda: Proposal.objects.order_by("serial"), without=["body", "effects"])
_VOTES = CompiledValues(lambda: Vote.objects.order_by().values_list("pk"))


def waiting(table: Table, player: Player) -> Iterator[Waiting]:
    """Each Open proposal that the player has not voted on, with a button for each word."""
    if not state_of(table).counts["open"]:
        return
    proposals = _MISSING.some(_MOST, game=table.game, player=player.pk)
    if not proposals or admission(find_action(VOTE), table, player) is not None:
        return
    lines, unkept = change_summaries(proposals), unplayed(table, proposals)
    closes = table.appointments.due(CLOSES) if not proposals[0].closes_at else None
    for proposal in proposals:
        acts = (
            QuickAct(word, VOTE, {"proposal": proposal.handle, "choice": word})
            for word in words_of(state_of(table), player, proposal)
            if word != ENDORSE
        )
        title = f": {proposal.title}" if proposal.title else ""
        url = address_of("proposal", table.game.slug, proposal.handle)
        due = proposal.closes_at or closes
        says = list(filter(None, [lines.get(proposal.pk)]))
        counts = otherwise(state_of(table), proposal).items()
        says += [f"{word} counts as {meant}" for word, meant in counts]
        if remarks := len(proposal.remarks):
            says.append(f"{counted(remarks, 'remark')}, which change{'s' * (remarks == 1)} nothing")
        if for_people := unkept.get(proposal.pk, 0):
            says.append(f"{counted(for_people, 'sentence')} that players carry out themselves")
        yield Waiting(f"Vote on {proposal.label}{title}", url, due, tuple(acts), " · ".join(says))


def tour(table: Table, player: Player) -> Iterator[TourStep]:
    """The steps of voting, first, and of having an own proposal adopted, last."""
    proposals = _OWN.all(author=player.pk)
    says = "Say FOR or AGAINST a change of the rules that somebody proposed."
    voted = _VOTES.first(player=player.pk) is not None
    if not voted and not state_of(table).counts["open"]:
        says = "Nothing is open to votes just now. Begin with a proposal of your own."
        if any(name.endswith(MARK) for name in table.directory.players):
            says = "Nothing is open to votes just now. A practice player soon proposes something."
    url = address_of("game", table.game.slug)
    yield TourStep(1, "Vote", says, f"{url}#waiting", voted)
    says = "Write a change, or take an example. You see what it would do before you send it."
    url = address_of("proposal_new", table.game.slug)
    adopted = next((proposal for proposal in proposals if proposal.success == Success.WON), None)
    if adopted:
        says = f"{adopted.label} “{adopted.title}” was adopted: the game is played by it now."
        url = address_of("proposal", table.game.slug, adopted.handle)
    elif any(proposal.status != Status.HISTORICAL for proposal in proposals):
        says = "Your proposal is being voted on. If enough players are FOR it, the rules change."
    elif proposals:
        says = "Your proposal was not adopted. Try another one: a small change finds more friends."
    yield TourStep(5, "Propose a change and see it adopted", says, url, adopted is not None)
