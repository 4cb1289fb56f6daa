"""The rule texts that games start with, a folder a kind of game. No Django here."""

from collections.abc import Mapping
from pathlib import Path

from nomic.rulebook.shipped import texts_in

RULEBOOK = Path(__file__).parent


def shipped_texts(folder: str) -> Mapping[str, str]:
    """The text of each shipped rule of that folder by its title, in the files' order."""
    return texts_in(RULEBOOK / folder, "proposals")
