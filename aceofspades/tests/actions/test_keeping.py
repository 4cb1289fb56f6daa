"""What the Contestmaster keeps by hand (Regulations 108, 112), and what the system does then."""

from __future__ import annotations

import pytest

from aceofspades.models import Proposal
from aceofspades.tests import stage
from aceofspades.tests.acts import FOR, again, refused, regulation
from nomic.games.models import Game, Player
from tests.kit import Take

pytestmark = pytest.mark.django_db

Three = tuple[Player, Player, Player]
OFFICER, SYSTEM = "the officer", "the system"
PUTTING_UP, ANNOUNCING = "putting up for vote", "announcing"


def keep(act: Take, actor: Player | None, duty: str, keeper: str = OFFICER) -> str:
    return str(act(actor, "aceofspades.keep_by_hand", duty=duty, keeper=keeper).entry.text)


@pytest.mark.thorough
def test_108_the_contestmaster_keeps_the_putting_up_and_gives_it_back(
    contest: Game, master: Player, three: Three, act: Take
) -> None:
    said = keep(act, master, PUTTING_UP)
    assert said == "snail decides that the officer keeps the putting up for vote."
    again_by_hand = refused(act, master, "keep_by_hand", duty=PUTTING_UP, keeper=OFFICER)
    assert again_by_hand[:2] == ("kept_so", "The officer keeps it already.")
    waits = stage.propose(contest, three[0])
    assert not waits.is_up
    keep(act, master, PUTTING_UP, SYSTEM)
    stage.hours(contest, 0)
    assert Proposal.objects.get().is_up
    again(contest)


@pytest.mark.thorough
def test_112_an_adoption_waits_until_the_contestmaster_announces_it(
    contest: Game, master: Player, three: Three, act: Take
) -> None:
    keep(act, master, ANNOUNCING)
    stage.vote(contest, stage.propose(contest, three[0], 500), dict.fromkeys(three, FOR))
    stage.hours(contest, 72)
    assert regulation(contest, 500) is None
    act(master, "aceofspades.announce", proposal=1)
    assert regulation(contest, 500) is not None
    again(contest)


def test_what_an_absent_contestmaster_kept_the_system_does(
    contest: Game, master: Player, three: Three, act: Take
) -> None:
    keep(act, master, PUTTING_UP)
    stage.propose(contest, three[0])
    act(master, "games.resign_office", office="Contestmaster")
    stage.hours(contest, 0)
    assert Proposal.objects.get().is_up
    vacant = refused(act, None, "keep_by_hand", duty=ANNOUNCING, keeper=OFFICER)
    assert vacant[:2] == (
        "vacant",
        "Nobody is the Contestmaster: the system keeps what it can until somebody is.",
    )
    assert refused(act, three[0], "keep_by_hand", duty=ANNOUNCING, keeper=OFFICER)[0] == (
        "not_the_officer"
    )
    again(contest)
