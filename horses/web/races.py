"""Races that have ended: podium, last run, who was paid what; and all of a game in a row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from types import SimpleNamespace
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from horses.models import Race, Runner
from horses.rules.payouts import DOLLARY, FOR_BET, FOR_MOST, POINTS, reason_of_place
from horses.rules.race import FIRST
from horses.rules.titles import as_dollaries
from horses.web import drawing
from horses.web.drawing import NARROW, WIDE
from nomic.games.models import Player
from nomic.games.wording import counted
from nomic.ledger.models import AGORA
from nomic.record.models import Entry
from nomic.web.game_context import GamePage, open_game

_PAID = 20  # players whose payouts are listed
_IN_A_ROW = 12  # races that a page leads to at once
_A_PAGE = 50
_MOST_TOLD = 5  # on cards, each once the one before is put away


@dataclass(frozen=True, slots=True)
class Placed:
    """A horse that came in: its place, the number of its colour, its owner, "" for Agora, and what
    the owner was paid for it, "" for nothing."""

    place: int
    horse: str
    silk: int
    owner: str
    prize: str


@dataclass(frozen=True, slots=True)
class EndedRace:
    """A race that ended in `entry`: who came in, the viewer's payouts and who scored, as sentences;
    what the first few were `paid`, how many `unlisted` were, and the greatest `totals` of
    dollaries.
    """

    number: int
    entry: int
    podium: list[Placed]
    payouts: list[str]
    scored: str
    paid: list[dict[str, Any]]
    unlisted: int
    totals: list[tuple[str, int]]


def ended_race(race: Race, entry: Entry, viewer: Player | None) -> EndedRace | None:
    """How that race came out in the entry in which it ended; None where it was not run to its end.
    One query."""
    if not entry.outcome.get("race_ended"):
        return None
    payouts, totals = entry.outcome.get("payouts", []), entry.outcome.get("totals", [])
    owners, prizes = _owners(entry), {payout["reason"]: payout["amount"] for payout in payouts}
    podium = []
    for silk, runner in enumerate(race.runners.order_by("name")):
        if runner.place is not None:
            prize = prizes.get(reason_of_place(runner.name, runner.place), 0)
            paid = as_dollaries(prize) if prize else ""
            owner = owners.get(runner.name, "")
            podium.append(Placed(runner.place, runner.name, silk, owner, paid))
    by_player: dict[str, list[dict[str, Any]]] = {}
    for payout in payouts:
        by_player.setdefault(payout["player"], []).append(payout)
    return EndedRace(
        number=race.number,
        entry=entry.seq,
        podium=sorted(podium, key=lambda placed: placed.place),
        payouts=_payouts_in_words(by_player.get(viewer.name, [])) if viewer else [],
        scored=_scored(payouts, totals),
        paid=[_sum(player, rows) for player, rows in islice(by_player.items(), _PAID)],
        unlisted=max(len(by_player) - _PAID, 0),
        totals=totals,
    )


def _owners(entry: Entry) -> dict[str, str]:
    """Who owned which horse as the race ended: those from whom it went to Agora."""
    return {
        asset: holder
        for effect in entry.effects
        for holder, asset, amount in effect.get("moves", ())
        if amount == -1 and holder != AGORA
    }


def _payouts_in_words(payouts: Sequence[dict[str, Any]]) -> list[str]:
    """What a player got, a sentence for each payout."""
    sentences = []
    for payout in payouts:
        amount, reason = payout["amount"], payout["reason"]
        if payout["of"] == FOR_BET:
            sentences.append(f"Your bet paid {amount}: {reason.replace('the bets', 'your bets')}.")
        elif payout["asset"] == POINTS:
            sentences.append(f"You scored {counted(amount, 'point')}: {reason}.")
        else:
            sentences.append(f"You got {as_dollaries(amount)}: {reason}.")
    return sentences


def _scored(payouts: Sequence[dict[str, Any]], totals: Sequence[tuple[str, int]]) -> str:
    """Who scored at the end, or that a tie kept everybody from it; "" where neither is so."""
    for payout in payouts:
        if payout["of"] == FOR_MOST:
            points = counted(payout["amount"], "point")
            return f"{payout['player']} scored {points}, with the most dollaries."
    if len(totals) > 1 and totals[0][1] == totals[1][1]:
        return "Nobody scored: it was a tie for the most dollaries."
    return ""


def _sum(player: str, payouts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    money = sum(payout["amount"] for payout in payouts if payout["asset"] == DOLLARY)
    points = sum(payout["amount"] for payout in payouts if payout["asset"] == POINTS)
    scored = f", {counted(points, 'point')}" if points else ""
    reasons = [f"{payout['amount']} ({payout['reason']})" for payout in payouts]
    return {"player": player, "reasons": reasons, "gained": f"{as_dollaries(money)}{scored}"}


def newly_ended(game_page: GamePage, since: int) -> Iterator[tuple[int, EndedRace]]:
    """The newest races that ended after that entry, the newest first, each with the entry. A query,
    and what `ended_race` asks for of each."""
    game = game_page.game
    ended_since = Race.objects.filter(game=game, ended_in__gt=since).order_by("-number")
    for past_race in ended_since[:_MOST_TOLD]:
        entry = game.entries.filter(seq=past_race.ended_in).first()
        if entry and (ended := ended_race(past_race, entry, game_page.player)):
            yield ended.entry, ended


@require_safe
def race(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The page of a race that has ended; the running one's is that of the races. 404 for none."""
    game_page = open_game(request, slug)
    shown = Race.objects.filter(game=game_page.game, number=number).first()
    if shown is None:
        raise Http404(f"No race {number} has been run in this game.")
    if shown.ended_in is None:
        return redirect("horses", slug)
    entry = game_page.game.entries.get(seq=shown.ended_in)
    newest = Race.objects.filter(game=game_page.game).order_by("-number").first()
    last_run = partial(_last_run, list(shown.runners.order_by("name")), entry)
    return game_page.draw(
        "horses/race.html",
        race=shown,
        entry=entry,
        ended=ended_race(shown, entry, game_page.player),
        dispute_url=game_page.dispute_url(entry.seq),
        wide=last_run(WIDE),
        narrow=last_run(NARROW),
        races=in_a_row(newest.number if newest else number, number),
    )


@require_safe
def races(request: HttpRequest, slug: str) -> HttpResponse:
    """All races of the game, the newest first, a page of them."""
    game_page = open_game(request, slug)
    game = game_page.game
    page = Paginator(Race.objects.filter(game=game).order_by("-number"), _A_PAGE).get_page(
        request.GET.get("page")
    )
    shown: list[Race] = list(page)
    if not shown:
        raise Http404("No races are run in this game.")
    first_home = dict(
        Runner.objects.filter(race__in=shown, place=FIRST).values_list("race", "name")
    )
    endings = {race.ended_in: race.pk for race in shown if race.ended_in}
    outcomes = game.entries.filter(seq__in=endings).values_list(
        "seq", "outcome__payouts", "outcome__totals"
    )
    scored = {
        endings[seq]: _scored(payouts or (), totals or ()) for seq, payouts, totals in outcomes
    }
    rows = [
        {"race": race, "first": first_home.get(race.pk, ""), "scored": scored.get(race.pk, "")}
        for race in shown
    ]
    return game_page.draw("horses/races.html", rows=rows, page=page)


def in_a_row(newest: int, number: int) -> list[int]:
    """The numbers of races to which the page of one leads: the newest few, and those around it."""
    near = range(max(number - 1, 1), min(number + 1, newest) + 1)
    return sorted({*range(max(newest - _IN_A_ROW + 1, 1), newest + 1), *near}, reverse=True)


def _last_run(runners: Sequence[Runner], entry: Entry, width: int) -> SimpleNamespace:
    """The track after a race's last run, with where each horse came from in it."""
    before: dict[str, int] = {}
    for horse, start, _ in entry.outcome.get("moves", []):
        before.setdefault(horse, start)
    owners = _owners(entry)
    drawn = [
        drawing.DrawnHorse(
            name=runner.name,
            position=runner.position,
            place=runner.place,
            owner=owners.get(runner.name, ""),
            silk=number,
            before=before.get(runner.name),
        )
        for number, runner in enumerate(runners)
    ]
    # The rules may have moved the line during the race: none crossed it before it was there.
    crossed = [runner.position for runner in runners if runner.place is not None]
    finish = min([max(runner.finish for runner in runners), *crossed])
    return drawing.track(drawn, finish=finish, helmet_from=None, width=width)
