"""What is sealed is recalculated for nobody; what has become open is everybody's."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from aceofspades.secrecy.reader import hand_of
from aceofspades.state.reading import state_of
from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.ratification import misfit
from nomic.governance.recalculation.revision import (
    MOST_AWAITING_OF_PLAYER,
    CannotRecalculate,
    Revision,
    ask,
    may_await,
)
from nomic.notices.models import Outgoing
from nomic.operations import tasks
from nomic.operations.recalculation.report import RecalculationReport, recalculate
from nomic.operations.setup import advance, new_game
from nomic.operations.tasks import make_report
from settlers.tests import sealed as isle
from tests.kit import WEDNESDAY, Take, seat
from tests.tampering.games import visited, voted_in_secret

_VOTING, _CLOSED = WEDNESDAY + timedelta(days=8), WEDNESDAY + timedelta(days=12)


def bribed() -> Game:
    """The Thug is on the isle, and Murphy has told a bribe."""
    game = isle.thugs_isle()
    isle.act(game, "snail", "settlers.correct_visitor", visitor="Thug", reason="their turn")
    isle.act(game, "Murphy", "settlers.bribe", items={"wheat": 1})
    return game


PLAYED = [
    (bribed, "settlers", "settlers.join"),
    (voted_in_secret, "proposals", "proposals.submit"),
]
_SEEN = "| While voting lasts | yes |"


@pytest.fixture
def preset() -> str:
    return "b-nomic-5e33"


@pytest.fixture
def secret(game: Game, player: Player, act: Take) -> Game:
    """A game in which a vote goes on whose ballots are sealed; nobody has cast one."""
    text = game.rules.get(title="Voting").text.replace(_SEEN, _SEEN.replace("yes", "no"))
    take(game.slug, None, "rulebook.amend", {"rule": "Voting", "text": text, "reason": "secrecy"})
    act(player, "proposals.submit", title="Spoons", body="Spoons are nice.")
    advance(game.slug, _VOTING)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def sealed(secret: Game, rival: Player, act: Take) -> Game:
    """The same after the rival has cast one."""
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    return Game.objects.get(pk=secret.pk)


def test_a_report_does_not_tell_whether_somebody_has_acted_in_private(
    secret: Game, player: Player, rival: Player, act: Take
) -> None:
    submitted = secret.entries.get(name="proposals.submit")
    joined = secret.entries.filter(name="games.join", actor=rival).get()

    def answers() -> list[RecalculationReport]:
        return [recalculate(secret, Revision("strike", seq)) for seq in (submitted.seq, joined.seq)]

    before = answers()
    act(rival, "proposals.vote", proposal=1, choice="AGAINST")
    secret.refresh_from_db()
    after = answers()
    assert [report.left_out for report in before] == [("proposals",), ()]
    assert [report.hidden for report in before] == [(), ("proposals",)]
    for report, report_after in zip(before, after, strict=True):
        assert report_after.steps == report.steps
        assert report_after.differences == report.differences
        assert report_after.hidden == report.hidden


def test_while_something_is_sealed_what_is_public_is_recalculated_without_it(
    sealed: Game,
) -> None:
    submitted = sealed.entries.get(name="proposals.submit")
    report = recalculate(sealed, Revision("strike", submitted.seq))
    assert [step.entry for step in report.steps if step.went == "struck"] == [submitted.seq]
    assert {"proposals"} <= {difference.part for difference in report.differences}
    assert "AGAINST" not in json.dumps(report.plain())
    for moment in (_VOTING, _CLOSED):
        advance(sealed.slug, moment)
        refusal = misfit(glance(Game.objects.get(pk=sealed.pk)), report.ratifiable)
        assert refusal
        assert "in private in “proposals” is not in this report" in refusal.sentence
    opened = recalculate(Game.objects.get(pk=sealed.pk), Revision("strike", submitted.seq))
    assert (opened.left_out, "left_out" in opened.ratifiable) == ((), False)


def test_while_something_is_sealed_nobody_learns_what_would_be_without_it(
    sealed: Game, rival: Player
) -> None:
    joined = sealed.entries.filter(name="games.join", actor=rival).get()
    report = recalculate(sealed, Revision("strike", joined.seq))
    assert report.hidden == ("proposals",)
    assert "AGAINST" not in json.dumps(report.plain())
    assert {"players"} <= {each.part for each in report.differences}
    assert "proposals" not in {each.part for each in report.differences}


def test_a_private_act_is_put_in_by_nobody(sealed: Game, player: Player) -> None:
    last = sealed.entries.latest("seq")
    vote = {"proposal": 1, "choice": "FOR"}
    with pytest.raises(CannotRecalculate, match="in private in “proposals” is sealed"):
        recalculate(sealed, Revision("insert", last.seq, vote, "proposals.vote", player.name))


@pytest.mark.django_db
def test_an_act_with_a_sealed_side_is_not_struck_and_says_why() -> None:
    game, _ = new_game("aces", "ace-of-spades", pace="manual", start=WEDNESDAY)
    giver, receiver = (seat(game, name) for name in ("Murphy", "Madrid"))
    for player in (giver, receiver):
        take("aces", player, "aceofspades.join")
    hand = hand_of(state_of(glance(Game.objects.get(pk=game.pk))), giver)
    suit = next(suit for suit, count in hand.items() if count)
    given = take("aces", giver, "aceofspades.transfer", {"to": "Madrid", "cards": {suit: 1}}).entry
    assert "cards" not in given.inputs, "its suits are in the sealed book"
    game.refresh_from_db()
    for revision in (
        Revision("strike", given.seq),
        Revision("change", given.seq, {"to": "Madrid", "cards": {suit: 2}}),
    ):
        asked = ask(game, giver, revision)
        assert "in private in “aceofspades” is sealed" in asked.refusal
        assert asked.awaits == ["aceofspades"], "it is made when all of that has been opened"


def test_what_is_open_is_recalculated(sealed: Game) -> None:
    advance(sealed.slug, _CLOSED)
    sealed.refresh_from_db()
    submitted = sealed.entries.get(name="proposals.submit")
    report = recalculate(sealed, Revision("strike", submitted.seq))
    closed = sealed.entries.get(name="proposals.voting_closes")
    assert report.hidden == ()
    assert {submitted.seq, closed.seq} <= {step.entry for step in report.steps}
    assert "proposals" in {each.part for each in report.differences}


@pytest.mark.django_db
@pytest.mark.parametrize(("play", "part", "name"), PLAYED, ids=[part for _, part, _ in PLAYED])
def test_what_was_opened_counts_and_what_is_sealed_does_not(
    play: Callable[[], Game], part: str, name: str
) -> None:
    game = Game.objects.get(pk=play().pk)
    assert game.sealed_entries.filter(opened_in=None).exclude(name__startswith="record.").exists()
    struck = game.entries.filter(name=name).latest("seq")
    report = recalculate(game, Revision("strike", struck.seq))
    assert report.left_out == (part,)
    assert report.steps[0].entry == struck.seq
    assert part in {difference.part for difference in report.differences}


@pytest.mark.django_db
def test_what_became_public_of_what_is_sealed_still_has_to_wait() -> None:
    game = Game.objects.get(pk=visited().pk)  # a bribe was paid, and is not opened yet
    joined = game.entries.filter(name="settlers.join").latest("seq")
    with pytest.raises(CannotRecalculate, match="in private in “settlers” is sealed"):
        recalculate(game, Revision("strike", joined.seq))


def asked_for(game: Game, player: Player, revision: Revision) -> Recalculation:
    asked = ask(game, player, revision)
    make_report(asked.pk)
    asked.refresh_from_db()
    return asked


@pytest.mark.thorough
def test_what_was_sealed_is_recalculated_after_the_opening_by_itself_and_once(
    sealed: Game, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is public at once, and the rest when the vote is over; who asked is told of it."""
    handed: list[int] = []
    monkeypatch.setattr(tasks.recalculate, "delay", handed.append)
    submitted = sealed.entries.get(name="proposals.submit")
    public = asked_for(sealed, player, Revision("strike", submitted.seq))
    assert public.report["left_out"] == public.awaits == ["proposals"]
    last = sealed.entries.latest("seq")
    vote = {"proposal": 1, "choice": "FOR"}
    voted = Revision("insert", last.seq, vote, "proposals.vote", player.name)
    covered = asked_for(sealed, player, voted)
    assert covered.report is None
    assert covered.refusal.endswith("and who asked is told then.")
    tasks.recalculate_opened()
    assert handed == [], "the vote goes on"
    advance(sealed.slug, _CLOSED)
    tasks.recalculate_opened()
    assert sorted(handed) == [public.pk, covered.pk]
    for key in (*handed, *handed):  # handed over twice, each is made once
        make_report(key)
    for asked in (public, covered):
        asked.refresh_from_db()
        assert (asked.awaits, asked.refusal, asked.report["left_out"]) == ([], "", [])
    told = Outgoing.objects.filter(kind="answer").values_list("to", "url")
    urls = [f"/g/{sealed.slug}/recalculations/{asked.pk}/" for asked in (public, covered)]
    assert sorted(told) == [([player.pk], url) for url in urls]
    handed.clear()
    tasks.recalculate_opened()
    assert handed == []


def test_one_that_ends_its_worker_each_time_is_given_up_and_told(
    sealed: Game, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever made it is killed: no exception is caught and nothing is written."""
    last = sealed.entries.latest("seq")
    vote = {"proposal": 1, "choice": "FOR"}
    voted = Revision("insert", last.seq, vote, "proposals.vote", player.name)
    asked = asked_for(sealed, player, voted)
    assert asked.awaits == ["proposals"]
    advance(sealed.slug, _CLOSED)
    killed = []

    def kill(*_: object) -> None:
        killed.append(asked.pk)
        raise SystemExit

    monkeypatch.setattr(tasks.report, "recalculate", kill)
    for _ in range(5):
        with pytest.raises(SystemExit):
            make_report(asked.pk)
    make_report(asked.pk)
    asked.refresh_from_db()
    assert len(killed) == 5
    assert (asked.awaits, asked.report) == ([], None)
    assert "the worker ended before it was done" in asked.refusal
    assert Outgoing.objects.filter(kind="answer", to=[player.pk]).exists()


def test_no_player_takes_all_places_of_those_that_wait(
    sealed: Game, player: Player, rival: Player
) -> None:
    for count in range(MOST_AWAITING_OF_PLAYER):
        assert may_await(sealed, player), count
        sealed.recalculations.create(
            by=player, revision={}, asked_at=WEDNESDAY, refusal="later", awaits=["proposals"]
        )
    assert not may_await(sealed, player)
    assert may_await(sealed, rival)
