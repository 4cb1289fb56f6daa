"""Finding words in texts that everybody who sees a game may read: PostgreSQL's full text search."""

from dataclasses import dataclass
from unicodedata import normalize

from django.contrib.postgres.search import SearchHeadline, SearchQuery, SearchRank, SearchVector
from django.db.models import Func, Model, QuerySet, TextField
from django.db.models.functions import Left
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

CONFIG = "english"
_RANKED = 200  # texts: each is read anew,
_READ = 10_000  # so many characters of each
_BEGINS, _ENDS = "\x02", "\x03"  # no text holds them
_FIRST, _LAST = "\u0300", "\u036f"  # of the signs that accents are, where letters stand apart
_STROKED, _UNSTROKED = "øØłŁđĐ", "oOlLdD"  # which have none that stands apart


@dataclass(frozen=True, slots=True)
class Hit:
    """A text in which the words stand: the game's slug and title, its page, an excerpt."""

    slug: str
    game: str
    title: str
    url: str
    excerpt: SafeString


class Plain(Func):
    """A text without its accents, so that who types none finds it. Said without parameters, since
    PostgreSQL finds an index by an expression that reads alike; `unaccent` is not everywhere."""

    template = (
        f"translate(regexp_replace(normalize(%(expressions)s, NFD), '[{_FIRST}-{_LAST}]', '', 'g'),"
        f" '{_STROKED}', '{_UNSTROKED}')"
    )
    arity = 1
    output_field = TextField()


def plain(words: str) -> str:
    """The words without their accents, as `Plain` has a text."""
    bare = (sign for sign in normalize("NFD", words) if not _FIRST <= sign <= _LAST)
    return "".join(bare).translate(str.maketrans(_STROKED, _UNSTROKED))


def vector(*columns: str | Left) -> SearchVector:
    """The words of these columns as they are indexed, in the one configuration of all searches."""
    return SearchVector(*map(Plain, columns), config=CONFIG)


def query_of(words: str) -> SearchQuery:
    """The words as people type them: “two words”, -without, this or that."""
    return SearchQuery(plain(words), config=CONFIG, search_type="websearch")


def matching[Row: Model](
    rows: QuerySet[Row], columns: tuple[str, ...], words: str, limit: int
) -> QuerySet[Row]:
    """Those rows whose columns say the words, the best first, with an `excerpt` of the last one.

    Accents make no difference, but what is marked in an excerpt is what reads as the words do. What
    is said more often than in the newest 200 rows is looked for in these alone, and texts are
    ranked by their first 10,000 characters.
    """
    query = query_of(words)
    headline = SearchHeadline(
        Left(columns[-1], 5 * _READ),
        query | SearchQuery(words, config=CONFIG, search_type="websearch"),
        config=CONFIG,
        start_sel=_BEGINS,
        stop_sel=_ENDS,
        max_words=36,
        min_words=18,
    )
    beginnings = [Left(column, _READ) for column in columns]
    matches = rows.alias(said=vector(*columns)).filter(said=query)
    newest = matches.select_related(None).order_by("-pk").values("pk")[:_RANKED]
    ranked = rows.filter(pk__in=newest).alias(rank=SearchRank(vector(*beginnings), query))
    best: QuerySet[Row] = ranked.order_by("-rank", "-pk").annotate(excerpt=headline)[:limit]
    return best


def marked(excerpt: str) -> SafeString:
    """The excerpt as a page shows it: escaped, with what was found marked."""
    shown = escape(excerpt).replace(_BEGINS, "<mark>").replace(_ENDS, "</mark>")
    return mark_safe(shown)  # noqa: S308 - escaped
