"""The books that every game has. What is private stands in none of them.

There is no book of the sealed entries, of the dice's master secrets, of tokens, of users. Private
assets, dice periods and rules are left out row by row, and with them each transfer that moves a
private asset: it would tell who acted, and when.
"""

from django.db.models import Exists, OuterRef, Q

from nomic.dice.models import Period, Roll
from nomic.games.models import Game, Office, Player
from nomic.ledger.models import Asset, Balance, Posting, Transfer, Visibility
from nomic.play.desks import Book
from nomic.play.models import Appointment
from nomic.record.models import Entry
from nomic.rulebook.models import Rule, RuleVersion

_PUBLIC = {"visibility": Visibility.PUBLIC}
_MOVES_A_PRIVATE_ASSET = Exists(
    Posting.objects.filter(transfer=OuterRef("pk"), asset__visibility=Visibility.PRIVATE)
)

LIBRARY = (
    Book(
        Game,
        game="",
        columns=("title", "slug", "preset", "pace", "state", "next_due", "last_entry"),
        fields=(
            "title",
            "slug",
            "preset",
            "calendar",
            "pace",
            "rate",
            "state",
            "after_outage",
            "settings",
            "next_due",
            "last_entry",
            "last_at",
            "record_head",
            "paused_at",
            "stuck_at",
            "stuck_error",
        ),
        order=("title", "pk"),
        search=("title", "slug"),
        filters=("preset", "pace"),
    ),
    Book(
        Player,
        columns=("name", "game", "active", "vested", "joined_at", "left_at"),
        fields=("name", "game", "active", "vested", "joined_at", "left_at"),
        order=("name", "pk"),
        search=("name",),
        filters=("active",),
        related=("game",),
    ),
    Book(
        Office,
        columns=("name", "game", "holder"),
        fields=("name", "game", "holder"),
        order=("game", "name"),
        search=("name", "holder__name"),
        related=("game", "holder"),
    ),
    Book(
        Entry,
        columns=("seq", "game", "at", "kind", "name", "actor", "text"),
        fields=(
            "game",
            "seq",
            "at",
            "recorded_at",
            "kind",
            "name",
            "actor",
            "rule",
            "text",
            "inputs",
            "outcome",
            "sealed_head",
            "prev_hash",
            "hash",
        ),
        order=("-game", "-seq"),
        search=("text", "name", "actor__name", "=seq"),
        filters=("kind",),
        related=("game", "actor"),
    ),
    Book(
        Asset,
        columns=("name", "game", "kind", "family", "fixed", "indestructible"),
        fields=("name", "plural", "game", "kind", "family", "fixed", "indestructible"),
        order=("name", "pk"),
        search=("name",),
        filters=("kind", "fixed"),
        related=("game",),
        public=Q(**_PUBLIC),
    ),
    Book(
        Balance,
        game="asset__game",
        columns=("holder", "asset", "amount", "asset__game"),
        fields=("holder", "asset", "amount"),
        order=("-asset", "-amount"),
        search=("holder__name", "asset__name"),
        related=("holder", "asset__game"),
        public=Q(asset__visibility=Visibility.PUBLIC),
    ),
    Book(
        Transfer,
        columns=("pk", "game", "entry", "rule", "why"),
        fields=("game", "entry", "rule", "why"),
        search=("rule", "why", "=entry"),
        related=("game",),
        public=Q(~_MOVES_A_PRIVATE_ASSET),
    ),
    Book(
        Posting,
        game="transfer__game",
        columns=("transfer__entry", "holder", "amount", "asset", "transfer__why", "transfer__game"),
        fields=("transfer", "holder", "asset", "amount"),
        search=("holder__name", "asset__name", "transfer__rule", "=transfer__entry"),
        related=("transfer__game", "holder", "asset"),
        public=Q(asset__visibility=Visibility.PUBLIC),
    ),
    Book(
        Rule,
        columns=("title", "game", "version", "played_as", "enacted_in", "repealed_in"),
        fields=(
            "title",
            "number",
            "game",
            "parent",
            "rule_class",
            "power",
            "origin",
            "source",
            "version",
            "played_as",
            "enacted_in",
            "repealed_in",
            "text",
        ),
        order=("game", "position", "pk"),
        search=("title", "text"),
        filters=("rule_class", "origin"),
        related=("game",),
        public=Q(**_PUBLIC),
    ),
    Book(
        RuleVersion,
        game="rule__game",
        columns=("title", "number", "enacted_in", "rule__game"),
        fields=("rule", "number", "title", "enacted_in", "text"),
        search=("title", "text"),
        related=("rule__game",),
        public=Q(rule__visibility=Visibility.PUBLIC),
    ),
    Book(
        Appointment,
        columns=("due", "game", "kind", "subject", "status", "entry", "attempts", "error"),
        fields=(
            "game",
            "kind",
            "subject",
            "due",
            "priority",
            "counted_in",
            "status",
            "entry",
            "attempts",
            "error",
            "retry_at",
        ),
        order=("-due", "-priority", "-pk"),
        search=("kind", "subject", "error"),
        filters=("status",),
        related=("game",),
    ),
    Book(
        Period,
        columns=("number", "game", "opened_in", "closed_in", "commitment", "seed"),
        fields=("game", "number", "opened_in", "commitment", "closed_in", "seed"),
        related=("game",),
        search=("commitment",),
        public=Q(private=False),
    ),
    Book(
        Roll,
        game="period__game",
        columns=("entry", "label", "option", "period__game"),
        fields=("entry", "label", "options", "value", "option"),
        search=("label", "=entry"),
        related=("period__game",),
        public=Q(period__private=False),
    ),
)
