"""From the tree of an instruction to the changes that it asks for."""

from collections.abc import Callable, Iterator
from itertools import islice

from nomic.rulebook.changes import ledger_changes, rule_changes
from nomic.rulebook.changes.doubts import MOST_AT_ONCE, doubt
from nomic.rulebook.changes.forms import Change, RuleRef
from nomic.rulebook.changes.grammar import Words
from nomic.rulebook.changes.sayings import Sayings, Unclear, trees

type _Form = Callable[[Sayings, Words, RuleRef | None], Iterator[Change]]

_FORMS: dict[str, _Form] = {
    "enact": rule_changes.enact,
    "subrule": rule_changes.subrule,
    "replace_text": rule_changes.replace_text,
    "passage": rule_changes.passage,
    "bullets": rule_changes.bullets,
    "repeal": rule_changes.repeal,
    "retitle": rule_changes.retitle,
    "renumber": rule_changes.renumber,
    "give": ledger_changes.give,
    "take": ledger_changes.take,
    "transfer": ledger_changes.transfer,
    "destroy": ledger_changes.destroy,
    "gain": ledger_changes.gain,
    "lose": ledger_changes.lose,
    "set_switch": ledger_changes.set_switch,
    "enacted": rule_changes.enacted,
    "insert": rule_changes.insert,
    "append": rule_changes.append,
    "hand": ledger_changes.hand,
    "alter": ledger_changes.alter,
}


def build(says: Sayings, tree: Words, rule: RuleRef | None) -> list[Change]:
    """The changes of one instruction, in order; Unclear where it leaves something open.

    `rule` is the one whose list of changes the instruction stands in, if any.
    """
    if found := doubt(says, tree):
        raise Unclear(found)
    if tree.data == "bullets":
        return list(rule_changes.bullets(says, tree, rule))
    table = next(iter(trees(tree, "table")), None)
    if tree.data == "within" and (table is None or trees(tree, "rule")):
        rule = says.place(tree)
    made: list[Change] = []
    clauses = tree if tree.data == "clauses" else trees(tree, "clauses")[0]
    for clause in trees(clauses):
        if clause.data == "rows":
            made.append(rule_changes.rows(says, clause, rule, table))
        else:
            changes = _FORMS[str(clause.data)](says, clause, rule)
            made += islice(changes, MOST_AT_ONCE + 1 - len(made))
        if len(made) > MOST_AT_ONCE:
            raise Unclear(
                f"It asks for more than {MOST_AT_ONCE} changes at once; write several sentences."
            )
    return made
