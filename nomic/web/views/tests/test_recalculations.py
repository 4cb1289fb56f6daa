"""The pages of recalculations: asked for by players, made elsewhere, shown to everybody."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Game, Player
from nomic.governance.models import Recalculation
from nomic.governance.recalculation.ratification import (
    RATIFY,
    RECORD_REPORT,
    changes_in_words,
    parsed,
)
from nomic.governance.recalculation.revision import note_progress
from nomic.operations.tasks import make_report
from nomic.record.models import Entry
from tests.kit import Take, Visitor, at_the_table, on_one_line, tight


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
    assert f"balances: {player}, dollary" in page
    assert " › " not in page
    assert "horses.gain_dollaries" not in page
    row.refresh_from_db()
    assert row.report is not None
    changes = changes_in_words(glance(game), parsed(row.report["ratifiable"])["makes"])
    assert f"the weekly race action of {player} in the week of " in " ".join(changes)
    for words in changes:
        assert f"<li>{escape(words)}</li>" in page
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
    about = visit().get(reverse("motion", args=[game.slug, motion.number])).text
    assert f'href="{address}"' in about
    held = glance(game).ledger.balance(player, "dollary")
    assert f"has {held - 4} dollaries and not {held}" in game.entries.get(seq=motion.entry).text
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
    theirs, bet = visit(player), {"entry": gained.seq, "verb": "insert", "action": "horses.bet"}
    wrong = {
        "There is no entry 999": {"entry": 999, "verb": "strike"},
        "without it there is no game": {"entry": 1, "verb": "strike"},
        "Choose an action": {"entry": gained.seq, "verb": "insert", "action": "horses.no_such"},
        "Fill this in": {**bet, "act-horse": "Fargo"},
        "A bet is of one of": {**bet, "act-horse": "Fargo", "act-dollaries": "three"},
    }
    for sentence, form in wrong.items():
        answer = asked_by(theirs, game, **form)
        assert answer.status_code == 422
        assert sentence in answer.text
    forged = asked_by(theirs, game, entry=gained.seq, verb="undo")
    assert forged.status_code == 422
    assert "undo is not one of the available choices" in forged.text
    assert asked_by(theirs, game, entry="x", verb="strike").status_code == 422
    address = reverse("recalculations", args=[game.slug])
    assert "The record has no entry 999" in theirs.get(address, {"entry": 999}).text
    assert asked_by(visit(), game, entry=gained.seq, verb="strike").status_code == 302
    assert asked_by(visit(outsider), game, entry=gained.seq, verb="strike").status_code == 302
    assert visit().get(reverse("recalculation", args=[game.slug, 77])).status_code == 404
    assert not Recalculation.objects.exists()


def test_an_act_is_done_otherwise_by_a_form_like_its_own(
    game: Game, player: Player, act: Take, visit: Visitor
) -> None:
    bet = act(player, "horses.bet", horse="Fargo", dollaries=2).entry
    theirs, address = visit(player), reverse("recalculations", args=[game.slug])
    page = tight(theirs.get(address, {"entry": bet.seq}).text)
    assert '<option value="Fargo" selected>' in page
    assert '<option value="2" selected>' in page
    sent = {"entry": bet.seq, "verb": "change", "act-horse": "Alexia", "act-dollaries": "1"}
    same = asked_by(theirs, game, **{**sent, "act-horse": "Fargo", "act-dollaries": "2"})
    assert same.status_code == 422
    assert f"Entry {bet.seq} has these inputs: change one of them." in same.text
    assert same.text.count('name="act-horse"') == 1, "nothing is put in"
    assert asked_by(theirs, game, **sent).status_code == 302
    row = Recalculation.objects.get()
    assert row.revision == {
        "change": bet.seq,
        "inputs": {"horse": "Alexia", "dollaries": 1, "via_alexia": False},
    }
    make_report(row.pk)
    row.refresh_from_db()
    assert row.refusal == ""
    assert "Alexia" in row.report["steps"][0]["now"]


def test_an_act_is_put_in_for_somebody_by_its_own_form(
    game: Game, gained: Entry, player: Player, rival: Player, visit: Visitor
) -> None:
    theirs, address = visit(player), reverse("recalculations", args=[game.slug])
    chosen = theirs.get(address, {"entry": gained.seq, "action": "horses.bet"}).text
    assert 'name="act-dollaries"' in chosen
    sent = {"entry": gained.seq, "verb": "insert", "action": "horses.bet", "actor": rival.name}
    bet = {"act-horse": "Fargo", "act-dollaries": "1"}
    assert asked_by(theirs, game, **sent, **bet).status_code == 302
    inserted = {"name": "horses.bet", "actor": rival.name}
    inputs = {"horse": "Fargo", "dollaries": 1, "via_alexia": False}
    wanted = {"insert": {**inserted, "inputs": inputs}, "after": gained.seq}
    assert Recalculation.objects.get().revision == wanted


def test_what_cannot_be_struck_is_not_offered_and_says_why(
    game: Game, gained: Entry, player: Player, visit: Visitor
) -> None:
    with at_the_table(game) as table:
        table.appointments.make("games.motion", table.now, "7/1")
    event = game.entries.exclude(kind__in=("action", "officer")).latest("seq")
    address = reverse("recalculations", args=[game.slug])
    for number, reason in ((1, "Entry 1 is the game&#x27;s beginning"), (event.seq, "Entry")):
        page = on_one_line(visit(player).get(address, {"entry": number}).text)
        assert reason in page
        assert "as if this had never happened" not in page
    page = on_one_line(visit(player).get(address, {"entry": gained.seq}).text)
    assert "as if this had never happened" in page


def test_of_two_reports_of_one_entry_the_list_says_which_is_ratified(
    game: Game, player: Player, visit: Visitor
) -> None:
    for letter in "ab":
        game.recalculations.create(
            by=player,
            revision={"strike": 2},
            asked_at=wall_now(),
            hash=letter * 64,
            report={"ratifiable": letter},
        )
    game.recorded_reports.create(
        hash="b" * 64, text="b", revised=2, entry=1, ratified_in=game.last_entry
    )
    page = on_one_line(visit().get(reverse("recalculations", args=[game.slug])).text)
    assert page.count("<strong>ratified</strong>") == 1
