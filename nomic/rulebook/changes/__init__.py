"""What a proposal changes: its body's prose read into a list of changes.

The forms that are read stand in `grammar.lark`; what looks like a change and fits none of them is a
ByHand, for the officer. Nothing here knows Django; reading takes time linear in the length.
"""

from nomic.rulebook.changes.forms import (
    AddBullets,
    AddRows,
    AddSubrule,
    Append,
    ByHand,
    Change,
    ChangeBy,
    Destroy,
    Enact,
    Give,
    Group,
    HandOver,
    Insert,
    Reading,
    Remark,
    Renumber,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
    SetPower,
    SetSwitch,
    Take,
    Transfer,
)
from nomic.rulebook.changes.layout import Unreadable
from nomic.rulebook.changes.reading import read_changes
from nomic.rulebook.edits.parts import Part

__all__ = [
    "AddBullets",
    "AddRows",
    "AddSubrule",
    "Append",
    "ByHand",
    "Change",
    "ChangeBy",
    "Destroy",
    "Enact",
    "Give",
    "Group",
    "HandOver",
    "Insert",
    "Part",
    "Reading",
    "Remark",
    "Renumber",
    "Repeal",
    "ReplacePassage",
    "ReplaceText",
    "Retitle",
    "RuleRef",
    "SetPower",
    "SetSwitch",
    "Take",
    "Transfer",
    "Unreadable",
    "read_changes",
]
