"""From the tree of a sentence to the changes that it asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lark import Token, Tree

from nomic.rulebook.changes import forms
from nomic.rulebook.changes.forms import Change, RuleRef
from nomic.rulebook.changes.sayings import NUMBERED, PLACED, POWER, Sayings, Unclear, title_of
from nomic.rulebook.changes.sentences import VERBS, Sentence, Words
from nomic.rulebook.edits.parts import TextPart

MOST_AT_ONCE = 60  # changes of one sentence
NOWHERE = RuleRef()
_NUMBER = re.compile(r"\d+(?:\.\d+)?\Z")
_GOES_ON = re.compile(rf"\b(?:and|then),? (?:{'|'.join(sorted(VERBS))}) ", re.IGNORECASE)
_TABLE = re.compile(r"to (?:the end of )?the (.*?)(?: ?table| ?chart)(?: “(\d+)”)?$", re.IGNORECASE)


def build(read: Sentence, context: RuleRef | None) -> list[Change]:
    """The changes of one sentence, in order; Unclear where it leaves something open.

    `context` is the rule of the head above it, if any.
    """
    assert read.tree is not None
    made = list(_Builder(read, context).changes())
    if len(made) > MOST_AT_ONCE:
        raise Unclear(
            f"It asks for more than {MOST_AT_ONCE} changes at once; write several sentences."
        )
    return made


def head(read: Sentence) -> RuleRef | None:
    """The rule that a head names, if it names one."""
    assert read.tree is not None
    says = _Builder(read, None)
    return next(map(says.rule, says.trees(_top(read.tree), "rule")), None)


def _top(tree: Words) -> Words:
    (top,) = tree.children
    assert not isinstance(top, Token)
    return top


@dataclass
class _Builder(Sayings):
    """The changes of one sentence; the method for a form has its name in the grammar."""

    context: RuleRef | None

    def changes(self) -> Iterator[Change]:
        assert self.read.tree is not None
        return self._changes(_top(self.read.tree))

    def _changes(self, tree: Words) -> Iterator[Change]:
        found: Iterator[Change] = getattr(self, tree.data)(tree)
        return found

    def where(self, tree: Words) -> RuleRef:
        """The rule that an edit names itself, or that of its sentence, or of the head above."""
        named = self.trees(tree, "within")
        return self.rule(self.child(named[-1], "rule")) if named else NOWHERE

    def _named(self, tree: Words) -> RuleRef:
        """The rule that a sentence names; NOWHERE where it goes on of one that is named above."""
        return next(map(self.rule, self.trees(tree, "rule")), NOWHERE)

    # Edits

    def amend(self, tree: Words) -> Iterator[Change]:
        rule = next(map(self.rule, self.trees(tree, "rule")), None)
        made: list[Change] = []
        for edit in self.trees(tree):
            if edit.data == "further":  # after a comma or “and”, changed as the one before it
                before = made[-1]
                old, part = self.passage(self.child(edit, "passage"))
                new = "".join(map(self.text, self.trees(edit, "new")))
                if not isinstance(before, forms.ReplacePassage) or bool(before.new) != bool(new):
                    raise Unclear("It does not say what is done with this; write a verb before it.")
                made.append(replace(before, rule=self.where(edit), old=old, new=new, part=part))
            elif edit.data != "rule":
                made += self._changes(edit)
        # The edits get their rule: the sentence's, their own, or the head's above.
        own = [getattr(each, "rule", NOWHERE) for each in made]
        named = [each for each in own if each != NOWHERE]
        if len(set(named)) > 1 and NOWHERE in own:
            raise Unclear("It names two rules, and one change without its rule; say it with each.")
        last = named[-1] if named else None
        for each in made:
            if isinstance(each, forms.AddSubrule):
                yield replace(each, parent=self._one(each.parent, rule, last))
            else:
                yield replace(each, rule=self._one(each.rule, rule, last))  # type: ignore[attr-defined, call-arg]
        for title in self.tokens(tree, "QUOTED"):  # last, since the edits may name it by the other
            yield forms.Retitle(rule or NOWHERE, self.name(title))

    def _one(self, own: RuleRef, above: RuleRef | None, last: RuleRef | None) -> RuleRef:
        if own != NOWHERE and above and own != above:
            raise Unclear("It names two rules for one change; leave one.")
        place = above or (own if own != NOWHERE else last) or self.context
        if place is None:
            raise Unclear(
                "It does not say in which rule; begin it like this: In the rule “Horses”, …"
            )
        return place

    def replace(self, tree: Words) -> Iterator[Change]:
        new = self.text(self.child(tree, "new"))
        for rule, old, part in self._passages(tree):
            yield forms.ReplacePassage(rule, old, new, part)

    def delete(self, tree: Words) -> Iterator[Change]:
        for rule, old, part in self._passages(tree):
            yield forms.ReplacePassage(rule, old, "", part)

    def _passages(self, tree: Words) -> Iterator[tuple[RuleRef, str, TextPart]]:
        for passage in self.trees(tree, "passage"):
            yield (self.where(tree), *self.passage(passage))
        for counted in self.trees(tree, "counted"):
            yield (self.where(tree), *self.passage(counted))
        for placed in self.trees(tree, "placed"):
            yield (self.where(placed), *self.passage(placed))

    def amended(self, tree: Words) -> Iterator[Change]:
        new = self.text(self.child(tree, "new"))
        yield forms.ReplacePassage(NOWHERE, self.text(self.child(tree, "text")), new)

    def prepend(self, tree: Words) -> Iterator[Change]:
        new = self.child(tree, "new")
        named = self.trees(tree, "rule")
        rule = self.rule(named[0]) if named else self.where(tree)
        unit = self.unit(new) or self.unit(tree) or "paragraph"
        yield forms.Insert(rule, "before", "", self.text(new), unit, TextPart("paragraph", 1))

    def insert(self, tree: Words) -> Iterator[Change]:
        spot = self.child(tree, "spot")
        where = "before" if "before" in self.tokens(spot, "WHERE")[0].lower() else "after"
        anchor, part = self.passage(self.child(spot, "passage"))
        new = self.child(tree, "new")
        unit = self.unit(new) or self.unit(tree)
        yield forms.Insert(self.where(tree), where, anchor, self.text(new), unit, part)

    def append(self, tree: Words) -> Iterator[Change]:
        new = self.child(tree, "new")
        unit, text = self.unit(new) or self.unit(tree), self.text(new)
        rule, anchor, part = self.where(tree), "", TextPart()
        for target in self.trees(tree, "target"):
            for part_of in self.trees(target, "part"):
                anchor, part = self.passage(part_of)
            for named in self.trees(target, "rule"):
                rule = self.rule(named)
        yield forms.Append(rule, text, unit, anchor, part)

    def bullets(self, tree: Words) -> Iterator[Change]:
        yield forms.AddBullets(self.where(tree), self._lines(tree))

    def rows(self, tree: Words) -> Iterator[Change]:
        named = self.tokens(tree, "TABLE")
        found = _TABLE.fullmatch(named[0]) if named else None
        table = found[1].strip() if found else ""
        if found and found[2]:
            table = self.read.texts[int(found[2])]
        table = PLACED.sub(lambda mark: self.read.texts[int(mark[1])], table)
        lines = self._lines(tree)
        if any(line[0] not in "|!" for line in lines.split("\n")):
            raise Unclear("Its rows do not begin with “|”; write a row as | 4 || Thug.")
        yield forms.AddRows(self.where(tree), table, lines)

    def _lines(self, tree: Words) -> str:
        token = self.tokens(tree, "LINES", "BLOCK")[0]
        return "\n".join(each.strip() for each in self.marked(token).split("\n") if each.strip())

    # Whole rules

    def _facts(self, tree: Words) -> tuple[str, str, str, str]:
        """Title, number, power and text of a new rule; Unclear where one is twice there."""
        quoted = [
            *map(title_of, self.tokens(tree, "TITLE")),
            *map(self.name, self.tokens(tree, "QUOTED")),
        ]
        texts = [*map(self.marked, self.tokens(tree, "BLOCK", "FLUSH"))]
        numbers = [each.split()[-1].lstrip("#R") for each in self.tokens(tree, "NUMBERED")]
        powers = [_NUMBER.search(each)[0] for each in self.tokens(tree, "POWER")]  # type: ignore[index]
        for aside in map(self.marked, self.tokens(tree, "ASIDE")):
            if power := POWER.fullmatch(aside):
                powers.append(power[1])
            elif number := NUMBERED.fullmatch(aside):
                numbers.append(number[1])
            elif not quoted:
                quoted.append(title_of(aside))
            else:
                raise Unclear(f"“({aside})” says nothing that a new rule has; leave it out.")
        if not texts and len(quoted) > 1:
            texts = [self.marked(self.tokens(tree, "QUOTED")[-1])]
            quoted.pop()
        said = [each for each in tree.children if each != ","]
        last = said[-1] if said else None
        if not isinstance(last, Token) or last.type not in ("BLOCK", "FLUSH", "QUOTED"):
            raise Unclear("Its text does not stand at its end; write the text last, in braces.")
        if len(quoted) != 1 or len(texts) != 1 or len(numbers) > 1 or len(powers) > 1:
            raise Unclear(
                "It does not give the new rule one title and one text; write: Enact a new rule"
                " titled “…” with the following text: {…}"
            )
        return quoted[0], "".join(numbers), "".join(powers), texts[0]

    def enact(self, tree: Words) -> Iterator[Change]:
        title, number, power, text = self._facts(tree)
        yield forms.Enact(title, number, text, power)

    def subrule(self, tree: Words) -> Iterator[Change]:
        parents = self.trees(tree, "parent")
        title, number, power, text = self._facts(tree)
        if len(parents) > 1:
            raise Unclear("It names two rules above the subrule; leave one.")
        parent = self.rule(parents[0]) if parents else NOWHERE
        yield forms.AddSubrule(parent, title, number, text, power)

    def whole(self, tree: Words) -> Iterator[Change]:
        rule = self._named(tree)
        yield forms.ReplaceText(rule, self.text(tree))
        for title in self.trees(tree, "title"):
            yield forms.Retitle(rule, self.name(self.tokens(title, "QUOTED")[0]))

    def repeal(self, tree: Words) -> Iterator[Change]:
        for listed in self.trees(tree):
            yield forms.Repeal(self.rule(listed))

    def retitle(self, tree: Words) -> Iterator[Change]:
        title = self.name(self.tokens(tree, "QUOTED")[0])
        yield forms.Retitle(self._named(tree), title)

    def renumber(self, tree: Words) -> Iterator[Change]:
        number = self.tokens(tree, "ID")[0].lstrip("#")
        yield forms.Renumber(self._named(tree), number)

    def power(self, tree: Words) -> Iterator[Change]:
        power = self.tokens(tree, "NUMBER")[-1]
        yield forms.SetPower(self._named(tree), str(power))

    its_text, its_title, its_number, its_power = whole, retitle, renumber, power

    def ratify(self, tree: Words) -> Iterator[Change]:
        yield forms.Ratify(self.tokens(tree, "HASH")[0].lower())

    # Balances and switches

    def _whos(self, tree: Words) -> list[str]:
        return list(map(self.words, self.trees(tree, "who")))

    def give(self, tree: Words) -> Iterator[Change]:
        thing = self.words(self.child(tree, "words"))
        for who in self._whos(tree):
            yield forms.Give(who, self.amount(tree) or 0, thing)

    def take(self, tree: Words) -> Iterator[Change]:
        thing = self.words(self.child(tree, "words"))
        loses = isinstance(tree.children[0], Tree) and tree.children[0].data == "who"
        form = forms.Destroy if loses else forms.Take
        for who in [*self._whos(tree), *map(self.whose, self.trees(tree, "whose"))]:
            yield form(who, self.amount(tree), thing)

    def transfer(self, tree: Words) -> Iterator[Change]:
        thing, giver = self.words(self.child(tree, "words")), self._whos(tree)[0]
        yield forms.Transfer(giver, self._receiver(tree), self.amount(tree) or 0, thing)

    def _receiver(self, tree: Words) -> str:
        return self.words(self.child(tree, "receiver"))

    def hand(self, tree: Words) -> Iterator[Change]:
        thing, *giver = self._whos(tree)
        yield forms.HandOver(thing.removeprefix("the "), "".join(giver), self._receiver(tree))

    def destroy(self, tree: Words) -> Iterator[Change]:
        thing, amount = self.words(self.child(tree, "words")), self.amount(tree)
        owners = [*self._whos(tree), *map(self.whose, self.trees(tree, "whose"))]
        if amount is not None and not owners:
            raise Unclear("It does not say whose; write: Destroy 5 of Peter's points.")
        yield forms.Destroy("".join(owners), amount, thing)

    def _subject(self, tree: Words) -> tuple[str, str]:
        """The switch or currency that a tree names, and whose."""
        of = next(map(self.whose, self.trees(tree, "whose")), "")
        of = next(map(self.words, self.trees(tree, "who")), of)
        return self.words(self.child(tree, "words")), of

    def alter(self, tree: Words) -> Iterator[Change]:
        amount = self.amount(tree) or 0
        less = self.tokens(tree, "DECREASE")
        yield forms.ChangeBy(*self._subject(tree), -amount if less else amount)

    def switch(self, tree: Words) -> Iterator[Change]:
        value = self.tokens(tree, "VALUE")[0].strip().removesuffix(" ,")
        if _GOES_ON.search(value):
            raise Unclear("It goes on with another instruction; write a sentence for each.")
        value = PLACED.sub(lambda mark: self.read.texts[int(mark[1])], value)
        yield forms.SetSwitch(*self._subject(tree), value.replace(" ,", ","))

    def become(self, tree: Words) -> Iterator[Change]:
        yield forms.Become(self._whos(tree)[0], self.words(self.child(tree, "words")))
