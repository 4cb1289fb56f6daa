"""Deputies: what an office owes and is late with, another player does after the rule's time."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from nomic.engine.actions import Action, Inputs, all_actions
from nomic.engine.effects import Effects, Then, apply
from nomic.engine.outcomes import Outcome
from nomic.engine.subgames import of_those_in_play, office_refusal
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.governance.desks import Duty, all_desks
from nomic.governance.powers import OFFICES_AND_CORRECTIONS, deputy_time


class OwedAction(Action):
    """An officer's act by which the office does a duty.

    Once a duty is late by the rule's time, each player who may hold the office can do it as deputy
    of whoever holds it. Nobody is deputy of a vacant office, for which the system and all players
    do what they can.
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
        """The duties that a deputy may do by now, each with its office, which is held."""
        wait = deputy_time(table)
        if wait is None or not any(table.directory.offices.values()):
            return []
        return [
            (office, duty)
            for office, duty in self.debts(table)
            if duty.due and duty.due + wait <= table.now and table.directory.offices.get(office)
        ]

    def is_everybodys(self, table: Table) -> bool:
        return super().is_everybodys(table) or bool(self.late(table))

    def not_the_officer(self, table: Table) -> Refusal:
        refusal, wait = super().not_the_officer(table), deputy_time(table)
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
        if not holder or holder == player.name or self._barred(table, player, office, inputs):
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
        return f"You do this as deputy of the {office}, {holder}, who is late with it. {outlook}"

    def verdict(self, table: Table, player: Player | None, inputs: Inputs) -> Refusal | Effects:
        """What it does; as deputy, where the player does not hold the office that owes it."""
        verdict = super().verdict(table, player, inputs)
        if isinstance(verdict, Refusal) or player is None:
            return verdict
        office = self.owed_by(table, inputs)
        holder = table.directory.offices.get(office, "")
        if not office or holder == player.name:
            return verdict
        if not holder and super().is_everybodys(table):
            return verdict
        if holder and (barred := self._barred(table, player, office, inputs)):
            return barred
        if not self.deputises(table, player, inputs):
            only = f"Only the {office} can do this"
            wait = deputy_time(table) if holder else None
            hours = f" until it is late by {wait // timedelta(hours=1)} hours" if wait else ""
            return Refusal("not_the_officer", f"{only}{hours}.", OFFICES_AND_CORRECTIONS)

        def act(at: Table) -> Outcome:
            outcome = apply(at, verdict)
            text = f"{player} acts as deputy of the {office}. {outcome.text}"
            return replace(outcome, text=text, figures={**outcome.figures, "deputy_for": office})

        return Effects(Then(act, likely=verdict))


def _owed_at_desks(table: Table) -> list[tuple[str, Duty]]:
    """The duties of the desks of those offices that have an act by which they are done, read once
    for all these acts; of what is vacant none."""
    acts = [act for act in all_actions() if isinstance(act, OwedAction)]
    held = {office for office, holder in table.directory.offices.items() if holder}
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
        sentence = "Practice players are nobody's deputies, as they hold no office."
        return Refusal("is_a_bot", sentence, OFFICES_AND_CORRECTIONS)
    refusal = office_refusal(table, office, player)
    if refusal is None:
        return None
    sentence = f"Who cannot be the {office} is not their deputy either. {refusal.sentence}"
    return Refusal("barred", sentence, refusal.rule)
