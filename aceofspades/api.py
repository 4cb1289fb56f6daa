"""How the contest stands, as plain values: what the API answers and the report is made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aceofspades.models import Proposal
from aceofspades.secrecy import matrix as disclosure
from aceofspades.secrecy.secrets import Sight
from aceofspades.state.reading import State
from aceofspades.web.estimated_worth import known_worth, worths_of_alliances
from aceofspades.web.story import Story, read_story
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.games.models import Player

MOST_MOVES = 500
MOST_TABLED = 500


def contest_state(table: Table, viewer: Player | None = None) -> dict[str, Any] | None:
    """The contest for `…/aceofspades` of the API, as that viewer may see it; None where there is
    none. What the viewer may not see is not there."""
    sight = Sight(table, viewer)
    state = sight.state
    if not state.is_on:
        return None
    story = read_story(state, MOST_MOVES, MOST_TABLED)
    offers = sight.read_everything()
    return {
        "contestants": [each.player.name for each in state.contestants],
        **public_figures(state),
        "transfers": transfers_told(story),
        "regulations": regulations_told(sight),
        "proposals": [proposal_told(sight, each) for each in state.proposals],
        "alliances": alliances_told(sight),
        "offers": [offer_told(sight, each) for each in offers],
        "tabled": tabled_told(story),
        "mine": mine(sight),
        "reckoning": reckoning_told(state, story),
    }


def public_figures(state: State) -> dict[str, Any]:
    """The counts that everybody may have (Regulation 225)."""
    return {
        "deck_count": state.counts.get(state.deck.pk, 0),
        "hand_counts": {
            each.player.name: state.counts.get(each.player.holder.pk, 0)
            for each in state.contestants
        },
        "cards_dealt": {each.player.name: each.dealt for each in state.contestants},
    }


def transfers_told(story: Story) -> list[dict[str, Any]]:
    """How many cards changed hands and when, the newest last, at most 500 (Regulation 225).

    `from` and `to` are absent for an anonymous party.
    """
    return [
        {
            "entry": move["entry"],
            "at": iso(move["at"]),
            "kind": move["kind"],
            "cards": move["cards"],
            **({"from": move["giver"]} if move["giver"] else {}),
            **({"to": move["receiver"]} if move["receiver"] else {}),
        }
        for move in reversed(story.moves)
    ]


def regulations_told(sight: Sight) -> list[dict[str, Any]]:
    """Every regulation in force; `text` is there where the viewer may have it."""
    told = []
    for each in sight.state.regulations:
        facts: dict[str, Any] = {
            "number": each.number,
            "class": each.rule_class,
            "visibility": each.visibility,
        }
        if knowers := sight.state.knowers.get(each.pk):
            facts["known_by"] = {
                knower.name: "full" if knower.full else "limited" for knower in knowers
            }
        text = sight.text(each)
        told.append(facts if text is None else {**facts, "text": text})
    return told


def proposal_told(sight: Sight, proposal: Proposal) -> dict[str, Any]:
    """A proposal; `text`, `votes` and counts are there where the viewer may have them."""
    state = sight.state
    told: dict[str, Any] = {
        "number": proposal.number,
        "regulation": proposal.regulation_number,
        "visibility": proposal.visibility,
        "by": proposal.by.name if proposal.by else None,
        "status": status_of(state, proposal),
    }
    ripe = state.decided_from(proposal, state.told) if proposal.is_up else None
    if ripe is not None:
        told["decided_from"] = iso(ripe)
    if (text := sight.proposal_text(proposal)) is not None:
        told["text"] = text
    if (counts := sight.counts(proposal)) is not None:
        told["for"], told["against"] = counts
    if proposal.number in sight.own_votes:
        told["mine"] = sight.own_votes[proposal.number]
    if proposal.number in sight.every_vote:
        told["votes"] = sight.every_vote[proposal.number]
    return told


def status_of(state: State, proposal: Proposal) -> str:
    """`submitted`, `up for vote`, `adopted` or `failed`; of one that took effect, whether it is
    `in force` still, `replaced` by a later one of its number, or `repealed`."""
    if proposal.effective_in is not None:
        number, since = proposal.regulation_number, proposal.effective_in
        if state.regulation(number) is None:
            return "repealed"
        same = (each for each in state.proposals if each.regulation_number == number)
        return "replaced" if any((each.effective_in or 0) > since for each in same) else "in force"
    if proposal.verdict:
        return str(proposal.verdict)
    return "up for vote" if proposal.is_up else "submitted"


def alliances_told(sight: Sight) -> list[dict[str, Any]]:
    """Every alliance by its number: its size and total worth; `members` for who may see them.

    `total_worth` is None until the hands as they are now have been counted.
    """
    allied = sight.leagues
    worths = worths_of_alliances(sight.state, allied, sight.all_hands) if allied else {}
    told = []
    for number, names in allied.items():
        facts = {"number": number, "size": len(names), "total_worth": worths.get(number)}
        is_seen = sight.may_know_members(number, names)
        told.append({**facts, "members": names} if is_seen else facts)
    return told


def offer_told(sight: Sight, offer: Mapping[str, Any]) -> dict[str, Any]:
    """An offer to somebody who is a party to it; `by` and `accepted_by` unless anonymous."""
    told: dict[str, Any] = {
        "code": offer["code"],
        "gives": offer["gives"],
        "takes": offer["takes"],
        "to": sight.receivers(offer["by"], offer["to"], hidden=offer["anonymous"]),
        "at": iso(offer["at"]),
        "status": offer["end"] or "open",
    }
    by = sight.named(offer["by"], disclosure.OFFERER, hidden=offer["anonymous"])
    if by is not None:
        told["by"] = by
    acceptor, hidden = offer["accepted_by"], offer["accepted_anonymously"]
    if (name := sight.named(acceptor, disclosure.ACCEPTOR, hidden=hidden)) is not None:
        told["accepted_by"] = name
    return told


def tabled_told(story: Story) -> list[dict[str, Any]]:
    """The tabled acts that are still to be done, as everybody may read them, at most 500."""
    return [
        {
            "number": act["number"],
            "kind": act["kind"],
            **act["details"],
            "due": iso(act["due"]),
        }
        for act in story.tabled
    ]


def mine(sight: Sight) -> dict[str, Any] | None:
    """The viewer's own hand, and its worth by the regulations that they may read; None for who has
    no hand. `known_worth` is None until it has been counted."""
    hand = sight.own_hand()
    if hand is None:
        return None
    return {"hand": hand, "known_worth": known_worth(sight)}


def reckoning_told(state: State, story: Story) -> dict[str, Any]:
    """When the Moment of Reckoning is or was, and what came of it."""
    contest = state.contest
    if contest.reckoned_at is None:
        return {"due": iso(story.due) if story.due else None, "done": False}
    told: dict[str, Any] = {"due": iso(contest.reckoned_at), "done": True}
    if contest.worths_in is None:
        return told
    rows = state.everybody
    chosen = [each for each in rows if each.semigenius_in is not None]
    chosen.sort(key=lambda each: each.semigenius_in or 0)
    told["worths"] = {each.player.name: each.worth for each in rows if each.worth is not None}
    told["finalists"] = [each.player.name for each in rows if each.finalist]
    told["semigenius"] = [each.player.name for each in chosen]
    return told
