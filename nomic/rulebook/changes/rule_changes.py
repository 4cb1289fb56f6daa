"""Changes to the rulebook, from the trees of their instructions."""

import re
from collections.abc import Iterator

from nomic.rulebook.changes.forms import (
    AddBullets,
    AddRows,
    AddSubrule,
    Append,
    Change,
    Enact,
    Renumber,
    Repeal,
    ReplacePassage,
    ReplaceText,
    Retitle,
    RuleRef,
)
from nomic.rulebook.changes.grammar import Words
from nomic.rulebook.changes.sayings import Sayings, Unclear, tokens, trees
from nomic.rulebook.changes.words import amount

_NUMBER_ASIDE = re.compile(r"(?:rule\s+)?(?:number|no\.?|id|#)?\s*:?\s*#?(\d[\w.-]*)", re.I)
_CLINGS = ",.;:!?)]}’”"  # a passage that begins so stands right behind the one before
_POWER_ASIDE = re.compile(r"power\s*[=:]?\s*[\d.]+", re.I)


def enact(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Enact, Create or Add a rule; or add a text to one."""
    places = tokens(tree, "TO", "AT", "RULE")
    if tokens(tree, "ADD") and places[0].type != "RULE":
        yield Append(_appended_to(says, tree), says.text(tree))
        return
    adjectives = says.words(tree)
    says.adjectives(adjectives)
    if any(amount(word) is not None for word in adjectives.split()):
        raise Unclear("It enacts several rules at once; enact each by an instruction of its own.")
    title, number, rest = _parts(says, tree)
    if not title and rest:
        title = rest.pop(0)
    if not title:
        raise Unclear("It gives the new rule no title; write: Enact a new rule with title “…”.")
    if rest:
        raise Unclear("It gives the new rule two titles; leave one.")
    yield Enact(title, number, says.text(tree))


def enacted(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """“The new rule “X” is enacted with the following text”."""
    new = says.place(tree)
    if not new.title:
        raise Unclear("It gives the new rule no title; write: Enact a new rule with title “…”.")
    yield Enact(new.title, new.number, says.text(tree))


def _appended_to(says: Sayings, tree: Words) -> RuleRef:
    title, number, rest = _parts(says, tree)
    words = says.words(tree)
    named = [*rest, *([title] if title else [])]
    if len(named) > 1:
        raise Unclear("It names two rules; leave one.")
    if named or number:
        says.adjectives(words)
        return RuleRef("".join(named), number)
    return RuleRef(says.title(words))


def append(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Add a text to the end of a rule."""
    new = trees(tree, "new")
    yield Append(_the_rule(says, tree, rule), says.text(new[0] if new else tree))


def insert(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Add a passage before or behind another, apart from it as passages of their kind are."""
    old, new = says.text(trees(tree, "old")[0]), says.text(trees(tree, "new")[0])
    if not old or not new:
        raise Unclear("It inserts nothing, or nowhere; write: after “a”, insert “b”.")
    first, second = (new, old) if tokens(tree, "BEFORE") else (old, new)
    kinds = {said.casefold() for said in map(says.said, tokens(tree, "PASSAGE"))}
    gap = " "
    if "\n" in new or kinds & {"paragraph", "paragraphs"}:
        gap = "\n\n"
    elif kinds & {"line", "lines"}:
        gap = "\n"
    elif second[0] in _CLINGS:
        gap = ""
    yield ReplacePassage(_the_rule(says, tree, rule), old, first + gap + second)


def subrule(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Add a subrule to a rule, in either order."""
    title, number, rest = _parts(says, tree)
    named = trees(tree, "rule")
    if named:
        parent: RuleRef | None = says.rule(named[0])
    elif tokens(tree, "RULE"):
        parent, number = RuleRef(rest.pop(0) if rest else says.words(tree), number), ""
    elif title and len(rest) == 1 and tokens(tree, "TO", "OF", "IN", "UNDER"):
        parent = RuleRef(rest.pop())
    else:
        parent = rule
    if parent is None:
        raise Unclear("It does not say under which rule; write: to the rule “…”.")
    if not title and rest:
        title = rest.pop(0)
    if not title or rest:
        raise Unclear("It gives the subrule no title, or two; write: a subrule titled “…”.")
    yield AddSubrule(parent, title, number, says.text(tree))


def _parts(says: Sayings, tree: Words) -> tuple[str, str, list[str]]:
    """Title and number of a new rule, and the quoted names that were called neither."""
    titles = [says.name(title) for title in trees(tree, "title")]
    numbers = [says.first(number, "RULENUM") for number in trees(tree, "number")]
    numbers += map(says.said, tokens(tree, "RULENUM"))
    for aside in map(says.said, tokens(tree, "PAREN")):
        if found := _NUMBER_ASIDE.fullmatch(aside):
            numbers.append(found.group(1))
        elif not _POWER_ASIDE.fullmatch(aside):
            raise Unclear(f"“({aside})” says nothing that a new rule has; leave it out.")
    if len(titles) > 1 or len(numbers) > 1:
        raise Unclear("It gives the new rule two titles or numbers; leave one.")
    rest = [says.said(token) for token in tokens(tree, "QUOTED")]
    return "".join(titles), "".join(numbers).removeprefix("#"), rest


def replace_text(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Replace, Amend, Change or Set the text of a rule."""
    says.whole(tree)
    yield ReplaceText(says.place(tree), says.text(tree))


def passage(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Replace one passage by another, or delete it."""
    new = trees(tree, "new")
    for old in trees(tree, "old"):
        said = says.text(new[0]) if new else ""
        yield ReplacePassage(_the_rule(says, tree, rule), says.text(old), said)


def bullets(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Add bullet points; a single one may come without its bullet."""
    lines = says.lines(tree)
    if lines[0][0] not in "*•+–-":
        lines[0] = f"* {lines[0]}"
    yield AddBullets(_the_rule(says, tree, rule), "\n".join(lines))


def rows(says: Sayings, tree: Words, rule: RuleRef | None, table: Words | None) -> Change:
    """Add rows to the table that the instruction, or its beginning, names."""
    named = [*trees(tree, "table"), *([table] if table else [])]
    name = says.first(named[0], "QUOTED") or says.words(named[0]) if named else ""
    lines = says.lines(tree)
    if any(line[0] not in "|!" for line in lines):
        raise Unclear("Its rows do not begin with “|”; write a row as | 4 || Thug.")
    return AddRows(_the_rule(says, tree, rule), name, "\n".join(lines))


def repeal(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Repeal one rule or several."""
    says.whole(tree)
    for listed in trees(tree, "listed", "rule"):
        yield Repeal(says.rule(listed))


def retitle(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Retitle or Rename, or change the title."""
    if tokens(tree, "RULENUM"):
        number = RuleRef(number=says.first(tree, "RULENUM"))
        yield Retitle(number, says.first(tree, "QUOTED"))
    else:
        yield Retitle(_the_rule(says, tree, rule), says.name(tree))


def renumber(says: Sayings, tree: Words, rule: RuleRef | None) -> Iterator[Change]:
    """Renumber, or change the number."""
    number = says.first(tree, "RULENUM").removeprefix("#")
    yield Renumber(_the_rule(says, tree, rule), number)


def _the_rule(says: Sayings, tree: Words, rule: RuleRef | None) -> RuleRef:
    if trees(tree, "rule"):
        return says.place(tree)
    if rule is None:
        raise Unclear("It does not say in which rule; begin it like this: In the rule “Horses”, …")
    return rule
