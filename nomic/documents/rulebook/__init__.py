"""The rule text on documents that a game starts with. No Django here."""

from functools import partial
from pathlib import Path

from nomic.rulebook.shipped import texts_in

RULEBOOK = Path(__file__).parent
UNDOUBTED = "undoubted"  # the folder of the rule that not every game has
# The texts of the shipped rules by their titles.
shipped_texts = partial(texts_in, RULEBOOK, "documents")
shipped_undoubted = partial(texts_in, RULEBOOK / UNDOUBTED, "documents")
