"""What one viewer may see of the contest: the only room that shows what is not for everybody.

Regulation 104 lets each be told what they may know. Each question asks the table of matrix.py
first. What may not be seen is None, or absent from a list; nothing stands in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Q, QuerySet

from aceofspades.models import Contestant, Offer, Proposal, Vote
from aceofspades.secrecy import matrix as disclosure
from aceofspades.secrecy import vault
from aceofspades.secrecy.between import Ties, all_ties, ties
from aceofspades.secrecy.matrix import Eye, Matter, Since, may_see
from aceofspades.secrecy.viewer_queries import Affairs, read_affairs, read_everything
from aceofspades.state.reading import RegulationInBook, State, state_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.record.models import Entry

_MOST_OFFERS = 500
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Pledge:
    """An alliance yet to be agreed: its code, who would be in it, and who of them has agreed."""

    code: str
    members: list[str]
    agreed: list[str]


class Sight:
    """The contest as one viewer may see it; `viewer` is None for somebody without a seat."""

    def __init__(self, table: Table, viewer: Player | None) -> None:
        self.table = table
        self.viewer = viewer
        self.state: State = state_of(table)

    @cached_property
    def own(self) -> Contestant | None:
        """The viewer as a current contestant."""
        return self.state.contestant(self.viewer)

    @cached_property
    def in_office_since(self) -> int | None:
        """The entry in which the viewer became Contestmaster; None for who is not."""
        return self.state.master_since(self.viewer)

    @property
    def is_contestmaster(self) -> bool:
        """Whether the viewer holds the office now."""
        return self.in_office_since is not None

    @cached_property
    def since(self) -> Since | None:
        """Where the viewer's knowledge of what is between contestants begins, if they became
        Contestmaster in the midst of the contest; None for anybody else, and once all is public."""
        entry = self.in_office_since
        if entry is None or entry < self.state.first_joined_in or self.state.is_reckoned:
            return None
        return Since(entry, Entry.objects.get(game=self.table.game, seq=entry).at)

    def may(
        self, matter: Matter, *eyes: Eye, decided: bool = False, came: int | None = None
    ) -> bool:
        """Whether the viewer, who is these eyes to a thing, may see that matter of it.

        `came` is the entry in which the thing came to be: the Contestmaster sees what has come
        since they took the office. Left out, it is about everything between contestants, which
        began with the first joining.
        """
        seen_by = set(eyes)
        if self.in_office_since is not None:
            began = self.state.first_joined_in if came is None else came
            if began > self.in_office_since:
                seen_by.add(Eye.CONTESTMASTER)
        return may_see(matter, seen_by, reckoned=self.state.is_reckoned, decided=decided)

    def is_viewer(self, name: str) -> bool:
        """Whether that is the viewer's own name."""
        return self.viewer is not None and self.viewer.name == name

    # Cards

    def own_hand(self) -> dict[str, int] | None:
        """The viewer's own cards by suit, a former contestant's as well; None for who has none."""
        if self.viewer is None:
            return None
        if self.own is None and not self.state.counts.get(self.viewer.holder.pk):
            return None
        if "_all_cards" in self.__dict__:
            return self._by_suit(self.viewer.holder.pk)
        return self._known_suits(vault.hand_of(self.state, self.viewer))

    @cached_property
    def all_hands(self) -> dict[str, dict[str, int]]:
        """Every current contestant's hand, for the counting of worths; shown to nobody."""
        none = dict.fromkeys(self.state.charts.suits, 0)
        return {
            each.player.name: {**none, **self._all_cards.get(each.player.holder.pk, {})}
            for each in self.state.contestants
        }

    @cached_property
    def _all_cards(self) -> dict[int, dict[str, int]]:
        return vault.all_cards(self.state)

    @cached_property
    def hands(self) -> dict[str, dict[str, int]]:
        """The hands of current contestants whose suits the viewer may see, by name."""
        if not self.may(disclosure.HAND_SUITS) and self.since is None:
            hand = self.own_hand() if self.own else None
            return {self.own.player.name: hand} if self.own and hand is not None else {}
        older = vault.had_cards_by(self.state, self.since) if self.since else ()
        return {
            each.player.name: self._by_suit(each.player.holder.pk)
            for each in self.state.contestants
            if each.player.holder.pk not in older
        }

    def deck_suits(self) -> dict[str, int] | None:
        """What the Deck has of each suit, for who may see it."""
        return self._by_suit(self.state.deck.pk) if self.may(disclosure.DECK_SUITS) else None

    def _by_suit(self, holder: int) -> dict[str, int]:
        return self._known_suits(self._all_cards.get(holder, {}))

    def _known_suits(self, held: Mapping[str, int]) -> dict[str, int]:
        """These cards by suit, with 0 of each suit that everybody knows."""
        had = [suit for suit, count in held.items() if count]
        return {suit: held.get(suit, 0) for suit in dict.fromkeys([*self.state.told.suits, *had])}

    # The book

    def knows(self, regulation: RegulationInBook) -> Eye | None:
        """The need to know that the viewer has for that regulation."""
        for knower in self.state.knowers.get(regulation.pk, ()):
            if self.is_viewer(knower.name):
                return Eye.FULL if knower.full else Eye.LIMITED
        return None

    def may_read(self, regulation: RegulationInBook) -> bool:
        """Whether the viewer may have that regulation's text."""
        if regulation.is_public:
            return True
        matter = _text_of(regulation.visibility)
        came = self.state.written_in[regulation.pk] if self.is_contestmaster else 0
        if self.may(matter, came=came):
            return True
        eye = self.knows(regulation) if matter is disclosure.PRIVATE_TEXT else None
        return eye is not None and self.may(matter, eye)

    def text(self, regulation: RegulationInBook) -> str | None:
        """The regulation's text for who may have it."""
        return regulation.text if self.may_read(regulation) else None

    # Proposals and votes

    def proposal_text(self, proposal: Proposal) -> str | None:
        """The proposed text for who may have it, or the regulation's that came of it."""
        if proposal.visibility == "public":
            return proposal.text
        own = self.viewer is not None and proposal.by_id == self.viewer.pk
        matter = disclosure.PRIVATE_PROPOSAL if _is_private(proposal) else disclosure.SECRET_TEXT
        if self.may(matter, *([Eye.OWN] if own else []), came=proposal.entry):
            return proposal.text
        return proposal.text if self._reads_what_came_of(proposal) else None

    def _reads_what_came_of(self, proposal: Proposal) -> bool:
        """Whether it is in force under its number, and the viewer may read it there."""
        if proposal.effective_in is None:
            return False
        regulation = self.state.regulation(proposal.regulation_number)
        if regulation is None or not hasattr(proposal, "regulation"):
            return False
        return proposal.regulation.pk == regulation.pk and self.may_read(regulation)

    def counts(self, proposal: Proposal) -> tuple[int, int] | None:
        """The votes FOR and AGAINST: once it is decided for everybody, before for who may see."""
        if proposal.verdict:
            return proposal.for_votes or 0, proposal.against_votes or 0
        came = proposal.up_in
        if came is None or not self.may(disclosure.RUNNING_COUNTS, came=came):
            return None
        if "every_vote" in self.__dict__ and self.may(disclosure.VOTE, came=came):
            return self._counted(proposal)
        return self._running.get(proposal.pk, (0, 0))

    def _counted(self, proposal: Proposal) -> tuple[int, int]:
        """The votes of current contestants on it, out of everybody's."""
        here = {each.player.name for each in self.state.contestants}
        votes = self.every_vote.get(proposal.number, {})
        ways = Counter(way for name, way in votes.items() if name in here)
        return ways[Vote.Way.FOR], ways[Vote.Way.AGAINST]

    @cached_property
    def _running(self) -> dict[int, tuple[int, int]]:
        return vault.tallies(self.state.up_for_vote)

    @cached_property
    def own_votes(self) -> Mapping[int, str]:
        """The viewer's own votes by the proposal's number."""
        return vault.votes_of(self.own, self.state)

    @cached_property
    def affairs(self) -> Affairs:
        """The viewer's own votes and notices, and the offers that they may see, as a page shows
        them: at most 20 of each, in one query."""
        found = read_affairs(self.state, self.own, self.offers_seen(), _SHOWN)
        self.own_votes = found.votes
        return found

    def read_everything(self) -> list[dict[str, Any]]:
        """Read in one query what a program asks for: hands, alliances and votes as the viewer may
        see them. Returns the offers that they may see, the newest first, at most 500."""
        numbers = self._votes_seen
        found = read_everything(
            self.state, self.own, self.offers_seen(), _MOST_OFFERS, all_votes=bool(numbers)
        )
        names = {each.pk: each.player.name for each in self.state.contestants}
        self.own_votes = found.votes
        self.every_vote = {number: found.every_vote.get(number, {}) for number in numbers}
        self._all_cards = found.held
        self.state.counts = {holder: sum(held.values()) for holder, held in found.held.items()}
        self.leagues = {
            number: [name for key, name in names.items() if key in members]
            for number, members in found.leagues.items()
        }
        return found.offers

    def votes(self, proposal: Proposal) -> dict[str, str] | None:
        """Everybody's vote on it by name, for who may see each; None for who may not."""
        if not self.may(disclosure.VOTE, came=proposal.up_in or 0):
            return None
        rows = Vote.objects.filter(proposal=proposal).order_by("contestant__turn")
        return dict(rows.values_list("contestant__player__name", "way"))

    @property
    def _votes_seen(self) -> list[int]:
        """The numbers of the proposals on which the viewer may see each vote."""
        if not self.is_contestmaster and not self.state.is_reckoned:
            return []
        return [
            each.number
            for each in self.state.proposals
            if self.may(disclosure.VOTE, came=each.up_in or 0)
        ]

    @cached_property
    def every_vote(self) -> dict[int, dict[str, str]]:
        """Everybody's votes by the proposal's number, for who may see each; one query."""
        found: dict[int, dict[str, str]] = {number: {} for number in self._votes_seen}
        if not found:
            return {}
        rows = Vote.objects.filter(proposal__contest=self.state.contest, proposal__number__in=found)
        columns = ("proposal__number", "contestant__player__name", "way")
        for number, name, way in rows.order_by("contestant__turn").values_list(*columns):
            found[number][name] = way
        return found

    # Between contestants

    def offers_seen(self) -> QuerySet[Offer]:
        """The offers that the viewer may see."""
        rows = Offer.objects.filter(contest=self.state.contest)
        if self.may(disclosure.OFFER):
            return rows
        if self.since is not None:
            return rows.filter(at__gt=self.since.at)
        if self.own is None:
            return rows.none()
        got = Offer.to.through.objects.filter(contestant=self.own).values("offer")
        return rows.filter(Q(by=self.own) | Q(pk__in=got))

    def named(self, name: str | None, matter: Matter, *, hidden: bool) -> str | None:
        """That name of the party to an offer that the viewer may see; None where they are `hidden`
        and not for the viewer."""
        if name is None or not hidden:
            return name
        return name if self.may(matter, *self._own_eye(name), came=self.table.seq) else None

    def receivers(self, by: str, to: list[str], *, hidden: bool) -> list[str]:
        """Those of whom the viewer may know that `by` makes them an offer. Where the offerer is
        `hidden`, none but the viewer: who is missing from the list would be told by it."""
        if not hidden or self.may(disclosure.OFFERER, *self._own_eye(by), came=self.table.seq):
            return to
        return [name for name in to if self.is_viewer(name)]

    @cached_property
    def leagues(self) -> dict[int, list[str]]:
        """The members of each alliance by its number, for who may count their worth: a page tells
        the members to those alone whom `may_know_members` names."""
        names = {each.pk: each.player.name for each in self.state.contestants}
        return {
            band.number: [name for key, name in names.items() if key in band.members]
            for band in self._ties.bands
        }

    @cached_property
    def _ties(self) -> Ties:
        return all_ties(self.state) if self.own is None else ties(self.state, self.own)

    def may_know_members(self, number: int, names: Collection[str]) -> bool:
        """Whether the viewer may know that these are the members of the alliance of that number."""
        eyes = [Eye.MEMBER] if self.viewer and self.viewer.name in names else []
        if self.may(disclosure.ALLIANCE_MEMBERS, *eyes):
            return True
        return number in self._alliances_since

    @cached_property
    def _alliances_since(self) -> frozenset[int]:
        return vault.allied_after(self.state, self.since) if self.since else frozenset()

    def promises(self) -> list[Pledge]:
        """The alliances yet to be agreed that the viewer may see, with the names of who would be
        in them and who has agreed."""
        if self.own is None and not self.may(disclosure.PACT) and self.since is None:
            return []
        names = {each.pk: each.player.name for each in self.state.everybody}
        newer = vault.pledged_after(self.state, self.since) if self.since else None
        return [
            Pledge(
                pact.code,
                [name for key, name in names.items() if key in pact.members],
                [name for key, name in names.items() if key in pact.agreed],
            )
            for pact in self._ties.promises
            if newer is None or pact.pk in newer
        ]

    def _own_eye(self, name: str) -> list[Eye]:
        return [Eye.OWN] if self.is_viewer(name) else []


def _text_of(visibility: str) -> Matter:
    return {
        "public": disclosure.PUBLIC_TEXT,
        "private": disclosure.PRIVATE_TEXT,
        "secret": disclosure.SECRET_TEXT,
    }[visibility]


def _is_private(proposal: Proposal) -> bool:
    return proposal.visibility == "private"
