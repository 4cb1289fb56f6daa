"""Sentences that no form fits: instructions for the officer's hand, or remarks."""

import re

from nomic.rulebook.changes.instructions import ITEM, Failure, begins_change, starts_change
from nomic.rulebook.changes.layout import Layout
from nomic.rulebook.changes.words import KEYWORDS, VERBS, word_set

HEADER = re.compile(
    r"(?:(?:id|title|adoption index|ai|power|author|co-?authors?|class|proposal|outcome|ballots|"
    r"popularity|resolved at|index|conflicts?|depend(?:s on|encies)|subject|date|from|to|type)"
    r"\s*(?:\([^()\n]{0,40}\)\s*)?:"
    r"|proposal\s+[\w.-]+\s*\("
    r"|ai \(f/a\):|(?:for|against|present|abstain)\s*\(\d+\)\s*:"
    r"|reached quorum\b|timed out\b|enacted by\b|adminned at\b|\| .{0,200}\|[ \t\r]*$|\[date prev\]"
    r"|https?://)",
    re.IGNORECASE | re.MULTILINE,
)
OPENING = re.compile(
    r"(?:(?:(?:then|also|finally|furthermore|additionally|in addition|please|firstly|secondly|"
    r"thirdly|lastly|and)\b,?|(?:next|first|second|third)(?:,|(?=[ \t]+(?:"
    + "|".join(sorted(VERBS))
    + r")\b)))[ \t]+)+",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"(?:if|when|whenever|unless|otherwise|once|after|before|should|for each|for every|upon|"
    r"as soon as|as long as|at the (?:start|beginning|end)|where|provided|providing|while|until|"
    r"assuming|suppose|supposing|barring|in case|in the event|except|instead|for example)\b",
    re.IGNORECASE,
)
_OTHER_VERBS = word_set(
    "prepend move swap reset revoke make let update upgrade "
    "restore ratify appoint deregister register put merge split double halve draw roll shuffle "
    "revert undo void cancel declare designate assign pay distribute reorder reinstate clear "
    "empty randomly secretly start end begin convert correct fix allow require extend apply"
)
_IDIOM = re.compile(
    r"(?:let(?:'|’)s|let (?:me|us)|make (?:no|sure)|take (?:care|note)|start with|end of|"
    r"set in|put (?:simply|another)|change (?:is|was)|from (?:what|my|the|now|a)|to (?:be|me|make|"
    r"do|prevent|avoid|keep|see|give|fix)|in (?:my|this|that|the past|fact|case|other|general|"
    r"order|short|addition)|add to (?:that|this))\b",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"\b(?:hereby|SHALL|(?:is|are) (?:increased|decreased|reduced|set|reset|changed|amended|"
    r"repealed|replaced|renamed|retitled|renumbered|created|enacted|destroyed|transferred|awarded|"
    r"given|granted|added|removed|deleted|appointed)|becomes?|gains?|loses?|receives?|gets?)\b"
)
_COMMENTARY = re.compile(
    r"\b(?:I|I['’]\w+|my|me|we|We|our|us|let['’]s|would|could|might|maybe|perhaps|think|believe|"
    r"sorry|thanks|because|currently|rather than|this (?:proposal|draft|prop|idea))\b|\?"
)
_RULE_FIRST = re.compile(r"\w+ (?:the )?\w* ?[Rr]ule\b")
_RULE_NAMED = re.compile(r"\brule\s+(?:[\"“‘']|\d)", re.IGNORECASE)
_PROMISES_TEXT = re.compile(r"\b(?:text|reads?|wording)(?: is| be)?\s*:?$", re.IGNORECASE)
_CLAUSE = re.compile(r"[,:;]\s+(?:(?:then|and|also|please)\s+)*")
_STOPS = re.compile(r"\n|[{}]|/\*|:[ \t]+(?=[A-Z])|[.!?][\"”’)*_]*(?=\s|\Z)")
_ABBREVIATED = re.compile(r"(?:\b[A-Z]|\b(?:[Ee]\.g|[Ii]\.e|etc|vs|no|No|Mr|Mrs|Ms|Dr|St|cf))$")
_HASHES = re.compile(r"#{1,6} ")
_EMPTY = re.compile(r"[ \t\r]*(?:\n|\Z)")


def sentence_end(layout: Layout, start: int, limit: int) -> int:
    """Where the sentence that begins at `start` ends: at its stop, a brace, comment or paragraph,
    or before a line that begins something else."""
    text = layout.text
    conditional = CONDITION.match(text, start, limit) is not None
    for mark in _STOPS.finditer(text, start + 1, limit):
        at = mark.start()
        match mark.group()[0]:
            case "\n" if _line_stops(layout, at + 1, limit, text[at - 2 : at].strip()[-1:]):
                return at
            case "{" | "}":
                return at
            case "/" if at in layout.comments:
                return at
            case ":" if not conditional and begins_change(layout, mark.end(), limit):
                return at + 1
            case "." | "!" | "?" if not _ABBREVIATED.search(text, max(start, at - 6), at):
                return mark.end()
    return limit


def _line_stops(layout: Layout, line: int, limit: int, last: str) -> bool:
    if last == ":" or line >= limit or _EMPTY.match(layout.text, line, limit):
        return True
    return _begins_something(layout, line, limit, last)


def _begins_something(layout: Layout, line: int, limit: int, last: str) -> bool:
    text = layout.text
    if HEADER.match(text, line) or heading_end(layout, line, limit) or ITEM.match(text, line):
        return True
    if text[line] in "|{}" or text.startswith("--", line):
        return True
    if starts_change(text, line, limit):
        return True
    word = text[line : line + 16].split()[:1]
    if not word or not is_verb(word[0].casefold().strip(".,:")):
        return False
    return word[0][0].isupper() or last in ".:;!?"


def heading_end(layout: Layout, at: int, limit: int) -> int | None:
    """The end of the line at `at` where it is marked as a heading (__…__, == … ==, # …)."""
    end = layout.line_end(at, limit)
    line = layout.text[at : min(end, at + 200)].strip()
    for mark in ("__", "=="):
        if line.startswith(mark) and line.endswith(mark) and len(line) > 2 * len(mark):
            return end
    return end if _HASHES.match(line) else None


def is_verb(word: str) -> bool:
    """Whether a word commands a change."""
    return word in VERBS or word in _OTHER_VERBS


_EXAMPLES = {
    "ENACT": "Enact a new rule with title “Horses” and the following text: {…}",
    "ADD": "In the rule “Visitors”, add the following rows to the Visitors table: …",
    "REPLACE": "Replace the text of rule 2-2 with: {…}",
    "AMEND": "In the rule “Horses”, replace “16” with “20”.",
    "CHANGE": "In the rule “Horses”, replace “16” with “20”.",
    "SET": "Set Alexia's Race Position to 3.",
    "SUBSTITUTE": "In the rule “Horses”, replace “16” with “20”.",
    "DELETE": "In the rule “Horses”, delete “indestructible”.",
    "REPEAL": "Repeal rule 2-2.",
    "RETITLE": "Retitle the rule “Horses” to “Ponies”.",
    "RENUMBER": "Renumber rule 12 to 13.",
    "GIVE": "Give Peter 5 points.",
    "TAKE": "Take 5 points from Peter.",
    "TRANSFER": "Transfer 5 points from Peter to Paul.",
    "INCREASE": "Increase Peter's points by 3.",
    "DECREASE": "Decrease Peter's points by 3.",
    "DESTROY": "Destroy 5 of Peter's points.",
    "IN": "In the rule “Horses”, replace “16” with “20”.",
}


def instructs(sentence: str) -> bool:
    """Whether a sentence that no form fits still asks for a change to the game."""
    sentence = OPENING.sub("", sentence, count=1) if OPENING.match(sentence) else sentence
    if _IDIOM.match(sentence) or sentence.endswith("?"):
        return False
    word = _first(sentence)
    if is_verb(word):
        return True
    if _COMMENTARY.search(sentence):
        return False
    if _SIGN.search(sentence):
        return True
    if CONDITION.match(sentence):
        return sentence.endswith(":") or _commands_within(sentence)
    if word not in ("in", "to", "from", "within", "under", "on", "for", "at"):
        return False
    return bool(_RULE_FIRST.match(sentence)) or _commands_within(sentence)


def unplaced(sentence: str) -> bool:
    """Whether a sentence before braces promises a text, or speaks of a rule, and says no more."""
    return _PROMISES_TEXT.search(sentence) is not None or (
        sentence.endswith(":") and _RULE_NAMED.search(sentence) is not None
    )


def _commands_within(sentence: str) -> bool:
    """Whether one of the clauses behind a comma or colon begins with a verb that commands."""
    return any(is_verb(_first(clause)) for clause in _CLAUSE.split(sentence)[1:])


def _first(sentence: str) -> str:
    word = re.match(r"[\W_]*([^\W_]+(?:-\w+)?)", sentence[:80])
    return word.group(1).casefold() if word else ""


def why(
    layout: Layout, sentence: str, failure: Failure | None, *, follows_condition: bool = False
) -> str:
    """What was understood of an instruction, and what would make it readable; a sentence."""
    if follows_condition or CONDITION.match(sentence):
        return "It hangs on a condition, which a person has to judge; it is carried out by hand."
    example = _EXAMPLES.get(KEYWORDS.get(_first(sentence), ""))
    if example is None and unplaced(sentence):
        return (
            "A text in braces stands here and no instruction says where it goes; "
            f"this would be read: {_EXAMPLES['REPLACE']}"
        )
    if example is None:
        return "It asks for something that no form of change says; it is carried out by hand."
    if failure is None or failure.tokens == 0:
        return f"It begins like a change and goes on otherwise; this would be read: {example}"
    here = layout.text[failure.at : failure.at + 60].split("\n")[0].strip()
    word = " ".join(here.split()[:4])
    stop = f"it could not be read from “{word}” on" if word else "something is missing at its end"
    return f"It begins like a change, but {stop}; this would be read: {example}"
