"""Proposals as a part of a game: how their machinery begins and follows rulebook and players."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.urls import reverse

from nomic.engine.subgames import Rulemaking, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.names import with_name
from nomic.infrastructure.database.compiled_queries import CompiledValues
from nomic.rulebook.cell_words import cell_words_in
from nomic.rulebook.coverage.built_in import machinery_in
from nomic.rulebook.coverage.marks import Machinery
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.last_readable import Unread
from nomic.rulebook.spots import Spot
from nomic.rulebook.tables import TableBroken
from nomic.web.game_context import address_of
from proposals.actions.chair import follow_the_officers
from proposals.actions.manual_changes import citation
from proposals.api import proposal_to_dict, proposals_state
from proposals.events import opening
from proposals.events.adopting import SENTENCES_WAIT, TAKES_EFFECT, leave_to_the_officer
from proposals.events.clock import OPENS, appoint_the_voting_period, skip, start_the_clock
from proposals.models import Status, Vote
from proposals.notices import concerns, deadlines
from proposals.rules import EDITIONS
from proposals.rules.terms import CLAUSES, OPEN_TABLES
from proposals.rules.words import WORDS
from proposals.shapes import ProposalShape, WholeProposalShape
from proposals.state import classes, power
from proposals.state.finding import (
    contributions_of,
    proposal_named,
    search_hits,
    traces_of,
    traces_of_changes,
)
from proposals.state.offices import DISTRIBUTION, RULEBOOK, officer_of, officers_of
from proposals.state.reading import EMPEROR, MAIN, drop_state, has_proposals, state_of
from proposals.state.workload import undone
from proposals.web.waiting import tour, waiting

_FOR_ANY_RULE = ("agoran-intents", "agoran-deputies")  # folders of tables that any rule may have
_ROWS = frozenset({"Act", "Election of", "Deputy of"})  # the first columns of these
_VOTES = CompiledValues(
    lambda: Vote.objects.order_by().values_list(
        "entry", "sealed", "proposal__serial", "player__name", "word"
    )
)


class Assembly(Rulemaking):
    """The proposals of a game, under its edition of the proposal rule.

    It ships the rules whose tables `nomic.governance` plays in any rule: “Tabled Actions”,
    “Elections”, “Deputisation”.
    """

    acts_in_its_panel = True
    public_alone = True
    short = "Votes"
    sign = "ballot"
    open_tables = OPEN_TABLES
    offices = frozenset({EMPEROR, *(edition.officer for edition in EDITIONS.values())})
    for_example = "I vote FOR on Proposal 1"
    clauses = (*CLAUSES, *WORDS)
    cells = cell_words_in(Path(__file__).parent / "rules" / "cells.toml")
    waiting = staticmethod(waiting)
    tour = staticmethod(tour)
    traces = staticmethod(traces_of_changes)
    traces_of = staticmethod(traces_of)
    contributions = staticmethod(contributions_of)
    named = staticmethod(proposal_named)
    finds = staticmethod(search_hits)
    concerns = staticmethod(concerns)
    deadlines = staticmethod(deadlines)

    def is_on(self, game: Game) -> bool:
        return has_proposals(game)

    def machinery(self, table: Table, title: str) -> Machinery | None:
        """The machinery of the game's edition; None where it plays by no rule of that title."""
        if not table.game.edition:
            return None
        beside = [*([power.FOLDER] if state_of(table).is_agoras else ()), classes.FOLDER]
        for folder in (table.game.edition, *beside):
            by_name = machinery_in(self.rulebook / folder, self.open_tables, self.clauses)
            if name_key(title) in by_name:
                return by_name[name_key(title)]
        for folder in _FOR_ANY_RULE:
            by_name = machinery_in(self.rulebook / folder, _ROWS)
            if name_key(title) in by_name:
                return by_name[name_key(title)]
        return None

    def item_called(self, key: str) -> str:
        return f"Proposal {key}"

    def has_decided(self, table: Table) -> bool:
        return table.game.proposals.filter(
            status=Status.HISTORICAL, opened_in__isnull=False
        ).exists()

    def amending(self, table: Table, rule: RuleText) -> str:
        if rule.is_immutable and not classes.is_transmutable(table, rule):
            return ""
        new = reverse("proposal_new", args=[table.game.slug])
        return f"{new}?amend={rule.pk}"

    def tapping(self, table: Table, rule: RuleText, spot: Spot) -> str:
        where = (table.game.slug, rule.pk, rule.version, spot.kind, spot.start)
        return address_of("proposal_spot", *where)

    def rules_changed(self, table: Table) -> None:
        """Begin once the edition's rule is in force; let the appointments follow its tables."""
        drop_state(table)
        if not table.game.edition:
            return
        classes.free_all(table)
        if table.rules.in_force(MAIN):
            self._keep_going(table)
        else:
            waiting = table.game.appointments.waiting().filter(kind__startswith="proposals.")
            # What was adopted while the rule was in force.
            waiting = waiting.exclude(kind__in=(TAKES_EFFECT, SENTENCES_WAIT))
            for kind, subject in list(waiting.values_list("kind", "subject")):
                table.appointments.cancel(kind, subject)
        drop_state(table)

    def _keep_going(self, table: Table) -> None:
        state = state_of(table)
        for officer in sorted(officers_of(table.game)):
            table.office(officer)
        if state.edition.period == "queue" and state.has_throne:
            table.office(EMPEROR)
        with suppress(TableBroken):  # what stands in the schedule stays, and sticks when it is due
            if state.edition.period != "nweek":
                appointed = table.appointments.subjects(
                    opening.DISTRIBUTED, opening.CLOSES, opening.TIMED_OUT
                )
                pending = state.undecided_in(Status.PENDING)
                if state.by_hand(DISTRIBUTION):
                    terms = opening.distribution_terms(table.game, pending)
                    new = [proposal for proposal in pending if proposal.serial not in terms]
                    opening.await_distribution(table, new)
                    pending = []
                for proposal in (*state.open, *pending):
                    if str(proposal.serial) not in appointed:
                        opening.appoint_next(table, proposal)
            elif state.clock is None:
                start_the_clock(table)
            else:
                appoint_the_voting_period(table)

    def joined(self, table: Table, player: Player) -> None:
        """In the first nweek all players are Vested; who comes later is not until they vote."""
        if not table.game.edition:
            return
        clock = state_of(table).clock
        if clock is not None and player.vested != (clock.nweek == 1):
            player.vested = clock.nweek == 1
            player.save(update_fields=["vested"])

    def left(self, table: Table, player: Player) -> None:
        """Who has left is no longer Vested; what they proposed stays."""
        if player.vested:
            player.vested = False
            player.save(update_fields=["vested"])

    def renamed(self, table: Table, player: Player, former: str) -> None:
        """Co-authors are known by name, and so are voters by the law and the result of a vote."""
        for proposal in table.game.proposals.filter(coauthors__contains=[former]):
            proposal.coauthors = with_name(proposal.coauthors, former, player.name)
            proposal.save(update_fields=["coauthors"])
        for proposal in table.game.proposals.exclude(status=Status.HISTORICAL):
            for part in ("voters", "strengths"):
                if part in proposal.law:
                    proposal.law[part] = with_name(proposal.law[part], former, player.name)
            proposal.prepared = with_name(proposal.prepared, former, player.name)
            proposal.save(update_fields=["law", "prepared"])

    def may_seal(self, game: Game) -> bool:
        """Whether a vote in which ballots are secret is going on."""
        return game.proposals.filter(secret=True).exclude(status=Status.HISTORICAL).exists()

    def keeps_the_rulebook(self, game: Game) -> str:
        """The officer who keeps the proposals publishes what they have made of the rules."""
        return officer_of(game, RULEBOOK)

    def mandates(self, table: Table) -> Collection[str]:
        """The sentences of passed proposals that nobody has carried out yet."""
        return [citation(errand) for errand in undone(table.game)]

    def office_changed(self, table: Table, office: str) -> None:
        """Do what the officer kept by hand once there is none; with one, let it wait for them."""
        if office in officers_of(table.game):
            follow_the_officers(table)

    def skipped(self, table: Table, kind: str) -> Mapping[str, Any] | None:
        """The Clock goes on to the next of its appointments; a vote of its own is held again."""
        if kind == TAKES_EFFECT:
            return leave_to_the_officer(table)
        state = state_of(table)
        if kind in (OPENS, opening.CLOSES) and state.clock is not None:
            skip(table, kind)
        elif kind in (opening.CLOSES, opening.TIMED_OUT):
            with suppress(TableBroken):  # what is overdue happens once the tables are mended
                opening.vote_again(table, state.open)
        return None

    def broken(self, table: Table) -> str:
        """The first table of the edition's rules that cannot be read."""
        try:
            if unread := state_of(table).unread:
                return unread[0].sentence
            _ = state_of(table).terms
        except TableBroken as broken:
            return "" if broken.is_missing else broken.sentence
        return ""

    def unread(self, table: Table) -> Sequence[Unread]:
        """The rules of the edition that are played as of an earlier version."""
        return (*state_of(table).unread, *power.unread(table), *classes.unread(table))

    def state(self, table: Table, player: Player | None) -> list[ProposalShape] | None:
        """Every proposal of the game, oldest first. Open ones tell how the vote stands.

        Those that were made stay to be read when their rule is not in force any more.
        """
        shapes = proposals_state(table) if table.game.edition else []
        return shapes if shapes or self.is_on(table.game) else None

    def item(self, table: Table, player: Player | None, name: str) -> WholeProposalShape | None:
        """One proposal, by its number or id, with text, changes and a preview of what they
        do, versions and votes."""
        try:
            proposal = state_of(table).named(name)
        except ValueError:
            return None
        return None if proposal is None else proposal_to_dict(table, proposal)

    def votes_told(self, game: Game) -> Iterable[tuple[tuple[bool, int], dict[str, Any]]]:
        for entry, sealed, *vote in _VOTES.all(proposal__game=game.pk):
            yield (entry is None, entry or sealed or 0), {"vote": vote}


THE_ASSEMBLY = register(Assembly("proposals", "Proposals", Path(__file__).parent / "rulebook"))
