"""Moments and amounts as pages show them."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from nomic.games.clock import iso, utc
from nomic.games.models import Game, Pace
from nomic.web.demonstration import rests, welcome

register = template.Library()
_HASH = re.compile(r"\b[0-9a-f]{64}\b")

_WEEK = 7 * 86_400  # seconds
_PARTS = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))


def span(seconds: int) -> str:
    """A length of time by its two largest units: “2 h 14 min”. nomic.js says it likewise."""
    for (unit, size), (small, small_size) in pairwise(_PARTS):
        if seconds >= size:
            rest = seconds % size // small_size
            return f"{seconds // size} {unit}" + (f" {rest} {small}" if rest else "")
    return f"{max(seconds, 0)} s"


def moment(at: datetime) -> str:
    """A moment in UTC: “Mon 5 Sep 2022, 00:00”; seconds only where there are some."""
    local = utc(at)
    exact = f"{local:%H:%M:%S}" if local.second else f"{local:%H:%M}"
    return f"{local:%a} {local.day} {local:%b %Y}, {exact}"


@register.filter("moment")
def game_moment(at: datetime) -> SafeString:
    """A game moment; where scripts run, the reader's own time of one to come stands beside it, and
    that of another is told on hover."""
    return format_html('<time data-game datetime="{}">{}</time>', iso(at), moment(at))


@register.simple_tag
def clock_data(game: Game) -> SafeString:
    """The game's clock, by which moments.js tells the reader's own time of one in the game."""
    clock = game.clock
    return format_html(
        'data-game="{}" data-wall="{}" data-rate="{}"',
        iso(clock.anchor_game),
        iso(clock.anchor_wall),
        clock.rate,
    )


@register.filter
def wall_moment(at: datetime) -> SafeString:
    """A wall moment: in UTC, and where scripts run in the reader's own time."""
    return format_html('<time data-own datetime="{}">{} UTC</time>', iso(at), moment(at))


@register.filter
def day(at: datetime) -> str:
    """A game day: “Mon 5 Sep 2022”."""
    local = utc(at)
    return f"{local:%a} {local.day} {local:%b %Y}"


@register.simple_tag
def until(
    wall: datetime, now: datetime, due: datetime, css: str = "", how: str = "in"
) -> SafeString:
    """How long until a wall moment, with the game moment on hover; it ticks where scripts run. Of
    what has to be done by then, `how` is "left"."""
    seconds = round((wall - now).total_seconds())
    words = f"{span(seconds)} left" if how == "left" else f"in {span(seconds)}"
    if seconds <= 0:
        words = "any moment now"
    return format_html(
        '<time class="{}" data-until="{}" datetime="{}" title="{} in the game">{}</time>',
        css,
        how,
        iso(wall),
        moment(due),
        words,
    )


@register.simple_tag
def happened(at: datetime, recorded_at: datetime, words: str = "") -> SafeString:
    """A game moment; on hover the reader's own time of when it was recorded."""
    return format_html(
        '<time datetime="{}" data-wall="{}" title="{} in the game">{}</time>',
        iso(at),
        iso(recorded_at),
        moment(at),
        words or moment(at),
    )


@register.filter
def brief(text: str) -> str:
    """An announcement with its hashes cut to their beginnings; the entry's page has them whole."""
    return _HASH.sub(lambda digits: digits[0][:8] + "…", text)


@register.filter
def signed(number: int) -> str:
    """An amount with its sign: +3, −2 (a true minus)."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


@register.filter
def joint(forloop: Mapping[str, Any], last: str = ", ") -> str:
    """The text between this one of a list and the next: a comma, or `last` before the last."""
    return {1: "", 2: last}.get(forloop["revcounter"], ", ")


@register.filter
def pairs[Name, Value](named: Mapping[Name, Value]) -> Iterable[tuple[Name, Value]]:
    """The names of a mapping with their values, whatever people have called them: in a template
    `named.items` would be the value of the name “items”."""
    return named.items()


@register.filter
def when(words: str, condition: object) -> str:
    """The words where the condition holds."""
    return words if condition else ""


@register.filter
def unless(words: str, condition: object) -> str:
    """The words where the condition does not hold."""
    return "" if condition else words


@register.filter
def tone(state: str, tones: str) -> str:
    """The style sheet's name for a state, out of such as “Won=good Lost=bad”; "" for another."""
    return dict(pair.split("=") for pair in tones.split()).get(state, "")


register.simple_tag(welcome, name="demonstration")
register.filter("is_at_rest", rests)


@register.filter
def in_both_times(game: Game) -> str:
    """How long a week and a day of a fast game take; "" for any other."""
    if game.pace != Pace.FAST:
        return ""
    week, day = span(_WEEK // game.rate), span(_WEEK // 7 // game.rate)
    return f"Time runs fast here: a week of the game takes {week}, a day of it {day}."


@register.filter
def how_time_goes(game: Game) -> str:
    """The game's pace in words, or that it is paused until somebody visits it."""
    return "paused until somebody visits it" if rests(game) else game.get_pace_display()
