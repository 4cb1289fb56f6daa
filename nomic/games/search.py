"""Finding words in texts that everybody who sees a game may read: PostgreSQL's full text search."""

from dataclasses import dataclass

from django.contrib.postgres.search import SearchHeadline, SearchQuery, SearchRank, SearchVector
from django.db.models import Model, QuerySet
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

CONFIG = "english"
_RANKED = 500  # texts: each is read anew
_BEGINS, _ENDS = "\x02", "\x03"  # no text holds them


@dataclass(frozen=True, slots=True)
class Hit:
    """A text in which the words stand: the game's slug and title, its page, an excerpt."""

    slug: str
    game: str
    title: str
    url: str
    excerpt: SafeString


def vector(*columns: str) -> SearchVector:
    """What is indexed of these columns."""
    return SearchVector(*columns, config=CONFIG)


def matching[Row: Model](
    rows: QuerySet[Row], columns: tuple[str, ...], words: str, most: int
) -> QuerySet[Row]:
    """Those rows whose columns say the words, the best first, with an `excerpt` of the last one.

    The words are as people type them: “two words”, -without, this or that. What is said more often
    than in the newest 500 rows is looked for in these alone.
    """
    query = SearchQuery(words, config=CONFIG, search_type="websearch")
    headline = SearchHeadline(
        columns[-1],
        query,
        config=CONFIG,
        start_sel=_BEGINS,
        stop_sel=_ENDS,
        max_words=36,
        min_words=18,
    )
    found = rows.alias(said=vector(*columns)).filter(said=query)
    newest = found.select_related(None).order_by("-pk").values("pk")[:_RANKED]
    ranked = rows.filter(pk__in=newest).alias(rank=SearchRank(vector(*columns), query))
    best: QuerySet[Row] = ranked.order_by("-rank", "-pk").annotate(excerpt=headline)[:most]
    return best


def marked(excerpt: str) -> SafeString:
    """The excerpt as a page shows it: escaped, with what was found marked."""
    shown = escape(excerpt).replace(_BEGINS, "<mark>").replace(_ENDS, "</mark>")
    return mark_safe(shown)  # noqa: S308 - escaped
