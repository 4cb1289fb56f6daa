"""What comes of two proposals that change the same rules, found on paper."""

from contextlib import suppress

from nomic.engine.table import Table
from nomic.rulebook.changes.applying import REASONS, carry, is_of_rules
from nomic.rulebook.changes.kinds import Change
from nomic.rulebook.changes.on_paper import ImaginedRules
from nomic.rulebook.in_force import RulesInForce

type Changes = tuple[Change, ...]

BOTH = "If both pass, both changes are made."
NOTHING_LEFT = "If it takes effect first, nothing is left for this one to replace."
NOTHING_LEFT_OF_IT = "If this one takes effect first, nothing is left for that one to replace."
LAST_STANDS = "If both pass, what takes effect last is what stands."
_MOST = 20  # changes of each
_MOST_GONE_THROUGH = 200_000  # characters of rules


def come_together(table: Table, ours: Changes, theirs: Changes) -> str:
    """What would come of both, as a sentence; "" where there is too much to try."""
    if max(len(ours), len(theirs)) > _MOST:
        return ""
    public = RulesInForce(table.rules.public)

    def tried(*bodies: Changes) -> tuple[list[int], list[str]] | None:
        """How many changes of each were made, and how the rules read then."""
        rules = ImaginedRules(public, share_titles=table.rules.shares_titles)
        counts = []
        for changes in bodies:
            count = 0
            for change in filter(is_of_rules, changes):
                with suppress(*REASONS):
                    count += not carry(rules, change).is_idle
                if rules.gone_through > _MOST_GONE_THROUGH:
                    return None
            counts.append(count)
        return counts, sorted(f"{rule.title}\n{rule.text}" for rule in rules.public)

    alone, alone_of_them = tried(ours), tried(theirs)
    before, behind = tried(ours, theirs), tried(theirs, ours)
    if alone is None or alone_of_them is None or before is None or behind is None:
        return ""
    if behind[0][1] < alone[0][0]:
        return NOTHING_LEFT
    if before[0][1] < alone_of_them[0][0]:
        return NOTHING_LEFT_OF_IT
    return BOTH if before[1] == behind[1] else LAST_STANDS
