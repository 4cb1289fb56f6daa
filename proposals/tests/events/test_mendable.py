"""Changes after which nothing could be adopted any more: left undone, and all else is made."""

from datetime import timedelta

import pytest

from nomic.engine.subgames import find_subgame
from nomic.engine.table import Table
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from proposals.models import Errand, NweekClock, Proposal
from proposals.tests.events.room import Room
from tests.kit import WEDNESDAY

DAY = timedelta(days=1)


def enacting(title: str) -> str:
    return f"Enact a new rule titled “{title}” and the following text: {{ Nice. }}"


def adopt(room: Room, body: str, number: int = 1, units: object = ()) -> Proposal:
    """Let all three players adopt a text of this body, of which the author confirms these units."""
    room.do(room.murphy, "proposals.submit", body=body, units=units)
    period = {"agora": 7, "blognomic": 0}.get(room.game.preset, 12)
    if period == 12:
        begun = NweekClock.objects.get().began_at
        advance("room", begun + timedelta(days=8))
    for who in (room.murphy, room.madrid, room.juan):
        if Proposal.objects.get(number=number).status == "Open":
            room.do(who, "proposals.vote", proposal=number, choice="FOR")
    if period:
        opened = Proposal.objects.get(number=number).opened_at
        assert opened is not None
        advance("room", opened + timedelta(days=7 if period == 7 else 4))
    found = Proposal.objects.get(number=number)
    assert found.passed
    return found


def law(room: Room) -> dict[str, str]:
    return dict(room.game.rules.filter(repealed_in=None).values_list("title", "text"))


_LATER = pytest.mark.thorough
BEYOND_MENDING = [
    ("agora", "Repeal the rule “Proposals”.", "Without the rule “Proposals” nobody makes"),
    ("agora", "Repeal the rule “Voting”.", "Without the rule “Voting” nobody votes"),
    ("blognomic", "Repeal the rule “Proposals”.", "Without the rule “Proposals” nobody makes"),
    ("b-nomic-5e33", "Repeal the rule “Voting”.", "Without the rule “Voting” nobody votes"),
    ("b-nomic-5e33", "Repeal the rule “The Clock”.", "no vote begins or ends"),
    ("b-nomic-2006", "Repeal the rule “The Clock”.", "no vote begins or ends"),
    (
        "agora",
        "In the rule “Voting”, replace “| From distribution | 7 |” with"
        " “| From distribution | 10000 |”.",
        "“10000” under DAYS for From distribution instead of a whole number from 1 to 1000",
    ),
    (
        "agora",
        "In the rule “Voting”, replace “| From distribution | 7 |” with"
        " “| From distribution | 0 |”.",
        "“0” under DAYS for From distribution",
    ),
    (
        "agora",
        "In the rule “Voting”, replace “| Unless set otherwise | 3 |” with"
        " “| Unless set otherwise | 0 |”.",
        "With every player FOR it: Rejected",
    ),
    (
        "b-nomic-5e33",
        "In the rule “Proposals”, replace “| At least | 1 | 2 |” with “| At least | 2 | 1 |”.",
        "With every player FOR it: Discarded",
    ),
    (
        "blognomic",
        "In the rule “Proposals”, replace “| More than | 1 | 2 |” with “| More than | 2 | 2 |”.",
        "nobody is left",
    ),
    (
        "b-nomic-2006",
        "In the rule “The Clock”, replace “| An nweek | 12 | – |” with “| An nweek | 0 | – |”.",
        "“0” under NDAYS for An nweek",
    ),
    (
        "b-nomic-2006",
        "In the rule “The Clock”, replace “| An nday | 1 | 24 |” with “| An nday | 1 | 10000 |”.",
        "A vote would end after 120,000 hours",
    ),
    (
        "b-nomic-2006",
        "In the rule “Proposals”, replace “| Begins | 9 |” with “| Begins | 99 |”.",
        "“99” under NDAY for Begins",
    ),
]


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("preset", "change", "why"),
    [*BEYOND_MENDING[:3], *(pytest.param(*each, marks=_LATER) for each in BEYOND_MENDING[3:])],
)
def test_after_which_nothing_could_be_adopted_is_left_undone_alone(
    room: Room, change: str, why: str
) -> None:
    before = law(room)
    proposal = adopt(room, f"{enacting('Spoons')}\n\n{change}\n\n{enacting('Forks')}")
    assert law(room) == {**before, "Spoons": "Nice.\n", "Forks": "Nice.\n"}
    assert [effect["done"] for effect in proposal.effects] == [True, False, True]
    assert "nothing could be adopted any more" in proposal.effects[1]["sentence"]
    assert why in proposal.effects[1]["sentence"]
    assert proposal.effects[1]["refused"]
    assert not Errand.objects.exists()
    entry = room.game.entries.get(seq=proposal.closed_in)
    assert why in entry.text
    assert entry.outcome["results"][0]["by_hand"] == 0
    assert room.fresh().state == "running"
    adopt(room, enacting("Knives"), 2)
    assert "Knives" in law(room)
    assert replay(room.fresh())[1] is None


REPEAL = "Repeal the rule “Voting”."


@pytest.fixture
def agora(db: None) -> Room:
    return Room("agora")


def sentences(proposal: Proposal) -> list[str]:
    return [effect["sentence"] for effect in proposal.effects]


@pytest.mark.thorough
def test_a_rule_may_be_repealed_that_the_same_proposal_enacts_anew(agora: Room) -> None:
    text = law(agora)["Voting"].replace("| From distribution | 7 |", "| From distribution | 3 |")
    anew = f"Enact a new rule titled “Voting” and the following text: {{ {text} }}"
    proposal = adopt(agora, f"{REPEAL}\n\n{anew}")
    assert [effect["done"] for effect in proposal.effects] == [True, True]
    agora.do(agora.murphy, "proposals.submit", body=enacting("Spoons"))
    closes = Proposal.objects.get(number=2).closes_at
    assert closes is not None
    assert proposal.closes_at is not None
    assert closes - proposal.closes_at == timedelta(days=3)
    assert replay(agora.fresh())[1] is None


@pytest.mark.thorough
def test_each_of_several_such_changes_is_left_undone(agora: Room) -> None:
    bad = "\n\n".join(
        (
            REPEAL,
            enacting("Spoons"),
            "In the rule “Voting”, replace “| Unless set otherwise | 3 |” with"
            " “| Unless set otherwise | 0 |”.",
            enacting("Forks"),
            "Repeal the rule “Proposals”.",
            REPEAL,
        )
    )
    proposal = adopt(agora, bad)
    done = [effect["done"] for effect in proposal.effects]
    assert done == [False, True, False, True, False, False]
    assert replay(agora.fresh())[1] is None


def test_the_last_strength_that_a_proposal_could_pass_by_is_not_taken(agora: Room) -> None:
    names = ("Murphy", "Madrid", "juan")
    body = "\n\n".join(f"Set {name}'s Voting Strength to 0." for name in names)
    proposal = adopt(agora, body)
    assert [effect["done"] for effect in proposal.effects] == [True, True, False]
    assert "With every player FOR it" in sentences(proposal)[2]


@pytest.mark.thorough
def test_a_game_beyond_mending_obeys_any_change(db: None) -> None:
    room = Room("b-nomic-5e33")
    stamina = "| At least | 1 | 2 |"
    room.amend("Proposals", room.text("Proposals").replace(stamina, "| At least | 2 | 1 |"))
    advance("room", WEDNESDAY + timedelta(days=12))  # nobody has voted, so nobody is Vested
    proposal = adopt(room, REPEAL)
    assert sentences(proposal) == ["The rule “Voting” is repealed."]
    assert replay(room.fresh())[1] is None


@pytest.mark.thorough
def test_hundreds_of_such_changes_end_a_vote_as_well(agora: Room) -> None:
    agora.bound("tries", 10_000)
    proposal = adopt(agora, "\n\n".join([REPEAL] * 100 + [enacting("Spoons")] + [REPEAL] * 100))
    assert [at for at, effect in enumerate(proposal.effects) if effect["done"]] == [100]
    assert replay(agora.fresh())[1] is None


@pytest.mark.thorough
def test_a_change_at_which_the_program_fails_is_left_undone_alone(
    agora: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    races = find_subgame("horses")
    followed = races.rules_changed

    def fails(table: Table) -> None:
        if table.rules.in_force("Forks"):
            raise ZeroDivisionError("forks")
        followed(table)

    monkeypatch.setattr(races, "rules_changed", fails)
    body = "\n\n".join(enacting(title) for title in ("Spoons", "Forks", "Knives"))
    proposal = adopt(agora, body)
    assert [effect["done"] for effect in proposal.effects] == [True, False, True]
    assert "the program fails at it" in sentences(proposal)[1]
    assert "forks" not in sentences(proposal)[1]
    assert {"Spoons", "Knives"} <= law(agora).keys()
    assert agora.fresh().state == "running"
    assert replay(agora.fresh())[1] is None
