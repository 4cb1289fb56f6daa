"""The books of the races: rows that officers may read. What is private stands in none of them."""

from horses.models import Bet, Gear, Motivation, Race, Runner
from nomic.offices.books import Book, book


@book(Race)
class RaceBook(Book):
    title = "Races"
    icon = "flag"
    list_display = ("number", "game", "started_in", "ended_in")
    ordering = ("-game", "-number")
    search_fields = ("=number",)


@book(Runner)
class RunnerBook(Book):
    title = "Races: horses"
    icon = "flag"
    list_display = ("name", "race", "position", "place", "pulls", "race__game")
    more = ("finish",)
    ordering = ("-race", "name")
    search_fields = ("name",)


@book(Motivation)
class MotivationBook(Book):
    title = "Races: motivations"
    list_display = ("week", "galloper", "distance", "by", "entry", "game")
    ordering = ("-week", "-pk")
    search_fields = ("galloper", "by__name")


@book(Bet)
class BetBook(Book):
    title = "Races: bets"
    list_display = ("player", "horse", "dollaries", "entry", "race", "race__game")
    search_fields = ("player__name", "horse")


@book(Gear)
class GearBook(Book):
    title = "Races: gear"
    icon = "shirt"
    list_display = ("player", "kind", "horse", "entry", "race", "race__game")
    search_fields = ("player__name", "horse")
    list_filter = ("kind",)
