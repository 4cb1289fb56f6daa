"""Numbers that addresses give, and the parts of long lists that they ask for."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import escape

from nomic.games.bounds import LIST_KILOBYTES

_LONGEST = 9  # digits: they fit into PostgreSQL's integer, which takes no larger number
_LAST_PAGE = 999_999


def number_of(word: Any) -> int | None:
    """The whole number that an address or a form gives; None where it gives none, or a huge one."""
    text = str(word or "").strip()
    is_number = text.isascii() and text.isdecimal() and len(text) <= _LONGEST
    return int(text) if is_number else None


def number_asked(request: HttpRequest, name: str) -> int | None:
    """The number by that name in the address."""
    return number_of(request.GET.get(name))


def page_asked(request: HttpRequest) -> int:
    """The `page` in the address, from 1 on."""
    return min(max(number_asked(request, "page") or 1, 1), _LAST_PAGE)


def newest_before[Row: Model](
    rows: QuerySet[Row], by: str, before: int | None, limit: int
) -> tuple[list[Row], int | None]:
    """The newest rows `before` a value of the column `by`, and that at which older ones end."""
    if before is not None:
        rows = rows.filter(**{f"{by}__lt": before})
    page_and_next = list(rows.order_by(f"-{by}")[: limit + 1])
    return page_and_next[:limit], getattr(page_and_next[limit - 1], by) if len(
        page_and_next
    ) > limit else None


def fitting[Row](rows: Iterable[Row], texts: Callable[[Row], Sequence[str]]) -> list[Row]:
    """The first of these rows: those for whose `texts` a page has room, and one at least."""
    all_rows = list(rows)
    sizes = accumulate(sum(len(escape(text).encode()) for text in texts(row)) for row in all_rows)
    fit = sum(size <= LIST_KILOBYTES.count * 1000 for size in sizes)
    return all_rows[: max(fit, 1)]
