"""Coming to an office and losing it: by the players' support, by the host's word, or freely."""

from typing import Any

from nomic.engine.actions import HOST, STANDSTILL, Action, Inputs, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, PlayerField, TextChoice
from nomic.engine.subgames import office_refusal
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.powers import Offices, offices_of
from nomic.games.refusal import Refusal
from nomic.governance.models import Motion
from nomic.governance.motions import BySupport, announced, end, end_all, open_motions
from nomic.governance.powers import OFFICES_AND_CORRECTIONS

STAND, RECALL, APPOINT = "games.stand", "games.recall", "games.appoint"
TAKE, RESIGN = "games.take_office", "games.resign_office"
_INSTEAD = {
    Offices.SUPPORT: "Stand for it: you hold it as soon as more than half of the other players"
    " support you. The same majority recalls whoever holds one.",
    Offices.HOST: "Here the game's host appoints to offices, and takes them away.",
    Offices.OPEN: "Here whoever takes a vacant office holds it, until they resign.",
}
_AFTERWARDS = {
    Offices.SUPPORT: "Somebody else holds it when more than half of the other players support"
    " them.",
    Offices.HOST: "The game's host may appoint somebody else to it.",
    Offices.OPEN: "Anybody may take it then.",
}
_IS_A_BOT = Refusal(
    "is_a_bot",
    "Practice players hold no office. Choose somebody who is a person.",
    OFFICES_AND_CORRECTIONS,
)


class OfficeField(TextChoice):
    """An office of the game by name."""

    noun = "office"

    def options(self, table: Table, player: Player | None) -> list[str]:
        return list(table.directory.offices)


def give(table: Table, office: str, holder: Player | None) -> None:
    """Let the player hold the office, or nobody; what was announced about it ends with that."""
    table.game.offices.filter(name=office).update(holder=holder)
    table.office_changed(office)
    holds = f"{holder} holds" if holder else "Nobody holds"
    end_all(table, f"{holds} the office of {office} now.", STAND, RECALL, office=office)


def lay_down_all(table: Table, player: Player) -> None:
    """Let all offices of somebody who has left be vacant, and nothing wait that they have
    announced but recalls, which need nobody who began them."""
    for motion in open_motions(table):
        needs_them = motion.action != RECALL or motion.how  # by a row it is done as theirs
        if motion.by == player and needs_them:
            end(table, motion, Motion.End.WITHDRAWN, "", f"{player} has left the game.")
    for office in table.directory.held_by(player):
        give(table, office, None)


def _not_to_be_held(table: Table, player: Player, office: str) -> Refusal | None:
    """Why the player cannot come to that office now; None if they can."""
    holder = table.directory.offices[office]
    if player.bot:
        return _IS_A_BOT
    if holder == player.name:
        return Refusal("holds_it", f"{holder} is the {office} already.")
    if holder:
        return Refusal("office_held", f"{holder} holds the office of {office}.")
    return office_refusal(table, office, player)


def _none_to_be_held(table: Table, player: Player) -> Refusal | None:
    """Why the player cannot come to any of the vacant offices now; None if to one."""
    vacant = [office for office, holder in table.directory.offices.items() if not holder]
    against = [_not_to_be_held(table, player, office) for office in vacant]
    return against[0] if against and all(against) else None


class _OfficeAction(Action):
    """Possible while time stands still: a game that nobody could unstick needs an officer."""

    possible_while = STANDSTILL
    rule = OFFICES_AND_CORRECTIONS
    by: Offices | None = None  # how offices have to be filled for it

    class Form(ActionForm):
        office = OfficeField()

    def absence(self, table: Table) -> Refusal | None:
        way = offices_of(table.game)
        if self.by in (None, way) or not table.directory.offices:
            return self.needs(table.directory.offices)
        return Refusal("filled_otherwise", _INSTEAD[way], self.rule)


class _BySupport(_OfficeAction, BySupport):
    by = Offices.SUPPORT


@action
class Stand(_BySupport):
    """Stand for a vacant office. More than half of the other players' support fills it."""

    name = STAND
    title = "Stand for an office"
    sentence = "Stand for the office of {office}"
    also_said = ("Stand for {office}", "(Become|Be) candidate for [office] {office}")

    def judge(self, table: Table, player: Player, office: str | None) -> Verdict:
        if all(table.directory.offices.values()):
            sentence = "Every office is held. You can stand only for a vacant one."
            return Refusal("no_vacancy", sentence)
        if len(table.directory.players) < 2:
            sentence = "Nobody else plays here yet who could support you."
            return Refusal("nobody_else", sentence, self.rule)
        if office is None:
            return _none_to_be_held(table, player)
        refusal = _not_to_be_held(table, player, office)
        refusal = refusal or announced(table, self.name, by=player, office=office)
        return refusal or Effects(
            Then(lambda at: give(at, office, player)),
            say=f"By the players' support {player} is the {office} now.",
        )


@action
class Recall(_BySupport):
    """Take an office from its holder, which more than half of the other players have to support."""

    name = RECALL
    title = "Recall an officer"
    sentence = "Recall the {office}"
    also_said = ("(Impeach|Remove) {office}",)
    outlives_its_maker = True  # it ends with the tenure that it is about
    once_for = ("office",)

    def absence(self, table: Table) -> Refusal | None:
        """Where whoever comes takes an office, nobody is recalled but by a rule's row."""
        if self.is_due and offices_of(table.game) is Offices.OPEN:
            return self.needs(table.directory.offices)
        return super().absence(table)

    def uncounted(self, table: Table, motion: Motion) -> set[str]:
        """The holder of the office; who announces the recall supports it."""
        return {table.directory.offices[motion.inputs["office"]]}

    def judge(self, table: Table, player: Player, office: str | None) -> Verdict:
        offices = table.directory.offices
        if not any(offices.values()):
            return Refusal("all_vacant", "Every office is vacant: there is nobody to recall.")
        if office is None:
            return None
        if not offices[office]:
            return Refusal("vacant", f"The office of {office} is vacant already.")
        if offices[office] == player.name:
            sentence = f"You are the {office} yourself. Resign instead of recalling."
            return Refusal("holds_it", sentence)
        return Effects(
            Then(lambda at: give(at, office, None)),
            say=f"By the players' support {offices[office]} is not the {office} any more.",
        )


@action
class TakeOffice(_OfficeAction):
    """Take a vacant office; until somebody does, the system performs its duties."""

    name = TAKE
    title = "Take an office"
    sentence = "Take the office of {office}"
    also_said = ("(Become|Assume) [office] {office}",)
    button = "Take it"
    rule = ""
    by = Offices.OPEN

    def judge(self, table: Table, player: Player, office: str | None) -> Verdict:
        if all(table.directory.offices.values()):
            return Refusal("no_vacancy", "Every office is held. Only a vacant office can be taken.")
        if office is None:
            return _none_to_be_held(table, player)
        return _not_to_be_held(table, player, office) or Effects(
            Then(lambda at: give(at, office, player)), say=f"{player} takes the office of {office}."
        )


@action
class ResignOffice(_OfficeAction):
    """Give up an office that you hold."""

    name = RESIGN
    title = "Resign an office"
    sentence = "Resign as {office}"
    also_said = ("Resign [from] [office] {office}",)
    rule = ""
    confirm = "The office becomes vacant. Resign?"

    def question(self, table: Table, player: Player, inputs: Inputs) -> str:
        """With how somebody comes to the office afterwards."""
        after = _AFTERWARDS[offices_of(table.game)]
        return f"The office becomes vacant. {after} Resign?"

    def judge(self, table: Table, player: Player, office: str | None) -> Verdict:
        held = table.directory.held_by(player)
        if not held:
            return Refusal("no_office", "You hold no office.")
        if office is None:
            return None
        if office not in held:
            return Refusal("not_yours", f"You are not the {office}, but {', '.join(held)}.")
        return Effects(
            Then(lambda at: give(at, office, None)), say=f"{player} resigns as {office}."
        )


@action
class Appoint(_OfficeAction):
    """Say who holds an office from now on, in place of whoever holds it; or that nobody does."""

    name = APPOINT
    title = "Appoint to an office"
    sentence = "Let the {office} be {player}"
    office = HOST
    by = Offices.HOST

    class Form(ActionForm):
        office = OfficeField()
        player = PlayerField(required=False, label="Player, or nobody")

    def judge(self, table: Table, by: Player | None, **inputs: Any) -> Verdict:
        if not {"office", "player"} <= inputs.keys():
            return None
        office, chosen = inputs["office"], inputs["player"]
        if table.directory.offices[office] == chosen:
            already = f"{chosen} is the {office}" if chosen else f"The office of {office} is vacant"
            sentence = f"{already} already."
            return Refusal("so_already", sentence)
        seat = table.seat(chosen) if chosen else None
        refusal = seat and (_IS_A_BOT if seat.bot else office_refusal(table, office, seat))
        return refusal or Effects(
            Then(lambda at: give(at, office, seat)),
            say=f"By the host's word, {chosen or 'nobody'} is {office}.",
        )
