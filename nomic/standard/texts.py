"""Texts that a correction may give a rule: the adopted one, or a table that can be read."""

import re
from dataclasses import replace

from nomic.engine.programs.counting import declared_by, declares_too_much
from nomic.engine.subgames import in_play, voting_on_rules, with_secrets
from nomic.engine.table import Table
from nomic.games.refusal import Refusal
from nomic.rulebook.book import Rulebook
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.models import RuleVersion
from nomic.rulebook.prose import has_another_table
from nomic.rulebook.text_cache import committed_rules
from nomic.standard import powers
from nomic.standard.motions import made_by_officers

AMEND = "rulebook.amend"


def text_refusal(table: Table, rule: RuleText, text: str, reason: str | None) -> Refusal | None:
    """Why that rule is not given this text by hand; None if it may be.

    Without a `reason` it is the site's operator who does it: they are held to less.
    """
    for subgame in with_secrets():
        refusal = subgame.uncorrected(table, rule, text)
        if refusal:
            return refusal
    declared = declared_by(table.rules.public)
    changed = _with_text(table, rule, text).public
    if refusal := declares_too_much(table.game, declared, changed):
        return refusal
    if reason is None:
        return None
    corrected = made_by_officers(table.game, AMEND).values("seq")
    adopted = RuleVersion.objects.filter(rule=rule.pk).exclude(enacted_in__in=corrected)
    if _plain(text) in map(_plain, adopted.values_list("text", flat=True)):
        return None
    mandates = (
        each for subgame in voting_on_rules(in_play(table.game)) for each in subgame.mandates(table)
    )
    cited = (each for each in mandates if each in reason)
    if any(re.search(rf"{re.escape(each)}(?!\d)", reason) for each in cited):
        return None
    if _mends(table, rule, text):
        return None
    sentence = (
        f"A correction gives “{rule.title}” a text that was adopted before, or mends one table of"
        " it that cannot be read, or carries out what an adopted proposal left to the officer,"
        " which its reason cites as “Proposal 1, change 2: …”. Propose anything else."
    )
    return Refusal("not_adopted", sentence, powers.OFFICES_AND_CORRECTIONS)


def _mends(table: Table, rule: RuleText, text: str) -> bool:
    """Whether a fault of a table goes away with this text, in which nothing else is new.

    A fault that shows behind it is another rule's: else readable tables could be broken first.
    """
    if not has_another_table(rule.text.strip(), _plain(text)):
        return False
    faults = _faults(table)
    if not any(faults):
        return False
    mended = Table(table.game, table.now, table.wall, locked=False)
    mended.rules = _with_text(table, rule, text)
    names = [name for name in (rule.title, rule.known_as) if name]
    return any(
        was and was != now and not any(name in now for name in names)
        for was, now in zip(faults, _faults(mended), strict=True)
    )


def _faults(table: Table) -> list[str]:
    """The faults of the tables that the game plays by: of each part the first one."""
    return [powers.broken(table), *(each.broken(table) for each in in_play(table.game))]


def _with_text(table: Table, rule: RuleText, text: str) -> Rulebook:
    """The rulebook as it would be, only to be read."""
    rules = committed_rules(table.game).copy()
    rules.put(replace(rule, text=text))
    return Rulebook(table.game, None, rules)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
