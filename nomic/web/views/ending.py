"""How a game, or a season of it, ended: who won what, how its rules changed, what turned it."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models import Count, Max, Min, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from nomic.engine.outcomes import NoticeKind
from nomic.engine.subgames import in_play
from nomic.games.models import Game
from nomic.games.wins import win_sentence
from nomic.governance.hosting.acts import CLOSE
from nomic.notices.mail import adds_to_letters
from nomic.notices.models import Notice
from nomic.notices.outbox import one_line
from nomic.notices.reminders import entries_of_week
from nomic.record.game_file import published
from nomic.record.models import Entry
from nomic.rulebook.models import Rule, RuleVersion
from nomic.web.game_context import GamePage, open_game, rule_url
from nomic.web.panels import Season, highlights, seasons_of
from nomic.web.views.home import standings_of

_MOST = 50  # rules, wins and turning points that are told
_TOLD_OF_A_SEASON = 8  # turning points, and rules that changed
_MOST_SEASONS = 200  # that a season's page leads to
_A_DAY = 86_400  # seconds
_LONGEST_LINE = 300  # characters of an entry's text in a letter


@dataclass(frozen=True, slots=True)
class Fate:
    """The fate of a rule from the game's first entry to its last."""

    title: str
    url: str
    change: str


@require_safe
def ending(request: HttpRequest, slug: str) -> HttpResponse:
    """The page of a game that is over; one that goes on leads to its home."""
    game_page = open_game(request, slug)
    game = game_page.game
    if not game.is_closed:
        return redirect("game", slug)
    return game_page.draw("web/home/end.html", **told_at_its_end(game_page))


def told_at_its_end(game_page: GamePage) -> dict[str, Any]:
    """What is told of a game that is over: who won, the rules' fates, what turned it."""
    game = game_page.game
    fates, kinds = _fates(game_page)
    wins = list(game.wins.select_related("player").order_by("-entry")[:_MOST])
    return {
        "closing": game.entries.filter(name=CLOSE).order_by("-seq").first(),
        "began": game.entries.order_by("seq").first(),
        "wins": wins,
        "fates": fates[:_MOST],
        "more": max(len(fates) - _MOST, 0),
        "kinds": kinds,
        "turning_points": _turning_points(game, {win.entry for win in wins}, (1, game.last_entry)),
        "standings": standings_of(game_page),
        "published": published(game),
    }


def _fates(game_page: GamePage) -> tuple[list[Fate], Counter[str]]:
    """The public rules that came, changed or went, and how many of each; `stayed` are the rest."""
    rules = game_page.game.rules.filter(visibility="public").defer("text").order_by("position")
    rules = rules.annotate(since=Min("versions__enacted_in"))
    fates, kinds = [], Counter[str]()
    for rule in rules:
        times, is_first = rule.version - 1, rule.since == 1
        change = f"amended {'once' if times == 1 else f'{times} times'}" if times else ""
        if rule.repealed_in is not None:
            kind = "repealed" if is_first else "came_and_went"
            change = f"repealed in entry {rule.repealed_in}"
        elif is_first:
            kind = "amended" if times else "stayed"
        else:
            kind = "enacted"
            change = f"enacted in entry {rule.enacted_in}, {change}".removesuffix(", ")
        kinds[kind] += 1
        if change:
            fates.append(Fate(rule.title, _address(game_page, rule), change))
    return fates, kinds


def _address(game_page: GamePage, rule: Rule) -> str:
    url = rule_url(game_page.game, rule.title, rule.pk)
    return f"{url}?from=1&to={rule.version}" if rule.version > 1 else url


@require_safe
def season(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The page of a season of the game: unless one is named, that which was just won, else that
    which goes on. 404 for none."""
    game_page = open_game(request, slug)
    game, seasons = game_page.game, seasons_of(game_page.game)
    just_won = bool(game_page.won) and len(seasons) > 1 and not seasons[-1].ended
    place = len(seasons) - just_won if number is None else number
    if not 1 <= place <= len(seasons):
        raise Http404(f"{game} has had {len(seasons)} seasons: there is no season {place}.")
    summary = told_of_season(game_page, seasons[place - 1])
    game_page.told_on_cards = frozenset(win.entry for win in summary["wins"])
    return game_page.draw("web/home/season.html", seasons=seasons[-_MOST_SEASONS:], **summary)


def told_of_season(game_page: GamePage, season_shown: Season) -> dict[str, Any]:
    """What is told of a season: who won it, what was worth telling, how the rules changed."""
    game = game_page.game
    within = (season_shown.first, season_shown.last)
    wins = list(game.wins.filter(entry__range=within).select_related("player")[:_MOST])
    game_page.told_on_cards = frozenset(win.entry for win in wins)
    ends = game.entries.filter(seq__in=within).order_by("seq").values_list("at", flat=True)
    # The public rules with the most new versions in those entries.
    in_season = Q(versions__enacted_in__range=within, versions__enacted_in__gt=1)
    public = game.rules.filter(visibility="public").defer("text")
    changed = public.annotate(times=Count("versions", filter=in_season)).filter(times__gt=0)
    changed_most = [
        Fate(rule.title, _address(game_page, rule), f"{times} time{'s' if times > 1 else ''}")
        for rule in changed.order_by("-times", "position")[:_TOLD_OF_A_SEASON]
        if (times := rule.times)
    ]
    return {
        "season": season_shown,
        "began": ends.first(),
        "ended": ends.last(),
        "wins": wins,
        "highlights": highlights(
            game, season_shown, [subgame.name for subgame in game_page.subgames]
        ),
        "changed_most": changed_most,
        "turning_points": _turning_points(
            game, {win.entry for win in wins}, within, _TOLD_OF_A_SEASON
        ),
    }


def _turning_points(
    game: Game, wins: set[int], within: tuple[int, int], limit: int = _MOST
) -> list[Entry]:
    """The entries there that changed the public rules or in which somebody won, oldest first."""
    public = Q(rule__game=game, rule__visibility="public", enacted_in__gt=1)
    changed = RuleVersion.objects.filter(public, enacted_in__range=within).order_by("-enacted_in")
    turning = set(changed.values_list("enacted_in", flat=True).distinct()[:limit]) | wins
    entries = (
        game.entries.filter(seq__in=turning).select_related("actor").defer("inputs", "outcome")
    )
    return list(entries.order_by("seq"))


@adds_to_letters
def week_of(user: User, notice: Notice) -> str:
    """The news of a week in a game, as the letters to all its players tell it; "" for any other
    notice."""
    if notice.kind != NoticeKind.WEEK:
        return ""
    game = notice.game
    seqs = entries_of_week(game, notice.at).aggregate(first=Min("seq"), last=Max("seq"))
    within = (seqs["first"] or 0, seqs["last"] or 0)
    key = f"nomic:week:{game.pk}:{within[0]}:{within[1]}"
    cached = cache.get(key)
    if cached is not None:
        return str(cached)
    won = game.wins.filter(entry__range=within).select_related("player")
    subgames = [subgame.name for subgame in in_play(game)]
    changed = _turning_points(game, set(), within, _TOLD_OF_A_SEASON)
    sections = [
        ("Who won", [f"{win_sentence(win.player.name, win.how)}." for win in won]),
        *(
            (title, [highlight.text for highlight in season_highlights])
            for title, season_highlights in highlights(
                game, Season(0, *within, ended=True), subgames
            )
        ),
        ("What changed the rules", [one_line(entry.text, _LONGEST_LINE) for entry in changed]),
    ]
    text = "\n\n".join(
        "\n".join([title, *(f"- {line}" for line in lines)]) for title, lines in sections if lines
    )
    cache.set(key, text, _A_DAY)
    return text
