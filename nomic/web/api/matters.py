"""An entry with all that it did, motions with what became of them, and what a sentence in a
player's own words means."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Schema
from ninja.params.functions import Query
from pydantic import ConfigDict, Field

from nomic.engine.actions import NewcomerAction, all_actions
from nomic.engine.directory import open_postings
from nomic.engine.subgames import all_subgames
from nomic.governance.models import Motion
from nomic.governance.motion_voting import preview_of, standings
from nomic.governance.motions import WITH_VOICES
from nomic.governance.on_behalf import as_done
from nomic.ledger.models import HolderKind
from nomic.web.announcement import suggestions, understood_acts
from nomic.web.api import shapes
from nomic.web.api.messages import link_to_next, sent
from nomic.web.api.rooms import GAME, HIGHEST, reading, room, sends, the_page, the_player, the_token
from nomic.web.paging import newest_before
from nomic.web.views.record import no_entry
from nomic.web.views.rules import changed_in

router = room("record")
of_games = room("games")
of_actions = room("actions")
_MOST_POSTINGS = 200
_A_PAGE = 50


class PostingLine(Schema):
    """How much of an asset a holder got, or lost."""

    holder: str
    asset: str
    amount: int


class RuleChangedLine(Schema):
    """What became of a rule in an entry."""

    title: str
    url: str
    verb: str


class Cause(Schema):
    """What of a subgame stands behind an entry, with its page."""

    text: str
    url: str


class WholeEntry(shapes.Entry):
    """An entry with what moved in it of what everybody may see, the rules that it changed, and what
    stands behind it; with `more`, not all of that is told."""

    postings: list[PostingLine]
    changed: list[RuleChangedLine]
    behind: list[Cause]
    more: bool


class MotionLine(shapes.Motion):
    """A motion, open or ended: `end` says how, in the entry `ended_in`, and `note` why it could not
    be done; empty and null while it is open."""

    end: str = shapes.read_at("motion.end")
    ended_in: int | None = shapes.read_at("motion.ended_in")
    note: str = shapes.read_at("motion.note")


class MotionChange(Schema):
    """What of a game's state would be otherwise: what, before and after."""

    what: str
    before: str
    after: str


class WholeMotion(Schema):
    """A motion, and what it would change as things are now: its announcement as `text`, and the
    changes, or a `sentence` on why they are not told; null where it has ended, or nothing can be
    told beforehand."""

    motion: MotionLine
    text: str | None
    sentence: str | None
    balances: list[shapes.BalanceShift] | None
    rules: list[shapes.Rewording] | None
    changes: list[MotionChange] | None


class Saying(Schema):
    """What a player says in their own words."""

    model_config = ConfigDict(extra="forbid")

    words: str = Field(min_length=1, max_length=300)


class MeantAct(Schema):
    """An act that is meant, and the inputs that were said, as texts; `wrong` has a sentence for
    each that cannot be so."""

    action: str
    inputs: dict[str, str]
    wrong: list[str]


class Meant(Schema):
    """The acts that a sentence means, in its order: nothing is done by it. Where it means none,
    `near` are sentences that would mean something."""

    acts: list[MeantAct]
    near: list[str]


@router.get(f"{GAME}/record/{{int:number}}", response=reading(WholeEntry))
def entry(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """One entry with all that it did, as far as everybody may see it."""
    page = the_page(request, slug)
    shown_entry = page.game.entries.filter(seq=min(number, HIGHEST)).first()
    if shown_entry is None:
        raise Http404(no_entry(number, page.game.last_entry))
    postings = list(
        open_postings(page.game)
        .filter(transfer__entry=shown_entry.seq)
        .exclude(holder__kind=HolderKind.MINT)
        .values("holder__name", "asset__name", "amount")[: _MOST_POSTINGS + 1]
    )
    changed_rules, more_changed = changed_in(page, shown_entry.seq)
    entry_as_done = as_done(shown_entry)
    return {
        **{name: getattr(shown_entry, name, None) for name in shapes.Entry.model_fields},
        "actor": shown_entry.actor_name,
        "postings": [
            {"holder": row["holder__name"], "asset": row["asset__name"], "amount": row["amount"]}
            for row in postings[:_MOST_POSTINGS]
        ],
        "changed": changed_rules,
        "behind": [
            trace
            for subgame in all_subgames()
            for trace in subgame.traces_of(page.game, entry_as_done)
        ],
        "more": more_changed or len(postings) > _MOST_POSTINGS,
    }


@of_games.get(f"{GAME}/motions", response=reading(list[MotionLine]))
def motions(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    before: int | None = Query(None, ge=1, le=HIGHEST, description="Only motions before this one"),
) -> list[Any]:
    """What was announced, the newest first, the ended ones among it; Link names the older ones."""
    page = the_page(request, slug)
    announcements = page.game.motions.filter(label=Motion.LABEL).select_related("by__holder")
    rows, older = newest_before(
        announcements.prefetch_related(WITH_VOICES), "number", before, _A_PAGE
    )
    if older is not None:
        link_to_next(request, response, older, "before")
    return list(standings(page.table, page.player, rows))


@of_games.get(f"{GAME}/motions/{{int:number}}", response=reading(WholeMotion))
def motion(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """One motion, and while it waits what it would change as things are now."""
    page = the_page(request, slug, untagged=True)
    announcements = page.game.motions.select_related("game", "by__holder")
    announcements = announcements.prefetch_related(WITH_VOICES).filter(label=Motion.LABEL)
    shown_motion = announcements.filter(number=min(number, HIGHEST)).first()
    if shown_motion is None:
        raise Http404(f"Nothing was announced here as Motion {number}.")
    preview = preview_of(shown_motion, page.player)
    changes = preview.changes if preview else None
    return {
        "motion": standings(page.table, page.player, [shown_motion])[0],
        "text": preview.text if preview else None,
        "sentence": preview.sentence if preview else None,
        "balances": changes.shifts if changes else None,
        "rules": changes.rewordings if changes else None,
        "changes": changes
        and [
            {"what": subject, "before": before, "after": after}
            for subject, before, after in changes.facts_in_words
        ],
    }


@of_actions.post(
    f"{GAME}/say", response=reading(Meant), openapi_extra=sends(Saying), auth=the_token
)
def say(request: HttpRequest, slug: str) -> dict[str, Any]:
    """What acts a sentence in a player's own words means, such as “I bet 3 dollaries on Fargo”.
    Nothing is done: send them as actions."""
    page, player = the_player(request, slug)
    words, table = sent(request, Saying).words, page.table
    acts = [
        act for act in all_actions(table) if not (act.office or isinstance(act, NewcomerAction))
    ]
    forms = [(act, act.Form(table, player)) for act in acts if not act.absence(table)]
    meanings = understood_acts(words, forms)
    return {
        "acts": [
            {"action": meaning.action.name, "inputs": meaning.inputs, "wrong": [*meaning.wrong]}
            for meaning in meanings
        ],
        "near": [] if meanings else [meaning.example for meaning in suggestions(words, forms)],
    }
