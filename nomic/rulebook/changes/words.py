"""Words of an instruction: which of them are keywords, numbers and names."""

import re


def word_set(lines: str) -> frozenset[str]:
    """The words of some lines, as a set."""
    return frozenset(lines.split())


_SPELLED = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_KEYWORDS = {
    "IN": "in within",
    "TO": "to into",
    "FROM": "from",
    "BY": "by",
    "THE": "the a an",
    "OF": "of",
    "WITH": "with",
    "AND": "and",
    "FOR": "for",
    "AS": "as",
    "AT": "at",
    "UNDER": "under",
    "ENACT": "enact create",
    "ADD": "add append adding appending insert inserting",
    "REPLACE": "replace replacing",
    "AMEND": "amend modify rewrite reword edit amending",
    "CHANGE": "change changing alter",
    "SET": "set flip setting flipping",
    "SUBSTITUTE": "substitute substituting",
    "DELETE": "delete remove strike deleting removing",
    "REPEAL": "repeal repealing",
    "RETITLE": "retitle rename retitling renaming",
    "RENUMBER": "renumber renumbering",
    "MAKE": "make making",
    "GIVE": "give award grant giving",
    "TAKE": "take deduct subtract",
    "TRANSFER": "transfer",
    "DESTROY": "destroy",
    "INCREASE": "increase raise",
    "DECREASE": "decrease reduce lower",
    "AFTER": "after",
    "BEFORE": "before",
    "IS": "is are",
    "HEREBY": "hereby",
    "REPEALED": "repealed",
    "AMENDED": "amended",
    "CHANGED": "changed replaced",
    "RETITLED": "retitled renamed",
    "RENUMBERED": "renumbered",
    "ENACTED": "enacted created",
    "GIVEN": "given awarded granted",
    "INCREASED": "increased raised",
    "DECREASED": "decreased reduced lowered",
    "GAIN": "gains gain receives receive gets get",
    "LOSE": "loses lose",
    "EACH": "each",
    "ALL": "all",
    "OWNED": "owned held possessed",
    "RULE": "rule rules",
    "SUBRULE": "subrule sub-rule",
    "TITLE": "title name",
    "TITLED": "titled entitled called named",
    "NUMBER_OF": "number",
    "TEXT_OF": "text wording body changes",
    "PASSAGE": "passage sentence sentences paragraph paragraphs phrase word words line lines",
    "TABLE": "table chart",
    "ROW": "row rows",
    "BULLET": "bullet bullets bulleted bulletpoint bulletpoints bullet-point bullet-points",
    "POINT": "point points item items entry entries",
    "LIST": "list",
    "END": "end bottom",
    "NEW": "new additional further",
    "FOLLOWING": "following",
    "FOLLOWS": "follows",
    "FULL": "full whole entire complete current",
    "READ": "read reads reading",
    "THIS": "this these",
    "ITS": "its",
    "IT": "it",
    "HAVING": "having has have that which",
}
KEYWORDS: dict[str, str] = {
    word: kind for kind, words in _KEYWORDS.items() for word in words.split()
}
KEYWORDS |= {"sub-rules": "SUBRULE"}

_VERBS = word_set(
    "ENACT ADD REPLACE AMEND CHANGE SET SUBSTITUTE DELETE REPEAL RETITLE RENUMBER GIVE TAKE "
    "TRANSFER DESTROY INCREASE DECREASE"
)
VERBS = frozenset(word for word, kind in KEYWORDS.items() if kind in _VERBS)

WORD = re.compile(r"\d{1,3}(?:,\d{3})+(?![\w,])|(?:[^\s\"“”{}()|,;:]|[,:](?=[^\s\"“”{}]))+")
SENTENCE_END = re.compile(r"[.!?]+[\"”’)*_]*(?=[\s{}]|$)")
INITIAL = re.compile(r"(?:[^\W\d_]\.)+")
JOINT = re.compile(
    r"[,;:]?\s*(?:(?:and|then|also|by)\b,?\s+)*\(?(?:[a-z0-9]\)\s*)?([a-z]+)\b", re.IGNORECASE
)
POWER = re.compile(r"power[=:-][\d.]*\d", re.IGNORECASE)
RULE_NUMBER = re.compile(r"#?\d[\w.-]*")
_DIGITS = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,18}")


def amount(word: str) -> int | None:
    """The number that a word says, in digits or spelled up to twelve; None for other words."""
    if _DIGITS.fullmatch(word) and word.isascii():
        return int(word.replace(",", ""))
    if word.casefold() in ("a", "an"):
        return 1
    return _SPELLED.index(word.casefold()) if word.casefold() in _SPELLED else None


def possessive(word: str) -> str:
    """The owner that a word names (Alexia's: Alexia), or nothing."""
    if word.endswith(("'s", "’s")):
        return word[:-2]
    return word[:-1] if word.endswith(("s'", "s’")) else ""
