"""What a close leaves behind stays small, however much was proposed."""

import json
from datetime import timedelta

import pytest

from nomic.engine.dry_run import BalanceShift
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import advance
from nomic.rulebook.changes.kinds import ByHand
from proposals.events import adopting, closing
from proposals.events.adopting import effects_to_dicts
from proposals.events.closing import json_pieces
from proposals.events.effects import Effect
from proposals.models import Errand, Proposal
from proposals.state.retally import retally
from tests.kit import WEDNESDAY, Take

WHOLE = "Give { Murphy 5 points. "  # which cannot be read, so that it is an officer's as a whole
GIFTS = "Give Murphy 1 point.\nGive Murphy 2 points.\n"


def an_effect(number: int) -> Effect:
    """An effect with all that one can have."""
    change = ByHand(why="why", sentence="s" * 2_000, start=0, end=9, group="")
    text = f"{number}\n" + "x" * 50_000
    shifts = tuple(BalanceShift(f"player{each}", "point", each, each + 1) for each in range(50))
    return Effect(change, True, "t" * 100_000, "A rule", 1, text, text.upper(), shifts)


def test_the_effects_of_one_proposal_are_stored_within_bounds() -> None:
    kept = effects_to_dicts([an_effect(number) for number in range(500)])
    assert len(kept) == 500
    assert len(json.dumps(kept)) < 1_000_000
    assert [len(kept[0][name]) for name in ("before", "after", "shifts")] == [5_001, 5_001, 50]
    assert kept[499]["shifts"] == []
    assert {kept[499][name] for name in ("before", "after")} == {"…"}


def test_results_that_are_too_long_for_one_statement_are_written_in_several() -> None:
    rows = [{"id": number, "effects": "x" * 100} for number in range(10)]
    pieces = list(json_pieces(rows, 500))
    assert [row for piece in pieces for row in json.loads(piece)] == rows
    assert len(pieces) == 3
    assert [len(json.loads(piece)) for piece in pieces] == [4, 4, 2]
    full = json_pieces(rows, sum(map(len, map(json.dumps, rows[:4]))))
    assert [len(json.loads(piece)) for piece in full] == [4, 4, 2]
    fuller = json_pieces(rows, sum(map(len, map(json.dumps, rows[:4]))) - 1)
    assert [len(json.loads(piece)) for piece in fuller] == [3, 3, 3, 1]
    assert len(list(json_pieces(rows))) == 1
    assert len(list(json_pieces(rows, 1))) == 10


class TestInAQueue:
    @pytest.fixture
    def preset(self) -> str:
        return "blognomic"

    @pytest.fixture
    def three(self, game: Game, player: Player, rival: Player, act: Take) -> list[Proposal]:
        """Three proposals of two changes each, of which the first waits for its last vote."""
        for _ in range(3):
            act(player, "proposals.submit", body=GIFTS)
        for number in (3, 2):
            for voter in (player, rival):
                act(voter, "proposals.vote", proposal=number, choice="FOR")
        act(player, "proposals.vote", proposal=1, choice="FOR")
        return list(Proposal.objects.filter(game=game).order_by("serial"))

    def test_an_entry_repeats_the_first_effects_and_counts_them_all(
        self, three: list[Proposal], rival: Player, act: Take, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(adopting, "_MOST_IN_ENTRY", 3)
        told = act(rival, "proposals.vote", proposal=1, choice="FOR").entry.outcome["results"]
        assert [len(each["effects"]) for each in told] == [2, 1, 0]
        assert [each["changes"] for each in told] == [2, 2, 2]
        assert [len(each.effects) for each in Proposal.objects.all()] == [2, 2, 2]

    def test_a_long_queue_is_told_in_part_and_summed_up(
        self, three: list[Proposal], rival: Player, act: Take, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(closing, "MOST_TOLD", 2)
        text = act(rival, "proposals.vote", proposal=1, choice="FOR").entry.text
        assert "Proposal 2:" in text
        assert "Proposal 3:" not in text
        assert text.endswith("In all 3 were decided and 3 passed.")

    def test_by_what_several_were_counted_is_said_once_and_serves_each(
        self, three: list[Proposal], game: Game, rival: Player, act: Take
    ) -> None:
        entry = act(rival, "proposals.vote", proposal=1, choice="FOR").entry
        first, *others = entry.outcome["counted_by"]
        assert first["proposals"] == ["p1"]
        assert first["players"] == ["Madrid", "Murphy"]
        assert others == [{"proposals": [name], "like": "p1"} for name in ("p2", "p3")]
        table = glance(Game.objects.get(pk=game.pk))
        for each in Proposal.objects.select_related("author"):
            assert retally(table, each) == []
        assert replay(game)[1] is None

    def test_a_long_sentence_is_left_to_the_officer_with_its_beginning(
        self, game: Game, player: Player, rival: Player, act: Take
    ) -> None:
        act(player, "proposals.submit", body=GIFTS)
        Proposal.objects.update(body=WHOLE * 1_000)
        for voter in (player, rival):
            act(voter, "proposals.vote", proposal=1, choice="FOR")
        errand = Errand.objects.get()
        assert len(errand.sentence) == 2_000
        assert errand.sentence.startswith(WHOLE)
        assert errand.sentence.endswith("… (the rest stands in the text of Proposal 1)")
        own = Proposal.objects.get()
        assert len(json.dumps(own.effects)) < 2_000
        assert len(json.dumps(game.entries.latest("seq").outcome)) < 5_000
        assert len(game.entries.latest("seq").text) < 2_000


class TestInAnNweek:
    @pytest.fixture
    def preset(self) -> str:
        return "b-nomic-2006"

    def test_an_entry_repeats_the_first_effects_of_a_common_close(
        self, game: Game, player: Player, rival: Player, act: Take, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(adopting, "_MOST_IN_ENTRY", 3)
        for _ in range(3):
            act(player, "proposals.submit", body=GIFTS)
        advance(game.slug, WEDNESDAY + timedelta(days=8))
        for number in (1, 2, 3):
            act(rival, "proposals.vote", proposal=number, choice="FOR")
        advance(game.slug, WEDNESDAY + timedelta(days=12))
        closed = game.entries.filter(outcome__has_key="results").latest("seq")
        assert [len(each["effects"]) for each in closed.outcome["results"]] == [2, 1, 0]
        assert [len(each.effects) for each in Proposal.objects.all()] == [2, 2, 2]
