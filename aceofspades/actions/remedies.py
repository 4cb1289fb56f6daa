"""Requests for judgement, and what sets right what was judged (Regulation 114)."""

from typing import Any

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
from aceofspades.actions.members import ContestAction, TogetherAction, doing
from aceofspades.actions.tabling import R114, not_allowed
from aceofspades.events import moves
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
from aceofspades.state.reading import DECK, TABLED_ACT, State, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.effects import Effects, Set, Verdict
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

    def judge(self, state: State, player: Any, request: int | None, judgement: Any) -> Verdict:
        found = _request(state, request, judged=False)
        if not isinstance(found, Request):
            return found
        return Effects(
            Set(found, judgement=tidy(judgement or ""), judged_in=state.table.seq),
            say=f"{doing(state, player, 'judges', 'judge')} {found}.",
            figures={"request": request},
        )


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

    def judge(self, state: State, player: Player | None, **data: Any) -> Verdict:
        found = not_allowed(state, REPEAL, R114) or _request(
            state, data.get("request"), judged=True
        )
        if not isinstance(found, Request):
            return found
        if "kind" not in data:
            return None
        means = doing(state, player, "means", "mean")
        return _not_so(state, data) or put_on_the_table(means, **_meant(data))

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


def _request(state: State, number: int | None, *, judged: bool) -> Request | Refusal | None:
    """The request that is named; the refusal where it is none that is judged, or that waits for it,
    or, while none is named, where there is no such one."""
    if number is None:
        nothing = "No request has been judged yet." if judged else "No request waits to be judged."
        code = "nothing_judged" if judged else "nothing_requested"
        return None if _numbers(state, judged=judged) else Refusal(code, nothing, R114)
    found = next((each for each in state.requests if each.number == number), None)
    if found is None:
        return Refusal("no_request", f"There is no Request {number} for judgement.", R114)
    if bool(found.judgement) == judged:
        return found
    if judged:
        sentence = f"Request {number} is not judged yet: judge it first, and then set it right."
        return Refusal("not_judged", sentence, R114)
    sentence = f"Request {number} was judged already; a judgement stands."
    return Refusal("judged", sentence, R114)
