"""Officers' acts: the form, what it would change, the act itself."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from nomic.engine.table import glance
from nomic.engine.take import take
from nomic.games.clock import standing_at, wall_now
from nomic.games.models import Game, Player
from nomic.operations.replay import replay
from nomic.operations.setup import new_game
from nomic.record.models import Entry
from tests.kit import Visitor, sign_in_client, tight

TO_MURPHY = {
    "amount": "3",
    "asset": "dollary",
    "giver": "Mint",
    "receiver": "Murphy",
    "reason": "a bet was lost twice",
}


def place(game: Game, name: str) -> str:
    return reverse("office:act", args=[game.slug, name])


def key_in(page: str) -> str:
    found = re.search(r'name="key" value="([^"]+)"', page)
    assert found
    return found[1]


def dollaries(game: Game, player: Player) -> int:
    return glance(Game.objects.get(pk=game.pk)).ledger.balance(player, "dollary")


def test_a_correction_is_previewed_then_made_then_on_the_record(
    game: Game, desk: Client, player: Player
) -> None:
    before, last = dollaries(game, player), Entry.objects.filter(game=game).count()
    form = desk.get(place(game, "ledger.correct"))
    key = key_in(form.text)
    preview = desk.post(place(game, "ledger.correct"), {**TO_MURPHY, "key": key})
    assert preview.status_code == 200
    assert "snail moves 3 dollaries from Mint to Murphy" in preview.text
    row = f'<td class="num">{before}</td><td class="num">{before + 3}</td>'
    assert row in tight(preview.text)
    assert dollaries(game, player) == before
    assert Entry.objects.filter(game=game).count() == last

    sent = {**TO_MURPHY, "key": key_in(preview.text), "confirmed": "yes"}
    assert desk.post(place(game, "ledger.correct"), sent).status_code == 302
    again = desk.post(place(game, "ledger.correct"), sent, follow=True)
    assert "a bet was lost twice" in again.text
    assert dollaries(game, player) == before + 3
    entry = Entry.objects.get(game=game, name="ledger.correct")
    assert (entry.kind, entry.actor.name, entry.seq) == ("officer", "snail", last + 1)


def test_a_refusal_stands_beside_the_filled_form(game: Game, desk: Client, player: Player) -> None:
    too_much = {**TO_MURPHY, "giver": "Murphy", "receiver": "Agora", "amount": "900", "key": "k"}
    for step in ({}, {"confirmed": "yes"}):
        response = desk.post(place(game, "ledger.correct"), {**too_much, **step})
        assert response.status_code == 409
        assert "This costs 900 dollaries, and Murphy has" in response.text
        assert 'value="900"' in response.text
        assert "a bet was lost twice" in response.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": "many"},
        {"amount": "-1"},
        {"amount": "9" * 40},
        {"amount": ""},
        {"asset": "unicorn"},
        {"receiver": "Wooble"},
        {"receiver": "👻\u202e"},
        {"reason": ""},
        {"reason": "x" * 301},
    ],
)
def test_what_is_misshapen_changes_nothing_and_says_why(
    wrong: dict[str, str], game: Game, desk: Client, player: Player, other_officer: Player
) -> None:
    last = Entry.objects.filter(game=game).count()
    for step in ({}, {"confirmed": "yes"}):
        response = desk.post(place(game, "ledger.correct"), {**TO_MURPHY, **wrong, **step})
        assert response.status_code == 422
        assert 'class="error"' in response.text
    assert Entry.objects.filter(game=game).count() == last


@pytest.mark.thorough
def test_a_rule_is_chosen_then_amended_with_its_differences_shown(
    game: Game, superuser: User, visit: Visitor, player: Player
) -> None:
    desk = visit(superuser)
    choose = desk.get(place(game, "rulebook.amend"))
    assert "?rule=Horse+Victory" in choose.text
    text = glance(game).rules.text("Horse Victory")
    form = desk.get(place(game, "rulebook.amend"), {"rule": "Horse Victory"})
    assert text.splitlines()[0][:40] in form.text
    amended = {
        "rule": "Horse Victory",
        "text": text + "\nHorses may wear hats.",
        "reason": "as it was adopted",
        "key": key_in(form.text),
    }
    preview = desk.post(place(game, "rulebook.amend"), amended)
    assert "<ins>Horses may wear hats.</ins>" in preview.text
    assert "hats" not in glance(Game.objects.get(pk=game.pk)).rules.text("Horse Victory")
    desk.post(place(game, "rulebook.amend"), {**amended, "confirmed": "yes"})
    assert "hats" in glance(Game.objects.get(pk=game.pk)).rules.text("Horse Victory")

    desk_page = desk.get(reverse("office:index")).text
    duty = "Keep by hand what nothing carries out in “Horse Victory”: “Horses may wear hats.”"
    assert duty in desk_page
    address = next(url for url in re.findall(r'href="([^"]+)"', desk_page) if "passage=" in url)
    first = desk.get(unescape(address)).text
    assert '<blockquote class="announces">Horses may wear hats.</blockquote>' in first
    assert "It changes nothing" in first
    waits = {"rule": "Horse Victory", "passage": "Horses may wear hats."}
    ended = {**waits, "reason": "hats are hats", "key": "c"}
    nothing = place(game, "rulebook.changes_nothing")
    assert "finds that what changed plays on as before" in desk.post(nothing, ended).text
    desk.post(nothing, {**ended, "confirmed": "yes"})
    assert duty not in desk.get(reverse("office:index")).text


def test_a_previewed_amendment_leaves_no_trace_in_what_is_played(
    game: Game, desk: Client, player: Player, act
) -> None:
    text = glance(game).rules.text("Horse Multiplier")
    broken = {"rule": "Horse Multiplier", "text": "No table.", "reason": "why not"}
    desk.post(place(game, "rulebook.amend"), broken)
    act(player, "horses.gain_dollaries")
    assert glance(Game.objects.get(pk=game.pk)).rules.text("Horse Multiplier") == text


def test_a_correction_of_the_race_shows_the_horse_before_and_after(
    game: Game, desk: Client, player: Player
) -> None:
    moved = {"horse": "Fargo", "position": "7", "reason": "miscounted"}
    preview = desk.post(place(game, "horses.correct_position"), moved)
    assert preview.status_code == 200
    assert "Fargo&#x27;s Race Position from 0 to 7" in preview.text
    assert "races" in preview.text
    assert game.races.get().runners.get(name="Fargo").position == 0


def test_what_cannot_be_undone_is_asked_in_the_preview(game: Game, desk: Client) -> None:
    preview = desk.post(place(game, "games.pause"), {"reason": "a holiday"})
    assert "Nobody can act and nothing happens until the game is resumed." in preview.text
    desk.post(place(game, "games.pause"), {"reason": "a holiday", "confirmed": "yes"})
    assert "Paused since" in desk.get(reverse("office:index")).text


def test_only_officers_acts_stand_here(game: Game, desk: Client) -> None:
    for name in ("horses.bet", "games.leave", "no.such_thing"):
        assert desk.get(place(game, name)).status_code == 404
        assert desk.post(place(game, name)).status_code == 404


def test_the_operator_acts_in_a_vacant_office(
    game: Game, player: Player, superuser: User, visit: Visitor
) -> None:
    client = visit(superuser)
    preview = client.post(place(game, "ledger.correct"), TO_MURPHY)
    assert "The operator moves 3 dollaries" in preview.text
    client.post(place(game, "ledger.correct"), {**TO_MURPHY, "confirmed": "yes"})
    assert Entry.objects.get(game=game, name="ledger.correct").actor is None


def test_names_are_typed_where_there_are_too_many_to_choose_from(
    game: Game, desk: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomic.offices.officer_actions._LONGEST_LIST", 2)
    form = desk.get(place(game, "ledger.correct"))
    assert '<input type="text" name="receiver"' in form.text
    sent = {**TO_MURPHY, "confirmed": "yes"}
    assert desk.post(place(game, "ledger.correct"), sent).status_code == 302


def test_a_preview_says_that_the_act_is_announced_first_and_waits(
    db: None, player: Player, desk: Client, game: Game
) -> None:
    game.settings = {**game.settings, "objection_hours": 24}
    game.save(update_fields=["settings"])
    preview = desk.post(place(game, "ledger.correct"), TO_MURPHY)
    assert "snail moves 3 dollaries from Mint to Murphy" in preview.text
    assert "It is announced first. It is done at 2026-03-05 12:00 UTC in the game" in preview.text
    before = dollaries(game, player)
    desk.post(place(game, "ledger.correct"), {**TO_MURPHY, "confirmed": "yes"})
    assert dollaries(game, player) == before
    assert game.motions.get().end == ""


def test_what_is_urgent_is_done_though_the_game_is_a_month_behind(superuser: User) -> None:
    with standing_at(wall_now() - timedelta(days=30)):
        game = new_game("behind", "agora-races", pace="real")[0]
        rule = game.rules.get(title="Horse Victory")
        text = f'{rule.text}\n```python\n@every("day")\ndef day():\n    say("A day.")\n```'
        amended = {"rule": rule.title, "text": text, "reason": "a test"}
        take("behind", None, "rulebook.amend", amended)
    operator = Client()
    sign_in_client(operator, superuser)
    for name, inputs in (
        ("games.switch_off_program", {"rule": rule.title}),
        ("games.pause", {}),
        ("games.close", {}),
    ):
        sent = {**inputs, "reason": "It costs too much.", "key": name, "confirmed": "yes"}
        assert operator.post(place(game, name), sent).status_code == 302, name
        assert Entry.objects.filter(game=game).latest("seq").name == name
    assert not Entry.objects.filter(game=game, kind="event").exists()
    game.refresh_from_db()
    assert replay(game)[1] is None
