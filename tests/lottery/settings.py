"""The site with a lottery: what a subgame of the house's own has in the house's own files.

`INSTALLED_APPS` stands in nomic/settings.py, the preset in nomic/games/presets.toml and the address
in nomic/urls.py.
"""

from nomic.games.presets import PRESETS, Preset
from tests.settings import *  # noqa: F403
from tests.settings import INSTALLED_APPS as THE_HOUSE

_AFTER = THE_HOUSE.index("aceofspades") + 1
INSTALLED_APPS = [*THE_HOUSE[:_AFTER], "tests.lottery", *THE_HOUSE[_AFTER:]]
ROOT_URLCONF = "tests.lottery.site_urls"
PRESETS["lottery"] = Preset(
    name="lottery",
    title="A weekly lottery",
    about="Tickets, a pot, and a draw at the start of each week.",
    rulebooks=("lottery",),
    settings={"reports.hold": False},
)
