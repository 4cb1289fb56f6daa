"""Starting a game, moving the time of a manual one, and seating practice players."""

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from nomic.dice.models import Master
from nomic.dice.seeds import commitment, identity_of
from nomic.engine import watch
from nomic.engine.catch_up import catch_up
from nomic.engine.fairness.locks import locked_game
from nomic.engine.outcomes import Busy, Outcome, UnknownGame
from nomic.engine.schedule import Schedule
from nomic.engine.subgames import shipped_in
from nomic.engine.table import Table, glance
from nomic.engine.take import take
from nomic.games.bounds import BOUNDS, usual_bounds
from nomic.games.clock import END_OF_TIME, in_time, iso, wall_now
from nomic.games.models import (
    HIGHEST_NUMBER,
    JOINED_BY,
    NEWEST_READINGS,
    NUMBERS_FROM,
    OFFICES,
    READINGS,
    SEEN_BY,
    Game,
    JoinedBy,
    Pace,
    SeenBy,
)
from nomic.games.names import reads_as_one_of
from nomic.games.powers import VOTERS, Offices, Voters
from nomic.games.presets import PRESETS, Preset, least_ballots, with_least_ballots
from nomic.governance.absence import rule_of_absence
from nomic.governance.powers import powers_of
from nomic.governance.powers import shipped as shipped_powers
from nomic.ledger.models import AGORA, SCORE, Holder, HolderKind
from nomic.operations.moving_in import bring_rules, check_brought
from nomic.record.chain import genesis
from nomic.record.models import Entry, EntryKind
from nomic.rulebook.book import BY_PEOPLE
from nomic.rulebook.formats.values import Brought
from nomic.rulebook.models import RuleClass
from nomic.web.hosting.game_starter import BadSetup as BadSetup

_ROUNDS = 5
FAST_RATE = 2016  # a week of 604,800 s in 300 s
FASTEST = 1_000_000
NEWEST_FORMAT = 1  # of the records of new games
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_TAKEN_AS_GIVEN = ("title", "preset", "calendar", "edition", "after_outage")
_OF_A_RULE = ("title", "text", "parent", "number", "source", "origin")
_DEPARTMENTS = {HolderKind.MINT: "Mint", HolderKind.LOST_AND_FOUND: "Lost and Found"}
_AGORAS = ("", "adoption-index")  # editions; those without one are of its contests
_LONGEST_HOLDER = 60
_UNNAMED = "The game"


def new_game(
    slug: str,
    preset: str,
    *,
    pace: str = Pace.REAL,
    start: datetime | None = None,
    title: str = "",
    rate: int = FAST_RATE,
    after_outage: str = "replay",
    offices: str = "",
    host: User | None = None,
    seen_by: str = SeenBy.EVERYBODY,
    joined_by: str = JoinedBy.EVERYBODY,
    voters: str = Voters.EVERYBODY,
    quorum: int | None = None,
    silent_days: int | None = None,
    law: str = "",
    brought: Brought | None = None,
    most_hosted: int | None = None,
    dice_key: bytes | None = None,
    proposals_from: int | None = None,
) -> tuple[Game, bool]:
    """Start the game of that slug unless there is one; returns it and whether it is new.

    `start` is the game moment at which it begins (now, if left out). `rate` is how many game
    seconds pass in a wall second of a fast game. `offices` is how they are filled: support, host
    or open (by support at real pace, else open, if left out; by the `host`, where there is one).
    `quorum` is how many ballots a vote needs at least, where the rules that are shipped ask for
    another number of ballots. `silent_days` is after how many of the game somebody is away who is
    silent; nobody is so without it. `law` is one of the preset's, where it has several, and
    `brought` are the rules of a game that lived elsewhere, where it is one in which people keep the
    rules. `proposals_from` is the number of its first proposal, 1 if left out. A
    `host` has at most `most_hosted` open games, if that is said. `dice_key` is 32 secret bytes,
    which nobody knows unless they are given here. Raises BadSetup.
    """
    check_slug(slug)
    game = Game.objects.filter(slug=slug, scratch=False).first()
    if game:
        return game, False
    offices = offices or (Offices.HOST if host else "")
    chosen = check_brought(brought, _checked(preset, pace, start, offices, law))
    settings = {**_settings(chosen, pace, offices), **_admission(seen_by, joined_by, voters)}
    settings |= _numbering(chosen, proposals_from)
    wall = wall_now()
    begins = _asked(start) if start else wall
    goes = {"pace": str(pace), "rate": _rate(pace, rate), "title": title or chosen.title}
    inputs = {**goes, **_facts(chosen, settings, quorum, silent_days), "after_outage": after_outage}
    try:
        return _create_game(slug, inputs, begins, wall, host, most_hosted, brought, dice_key), True
    except IntegrityError:
        game = Game.objects.filter(slug=slug, scratch=False).first()
        if game is None:
            raise
        return game, False  # somebody else was faster


def _create_game(
    slug: str,
    inputs: dict[str, Any],
    begins: datetime,
    wall: datetime,
    host: User | None,
    most_hosted: int | None,
    brought: Brought | None,
    dice_key: bytes | None,
) -> Game:
    master = dice_key or secrets.token_bytes(32)
    # What makes a game that one, in the first entry's hash: all its dice are bound to it.
    origin = {"format": NEWEST_FORMAT, "identity": identity_of(master), "slug": slug}
    inputs = {**origin, "master": commitment(master), **inputs}
    with transaction.atomic(durable=True):
        if host and most_hosted is not None:
            # Two requests at once count one another.
            get_user_model().objects.select_for_update(no_key=True).get(pk=host.pk)
            if Game.objects.hosted_by(host).count() >= most_hosted:
                raise BadSetup(
                    f"You host {most_hosted} open games, and that is the most. Close one of them,"
                    " or hand one over, before you start another."
                )
        game = lay_out(slug, inputs, begins=begins, wall=wall)
        game.host = host
        game.save(update_fields=["host"])
        Master.objects.create(game=game, key=master)
        entry = begin(game, inputs, begins, wall)
        if brought is not None:
            game.refresh_from_db()
            entry = bring_rules(Table(game, begins, wall, locked=True), brought.facts())
        transaction.on_commit(lambda: watch.bump(game.pk, entry.seq))
    return game


def _numbering(preset: Preset, proposals_from: int | None) -> dict[str, int]:
    """Where the numbers of proposals begin, if not at 1; raises BadSetup."""
    if proposals_from is None:
        return {}
    if not preset.edition:
        raise BadSetup(f"A game of the preset “{preset.name}” begins without proposals.")
    if not 1 <= proposals_from <= HIGHEST_NUMBER:
        raise BadSetup(f"The first proposal's number is from 1 to {HIGHEST_NUMBER:,}.")
    return {NUMBERS_FROM: proposals_from}


def _admission(seen_by: str, joined_by: str, voters: str) -> dict[str, str]:
    """Who sees the game, who joins it and who votes, where that is not everybody; raises
    BadSetup."""
    are_known = (seen_by in SeenBy.values, joined_by in JoinedBy.values, voters in Voters.values)
    if not all(are_known):
        raise BadSetup(
            f"A game is seen by {' or '.join(SeenBy.values)}, and joined by"
            f" {', '.join(JoinedBy.values)}; there vote {', '.join(Voters.values)}."
        )
    choices = {SEEN_BY: str(seen_by), JOINED_BY: str(joined_by), VOTERS: str(voters)}
    return {name: choice for name, choice in choices.items() if choice != "everybody"}


def check_slug(slug: str) -> None:
    """Raise BadSetup where no game can have that slug."""
    if not _SLUG.fullmatch(slug):
        raise BadSetup("A slug has 1 to 40 of a–z, 0–9 and -, and does not begin with -.")


def _facts(
    preset: Preset,
    settings: dict[str, Any],
    quorum: int | None = None,
    silent_days: int | None = None,
) -> dict[str, Any]:
    facts = {"preset": preset.name, "calendar": preset.calendar, "edition": preset.edition}
    rules = [rule.facts() for rule in shipped_in(preset.rulebooks)]
    if settings.get(BY_PEOPLE):  # under names that are not likely to be the people's own
        for rule in rules:
            rule["known_as"] = rule.get("known_as") or rule["title"]
            rule["title"] = f"{rule['title']} (voting law)"
    if settings.get(OFFICES) in (Offices.SUPPORT, Offices.HOST):
        rules += [rule.facts() for rule in shipped_powers()]
    if silent_days is not None:
        rules += [rule_of_absence(silent_days).facts()]
    if quorum is not None:
        if not any(least_ballots(rule["text"]) for rule in rules):
            raise BadSetup(f"No rule of “{preset.title}” has a quorum in ballots.")
        rules = [{**rule, "text": with_least_ballots(rule["text"], quorum)} for rule in rules]
    return {**facts, "settings": settings, "rules": rules}


def _settings(preset: Preset, pace: str, offices: str) -> dict[str, Any]:
    current = {READINGS: NEWEST_READINGS, BOUNDS: usual_bounds()}
    return {**preset.settings, **powers_of(pace, offices), **current}


def _must_be_played_here(settings: Mapping[str, Any]) -> None:
    readings, bounds = settings.get(READINGS), settings.get(BOUNDS)
    if type(readings) is not int or readings != NEWEST_READINGS:
        raise BadSetup(
            f"The game is played by readings {str(readings)[:20]} of the rules, and this version"
            f" plays by readings {NEWEST_READINGS} alone."
        )
    missing = powers_of(Pace.REAL).keys() - settings.keys()
    missing |= usual_bounds().keys() - (bounds if isinstance(bounds, dict) else {})
    if missing:
        raise BadSetup(f"The game's beginning does not set {', '.join(sorted(missing))}.")


def lay_out(
    slug: str, inputs: dict[str, Any], *, begins: datetime, wall: datetime, scratch: bool = False
) -> Game:
    """The row of a game before its first entry; a replay calls this as well. Raises BadSetup where
    the record's format is another, or the settings are none that a game begins with."""
    identity, pace, form = inputs["identity"], inputs["pace"], inputs.get("format")
    if type(form) is not int or form != NEWEST_FORMAT:
        raise BadSetup(
            f"The record is of format {str(form)[:20]}, and this version of the program reads"
            f" format {NEWEST_FORMAT} alone."
        )
    _must_be_played_here(inputs["settings"])
    return Game.objects.create(
        slug=slug,
        identity=identity,
        format=form,
        settings=dict(inputs["settings"]),
        **{name: inputs[name] for name in _TAKEN_AS_GIVEN},
        pace=pace,
        rate=_rate(pace, inputs["rate"]),
        anchor_game=begins,
        anchor_wall=begins if pace == Pace.REAL else wall,
        record_head=genesis(identity),
        sealed_head=genesis(identity, "sealed book"),
        scratch=scratch,
    )


def begin(game: Game, inputs: dict[str, Any], begins: datetime, wall: datetime) -> Entry:
    """Write a laid-out game's first entry: its rulebook, its dice, its subgames' beginnings."""
    departments = {HolderKind.GAME: _own_name(game), **_DEPARTMENTS}
    Holder.objects.bulk_create(
        Holder(game=game, kind=kind, name=name) for kind, name in departments.items()
    )
    table = Table(game, begins, wall, locked=True)
    table.ledger.define(SCORE, SCORE)
    table.rules.enact_all(
        [
            {
                **{name: rule[name] for name in _OF_A_RULE},
                "rule_class": rule.get("rule_class", RuleClass.MUTABLE),
                "known_as": rule.get("known_as", ""),
            }
            for rule in inputs["rules"]
        ]
    )
    period = table.dice.open_period()
    table.appointments.begin("dice.week")
    text = (
        f"The game “{game.title}” begins. The dice's first seed is committed to as"
        f" {period.commitment}."
    )
    return table.write(
        EntryKind.SYSTEM,
        "games.begin",
        None,
        inputs,
        Outcome(text, {"commitment": period.commitment}),
    )


def _own_name(game: Game) -> str:
    """The name by which the game itself owns something: its title, if its rules are not Agora's."""
    if game.edition in _AGORAS and not game.setting(BY_PEOPLE):
        return AGORA
    title = " ".join(game.title.split())[:_LONGEST_HOLDER].rstrip()
    return _UNNAMED if not title or reads_as_one_of(title, _DEPARTMENTS.values()) else title


@contextmanager
def locked_table(slug: str) -> Iterator[Table]:
    """The game of that slug as it is now, locked; raises UnknownGame, Busy, and BadSetup where it
    is held since a restore."""
    with locked_game(slug=slug, scratch=False) as game:
        if game is None:
            raise UnknownGame(f"There is no game “{slug[:60]}”.")
        if game.restored:
            raise BadSetup(game.set_aside)
        wall = wall_now()
        yield Table(game, game.now(wall), wall, locked=True)


def advance(slug: str, to: datetime) -> int:
    """Move a manual game's time forward and keep all that becomes due; returns how much that was.

    Stops at an event that cannot happen, and at a moment at which more events happen than are
    kept at once: the game then has something due still.
    Raises BadSetup for another pace, a moment that is past, or a game whose time stands still;
    UnknownGame, Busy.
    """
    to = _asked(to)
    with locked_table(slug) as table:
        game = table.game
        if game.pace != Pace.MANUAL:
            raise BadSetup(f"Time in “{slug}” goes at {game.pace} pace; only manual time is moved.")
        if game.paused_at:
            raise BadSetup(f"“{slug}” is paused; its officer resumes it before its time is moved.")
        if game.stuck_at:
            raise BadSetup(
                f"“{slug}” is stuck at {iso(game.stuck_at)}; its officer retries or skips what"
                " could not happen before its time is moved."
            )
        if to < table.now:
            raise BadSetup(f"It is {iso(table.now)} in “{slug}” already; time does not go back.")
        game.anchor_game, game.anchor_wall = to, table.wall
        game.save(update_fields=["anchor_game", "anchor_wall"])
        Schedule(game, to, locked=True).note_next_due()
    happened, reached = catch_up(game.pk), None
    while True:
        game = Game.objects.get(pk=game.pk)
        if not glance(game).overdue or game.last_at == reached:
            return happened
        reached = game.last_at
        happened += catch_up(game.pk)


def seat_practice_players(slug: str, count: int) -> None:
    """Seat player1 … playerN with users of the same names, who cannot sign in with a password."""
    users = get_user_model().objects
    game = Game.objects.get(slug=slug)
    for number in range(1, count + 1):
        name = f"player{number}"
        user, is_new = users.get_or_create(username=name)
        if is_new:
            user.set_unusable_password()
            user.save()
        if not game.players.filter(user=user).exists():
            take(slug, user, "games.join", {"name": name})


def set_pace(slug: str, pace: str, *, rate: int = FAST_RATE) -> Game:
    """Let the game's time go on from now at another pace, on the record. Raises BadSetup.

    Real pace is only for a game that starts with it: there game time is wall time.
    """
    for _ in range(_ROUNDS):
        with locked_table(slug) as table:
            if not table.overdue:
                entry = change_pace(table, pace, rate)
                transaction.on_commit(partial(watch.bump, entry.game_id, entry.seq))
                return table.game
        catch_up(table.game.pk)
    raise Busy


def change_pace(table: Table, pace: str, rate: int) -> Entry:
    """Write the change into the record at a locked table; a replay calls this as well. Raises
    BadSetup."""
    if pace == Pace.REAL:
        raise BadSetup("A game has real pace from its start or never.")
    game = table.game
    game.anchor_game, game.anchor_wall = table.now, table.wall
    game.pace, game.rate = pace, _rate(pace, rate)
    game.save(update_fields=["anchor_game", "anchor_wall", "pace", "rate"])
    table.appointments.changed = True
    inputs = {"pace": str(pace), "rate": game.rate}
    text = "Time stands still from now on, until it is set going again or moved by hand."
    if game.rate:
        text = f"The game’s time now runs {game.rate:,} times as fast as the clock."
    return table.write(EntryKind.SYSTEM, "games.set_pace", None, inputs, Outcome(text))


def _rate(pace: str, rate: int) -> int:
    """How many game seconds pass in a wall second; BadSetup where that is no such number."""
    if pace == Pace.REAL:
        return 1
    if pace == Pace.MANUAL:
        return 0
    if pace not in Pace.values or not 1 <= int(rate) <= FASTEST:
        raise BadSetup(f"A fast game's second is 1 to {FASTEST:,} seconds of game time.")
    return int(rate)


def _checked(preset: str, pace: str, start: datetime | None, offices: str, law: str) -> Preset:
    """The preset with that of its laws, the first unless one is named; raises BadSetup."""
    if offices and offices not in Offices.values:
        ways = ", ".join(Offices.values)
        raise BadSetup(f"Offices are not filled by “{offices[:60]}”. Known: {ways}.")
    if pace == Pace.REAL and offices == Offices.OPEN:
        raise BadSetup(
            "Open offices are for practice games, at the fast or the manual pace: at real pace they"
            " are filled by support or by a host."
        )
    if preset not in PRESETS:
        raise BadSetup(f"There is no preset “{preset[:60]}”. Known: {', '.join(PRESETS)}.")
    if pace not in Pace.values:
        raise BadSetup(f"There is no pace “{pace[:60]}”. Known: {', '.join(Pace.values)}.")
    begins = _asked(start) if start else None
    if pace == Pace.REAL and begins and begins > wall_now():
        raise BadSetup("A game at real pace cannot begin in the future.")
    if begins == END_OF_TIME:
        raise BadSetup("A game begins before the year 9000.")
    chosen = PRESETS[preset]
    if law and law not in chosen.laws:
        laws = ", ".join(chosen.laws) or "none"
        raise BadSetup(f"“{chosen.name}” has no voting law “{law[:60]}”. Known: {laws}.")
    return chosen.under(law) if law else chosen


def _asked(moment: datetime) -> datetime:
    """The moment in UTC; raises BadSetup where no game's time can be that early or that late."""
    try:
        return in_time(moment)
    except ValueError as error:
        raise BadSetup(str(error)) from error
