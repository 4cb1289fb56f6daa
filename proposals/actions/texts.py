"""What a proposal consists of, and how it comes, changes and is taken back."""

from decimal import Decimal

from django.db.models import Max

from nomic.engine.actions import Inputs
from nomic.engine.table import Table
from nomic.games.models import Player
from proposals.events.opening import DISTRIBUTED, TIMED_OUT, number_them
from proposals.models import Link, LinkKind, Proposal, Status, Success, Version, Vote
from proposals.state.reading import state_of


def submit(table: Table, author: Player, data: Inputs) -> Proposal:
    """A new Pending proposal without a number, with what these inputs say. Raises ChartBroken."""
    last = Proposal.objects.filter(game=table.game).aggregate(last=Max("serial"))["last"] or 0
    proposal = Proposal(
        game=table.game,
        serial=last + 1,
        author=author,
        version=0,
        submitted_at=table.now,
        submitted_in=table.seq,
    )
    save_content(table, proposal, data)
    return proposal


def save_content(table: Table, proposal: Proposal, data: Inputs) -> None:
    """Make these inputs the proposal's next version; those before it stay. Raises ChartBroken."""
    state = state_of(table)
    found = state.find_all([*data["conflicts"], *data["dependencies"]])
    linked = {
        LinkKind.CONFLICT: [found[handle] for handle in data["conflicts"]],
        LinkKind.DEPENDENCY: [found[handle] for handle in data["dependencies"]],
    }
    proposal.title, proposal.body = data["title"], data["body"].replace("\r\n", "\n")
    if "index" in data:
        classes = state.terms.classes
        proposal.proposal_class = data["class"] or next(iter(classes))
        proposal.index = Decimal(data["index"] or classes[proposal.proposal_class])
        proposal.coauthors = data["coauthors"]
    proposal.version += 1
    proposal.save()
    if proposal.version > 1:
        proposal.links.all().delete()
    Link.objects.bulk_create(
        Link(proposal=proposal, other=other, kind=kind)
        for kind, others in linked.items()
        for other in {each.pk: each for each in others}.values()
    )
    Version.objects.create(
        proposal=proposal,
        number=proposal.version,
        title=proposal.title,
        body=proposal.body,
        conflicts=sorted({each.serial for each in linked[LinkKind.CONFLICT]}),
        dependencies=sorted({each.serial for each in linked[LinkKind.DEPENDENCY]}),
        index=proposal.index,
        proposal_class=proposal.proposal_class,
        coauthors=proposal.coauthors,
        entry=table.seq,
    )


def withdraw(table: Table, proposal: Proposal) -> None:
    """Its status becomes Historical and its success Lost (Rule 5E33); it gets a number, if it has
    none, since what depends on it is Lost by it."""
    number_them(table, [proposal])
    if proposal.secret and table.game.format >= 2:
        table.open_books([proposal.book])
    proposal.status, proposal.success = Status.HISTORICAL, Success.LOST
    proposal.passed, proposal.outcome = False, "Withdrawn"
    proposal.closed_at, proposal.closed_in = table.now, table.seq
    proposal.reasons = [f"Lost: withdrawn by {proposal.author}."]
    proposal.save()
    if state_of(table).edition.period != "nweek":
        for kind in (DISTRIBUTED, TIMED_OUT):
            table.appointments.cancel(kind, str(proposal.serial))


def keep_vote(table: Table, proposal: Proposal, player: Player, word: str) -> None:
    """Keep a vote, by the entry of the book in which it stands, which says so."""
    book = {"sealed": table.game.sealed_count + 1} if proposal.secret else {"entry": table.seq}
    Vote.objects.create(proposal=proposal, player=player, word=word, at=table.now, **book)
    table.tell(vote=[proposal.serial, player.name, word])
