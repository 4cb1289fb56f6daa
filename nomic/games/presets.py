"""The kinds of game that can be started, each a choice of rulebooks, offices and settings."""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Preset:
    """What a new game begins with.

    `plays` says how it is played, in a sentence. `rulebooks` are the apps whose shipped rule texts
    it adopts, with the folder where an app ships several: `horses`, `proposals/quorum`. `edition`
    is that of the proposal rule.
    """

    name: str
    title: str
    about: str
    rulebooks: tuple[str, ...]
    calendar: str = "agoran"
    edition: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    plays: str = ""


DEMONSTRATION = "demo"
_FILE = Path(__file__).with_suffix(".toml")
PRESETS = {
    name: Preset(name, **facts | {"rulebooks": tuple(facts["rulebooks"])})
    for name, facts in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()
}

_BALLOTS = re.compile(
    r"(?<=\| QUORUM \| BALLOTS \|\n\| --- \| --- \|\n\| At least \| )[0-9]+(?= \|)"
)


def least_ballots(text: str) -> int | None:
    """How many ballots the quorum of a shipped rule text asks for; None where it asks for none."""
    found = _BALLOTS.search(text)
    return int(found[0]) if found else None


def with_least_ballots(text: str, ballots: int) -> str:
    """The shipped rule text with a quorum of so many ballots; as it is where it has none."""
    return _BALLOTS.sub(str(ballots), text)
