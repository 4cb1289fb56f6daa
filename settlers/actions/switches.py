"""The switches of the isle, as proposals and the Onlooker's corrections set them."""

import re
from collections.abc import Iterable, Sequence

from nomic.engine.effects import Effects, Set, apply
from nomic.engine.subgames import Switch, switch
from nomic.engine.table import Table
from nomic.games import wording
from nomic.games.refusal import Refusal
from settlers.events.clock import schedule_production
from settlers.events.victory import settle_victories
from settlers.events.visits import begin_the_visit, end_the_visit
from settlers.models import NOBODY, domain_fields
from settlers.models import Settler as Row
from settlers.rules.charts import MOST_BUILDINGS
from settlers.rules.isle import RESOURCES
from settlers.rules.titles import DECK, GIFT, VISITORS
from settlers.state.reading import State, drop_state, row_of, state_of

EMPTY = "empty"
READY = {"ready": True, "on": True, "yes": True, "not ready": False, "off": False, "no": False}
LISTS = {"Injured": "injured", "Victims": "victim"}

_NOTHING = frozenset({"", EMPTY, "none", "nothing", "nobody", "no one"})
_NO_NUMBER = -1  # what no Domain can hold
_DIGITS = re.compile(r"[0-9]{1,6}", re.ASCII)


def names_in(text: str, spellings: Iterable[str]) -> list[str]:
    """The names in a list that may be nobody's, spelled as the known ones are."""
    is_empty = text.strip().casefold().removesuffix(".") in _NOTHING
    return [] if is_empty else wording.parted(text, spellings)


# The lists of everybody


def has_list(table: Table, which: str) -> bool:
    """Whether the isle is played and a public rule knows the list of that name."""
    named = re.compile(rf"\b{which}\b")
    return state_of(table).is_on and any(named.search(rule.text) for rule in table.rules.public)


def list_refusal(state: State, names: Iterable[str]) -> Refusal | None:
    """Why a list cannot have these names: each has to be a Settler's. None if they all are."""
    settler_names = set(state.names)
    unknown = next((name for name in names if name not in settler_names), None)
    if unknown is None:
        return None
    return Refusal("no_such_settler", f"“{unknown[:60]}” is no Settler now.", GIFT)


def set_list(table: Table, which: str, names: Iterable[str]) -> None:
    """Let the list Injured or Victims have these names and no others."""
    flag, wanted = LISTS[which], set(names)
    rows = Row.objects.filter(game=table.game)
    rows.filter(**{flag: True}).exclude(player__name__in=wanted).update(**{flag: False})
    rows.filter(player__name__in=wanted).update(**{flag: True})
    drop_state(table)


def visitor_meant(state: State, title: str) -> str | None:
    """The Visitor that is meant: None's name for nobody, None where there is no such subrule."""
    titled = state.visitor_titled(title)
    return titled if titled != NOBODY or title.strip().casefold() in _NOTHING else None


def domain_number(value: str) -> int | None:
    """The number that a text says, None where a Domain is to hold nothing; -1 for no number."""
    value = value.strip()
    if value.casefold() in _NOTHING:
        return None
    return int(value) if _DIGITS.fullmatch(value) else _NO_NUMBER


def describe(names: Sequence[str]) -> str:
    """The names of a list in words, EMPTY for none."""
    return ", ".join(names) or EMPTY


class _List(Switch):
    which: str

    def subjects(self, table: Table) -> Sequence[str]:
        return ("",) if has_list(table, self.which) else ()

    def value(self, table: Table, subject: str) -> str:
        return describe(state_of(table).names_on_list(LISTS[self.which]))

    def why_not(self, table: Table, subject: str, value: str) -> Refusal | None:
        state = state_of(table)
        return list_refusal(state, names_in(value, state.names))

    def set(self, table: Table, subject: str, value: str) -> None:
        set_list(table, self.which, names_in(value, state_of(table).names))


@switch
class Injured(_List):
    """Those who cannot harvest."""

    name = "Injured list"
    which = "Injured"


@switch
class Victims(_List):
    """Those who are Injured from the next Production on."""

    name = "Victims list"
    which = "Victims"


@switch
class Visitor(Switch):
    """Who visits the isle."""

    name = "Visitor"

    def subjects(self, table: Table) -> Sequence[str]:
        return ("",) if state_of(table).is_on and table.rules.in_force(VISITORS) else ()

    def value(self, table: Table, subject: str) -> str:
        return state_of(table).isle.visitor

    def why_not(self, table: Table, subject: str, value: str) -> Refusal | None:
        state = state_of(table)
        if visitor_meant(state, value) is not None:
            return None
        titles = ", ".join([NOBODY, *(rule.title for rule in state.visitor_rules[:20])])
        sentence = (
            f"No subrule of “Visitors” is titled “{value[:60]}”. The Visitor is one of {titles}."
        )
        return Refusal("no_such_visitor", sentence, VISITORS)

    def set(self, table: Table, subject: str, value: str) -> None:
        """End the visit, and begin another one as an arrival does, with what belongs to it; the
        Visitor Arrival that is still to come after this Production comes all the same."""
        state = state_of(table)
        visitor = visitor_meant(state, value) or NOBODY
        if visitor == state.isle.visitor:
            return
        end_the_visit(table, visitor)
        if visitor != NOBODY:
            begin_the_visit(table, visitor, has_arrived=False)


class _SettlerSwitch(Switch):
    """A switch of each Settler."""

    of = "Settler"

    def subjects(self, table: Table) -> Sequence[str]:
        state = state_of(table)
        return state.names if state.is_on else ()


@switch
class ReadyFlag(_SettlerSwitch):
    """Whether a Settler is Ready for the next Production."""

    name = "Ready flag"

    def value(self, table: Table, subject: str) -> str:
        return "Ready" if row_of(table, subject).ready else "not Ready"

    def why_not(self, table: Table, subject: str, value: str) -> Refusal | None:
        _ = state_of(table).charts.at_latest  # by which the next Production is appointed
        if value.strip().casefold() in READY:
            return None
        sentence = f"A Ready flag is set to Ready or off, and not to “{value[:60]}”."
        return Refusal("not_ready_or_off", sentence, DECK)

    def set(self, table: Table, subject: str, value: str) -> None:
        apply(table, Effects(Set(row_of(table, subject), ready=READY[value.strip().casefold()])))
        schedule_production(table)


class _Domain(_SettlerSwitch):
    resource: str

    def value(self, table: Table, subject: str) -> str:
        number = row_of(table, subject).domains[self.resource]
        return "none" if number is None else str(number)

    def why_not(self, table: Table, subject: str, value: str) -> Refusal | None:
        """A Domain holds one of the table's numbers, and one that no other has."""
        yields, number = state_of(table).charts.yields, domain_number(value)
        if number is None:
            return None
        if number not in yields:
            listed = ", ".join(map(str, sorted(yields)))
            return Refusal("no_such_number", f"A Domain holds none or one of {listed}.", GIFT)
        domains = row_of(table, subject).domains
        holding = (resource for resource, held in domains.items() if held == number)
        holder = next((resource for resource in holding if resource != self.resource), "")
        if not holder:
            return None
        sentence = f"The {holder} Domain of {subject} holds {number} already. Set that one first."
        return Refusal("number_taken", sentence, GIFT)

    def set(self, table: Table, subject: str, value: str) -> None:
        domains = domain_fields({self.resource: domain_number(value)})
        apply(table, Effects(Set(row_of(table, subject), **domains)))


DOMAINS: dict[str, Switch] = {}
for _resource in RESOURCES:
    _about = {
        "name": f"{_resource} Domain",
        "resource": _resource,
        "__doc__": f"A Settler's {_resource}.",
    }
    DOMAINS[_resource] = switch(type(f"{_resource.title()}Domain", (_Domain,), _about))()


@switch
class Settlement(_SettlerSwitch):
    """The Buildings that a Settler has."""

    name = "Settlement"

    def value(self, table: Table, subject: str) -> str:
        return describe(row_of(table, subject).buildings)

    def is_at(self, table: Table, subject: str, setting: str) -> bool:
        names = names_in(setting, state_of(table).charts.buildings)
        return sorted(names) == sorted(row_of(table, subject).buildings)

    def why_not(self, table: Table, subject: str, value: str) -> Refusal | None:
        charted = state_of(table).charts.buildings
        names = names_in(value, charted)
        unknown = next((name for name in names if name not in charted), None)
        if unknown is not None:
            sentence = f"“{unknown[:60]}” is no Building. The Buildings are {', '.join(charted)}."
            return Refusal("no_such_building", sentence, GIFT)
        if len(names) > MOST_BUILDINGS:
            sentence = f"A Settlement that is set has at most {MOST_BUILDINGS:,} Buildings."
            return Refusal("too_many_buildings", sentence, GIFT)
        return None

    def set(self, table: Table, subject: str, value: str) -> str:
        """Have these Buildings; what is announced of a victory."""
        names = names_in(value, state_of(table).charts.buildings)
        apply(table, Effects(Set(row_of(table, subject), buildings=names)))
        return " ".join(settle_victories(table))
