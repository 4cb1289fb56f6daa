"""An answer that the caller has already is not told again; what differs always is."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from nomic.engine.take import take
from nomic.games.models import SEEN_BY, Game, Player
from nomic.testing import user_of
from nomic.web.models import Token
from nomic.web.tokens import make_token

READ = ("", "/record", "/record/opened", "/rules", "/machinery", "/balances", "/dice", "/reports")
READ = (*READ, "/actions", "/witness", "/horses")


def ask(game: Game, part: str, known: str = "", **headers: str) -> Any:
    headers |= {"If-None-Match": known} if known else {}
    return Client().get(f"/api/v1/games/{game.slug}{part}", headers=headers)


@pytest.mark.parametrize("part", READ)
def test_what_the_caller_has_is_not_told_again_until_it_is_otherwise(
    part: str, game: Game, player: Player
) -> None:
    Game.objects.filter(pk=game.pk).update(pace="manual", rate=0)  # so that `now` stands still
    first = ask(game, part)
    assert first.status_code == 200, first.content
    again = ask(game, part, f"W/{first['ETag']}")
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert again["Nomic-Head"] == first["Nomic-Head"]
    assert again["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= set(again["Vary"].split(", "))
    take(game.slug, player, "horses.bet", {"horse": "Fargo", "dollaries": 1})
    then, whole = ask(game, part, first["ETag"]), ask(game, part)
    assert then.status_code == (200 if whole.content != first.content else then.status_code)
    assert then.status_code == 200 or then["ETag"] == whole["ETag"]
    assert (part not in ("/record", "/balances", "/horses")) or then.status_code == 200


def test_the_record_that_one_has_costs_a_look_at_the_game(
    game: Game, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    known = ask(game, "/record")["ETag"]
    with django_assert_max_num_queries(2):  # the game, and its newest head
        assert ask(game, "/record", known).status_code == 304


def test_who_may_see_it_no_more_is_not_told_that_it_is_the_same(game: Game) -> None:
    user = user_of("a program")
    token, plain = make_token(user, "a program")
    headers = {"Authorization": f"Bearer {plain}"}
    known = ask(game, "/record", **headers)["ETag"]
    assert ask(game, "/record", known, **headers).status_code == 304
    Game.objects.filter(pk=game.pk).update(settings={**game.settings, SEEN_BY: "link"})
    assert ask(game, "/record", known, **headers).status_code == 404
    Token.objects.filter(pk=token.pk).delete()
    assert ask(game, "/record", known, **headers).status_code == 401


def test_what_one_sees_is_no_tag_for_another(game: Game, player: Player) -> None:
    _, plain = make_token(player.user, "a program")
    own = ask(game, "/actions", Authorization=f"Bearer {plain}")
    assert ask(game, "/actions", own["ETag"]).status_code == 200
