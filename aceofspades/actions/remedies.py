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
from aceofspades.actions.tabling import R114, not_allowed, put_on_the_table, support
from aceofspades.actions.together import TogetherAction, backers, doing
from aceofspades.events.carrying import intent
from aceofspades.models import Request, Tabled
from aceofspades.rules import contest
from aceofspades.state.reading import DECK, State, forget, state_of
from nomic.engine.actions import Inputs, action
from nomic.engine.forms import ActionForm, Text, TextChoice
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.bounds import REQUESTS, REQUESTS_OF_PLAYER
from nomic.games.models import Player
from nomic.games.refusal import Refusal

MAKE, DESTROY, MOVE = Tabled.Kind.MAKE, Tabled.Kind.DESTROY, Tabled.Kind.MOVE
REMOVE, REPEAL = Tabled.Kind.REMOVE, Tabled.Kind.REPEAL

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
_TOLD = {"giver": "from", "receiver": "to", "contestant": "contestant", "regulation": "regulation"}


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

    def perform(self, table: Table, player: Player, data: Inputs) -> Outcome:
        state = state_of(table)
        request = Request.objects.create(
            contest=state.contest,
            number=len(state.requests) + 1,
            by=player,
            text=tidy(data["text"]),
            entry=table.seq,
        )
        return Outcome(f"{player} requests judgement: {request}.", {"request": request.number})


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

    def hitch(self, state: State, data: Inputs) -> Refusal | None:
        number = data.get("request")
        if number is None:
            if not _numbers(state, judged=False):
                return Refusal("nothing_requested", "No request waits to be judged.", R114)
            return None
        request = _request(state, number)
        if request is None:
            return _no_request(number)
        if request.judgement:
            return Refusal("judged", f"{request} was judged already; a judgement stands.", R114)
        return None

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        state = state_of(table)
        request = _request(state, data["request"])
        assert request is not None
        request.judgement, request.judged_in = tidy(data["judgement"]), table.seq
        request.save(update_fields=["judgement", "judged_in"])
        forget(table, "requests")
        judge = doing(table, player, "judges", "judge")
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
        return f"Table a remedy for Request {data['request']}: {intent(*_meant(data))}"

    def hitch(self, state: State, data: Inputs) -> Refusal | None:
        number, kind = data.get("request"), data.get("kind")
        if refusal := not_allowed(state, REPEAL, R114):
            return refusal
        if number is None:
            nothing = Refusal("nothing_judged", "No request has been judged yet.", R114)
            return None if _numbers(state, judged=True) else nothing
        request = _request(state, number)
        if request is None:
            return _no_request(number)
        if not request.judgement:
            sentence = f"{request} is not judged yet: judge it first, and then set it right."
            return Refusal("not_judged", sentence, R114)
        return _not_so(state.table, state, kind, data) if kind else None

    def carry_out(self, table: Table, player: Player | None, data: Inputs) -> Outcome:
        request, (kind, details) = _request(state_of(table), data["request"]), _meant(data)
        sealed = {"cards": data["cards"]} if "cards" in NEEDED[Tabled.Kind(kind)] else {}
        means = doing(table, player, "means", "mean")
        outcome = put_on_the_table(table, kind, details, sealed, request, means=means)
        support(table, outcome.figures["tabled"], backers(table, player, self.name))
        return outcome


def _meant(data: Inputs) -> tuple[str, dict[str, Any]]:
    """The kind of that remedy, and what everybody may read of it: of cards how many they are."""
    needed = NEEDED[Tabled.Kind(data["kind"])]
    details: dict[str, Any] = {_TOLD[name]: data[name] for name in needed if name in _TOLD}
    if "cards" in needed:
        details["count"] = moves.counted(data["cards"])
    return data["kind"], details


def _not_so(table: Table, state: State, kind: str, data: Inputs) -> Refusal | None:
    """Why such a remedy cannot be announced with these inputs."""
    for name, asked in NEEDED[Tabled.Kind(kind)].items():
        if not data.get(name):
            return Refusal("incomplete", f"A remedy of this kind says {asked}.", R114)
    if kind == REMOVE:
        name = data["contestant"]
        if state.named(name) is None:
            return Refusal("no_contestant", f"{name} is not a contestant now.", R114)
        return None
    if kind == REPEAL:
        return _not_to_be_repealed(state, data["regulation"])
    return _not_such_cards(table, state, kind, data)


def _not_to_be_repealed(state: State, number: int) -> Refusal | None:
    if state.regulation(number) is None:
        return no_regulation(number, R114)
    if contest.needs_consent_of_all(number, state.charts):
        sentence = f"Regulation {number} is immutable: only all contestants together change it."
        return Refusal("immutable", sentence, R114)
    return None


def _not_such_cards(table: Table, state: State, kind: str, data: Inputs) -> Refusal | None:
    """Whether the cards are there to be moved shows when they are, and not before."""
    owners = [data[name] for name in ("giver", "receiver") if name in NEEDED[Tabled.Kind(kind)]]
    unknown = [name for name in owners if name not in (*table.directory.players, DECK)]
    if unknown and not set(unknown) <= {each.player.name for each in state.everybody}:
        sentence = f"There is no player {unknown[0]} in this game whose the cards could be."
        return Refusal("no_player", sentence, R114)
    if len(set(owners)) < len(owners):
        return Refusal("same_hand", "Cards are moved from one hand to another.", R114)
    suits = [suit for suit in data["cards"] if suit not in state.charts.suits]
    if suits:
        return Refusal("no_suit", f"There is no suit {suits[0]} now.", R114)
    return None


def _numbers(state: State, *, judged: bool) -> list[int]:
    return [each.number for each in state.requests if bool(each.judgement) == judged]


def _request(state: State, number: int) -> Request | None:
    return next((each for each in state.requests if each.number == number), None)


def _no_request(number: int) -> Refusal:
    return Refusal("no_request", f"There is no Request {number} for judgement.", R114)
