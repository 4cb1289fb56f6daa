"""Who comes in at /office/, and what each of them sees there: every address, every role."""

from __future__ import annotations

import io

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from nomic.engine.take import take
from nomic.games.models import Game, Player
from nomic.offices.site import OfficeSite
from nomic.offices.urls import office
from tests.kit import sign_in_client

REPORT = "horsened"


def visit(user: User | None) -> Client:
    client = Client()
    if user:
        sign_in_client(client, user)
    return client


def addresses(site: OfficeSite, game: Game) -> list[str]:
    """Every address of the site that concerns this game, each with objects that there are."""
    found = [reverse("office:desk", args=[game.slug])]
    found += [reverse("office:paper", args=[game.slug, REPORT])]
    found += [
        reverse("office:act", args=[game.slug, name])
        for name in ("reports.publish", "ledger.correct", "rulebook.amend", "games.pause")
    ]
    for admin in site.books.values():
        name = f"office:{admin.opts.app_label}_{admin.opts.model_name}"
        path = admin.game
        rows = admin.model._default_manager.filter(**{path or "pk": game.pk})
        row = rows.filter(admin.public).first()
        if row is not None:
            found += [
                reverse(f"{name}_{page}", args=[row.pk]) for page in ("change", "history", "delete")
            ]
    return found


def lists(site: OfficeSite) -> list[str]:
    return [
        reverse(f"office:{admin.opts.app_label}_{admin.opts.model_name}_changelist")
        for admin in site.books.values()
    ]


def test_the_site_has_a_row_of_most_books_to_be_tested_with(
    game: Game, officer: Player, player: Player
) -> None:
    assert len(addresses(office, game)) > 30


@pytest.mark.thorough
def test_the_anonymous_are_sent_to_sign_in_and_come_back(game: Game, officer: Player) -> None:
    for address in [reverse("office:index"), *lists(office), *addresses(office, game)]:
        client = visit(None)
        sign_in = client.get(client.get(address).url)
        assert sign_in.status_code == 302, address
        assert sign_in.url.startswith("/accounts/login/?next=%2Foffice%2F"), address
    assert client.get(sign_in.url).status_code == 200


@pytest.mark.thorough
@pytest.mark.parametrize("who", ["an outsider", "a player"])
def test_without_an_office_everything_is_forbidden(
    who: str, game: Game, officer: Player, player: Player, outsider: User
) -> None:
    client = visit(outsider if who == "an outsider" else player.user)
    for address in [reverse("office:index"), *lists(office), *addresses(office, game)]:
        assert client.get(address).status_code == 403, address
        assert client.post(address).status_code == 403, address


@pytest.mark.thorough
def test_an_officer_finds_nothing_of_another_game(
    game: Game, officer: Player, other_game: Game, other_officer: Player
) -> None:
    client = visit(officer.user)
    for address in addresses(office, other_game):
        assert client.get(address).status_code in (403, 404), address
        assert client.post(address).status_code in (403, 404, 405), address


@pytest.mark.thorough
def test_an_officer_sees_their_own_game_and_only_it(
    game: Game, officer: Player, player: Player, other_game: Game, other_officer: Player
) -> None:
    client = visit(officer.user)
    for address in [reverse("office:index"), *lists(office)]:
        response = client.get(address)
        assert response.status_code == 200, address
        assert "Wooble" not in response.text, address
        assert "elsewhere" not in response.text, address
    for address in addresses(office, game):
        expected = 403 if address.endswith("/delete/") else 200
        assert client.get(address).status_code == expected, address


@pytest.mark.thorough
def test_a_superuser_sees_all_games(
    game: Game, officer: Player, other_game: Game, other_officer: Player, superuser: User
) -> None:
    client = visit(superuser)
    assert "elsewhere" in client.get(reverse("office:index")).text
    for address in [*lists(office), *addresses(office, game), *addresses(office, other_game)]:
        expected = 403 if address.endswith("/delete/") else 200
        assert client.get(address).status_code == expected, address


def test_who_resigned_sees_nothing_any_more(game: Game, officer: Player) -> None:
    take(game.slug, officer, "games.resign_office", {"office": "Horsened"})
    assert visit(officer.user).get(reverse("office:index")).status_code == 403


@pytest.mark.thorough
def test_nothing_can_be_added_changed_or_deleted(
    game: Game, officer: Player, superuser: User
) -> None:
    for client in (visit(officer.user), visit(superuser)):
        request = _request(client)
        for admin in office.books.values():
            name = f"office:{admin.opts.app_label}_{admin.opts.model_name}"
            assert client.get(reverse(f"{name}_add")).status_code == 403
            row = admin.get_queryset(request).first()
            if row is not None:
                changed = client.post(reverse(f"{name}_change", args=[row.pk]), {"name": "x"})
                assert changed.status_code == 403


def test_no_address_asks_about_what_the_page_does_not_show(game: Game, officer: Player) -> None:
    client = visit(officer.user)
    for question in (
        "record_entry_changelist:key__startswith=1",
        "games_player_changelist:user__password__startswith=m",
        "games_game_changelist:sealed_count__gt=0",
        "dice_period_changelist:private__exact=1",
    ):
        name, query = question.split(":")
        assert client.get(f"{reverse(f'office:{name}')}?{query}").status_code == 400, question


def test_what_is_refused_here_is_a_line_in_the_log_and_no_traceback(
    game: Game, officer: Player, outsider: User, log: io.StringIO
) -> None:
    act = reverse("office:act", args=[game.slug, "ledger.correct"])
    question = f"{reverse('office:games_player_changelist')}?user__password__startswith=m"
    assert visit(outsider).get(act).status_code == 403
    assert visit(outsider).post(act).status_code == 403
    assert visit(officer.user).get(question).status_code == 400
    assert log.getvalue().count(f"Forbidden (Permission denied): {act}") == 2
    assert "Traceback" not in log.getvalue()


def test_there_is_no_other_admin_site_and_no_way_around(game: Game, officer: Player) -> None:
    def names(patterns: list[URLPattern | URLResolver]) -> set[str]:
        return {str(each.pattern) for each in patterns}

    from nomic import urls

    assert "admin/" not in names(urls.urlpatterns)
    client = visit(officer.user)
    for gone in ("r/1/1/", "search/", "autocomplete/", "auth/user/", "horses/"):
        assert client.get(f"/office/{gone}").status_code == 404, gone
    assert client.get("/office/logout/").url == reverse("account_logout")


def _request(client: Client):  # type: ignore[no-untyped-def]
    return client.get(reverse("office:index")).wsgi_request


def test_the_pages_keep_the_sites_own_content_policy(game: Game, desk: Client) -> None:
    for address in [reverse("office:index"), *lists(office)[:2]]:
        response = desk.get(address)
        policy = response["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert " style=" not in response.text
        assert "<style" not in response.text
