"""The books of the lottery: rows that officers may read."""

from django.contrib import admin

from nomic.offices.books import Book
from nomic.offices.site import office
from tests.lottery.models import Draw, Tickets


@admin.register(Draw, site=office)
class DrawBook(Book):
    title = "Lottery: draws"
    list_display = ("number", "game", "winner", "prize", "drawn_in")
    fields = ("game", "number", "opened_in", "drawn_in", "winner", "prize")
    ordering = ("-game", "-number")
    search_fields = ("=number", "winner__name")


@admin.register(Tickets, site=office)
class TicketsBook(Book):
    title = "Lottery: tickets"
    game = "draw__game"
    list_display = ("player", "count", "draw", "draw__game")
    fields = ("draw", "player", "count")
    search_fields = ("player__name",)
