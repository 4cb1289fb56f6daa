"""The books of the lottery: rows that officers may read."""

from django.contrib import admin

from nomic.offices.books import Book
from nomic.offices.site import office
from tests.lottery.models import Draw, Tickets


@admin.register(Draw, site=office)
class DrawBook(Book):
    title = "Lottery: draws"
    list_display = ("number", "game", "winner", "prize", "drawn_in")
    more = ("opened_in",)
    ordering = ("-game", "-number")
    search_fields = ("=number", "winner__name")


@admin.register(Tickets, site=office)
class TicketsBook(Book):
    title = "Lottery: tickets"
    list_display = ("player", "count", "draw", "draw__game")
    search_fields = ("player__name",)
