"""The table of tampering: what is done to a game, and by which tools it must be noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nomic.dice.models import Period
from nomic.games.models import Game
from nomic.ledger.models import AssetVisibility, HolderKind, Posting
from nomic.record.models import ANCHOR, CONSEQUENCES, HIDDEN, Entry, SealedEntry
from tests.tampering.forging import another_seed, hash_anew, save, sql

AUDIT, REPLAY, DICE, URL, EXPORT = "audit", "replay", "verify-dice", "verify URL", "verify EXPORT"
# docs/verify.py, of either source, with the last hash of before, or with all receipts of then
HEAD, RECEIPT = "a head", "a receipt"
Change = Callable[[Game], bool]


@dataclass(frozen=True)
class Row:
    """`change` returns whether the game had what it changes."""

    what: str
    change: Change
    noticed_by: frozenset[str]


TABLE: list[Row] = []


def row(what: str, *noticed_by: str) -> Callable[[Change], Change]:
    """Puts the function into the table."""

    def put(change: Change) -> Change:
        TABLE.append(Row(what, change, frozenset(noticed_by)))
        return change

    return put


def statement(what: str, text: str, *noticed_by: str) -> None:
    """Puts an SQL statement into the table."""
    row(what, *noticed_by)(lambda game: sql(text, game))


# Postings, balances, votes, names. The API shows no postings: where the balances that it shows are
# right, there is nothing for somebody outside to notice.


def _made_for_a_player(game: Game) -> Posting | None:
    """The last posting by which a player got something from the mint that was never secret."""
    hidden = game.sealed_entries.filter(name=HIDDEN).values_list("effects", flat=True)
    secret = {move[1] for told in hidden for each in told for move in each.get("moves", ())}
    made = Posting.objects.filter(
        holder__game=game,
        holder__kind=HolderKind.PLAYER,
        asset__visibility=AssetVisibility.PUBLIC,
        amount__gt=0,
        transfer__postings__holder__kind=HolderKind.MINT,
    )
    return made.exclude(asset__name__in=secret).order_by("pk").last()


@row("a posting", AUDIT, REPLAY)
def _posting(game: Game) -> bool:
    posting = _made_for_a_player(game)
    return posting is not None and sql(f"{_DOUBLED} WHERE id = {posting.pk}", game)


@row("postings and balances together", AUDIT, REPLAY, URL)
def _postings_and_balances(game: Game) -> bool:
    posting = _made_for_a_player(game)
    if posting is None:
        return False
    for each in posting.transfer.postings.filter(asset=posting.asset):
        sql(f"{_DOUBLED} WHERE id = {each.pk}", game)
        sql(
            f"UPDATE ledger_balance SET amount = amount + {each.amount}"
            f" WHERE holder_id = {each.holder_id} AND asset_id = {each.asset_id}",
            game,
        )
    return True


_DOUBLED = "UPDATE ledger_posting SET amount = 2 * amount"
_A_MOVE = """(SELECT id FROM record_entry WHERE game_id = {game}
    AND jsonb_path_exists(effects, '$[*].moves') ORDER BY seq DESC LIMIT 1)"""
_OTHER_MOVES = f"""UPDATE record_entry SET effects =
    regexp_replace(effects::text, '(\\["[^"]+", "[^"]+", )-?\\d+\\]', '\\177]')::jsonb
    WHERE id = {_A_MOVE}"""
statement("a transfer, as its entry tells it", _OTHER_MOVES, AUDIT, URL, EXPORT)
_VOTE = """(SELECT v.id FROM proposals_vote v JOIN proposals_proposal p ON p.id = v.proposal_id
    WHERE p.game_id = {game} AND (v.sealed IS NULL OR EXISTS (SELECT FROM record_sealedentry s
    WHERE s.game_id = {game} AND s.seq = v.sealed AND s.opened_in IS NOT NULL))
    ORDER BY v.id DESC LIMIT 1)"""
statement(
    "a vote",
    "UPDATE proposals_vote SET word = CASE word WHEN 'FOR' THEN 'AGAINST' ELSE 'FOR' END"
    f" WHERE id = {_VOTE}",
    *(AUDIT, REPLAY, URL),
)


@row("an asset's name", AUDIT, REPLAY, URL)
def _asset(game: Game) -> bool:
    posting = _made_for_a_player(game)
    return posting is not None and sql(
        f"UPDATE ledger_asset SET name = name || 's' WHERE id = {posting.asset_id}", game
    )


# Entries

_THIRD = "game_id = {game} AND seq = 3"
for _column, _other in {
    "text": "text || ' Indeed.'",
    "outcome": """outcome || '{{"more": 1}}'""",
    "inputs": """inputs || '{{"more": 1}}'""",
    "at": "at + interval '1 ms'",
    "recorded_at": "recorded_at + interval '1 ms'",
    "kind": "CASE kind WHEN 'event' THEN 'system' ELSE 'event' END",
    "name": "name || '_'",
    "rule": "rule || '.'",
    "hash": "repeat('0', 64)",
    "seq": "999",
}.items():
    statement(
        f"an entry's {_column}",
        f"UPDATE record_entry SET {_column} = {_other} WHERE {_THIRD}",
        *(AUDIT, REPLAY, URL, EXPORT),
    )


@row("an entry's actor", AUDIT, REPLAY, URL, EXPORT)
def _actor(game: Game) -> bool:
    entry = game.entries.filter(actor__isnull=False).last()
    if entry is None:
        return False
    entry.actor = game.players.exclude(name=entry.actor).last()
    entry.actor_name = entry.actor.name
    save(entry)
    return True


@row("whose an entry is", AUDIT)
def _owner(game: Game) -> bool:
    """What the entry says stays: its hash is of the name that it holds."""
    entry = game.entries.filter(actor__isnull=False).last()
    if entry is None:
        return False
    entry.actor = game.players.exclude(name=entry.actor).last()
    save(entry)
    return True


@row("two entries swapped", AUDIT, REPLAY, URL, EXPORT)
def _swapped(game: Game) -> bool:
    one, other = game.entries.filter(seq__in=(3, 4)).order_by("seq")
    sql(f"UPDATE record_entry SET seq = 0 WHERE id = {one.pk}", game)
    sql(f"UPDATE record_entry SET seq = 3 WHERE id = {other.pk}", game)
    return sql(f"UPDATE record_entry SET seq = 4 WHERE id = {one.pk}", game)


statement(
    "an entry dropped",
    f"DELETE FROM record_entry WHERE {_THIRD}",
    *(AUDIT, REPLAY, URL, EXPORT),
)
_LAST = "game_id = {game} AND seq = (SELECT last_entry FROM games_game WHERE id = {game})"
statement(
    "the last entry dropped", f"DELETE FROM record_entry WHERE {_LAST}", AUDIT, REPLAY, EXPORT, HEAD
)


@row("the last entry dropped, and the game told so", HEAD)
def _last_forgotten(game: Game) -> bool:
    sql(f"DELETE FROM record_entry WHERE {_LAST}", game)
    last = game.entries.order_by("seq").last()
    assert last is not None
    game.last_entry, game.record_head, game.last_at = last.seq, last.hash, last.at
    save(game)
    return True


# Dice

_AMONG = """CASE jsonb_typeof(options) WHEN 'number' THEN options::int
    ELSE jsonb_array_length(options) END"""
_ROLL = f"""(SELECT r.id FROM dice_roll r JOIN dice_period p ON p.id = r.period_id
    WHERE p.game_id = {{game}} AND NOT p.private AND {_AMONG} > 1 ORDER BY r.id LIMIT 1)"""
for _what, _set in {
    "value": f"value = (value + 1) % {_AMONG}",
    "label": "label = label || '.'",
    "options reversed": "options = CASE jsonb_typeof(options) WHEN 'number' THEN"
    " (SELECT jsonb_agg(n ORDER BY n DESC) FROM generate_series(1, options::int) AS n) ELSE"
    " (SELECT jsonb_agg(o ORDER BY n DESC) FROM"
    " jsonb_array_elements(options) WITH ORDINALITY AS t (o, n)) END",
    "act before": "after = left(after, 63) || '.'",
    "count": "count = 999",
}.items():
    statement(
        f"a roll's {_what}", f"UPDATE dice_roll SET {_set} WHERE id = {_ROLL}", AUDIT, DICE, URL
    )
statement("a roll missing", f"DELETE FROM dice_roll WHERE id = {_ROLL}", AUDIT, DICE, URL)
statement(
    "a roll added",
    "INSERT INTO dice_roll"
    " (game_id, period_id, entry, sealed, label, options, value, seat, count, after)"
    " SELECT game_id, period_id, entry, sealed, 'one more', '[1]', 0, 0, 998, '' FROM dice_roll"
    f" WHERE id = {_ROLL}",
    *(AUDIT, DICE, URL),
)
_A_ROLL = """(SELECT id FROM record_entry WHERE game_id = {game}
    AND jsonb_path_exists(effects, '$[*].roll') ORDER BY seq LIMIT 1)"""
for _what, _set in {
    "label": 'regexp_replace(effects::text, \'"roll": "\', \'"roll": "0\')::jsonb',
    "value": "regexp_replace(effects::text, '(\"value\": )\\d+', '\\199')::jsonb",
    "options": "regexp_replace(regexp_replace(effects::text, '\"options\": \\[',"
    " '\"options\": [0, '), '\"options\": (\\d)', '\"options\": 9\\1')::jsonb",
}.items():
    statement(
        f"a roll's {_what}, as its entry tells it",
        f"UPDATE record_entry SET effects = {_set} WHERE id = {_A_ROLL}",
        *(AUDIT, DICE, URL, EXPORT),
    )


@row("a seed and its commitment", AUDIT, DICE, URL)
def _seed_and_commitment(game: Game) -> bool:
    seed, committed = another_seed(game, 1)
    return sql(
        f"UPDATE dice_period SET seed = '{seed}', commitment = '{committed}'"
        " WHERE game_id = {game} AND number = 1 AND NOT private AND seed IS NOT NULL",
        game,
    )


@row("a seed and its commitment, in the entries too, all hashed anew", AUDIT, DICE, EXPORT, HEAD)
def _seed_everywhere(game: Game) -> bool:
    if not _seed_and_commitment(game):
        return False
    period = Period.objects.get(game=game, number=1, private=False)
    for entry in game.entries.all():
        for effect in entry.effects:
            if effect.get("period") == ["", False, 1]:
                name = "commitment" if "commitment" in effect else "seed"
                effect[name] = getattr(period, name)
        save(entry)
    hash_anew(game, dice=False)
    return True


def _last_but_one(game: Game) -> Period | None:
    """A public period that another has followed."""
    return game.dice_periods.filter(private=False).order_by("-number")[1:2].first()


@row("a period hidden", AUDIT, DICE, URL)
def _period_hidden(game: Game) -> bool:
    period = _last_but_one(game)
    if period is None:
        return False
    sql(f"DELETE FROM dice_roll WHERE period_id = {period.pk}", game)
    return sql(f"DELETE FROM dice_period WHERE id = {period.pk}", game)


@row("a period hidden, in the entries too, all hashed anew", URL, EXPORT, HEAD)
def _period_everywhere(game: Game) -> bool:
    period = _last_but_one(game)
    if period is None or not _period_hidden(game):
        return False
    own = ["", False, period.number]
    for entry in game.entries.all():
        entry.effects = [each for each in entry.effects if each.get("period") != own]
        save(entry)
    hash_anew(game, dice=False)
    return True


# Sealed books


def _acts(game: Game, *, opened: bool) -> Any:
    acts = game.sealed_entries.exclude(name__in=CONSEQUENCES)
    return acts.filter(opened_in__isnull=not opened).order_by("seq")


@row("an opened act changed", AUDIT, DICE, URL, EXPORT)
def _opened_changed(game: Game) -> bool:
    act = _acts(game, opened=True).first()
    return act is not None and _change(act)


@row("a sealed act changed", AUDIT, REPLAY, EXPORT)
def _sealed_changed(game: Game) -> bool:
    act = _acts(game, opened=False).first()
    return act is not None and _change(act)


def _change(act: SealedEntry) -> bool:
    act.inputs = {**act.inputs, "more": 1}
    save(act)
    return True


@row("an act opened and never served", AUDIT, URL, EXPORT)
def _never_served(game: Game) -> bool:
    act = _acts(game, opened=True).first()
    return act is not None and sql(f"DELETE FROM record_sealedentry WHERE id = {act.pk}", game)


@row("an opened act closed again", AUDIT, URL, EXPORT)
def _closed_again(game: Game) -> bool:
    act = _acts(game, opened=True).first()
    return act is not None and _close(act)


def _close(*entries: SealedEntry) -> bool:
    for each in entries:
        each.opened_in = None
    save(*entries)
    return True


def _left_out(*left: SealedEntry, closed: bool = False) -> None:
    """Let the entry that opened these not name them, or name them as closed."""
    opening: Entry = left[0].game.entries.get(seq=left[0].opened_in or 0)
    outcome = opening.outcome
    places = [[each.book, each.number, each.hash] for each in left]
    outcome["opened"] = [each for each in outcome["opened"] if each not in places]
    if closed:
        outcome["closed"] = [[each.book, each.number, each.tag, each.hash] for each in left]
    save(opening)
    _close(*left)


for _closed in (False, True):

    @row(
        f"an act {'named as closed' if _closed else 'left out'} in its opening, all hashed anew",
        *(AUDIT, URL, EXPORT, HEAD),
    )
    def _left(game: Game, closed: bool = _closed) -> bool:
        act = _acts(game, opened=True).first()
        if act is None:
            return False
        _left_out(act, closed=closed)
        hash_anew(game, dice=False)
        return True


@row("the end of a book left out of its opening, all hashed anew", AUDIT, URL, EXPORT, HEAD)
def _end_left_out(game: Game) -> bool:
    act = _acts(game, opened=True).last()
    if act is None:
        return False
    same = game.sealed_entries.filter(book=act.book, opened_in=act.opened_in)
    _left_out(*same.filter(number__gte=act.number).order_by("number"))
    hash_anew(game, dice=False)
    return True


@row("an act taken out of its book, all hashed anew", REPLAY, HEAD, RECEIPT)
def _taken_out(game: Game) -> bool:
    """Who has no head and no receipt can tell by playing it again: what the act did is there."""
    act = _acts(game, opened=True).first()
    if act is None:
        return False
    _left_out(act)
    _remove(game, [act])
    hash_anew(game, dice=False)
    return True


@row("a whole subgame's book, all hashed anew", AUDIT, URL, EXPORT, HEAD)
def _whole_book(game: Game) -> bool:
    anchor = game.sealed_entries.filter(name=ANCHOR).order_by("seq").first()
    if anchor is None:
        return False
    _remove(game, list(game.sealed_entries.filter(book=anchor.book)))
    for entry in game.entries.all():
        entry.anchors.pop(anchor.book, None)
        save(entry)
    hash_anew(game, dice=False)
    return True


def _remove(game: Game, gone: list[SealedEntry]) -> None:
    """Take these out of their books, as if nobody had ever sealed them."""
    ids = ", ".join(str(each.pk) for each in gone)
    sql(f"DELETE FROM record_sealedentry WHERE id IN ({ids})", game)
    counts: dict[str, int] = {}
    left = list(game.sealed_entries.order_by("seq"))
    for seq, each in enumerate(left, 1):
        each.seq, each.number = seq, counts.get(each.book, 0) + 1
        counts[each.book] = each.number
    save(*left)


# Another history


@row("everything from entry 3 on hashed anew", REPLAY, HEAD, RECEIPT)
def _fork(game: Game) -> bool:
    entry = game.entries.get(seq=3)
    entry.text += " Indeed."
    save(entry)
    hash_anew(game)
    return True
