"""Cases by their words, by their numbers, and those that stand behind an entry."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse

from nomic.cases.models import Case, CaseText
from nomic.cases.state import state_of
from nomic.engine.subgames import Trace
from nomic.engine.table import Table
from nomic.games.models import Game, Player
from nomic.games.search import Hit, marked, matching, query_of, vector
from nomic.record.models import Entry

_MOST_BEHIND = 20


def search_hits(games: QuerySet[Game], words: str, limit: int) -> list[Hit]:
    """The cases of these games whose statements or texts say the words, each once, the best
    first."""
    statements = Case.objects.filter(game__in=games).select_related("game")
    texts = CaseText.objects.filter(game__in=games).select_related("case__game")
    hits = {
        case.pk: _hit(case, case) for case in matching(statements, ("statement",), words, limit)
    }
    for text in matching(texts, ("text",), words, 2 * limit):
        hits.setdefault(text.case_id, _hit(text.case, text))
    return [*hits.values()][:limit]


def saying(cases: QuerySet[Case], words: str) -> QuerySet[Case]:
    """Those of these cases whose statements or texts say the words, as the search takes them."""
    query = query_of(words)
    texts = CaseText.objects.filter(game=OuterRef("game"), case=OuterRef("pk"))
    in_texts = Exists(texts.alias(said=vector("text")).filter(said=query))
    return cases.alias(said=vector("statement")).filter(Q(said=query) | in_texts)


def _hit(case: Case, match: Case | CaseText) -> Hit:
    excerpt = marked(match.excerpt)  # type: ignore[union-attr]
    return Hit(case.game.slug, case.game.title, f"{case}: {case.statement}", url_of(case), excerpt)


def url_of(case: Case) -> str:
    """The page of the case."""
    return reverse("case", args=[case.game.slug, case.number])


def case_named(table: Table, player: Player | None, name: str) -> Trace | None:
    """The case of that number."""
    case = state_of(table).case_named(name)
    return _trace(table.game, case, case.entry) if case else None


def traces_of(game: Game, entry: Entry) -> list[Trace]:
    """The case that the entry called, assigned, judged or opened again, those from whose judgements
    it followed, and those that name it as evidence."""
    number = entry.outcome.get("case") if entry.name.startswith("cases.") else None
    cases = Case.objects.filter(game=game)
    deeds, as_evidence = Q(consequences__deed=entry.seq), Q(texts__exhibits__evidence=entry.seq)
    cases_behind = cases.filter(Q(number=number) | deeds | as_evidence).distinct()
    return [
        _trace(game, case, entry.seq) for case in cases_behind.order_by("number")[:_MOST_BEHIND]
    ]


def _trace(game: Game, case: Case, entry: int) -> Trace:
    url = reverse("case", args=[game.slug, case.number])
    return Trace(entry, str(case), url, case.statement)
