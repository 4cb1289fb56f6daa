"""What a ratification can make so of another past, and what stands against making it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nomic.engine.absence import RETURN
from nomic.engine.digest import parts_of_state
from nomic.engine.models import CountedIn
from nomic.engine.restoring import Rows, row_changes, rows_by_model
from nomic.engine.schedule import KINDS
from nomic.engine.subgames import all_subgames
from nomic.engine.table import Table
from nomic.games.clock import iso
from nomic.games.models import Game
from nomic.governance.absence import SILENCE
from nomic.governance.recalculation.ratification import Fate, Makes
from nomic.operations.recalculation.differences import balances, shown_assets, switches

# What is said of each rule in force.
_FINDINGS = "what officers have found of rules"
_JUDGED = "as what passages of rules are played"
_NUMBERS = "the numbers, classes and powers of rules"
# Parts of the state that stay as they are, in the words of a sentence.
_KEPT = {
    "players": "who plays",
    "voters": "who may vote",
    "pace": "the pace",
}
_OF_ABSENCE = (RETURN, SILENCE)


@dataclass(frozen=True)
class Makeable:
    """A game at one moment as far as a ratification can make it so, but for the hidden parts.

    `kept` is what it cannot: it has to be the same in both pasts.
    """

    balances: dict[str, dict[str, int]]
    switches: dict[str, dict[str, str]]
    rules: dict[str, str]
    rows: Rows
    appointments: set[tuple[str, str, str, CountedIn]]
    kept: dict[str, Any]

    @classmethod
    def of(
        cls,
        game: Game,
        at: datetime,
        hidden: Collection[str],
        number_of: Callable[[int], int] = int,
    ) -> Makeable:
        """What is so in the game at that moment, with the numbers that its entries have in the
        record with which it is compared."""
        parts = parts_of_state()
        table = Table(game, at, at, locked=False)
        in_force = table.rules.public
        rules = [rule for rule in in_force if rule.origin not in hidden]
        open_motions = game.motions.filter(end="")
        for part in hidden:  # of which nothing is told, nor whether something of it would differ
            open_motions = open_motions.exclude(action__startswith=f"{part}.")
        # Who is away, and when they are back, is no part of another past.
        waiting = game.appointments.waiting().filter(hidden=False).exclude(kind__in=_OF_ABSENCE)
        offices_hidden = {
            office
            for subgame in all_subgames()
            if subgame.name in hidden
            for office in subgame.offices
        }
        return cls(
            balances(game, hidden),
            switches(game, at, hidden),
            {rule.title: rule.text for rule in rules},
            rows_by_model(game, hidden, number_of),
            {
                (kind, _of_record(kind, subject, number_of), iso(due), CountedIn(counted))
                for kind, subject, due, counted in waiting.values_list(
                    "kind", "subject", "due", "counted_in"
                )
                if kind.partition(".")[0] not in hidden
            },
            {
                **{words: parts[part](game) for part, words in _KEPT.items()},
                "which assets there are": shown_assets(game, hidden),
                # What follows from it in a hidden part is told to nobody, and is not made so.
                "who holds an office of what is sealed": {
                    office: holder
                    for office, holder in dict(table.directory.offices).items()
                    if office in offices_hidden
                },
                "what a rule of a sealed part says": {
                    rule.title: rule.text for rule in in_force if rule.origin in hidden
                },
                "which motions are open": sorted(
                    open_motions.values_list("label", "number", "action", "by__name")
                ),
                "who supports or objects": sorted(
                    open_motions.values_list(
                        "label", "number", "voices__player__name", "voices__side"
                    ),
                    key=str,
                ),
                _FINDINGS: {rule.title: rule.settled for rule in rules},
                _JUDGED: {
                    rule.title: {key: passage.words for key, passage in rule.judged.items()}
                    for rule in rules
                },
                _NUMBERS: {
                    rule.title: (rule.number, rule.rule_class, rule.power, bool(rule.switched_off))
                    for rule in rules
                },
            },
        )


def _of_record(kind: str, subject: str, number_of: Callable[[int], int]) -> str:
    """The appointment's subject, with the number of an entry as the record has it."""
    return str(number_of(int(subject))) if KINDS[kind].of_entry else subject


def changes_between(before: Makeable, after: Makeable) -> Makes:
    """What a ratification would make so: each with what it was, and what it is to be."""
    owned = {
        (holder, asset)
        for side in (before.balances, after.balances)
        for holder in side
        for asset in side[holder]
    }
    amounts = (
        (
            holder,
            asset,
            before.balances.get(holder, {}).get(asset, 0),
            after.balances.get(holder, {}).get(asset, 0),
        )
        for holder, asset in sorted(owned)
    )
    return {
        "balances": [amount for amount in amounts if amount[2] != amount[3]],
        "switches": [
            (name, subject, before.switches[name][subject], after.switches[name][subject])
            for name in sorted(before.switches.keys() & after.switches.keys())
            for subject in sorted(before.switches[name].keys() & after.switches[name].keys())
            if before.switches[name][subject] != after.switches[name][subject]
        ],
        "rules": [
            (title, before.rules.get(title), after.rules.get(title))
            for title in sorted(before.rules.keys() | after.rules.keys())
            if before.rules.get(title) != after.rules.get(title)
        ],
        "rows": row_changes(before.rows, after.rows),
        "appointments": [
            *((*one, Fate.CANCELLED) for one in sorted(before.appointments - after.appointments)),
            *((*one, Fate.MADE) for one in sorted(after.appointments - before.appointments)),
        ],
    }


def against(before: Makeable, after: Makeable) -> list[str]:
    """What would have to be made so beside, which no ratification makes; in words, without an end.

    A rule that only one of the two has is enacted or repealed: what else it says follows from that.
    """
    return [words for words in before.kept if _differ(words, before.kept[words], after.kept[words])]


def _differ(words: str, first: Any, second: Any) -> bool:
    if words not in (_FINDINGS, _JUDGED, _NUMBERS):
        return bool(first != second)
    return any(first[title] != second[title] for title in first.keys() & second.keys())
