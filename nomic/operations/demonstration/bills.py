"""What the demonstration's players propose, and how they vote on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from settlers.rulebook import protection_money

FOR, AGAINST, PRESENT = "FOR", "AGAINST", "PRESENT"
THE_LAST_WEEK = -1


@dataclass(frozen=True, slots=True)
class Bill:
    """A proposal submitted in the week of that number (0 is the first; -1 is the last one).

    `votes` are cast in the order in which they stand here. Links are numbers of earlier ones.
    """

    week: int
    author: str
    title: str
    body: str
    votes: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)
    conflicts: tuple[int, ...] = ()
    dependencies: tuple[int, ...] = ()


AT_THE_RACES = (
    Bill(
        week=0,
        author="Murphy",
        title="A welcome for newcomers",
        body="""Whoever sits down at this table late should not stand there with empty pockets.

Enact a new rule with the title "Newcomers" and the following text:

{
A player who joins while a race is under way is a newcomer until that race ends. The Horsened
greets each newcomer by name in the next weekly report, and explains the odds to them.
}

Give snail 2 points.
""",
        votes={
            "Murphy": FOR,
            "Madrid": FOR,
            "juan": FOR,
            "snail": "ENDORSE Murphy",
            "Jason": PRESENT,
            "ais523": FOR,
        },
        comments={"ais523": "The points are for the report that snail wrote without being asked."},
    ),
    Bill(
        week=0,
        author="Jason",
        title="Protection Money",
        body=protection_money(),
        votes={
            "Jason": FOR,
            "ais523": FOR,
            "juan": FOR,
            "Madrid": FOR,
            "Murphy": AGAINST,
            "snail": FOR,
        },
        comments={
            "Murphy": "I have a Farm to build and nothing to spare.",
            "Jason": "Then pay more than somebody else.",
        },
    ),
    Bill(
        week=1,
        author="Jason",
        title="Enough of the betting",
        body="""Bets have made us greedy.

Repeal the rule "Horse Victory".
""",
        votes={
            "Jason": FOR,
            "Murphy": AGAINST,
            "snail": AGAINST,
            "Madrid": AGAINST,
            "ais523": FOR,
            "juan": "ENDORSE Madrid",
        },
        comments={
            "Madrid": "Then nobody would win anything, and nothing would start anew.",
            "Jason": "That is the point.",
        },
    ),
    Bill(
        week=2,
        author="juan",
        title="Sugar is no outsider any more",
        body="""Sugar has come in first too often for odds like these.

In the rule "Horse Multiplier", replace "| Sugar | 9 | 8 | 7 | 1 | 0 |" with
"| Sugar | 7 | 6 | 5 | 1 | 0 |".

The Assessor SHALL tell the bookmakers of it.
""",
        votes={"juan": FOR, "Murphy": FOR, "snail": FOR, "ais523": AGAINST, "Jason": PRESENT},
    ),
    Bill(
        week=THE_LAST_WEEK,
        author="Madrid",
        title="A prize for the patient",
        body="""In the rule "Weekly Race Actions", replace "| By announcement | 4 |" with
"| By announcement | 5 |".

Give each player 1 point.
""",
        votes={"Madrid": FOR, "Murphy": FOR, "Jason": AGAINST},
        comments={"Jason": "Five dollaries for doing nothing? I am against it."},
    ),
    Bill(
        week=THE_LAST_WEEK,
        author="ais523",
        title="Ghosts on the track",
        body="""Enact a new rule with the title "The Ghost" and the following text:

{
On a stormy night a ghost runs along. It has no Race Position, pays nothing, and is not to be
bet on. The Horsened says in the weekly report whether it has been seen.
}
""",
    ),
)

IN_THE_NWEEK = (
    Bill(
        week=0,
        author="Peter",
        title="Points for a start",
        body="Give each player 3 points.\n\nGive Peter 2 points.\n",
        votes={"Peter": FOR, "Wonko": FOR, "Rosa": FOR, "Iris": "ABSTAIN"},
    ),
    Bill(
        week=0,
        author="Rosa",
        title="No points for anybody",
        body='Enact a new rule titled "Modesty" and the following text:\n\n'
        "{ Points are not spoken of. }\n",
        votes={"Rosa": FOR, "Iris": FOR, "Peter": AGAINST},
        conflicts=(1,),
    ),
    Bill(
        week=0,
        author="Iris",
        title="An appendix to modesty",
        body='In the rule "Modesty", replace "not spoken of" with "whispered of".\n',
        votes={"Iris": FOR, "Rosa": FOR, "Wonko": FOR},
        dependencies=(2,),
    ),
    Bill(
        week=1,
        author="Wonko",
        title="A shorter nweek",
        body='In the rule "The Clock", replace "| An nweek | 12 | – |" with'
        ' "| An nweek | 10 | – |".\n',
        votes={"Wonko": FOR, "Iris": AGAINST},
        comments={"Iris": "I like long nweeks."},
    ),
    Bill(
        week=1,
        author="Peter",
        title="A longer Voting",
        body='In the rule "Proposals", replace "| Begins | 9 |" with "| Begins | 7 |".\n',
        votes={"Peter": FOR},
        conflicts=(4,),
    ),
)
