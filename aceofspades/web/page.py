"""What the contest's page shows of its state, as the viewer may see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from aceofspades.actions.voices import terms_of
from aceofspades.events.carrying import intent
from aceofspades.models import Contestant
from aceofspades.rules.charts import ChartBroken
from aceofspades.secrecy import matrix as disclosure
from aceofspades.secrecy.secrets import Sight
from aceofspades.state.reading import Knower, RegulationInBook
from aceofspades.web.story import Story
from nomic.standard.rules import Terms
from nomic.web.action_forms import choices
from nomic.web.game_page import GamePage

MOST_LISTED = 40
_MOST_GIST = 120


# The book


@dataclass(frozen=True, slots=True)
class Leaf:
    """A regulation in the book: `text` where the viewer may read it."""

    regulation: RegulationInBook
    text: str | None
    knowers: list[Knower]
    hints: list[str]

    @property
    def known_to(self) -> list[str]:
        """Who may read it, each with what that does not allow."""
        return [each.name if each.full else f"{each.name} (limited)" for each in self.knowers]

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
    leaves: list[Leaf]
    is_open: bool

    @property
    def hidden(self) -> int:
        """How many of them the viewer may not read."""
        return sum(leaf.text is None for leaf in self.leaves)

    @property
    def span(self) -> str:
        """Their first and last number: “101–125”."""
        first, last = self.leaves[0], self.leaves[-1]
        if first is last:
            return str(first.regulation.number)
        return f"{first.regulation.number}–{last.regulation.number}"


def leaf(sight: Sight, regulation: RegulationInBook, hints: Mapping[int, list[str]]) -> Leaf:
    """That regulation as the viewer may read it."""
    knowers = sight.state.knowers.get(regulation.pk, [])
    return Leaf(regulation, sight.text(regulation), knowers, hints.get(regulation.pk, []))


def chapters(sight: Sight, story: Story) -> list[Chapter]:
    """The book by the kinds of regulations that it has, each in ascending number."""
    sorts: tuple[tuple[str, str, bool], ...] = (
        ("Marking Regulations", "what a hand is worth", True),
        ("Mutable regulations", "cards, offers, who may know what", False),
        ("Immutable regulations", "how the contest is held", False),
    )
    found: dict[int, list[Leaf]] = {}
    for each in sight.state.regulations:
        found.setdefault(_sort(sight, each), []).append(leaf(sight, each, story.hints))
    return [
        Chapter(title, about, found[place], is_open)
        for place, (title, about, is_open) in enumerate(sorts)
        if place in found
    ]


def _sort(sight: Sight, regulation: RegulationInBook) -> int:
    if regulation.rule_class == "immutable":
        return 2
    try:
        return 0 if sight.state.told.is_marking(regulation.number) else 1
    except ChartBroken:
        return 1


# Who plays


@dataclass(frozen=True, slots=True)
class Row:
    """A contestant with the public figures (Regulation 225), and the hand for who may see it."""

    contestant: Contestant
    name: str
    cards: int
    mine: bool
    hand: list[tuple[str, int, str]] | None


def rows(sight: Sight, among: Iterable[Contestant]) -> list[Row]:
    """Those contestants as the viewer may see them."""
    state = sight.state
    seen = sight.hands if may_see_hands(sight) else {}
    return [
        Row(
            contestant=each,
            name=(name := each.player.name),
            cards=state.counts.get(each.player.holder.pk, 0),
            mine=sight.is_viewer(name),
            hand=chips(sight, seen[name]) if name in seen else None,
        )
        for each in among
    ]


def ranked(sight: Sight) -> list[Contestant]:
    """The contestants in the order of their joining; after the Reckoning the worthiest first."""
    state = sight.state
    if not state.is_reckoned:
        return state.contestants
    return sorted(state.contestants, key=lambda each: (-(each.worth or 0), each.turn))


def foremost(sight: Sight) -> list[Row]:
    """The first of the contestants, and the viewer wherever they stand."""
    order = ranked(sight)
    shown = order[:MOST_LISTED]
    if sight.own is not None and sight.own not in shown:
        shown = [*shown, sight.own]
    return rows(sight, shown)


def chips(sight: Sight, hand: Mapping[str, int]) -> list[tuple[str, int, str]]:
    """The suits of a hand, how many cards of each, and the name of its colour."""
    colours = sight.state.told.colours
    return [(suit, count, colours.get(suit, "")) for suit, count in hand.items() if count]


def may_see_hands(sight: Sight) -> bool:
    """Whether the viewer sees others' hands: all, or those that came to be while they have been
    Contestmaster."""
    return sight.may(disclosure.HAND_SUITS) or sight.since is not None


@dataclass(frozen=True, slots=True)
class Results:
    """What came of the Moment of Reckoning: who are the Finalists, who became Semigenius."""

    finalists: list[str]
    semigenius: list[Contestant]
    are_counted: bool


def results(sight: Sight) -> Results | None:
    """The results; None before the Moment of Reckoning."""
    state = sight.state
    if not state.is_reckoned:
        return None
    chosen = [each for each in state.everybody if each.semigenius_in is not None]
    return Results(
        finalists=[each.player.name for each in state.everybody if each.finalist],
        semigenius=sorted(chosen, key=lambda each: each.semigenius_in or 0),
        are_counted=state.contest.worths_in is not None,
    )


# What is tabled


@dataclass(frozen=True, slots=True)
class Intent:
    """An act that the Contestmaster has announced, and what was said for and against it."""

    act: Mapping[str, Any]
    does: str
    needs: int
    objectors: list[str]
    supporters: list[str]
    by_support: bool
    may_speak: bool


def intents(sight: Sight, story: Story) -> list[Intent]:
    """The tabled acts that wait."""
    return [_intent(sight, act) for act in story.tabled]


def _intent(sight: Sight, act: Mapping[str, Any]) -> Intent:
    terms = _terms(sight, act["kind"])
    spoken: dict[str, list[str]] = {"objects": [], "supports": []}
    for voice in act["voices"]:
        spoken[voice["way"]].append(voice["name"])
    own = sight.own
    has_spoken = own is not None and any(each["of"] == own.pk for each in act["voices"])
    return Intent(
        act=act,
        does=intent(act["kind"], act["details"]),
        needs=terms.objections if terms else 0,
        objectors=spoken["objects"],
        supporters=spoken["supports"],
        by_support=terms is not None and terms.by_support,
        may_speak=own is not None and not has_spoken and not sight.state.is_reckoned,
    )


def _terms(sight: Sight, kind: str) -> Terms | None:
    try:
        return terms_of(sight.state, kind, sight.state.told)
    except ChartBroken:
        return None


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


def page_forms(game_page: GamePage) -> dict[str, Any]:
    """What the viewer may do now in the contest, by the action's name, and what not and why.

    `folded` are those that stand under a title each.
    """
    room = next(iter(choices(game_page, "aceofspades")), None)
    found = (
        {page_form.action.name.partition(".")[2]: page_form for page_form in room.page_forms}
        if room
        else {}
    )
    folded = [(name, title, found[name]) for name, title in _FOLDED if name in found]
    return {"page_forms": found, "folded": folded, "not_now": room.not_now if room else []}
