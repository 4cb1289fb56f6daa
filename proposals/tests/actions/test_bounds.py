"""What players put in has its bounds: met exactly, passed by one, and a thousand times."""

from collections.abc import Callable
from typing import Any

import pytest

from nomic.engine import take
from nomic.engine.outcomes import Refused
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.rulebook.changes import reading
from proposals.models import Comment, Errand, Proposal, Version, Vote
from tests.kit import Take, Visitor

Bound = Callable[[str, int], None]
GIFT = "Give each player 1 point.\n"


@pytest.fixture
def preset() -> str:
    return "b-nomic-5e33"


@pytest.fixture
def bound(act: Take) -> Bound:
    def bound(name: str, most: int) -> None:
        act(None, "games.set_bound", bound=name, most=most, reason="as it is tried")

    return bound


def refused(act: Take, player: Player, name: str, **inputs: Any) -> str:
    """With which sentence this is refused, and that nothing has changed."""
    before = Proposal.objects.count(), Version.objects.count(), Comment.objects.count()
    with pytest.raises(Refused) as why:
        act(player, name, **inputs)
    assert why.value.refusal.code == "too_much"
    assert before == (Proposal.objects.count(), Version.objects.count(), Comment.objects.count())
    return why.value.refusal.sentence


def test_a_body_is_at_most_so_long(player: Player, act: Take, bound: Bound, game: Game) -> None:
    bound("body", 10)
    act(player, "proposals.submit", body="x" * 10)
    for more in (11, 10_000):
        said = refused(act, player, "proposals.submit", body="x" * more)
        assert said == (
            f"The text of a proposal has at most 10 bytes of UTF-8, and this would be {more:,}."
        )
        refused(act, player, "proposals.revise", proposal=1, title="", body="x" * more)
    assert replay(game)[1] is None


@pytest.mark.parametrize("name", ["proposals.submit", "proposals.revise"])
def test_a_body_is_read_before_the_game_is_locked(
    player: Player, act: Take, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    happened: list[str] = []
    reads, locks = reading._Reading.read, take.locked_game

    def read(self: reading._Reading) -> Any:
        happened.append("read")
        return reads(self)

    def lock(**which: Any) -> Any:
        happened.append("locked")
        return locks(**which)

    act(player, "proposals.submit", body="Before.")
    monkeypatch.setattr(reading._Reading, "read", read)
    monkeypatch.setattr(take, "locked_game", lock)
    of = {"proposal": 1} if name == "proposals.revise" else {}
    act(player, name, body=f"Nothing that {name} has read.\r\n", title="", **of)
    assert happened == ["read", "locked"]


def test_a_proposal_has_at_most_so_many_changes(player: Player, act: Take, bound: Bound) -> None:
    bound("changes", 2)
    act(player, "proposals.submit", body=GIFT * 2)
    for more in (3, 400):
        assert "at most 2 changes" in refused(act, player, "proposals.submit", body=GIFT * more)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "most", "fits", "is_own"),
    [
        ("proposals_of_player", 2, "x", True),
        ("waiting_of_player", 20, "x" * 10, True),
        ("proposals", 2, "x", False),
        ("waiting", 20, "x" * 10, False),
    ],
)
def test_so_much_waits_for_the_end_of_a_vote(
    player: Player, rival: Player, act: Take, bound: Bound, name: str, most: int, fits: str,
    is_own: bool,
) -> None:  # fmt: skip
    bound(name, most)
    for _ in range(2):
        act(player, "proposals.submit", body=fits)
    assert "whose vote has not ended" in refused(act, player, "proposals.submit", body="x")
    if is_own:
        act(rival, "proposals.submit", body="x")
    else:
        refused(act, rival, "proposals.submit", body="x")
    bound(name, 1)  # what is there beyond it stays, and cannot grow
    act(player, "proposals.revise", proposal=1, title="", body=fits)
    if fits != "x":
        refused(act, player, "proposals.revise", proposal=1, title="", body=f"{fits}x")
    act(player, "proposals.withdraw", proposal=1)
    assert Proposal.objects.exclude(status="Historical").exists()


def test_versions_and_comments_are_counted(player: Player, rival: Player, act: Take, bound: Bound):
    bound("versions", 2)
    bound("remarks_of_player", 1)
    bound("remarks", 2)
    for name, inputs in (("submit", {}), ("revise", {"proposal": 1, "title": ""})):
        act(player, f"proposals.{name}", body="x", **inputs)
    said = refused(act, player, "proposals.revise", proposal=1, title="", body="x")
    assert said == "A proposal has at most 2 versions, and this would be 3."
    for who in (player, rival):
        act(who, "proposals.comment", proposal=1, text="So it is.")
        refused(act, who, "proposals.comment", proposal=1, text="So it is.")
    act(player, "proposals.submit", body="y")
    act(player, "proposals.comment", proposal=2, text="Another.")


class TestVotes:
    @pytest.fixture
    def preset(self) -> str:
        return "agora"

    def test_a_mind_is_changed_so_often(self, player: Player, act: Take, bound: Bound) -> None:
        bound("votes", 2)
        act(player, "proposals.submit", body="x")
        for choice in ("FOR", "AGAINST"):
            act(player, "proposals.vote", proposal=1, choice=choice)
        with pytest.raises(Refused, match="at most 2 votes"):
            act(player, "proposals.vote", proposal=1, choice="FOR")
        assert Vote.objects.count() == 2


def test_a_form_says_the_sentence_and_keeps_what_was_written(
    player: Player, act: Take, bound: Bound, visit: Visitor
) -> None:
    bound("changes", 2)
    client = visit(player)
    answer = client.post("/g/table/act/proposals.submit/", {"title": "T", "body": GIFT * 3})
    assert answer.status_code == 409
    assert "A proposal has at most 2 changes, and this would be 3." in answer.content.decode()
    assert not Errand.objects.exists()
