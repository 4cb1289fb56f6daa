"""The books that every game has. What is private stands in none of them.

There is no book of the sealed entries, of the dice's master secrets, of tokens, of users. What the
models hide is left out row by row. Four books leave out more: the two of the dice each private
period and its rolls, even when its seed is out; those of transfers and postings what was moved in
private and is not opened, which their models, beside the sealed entries, cannot tell.
"""

from django.db.models import Q

from nomic.dice.models import Period, Roll
from nomic.engine.directory import OPEN_POSTINGS, OPEN_TRANSFERS
from nomic.engine.models import Appointment
from nomic.games.models import Game, Office, Player
from nomic.governance.models import Motion
from nomic.ledger.models import Asset, Balance, Posting, Transfer
from nomic.offices.books import Book
from nomic.record.models import Entry
from nomic.rulebook.models import Rule, RuleVersion


class GameBook(Book[Game]):
    title = "Games"
    icon = "dices"
    list_display = ("title", "slug", "preset", "pace", "state", "last_entry")
    details = (
        "calendar",
        "rate",
        "after_outage",
        "settings",
        "last_at",
        "record_head",
        "paused_at",
        "stuck_at",
        "stuck_error",
        "set_aside",
    )
    ordering = ("title", "pk")
    search_fields = ("title", "slug")
    list_filter = ("preset", "pace")


class PlayerBook(Book[Player]):
    title = "Players"
    icon = "users-round"
    list_display = ("name", "game", "active", "vested", "joined_at", "left_at")
    ordering = ("name", "pk")
    search_fields = ("name",)
    list_filter = ("active",)


class OfficeBook(Book[Office]):
    title = "Offices"
    icon = "landmark"
    list_display = ("name", "game", "holder")
    ordering = ("game", "name")
    search_fields = ("name", "holder__name")


class EntryBook(Book[Entry]):
    title = "Record"
    icon = "scroll-text"
    list_display = ("seq", "text", "at", "actor", "name", "kind", "game")
    details = ("recorded_at", "rule", "inputs", "outcome", "anchors", "prev_hash", "hash")
    ordering = ("-game", "-seq")
    search_fields = ("text", "name", "actor__name", "=seq")
    list_filter = ("kind",)


class AssetBook(Book[Asset]):
    title = "Assets"
    list_display = ("name", "game", "kind", "family", "fixed", "indestructible")
    details = ("plural",)
    ordering = ("name", "pk")
    search_fields = ("name",)
    list_filter = ("kind", "fixed")


class BalanceBook(Book[Balance]):
    title = "Balances"
    list_display = ("holder", "asset", "amount", "asset__game")
    ordering = ("-asset", "-amount")
    search_fields = ("holder__name", "asset__name")


class TransferBook(Book[Transfer]):
    title = "Transfers"
    icon = "arrow-right"
    list_display = ("entry", "game", "rule", "why")
    search_fields = ("rule", "why", "=entry")
    public = OPEN_TRANSFERS


class PostingBook(Book[Posting]):
    title = "Postings"
    icon = "arrow-right"
    list_display = (
        "transfer__entry",
        "holder",
        "amount",
        "asset",
        "transfer__why",
        "transfer__game",
    )
    details = ("transfer",)
    search_fields = ("holder__name", "asset__name", "transfer__rule", "=transfer__entry")
    public = OPEN_POSTINGS


class RuleBook(Book[Rule]):
    title = "Rules"
    icon = "book-open"
    list_display = ("title", "game", "version", "played_as", "enacted_in", "repealed_in")
    details = (
        "number",
        "parent",
        "rule_class",
        "power",
        "origin",
        "source",
        "disclosed_in",
        "text",
    )
    ordering = ("game", "position", "pk")
    search_fields = ("title", "text")
    list_filter = ("rule_class", "origin")


class RuleVersionBook(Book[RuleVersion]):
    title = "Rules: versions"
    icon = "book-open"
    list_display = ("title", "number", "enacted_in", "rule__game")
    details = ("rule", "text")
    search_fields = ("title", "text")


class AppointmentBook(Book[Appointment]):
    title = "Appointments"
    icon = "clock"
    list_display = ("due", "game", "kind", "subject", "status", "entry", "attempts", "error")
    details = ("priority", "counted_in", "retry_at")
    ordering = ("-due", "-priority", "-pk")
    search_fields = ("kind", "subject", "error")
    list_filter = ("status",)


class MotionBook(Book[Motion]):
    title = "Motions"
    icon = "file-text"
    list_display = ("label", "number", "game", "action", "by", "due", "end", "ended_in")
    details = ("inputs", "entry", "at", "note")
    ordering = ("-game", "-entry", "-pk")
    search_fields = ("=number", "action", "by__name")
    list_filter = ("label", "end")


class PeriodBook(Book[Period]):
    title = "Dice: seeds"
    icon = "key-round"
    list_display = ("number", "game", "opened_in", "closed_in", "commitment", "seed")
    search_fields = ("commitment",)
    public = Q(private=False)


class RollBook(Book[Roll]):
    title = "Dice: rolls"
    icon = "dices"
    list_display = ("entry", "label", "option", "period__game")
    details = ("options", "value")
    search_fields = ("label", "=entry")
    public = Q(period__private=False)
