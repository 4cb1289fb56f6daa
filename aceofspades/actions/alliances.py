"""What contestants tell the Contestmaster of their alliances (Regulation 220)."""

from collections.abc import Collection

from aceofspades.actions.fields import AllianceField, CodeField, ContestantsField
from aceofspades.actions.members import ContestantAction
from aceofspades.events.alliances import agree, decline, in_words, leave, make_pact
from aceofspades.models import Contestant, Pact
from aceofspades.rules import contest
from aceofspades.rules.contest import ALLIANCES
from aceofspades.secrecy import reader
from aceofspades.state.reading import State, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm
from nomic.engine.table import Table
from nomic.games.bounds import PACTS_OF_CONTESTANT
from nomic.games.refusal import Refusal


class AllianceAction(ContestantAction):
    """An act by which alliances come and go; only those concerned hear of it."""

    rule = ALLIANCES
    never_without = True
    private = True


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

    def contestant_refusal(self, state: State, own: Contestant, data: Inputs) -> Refusal | None:
        if "others" not in data:
            return None
        names = {own.player.name, *data["others"]}
        known = [str(each) for each in state.contestants]
        refusal = contest.alliance_refusal(own.player.name, names, known)
        if refusal:
            return refusal
        members = _members(state, own, data)
        pacts = reader.pacts_of(state, own)
        pact = _of(pacts, members)
        return (
            _same_alliance(state, own, members)
            or (pact and _agreed_before(state, own, pact))
            or (_too_many(state.table, own, pacts) if pact is None else None)
        )

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> str:
        members = _members(state, own, data)
        pact = _of(reader.pacts_of(state, own), members)
        if pact is None:
            pact = make_pact(table, own, members)
            others = in_words(state, members - {own.pk})
            return f"{own} agrees to an alliance with {others} (pact {pact.code})."
        return _agree(table, own, pact)


@action
class AgreePact(AllianceAction):
    """Agree to a pact that others have agreed to."""

    name = "aceofspades.agree_pact"
    title = "Agree to a pact"
    sentence = "Agree to pact {pact}"
    also_said = ("Accept pact {pact}", "Join pact {pact}")

    class Form(ActionForm):
        pact = CodeField(reader.codes_of_pacts)

    def contestant_refusal(self, state: State, own: Contestant, data: Inputs) -> Refusal | None:
        pacts = reader.pacts_of(state, own)
        pact = _coded(pacts, data.get("pact"))
        if pact is None:
            waiting = any(own.pk not in each.agreed_keys for each in pacts)
            return None if waiting and "pact" not in data else _no_pact(data.get("pact"))
        return _same_alliance(state, own, pact.member_keys) or _agreed_before(state, own, pact)

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> str:
        pact = _coded(reader.pacts_of(state, own), data["pact"])
        assert pact is not None
        return _agree(table, own, pact)


@action
class DeclinePact(AllianceAction):
    """Decline a pact, or take back your agreement to it: it comes to nothing."""

    name = "aceofspades.decline_pact"
    title = "Decline a pact"
    sentence = "Decline pact {pact}"
    also_said = ("Withdraw from pact {pact}", "Refuse pact {pact}")

    class Form(ActionForm):
        pact = CodeField(reader.codes_of_pacts)

    def contestant_refusal(self, state: State, own: Contestant, data: Inputs) -> Refusal | None:
        pacts = reader.pacts_of(state, own)
        if "pact" not in data and pacts:
            return None
        return None if _coded(pacts, data.get("pact")) else _no_pact(data.get("pact"))

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> str:
        pact = _coded(reader.pacts_of(state, own), data["pact"])
        assert pact is not None
        decline(table, own, [pact])
        return f"{own} declines pact {pact.code}: it comes to nothing."


@action
class LeaveAlliance(AllianceAction):
    """Leave an alliance. The other members are told."""

    name = "aceofspades.leave_alliance"
    title = "Leave an alliance"
    sentence = "Leave Alliance {alliance}"

    class Form(ActionForm):
        alliance = AllianceField()

    def contestant_refusal(self, state: State, own: Contestant, data: Inputs) -> Refusal | None:
        mine = reader.alliances_of(state, own)
        number = data.get("alliance")
        if number is None:
            sentence = "You are in no alliance. Agree to one with other contestants first."
            return None if mine else Refusal("no_alliance", sentence, ALLIANCES)
        if any(each.number == number for each in mine):
            return None
        numbers = ", ".join(str(each.number) for each in mine) or "none"
        sentence = f"You are in no Alliance {number}. Those that you are in: {numbers}."
        return Refusal("not_a_member", sentence, ALLIANCES)

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> str:
        left = [each for each in reader.alliances_of(state, own) if each.number == data["alliance"]]
        leave(table, own, left)
        return f"{own} leaves {left[0]}."


def _agree(table: Table, own: Contestant, pact: Pact) -> str:
    number = agree(table, own, pact)
    state = state_of(table)
    if number is None:
        missing = set(pact.member_keys) - {*pact.agreed_keys, own.pk}
        waited_for = in_words(state, missing)
        return f"{own} agrees to pact {pact.code}. It waits for {waited_for}."
    names = in_words(state, pact.member_keys)
    return f"{own} agrees to pact {pact.code}: {names} are Alliance {number}."


def _members(state: State, own: Contestant, data: Inputs) -> frozenset[int]:
    names = {own.player.name, *data["others"]}
    return frozenset(each.pk for each in state.contestants if each.player.name in names)


def _of(pacts: list[Pact], members: frozenset[int]) -> Pact | None:
    return next((each for each in pacts if set(each.member_keys) == set(members)), None)


def _coded(pacts: list[Pact], code: str | None) -> Pact | None:
    return next((each for each in pacts if each.code == code), None)


def _no_pact(code: str | None) -> Refusal:
    """The same for a pact of others and for none, so that nobody learns of it."""
    if code is None:
        sentence = "No pact waits for your word. You can propose an alliance yourself."
    else:
        sentence = f"No pact {code} that you would be in is open."
    return Refusal("no_such_pact", sentence, ALLIANCES)


def _same_alliance(state: State, own: Contestant, members: Collection[int]) -> Refusal | None:
    """Alliances of the same members are one: there is no second."""
    mine = reader.alliances_of(state, own)
    same = next((each for each in mine if set(each.member_keys) == set(members)), None)
    if same is None:
        return None
    sentence = f"{same} has these members already; alliances of the same members are one."
    return Refusal("same_members", sentence, ALLIANCES)


def _agreed_before(state: State, own: Contestant, pact: Pact) -> Refusal | None:
    if own.pk not in pact.agreed_keys:
        return None
    waited_for = in_words(state, set(pact.member_keys) - set(pact.agreed_keys))
    sentence = f"You have agreed to that before (pact {pact.code}); it waits for {waited_for}."
    return Refusal("agreed_before", sentence, ALLIANCES)


def _too_many(table: Table, own: Contestant, pacts: list[Pact]) -> Refusal | None:
    most = PACTS_OF_CONTESTANT.of(table.game)
    if sum(own.pk in each.agreed_keys for each in pacts) < most:
        return None
    sentence = f"You have agreed to {most} pacts that are open. Decline one of them first."
    return Refusal("too_many", sentence, ALLIANCES)
