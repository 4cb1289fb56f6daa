"""The rulebooks as the database has them, read once for each entry that changes one."""

from nomic.games.models import Game
from nomic.kept import Kept
from nomic.rulebook.in_force import RulesInForce, RuleText
from nomic.rulebook.models import Rule
from nomic.rulebook.passages import Settled

_COPIED_FIELDS = (
    "pk",
    "title",
    "text",
    "version",
    "played_as",
    "number",
    "known_as",
    "origin",
    "enacted_in",
    "switched_off",
    "power",
)


# By game and the entry that last changed its rulebook.
SHELF: Kept[tuple[int, int], RulesInForce] = Kept(0.13)


def committed_rules(game: Game) -> RulesInForce:
    """The rules in force as the entry left them that last changed the game's rulebook.

    A rulebook never changes without a new entry, so what stands on the shelf is never out of date.
    """
    place = (game.pk, game.rulebook_at)
    book = SHELF.get(place)
    if book is None:  # another thread may push it off again at once, so it is kept in hand
        book = SHELF[place] = _read_rules(game)
    return book


def _read_rules(game: Game) -> RulesInForce:
    """The rules in force, straight from the database."""
    rows = list(Rule.objects.filter(game=game, repealed_in__isnull=True))
    titles: dict[int | None, str] = {rule.pk: rule.title for rule in rows}
    return RulesInForce(as_text(rule, titles.get(rule.parent_id, "")) for rule in rows)


def as_text(rule: Rule, parent: str) -> RuleText:
    """The rule as it is kept in mind; `parent` is the title of that of which it is a subrule."""
    return RuleText(
        **{name: getattr(rule, name) for name in _COPIED_FIELDS},
        visibility=str(rule.visibility),
        rule_class=str(rule.rule_class),
        parent=parent,
        parent_pk=rule.parent_id or 0,
        settled={
            key: Settled(**{**facts, "parts": tuple(facts["parts"])})
            for key, facts in rule.settled.items()
        },
    )
