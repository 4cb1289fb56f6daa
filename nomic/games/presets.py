"""The kinds of game that can be started, each a choice of rulebooks, offices and settings."""

from dataclasses import dataclass, field
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
_PROPOSALS = {"reports.hold": False, "proposals.by_hand": []}
_RACES = {**_PROPOSALS, "horses.motivate_for_the_horsened": True}

_CONTEST = {"reports.hold": False, "aceofspades.by_hand": []}

PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            name="agora-races",
            title="Agora's horse races",
            about="Eight horses, a weekly race, bets, jerseys and helmets (Agora, August 2022).",
            plays="Each week everybody bets, buys a horse or pushes one, and then the horses"
            " run; two can play.",
            rulebooks=("horses",),
            settings={"horses.motivate_for_the_horsened": True, "reports.hold": False},
        ),
        Preset(
            name="agora",
            title="Agora, August 2022",
            about="Players vote on changes of the rules, and race eight horses (Agora).",
            plays="You propose changes of the rules and vote on them for a week, and race horses"
            " meanwhile; good for a first game.",
            rulebooks=("proposals/adoption-index", "horses"),
            edition="adoption-index",
            settings=_RACES,
        ),
        Preset(
            name="agora-proposals",
            title="Agora before the races",
            about="Players vote on changes of the rules, and nothing else is there: what is played"
            " here later, they bring in by a vote.",
            plays="It begins with two rules and is whatever you make of it.",
            rulebooks=("proposals/adoption-index",),
            edition="adoption-index",
            settings=_RACES,
        ),
        Preset(
            name="b-nomic-2006",
            title="B Nomic, December 2006",
            about="All proposals of one nweek are voted on together, and some exclude or need each"
            " other (B Nomic, December 2006).",
            plays="An nweek lasts twelve days, with an agenda at its end; for those who like to"
            " plan.",
            rulebooks=("proposals/refresh-2006",),
            calendar="b-nomic",
            edition="refresh-2006",
            settings=_PROPOSALS,
        ),
        Preset(
            name="b-nomic-5e33",
            title="B Nomic, Rule 5E33",
            about="As the one of 2006, but too few votes discard a proposal (B Nomic, later).",
            plays="As before, but a proposal fails unless enough of those who have earned a say"
            " take part.",
            rulebooks=("proposals/rule-5e33",),
            calendar="b-nomic",
            edition="rule-5e33",
            settings=_PROPOSALS,
        ),
        Preset(
            name="blognomic",
            title="BlogNomic, January 2023",
            about="Proposals wait in a queue and pass as soon as enough players are for them; and"
            " there is an isle with harvests and trades.",
            plays="Quick votes, and each day something is harvested, built or traded; good for"
            " three or more.",
            rulebooks=("proposals/quorum", "settlers"),
            edition="quorum",
            settings=_PROPOSALS,
        ),
        Preset(
            name="multa",
            title="The Isle of Multa, January 2023",
            about="Settlers harvest, build and trade; a vote may bring the Thug (BlogNomic).",
            plays="You choose each day what to harvest, and bribe the visitor who comes; good"
            " for three or more.",
            rulebooks=("proposals/quorum", "settlers"),
            edition="quorum",
            settings=_PROPOSALS,
        ),
        Preset(
            name="ace-of-spades",
            title="The Ace of Spades, March 2002",
            about="A contest of cards in which regulations may be secret, until the Moment of"
            " Reckoning reveals everything (Agora).",
            plays="You collect, trade and hide cards for some weeks, and nobody knows for sure"
            " who leads.",
            rulebooks=("aceofspades",),
            settings=_CONTEST,
        ),
        Preset(
            name=DEMONSTRATION,
            title="The demonstration",
            about="Every subgame at once, at a pace at which a week lasts minutes.",
            plays="Everything can be tried at once.",
            rulebooks=("horses", "proposals/adoption-index", "settlers", "aceofspades"),
            edition="adoption-index",
            settings={**_RACES, **_CONTEST},
        ),
    )
}
