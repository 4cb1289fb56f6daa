"""The books of the contest: rows that officers may read. What is private stands in none of them."""

from django.contrib import admin

from aceofspades.models import Contest, Contestant, Hint, Move, Proposal, Regulation, Request
from aceofspades.rules.marks import as_shown
from nomic.offices.books import Book


class ContestBook(Book[Contest]):
    title = "The contest"
    list_display = ("game", "begun_at", "reckoned_at", "is_on")
    details = ("opened", "masters", "reckoned_in", "worths_in")


class ContestantBook(Book[Contestant]):
    title = "The contest: contestants"
    list_display = ("player", "turn", "active", "dealt", "marked", "finalist", "contest__game")
    details = ("joined_at", "joined_in", "semigenius_in", "semigenius_at")
    ordering = ("-contest", "turn")
    search_fields = ("player__name",)
    list_filter = ("active", "finalist")

    @admin.display(description="worth", ordering="worth")
    def marked(self, contestant: Contestant) -> str:
        """The worth of their hand at the Moment of Reckoning, in Marks; "" before."""
        return "" if contestant.worth is None else str(as_shown(contestant.worth))


class RegulationBook(Book[Regulation]):
    title = "The contest: regulations"
    list_display = (
        "number",
        "rule__rule_class",
        "rule__visibility",
        "proposal",
        "gone_in",
        "contest__game",
    )
    ordering = ("-contest", "number", "pk")
    search_fields = ("=number",)
    list_filter = ("rule__visibility",)


class ProposalBook(Book[Proposal]):
    title = "The contest: proposals"
    icon = "file-text"
    list_display = (
        "number",
        "regulation_number",
        "visibility",
        "by",
        "verdict",
        "for_votes",
        "against_votes",
        "contest__game",
    )
    details = ("entry", "up_at", "up_in", "decided_in", "effective_in")
    ordering = ("-contest", "-number")
    search_fields = ("=number", "=regulation_number", "by__name")
    list_filter = ("visibility", "verdict")


class MoveBook(Book[Move]):
    title = "The contest: cards on the move"
    list_display = ("at", "kind", "giver", "receiver", "cards", "entry", "contest__game")
    search_fields = ("giver", "receiver")
    list_filter = ("kind",)


class RequestBook(Book[Request]):
    title = "The contest: requests for judgement"
    list_display = ("number", "by", "entry", "judged_in", "contest__game")
    details = ("text", "judgement")
    ordering = ("-contest", "-number")
    search_fields = ("by__name", "text")


class HintBook(Book[Hint]):
    title = "The contest: hints"
    list_display = ("regulation", "text", "entry", "regulation__contest__game")
