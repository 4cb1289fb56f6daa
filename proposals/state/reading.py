"""Rows to the editions' values and back: the only bridge between models.py and rules/."""

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from nomic.engine.actions import dignity
from nomic.engine.programs.hooks import deciders
from nomic.engine.table import Table
from nomic.games.models import FormerName, Game, Player
from nomic.games.powers import SEATED_FOR, Voters, voters_of, who_votes
from nomic.games.refusal import Refusal
from nomic.infrastructure.database.compiled_queries import CompiledQuery, CompiledValues, among
from nomic.rulebook.in_force import name_key
from nomic.rulebook.last_readable import Unread
from nomic.rulebook.models import Rule
from nomic.rulebook.tables import Lack, TableBroken
from proposals.models import (
    BallotStrength,
    Errand,
    Link,
    LinkKind,
    NweekClock,
    Proposal,
    Resolution,
    Status,
    Success,
    Vote,
)
from proposals.rules import EDITIONS
from proposals.rules.ballots import Ballot, Electorate, LawAtOpening, Tally
from proposals.rules.edition import Edition
from proposals.rules.terms import DECISIONS, VOTING, TermCharts, names_withdrawal
from proposals.rules.terms import EMPEROR as THE_EMPEROR
from proposals.rules.words import (
    CONDITIONAL,
    ENDORSE,
    FOR,
    Vocabulary,
    endorsed,
    translated,
    vocabulary,
    word_of,
)
from proposals.state.decisions import (
    OUTCOME,
    decided_electorate,
    decided_tally,
    decided_words,
)
from proposals.state.laws import LawFacts, electorate_by, law_facts, terms_of
from proposals.state.offices import COUNTING, officer_of
from proposals.state.workload import MOST, counts_of, first_undone

MAIN = "Proposals"
EMPEROR = dignity("Emperor")
BY_HAND = "proposals.by_hand"
Handle = int | str
_HANDLE = re.compile(r"\s*(?:proposal\s+)?(?:p([0-9]{1,9})|([0-9]{1,9}))\s*", re.IGNORECASE)
_WON_OR_LOST = (Success.WON, Success.LOST)


def has_proposals(game: Game) -> bool:
    """Whether the rule by which proposals are made is in force in that game."""
    if not game.edition:
        return False
    return _MAIN_RULES.first(game=game.pk) is not None


def of_title(title: str) -> Q:
    """The rules that have that title, or had it at first."""
    return Q(by_people=False) & (Q(title__iexact=title) | Q(known_as__iexact=title))


_MAIN_RULES = CompiledValues(
    lambda: (
        Rule.objects.filter(of_title(MAIN), repealed_in__isnull=True).order_by().values_list("pk")
    )
)
_CLOCK = CompiledQuery(lambda: NweekClock.objects.order_by())
_PROPOSAL = CompiledQuery(lambda: Proposal.objects.order_by(), "author")
_UNDECIDED = CompiledQuery(
    lambda: Proposal.objects.filter(status__in=(Status.PENDING, Status.OPEN)).order_by("serial"),
    "author",
)


def _voters_in(mode: Voters) -> CompiledValues[Any]:
    """Name, Vested, strength and absence of the players who vote in games of that mode."""

    def build(since: Any) -> QuerySet[Player, Any]:
        playing = Player.objects.filter(who_votes(mode, since), active=True)
        return playing.values_list("name", "vested", "voting_strength__strength", "away_in")

    return CompiledValues(build)


_VOTERS = {mode: _voters_in(mode) for mode in Voters}


def _links_of(proposals: Any) -> QuerySet[Link, Any]:
    """The links of these to each other and to what was decided: one that is Discarded, or Undecided
    at Strength 0, harms nobody."""
    decided = Q(other__status=Status.HISTORICAL, other__success__in=_WON_OR_LOST)
    rows = Link.objects.filter(decided | among("other", proposals), among("proposal", proposals))
    return rows.values_list("proposal_id", "kind", "other_id", "other__number", "other__success")


_LINKS = CompiledValues(_links_of)
_FINAL = CompiledValues(
    lambda proposals: (
        Vote.objects.filter(among("proposal", proposals))
        .final()
        .values_list("proposal_id", "player__name", "word")
    )
)
_STRENGTHS = CompiledValues(
    lambda proposals: BallotStrength.objects.filter(among("proposal", proposals)).values_list(
        "proposal_id", "player__name", "strength"
    )
)


def read_handle(written: Any) -> Handle:
    """A proposal's number, or an id such as `p7`. Raises ValueError with a sentence."""
    match = _HANDLE.fullmatch(str(written)) if not isinstance(written, bool) else None
    if match is None:
        shown = str(written)[:40]
        raise ValueError(f"“{shown}” names no proposal. Give its number, or an id such as p7.")
    serial, number = match.groups()
    return f"p{int(serial)}" if serial else int(number)


class State:
    """The proposals of one game at a table."""

    def __init__(self, table: Table) -> None:
        self.table, self.game = table, table.game
        self._votes: dict[frozenset[int], dict[int, dict[str, str]]] = {}
        self._laws: dict[int, LawAtOpening] = {}
        self._named: dict[Handle, Proposal | None] = {}

    @cached_property
    def edition(self) -> Edition[Any]:
        """The edition of the proposal rule that the game uses; KeyError where it uses none."""
        return EDITIONS[self.game.edition]

    @property
    def terms(self) -> Any:
        """The terms in the rules in force, and where one cannot be read, in its last version that
        can be. Raises TableBroken, also where they are missing in all rules in force."""
        return self._charts.terms

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The rules that are played as of an earlier version."""
        return self._charts.unread

    @cached_property
    def texts(self) -> dict[str, str]:
        """The texts of the edition's rules in force, by the titles that the machinery knows.

        The sources presuppose their companions: one that this game's rulebook never had reads as
        games of the edition begin with it.
        """
        texts = self.table.rules.texts(self.edition.rules)
        missing = [title for title in self.edition.rules[1:] if title not in texts]
        if not missing:
            return texts
        titled = reduce(or_, map(of_title, missing))
        repealed = self.game.rules.filter(titled).values_list("title", "known_as")
        ever = {name_key(name) for names in repealed for name in names}
        shipped = self.edition.charts.shipped_texts()
        return texts | {title: shipped[title] for title in missing if name_key(title) not in ever}

    def has_rule(self, title: str) -> bool:
        """Whether what that rule of the edition makes possible is on."""
        return title in self.texts

    @property
    def is_agoras(self) -> bool:
        """Whether rules on decisions and on power stand beside those of the edition."""
        return self.table.rules.shares_titles and self.edition.weighs

    @property
    def has_decisions(self) -> bool:
        """Whether the officer finds the figures of each vote, and resolves votes on conditions."""
        return self.is_agoras and self.table.rules.in_force(DECISIONS)

    @property
    def no_votes(self) -> Refusal | None:
        """Why nobody votes at all: the rule that lets them is not in force."""
        if VOTING not in self.edition.rules or self.has_rule(VOTING):
            return None
        return Refusal("off", f"The rule “{VOTING}” is not in force: nobody votes.", VOTING)

    @cached_property
    def _charts(self) -> TermCharts[Any]:
        """The rules that are played by."""
        return self.edition.charts.of(self.texts, self.table.rules.earlier_texts)

    @property
    def impasse(self) -> str:
        """Why no proposal could be adopted any more, by the rules as they read now, or ""."""
        if lacking := self.edition.lacks(self.texts):
            return lacking
        try:
            self.edition.terms(self.texts)
        except TableBroken as broken:
            # What cannot be read is played by what could be read last, where there is such a thing.
            if broken.lack is Lack.UNPLAYABLE:
                return broken.sentence
        if FOR not in self.vocabulary.values():
            return "Nobody could vote FOR a proposal."
        try:
            return self.edition.impasse(self.electorate, self.terms)
        except TableBroken as broken:
            return broken.sentence

    @cached_property
    def vocabulary(self) -> dict[str, str]:
        """The meaning of each word of a vote, by the rules in force."""
        return decided_words(self.table, self.edition, vocabulary(self.edition.words, self.texts))

    def by_hand(self, duty: str) -> bool:
        """Whether the officer keeps that duty, which the system does otherwise, and as long as
        there is no officer."""
        return duty in self.game.setting(BY_HAND, []) and not self.is_left_to_the_system(duty)

    def counts_by_hand(self, proposal: Proposal) -> bool:
        """Whether the officer announces what the votes on that proposal come to."""
        by_hand = proposal.by_hand and not self.is_left_to_the_system(COUNTING)
        return by_hand or self.by_hand(COUNTING)

    def officer(self, duty: str) -> str:
        """The office that does that duty here."""
        return officer_of(self.game, duty)

    def is_left_to_the_system(self, duty: str) -> bool:
        """Whether nobody holds the office that does that duty."""
        return not self.table.directory.offices.get(self.officer(duty))

    @cached_property
    def lets_withdraw(self) -> bool:
        """Whether a rule in force names the withdrawal of proposals."""
        return any(map(names_withdrawal, self.table.rules.texts(self.edition.rules).values()))

    @cached_property
    def clock(self) -> NweekClock | None:
        """B Nomic's clock as it stood at its last turn, where the edition votes by the nweek."""
        return _CLOCK.first(game=self.game)

    @cached_property
    def electorate(self) -> Electorate:
        """Who may vote now, who is Vested, which strengths they have; in a queue the Emperor."""
        return decided_electorate(self.table, self.edition, self.players, lambda: self.terms)

    @cached_property
    def players(self) -> Electorate:
        """The same by the rules' own words, whatever programs of rules decide."""
        since = self.table.now - SEATED_FOR
        players = _VOTERS[voters_of(self.game)].all(since=since, game=self.game.pk)
        offices = self.table.directory.offices if self.edition.period == "queue" else {}
        names = frozenset(name for name, *_ in players)
        away = frozenset(name for name, *_, away_in in players if away_in is not None)
        return Electorate(
            players=names,
            vested=frozenset(name for name, vested, *_ in players if vested),
            strengths={name: strength for name, _, strength, _ in players if strength is not None},
            emperor=offices.get(EMPEROR, ""),
            throne=self.has_throne,
            away=away if away != names else frozenset(),
        )

    # By which law a vote is held: that in force as it opened

    def law_now(self) -> LawFacts:
        """What is in force now, as a proposal keeps it whose vote opens. Raises TableBroken."""
        outcome = deciders(self.table, OUTCOME)
        return law_facts(self.vocabulary, self.terms, self.players, self.electorate, outcome)

    def vocabulary_for(self, proposal: Proposal | None) -> Vocabulary:
        """The meaning of each word of a vote on it; before it opens, by the rules in force."""
        return dict(proposal.law["words"]) if proposal and proposal.law else self.vocabulary

    def has_throne_for(self, proposal: Proposal) -> bool:
        """Whether a vote on it may be an Emperor's, or defer to one."""
        return self.has_throne and (not proposal.law or proposal.law["throne"])

    def electorate_for(self, proposal: Proposal | None) -> Electorate:
        """Who may vote on it, of those who are players now; before it opens, by the rules in
        force."""
        if proposal is None or not proposal.law:
            return self.electorate
        return self._law_of(proposal).electorate

    def terms_for(self, proposal: Proposal) -> Any:
        """The terms by which it is counted; before it opens, those in force. Raises TableBroken."""
        return self._law_of(proposal).terms if proposal.law else self.terms

    def _law_of(self, proposal: Proposal) -> LawAtOpening:
        # Those that one entry opened have one law, which may be long.
        key = proposal.opened_in or 0
        if key not in self._laws:
            facts: LawFacts = proposal.law
            terms, programs = terms_of(self.edition, facts["terms"]), frozenset(facts["deciders"])
            self._laws[key] = LawAtOpening(electorate_by(facts, self.players), terms, programs)
        return self._laws[key]

    @property
    def has_throne(self) -> bool:
        """Whether a vote may be an Emperor's, or defer to one."""
        return self.edition.period != "queue" or self.has_rule(THE_EMPEROR)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many proposals there are of those that `counts_of` counts."""
        return counts_of(self.game)

    @cached_property
    def errands(self) -> list[Errand]:
        """The first sentences that nobody has carried out yet, and one more than are listed."""
        return first_undone(self.game, MOST + 1)

    # Finding proposals

    def proposals(self) -> QuerySet[Proposal]:
        """All proposals of the game with their authors, newest first."""
        return Proposal.objects.filter(game=self.game).select_related("author")

    def find(self, handle: Handle | None) -> Proposal | None:
        """The proposal of that number or id, read once; None where there is none."""
        if handle is None:
            return None
        if handle not in self._named:
            which = {"number": handle} if isinstance(handle, int) else {"serial": int(handle[1:])}
            self._named[handle] = _PROPOSAL.first(game=self.game, **which)
        return self._named[handle]

    def read_anew(self, serial: int) -> Proposal:
        """The proposal of that serial, read now; Proposal.DoesNotExist."""
        return _PROPOSAL.get(game=self.game, serial=serial)

    def proposal(self, handle: Handle) -> Proposal:
        """The proposal of that number or id, where there has to be one."""
        proposal = self.find(handle)
        assert proposal is not None, f"This game has no proposal {handle}."
        return proposal

    def named(self, written: str) -> Proposal | None:
        """The proposal of that name as people write it; raises ValueError."""
        return self.find(read_handle(written))

    def named_in(self, form: Mapping[str, Any]) -> Proposal | None:
        """The proposal that a form's beginning names, however it is written there, if any."""
        if not self.game.edition:
            return None
        with suppress(ValueError):
            return self.named(str(form.get("proposal", "")))
        return None

    def find_all(self, handles: Collection[Handle]) -> dict[Handle, Proposal]:
        """The proposals that the handles name, by handle; what names none is missing."""
        numbers = [handle for handle in handles if isinstance(handle, int)]
        serials = [int(handle[1:]) for handle in handles if isinstance(handle, str)]
        which = Q(number__in=numbers) | Q(serial__in=serials)
        proposals = self.proposals().filter(which) if handles else ()
        by_number: dict[Handle, Proposal] = {
            proposal.number: proposal for proposal in proposals if proposal.number
        }
        return by_number | {f"p{proposal.serial}": proposal for proposal in proposals}

    @cached_property
    def newest(self) -> list[Proposal]:
        """The last proposals, as many as a page offers to choose from, newest first."""
        return list(self.proposals()[:60])

    @cached_property
    def undecided(self) -> list[Proposal]:
        """The Pending and the Open proposals in the order in which they were submitted."""
        return _UNDECIDED.all(game=self.game)

    def undecided_in(self, status: Status) -> list[Proposal]:
        """The Pending or the Open proposals in the order in which they were submitted."""
        return [proposal for proposal in self.undecided if proposal.status == status]

    @cached_property
    def open(self) -> list[Proposal]:
        """The Open proposals that are voted on, in the order in which they were submitted."""
        return [
            proposal for proposal in self.undecided_in(Status.OPEN) if proposal.awaits_since is None
        ]

    @property
    def awaiting(self) -> list[Proposal]:
        """Those whose vote has ended and that wait for the officer's announcement, likewise."""
        return [proposal for proposal in self.undecided if proposal.awaits_since is not None]

    def own_waiting(self, player: Player | None) -> list[Proposal]:
        """The player's Pending proposals; in a queue those that are Open, which still wait."""
        if player is None:
            return []
        also_open = self.edition.period == "queue"
        return [
            proposal
            for proposal in self.undecided
            if proposal.author_id == player.pk and (also_open or proposal.status == Status.PENDING)
        ]

    # Counting

    def tally(self, proposals: Collection[Proposal]) -> Tally:
        """The edition's tally of these proposals with their numbers, as the votes are now.

        Raises TableBroken.
        """
        return self.count(self.ballots(proposals))

    def count(self, ballots: Collection[Ballot]) -> Tally:
        """The same of these ballots. Raises TableBroken, also where each of them has its own law:
        what the rules have no table for any more is off."""
        is_bound = all(ballot.law or ballot.status != "Open" for ballot in ballots)
        electorate = self.players if is_bound else self.electorate
        tally = self.edition.tally(ballots, electorate, self.terms)
        return decided_tally(self.table, self.edition, ballots, electorate, tally)

    def ballots(self, proposals: Collection[Proposal]) -> list[Ballot]:
        """The proposals with their final votes, and the Historical ones that they link to.

        Votes are in the edition's words, by the law of each. A fixed number of queries however many
        there are.
        """
        assert all(proposal.number is not None for proposal in proposals), (
            "What is counted has a number."
        )
        votes, strengths = self.votes(proposals), dict[int, dict[str, int]]()
        if self.has_decisions:
            votes, strengths = with_conditions_resolved(votes), strengths_of(proposals)
        links, decided = self._links(proposals)
        return [
            Ballot(
                number=proposal.number or 0,
                votes={
                    by: translated(word, meanings)
                    for meanings in [self.vocabulary_for(proposal)]
                    for by, word in votes.get(proposal.pk, {}).items()
                },
                conflicts=frozenset(links[LinkKind.CONFLICT].get(proposal.pk, ())),
                dependencies=frozenset(links[LinkKind.DEPENDENCY].get(proposal.pk, ())),
                index=proposal.index if proposal.own_index is None else proposal.own_index,
                by_officer=strengths.get(proposal.pk, {}),
                quorum=proposal.own_quorum,
                ripe=proposal.closes_at is not None and proposal.closes_at <= self.table.now,
                author=proposal.author.name,
                title=proposal.title,
                law=self._law_of(proposal) if proposal.law else None,
            )
            for proposal in proposals
        ] + [
            Ballot(number=number, status="Won" if success == Success.WON else "Lost")
            for number, success in decided.items()
        ]

    def votes(self, proposals: Collection[Proposal]) -> dict[int, dict[str, str]]:
        """`final_votes` of these, sealed ones too, read once as long as nothing is written."""
        key = frozenset(proposal.pk for proposal in proposals)
        if key not in self._votes:
            self._votes[key] = final_votes(proposals, sealed_too=True)
        return self._votes[key]

    def _links(
        self, proposals: Collection[Proposal]
    ) -> tuple[dict[str, dict[int, list[int]]], dict[int, str]]:
        """Numbers by kind and proposal, and the success of Historical ones by number."""
        pks = {member.pk for member in proposals}
        numbers: dict[str, dict[int, list[int]]] = {LinkKind.CONFLICT: {}, LinkKind.DEPENDENCY: {}}
        decided: dict[int, str] = {}
        rows = _LINKS.all(proposals=list(pks)) if pks else []
        for proposal, kind, target, number, success in rows:
            if number is None:  # Pending: it is neither Won nor Lost yet, and has no Strength
                continue
            if target not in pks:
                decided[number] = success
            numbers[kind].setdefault(proposal, []).append(number)
        return numbers, decided


def state_of(table: Table) -> State:
    """The game's proposals as a table sees them, each thing read when it is first asked for."""
    return table.once(State)


def drop_state(table: Table) -> None:
    """Let the next question read again what has been changed."""
    table.drop(State)


def final_votes(
    proposals: Iterable[Proposal], *, sealed_too: bool = False
) -> dict[int, dict[str, str]]:
    """Each player's last vote that was not struck, by proposal (pk) and player (name).

    Those that nobody may see yet are only there for the tally, which asks for them.
    """
    visible = [proposal.pk for proposal in proposals if sealed_too or not proposal.votes_are_sealed]
    votes: dict[int, dict[str, str]] = {}
    for proposal, player, word in _FINAL.all(proposals=visible) if visible else ():
        votes.setdefault(proposal, {})[player] = word
    cast = [word for words in votes.values() for word in words.values()]
    return _as_named_now(votes) if any(map(endorsed, cast)) else votes


def _as_named_now(votes: dict[int, dict[str, str]]) -> dict[int, dict[str, str]]:
    """The votes, in which whoever is endorsed has the name by which they go now: what was cast
    stays as it was written."""
    game = Proposal.objects.values("game").filter(pk=next(iter(votes)))
    formerly = FormerName.objects.filter(game__in=game)
    now = dict(formerly.values_list("name", "player__name"))

    def named_now(word: str) -> str:
        name = now.get(endorsed(word))
        return f"{ENDORSE} {name}" if name else word

    return {
        proposal: {voter: named_now(word) for voter, word in words.items()}
        for proposal, words in votes.items()
    }


def with_conditions_resolved(votes: Mapping[int, Mapping[str, str]]) -> dict[int, dict[str, str]]:
    """These final votes with those on conditions as the officer has resolved them; one query where
    there is one."""
    resolved = {proposal: dict(words) for proposal, words in votes.items()}
    conditional = [
        proposal
        for proposal, words in resolved.items()
        if any(word_of(word) == CONDITIONAL for word in words.values())
    ]
    if conditional:
        rows = Resolution.objects.filter(
            vote__in=Vote.objects.filter(proposal__in=conditional).final()
        )
        columns = ("vote__proposal_id", "vote__player__name", "word")
        for proposal, player, word in rows.values_list(*columns):
            resolved[proposal][player] = word
    return resolved


def strengths_of(proposals: Iterable[Proposal]) -> dict[int, dict[str, int]]:
    """The officer's figures for voting strengths, by proposal (pk) and player (name)."""
    pks = [proposal.pk for proposal in proposals]
    strengths: dict[int, dict[str, int]] = {}
    for proposal, player, strength in _STRENGTHS.all(proposals=pks) if pks else ():
        strengths.setdefault(proposal, {})[player] = strength
    return strengths
