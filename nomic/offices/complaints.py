"""The operator's desk of what was reported about remarks and players."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from nomic.games.clock import wall_now
from nomic.offices.access import sees_all
from nomic.offices.site import office
from nomic.standard.models import Complaint
from nomic.web.paging import fitting, number_of

_SHOWN = 100
_LONGEST = 1000


@require_http_methods(["GET", "HEAD", "POST"])
def complaints(request: HttpRequest) -> HttpResponse:
    """Complaints that wait, the oldest first, and settled ones; POST settles one with a note."""
    if not sees_all(request):
        raise PermissionDenied("What was reported is for the operator of this site.")
    if request.method == "POST":
        waiting = Complaint.objects.filter(pk=number_of(request.POST.get("number")) or 0)
        note = request.POST.get("answer", "").replace("\0", "")[:_LONGEST]
        if waiting.filter(settled_at=None).update(settled_at=wall_now(), answer=note):
            messages.success(request, "It is settled.")
        return redirect("office:complaints")
    told = Complaint.objects.select_related("game", "by", "about")
    return office.draw(
        request,
        "offices/complaints.html",
        "Reported",
        waiting=_some(told.filter(settled_at=None).order_by("at")),
        settled=_some(told.exclude(settled_at=None)),
    )


def _some(told: QuerySet[Complaint]) -> list[Complaint]:
    """The first of these, as many as a page has room for; what waits comes up as others go."""
    return fitting(told[:_SHOWN], lambda each: (each.quoted, each.words, each.answer))
