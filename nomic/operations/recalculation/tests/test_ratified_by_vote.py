"""A proposal that names a report's hash ratifies it, in the entry in which its vote closes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command

from nomic.engine.outcomes import Refused
from nomic.engine.take import take
from nomic.games.models import Game
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.ratification import RECORD_REPORT, asking_for, ratified
from nomic.governance.recalculation.revision import Revision, ask
from nomic.operations.recalculation.differences import balances
from nomic.operations.setup import advance
from nomic.operations.tasks import make_report
from nomic.record.models import Entry
from proposals.models import Errand, Proposal
from proposals.web.preview.preview import preview


@pytest.fixture
def bet(young: Game) -> Entry:
    return young.entries.filter(name="horses.bet").earliest("seq")


def made(game: Game, revision: Revision) -> Recalculation:
    """The report of that, as a player asks for it and the worker makes it."""
    row = ask(game, game.players.get(name="player1"), revision)
    make_report(row.pk)
    row.refresh_from_db()
    return row


def recorded(game: Game, row: Recalculation) -> str:
    """Its hash, once it is on the record."""
    text = row.report["ratifiable"]
    take(game.slug, game.players.get(name="player2"), RECORD_REPORT, {"report": text})
    game.refresh_from_db()
    return row.hash


def passed(game: Game, body: str) -> Proposal:
    """A proposal with that body, for which all vote until it is decided."""
    first = game.players.get(name="player1")
    take(game.slug, first, "proposals.submit", {"title": "Put it right", "body": body})
    proposal = Proposal.objects.filter(game=game).latest("serial")
    for player in game.players.all():
        inputs = {"proposal": f"p{proposal.serial}", "choice": "FOR"}
        take(game.slug, player, "proposals.vote", inputs)
    game.refresh_from_db()
    assert game.last_at
    advance(game.slug, game.last_at + timedelta(weeks=2))
    game.refresh_from_db()
    proposal.refresh_from_db()
    assert proposal.passed
    return proposal


def dollaries(game: Game) -> int:
    return balances(game, ())["player1"]["dollary"]


@pytest.mark.thorough
def test_what_passes_makes_it_so_and_the_record_holds(young: Game, bet: Entry) -> None:
    named = recorded(young, made(young, Revision("strike", bet.seq)))
    body = f"[He had no dollary to bet.]\n\n{asking_for(named)}"
    (seen,) = preview(young, young.players.get(name="player1"), body, {}).changes
    assert seen.done
    assert [(each.before, each.after) for each in seen.shifts] == [(11, 14)]
    assert "without entry" in seen.sentence
    before = dollaries(young)

    proposal = passed(young, body)

    assert dollaries(young) == before + 3
    (report,) = ratified(young, bet.seq)
    assert report.hash == named
    assert report.ratified_in == proposal.closed_in
    assert "is ratified: 1 balance" in young.entries.get(seq=proposal.closed_in).text
    assert young.entries.get(seq=bet.seq).hash == bet.hash
    for command in ("audit", "replay", "verify-dice"):
        call_command(command, young.slug)


@pytest.mark.thorough
def test_what_cannot_be_ratified_is_the_officers_and_says_why(young: Game, bet: Entry) -> None:
    named = recorded(young, made(young, Revision("strike", bet.seq)))
    unknown = asking_for("0a" * 32)
    passed(
        young, f"{unknown}\n\n{asking_for(named)}\n\n{asking_for(named)}\n\nGive player3 1 dollary."
    )
    first, second = Errand.objects.filter(proposal__game=young).order_by("place")
    assert first.sentence == unknown
    assert "holds no report 0a0a" in first.why
    assert "ratified already" in second.why
    assert dollaries(young) == 14


@pytest.mark.thorough
def test_of_two_that_differ_only_the_first_is_ratified(young: Game, bet: Entry) -> None:
    struck = recorded(young, made(young, Revision("strike", bet.seq)))
    less = {**bet.inputs, "dollaries": 1}
    changed = recorded(young, made(young, Revision("change", bet.seq, less)))
    passed(young, f"{asking_for(struck)}\n\n{asking_for(changed)}")
    (left,) = Errand.objects.filter(proposal__game=young)
    assert left.sentence == asking_for(changed)
    assert f"Another recalculation of entry {bet.seq} was ratified" in left.why
    assert dollaries(young) == 14


@pytest.mark.thorough
def test_what_newer_entries_have_touched_is_left_to_the_officer(young: Game, bet: Entry) -> None:
    named = recorded(young, made(young, Revision("strike", bet.seq)))
    young.races.get().bets.filter(player__name="player1").update(dollaries=2)
    passed(young, asking_for(named))
    (left,) = Errand.objects.filter(proposal__game=young)
    assert "It has changed since: the bet (race 1, player1, horse Fargo, dollaries 3)." in left.why
    assert left.sentence == asking_for(named)
    assert dollaries(young) == 11


def test_a_report_goes_on_the_record_once_and_only_as_this_site_has_made_it(
    young: Game, bet: Entry
) -> None:
    row = made(young, Revision("strike", bet.seq))
    forged = row.report["ratifiable"].replace("11,14", "11,9999")
    for text, said in ((forged, "made no such report"), ("{}", "not the text of a report")):
        with pytest.raises(Refused, match=said):
            take(young.slug, young.players.get(name="player2"), RECORD_REPORT, {"report": text})
    recorded(young, row)
    with pytest.raises(Refused, match=f"already, in entry {young.last_entry}"):
        recorded(young, row)


@pytest.mark.thorough
def test_what_was_ratified_stays_so_in_a_past_without_an_older_act(young: Game, bet: Entry) -> None:
    passed(young, asking_for(recorded(young, made(young, Revision("strike", bet.seq)))))
    gain = young.entries.filter(name="horses.gain_dollaries", actor__name="player2").earliest("seq")
    report = made(young, Revision("strike", gain.seq)).report
    changed = {each["path"]: each for each in report["differences"]}
    assert "player1 › dollary" not in changed
    assert "player2 › dollary" in changed
