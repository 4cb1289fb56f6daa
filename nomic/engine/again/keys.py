"""The keys by which an act counts once: whose a key is, and what it was used for already."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser

from nomic.compiled import CompiledQuery
from nomic.engine.forms import ActionForm
from nomic.engine.outcomes import Receipt, Refused
from nomic.games.models import Player
from nomic.games.refusal import Refusal
from nomic.record.chain import as_stored, told_hash
from nomic.record.models import Entry, SealedEntry
from nomic.record.writer import PART

Actor = Player | AbstractBaseUser | None
LONGEST_KEY = 80
CAME_TO_NOTHING = "games.in_vain"  # the name of an entry that an act makes which comes to nothing
_ENTRIES = CompiledQuery(lambda: Entry.objects.all(), "actor", "game")
_SEALED = CompiledQuery(lambda: SealedEntry.objects.all(), "actor", "game")


def owned_key(actor: Actor, key: str) -> str | None:
    """The key as the record keeps it: each person's keys are their own. Raises Refused."""
    if not key:
        return None
    if len(key) > LONGEST_KEY or not key.isprintable():
        sentence = f"A key has at most {LONGEST_KEY} characters, none of them invisible."
        raise Refused(Refusal("bad_key", sentence))
    user = actor.user_id if isinstance(actor, Player) else getattr(actor, "pk", None)
    seat = f"seat {actor.pk}" if isinstance(actor, Player) and user is None else user
    return f"{seat or 'operator'}/{key}"


def first_use(slug: str, key: str) -> tuple[Receipt, str, dict[str, Any]] | None:
    """The first use of that key: the receipt, the action's name and all of its inputs, be they
    public or not; None where it is new."""
    entry, sealed = _ENTRIES.first(game__slug=slug, key=key), None
    if entry is None:
        sealed = _SEALED.first(game__slug=slug, key=key)
        if sealed is None:
            return None
        if sealed.name != PART:
            return Receipt(sealed, repeated=True), *_asked(sealed)
        entry = _ENTRIES.get(game=sealed.game_id, seq=sealed.after + 1)
    name, inputs = _asked(entry)
    hidden, told = (sealed.inputs, sealed.text) if sealed else ({}, "")
    return Receipt(entry, repeated=True, told=told), name, {**inputs, **hidden}


def _asked(entry: Entry | SealedEntry) -> tuple[str, dict[str, Any]]:
    if entry.name == CAME_TO_NOTHING:
        return str(entry.inputs["action"]), entry.inputs["given"]
    return entry.name, entry.inputs


def key_used(entry: Entry | SealedEntry) -> Refused:
    """The refusal; a sealed entry goes by a hash, since its number tells how many there are."""
    which = f"entry {entry.seq}"
    if isinstance(entry, SealedEntry):
        which = f"the sealed entry {told_hash(entry)}"
    sentence = (
        f"This key was used for {which} already, which was something else. Nothing more has"
        " happened: what you mean now needs a new key, which a form has that is shown again."
    )
    return Refused(Refusal("key_used", sentence))


def is_sent_again(form: ActionForm, inputs: Mapping[str, Any], format: int) -> bool:
    """Whether the form was sent with the inputs that an entry of a record of that format has.

    What cannot be read any more, as a choice that is gone, is compared as it was sent.
    """
    found = as_stored(form.chosen(), format)
    return all(
        _is_same(inputs.get(name), found.get(name)) or _is_same(inputs.get(name), form[name].data)
        for name in form.fields
    )


def agrees(sent: Mapping[str, Any], inputs: Mapping[str, Any]) -> bool:
    """Whether nothing that was sent is otherwise in the inputs of an entry, which has defaults."""
    return all(_is_same(inputs.get(name), value) for name, value in sent.items())


def _is_same(one: Any, other: Any) -> bool:
    return bool(_plain(one) == _plain(other))


def _plain(value: Any) -> Any:
    """The value as a text, or as a list or an object of such; nothing is "" in all its forms."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items() if _plain(each)} or ""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value] or ""
    if value is None or value is False:
        return ""
    return str(value).replace("\r\n", "\n").strip()
