"""Requests for judgement, and what sets right what was judged (Regulation 114)."""

from typing import Any

from aceofspades.actions import moves
from aceofspades.actions.drafts import tidy
from aceofspades.actions.fields import (
    LONGEST_REGULATION,
    ContestantField,
    NumberField,
    OwnerField,
    RegulationNumber,
    SomeCardsField,
)
from aceofspades.actions.knowledge import no_regulation
from aceofspades.actions.members import ContestAction
from aceofspades.actions.tabling import R114, not_allowed
from aceofspades.actions.together import TogetherAction, doing
from aceofspades.events.carrying import (
    DESTROY,
    MAKE,
    MOVE,
    REMOVE,
    REPEAL,
    TABLED_ACTS,
    put_on_the_table,
)
from aceofspades.models import Request
from aceofspades.rules import contest
from aceofspades.state.reading import DECK, TABLED_ACT, State, forget, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Set
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import REQUESTS, REQUESTS_OF_PLAYER
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.standard.models import Motion, Voice
from nomic.standard.motions import open_motion, speak

# What each remedy has to name, and how that is asked for.
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
# What everybody may read of it, by the name of the input; of cards only how many they are.
_TOLD = {"giver": "from", "receiver": "to"}


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

    def limit(self, table: Table, player: Player, data: Inputs) -> Refusal | None:
        waiting = [each for each in state_of(table).requests if not each.judgement]
        own = sum(each.by_id == player.pk for each in waiting)
        return REQUESTS_OF_PLAYER.refusal(table.game, own + 1, R114) or REQUESTS.refusal(
            table.game, len(waiting) + 1, R114
        )

    def judge(self, state: State, player: Player, text: str | None) -> Effects:
        number = len(state.requests) + 1
        return Effects(
            Set(Request, contest=state.contest, number=number, by=player, text=tidy(text or "")),
            say=f"{player} requests judgement: Request {number}.",
            figures={"request": number},
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
        request = NumberField(lambda state: _numbers(state, judged=False))
        judgement = Text(lines=True, longest=LONGEST_REGULATION)

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        return _no_request(state_of(table), data.get("request"), judged=False)

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        state = state_of(table)
        request = next(each for each in state.requests if each.number == data["request"])
        request.judgement, request.judged_in = tidy(data["judgement"]), table.seq
        request.save(update_fields=["judgement", "judged_in"])
        forget(table, "requests")
        judge = doing(state, player, "judges", "judge")
        return Outcome(f"{judge} {request}.", {"request": request.number})


@action
class TableRemedy(TogetherAction):
    """Announce what sets right what a judgement found: cards made, destroyed or moved, a contestant
    removed, a mutable regulation repealed. The suits of cards stay hidden. While there is no
    Contestmaster, the contestants announce it by support, which is support of the remedy."""

    name = "aceofspades.table_remedy"
    title = "Table a remedy"
    sentence = "Table a remedy for Request {request}: {kind}"
    button = "Table it"
    rule = R114

    class Form(ActionForm):
        request = NumberField(lambda state: _numbers(state, judged=True))
        kind = TextChoice(*NEEDED, label="Remedy")
        giver = OwnerField(required=False, label="Cards of")
        receiver = OwnerField(required=False, label="Cards to")
        cards = SomeCardsField(required=False)
        contestant = ContestantField(required=False)
        regulation = RegulationNumber(required=False)

    def sealed_inputs(self, table: Table, data: Inputs) -> frozenset[str]:
        return frozenset({"cards"})

    def intent(self, data: Inputs) -> str:
        return f"Table a remedy for Request {data['request']}: {TABLED_ACTS.intent(_meant(data))}"

    def refusal(self, table: Table, player: Player | None, data: Inputs) -> Refusal | None:
        state, request = state_of(table), data.get("request")
        refusal = not_allowed(state, REPEAL, R114) or _no_request(state, request, judged=True)
        return refusal or (_not_so(state, data) if {"request", "kind"} <= data.keys() else None)

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        means = doing(state_of(table), player, "means", "mean")
        return put_on_the_table(table, means, **_meant(data))

    def bring_about(self, table: Table, motion: Motion) -> Outcome:
        """Those contestants support the remedy who announced the motion or support it."""
        outcome = super().bring_about(table, motion)
        spoke = motion.voices.filter(side=Voice.Side.SUPPORTS).values_list("player", flat=True)
        named = {motion.by_id, *spoke}
        some = [each.player for each in state_of(table).contestants if each.player_id in named]
        act = open_motion(table, outcome.figures["tabled"], TABLED_ACT)
        speak(table, act, some, Voice.Side.SUPPORTS)
        return outcome


def _meant(data: Inputs) -> dict[str, Any]:
    """That remedy as it is tabled: of cards everybody may read how many they are."""
    needed = NEEDED[data["kind"]]
    cards = {"count": moves.counted(data["cards"])} if "cards" in needed else {}
    asked = {_TOLD.get(name, name): data[name] for name in ("request", "kind", *needed)}
    return {**asked, **cards}


def _not_so(state: State, data: Inputs) -> Refusal | None:
    """Why such a remedy cannot be announced with these inputs. Whether the cards are there to be
    moved shows when they are, and not before."""
    needed = NEEDED[data["kind"]]
    for name, asked in needed.items():
        if not data.get(name):
            return Refusal("incomplete", f"A remedy of this kind says {asked}.", R114)
    if data["kind"] == REMOVE:
        name = data["contestant"]
        gone = Refusal("no_contestant", f"{name} is not a contestant now.", R114)
        return gone if state.named(name) is None else None
    if data["kind"] == REPEAL:
        number = data["regulation"]
        if state.regulation(number) is None:
            return no_regulation(number, R114)
        if contest.needs_consent_of_all(number, state.charts):
            sentence = f"Regulation {number} is immutable: only all contestants together change it."
            return Refusal("immutable", sentence, R114)
        return None
    owners = [data[name] for name in ("giver", "receiver") if name in needed]
    unknown = [name for name in owners if name not in (*state.table.directory.players, DECK)]
    if unknown and not set(unknown) <= {each.player.name for each in state.everybody}:
        sentence = f"There is no player {unknown[0]} in this game whose the cards could be."
        return Refusal("no_player", sentence, R114)
    if len(set(owners)) < len(owners):
        return Refusal("same_hand", "Cards are moved from one hand to another.", R114)
    suits = [suit for suit in data["cards"] if suit not in state.charts.suits]
    return Refusal("no_suit", f"There is no suit {suits[0]} now.", R114) if suits else None


def _numbers(state: State, *, judged: bool) -> list[int]:
    return [each.number for each in state.requests if bool(each.judgement) == judged]


def _no_request(state: State, number: int | None, *, judged: bool) -> Refusal | None:
    """Why the request that the inputs name is none that is judged, or that waits for it."""
    such = _numbers(state, judged=judged)
    if number in such or (number is None and such):
        return None
    if number is None:
        nothing = "No request has been judged yet." if judged else "No request waits to be judged."
        return Refusal("nothing_judged" if judged else "nothing_requested", nothing, R114)
    if number not in _numbers(state, judged=not judged):
        return Refusal("no_request", f"There is no Request {number} for judgement.", R114)
    if judged:
        sentence = f"Request {number} is not judged yet: judge it first, and then set it right."
        return Refusal("not_judged", sentence, R114)
    sentence = f"Request {number} was judged already; a judgement stands."
    return Refusal("judged", sentence, R114)
