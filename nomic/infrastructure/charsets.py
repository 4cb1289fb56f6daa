"""Forms are in UTF-8, whatever else a browser may be told to send."""

import codecs
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

FORM = "application/x-www-form-urlencoded"
REFUSED = "A form is sent in UTF-8: send it again without a charset, or with charset=utf-8."


def forms_in_utf_8(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: 415 to a form in another charset, before anything looks for what is in it."""

    def answer(request: HttpRequest) -> HttpResponse:
        charset = request.content_params.get("charset") if request.content_params else None
        if request.content_type == FORM and charset:
            try:
                is_utf_8 = codecs.lookup(charset).name == "utf-8"
            except LookupError:
                is_utf_8 = False
            if not is_utf_8:
                return HttpResponse(REFUSED, status=415, content_type="text/plain; charset=utf-8")
            request.encoding = "utf-8"  # Django knows it by no other name
        return get_response(request)

    return answer
