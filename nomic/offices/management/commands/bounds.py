"""`manage.py bounds`: all bounds, as docs/scaling.md has them."""

from typing import Any

from django.core.management.base import BaseCommand

from nomic.games.bounds import GameBound, SiteBound, game_bounds, site_bounds


class Command(BaseCommand):
    help = "Prints all bounds as the tables of docs/scaling.md."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(tables())


def tables() -> str:
    """Every bound, in Markdown: those of games, and those of the site."""
    of_games = ["| a game's own bound | at most | of | why |", "| --- | --- | --- | --- |"]
    of_site = [
        "| the site's bound | at most | of | why | setting |",
        "| --- | --- | --- | --- | --- |",
    ]
    of_games += [
        f"| `{bound.name}` | {_most(bound)} | {bound.subject} | {bound.cause} |"
        for bound in game_bounds()
    ]
    of_site += [
        f"| `{bound.name}` | {_most(bound)} | {bound.subject} | {bound.cause} | `{bound.setting}` |"
        for bound in site_bounds()
    ]
    return "\n".join([*of_games, "", *of_site])


def _most(bound: GameBound | SiteBound) -> str:
    figure = bound.most if isinstance(bound, GameBound) else bound.usual
    return f"{figure:,g} {bound.unit}" if figure < 1e6 else f"{int(figure):,} {bound.unit}"
