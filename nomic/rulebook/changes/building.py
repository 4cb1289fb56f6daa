"""From the tree of a sentence to the changes that it asks for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lark import Token, Tree

from nomic.rulebook.changes import kinds, left_to_officer
from nomic.rulebook.changes.headers import is_name
from nomic.rulebook.changes.kinds import LONGEST_SAID, Change, RuleRef, folded
from nomic.rulebook.changes.sentences import VERBS, Sentence, Words, read_alone, top_of
from nomic.rulebook.charts import cut
from nomic.rulebook.edits.parts import TextPart
from nomic.rulebook.phrases import NUMBERS

MOST_AT_ONCE = 60  # changes of one sentence
NOWHERE = RuleRef()
_NUMBER = re.compile(r"\d+(?:\.\d+)?\Z")
_CLASS = re.compile(r"(?:im)?mutable", re.IGNORECASE)
_GOES_ON = re.compile(rf"\b(?:and|then),? (?:{'|'.join(sorted(VERBS))}) ", re.IGNORECASE)
_TABLE = re.compile(
    r"(?:to|from|of|in) (?:the end of )?the (.*?)(?: ?table| ?chart)(?: “(\d+)”)?$", re.IGNORECASE
)

EVERYBODY = "each player"
_COUNTED = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS = {word: place for place, word in enumerate(_COUNTED.split(), 1)}
_ORDINALS |= {"last": -1, "final": -1, "to": -2, "penultimate": -2}
_UNIT = re.compile(r"(sentence|paragraph|item|point|bullet|line)s?\b", re.IGNORECASE)
_UNITS = {"point": "item", "bullet": "item", "words": "word"}
_ONE_UNIT = re.compile(r"\b(sentence|paragraph|item|point|line|words?)\b", re.IGNORECASE)
_WHICH = re.compile(r"\b(begin|start|end|contain|include)", re.IGNORECASE)
_POWER = re.compile(
    r"(?:^|[,;] *)(?:with )?(?:power|p)\s*[=:-]?\s*(\d{1,9}(?:\.\d{1,9})?)$", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?:rule|number|id|no\.?|r)?\s*#?(\d[\w.-]*)", re.IGNORECASE)
_HEADED = re.compile(
    r"Title: (?P<title>[^\n]+)\n(?:Power: (?P<power>\d{1,9}(?:\.\d{1,9})?)[ \t]*\n)?"
    r"(?:[ \t]*\n|Text:\s*)(?P<text>\S.*)",
    re.DOTALL,
)
_SMALL = re.compile(
    r"\b(?:if|unless|when(?:ever)?|while|once|until|till|tomorrow|later|only|except|provided|should|"
    r"n?either|next|instead|otherwise|this|that|these|those|above|below|following|preceding)\b",
    re.IGNORECASE,
)
_OWN_LINE = re.compile(r"\s*(?:[|!#*•+-]|[0-9]{1,3}[.)]\s|`{3}|~{3})")
_ROW = ("|", "!", "#", "`" * 3, "~" * 3)
_PLACED = re.compile(r"“(\d+)”")
_DIGITS = re.compile(r"\d+")
_NTH = ("NTH_OF", "NTH_CHARACTER")


class Unclear(Exception):
    """A sentence of the language that still leaves open what it asks for; says what."""


def build(sentence: Sentence, context: RuleRef | None) -> list[Change]:
    """The changes of one sentence, in order; Unclear where it leaves something open.

    `context` is the rule of the head above it, if any.
    """
    assert sentence.tree is not None
    changes = list(_Builder(sentence, context).changes())
    if len(changes) > MOST_AT_ONCE:
        raise Unclear(
            f"It asks for more than {MOST_AT_ONCE} changes at once; write several sentences."
        )
    return changes


def head(sentence: Sentence) -> RuleRef | None:
    """The rule that a head names, if it names one."""
    assert sentence.tree is not None
    says = _Builder(sentence, None)
    return says.place(top_of(sentence.tree))


@dataclass
class _Builder:
    """The changes of one sentence; the method for a form has its name in the grammar.

    `context` is the rule of the head above it. Raises Unclear where it leaves open what it names.
    """

    sentence: Sentence
    context: RuleRef | None

    def changes(self) -> Iterator[Change]:
        assert self.sentence.tree is not None
        return self._changes(top_of(self.sentence.tree))

    def _changes(self, tree: Words) -> Iterator[Change]:
        changes: Iterator[Change] = getattr(self, tree.data)(tree)
        return changes

    def where(self, tree: Words) -> RuleRef:
        """The rule that an edit names itself, or that of its sentence, or of the head above."""
        named = self.trees(tree, "within")
        return self.rule(self.child(named[-1], "rule")) if named else NOWHERE

    def place(self, tree: Words) -> RuleRef | None:
        """The rule that a sentence or head names for its edits, if it names one: the subrule where
        it names one in it."""
        rule = next(map(self.rule, self.trees(tree, "rule")), None)
        for inner in self.trees(tree, "inner"):
            if rule is None or not rule.title:
                raise Unclear("Name the rule above the subrule by its title: In the rule “…”, …")
            rule = RuleRef(self.name(self.tokens(inner, "QUOTED")[0]), parent=rule.title)
        return rule

    def _named(self, tree: Words) -> RuleRef:
        """The rule that a sentence names; NOWHERE where it goes on of one that is named above."""
        return next(map(self.rule, self.trees(tree, "rule")), NOWHERE)

    # Edits

    def amend(self, tree: Words) -> Iterator[Change]:
        rule = self.place(tree)
        changes: list[Change] = []
        for edit in self.trees(tree):
            if edit.data == "further":  # after a comma or “and”, changed as the one before it
                before = changes[-1]
                old, part = self.passage(self.child(edit, "passage"))
                new = "".join(map(self.text, self.trees(edit, "new")))
                if not isinstance(before, kinds.ReplacePassage) or bool(before.new) != bool(new):
                    raise Unclear("It does not say what is done with this; write a verb before it.")
                changes.append(replace(before, rule=self.where(edit), old=old, new=new, part=part))
            elif edit.data == "instead":  # of what was deleted right before it
                before = changes[-1]
                if not isinstance(before, kinds.ReplacePassage) or before.new:
                    raise Unclear("It does not say in which place; replace one text by the other.")
                changes[-1] = replace(before, new=self.text(self.child(edit, "new")))
            elif edit.data not in ("rule", "inner"):
                changes += self._changes(edit)
        # Each edit gets its rule now: the sentence's, its own, or the head's above. One without may
        # stand before the edit that names it, so that none is known before all are built.
        rules_of_edits = [getattr(change, "rule", NOWHERE) for change in changes]
        named = [ref for ref in rules_of_edits if ref != NOWHERE]
        if len(set(named)) > 1 and NOWHERE in rules_of_edits:
            raise Unclear("It names two rules, and one change without its rule; say it with each.")
        last = named[-1] if named else None
        for change in changes:
            if isinstance(change, kinds.AddSubrule):
                yield replace(change, parent=self._rule_for(change.parent, rule, last))
            else:
                yield replace(change, rule=self._rule_for(change.rule, rule, last))  # type: ignore[attr-defined, call-arg]
        for title in self.tokens(tree, "QUOTED"):  # last, since the edits may name it by the other
            yield kinds.Retitle(rule or NOWHERE, self.name(title))

    def _rule_for(self, named: RuleRef, above: RuleRef | None, last: RuleRef | None) -> RuleRef:
        """The rule that an edit changes: the one `above` it in its sentence, the one that is
        `named` in the edit, or the `last` that one of the edits names."""
        if named != NOWHERE and above and named != above:
            raise Unclear("It names two rules for one change; leave one.")
        place = above or (named if named != NOWHERE else last) or self.context
        if place is None:
            raise Unclear(
                "It does not say in which rule; begin it like this: In the rule “Horses”, …"
            )
        return place

    def replace(self, tree: Words) -> Iterator[kinds.ReplacePassage]:
        new = self.text(self.child(tree, "new"))
        for rule, old, part in self._passages(tree):
            yield kinds.ReplacePassage(rule, old, new, part)

    def throughout(self, tree: Words) -> Iterator[Change]:
        (replaced,) = self.replace(self.child(tree, "replace"))
        part = replaced.part
        if replaced.rule != NOWHERE or part.unit not in ("", "word") or isinstance(part.which, int):
            raise Unclear("It names a place or part within all rules; quote the words alone.")
        each_instance = TextPart(part.unit, "each")
        yield kinds.ReplaceThroughout(replaced.old, replaced.new, each_instance)

    def delete(self, tree: Words) -> Iterator[Change]:
        for rule, old, part in self._passages(tree):
            yield kinds.ReplacePassage(rule, old, "", part)

    def _passages(self, tree: Words) -> Iterator[tuple[RuleRef, str, TextPart]]:
        for passage in [*self.trees(tree, "passage"), *self.trees(tree, "counted")]:
            yield (self.where(tree), *self.passage(passage))
        for placed in self.trees(tree, "placed"):
            yield (self.where(placed), *self.passage(placed))

    def amended(self, tree: Words) -> Iterator[Change]:
        new = self.text(self.child(tree, "new"))
        yield kinds.ReplacePassage(NOWHERE, self.text(self.child(tree, "text")), new)

    def prepend(self, tree: Words) -> Iterator[Change]:
        new = self.child(tree, "new")
        rule = next(map(self.rule, self.trees(tree, "rule")), None) or self.where(tree)
        unit = self.unit(new) or self.unit(tree) or "paragraph"
        yield kinds.Insert(rule, "before", "", self.text(new), unit, TextPart("text", 1))

    def insert(self, tree: Words) -> Iterator[Change]:
        spot = self.child(tree, "spot")
        where = "before" if "before" in self.tokens(spot, "WHERE")[0].lower() else "after"
        anchor, part = self.passage(self.child(spot, "passage"))
        new = self.child(tree, "new")
        unit = self.unit(new) or self.unit(tree)
        yield kinds.Insert(self.where(tree), where, anchor, self.text(new), unit, part)

    def append(self, tree: Words) -> Iterator[Change]:
        new = self.child(tree, "new")
        unit, text = self.unit(new) or self.unit(tree), self.text(new)
        rule, anchor, part = self.where(tree), "", TextPart()
        for target in self.trees(tree, "target"):
            for part_of in self.trees(target, "part"):
                anchor, part = self.passage(part_of)
            for named in self.trees(target, "rule"):
                rule = self.rule(named)
        yield kinds.Append(rule, text, unit, anchor, part)

    def bullets(self, tree: Words) -> Iterator[Change]:
        yield kinds.AddBullets(self.where(tree), self._lines(tree))

    def rows(self, tree: Words) -> Iterator[Change]:
        yield kinds.AddRows(self.where(tree), self._table(tree), self._rows(tree))

    def replace_row(self, tree: Words) -> Iterator[Change]:
        rows = self._rows(tree)
        if "\n" in rows:
            raise Unclear("It replaces one row by several; delete it, and add the others.")
        yield self._row_of(self.child(tree, "row"), rows)

    def delete_row(self, tree: Words) -> Iterator[Change]:
        yield self._row_of(self.child(tree, "row"), "")

    def _row_of(self, tree: Words, row: str) -> Change:
        cell = next(map(self.name, self.tokens(tree, "QUOTED")), "")
        part = TextPart()
        for token in self.tokens(tree, "NTH_ROW"):
            cell = next(iter(_DIGITS.findall(token)), "")
            part = TextPart("row", int(cell) if cell else _ordinal(token))
        return kinds.ReplaceRow(self.where(tree), self._table(tree), cell, row, part)

    def _table(self, tree: Words) -> str:
        """The table that is named; "" where none is."""
        named = self.tokens(tree, "TABLE", "TABLE_OF")
        match = _TABLE.fullmatch(named[0]) if named else None
        table = match[1].strip() if match else ""
        if match and match[2]:
            table = self.sentence.texts[int(match[2])]
        return _PLACED.sub(lambda mark: self.sentence.texts[int(mark[1])], table)

    def _rows(self, tree: Words) -> str:
        lines = self._lines(tree)
        if not all(line.startswith(("|", "!")) for line in lines.split("\n")):
            raise Unclear("Its rows do not begin with “|”; write a row as | 4 || Thug.")
        return lines

    def _lines(self, tree: Words) -> str:
        token = self.tokens(tree, "LINES", "BLOCK", "QUOTED")[0]
        return "\n".join(line.strip() for line in self.marked(token).split("\n") if line.strip())

    # Whole rules

    def _facts(self, tree: Words) -> tuple[str, str, str, str]:
        """Title, number, power and text of a new rule; Unclear where one is twice there."""
        quoted = [
            *map(_title_of, self.tokens(tree, "TITLE")),
            *map(self.name, self.tokens(tree, "QUOTED")),
        ]
        texts = [*map(self.marked, self.tokens(tree, "BLOCK", "FLUSH"))]
        headed = _HEADED.fullmatch(texts[0]) if len(texts) == 1 and not quoted else None
        if headed and not self.tokens(tree, "SAYS", "ASIDE"):
            # “Enact the following rule:”, and its title in the first line of the text
            quoted, texts = [_title_of(headed["title"].strip())], [headed["text"]]
        numbers = [number.split()[-1].lstrip("#R") for number in self.tokens(tree, "NUMBERED")]
        powers = [_NUMBER.search(power)[0] for power in self.tokens(tree, "POWER")]  # type: ignore[index]
        if headed and headed["power"]:
            powers.append(headed["power"])
        for aside in map(self.marked, self.tokens(tree, "ASIDE")):
            if power := _POWER.fullmatch(aside):
                powers.append(power[1])
            elif number := _NUMBERED.fullmatch(aside):
                numbers.append(number[1])
            elif not quoted:
                quoted.append(_title_of(aside))
            else:
                raise Unclear(f"“({aside})” says nothing that a new rule has; leave it out.")
        if not texts and len(quoted) > 1:
            texts = [self.marked(self.tokens(tree, "QUOTED")[-1])]
            quoted.pop()
        parts = [part for part in tree.children if part != ","]
        last = parts[-1] if parts else None
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
        yield kinds.Enact(title, number, text, power)

    def subrule(self, tree: Words) -> Iterator[Change]:
        parents = self.trees(tree, "parent")
        title, number, power, text = self._facts(tree)
        if len(parents) > 1:
            raise Unclear("It names two rules above the subrule; leave one.")
        parent = self.rule(parents[0]) if parents else NOWHERE
        yield kinds.AddSubrule(parent, title, number, text, power)

    def whole(self, tree: Words) -> Iterator[Change]:
        rule = self._named(tree)
        yield kinds.ReplaceText(rule, self.text(tree))
        for title in self.trees(tree, "title"):
            yield kinds.Retitle(rule, self.name(self.tokens(title, "QUOTED")[0]))

    def repeal(self, tree: Words) -> Iterator[Change]:
        for listed in self.trees(tree):
            yield kinds.Repeal(self.rule(listed))
        if self.tokens(tree, "LINES", "BLOCK"):
            for line in self._lines(tree).split("\n"):
                yield self._repeal_listed(line.lstrip("*•+–-").strip())

    def _repeal_listed(self, named: str) -> Change:
        """The end of the rule that a line of a list names."""
        sentence = read_alone(f"Repeal {named}")
        changes = list(_Builder(sentence, None).changes()) if sentence.tree else []
        is_one = len(changes) == 1 and isinstance(changes[0], kinds.Repeal)
        if not is_one or left_to_officer.doubt(sentence) or sentence.end < len(f"Repeal {named}"):
            raise Unclear(f"“{cut(named, LONGEST_SAID)}” names no rule; write: Repeal rule 4.")
        return changes[0]

    def where_it_stands(self, tree: Words) -> Iterator[Change]:
        """The change of a passage if the rule contains it: else there is nothing to change."""
        condition, rule = map(self.rule, self.trees(tree, "rule"))
        (quoted,) = map(self.marked, self.tokens(tree, "QUOTED"))
        for change in self._changes(self.child(tree, "replace", "delete")):
            assert isinstance(change, kinds.ReplacePassage)
            is_other = condition != rule or folded(change.old) != folded(quoted)
            if is_other or change.rule != NOWHERE or change.part.which not in ("", "each"):
                raise Unclear("Its condition is of another passage than the one that it changes.")
            yield replace(change, rule=rule)

    def retitle(self, tree: Words) -> Iterator[Change]:
        title = self.name(self.tokens(tree, "QUOTED")[0])
        yield kinds.Retitle(self._named(tree), title)

    def renumber(self, tree: Words) -> Iterator[Change]:
        number = self.tokens(tree, "ID")[0].lstrip("#")
        yield kinds.Renumber(self._named(tree), number)

    def power(self, tree: Words) -> Iterator[Change]:
        power = self.tokens(tree, "NUMBER")[-1]
        yield kinds.SetPower(self._named(tree), str(power))

    def transmute(self, tree: Words) -> Iterator[Change]:
        classes = self.tokens(tree, "CLASS", "BECOMES_CLASS")
        rule_class = _CLASS.search(classes[-1])[0].lower() if classes else ""  # type: ignore[index]
        for listed in self.trees(tree):
            yield kinds.Transmute(self.rule(listed), rule_class)

    its_text, its_title, its_number, its_power = whole, retitle, renumber, power

    def ratify(self, tree: Words) -> Iterator[Change]:
        yield kinds.Ratify(self.tokens(tree, "HASH")[0].lower())

    # Balances and switches

    def _whos(self, tree: Words) -> list[str]:
        return list(map(self.words, self.trees(tree, "who")))

    def give(self, tree: Words) -> Iterator[Change]:
        currency = self.words(self.child(tree, "words"))
        for player in self._whos(tree):
            yield kinds.Give(player, self.amount(tree) or 0, currency)

    def take(self, tree: Words) -> Iterator[Change]:
        currency = self.words(self.child(tree, "words"))
        loses = isinstance(tree.children[0], Tree) and tree.children[0].data == "who"
        form = kinds.Destroy if loses else kinds.Take
        for player in [*self._whos(tree), *map(self.whose, self.trees(tree, "whose"))]:
            yield form(player, self.amount(tree), currency)

    def transfer(self, tree: Words) -> Iterator[Change]:
        currency, giver = self.words(self.child(tree, "words")), self._whos(tree)[0]
        yield kinds.TransferCurrency(giver, self._receiver(tree), self.amount(tree) or 0, currency)

    def _receiver(self, tree: Words) -> str:
        return self.words(self.child(tree, "receiver"))

    def hand(self, tree: Words) -> Iterator[Change]:
        possession, *giver = self._whos(tree)
        yield kinds.HandOver(possession.removeprefix("the "), "".join(giver), self._receiver(tree))

    def destroy(self, tree: Words) -> Iterator[Change]:
        currency, amount = self.words(self.child(tree, "words")), self.amount(tree)
        owners = [*self._whos(tree), *map(self.whose, self.trees(tree, "whose"))]
        if amount is not None and not owners:
            raise Unclear("It does not say whose; write: Destroy 5 of Peter's points.")
        yield kinds.Destroy("".join(owners), amount, currency)

    def _subject(self, tree: Words) -> tuple[str, str]:
        """The switch or currency that a tree names, and whose."""
        of = next(map(self.whose, self.trees(tree, "whose")), "")
        of = next(map(self.words, self.trees(tree, "who")), of)
        return self.words(self.child(tree, "words")), of

    def alter(self, tree: Words) -> Iterator[Change]:
        amount = self.amount(tree) or 0
        less = self.tokens(tree, "DECREASE")
        yield kinds.ChangeBy(*self._subject(tree), -amount if less else amount)

    def switch(self, tree: Words) -> Iterator[Change]:
        words = self.tokens(tree, "VALUE")[0].strip().removesuffix(" ,")
        if _GOES_ON.search(words):
            raise Unclear("It goes on with another instruction; write a sentence for each.")
        words = _PLACED.sub(lambda mark: self.sentence.texts[int(mark[1])], words)
        words = words.replace(" ,", ",")
        if not self.tokens(tree, "LINES", "BLOCK"):
            yield kinds.SetSwitch(*self._subject(tree), words)
            return
        switch = self.words(self.child(tree, "words"))
        for line in self._lines(tree).split("\n"):
            name = line.lstrip("*•+–-").strip()
            if not is_name(name):
                raise Unclear(f"“{cut(name, LONGEST_SAID)}” may be no name; write a sentence each.")
            yield kinds.SetSwitch(switch, name, words)

    def become(self, tree: Words) -> Iterator[Change]:
        yield kinds.Become(self._whos(tree)[0], self.words(self.child(tree, "words")))

    # Names, texts, rules and passages

    def trees(self, tree: Words, *kinds: str) -> list[Words]:
        return [
            child
            for child in tree.children
            if not isinstance(child, Token) and (not kinds or child.data in kinds)
        ]

    def child(self, tree: Words, *kinds: str) -> Words:
        return self.trees(tree, *kinds)[0]

    def tokens(self, tree: Words, *kinds: str) -> list[Token]:
        tokens = (child for child in tree.children if isinstance(child, Token))
        return [token for token in tokens if token.type in kinds]

    def marked(self, token: Token) -> str:
        """The marked text that a token stands for."""
        return self.sentence.texts[int(token[1:-1])]

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
            unwrapped = before = ""
            for line in paragraph.splitlines():
                if not unwrapped:
                    unwrapped = line
                elif _OWN_LINE.match(line) or before.lstrip().startswith(_ROW):
                    unwrapped += f"\n{line.rstrip()}"
                else:
                    unwrapped += f" {line.strip()}"
                before = line
            paragraphs.append(unwrapped)
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
        bare = map(str, self.tokens(tree, "TITLE", "NAME"))
        title = title or next(map(_title_of, bare), "")
        for aside in map(self.marked, self.tokens(tree, "ASIDE")):
            aside_text = _POWER.sub("", aside).strip()
            if numbered := _NUMBERED.fullmatch(aside_text):
                number = number or numbered[1]
            elif aside_text:
                aside_title = _title_of(aside_text)
                if title and aside_title.casefold() != title.casefold():
                    raise Unclear(f"It calls the rule “{title}” and “{aside_title}”; leave one.")
                title = title or aside_title
        return RuleRef(title, number)

    def passage(self, tree: Words) -> tuple[str, TextPart]:
        quoted = next(map(self.marked, self.tokens(tree, "QUOTED")), "")
        token = next(iter(self.tokens(tree, "EACH", "UNIT_WITH", "NTH_UNIT", *_NTH)), None)
        if token is None:
            unit = _unit(_ONE_UNIT.search(next(iter(self.tokens(tree, "NOUN")), "")))
            return self.text(tree), TextPart(unit, "whole" if unit else "")
        if token.type == "EACH":
            return quoted, TextPart(_unit(_ONE_UNIT.search(token)), "each")
        nth = _ordinal(token)
        if token.type in _NTH:
            return quoted, TextPart("", nth)
        unit = _unit(_UNIT.search(token))
        if token.type == "NTH_UNIT":
            return "", TextPart(unit, nth)
        which = _WHICH.search(token)
        assert which is not None
        ends = {"start": "beginning", "begin": "beginning", "end": "ending"}
        return quoted, TextPart(unit, ends.get(which[1].lower(), "containing"))

    def words(self, tree: Words) -> str:
        """A name, in quotes or not."""
        if tree.data in ("who", "receiver"):
            if self.tokens(tree, "EVERYBODY"):
                return EVERYBODY
            quoted = self.tokens(tree, "QUOTED")
            return self.name(quoted[0]) if quoted else self.words(self.child(tree, "words"))
        name = " ".join(str(word) for word in tree.children)
        return _PLACED.sub(lambda mark: self.sentence.texts[int(mark[1])], name)

    def amount(self, tree: Words) -> int | None:
        number = next((token.lower() for token in self.tokens(tree, "AMOUNT")), None)
        if number is None:
            return None
        return 1 if number in ("a", "an") else int(NUMBERS.get(number, number).replace(",", ""))

    def whose(self, tree: Words) -> str:
        """Whose is meant by “Alexia's”."""
        owner = self.words(tree)
        name = owner[:-2] if owner[-1] in "sS" and owner[-2] in "'’" else owner[:-1]
        lowered = name.lower().removeprefix("all ").removeprefix("the ")
        everybody = lowered in (EVERYBODY, "every player", "players", "everybody", "everyone")
        return EVERYBODY if everybody else name


def _title_of(aside: str) -> str:
    """The title of a rule that words in parentheses or between commas give.

    Raises Unclear where they say more.
    """
    bare = aside.strip("\"“”'‘’")
    if bare == aside and (aside[:1].islower() or _SMALL.search(aside)):
        raise Unclear(f"“{aside}” is no title of a rule; leave it out, or write it in quotes.")
    return bare


def _ordinal(words: str) -> int:
    """Which one is counted, -1 for the last; 0 for the only one."""
    places = [_ORDINALS[word] for word in re.split("[ -]", words.lower()) if word in _ORDINALS]
    return -2 if -2 in places else next(iter(places), 0)


def _unit(match: re.Match[str] | None) -> str:
    return _UNITS.get(match[1].lower(), match[1].lower()) if match else ""
