"""Events, which happen by themselves: handlers of appointments, registered by their kind."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from nomic.engine.outcomes import Outcome
from nomic.engine.schedule import KINDS, AppointmentKind
from nomic.engine.table import Table

Handler = Callable[[Table, str], Outcome]
Prepare = Callable[[Table, str], dict[str, Any]]
Compare = Callable[[Mapping[str, Any], Mapping[str, Any]], str]
Titled = Callable[[Table, str], str]


@dataclass
class Event(AppointmentKind):
    """The events of a kind, and the decorator that registers their handler: a function of the table
    and the appointment's subject.

    `table.now` is the due moment. What recurs gets its next appointment by itself. `prepare` is
    called before, without the lock, at a table to read from; what it returns, values that JSON
    can hold, is `table.prepared` for the handler and stands in the entry for everybody to read.
    A replay prepares it anew; where that gives something else, `compare` gets what was prepared
    then and now, and tells in a sentence why they may differ; "" where they may not. `titled` tells
    what people call it with a subject, where that differs from its `title`. What is `routine` keeps
    the books and the dice, and is no part of what people play: a game's home folds it.
    """

    kind: str
    _: KW_ONLY
    title: str
    rule: str = ""
    prepare: Prepare | None = None
    compare: Compare | None = None
    titled: Titled | None = None
    routine: bool = False
    handler: Handler = field(init=False)

    def __call__(self, handler: Handler) -> Handler:
        if self.kind in _EVENTS:
            raise ValueError(f"There are two events named {self.kind}.")
        self.handler = handler
        KINDS[self.kind] = _EVENTS[self.kind] = self
        return handler


appointment = Event
_EVENTS: dict[str, Event] = {}


def find_event(kind: str) -> Event:
    """The event of that kind; LookupError if no part of the program keeps such appointments."""
    try:
        return _EVENTS[kind]
    except KeyError:
        raise LookupError(f"No part of this program keeps appointments “{kind}”.") from None


def all_events() -> list[Event]:
    """Every event that a part of the program keeps appointments of."""
    return list(_EVENTS.values())


def is_event(kind: str) -> bool:
    """Whether a part of the program keeps appointments of that kind."""
    return kind in _EVENTS


def is_routine(kind: str) -> bool:
    """Whether such an event keeps the books or the dice, and is no part of what people play."""
    return kind in _EVENTS and _EVENTS[kind].routine


def is_prepared(kind: str) -> bool:
    """Whether such an event is prepared before it happens."""
    return kind in _EVENTS and _EVENTS[kind].prepare is not None


def title_of(kind: str, table: Table | None = None, subject: str = "") -> str:
    """The name by which people call the event, at a table also by its subject; its kind where no
    part of the program knows it any more."""
    event = _EVENTS.get(kind)
    if event is not None and event.titled is not None and table is not None:
        return event.titled(table, subject)
    return event.title if event else kind
