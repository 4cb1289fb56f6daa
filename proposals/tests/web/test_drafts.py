"""Drafts: kept for their player alone, and no part of the game."""

import io
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from nomic.engine import watch
from nomic.engine.digest import state_of
from nomic.engine.subgames import all_subgames
from nomic.engine.table import glance
from nomic.games.models import Game, Player
from nomic.offices.urls import office
from nomic.operations.exports import export_game
from nomic.operations.setup import new_game
from nomic.record.models import Entry
from proposals.actions.players import LONGEST_BODY
from proposals.models import Draft, Proposal
from proposals.web import sheet as drafts
from tests.kit import WEDNESDAY, Take, Visitor, seat, user_of

ALL = "/g/table/proposals/"
NEW, PREVIEW, DRAFTS = f"{ALL}new/", f"{ALL}preview/", f"{ALL}drafts/"
CANARY = "the canary sings at dawn"
SPOONS = {"title": "Spoons", "body": "[Spoons are nice.]"}


@pytest.fixture
def preset() -> str:
    return "agora-proposals"


def hidden(client: Client, path: str = NEW) -> dict[str, str]:
    """The hidden fields of the form, as a browser would send them back."""
    page = client.get(path).content.decode()
    fields = r'<input type="hidden" name="(key|window|seen|proposal)" value="([^"]*)"'
    return dict(re.findall(fields, page))


def the_draft() -> Draft:
    return Draft.objects.get()


def test_what_is_typed_is_saved_with_the_preview_and_found_again_on_another_device(
    player: Player, visit: Visitor, htmx: Visitor
) -> None:
    form = hidden(visit(player))
    answer = htmx(player).post(PREVIEW, {**form, **SPOONS, "conflicts": "12, p"})
    assert "Saved as a draft" in answer.content.decode()
    assert answer["HX-Replace-Url"] == f"{DRAFTS}{the_draft().pk}/"
    page = visit(player).get(answer["HX-Replace-Url"]).content.decode()
    assert 'value="Spoons"' in page
    assert "Spoons are nice." in page
    assert 'value="12, p"' in page


def test_typing_on_saves_the_same_draft(player: Player, visit: Visitor, htmx: Visitor) -> None:
    form = hidden(visit(player))
    for body in ("S", "Sp", "Spoons"):
        htmx(player).post(PREVIEW, {**form, "body": body})
    assert the_draft().body == "Spoons"


def test_a_button_saves_without_javascript(player: Player, visit: Visitor) -> None:
    client = visit(player)
    answer = client.post(NEW, {**hidden(client), **SPOONS, "do": "save"}, follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain[0][0] == f"{DRAFTS}{the_draft().pk}/"
    assert "Saved as a draft. Nobody but you sees it." in page
    again = {**hidden(client, answer.redirect_chain[0][0]), **SPOONS, "title": "More spoons"}
    client.post(answer.redirect_chain[0][0], {**again, "do": "save"})
    assert the_draft().title == "More spoons"


def test_an_empty_form_is_no_draft(player: Player, visit: Visitor, htmx: Visitor) -> None:
    htmx(player).post(PREVIEW, {**hidden(visit(player)), "title": " ", "body": "\n"})
    assert not Draft.objects.exists()
    answer = visit(player).post(NEW, {**hidden(visit(player)), "do": "save"})
    assert answer.status_code == 409
    assert "There is nothing to save yet." in answer.content.decode()


def test_a_submitted_draft_is_gone_and_a_late_save_does_not_bring_it_back(
    player: Player, visit: Visitor, htmx: Visitor
) -> None:
    client = visit(player)
    form = {**hidden(client), **SPOONS}
    htmx(player).post(PREVIEW, form)
    assert client.post(NEW, {**form, "do": "submit"}).status_code == 302
    assert not Draft.objects.exists()
    htmx(player).post(PREVIEW, form)
    assert not Draft.objects.exists()


def test_a_save_that_overlaps_the_submission_leaves_nothing(
    game: Game, player: Player, act: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = drafts.Written(SPOONS, "a" * 12, "b" * 12)
    save = Draft.save

    def submitted_meanwhile(draft: Draft, *args: Any, **kwargs: Any) -> None:
        save(draft, *args, **kwargs)
        act(player.user, "proposals.submit", key="a" * 12, **SPOONS)

    monkeypatch.setattr(Draft, "save", submitted_meanwhile)
    assert drafts.save_draft(player, written) is None
    assert not Draft.objects.exists()


def test_two_windows_do_not_overwrite_each_other(
    player: Player, visit: Visitor, htmx: Visitor
) -> None:
    client = visit(player)
    first = {**hidden(client), **SPOONS}
    htmx(player).post(PREVIEW, first)
    address = f"{DRAFTS}{the_draft().pk}/"
    second = {**hidden(client, address), **SPOONS, "body": "From the second window."}
    assert second["key"] == first["key"]
    assert "Saved" in htmx(player).post(PREVIEW, second).content.decode()
    answer = htmx(player).post(PREVIEW, {**first, "body": "From the first."}).content.decode()
    assert "changed in another window" in answer
    assert the_draft().body == "From the second window."
    client.post(NEW, {**first, "body": "From the first.", "do": "another"})
    assert {each.body for each in Draft.objects.all()} == {
        "From the second window.",
        "From the first.",
    }


def test_one_draft_is_submitted_once_from_however_many_windows(
    game: Game, player: Player, visit: Visitor, htmx: Visitor
) -> None:
    client = visit(player)
    first = {**hidden(client), **SPOONS}
    htmx(player).post(PREVIEW, first)
    second = {**hidden(client, f"{DRAFTS}{the_draft().pk}/"), **SPOONS}
    for form in (first, second):
        assert client.post(NEW, {**form, "do": "submit"})["Location"] == f"{ALL}1/"
    assert Proposal.objects.filter(game=game).count() == 1


@pytest.fixture
def kept(player: Player) -> Draft:
    written = drafts.Written({"title": CANARY, "body": f"{CANARY} {{"}, "a" * 12, "b" * 12)
    draft = drafts.save_draft(player, written)
    assert draft is not None
    return draft


@pytest.mark.thorough
def test_nobody_else_ever_gets_a_draft(
    kept: Draft, game: Game, rival: Player, outsider: User, visit: Visitor, htmx: Visitor
) -> None:
    boss = user_of("boss")
    boss.is_superuser = boss.is_staff = True
    boss.save()
    for who in (rival, outsider, boss, None):
        client = visit(who)
        for path in (f"{DRAFTS}{kept.pk}/", DRAFTS, NEW, ALL, "/g/table/", "/settings/"):
            assert CANARY not in client.get(path, follow=True).content.decode(), (who, path)
    assert visit(rival).get(f"{DRAFTS}{kept.pk}/").status_code == 404
    assert visit(rival).post(f"{DRAFTS}{kept.pk}/delete/").status_code == 404
    taken = {
        "key": "a" * 12,
        "window": "c" * 12,
        "seen": kept.saved_at.isoformat(),
        "body": "Mine.",
    }
    htmx(rival).post(PREVIEW, taken)
    kept.refresh_from_db()
    assert CANARY in kept.body


def test_a_player_of_two_games_has_each_ones_drafts_there(
    kept: Draft, player: Player, visit: Visitor
) -> None:
    other = new_game("other", "agora-proposals", pace="manual", start=WEDNESDAY)[0]
    seat(other, "Murphy")
    answer = visit(player).get(f"/g/other/proposals/drafts/{kept.pk}/")
    assert answer.status_code == 404


def test_a_draft_is_no_part_of_the_game(
    kept: Draft, game: Game, player: Player, visit: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    game.refresh_from_db()
    before = (watch.mark(game.pk), game.last_entry, Entry.objects.count(), state_of(game))
    caplog.set_level("DEBUG")
    drafts.save_draft(player, drafts.Written({"body": f"{CANARY} again"}, "d" * 12))
    game.refresh_from_db()
    after = (watch.mark(game.pk), game.last_entry, Entry.objects.count(), state_of(game))
    assert before == after
    file = io.StringIO()
    export_game(game, file)
    assert CANARY not in file.getvalue()
    shown = [each.state(glance(game), player) for each in all_subgames() if each.is_on(game)]
    assert shown
    assert CANARY not in json.dumps(shown)
    assert Draft not in office.books
    assert not [record for record in caplog.records if record.name != "django.db.backends"]


def test_drafts_are_listed_and_deleted(kept: Draft, player: Player, visit: Visitor) -> None:
    client = visit(player)
    assert CANARY in client.get(DRAFTS).content.decode()
    page = client.post(f"{DRAFTS}{kept.pk}/delete/", follow=True).content.decode()
    assert "The draft is deleted." in page
    assert "You have no drafts." in page
    assert client.get(f"{DRAFTS}{kept.pk}/").status_code == 404


def test_there_is_an_end_to_drafts(kept: Draft, player: Player, settings: Any) -> None:
    settings.BOUNDS = {"written_of_player": 3}
    for number in range(2):
        drafts.save_draft(player, drafts.Written(SPOONS, f"key-number-{number}"))
    with pytest.raises(drafts.NotKept, match="You have 3 drafts"):
        drafts.save_draft(player, drafts.Written(SPOONS, "one-too-many"))
    again = drafts.save_draft(player, drafts.Written(SPOONS, "a" * 12, "b" * 12))
    assert again is not None
    assert again.title == "Spoons"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"body": "x" * (LONGEST_BODY + 1)}, "a proposal at most 200,000"),
        ({"body": "x" * 1_000_000}, "1,000,000 characters"),
        ({"title": "x" * 121, "body": "y"}, "at most 120 characters"),
        ({"title": "two\nlines", "body": "y"}, "one line"),
        ({"body": "nul \0 inside"}, "invisible control characters"),
        ({"body": "back \u202e wards"}, "invisible control characters"),
        ({"body": "y", "conflicts": "1" * 3_000}, "at most 2000 characters"),
    ],
)
def test_what_cannot_be_kept_is_told_and_not_kept(
    values: dict[str, str], said: str, player: Player, visit: Visitor, htmx: Visitor
) -> None:
    answer = htmx(player).post(PREVIEW, {**hidden(visit(player)), **values})
    assert answer.status_code == 200
    assert said in answer.content.decode()
    assert not Draft.objects.exists()


def test_a_revision_has_a_draft_of_its_own(
    game: Game, player: Player, rival: Player, act: Take, visit: Visitor, htmx: Visitor
) -> None:
    act(player, "proposals.submit", **SPOONS)
    Proposal.objects.filter(game=game).update(status="Pending", opened_in=None)
    address = f"{ALL}1/revise/"
    client = visit(player)
    form = {**hidden(client, address), **SPOONS, "body": "[Spoons are better.]"}
    answer = htmx(player).post(PREVIEW, form)
    assert "HX-Replace-Url" not in answer
    page = client.get(address).content.decode()
    assert "Spoons are better." in page
    assert "not sent yet" in page
    assert "Spoons are nice." in client.get(f"{address}?afresh=yes").content.decode()
    assert client.get(f"{DRAFTS}{the_draft().pk}/")["Location"] == address
    assert visit(rival).get(address).status_code == 404
    assert htmx(rival).post(PREVIEW, form).status_code == 404
    answer = client.post(address, {**form, "do": "submit"})
    assert answer["Location"] == f"{ALL}1/"
    assert Proposal.objects.get(game=game).body == "[Spoons are better.]"
    assert not Draft.objects.exists()
