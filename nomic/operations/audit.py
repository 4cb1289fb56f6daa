"""Recomputing everything that the database promises: each check says what it looked at."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pgtrigger
from django.db import connection
from django.db.models import Exists, OuterRef, Q, Sum

from nomic.dice.models import Period, Roll
from nomic.dice.proof import check_all
from nomic.dice.roller import describe_period, describe_roll
from nomic.engine.models import AppointmentStatus
from nomic.engine.schedule import oldest_appointment
from nomic.engine.subgames import rulemakers
from nomic.games.models import Game
from nomic.games.wording import counted
from nomic.governance.renaming import RENAME
from nomic.ledger.models import AssetKind, Balance, HolderKind, Posting
from nomic.operations.snapshot import snapshot
from nomic.record.canonical import canonical_json
from nomic.record.chain import (
    as_stored,
    book_of,
    content,
    digest,
    entry_hash,
    genesis,
    sealed_genesis,
)
from nomic.record.game_file import in_order
from nomic.record.heads import read_head
from nomic.record.keys import has_signed
from nomic.record.models import ANCHOR, HIDDEN, PART, EntryKind, SealedEntry
from nomic.record.proof import left_out
from nomic.rulebook.models import RuleVersion, digest_of


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
    with snapshot(game) as frozen:
        return [check(frozen) for check in _CHECKS]


@_check
def _transfers(game: Game) -> Finding:
    postings = Posting.objects.filter(transfer__game=game)
    place = ("transfer__entry", "transfer__sealed", "asset__name")
    sums = postings.values_list(*place, "transfer").annotate(total=Sum("amount"))
    wrong = ""
    if row := sums.exclude(total=0).order_by(*place).first():
        wrong = f"in {_named(row[0], row[1])}, {row[2]} is off by {row[4]}"
    if row := postings.exclude(game=game).order_by("transfer").values_list(*place).first():
        wrong = f"in {_named(row[0], row[1])}, a posting of {row[2]} names another game"
    return Finding(
        counted(game.transfers.count(), "transfer balances", "transfers balance")
        + ", each asset by itself",
        wrong,
    )


def _named(entry: int | None, sealed: int | None) -> str:
    return f"entry {entry}" if sealed is None else f"sealed entry {sealed}"


@_check
def _balances(game: Game) -> Finding:
    whose = ("holder__name", "asset__name", "holder", "asset")
    balances = Balance.objects.filter(holder__game=game)
    postings = Posting.objects.filter(holder__game=game).order_by()
    stored = balances.exclude(amount=0).order_by().values_list(*whose, "amount")
    sums = postings.values(*whose).annotate(total=Sum("amount")).exclude(total=0)
    summed = sums.values_list(*whose, "total")
    both = (stored.difference(summed), summed.difference(stored))
    # A difference has what the other side lacks: the first odd row is the first of one of them.
    odd = [row for difference in both for row in difference.order_by(*whose)[:1]]
    wrong = ""
    if odd:
        name, asset, *of, _ = min(odd)
        keys = dict(zip(whose[2:], of, strict=True))
        has = balances.filter(**keys).values_list("amount", flat=True).first() or 0
        makes = postings.filter(**keys).aggregate(total=Sum("amount"))["total"] or 0
        wrong = f"{name} has {has} {asset}, and the postings make {makes}"
    if balances.exclude(game=game).exists():
        wrong = "a balance names another game than its holder's"
    return Finding("every balance is the sum of its postings", wrong)


_IS_MINTS, _IS_UNIQUE = Q(holder__kind=HolderKind.MINT), Q(asset__kind=AssetKind.UNIQUE)
_IS_IMPOSSIBLE = (
    (~_IS_MINTS & Q(amount__lt=0, may_owe=False))
    | (_IS_UNIQUE & ~Q(amount__range=(-1, 1)))
    | (_IS_MINTS ^ Q(is_mint=True))
    | (_IS_UNIQUE ^ Q(is_unique=True))
)


@_check
def _limits(game: Game) -> Finding:
    odd = Balance.objects.filter(_IS_IMPOSSIBLE, holder__game=game)
    row = odd.order_by("holder__name", "asset__name").select_related("holder", "asset").first()
    wrong = f"{row.holder.name} has {row.amount} {row.asset.name}" if row else ""
    return Finding("nobody but the mint owes what they may not, and a unique thing is one", wrong)


@_check
def _supplies(game: Game) -> Finding:
    sums = Balance.objects.filter(asset__game=game).values_list("asset__name")
    row = sums.annotate(total=Sum("amount")).exclude(total=0).order_by("asset__name").first()
    return Finding("all balances of an asset sum to zero", f"{row[0]}: {row[1]}" if row else "")


@_check
def _reasons(game: Game) -> Finding:
    loose = game.transfers.filter(
        ~Exists(game.entries.filter(seq=OuterRef("entry"))),
        ~Exists(game.sealed_entries.filter(seq=OuterRef("sealed"))),
    )
    row = loose.order_by("entry", "sealed").values_list("entry", "sealed").first()
    wrong = f"a transfer names {_named(*row)}, which does not exist" if row else ""
    return Finding("every transfer has its entry", wrong)


@_check
def _record(game: Game) -> Finding:
    last, head, at, wrong = 0, genesis(game.identity), None, ""
    for entry in in_order(game.entries.select_related("actor")):
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
def _actors(game: Game) -> Finding:
    """Whether each entry is that of the player whom it names, whatever they are called now."""
    names = _names_now(game)
    for entries in (game.entries, game.sealed_entries):
        pairs = entries.filter(actor__isnull=False).order_by().distinct()
        for named, holder in sorted(pairs.values_list("actor_name", "actor__name")):
            if names.get(named, named) != holder:
                entry = entries.filter(actor_name=named, actor__name=holder).earliest("seq")
                label = entry.label if isinstance(entry, SealedEntry) else f"entry {entry.seq}"
                wrong = f"{label} is kept as one of another player than it names"
                return Finding("whose the entries are", wrong)
    return Finding("whose the entries are")


@_check
def _sealed_book(game: Game) -> Finding:
    last, before = 0, game.sealed_head if game.sealed_count == 0 else ""
    ends: dict[str, tuple[int, str]] = {}
    sealed_heads = set()
    for entry in in_order(game.sealed_entries.select_related("actor")):
        number, head = ends.get(entry.book) or (0, sealed_genesis(game.identity, entry.book))
        link = (entry.number, entry.seq, entry.prev_hash, entry.hash)
        if link != (number + 1, last + 1, head, entry_hash(entry)):
            return Finding("the sealed book", f"{entry.label} does not continue it")
        if entry.content_hash != digest(content(entry)):
            return Finding("the sealed book", f"{entry.label} is known by another hash")
        last, before = entry.seq, entry.hash
        ends[entry.book] = number + 1, entry.hash
        if entry.name == ANCHOR:
            sealed_heads.add((entry.after + 1, entry.book, entry.hash))
    checked = f"the sealed book of {last} entries and its anchors"
    anchored = set()
    columns = ("seq", "kind", "name", "anchors")
    for seq, kind, name, anchors in game.entries.values_list(*columns).iterator():
        if kind == EntryKind.EVENT and book_of(name) not in anchors:
            return Finding(checked, f"entry {seq} does not anchor “{book_of(name)}”")
        anchored |= {(seq, book, head) for book, head in anchors.items()}
    if loose := min(sealed_heads ^ anchored, default=None):
        wrong = f"entry {loose[0]} anchors a head that its sealed book does not have of it"
        return Finding(checked, wrong)
    named = {book: (number, head) for book, (number, head) in game.sealed_books.items()}
    books = named.keys() | {book for book in ends if "/" not in book}
    odd = min((book for book in books if named.get(book) != ends.get(book)), default=None)
    if odd:
        return Finding(checked, f"the game names another end of “{odd}”")
    if (last, before) != (game.sealed_count, game.sealed_head):
        return Finding(checked, f"it ends with {last}, and the game names {game.sealed_count}")
    return Finding(checked)


@_check
def _opened(game: Game) -> Finding:
    opened = game.sealed_entries.filter(opened_in__isnull=False)
    opened_entries = {(entry.opened_in, *entry.named_by) for entry in in_order(opened)}
    naming = game.entries.filter(outcome__has_key="opened")
    declared = {
        (entry, *place)
        for entry, named in naming.values_list("seq", "outcome__opened")
        for place in named
    }
    odd = min(opened_entries ^ declared, default=None)
    name = " ".join(map(str, odd[1:-1])) if odd else ""
    wrong = f"entry {odd[0]} and sealed entry {name} do not agree" if odd else ""
    return Finding(
        counted(len(opened_entries), "sealed entry is", "sealed entries are")
        + " open, as the record says",
        wrong or left_out(game),
    )


@_check
def _parts(game: Game) -> Finding:
    parts = game.sealed_entries.filter(name=PART).select_related("actor")
    kept_parts = {(part.after + 1, part.content_hash) for part in in_order(parts)}
    naming = game.entries.filter(outcome__has_key="part").values_list("seq", "outcome__part")
    declared = {(seq, str(digest)) for seq, digest in naming}
    odd = min(kept_parts ^ declared, default=None)
    wrong = f"entry {odd[0]} and its part in the sealed book do not agree" if odd else ""
    return Finding(
        counted(len(kept_parts), "entry has", "entries have") + " a part in the sealed book",
        wrong,
    )


@_check
def _seen(game: Game) -> Finding:
    """Whether what each actor had seen is an entry before the act; one of another history stands
    there with the site's signature, and proves that there was one."""
    checked = "what actors had seen"
    acts = game.entries.filter(saw__isnull=False).values_list("seq", "saw")
    named: list[tuple[str, int, Any]] = [(f"entry {seq}", seq - 1, saw) for seq, saw in acts]
    sealed = game.sealed_entries.filter(saw__isnull=False)
    named += [(entry.label, entry.after, entry.saw) for entry in in_order(sealed)]
    hashes = dict(game.entries.values_list("seq", "hash")) if named else {}
    for name, last, saw in named:
        head = read_head(":".join(map(str, saw))) if isinstance(saw, list) else None
        if head is None:
            return Finding(checked, f"what the actor of {name} had seen is no head")
        if head.number > last or hashes.get(saw[0]) != head.hash:
            proof = "; the site has signed both" if has_signed(game, head) else ""
            rival = f"another entry {head.number}"
            return Finding(checked, f"the actor of {name} had seen {rival}{proof}")
    return Finding(
        counted(len(named), "head that an actor saw is", "heads that actors saw are")
        + " of this record"
    )


@_check
def _dice(game: Game) -> Finding:
    rolls = 0
    for proof in check_all(game):
        if proof.wrong:
            return Finding("the dice", str(proof))
        rolls += proof.rolls
    return Finding(counted(rolls, "roll") + " of the dice by committed seeds")


@_check
def _effects(game: Game) -> Finding:
    count, wrong = compare_effects(game)
    return Finding(
        counted(count, "effect that an entry tells is", "effects that entries tell are")
        + " those in the tables",
        wrong,
    )


@_check
def _appointments(game: Game) -> Finding:
    checked = "every event is an appointment kept once"
    done = game.appointments.filter(status=AppointmentStatus.DONE).values_list("entry", "kind")
    events = game.entries.filter(kind=EntryKind.EVENT).values_list("seq", "name")
    odd = set(done) ^ set(events)
    if odd or len(done) != len(events):
        return Finding(checked, f"entry {min(odd)[0]} and its appointment do not agree")
    oldest = oldest_appointment(game)
    if (oldest.due if oldest else None) != game.next_due:
        return Finding(checked, f"the game expects {game.next_due}, and {oldest} is the next")
    return Finding(
        counted(len(done), "appointment was", "appointments were")
        + " kept, each once, and the next is known"
    )


@_check
def _rulebook(game: Game) -> Finding:
    newest = RuleVersion.objects.filter(rule=OuterRef("pk"), number=OuterRef("version"))
    agreeing = newest.filter(text=OuterRef("text"), title=OuterRef("title"))
    odd = game.rules.exclude(Exists(agreeing)).first()
    wrong = f"“{odd}” does not read as its newest version" if odd else ""
    return Finding(
        counted(
            game.rules.count(),
            "rule reads as its newest version",
            "rules read as their newest versions",
        ),
        wrong,
    )


# The effects that entries tell of, compared with what the tables hold


type Place = tuple[bool, int]  # whether it is a sealed entry, and its number
DICE = ("roll", "period")
_NAMED = {"moves": 0, "vote": 1}  # where what is told of that kind has a player's name


def compare_effects(game: Game, kinds: Iterable[str] = ()) -> tuple[int, str]:
    """How many effects the entries tell, and the first in which they and the tables differ.

    `kinds` are those that are compared: “moves”, “roll”, “period”, “version”, “vote”; all, where
    none is named.
    """
    wanted = frozenset(kinds)
    names = _names_now(game)
    recorded: Counter[tuple[Place, bytes]] = Counter()
    stored: Counter[tuple[Place, bytes]] = Counter()
    for tally, effects in ((recorded, _recorded_effects(game)), (stored, _stored_effects(game))):
        for place, effect in effects:
            if wanted and not wanted & effect.keys():
                continue
            for move in effect.get("moves", [None]):  # moves are compared one by one
                comparable = {**effect, "moves": move} if move else effect
                # A holder and a voter are compared as who they are, whatever they were called.
                for kind, at in _NAMED.items():
                    if kind in comparable:
                        words = list(comparable[kind])
                        words[at] = names.get(words[at], words[at])
                        comparable = {**comparable, kind: words}
                tally[place, canonical_json(as_stored(comparable))] += 1
    odd = min((recorded - stored) + (stored - recorded), default=None)
    if odd is None:
        return recorded.total(), ""
    (is_sealed, number), differing = odd
    sealed = game.sealed_entries.filter(seq=number).first() if is_sealed else None
    where = sealed.label if sealed else f"{'sealed entry' if is_sealed else 'entry'} {number}"
    which = (
        "the tables do not have it" if recorded[odd] > stored[odd] else "the entry does not tell it"
    )
    return recorded.total(), f"{where}: {differing.decode()[:200]}: {which}"


def _names_now(game: Game) -> dict[str, str]:
    """By each name that a player had before, the one by which they go now, as the record tells."""
    renames = game.entries.filter(name=RENAME).order_by("seq")
    names: dict[str, str] = {}
    for before, name in renames.values_list("outcome__before", "inputs__name"):
        names = {former: name if now == before else now for former, now in names.items()}
        names[before] = name
    return names


def _recorded_effects(game: Game) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The effects in the entries, by place; hidden ones of public entries are in the sealed
    book."""
    for seq, effects in game.entries.values_list("seq", "effects").iterator():
        for effect in effects:
            if "switch" not in effect:  # a switch has no table of its own
                yield (False, seq), effect
    for hidden in in_order(game.sealed_entries.filter(name=HIDDEN)):
        is_sealeds = "of" in hidden.outcome
        place = (True, hidden.seq - 1) if is_sealeds else (False, hidden.after + 1)
        for effect in hidden.effects:
            yield place, effect


def _stored_effects(game: Game) -> Iterator[tuple[Place, dict[str, Any]]]:
    """The effects that the tables hold, by place."""
    moves = Posting.objects.filter(transfer__game=game).values_list(
        *("transfer__entry", "transfer__sealed", "transfer__rule", "transfer__why"),
        *("holder__name", "asset__name", "amount"),
    )
    for entry, sealed, rule, reason, *move in moves.order_by():
        yield (sealed is not None, sealed or entry), {"moves": [move], "rule": rule, "why": reason}
    for roll in Roll.objects.filter(period__game=game).select_related("period"):
        yield (roll.sealed, roll.entry), describe_roll(roll)
    for period in Period.objects.filter(game=game):
        named = {"period": describe_period(period)}
        yield (False, period.opened_in), {**named, "commitment": period.commitment}
        if period.closed_in is not None:
            yield (False, period.closed_in), {**named, "seed": period.seed}
    for version in RuleVersion.objects.filter(rule__game=game):
        effect = {"rule": version.title, "version": version.number, "text": digest_of(version.text)}
        yield (False, version.enacted_in), effect
    for rulemaker in rulemakers():
        yield from rulemaker.votes_told(game)
