"""Drafts of players: kept for each alone, and no part of the game until they are submitted.

A draft goes by the key of its form. With the same key the proposal is submitted, once, from
however many windows.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from nomic.engine.forms import Text
from nomic.games.bounds import WRITTEN_OF_PLAYER
from nomic.games.clock import iso, wall_now
from nomic.games.models import Player
from nomic.record.models import Entry
from proposals.actions.players import LONGEST_BODY
from proposals.models import LONGEST_TITLE, Draft, Proposal

MORE = ("conflicts", "dependencies", "index", "class", "coauthors", "remarks")
_SHAPES = {
    "title": Text(longest=LONGEST_TITLE, required=False),
    "body": Text(lines=True, longest=LONGEST_BODY, required=False, strip=False),
    **{name: Text(required=False) for name in MORE},
    "remarks": Text(lines=True, longest=LONGEST_BODY, required=False),
}


class NotKept(Exception):
    """A draft was not saved; says why, and what would help."""


class ChangedElsewhere(NotKept):
    """Another window has saved the draft since this one got it."""


@dataclass(frozen=True, slots=True)
class Written:
    """The content of a form.

    `key` is the form's, `window` that of the one window in which it is open, and `seen` the moment
    at which the draft was saved that this window got, "" if it got none.
    """

    values: Mapping[str, str]
    key: str
    window: str = ""
    seen: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing was written that a draft would be missed for."""
        return not any(self.values.get(name, "").strip() for name in ("title", "body"))


def drafts_of(player: Player) -> QuerySet[Draft]:
    """The player's own drafts, newest first. Nobody else's are ever asked for."""
    return Draft.objects.filter(player=player).select_related("revises")


def keep(player: Player, written: Written, revises: Proposal | None = None) -> Draft | None:
    """Save what was written as the draft of that key; None where there is nothing to save.

    Raises NotKept, and ChangedElsewhere where the draft is not the one that this window got.
    """
    values = _checked(written)
    drafts = list(drafts_of(player).filter(more__key=written.key))
    if not drafts:
        if written.is_blank or _is_submitted(player, written.key):
            return None
        most = WRITTEN_OF_PLAYER.count
        if drafts_of(player).count() >= most:
            raise NotKept(
                f"You have {most} drafts, which is the most that are kept for one player:"
                " delete one, and this one will be saved."
            )
    draft = drafts[0] if drafts else Draft(player=player, revises=revises)
    if (
        drafts
        and written.window != draft.more.get("window")
        and written.seen != iso(draft.saved_at)
    ):
        raise ChangedElsewhere(
            "This draft was changed in another window or on another device, at"
            f" {iso(draft.saved_at)[11:16]} UTC. What stands here is not saved, so that nothing"
            " gets lost: save it as a draft of its own, or load the page again to see the other."
        )
    draft.title, draft.body = values["title"], values["body"]
    draft.more = {name: values[name] for name in MORE if values[name]}
    draft.more |= {"key": written.key, "window": written.window}
    draft.saved_at = wall_now()
    draft.save()
    for twin in drafts[1:]:
        twin.delete()
    # A save that was under way while the form was submitted must leave nothing behind.
    if _is_submitted(player, written.key):
        forget(player, written.key)
        return None
    return draft


def forget(player: Player, key: str) -> None:
    """Delete the draft of that key: it was submitted."""
    Draft.objects.filter(player=player, more__key=key).delete()


def typed_in(draft: Draft) -> dict[str, str]:
    """The form's fields as they were typed."""
    typed = {name: str(draft.more.get(name, "")) for name in MORE if draft.more.get(name)}
    return {"title": draft.title, "body": draft.body, **typed}


def _checked(written: Written) -> dict[str, str]:
    """The values as the database can hold them; raises NotKept with the first fault."""
    values = {}
    for name, shape in _SHAPES.items():
        value = written.values.get(name, "").replace("\r\n", "\n")
        if name == "body" and len(value) > LONGEST_BODY:
            raise NotKept(too_long(value))
        try:
            values[name] = shape.clean(value)
        except ValidationError as error:
            label = name.replace("_", " ")
            raise NotKept(f"Not saved. The {label}: {error.messages[0]}") from None
    return values


def too_long(body: str) -> str:
    """The sentence on a body that is longer than a proposal may be."""
    return (
        f"This text has {len(body):,} characters, and a proposal at most {LONGEST_BODY:,}: shorten"
        " it, or make several proposals of it."
    )


def _is_submitted(player: Player, key: str) -> bool:
    """Whether the record has an entry of that form; entries keep a user's keys as `take` does."""
    return Entry.objects.filter(game=player.game_id, key=f"{player.user_id}/{key}").exists()
