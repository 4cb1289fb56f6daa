"""The contest as a part of a game: how it begins, and how it follows rulebook and players."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from aceofspades.actions.members import R102
from aceofspades.api import contest_state
from aceofspades.events import book, moves
from aceofspades.events.decisions import release_waiting_proposals
from aceofspades.events.leaving import depart
from aceofspades.events.opening import OPENING
from aceofspades.events.reckoning import OPENING_OF_MORE, reschedule_skipped
from aceofspades.models import Contest, Regulation
from aceofspades.notices import concerns
from aceofspades.rulebook import RULEBOOK
from aceofspades.rulebook.machinery import another_regulation, left_to_it, regulations
from aceofspades.rules.clauses import CLAUSES
from aceofspades.rules.contest import recast
from aceofspades.rules.marks import has_block, program_in
from aceofspades.rules.tables import TABLES
from aceofspades.state.book import number_of
from aceofspades.state.reading import (
    BY_HAND,
    CONTESTMASTER,
    DECK,
    FAMILY,
    ORIGIN,
    PURPOSE,
    RECKONING,
    THE_CONTEST,
    asset_of,
    drop_book,
    drop_state,
    state_of,
)
from aceofspades.web.proof import proofs
from aceofspades.web.waiting import tour, waiting
from nomic.engine.coverage import read_programs
from nomic.engine.programs.declarations import carried_in
from nomic.engine.subgames import KeepsSecrets, register
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.names import with_name
from nomic.games.refusal import Refusal
from nomic.ledger.models import Asset, AssetVisibility
from nomic.rulebook.cell_words import cell_words_in
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.coverage.marks import SAID, CarriedProgram, Machinery
from nomic.rulebook.in_force import RuleText, name_key
from nomic.rulebook.last_readable import Unread
from nomic.rulebook.models import Rule
from nomic.rulebook.passages import passages_of
from nomic.rulebook.tables import TableBroken


class TheContest(KeepsSecrets):
    """The Ace of Spades (Agora, March 2002)."""

    acts_in_its_panel = True
    short = "Cards"
    sign = "spade"
    classes_rules = True
    counted_later = frozenset({"total_worth", "known_worth"})
    clauses = CLAUSES
    cells = cell_words_in(Path(__file__).parent / "rules" / "cells.toml")
    concerns = staticmethod(concerns)
    waiting = staticmethod(waiting)
    tour = staticmethod(tour)
    state = staticmethod(contest_state)
    proofs = staticmethod(proofs)
    offices = frozenset({CONTESTMASTER})
    for_example = "I accept offer BCDF"

    def is_on(self, game: Game) -> bool:
        """It comes with a game's beginning or never, and then the game has a setting of its own for
        it: no query for a game that was not begun with it."""
        return BY_HAND in game.settings and Contest.objects.filter(game=game, is_on=True).exists()

    def machinery(self, table: Table, title: str) -> Machinery | None:
        """Of a regulation that the contest did not begin with it plays by tables, and marks by
        programs; of others by their sentences as well. A table that another regulation has which
        prevails over it is not played by."""
        known = regulations(self.clauses).get(name_key(title))
        number = title.removeprefix("Regulation ")
        if not number.isdecimal() or number == title:
            return known
        state = state_of(table)
        if known is None:
            with suppress(TableBroken):
                marks = state.charts.is_marking(int(number))
                known = another_regulation(marks=marks, clauses=self.clauses)
        if known is None or state.contest_or_none is None:
            return known
        left = state.public_charts.left_to(int(number))
        return left_to_it(known, frozenset(TABLES[part][0] for part in left))

    def rules_changed(self, table: Table) -> None:
        """Begin once the regulations are in force; then keep what they still say."""
        if BY_HAND not in table.game.settings:
            return
        drop_book(table)
        state = state_of(table)
        in_force = table.rules.in_force(THE_CONTEST)
        if state.contest_or_none is None and in_force:
            table.ledger.rule = THE_CONTEST
            table.office(CONTESTMASTER)
            deck = table.ledger.deck(DECK)
            contest = Contest.objects.create(game=table.game, begun_at=table.now, deck=deck)
            shipped = Rule.objects.filter(game=table.game, origin=ORIGIN, repealed_in__isnull=True)
            Regulation.objects.bulk_create(
                Regulation(contest=contest, number=int(rule.number), rule=rule)
                for rule in shipped.order_by("position")
            )
            table.dice.open_period(private=True, purpose=PURPOSE)
            drop_state(table)
            _define_suits(table)
            for regulation in state_of(table).regulations:
                book.fill_deck(table, regulation.text)
            table.appointments.make(OPENING, table.now)
        elif state.contest_or_none is not None and state.contest_or_none.is_on != in_force:
            Contest.objects.filter(pk=state.contest_or_none.pk).update(is_on=in_force)
            if in_force and not state.contest_or_none.opened:
                table.appointments.expect(OPENING, table.now)
            drop_state(table)
        if in_force and not state_of(table).is_reckoned:
            book.mark_repealed_by_game(table)
            follow_the_book(table)

    def left(self, table: Table, player: Player) -> None:
        """Who leaves the game leaves the contest; their cards stay theirs. A Contestmaster leaves
        the office as well."""
        drop_state(table)
        state = state_of(table)
        if state.contest_or_none is None or state.is_reckoned:
            return
        with suppress(TableBroken):  # what waits for a decision waits for its table
            depart(table, player)
        if not state_of(table).has_contestmaster:
            release_waiting_proposals(table)

    def renamed(self, table: Table, player: Player, former: str) -> None:
        """Who has been Contestmaster is known by the name."""
        for contest in Contest.objects.filter(game=table.game, masters__contains=[former]):
            contest.masters = with_name(contest.masters, former, player.name)
            contest.save(update_fields=["masters"])

    def office_changed(self, table: Table, office: str) -> None:
        """Who becomes Contestmaster may know what is hidden, and plays no more in this contest.

        What a Contestmaster kept to do goes on by itself once the office is vacant.
        """
        if office != CONTESTMASTER:
            return
        drop_state(table)
        state = state_of(table)
        master = table.directory.offices.get(CONTESTMASTER)
        if state.contest_or_none is None or state.is_reckoned:
            return
        if not master:
            release_waiting_proposals(table)
            return
        contest = state.contest
        if master not in contest.masters:
            contest.masters = [*contest.masters, master]
            contest.save(update_fields=["masters"])
        with suppress(TableBroken):
            depart(table, table.seat(master))
        drop_state(table)

    def office_refusal(self, table: Table, office: str, player: Player | None) -> Refusal | None:
        """Nobody becomes Contestmaster in the midst of a contest, to read what others play by; the
        office of one who leaves it then stays vacant until all is public."""
        if office != CONTESTMASTER:
            return None
        state = state_of(table)
        if state.contest_or_none is None or state.is_reckoned or not state.has_begun:
            return None
        sentence = (
            "Somebody has joined the contest, and the Contestmaster would come to know what its"
            " contestants keep to themselves. The office can be taken before the first contestant"
            " joins and after the Moment of Reckoning; in between the system keeps it."
        )
        return Refusal("contest_begun", sentence, R102)

    def corrected(self, table: Table) -> None:
        """Look at the Deck, since a correction may have left it too few cards, or no Mauve (123,
        210)."""
        drop_state(table)
        if state_of(table).is_on and not state_of(table).is_reckoned:
            with suppress(TableBroken):
                moves.look_at_the_deck(table)

    def keeper(self, game: Game) -> str:
        return CONTESTMASTER

    def may_seal(self, game: Game) -> bool:
        """Whether the contest, in which next to all is private, has not been opened whole."""
        opened = Contest.objects.filter(game=game, reckoned_at__isnull=False).exists()
        waits = game.appointments.waiting().filter(kind=OPENING_OF_MORE).exists()
        return Contest.objects.filter(game=game).exists() and (not opened or waits)

    def keeps(self, game: Game, asset: Asset) -> str:
        """The Contestmaster keeps the cards; they are in no list before they are disclosed."""
        return CONTESTMASTER if asset.family == FAMILY else ""

    def uncorrected(self, table: Table, rule: RuleText, text: str) -> Refusal | None:
        """A regulation's block marks hands, so it is what was voted on or it is replaced."""
        marks = has_block(rule.text) or has_block(text)
        if rule.origin != ORIGIN or not marks:
            return None
        sentence = (
            f"{rule.title} marks hands by its program: no correction changes it. Propose a"
            " regulation in its place."
        )
        return Refusal("marks_hands", sentence, rule.title)

    def skipped(self, table: Table, kind: str) -> None:
        """A decision that was skipped comes with the next vote, joining or leaving; the opening and
        what belongs to the Reckoning come on the next day."""
        drop_state(table)
        if state_of(table).is_on:
            with suppress(TableBroken):
                reschedule_skipped(table, kind)

    def broken(self, table: Table) -> str:
        """The first table of a regulation that cannot be read."""
        state = state_of(table)
        if state.contest_or_none is None:
            return ""
        return state.unread[0].sentence if state.unread else ""

    def unread(self, table: Table) -> Sequence[Unread]:
        """The public regulations that are played as of an earlier version, or not at all."""
        state = state_of(table)
        return () if state.contest_or_none is None else state.unread


THE_ACE = register(TheContest("aceofspades", "The Ace of Spades", RULEBOOK))


def _marking_program(table: Table, rule: RuleText) -> CarriedProgram | None:
    """The program of a Marking Regulation, with the sentences that its block says it carries out,
    or, where it names none, those that are about Marks; None where there is no program."""
    number = number_of(rule) if rule.origin == ORIGIN else None
    if number is None:
        return None
    state = state_of(table)
    if not unless_broken(lambda: state.charts.is_marking(number), False):
        return None
    block = program_in(number, rule.text)
    if block is None:
        return None
    carries = tuple(words for _, words in carried_in(block.source))
    if not carries:
        said = (passage for passage in passages_of(rule.text) if passage.kind in SAID)
        carries = tuple(passage.text for passage in said if _ABOUT_MARKS.search(passage.text))
    return CarriedProgram(runs=True, carries=carries)


read_programs(_marking_program)

_ABOUT_MARKS = re.compile(r"\b(?:worth|marks?)\b", re.IGNORECASE)
_UNDEFINED = "its suit is not defined any more"


def follow_the_book(table: Table) -> None:
    """Let cards and calendar be as the regulations in force say (105, 122, 123, 200).

    A table that cannot be read leaves what needs it as it is.
    """
    with suppress(TableBroken):
        _define_suits(table)
        state = state_of(table)
        if set(state.suits_ever) != set(state.charts.suits):
            # The cards of suits that are not defined any more become Mauve (123).
            drop_state(table, "cards", "counts")
            mauve = recast(state.cards, state.charts.suits, state.charts.always)
            for suit in sorted({suit for cards in mauve.values() for suit in cards}):
                gone = {holder: cards[suit] for holder, cards in mauve.items() if suit in cards}
                table.ledger.collect(gone, asset_of(suit), _UNDEFINED)
            made = {holder: sum(cards.values()) for holder, cards in mauve.items()}
            if made:
                table.ledger.pay_out(made, asset_of(state.charts.always), _UNDEFINED)
            drop_state(table, "cards", "counts")
        moves.keep_mauve_in_the_deck(table)
    with suppress(TableBroken):
        state = state_of(table)
        due = state.charts.reckoning(state.contest.begun_at)
        if due is None:
            table.appointments.cancel(RECKONING)
        else:
            table.appointments.expect(RECKONING, due)


def _define_suits(table: Table) -> None:
    """Let there be an asset for each suit that the regulations define; its cards are private."""
    cards = [asset_of(suit) for suit in state_of(table).charts.suits]
    table.ledger.define_all(
        {card: f"{card}s" for card in cards},
        family=FAMILY,
        visibility=AssetVisibility.PRIVATE,
        officer=CONTESTMASTER,
    )
