"""The newcomer's steps with proposals: a vote, and a change of their own."""

from collections.abc import Iterator

from nomic.compiled import CompiledQuery, CompiledValues
from nomic.engine.subgames import TourStep
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.standard.bots import MARK
from nomic.web.game_page import address_of
from proposals.models import Proposal, Status, Success, Vote
from proposals.state.reading import state_of

_OWN = CompiledQuery(lambda: Proposal.objects.order_by("serial"), without=["body", "effects"])
_VOTES = CompiledValues(lambda: Vote.objects.order_by().values_list("pk"))


def tour(table: Table, player: Player) -> Iterator[TourStep]:
    """The steps of voting, first, and of having an own proposal adopted, last."""
    own = _OWN.all(author=player.pk)
    says = "Say FOR or AGAINST a change of the rules that somebody proposed."
    voted = _VOTES.first(player=player.pk) is not None
    if not voted and not state_of(table).workload.counts["open"]:
        says = "Nothing is open to votes just now. Begin with a proposal of your own."
        if any(name.endswith(MARK) for name in table.directory.players):
            says = "Nothing is open to votes just now. A practice player soon proposes something."
    url = address_of("game", table.game.slug)
    yield TourStep(1, "Vote", says, f"{url}#waiting", voted)
    says = "Write a change, or take an example. You see what it would do before you send it."
    url = address_of("proposal_new", table.game.slug)
    adopted = next((each for each in own if each.success == Success.WON), None)
    if adopted:
        says = f"{adopted.label} “{adopted.title}” was adopted: the game is played by it now."
        url = address_of("proposal", table.game.slug, adopted.handle)
    elif any(each.status != Status.HISTORICAL for each in own):
        says = "Your proposal is being voted on. If enough players are FOR it, the rules change."
    elif own:
        says = "Your proposal was not adopted. Try another one: a small change finds more friends."
    yield TourStep(5, "Propose a change and see it adopted", says, url, adopted is not None)
