"""Tabled acts: motions about cards, contestants and regulations, which the contestants decide
(Regulations 103, 114 and 250)."""

from collections.abc import Collection
from typing import Any

from aceofspades.events import book, moves
from aceofspades.events.leaving import depart
from aceofspades.events.notices import send_notices
from aceofspades.models import Hint, Move
from aceofspades.rules import contest
from aceofspades.rules.charts import Charts
from aceofspades.rules.contest import describe_cards
from aceofspades.secrecy import reader
from aceofspades.state.reading import DECK, TABLED_ACT, state_of
from nomic.engine.actions import Inputs
from nomic.engine.effects import Effects, Then
from nomic.engine.models import CountedIn
from nomic.engine.outcomes import Outcome
from nomic.engine.table import Table
from nomic.games.wording import counted
from nomic.governance.models import Motion
from nomic.governance.motions import CannotBeDone, MotionKind, make_motion, register
from nomic.governance.rules import MotionTerms

TABLED = "aceofspades.tabled"
MAKE, DESTROY, MOVE, REMOVE, REPEAL = "make", "destroy", "move", "remove", "repeal"
PUBLISH, HINT = "publish", "hint"
_INTENTS = {
    MAKE: "make {count} for {to}",
    DESTROY: "destroy {count} of {from}",
    MOVE: "move {count} from {from} to {to}",
    REMOVE: "remove {contestant} from the contest",
    REPEAL: "repeal Regulation {regulation}",
    PUBLISH: "publish Regulation {regulation}",
    HINT: "give a hint about Regulation {regulation}",
}


class TabledAct(MotionKind):
    """A remedy (114), or the publishing of a secret regulation or a hint about one (250).

    Its `kind` says which, `request` after which judgement; the suits of cards and the words of a
    hint are sealed.
    """

    name = event = TABLED
    label = TABLED_ACT
    counted_in = CountedIn.HOURS
    voices_change = voices_decide = False
    people, failing = "contestants", "cannot be done"

    def is_on(self, table: Table) -> bool:
        state = state_of(table)
        return state.is_on and not state.is_reckoned

    def terms_of(self, table: Table, motion: Motion) -> MotionTerms:
        terms = terms_of(state_of(table).charts, motion.inputs["kind"])
        if terms is None:
            raise CannotBeDone("no regulation allows it any more.")
        return terms

    def electorates(self, table: Table, motions: Collection[Motion]) -> dict[int, set[str]]:
        """The current contestants who may vote in the game: nobody's number makes anything happen
        against them."""
        names = {contestant.player.name for contestant in state_of(table).counted_voters}
        return {motion.number: names for motion in motions}

    def sealed_inputs(self, table: Table, data: Inputs) -> Collection[str]:
        return data.keys() & {"cards", "hint"}

    def objectors(self, table: Table) -> Collection[str]:
        return state_of(table).names

    def intent(self, data: Inputs) -> str:
        """Such as “destroy 2 cards of Madrid”. It names no suit."""
        count = counted(data.get("count", 0), "card")
        return _INTENTS[data["kind"]].format_map({**data, "count": count})

    def description(self, motion: Motion) -> str:
        return f"{motion}, to {self.intent(motion.inputs)}"

    def figures(self, motion: Motion) -> dict[str, Any]:
        return {"tabled": motion.number}

    def waiting(self, table: Table, motion: Motion) -> Outcome:
        return Outcome(f"{self.description(motion)} waits until its days are over.")

    def bring_about(self, table: Table, motion: Motion) -> Outcome:
        """Do it, and tell what was done; raises CannotBeDone."""
        state, kind = state_of(table), motion.inputs["kind"]
        if kind in (MAKE, DESTROY, MOVE):
            return Outcome(_deal_with_cards(table, motion))
        if kind == REMOVE:
            name = motion.inputs["contestant"]
            contestant = state.contestant_named(name)
            if contestant is None:
                raise CannotBeDone(f"{name} is not a contestant any more.")
            depart(table, contestant.player)
            return Outcome(f"{name} is a contestant no longer.")
        number = motion.inputs["regulation"]
        regulation = state.regulation(number)
        gone = state.contest.regulations.filter(number=number, gone_in__gte=motion.entry)
        if regulation is None or gone.exists():  # there may be another of that number
            raise CannotBeDone(f"The Regulation {number} that was meant is not in force any more.")
        if kind == REPEAL:
            if regulation.is_immutable:
                raise CannotBeDone(f"{regulation.title} is immutable.")
            book.repeal(table, number)
            return Outcome(f"{regulation.title} is repealed.")
        if regulation.visibility != "secret":
            raise CannotBeDone(f"{regulation.title} is not secret any more.")
        if kind == PUBLISH:
            book.disclose(table, number, "public")
            return Outcome(f"{regulation.title} is public.")
        Hint.objects.create(
            game=table.game,
            regulation_id=regulation.pk,
            text=motion.sealed["hint"],
            entry=table.seq,
        )
        return Outcome(f"A hint about {regulation.title}: {motion.sealed['hint']}")


TABLED_ACTS = register(TabledAct(), "A tabled act is looked at", "Regulation 114")


def terms_of(charts: Charts, kind: str) -> MotionTerms | None:
    """The terms of an act of that kind; None where no regulation says any. Raises TableBroken."""
    return charts.without_objection if kind in (PUBLISH, HINT) else charts.remedy


def put_on_the_table(means: str, **data: Any) -> Effects:
    """Announce the intent to do it; it is looked at when its days are over."""

    def put(table: Table) -> Outcome:
        terms = terms_of(state_of(table).charts, data["kind"])
        assert terms is not None, "What no regulation allows is refused."
        assert terms.wait is not None, "The book gives each of them its days."
        act = make_motion(table, TABLED_ACTS, data, terms)
        because = f" after Request {data['request']}" if "request" in data else ""
        objectors = counted(terms.objections, "contestant objects", "contestants object")
        text = (
            f"{means} to {TABLED_ACTS.intent(data)}{because} ({act}). It is done in"
            f" {counted(terms.wait.days, 'day')} unless {objectors} to it"
            f"{', and at once if a majority supports it' if terms.by_support else ''}."
        )
        return Outcome(text, {"tabled": act.number, **details(act)})

    return Effects(Then(put))


def details(act: Motion) -> dict[str, Any]:
    """The kind of a tabled act, and what it is to be done to."""
    return {name: value for name, value in act.inputs.items() if name != "request"}


def _deal_with_cards(table: Table, act: Motion) -> str:
    """Make, destroy or move cards; their suits are told to those alone whose cards they are."""
    state, cards = state_of(table), act.sealed["cards"]
    loser, getter = act.inputs.get("from", ""), act.inputs.get("to", "")

    def owner_of(name: str) -> moves.Owner | None:
        if name == DECK:
            return state.deck
        return table.seat(name) if name else None

    giver = owner_of(loser)
    if giver and contest.missing(reader.hand_of(state, giver), cards):
        raise CannotBeDone(f"{loser} does not have the cards.")
    if not giver and not set(cards) <= set(state.charts.suits):
        raise CannotBeDone("The suits of the cards are not all defined any more.")
    moves.move(table, f"by {act}", (giver, owner_of(getter), cards))
    moves.look_at_the_deck(table)
    count = sum(cards.values())
    moves.record_moves(table, (Move.Kind.REMEDY, count, loser, getter))
    beginnings = {loser: f"By {act} you lose", getter: f"By {act} you get"}
    send_notices(
        table,
        [
            (contestant, f"{beginnings[str(contestant)]} {describe_cards(cards)}.")
            for contestant in state_of(table).everybody
            if str(contestant) in beginnings
        ],
    )
    endings = {MAKE: f"made for {getter}", DESTROY: f"destroyed, of {loser}"}
    ending = endings.get(act.inputs["kind"], f"moved from {loser} to {getter}")
    return f"{counted(count, 'card is', 'cards are')} {ending}."
