"""What stands on the Contestmaster's desk."""

from __future__ import annotations

import pytest

from aceofspades.rules.marks import mark
from aceofspades.tests.acts import AGAINST, FOR
from aceofspades.tests.asking import do
from aceofspades.tests.conftest import Three
from aceofspades.tests.office.desk import A_LOT, CANARY, MANY, SECRET
from aceofspades.tests.stage import (
    enact,
    give_cards,
    propose,
    vote,
)
from nomic.games.models import Game, Player
from tests.kit import around


@pytest.fixture
@around
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker has counted whatever it is asked."""
    monkeypatch.setattr("aceofspades.secrecy.scoring.ask", mark)


@pytest.fixture
def told(contest: Game, three: Three, master: Player) -> Game:
    """Something hidden of every kind: hands, votes, offers, pacts, alliances, texts, transfers,
    notices, tabled acts."""
    murphy, madrid, alexia = three
    give_cards(contest, murphy, Mauve=2, Red=MANY + A_LOT)
    do(murphy, "transfer", to="Madrid", cards={"Red": A_LOT})
    enact(contest, 345, SECRET, "secret")
    do(murphy, "propose", number=500, text=f"Private {CANARY}.", visibility="private")
    do(master, "propose", number=501, text=f"Secret {CANARY}.", visibility="secret")
    propose(contest, madrid, 502)
    vote(contest, propose(contest, alexia, 503), {murphy: FOR, madrid: AGAINST})
    do(murphy, "offer", to=["Madrid"], gives={"Red": A_LOT}, takes={"Mauve": 1}, anonymous=True)
    do(murphy, "ally", others=["Madrid"])
    do(madrid, "ally", others=["Murphy"])
    do(alexia, "ally", others=["Madrid"])
    do(murphy, "request_judgement", text="Was that right?")
    do(master, "hint", regulation=345, hint=f"It is about {CANARY}.")
    contest.refresh_from_db()
    return contest
