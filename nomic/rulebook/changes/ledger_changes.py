"""Changes to the ledger and to switches, from the trees of their instructions."""

from collections.abc import Iterator

from lark import Token

from nomic.rulebook.changes.doubts import EVERYBODY, unsure_name
from nomic.rulebook.changes.forms import (
    Change,
    ChangeBy,
    Destroy,
    Give,
    HandOver,
    RuleRef,
    SetSwitch,
    Take,
    Transfer,
)
from nomic.rulebook.changes.grammar import Words
from nomic.rulebook.changes.sayings import Sayings, Unclear, tokens, trees
from nomic.rulebook.changes.words import amount, possessive, word_set

_WHOSE = word_set("my your our their his her its this that any some")
_NOBODY = _WHOSE | word_set(
    "a an each every all the no both me you us it them him nobody whoever players"
)
_UNSURE = word_set(
    "if unless when whenever while until for per each every where except same equal contain "
    "contains plus minus sum whichever whatever times"
)

type Holding = tuple[int, str]


def give(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Give, Award or Grant; Add, with “to”."""
    if tokens(tree, "ADD") and not tokens(tree, "TO"):
        raise Unclear("Words are added by replacing a passage: replace “a” with “a b”.")
    handed = _handed(says, tree)
    if handed is not None:
        yield handed
        return
    for name, (number, currency) in _pairs(says, tree, "TO"):
        yield Give(name, number, currency)


def take(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Take, Remove or Deduct."""
    if tokens(tree, "ALL"):
        for owned in trees(tree, "owned"):
            yield Take(_owner(says, owned), None, _currency(says.words(owned)))
        for taken in trees(tree, "name"):
            yield Take(_player(says, taken), None, _currency(says.words(tree)))
        return
    for name, (number, currency) in _pairs(says, tree, "FROM"):
        yield Take(name, number, currency)


def _pairs(says: Sayings, tree: Words, to: str) -> Iterator[tuple[str, Holding]]:
    """Who and how much, written as “Peter and Paul 5 points” or “5 points to Peter”.

    Whichever of the two comes first begins the next pair when both are there.
    """
    begins = "holding" if tokens(tree, to) else "name"
    names: list[str] = []
    holdings: list[Holding] = []
    for part in trees(tree):
        if part.data == begins and names and holdings:
            yield from ((name, holding) for name in names for holding in holdings)
            names, holdings = [], []
        if part.data == "name":
            names.append(_player(says, part))
        else:
            holdings.append(_holding(says, part))
    if not names or not holdings:
        raise Unclear("It does not say who and how much; write: Give Peter 5 points.")
    yield from ((name, holding) for name in names for holding in holdings)


def transfer(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Transfer from one to another, in either order."""
    giver, receiver = (_player(says, name) for name in trees(tree, "name"))
    if tokens(tree, "FROM", "TO")[0].type == "TO":
        giver, receiver = receiver, giver
    for part in trees(tree, "holding"):
        yield Transfer(giver, receiver, *_holding(says, part))


def hand(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Give, or Transfer, a thing of which there is one."""
    thing, *names = trees(tree, "name")
    order = [token.type for token in tokens(tree, "FROM", "TO")]
    who = dict(zip(order, (_player(says, name) for name in names), strict=True))
    yield HandOver(_thing(says, thing), who.get("FROM", ""), who["TO"])


def _handed(says: Sayings, tree: Words) -> Change | None:
    """“Give Murphy the horse Alexia”, “Give Murphy Alexia”: a name alone that may be two."""
    names = trees(tree)
    if len(names) != 1 or names[0].data != "name" or not tokens(tree, "GIVE"):
        return None
    said = says.words(names[0])
    receiver, article, thing = said.partition(" the ")
    if article and thing.split()[-1][0].isupper():
        return HandOver(thing, "", _known(receiver))
    words = said.split()
    if len(words) > 1 and all(word[0].isupper() or word[0].isdigit() for word in words):
        return HandOver(said, "", "")
    return None


def _thing(says: Sayings, tree: Words) -> str:
    if tokens(tree, "QUOTED"):
        return says.first(tree, "QUOTED")
    words = says.words(tree).split()
    words = words[1:] if words[0].casefold() == "the" and len(words) > 1 else words
    if words[0].casefold() in _NOBODY or not (words[-1][0].isupper() or words[-1][0].isdigit()):
        said = " ".join(words)
        raise Unclear(f"It does not say how many {said}; write the number in digits.")
    return " ".join(words)


def destroy(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Destroy so much of a player's, or all."""
    for owned in trees(tree, "owned"):
        number = _number(says, tree) if tokens(tree, "NUMBER") else None
        owner = _owner(says, owned)
        yield Destroy(owner, number, _currency(says.words(owned)))
    if not trees(tree, "name", "owned"):
        yield Destroy("", None, _currency(says.words(tree)))
    for name in trees(tree, "name"):
        owner = _player(says, name)
        for words in trees(tree, "words"):
            yield Destroy(owner, None, _currency(says.phrase(words)))
        for part in trees(tree, "holding"):
            yield Destroy(owner, *_holding(says, part))


def gain(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """“Peter gains 5 points.”"""
    for name in _gainers(says, tree):
        for part in trees(tree, "holding"):
            yield Give(name, *_holding(says, part))


def lose(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """“Peter loses 5 points.”"""
    for name in _gainers(says, tree):
        for part in trees(tree, "holding"):
            yield Destroy(name, *_holding(says, part))


def _gainers(says: Sayings, tree: Words) -> list[str]:
    """Who gains or loses; Unclear where what stands before a comma may be no name."""
    names = trees(tree, "name")
    verb = tokens(tree, "GAIN", "LOSE", "IS")[0]
    joints = [c.type for c in tree.children[: tree.children.index(verb)] if isinstance(c, Token)]
    first = says.phrase(names[0])
    adverb = joints[:1] == ["COMMA"] and len(first) > 5 and first.casefold().endswith("ly")
    alone = len(names) > 1 and says.said(verb).casefold().endswith("s")
    if adverb or alone or ("COMMA" in joints and "AND" not in joints):
        raise Unclear(f"“{first}” may be a name or not; write: Peter and Paul gain 5 points.")
    return [_player(says, name) for name in names]


def set_switch(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """“Set Alexia's Race Position to 3”, “Set the Race Position of Alexia to 3”."""
    (value,) = trees(tree, "value")
    switch, of = _subject(says, tree)
    said = says.phrase(value)
    words = said.casefold().split()
    others = _UNSURE & set(words) or words[0] in _WHOSE or any(map(possessive, words))
    if len(words) > 1 and not tokens(value, "QUOTED") and others:
        raise Unclear(f"“{said}” is no value by itself; name the value.")
    yield SetSwitch(switch, of, said)


def alter(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """“Increase Peter's points by 3”, or decrease them."""
    number = _number(says, tree)
    lower = tokens(tree, "DECREASE", "DECREASED")
    yield ChangeBy(*_subject(says, tree), -number if lower else number)


def _subject(says: Sayings, tree: Words) -> tuple[str, str]:
    """The switch or currency that a tree names, and whose."""
    (subject,) = trees(tree, "subject")
    switch, *others = [says.phrase(words) for words in trees(subject, "words")]
    of = "".join(others)
    for owner in trees(subject, "possessor"):
        article = "The " if says.first(tree, "THE") == "The" else ""
        of = article + possessive(says.phrase(owner))
    for phrase in (switch, of):
        if set(phrase.casefold().split()[:1]) & _WHOSE:
            raise Unclear(f"“{phrase}” does not say whose; name the player or the horse.")
    return switch, _everybody(of)


def _holding(says: Sayings, tree: Words) -> Holding:
    return _number(says, tree), _currency(says.words(tree))


def _number(says: Sayings, tree: Words) -> int:
    number = amount(says.first(tree, "NUMBER"))
    if number is None:
        raise Unclear("It does not say how much; write it in digits.")
    return number


def _currency(words: str) -> str:
    if words.casefold() in _NOBODY or words.casefold().startswith(("to ", "from ")):
        raise Unclear(f"“{words}” names no currency; write its name, as in: Give Peter 5 points.")
    said = words.casefold().split()
    more = any(map(str.isdecimal, said)) or "/" in words or said[0] in _WHOSE | {"of"}
    if more or _UNSURE & set(said):
        raise Unclear(
            f"“{words}” is more than the name of a currency; end the sentence behind that."
        )
    return words.removeprefix("the ")


def _player(says: Sayings, tree: Words) -> str:
    quoted: list[Token] = tokens(tree, "QUOTED")
    return says.said(quoted[0]) if quoted else _known(says.words(tree))


def _known(name: str) -> str:
    name = _everybody(name)
    words = name.split()
    if words[0] == "player" and len(words) > 1 and not unsure_name(name):
        return " ".join(words[1:])
    called = len(words) > 1 and words[0].casefold() == "the" and words[1][0].isupper()
    called = called or words[0] == "A"
    if name != "each player" and words[0].casefold() in _NOBODY and not called:
        raise Unclear(f"“{name}” is no name; write the player's, or “each player”.")
    if name != "each player" and unsure_name(name):
        raise Unclear(f"“{name}” may be a name or not; put a name of such words in quotes.")
    return name


def _owner(says: Sayings, owned: Words) -> str:
    """Whose “all of Peter's points” or “all players' points” are."""
    name = possessive(says.phrase(trees(owned, "possessor")[0]))
    return "each player" if name.casefold() == "players" else _known(name)


def _everybody(name: str) -> str:
    return "each player" if name.casefold() in EVERYBODY else name
