"""The kinds of game that can be started, each a choice of rulebooks, offices and settings."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Law:
    """A way in which a game of a preset may vote: the rulebooks and the edition that it begins
    with."""

    title: str
    rulebooks: tuple[str, ...]
    edition: str
    calendar: str = "agoran"


@dataclass(frozen=True, slots=True)
class Preset:
    """The beginnings of a new game: its rules, its settings and how it is played.

    `plays` says how it is played, in a sentence. `rulebooks` are the apps whose shipped rule texts
    it adopts, with the folder where an app ships several: `horses`, `proposals/quorum`. `edition`
    is that of the proposal rule. Of a preset with several `laws` by their names, a game has the
    first unless it is begun with another.
    """

    name: str
    title: str
    about: str
    rulebooks: tuple[str, ...]
    calendar: str = "agoran"
    edition: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    plays: str = ""
    laws: Mapping[str, Law] = field(default_factory=dict)

    def under(self, law: str) -> Preset:
        """The preset with that one of its laws; KeyError where it has none of that name."""
        chosen = self.laws[law]
        facts = {name: getattr(chosen, name) for name in ("rulebooks", "edition", "calendar")}
        return replace(self, **facts)


DEMONSTRATION = "demo"
_FILE = Path(__file__).with_suffix(".toml")


def _preset(name: str, facts: dict[str, Any]) -> Preset:
    laws = {
        title: Law(**law | {"rulebooks": tuple(law["rulebooks"])})
        for title, law in facts.pop("laws", {}).items()
    }
    preset = Preset(name, laws=laws, **facts | {"rulebooks": tuple(facts.get("rulebooks", ()))})
    return preset.under(next(iter(laws))) if laws else preset


PRESETS = {
    name: _preset(name, facts)
    for name, facts in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()
}

_BALLOTS = re.compile(
    r"(?<=\| QUORUM \| BALLOTS \|\n\| --- \| --- \|\n\| At least \| )[0-9]+(?= \|)"
)


def least_ballots(text: str) -> int | None:
    """How many ballots the quorum of a shipped rule text asks for; None where it asks for none."""
    match = _BALLOTS.search(text)
    return int(match[0]) if match else None


def with_least_ballots(text: str, ballots: int) -> str:
    """The shipped rule text with a quorum of so many ballots; as it is where it has none."""
    return _BALLOTS.sub(str(ballots), text)
