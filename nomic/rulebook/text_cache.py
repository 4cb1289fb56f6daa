"""The rulebooks as the database has them, read once for each entry that changes one."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from nomic.games.models import Game
from nomic.infrastructure.caching.memory import BoundedCache
from nomic.infrastructure.database.compiled_queries import CompiledValues, among
from nomic.rulebook.in_force import RulesInForce, RuleText
from nomic.rulebook.judged import JudgedPassage
from nomic.rulebook.models import Rule, RuleVersion
from nomic.rulebook.passages import Settled

_OF_OTHERS = ("parent", "parent_pk", "began_as")  # facts of a rule that its own row does not have
_FIELDS = [field.name for field in fields(RuleText) if field.name not in _OF_OTHERS]
_READ_FIELDS = (*_FIELDS, "parent_id")

BEGINS = 1  # the entry that begins a game, with its rules

_IN_FORCE = CompiledValues(
    lambda: Rule.objects.filter(repealed_in__isnull=True).values_list(*_READ_FIELDS)
)
_BEGAN_AS = CompiledValues(
    lambda rules: (
        RuleVersion.objects.filter(among("rule", rules), enacted_in=BEGINS)
        .order_by("number")
        .values_list("rule_id", "text")
    )
)

# By game and the entry that last changed its rulebook.
SHELF: BoundedCache[tuple[int, int], RulesInForce] = BoundedCache(0.09)
# The keys of the rules there whose texts have certain words.
SAYING: BoundedCache[tuple[int, int, str], tuple[int, ...]] = BoundedCache(0.002)


def committed_rules(game: Game) -> RulesInForce:
    """The rules in force as the entry left them that last changed the game's rulebook.

    A rulebook never changes without a new entry, so what stands on the shelf is never out of date.
    """
    place = (game.pk, game.rulebook_at)
    book = SHELF.get(place)
    if book is None:
        rows = [dict(zip(_READ_FIELDS, row, strict=True)) for row in _IN_FORCE.all(game=game.pk)]
        titles: dict[int | None, str] = {rule["pk"]: rule["title"] for rule in rows}
        # The texts as the game began, "" of rules that came later.
        shipped = {rule["pk"]: rule for rule in rows if rule["enacted_in"] == BEGINS}
        amended = [pk for pk, rule in shipped.items() if rule["version"] > 1]
        texts_then = dict(_BEGAN_AS.all(rules=amended)) if amended else {}
        first = {
            rule["pk"]: texts_then.get(rule["pk"], rule["text"]) if rule["pk"] in shipped else ""
            for rule in rows
        }
        book = RulesInForce(
            _as_text(rule, titles.get(rule["parent_id"], ""), first[rule["pk"]]) for rule in rows
        )
        SHELF[place] = book  # which another thread may push off again at once
    return book


def as_text(rule: Rule, parent: str, began_as: str) -> RuleText:
    """The rule as it is kept in mind; `parent` is the title of that of which it is a subrule."""
    return _as_text({name: getattr(rule, name) for name in _READ_FIELDS}, parent, began_as)


def _as_text(rule: Mapping[str, Any], parent: str, began_as: str) -> RuleText:
    facts = {name: rule[name] for name in _FIELDS}
    facts |= {name: str(rule[name]) for name in ("visibility", "rule_class")}
    facts |= {"parent": parent, "parent_pk": rule["parent_id"] or 0, "began_as": began_as}
    facts["settled"] = {
        key: Settled(**{**finding, "parts": tuple(finding["parts"])})
        for key, finding in rule["settled"].items()
    }
    facts["judged"] = {key: JudgedPassage(**passage) for key, passage in rule["judged"].items()}
    return RuleText(**facts)
