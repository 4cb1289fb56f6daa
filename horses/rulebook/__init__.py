"""The rule texts that a game of races starts with, as files beside this one. No Django here."""

from functools import partial
from pathlib import Path

from nomic.rulebook.shipped import texts_in

RULEBOOK = Path(__file__).parent
# The text of each shipped rule by its title, in the files' order.
shipped_texts = partial(texts_in, RULEBOOK, "horses")
