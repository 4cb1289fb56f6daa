"""The rule texts that a game of races starts with, as files beside this one. No Django here."""

from functools import cache
from pathlib import Path
from types import MappingProxyType

RULEBOOK = Path(__file__).parent / "rulebook"


@cache
def shipped_texts() -> MappingProxyType[str, str]:
    """The text of each shipped rule, without front matter, by title, in the files' order."""
    texts = {}
    for path in sorted(RULEBOOK.glob("*.md")):
        _, head, text = path.read_text(encoding="utf-8").split("---\n", 2)
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        texts[fields["title"]] = text.strip()
    return MappingProxyType(texts)
