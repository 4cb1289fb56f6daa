"""All that stands between contestants at once, for the Contestmaster alone; one query, and some
more for who took the office in the midst of the contest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, F, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from aceofspades.events.scoring import last_marking
from aceofspades.marking.counting import ask
from aceofspades.models import Alliance, Contest, Offer, Vote
from aceofspades.office import undisclosed
from aceofspades.rules.charts import ChartBroken
from aceofspades.rules.marks import Answer, Question
from aceofspades.secrecy import matrix as disclosure
from aceofspades.secrecy import vault
from aceofspades.secrecy.matrix import Since
from aceofspades.secrecy.secrets import Sight
from aceofspades.state.reading import FAMILY, State, suit_of
from nomic.ledger.models import Balance

_MOST_OFFERS = 60
_EVERYTHING = (
    disclosure.HAND_SUITS,
    disclosure.DECK_SUITS,
    disclosure.HAND_WORTH,
    disclosure.ALLIANCE_MEMBERS,
    disclosure.OFFER,
    disclosure.OFFERER,
    disclosure.RUNNING_COUNTS,
    disclosure.TABLED_DETAILS,
    disclosure.NOTICE,
    disclosure.TRANSFERRED_SUITS,
)


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest of something, the newest first, and how many there are in all."""

    rows: list[dict[str, Any]]
    total: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Hands by name and suit in the order of first joining, the Deck, the members of each alliance
    by its number, the votes FOR and AGAINST by a proposal's key, the open offers, the newest
    first: at most 60. Then the sealed parts of tabled acts, what contestants were told, and the
    entries in which cards moved: at most 20 of each.

    All of it since the viewer's knowledge begins. `deck` is None where it began in the midst of the
    contest: what a Deck has left is known from its beginning on or not at all.
    """

    suits: tuple[str, ...]
    hands: Mapping[str, Mapping[str, int]]
    deck: Mapping[str, int] | None
    alliances: Mapping[int, list[str]]
    counts: Mapping[int, tuple[int, int]]
    offers: Newest
    sealed: Newest
    notices: Newest
    moved: Newest


def overview(sight: Sight) -> Overview | None:
    """What there is now that the viewer may know; None for who keeps no contest."""
    state, since = sight.state, sight.since
    if since is None and not all(sight.may(matter) for matter in _EVERYTHING):
        return None
    row: dict[str, Any] = _rows(sight).get()
    held: dict[int, dict[str, int]] = {}
    for each in row["held"]:
        held.setdefault(each["holder"], {})[suit_of(each["asset"])] = each["cards"]
    suits = _suits(state, held)
    votes = {(each["proposal"], each["way"]): each["count"] for each in row["voted"]}

    def by_suit(holder: int) -> dict[str, int]:
        return {suit: held.get(holder, {}).get(suit, 0) for suit in suits}

    hidden = vault.had_cards_by(state, since) if since else ()
    return Overview(
        suits=suits,
        hands={
            each.player.name: by_suit(each.player.holder.pk)
            for each in state.contestants
            if each.player.holder.pk not in hidden
        },
        deck=None if since else by_suit(state.deck.pk),
        alliances={each["number"]: each["members"] for each in row["allied"]},
        counts={
            each.pk: (
                votes.get((each.pk, Vote.Way.FOR), 0),
                votes.get((each.pk, Vote.Way.AGAINST), 0),
            )
            for each in state.up_for_vote
            if sight.may(disclosure.RUNNING_COUNTS, came=each.up_in)
        },
        offers=Newest(row["offered"], row["all_offered"]),
        sealed=Newest(row["sealed"], row["all_sealed"]),
        notices=Newest(row["noticed"], row["all_noticed"]),
        moved=Newest(row["moved"], row["all_moved"]),
    )


def appraise(state: State, seen: Overview) -> Answer | None:
    """The worth of each hand, with what is wrong with which marking regulation (118, 119); None
    until the worker has counted it, where no table says which regulations mark, and where not all
    hands are known. What the Moment of Reckoning has made of the hands is not counted again."""
    if state.contest.worths_in is not None:
        marked = last_marking(state)
        errors = {int(number): why for number, why in marked["errors"].items()}
        return Answer(dict(marked["worths"]), errors)
    if seen.deck is None:
        return None
    try:
        programs = vault.programs(state)
    except ChartBroken:
        return None
    leagues = tuple(tuple(members) for members in seen.alliances.values())
    return ask(Question(hands=seen.hands, alliances=leagues, programs=programs))


def _suits(state: State, held: Mapping[int, Mapping[str, int]]) -> tuple[str, ...]:
    """The suits that are defined in their order, and any other of which somebody has cards."""
    try:
        defined = state.charts.suits
    except ChartBroken:
        defined = ()
    others = {suit for cards in held.values() for suit in cards} - set(defined)
    return (*defined, *sorted(others))


def _rows(sight: Sight) -> QuerySet[Contest, Any]:
    state, offers = sight.state, sight.offers_seen().filter(end="")
    return Contest.objects.filter(pk=state.contest.pk).values(
        held=ArraySubquery(_held(state)),
        allied=ArraySubquery(_allied(sight.since)),
        voted=ArraySubquery(_voted()),
        offered=ArraySubquery(_told(offers)[:_MOST_OFFERS]),
        all_offered=undisclosed.how_many(offers, "contest", Count("pk")),
        **undisclosed.columns(state, sight.since),
    )


def _held(state: State) -> QuerySet[Any, Any]:
    rows = Balance.objects.filter(
        asset__game=state.table.game, asset__family=FAMILY, is_mint=False, amount__gt=0
    )
    facts = JSONObject(holder=F("holder"), asset=F("asset__name"), cards=F("amount"))
    return rows.order_by().values(told=facts)


def _allied(since: Since | None) -> QuerySet[Any, Any]:
    members = Alliance.members.through.objects.filter(
        alliance=OuterRef("pk"), contestant__active=True
    )
    names = ArraySubquery(members.order_by("contestant__turn").values("contestant__player__name"))
    rows = Alliance.objects.filter(contest=OuterRef("pk"), over_at__isnull=True)
    if since is not None:
        rows = rows.filter(formed_at__gt=since.at)
    return rows.order_by("number").values(told=JSONObject(number=F("number"), members=names))


def _voted() -> QuerySet[Any, Any]:
    rows = Vote.objects.filter(
        proposal__contest=OuterRef("pk"), proposal__verdict="", contestant__active=True
    )
    counted = rows.order_by().values("proposal", "way").annotate(count=Count("pk"))
    facts = JSONObject(proposal=F("proposal"), way=F("way"), count=F("count"))
    return counted.values(told=facts)


def _told(offers: QuerySet[Offer]) -> QuerySet[Any, Any]:
    to = Offer.to.through.objects.filter(offer=OuterRef("pk")).order_by("contestant__turn")
    facts = {name: F(name) for name in ("code", "gives", "takes", "anonymous")}
    told = JSONObject(
        **facts, by=F("by__player__name"), to=ArraySubquery(to.values("contestant__player__name"))
    )
    return offers.order_by("-at", "-pk").values(told=told)
