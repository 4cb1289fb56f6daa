"""Deputies: what an office owes and is late with, another player does after the rule's time.

The table of “Offices and Corrections” says it for all offices that are held, and a row of any
rule's table for one office or all, for those that are vacant as well, and perhaps with notice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from nomic.engine.actions import Action, Inputs, action, all_actions, is_dignity
from nomic.engine.coverage import TablePlayed, play_tables, tell_unread
from nomic.engine.effects import Effects, Then, Verdict, apply
from nomic.engine.forms import ActionForm, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import of_those_in_play, office_refusal
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.acts_by_rows import may_by_row
from nomic.governance.declared_acts import (
    ANY_OFFICE,
    DEPUTIES,
    LONGEST_NOTICE,
    OFFICERS,
    PLAYERS,
    DeclaredDeputy,
    deputies_in,
)
from nomic.governance.desks import Duty, all_desks
from nomic.governance.models import Motion, Voice
from nomic.governance.motions import AnnouncedAction, CannotBeDone, open_with
from nomic.governance.powers import OFFICES_AND_CORRECTIONS, deputy_time
from nomic.governance.rules import Method, MotionTerms
from nomic.rulebook.book import Rulebook
from nomic.rulebook.declared import declared
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.last_readable import Unread

NOTICE = "games.deputise"
_DAY = timedelta(days=1)
_NOTICE_LASTS = LONGEST_NOTICE * _DAY
_IS_A_BOT = Refusal(
    "is_a_bot",
    "Practice players are nobody's deputies, as they hold no office.",
    OFFICES_AND_CORRECTIONS,
)


class OwedAction(Action):
    """An officer's act by which the office does a duty.

    Once a duty is late by the rule's time, each player who may hold the office can do it as deputy
    of whoever holds it. Where no row of a rule says so, nobody is deputy of a vacant office, for
    which the system and all players do what they can.
    """

    def debts(self, table: Table) -> Iterator[tuple[str, Duty]]:
        """The duties that are done by it, each with its office; by default those of the desks."""
        owed = table.once(_owed_at_desks)
        yield from ((office, duty) for office, duty in owed if duty.action == self.name)

    def owed_by(self, table: Table, inputs: Inputs) -> str:
        """The office that owes it with these inputs; "" while they do not tell."""
        raise NotImplementedError

    def does(self, table: Table, inputs: Inputs, duty: Duty) -> bool:
        """Whether it does that duty of its own with these inputs."""
        raise NotImplementedError

    def bars(self, table: Table, player: Player, inputs: Inputs) -> Refusal | None:
        """Why that player is nobody's deputy with these inputs; None if they may be."""
        return None

    def late(self, table: Table) -> list[tuple[str, Duty]]:
        """The duties that a deputy may do by now, each with its office."""
        waits = deputy_waits(table)
        return [
            (office, duty)
            for office, duty in (self.debts(table) if waits else ())
            if duty.due and office in waits and duty.due + waits[office] <= table.now
        ]

    def is_everybodys(self, table: Table) -> bool:
        return super().is_everybodys(table) or bool(self.late(table))

    def not_the_officer(self, table: Table) -> Refusal:
        refusal, waits = super().not_the_officer(table), deputy_waits(table)
        general = None if deputy_rows(table).by_office else deputy_time(table)
        wait = waits.get(self.office_in(table)) or min(waits.values(), default=general)
        if wait is None:
            return refusal
        hours = wait // timedelta(hours=1)
        sentence = (
            f"{refusal.sentence} Another player can, as deputy, what is late by {hours} hours:"
            " nothing of it is so late now."
        )
        return Refusal(refusal.code, sentence, OFFICES_AND_CORRECTIONS)

    def deputises(self, table: Table, player: Player, inputs: Inputs) -> bool:
        """Whether that player may do it with these inputs as deputy of who holds the office."""
        office = self.owed_by(table, inputs)
        holder = table.directory.offices.get(office)
        if not office or holder == player.name or self._barred(table, player, office, inputs):
            return False
        return any(self.does(table, inputs, duty) for by, duty in self.late(table) if by == office)

    def _barred(self, table: Table, player: Player, office: str, inputs: Inputs) -> Refusal | None:
        return _barred(table, player, office) or self.bars(table, player, inputs)

    def outlook(self, table: Table, player: Any, inputs: Inputs) -> str:
        """Also for whom it is done, where that is as deputy."""
        outlook = super().outlook(table, player, inputs)
        if player is None or not inputs or not self.deputises(table, player, inputs):
            return outlook
        office = self.owed_by(table, inputs)
        holder = table.directory.offices[office]
        late = f"{holder}, who is late with it" if holder else "which is vacant"
        return f"You do this as deputy of the {office}, {late}. {outlook}"

    def verdict(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | Effects:
        """What it does; as deputy, where the player does not hold the office that owes it."""
        verdict = super().verdict(table, player, inputs)
        if isinstance(verdict, Refusal) or player is None:
            return verdict
        office = self.owed_by(table, inputs)
        holder = table.directory.offices.get(office, "")
        if not office or holder == player.name:
            return verdict
        is_deputy = self.deputises(table, player, inputs)
        if not is_deputy and not holder and super().is_everybodys(table):
            return verdict
        waits = deputy_waits(table)
        if office in waits and (barred := self._barred(table, player, office, inputs)):
            return barred
        if not is_deputy:
            only = f"Only the {office} can do this"
            wait = waits.get(office)
            hours = f" until it is late by {wait // timedelta(hours=1)} hours" if wait else ""
            return Refusal("not_the_officer", f"{only}{hours}.", OFFICES_AND_CORRECTIONS)

        def act(at: Table) -> Outcome:
            outcome = apply(at, verdict)
            text = f"{player} acts as deputy of the {office}. {outcome.text}"
            return replace(outcome, text=text, figures={**outcome.figures, "deputy_for": office})

        return Effects(Then(act, likely=verdict))


def _owed_at_desks(table: Table) -> list[tuple[str, Duty]]:
    """The duties of the desks of those offices that have an act by which they are done, read once
    for all these acts; of what has no deputies none."""
    acts = [act for act in all_actions() if isinstance(act, OwedAction)]
    held = {*deputy_waits(table)}
    owing = {office for office in held if any(act.is_of({office}, table.game) for act in acts)}
    desks = of_those_in_play(table.game, all_desks())
    by_office = ((desk.office_in(table.game), desk) for desk in desks)
    return [
        (office, duty)
        for office, desk in by_office
        if office in owing
        for duty in desk.duties(table)
    ]


def _barred(table: Table, player: Player, office: str) -> Refusal | None:
    """Why the player is nobody's deputy in that office; None if they may be."""
    if player.bot:
        return _IS_A_BOT
    row = deputy_rows(table).of(office)
    if row is not None and (refusal := _not_by_row(table, player, office, *row)):
        return refusal
    refusal = office_refusal(table, office, player)
    if refusal is None:
        return None
    sentence = f"Who cannot be the {office} is not their deputy either. {refusal.sentence}"
    return Refusal("barred", sentence, refusal.rule)


# The rows of rules


@dataclass(frozen=True, slots=True)
class DeputyRows:
    """The rows of a game's rules, by the offices' names in small letters, each with its rule's
    title; and what is wrong with the tables."""

    by_office: Mapping[str, tuple[DeclaredDeputy, str]]
    unread: tuple[Unread, ...]

    def of(self, office: str) -> tuple[DeclaredDeputy, str] | None:
        """The row of that office, or the one of all; None where there is none."""
        key = office.casefold()
        return self.by_office.get(key) or self.by_office.get(ANY_OFFICE)


def deputy_rows(table: Table) -> DeputyRows:
    """The rows as the rules read at that table now."""
    changes, rows = table.once(_read)
    if changes != table.rules.changes:
        table.drop(_read)
        _, rows = table.once(_read)
    return rows


def _declared_by(rules: Rulebook, rule: RuleText) -> tuple[Sequence[DeclaredDeputy], Unread | None]:
    return declared(deputies_in, DEPUTIES, rule, rules.earlier_versions)


def _read(table: Table) -> tuple[int, DeputyRows]:
    by_office: dict[str, tuple[DeclaredDeputy, str]] = {}
    unread: list[Unread] = []
    for rule in table.rules.that_say(DEPUTIES[0]):
        rows, fault = _declared_by(table.rules, rule)
        unread += [fault] if fault else []
        for row in rows:
            if row.office.casefold() in by_office:
                title = by_office[row.office.casefold()][1]
                sentence = f"{row.office} has its deputies in “{title}” already."
                unread.append(Unread(rule.title, None, sentence, pk=rule.pk))
            else:
                by_office[row.office.casefold()] = row, rule.title
    return table.rules.changes, DeputyRows(by_office, tuple(unread))


tell_unread(lambda table: deputy_rows(table).unread)


@play_tables
def _table_played(rules: Rulebook, rule: RuleText) -> TablePlayed | None:
    rows, fault = _declared_by(rules, rule)
    return TablePlayed(DEPUTIES, fault is None) if rows or fault else None


def deputy_waits(table: Table) -> dict[str, timedelta]:
    """How late, in game time, what each office owes is when a deputy may do it; without those that
    nobody may act for now."""
    general, rows = deputy_time(table), deputy_rows(table)
    waits = {}
    for office, holder in table.directory.offices.items():
        row = rows.of(office)
        if row is None:
            wait = general if holder else None
        else:
            days = row[0].late if holder else row[0].vacant
            wait = None if days is None else days * _DAY
        if wait is not None and not is_dignity(office):
            waits[office] = wait
    return waits


def _not_by_row(
    table: Table, player: Player, office: str, row: DeclaredDeputy, rule: str
) -> Refusal | None:
    """Why the player is no deputy by that row; None if they may be."""
    if not may_by_row(table, row.who, player):
        deputies = row.who if row.who in (PLAYERS, OFFICERS) else f"the {row.who}"
        return Refusal(
            "not_the_deputy", f"By “{rule}” {deputies} can be deputy of the {office}.", rule
        )
    is_held = table.directory.offices.get(office)
    notices = (notice for notice in open_with(table, NOTICE, office=office) if notice.by == player)
    has_waited = any(notice.due and notice.due <= table.now for notice in notices)
    if row.notice and is_held and not has_waited:
        sentence = (
            f"By “{rule}” a deputy of the {office} says so {row.notice} days before: announce that"
            " you will act as deputy, and do it when these are over."
        )
        return Refusal("no_notice", sentence, rule)
    return None


class _OfficeWithNotice(TextChoice):
    """An office of which deputies give notice, by name."""

    noun = "office whose deputies give notice"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return list(_with_notice(table))


def _with_notice(table: Table) -> dict[str, DeclaredDeputy]:
    rows = {office: deputy_rows(table).of(office) for office in table.directory.offices}
    return {office: row[0] for office, row in rows.items() if row and row[0].notice}


@action
class GiveNotice(AnnouncedAction):
    """Say beforehand that you will act as deputy of an office, where a rule asks for that."""

    name = NOTICE
    title = "Give notice to act as deputy"
    sentence = "I will act as deputy of the {office}"
    button = "Give notice"
    failing = "is over"

    class Form(ActionForm):
        office = _OfficeWithNotice()

    def absence(self, table: Table) -> Refusal | None:
        return self.needs(_with_notice(table))

    def terms(self, table: Table, player: Player | None, inputs: Inputs) -> MotionTerms | None:
        if "office" not in inputs:
            return None
        row = _with_notice(table).get(inputs["office"])
        if row is None:
            raise CannotBeDone("No rule asks for notice of a deputy of that office any more.")
        return MotionTerms(
            row.notice * _DAY, method=Method(), lapse=_NOTICE_LASTS, by_hand=True, by_support=False
        )

    def hears(self, motion: Motion, terms: MotionTerms | None, side: Voice.Side) -> bool:
        return False

    def takes(self, table: Table, motion: Motion) -> str:
        since = f"{motion.due:%Y-%m-%d %H:%M} UTC in the game" if motion.due else "now"
        until = f"{motion.at + _NOTICE_LASTS:%Y-%m-%d %H:%M}"
        return f"They may act as deputy from {since} until {until}."

    def waiting(self, table: Table, motion: Motion) -> Outcome:
        text = f"{motion.by} may act as deputy of the {motion.inputs['office']} now."
        return Outcome(text, {"motion": motion.number})

    def prevented(self, motion: Motion) -> str:
        office = motion.inputs["office"]
        return f"The notice of {motion.by}, to act as deputy of the {office}, is over."

    def judge(self, table: Table, player: Player | None, office: str | None) -> Verdict:
        if office is None or player is None:
            return None
        if table.directory.offices.get(office) == player.name:
            return Refusal("holds_it", f"You are the {office}, and nobody's deputy there.")
        if player.bot:
            return _IS_A_BOT
        if any(notice.by == player for notice in open_with(table, NOTICE, office=office)):
            return Refusal("announced", "You have given notice of that already.")
        return office_refusal(table, office, player) or Effects()
