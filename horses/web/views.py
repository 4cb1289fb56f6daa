"""The races as a page: the track, what I can do this week, and how it came to be so."""

from dataclasses import replace
from functools import partial
from itertools import chain
from types import SimpleNamespace
from typing import Any

from django.db.models import Q, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from horses.actions.betting import Bet as PlaceBet
from horses.models import Bet, Race
from horses.rules.legality import Seat, weekly_refusal
from horses.rules.payouts import DOLLARY, HOOF
from horses.rules.race import PLACE_NAMES
from horses.rules.titles import as_dollaries
from horses.state import RUN_EVENT, State, motivator, state_of
from horses.web import drawing
from horses.web.races import EndedRace, ended_race, in_a_row
from nomic.engine.actions import find_action, legality
from nomic.games.calendars import next_week
from nomic.games.models import Game, Player
from nomic.games.refusal import Refusal
from nomic.record.models import Entry
from nomic.rulebook.charts import unless_broken
from nomic.rulebook.last_readable import complaint
from nomic.web.action_forms import PageForm, choices
from nomic.web.game_context import (
    GamePage,
    NextEvent,
    address_of,
    look_for_news,
    open_game,
    query_word,
)
from nomic.web.hosting.talk import beside
from nomic.web.powers import about_viewer

_LOGGED = 10
_BETS_SHOWN = 40


@require_safe
def horses(request: HttpRequest, slug: str) -> HttpResponse:
    """The page, or, for its live parts, what changed (204 without a query if nothing did)."""
    look_for_news(request)
    game_page = open_game(request, slug)
    state = state_of(game_page.table)
    if state.race is None:
        raise Http404(
            "No races are run in this game. They begin when its rulebook has their rules."
        )
    bets = Bet.objects.filter(race=state.running_race).values("player__name", "horse")
    sums = bets.annotate(total=Sum("dollaries"))
    seat = state.seat(game_page.player) if game_page.player else None
    ours = game_page.game.entries.of_subgame("horses").select_related("actor").order_by("-seq")
    return game_page.draw_live(
        "horses/page.html",
        **_acts(game_page, state, query_word(request, "horse")),
        motions=about_viewer(game_page, "horses"),
        race=state.race,
        broken=complaint(state.charts.unread),
        **_course(game_page, state),
        rows=_rows(state),
        motivation=state.motivation,
        motivator=motivator(state.motivation) if state.motivation else "",
        seat=seat,
        turn_again=_turn_again(game_page, seat),
        holdings=_holdings(game_page),
        bets=sums.order_by("-total", "horse", "player__name")[:_BETS_SHOWN],
        entries=ours[:_LOGGED],
        victory=(victory := unless_broken(lambda: state.charts.victory, None)),
        prizes=[
            {"place": PLACE_NAMES[place], "paid": as_dollaries(amount)}
            for place, amount in (victory.prizes.items() if victory else ())
        ],
        outfit=as_dollaries(victory.outfit) if victory else "",
        home_stretch=unless_broken(lambda: state.charts.home_stretch, None),
        **beside(game_page, f"race {state.race.number}"),
    )


def is_race(game: Game, number: int) -> bool:
    """Whether the game has run, or runs, a race of that number."""
    return Race.objects.filter(game=game, number=number).exists()


def panel(game_page: GamePage) -> dict[str, Any] | None:
    """The track as the game's home shows it; None while no race is run."""
    state = state_of(game_page.table)
    if state.race is None:
        return None
    acts_at = address_of("horses", game_page.game.slug) if game_page.seated else ""
    return {
        **_tracks(game_page, state, []),
        "race": state.race.number,
        "acts_at": acts_at,
        "turn_again": _turn_again(
            game_page, state.seat(game_page.player) if game_page.player else None
        ),
    }


def _acts(game_page: GamePage, state: State, horse: str) -> dict[str, Any]:
    """The viewer's forms: those for the horse that they have tapped, if it runs, and the others."""
    rooms = choices(game_page, "horses")
    if not game_page.seated:
        return {"choices": rooms}
    row = next((row for row in _rows(state) if row["runner"].name == horse), None)
    if row is None:
        return {"choices": rooms, "on_horse": game_page.path}
    with_it: list[PageForm] = []
    rest: list[PageForm] = []
    stakes = _stakes(game_page, state, horse)
    for page_form in chain.from_iterable(room.page_forms for room in rooms):
        takes = not page_form.linked and "horse" in page_form.form.fields
        if takes:
            page_form.form.initial["horse"] = horse
        if page_form.action.name == PlaceBet.name and stakes and not page_form.options:
            continue  # the buttons of the stakes say all that its blanks could
        (with_it if takes else rest).append(page_form)
    return {
        "on_horse": game_page.path,
        "at_horse": horse,
        "also": urlencode({"horse": horse}),
        "row": row,
        "stakes": stakes,
        "no_bet": None if stakes else _refusal_of_bet(game_page, horse=horse),
        "with_it": with_it,
        "choices": [replace(room, page_forms=rest) for room in rooms],
    }


def _stakes(game_page: GamePage, state: State, horse: str) -> list[dict[str, Any]]:
    """The stakes that the viewer can bet on that horse now, each with its fee, and with what it
    pays at first, second and third, as far as the charts can be read."""
    odds = unless_broken(partial(state.charts.odds_of, horse), None)
    return [
        {
            "dollaries": stake,
            "fee": as_dollaries(fee),
            "pays": [stake * odd for odd in (odds.first, odds.second, odds.third)] if odds else [],
        }
        for stake, fee in sorted(unless_broken(lambda: state.charts.bets, {}).items())
        if not _refusal_of_bet(game_page, horse=horse, dollaries=stake)
    ]


def _refusal_of_bet(game_page: GamePage, **inputs: Any) -> Refusal | None:
    return legality(find_action(PlaceBet.name), game_page.table, game_page.player, inputs)


def _turn_again(game_page: GamePage, seat: Seat | None) -> NextEvent | None:
    """The moment at which the viewer, whose race action of this week is taken, has another; None
    while they have one."""
    if not (game_page.seated and seat and weekly_refusal(seat, False)):
        return None
    if weekly_refusal(seat, True) is None:  # one more through Alexia's power
        return None
    due = next_week(game_page.now)
    return NextEvent("The next week begins", due, game_page.wall_of(due))


def _course(game_page: GamePage, state: State) -> dict[str, Any]:
    """The pictures of this race's runs, and how the race before ended."""
    game = game_page.game
    began = state.running_race.started_in
    wanted = Q(seq=began) | Q(name=RUN_EVENT, seq__gt=began)
    runs = list(game.entries.filter(wanted).order_by("seq"))
    # The entry with which this race began, where it has one.
    before = runs.pop(0) if runs and runs[0].seq == began else None
    pulls_at_start = unless_broken(lambda: state.charts.pulls, None) or {}
    return {
        **_tracks(game_page, state, runs),
        "chart": chart(state, runs),
        "graph": drawing.pulls(
            {runner.name: runner.pulls for runner in state.runners},
            pulls_at_start,
            galloper=state.motivation.galloper if state.motivation else "",
        ),
        "ended": _before(state, before, game_page.player) if before else None,
        "is_new": not runs,
        "races": in_a_row(state.running_race.number, state.running_race.number),
    }


def _before(state: State, began: Entry, viewer: Player | None) -> EndedRace | None:
    """How the race before came out, whose end the running one began with; None for the first."""
    number = state.running_race.number - 1
    ended = Race.objects.filter(game=state.table.game, number=number, ended_in=began.seq).first()
    return ended_race(ended, began, viewer) if ended else None


def _tracks(game_page: GamePage, state: State, runs: list[Entry]) -> dict[str, SimpleNamespace]:
    """The track for a wide and a narrow page, with the viewer's bets; the finish is the helmets'
    line, too, if no text says where that is."""
    before: dict[str, int] = {}  # where each horse that moved in the last run stood before it
    for horse, start, _ in _moves(runs[-1]) if runs else []:
        before.setdefault(horse, start)
    owners = state.owners
    stakes: dict[str, int] = {}
    if game_page.player:
        own_bets = Bet.objects.filter(race=state.running_race, player=game_page.player).order_by()
        stakes = dict(own_bets.values_list("horse").annotate(Sum("dollaries")))
    runners = [
        drawing.DrawnHorse(
            name=runner.name,
            position=runner.position,
            place=runner.place,
            owner=owners.get(runner.name, ""),
            silk=number,
            before=before.get(runner.name),
            odds=_odds(state, runner.name),
            staked=stakes.get(runner.name, 0),
        )
        for number, runner in enumerate(state.runners)
    ]
    finish = _line_of(state)
    helmet_from = unless_broken(lambda: state.charts.helmet_from, None) or finish
    scale = {"finish": finish, "helmet_from": helmet_from}
    return {
        "wide": drawing.track(runners, **scale),
        "narrow": drawing.track(runners, width=drawing.NARROW, **scale),
    }


def _odds(state: State, horse: str) -> tuple[int, ...]:
    """What a bet on the horse is multiplied by at first, second and third; empty where no rule that
    can be read says it."""
    odds = unless_broken(partial(state.charts.odds_of, horse), None)
    return (odds.first, odds.second, odds.third) if odds else ()


def _line_of(state: State) -> int:
    """The Race Position from which horses cross the finish line: what the rules say now, which a
    vote may have changed during the race; where they cannot be read, the end of the track."""
    track = unless_broken(lambda: state.charts.track, None)
    if track is None:
        return max(runner.finish for runner in state.runners)
    return track.finish if track.line is None else track.line


def _moves(run: Entry) -> list[tuple[str, int, int]]:
    return [(horse, before, after) for horse, before, after in run.outcome.get("moves", [])]


def chart(state: State, runs: list[Entry]) -> dict[str, Any]:
    """Each horse's course by the number of runs, for a wide and a narrow page."""
    courses = courses_of(state, runs)
    finish = max(
        [_line_of(state), *(position for course in courses.values() for position in course)]
    )
    weeks = [str(number) for number in range(len(next(iter(courses.values()), [])))]
    return {
        "wide": drawing.chart(weeks, courses, finish=finish),
        "narrow": drawing.chart(weeks, courses, finish=finish, width=drawing.NARROW),
        "weeks": weeks,
        "courses": courses.items(),
    }


def courses_of(state: State, runs: list[Entry]) -> dict[str, list[int]]:
    """Each horse's position at the start and after each run; the last one is today's.

    What a player moves between two runs shows where the next run finds the horse.
    """
    start = unless_broken(lambda: state.charts.track.start, None) or 0
    courses = {runner.name: [start] for runner in state.runners}
    for run in runs:
        after = {horse: position for horse, _, position in _moves(run)}
        for name, course in courses.items():
            course.append(after.get(name, course[-1]))
    for runner in state.runners:
        courses[runner.name][-1:] = [runner.position] if runs else [start, runner.position]
    return courses


def _rows(state: State) -> list[dict[str, Any]]:
    """Each horse with what the charts say of it; a dash where a chart cannot be read."""
    charts = state.charts
    owners = state.owners
    rows = []
    for number, runner in enumerate(state.runners):
        name = runner.name
        rows.append(
            {
                "runner": runner,
                "owner": owners.get(name, ""),
                "silk": number % drawing.SILKS,
                "cost": unless_broken(partial(charts.cost, name), None),
                "odds": unless_broken(partial(charts.odds_of, name), None),
                "now": unless_broken(partial(charts.multiplier, state.field[name]), None),
                "power": unless_broken(partial(charts.describe_power, name), None),
            }
        )
    return rows


def _holdings(game_page: GamePage) -> list[tuple[str, int]]:
    """The viewer's dollaries and hooves, by what to call that many."""
    if not game_page.player:
        return []
    ledger = game_page.table.ledger
    held = [
        (ledger.asset(name), ledger.balance(game_page.player, name)) for name in (DOLLARY, HOOF)
    ]
    return [(asset.singular if amount == 1 else asset.plural, amount) for asset, amount in held]
