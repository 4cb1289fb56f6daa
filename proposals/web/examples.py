"""The forms of changes that are read, each as an example that can be copied into a proposal."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from nomic.engine.programs.gallery import gallery, races
from nomic.engine.subgames import shipped_in
from nomic.engine.table import Table
from nomic.ledger.models import SCORE, AssetKind


@dataclass(frozen=True, slots=True)
class Example:
    """A change: its effect in words, and its text. `verb` is that of the change it is read as."""

    does: str
    written: str
    verb: str


_FILE = Path(__file__).with_name("examples.toml")
EXAMPLES = [Example(**columns) for columns in tomllib.loads(_FILE.read_text("utf-8"))["examples"]]
_LAWS = {
    "cases/agora": "Cases, as Agora judges them",
    "cases/plain": "Cases, in a plain way for friends",
    "documents": "Documents, which everybody reads",
    "documents/undoubted": "Reports that become true when nobody doubts them",
    "contracts": "Contracts, which bind their parties and may own assets",
    "proposals/agoran-intents": "Acts that are announced first, acts for others, and elections",
    "proposals/agoran-deputies": "Deputies of offices that are late or vacant",
}
_OURS = "Silver Spoons"
_NEW = ("enact", "")


def programmed(table: Table) -> list[Example]:
    """Rules that carry programs, about the currencies of that game, as far as it has so many, and
    the races where it has nothing that is called as they call theirs."""
    currencies = table.ledger.public_assets(AssetKind.CURRENCY)
    currencies.sort(key=lambda asset: (asset.name == SCORE, asset.pk))
    names = [(asset.name, asset.plural) for asset in currencies]
    pieces = [
        Example(piece.title, piece.as_proposed(names), "enact")
        for piece in gallery()
        if piece.currencies <= len(names)
    ]
    together = races()
    if table.game.assets.filter(name__in=together.assets).exists():
        return pieces
    return [*pieces, Example(together.title, together.as_proposed(), "enact")]


def shipped_laws(table: Table) -> list[Example]:
    """Laws that are shipped and of which that game has another text or none, each as changes that
    adopt it."""
    laws = []
    for rulebook, does in _LAWS.items():
        changes, verb = [], "enact"
        for shipped in shipped_in((rulebook,)):
            rule = table.rules.find(shipped.title) if table.rules.in_force(shipped.title) else None
            text = shipped.text.strip()
            if rule is None:
                new = f"Enact a new rule titled “{shipped.title}” with the following text:"
                changes.append(f"{new}\n{{\n{text}\n}}")
            elif rule.text.strip() != text:
                changes.append(f"Amend the rule “{rule.title}” to read:\n{{\n{text}\n}}")
                verb = "amend"
        if changes:
            laws.append(Example(does, "\n\n".join(changes), verb))
    return laws


def examples(rule: str = "", *, classes: bool = False) -> list[Example]:
    """The examples, those that change a rule with the title of a rule that there is; that of a
    transmutation where rules have classes."""
    possible = [example for example in EXAMPLES if classes or example.verb != "transmute"]
    if not rule or any(mark in rule for mark in '“”"{}'):
        return possible
    return [
        example
        if example.verb in _NEW
        else replace(example, written=example.written.replace(f"“{_OURS}”", f"“{rule}”"))
        for example in possible
    ]
