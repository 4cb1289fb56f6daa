"""The rulebook: every rule in force with its current text."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from nomic.rulebook.models import Rule
from nomic.web.api import shapes
from nomic.web.api.answers import answer
from nomic.web.api.found import the_game
from nomic.web.api.rooms import GAME, reading, room

router = room("rulebook")


@router.get(f"{GAME}/rules", response=reading(list[shapes.Rule]), by_alias=True)
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules in force, in the order of the rulebook. `parent` is the title of the rule of which
    it is a subrule."""
    in_force = the_game(slug).rules.filter(repealed_in__isnull=True, visibility="public")
    return answer(
        [
            {
                "title": rule.title,
                "number": rule.number or None,
                "parent": _public_title(rule.parent),
                "class": str(rule.rule_class),
                "visibility": rule.visibility,
                "version": rule.version,
                "text": rule.text,
            }
            for rule in in_force.select_related("parent")
        ]
    )


def _public_title(rule: Rule | None) -> str | None:
    return rule.title if rule and rule.visibility == "public" else None
