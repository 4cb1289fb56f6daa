"""The record of an entry that is made again, as far as a replay looks at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Original:
    """`programs` are the figures of programs at the entry, `read` is how each body was read, by
    what it is of. Neither is believed where it can be computed: `otherwise` collects, a sentence
    each, what comes out otherwise today though nothing is wrong with the record."""

    programs: Mapping[str, Any] = field(default_factory=dict)
    read: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    otherwise: list[str] = field(default_factory=list)

    def tell(self, sentence: str) -> None:
        """Add that to what comes out otherwise today."""
        if sentence not in self.otherwise:
            self.otherwise.append(sentence)
