"""Changes to balances and switches, from the trees of their sentences."""

import re
from collections.abc import Iterator

from lark import Tree

from nomic.rulebook.changes import forms
from nomic.rulebook.changes.forms import Change
from nomic.rulebook.changes.grammar import VERBS, Words
from nomic.rulebook.changes.sayings import PLACED, Sayings, Unclear

_GOES_ON = re.compile(rf"\b(?:and|then),? (?:{'|'.join(sorted(VERBS))}) ", re.IGNORECASE)


class AssetEffects(Sayings):
    """The changes of one sentence that are none of rules, a method for each form of it."""

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
