"""Acts that are announced first, and what is said for and against them (103, 114, 250)."""

from typing import Any

from aceofspades.actions.drafts import tidy
from aceofspades.actions.fields import NumberField
from aceofspades.actions.knowledge import no_regulation, secret_numbers
from aceofspades.actions.members import ContestantAction, ContestmasterAction, TogetherAction, doing
from aceofspades.events.carrying import HINT, PUBLISH, TABLED_ACTS, put_on_the_table, terms_of
from aceofspades.models import Contestant
from aceofspades.state.reading import TABLED_ACT, State
from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Then, Verdict
from nomic.engine.forms import ActionForm, Text
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.voters import no_voter_yet
from nomic.standard.models import Motion, Voice
from nomic.standard.motions import end, has_spoken, open_motion, speak

R103, R114, R250 = "Regulation 103", "Regulation 114", "Regulation 250"


def open_numbers(state: State) -> list[int]:
    """The numbers of the acts that are not done or prevented yet."""
    return [each.number for each in state.open_acts]


@action
class Hint(ContestmasterAction):
    """Announce a hint about a secret regulation. It is given, to be read, if nobody objects."""

    name = "aceofspades.hint"
    title = "Table a hint about a secret regulation"
    sentence = "Table a hint about Regulation {regulation}: {hint}"
    button = "Table it"
    rule = R250

    class Form(ActionForm):
        regulation = NumberField(secret_numbers)
        hint = Text(lines=True)

    def sealed_inputs(self, table: Table, data: Inputs) -> frozenset[str]:
        return frozenset({"hint"})

    def judge(self, state: State, player: Player | None, regulation: Any, hint: Any) -> Verdict:
        told = {"kind": HINT, "regulation": regulation, "hint": tidy(hint or "")}
        refusal = _not_secret(state, regulation, "a hint is about")
        return refusal or put_on_the_table("The Contestmaster means", **told)


@action
class PublishRegulation(TogetherAction):
    """Announce that a secret regulation shall be public. It is, if nobody objects. While there is
    no Contestmaster, the contestants announce it by support."""

    name = "aceofspades.publish_regulation"
    title = "Table the publishing of a secret regulation"
    sentence = "Table the publishing of Regulation {regulation}"
    button = "Table it"
    rule = R250

    class Form(ActionForm):
        regulation = NumberField(secret_numbers)

    def judge(self, state: State, player: Player | None, regulation: int | None) -> Verdict:
        means = doing(state, player, "means", "mean")
        refusal = _not_secret(state, regulation, "this publishes")
        return refusal or put_on_the_table(means, kind=PUBLISH, regulation=regulation)


@action
class WithdrawAct(TogetherAction):
    """Withdraw an act that was announced: it is not done, whoever supports it. While there is no
    Contestmaster, the contestants withdraw it by support."""

    name = "aceofspades.withdraw_act"
    title = "Withdraw a tabled act"
    sentence = "Withdraw Tabled act {act}"
    rule = R114

    class Form(ActionForm):
        act = NumberField(open_numbers, label="Tabled act")

    def judge(self, state: State, player: Player | None, act: int | None) -> Verdict:
        found = _open(state, act)
        if not isinstance(found, Motion):
            return found
        withdraws = doing(state, player, "withdraws", "withdraw")
        text = f"{withdraws} {found}, to {TABLED_ACTS.intent(found.inputs)}."
        return Effects(Then(lambda table: end(table, found, Motion.End.WITHDRAWN, text)))


class VoiceAction(ContestantAction):
    """Speaking for or against an act that the Contestmaster has announced, once."""

    rule = R103
    side: Voice.Side
    says: str

    class Form(ActionForm):
        act = NumberField(open_numbers, label="Tabled act")

    def judge(self, state: State, own: Contestant, act: int | None) -> Verdict:
        found = _open(state, act)
        if not isinstance(found, Motion):
            return found
        spoken = has_spoken(found, own.player, self.side, R103)
        if spoken:
            return spoken
        if self.side == Voice.Side.SUPPORTS:
            if not state.may_vote(own):
                return no_voter_yet(state.table.game)
            terms = terms_of(state.charts, found.inputs["kind"])
            if terms is not None and not terms.by_support:
                sentence = f"Support does nothing for {found}: it is done unless somebody objects."
                return Refusal("no_help", sentence, R250)
        return Effects(
            Then(lambda table: speak(table, found, [own.player], self.side)),
            say=f"{own} {self.says} {found}.",
            figures={"tabled": act},
        )


@action
class Object(VoiceAction):
    """Object to an act that the Contestmaster has announced."""

    name = "aceofspades.object"
    title = "Object to a tabled act"
    sentence = "Object to Tabled act {act}"
    side, says = Voice.Side.OBJECTS, "objects to"


@action
class Support(VoiceAction):
    """Support an act that the Contestmaster has announced."""

    name = "aceofspades.support"
    title = "Support a tabled act"
    sentence = "Support Tabled act {act}"
    side, says = Voice.Side.SUPPORTS, "supports"


def not_allowed(state: State, kind: str, rule: str) -> Refusal | None:
    """The refusal where no regulation says any more what an act of that kind takes."""
    if terms_of(state.charts, kind) is not None:
        return None
    return Refusal("not_allowed", "No regulation says any more what such an act takes.", rule)


def _open(state: State, number: int | None) -> Motion | Refusal | None:
    """The act that is named; the refusal where it is not open, or none is."""
    if number is None:
        nothing = Refusal("nothing_tabled", "No act is tabled now.", R103)
        return None if state.open_acts else nothing
    if number in open_numbers(state):
        return open_motion(state.table, number, TABLED_ACT)
    act = state.table.game.motions.filter(label=TABLED_ACT, number=number).first()
    if act is None:
        return Refusal("no_act", f"There is no Tabled act {number}.", R103)
    return Refusal("ended", f"{act} has ended: it was {act.get_end_display().lower()}.", R103)


def _not_secret(state: State, number: int | None, what: str) -> Refusal | None:
    if refusal := not_allowed(state, HINT, R250):
        return refusal
    if number is None:
        nothing = Refusal("nothing_secret", "No regulation is secret now.", R250)
        return None if secret_numbers(state) else nothing
    found = state.regulation(number)
    if found is None:
        return no_regulation(number, R250)
    if found.visibility != "secret":
        sentence = f"{found.title} is {found.visibility}; {what} a secret regulation."
        return Refusal("not_secret", sentence, R250)
    return None
