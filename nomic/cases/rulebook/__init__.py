"""The rule texts on cases that games start with, a folder a law. No Django here."""

from collections.abc import Mapping
from pathlib import Path

from nomic.rulebook.shipped import texts_in

RULEBOOK = Path(__file__).parent
AGORA, PLAIN = "agora", "plain"
LAWS = (AGORA, PLAIN)


def shipped_texts(law: str = AGORA) -> Mapping[str, str]:
    """The text of the shipped rule of that law by its title."""
    return texts_in(RULEBOOK / law, "cases")
