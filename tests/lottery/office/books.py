"""The books of the lottery: rows that officers may read."""

from nomic.offices.books import Book
from tests.lottery.models import Draw, Tickets


class DrawBook(Book[Draw]):
    title = "Lottery: draws"
    list_display = ("number", "game", "winner", "prize", "drawn_in")
    details = ("opened_in",)
    ordering = ("-game", "-number")
    search_fields = ("=number", "winner__name")


class TicketsBook(Book[Tickets]):
    title = "Lottery: tickets"
    list_display = ("player", "count", "draw", "draw__game")
    search_fields = ("player__name",)
