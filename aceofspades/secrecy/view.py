"""One viewer's sight of the contest: the only room that shows what is not for everybody.

Regulation 104 lets each be told what they may know. Each question asks the table of matrix.py
first. What may not be seen is None, or absent from a list; nothing stands in its place.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Q, QuerySet, Sum

from aceofspades.models import CardOfferQuerySet, Contestant, Notice, Offer, Pact, Proposal, Vote
from aceofspades.rules.contest import describe_cards
from aceofspades.secrecy import matrix, reader
from aceofspades.secrecy.matrix import Eye, Matter, may_see
from aceofspades.state.book import RegulationInBook
from aceofspades.state.reading import CONTESTMASTER, FAMILY, TABLED_ACT, State, state_of, suit_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.governance.models import Motion
from nomic.ledger.models import HolderKind, Posting
from nomic.record.models import Entry
from nomic.rulebook.charts import unless_broken

type Hand = dict[str, int]


@dataclass(frozen=True, slots=True)
class SeenOffer:
    """An offer as somebody sees it who may: `by` and `accepted_by` are None while unnamed; `to` are
    those alone of whom the viewer may know."""

    code: str
    by: str | None
    to: list[str]
    gives: Mapping[str, int]
    takes: Mapping[str, int]
    anonymous: bool
    at: datetime
    end: str
    accepted_by: str | None

    @property
    def given(self) -> str:
        """The offerer's side in words: the cards that they would give."""
        return describe_cards(self.gives)

    @property
    def taken(self) -> str:
        """The other side in words: the cards that the offerer would get."""
        return describe_cards(self.takes)


@dataclass(frozen=True, slots=True)
class SeenPact:
    """An alliance yet to be agreed: its code, who would be in it, and who of them has agreed."""

    code: str
    members: list[str]
    agreed: list[str]


@dataclass(frozen=True, slots=True)
class SeenAlliance:
    """An alliance: its number and size for everybody, its members for who may know them."""

    number: int
    size: int
    members: list[str] | None


@dataclass(frozen=True, slots=True)
class MovedCards:
    """An entry's change of the hands: by holder, the cards of each suit, less than 0 where lost."""

    entry: int
    at: datetime
    gains: dict[str, Hand]


class View:
    """The contest as one viewer may see it; `viewer` is None for somebody without a seat."""

    def __init__(self, table: Table, viewer: Player | None) -> None:
        self.table = table
        self.viewer = viewer
        self.state: State = state_of(table)

    @cached_property
    def contestant(self) -> Contestant | None:
        """The viewer as a current contestant; None if they are none."""
        return self.state.contestant(self.viewer)

    @cached_property
    def in_office_since(self) -> int | None:
        """The entry in which the viewer became Contestmaster; None for who is not."""
        if not self.state.is_contestmaster(self.viewer):
            return None
        return self.table.directory.since_when(self.viewer, CONTESTMASTER)

    @property
    def is_contestmaster(self) -> bool:
        """Whether the viewer holds the office now."""
        return self.in_office_since is not None

    @cached_property
    def since(self) -> Entry | None:
        """The entry with which the viewer's knowledge of what is between contestants begins, if
        they became Contestmaster in the midst of the contest; None for anybody else, and once all
        is public."""
        entry = self.in_office_since
        if entry is None or entry < self.state.first_joined_in or self.state.is_reckoned:
            return None
        return Entry.objects.get(game=self.table.game, seq=entry)

    def may(self, matter: Matter, *eyes: Eye, came: int | None = None) -> bool:
        """Whether the viewer, who is these eyes to a thing, may see that matter of it.

        `came` is the entry in which the thing came to be: the Contestmaster sees what has come
        since they took the office. Left out, it is about everything between contestants, which
        began with the first joining.
        """
        seen_by = set(eyes)
        if self.in_office_since is not None:
            began = self.state.first_joined_in if came is None else came
            # A text that was drawn or written before is nobody's to read, nor theirs (106).
            if began > self.in_office_since:
                seen_by.add(Eye.CONTESTMASTER)
        return may_see(matter, seen_by, reckoned=self.state.is_reckoned)

    def is_viewer(self, name: str) -> bool:
        """Whether that is the viewer's own name."""
        return self.viewer is not None and self.viewer.name == name

    def _visible[Rows: QuerySet[Any]](
        self, matter: Matter, rows: Rows, column: str, own_rows: Rows | None = None
    ) -> Rows:
        """Those of the rows that the viewer may see: all, those that came to be while they have
        been Contestmaster, or their own. `column` says when: "entry", or "at" for the moment."""
        if self.may(matter):
            return rows
        if self.since is not None:
            first = self.since.seq if column == "entry" else self.since.at
            return rows.filter(**{f"{column}__gt": first})
        return rows.none() if own_rows is None or self.contestant is None else own_rows

    # Cards

    @property
    def has_exchanged(self) -> bool:
        """Whether the viewer has ever exchanged cards by an offer, made or accepted."""
        if self.viewer is None:
            return False
        by_them = Q(by__player=self.viewer) | Q(accepted_by__player=self.viewer)
        return Offer.objects.filter(by_them, end=Offer.End.ACCEPTED).exists()

    def own_hand(self) -> Hand | None:
        """The viewer's own cards by suit, a former contestant's as well; None for who has none."""
        if self.viewer is None:
            return None
        (held,) = self.state.cards_of(self.viewer.holder.pk).values()
        return None if self.contestant is None and not held else self._known_suits(held)

    @property
    def sees_hands(self) -> bool:
        """Whether the viewer sees others' hands: all, or those that came to be while they have been
        Contestmaster."""
        return self.may(matrix.HAND_SUITS) or self.since is not None

    @cached_property
    def hands(self) -> dict[str, Hand]:
        """The hands of current contestants whose suits the viewer may see, by name."""
        if not self.sees_hands:
            own, hand = self.contestant, self.own_hand() if self.contestant else None
            return {str(own): hand} if own and hand is not None else {}
        # Of who had a card before, the older cards are not theirs to see: not even a part is shown.
        older = reader.had_cards_by(self.state, self.since.seq) if self.since else ()
        return {
            row.name: self._known_suits(self.state.cards.get(row.holder, {}))
            for row in self.state.current_figures
            if row.holder not in older
        }

    @cached_property
    def deck_suits(self) -> Hand | None:
        """The Deck's cards of each suit, for who may see it; None for anybody else."""
        if not self.may(matrix.DECK_SUITS):
            return None
        return self._known_suits(self.state.cards.get(self.state.deck.pk, {}))

    def _known_suits(self, held: Mapping[str, int]) -> Hand:
        """These cards by suit, with 0 of each suit that everybody knows; of none where the table of
        the suits cannot be read."""
        public = unless_broken(lambda: self.state.public_charts.suits, ())
        own = [suit for suit, count in held.items() if count]
        return {suit: held.get(suit, 0) for suit in dict.fromkeys([*public, *own])}

    def moved_cards(self, limit: int) -> tuple[list[MovedCards], int]:
        """Which suits moved in each entry that the viewer may see so, the newest first, and how
        many such entries there are."""
        moves = self._visible(matrix.TRANSFERRED_SUITS, self.state.contest.moves.all(), "entry")
        entries = moves.order_by("-entry").values_list("entry", "at").distinct()
        moved = {entry: MovedCards(entry, at, {}) for entry, at in entries[:limit]}
        of_these = {"transfer__game": self.table.game, "transfer__entry__in": moved}
        rows = Posting.objects.filter(asset__family=FAMILY, **of_these)
        rows = rows.exclude(holder__kind=HolderKind.MINT).order_by("holder__name", "asset__name")
        columns = ("transfer__entry", "holder__name", "asset__name")
        summed = rows.values_list(*columns).annotate(cards=Sum("amount")).exclude(cards=0)
        for entry, holder, asset, cards in summed:
            moved[entry].gains.setdefault(holder, {})[suit_of(asset)] = cards
        return list(moved.values()), entries.count()

    # The book

    def may_read(self, regulation: RegulationInBook) -> bool:
        """Whether the viewer may have that regulation's text."""
        if regulation.is_public:
            return True
        is_private = regulation.visibility == "private"
        matter = matrix.PRIVATE_TEXT if is_private else matrix.SECRET_TEXT
        # A text came to be when it was proposed, not when it took effect.
        came = self.state.written_in[regulation.pk] if self.is_contestmaster else 0
        if self.may(matter, came=came):
            return True
        if not is_private or self.viewer is None:
            return False
        kind = self.state.knowers.get(regulation.pk, {}).get(self.viewer.name)
        return kind is not None and self.may(matter, Eye.FULL if kind == "full" else Eye.LIMITED)

    def text(self, regulation: RegulationInBook) -> str | None:
        """The regulation's text for who may have it; None for anybody else."""
        return regulation.text if self.may_read(regulation) else None

    @cached_property
    def readable(self) -> frozenset[int]:
        """The numbers of the regulations that the viewer may read."""
        return frozenset(rule.number for rule in self.state.regulations if self.may_read(rule))

    # Proposals and votes

    def proposal_text(self, proposal: Proposal) -> str | None:
        """The proposed text for who may have it, or the regulation's that came of it."""
        if proposal.visibility == "public":
            return proposal.text
        eyes = [Eye.OWN] if self.viewer and proposal.by_id == self.viewer.pk else []
        is_private = proposal.visibility == "private"
        matter = matrix.PRIVATE_PROPOSAL if is_private else matrix.SECRET_TEXT
        if self.may(matter, *eyes, came=proposal.entry):
            return proposal.text
        if proposal.effective_in is None or not hasattr(proposal, "regulation"):
            return None
        # By key, since by now another regulation may be in force under the proposal's number.
        regulation = self.state.regulation(proposal.regulation_number)
        if regulation is None or regulation.pk != proposal.regulation.pk:
            return None
        return proposal.text if self.may_read(regulation) else None

    def counts(self, proposal: Proposal) -> tuple[int, int] | None:
        """The votes FOR and AGAINST: once it is decided for everybody, before for who may see."""
        if proposal.verdict:
            return proposal.for_votes or 0, proposal.against_votes or 0
        came = proposal.up_in
        if came is None or not self.may(matrix.RUNNING_COUNTS, came=came):
            return None
        return self._running.get(proposal.pk, (0, 0))

    @cached_property
    def _running(self) -> Mapping[int, tuple[int, int]]:
        return reader.tallies(self.state, self.state.up_for_vote)

    @cached_property
    def own_votes(self) -> dict[int, str]:
        """The viewer's own votes by the proposal's number."""
        rows = Vote.objects.filter(contestant=self.contestant, proposal__contest=self.state.contest)
        return dict(rows.values_list("proposal__number", "way")) if self.contestant else {}

    @cached_property
    def every_vote(self) -> dict[int, dict[str, str]]:
        """Everybody's votes by name, by the numbers of the proposals on which the viewer may see
        each."""
        numbers = [
            proposal.number
            for proposal in self.state.proposals
            if self.may(matrix.VOTE, came=proposal.up_in or 0)
        ]
        if not numbers:
            return {}
        rows = Vote.objects.filter(
            proposal__contest=self.state.contest, proposal__number__in=numbers
        )
        return {**{number: {} for number in numbers}, **rows.ways()}

    # Between contestants

    def offers(self, limit: int, *, only_open: bool = False) -> list[SeenOffer]:
        """The offers that the viewer may see, the open ones first and each the newest first."""
        if not only_open:
            return list(map(self._offer, self._offers().open_first().with_receivers()[:limit]))
        key = f"{limit} open offers for {self.viewer and self.viewer.pk}"
        rows = self._offers().open().open_first().with_receivers()[:limit]
        return list(map(self._offer, self.state.cached(key, lambda: list(rows))))

    def open_offers(self) -> int:
        """How many open offers there are that the viewer may see."""
        return self._offers().open().count()

    def _offers(self) -> CardOfferQuerySet:
        rows = self.state.contest.offers.all()
        own_rows = rows.seen_by(self.contestant) if self.contestant else None
        return self._visible(matrix.OFFER, rows, "at", own_rows)

    @cached_property
    def _names(self) -> dict[int, str]:
        """The names of all who ever were contestants, in the order of their first joining."""
        return {row.key: row.name for row in self.state.figures}

    def _offer(self, offer: Offer) -> SeenOffer:
        names = self._names
        to = [name for key, name in names.items() if key in offer.to_keys]
        acceptor = names.get(offer.accepted_by_id or 0)
        hides_acceptor = offer.accepted_anonymously
        seen_by = self._named(names[offer.by_id], matrix.OFFERER, hidden=offer.anonymous)
        return SeenOffer(
            code=offer.code,
            by=seen_by,
            # Who is missing from the list would be told by it who makes the offer.
            to=to if seen_by else [name for name in to if self.is_viewer(name)],
            gives=offer.gives,
            takes=offer.takes,
            anonymous=offer.anonymous,
            at=offer.at,
            end=offer.end,
            accepted_by=self._named(acceptor, matrix.ACCEPTOR, hidden=hides_acceptor),
        )

    def _named(self, name: str | None, matter: Matter, *, hidden: bool) -> str | None:
        """That name of the party to an offer that the viewer may see; None where they are `hidden`
        and not for the viewer."""
        if name is None or not hidden:
            return name
        eyes = [Eye.OWN] if self.is_viewer(name) else []
        return name if self.may(matter, *eyes, came=self.table.seq) else None

    @cached_property
    def alliances(self) -> list[SeenAlliance]:
        """The alliances in their order, with their members for who may know them."""
        newer: Collection[int] = ()
        if self.since is not None:
            rows = self.state.contest.alliances.all()
            newer = rows.filter(formed_at__gt=self.since.at).values_list("number", flat=True)
        seen = []
        for number, names in reader.allied(self.state).items():
            eyes = [Eye.MEMBER] if any(map(self.is_viewer, names)) else []
            is_seen = number in newer or self.may(matrix.ALLIANCE_MEMBERS, *eyes)
            seen.append(SeenAlliance(number, len(names), names if is_seen else None))
        return seen

    @cached_property
    def pacts(self) -> list[SeenPact]:
        """The alliances yet to be agreed that the viewer may see, with the names of who would be
        in them and who has agreed."""
        rows: Iterable[Pact]
        if self.contestant is not None:
            rows = reader.pacts_of(self.state, self.contestant)
        else:
            every = self.state.contest.pacts.open()
            rows = self._visible(matrix.PACT, every, "at")
        return [
            SeenPact(
                pact.code,
                reader.names_of(self.state, pact.member_keys),
                reader.names_of(self.state, pact.agreed_keys),
            )
            for pact in rows
        ]

    # What was told, and what is sealed

    def own_notices(self, limit: int) -> list[Notice]:
        """The viewer's own notices as a contestant, at `most` so many, the newest first."""
        if self.contestant is None:
            return []
        return list(Notice.objects.filter(contestant=self.contestant).order_by("-pk")[:limit])

    def every_notice(self) -> QuerySet[Notice]:
        """Notices to all contestants that the viewer may see, the newest first."""
        rows = Notice.objects.filter(contestant__contest=self.state.contest)
        notices = self._visible(matrix.NOTICE, rows, "at")
        return notices.select_related("contestant__player").order_by("-pk")

    def sealed_acts(self) -> QuerySet[Motion]:
        """The tabled acts whose sealed parts the viewer may see."""
        rows = self.table.game.motions.filter(label=TABLED_ACT).exclude(sealed={})
        return self._visible(matrix.TABLED_DETAILS, rows, "entry").order_by("-number")
