"""Rows to the rules' dataclasses and back: the contest as one table sees it.

What is not for everybody is read by secrecy/reader.py, and shown by secrecy/view.py alone.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.db.models import QuerySet

from aceofspades.models import Contest, Contestant, Hint, NeedToKnow, Proposal, Request
from aceofspades.rules.charts import Charts, charts_from
from aceofspades.state.book import Book, Played, RegulationInBook, as_played, number_of
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.powers import Voters, voters, voters_of
from nomic.governance.models import Motion
from nomic.governance.motions import open_motions
from nomic.infrastructure.database.compiled_queries import CompiledQuery, CompiledValues, among
from nomic.ledger.models import Balance, Holder
from nomic.rulebook.last_readable import Unread

CONTESTMASTER = "Contestmaster"
PURPOSE = "the Ace of Spades"
BOOK = "aceofspades"  # the sealed book
DECK = "The Deck"
FAMILY = "card"
ORIGIN = "aceofspades"
TABLED_ACT = "Tabled act"
THE_CONTEST = "Regulation 101"
BY_HAND = "aceofspades.by_hand"
RECKONING = "aceofspades.reckoning"


def _cards() -> QuerySet[Balance, tuple[int, str, int]]:
    """What of cards is held in any game: the holder, the suit's asset and how many."""
    held = Balance.objects.filter(asset__family=FAMILY, is_mint=False, amount__gt=0)
    return held.order_by("asset").values_list("holder", "asset__name", "amount")


_CONTESTS = CompiledQuery(lambda: Contest.objects.all(), "deck")
_CONTESTANTS = CompiledQuery(lambda: Contestant.objects.order_by("turn"), "player__holder")
_FIGURES = CompiledValues(
    lambda: Contestant.objects.order_by("turn").values_list(
        "pk", "player__name", "player__holder", "joined_in", "active", "dealt", "worth"
    )
)
_CARDS = CompiledValues(_cards)
_CARDS_OF = CompiledValues(lambda holders: _cards().filter(among("holder", holders)))
_PROPOSALS = CompiledQuery(lambda: Proposal.objects.order_by("number"), "by", "regulation")
_REQUESTS = CompiledQuery(lambda: Request.objects.order_by("number"))


def _by_holder(rows: Iterable[tuple[int, str, int]]) -> dict[int, dict[str, int]]:
    held: dict[int, dict[str, int]] = {}
    for holder, asset, amount in rows:
        held.setdefault(holder, {})[suit_of(asset)] = amount
    return held


class Figures(NamedTuple):
    """The figures of a contestant, current or former; `key` and `holder` are keys,
    `joined_in` an entry, `dealt` cards, `worth` is in Marks, None until their hand is marked."""

    key: int
    name: str
    holder: int
    joined_in: int
    active: bool
    dealt: int
    worth: float | None


class State:
    """The contest of one game as one table sees it; everything is read when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def contest_or_none(self) -> Contest | None:
        """The contest, be it in force or not; None in a game that never had one."""
        return _CONTESTS.first(game=self.table.game.pk)

    @property
    def contest(self) -> Contest:
        """The contest, where there has to be one; AssertionError where there is none."""
        assert self.contest_or_none is not None, "This game has no contest."
        return self.contest_or_none

    @property
    def is_on(self) -> bool:
        """Whether the contest is played: there is one, and Regulation 101 is in force."""
        return self.table.rules.in_force(THE_CONTEST) and self.contest_or_none is not None

    @property
    def is_reckoned(self) -> bool:
        """Whether the Moment of Reckoning has been: all is public, and hands stay as they are."""
        return self.contest.reckoned_in is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing is decided any more: the Moment of Reckoning has been, or the game is
        closed."""
        return self.is_reckoned or self.table.game.is_closed

    # The book

    @cached_property
    def regulations(self) -> list[RegulationInBook]:
        """The regulations in force in ascending number, public, private and secret."""
        rules = self.table.rules.of_origin(ORIGIN)
        regulations = [
            RegulationInBook(
                rule.pk, number, rule.rule_class, rule.visibility, rule.text, rule.enacted_in
            )
            for rule in rules
            if (number := number_of(rule)) is not None
        ]
        return sorted(regulations, key=lambda regulation: regulation.number)

    @cached_property
    def knowers(self) -> dict[int, dict[str, str]]:
        """Who has need to know for which private regulation, by its key: names, and whether it is
        `full`, so that they may pass it on, or `limited`."""
        rows = NeedToKnow.objects.filter(
            regulation__contest=self.contest, regulation__gone_in__isnull=True
        )
        knowers: dict[int, dict[str, str]] = {}
        columns = ("regulation", "contestant__player__name", "full")
        for regulation, name, full in rows.order_by("pk").values_list(*columns):
            knowers.setdefault(regulation, {})[name] = "full" if full else "limited"
        return knowers

    @cached_property
    def written_in(self) -> dict[int, int]:
        """The entry in which the text of each regulation in force came to be, by its key: proposed,
        drawn, or written by the Contestmaster."""
        proposed = {
            proposal.regulation.pk: proposal.entry
            for proposal in self.proposals
            if hasattr(proposal, "regulation")
        }
        return {rule.pk: proposed.get(rule.pk, rule.enacted_in) for rule in self.regulations}

    @cached_property
    def hints(self) -> dict[int, list[str]]:
        """The public hints at secret regulations in force, by the regulation's key."""
        rows = Hint.objects.filter(
            regulation__contest=self.contest, regulation__gone_in__isnull=True
        )
        hints: dict[int, list[str]] = {}
        for regulation, text in rows.order_by("pk").values_list("regulation", "text"):
            hints.setdefault(regulation, []).append(text)
        return hints

    def regulation(self, number: int | None) -> RegulationInBook | None:
        """The regulation of that number that is in force."""
        return next((rule for rule in self.regulations if rule.number == number), None)

    def regulations_of(self, visibility: str) -> list[RegulationInBook]:
        """The regulations in force that are so: `public`, `private` or `secret`."""
        return [rule for rule in self.regulations if rule.visibility == visibility]

    @cached_property
    def charts(self) -> Charts:
        """The figures in the regulations in force, as the contest is played by them. Of hidden ones
        that is worths alone."""
        return self._charts_of(self._played[0])

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The public regulations that are played as of an earlier version, or not at all."""
        return self._played[1]

    @cached_property
    def _played(self) -> Played:
        return as_played(self.table, self.regulations, self._charts_of)

    def _charts_of(self, book: Book) -> Charts:
        return charts_from(
            [(each.number, each.text) for each in book],
            hidden=[each.number for each in book if not each.is_public],
            immutable=[each.number for each in book if each.is_immutable],
        )

    @cached_property
    def public_charts(self) -> Charts:
        """The figures that everybody is told: those of public regulations."""
        return self._charts_of([each for each in self._played[0] if each.is_public])

    @cached_property
    def reckoning_due(self) -> datetime | None:
        """The Moment of Reckoning to come."""
        return self.table.appointments.due(RECKONING)

    # Who plays

    @cached_property
    def everybody(self) -> list[Contestant]:
        """All who ever were contestants in the order of their first joining, with their players."""
        return _CONTESTANTS.all(contest__game=self.table.game.pk)

    @property
    def contestants(self) -> list[Contestant]:
        """The current contestants in the order of their first joining, each with their player."""
        return [contestant for contestant in self.everybody if contestant.active]

    @property
    def names(self) -> list[str]:
        """The current contestants' names in the order of their first joining."""
        return [row.name for row in self.current_figures]

    @cached_property
    def figures(self) -> list[Figures]:
        """The figures of all who ever were contestants, in the order of their first joining; where
        there are thousands, objects would take longer than all the rest of a page."""
        # `vars` tells whether the rows are read already; asking for the attribute would read them.
        if "everybody" not in vars(self):
            return [Figures(*row) for row in _FIGURES.all(contest=self.contest.pk)]
        return [
            Figures(
                key=contestant.pk,
                name=str(contestant),
                holder=contestant.player.holder.pk,
                joined_in=contestant.joined_in,
                active=contestant.active,
                dealt=contestant.dealt,
                worth=contestant.worth,
            )
            for contestant in self.everybody
        ]

    @property
    def current_figures(self) -> list[Figures]:
        """Those of the current contestants."""
        return [row for row in self.figures if row.active]

    @property
    def voters(self) -> list[Contestant]:
        """The current contestants who may vote in the game; all of them where none may."""
        game = self.table.game
        if voters_of(game) is Voters.EVERYBODY:
            return self.contestants
        keys = {*voters(game, self.table.now).values_list("pk", flat=True)}
        members = self.contestants
        return [member for member in members if member.player_id in keys] or members

    @property
    def counted_voters(self) -> list[Contestant]:
        """Those of the voters of whom a majority is one: who is not away, or all where all are."""
        present = [member for member in self.voters if not member.player.is_away]
        return present or self.voters

    def may_vote(self, contestant: Contestant) -> bool:
        """Whether that contestant is among the voters."""
        everybody = voters_of(self.table.game) is Voters.EVERYBODY
        return contestant.active if everybody else contestant in self.voters

    @property
    def first_joined_in(self) -> int:
        """The entry in which the first contestant joined, with which everything between contestants
        began; the entry that is to come where nobody has joined."""
        return self.figures[0].joined_in if self.figures else self.table.seq

    @property
    def has_begun(self) -> bool:
        """Whether anybody has ever joined."""
        if "figures" in vars(self):
            return bool(self.figures)
        return self.contest.contestants.exists()

    def ever_contestant(self, player: Player) -> Contestant | None:
        """That player as a current or former contestant: one of few, without reading all others."""
        if "everybody" in vars(self):
            return next((row for row in self.everybody if row.player_id == player.pk), None)
        if player.pk not in self._met:
            row = _CONTESTANTS.first(contest__game=self.table.game.pk, player=player.pk)
            self._met[player.pk] = row
        return self._met[player.pk]

    @cached_property  # and not set by __init__, since `drop_state` drops it as it does readings
    def _met(self) -> dict[int, Contestant | None]:
        """Those who were asked for by themselves, by the player."""
        return {}

    def contestant(self, player: Player | None) -> Contestant | None:
        """That player as a current contestant; None for who is none."""
        contestant = self.ever_contestant(player) if player else None
        return contestant if contestant and contestant.active else None

    def contestant_named(self, name: str) -> Contestant | None:
        """The current contestant of that name, None if there is none."""
        return next((member for member in self.contestants if str(member) == name), None)

    @property
    def finalists(self) -> list[str]:
        """The names of the Finalists, once the hands are marked."""
        return [contestant.player.name for contestant in self.everybody if contestant.finalist]

    @property
    def semigenius(self) -> list[Contestant]:
        """Who became Semigenius, in that order; nobody before the Moment of Reckoning."""
        if not self.is_reckoned:
            return []
        chosen = [member for member in self.everybody if member.semigenius_in is not None]
        return sorted(chosen, key=lambda contestant: contestant.semigenius_in or 0)

    def is_contestmaster(self, player: Player | None) -> bool:
        """Whether that player holds the Contestmaster's office now."""
        if player is None or player.name not in self.contest.masters:
            return False
        return self.table.directory.offices.get(CONTESTMASTER) == player.name

    @property
    def has_contestmaster(self) -> bool:
        """Whether somebody holds the office; otherwise the system performs its duties."""
        return bool(self.table.directory.offices.get(CONTESTMASTER))

    def by_hand(self, duty: str) -> bool:
        """Whether the Contestmaster keeps that duty: `put_up_for_vote` or `announce`."""
        return self.has_contestmaster and duty in self.table.game.setting(BY_HAND, [])

    # Cards, as far as everybody may count them

    @property
    def assets(self) -> list[str]:
        """The cards' assets, of all suits that ever were."""
        return [asset_of(suit) for suit in self.suits_ever]

    @property
    def suits_ever(self) -> list[str]:
        """All suits that the game has cards of, those of today first, in their order."""
        suits = [suit_of(asset.name) for asset in self.table.ledger.family(FAMILY)]
        return [*self.charts.suits, *(suit for suit in suits if suit not in self.charts.suits)]

    @cached_property
    def cards(self) -> dict[int, dict[str, int]]:
        """Every holder's cards of each suit, by the holder's key: players and the Deck. Only
        reader.py and view.py ask for more than the counts."""
        return _by_holder(_CARDS.all(asset__game=self.table.game.pk))

    def cards_of(self, *holders: int) -> dict[int, dict[str, int]]:
        """The cards of each suit of these few holders alone, by the holder's key."""
        cards = vars(self).get("cards", self._hands)
        if cards is self._hands and (new := [key for key in holders if key not in cards]):
            rows = _CARDS_OF.all(asset__game=self.table.game.pk, holders=new)
            cards |= {holder: {} for holder in new} | _by_holder(rows)
        return {holder: cards.get(holder, {}) for holder in holders}

    @cached_property
    def _hands(self) -> dict[int, dict[str, int]]:
        """Those that were asked for by themselves, by the holder."""
        return {}

    def counts_of(self, *holders: int) -> dict[int, int]:
        """How many cards each of these few holders has, by the holder's key."""
        return {holder: sum(held.values()) for holder, held in self.cards_of(*holders).items()}

    @cached_property
    def counts(self) -> dict[int, int]:
        """How many cards each holder has, by the holder's key."""
        return {holder: sum(held.values()) for holder, held in self.cards.items()}

    @property
    def deck(self) -> Holder:
        """The Contest Fund as a holder (Regulation 116)."""
        return self.contest.deck

    # Proposals and requests

    @property
    def open_acts(self) -> list[Motion]:
        """The tabled acts that are not done or prevented yet, with what is said of them."""
        return open_motions(self.table, TABLED_ACT)

    @cached_property
    def requests(self) -> list[Request]:
        """Every request for judgement in its order."""
        return _REQUESTS.all(contest=self.contest)

    @cached_property
    def proposals(self) -> list[Proposal]:
        """Every proposal in its order; the texts of hidden ones are for view.py to show."""
        return _PROPOSALS.all(contest=self.contest)

    def proposal(self, number: int | None) -> Proposal | None:
        """The proposal of that number, None if there is none."""
        return next((row for row in self.proposals if row.number == number), None)

    @property
    def up_for_vote(self) -> list[Proposal]:
        """The proposals that are up for vote."""
        return [proposal for proposal in self.proposals if proposal.is_up]

    def decided_from(self, proposal: Proposal, charts: Charts | None = None) -> datetime | None:
        """The game moment from which majorities decide that proposal (Regulation 110), perhaps by
        other charts; None where it is not up for vote, and where no regulation says when."""
        wait = (charts or self.charts).decided_after
        return None if proposal.up_at is None or wait is None else proposal.up_at + wait

    def cached[Found](self, name: str, read: Callable[[], Found]) -> Found:
        """The answer of `read`, kept until `drop_state` is called with that name or none."""
        if name not in self.__dict__:
            self.__dict__[name] = read()
        answer: Found = self.__dict__[name]
        return answer


def state_of(table: Table) -> State:
    """The contest as that table sees it, read once."""
    return table.once(State)


def drop_state(table: Table, *parts: str) -> None:
    """Let the contest be read anew, or only these of its parts: they have changed in this entry."""
    if not parts:
        table.drop(State)
    for name in (*parts, "figures", "_met", "_hands"):
        state_of(table).__dict__.pop(name, None)


def drop_book(table: Table) -> None:
    """Let the regulations be read anew, and what hangs on them; not who plays, nor the contest."""
    drop_state(
        table,
        "regulations",
        "knowers",
        "written_in",
        "charts",
        "public_charts",
        "proposals",
        "_played",
    )


def asset_of(suit: str) -> str:
    """The name of the asset that a card of this suit is."""
    return f"{suit} card"


def suit_of(asset: str) -> str:
    """The suit of an asset that is a card."""
    return asset.removesuffix(" card")
