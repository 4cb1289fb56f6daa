"""The meaning of a sentence's tree: its names, texts, rules and passages."""

import re
from dataclasses import dataclass

from lark import Token

from nomic.rulebook.changes.forms import RuleRef
from nomic.rulebook.changes.sentences import Sentence, Words
from nomic.rulebook.edits.parts import TextPart
from nomic.rulebook.phrases import NUMBERS

EVERYBODY = "each player"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "final": -1}
_UNIT = re.compile(r"(sentence|paragraph|item|point|bullet|line)s?\b", re.IGNORECASE)
_UNITS = {"point": "item", "bullet": "item", "words": "word"}
_ONE_UNIT = re.compile(r"\b(sentence|paragraph|item|point|line|words?)\b", re.IGNORECASE)
_WHICH = re.compile(r"\b(begin|start|end|contain|include)", re.IGNORECASE)
POWER = re.compile(
    r"(?:^|[,;] *)(?:with )?(?:power|p)\s*[=:-]?\s*(\d{1,9}(?:\.\d{1,9})?)$", re.IGNORECASE
)
NUMBERED = re.compile(r"(?:rule|number|id|no\.?|r)?\s*#?(\d[\w.-]*)", re.IGNORECASE)
_SMALL = re.compile(
    r"\b(?:if|unless|when(?:ever)?|while|once|until|till|tomorrow|later|only|except|provided|should|"
    r"n?either|next|instead|otherwise|this|that|these|those|above|below|following|preceding)\b",
    re.IGNORECASE,
)
_OWN_LINE = re.compile(r"\s*(?:[|!#*•+-]|[0-9]{1,3}[.)]\s|`{3}|~{3})")
_ROW = ("|", "!", "#", "`" * 3, "~" * 3)
PLACED = re.compile(r"“(\d+)”")
_NTH = ("NTH_OF", "NTH_CHARACTER")


class Unclear(Exception):
    """A sentence of the language that still leaves open what it asks for; says what."""


@dataclass
class Sayings:
    """Reads the trees of one sentence. Raises Unclear where one leaves open what it names."""

    read: Sentence

    def trees(self, tree: Words, *kinds: str) -> list[Words]:
        return [
            each
            for each in tree.children
            if not isinstance(each, Token) and (not kinds or each.data in kinds)
        ]

    def child(self, tree: Words, *kinds: str) -> Words:
        return self.trees(tree, *kinds)[0]

    def tokens(self, tree: Words, *kinds: str) -> list[Token]:
        return [each for each in tree.children if isinstance(each, Token) and each.type in kinds]

    def marked(self, token: Token) -> str:
        """The marked text that a token stands for."""
        return self.read.texts[int(token[1:-1])]

    def name(self, token: Token) -> str:
        return " ".join(self.marked(token).split())

    def text(self, tree: Words) -> str:
        """The marked text under a tree; one in quotes without the breaks of its lines, but for
        rows, list items and headings, which stand on lines of their own."""
        while tree.data != "text":
            tree = self.child(tree, "text", "new")
        (token,) = tree.children
        assert isinstance(token, Token)
        text = self.marked(token)
        if token.type != "QUOTED":
            return text
        paragraphs: list[str] = []
        for paragraph in re.split(r"\n[ \t\r]*\n", text):
            told = before = ""
            for line in paragraph.splitlines():
                if not told:
                    told = line
                elif _OWN_LINE.match(line) or before.lstrip().startswith(_ROW):
                    told += f"\n{line.rstrip()}"
                else:
                    told += f" {line.strip()}"
                before = line
            paragraphs.append(told)
        text = "\n\n".join(paragraphs)
        return text if text.strip() else text.strip()

    def unit(self, tree: Words) -> str:
        """The unit that a text is called: "paragraph", "sentence", "item" or "line"; "" where it is
        none of these."""
        return _unit(_UNIT.search(next(iter(self.tokens(tree, "NOUN")), "")))

    def rule(self, tree: Words) -> RuleRef:
        numbers = self.tokens(tree, "ID", "RID")
        number = numbers[0].lstrip("R#").split("/")[0] if numbers else ""
        title = next(map(self.name, self.tokens(tree, "QUOTED")), "")
        title = title or next((title_of(str(each)) for each in self.tokens(tree, "TITLE")), "")
        for aside in map(self.marked, self.tokens(tree, "ASIDE")):
            said = POWER.sub("", aside).strip()
            if numbered := NUMBERED.fullmatch(said):
                number = number or numbered[1]
            elif said and (told := title_of(said)).casefold() != (title or told).casefold():
                raise Unclear(f"It calls the rule “{title}” and “{told}”; leave one.")
            elif said:
                title = title or told
        return RuleRef(title, number)

    def passage(self, tree: Words) -> tuple[str, TextPart]:
        quoted = next(map(self.marked, self.tokens(tree, "QUOTED")), "")
        token = next(iter(self.tokens(tree, "EACH", "UNIT_WITH", "NTH_UNIT", *_NTH)), None)
        if token is None:
            unit = _unit(_ONE_UNIT.search(next(iter(self.tokens(tree, "NOUN")), "")))
            return self.text(tree), TextPart(unit, "whole" if unit else "")
        if token.type == "EACH":
            return quoted, TextPart("", "each")
        words = token.lower().split()
        nth: int = next((_ORDINALS[word] for word in words if word in _ORDINALS), 0)
        if token.type in _NTH:
            return quoted, TextPart("", nth)
        unit = _unit(_UNIT.search(token))
        if token.type == "NTH_UNIT":
            return "", TextPart(unit, nth)
        which = _WHICH.search(token)
        assert which is not None
        said = {"start": "beginning", "begin": "beginning", "end": "ending"}
        return quoted, TextPart(unit, said.get(which[1].lower(), "containing"))

    def words(self, tree: Words) -> str:
        """A name, in quotes or not."""
        if tree.data in ("who", "receiver"):
            if self.tokens(tree, "EVERYBODY"):
                return EVERYBODY
            quoted = self.tokens(tree, "QUOTED")
            return self.name(quoted[0]) if quoted else self.words(self.child(tree, "words"))
        said = " ".join(str(each) for each in tree.children)
        return PLACED.sub(lambda mark: self.read.texts[int(mark[1])], said)

    def amount(self, tree: Words) -> int | None:
        said = next((each.lower() for each in self.tokens(tree, "AMOUNT")), None)
        if said is None:
            return None
        return 1 if said in ("a", "an") else int(NUMBERS.get(said, said).replace(",", ""))

    def whose(self, tree: Words) -> str:
        """Whose is meant by “Alexia's”."""
        said = self.words(tree)
        name = said[:-2] if said[-1] in "sS" and said[-2] in "'’" else said[:-1]
        lowered = name.lower().removeprefix("all ").removeprefix("the ")
        everybody = lowered in (EVERYBODY, "every player", "players", "everybody", "everyone")
        return EVERYBODY if everybody else name


def title_of(aside: str) -> str:
    """The title of a rule that words in parentheses or between commas give.

    Raises Unclear where they say more.
    """
    bare = aside.strip("\"“”'‘’")
    if bare == aside and (aside[:1].islower() or _SMALL.search(aside)):
        raise Unclear(f"“{aside}” is no title of a rule; leave it out, or write it in quotes.")
    return bare


def _unit(found: re.Match[str] | None) -> str:
    return _UNITS.get(found[1].lower(), found[1].lower()) if found else ""
