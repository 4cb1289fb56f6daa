"""A copy of all that the site holds of somebody, for themselves: a ZIP of JSON files.

A worker makes it when they ask, within a share of its time and of the disk, and it is forgotten
after some days. What it has of a game is what they did there and wrote there, and nothing that is
another's: not their own private acts in an office, whose knowledge stays with it.
"""

import json
import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import BinaryField, Model, Q, QuerySet

from nomic.engine.fairness.background_work import leave_to_worker, work
from nomic.games.clock import wall_now
from nomic.games.models import Game, Invitation, Player
from nomic.governance.models import AtTable, Complaint, Reaction, Remark
from nomic.quotas.models import UsageKind, Used
from nomic.record.models import SeenHead
from nomic.web.accounts.closing import beside_the_record, rows_of_account
from nomic.web.accounts.names import witness_name
from nomic.web.models import Closing, OwnCopy, Token
from nomic.web.proof.receipts import SignedAct, all_acts, receipt

KEPT = timedelta(days=3)
AGAIN_AFTER = timedelta(minutes=10)
_WORK = "copy_own"
_MOST_ACTS = 20_000  # of one game
_MOST_ROWS = 20_000  # of one kind
_LARGEST = 50_000_000  # bytes of a copy as it is packed
_IN_MEMORY = 5_000_000  # bytes; more goes to a file
# Columns that would let whoever finds the copy in as its owner, and what is ours alone.
_OPENS = re.compile("secret|token|code|password|digest|checksum|jti|nonce|claims|p256dh")
_NOT_TOLD = frozenset({"data", "key", "calendar", "auth", "answer", "user", "player"})
_CUT_SHORT = "More than the site puts into one copy; ask its operator for the rest."
log = logging.getLogger(__name__)


class AskedLately(Exception):
    """There is a copy that is not old; the sentence says when another can be asked for."""


def ask_for_copy(user: User) -> None:
    """Have a worker make a copy, in place of one before. Raises AskedLately."""
    wall = wall_now()
    copy, is_new = OwnCopy.objects.get_or_create(user=user, defaults={"asked_at": wall})
    if not is_new:
        if copy.asked_at > wall - AGAIN_AFTER and copy.made_at:
            minutes = AGAIN_AFTER // timedelta(minutes=1)
            raise AskedLately(f"You have a copy that is not {minutes} minutes old. Download that.")
        OwnCopy.objects.filter(pk=copy.pk).update(asked_at=wall, made_at=None, packed=b"")
    leave_to_worker(_WORK, copy.pk)


def ask_again(copy: OwnCopy) -> None:
    """Ask a worker for that copy once more: the first order may be lost."""
    leave_to_worker(_WORK, copy.pk)


def forget_old_copies() -> int:
    """Let copies go that are some days old; how many."""
    return OwnCopy.objects.filter(asked_at__lt=wall_now() - KEPT).delete()[0]


@work(_WORK)
def make_copy(key: int, within: float) -> None:
    """Make that copy within so many seconds, unless it is made already, or not wanted any more."""
    copy = OwnCopy.objects.filter(pk=key, made_at=None).select_related("user").first()
    if copy is None:
        return
    with SpooledTemporaryFile(_IN_MEMORY) as file:
        write_copy(copy.user, file, deadline=monotonic() + within)
        file.seek(0)
        unmade_copies = OwnCopy.objects.filter(pk=key, made_at=None)
        unmade_copies.update(packed=file.read(), made_at=wall_now())


def write_copy(user: User, file: IO[bytes], *, deadline: float) -> None:
    """Write the copy into that file; what is not written by that moment (monotonic), or is more
    than a copy has room for, is left out, which it says."""
    with ZipFile(file, "w", ZIP_DEFLATED) as folder:
        left_out = []
        for name, content in _files(user, deadline):
            if monotonic() > deadline or file.tell() > _LARGEST:
                left_out.append(name)
                continue
            text = json.dumps(content, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
            folder.writestr(name, text)
        contents = {"of": user.username, "made_at": wall_now(), "left_out": left_out}
        folder.writestr("copy.json", json.dumps(contents, cls=DjangoJSONEncoder, indent=1))


def _files(user: User, deadline: float) -> Iterator[tuple[str, Any]]:
    yield "account.json", _account(user)
    seats = Player.objects.filter(user=user, game__scratch=False).select_related("game", "holder")
    for seat in seats.order_by("game__slug"):
        yield f"games/{seat.game.slug}.json", _seat(seat, deadline)


def _account(user: User) -> dict[str, Any]:
    """The account itself, and all rows that hang on it, by what they are."""
    slugs = Game.objects.filter(host=user, scratch=False).values_list("slug", flat=True)
    tokens = Token.objects.filter(user=user).values("pk")
    use = Q(kind=UsageKind.USER, number=user.pk) | Q(kind=UsageKind.TOKEN, number__in=tokens)
    kinds = [
        (model, rows) for model, rows in rows_of_account(user) if model not in (OwnCopy, Closing)
    ]
    kinds += [
        (Invitation, Invitation.objects.filter(made_by=user)),
        (Complaint, Complaint.objects.filter(by=user)),
        (Used, Used.objects.filter(use)),
        (SeenHead, SeenHead.objects.filter(player=None, name=witness_name(user.username))),
    ]
    return {
        **_columns(user),
        "has_password": user.has_usable_password(),
        "hosts": sorted(slugs),
        **{_plural(model): _rows(rows) for model, rows in kinds},
    }


def _seat(seat: Player, deadline: float) -> dict[str, Any]:
    """A seat: what they wrote at its table, their drafts, and what they did."""
    of_seat = {"player": seat}
    kinds: list[tuple[Any, QuerySet[Any]]] = [
        (Remark, Remark.objects.filter(**of_seat)),
        (Reaction, Reaction.objects.filter(**of_seat)),
        (AtTable, AtTable.objects.filter(**of_seat)),
        (SeenHead, SeenHead.objects.filter(**of_seat)),
    ]
    assert seat.user is not None
    kinds += [(model, rows.filter(**of_seat)) for model, rows in beside_the_record(seat.user)]
    acts = [
        receipt(seat.game, act)
        for act in islice(_before(all_acts(seat.game, seat), deadline), _MOST_ACTS + 1)
    ]
    part = {"acts": acts[:_MOST_ACTS]}
    omission = {"more_acts": _CUT_SHORT} if len(acts) > _MOST_ACTS or monotonic() > deadline else {}
    offices = sorted(seat.offices.values_list("name", flat=True))
    rows = {_plural(model): _rows(queryset) for model, queryset in kinds}
    return {
        **_columns(seat),
        "game": seat.game.slug,
        "offices": offices,
        **rows,
        **part,
        **omission,
    }


def _before(acts: Iterator[SignedAct], deadline: float) -> Iterator[SignedAct]:
    for act in acts:
        if monotonic() > deadline:
            return
        yield act


def _plural(model: type[Model]) -> str:
    return str(model._meta.verbose_name_plural).replace(" ", "_")


def _rows(rows: QuerySet[Any]) -> list[Any]:
    if relations := [field.name for field in _fields_of(rows.model) if field.is_relation]:
        rows = rows.select_related(*relations)
    columns: list[Any] = [_columns(row) for row in rows.order_by("pk")[: _MOST_ROWS + 1]]
    return columns if len(columns) <= _MOST_ROWS else [*columns[:_MOST_ROWS], _CUT_SHORT]


def _columns(row: Model) -> dict[str, Any]:
    """A row as it stands, without what would let somebody in, and without keys of the database."""
    return {
        field.name: _name_of(row, field) if field.is_relation else field.value_from_object(row)
        for field in _fields_of(type(row))
    }


def _fields_of(model: type[Model]) -> list[Any]:
    """The fields of a model that a copy has."""
    return [
        field
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.name in _NOT_TOLD or _OPENS.search(field.name))
        and not isinstance(field, BinaryField)
    ]


def _name_of(row: Model, field: Any) -> str | None:
    """What a row refers to, by its name."""
    related = getattr(row, field.name)
    return None if related is None else str(getattr(related, "slug", related))
