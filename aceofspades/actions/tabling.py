"""Acts that are announced first, and what is said for and against them (103, 114, 250)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from aceofspades.actions.drafts import tidy
from aceofspades.actions.fields import NumberField
from aceofspades.actions.knowledge import no_regulation, secret_numbers
from aceofspades.actions.members import ContestantAction, ContestmasterAction, next_number
from aceofspades.actions.together import TogetherAction, doing
from aceofspades.actions.voices import (
    TABLED,
    acts,
    fate,
    look_at_tabled_acts,
    open_numbers,
    terms_of,
)
from aceofspades.events.carrying import carry_out, intent
from aceofspades.models import Contestant, Request, Tabled, Voice
from aceofspades.state.reading import State, forget, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.events import appointment
from nomic.engine.forms import ActionForm, Text
from nomic.engine.models import CountedIn
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.voters import no_voter_yet
from nomic.games.wording import counted
from nomic.standard.motions import CannotBeDone, attempt
from nomic.standard.rules import Terms

R103, R114, R250 = "Regulation 103", "Regulation 114", "Regulation 250"


def put_on_the_table(
    table: Table,
    kind: str,
    details: dict[str, Any],
    sealed: dict[str, Any] | None = None,
    request: Request | None = None,
    *,
    means: str = "The Contestmaster means",
) -> Outcome:
    """Announce the intent to do it; it is looked at when its days are over."""
    state = state_of(table)
    terms = terms_of(state, kind)
    assert terms is not None, "What no regulation allows is refused."
    assert terms.wait is not None, "The book gives each of them its days."
    act = Tabled.objects.create(
        contest=state.contest,
        number=next_number(Tabled, state),
        kind=kind,
        details=details,
        sealed=sealed or {},
        request=request,
        entry=table.seq,
        due=table.now + terms.wait,
    )
    subject, hours = str(act.number), CountedIn.HOURS
    table.appointments.make(TABLED, act.due, subject, counted_in=hours)
    because = f" after {request}" if request else ""
    text = (
        f"{means} to {intent(kind, details)}{because} ({act}). It is done in"
        f" {counted(terms.wait.days, 'day')} unless {_objectors(terms)} to it"
        f"{', and at once if a majority supports it' if terms.by_support else ''}."
    )
    return Outcome(text, {"tabled": act.number, "kind": kind, **details})


def support(table: Table, number: int, some: Sequence[Contestant]) -> None:
    """Let these contestants support that tabled act, as they have said by a motion."""
    if not some:
        return
    act = state_of(table).contest.tabled.get(number=number)
    spoken = {"tabled": act, "way": Voice.Way.SUPPORTS, "entry": table.seq}
    Voice.objects.bulk_create(Voice(contestant=each, **spoken) for each in some)
    look_at_tabled_acts(table)


@appointment(TABLED, title="A tabled act is looked at", rule=R114, at_once=True)
def look_at_the_act(table: Table, subject: str) -> Outcome:
    """Do the act, or let it be prevented: when its days are over, or enough have spoken.

    `subject` is its number, and behind a slash the entry that made it be looked at earlier.
    """
    state = state_of(table)
    number, _, early = subject.partition("/")
    act = acts(state).get(number=number)
    if act.end or state.is_reckoned or not state.is_on:
        return Outcome(f"Nothing is to be done of {act} any more.")
    what = intent(act.kind, act.details)

    def do() -> Outcome:
        if terms_of(state, act.kind) is None:
            raise CannotBeDone("no regulation allows it any more.")
        found = fate(state, act, days_over=not early or table.now >= act.due)
        if found == Tabled.End.PREVENTED:
            text = f"{act}, to {what}, is prevented: enough contestants object."
            return _end(table, act, Tabled.End.PREVENTED, text)
        if found is None:
            return Outcome(f"{act}, to {what}, waits until its days are over.")
        outcome = _end(table, act, Tabled.End.DONE, f"{act} is done.")
        return replace(outcome, text=f"{outcome.text} {carry_out(table, act)}")

    done = attempt(table, str(act), do)
    if isinstance(done, Outcome):
        return done
    return _end(table, act, Tabled.End.FAILED, f"{act}, to {what}, cannot be done: {done}")


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

    def why_not(self, state: State, player: Player, data: Inputs) -> Refusal | None:
        return _not_secret(state, data.get("regulation"), "a hint is about")

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        details = {"regulation": data["regulation"]}
        return put_on_the_table(table, Tabled.Kind.HINT, details, {"hint": tidy(data["hint"])})


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

    def hitch(self, state: State, data: Inputs) -> Refusal | None:
        return _not_secret(state, data.get("regulation"), "this publishes")

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        details = {"regulation": data["regulation"]}
        means = doing(table, player, "means", "mean")
        return put_on_the_table(table, Tabled.Kind.PUBLISH, details, means=means)


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

    def hitch(self, state: State, data: Inputs) -> Refusal | None:
        number = data.get("act")
        return _none_tabled(state) if number is None else _not_open(_tabled(state, number), number)

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        act = _tabled(state_of(table), data["act"])
        assert act is not None
        withdraws = doing(table, player, "withdraws", "withdraw")
        text = f"{withdraws} {act}, to {intent(act.kind, act.details)}."
        return _end(table, act, Tabled.End.WITHDRAWN, text)


class VoiceAction(ContestantAction):
    """Speaking for or against an act that the Contestmaster has announced, once."""

    rule = R103
    way: Voice.Way
    says: str

    class Form(ActionForm):
        act = NumberField(open_numbers, label="Tabled act")

    def contestant_refusal(self, state: State, own: Contestant, data: Inputs) -> Refusal | None:
        number = data.get("act")
        if number is None:
            return _none_tabled(state)
        act = _tabled(state, number)
        refusal = _not_open(act, number)
        if act is None or refusal:
            return refusal
        spoken = Voice.objects.filter(tabled=act, contestant=own).first()
        if spoken is not None:
            said = "object to" if spoken.way == Voice.Way.OBJECTS else "support"
            return Refusal("has_spoken", f"You {said} {act} already.", R103)
        return self.no_help(state, own, act)

    def no_help(self, state: State, own: Contestant, act: Tabled) -> Refusal | None:
        """Why speaking so would do nothing."""
        return None

    def act(self, table: Table, state: State, own: Contestant, data: Inputs) -> Outcome:
        act = acts(state).get(number=data["act"])
        Voice.objects.create(tabled=act, contestant=own, way=self.way, entry=table.seq)
        look_at_tabled_acts(table)
        return Outcome(f"{own} {self.says} {act}.", {"tabled": act.number})


@action
class Object(VoiceAction):
    """Object to an act that the Contestmaster has announced."""

    name = "aceofspades.object"
    title = "Object to a tabled act"
    sentence = "Object to Tabled act {act}"
    way, says = Voice.Way.OBJECTS, "objects to"


@action
class Support(VoiceAction):
    """Support an act that the Contestmaster has announced."""

    name = "aceofspades.support"
    title = "Support a tabled act"
    sentence = "Support Tabled act {act}"
    way, says = Voice.Way.SUPPORTS, "supports"

    def no_help(self, state: State, own: Contestant, act: Tabled) -> Refusal | None:
        if own not in state.voters:
            return no_voter_yet(state.table.game)
        terms = terms_of(state, act.kind)
        if terms is None or terms.by_support:
            return None
        sentence = f"Support does nothing for {act}: it is done unless somebody objects."
        return Refusal("no_help", sentence, R250)


def not_allowed(state: State, kind: str, rule: str) -> Refusal | None:
    """The refusal where no regulation says any more what an act of that kind takes."""
    if terms_of(state, kind) is not None:
        return None
    return Refusal("not_allowed", "No regulation says any more what such an act takes.", rule)


def _tabled(state: State, number: int) -> Tabled | None:
    return state.contest.tabled.filter(number=number).first()


def _none_tabled(state: State) -> Refusal | None:
    if open_numbers(state):
        return None
    return Refusal("nothing_tabled", "No act is tabled now.", R103)


def _not_open(act: Tabled | None, number: int) -> Refusal | None:
    if act is None:
        return Refusal("no_act", f"There is no Tabled act {number}.", R103)
    if act.end:
        return Refusal("ended", f"{act} has ended: it was {act.get_end_display().lower()}.", R103)
    return None


def _not_secret(state: State, number: int | None, what: str) -> Refusal | None:
    if refusal := not_allowed(state, Tabled.Kind.HINT, R250):
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


def _end(table: Table, act: Tabled, end: Tabled.End, text: str) -> Outcome:
    """Note how the act has ended; every look at it that is to come is cancelled."""
    Tabled.objects.filter(pk=act.pk).update(end=end, ended_in=table.seq)
    table.appointments.cancel_whole(TABLED, str(act.number))
    forget(table)
    return Outcome(text, {"tabled": act.number, "end": end.value})


def _objectors(terms: Terms) -> str:
    verb = "objects" if terms.objections == 1 else "object"
    return f"{counted(terms.objections, 'contestant')} {verb}"
