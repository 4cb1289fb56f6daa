"""The books of the races: rows that officers may read. What is private stands in none of them."""

from horses.models import Bet, Gear, Motivation, Race, Runner
from nomic.offices.books import Book


class RaceBook(Book[Race]):
    title = "Races"
    icon = "flag"
    list_display = ("number", "game", "started_in", "ended_in")
    ordering = ("-game", "-number")
    search_fields = ("=number",)


class RunnerBook(Book[Runner]):
    title = "Races: horses"
    icon = "flag"
    list_display = ("name", "race", "position", "place", "pulls", "race__game")
    details = ("finish",)
    ordering = ("-race", "name")
    search_fields = ("name",)


class MotivationBook(Book[Motivation]):
    title = "Races: motivations"
    list_display = ("week", "galloper", "distance", "by", "entry", "game")
    ordering = ("-week", "-pk")
    search_fields = ("galloper", "by__name")


class BetBook(Book[Bet]):
    title = "Races: bets"
    list_display = ("player", "horse", "dollaries", "entry", "race", "race__game")
    search_fields = ("player__name", "horse")


class GearBook(Book[Gear]):
    title = "Races: gear"
    icon = "shirt"
    list_display = ("player", "kind", "horse", "entry", "race", "race__game")
    search_fields = ("player__name", "horse")
    list_filter = ("kind",)
