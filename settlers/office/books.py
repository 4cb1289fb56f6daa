"""The books of the isle: rows that officers may read. What is private stands in none of them."""

from nomic.offices.books import Book
from settlers.models import DOMAINS, Isle, Offer, Settler, Visit


class IsleBook(Book[Isle]):
    title = "The isle"
    icon = "flag"
    list_display = ("game", "production", "first", "second", "visitor", "is_on")
    details = ("begun_at", "produced_at", "deck", "arrival", "arrived_for")


class SettlerBook(Book[Settler]):
    title = "The isle: Settlers"
    icon = "users-round"
    list_display = ("player", *DOMAINS, "buildings", "ready", "game")
    details = ("injured", "victim", "harvested_in", "traded_in", "used", "entry")
    ordering = ("-game", "player__name")
    search_fields = ("player__name",)
    list_filter = ("ready", "injured", "victim")


class OfferBook(Book[Offer]):
    title = "The isle: offers"
    icon = "arrow-right"
    list_display = ("number", "by", "to", "gives", "takes", "end", "game")
    details = ("entry", "ended_in")
    ordering = ("-game", "-number")
    search_fields = ("by__player__name", "to__player__name")
    list_filter = ("end",)


class VisitBook(Book[Visit]):
    title = "The isle: visits"
    icon = "user-round"
    list_display = ("number", "visitor", "at", "entry", "over_in", "opened_in", "game")
    details = ("sealed", "over_after")
    ordering = ("-game", "-number")
    search_fields = ("visitor",)
