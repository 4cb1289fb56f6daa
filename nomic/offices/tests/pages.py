"""The pages of the officers' site that tell of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from django.db.models import Model
from django.urls import reverse

from nomic.engine.actions import all_actions
from nomic.games.models import Game
from nomic.offices.urls import office

# How many of the newest rows of each book are opened: each time, or where slow tests run.
NEWEST = [pytest.param(1, marks=pytest.mark.brief), pytest.param(5, marks=pytest.mark.slow)]


def office_pages(
    game: Game, papers: Iterable[str], words: Iterable[str], newest: int, search: str = ""
) -> Iterator[str]:
    """Every page of the officers' site for the game, its papers in every form, and its books."""
    yield reverse("office:index")
    yield reverse("office:desk", args=[game.slug])
    for name in papers:
        page = reverse("office:paper", args=[game.slug, name])
        yield from (page, *(f"{page}?format={form}" for form in ("text", "html", "json", "csv")))
    for act in all_actions():
        if act.office:
            yield reverse("office:act", args=[game.slug, act.name])
    yield from book_pages(words, newest, search)


def book_pages(words: Iterable[str], newest: int, search: str = "") -> Iterator[str]:
    """Each book, what it finds by `search`, and of its rows those that hold one of these words and
    so many of the newest."""
    words = [*words]
    for admin in office.books.values():
        name = f"office:{admin.opts.app_label}_{admin.opts.model_name}"
        yield reverse(f"{name}_changelist")
        if search and admin.search_fields:
            yield reverse(f"{name}_changelist") + f"?q={search}"
        for place, row in enumerate(admin.model._default_manager.order_by("-pk")):
            if place < newest or _holds(row, words):
                yield reverse(f"{name}_change", args=[row.pk])


def _holds(row: Model, words: list[str]) -> bool:
    values = str(vars(row))
    return any(word in values for word in words)
