"""Somebody's notices: the list of them, what reaches them on which way, and calendars."""

import json
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import InternalError
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from nomic.engine.outcomes import NoticeKind
from nomic.games.clock import utc, wall_now
from nomic.games.models import Game
from nomic.games.wording import counted
from nomic.notices.calendar import calendar, owner_of, secret_of
from nomic.notices.fan_out import forget_unseen_counts
from nomic.notices.http_client import url_fault
from nomic.notices.mail import absolute, unsubscribed
from nomic.notices.models import Browser, Channel, Choices, Delivery, DeliveryState, Notice
from nomic.notices.payloads import MOST_BROWSERS, checked_keys, public_key, secret
from nomic.notices.preferences import SITE, choices_of, chosen_kinds, with_addresses
from nomic.web.game_context import open_game, viewer
from nomic.web.request_shares import refuse_user

_SHOWN = 100
GATHERED = {
    NoticeKind.VOTE: ("vote has opened", "votes have opened"),
    NoticeKind.CLOSING: ("vote closes", "votes close"),
    NoticeKind.OFFER: ("thing is for you", "things are for you"),
    NoticeKind.DUTY: ("duty", "duties"),
    NoticeKind.NAMED: ("naming of you", "times you were named"),
    NoticeKind.REPLY: ("comment", "comments"),
    NoticeKind.ANSWER: ("answer to you", "answers to you"),
    NoticeKind.CASE: ("case", "cases"),
    NoticeKind.RESULT: ("result", "results"),
    NoticeKind.REPORT: ("report", "reports"),
    NoticeKind.RECKONING: ("Moment of Reckoning", "Moments of Reckoning"),
    NoticeKind.WEEK: ("week's news", "weeks' news"),
    NoticeKind.AWAY: ("absence of yours", "absences of yours"),
    NoticeKind.HOST: ("matter for the host", "matters for the host"),
}
"""What several notices of a kind are called together."""
ALL_WAYS = {SITE: "On the site", **dict(Channel.choices)}
_LONGEST_ADDRESS = 500  # characters
_RENEWED = {
    "calendar": "Your calendar has another address; the earlier one opens nothing any more.",
    "key": "Your webhook is signed with another key from now on.",
}


class ChoicesForm(forms.ModelForm):  # type: ignore[type-arg]
    """The ways out of the house; which kinds of notices go on them stands in `kinds`."""

    class Meta:
        model = Choices
        fields = ("mail", "digest", "webhook", "discord", "fast")
        labels = {
            "mail": "Write me e-mail",
            "digest": "One e-mail a day instead, at 7:00 UTC",
            "webhook": "Webhook",
            "discord": "Discord webhook",
            "fast": "Also send what happens in practice games whose week lasts minutes",
        }
        help_texts = {
            "webhook": "Called with JSON, signed with your key.",
            "discord": "The address that a channel’s settings show. Others may read the channel:"
            " what is meant for you alone is not sent there unless you tick it below.",
            "fast": "Without this they appear on the site only.",
        }

    def clean(self) -> dict[str, Any]:
        """With addresses that may be called; what they lead to is looked at each time."""
        cleaned = super().clean() or {}
        for name in ("webhook", "discord"):
            if cleaned.get(name) and (wrong := url_fault(cleaned[name])):
                self.add_error(name, wrong)
        return cleaned

    def kinds(self) -> dict[str, list[str]]:
        """The kinds that were ticked for each way."""
        every = [kind.value for kind in NoticeKind]
        sent: Any = self.data
        return {
            way: [kind for kind in every if kind in sent.getlist(f"{way}_kinds")]
            for way in ALL_WAYS
        }


@require_safe
@login_required
@never_cache
def notices(request: HttpRequest) -> HttpResponse:
    """The newest notices; those that are new are marked so this once."""
    mine = Notice.objects.filter(user=viewer(request), listed=True)
    shown = list(mine.select_related("game")[:_SHOWN])
    if request.method == "GET" and any(notice.seen_at is None for notice in shown):
        with suppress(InternalError):  # a standby keeps in mind what it was before
            mine.filter(seen_at=None, pk__lte=shown[0].pk).update(seen_at=wall_now())
            forget_unseen_counts([viewer(request).pk])
    context = {"days": _by_day(shown), "problems": problems(viewer(request))}
    return render(request, "web/notices/notices.html", context)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The notices of a kind in a game on a day, the newest first, and what they are together."""

    notices: list[Notice]
    title: str

    @property
    def new(self) -> int:
        """How many of them have not been seen before."""
        return sum(notice.seen_at is None for notice in self.notices)


def _by_day(listed: Iterable[Notice]) -> list[tuple[str, datetime, list[Gathered]]]:
    """Each game and day of the notices, in their order, with what came of each kind. The game goes
    by its title, and where another of them has the same one, by its slug as well."""
    days: dict[tuple[Game, date], dict[str, list[Notice]]] = {}
    for notice in listed:
        kinds = days.setdefault((notice.game, utc(notice.at).date()), {})
        kinds.setdefault(notice.kind, []).append(notice)
    titles = Counter(game.title for game in {game for game, _ in days})
    return [
        (
            game.title if titles[game.title] == 1 else f"{game.title} ({game.slug})",
            next(iter(kinds.values()))[0].at,
            [
                Gathered(gathered, counted(len(gathered), *GATHERED[NoticeKind(kind)]))
                for kind, gathered in kinds.items()
            ],
        )
        for (game, _), kinds in days.items()
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def choices(request: HttpRequest) -> HttpResponse:
    """Which kinds of notices reach the viewer on which way."""
    saved = choices_of(viewer(request))
    form = ChoicesForm(request.POST or None, instance=saved)
    if request.method == "POST" and form.is_valid():
        chosen_now = {**form.cleaned_data, "kinds": form.kinds()}
        Choices.objects.update_or_create(user=viewer(request), defaults=chosen_now)
        messages.success(request, "Your choices are kept.")
        return redirect("notice_choices")
    ticked = form.kinds() if form.is_bound else {way: chosen_kinds(saved, way) for way in ALL_WAYS}
    context = {
        "form": form,
        "ways": ALL_WAYS,
        "rows": [
            (kind, kind.label, [(way, name, kind in ticked[way]) for way, name in ALL_WAYS.items()])
            for kind in NoticeKind
        ],
        "problems": problems(viewer(request)),
        "has_mail": bool(with_addresses([viewer(request)])),
        "browsers": Browser.objects.filter(user=viewer(request)).count(),
        "push_key": public_key(),
        "secret": secret(saved),
        "calendar": absolute(reverse("own_calendar", args=[secret_of(viewer(request))])),
    }
    return render(request, "web/notices/choices.html", context)


@require_POST
@login_required
def add_browser(request: HttpRequest) -> HttpResponse:
    """Let the viewer be told in the browser that asks, as its script says; 422 for what is none."""
    try:
        sent = json.loads(request.body)
        endpoint = str(sent["endpoint"])
        p256dh, auth = checked_keys(sent["keys"]["p256dh"], sent["keys"]["auth"])
    except (ValueError, TypeError, KeyError):
        return HttpResponse("This browser cannot be told anything.", status=422)
    if wrong := url_fault(endpoint) or (len(endpoint) > _LONGEST_ADDRESS and "It is too long."):
        return HttpResponse(wrong, status=422)
    browsers = Browser.objects.filter(user=viewer(request))
    keys = {"user": viewer(request), "p256dh": p256dh, "auth": auth}
    # By the endpoint alone: a browser where another account signed in before is told of this one's.
    Browser.objects.update_or_create(endpoint=endpoint, defaults=keys)
    Browser.objects.filter(pk__in=browsers.order_by("-pk").values("pk")[MOST_BROWSERS:]).delete()
    return HttpResponse(status=204)


@require_POST
@login_required
def forget_browsers(request: HttpRequest) -> HttpResponse:
    """Tell the viewer nothing more in any browser."""
    Browser.objects.filter(user=viewer(request)).delete()
    messages.success(request, "No browser is told anything any more.")
    return redirect("notice_choices")


def problems(user: User) -> list[Delivery]:
    """The newest delivery on each way that did not come through and is the last one there."""
    tried = Delivery.objects.filter(notice__user=user, attempts__gt=0)
    newest = tried.order_by("way", "-notice", "-pk").distinct("way").select_related("notice")
    return [delivery for delivery in newest if delivery.problem]


@require_POST
@login_required
def renew(request: HttpRequest, field: str) -> HttpResponse:
    """Let the address of the calendar, or the key of the webhook, be another from now on."""
    if field not in _RENEWED:
        raise Http404("Nothing of that name is renewed.")
    row, _ = Choices.objects.get_or_create(user=viewer(request))
    Choices.objects.filter(pk=row.pk).update(**{field: F(field) + 1})
    messages.success(request, _RENEWED[field])
    return redirect("notice_choices")


@csrf_exempt  # mail programs send this without a page of ours (RFC 8058)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """The way out of e-mail: looked at, it asks; sent, it is done, without signing in."""
    user = User.objects.filter(pk=unsubscribed(token) or 0).first()
    if user is None:
        raise Http404("This link ends no e-mail of ours.")
    if request.method == "POST":
        Choices.objects.update_or_create(user=user, defaults={"mail": False})
        waiting = Delivery.objects.filter(
            notice__user=user, way=Channel.MAIL, state=DeliveryState.WAITING
        )
        waiting.update(state=DeliveryState.GIVEN_UP, problem="The way is closed.")
    context = {"done": request.method == "POST"}
    return render(request, "web/notices/unsubscribe.html", context)


@require_safe
def game_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The calendar of the next events in one game (RFC 5545)."""
    game = open_game(request, slug).game
    return _ics(calendar(game.title, [game]))


@require_safe
def own_calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """The calendar of all games of whoever has this secret address; 404 where nobody has it."""
    user = owner_of(secret)
    if user is None:
        raise Http404("This address opens no calendar. Yours stands in your settings.")
    if refused := refuse_user(request, user.pk):
        return refused
    mine = Game.objects.filter(scratch=False, players__user=user, players__active=True)
    return _ics(calendar("Nomic", mine.order_by("title")))


def _ics(content: bytes) -> HttpResponse:
    return HttpResponse(content, content_type="text/calendar; charset=utf-8")
