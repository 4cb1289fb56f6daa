"""A whole game as one file, and back: a file is imported by playing it again."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import IO

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction

from nomic.dice.master import master_of
from nomic.engine import watch
from nomic.engine.outcomes import Busy
from nomic.engine.schedule import Schedule
from nomic.games.clock import read_moment
from nomic.games.models import Game
from nomic.operations.recorded_inputs import BadRecording, Recording, from_file
from nomic.operations.replay import Departure, Rerun
from nomic.operations.replayer import is_timed, write_publication
from nomic.operations.scratch import scratch_game
from nomic.operations.setup import BadSetup, check_slug, locked_table
from nomic.operations.snapshot import snapshot
from nomic.record.canonical import no_number
from nomic.record.game_file import end_of, lines_of, of_the_clock, published


class NotPublished(ValueError):
    """The game is not made public; the text says why not, and what would let it."""


def export_game(game: Game, file: IO[str], *, public: bool = False) -> int:
    """Write the game as it is at one instant, a JSON value a line; returns how many entries.

    A `public` file is for everybody, once the game's record says that there is one; it goes as far
    as that. Raises NotPublished.
    """
    lines = 0
    with snapshot(game) as frozen:
        entry = published(frozen) if public else None
        if public and entry is None:
            raise NotPublished(f"“{game.title}” is not published.")
        for line in lines_of(frozen, master_of(frozen), entry):
            file.write(line)
            lines += 1
    return lines - 2  # without the head and the line that closes the file


def publish(slug: str, reason: str) -> Game:
    """Say on the record that the whole game until now is public, its master secret too.

    What a game that is played seals afterwards stays sealed until that is said again, with another
    reason. Raises NotPublished, UnknownGame and Busy.
    """
    with locked_table(slug) as table:
        game = table.game
        before, reason = published(game), " ".join(reason.split())
        if before:
            sealed = game.sealed_entries.filter(after__gte=before.seq)
            nothing_new = game.last_entry == before.seq and not sealed.exists()
            if nothing_new or not (reason or game.is_closed):
                return game
        if not reason and not game.is_closed:
            raise NotPublished(
                "The game is still played: what is sealed would be read and its dice foretold. Give"
                " a reason, which the record keeps, or wait until the game is closed."
            )
        if table.overdue:
            raise Busy
        entry = write_publication(table, reason[:500], of_the_clock(game))
        transaction.on_commit(lambda: watch.bump(entry.game_id, entry.seq))
    return game


def import_game(
    lines: Iterable[str],
    *,
    slug: str = "",
    seat_users: bool = False,
    departures: list[Departure] | None = None,
) -> Game:
    """Play a file into a game of this site; every line must come out as it is there.

    `slug` gives it another address here. With `seat_users`, seats go to the users of this site
    whose user names the file has. To `departures` is added what comes
    out otherwise today though the file holds. Raises BadRecording, and then nothing has changed.
    """
    digests: list[bytes] = []
    recording = from_file(_values(lines, digests))
    address = slug or recording.slug
    try:
        check_slug(address)
    except BadSetup as error:
        raise BadRecording(str(error)) from error
    taken = BadRecording(f"There is a game “{address}” here already. Give another slug.")
    if Game.objects.filter(slug=address).exists():
        raise taken
    with scratch_game("import") as scratch_slug:
        rerun = Rerun(recording, scratch_slug, departures)
        rerun.play(recording.acts)
        game = rerun.game
        if rerun.difference:
            raise BadRecording(
                f"The file contradicts itself after {rerun.agreed} entries: {rerun.difference}"
            )
        if game is None:
            raise BadRecording("The file holds no game.")
        if (game.pace, game.rate) != (recording.pace, recording.rate):
            raise BadRecording("The file's head tells of another pace than its last entries.")
        if is_timed(game) and recording.clock != of_the_clock(game)["clock"]:
            raise BadRecording("The file's head tells of another clock than its entries.")
        if recording.end != end_of(game):
            raise BadRecording("The file is not whole: its last line tells of other entries.")
        _must_be_the_same(game, recording, digests)
        try:
            with transaction.atomic():
                _take_in(game, address, recording, seat_users=seat_users)
        except IntegrityError as error:
            raise taken from error
    return game


def _take_in(game: Game, address: str, recording: Recording, *, seat_users: bool) -> None:
    """Make the scratch game a game of this site, which everybody sees from one instant on."""
    try:
        anchors = (recording.clock.get(name, "") for name in ("anchor_game", "anchor_wall"))
        game.anchor_game, game.anchor_wall = map(read_moment, anchors)
    except ValueError as error:
        raise BadRecording(f"The file's clock cannot be read: {error}") from error
    game.stuck_at, game.stuck_error = None, ""
    game.save(update_fields=["anchor_game", "anchor_wall", "stuck_at", "stuck_error"])
    assert game.last_at is not None
    Schedule(game, game.last_at, locked=True).note_next_due()
    if seat_users:
        users = recording.users
        if len(set(users.values())) < len(users):
            raise BadRecording("The file gives two seats to one user.")
        accounts = get_user_model().objects.filter(username__in=users.values())
        accounts_by_name = {user.get_username(): user for user in accounts}
        for player in game.players.filter(name__in=users):
            player.user = accounts_by_name.get(users[player.name])
            player.save(update_fields=["user"])
    game.slug, game.scratch = address, False
    game.save(update_fields=["slug", "scratch"])
    transaction.on_commit(lambda: watch.bump(game.pk, game.last_entry))


def _must_be_the_same(game: Game, recording: Recording, digests: list[bytes]) -> None:
    """Raise BadRecording where an entry's line is not the one that this game would be given out
    with: what a replay makes anew, it does not read there."""
    again = lines_of(game, recording.master)
    for number, (digest, line) in enumerate(zip_longest(digests, again), 1):
        is_entry = 1 < number < len(digests)  # the head and the end are compared by themselves
        if line is None or digest is None or (is_entry and digest != _digest(json.loads(line))):
            raise BadRecording(f"Line {number} of the file is not what is played again there.")


def _digest(content: object) -> bytes:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).digest()


def _values(lines: Iterable[str], digests: list[bytes]) -> Iterator[object]:
    """The values of the lines, whose digests are added to `digests`. Raises BadRecording."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            content = json.loads(
                line, parse_constant=no_number, object_pairs_hook=_without_repetition
            )
            digests.append(_digest(content))
            yield content
        except RecursionError:
            raise BadRecording(f"Line {number} is nested too deeply.") from None
        except ValueError as error:
            fault = str(error).partition(";")[0]
            raise BadRecording(f"Line {number} is not JSON: {fault}.") from error


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key stands there twice")
    return content
