"""The pages of recalculations: asked for by players, made elsewhere, shown to everybody."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.ratification import RATIFY, RECORD_REPORT
from nomic.governance.recalculation.revision import note_progress
from nomic.operations.tasks import make_report
from nomic.record.models import Entry
from tests.kit import Take, Visitor, on_one_line, tight


@pytest.fixture
def gained(game: Game, player: Player, act: Take) -> Entry:
    """An act that somebody may doubt."""
    return act(player, "horses.gain_dollaries").entry


def asked_by(client: Client, game: Game, **form: object) -> HttpResponse:
    return client.post(reverse("recalculations", args=[game.slug]), form)


@pytest.mark.thorough
def test_a_player_asks_and_everybody_reads_the_report(
    game: Game, gained: Entry, player: Player, visit: Visitor
) -> None:
    theirs = visit(player)
    page = theirs.get(reverse("entry", args=[game.slug, gained.seq])).text
    assert f"?entry={gained.seq}#ask" in page
    form = theirs.get(reverse("recalculations", args=[game.slug]), {"entry": gained.seq}).text
    assert f'value="{gained.seq}"' in form

    assert asked_by(theirs, game, entry=gained.seq, verb="strike").status_code == 302

    row = Recalculation.objects.get()
    address = reverse("recalculation", args=[game.slug, row.pk])
    assert "about to begin" in on_one_line(visit().get(address).text)
    note_progress(row.pk, 5, 9)
    assert "5 of 9 acts" in visit().get(address).text
    assert "Another recalculation" in asked_by(theirs, game, entry=gained.seq, verb="strike").text

    make_report(row.pk)

    page = visit().get(address).text
    assert f"{player} › dollary" in page
    assert "Propose to ratify" not in page
    assert "Propose to ratify" in theirs.get(address).text
    report = visit().get(address, {"format": "json"}).json()
    assert report["hash"] == Recalculation.objects.get().hash
    assert visit().get(address, {"format": "text"}).text == report["ratifiable"]


@pytest.mark.thorough
def test_the_report_is_ratified_from_its_page_and_the_entry_says_so(
    game: Game, gained: Entry, player: Player, rival: Player, visit: Visitor
) -> None:
    asked_by(visit(player), game, entry=gained.seq, verb="strike")
    row = Recalculation.objects.get()
    make_report(row.pk)
    row.refresh_from_db()
    address = reverse("recalculation", args=[game.slug, row.pk])
    form = {"report": row.report["ratifiable"], "key": "k", "back": address}
    visit(player).post(reverse("act", args=[game.slug, RATIFY]), form)
    motion = game.motions.get()
    assert str(motion) in visit().get(address).text
    assert "Propose to ratify" not in visit(rival).get(address).text
    assert f"without entry {gained.seq}" in visit().get(reverse("motions", args=[game.slug])).text
    for each in game.players.exclude(pk=player.pk):
        motion.refresh_from_db()
        if not motion.end:
            take(game.slug, each, "games.support", {"motion": motion.number})
    motion.refresh_from_db()
    assert motion.end == "done"
    page = visit().get(reverse("entry", args=[game.slug, gained.seq])).text
    assert f"entry {motion.ended_in}" in tight(page)


@pytest.mark.thorough
@pytest.mark.parametrize("preset", ["agora"])
def test_a_report_that_is_on_the_record_says_how_a_proposal_names_it(
    game: Game, gained: Entry, player: Player, visit: Visitor
) -> None:
    asked_by(visit(player), game, entry=gained.seq, verb="strike")
    row = Recalculation.objects.get()
    make_report(row.pk)
    row.refresh_from_db()
    address = reverse("recalculation", args=[game.slug, row.pk])
    assert "This one is not there yet" in visit().get(address).text
    form = {"report": row.report["ratifiable"], "key": "k", "back": address}
    visit(player).post(reverse("act", args=[game.slug, RECORD_REPORT]), form)
    page = visit().get(address).text
    assert f"Ratify recalculation {row.hash}." in page
    game.refresh_from_db()
    assert f"/record/{game.last_entry}/" in page


def test_bad_requests_get_a_sentence_and_change_nothing(
    game: Game, gained: Entry, player: Player, outsider: User, visit: Visitor
) -> None:
    theirs = visit(player)
    wrong = {
        "There is no entry 999": {"entry": 999, "verb": "strike"},
        "without it there is no game": {"entry": 1, "verb": "strike"},
        "a JSON object": {"entry": gained.seq, "verb": "change", "inputs": "[1]"},
        "Enter a valid JSON": {"entry": gained.seq, "verb": "change", "inputs": "{"},
        "nested too deeply": {"entry": gained.seq, "verb": "change", "inputs": "[" * 100_000},
        "what no report can": {"entry": gained.seq, "verb": "change", "inputs": '{"a": NaN}'},
        "that no text has": {"entry": gained.seq, "verb": "change", "inputs": '{"a": "\\u0000"}'},
        "which action happened": {"entry": gained.seq, "verb": "insert", "inputs": "{}"},
    }
    for sentence, form in wrong.items():
        answer = asked_by(theirs, game, **form)
        assert answer.status_code == 422
        assert sentence in answer.text
    assert asked_by(visit(), game, entry=gained.seq, verb="strike").status_code == 302
    assert asked_by(visit(outsider), game, entry=gained.seq, verb="strike").status_code == 302
    assert visit().get(reverse("recalculation", args=[game.slug, 77])).status_code == 404
    assert not Recalculation.objects.exists()


def test_what_cannot_be_played_again_says_why(
    game: Game, gained: Entry, player: Player, visit: Visitor
) -> None:
    asked_by(
        visit(player), game, entry=gained.seq, verb="insert", name="horses.no_such", inputs="{}"
    )
    row = Recalculation.objects.get()
    make_report(row.pk)
    page = visit().get(reverse("recalculation", args=[game.slug, row.pk])).text
    assert "There is no action" in page
    assert "Nothing that anybody sees would differ" in page
