"""Alliances, and the pacts by which contestants tell the Contestmaster of them (Regulation 220)."""

from collections.abc import Collection

from aceofspades.actions.fields import CodeField, ContestantsField, NumberField
from aceofspades.actions.members import ContestantAction
from aceofspades.events.alliances import agree, decline, leave, make_pact, names_in_words
from aceofspades.models import Contestant, Pact
from aceofspades.rules import contest
from aceofspades.rules.contest import ALLIANCES
from aceofspades.secrecy import reader
from aceofspades.state.reading import State
from nomic.engine.actions import PrivateAction, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm
from nomic.games.bounds import PACTS_OF_CONTESTANT
from nomic.games.refusal import Refusal


class AllianceAction(ContestantAction, PrivateAction):
    """An act by which alliances come and go; only those concerned hear of it."""

    rule = ALLIANCES
    one_rule = True


@action
class Ally(AllianceAction):
    """Agree to an alliance with other contestants. It is formed once each of them has agreed."""

    name = "aceofspades.ally"
    title = "Agree to an alliance"
    sentence = "Agree to an alliance with {others}"
    also_said = (
        "Ally with {others}",
        "Form an alliance with {others}",
        "Propose an alliance to {others}",
    )

    class Form(ActionForm):
        others = ContestantsField(label="With")

    def judge(self, state: State, contestant: Contestant, others: list[str] | None) -> Verdict:
        if others is None:
            return None
        names = {contestant.player.name, *others}
        contestants = [str(other) for other in state.contestants]
        refusal = contest.alliance_refusal(contestant.player.name, names, contestants)
        if refusal:
            return refusal
        members = frozenset(other.pk for other in state.contestants if other.player.name in names)
        pacts = reader.pacts_of(state, contestant)
        pact = next((pact for pact in pacts if set(pact.member_keys) == members), None)
        if refusal := _same_alliance(state, contestant, members):
            return refusal
        if pact:
            return _agree(state, contestant, pact)
        limit = PACTS_OF_CONTESTANT.of(state.table.game)
        if sum(contestant.pk in open_pact.agreed_keys for open_pact in pacts) < limit:
            return Effects(Then(lambda table: make_pact(table, contestant, members)))
        sentence = f"You have agreed to {limit} pacts that are open. Decline one of them first."
        return Refusal("too_many", sentence, ALLIANCES)


@action
class AgreePact(AllianceAction):
    """Agree to a pact that others have agreed to."""

    name = "aceofspades.agree_pact"
    title = "Agree to a pact"
    sentence = "Agree to pact {pact}"
    also_said = ("Accept pact {pact}", "Join pact {pact}")

    class Form(ActionForm):
        pact = CodeField(reader.codes_of_pacts)

    def judge(self, state: State, contestant: Contestant, pact: str | None) -> Verdict:
        pacts = reader.pacts_of(state, contestant)
        # A form without a choice is refused where nothing waits for this contestant. A pact that is
        # named may be one they have agreed to: `_agree` tells them so.
        waiting = [open_pact for open_pact in pacts if contestant.pk not in open_pact.agreed_keys]
        chosen = _coded(pacts if pact else waiting, pact)
        if not isinstance(chosen, Pact):
            return chosen
        return _same_alliance(state, contestant, chosen.member_keys) or _agree(
            state, contestant, chosen
        )


@action
class DeclinePact(AllianceAction):
    """Decline a pact, or take back your agreement to it: it comes to nothing."""

    name = "aceofspades.decline_pact"
    title = "Decline a pact"
    sentence = "Decline pact {pact}"
    also_said = ("Withdraw from pact {pact}", "Refuse pact {pact}")

    class Form(ActionForm):
        pact = CodeField(reader.codes_of_pacts)

    def judge(self, state: State, contestant: Contestant, pact: str | None) -> Verdict:
        chosen = _coded(reader.pacts_of(state, contestant), pact)
        if not isinstance(chosen, Pact):
            return chosen
        return Effects(
            Then(lambda table: decline(table, contestant, [chosen])),
            say=f"{contestant} declines pact {pact}: it comes to nothing.",
        )


@action
class LeaveAlliance(AllianceAction):
    """Leave an alliance. The other members are told."""

    name = "aceofspades.leave_alliance"
    title = "Leave an alliance"
    sentence = "Leave Alliance {alliance}"

    class Form(ActionForm):
        alliance = NumberField(
            reader.alliances_of,
            10**6,
            of_contestant=True,
            error_messages={"invalid": "An alliance is named by its whole number."},
        )

    def judge(self, state: State, contestant: Contestant, alliance: int | None) -> Verdict:
        alliances = reader.alliances_of(state, contestant)
        if alliance is None:
            sentence = "You are in no alliance. Agree to one with other contestants first."
            return None if alliances else Refusal("no_alliance", sentence, ALLIANCES)
        leaving = [row for row in alliances if row.number == alliance]
        if not leaving:
            numbers = ", ".join(str(row.number) for row in alliances) or "none"
            sentence = f"You are in no Alliance {alliance}. Those that you are in: {numbers}."
            return Refusal("not_a_member", sentence, ALLIANCES)
        return Effects(
            Then(lambda table: leave(table, contestant, leaving)),
            say=f"{contestant} leaves {leaving[0]}.",
        )


def _agree(state: State, contestant: Contestant, pact: Pact) -> Refusal | Effects:
    if contestant.pk in pact.agreed_keys:
        waited_for = names_in_words(state, set(pact.member_keys) - {*pact.agreed_keys})
        sentence = f"You have agreed to that before (pact {pact.code}); it waits for {waited_for}."
        return Refusal("agreed_before", sentence, ALLIANCES)
    return Effects(Then(lambda table: agree(table, contestant, pact)))


def _coded(pacts: list[Pact], code: str | None) -> Pact | Refusal | None:
    """The pact of that code; the refusal where there is none, or, while none is named, where there
    is not one to be named. It is the same for a pact of others, so that nobody learns of it."""
    if code is None:
        sentence = "No pact waits for your word. You can propose an alliance yourself."
        return None if pacts else Refusal("no_such_pact", sentence, ALLIANCES)
    missing = Refusal("no_such_pact", f"No pact {code} that you would be in is open.", ALLIANCES)
    return next((pact for pact in pacts if pact.code == code), missing)


def _same_alliance(
    state: State, contestant: Contestant, members: Collection[int]
) -> Refusal | None:
    """Alliances of the same members are one: there is no second."""
    alliances = reader.alliances_of(state, contestant)
    same = next(
        (alliance for alliance in alliances if set(alliance.member_keys) == set(members)), None
    )
    if same is None:
        return None
    sentence = f"{same} has these members already; alliances of the same members are one."
    return Refusal("same_members", sentence, ALLIANCES)
