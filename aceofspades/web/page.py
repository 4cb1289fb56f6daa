"""Parts of the contest's page, from its state as the viewer may see it."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from types import SimpleNamespace
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from aceofspades.actions.drafts import warnings
from aceofspades.api import alliances_to_dicts, status_of
from aceofspades.events.carrying import TABLED_ACTS, terms_of
from aceofspades.events.decisions import ANNOUNCE, PUT_UP
from aceofspades.events.scoring import marks
from aceofspades.models import Contestant, Move, Proposal, Request
from aceofspades.rules import contest
from aceofspades.rules.contest import describe_cards, missing
from aceofspades.secrecy.view import View
from aceofspades.state.book import RegulationInBook
from aceofspades.state.reading import State
from aceofspades.web import drawing
from nomic.governance.models import Motion, Voice
from nomic.rulebook.charts import unless_broken
from nomic.web.action_forms import choices
from nomic.web.game_context import GamePage
from nomic.web.moments import Placed, podium

MOST_LISTED, MOST_TABLED = 40, 20
_MOST_ENTRIES, _MOST_MOVES, _MOST_REQUESTS = 10, 12, 5
_MOST_WORTHY = 20  # hands, of which the best three places are told
_MOST_GIST, _MOST_GIST_OF_PROPOSAL = 120, 240
MOST_PAST = 8
_STROKES = re.compile(r"\s*\|[-:|\s]+")
_TONES = {"in force": "good", "adopted": "good", "failed": "bad", "up for vote": "accent"}


# The book


@dataclass(frozen=True, slots=True)
class RegulationRow:
    """A regulation in the book: `text` where the viewer may read it."""

    regulation: RegulationInBook
    text: str | None
    knowers: Mapping[str, str]
    hints: list[str]

    @property
    def known_to(self) -> list[str]:
        """Who may read it, each with what that does not allow."""
        kinds = self.knowers.items()
        return [name if kind == "full" else f"{name} ({kind})" for name, kind in kinds]

    @property
    def gist(self) -> str:
        """The beginning of its prose, on one line, without a word cut in two."""
        prose = " ".join((self.text or "").partition("\n\n")[0].split())
        if len(prose) <= _MOST_GIST:
            return prose
        return prose[:_MOST_GIST].rsplit(" ", 1)[0].rstrip(",;:") + "…"


@dataclass(frozen=True, slots=True)
class Chapter:
    """Regulations of one kind, in ascending number."""

    title: str
    about: str
    leaves: list[RegulationRow]
    is_open: bool

    @property
    def hidden(self) -> int:
        """How many of its regulations the viewer may not read."""
        return sum(leaf.text is None for leaf in self.leaves)

    @property
    def span(self) -> str:
        """Their first and last number: “101–125”."""
        first, last = self.leaves[0], self.leaves[-1]
        if first is last:
            return str(first.regulation.number)
        return f"{first.regulation.number}–{last.regulation.number}"


def leaf(view: View, regulation: RegulationInBook) -> RegulationRow:
    """That regulation as the viewer may read it."""
    knowers = view.state.knowers.get(regulation.pk, {})
    hints = view.state.hints.get(regulation.pk, [])
    return RegulationRow(regulation, view.text(regulation), knowers, hints)


def chapters(view: View) -> list[Chapter]:
    """The book by the kinds of regulations that it has, each in ascending number."""
    sorts: tuple[tuple[str, str, bool], ...] = (
        ("Marking Regulations", "what a hand is worth", True),
        ("Mutable regulations", "cards, offers, who may know what", False),
        ("Immutable regulations", "how the contest is held", False),
    )
    leaves: dict[int, list[RegulationRow]] = {}
    for regulation in view.state.regulations:
        marks = unless_broken(
            partial(view.state.public_charts.is_marking, regulation.number), False
        )
        sort = 2 if regulation.rule_class == "immutable" else 0 if marks else 1
        leaves.setdefault(sort, []).append(leaf(view, regulation))
    return [
        Chapter(title, about, leaves[place], is_open)
        for place, (title, about, is_open) in enumerate(sorts)
        if place in leaves
    ]


# Who plays


def rows(view: View, among: Iterable[Contestant]) -> list[dict[str, Any]]:
    """Those contestants as the viewer may see them: with the public figures (Regulation 225), and
    the hand for who may see it."""
    state = view.state
    hands = view.hands if view.sees_hands else {}
    return [
        {
            "contestant": contestant,
            "name": (name := contestant.player.name),
            "cards": state.counts.get(contestant.player.holder.pk, 0),
            "mine": view.is_viewer(name),
            "hand": chips(view, hands[name]) if name in hands else None,
        }
        for contestant in among
    ]


def tables(
    state: State, among: Iterable[Contestant], rows: int = 4, moved: Iterable[Move] = ()
) -> list[tuple[str, SimpleNamespace]]:
    """The table of these with its public counts of cards (Regulation 225), for a wide and a narrow
    page, in so many rows at most. Those of the moves are seen that the game's newest entry made."""
    holders = {contestant.player.name: contestant.player.holder.pk for contestant in among}
    counts = state.counts_of(state.deck.pk, *holders.values())
    held = {name: counts[holder] for name, holder in holders.items()}
    deck = counts[state.deck.pk]
    widths = (("only-wide", drawing.WIDE), ("only-narrow", drawing.NARROW))
    newest = state.table.game.last_entry
    moves = [(move.giver, move.receiver) for move in moved if move.entry == newest]
    return [(only, drawing.table(held, deck, width, rows, moves)) for only, width in widths]


def ranked(view: View) -> QuerySet[Contestant]:
    """The contestants in the order of their joining; after the Reckoning the worthiest first."""
    members = view.state.contest.contestants.filter(active=True)
    contestants = members.select_related("player__holder")
    if not view.state.is_reckoned:
        return contestants.order_by("turn")
    return contestants.order_by(Coalesce("worth", 0.0).desc(), "turn")


def first_of(view: View) -> list[Contestant]:
    """The first contestants as they are `ranked`, at most MOST_LISTED."""
    return list(ranked(view)[:MOST_LISTED])


def chips(view: View, hand: Mapping[str, int]) -> list[tuple[str, int, str]]:
    """The suits of a hand, how many cards of each, and the name of its colour."""
    colours = view.state.public_charts.colours
    return [(suit, count, colours.get(suit, "")) for suit, count in hand.items() if count]


def results(view: View) -> dict[str, Any] | None:
    """Who are the Finalists, who became Semigenius, and whether the hands are marked; None before
    the Moment of Reckoning."""
    state = view.state
    if not state.is_reckoned:
        return None
    return {
        "finalists": state.finalists,
        "semigenius": state.semigenius,
        "are_counted": state.contest.worths_in is not None,
        "podium": worthiest(view),
    }


def worthiest(view: View) -> list[Placed]:
    """The best three places of a contest that was reckoned; nobody before the hands are marked. One
    query."""
    reckoned = view.state.contest
    if reckoned.worths_in is None:
        return []
    marked = Contestant.objects.filter(contest=reckoned, worth__gt=0).order_by("-worth", "pk")
    worths = marked.values_list("player__name", "worth")[:_MOST_WORTHY]
    return podium({name: worth or 0 for name, worth in worths}, marks)


# What the Contestmaster does, or is done in their place


_BY_HAND = {
    PUT_UP: "The Contestmaster puts proposals up for vote by hand.",
    ANNOUNCE: "The Contestmaster announces adoptions by hand: a regulation takes effect then.",
}


def kept_by_hand(view: View) -> list[str]:
    """A sentence for each duty that the Contestmaster keeps, which the system does otherwise."""
    if view.state.is_over:
        return []
    return [sentence for duty, sentence in _BY_HAND.items() if view.state.by_hand(duty)]


def tabled(view: View, act: Motion) -> dict[str, Any]:
    """An act that the Contestmaster has announced and that waits, as everybody may read of it, with
    what was said for and against it."""
    terms = unless_broken(lambda: terms_of(view.state.public_charts, act.inputs["kind"]), None)
    spoken: dict[str, list[str]] = {side: [] for side in Voice.Side.values}
    for voice in act.voices.all():
        spoken[voice.side].append(voice.player.name)
    has_spoken = any(view.is_viewer(name) for names in spoken.values() for name in names)
    return {
        "number": act.number,
        "entry": act.entry,
        "due": act.due,
        "request": act.inputs.get("request"),
        "does": TABLED_ACTS.intent(act.inputs),
        "needs": terms.objections if terms else 0,
        "objectors": spoken[Voice.Side.OBJECTS],
        "supporters": spoken[Voice.Side.SUPPORTS],
        "by_support": terms is not None and terms.by_support,
        "may_speak": view.contestant is not None and not has_spoken and not view.state.is_reckoned,
    }


# What happened


def moves(view: View) -> QuerySet[Move]:
    """Every move of cards, the newest first."""
    return view.state.contest.moves.order_by("-pk")


def requests(view: View) -> QuerySet[Request]:
    """Every request for judgement, the newest first."""
    return view.state.contest.requests.select_related("by").order_by("-number")


def public_story(view: View) -> dict[str, Any]:
    """The public history of the contest, the newest first: entries, moves of cards, requests for
    judgement, and whether there are more of these."""
    entries = view.table.game.entries.of_subgame("aceofspades").order_by("-seq")
    moved, asked = list(moves(view)[: _MOST_MOVES + 1]), list(requests(view)[: _MOST_REQUESTS + 1])
    return {
        "entries": entries[:_MOST_ENTRIES],
        "moves": moved[:_MOST_MOVES],
        "more_moves": len(moved) > _MOST_MOVES,
        "requests": asked[:_MOST_REQUESTS],
        "more_requests": len(asked) > _MOST_REQUESTS,
    }


# What may be done


_FOLDED = (
    ("offer", "Offer cards for cards"),
    ("transfer", "Give cards away"),
    ("ally", "Form an alliance"),
    ("reveal_regulation", "Pay to read a secret regulation"),
    ("grant_ntk", "Let somebody else read a regulation"),
    ("request_judgement", "Ask for a judgement"),
    ("leave", "Leave the contest"),
)
_TOGETHER = ("judge", "table_remedy", "publish_regulation", "withdraw_act")


def page_forms(game_page: GamePage) -> dict[str, Any]:
    """The viewer's forms in the contest now, by the action's name, and why others are `not_now`.

    `folded` are those that stand under a title each, `together` those of the vacant office.
    """
    room = next(iter(choices(game_page, "aceofspades")), None)
    forms = {form.action.name.partition(".")[2]: form for form in room.page_forms} if room else {}
    folded = [(name, title, forms[name]) for name, title in _FOLDED if name in forms]
    return {
        "page_forms": forms,
        "folded": folded,
        "together": [forms[name] for name in _TOGETHER if name in forms],
        "not_now": room.not_now if room else [],
    }


MOST_OFFERS = 20


def offers(view: View) -> tuple[list[dict[str, Any]], bool]:
    """The offers that the viewer may see, those still open first, and whether there are more. Each
    tells what it is to the viewer: `lacks` are the cards that they have too few of."""
    hand = view.own_hand() or {}
    seen, shown, plays = view.offers(MOST_OFFERS + 1), [], view.contestant is not None
    for offer in seen[:MOST_OFFERS]:
        mine = plays and offer.by is not None and view.is_viewer(offer.by)
        for_me = plays and _is_among(view, offer.to)
        is_open = not offer.end and not view.state.is_over
        short = missing(hand, offer.gives if mine else offer.takes)
        shown.append(
            {
                "offer": offer,
                "end": offer.end or ("" if is_open else "lapsed"),
                "mine": mine,
                "for_me": for_me,
                "lacks": describe_cards(short) if short and is_open and (mine or for_me) else "",
            }
        )
    return shown, len(seen) > MOST_OFFERS


def pacts(view: View) -> list[dict[str, Any]]:
    """The alliances yet to be agreed that the viewer may see, each with for whom it waits; none
    once all is reckoned."""
    rows = []
    for pact in () if view.state.is_over else view.pacts:
        missing = [name for name in pact.members if name not in pact.agreed]
        rows.append(
            {
                "code": pact.code,
                "others": _others(view, pact.members),
                "waits_for": _others(view, missing),
                "mine": _is_among(view, pact.members),
                "waits_for_me": _is_among(view, missing),
            }
        )
    return rows


def own_alliances(view: View) -> list[tuple[int, list[str]]]:
    """The alliances that the viewer is in, each with its other members."""
    return [
        (alliance.number, _others(view, alliance.members or []))
        for alliance in view.alliances
        if _is_among(view, alliance.members)
    ]


def alliances(view: View) -> list[dict[str, Any]]:
    """The alliances in the order of their numbers: size and total worth for everybody, members for
    who may know them (225, 230)."""
    return [
        {**alliance, "mine": _is_among(view, alliance.get("members"))}
        for alliance in alliances_to_dicts(view)
    ]


def _is_among(view: View, names: Collection[str] | None) -> bool:
    return any(map(view.is_viewer, names or ()))


def _others(view: View, names: list[str]) -> list[str]:
    return [name for name in names if not view.is_viewer(name)]


# Proposals


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposal: what the viewer may see of it, their own vote, and whether they may vote now.

    `needs_all` where all contestants have to be for it (Regulation 101). `ripe` is the game moment
    from which majorities decide it, `ripe_wall` the wall's. `warnings` say what no regulation would
    decide any more with it, and what nothing would carry out.
    """

    proposal: Proposal
    status: str
    text: str | None
    counts: tuple[int, int] | None
    vote: str
    may_vote: bool
    needs_all: bool
    is_ripe: bool
    ripe: datetime | None
    ripe_wall: datetime | None
    warnings: tuple[str, ...] = ()

    @property
    def tone(self) -> str:
        """The style sheet's name for how it stands."""
        return _TONES.get(self.status, "")

    @property
    def history(self) -> list[tuple[str, int]]:
        """In which entry it came to be what it is, step by step."""
        it = self.proposal
        put_up = it.up_in if it.up_in != it.entry else None
        steps = (
            ("Proposed in", it.entry),
            ("up for vote in", put_up),
            ("decided in", it.decided_in),
            ("in force since", it.effective_in),
        )
        return [(words, entry) for words, entry in steps if entry]

    @property
    def gist(self) -> str:
        """The beginning of the prose on one line, and whether a program follows it; of a table what
        its rows say, without its head and its strokes."""
        lines = (self.text or "").partition("\n```")[0].splitlines()
        words: list[str] = []
        for line, below in zip(lines, [*lines[1:], ""], strict=True):
            if not line.lstrip().startswith("|"):
                words.append(line)
            elif not _STROKES.fullmatch(line) and not _STROKES.fullmatch(below):
                words.append(" ".join(map(str.strip, line.strip().strip("|").split("|"))) + ".")
        prose = " ".join(" ".join(words).split())
        if len(prose) > _MOST_GIST_OF_PROPOSAL:
            prose = prose[:_MOST_GIST_OF_PROPOSAL].rsplit(" ", 1)[0] + "…"
        return prose or "It has a program and no prose."


def proposal_rows(game_page: GamePage, view: View, among: Iterable[Proposal]) -> list[ProposalRow]:
    """Those proposals as the viewer may see them."""
    return [_row(game_page, view, proposal) for proposal in among]


def _row(game_page: GamePage, view: View, proposal: Proposal) -> ProposalRow:
    ripe = None
    if proposal.is_up and not view.state.is_over:
        ripe = unless_broken(
            lambda: view.state.decided_from(proposal, view.state.public_charts), None
        )
    plays = view.contestant is not None and not view.state.is_over
    vote, text = view.own_votes.get(proposal.number, ""), view.proposal_text(proposal)
    advice: tuple[str, ...] = ()
    if text is not None and proposal.effective_in is None and proposal.verdict in ("", "adopted"):
        advice = warnings(view.state.table, proposal.regulation_number, text, proposal.visibility)
    return ProposalRow(
        proposal=proposal,
        status=status_of(view.state, proposal),
        text=text,
        counts=view.counts(proposal),
        vote=vote,
        may_vote=proposal.is_up and plays and not vote,
        needs_all=ripe is not None
        and contest.needs_consent_of_all(proposal.regulation_number, view.state.public_charts),
        is_ripe=ripe is not None and ripe <= game_page.now,
        ripe=ripe,
        ripe_wall=game_page.wall_of(ripe),
        warnings=advice,
    )
