"""Sentences of the language that may be meant otherwise than they would be read."""

import re

from lark import Token

from nomic.rulebook.changes.grammar import Words
from nomic.rulebook.changes.sentences import Sentence

_EDITS = re.compile(r"(?:change|amend|set) the (?:\w+ )?text of .* by \W*\d+\W*$", re.IGNORECASE)
_EACH = re.compile(r"\beach\b")
_TEXT_LAST = re.compile(r"(?:QUOTED )?(?:SAYS )+QUOTED")
_ONE_OR_ALL = "It names several rules or one whose number is like that: write “rule” for one alone."
_EACH_OR_ALL = "Whether each has so many or all together is not said; write “each”."
_NO_TEXT = "Which of both is the text is not said; write: titled “…” with the text “…”"
_NO_PLACE = "Where it is inserted is not said; write “at the end”, or after what."
_EDIT_OR_TEXT = "A text changed by another one may be an edit of it; write: replace the text with …"


def doubt(read: Sentence) -> str:
    """The doubt that a sentence leaves though it can be read, and how to write it without; "" where
    there is none."""
    assert read.tree is not None
    words = read.words.casefold()
    return next((why for tree in read.tree.iter_subtrees() if (why := _doubt(tree, words))), "")


def _doubt(tree: Words, words: str) -> str:
    kinds = [each.type if isinstance(each, Token) else str(each.data) for each in tree.children]
    match tree.data:
        case "repeal" if "rules " in words and len(tree.children) == 1:
            return _ONE_OR_ALL
        case "give" | "take" if kinds.count("who") > 1 and not _EACH.search(words):
            return _EACH_OR_ALL
        case "enact" | "subrule" if "BLOCK" not in kinds and "FLUSH" not in kinds:
            said = " ".join(each for each in kinds if each in ("QUOTED", "SAYS"))
            return "" if _TEXT_LAST.fullmatch(said) else _NO_TEXT
        case "append":
            tokens = tree.scan_values(lambda each: isinstance(each, Token))
            found = {each.type: each for each in tokens}
            is_inserted = found["ADD"].casefold().startswith("insert")
            return _NO_PLACE if is_inserted and "AT_END" not in found else ""
        case "whole" if _EDITS.match(words):
            return _EDIT_OR_TEXT
    return ""
