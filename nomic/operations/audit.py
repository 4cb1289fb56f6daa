"""Recomputing everything that the database promises: each check says what it looked at."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pgtrigger
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum

from nomic.compiled import CompiledQuery, CompiledValues
from nomic.dice.proof import check_all
from nomic.engine.models import Appointment, Status
from nomic.engine.schedule import oldest_appointment
from nomic.games.models import Game
from nomic.ledger.models import AssetKind, Balance, HolderKind, Posting, Transfer
from nomic.operations.effects import compare_effects
from nomic.operations.snapshot import snapshot
from nomic.record.chain import book_of, entry_hash, genesis, sealed_genesis, sealed_hash, told_hash
from nomic.record.heads import read_head
from nomic.record.keys import has_signed
from nomic.record.models import Entry, Kind, SealedEntry
from nomic.record.proof import left_out
from nomic.record.writer import ANCHOR, PART
from nomic.rulebook.models import Rule


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: what it looked at, and the fault, empty where there is none."""

    checked: str
    wrong: str = ""

    def __str__(self) -> str:
        return f"{'WRONG' if self.wrong else 'ok   '} {self.checked}" + (
            f": {self.wrong}" if self.wrong else ""
        )


type Check = Callable[[Game], Finding]
_CHECKS: list[Check] = []


def _check(function: Check) -> Check:
    _CHECKS.append(function)
    return function


def audit_guards() -> Finding:
    """Whether every trigger that this program relies on is installed and enabled."""
    expected = {
        (model._meta.db_table, trigger.get_pgid(model)) for model, trigger in pgtrigger.registered()
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
            " WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')"
        )
        missing = sorted(expected - set(cursor.fetchall()))
    checked = f"{len(expected)} triggers guard the tables"
    return Finding(checked, f"missing or disabled: {missing[0]}" if missing else "")


def audit(game: Game) -> list[Finding]:
    """Check one game as it is at one instant; it may be played meanwhile."""
    with snapshot(game) as seen:
        return [check(seen) for check in _CHECKS]


_NOT_BALANCED = CompiledValues(
    lambda game: (
        Posting.objects.filter(transfer__game=game)
        .values_list("transfer__entry", "transfer__sealed", "asset__name", "transfer")
        .annotate(total=Sum("amount"))
        .exclude(total=0)
        .order_by("transfer__entry", "transfer__sealed")
    )
)
_POSTED_ELSEWHERE = CompiledValues(
    lambda game: (
        Posting.objects.filter(transfer__game=game)
        .exclude(game=game)
        .order_by("transfer")
        .values_list("transfer__entry", "transfer__sealed", "asset__name")
    )
)
_TRANSFERS = CompiledValues(lambda: _counted("transfers"))
_RULES = CompiledValues(lambda: _counted("rules"))


def _counted(related: str) -> QuerySet[Any, tuple[int]]:
    """How many of these a game has."""
    games = Game.objects.order_by().values("pk")
    return games.annotate(total=Count(related)).values_list("total")


@_check
def _transfers(game: Game) -> Finding:
    wrong = ""
    if row := _NOT_BALANCED.first(game=game.pk):
        wrong = f"in {_named(row[0], row[1])}, {row[2]} is off by {row[4]}"
    if row := _POSTED_ELSEWHERE.first(game=game.pk):
        wrong = f"in {_named(row[0], row[1])}, a posting of {row[2]} names another game"
    (count,) = _TRANSFERS.get(pk=game.pk)
    return Finding(f"{count} transfers balance, each asset by itself", wrong)


def _named(entry: int | None, sealed: int | None) -> str:
    return f"entry {entry}" if sealed is None else f"sealed entry {sealed}"


_WRONG_BALANCE = """
WITH sums AS (
  SELECT p.holder_id, p.asset_id, SUM(p.amount) AS amount FROM ledger_posting p
    JOIN ledger_holder h ON h.id = p.holder_id WHERE h.game_id = %s GROUP BY 1, 2
), kept AS (
  SELECT b.holder_id, b.asset_id, b.amount FROM ledger_balance b
    JOIN ledger_holder h ON h.id = b.holder_id WHERE h.game_id = %s
)
SELECT h.name, a.name, COALESCE(kept.amount, 0), COALESCE(sums.amount, 0)
  FROM kept FULL JOIN sums USING (holder_id, asset_id)
  JOIN ledger_holder h ON h.id = holder_id JOIN ledger_asset a ON a.id = asset_id
 WHERE COALESCE(kept.amount, 0) <> COALESCE(sums.amount, 0) ORDER BY h.name, a.name LIMIT 1
"""


_BALANCE_ELSEWHERE = CompiledValues(
    lambda game: Balance.objects.filter(holder__game=game).exclude(game=game).values_list("pk")
)


@_check
def _balances(game: Game) -> Finding:
    with connection.cursor() as cursor:
        cursor.execute(_WRONG_BALANCE, [game.pk, game.pk])
        row = cursor.fetchone()
    wrong = f"{row[0]} has {row[2]} {row[1]}, and the postings make {row[3]}" if row else ""
    if _BALANCE_ELSEWHERE.first(game=game.pk):
        wrong = "a balance names another game than its holder's"
    return Finding("every balance is the sum of its postings", wrong)


_IS_MINTS, _IS_UNIQUE = Q(holder__kind=HolderKind.MINT), Q(asset__kind=AssetKind.UNIQUE)
_IMPOSSIBLE = CompiledValues(
    lambda: (
        Balance.objects.filter(
            (~_IS_MINTS & Q(amount__lt=0))
            | (_IS_UNIQUE & ~Q(amount__range=(-1, 1)))
            | (_IS_MINTS ^ Q(is_mint=True))
            | (_IS_UNIQUE ^ Q(is_unique=True))
        )
        .order_by("holder__name", "asset__name")
        .values_list("holder__name", "amount", "asset__name")
    )
)


@_check
def _limits(game: Game) -> Finding:
    row = _IMPOSSIBLE.first(holder__game=game.pk)
    wrong = f"{row[0]} has {row[1]} {row[2]}" if row else ""
    return Finding("only the mint owes, and a unique thing is one", wrong)


_NOT_ZERO = CompiledValues(
    lambda game: (
        Balance.objects.filter(asset__game=game)
        .values_list("asset__name")
        .annotate(total=Sum("amount"))
        .exclude(total=0)
        .order_by("asset__name")
    )
)


@_check
def _supplies(game: Game) -> Finding:
    row = _NOT_ZERO.first(game=game.pk)
    return Finding("all balances of an asset sum to zero", f"{row[0]}: {row[1]}" if row else "")


_LOOSE = CompiledValues(
    lambda game: (
        Transfer.objects.filter(
            ~Exists(Entry.objects.filter(game=game, seq=OuterRef("entry"))),
            ~Exists(SealedEntry.objects.filter(game=game, seq=OuterRef("sealed"))),
            game=game,
        )
        .order_by("entry", "sealed")
        .values_list("entry", "sealed")
    )
)


@_check
def _reasons(game: Game) -> Finding:
    row = _LOOSE.first(game=game.pk)
    wrong = f"a transfer names {_named(*row)}, which does not exist" if row else ""
    return Finding("every transfer has its entry", wrong)


_ENTRIES = CompiledQuery(lambda: Entry.objects.order_by("seq"), "actor")
_SEALED = CompiledQuery(lambda: SealedEntry.objects.order_by("seq"), "actor")
_HEADS = CompiledValues(
    lambda: Entry.objects.order_by("seq").values_list(
        "seq", "kind", "name", "sealed_head", "anchors"
    )
)


@_check
def _record(game: Game) -> Finding:
    last, head, at, wrong = 0, genesis(game.identity), None, ""
    for entry in _ENTRIES.in_turn("seq", game=game):
        if entry.seq != last + 1:
            wrong = f"after entry {last} comes entry {entry.seq}"
        elif entry.prev_hash != head:
            wrong = f"entry {entry.seq} does not name the hash of the one before it"
        elif at and entry.at < at:
            wrong = f"entry {entry.seq} lies before the one before it"
        elif entry.hash != entry_hash(entry):
            wrong = f"entry {entry.seq} is not what its hash says"
        if wrong:
            break
        last, head, at = entry.seq, entry.hash, entry.at
    if not wrong and (last, head) != (game.last_entry, game.record_head):
        wrong = f"it ends with entry {last}, and the game names entry {game.last_entry}"
    return Finding(f"the record's chain of {last} entries", wrong)


@_check
def _sealed_book(game: Game) -> Finding:
    last, before = 0, game.sealed_head if game.sealed_count == 0 else ""
    ends: dict[str, tuple[int, str]] = {}
    are = set()
    for entry in _SEALED.in_turn("seq", game=game):
        number, head = ends.get(entry.book) or (0, sealed_genesis(game.identity, entry.book))
        own = (entry.number or entry.seq, entry.seq, entry.prev_hash, entry.hash)
        if own != (number + 1, last + 1, head, sealed_hash(entry)):
            return Finding("the sealed book", f"{entry.label} does not continue it")
        last, before = entry.seq, entry.hash
        ends[entry.book] = number + 1, entry.hash
        if entry.name == ANCHOR:
            are.add((entry.after + 1, entry.book, entry.hash))
    checked = f"the sealed book of {last} entries and its anchors"
    said = set()
    for seq, kind, name, head, anchors in _HEADS.in_turn("seq", game=game.pk):
        if game.format >= 2 and kind == Kind.EVENT and book_of(name) not in anchors:
            return Finding(checked, f"entry {seq} does not anchor “{book_of(name)}”")
        heads = {"": head, **anchors} if head else anchors
        said |= {(seq, book, each) for book, each in heads.items()}
    if loose := min(are ^ said, default=None):
        wrong = f"entry {loose[0]} anchors a head that its sealed book does not have of it"
        return Finding(checked, wrong)
    known = {book: (number, head) for book, (number, head) in game.sealed_books.items()}
    books = known.keys() | {book for book in ends if book and "/" not in book}
    odd = min((book for book in books if known.get(book) != ends.get(book)), default=None)
    if odd:
        return Finding(checked, f"the game names another end of “{odd}”")
    if (last, before) != (game.sealed_count, game.sealed_head):
        return Finding(checked, f"it ends with {last}, and the game names {game.sealed_count}")
    return Finding(checked)


_OPENED = CompiledQuery(lambda: SealedEntry.objects.filter(opened_in__isnull=False).order_by("seq"))
_NAMING_OPENED = CompiledValues(
    lambda: (
        Entry.objects.filter(outcome__has_key="opened")
        .order_by()
        .values_list("seq", "outcome__opened")
    )
)


@_check
def _opened(game: Game) -> Finding:
    are = {(each.opened_in, *each.named_by) for each in _OPENED.in_turn("seq", game=game)}
    naming = _NAMING_OPENED.all(game=game.pk)
    said = {(entry, *place) for entry, named in naming for place in named}
    odd = min(are ^ said, default=None)
    name = " ".join(map(str, odd[1:-1])) if odd else ""
    wrong = f"entry {odd[0]} and sealed entry {name} do not agree" if odd else ""
    if not wrong and game.format >= 2:
        wrong = left_out(game)
    return Finding(f"{len(are)} sealed entries are open, as the record says", wrong)


_PARTS = CompiledQuery(lambda: SealedEntry.objects.filter(name=PART).order_by("seq"), "actor")
_NAMING_PARTS = CompiledValues(
    lambda: (
        Entry.objects.filter(outcome__has_key="part").order_by().values_list("seq", "outcome__part")
    )
)


@_check
def _parts(game: Game) -> Finding:
    are = {(each.after + 1, told_hash(each)) for each in _PARTS.in_turn("seq", game=game)}
    said = {(seq, str(digest)) for seq, digest in _NAMING_PARTS.all(game=game.pk)}
    odd = min(are ^ said, default=None)
    wrong = f"entry {odd[0]} and its part in the sealed book do not agree" if odd else ""
    return Finding(f"{len(are)} entries have a part in the sealed book, as they say", wrong)


_SAW = CompiledValues(
    lambda: Entry.objects.filter(saw__isnull=False).order_by("seq").values_list("seq", "saw")
)
_SAW_IN_SECRET = CompiledQuery(
    lambda: SealedEntry.objects.filter(saw__isnull=False).order_by("seq")
)
_HASHES = CompiledValues(lambda: Entry.objects.order_by().values_list("seq", "hash"))


@_check
def _seen(game: Game) -> Finding:
    """Whether what each actor had seen is an entry before the act; one of another history stands
    there with the site's signature, and proves that there was one."""
    checked = "what actors had seen"
    named: list[tuple[str, int, Any]]
    acts, sealed = _SAW.in_turn("seq", game=game.pk), _SAW_IN_SECRET.in_turn("seq", game=game)
    named = [(f"entry {seq}", seq - 1, saw) for seq, saw in acts]
    named += [(each.label, each.after, each.saw) for each in sealed]
    hashes = dict(_HASHES.all(game=game.pk)) if named else {}
    for name, last, saw in named:
        head = read_head(":".join(map(str, saw))) if isinstance(saw, list) else None
        if head is None:
            return Finding(checked, f"what the actor of {name} had seen is no head")
        if head.number > last or hashes.get(saw[0]) != head.hash:
            proof = "; the site has signed both" if has_signed(game, head) else ""
            other = f"another entry {head.number}"
            return Finding(checked, f"the actor of {name} had seen {other}{proof}")
    return Finding(f"{len(named)} heads that actors had seen are of this record")


@_check
def _dice(game: Game) -> Finding:
    rolls = 0
    for proof in check_all(game):
        if proof.wrong:
            return Finding("the dice", str(proof))
        rolls += proof.rolls
    return Finding(f"{rolls} rolls of the dice by their committed seeds", "")


@_check
def _effects(game: Game) -> Finding:
    if game.format < 2:
        said = "the record is of format 1: it does not tell what entries moved and rolled"
        return Finding(f"{said}, so only a replay can")
    count, wrong = compare_effects(game)
    return Finding(f"{count} effects that entries tell are those in the tables", wrong)


_KEPT = CompiledValues(
    lambda: Appointment.objects.filter(status=Status.DONE).order_by().values_list("entry", "kind")
)
_EVENTS = CompiledValues(
    lambda: Entry.objects.filter(kind=Kind.EVENT).order_by().values_list("seq", "name")
)


@_check
def _appointments(game: Game) -> Finding:
    checked = "every event is an appointment kept once"
    kept, events = _KEPT.all(game=game.pk), _EVENTS.all(game=game.pk)
    odd = set(kept) ^ set(events)
    if odd or len(kept) != len(events):
        return Finding(checked, f"entry {min(odd)[0]} and its appointment do not agree")
    oldest = oldest_appointment(game)
    if (oldest.due if oldest else None) != game.next_due:
        return Finding(checked, f"the game expects {game.next_due}, and {oldest} is the next")
    return Finding(f"{len(kept)} appointments were kept, each once, and the next is known")


_AGREEING = Rule.objects.filter(
    versions__number=F("version"), versions__text=F("text"), versions__title=F("title")
)
_MISREAD = CompiledQuery(
    lambda game: Rule.objects.filter(game=game).exclude(pk__in=_AGREEING.filter(game=game))
)


@_check
def _rulebook(game: Game) -> Finding:
    odd = _MISREAD.first(game=game.pk)
    wrong = f"“{odd}” does not read as its newest version" if odd else ""
    (count,) = _RULES.get(pk=game.pk)
    return Finding(f"{count} rules read as their newest versions", wrong)
