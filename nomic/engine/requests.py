"""What becomes of a request: who sends it and whether it was sent already; in a game that is behind
how much of the backlog it works off, and what is urgent and goes first; how long acts take."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from hashlib import sha256
from time import perf_counter
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser

from nomic.engine import watch
from nomic.engine.actions import Action, TimeStopper, UrgentAction, find_action
from nomic.engine.catch_up import lateness, set_back
from nomic.engine.fairness.worker_share import is_over_share
from nomic.engine.outcomes import Behind, Busy, Malformed, Receipt, Refused, UnknownAction
from nomic.engine.table import Table, glance
from nomic.games.bounds import REQUEST_SECONDS
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.infrastructure.database.compiled_queries import CompiledQuery
from nomic.quotas import disk, holds, usage
from nomic.quotas.models import UsageKind
from nomic.record.chain import as_stored
from nomic.record.models import PART, Entry, SealedEntry

LONGEST_KEY = 80
MOST_TOGETHER = 20  # acts that are sent at once
CAME_TO_NOTHING = "games.in_vain"  # the name of an entry that an act makes which comes to nothing
_ENTRIES = CompiledQuery(lambda: Entry.objects.all(), "actor", "game")
_SEALED = CompiledQuery(lambda: SealedEntry.objects.all(), "actor", "game")
_LEAST, _LITTLE = 0.3, 0.05  # seconds
_HOPELESS = timedelta(seconds=5)  # late: sweeps come each second


class OverItsShare(Busy):
    """The game may write nothing for so many `seconds`."""

    def __init__(self, sentence: str, seconds: int) -> None:
        super().__init__(sentence)
        self.seconds = seconds


def patience() -> timedelta:
    """For how long a request works off a backlog or waits for a game; less for one that has waited
    for its turn already, so that its answer is no later."""
    return timedelta(seconds=max(REQUEST_SECONDS.most - usage.waited(), _LEAST))


def wait_for_lock() -> float | None:
    """For how many seconds a request that has waited for its turn waits for a game's lock; None for
    others: as long as anybody."""
    seconds = patience().total_seconds()
    return seconds if seconds < REQUEST_SECONDS.most - _LITTLE else None


def leave_to_a_worker(game: Game, wall: datetime) -> None:
    """Raise Behind where the game has taken more than its share, and is late all the same."""
    late = lateness(game, wall)
    if late > _HOPELESS and is_over_share(game, wall):
        raise Behind(late)


def refuse_held(game: Game) -> None:
    """Raise Refused where the game is locked out, and OverItsShare where it waits for its share of
    the disk: no act that is not urgent is done then."""
    if sentence := holds.locked_out(UsageKind.GAME, game.pk):
        raise Refused(Refusal("locked_out", sentence))
    if waits := disk.waiting_reason(game.pk, game.host_id):
        sentence_on_disk, seconds = waits
        minutes = -(-seconds // 60)
        if seconds < 120:
            wait = f"{seconds} seconds"
        elif minutes < 120:
            wait = f"{minutes} minutes"
        else:
            wait = f"{-(-minutes // 60)} hours"
        raise OverItsShare(f"{sentence_on_disk} Nothing was done; try again in {wait}.", seconds)


@contextmanager
def measured() -> Iterator[None]:
    """Count how long an act takes, and the code of the refusal in which it ends."""
    begun, refused = perf_counter(), ""
    try:
        yield
    except Refused as error:
        refused = error.refusal.code
        raise
    except (Malformed, Busy) as error:
        refused = type(error).__name__.lower()
        raise
    finally:
        watch.measure(perf_counter() - begun, refused)


def is_urgent(name: str) -> bool:
    """Whether the action of that name is done in a game however far behind it is."""
    try:
        return isinstance(find_action(name), UrgentAction)
    except UnknownAction:
        return False


def settled(table: Table, name: str) -> Table:
    """The locked table at the moment up to which all that is due has happened: nothing is judged
    in a past that is not settled. What is due happens after it. An act that lets time stand still
    sets the clock back to that moment first, and the record says so.
    """
    game, wall = table.game, table.wall
    moment = game.clock.moment(wall)
    if game.paused_at or game.next_due is None or game.next_due > moment:
        return table
    at = max(game.next_due, game.last_at) if game.last_at else game.next_due
    if isinstance(find_action(name), TimeStopper) and at < moment:
        set_back(game, wall, moment - at, at)
    return Table(game, at, wall, locked=True)


# Who sends it

Actor = Player | AbstractBaseUser | None


def who_acts(table: Table, actor: Actor, action: Action) -> tuple[Player | None, bool]:
    """The actor's seat, and whether they act as the operator: in an office that is not theirs.

    The game's host is its operator in what is the host's to do, and in nothing else.
    """
    player = _seat_of(table, actor)
    operates = _operates(actor) or (action.is_hosts(table.game) and _is_host(table.game, actor))
    if action.office and operates and player:
        held = player.offices.values_list("name", flat=True)
        player = player if action.is_of(held, table.game) else None
    return player, player is None and operates


def _seat_of(table: Table, actor: Actor) -> Player | None:
    """The actor's seat as it is now, with its holder; None for people without one."""
    if isinstance(actor, Player):
        return table.seat_with(pk=actor.pk)
    if actor is None:
        return None
    table.visitor = actor
    with suppress(Player.DoesNotExist):
        return table.seat_with(user=actor.pk)
    return None


def runs(game: Game, user: AbstractBaseUser) -> bool:
    """Whether that user appoints to the game's offices: its host, or the site's operator."""
    return _operates(user) or _is_host(game, user)


def _is_host(game: Game, actor: Actor) -> bool:
    user = _user_key(actor)
    return user is not None and user == game.host_id


def _operates(actor: Actor) -> bool:
    return actor is None or bool(getattr(actor, "is_superuser", False))


def _user_key(actor: Actor) -> Any:
    return actor.user_id if isinstance(actor, Player) else getattr(actor, "pk", None)


# The keys by which an act counts once: whose a key is, and what it was used for already


def owned_key(actor: Actor, key: str) -> str | None:
    """The key as the record keeps it: each person's keys are their own. Raises Refused."""
    if not key:
        return None
    if len(key) > LONGEST_KEY or not key.isprintable():
        sentence = f"A key has at most {LONGEST_KEY} characters, none of them invisible."
        raise Refused(Refusal("bad_key", sentence))
    user = _user_key(actor)
    seat = f"seat {actor.pk}" if isinstance(actor, Player) and user is None else user
    return f"{seat or 'operator'}/{key}"


def keys_of_all(key: str, count: int) -> list[str]:
    """The keys for `count` acts that are sent together under one key: the first act has that key,
    and each other one a key made of it, of the act's place and of `count`."""
    words = (f"{key}\0{place}\0{count}" for place in range(1, count))
    return [key, *(sha256(word.encode()).hexdigest() if key else "" for word in words)]


def served_several(slug: str, actor: Actor, key: str) -> bool:
    """Whether that key, as the record keeps it, was that of several acts, of which the first one
    has it."""
    chosen = chosen_key(key)
    seconds = [
        owned_key(actor, keys_of_all(chosen, count)[1]) for count in range(2, MOST_TOGETHER + 1)
    ]
    books = (Entry.objects, SealedEntry.objects)
    return any(book.filter(game__slug=slug, key__in=seconds).exists() for book in books)


def chosen_key(key: str) -> str:
    """The key as its owner chose it, of one as `owned_key` gives it."""
    return key.partition("/")[2]


def first_receipt(
    slug: str, actor: Actor, name: str, raw_inputs: dict[str, Any], key: str | None, *, typed: bool
) -> Receipt | None:
    """The receipt that this key got before; None where it is new. Raises Refused where it served
    another act, and Malformed where these inputs are of the wrong types."""
    used = _first_use(slug, key) if key else None
    if used is None:
        return None
    first, act, inputs = used
    if name != act:
        raise key_used(first.entry)
    table = glance(first.entry.game)
    sent: dict[str, tuple[Any, ...]]
    try:
        action = find_action(name, table)
    except UnknownAction:
        # The rule is gone that had it, and with it what its inputs are by default.
        sent = {name: (text,) for name, text in raw_inputs.items()}
    else:
        form = action.Form(table, who_acts(table, actor, action)[0], raw_inputs)
        if typed:
            form.must_be_typed()
        # What cannot be read any more, as a choice that is gone, is compared as it was sent.
        chosen = as_stored(form.chosen())
        sent = {name: (chosen.get(name), form[name].data) for name in form.fields}
    if not all(
        any(_is_same(inputs.get(name), content) for content in contents)
        for name, contents in sent.items()
    ):
        raise key_used(first.entry)
    return first


def _first_use(slug: str, key: str) -> tuple[Receipt, str, dict[str, Any]] | None:
    """The first use of that key: the receipt, the action's name and all of its inputs, be they
    public or not; None where it is new."""
    entry, sealed = _ENTRIES.first(game__slug=slug, key=key), None
    if entry is None:
        sealed = _SEALED.first(game__slug=slug, key=key)
        if sealed is None:
            return None
        if sealed.name != PART:
            return Receipt(sealed, repeated=True), *_asked(sealed)
        entry = _ENTRIES.get(game=sealed.game_id, seq=sealed.after + 1)
    name, inputs = _asked(entry)
    hidden_inputs, private_sentence = (sealed.inputs, sealed.text) if sealed else ({}, "")
    return (
        Receipt(entry, repeated=True, private_sentence=private_sentence),
        name,
        {**inputs, **hidden_inputs},
    )


def _asked(entry: Entry | SealedEntry) -> tuple[str, dict[str, Any]]:
    if entry.name == CAME_TO_NOTHING:
        return str(entry.inputs["action"]), entry.inputs["given"]
    return entry.name, entry.inputs


def key_used(entry: Entry | SealedEntry) -> Refused:
    """The refusal; a sealed entry goes by a hash, since its number tells how many there are."""
    which = f"entry {entry.seq}"
    if isinstance(entry, SealedEntry):
        which = f"the sealed entry {entry.content_hash}"
    sentence = (
        f"This key was used for {which} already, which was something else. Nothing more has"
        " happened: what you mean now needs a new key, which a form has that is shown again."
    )
    return Refused(Refusal("key_used", sentence))


def _is_same(recorded: Any, sent: Any) -> bool:
    return bool(_plain(recorded) == _plain(sent))


def _plain(content: Any) -> Any:
    """It as a text, or as a list or an object of such; nothing is "" in all its forms."""
    if isinstance(content, Mapping):
        return {str(name): _plain(part) for name, part in content.items() if _plain(part)} or ""
    if isinstance(content, list | tuple):
        return [_plain(part) for part in content] or ""
    if content is None or content is False:
        return ""
    return str(content).replace("\r\n", "\n").strip()
