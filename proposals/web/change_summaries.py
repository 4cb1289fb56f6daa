"""Proposals in a line each: “amends “Horse Multiplier” · each player gains 1 point”; and how many
sentences they would put into force that nothing carries out."""

from collections.abc import Collection
from contextlib import suppress
from functools import partial

from nomic.engine.coverage import rule_marks
from nomic.engine.subgames import all_subgames
from nomic.engine.table import Table
from nomic.rulebook.changes import kinds as kinds
from nomic.rulebook.changes.applying import REASONS, carry, is_of_rules
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.on_paper import ImaginedRules
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.text_cache import committed_rules
from proposals.models import Proposal
from proposals.state.bodies import Units, answers_by_proposal, read, readable

_MOST = 3
_LONGEST = 80  # characters of one change
_MOST_TRIED = 60  # changes of one proposal
_MOST_GONE_THROUGH = 500_000  # characters of rules that these changes are about
_NOTHING = "changes nothing by itself"
_SAYINGS = {
    kinds.Enact: "enacts “{0.title}”",
    kinds.AddSubrule: "enacts “{0.title}” under {0.parent}",
    kinds.ReplaceThroughout: "replaces “{0.old}” in all rules",
    kinds.Repeal: "repeals {0.rule}",
    kinds.Retitle: "retitles {0.rule} “{0.title}”",
    kinds.Renumber: "gives {0.rule} the number {0.number}",
    kinds.SetPower: "sets the power of {0.rule} to {0.power}",
    kinds.Transmute: "transmutes {0.rule}",
    kinds.Give: "{0.receiver} gains {0.amount:,} {0.currency}",
    kinds.TransferCurrency: "{0.amount:,} {0.currency} from {0.giver} to {0.receiver}",
    kinds.SetSwitch: "sets {0.switch} to {0.value}",
    kinds.Become: "{0.who} becomes {0.office}",
    kinds.Ratify: "ratifies the recalculation {0.report:.16}",
    kinds.ByHand: "for the officer: {0.sentence}",
}


def change_summaries(proposals: Collection[Proposal]) -> dict[int, str]:
    """A line for each proposal, by proposal (pk), "" for one that was not read yet.

    A version is read once, since it never changes; what is known costs no query.
    """
    return answers_by_proposal("summary", proposals, summary)


def summary(body: str, remarks: Collection[str] = (), units: Units = ()) -> str:
    """The first changes that a body asks for, each said once."""
    try:
        changes = read(body, remarks, units).changes
    except Unreadable:
        return "cannot be read"
    phrases = []
    for change in changes:
        amends = isinstance(getattr(change, "rule", None), kinds.RuleRef)
        words = _SAYINGS.get(type(change), "amends {0.rule}" if amends else "{0.sentence}")
        if isinstance(change, kinds.Take) and change.giver:
            lost = "all" if change.amount is None else "{0.amount:,}"
            words = f"{{0.giver}} loses {lost} {{0.currency}}"
        elif isinstance(change, kinds.SetSwitch) and change.of:
            words = "sets {0.switch} of {0.of} to {0.value}"
        phrase = " ".join(words.format(change).split())
        phrases.append(phrase if len(phrase) <= _LONGEST else f"{phrase[: _LONGEST - 1].rstrip()}…")
    different = list(dict.fromkeys(phrases))
    further = len(different) - _MOST
    parts = [*different[:_MOST], *([f"and {further} more"] if further > 0 else [])]
    return " · ".join(parts) or _NOTHING


# What nothing would carry out


def unplayed(table: Table, proposals: Collection[Proposal]) -> dict[int, int]:
    """How many sentences each would put into force that nothing carries out as they read, by
    proposal (pk), without those that were not looked through yet.

    By the texts alone: the preview lets it happen. Of very long proposals the first changes count.
    """
    topic = f"unplayed:{table.game.rulebook_at}"
    return answers_by_proposal(topic, proposals, partial(_unplayed, table))


def _unplayed(table: Table, body: str, remarks: Collection[str], units: Units) -> int:
    before = committed_rules(table.game)
    after = ImaginedRules(before, share_titles=table.rules.shares_titles)
    for change in readable(body, remarks, units)[:_MOST_TRIED]:
        if is_of_rules(change) and after.gone_through < _MOST_GONE_THROUGH:
            with suppress(*REASONS):
                carry(after, change)
    changed = [rule for rule in after.public if before.by_pk(rule.pk) is not rule]
    return sum(
        len(_waiting(table, rule) - _waiting(table, before.by_pk(rule.pk))) for rule in changed
    )


def _waiting(table: Table, rule: RuleText | None) -> set[str]:
    """The passages of that rule, by key, that nothing carries out as they read."""
    if rule is None:
        return set()
    marks = rule_marks(table, rule, subgames=all_subgames())
    return {passage.key for passage in marks.passages if passage.is_unfitted}
