"""What programs of rules may stand beside in a game, and what they add to it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from nomic.engine.programs.decisions import all_decisions
from nomic.engine.programs.telling import Added, added_by, hooked
from nomic.engine.table import glance
from nomic.web.api import shapes
from nomic.web.api.callers import caller_of
from nomic.web.api.found import the_game
from nomic.web.api.rooms import GAME, reading, room

router = room("rulebook")


@router.get(f"{GAME}/machinery", response=reading(shapes.Machinery))
def machinery(request: HttpRequest, slug: str) -> dict[str, Any]:
    """What a program of a rule may run before or after here, and what the programs of the rules in
    force add."""
    table = glance(the_game(caller_of(request), slug))
    return {
        "hooks": hooked(table),
        "decisions": [
            {"name": each.name, "takes": dict(each.takes), "gives": each.gives, "about": each.about}
            for each in all_decisions()
        ],
        "programs": [_program(each) for each in added_by(table)],
    }


def _program(each: Added) -> dict[str, Any]:
    return {
        "rule": each.rule,
        "actions": [name for name, _ in each.actions],
        "appointments": [{"name": coming.name, "due": coming.due} for coming in each.appointments],
        "hooks": [f"{hook.when} {hook.of}" for hook in each.hooks],
        "decisions": each.decisions,
        "views": each.views,
        "failures": [
            {"what": failed.what, "entry": failed.entry, "sentence": failed.sentence}
            for failed in each.failures
        ],
        "problem": str(each.problem) if each.problem else None,
    }
