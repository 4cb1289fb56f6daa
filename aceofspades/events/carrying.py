"""A tabled act is carried out, or cannot be any more (Regulations 114 and 250)."""

from collections.abc import Mapping
from typing import Any

from aceofspades.actions import moves
from aceofspades.actions.members import depart
from aceofspades.actions.notices import tell
from aceofspades.events import book
from aceofspades.models import Hint, Move, Tabled
from aceofspades.rules import contest
from aceofspades.rules.contest import describe_cards
from aceofspades.secrecy import reader
from aceofspades.state.book import RegulationInBook
from aceofspades.state.reading import DECK, State, state_of
from nomic.engine.table import Table
from nomic.standard.motions import CannotBeDone

Owner = moves.Owner
_MAKE, _DESTROY, _MOVE = Tabled.Kind.MAKE, Tabled.Kind.DESTROY, Tabled.Kind.MOVE


def intent(kind: str, details: Mapping[str, Any]) -> str:
    """What the act does, for everybody to read: “destroy 2 cards of Madrid”. It names no suit."""
    count = moves.describe_count(details.get("count", 0))
    return {
        _MAKE: f"make {count} for {details.get('to')}",
        _DESTROY: f"destroy {count} of {details.get('from')}",
        _MOVE: f"move {count} from {details.get('from')} to {details.get('to')}",
        Tabled.Kind.REMOVE: f"remove {details.get('contestant')} from the contest",
        Tabled.Kind.REPEAL: f"repeal Regulation {details.get('regulation')}",
        Tabled.Kind.PUBLISH: f"publish Regulation {details.get('regulation')}",
        Tabled.Kind.HINT: f"give a hint about Regulation {details.get('regulation')}",
    }[Tabled.Kind(kind)]


def carry_out(table: Table, act: Tabled) -> str:
    """Do it, and tell what was done; raises CannotBeDone."""
    if act.kind in (_MAKE, _DESTROY, _MOVE):
        return _cards(table, act)
    if act.kind == Tabled.Kind.REMOVE:
        return _remove(table, act.details["contestant"])
    found = _regulation(state_of(table), act)
    if act.kind == Tabled.Kind.REPEAL:
        if found.is_immutable:
            raise CannotBeDone(f"{found.title} is immutable.")
        book.repeal(table, found.number)
        return f"{found.title} is repealed."
    if found.visibility != "secret":
        raise CannotBeDone(f"{found.title} is not secret any more.")
    if act.kind == Tabled.Kind.PUBLISH:
        book.show(table, found.number, "public")
        return f"{found.title} is public."
    Hint.objects.create(regulation_id=found.pk, text=act.sealed["hint"], entry=table.seq)
    return f"A hint about {found.title}: {act.sealed['hint']}"


def owner_of(table: Table, name: str) -> Owner:
    """Whoever has cards by that name: the Deck or a player."""
    return state_of(table).deck if name == DECK else table.seat(name)


def _regulation(state: State, act: Tabled) -> RegulationInBook:
    """The regulation that was meant when the act was announced; raises CannotBeDone."""
    number = act.details["regulation"]
    found = state.regulation(number)
    gone = state.contest.regulations.filter(number=number, gone_in__gte=act.entry)
    if found is None or gone.exists():
        raise CannotBeDone(f"The Regulation {number} that was meant is not in force any more.")
    return found


def _remove(table: Table, name: str) -> str:
    own = state_of(table).named(name)
    if own is None:
        raise CannotBeDone(f"{name} is not a contestant any more.")
    depart(table, own.player)
    return f"{name} is a contestant no longer."


def _cards(table: Table, act: Tabled) -> str:
    """Make, destroy or move cards; their suits are told to those alone whose cards they are."""
    state, cards = state_of(table), act.sealed["cards"]
    loser, getter = act.details.get("from", ""), act.details.get("to", "")
    why = f"by {act}"
    if loser:
        owner = owner_of(table, loser)
        if contest.missing(reader.hand_of(state, owner), cards):
            raise CannotBeDone(f"{loser} does not have the cards.")
        if getter:
            moves.give(table, owner, owner_of(table, getter), cards, why)
        else:
            moves.destroy(table, owner, cards, why)
    else:
        if not set(cards) <= set(state.charts.suits):
            raise CannotBeDone("The suits of the cards are not all defined any more.")
        moves.make(table, owner_of(table, getter), cards, why)
    moves.look_at_the_deck(table)
    count = moves.counted(cards)
    moves.note(table, (Move.Kind.REMEDY, count, loser, getter))
    _tell(table, {loser: f"By {act} you lose", getter: f"By {act} you get"}, describe_cards(cards))
    what = {_MAKE: f"made for {getter}", _DESTROY: f"destroyed, of {loser}"}
    how = what.get(Tabled.Kind(act.kind), f"moved from {loser} to {getter}")
    return f"{moves.describe_count(count).capitalize()} {'is' if count == 1 else 'are'} {how}."


def _tell(table: Table, said: Mapping[str, str], cards: str) -> None:
    state = state_of(table)
    told = [(each, said[each.player.name]) for each in state.everybody if each.player.name in said]
    tell(table, [(each, f"{words} {cards}.") for each, words in told])
