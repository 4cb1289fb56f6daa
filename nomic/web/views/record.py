"""The record: what happened, entry by entry, with the means to check it."""

import hashlib
from collections.abc import Mapping

from django.db.models import QuerySet
from django.db.models.functions import Left
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from nomic.dice.models import Roll
from nomic.engine.directory import open_postings
from nomic.engine.subgames import all_subgames
from nomic.governance.on_behalf import as_done
from nomic.governance.recalculation.ratification import ratified
from nomic.ledger.models import HolderKind
from nomic.record.canonical import canonical_json
from nomic.record.chain import entry_hash, header, text_of
from nomic.record.game_file import published
from nomic.record.keys import signed_head
from nomic.record.models import PART, Entry, EntryKind, SealedEntry
from nomic.web.game_context import GamePage, open_game, query_word
from nomic.web.hosting.talk import beside
from nomic.web.paging import newest_before, number_asked
from nomic.web.views.rules import changed_in

A_PAGE = 50
_COLUMNS = {"kind": "kind", "player": "actor__name", "name": "name"}
_MOST_POSTINGS = 100
_MOST_NAMES = 300  # of players, among which the filter lets choose: a page has a bound in bytes
_IN_FEED = 1500  # characters of an entry's text
_LONGEST_SHOWN = 8000  # characters, of a text and of a canonical form


@require_safe
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest entries, or those before a number: an address that always shows the same."""
    game_page = open_game(request, slug)
    before = number_asked(request, "before")
    chosen = _chosen(request)
    shown, older = newest_before(_filtered(game_page, chosen), "seq", before, A_PAGE)
    return game_page.draw(
        "web/record/record.html",
        entries=shown,
        older=older,
        newer=before is not None,
        published=published(game_page.game),
        kinds=EntryKind.values,
        players=game_page.game.players.order_by("name").values_list("name", flat=True)[
            :_MOST_NAMES
        ],
        chosen=chosen,
    )


def _chosen(request: HttpRequest) -> dict[str, str]:
    """The kind, the player and the sort of action that are asked for; "" for any."""
    return {name: query_word(request, name) for name in _COLUMNS}


def _filtered(game_page: GamePage, chosen: Mapping[str, str]) -> QuerySet[Entry]:
    entries = game_page.game.entries.select_related("actor").defer("inputs", "outcome")
    return entries.filter(**{_COLUMNS[name]: word for name, word in chosen.items() if word})


def no_entry(seq: int, last: int) -> str:
    """Why the record that ends with entry `last` has none of that number."""
    if seq < 1:
        return f"The record has no entry {seq}. Its first one is 1."
    return f"The record has no entry {seq} yet. Its last one is {last}."


@require_safe
def entry(request: HttpRequest, slug: str, seq: int) -> HttpResponse:
    """One entry with all that it did, its hash, and the bytes that the hash is of.

    A long entry is shown in part; `format=json` gives exactly these bytes: the content, whose hash
    stands in the header that the entry's hash is of.
    """
    game_page = open_game(request, slug)
    entry = game_page.game.entries.select_related("actor").filter(seq=seq).first()
    if entry is None:
        raise Http404(no_entry(seq, game_page.game.last_entry))
    written = text_of(entry)
    if request.GET.get("format") == "json":
        return HttpResponse(written, content_type="application/json")
    postings = (
        open_postings(game_page.game)
        .filter(transfer__entry=seq)
        .exclude(holder__kind=HolderKind.MINT)
        .select_related("transfer", "holder", "asset")[: _MOST_POSTINGS + 1]
    )
    shown = list(postings)
    changed, more_changed = changed_in(game_page, seq)
    return game_page.draw(
        "web/record/entry.html",
        entry=entry,
        rule_url=game_page.rule_url(entry.rule),
        postings=shown[:_MOST_POSTINGS],
        more_postings=len(shown) > _MOST_POSTINGS,
        rolls=list(
            Roll.objects.filter(period__game=game_page.game, period__private=False, entry=seq)
        ),
        text=entry.text[:_LONGEST_SHOWN],
        canonical=written.decode()[:_LONGEST_SHOWN],
        bytes=len(written),
        address=f"{request.build_absolute_uri(request.path)}?format=json",
        is_cut=len(written.decode()) > _LONGEST_SHOWN,
        header=canonical_json(header(entry, hashlib.sha256(written).hexdigest())).decode(),
        is_intact=entry_hash(entry) == entry.hash,
        changed=changed,
        more_changed=more_changed,
        traces=[
            trace
            for subgame in all_subgames()
            for trace in subgame.traces_of(game_page.game, as_done(entry))
        ],
        part=_opened_part(entry),
        ratified=ratified(game_page.game, seq),
        may_be_otherwise=seq > 1 and entry.kind in (EntryKind.ACTION, EntryKind.OFFICER),
        next=seq + 1 if seq < game_page.game.last_entry else None,
        dispute_url=game_page.dispute_url(seq),
        **beside(game_page, f"entry {seq}"),
    )


def _opened_part(entry: Entry) -> SealedEntry | None:
    """The sealed book's part of the entry, once that is open; None until then, or for none."""
    if "part" not in entry.outcome:
        return None
    opened = SealedEntry.objects.filter(game=entry.game_id, opened_in__isnull=False)
    return opened.filter(name=PART, after=entry.seq - 1).select_related("actor").first()


@require_safe
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest entries as an Atom feed."""
    game_page = open_game(request, slug)
    record_url = request.build_absolute_uri(reverse("record", args=[slug]))
    atom = Atom1Feed(
        title=f"{game_page.game.title}: the record",
        link=record_url,
        description="",
        subtitle=f"What happens in the game, as it happens. Its head: {game_page.head}",
        feed_url=request.build_absolute_uri(),
        language="en",
    )
    newest = _filtered(game_page, _chosen(request)).order_by("-seq")
    # Of a long text the database sends no more than is told.
    for happened in newest.defer("text").annotate(begins=Left("text", _IN_FEED + 1))[:A_PAGE]:
        link = request.build_absolute_uri(reverse("entry", args=[slug, happened.seq]))
        text: str = happened.begins
        text = text if len(text) <= _IN_FEED else f"{text[:_IN_FEED]}… The whole text: {link}"
        head = signed_head(game_page.game, happened.seq, happened.hash)
        atom.add_item(
            title=f"{happened.seq}. {text[:120]}",
            link=link,
            description=f"{text}\n\nHead: {head}",
            unique_id=link,
            pubdate=happened.recorded_at,
            updateddate=happened.recorded_at,
            author_name=happened.actor_name or game_page.game.title,
        )
    return HttpResponse(atom.writeString("utf-8"), content_type=atom.content_type)
