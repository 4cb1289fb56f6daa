"""Requests for judgement; the acts that are announced first, which set right what was judged,
publish a regulation or hint at one; and what is said for and against them (103, 114, 250).
"""

from typing import Any

from aceofspades.actions.drafts import tidy
from aceofspades.actions.fields import (
    HIGHEST_NUMBER,
    LONGEST_REGULATION,
    CardsField,
    NameField,
    NumberField,
)
from aceofspades.actions.knowledge import no_regulation
from aceofspades.actions.members import (
    ContestAction,
    ContestantAction,
    ContestmasterAction,
    TogetherAction,
    subject_and_verb,
)
from aceofspades.events.carrying import (
    DESTROY,
    HINT,
    MAKE,
    MOVE,
    PUBLISH,
    REMOVE,
    REPEAL,
    TABLED_ACTS,
    put_on_the_table,
    terms_of,
)
from aceofspades.models import Contestant, Request
from aceofspades.rules import contest
from aceofspades.secrecy.view import View
from aceofspades.state.reading import DECK, TABLED_ACT, State, state_of
from nomic.engine.actions import Inputs, TwoSidedAction, action
from nomic.engine.effects import Effects, Set, Then, Verdict
from nomic.engine.forms import ActionForm, Text, TextChoice, WholeNumber
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import REQUESTS, REQUESTS_OF_PLAYER
from nomic.games.models import Player
from nomic.games.powers import no_voter_yet
from nomic.games.refusal import Refusal
from nomic.governance.models import Motion, Voice
from nomic.governance.motions import end, has_spoken, open_motion, speak

R103, R114, R250 = "Regulation 103", "Regulation 114", "Regulation 250"


@action
class Hint(ContestmasterAction, TwoSidedAction):
    """Announce a hint about a secret regulation that you may read. It is given, to be read, if
    nobody objects."""

    name = "aceofspades.hint"
    title = "Table a hint about a secret regulation"
    sentence = "Table a hint about Regulation {regulation}: {hint}"
    button = "Table it"
    rule = R250

    class Form(ActionForm):
        regulation = NumberField(lambda state: state.regulations_of("secret"))
        hint = Text(lines=True)

    def sealed_inputs(self, table: Table, data: Inputs) -> frozenset[str]:
        return frozenset({"hint"})

    def judge(self, state: State, player: Player | None, regulation: Any, hint: Any) -> Verdict:
        inputs = {"kind": HINT, "regulation": regulation, "hint": tidy(hint or "")}
        refusal = _not_secret(state, regulation, "a hint is about")
        refusal = refusal or _not_to_be_read(state, player, regulation)
        return refusal or put_on_the_table("The Contestmaster means", **inputs)


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
        regulation = NumberField(lambda state: state.regulations_of("secret"))

    def judge(self, state: State, player: Player | None, regulation: int | None) -> Verdict:
        means = subject_and_verb(state, player, "means", "mean")
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
        act = NumberField(lambda state: state.open_acts, label="Tabled act")

    def judge(self, state: State, player: Player | None, act: int | None) -> Verdict:
        motion = _open(state, act)
        if not isinstance(motion, Motion):
            return motion
        withdraws = subject_and_verb(state, player, "withdraws", "withdraw")
        text = f"{withdraws} {motion}, to {TABLED_ACTS.intent(motion.inputs)}."
        return Effects(Then(lambda table: end(table, motion, Motion.End.WITHDRAWN, text)))


class VoiceAction(ContestantAction):
    """Speaking for or against an act that the Contestmaster has announced, once."""

    rule = R103
    side: Voice.Side
    says: str

    class Form(ActionForm):
        act = NumberField(lambda state: state.open_acts, label="Tabled act")

    def judge(self, state: State, contestant: Contestant, act: int | None) -> Verdict:
        motion = _open(state, act)
        if not isinstance(motion, Motion):
            return motion
        spoken = has_spoken(motion, contestant.player, self.side, R103)
        if spoken:
            return spoken
        if self.side == Voice.Side.SUPPORTS:
            if not state.may_vote(contestant):
                return no_voter_yet(state.table.game)
            terms = terms_of(state.charts, motion.inputs["kind"])
            if terms is not None and not terms.by_support:
                sentence = f"Support does nothing for {motion}: it is done unless somebody objects."
                return Refusal("no_help", sentence, R250)
        return Effects(
            Then(lambda table: speak(table, motion, [contestant.player], self.side)),
            say=f"{contestant} {self.says} {motion}.",
            figures={"tabled": act},
        )


@action
class ObjectToTabled(VoiceAction):
    """Object to an act that the Contestmaster has announced."""

    name = "aceofspades.object"
    title = "Object to a tabled act"
    sentence = "Object to Tabled act {act}"
    side, says = Voice.Side.OBJECTS, "objects to"


@action
class SupportTabled(VoiceAction):
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
    if motion := next((act for act in state.open_acts if act.number == number), None):
        return motion
    ended = state.table.game.motions.filter(label=TABLED_ACT, number=number).first()
    if ended is None:
        return Refusal("no_act", f"There is no Tabled act {number}.", R103)
    return Refusal("ended", f"{ended} has ended: it was {ended.get_end_display().lower()}.", R103)


def _not_secret(state: State, number: int | None, purpose: str) -> Refusal | None:
    if refusal := not_allowed(state, HINT, R250):
        return refusal
    if number is None:
        nothing = Refusal("nothing_secret", "No regulation is secret now.", R250)
        return None if state.regulations_of("secret") else nothing
    regulation = state.regulation(number)
    if regulation is None:
        return no_regulation(number, R250)
    if regulation.visibility != "secret":
        sentence = f"{regulation.title} is {regulation.visibility}; {purpose} a secret regulation."
        return Refusal("not_secret", sentence, R250)
    return None


def _not_to_be_read(state: State, player: Player | None, number: int | None) -> Refusal | None:
    """The refusal where the player may not read that secret regulation, or, while none is named,
    any of them: nobody hints at what they do not know."""
    if player is None:
        return None
    view = View(state.table, player)
    chosen = state.regulation(number)
    meant = [chosen] if chosen else state.regulations_of("secret")
    if any(map(view.may_read, meant)):
        return None
    title = chosen.title if chosen else "Every secret regulation"
    sentence = (
        f"{title} was written before you took the office: you may not read it, nor hint at it."
    )
    return Refusal("not_known", sentence, R250)


def _owners(state: State) -> list[str]:
    """Who can have cards: the players of the game, and the Deck."""
    return [*state.table.directory.players, DECK]


NEEDED = {
    MAKE: {"receiver": "whose the cards shall be", "cards": "which cards are made"},
    DESTROY: {"giver": "whose the cards are", "cards": "which cards are destroyed"},
    MOVE: {
        "giver": "whose the cards are",
        "receiver": "whose they shall be",
        "cards": "which cards are moved",
    },
    REMOVE: {"contestant": "who is removed"},
    REPEAL: {"regulation": "which regulation is repealed"},
}
"""What each remedy has to name, and how that is asked for."""
_PUBLIC_NAMES = {"giver": "from", "receiver": "to"}
"""By the name of the input what everybody may read of it; of cards only how many they are."""


@action
class RequestJudgement(ContestAction):
    """Ask the Contestmaster for a judgement."""

    name = "aceofspades.request_judgement"
    title = "Request judgement"
    sentence = "Request judgement of the Contestmaster: {text}"
    button = "Request it"
    rule = R114
    one_rule = True

    class Form(ActionForm):
        text = Text(lines=True, longest=LONGEST_REGULATION, label="What is to be judged")

    def judge(self, state: State, player: Player, text: str | None) -> Verdict:
        game, number = state.table.game, len(state.requests) + 1
        waiting = [request for request in state.requests if not request.judgement]
        of_player = sum(request.by_id == player.pk for request in waiting)
        refusal = REQUESTS_OF_PLAYER.refusal(game, of_player + 1, R114)
        return (
            refusal
            or REQUESTS.refusal(game, len(waiting) + 1, R114)
            or Effects(
                Set(
                    Request, contest=state.contest, number=number, by=player, text=tidy(text or "")
                ),
                say=f"{player} requests judgement: Request {number}.",
                figures={"request": number},
            )
        )


@action
class Judge(TogetherAction):
    """Judge what was requested. A judgement stands; remedies of it are tabled afterwards. While
    there is no Contestmaster, the contestants judge by support."""

    name = "aceofspades.judge"
    title = "Judge a request"
    sentence = "Judge Request {request}: {judgement}"
    rule = R114
    one_rule = True

    class Form(ActionForm):
        request = NumberField(lambda state: _requests(state, judged=False))
        judgement = Text(lines=True, longest=LONGEST_REGULATION)

    def judge(self, state: State, player: Any, request: int | None, judgement: Any) -> Verdict:
        chosen = _request(state, request, judged=False)
        if not isinstance(chosen, Request):
            return chosen
        return Effects(
            Set(chosen, judgement=tidy(judgement or ""), judged_in=state.table.seq),
            say=f"{subject_and_verb(state, player, 'judges', 'judge')} {chosen}.",
            figures={"request": request},
        )


@action
class TableRemedy(TogetherAction, TwoSidedAction):
    """Announce what sets right what a judgement found: cards made, destroyed or moved, a contestant
    removed, a mutable regulation repealed. The suits of cards stay hidden. While there is no
    Contestmaster, the contestants announce it by support, which is support of the remedy."""

    name = "aceofspades.table_remedy"
    title = "Table a remedy"
    sentence = "Table a remedy for Request {request}: {kind}"
    button = "Table it"
    rule = R114

    class Form(ActionForm):
        request = NumberField(lambda state: _requests(state, judged=True))
        kind = TextChoice(*NEEDED, label="Remedy")
        giver = NameField(_owners, required=False, label="Cards of")
        receiver = NameField(_owners, required=False, label="Cards to")
        cards = CardsField(required=False)
        contestant = NameField(lambda state: state.names, required=False)
        regulation = WholeNumber(1, HIGHEST_NUMBER, required=False)

    def sealed_inputs(self, table: Table, data: Inputs) -> frozenset[str]:
        return frozenset({"cards"})

    def intent(self, data: Inputs) -> str:
        return (
            f"Table a remedy for Request {data['request']}: {TABLED_ACTS.intent(_as_tabled(data))}"
        )

    def judge(self, state: State, player: Player | None, **data: Any) -> Verdict:
        chosen = not_allowed(state, REPEAL, R114) or _request(
            state, data.get("request"), judged=True
        )
        if not isinstance(chosen, Request):
            return chosen
        if "kind" not in data:
            return None
        means = subject_and_verb(state, player, "means", "mean")
        return _remedy_refusal(state, data) or put_on_the_table(means, **_as_tabled(data))

    def bring_about(self, table: Table, motion: Motion) -> Outcome:
        """Those contestants support the remedy who announced the motion or support it."""
        outcome = super().bring_about(table, motion)
        spoke = motion.voices.filter(side=Voice.Side.SUPPORTS).values_list("player", flat=True)
        keys = {motion.by_id, *spoke}
        members = state_of(table).contestants
        supporters = [member.player for member in members if member.player_id in keys]
        act = open_motion(table, outcome.figures["tabled"], TABLED_ACT)
        speak(table, act, supporters, Voice.Side.SUPPORTS)
        return outcome


def _as_tabled(data: Inputs) -> dict[str, Any]:
    """That remedy as it is tabled: of cards everybody may read how many they are."""
    needed = NEEDED[data["kind"]]
    cards = {"count": sum(data["cards"].values())} if "cards" in needed else {}
    asked = {_PUBLIC_NAMES.get(name, name): data[name] for name in ("request", "kind", *needed)}
    return {**asked, **cards}


def _remedy_refusal(state: State, data: Inputs) -> Refusal | None:
    """Why such a remedy cannot be announced with these inputs. Whether the cards are there to be
    moved shows when they are, and not before."""
    needed = NEEDED[data["kind"]]
    for name, asked in needed.items():
        if not data.get(name):
            return Refusal("incomplete", f"A remedy of this kind says {asked}.", R114)
    if data["kind"] == REMOVE:
        name = data["contestant"]
        gone = Refusal("no_contestant", f"{name} is not a contestant now.", R114)
        return gone if state.contestant_named(name) is None else None
    if data["kind"] == REPEAL:
        number = data["regulation"]
        if state.regulation(number) is None:
            return no_regulation(number, R114)
        if contest.needs_consent_of_all(number, state.charts):
            sentence = f"Regulation {number} is immutable: only all contestants together change it."
            return Refusal("immutable", sentence, R114)
        return None
    owners = [data[name] for name in ("giver", "receiver") if name in needed]
    unknown = [name for name in owners if name not in _owners(state)]
    if unknown and not set(unknown) <= {contestant.player.name for contestant in state.everybody}:
        sentence = f"There is no player {unknown[0]} in this game whose the cards could be."
        return Refusal("no_player", sentence, R114)
    if len(set(owners)) < len(owners):
        return Refusal("same_hand", "Cards are moved from one hand to another.", R114)
    suits = [suit for suit in data["cards"] if suit not in state.charts.suits]
    return Refusal("no_suit", f"There is no suit {suits[0]} now.", R114) if suits else None


def _requests(state: State, *, judged: bool) -> list[Request]:
    return [request for request in state.requests if bool(request.judgement) == judged]


def _request(state: State, number: int | None, *, judged: bool) -> Request | Refusal | None:
    """The request that is named; the refusal where it is none that is judged, or that waits for it,
    or, while none is named, where there is no such one."""
    if number is None:
        nothing = "No request has been judged yet." if judged else "No request waits to be judged."
        code = "nothing_judged" if judged else "nothing_requested"
        return None if _requests(state, judged=judged) else Refusal(code, nothing, R114)
    request = next((row for row in state.requests if row.number == number), None)
    if request is None:
        return Refusal("no_request", f"There is no Request {number} for judgement.", R114)
    if bool(request.judgement) == judged:
        return request
    if judged:
        sentence = f"Request {number} is not judged yet: judge it first, and then set it right."
        return Refusal("not_judged", sentence, R114)
    sentence = f"Request {number} was judged already; a judgement stands."
    return Refusal("judged", sentence, R114)
