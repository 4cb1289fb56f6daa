"""The rulebook: every rule in force with its current text."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest

from nomic.rulebook.models import Rule
from nomic.web.api import shapes
from nomic.web.api.found import the_game
from nomic.web.api.rooms import GAME, reading, room

router = room("rulebook")


@router.get(f"{GAME}/rules", response=reading(list[shapes.Rule]), by_alias=True)
def rules(request: HttpRequest, slug: str) -> QuerySet[Rule]:
    """The rules in force, in the order of the rulebook. `parent` is the title of the rule of which
    it is a subrule."""
    in_force = the_game(slug).rules.filter(repealed_in__isnull=True, visibility="public")
    return in_force.select_related("parent")
