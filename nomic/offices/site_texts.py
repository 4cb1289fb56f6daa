"""What the operator writes about the site: its pages, and where faults are told."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from nomic.offices.access import sees_all
from nomic.offices.site import office
from nomic.web.models import SitePage
from nomic.web.site_pages import CONTACT, KINDS, text_of, write_page


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def site_texts(request: HttpRequest) -> HttpResponse:
    """Each page's text to write; POST keeps one, and an empty one brings the shipped one back."""
    if not sees_all(request):
        raise PermissionDenied("What this site says of itself is for its operator to write.")
    rejected: dict[str, str] = {}
    if request.method == "POST":
        name, text = request.POST.get("page", ""), request.POST.get("text", "")
        try:
            if name not in (*KINDS, CONTACT):
                raise ValidationError("There is no such page.")
            write_page(name, text)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            rejected = {name: text}
        else:
            messages.success(request, "It is kept, and shown from now on.")
            return redirect(f"{reverse('office:site_texts')}#{name}")
    pages = {page.name: page for page in SitePage.objects.all()}
    return office.draw(
        request,
        "offices/site_texts.html",
        "Pages",
        status=422 if rejected else 200,
        pages=[
            (
                kind,
                reverse(kind.address),
                rejected.get(kind.name, text_of(kind.name)),
                pages.get(kind.name),
            )
            for kind in KINDS.values()
        ],
        contact=rejected.get(CONTACT, pages[CONTACT].text if CONTACT in pages else ""),
    )
