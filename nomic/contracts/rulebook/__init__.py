"""The rule text on contracts that a game starts with. No Django here."""

from functools import partial
from pathlib import Path

from nomic.rulebook.shipped import texts_in

RULEBOOK = Path(__file__).parent
# The text of the shipped rule by its title.
shipped_texts = partial(texts_in, RULEBOOK, "contracts")
