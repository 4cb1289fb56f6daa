"""A whole game as one file, and back: a file is imported by playing it again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.dateparse import parse_datetime

from nomic.games.clock import wall_now
from nomic.games.models import Game
from nomic.games.presets import PRESETS, READINGS
from nomic.play import watch
from nomic.play.recording import BadRecording, Recording, from_file, recording_of, to_file
from nomic.play.replay import rerun
from nomic.play.snapshot import snapshot
from nomic.play.subgames import all_subgames
from nomic.play.table import Table, set_the_alarm


def export_game(game: Game, file: IO[str]) -> int:
    """Write the game as it is at one instant, a JSON value a line; returns how many acts."""
    lines = 0
    with snapshot(game) as seen:
        for value in to_file(recording_of(seen)):
            file.write(json.dumps(value, sort_keys=True, ensure_ascii=False) + "\n")
            lines += 1
    return lines - 1


def import_game(lines: Iterable[str], *, slug: str = "", seat_users: bool = False) -> Game:
    """Play a file into a game of this site; every entry must come out with its own hash.

    `slug` gives it another address here. With `seat_users`, seats go to the users of this site
    whose user names the file has. Raises BadRecording, and then nothing has changed.
    """
    recording = from_file(_values(lines))
    address = slug or recording.slug
    if Game.objects.filter(slug=address).exists():
        raise BadRecording(f"There is a game “{address}” here already. Give another slug.")
    with transaction.atomic(durable=True):
        game, agreed, difference = rerun(recording, address, scratch=False)
        if game is None:
            raise BadRecording("The file holds no game.")
        if difference:
            raise BadRecording(f"The file contradicts itself after {agreed} entries: {difference}")
        if (game.pace, game.rate) != (recording.pace, recording.rate):
            raise BadRecording("The file's head tells of another pace than its last entries.")
        _go_by_todays_readings(game)
        _set_the_clock(game, recording)
        if seat_users:
            _seat(game, recording.users)
        transaction.on_commit(lambda: watch.bump(game.pk, game.last_entry))
    return game


def _values(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except ValueError as error:
            raise BadRecording(f"Line {number} is not JSON: {error}.") from error


def _set_the_clock(game: Game, recording: Recording) -> None:
    anchor_game = parse_datetime(recording.clock.get("anchor_game", ""))
    anchor_wall = parse_datetime(recording.clock.get("anchor_wall", ""))
    if anchor_game is None or anchor_wall is None:
        raise BadRecording("The file does not say how the game's clock stands.")
    game.anchor_game, game.anchor_wall = anchor_game, anchor_wall
    game.stuck_at, game.stuck_error = None, ""
    game.save(update_fields=["anchor_game", "anchor_wall", "stuck_at", "stuck_error"])
    assert game.last_at is not None
    set_the_alarm(game, Table(game, game.last_at, anchor_wall, locked=True).appointments)


def _go_by_todays_readings(game: Game) -> None:
    """Let what happens from now on go by those readings of the rules that the game does not know
    yet; what has happened stays as it was."""
    preset = PRESETS.get(game.preset)
    todays = preset.settings.get(READINGS, {}) if preset else {}
    since = {**dict.fromkeys(todays, game.last_entry), **game.setting(READINGS, {})}
    if since:
        game.settings = {**game.settings, READINGS: since}
        game.save(update_fields=["settings"])
    assert game.last_at is not None
    table = Table(game, game.last_at, wall_now(), locked=True)
    for subgame in all_subgames():
        subgame.reads_anew(table)


def _seat(game: Game, users: dict[str, str]) -> None:
    here = {
        user.get_username(): user
        for user in get_user_model().objects.filter(username__in=users.values())
    }
    for player in game.players.filter(name__in=users):
        player.user = here.get(users[player.name])
        player.save(update_fields=["user"])
