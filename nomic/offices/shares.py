"""The operator's page of what each game, user and token uses of the site, where they are locked out
and let in. It is light, and asks no game's lock: it works while a game does its worst."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from nomic.engine.outcomes import Busy
from nomic.games.clock import wall_now
from nomic.offices.access import sees_all
from nomic.offices.costs import KINDS, Wrong, by_day, let_in, lock_out, rows
from nomic.offices.site import office
from nomic.shares.models import Hold, Kind

_SHOWN = 25  # of each kind
_DAYS = 14
_TITLES = {Kind.GAME: "Games", Kind.USER: "Users", Kind.TOKEN: "Tokens"}


@require_http_methods(["GET", "HEAD", "POST"])
def shares(request: HttpRequest) -> HttpResponse:
    """The costliest of today, and the cost of one that is asked for on each day; POST locks one
    out, with a reason, or lets it in."""
    if not sees_all(request):
        raise PermissionDenied("What everything costs is for the operator of this site.")
    if request.method == "POST":
        _do(request)
        return redirect("office:shares")
    chosen: dict[str, object] = {}
    kind, name = request.GET.get("kind", ""), request.GET.get("name", "")
    try:
        chosen = {"kind": kind, "name": name, "days": by_day(Kind(kind), name, _DAYS)}
    except Wrong as wrong:
        messages.error(request, str(wrong))
    except ValueError:
        pass  # no kind of thing is asked for
    held = Hold.objects.at(wall_now())
    return office.draw(
        request,
        "offices/shares.html",
        "Shares",
        chosen=chosen,
        tables=[(kind, _TITLES[kind], rows(kind, _SHOWN)) for kind in KINDS],
        holds=[
            ("held", "Held back now", held[:_SHOWN]),
            ("past", "Held back before", Hold.objects.exclude(pk__in=held.values("pk"))[:_SHOWN]),
        ],
        kinds=KINDS,
    )


def _do(request: HttpRequest) -> None:
    sent = request.POST
    by = request.user.get_username()
    try:
        if sent.get("kind") not in KINDS:
            raise Wrong("Say what it is: a game, a user or a token.")
        kind = Kind(sent["kind"])
        if sent.get("do") == "let in":
            told = let_in(kind, sent.get("name", ""), by)
        else:
            told = lock_out(kind, sent.get("name", ""), sent.get("reason", ""), by)
    except (Wrong, Busy) as wrong:
        messages.error(request, str(wrong))
    else:
        messages.success(request, told)
