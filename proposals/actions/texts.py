"""The content of a proposal, and how it comes, changes and is taken back."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Length

from nomic.engine.actions import Inputs, read_ahead
from nomic.engine.table import Table
from nomic.games.bounds import (
    BODY,
    CHANGES,
    PROPOSALS,
    PROPOSALS_OF_PLAYER,
    WAITING,
    WAITING_OF_PLAYER,
)
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import counted
from nomic.infrastructure.database.compiled_queries import CompiledValues, insert
from nomic.rulebook.changes.confirming import Unit, stray
from nomic.rulebook.changes.kinds import LONGEST_SAID, BodyRemark
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.charts import cut
from proposals.events.opening import DISTRIBUTED, TIMED_OUT, WAITS, assign_numbers
from proposals.models import Link, LinkKind, Proposal, Status, Success, Version
from proposals.state.bodies import Units, units_in
from proposals.state.offices import RULEBOOK
from proposals.state.reading import MAIN, state_of

type StoredUnits = list[dict[str, Any]]
"""What an author has confirmed, with how it stands in the rules, as a proposal keeps it."""

_NEWEST = CompiledValues(lambda: Proposal.objects.order_by("-serial").values_list("serial"))


def _waiting(author: Any, instead_of: Any) -> QuerySet[Proposal, Any]:
    """How many proposals wait in a game for the end of their vote, and of these the author's, and
    the length of all and of the author's; without one."""
    by_author, length = Q(author=author), Length("body")
    sums = {
        "of_author": Count("pk", filter=by_author),
        "of_all": Count("pk"),
        "length_of_author": Coalesce(Sum(length, filter=by_author), 0),
        "length": Sum(length),
    }
    waiting = Proposal.objects.exclude(Q(status=Status.HISTORICAL) | Q(pk=instead_of))
    return waiting.order_by().values("game").annotate(**sums).values_list(*sums)


_WAITING = CompiledValues(_waiting)
_OF_A_VERSION = ("title", "body", "remarks", "units", "index", "proposal_class", "coauthors")
OPEN_SENTENCES = "open_sentences"
_CHOICES = ("remarks", "left")  # inputs by which an author says what becomes of a sentence
_MOST_NAMED = 200  # sentences that a refusal names
_NONE = 0  # no proposal's key


def submit(table: Table, author: Player, data: Inputs, units: StoredUnits) -> Proposal:
    """A new Pending proposal without a number, with what these inputs say and the units of its
    body. Raises TableBroken."""
    last = _NEWEST.first(game=table.game.pk)
    proposal = Proposal(
        game=table.game,
        serial=last[0] + 1 if last else 1,
        author=author,
        version=0,
        submitted_at=table.now,
        submitted_in=table.seq,
    )
    save_content(table, proposal, data, units)
    return proposal


def save_content(table: Table, proposal: Proposal, data: Inputs, units: StoredUnits) -> None:
    """Make these inputs, with the units of their body, the proposal's next version; those before it
    stay. Raises TableBroken."""
    state = state_of(table)
    linked = state.find_all([*data["conflicts"], *data["dependencies"]])
    links = {
        LinkKind.CONFLICT: [linked[handle] for handle in data["conflicts"]],
        LinkKind.DEPENDENCY: [linked[handle] for handle in data["dependencies"]],
    }
    proposal.title, proposal.body = data["title"], data["body"].replace("\r\n", "\n")
    proposal.remarks = data.get("remarks", [])
    proposal.units = units
    if "index" in data:
        classes = state.terms.classes
        proposal.proposal_class = data["class"] or next(iter(classes))
        proposal.index = Decimal(data["index"] or classes[proposal.proposal_class])
        proposal.coauthors = data["coauthors"]
    proposal.version += 1
    if proposal.pk is None:
        insert(proposal)
    else:
        proposal.save()
        proposal.links.all().delete()
    Link.objects.bulk_create(
        Link(proposal=proposal, other=target, kind=kind)
        for kind, targets in links.items()
        # One may be named twice, by its number and by its id.
        for target in {target.pk: target for target in targets}.values()
    )
    version = Version(
        proposal=proposal,
        number=proposal.version,
        **{name: getattr(proposal, name) for name in _OF_A_VERSION},
        conflicts=sorted({target.serial for target in links[LinkKind.CONFLICT]}),
        dependencies=sorted({target.serial for target in links[LinkKind.DEPENDENCY]}),
        entry=table.seq,
    )
    insert(version)


@read_ahead("proposals.submit", "proposals.revise", "proposals.bring")
def read_body(sent: Mapping[str, Any]) -> None:
    """Read the body that was sent, unless it is too long to be any game's."""
    body, remarks = sent.get("body"), sent.get("remarks") or []
    if isinstance(remarks, str):  # as a page sends them
        remarks = remarks.splitlines()
    if isinstance(body, str) and len(body) <= BODY.most and isinstance(remarks, list):
        with suppress(Unreadable):
            read_changes(body.replace("\r\n", "\n").strip(), [str(remark) for remark in remarks])


def body_refusal(table: Table, data: Inputs) -> Refusal | None:
    """Why these inputs have no body that can be read, with its remarks."""
    if "body" not in data:
        return None
    body = data["body"].replace("\r\n", "\n")
    if refusal := BODY.refusal(table.game, len(body.encode()), MAIN):
        return refusal
    remarks = data.get("remarks") or []
    try:
        reading = read_changes(body, remarks)
    except Unreadable as unreadable:
        return Refusal("unreadable", str(unreadable), MAIN)
    if misquote := reading.stray(remarks):
        if table.original is None:
            return Refusal("no_such_sentence", misquote, MAIN)
        table.original.tell(f"it would be refused today: {misquote}")
    return CHANGES.refusal(table.game, len(reading.changes), MAIN)


def confirmed_units(table: Table, data: Inputs) -> Refusal | StoredUnits:
    """What the author has confirmed of what the body counts or names, with how it stands in the
    rules now; or why that is none of it, or not all. What somebody brings from before (None) needs
    nobody's word and is left to the officer.

    The body can be read and is within its bounds, which cost less: this goes through the texts of
    all rules that it counts in.
    """
    confirmations: Units | None = data.get("units", [])
    if "body" not in data or confirmations is None:
        return []
    reading = read_changes(data["body"].replace("\r\n", "\n"), data.get("remarks") or [])
    misquote = stray(reading, map(Unit.of, confirmations))
    refusal = Refusal("no_such_unit", misquote, MAIN) if misquote else None
    if refusal is not None and not table.is_replayed:
        return refusal
    units = units_in(table, reading, confirmations)
    if refusal := refusal or _units_refusal(units):
        if table.original is None:
            return refusal
        table.original.tell(f"it would be refused today: {refusal}")
    return [unit.stored() for unit in units if unit.is_confirmed]


def _units_refusal(units: Sequence[Unit]) -> Refusal | None:
    """Why these, as they were sent, are not what the body counts or names, or not all of it."""
    wrong = next((unit for unit in units if unit.is_confirmed and unit.passage and unit.why), None)
    if wrong is not None:
        return Refusal("no_such_passage", f"{wrong.why} Quote a passage as it stands there.", MAIN)
    unconfirmed = [unit for unit in units if not unit.is_confirmed]
    if not unconfirmed:
        return None
    first, further = unconfirmed[0], len(unconfirmed) - 1
    sentence = f"“{cut(first.sentence, LONGEST_SAID)}” counts or names what it means"
    if first.passage:
        shown = cut(first.passage, LONGEST_SAID)
        sentence += (
            f": “{shown}” in the rule “{first.rule}”. Confirm it, or quote another passage."
            if first.rule
            else f": {shown}. Confirm it, or leave it to the officer."
        )
    else:
        sentence += f", which is not sure. {first.why} Quote it, or leave it to the officer."
    sentence += (
        f" So do {further} more." if further > 1 else " So does one more." if further else ""
    )
    return Refusal("units", sentence, MAIN, tuple(unit.to_dict() for unit in units))


def too_much_waits(
    table: Table, author: Player, data: Inputs, instead_of: Proposal | None = None
) -> Refusal | None:
    """Why the game, or this player, has no room for one more text whose vote has not ended, or for
    a longer one `instead_of` what a proposal says now."""
    if "body" not in data:
        return None
    added = len(data["body"].replace("\r\n", "\n"))
    if instead_of is not None and added <= len(instead_of.body):
        return None
    but = instead_of.pk if instead_of else _NONE
    counts = _WAITING.first(author=author.pk, instead_of=but, game=table.game.pk)
    of_author, of_all, length_of_author, length = counts or (0, 0, 0, 0)
    uses = (
        (PROPOSALS_OF_PLAYER, of_author + 1),
        (PROPOSALS, of_all + 1),
        (WAITING_OF_PLAYER, length_of_author + added),
        (WAITING, length + added),
    )
    refusals = (bound.refusal(table.game, many, MAIN) for bound, many in uses)
    return next(filter(None, refusals), None)


def withdraw(table: Table, proposal: Proposal) -> None:
    """Its status becomes Historical and its success Lost (Rule 5E33); it gets a number, if it has
    none, since what depends on it is Lost by it."""
    assign_numbers(table, [proposal])
    if proposal.secret:
        table.open_books([proposal.book])
    proposal.status, proposal.success = Status.HISTORICAL, Success.LOST
    proposal.passed, proposal.outcome = False, "Withdrawn"
    proposal.closed_at, proposal.closed_in = table.now, table.seq
    proposal.reasons = [f"Lost: withdrawn by {proposal.author}."]
    proposal.save()
    if state_of(table).edition.period != "nweek":
        for kind in (DISTRIBUTED, WAITS, TIMED_OUT):
            table.appointments.cancel(kind, str(proposal.serial))


def open_sentences(body: str, remarks: Sequence[str], left: Iterable[str]) -> list[BodyRemark]:
    """The sentences of a body that nothing carries out, and of which the author has not said what
    becomes of them."""
    try:
        reading = read_changes(body, remarks)
    except Unreadable:
        return []
    chosen = set(left)
    return [
        remark for remark in reading.unread if remark.sentence not in chosen and not reading.misfit
    ]


def unread_sentences(table: Table, inputs: Inputs) -> Refusal | None:
    """That a text has sentences which nothing carries out, and of which its author has not said
    what becomes of them."""
    remarks, left = (inputs.get(name) or [] for name in _CHOICES)
    unread = open_sentences(inputs.get("body") or "", remarks, left)
    if not unread:
        return None
    officer = state_of(table).officer(RULEBOOK)
    first, many = cut(unread[0].sentence, LONGEST_SAID), counted(len(unread), "sentence")
    sentence = (
        f"Nothing carries out {many} of this text: “{first}”{' and others' if unread[1:] else ''}."
        " Write each as an instruction, or say what becomes of it: among the remarks it changes"
        f" nothing, among what is left it is a duty of the {officer}."
    )
    sentences = tuple(remark.sentence for remark in unread[:_MOST_NAMED])
    return Refusal(OPEN_SENTENCES, sentence, sentences=sentences, choices=_CHOICES)
