"""Closing an account for good.

At once nobody signs in to it any more, and all goes that no game needs. Then it leaves its games,
by acts on their records, and lets go of those that it hosts; one that stands still or is busy is
asked again. When it has left all of them, the account itself goes. Entries keep the name by which
the player was known when they were written: their hashes are of it.
"""

import logging
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import count, islice
from typing import Any

from allauth.account.models import EmailAddress
from django.apps import apps
from django.conf import settings
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import CASCADE, F, Q, QuerySet
from django.utils.crypto import get_random_string

from nomic.engine.outcomes import Busy, Refused
from nomic.engine.take import take
from nomic.games.clock import wall_now
from nomic.games.models import Admission, FormerName, Game, Invitation, Player
from nomic.governance.hosting.acts import HAND_OVER
from nomic.governance.hosting.talk import delete_all_of
from nomic.governance.models import Complaint
from nomic.governance.renaming import RENAME
from nomic.notices.models import AccountLetter, Notice, Outgoing
from nomic.quotas import holds
from nomic.quotas.models import Hold, UsageKind, Used
from nomic.web.accounts.names import rename_beside_it
from nomic.web.models import Closing, Filling, Token

log = logging.getLogger(__name__)
LEAVE = "games.leave"
_FORMER = "Former player"
FORMER = re.compile(rf"{_FORMER} [0-9]+")
"""The names by which seats go whose account is closed, where its owner asked for it."""
_NAMELESS = "a closed account"
_SHELL = "closed-"
_BUSY = "busy"
# Why a game refuses what it will allow once it goes on; what its rules refuse is never done.
_FOR_LATER = frozenset({_BUSY, "locked_out", "restored", "set_aside"})
_NAMES_TRIED = 5
_AT_ONCE = 20  # closings of one sweep: each may wait for games
_SESSIONS_AT_ONCE = 2000


class NotClosed(Exception):
    """The account stays as it is; the sentence says why."""


@dataclass(frozen=True, slots=True)
class SeatGivenUp:
    """A seat that closing the account gives up, with the offices that fall vacant."""

    seat: Player
    offices: tuple[str, ...]


def seats_given_up(user: User) -> list[SeatGivenUp]:
    """The seats in which that user plays, in games that are not over."""
    return [
        SeatGivenUp(seat, tuple(office.name for office in seat.offices.all()))
        for seat in seats_of(user).filter(active=True).prefetch_related("offices")
        if not seat.game.is_closed
    ]


def seats_of(user: User) -> QuerySet[Player]:
    """All seats that are theirs, those that they left and those of games that are over as well."""
    seats = Player.objects.filter(user=user, game__scratch=False)
    return seats.select_related("game").order_by("game__title")


def refuse_closing(user: User) -> str:
    """Why that account cannot be closed, as a sentence; "" where it can."""
    other_operators = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not other_operators.exists():
        return (
            "Nobody else operates this site, and somebody has to. Let “manage.py createsuperuser”"
            " make another operator first."
        )
    return ""


def close_account(user: User, *, renames: bool = False) -> None:
    """Begin to close it: all that no game needs is gone when this returns. With `renames`, each of
    its seats goes by the name of a former player then. Raises NotClosed."""
    if sentence := refuse_closing(user):
        raise NotClosed(sentence)
    first_values = {"asked_at": wall_now(), "renames": renames}
    closing, _ = Closing.objects.get_or_create(user=user, defaults=first_values)
    # First, so that whatever happens meanwhile nobody comes in any more.
    User.objects.filter(pk=user.pk).update(is_active=False, is_superuser=False, is_staff=False)
    _forget(closing)


def go_on_closing() -> int:
    """Go on with the accounts that are being closed, those first that were tried longest ago; how
    many are gone now. It may run late, twice, or many at once."""
    closings = Closing.objects.select_related("user")
    due = list(closings.order_by(F("tried_at").asc(nulls_first=True))[:_AT_ONCE])
    if new := {closing.user_id for closing in due if closing.tried_at is None}:
        _end_sessions(new)
    count_closed = 0
    for closing in due:
        Closing.objects.filter(pk=closing.pk).update(tried_at=wall_now())
        if closing.forgotten_at is None:
            _forget(closing)
        if _has_left_its_games(closing):
            Player.objects.filter(user=closing.user).update(user=None)
            User.objects.filter(pk=closing.user_id).delete()
            count_closed += 1
    return count_closed


def _forget(closing: Closing) -> None:
    """Let all go that is of that account and that no game needs. Done twice it does no harm: the
    name goes last, by which some of it is found."""
    user = User.objects.get(pk=closing.user_id)
    _strike_from_what_others_have(user)
    for model, of_user in rows_of_account(user):
        if model is not Closing:
            of_user.delete()
    for _, texts in beside_the_record(user):
        texts.delete()
    delete_all_of(Player.objects.filter(user=user), wall_now())
    user.username = f"{_SHELL}{get_random_string(24).lower()}"
    user.email = user.first_name = user.last_name = ""
    user.last_login = None
    user.set_unusable_password()
    user.save()
    Closing.objects.filter(pk=closing.pk).update(forgotten_at=wall_now())


def rows_of_account(user: User) -> Iterator[tuple[Any, QuerySet[Any]]]:
    """Each model whose rows go with an account, and that account's rows."""
    for relation in get_user_model()._meta.related_objects:
        if relation.on_delete is CASCADE:
            model: Any = relation.related_model
            yield model, model._base_manager.filter(**{relation.field.name: user})


def beside_the_record(user: User) -> Iterator[tuple[Any, QuerySet[Any]]]:
    """Each model of what players write that is no part of a game, and what that user has so."""
    for model in apps.get_models():
        if getattr(model, "beside_the_record", False):
            yield model, model._base_manager.filter(player__user=user)


def _strike_from_what_others_have(user: User) -> None:
    """Let what is not theirs tell of them no more: letters on their way, what hosts were told,
    links to games, complaints that wait, holds, heads that they brought, seats that are prepared
    for them."""
    addresses = {
        user.email.lower(),
        *EmailAddress.objects.filter(user=user).values_list("email", flat=True),
    } - {""}
    others = EmailAddress.objects.exclude(user=user).filter(email__in=addresses, verified=True)
    for address in addresses - set(others.values_list("email", flat=True)):
        AccountLetter.objects.filter(to__iexact=address).delete()
    for admission in Admission.objects.filter(user=user):
        about = f"{admission.game_id}/asks {admission.pk}/"
        for model in (Outgoing, Notice):
            model.objects.filter(game=admission.game_id, about__startswith=about).delete()
    links = Invitation.objects.filter(made_by=user)
    links.filter(seat=None).update(name="a former host’s link")
    links.update(made_by=None)
    Complaint.objects.filter(by=user).exclude(settled_at=None).delete()
    Complaint.objects.filter(by=user).update(by=None)
    tokens = Token.objects.filter(user=user).values_list("pk", flat=True)
    of_user = Q(kind=UsageKind.USER, number=user.pk) | Q(kind=UsageKind.TOKEN, number__in=tokens)
    Hold.objects.filter(of_user).delete()
    holds.publish()
    Used.objects.filter(of_user).delete()
    rename_beside_it(user.username, f"{_NAMELESS} {get_random_string(8)}", _NAMELESS)
    for filling in Filling.objects.all():
        seats = [seat for seat in filling.seats if user.pk not in seat]
        if len(seats) < len(filling.seats):
            Filling.objects.filter(pk=filling.pk).update(seats=seats)
    Game.objects.filter(host=user, settings__closed=True).update(host=None)


def _end_sessions(users: Collection[int]) -> None:
    """Forget every session of theirs, in the database and in the cache. They let nobody in any more
    as it is; but which are whose is told by their content alone, and so all are read."""
    store = import_module(settings.SESSION_ENGINE).SessionStore
    keys = {str(user) for user in users}
    newest = None
    while True:
        sessions = Session.objects.order_by("-session_key")
        if newest is not None:
            sessions = sessions.filter(session_key__lt=newest)
        page = list(sessions[:_SESSIONS_AT_ONCE])
        for session in page:
            if str(session.get_decoded().get(SESSION_KEY)) in keys:
                store(session.session_key).delete()
        if len(page) < _SESSIONS_AT_ONCE:
            return
        newest = page[-1].session_key


def _has_left_its_games(closing: Closing) -> bool:
    """Whether they have a seat in no game any more, and host none."""
    user = closing.user
    # All are asked, whatever one of them answers.
    hosted_games = Game.objects.hosted_by(user)
    outcomes = [
        _refusal(game, user, HAND_OVER, player="") not in _FOR_LATER for game in hosted_games
    ]
    if closing.renames:
        outcomes += [_is_renamed(seat) for seat in seats_of(user)]
    outcomes += [not _refusal(up.seat.game, up.seat, LEAVE) for up in seats_given_up(user)]
    return all(outcomes)


def _is_renamed(seat: Player) -> bool:
    """Whether the seat goes by the name of a former player, or never will."""
    if FORMER.fullmatch(seat.name):
        return True
    names_in_use = {
        *seat.game.players.filter(name__startswith=_FORMER).values_list("name", flat=True),
        *FormerName.objects.filter(game=seat.game, name__startswith=_FORMER).values_list(
            "name", flat=True
        ),
    }
    names = (name for name in map(f"{_FORMER} {{}}".format, count(1)) if name not in names_in_use)
    # Somebody may go by what reads as one of them, or be given it at this moment.
    for name in islice(names, _NAMES_TRIED):
        if (code := _refusal(seat.game, seat, RENAME, name=name)) != "name_taken":
            return code not in _FOR_LATER
    return True


def _refusal(game: Game, actor: User | Player, action: str, **inputs: str) -> str:
    """Do that; the code of why it is refused, "" where it is done."""
    try:
        take(game.slug, actor, action, inputs)
    except (Refused, Busy) as reason:
        log.info("An account that is closed waits for the game %s: %s", game.slug, reason)
        return _BUSY if isinstance(reason, Busy) else str(reason.refusal.code)
    return ""
