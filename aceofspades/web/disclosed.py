"""The page on which everybody checks the contest: what was sealed, and what has been opened of it.

Only what the record has opened is read here.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from aceofspades.state.reading import BOOK, PURPOSE
from aceofspades.web.proof import the_draw
from nomic.dice.models import Period
from nomic.dice.seeds import commitment, roll
from nomic.games.models import Game
from nomic.record.models import ANCHOR, NOTE, PART
from nomic.record.proof import check_these
from nomic.web.game_context import open_game
from nomic.web.paging import number_asked

A_PAGE = 100
type Row = dict[str, Any]
_KINDS = {ANCHOR: "an anchor", NOTE: "what an event noted", PART: "the private part of entry {}"}


@require_safe
def proof(request: HttpRequest, slug: str) -> HttpResponse:
    """The commitments, and from the Moment of Reckoning on all that they were to, each checked.

    `after` is the number of a sealed entry, `roll` that of a roll on the page before.
    """
    game_page = open_game(request, slug)
    periods = Period.objects.filter(
        game=game_page.game, game__contest__isnull=False, private=True, purpose=PURPOSE
    )
    period = periods.select_related("game__contest").order_by("number").first()
    if period is None:
        raise Http404("There is no contest in this game.")
    from_entry, from_roll = number_asked(request, "after") or 0, number_asked(request, "roll") or 0
    entries, after = opened_rows(game_page.game, from_entry)
    rolls, past = roll_rows(game_page.game, period, from_roll)
    return game_page.draw(
        "aceofspades/disclosed.html",
        contest=period.game.contest,
        period=period,
        is_as_committed=commitment(bytes.fromhex(period.seed or "")) == period.commitment,
        draw=the_draw(game_page.game),
        entries=entries,
        after=after,
        rolls=rolls,
        past=past,
        is_first=not from_entry,
        is_first_roll=not from_roll,
    )


def opened_rows(game: Game, after: int) -> tuple[list[Row], int | None]:
    """The opened entries after that number, so many as a page holds, each with what it is and what
    is wrong with it, if anything is; and the number after which the next page begins. Two queries.
    """
    opened = game.sealed_entries.filter(book=BOOK, opened_in__isnull=False)
    # The one before the first shows whether the first follows it.
    first = opened.filter(number__gte=after).select_related("actor").order_by("number")
    entries = list(first[: A_PAGE + 2])
    before = entries.pop(0) if entries and entries[0].number == after else None
    shown = entries[:A_PAGE]
    rows = [
        {
            "entry": checked.entry,
            "what": _KINDS.get(checked.entry.name, "a private act").format(checked.entry.after + 1),
            "wrong": checked.wrong,
        }
        for checked in check_these(game, shown, before)
    ]
    return rows, shown[-1].number if len(entries) > A_PAGE else None


def roll_rows(game: Game, period: Period, after: int) -> tuple[list[Row], int | None]:
    """The rolls of the private dice after that one, once the seed is out, each with what is wrong
    with it, if its seed does not give it; and where the next page begins. One query."""
    if period.seed is None:
        return [], None
    seed = bytes.fromhex(period.seed)
    rolls = list(period.rolls.filter(pk__gt=after).order_by("pk")[: A_PAGE + 1])
    rows: list[Row] = []
    for cast in rolls[:A_PAGE]:
        fits = roll(seed, cast.words(game.identity), len(cast.among)) == cast.value
        rows.append({"roll": cast, "wrong": "" if fits else "does not fit the seed"})
    return rows, rolls[A_PAGE - 1].pk if len(rolls) > A_PAGE else None
