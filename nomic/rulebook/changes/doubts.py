"""Words that make it doubtful what an instruction asks for: it is then for the officer's hand.

A name, a currency or a value without quotes is taken from whatever words stand in its place, so a
“not” or an “unless” among them would be lost. In quotes they are part of the name.
"""

import re

from nomic.rulebook.changes.grammar import Words
from nomic.rulebook.changes.sayings import Sayings, tokens, trees
from nomic.rulebook.changes.words import VERBS, word_set

LONGEST_NAME = 120  # characters of a name or title, in quotes or not
LONGEST_VALUE = 2_000
MOST_AT_ONCE = 60  # changes of one sentence

EVERYBODY = frozenset(
    ("each player", "every player", "all players", "all the players", "everyone", "everybody")
)
_EACH = frozenset(("each", "every", "all", "all the", "the"))

_NEVER_IN_A_NAME = word_set("if unless not no never except neither nor or either /* */")
_SMALL = word_set("a an and as at by for from in of on the to with")
_SELDOM_IN_A_NAME = _SMALL - word_set("a an and of the") | word_set(
    "when whenever while until till provided providing should once instead excepting excluding "
    "barring assuming suppose supposing otherwise else but only most some half leaving without "
    "unlike whether then than least more less fewer rather maybe perhaps lest notwithstanding "
    "after before up next under into within upon despite during since because though although "
    "pending about around approximately roughly nearly almost per plus minus times percent "
    "hundred hundreds thousand thousands million millions billion dozen dozens few couple lot "
    "lots pair many several both any every each all another other same double twice triple "
    "tomorrow today tonight yesterday later soon eventually again daily weekly monthly hopefully "
    "possibly probably alternatively monday tuesday wednesday thursday friday saturday sunday "
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty "
    "sixty seventy eighty ninety nobody"
)
_QUANTIFIERS = word_set("each every all any both some most half many other another several nobody")
_LOWER = word_set("will may might must can could would shall do does did hereby permitting back")
_BETWEEN = word_set("of von van de da di du la le del der den y")
_ADJECTIVES = word_set(
    "a an the new additional further mutable immutable following entire whole full complete "
    "current present existing old own dynastic main ordinary subordinate game this"
)
_POWER = re.compile(r"power[=:-][\d.]*\d", re.IGNORECASE)
_NAMING = ("name", "holding", "possessor", "owned", "destroy", "take", "transfer")
_NUMBERED = re.compile(r"(?:rule\s+)?(?:number|no\.?|id|#)?\s*:?\s*#?\d[\w.-]*", re.IGNORECASE)

HANGS = (
    "It hangs on a condition in the sentence behind it, which a person has to judge; "
    "it is carried out by hand."
)
OPENS_DOUBT = re.compile(
    r"(?:if|unless|when|whenever|while|until|till|provided|providing|should|once|after|before|at|"
    r"with|without|instead|except|excepting|excluding|neither|nor|either|or|not|no|never|but|only|"
    r"barring|assuming|suppose|supposing|on|upon|next|for|as|otherwise|else|alternatively|unlike|"
    r"given|despite|during|since|because|although|though|whether|where|wherever|pending|perhaps|"
    r"maybe|hopefully|rather|lest|failing|apart|aside|(?:in|under|to) (?:the |that |this |any )?"
    r"(?:case|event|future|example|meantime|condition|circumstance|assumption|extent)s?|"
    r"depending|subject|contrary|tomorrow|later|eventually|per|by|"
    r"imagine|e\.g|i\.e)\b",
    re.IGNORECASE,
)
PLACED = re.compile(r"(?:after|before)\s+[\"“‘']", re.IGNORECASE)
_EFFECT = (
    r"(?=[^.!?]*\b(?:happens?|appl(?:y|ies)|effect|effective|holds?|counts?|does nothing|"
    r"(?:is|are) (?:only )?(?:done|made|valid|void|conditional|carried out))\b)"
    r"(?=[^.!?]*\b(?:if|when|unless|until|only|once|after|nothing|no effect|conditional|void)\b)"
)
_QUALIFIES = re.compile(
    r"(?:and |but |or |then )?(?:unless|except|excepting|provided|providing|only|or|nor|"
    r"not(?! that)|never|otherwise|else|alternatively|failing|instead|assuming|barring|"
    r"as long as|so long as)\b"
    rf"|(?:this|that|these|those|it|they|the above)\b{_EFFECT}",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"[^.!?]*\b(?:this proposal|the following|the rest|the remainder|what follows|"
    r"(?:these|the|all) changes|(?:nothing|everything) (?:here|below|in this|of this))\b"
    rf"{_EFFECT}",
    re.IGNORECASE,
)
_MARKUP = "([*_`—–-…<~ "
_BARE_CONDITION = re.compile(
    r"(?:and |but )?(?:if|when|whenever|while|until|once|should|in case|as soon as|after|before)\b"
    r"[^,:;]*$",
    re.IGNORECASE,
)
_LEADS_ASTRAY = re.compile(
    r"\b(?:if|unless|when|whenever|until|provided|only|not|never|no|none|except|without|instead|"
    r"once|either|neither|nor|or|would|(?:one|any|some|two|most|half) of|choose|chosen|randomly|"
    r"at random|example|e\.g|alternatives?|options?|withdrawn|rejected|"
    r"old version|suppose|assuming|whether|vote for)\b|n['’]t\b",
    re.IGNORECASE,
)
_GAINS = re.compile(
    r"\b(?:gains?|loses?|receives?|gets?|(?:is|are|be) (?:hereby )?(?:given|awarded|granted|set|"
    r"repealed|increased|decreased))\b[^.!?]{0,60}?(?:\d|\b(?:an?|all|one|two|three|four|five|six|"
    r"seven|eight|nine|ten|hundred)\b)|\brules?\b[^.!?]{0,60}\b(?:is|are|be) (?:hereby )?"
    r"(?:repealed|amended|retitled|renumbered|replaced|changed)\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"(?:either|or|maybe|perhaps|else|otherwise|alternatively|instead),? +([^\W\d_]+)",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,:;–—]\s+(?:(?:then|and|also|please)\s+)*|\bthen\s+", re.IGNORECASE)


def opens_doubtfully(text: str, at: int, limit: int) -> bool:
    """Whether the sentence that begins at `at` opens with a condition, exception or example."""
    while at < limit and text[at] in _MARKUP:
        at += 1
    found = OPENS_DOUBT.match(text, at, limit) is not None
    return found and PLACED.match(text, at, limit) is None


def asks_in_doubt(sentence: str) -> bool:
    """Whether a sentence that opens doubtfully has a change in it."""
    clauses = _CLAUSES.split(sentence)[1:]
    firsts = (
        clause.split(None, 1)[0].casefold().strip(".,") for clause in clauses if clause.strip()
    )
    choice = _CHOICE.match(sentence)
    if choice is not None and choice.group(1).casefold() in VERBS:
        return True
    return any(word in VERBS for word in firsts) or _GAINS.search(sentence) is not None


def qualifies(sentence: str) -> bool:
    """Whether a sentence that is no instruction takes something back from the one before it."""
    sentence = sentence.lstrip(_MARKUP)
    return bool(_QUALIFIES.match(sentence) or _BARE_CONDITION.match(sentence))


def qualifies_all(sentence: str) -> bool:
    """Whether a sentence that is no instruction says that the proposal's changes hang on it."""
    return _OF_ALL.match(sentence[:400]) is not None


def leads_astray(sentence: str) -> bool:
    """Whether a sentence above a list of changes says that not all of them shall be made."""
    return _LEADS_ASTRAY.search(sentence) is not None


def doubt(says: Sayings, tree: Words) -> str:
    """Why it is doubtful what an instruction asks for, or nothing."""
    for node, path in _nodes(tree, ()):
        found = _doubt_of(says, node, path)
        if found:
            return found
    return ""


def _nodes(tree: Words, path: tuple[str, ...]) -> list[tuple[Words, tuple[str, ...]]]:
    found = [(tree, path)]
    for child in trees(tree):
        found += _nodes(child, (*path, str(tree.data)))
    return found


def _doubt_of(says: Sayings, node: Words, path: tuple[str, ...]) -> str:
    kind = str(node.data)
    if word := _strange_adjective(says, node):
        return (
            f"“{word[:40]}” says more than which rule; name the rule by its title or number alone."
        )
    for token in tokens(node, "QUOTED"):
        most = LONGEST_VALUE if kind == "value" else LONGEST_NAME
        if kind not in ("old", "new") and len(says.said(token)) > most:
            return f"Its name in quotes is longer than {most:,} characters; use a shorter one."
    for aside in map(says.said, tokens(node, "PAREN")):
        if not _NUMBERED.fullmatch(aside) and (word := _doubtful(aside, named=False)):
            return _says(word)
    if kind in ("words", "value", "possessor") and not tokens(node, "QUOTED"):
        return _doubt_of_words(says.phrase(node), kind, path)
    return ""


def _doubt_of_words(phrase: str, kind: str, path: tuple[str, ...]) -> str:
    if len(phrase) > (LONGEST_VALUE if kind == "value" else LONGEST_NAME):
        return f"“{phrase[:40]}…” is too long for a name; use a shorter one."
    if phrase.casefold() in EVERYBODY:
        return ""
    if kind == "possessor" or (path[-1:] == ("possessor",) and phrase.casefold() in _EACH):
        return ""
    if kind == "value" and len(phrase.split()) < 2:
        return ""
    word = _doubtful(phrase, named=path[-1] in _NAMING)
    first = phrase.split()[0]
    if not word and path[-1] in ("rule", "listed", "table") and first.casefold() in _QUANTIFIERS:
        word = first
    if not word and path[-1] == "subject":
        word = next((w for w in phrase.split() if w in ("each", "every", "all", "any")), "")
    return _says(word) if word else ""


def _doubtful(phrase: str, *, named: bool) -> str:
    """The first word of a phrase that makes it doubtful, or nothing."""
    for word in phrase.split():
        plain = word.strip("*_`.,;:!?()'’‘“”\"")
        folded = plain.casefold() or word
        if folded in _NEVER_IN_A_NAME or folded.endswith(("n't", "n’t")) or plain in _LOWER:
            return word
        if (folded if named else plain) in (
            _SELDOM_IN_A_NAME if named else _SELDOM_IN_A_NAME - _SMALL
        ):
            return word
    return ""


def _says(word: str) -> str:
    return (
        f"“{word[:40]}” leaves open what it asks for; say it without that word, "
        "or put a name that has it in quotes."
    )


def unsure_name(name: str) -> bool:
    """Whether a player's name without quotes has words that no name has."""
    words = name.split()
    if len(words) > 6 or not all(any(map(str.isalnum, word)) for word in words):
        return True
    return any(
        word[0].islower() and not (place and word in _BETWEEN) and len(words) > 1
        for place, word in enumerate(words)
        if place or word not in ("player", "the")
    )


def _strange_adjective(says: Sayings, node: Words) -> str:
    """The first word before “rule” that does more than describe one rule, or nothing."""
    match node.data:
        case "rule" | "listed" if not tokens(node, "QUOTED", "RULENUM"):
            return ""
        case "enact" if tokens(node, "ADD") and tokens(node, "TO", "AT"):
            return ""
        case "subrule" if tokens(node, "RULE"):
            return ""
        case "rule" | "listed" | "enact" | "subrule":
            words = says.words(node).split()
            known = (w.casefold() in _ADJECTIVES or _POWER.fullmatch(w) for w in words)
            return next((w for w, fine in zip(words, known, strict=True) if not fine), "")
    return ""
