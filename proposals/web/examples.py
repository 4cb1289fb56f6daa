"""The forms of changes that are read, each as an example that can be copied into a proposal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nomic.engine.programs.gallery import gallery, races
from nomic.engine.table import Table
from nomic.ledger.models import SCORE, AssetKind


@dataclass(frozen=True, slots=True)
class Example:
    """What it does, in words, and how it is written. `verb` is that of the change it is read as."""

    does: str
    written: str
    verb: str


EXAMPLES = (
    Example(
        "A new rule",
        "Enact a new rule titled “Silver Spoons” with the following text:\n"
        "{\nEach player has a silver spoon.\n}",
        "enact",
    ),
    Example(
        "Another text for a rule",
        "Replace the text of the rule “Silver Spoons” with:\n{\nEach player has two.\n}",
        "replace text",
    ),
    Example(
        "Another passage in a rule",
        "In the rule “Silver Spoons”, replace “two” with “three”.",
        "replace passage",
    ),
    Example(
        "Words behind a passage, or before it",
        "In the rule “Silver Spoons”, after “two”, insert “or three”.",
        "insert",
    ),
    Example(
        "A paragraph at a rule's end",
        "Append the following paragraph to the rule “Silver Spoons”:\n{\nSpoons are kept.\n}",
        "append",
    ),
    Example(
        "More bullet points",
        "To the bullet list in the rule “Silver Spoons”, add the following:\n"
        "* Spoons are polished on Mondays.",
        "add bullets",
    ),
    Example(
        "More rows of a table",
        "To the table in the rule “Silver Spoons”, add the following rows:\n| Ladle | 3 |",
        "add rows",
    ),
    Example(
        "A subrule",
        "Add a subrule to the rule “Silver Spoons” titled “Forks” with the following text:\n"
        "{\nA fork is no spoon.\n}",
        "add subrule",
    ),
    Example("The end of a rule", "Repeal the rule “Silver Spoons”.", "repeal"),
    Example("Another title", "Retitle the rule “Silver Spoons” to “Golden Spoons”.", "retitle"),
    Example("Another number", "Renumber the rule “Silver Spoons” to 42.", "renumber"),
    Example("Points, or any currency", "Give Murphy 5 points.", "give"),
    Example("Taking it away", "Take 2 points from Murphy.", "take"),
    Example("From one to another", "Transfer 3 points from Murphy to Madrid.", "transfer"),
    Example("Destroying it", "Destroy 1 point owned by Murphy.", "destroy"),
    Example("All that there is of it", "Destroy all points.", "destroy"),
    Example("A thing of which there is one", "Give Alexia to Murphy.", "hand over"),
    Example("More of something, or less", "Increase Murphy's points by 3.", "change by"),
    Example("A balance", "Set Murphy's points to 10.", "set switch"),
    Example("A switch of the game", "Set Alexia's Race Position to 3.", "set switch"),
    Example(
        "Several under a title",
        "{\n__Cutlery__\nRepeal the rule “Forks”.\nGive each player 1 point.\n}",
        "repeal",
    ),
    Example(
        "A comment, which changes nothing", "/* This is for those who read the proposal. */", ""
    ),
)


_OURS = "Silver Spoons"
_NEW = ("enact", "")


def programmed(table: Table) -> list[Example]:
    """Rules that carry programs, about the currencies of that game, as far as it has so many, and
    the races where it has nothing that is called as they call theirs."""
    found = table.ledger.public_assets(AssetKind.CURRENCY)
    found.sort(key=lambda asset: (asset.name == SCORE, asset.pk))
    names = [(asset.name, asset.plural) for asset in found]
    pieces = [
        Example(piece.title, piece.as_proposed(names), "enact")
        for piece in gallery()
        if piece.currencies <= len(names)
    ]
    together = races()
    if table.game.assets.filter(name__in=together.assets).exists():
        return pieces
    return [*pieces, Example(together.title, together.as_proposed(), "enact")]


def examples(rule: str = "") -> list[Example]:
    """The examples, those that change a rule with the title of a rule that there is."""
    if not rule or any(mark in rule for mark in '“”"{}'):
        return list(EXAMPLES)
    return [
        each
        if each.verb in _NEW
        else replace(each, written=each.written.replace(f"“{_OURS}”", f"“{rule}”"))
        for each in EXAMPLES
    ]
