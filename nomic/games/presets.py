"""The kinds of game that can be started, each a choice of rulebooks, offices and settings."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Preset:
    """What a new game begins with. `rulebooks` are the apps whose shipped rule texts it adopts."""

    name: str
    title: str
    about: str
    rulebooks: tuple[str, ...]
    calendar: str = "agoran"
    edition: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            name="agora-races",
            title="Agora's horse races",
            about="Eight horses, a weekly race, bets, jerseys and helmets (Agora, August 2022).",
            rulebooks=("horses",),
            settings={"horses.motivate_for_the_horsened": True, "reports.hold": False},
        ),
        Preset(
            name="demo",
            title="The demonstration",
            about="Every subgame at once, at a pace at which a week lasts minutes.",
            rulebooks=("horses",),
            settings={"horses.motivate_for_the_horsened": True, "reports.hold": False},
        ),
    )
}
