"""The books of the proposals: rows that officers may read; what is private stands in none."""

from nomic.offices.books import Book
from proposals.models import Comment, Errand, Proposal, Strike, Version, Vote


class ProposalBook(Book[Proposal]):
    title = "Proposals"
    icon = "file-text"
    list_display = ("number", "title", "author", "status", "outcome", "strength", "game")
    details = (
        "serial",
        "body",
        "version",
        "index",
        "proposal_class",
        "coauthors",
        "success",
        "passed",
        "submitted_at",
        "submitted_in",
        "opened_at",
        "opened_in",
        "closes_at",
        "closed_at",
        "closed_in",
        "stamina",
        "figures",
        "reasons",
        "effects",
    )
    ordering = ("-game", "-serial")
    search_fields = ("title", "author__name", "=number")
    list_filter = ("status", "success")


class VersionBook(Book[Version]):
    title = "Proposals: versions"
    icon = "file-text"
    list_display = ("proposal", "number", "title", "entry", "proposal__game")
    details = ("body", "conflicts", "dependencies", "index", "proposal_class", "coauthors")
    search_fields = ("title", "=proposal__number")


class VoteBook(Book[Vote]):
    title = "Proposals: votes"
    icon = "check"
    list_display = ("proposal", "player", "word", "at", "entry", "proposal__game")
    search_fields = ("player__name", "=proposal__number", "word")


class StrikeBook(Book[Strike]):
    title = "Proposals: struck votes"
    icon = "x"
    list_display = (
        "vote__proposal",
        "vote__player",
        "vote__word",
        "reason",
        "entry",
        "vote__proposal__game",
    )
    search_fields = ("vote__player__name", "=vote__proposal__number", "reason")


class ErrandBook(Book[Errand]):
    title = "Proposals: by hand"
    icon = "hard-hat"
    list_display = (
        "proposal",
        "place",
        "sentence",
        "made_in",
        "done_in",
        "cited",
        "proposal__game",
    )
    details = ("why", "note")
    search_fields = ("sentence", "=proposal__number")


class CommentBook(Book[Comment]):
    title = "Proposals: comments"
    icon = "scroll-text"
    list_display = ("proposal", "player", "text", "at", "entry", "proposal__game")
    search_fields = ("text", "player__name", "=proposal__number")
