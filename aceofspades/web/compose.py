"""Writing a regulation for the contest: the form, with a trial of what it would do to hands."""

import secrets as chance
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, repeat
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from aceofspades.actions.ballots import PRIVATE, PUBLIC, SECRET
from aceofspades.actions.drafts import PROGRAM_BROKEN, tidy, warnings
from aceofspades.actions.members import R120
from aceofspades.rules.marks import place_in
from aceofspades.secrecy.view import View
from aceofspades.web.trial import (
    MADE_UP,
    MOST_CARDS,
    OWN,
    Drafted,
    Trial,
    attempt,
    drafted_in,
    own_hand,
)
from aceofspades.web.views import open_contest
from nomic.engine.actions import GAME_CLOSED, find_action, legality
from nomic.engine.take import take
from nomic.games.refusal import Refusal
from nomic.rulebook.tables import TableBroken
from nomic.web.action_forms import UNDONE, sent_head, sent_key, why_undone
from nomic.web.game_context import GamePage
from nomic.web.paging import number_of
from nomic.web.proof.receipts import tag_of
from nomic.web.writing import sign_in_first

PROPOSE = "aceofspades.propose"
MOST_TRIES = 20
_INPUTS = ("number", "visibility", "text")
_OVER = Refusal(
    "reckoned",
    "The Moment of Reckoning has been: no regulation is proposed any more, and the book stays as"
    " it is.",
    R120,
)
_WORDS = {
    PUBLIC: "public: everybody reads it at once",
    PRIVATE: "private: until the Reckoning you alone read it, and who is granted need to know",
    SECRET: "secret: nobody but the Contestmaster reads it until the Reckoning",
}
_FIRST_HANDS = ((1, 1, 1, 1, 1), (0, 3, 0, 0, 2), (4, 0, 1, 0, 0))
EXAMPLE = """A hand is worth two Marks more for each Red card in it that has a Black one beside it.

```python
# carries out: A hand is worth two Marks more for each Red card…
def mark_hand(name, hands, worth, alliances):
    hand = hands[name]
    return worth[name] + 2 * min(hand["Red"], hand["Black"])
```
"""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def propose(request: HttpRequest, slug: str) -> HttpResponse:
    """An empty form (GET), or what was written in it: propose it, or try it (POST).

    Answers 409 with the refusal and 422 with the misshapen fields, the form still filled. After the
    Moment of Reckoning there is no form any more, but what was written in one.
    """
    game_page, view = open_contest(request, slug)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method != "POST":
        refusal = legality(find_action(PROPOSE), game_page.table, game_page.player, {})
        return _show(request, game_page, view, refusal=refusal)
    if request.POST.get("do") == "try":
        return _show(request, game_page, view, trial=trial_of(view, request.POST))
    inputs = {name: request.POST[name] for name in _INPUTS if name in request.POST}
    try:
        receipt = take(
            slug, request.user, PROPOSE, inputs, sent_key(request), saw=sent_head(request)
        )
    except UNDONE as error:
        status, refusal = why_undone(request, error)
        game_page, view = open_contest(request, slug)  # a fresh look at the game
        return _show(request, game_page, view, status=status, refusal=refusal)
    messages.success(request, receipt.sentences, extra_tags=tag_of(receipt.entry))
    return redirect("aceofspades", slug)


@require_POST
@never_cache
def trial(request: HttpRequest, slug: str) -> HttpResponse:
    """The draft's effect on hands, as a part of the page. It is sent in the body alone, so that no
    address holds it, and is kept nowhere."""
    game_page, view = open_contest(request, slug)
    if not request.user.is_authenticated:
        return sign_in_first(request, reverse("aceofspades_propose", args=[slug]))
    tries = number_of(request.POST.get("tries")) or 0
    return game_page.draw(
        "aceofspades/compose/_trial.html",
        trial=trial_of(view, request.POST),
        tries=min(tries, MOST_TRIES) + 1,
        most_tries=MOST_TRIES,
    )


def _over(view: View) -> Refusal | None:
    """Why nothing is proposed any more; None while something can be."""
    if view.state.table.game.is_closed:
        return GAME_CLOSED
    return _OVER if view.state.is_reckoned else None


def trial_of(view: View, sent: Mapping[str, Any]) -> Trial:
    """The trial of the draft that was sent, or why there is none."""
    if over := _over(view):
        return Trial(problem=over.sentence)
    if view.contestant is None and not view.is_contestmaster:
        return Trial(problem="Who is in the contest tries regulations. Join it first.")
    try:
        drafted = drafted_in(sent, view.state.charts.suits)
        trial = attempt(view, drafted)
        if drafted.number is None:
            return trial
        visibility = str(sent.get("visibility", PUBLIC))
        advice = warnings(view.state.table, drafted.number, drafted.text, visibility)
        return replace(trial, warnings=advice)
    except TableBroken as broken:
        return Trial(problem=broken.sentence)


def _show(
    request: HttpRequest,
    game_page: GamePage,
    view: View,
    *,
    status: int = 200,
    refusal: Refusal | None = None,
    trial: Trial | None = None,
) -> HttpResponse:
    action = find_action(PROPOSE)
    over = _over(view)
    refusal = over or refusal
    sent = request.POST if request.method == "POST" else None
    form = action.Form(game_page.table, game_page.player, sent)
    form.auto_id = "proposed-%s"
    ways = (PUBLIC, SECRET) if view.is_contestmaster else (PUBLIC, PRIVATE)
    form.fields["visibility"].widget.choices = [(way, _WORDS[way]) for way in ways]
    form.fields["text"].widget.attrs.update(rows=14, spellcheck="false")
    if sent is not None and sent.get("do") == "try":
        form.errors.clear()
    place = None  # in the text that was sent, of what is broken of its program
    if refusal is not None and sent is not None and refusal.code == PROGRAM_BROKEN:
        place = place_in(tidy(str(sent.get("text", ""))), refusal.sentence)
    return game_page.draw(
        "aceofspades/compose.html",
        status=status,
        form=form,
        key=request.POST.get("key") or chance.token_urlsafe(12),
        refusal=refusal,
        place=place,
        rule_url=game_page.rule_url(refusal.rule) if refusal else "",
        is_over=over is not None,
        may=over is None and (view.contestant is not None or view.is_contestmaster),
        example=EXAMPLE,
        trial=trial,
        tries=MOST_TRIES + 1,
        most_tries=MOST_TRIES,
        **_trial_hands(view, sent),
    )


def _trial_hands(view: View, sent: Mapping[str, Any] | None) -> dict[str, Any]:
    """The hands of the trial: the viewer's own, and the made-up ones as they were sent."""
    try:
        suits = view.state.charts.suits
        hand = own_hand(view) if view.contestant is not None else None
    except TableBroken:
        return {"suits": (), "own_cards": None, "made_up": [], "own_name": OWN}
    first = zip(MADE_UP, _FIRST_HANDS, strict=True)
    hands = {name: dict(zip(suits, chain(cards, repeat(0)), strict=False)) for name, cards in first}
    drafted = Drafted(None, "", hands, frozenset())
    if sent is not None:
        drafted = drafted_in(sent, suits)
    return {
        "suits": suits,
        "own_cards": list(hand.values()) if hand is not None else None,
        "own_name": OWN,
        "own_allied": OWN in drafted.allied,
        "most_cards": MOST_CARDS,
        "made_up": [
            (name, list(drafted.hands[name].items()), name in drafted.allied) for name in MADE_UP
        ],
    }
