"""Finding words in texts that everybody who sees a game may read: PostgreSQL's full text search."""

from dataclasses import dataclass

from django.contrib.postgres.search import SearchHeadline, SearchQuery, SearchRank, SearchVector
from django.db.models import Model, QuerySet
from django.db.models.functions import Left
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

CONFIG = "english"
_RANKED = 200  # texts: each is read anew,
_READ = 10_000  # so many characters of each
_BEGINS, _ENDS = "\x02", "\x03"  # no text holds them


@dataclass(frozen=True, slots=True)
class Hit:
    """A text in which the words stand: the game's slug and title, its page, an excerpt."""

    slug: str
    game: str
    title: str
    url: str
    excerpt: SafeString


def vector(*columns: str | Left) -> SearchVector:
    """The words of these columns as they are indexed, in the one configuration of all searches."""
    return SearchVector(*columns, config=CONFIG)


def matching[Row: Model](
    rows: QuerySet[Row], columns: tuple[str, ...], words: str, limit: int
) -> QuerySet[Row]:
    """Those rows whose columns say the words, the best first, with an `excerpt` of the last one.

    The words are as people type them: “two words”, -without, this or that. What is said more often
    than in the newest 200 rows is looked for in these alone, and texts are ranked by their first
    10,000 characters.
    """
    query = SearchQuery(words, config=CONFIG, search_type="websearch")
    headline = SearchHeadline(
        Left(columns[-1], 5 * _READ),
        query,
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
