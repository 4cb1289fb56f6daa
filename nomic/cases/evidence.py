"""What is named as evidence, or as a sentence that is read: found in the game, as somebody sees
it."""

from collections.abc import Sequence
from dataclasses import dataclass

from nomic.cases.fields import PASSAGE, RULE, Choice, label_of
from nomic.cases.models import Exhibit
from nomic.cases.rules import CASES
from nomic.engine.subgames import Subgame, Trace, all_subgames, in_play
from nomic.engine.table import Table
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.games.wording import enumerated
from nomic.rulebook.in_force import RuleText
from nomic.rulebook.limits import NoSuchRule
from nomic.rulebook.passages import Passage, PassageKind, fingerprint, passages_of

ENTRY = "entry"
_SAID = (PassageKind.SENTENCE, PassageKind.ITEM, PassageKind.ROW)


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A sentence, list item or row of a rule in force."""

    rule: RuleText
    passage: Passage

    @property
    def key(self) -> str:
        """By what it is known again."""
        return fingerprint(self.passage.text)


def passage_of(table: Table, title: str, words: str) -> ReadPassage | Refusal:
    """The passage of the public rule of that title, or number, which has these words."""
    try:
        rule = table.rules.find_rule(title)
    except NoSuchRule:
        return Refusal("no_such_rule", f"There is no rule “{title}” in force.", CASES)
    key = fingerprint(words)
    for passage in passages_of(rule.text):
        if passage.kind in _SAID and fingerprint(passage.text) == key:
            return ReadPassage(rule, passage)
    sentence = f"“{rule.title}” has no sentence “{words[:200]}”: quote one as it stands there."
    return Refusal("no_such_passage", sentence, CASES)


def passages_read(table: Table, chosen: Sequence[Choice]) -> list[ReadPassage] | Refusal:
    """The passages that these choices name, each once; the refusal of the first that is none."""
    passages: dict[tuple[int, str], ReadPassage] = {}
    for choice in chosen:
        passage = passage_of(table, choice[RULE], choice[PASSAGE])
        if isinstance(passage, Refusal):
            return passage
        passages.setdefault((passage.rule.pk, passage.key), passage)
    return [*passages.values()]


def exhibits(table: Table, chosen: Sequence[Choice]) -> list[Exhibit] | Refusal:
    """Rows, not saved, of what these choices name; the refusal of the first that not everybody may
    see, which says nothing of whether it is there."""
    rows = []
    for place, choice in enumerate(chosen, 1):
        row = _exhibit(table, choice)
        if isinstance(row, Refusal):
            return row
        row.place = place
        rows.append(row)
    return rows


def _exhibit(table: Table, choice: Choice) -> Exhibit | Refusal:
    if PASSAGE in choice:
        read = passage_of(table, choice[RULE], choice[PASSAGE])
        if isinstance(read, Refusal):
            return read
        return Exhibit(kind=RULE, name=read.rule.title, passage=read.passage.text)
    ((kind, name),) = choice.items()
    if kind == RULE:
        try:
            return Exhibit(kind=RULE, name=table.rules.find_rule(name).title)
        except NoSuchRule:
            return Refusal("no_such_rule", f"There is no rule “{name}” in force.", CASES)
    if kind == ENTRY:
        number = int(name) if name.isascii() and name.isdecimal() and len(name) < 10 else 0
        if table.game.entries.filter(seq=number).exists():
            return Exhibit(kind=ENTRY, evidence=number)
    elif named(table, None, kind, name) is not None:
        return Exhibit(kind=kind, name=name)
    subgame = _subgame(kind)
    if subgame is None and kind != ENTRY:
        kinds = enumerated([part.name for part in in_play(table.game)])
        sentence = f"“{kind}” is no kind of evidence: name an entry, a rule, or one of {kinds}."
        return Refusal("no_such_evidence", sentence, CASES)
    called = subgame.item_called(name) if subgame else label_of(choice)
    sentence = f"There is no {called} that everybody may see: evidence is for all."
    return Refusal("no_such_evidence", sentence, CASES)


def named(table: Table, viewer: Player | None, kind: str, name: str) -> Trace | None:
    """What the subgame of that kind has by that name, as the viewer sees it; None where there is
    nothing for them to see."""
    subgame = _subgame(kind)
    return subgame.named(table, viewer, name) if subgame else None


def _subgame(kind: str) -> Subgame | None:
    return next((part for part in all_subgames() if part.name == kind), None)
