"""Pages on which people prove what they saw, and check what they are told: their receipts, the
heads that others saw, keys, the dice."""

import json
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import Prefetch, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from nomic.dice.models import Period, Roll
from nomic.dice.seeds import commitment, roll
from nomic.engine.forms import Text
from nomic.games.models import Game, Player
from nomic.games.names import Likeness, validate_player_name
from nomic.record.game_file import published
from nomic.record.keys import known_keys, signer
from nomic.web.game_context import GamePage, open_game
from nomic.web.paging import newest_before, number_asked
from nomic.web.proof.receipts import act_named, all_acts, newest_acts, receipt
from nomic.web.proof.streaming import as_file
from nomic.web.proof.witness import (
    LONGEST,
    LONGEST_NAME,
    MOST_STAMPS,
    TooOften,
    Verdict,
    judge_from,
    witnesses,
)

A_PAGE = 50
PERIODS = 20  # on a page
MOST_ROLLS = 300  # of a period that are listed
_TOO_OFTEN = "That is more than is read from one address within an hour. Please come back later."


class HeadsForm(forms.Form):
    """Heads or receipts that somebody brings, and who they are."""

    heads = Text(lines=True, longest=LONGEST, label="Heads or receipts")
    name = forms.CharField(
        label="Who you are",
        required=False,
        max_length=LONGEST_NAME,
        help_text="As everybody will read it, for others than players: a name, a site.",
    )

    def __init__(self, game: Game, player: Player | None, *args: Any) -> None:
        super().__init__(*args)
        self._game = game
        self.fields["heads"].widget.attrs |= {"rows": 4, "spellcheck": "false"}
        if player is not None:
            del self.fields["name"]

    def clean(self) -> dict[str, Any]:
        """With a name, where somebody without a seat says that they have seen it."""
        cleaned = super().clean() or {}
        if "name" not in self.fields or "seen" not in self.data or "name" in self.errors:
            return cleaned
        try:
            validate_player_name(cleaned["name"])
        except ValidationError as error:
            self.add_error("name", error)
            return cleaned
        # Who has no seat may call themselves what they like, but not so that it reads as a player.
        alike = self._game.players.annotate(likeness=Likeness("name"))
        if alike.filter(likeness=Likeness(Value(cleaned["name"]))).exists():
            self.add_error("name", "A player of this game has this name. Sign in, or take another.")
        return cleaned


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def witness(request: HttpRequest, slug: str) -> HttpResponse:
    """The head of the record and who has seen which; POST checks heads and receipts, and keeps,
    where `seen` is sent, that somebody has seen them. Answers 422 and 429 to what is not read."""
    game_page = open_game(request, slug)
    if request.method != "POST":
        return _witness_page(game_page, HeadsForm(game_page.game, game_page.player))
    form = HeadsForm(game_page.game, game_page.player, request.POST)
    if not form.is_valid():
        return _witness_page(game_page, form, status=422)
    cleaned, is_seen = form.cleaned_data, "seen" in request.POST
    seen_by = (game_page.player or cleaned["name"]) if is_seen else ""
    try:
        verdicts = judge_from(request, game_page.game, cleaned["heads"], seen_by)
    except TooOften:
        form.add_error(None, _TOO_OFTEN)
        return _witness_page(game_page, form, status=429)
    heads_kept = sum(1 for verdict in verdicts if verdict.head) if is_seen else 0
    return _witness_page(game_page, form, verdicts, heads_kept)


def _witness_page(
    game_page: GamePage,
    form: HeadsForm,
    verdicts: list[Verdict] | None = None,
    heads_kept: int = 0,
    status: int = 200,
) -> HttpResponse:
    return game_page.draw(
        "web/proof/witness.html",
        status=status,
        form=form,
        verdicts=verdicts,
        kept=heads_kept,
        witnesses=witnesses(game_page.game),
        published=published(game_page.game),
        stamps=game_page.game.stamps.defer("answer")[:MOST_STAMPS],
    )


@require_safe
@never_cache
def stamp(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The stamp of that head as the service sent it, for `openssl ts -verify`."""
    stamp = open_game(request, slug).game.stamps.filter(number=number).first()
    if stamp is None:
        raise Http404(f"The head of entry {number} has no stamp.")
    answer = HttpResponse(bytes(stamp.answer), content_type="application/timestamp-reply")
    return as_file(answer, f"stamp-{slug}-{number}.tsr")


@require_safe
@never_cache
@login_required
def receipts(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's own acts, each with its receipt; `format=json` gives all in one file."""
    game_page = open_game(request, slug)
    if game_page.player is None:
        return redirect("join", slug)
    game, player = game_page.game, game_page.player
    if request.GET.get("format") == "json":
        return _file(slug, "all", {"receipts": [receipt(game, a) for a in all_acts(game, player)]})
    acts, older = newest_acts(game, player, number_asked(request, "before"), A_PAGE)
    return game_page.draw("web/proof/receipts.html", acts=acts, older=older)


@require_safe
@never_cache
@login_required
def one_receipt(request: HttpRequest, slug: str, named: str) -> HttpResponse:
    """The receipt of one act of the viewer's, as a file: by its number in the record, or, where it
    is private, by its hash."""
    game_page = open_game(request, slug)
    act = game_page.player and act_named(game_page.game, game_page.player, named)
    if not act:
        raise Http404(f"No act of yours in this game goes by “{named[:64]}”.")
    return _file(slug, named[:12], receipt(game_page.game, act))


def _file(slug: str, name: str, content: Any) -> HttpResponse:
    body = json.dumps(content, ensure_ascii=False, indent=1)
    answer = HttpResponse(body, content_type="application/json; charset=utf-8")
    return as_file(answer, f"receipt-{slug}-{name}.json")


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The keys by which this site signs and has signed."""
    return render(request, "web/proof/keys.html", {"keys": known_keys(), "key": signer().public})


@dataclass(frozen=True, slots=True)
class CheckedPeriod:
    """A period with the first of its rolls, and how many more there are.

    `holds` tells of all of them whether they are as committed; None while the seed is secret.
    """

    period: Period
    rolls: list[tuple[Roll, bool | None]]
    unlisted: int
    holds: bool | None


@require_safe
def dice(request: HttpRequest, slug: str) -> HttpResponse:
    """The periods of the dice, newest first, each roll worked out again from its seed.

    The private ones stand apart, and nothing shows of their rolls before their seeds are out.
    """
    game_page = open_game(request, slug)
    before, sealed_before = number_asked(request, "before"), number_asked(request, "sealed")
    periods, older = _periods_page(game_page.game, "number", before, private=False)
    sealed, sealed_older = _periods_page(game_page.game, "pk", sealed_before, private=True)
    return game_page.draw(
        "web/dice.html",
        periods=periods,
        older=older,
        newer=before is not None,
        sealed=sealed,
        sealed_older=sealed_older,
        sealed_newer=sealed_before is not None,
    )


def _periods_page(
    game: Game, by: str, before: int | None, *, private: bool
) -> tuple[list[CheckedPeriod], int | None]:
    """A page of periods: each published seed is compared with its commitment, and each roll with
    what the seed gives."""
    public_rolls = Prefetch("rolls", Roll.objects.seen_by_all().order_by("pk"))
    periods = Period.objects.filter(game=game, private=private).prefetch_related(public_rolls)
    page, older = newest_before(periods, by, before, PERIODS)
    checked = []
    for period in page:
        rolls = list(period.rolls.all())
        unlisted = max(len(rolls) - MOST_ROLLS, 0)
        verified: list[tuple[Roll, bool | None]] = [(thrown, None) for thrown in rolls]
        holds = None
        if period.seed is not None:
            seed = bytes.fromhex(period.seed)
            verified = [
                (thrown, roll(seed, thrown.words(game.identity), len(thrown.among)) == thrown.value)
                for thrown in rolls
            ]
            holds = commitment(seed) == period.commitment and all(right for _, right in verified)
        checked.append(CheckedPeriod(period, verified[:MOST_ROLLS], unlisted, holds))
    return checked, older
