"""How the contest stands, as plain values: what the API answers and the report is made from."""

from typing import cast

from aceofspades.actions.drafts import unplayed, warnings
from aceofspades.events.carrying import details
from aceofspades.models import Proposal
from aceofspades.secrecy.scoring import estimated_worth, worths_of_alliances
from aceofspades.secrecy.view import SeenOffer, View
from aceofspades.shapes import (
    AllianceShape,
    CardOfferShape,
    ContestProposalShape,
    ContestShape,
    FiguresShape,
    HandShape,
    ReckoningShape,
    RegulationShape,
    SuitsShape,
    TabledShape,
    TransferShape,
)
from aceofspades.state.book import RegulationInBook
from aceofspades.state.reading import State
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.games.models import Player
from nomic.governance.models import Motion

MOST_OFFERS = MOST_MOVES = MOST_TABLED = 500


def contest_state(table: Table, player: Player | None = None) -> ContestShape | None:
    """The contest as the caller may see it: contestants in the order of joining, counts of
    cards, regulations (with `text` where the caller may have it), proposals, alliances.

    `mine` is there for who has a hand: its cards by suit, and what it is worth as far as they
    can know; `hands` and `deck` for who may see the suits of others' cards and of the Deck's.
    `offers` are those that the caller has made or got.
    """
    view = View(table, player)
    state = view.state
    if not state.is_on:
        return None
    proposals = []
    for proposal in state.proposals:
        facts = proposal_to_dict(view, proposal)
        is_over = proposal.effective_in is not None or proposal.verdict == Proposal.Verdict.FAILED
        if "text" in facts and not is_over:
            draft = table, proposal.regulation_number, facts["text"]
            facts["warnings"] = list(warnings(*draft, proposal.visibility))
            if proposal.visibility == "public":
                facts["unplayed"] = unplayed(*draft)
        proposals.append(facts)
    return {
        "contestants": state.names,
        **public_figures(state),
        "transfers": last_transfers(state, MOST_MOVES),
        "regulations": [regulation_to_dict(view, regulation) for regulation in state.regulations],
        "proposals": proposals,
        "alliances": alliances_to_dicts(view),
        "offers": [offer_to_dict(offer) for offer in view.offers(MOST_OFFERS)],
        "tabled": [tabled_to_dict(act) for act in state.open_acts[:MOST_TABLED]],
        "mine": mine(view),
        **suits(view),
        "reckoning": reckoning_to_dict(state),
    }


def public_figures(state: State) -> FiguresShape:
    """The counts that everybody may have (Regulation 225)."""
    return {
        "deck_count": state.counts.get(state.deck.pk, 0),
        "hand_counts": {row.name: state.counts.get(row.holder, 0) for row in state.current_figures},
        "cards_dealt": {row.name: row.dealt for row in state.current_figures},
    }


def last_transfers(state: State, limit: int) -> list[TransferShape]:
    """How many cards changed hands and when, the newest last (Regulation 225)."""
    transfers = []
    for move in reversed(state.contest.moves.order_by("-pk")[:limit]):
        transfer: TransferShape = {
            "entry": move.entry,
            "at": iso(move.at),
            "kind": move.kind,
            "cards": move.cards,
        }
        if move.giver:
            transfer["from"] = move.giver
        if move.receiver:
            transfer["to"] = move.receiver
        transfers.append(transfer)
    return transfers


def regulation_to_dict(view: View, regulation: RegulationInBook) -> RegulationShape:
    """A regulation in force; `text` is there where the viewer may have it."""
    facts: RegulationShape = {
        "number": regulation.number,
        "class": regulation.rule_class,
        "visibility": regulation.visibility,
    }
    if knowers := view.state.knowers.get(regulation.pk):
        facts["known_by"] = knowers
    if (text := view.text(regulation)) is not None:
        facts["text"] = text
    if hints := view.state.hints.get(regulation.pk):
        facts["hints"] = hints
    return facts


def proposal_to_dict(view: View, proposal: Proposal) -> ContestProposalShape:
    """A proposal; `text`, `votes` and counts are there where the viewer may have them."""
    state = view.state
    facts: ContestProposalShape = {
        "number": proposal.number,
        "regulation": proposal.regulation_number,
        "visibility": proposal.visibility,
        "by": proposal.by.name if proposal.by else None,
        "status": status_of(state, proposal),
    }
    is_up = proposal.is_up and not state.table.game.is_closed
    ripe = state.decided_from(proposal, state.public_charts) if is_up else None
    if ripe is not None:
        facts["decided_from"] = iso(ripe)
    if (text := view.proposal_text(proposal)) is not None:
        facts["text"] = text
    if (counts := view.counts(proposal)) is not None:
        facts["for"], facts["against"] = counts
    if proposal.number in view.own_votes:
        facts["mine"] = view.own_votes[proposal.number]
    if proposal.number in view.every_vote:
        facts["votes"] = view.every_vote[proposal.number]
    return facts


def status_of(state: State, proposal: Proposal) -> str:
    """`submitted`, `up for vote`, `adopted` or `failed`; `undecided` in a game that is over; of one
    that took effect, whether it is `in force` still, `replaced` by a later one of its number, or
    `repealed`."""
    if proposal.effective_in is not None:
        number, since = proposal.regulation_number, proposal.effective_in
        if state.regulation(number) is None:
            return "repealed"
        rivals = (rival for rival in state.proposals if rival.regulation_number == number)
        is_replaced = any((rival.effective_in or 0) > since for rival in rivals)
        return "replaced" if is_replaced else "in force"
    if proposal.verdict:
        return str(proposal.verdict)
    if state.table.game.is_closed:
        return "undecided"
    return "up for vote" if proposal.is_up else "submitted"


def alliances_to_dicts(view: View) -> list[AllianceShape]:
    """Every alliance by its number: its size and total worth; `members` for who may see them.

    `total_worth` is None until the hands as they are now have been counted.
    """
    worths = worths_of_alliances(view.state)
    shapes = []
    for alliance in view.alliances:
        worth = worths.get(alliance.number)
        shape: AllianceShape = {
            "number": alliance.number,
            "size": alliance.size,
            "total_worth": worth,
        }
        if alliance.members is not None:
            shape["members"] = alliance.members
        shapes.append(shape)
    return shapes


def offer_to_dict(offer: SeenOffer) -> CardOfferShape:
    """An offer to somebody who is a party to it; `by` and `accepted_by` unless anonymous."""
    shape: CardOfferShape = {
        "code": offer.code,
        "gives": dict(offer.gives),
        "takes": dict(offer.takes),
        "to": offer.to,
        "at": iso(offer.at),
        "status": offer.end or "open",
    }
    if offer.by:
        shape["by"] = offer.by
    if offer.accepted_by:
        shape["accepted_by"] = offer.accepted_by
    return shape


def tabled_to_dict(act: Motion) -> TabledShape:
    """A tabled act that is still to be done, as everybody may read it."""
    assert act.due is not None, "Each has its days."
    return cast("TabledShape", {"number": act.number, **details(act), "due": iso(act.due)})


def mine(view: View) -> HandShape | None:
    """The viewer's own hand, and its worth by the regulations that they may read; None for who has
    no hand. `known_worth` is None until it has been counted."""
    hand = view.own_hand()
    return None if hand is None else {"hand": hand, "known_worth": estimated_worth(view)}


def suits(view: View) -> SuitsShape:
    """The cards by suit of others' hands and of the Deck, for who may see them."""
    shape: SuitsShape = {}
    if view.sees_hands:
        shape["hands"] = view.hands
    if view.deck_suits is not None:
        shape["deck"] = view.deck_suits
    return shape


def reckoning_to_dict(state: State) -> ReckoningShape:
    """When the Moment of Reckoning is or was, and what came of it."""
    contest = state.contest
    if contest.reckoned_at is None:
        return {"due": iso(state.reckoning_due) if state.reckoning_due else None, "done": False}
    facts: ReckoningShape = {"due": iso(contest.reckoned_at), "done": True}
    if contest.worths_in is None:
        return facts
    return {
        **facts,
        "worths": {row.name: row.worth for row in state.figures if row.worth is not None},
        "finalists": state.finalists,
        "semigenius": [contestant.player.name for contestant in state.semigenius],
    }
