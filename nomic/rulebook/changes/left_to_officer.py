"""What is left to the officer, and why; and what a reading warns of."""

import re
import tomllib
from collections.abc import Collection
from difflib import SequenceMatcher
from pathlib import Path

from lark import Token

from nomic.games.wording import counted
from nomic.rulebook.changes.kinds import LONGEST_SAID, BodyRemark, ByHand, Change, RuleRef
from nomic.rulebook.changes.sentences import PLACES, VERBS, Sentence, first_word, read_alone
from nomic.rulebook.charts import cut

NO_EDITS = (
    "It names a rule, and nothing below it could be read as an edit of it; write each edit as a"
    " sentence, or the whole text behind: Amend rule 12 to read: {…}"
)
UNREAD = (
    "It is none of the forms that are read as a change. What is to change nothing is marked as a"
    " remark by its author, or stands in a comment: [ … ]."
)
IN_A_COMMENT = (
    "It stands behind the heading of a comment, and reads as an instruction. What is none stands in"
    " brackets: [ … ]; what is one stands before the comment, or behind another heading."
)
LABELLED = (
    "A single word in brackets stands before it on its line, and may say whether it is meant. A"
    " comment stands on a line of its own, or behind the sentence."
)
INDENTED = (
    "It is indented by four spaces or more, as what is quoted or shown as an example. An"
    " instruction stands as far left as the text around it."
)
ENDLESS = (
    "Nothing marks where its text ends, and what stands below may be no part of it. Put the text in"
    " braces: { … }."
)
_LAST_LINE = (
    "Nothing marks where the text of “{}” ends: all below it is taken for that text, to “{}”."
    " Braces tell for sure: {{ … }}."
)
_BESIDE = "“{}”{} in the same text, could not be read, and may change what this means."
_HALF = (
    "Another change of this rule is left to the officer: “{}”. All that is changed in a rule is"
    " changed by one hand."
)
_LONGEST_SHOWN = 60  # characters of a quotation in a shape that is shown
_NAMED = re.compile(
    r"\b(?i:(?:the )?(?:(?:dynastic|core) )?rules?) (?:(?:titled|called|named|entitled) )?"
    r"(?:(?P<number>#?\d[\w.-]*)|(?P<quoted>“\d+”)|(?P<bare>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*))"
)
_QUOTES, _PLACED, _BLOCKS = re.compile(r"“[^”]*”"), re.compile(r"“(\d+)”"), re.compile(r"[{\[|]\d")
_RULE_SLOT = re.compile(r"(?:the )?[Rr]ule (?:“[^”]*”|\d[\w-]*)")
_TO_NUMBER = re.compile(r"(?<= )to \d+(?:\.\d+)?(?![\w-])")
_OF_EXAMPLE = re.compile(r"\b(?:Peter|Paul|Alexia|points|[35])\b")
"""The names and numbers of shapes that change no rule."""
_OWN_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w-]*")
_OWN_AMOUNT = re.compile(r"\b(\d[\d,]*)(?: ([^\W\d]\w*))?")
_MOST_DROPPED = 4  # words at a sentence's end without which it may be one of the language
_FILE = Path(__file__).with_name("hints.toml")
EXAMPLES: dict[str, list[str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_BY_VERB = {verb: examples for verbs, examples in EXAMPLES.items() for verb in verbs.split()}
_TOKEN = re.compile(r"(“)[^”]*”|({)[^}]*}|([^\W\d_]+)|\d+")
_RULE = re.compile(r"\brules? #?\d|“\d+”", re.IGNORECASE)
_PASSIVE = re.compile(
    r"(?:the )?rule .*\bis (?:hereby )?(?:amended|changed|replaced|reworded|repealed|deleted)\b",
    re.IGNORECASE,
)
_EDITS = re.compile(r"(?:change|amend|set) the (?:\w+ )?text of .* by \W*\d+\W*$", re.IGNORECASE)
_EACH = re.compile(r"\beach\b")
_TEXT_LAST = re.compile(r"(?:QUOTED )?(?:SAYS )+QUOTED")
_ONE_OR_ALL = "It names several rules or one whose number is like that: write “rule” for one alone."
_EACH_OR_ALL = "Whether each has so many or all together is not said; write “each”."
_NO_TEXT = "Which of both is the text is not said; write: titled “…” with the text “…”"
_NO_PLACE = "Where it is inserted is not said; write “at the end”, or after what."
_EDIT_OR_TEXT = "A text changed by another one may be an edit of it; write: replace the text with …"


def beside(changes: Collection[Change], unread: Collection[str]) -> tuple[ByHand, ...]:
    """Those changes left to the officer, since these sentences beside them could not be read."""
    first, further = next(iter(unread)), len(unread) - 1
    stand = f" and {counted(further, 'more sentence')} stand" if further else " stands"
    reason = _BESIDE.format(cut(first, LONGEST_SAID), stand)
    return tuple(
        change if isinstance(change, ByHand) else as_by_hand(change, reason) for change in changes
    )


def half(sentence: str) -> str:
    """Why a change is left that could be made: that sentence changes the same rule, and is left."""
    return _HALF.format(cut(sentence, LONGEST_SAID))


def as_by_hand(change: Change | BodyRemark, reason: str) -> ByHand:
    """That change for the officer, or what may be one."""
    facts = {name: getattr(change, name) for name in ("sentence", "start", "end", "group")}
    return ByHand(reason, getattr(change, "rule", RuleRef()), **facts)


def taken_to_end(sentence: str, last_line: str) -> str:
    """The warning that a text of that sentence, whose end nothing marks, ends with that line."""
    return _LAST_LINE.format(cut(sentence, LONGEST_SAID), cut(last_line.strip(), LONGEST_SAID))


# Sentences that are not of the language: what would be read


def hint(sentence: Sentence) -> str:
    """Why an officer carries out a sentence that begins like a change, and the nearest shape; ""
    where it does not begin like one."""
    word = first_word(sentence.words, 0).casefold()
    is_passive = _PASSIVE.match(sentence.words) is not None
    if (
        word not in VERBS
        and not (word in PLACES and _RULE.search(sentence.words))
        and not is_passive
    ):
        return ""
    return (
        _nearest(sentence, "rule" if is_passive else "")
        or "It names a rule and asks for nothing that a form of change says."
    )


def _nearest(sentence: Sentence, verb: str) -> str:
    """The shape that is nearest to a sentence, as one says it; nothing where no verb tells."""
    words = _tokens(sentence.words)
    verb = verb or next((word for word in words if word in _BY_VERB and word != "rule"), "")
    if not verb:
        return ""

    def likeness(example: str) -> float:
        return SequenceMatcher(None, words, _tokens(example)).ratio()

    shape = max(_BY_VERB[verb], key=likeness)
    filled_shape = _of_these_words(shape, sentence)
    if read_alone(filled_shape).tree is not None:
        shape = filled_shape
    return f"It begins like a change and goes on otherwise; this would be read: {shape}"


def _of_these_names(shape: str, sentence: Sentence) -> str:
    """The shape of a gift or switch with the names and numbers of a sentence: as much of that from
    its first word on as can be read, else the shape with these in it."""
    words = _filled(sentence.words, sentence)
    for length in range(1, _MOST_DROPPED + 1):
        begun = " ".join(words.split(" ")[:-length]).rstrip(" ,")
        alone = read_alone(f"{begun}.") if begun else sentence
        if alone.tree is not None and not doubt(alone):
            return f"{begun[:1].upper()}{begun[1:]}."
    names, amount = _OWN_NAME.findall(words), _OWN_AMOUNT.search(words)
    replacements = dict(zip(("Peter", "Paul"), names, strict=False))
    replacements |= {"Alexia": names[0]} if names else {}
    if amount:
        replacements |= {"5": amount[1], "3": amount[1], "points": amount[2] or "points"}
    return _OF_EXAMPLE.sub(lambda name: replacements.get(name[0], name[0]), shape)


def _of_these_words(shape: str, sentence: Sentence) -> str:
    """The shape of a change with the rule, names, numbers and quotations of a sentence."""
    words, rule = sentence.words, ""
    if _OF_EXAMPLE.search(shape) and not _RULE_SLOT.search(shape):
        return _of_these_names(shape, sentence)
    if _RULE_SLOT.search(shape):
        if (named := _NAMED.search(words)) is None:
            return shape
        words = f"{words[: named.start()]} , {words[named.end() :]}"
        rule = "the rule {}" if "“" in named[0] or named["bare"] else "rule {}"
        rule = rule.format(named["number"] or named["quoted"] or f"“{named['bare']}”")
    quotes = _QUOTES.findall(words)
    slots = len(_QUOTES.findall(_RULE_SLOT.sub("", shape)))
    texts = [f"“{cut(_filled(quote, sentence)[1:-1], _LONGEST_SHOWN)}”" for quote in quotes[:slots]]
    missing = ["“…”"] * (slots - len(texts))
    filling = iter([*missing, *texts] if "insert" in shape else [*texts, *missing])
    filled_shape = _QUOTES.sub(lambda quote: next(filling), _RULE_SLOT.sub("\0", shape))
    number = _TO_NUMBER.search(words)
    if number and rule:
        filled_shape = _TO_NUMBER.sub(number[0], filled_shape)
    filled_shape = filled_shape.replace("\0", _filled(rule, sentence))
    return filled_shape[:1].upper() + filled_shape[1:]


def _filled(words: str, sentence: Sentence) -> str:
    """The words with the quotations for which marks stand in them."""
    return _PLACED.sub(lambda mark: f"“{' '.join(sentence.texts[int(mark[1])].split())}”", words)


def endless(sentence: Sentence) -> str:
    """That nothing marks where a sentence's text ends, and how it would be read."""
    head = sentence.words.split("\ufffd")[0].strip()
    if not head or _BLOCKS.search(head):
        return ENDLESS
    shown = _filled(head, sentence)
    return ENDLESS[:-1].replace("{ … }", f"{shown[:1].upper()}{shown[1:]}: {{ … }}")


def _tokens(words: str) -> list[str]:
    """The words of a sentence, with the mark of each marked text and nothing for a number."""
    return ["".join(groups) for groups in _TOKEN.findall(words.casefold())]


# Sentences of the language that may be meant otherwise than they would be read


def doubt(sentence: Sentence) -> str:
    """The doubt that a sentence leaves though it can be read, and how to write it without; "" where
    there is none."""
    assert sentence.tree is not None
    words = sentence.words.casefold()
    for tree in sentence.tree.iter_subtrees():
        kinds = [
            child.type if isinstance(child, Token) else str(child.data) for child in tree.children
        ]
        match tree.data:
            case "repeal" if "rules " in words and kinds == ["listed"]:
                return _ONE_OR_ALL
            case "give" | "take" if kinds.count("who") > 1 and not _EACH.search(words):
                return _EACH_OR_ALL
            case "enact" | "subrule" if "BLOCK" not in kinds and "FLUSH" not in kinds:
                order = " ".join(kind for kind in kinds if kind in ("QUOTED", "SAYS"))
                if not _TEXT_LAST.fullmatch(order):
                    return _NO_TEXT
            case "append":
                tokens = tree.scan_values(lambda leaf: isinstance(leaf, Token))
                by_type = {token.type: token for token in tokens}
                if by_type["ADD"].casefold().startswith("insert") and "AT_END" not in by_type:
                    return _NO_PLACE
            case "whole" if _EDITS.match(words):
                return _EDIT_OR_TEXT
    return ""
