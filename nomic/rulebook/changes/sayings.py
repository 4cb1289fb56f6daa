"""What an instruction's tree says, in the author's words."""

from dataclasses import dataclass
from textwrap import dedent

from lark import Token

from nomic.rulebook.changes.forms import RuleRef
from nomic.rulebook.changes.grammar import Words
from nomic.rulebook.changes.layout import Layout
from nomic.rulebook.changes.words import word_set

_SMALL = word_set("a an and as at by for from in of on or the to with")
_PARTS = word_set("of in to from the and or end start beginning top last first all every each")
_LONG = ("BLOCK", "TEXT", "QTEXT", "OLD", "BULLETS", "ROWS")


class Unclear(Exception):
    """An instruction that fits the grammar and still leaves open what it asks for."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def trees(tree: Words, *kinds: str) -> list[Words]:
    """The parts of a tree of these kinds, or all of them."""
    return [
        child
        for child in tree.children
        if not isinstance(child, Token) and (not kinds or child.data in kinds)
    ]


def tokens(tree: Words, *kinds: str) -> list[Token]:
    """The tokens right under a tree that are of these types."""
    return [c for c in tree.children if isinstance(c, Token) and c.type in kinds]


@dataclass(frozen=True)
class Sayings:
    """Reads names, rules and texts out of the trees of one body. Unclear where they are not."""

    layout: Layout

    def said(self, token: Token) -> str:
        """A token's words."""
        return self.layout.words(token.start_pos or 0, token.end_pos or 0)

    def first(self, tree: Words, kind: str) -> str:
        """The words of the first token of a type, or nothing."""
        return next(map(self.said, tokens(tree, kind)), "")

    def phrase(self, tree: Words) -> str:
        """All words of a tree."""
        found = list(tree.scan_values(lambda value: isinstance(value, Token)))
        return self.layout.words(found[0].start_pos or 0, found[-1].end_pos or 0)

    def words(self, tree: Words) -> str:
        """The unquoted words right under a tree, or nothing."""
        return next(map(self.phrase, trees(tree, "words")), "")

    def text(self, tree: Words) -> str:
        """The long text under a tree, without empty lines around it or an indent of all lines."""
        token = (tokens(tree, *_LONG) or tokens(tree, "QUOTED"))[-1]
        text = self.layout.text[token.start_pos : token.end_pos]
        lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip().split("\n")
        first = next((number for number, line in enumerate(lines) if line.strip()), 0)
        if first == 0 and self.layout.text[(token.start_pos or 1) - 1] != "\n":
            lines[0] = lines[0].lstrip()
        return dedent("\n".join(lines[first:]))

    def lines(self, tree: Words) -> list[str]:
        """The lines of the long text under a tree that are not empty."""
        return [line.strip() for line in self.text(tree).split("\n") if line.strip()]

    def name(self, tree: Words) -> str:
        """A title, in quotes or not."""
        if tokens(tree, "QUOTED"):
            return self.first(tree, "QUOTED")
        return self.title(self.words(tree))

    def rule(self, tree: Words) -> RuleRef:
        """The rule that a tree names."""
        number = self.first(tree, "RULENUM").removeprefix("#")
        title = self.first(tree, "QUOTED")
        words = self.words(tree)
        if tokens(tree, "PAREN"):
            title = title or self.title(self.first(tree, "PAREN").strip("\"“”‘’'"))
        if tree.children and not isinstance(tree.children[0], Token):
            words = words.removeprefix("The ")  # the article of “The Horses rule is repealed”
        if not title and not number:
            return RuleRef(self.title(words))
        self.adjectives(words)
        return RuleRef(title, number)

    def place(self, tree: Words) -> RuleRef:
        """The rule in which an instruction says that its changes are."""
        named = trees(tree, "rule")
        return self.rule(named[0]) if named else RuleRef(self.first(tree, "QUOTED"))

    def adjectives(self, words: str) -> None:
        """Unclear where words before “rule” do more than describe a rule."""
        if _PARTS & set(words.casefold().split()):
            raise Unclear(f"“{words}” is a part of a rule; replace a passage by its own words.")

    def whole(self, tree: Words) -> None:
        """Unclear where the change is one to a part of a rule."""
        if tokens(tree, "PASSAGE"):
            said = self.first(tree, "PASSAGE")
            raise Unclear(f"A {said} is a part of a rule; replace a passage by its own words.")

    def title(self, title: str) -> str:
        """A title without quotes; Unclear where its words have no capitals."""
        words = title.split()
        if (
            not words
            or not words[0][0].isupper()
            or not all(w[0].isupper() or w in _SMALL for w in words)
        ):
            raise Unclear(f"“{title}” may be a title or not; put a rule's title in quotes.")
        return title
