"""From the tree of an instruction to the changes that it asks for."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lark import Token

from nomic.rulebook.changes.forms import (
    AddBullets,
    AddRows,
    AddSubrule,
    Change,
    Destroy,
    Enact,
    Give,
    Renumber,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
    SetSwitch,
    Take,
    Transfer,
)
from nomic.rulebook.changes.grammar import Words
from nomic.rulebook.changes.layout import Layout
from nomic.rulebook.changes.words import amount, possessive, word_set

_SMALL = word_set("a an and as at by for from in of on or the to with")
_EVERYBODY = frozenset(("each player", "every player", "all players", "all the players"))
_NOBODY = word_set("a an any each every all some the no both its his her their this that")
_UNSURE = word_set(
    "if unless when whenever while until for per each every where except same equal contain "
    "contains plus minus sum whichever whatever"
)
_ASIDE_NUMBER = re.compile(r"(?:rule\s+)?(?:number|no\.?|id|#)?\s*:?\s*#?(\d[\w.-]*)", re.I)


class Unclear(Exception):
    """An instruction that fits the grammar and still leaves open what it asks for."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


type Holding = tuple[int, str]


@dataclass
class Builder:
    """Makes the changes of one instruction; `context` is the rule that its list stands under."""

    layout: Layout
    context: RuleRef | None = None

    def changes(self, tree: Words) -> list[Change]:
        """The changes in order; Unclear where the instruction leaves something open."""
        rule = self.context
        if tree.data == "within":
            rule = self._rule(_only(tree, "rule")) if _trees(tree, "rule") else rule
        return [
            change
            for clause in _trees(_only(tree, "clauses"))
            for change in self._clause(clause, rule, _trees(tree, "table"))
        ]

    def rule_of(self, tree: Words) -> RuleRef:
        """The rule that an instruction names for the list under it."""
        return self._rule(_only(tree, "rule"))

    def _clause(self, clause: Words, rule: RuleRef | None, tables: list[Words]) -> Iterator[Change]:
        if clause.data == "rows":
            yield self._rows(clause, rule, tables)
            return
        make: Callable[[Words, RuleRef | None], Iterator[Change]]
        make = getattr(self, f"_{clause.data}")
        yield from make(clause, rule)

    # Rules

    def _enact(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        if _tokens(tree, "TO") and not _trees(tree, "title"):
            raise Unclear(
                "it adds a text to a rule, which is no change that can be read; replace "
                "a passage or the rule's text instead"
            )
        title, number, rest = self._parts(tree)
        if not title and rest:
            title = rest.pop(0)
        if not title:
            raise Unclear("it gives the new rule no title; write: Enact a new rule with title “…”")
        if rest:
            raise Unclear("it gives the new rule two titles")
        yield Enact(title, number, self._text(tree))

    def _subrule(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        title, number, rest = self._parts(tree)
        named = _trees(tree, "rule")
        if named:
            parent = self._rule(named[0])
        elif _tokens(tree, "RULE"):
            parent = self._parent(tree, rest)
        elif rule is not None:
            parent = rule
        else:
            raise Unclear("it does not say under which rule; write: to the rule “…”")
        if not title and rest:
            title = rest.pop(0)
        if not title or rest:
            raise Unclear("it gives the subrule no title, or two; write: a subrule titled “…”")
        yield AddSubrule(parent, title, number, self._text(tree))

    def _parent(self, tree: Words, rest: list[str]) -> RuleRef:
        numbers = [self._said(t) for t in _tokens(tree, "RULENUM")]
        if rest:
            return RuleRef(rest.pop(0), *numbers[:1])
        if numbers:
            return RuleRef(number=numbers[0])
        raise Unclear("it does not say under which rule; put the rule's title in quotes")

    def _parts(self, tree: Words) -> tuple[str, str, list[str]]:
        """Title and number of a new rule, and the quoted names that were called neither."""
        titles = [self._name(t) for t in _trees(tree, "title")]
        numbers = [self._said(_only_token(t, "RULENUM")) for t in _trees(tree, "number")]
        numbers += [self._said(t) for t in _tokens(tree, "RULENUM")]
        for aside in _tokens(tree, "PAREN"):
            if found := _ASIDE_NUMBER.fullmatch(self._said(aside)):
                numbers.append(found.group(1))
        if len(titles) > 1:
            raise Unclear("it gives two titles")
        rest = [self._said(t) for t in _tokens(tree, "QUOTED")]
        return "".join(titles), "".join(numbers[:1]).removeprefix("#"), rest

    def _replace_text(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        yield ReplaceText(self._rule(_only(tree, "rule")), self._text(tree))

    def _passage(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        old = self._text(_only(tree, "old"))
        new = self._text(_only(tree, "new")) if _trees(tree, "new") else ""
        yield ReplacePassage(self._the_rule(tree, rule), old, new)

    def _bullets(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        lines = [line.strip() for line in self._text(tree).split("\n") if line.strip()]
        if lines and lines[0][0] not in "*•+–-":
            lines[0] = f"* {lines[0]}"
        yield AddBullets(self._the_rule(tree, rule), "\n".join(lines))

    def _rows(self, tree: Words, rule: RuleRef | None, tables: list[Words]) -> Change:
        named = [*_trees(tree, "table"), *tables]
        table = ""
        if named:
            table = "".join(map(self._said, _tokens(named[0], "QUOTED")))
            table = table or "".join(map(self._phrase, _trees(named[0], "words")))
        lines = [line.strip() for line in self._text(tree).split("\n") if line.strip()]
        if any(line[0] not in "|!" for line in lines):
            raise Unclear("its rows do not begin with “|”; write a row as | 4 || Thug")
        return AddRows(self._the_rule(tree, rule), table, "\n".join(lines))

    def _repeal(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        for listed in [*_trees(tree, "listed"), *_trees(tree, "rule")]:
            yield Repeal(self._rule(listed))

    def _retitle(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        quoted = _tokens(tree, "QUOTED")
        numbers = _tokens(tree, "RULENUM")
        if numbers:
            yield Retitle(RuleRef(number=self._said(numbers[0])), self._said(quoted[0]))
            return
        yield Retitle(self._the_rule(tree, rule), self._name(tree))

    def _renumber(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        number = self._said(_only_token(tree, "RULENUM")).removeprefix("#")
        yield Renumber(self._the_rule(tree, rule), number)

    def _the_rule(self, tree: Words, rule: RuleRef | None) -> RuleRef:
        named = _trees(tree, "rule")
        if named:
            return self._rule(named[0])
        if rule is None:
            raise Unclear("it does not say in which rule; begin it with: In the rule “…”,")
        return rule

    def _rule(self, tree: Words) -> RuleRef:
        numbers = [self._said(t).removeprefix("#") for t in _tokens(tree, "RULENUM")]
        quoted = [self._said(t) for t in _tokens(tree, "QUOTED")]
        asides = [self._said(t) for t in _tokens(tree, "PAREN")]
        if quoted:
            return RuleRef(quoted[0], "".join(numbers))
        if numbers:
            return RuleRef(asides[0] if asides else "", numbers[0])
        return RuleRef(self._title(self._phrase(_only(tree, "words"))))

    def _title(self, title: str) -> str:
        words = title.split()
        plain = [word for word in words if word[0].isupper() or word in _SMALL]
        if not words[0][0].isupper() or len(plain) < len(words):
            raise Unclear(f"“{title}” may be a title or not; put a rule's title in quotes")
        return title

    def _name(self, tree: Words) -> str:
        quoted = _tokens(tree, "QUOTED")
        if quoted:
            return self._said(quoted[0])
        return self._title(self._phrase(_only(tree, "words")))

    # Ledger

    def _give(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        for name, (number, currency) in self._pairs(tree, "TO"):
            yield Give(name, number, currency)

    def _take(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        for name, (number, currency) in self._pairs(tree, "FROM"):
            yield Take(name, number, currency)

    def _pairs(self, tree: Words, to: str) -> Iterator[tuple[str, Holding]]:
        """Who and how much, written as “Peter and Paul 5 points” or “5 points to Peter, …”."""
        begins = "holding" if _tokens(tree, to) else "name"
        names: list[str] = []
        holdings: list[Holding] = []
        for child in tree.children:
            if isinstance(child, Token):
                continue
            if child.data == begins and names and holdings:
                yield from ((name, holding) for name in names for holding in holdings)
                names, holdings = [], []
            if child.data == "name":
                names.append(self._player(child))
            else:
                holdings.append(self._holding(child))
        if not names or not holdings:
            raise Unclear("it does not say who gets how much; write: Give Peter 5 points")
        yield from ((name, holding) for name in names for holding in holdings)

    def _transfer(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        first, second = (self._player(name) for name in _trees(tree, "name"))
        order = [t.type for t in _tokens(tree, "FROM", "TO")]
        giver, receiver = (first, second) if order[0] == "FROM" else (second, first)
        for number, currency in map(self._holding, _trees(tree, "holding")):
            yield Transfer(giver, receiver, number, currency)

    def _destroy(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        for owned in _trees(tree, "owned"):
            number = self._number(_tokens(tree, "NUMBER")) if _tokens(tree, "NUMBER") else None
            owner = self._possessor(_only(owned, "possessor"))
            yield Destroy(_player(owner), number, self._phrase(_only(owned, "words")))
        if _trees(tree, "name"):
            owner = self._player(_only(tree, "name"))
            for words in _trees(tree, "words"):
                yield Destroy(owner, None, self._phrase(words))
            for number, currency in map(self._holding, _trees(tree, "holding")):
                yield Destroy(owner, number, currency)

    def _gain(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        for name in map(self._player, _trees(tree, "name")):
            for number, currency in map(self._holding, _trees(tree, "holding")):
                yield Give(name, number, currency)

    def _lose(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        for name in map(self._player, _trees(tree, "name")):
            for number, currency in map(self._holding, _trees(tree, "holding")):
                yield Destroy(name, number, currency)

    def _holding(self, tree: Words) -> Holding:
        currency = self._phrase(_only(tree, "words"))
        if _UNSURE & set(currency.casefold().split()):
            raise Unclear(f"more than a currency stands in “{currency}”; end the sentence there")
        return self._number(_tokens(tree, "NUMBER")), currency

    def _number(self, tokens: list[Token]) -> int:
        number = amount(self._said(tokens[0]))
        if number is None:
            raise Unclear("it does not say how much in digits")
        return number

    def _player(self, tree: Words) -> str:
        quoted = _tokens(tree, "QUOTED")
        if quoted:
            return self._said(quoted[0])
        return _player(self._phrase(_only(tree, "words")))

    # Switches

    def _set_switch(self, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
        subject = _only(tree, "subject")
        phrases = [self._phrase(words) for words in _trees(subject, "words")]
        owners = [self._possessor(t) for t in _trees(subject, "possessor")]
        of = owners[0] if owners else "".join(phrases[1:2])
        value = _only(tree, "value")
        quoted = _tokens(value, "QUOTED")
        said = self._said(quoted[0]) if quoted else self._phrase(value)
        if not quoted and _UNSURE & set(said.casefold().split()):
            raise Unclear(f"“{said}” is no value that can be read; name the value itself")
        yield SetSwitch(phrases[0], _everybody(of), said)

    def _possessor(self, tree: Words) -> str:
        said = self._phrase(tree)
        return possessive(said)

    # Words

    def _said(self, token: Token) -> str:
        return self.layout.words(token.start_pos or 0, token.end_pos or 0)

    def _phrase(self, tree: Words) -> str:
        tokens = list(tree.scan_values(lambda value: isinstance(value, Token)))
        return self.layout.words(tokens[0].start_pos or 0, tokens[-1].end_pos or 0)

    def _text(self, tree: Words) -> str:
        kinds = ("BLOCK", "TEXT", "QTEXT", "OLD", "BULLETS", "ROWS")
        found = _tokens(tree, *kinds) or _tokens(tree, "QUOTED")
        token = found[-1]
        text = self.layout.text[token.start_pos : token.end_pos]
        return long_text(text)


def long_text(text: str) -> str:
    """A text without the empty lines around it, its line breaks made the same."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    return "\n".join(lines[first:]).strip(" \t") if first == 0 else "\n".join(lines[first:])


def _player(name: str) -> str:
    name = _everybody(name)
    if name != "each player" and name.split()[0].casefold() in _NOBODY:
        raise Unclear(f"“{name}” names nobody for certain; name the player, or write “each player”")
    return name


def _everybody(name: str) -> str:
    return "each player" if name.casefold() in _EVERYBODY else name


def _trees(tree: Words, *kinds: str) -> list[Words]:
    return [
        child
        for child in tree.children
        if not isinstance(child, Token) and (not kinds or child.data in kinds)
    ]


def _tokens(tree: Words, *kinds: str) -> list[Token]:
    return [c for c in tree.children if isinstance(c, Token) and c.type in kinds]


def _only(tree: Words, kind: str) -> Words:
    return _trees(tree, kind)[0]


def _only_token(tree: Words, kind: str) -> Token:
    return _tokens(tree, kind)[-1]
