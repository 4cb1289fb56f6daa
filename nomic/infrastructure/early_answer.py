"""An answer that is known before a view has made it."""

from django.http import HttpResponse


class EarlyAnswer(Exception):
    """Raised where the answer to a request is known: 304 where the caller has it already, 204 for
    a live part."""

    def __init__(self, answer: HttpResponse) -> None:
        super().__init__()
        self.answer = answer
