"""The demonstration: fast games with some weeks behind them, played through `take()`.

One has races, with players named as in Agora's Proposal 8822, an isle of Settlers, a contest of
cards, and votes on the rules of all; the other is a B Nomic in the middle of a Voting Period. On
one's own machine the players share a password that everybody knows; on a public site nobody can
sign in as them.

While nobody looks at it for as long as its practice players stay awake, its time stands still. It
is old when its record is long, and some time after its contest was reckoned or the isle was won.
Then it is removed whole and filled again, as soon as nobody is about, and before long even so,
though not while somebody plays. Who came to it has a seat in the new one. What is removed, and
who gets a seat, is written down before: a filling that is cut short is taken up by the next look.
"""

import functools
import logging
import random
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet

from nomic.engine import watch
from nomic.engine.coverage import unfitted
from nomic.engine.outcomes import Busy, Refused
from nomic.engine.programs.gallery import gallery
from nomic.engine.subgames import all_subgames
from nomic.engine.table import Table
from nomic.engine.take import take
from nomic.games.admission import is_open_to_all
from nomic.games.calendars import next_week
from nomic.games.clock import wall_now
from nomic.games.models import Game, Pace, Player
from nomic.governance.bots import add_bots
from nomic.governance.motions import JOIN
from nomic.governance.rulebook_keeping import ALL, KEEP_BY_HAND
from nomic.operations.scratch import remove_game
from nomic.operations.setup import advance, new_game, set_pace
from nomic.record.models import Entry, SealedEntry
from nomic.simulation.bots import Act, Demonstration, bots_for, take_first
from nomic.simulation.practice import is_awake
from nomic.web.demonstration import (
    OFFICER,
    OFFICES,
    PASSWORD,
    PLAYERS,
    SLUG,
    being_filled,
    end_filling,
    report_filling,
    seats_to_give,
    the_demonstration,
)
from nomic.web.models import Filling

BEGINS = datetime(2022, 8, 8, tzinfo=UTC)
WEEK_LASTS = 240
"""Wall seconds in which a week of the demonstration passes."""
RATE = int(timedelta(days=7).total_seconds()) // WEEK_LASTS

B_NOMIC = "b-nomic"
B_NOMIC_PLAYERS = ("Peter", "Wonko", "Rosa", "Iris", "snail")
_B_NOMIC_BEGINS = datetime(2006, 12, 4, tzinfo=UTC)
_NDAY = timedelta(days=1)

BEING_FILLED = "nomic:demonstration:filled"
"""The key in the cache while somebody fills it, and for SILENT seconds after their last word."""
SILENT = 120
SEATED_AGAIN = "seated-again"
"""The key under which people are seated in a demonstration that was made anew."""

_BOTS = 5
_WEEKS = 4
"""So many are played before anybody can join: few, so that nobody waits long."""
_SEED = 8822

_NOBODY_IS_ABOUT = timedelta(minutes=5)
_PLAYS = timedelta(minutes=10)  # for so long after what somebody did
_ENTRIES = (4_000, 6_000)  # from which it is old, and too old even while somebody looks
_MOST_ENTRIES = 20_000  # from which it is too old even while somebody plays
_AFTER_A_DECISION = (timedelta(weeks=2), timedelta(weeks=4))  # of its time, likewise
_TURN, _BEFORE_ANOTHER_TRY = 1, 60  # seconds: between two looks at it, and two tries to fill it

log = logging.getLogger(__name__)


def _parts() -> list[Demonstration]:
    """What the subgames show of themselves, in their order."""
    return [bots_for(subgame).demonstration for subgame in all_subgames()]


LAST = "last"
_BODIES: dict[str, Callable[[], str]] = {
    **{name: body for part in _parts() for name, body in part.bodies.items()},
    # A rule that carries a program, to be adopted while one looks on.
    "The Lottery": lambda: next(
        piece for piece in gallery() if piece.title == "The Lottery"
    ).as_proposed([("hoof", "hooves")]),
}


@dataclass(frozen=True, slots=True)
class Bill:
    """A proposal submitted in the week of that number (0 is the first), or in the `last` one.

    `votes` are cast in the order in which they stand here. Links are numbers of earlier ones.
    """

    week: int | str
    author: str
    title: str
    body: str
    votes: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)
    conflicts: tuple[int, ...] = ()
    dependencies: tuple[int, ...] = ()


def _bill(bill: dict[str, Any]) -> Bill:
    if "body_of" in bill:
        bill["body"] = _BODIES[bill.pop("body_of")]()
    return Bill(**bill)


_BILLS = tomllib.loads(Path(__file__).with_name("bills.toml").read_text(encoding="utf-8"))
AT_THE_RACES = tuple(map(_bill, _BILLS["at_the_races"]))
IN_THE_NWEEK = tuple(map(_bill, _BILLS["in_the_nweek"]))


Say = Callable[[str], object]
Tell = Callable[[str, int], None]


def _in_silence(sentence: str) -> None:
    """Say nothing of what is being done."""


def demonstrate(say: Say = _in_silence) -> Game | None:
    """Fill an empty site with the demonstration; None where games are being played already.

    What is being done is told to `say` and on the site's pages; until a game is ready, nobody else
    can join it. What an earlier filling was kept from finishing is begun anew, as soon as nobody
    is at it. Raises Busy.
    """
    if not Filling.objects.exists():
        return None if Game.objects.exists() else fill(say)
    # None, where the cache is away, says nothing of another who fills: this would wait for ever.
    while cache.add(BEING_FILLED, 1, SILENT) is False:
        time.sleep(1)
    return fill_again(say)


def fill_again(say: Say = _in_silence) -> Game | None:
    """Remove the games that are not filled to the end, and fill them from the beginning.

    For whoever has put BEING_FILLED into the cache; it is taken away. Raises Busy.
    """
    try:
        unfinished = set(Filling.objects.values_list("slug", flat=True))
        for slug, preset in ((B_NOMIC, "b-nomic-2006"), (SLUG, "demo")):
            if {slug, SLUG} & unfinished:
                games = Game.objects.filter(slug=slug, preset=preset)
                for old in games if slug == SLUG else games.filter(host=None):
                    remove_game(old)
        if SLUG in unfinished:
            return fill(say)
        if unfinished:
            fill_the_nweek(say)
        return Game.objects.filter(slug=SLUG).first()
    finally:
        cache.delete(BEING_FILLED)


def fill(say: Say = _in_silence) -> Game:
    """Begin the game with races and all, and play its first weeks; returns it.

    It is played from then on; B Nomic is filled by whoever looks after the demonstration next.
    """
    try:
        _teller(SLUG, say)("The players take their seats.", 0)
        _teller(B_NOMIC, _in_silence)("This game is prepared after the demonstration.", 0)
        _begin(_teller(SLUG, say))
        return _open(SLUG)
    finally:
        cache.delete(BEING_FILLED)


def _begin(tell: Tell) -> None:
    """Begin the game with races and all, and play until a race is well under way and something has
    happened in every part of the game."""
    new_game(SLUG, "demo", pace="manual", start=BEGINS, after_outage="shift")
    _seat(SLUG, PLAYERS)
    for office in OFFICES:
        take(SLUG, _player(OFFICER), "games.take_office", {"office": office})
    for part in sorted(_parts(), key=lambda part: part.opens_after):
        advance(SLUG, BEGINS + part.opens_after)
        for name, move in part.beginnings():
            take(SLUG, _player(name), *move)
    chance = random.Random(_SEED)  # noqa: S311 - what the players do, not what the dice say
    for week in range(_WEEKS):
        tell(f"Week {week + 1} of {_WEEKS} is played: bets, votes, harvests, cards, a race.", week)
        _propose(SLUG, (bill for bill in AT_THE_RACES if bill.week == week))
        _play_a_week(week, chance)
    _propose(SLUG, (bill for bill in AT_THE_RACES if bill.week == LAST))
    add_bots(Game.objects.get(slug=SLUG), _BOTS)
    for part in _parts():
        part.leave_open(Game.objects.get(slug=SLUG))


def fill_the_nweek(say: Say) -> None:
    """Begin B Nomic and play an nweek with its culls, and the next one up to its Voting Period,
    unless somebody has a game of its name."""
    if Game.objects.filter(slug=B_NOMIC).exists():
        end_filling(B_NOMIC)
        return
    _teller(B_NOMIC, say)("Two nweeks of B Nomic are played.", _WEEKS // 2)
    new_game(B_NOMIC, "b-nomic-2006", pace="manual", start=_B_NOMIC_BEGINS, after_outage="shift")
    _seat(B_NOMIC, B_NOMIC_PLAYERS)
    take(B_NOMIC, _player(OFFICER, B_NOMIC), "games.take_office", {"office": "Administrator"})
    for nweek in (0, 1):
        voting = _B_NOMIC_BEGINS + (12 * nweek + 8) * _NDAY
        bills = [bill for bill in IN_THE_NWEEK if bill.week == nweek]
        numbers = [_submit(B_NOMIC, bill) for bill in bills]
        advance(B_NOMIC, voting)
        for number, bill in zip(numbers, bills, strict=True):
            _discuss(B_NOMIC, number, bill)
        if nweek == 0:
            advance(B_NOMIC, voting + 4 * _NDAY)
    add_bots(Game.objects.get(slug=B_NOMIC), _BOTS)
    _open(B_NOMIC)


def _teller(slug: str, say: Say) -> Tell:
    def say_and_tell(sentence: str, done: int) -> None:
        cache.set(BEING_FILLED, 1, SILENT)
        report_filling(slug, sentence, done, _WEEKS)
        say(sentence)

    return say_and_tell


def _open(slug: str) -> Game:
    """Let time pass in that game, and everybody join it; who had a seat before has one again."""
    for key, name in seats_to_give(slug):
        user = User.objects.filter(pk=key).first()
        if user is not None:
            with suppress(Refused, Busy):
                take(slug, user, JOIN, {"name": name}, SEATED_AGAIN)
    game = set_pace(slug, "fast", rate=RATE)
    end_filling(slug)
    return game


def _seat(slug: str, players: Sequence[str]) -> None:
    for name in players:
        take(slug, _user_for(name), JOIN, {"name": name})


def _user_for(name: str) -> User:
    """Whose that seat of the demonstration is: never a person's, even where they have its name.

    On one's own machine anybody may sign in as them. Else nobody can: they have no password, and
    nobody can sign up by such a name.
    """
    user = User.objects.filter(username=name).first()
    is_ours = user is not None and user.check_password(PASSWORD)
    if settings.ORIGIN:
        if user is not None and is_ours:  # of a time when this site was not public
            user.set_unusable_password()
            user.save(update_fields=["password"])
    elif user is None:
        return User.objects.create(username=name, password=_their_password())
    elif is_ours:
        return user
    no_password = {"password": make_password(None)}
    return User.objects.get_or_create(username=f"{name} (played)", defaults=no_password)[0]


@functools.cache
def _their_password() -> str:
    """The one password of all, hashed once: it is no secret."""
    return make_password(PASSWORD)


def _propose(slug: str, bills: Iterable[Bill]) -> None:
    for bill in bills:
        _discuss(slug, _submit(slug, bill), bill)


def _submit(slug: str, bill: Bill) -> int:
    """Let the bill's author submit it; returns the proposal's number."""
    inputs = {
        "title": bill.title,
        "body": bill.body,
        "conflicts": list(bill.conflicts),
        "dependencies": list(bill.dependencies),
    }
    entry = take(slug, _player(bill.author, slug), "proposals.submit", inputs).entry
    return int(entry.outcome["proposal"])


def _discuss(slug: str, number: int, bill: Bill) -> None:
    for name, text in bill.comments.items():
        words = {"proposal": number, "text": text}
        take(slug, _player(name, slug), "proposals.comment", words)
    for name, word in bill.votes.items():
        vote = {"proposal": number, "choice": word}
        take(slug, _player(name, slug), "proposals.vote", vote)


def _play_a_week(week: int, chance: random.Random) -> None:
    """Let every player act once, two each other day; then the week ends."""
    start = Game.objects.get(slug=SLUG).now(wall_now())
    order = list(PLAYERS)
    chance.shuffle(order)
    for number, name in enumerate(order):
        if number % 2 == 0:
            advance(SLUG, start + timedelta(days=number, hours=chance.randrange(6, 20)))
        for part in _parts():
            part.play(_player(name), week, chance)
    for part in _parts():
        part.end_week(_player(OFFICER))
    while take_first(_player(OFFICER), _paperwork):
        pass
    advance(SLUG, next_week(start))


def _paperwork(table: Table, officer: Player) -> Iterator[Act]:
    """An officer's acts that votes leave: to do what is prose, and to keep what stays so."""
    for part in _parts():
        yield from part.duties(table, officer)
    for passage in unfitted(table):
        reason = "the Horsened sees to what its program does not do"
        yield KEEP_BY_HAND, {"rule": passage.rule.title, "passage": ALL, "reason": reason}


def _player(name: str, slug: str = SLUG) -> Player:
    return Player.objects.select_related("holder").get(game__slug=slug, name=name)


# How it goes on by itself


def look_after(wall: datetime | None = None) -> None:
    """Let the demonstration rest, wake or begin anew, where there is one and it is time for that.

    May run late, twice, or on many workers at once: the cache keeps whose turn it is.
    """
    wall = wall or wall_now()
    if not cache.add("nomic:demonstration", 1, _TURN):
        return
    if (  # B Nomic, or what somebody was kept from filling, and nobody is at it
        Filling.objects.exists()
        and cache.get(BEING_FILLED) is None
        and cache.add("nomic:demonstration:tried", 1, _BEFORE_ANOTHER_TRY)
        and cache.add(BEING_FILLED, 1, SILENT)
    ):
        if being_filled(SLUG):
            log.warning("The demonstration was not filled to its end, and is filled anew")
        with suppress(Busy):
            fill_again()
    game = the_demonstration()
    if game is None or game.preset != "demo" or being_filled(SLUG):
        return
    if _games(game).filter(pace=Pace.REAL).exists():
        return  # its record is kept for good
    is_taken_over = game.host_id is not None or not is_open_to_all(game)
    if is_taken_over or _is_to_go(game, wall):
        make_anew(game)
        return
    for shown_game in _games(game).exclude(slug__in=Filling.objects.values("slug")):
        awake = is_awake(game, wall) or is_awake(shown_game, wall)
        wanted = Pace.FAST if awake else Pace.MANUAL
        if shown_game.pace != wanted and shown_game.state == "running":
            with suppress(Busy):
                set_pace(shown_game.slug, wanted, rate=RATE)


def _games(game: Game) -> QuerySet[Game]:
    """Both games of the demonstration."""
    return Game.objects.filter(Q(pk=game.pk) | Q(slug=B_NOMIC, preset="b-nomic-2006", host=None))


def _is_to_go(game: Game, wall: datetime) -> bool:
    """Whether it is old, or stands still, and nobody is about, or is too old; while somebody plays,
    only where there is hardly an end to it."""
    people = Player.objects.filter(game__in=_games(game), bot=False, user__isnull=False)
    for book in (Entry, SealedEntry):
        done = book.objects.filter(actor__in=people, recorded_at__gt=wall - _PLAYS)
        if done.exclude(key__endswith=f"/{SEATED_AGAIN}").exists():
            return game.last_entry >= _MOST_ENTRIES
    looked = watch.last_look(game.pk)
    alone = looked is None or wall - looked > _NOBODY_IS_ABOUT
    if alone and game.state != "running":
        return True
    limit = 0 if alone else 1
    if game.last_entry >= _ENTRIES[limit]:
        return True
    # Once its contest is reckoned, or the isle has had a victor, no rule begins either anew.
    decisions = (part.decided_at(game) for part in _parts())
    decided = min((moment for moment in decisions if moment), default=None)
    return decided is not None and game.now(wall) - decided >= _AFTER_A_DECISION[limit]


def make_anew(game: Game) -> Game | None:
    """Remove the demonstration and fill it again; who came to it gets a seat in the new one.

    None where somebody else does so at the moment, or the game is busy.
    """
    if not cache.add(BEING_FILLED, 1, SILENT):
        return None
    log.info("The demonstration is made anew after %s entries", game.last_entry)
    for shown_game in _games(game):
        # Who was seated in it by its being made anew has come only if they have acted since.
        did = Entry.objects.filter(game=shown_game, actor=OuterRef("pk"))
        did = did.exclude(key__endswith=f"/{SEATED_AGAIN}")
        people = shown_game.players.filter(Exists(did), user__isnull=False, active=True)
        came = people.exclude(name__in=(*PLAYERS, *B_NOMIC_PLAYERS)).order_by("joined_at")
        seats = list(came.values_list("user", "name"))
        report_filling(shown_game.slug, "The demonstration begins anew.", 0, 1, seats=seats)
    with suppress(Busy):
        return fill_again()
    return None
