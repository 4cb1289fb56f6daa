"""The operator's own pages: what was reported about remarks and players; and what each game, user
and token uses of the site, where they are locked out and let in.

The latter is light, and asks no game's lock: it works while a game does its worst.
"""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from nomic.engine.outcomes import Busy
from nomic.games.clock import wall_now
from nomic.governance.models import Complaint
from nomic.offices.access import sees_all
from nomic.offices.costs import KINDS, NoSuchUser, by_day, let_in, lock_out, rows
from nomic.offices.site import office
from nomic.quotas.models import Hold, UsageKind
from nomic.web.paging import fitting, number_of

_MOST_COMPLAINTS = 100
_LONGEST_NOTE = 1000
_MOST_ROWS = 25  # of each kind
_DAYS = 14
_TITLES = {UsageKind.GAME: "Games", UsageKind.USER: "Users", UsageKind.TOKEN: "Tokens"}


@require_http_methods(["GET", "HEAD", "POST"])
def complaints(request: HttpRequest) -> HttpResponse:
    """Complaints that wait, the oldest first, and settled ones; POST settles one with a note."""
    if not sees_all(request):
        raise PermissionDenied("What was reported is for the operator of this site.")
    if request.method == "POST":
        waiting = Complaint.objects.filter(pk=number_of(request.POST.get("number")) or 0)
        note = request.POST.get("answer", "").replace("\0", "")[:_LONGEST_NOTE]
        if waiting.filter(settled_at=None).update(settled_at=wall_now(), answer=note):
            messages.success(request, "It is settled.")
        return redirect("office:complaints")
    all_complaints = Complaint.objects.select_related("game", "by", "about")
    return office.draw(
        request,
        "offices/complaints.html",
        "Reported",
        waiting=_some(all_complaints.filter(settled_at=None).order_by("at")),
        settled=_some(all_complaints.exclude(settled_at=None)),
    )


def _some(listed: QuerySet[Complaint]) -> list[Complaint]:
    """The first of these, as many as a page has room for; what waits comes up as others go."""
    return fitting(
        listed[:_MOST_COMPLAINTS],
        lambda complaint: (complaint.quoted, complaint.words, complaint.answer),
    )


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
        chosen = {"kind": kind, "name": name, "days": by_day(UsageKind(kind), name, _DAYS)}
    except NoSuchUser as wrong:
        messages.error(request, str(wrong))
    except ValueError:
        pass  # no kind of thing is asked for
    held = Hold.objects.at(wall_now())
    before = Hold.objects.exclude(pk__in=held.values("pk"))
    return office.draw(
        request,
        "offices/shares.html",
        "Shares",
        chosen=chosen,
        tables=[(kind, _TITLES[kind], rows(kind, _MOST_ROWS)) for kind in KINDS],
        holds=[
            ("held", "Held back now", held[:_MOST_ROWS]),
            (
                "past",
                "Held back before",
                before[:_MOST_ROWS],
            ),
        ],
        kinds=KINDS,
    )


def _do(request: HttpRequest) -> None:
    sent = request.POST
    by = request.user.get_username()
    try:
        if sent.get("kind") not in KINDS:
            raise NoSuchUser("Say what it is: a game, a user or a token.")
        kind = UsageKind(sent["kind"])
        if sent.get("do") == "let in":
            sentence = let_in(kind, sent.get("name", ""), by)
        else:
            sentence = lock_out(kind, sent.get("name", ""), sent.get("reason", ""), by)
    except (NoSuchUser, Busy) as wrong:
        messages.error(request, str(wrong))
    else:
        messages.success(request, sentence)
