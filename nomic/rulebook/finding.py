"""Which public rule players mean by a title, a number or both; which titles look alike. Pure."""

import re
import unicodedata
from collections.abc import Iterable

from nomic.games.confusables import shown
from nomic.games.wording import listed
from nomic.kept import kept
from nomic.rulebook.edits.parts import straight
from nomic.rulebook.errors import NoSuchRule, RuleExists
from nomic.rulebook.in_force import RulesInForce, RuleText, name_key
from nomic.rulebook.limits import LONGEST_TITLE, checked_number, checked_title

_PLACE = re.compile(r"(.+) \(([1-9][0-9]{0,3})\)")


def find_rule(rules: RulesInForce, title: str = "", number: str = "") -> RuleText:
    """The public rule of that title, number or both.

    What stands in the title's place may be a number. Raises NoSuchRule, also where title and
    number are those of two rules, and where several are meant by a title.
    """
    by_number = rules.numbered(number, public=True) if number else None
    titled = rules.all_titled(title) if title else []
    if title and not titled:  # the one with it in other quotes
        plain = name_key(straight(title))
        alike = [r for r in rules if r.is_public and name_key(straight(r.title)) == plain]
        titled = alike if len(alike) == 1 else []
    if number and by_number is None:
        raise NoSuchRule(f"No rule has the number {short(number)}.")
    if by_number and title and by_number not in titled:
        raise NoSuchRule(
            f"Rule {by_number.number} is “{by_number.title}”, and not “{short(title)}”."
        )
    if title and not titled:
        by_number = rules.numbered(title, public=True)
        if by_number is None and (placed := _PLACE.fullmatch(title)):  # as `called` names it
            by_number = next(iter(rules.all_titled(placed[1])[int(placed[2]) - 1 :]), None)
    if len(titled) > 1 and by_number is None:
        known = listed([each.number for each in titled if each.number])
        which = f": Rules {known}. Say which by its number." if known else "."
        raise NoSuchRule(f"{len(titled)} rules have the title “{short(title)}”{which}")
    found = by_number or next(iter(titled), None)
    if found is None:
        once = rules.once_titled(title, public=True)
        now = f" The rule that had this title is now “{once.title}”." if once else ""
        raise NoSuchRule(f"No rule “{short(title)}” is in force.{now}")
    return found


def called(rules: RulesInForce, rule: RuleText) -> str:
    """The name that tells a public rule from others: its title, where no other has it, else its
    number, or where it has none its title and its place among those of that title."""
    titled = rules.all_titled(rule.title)
    if len(titled) < 2:
        return rule.title
    return rule.number or f"{rule.title} ({titled.index(rule) + 1})"


def free_title(
    rules: RulesInForce, title: str, of: RuleText | None = None, *, public: bool = True
) -> str:
    """The title as it is kept; raises BadRule, and RuleExists where a rule but `of` has it."""
    title = checked_title(title)
    other = rules.titled(title, public=public)
    if other is not None and (of is None or other.pk != of.pk):
        raise RuleExists(f"A rule “{title}” is in force already.")
    return title


def free_number(
    rules: RulesInForce, number: str, of: RuleText | None = None, *, public: bool = True
) -> str:
    """The number as it is kept; raises BadRule, and RuleExists where a rule but `of` has it."""
    number = checked_number(number)
    other = rules.numbered(number, public=public) if number else None
    if other is not None and (of is None or other.pk != of.pk):
        raise RuleExists(f"Rule {number} is in force already: it is “{other.title}”.")
    return number


def short(name: str) -> str:
    """A name that may be long, as a sentence quotes it."""
    return name if len(name) <= LONGEST_TITLE else name[:LONGEST_TITLE] + "…"


def look_alike(
    rules: Iterable[RuleText], title: str, of: RuleText | None = None
) -> RuleText | None:
    """The rule, other than `of`, whose title differs from this one in form only.

    Width, composition, case and what is drawn as nothing do not count.
    """
    seen = _seen(title)
    others = (rule for rule in rules if of is None or rule.pk != of.pk)
    return next((rule for rule in others if _seen(rule.title) == seen), None)


@kept(0.01)
def _seen(title: str) -> str:
    plain = unicodedata.normalize("NFKC", shown(title)).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())
