"""Who may come to a game: by invitation links, by asking its host, or freely.

None of it is part of a game's record: that tells who joined, and a replay does not ask why they
were let in.
"""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from nomic.games.models import Admission, Game, Invitation, JoinedBy, Player, SeenBy

MOST_INVITATIONS = 20  # of a game that are good; its host sees all of them on one page
_DIGITS = 40
HOW_TO_COME = {
    JoinedBy.EVERYBODY: "You need a link to join this game. Open yours again, or ask the host of"
    " the game for one.",
    JoinedBy.INVITATION: "You need an invitation link to join this game. Ask its host for one, and"
    " open it while you are signed in.",
    JoinedBy.HOST: "The host decides who joins this game. Ask them for a seat on its “Join” page.",
}
REMOVED = "You were removed from this game. Its host can let you come back."


def is_open_to_all(game: Game) -> bool:
    """Whether everybody sees that game and may take a seat in it."""
    doors = (game.seen_by, game.joined_by)
    return doors == (SeenBy.EVERYBODY, JoinedBy.EVERYBODY) and not game.is_closed


def may_join(game: Game, user: User) -> bool:
    """Whether that user may take a seat that they never had."""
    return bool(to_join([game], user))


def to_join(games: Iterable[Game], user: User | AnonymousUser) -> set[int]:
    """Those of the games, by their keys, in which that user may take a seat that they never had."""
    by_key = {game.pk: game for game in games}
    open_games = {
        pk
        for pk, game in by_key.items()
        if is_open_to_all(game) or (user.pk is not None and game.host_id == user.pk)
    }
    if user.pk is None or len(open_games) == len(by_key):
        return open_games
    came = Admission.objects.came().filter(game__in=by_key.keys() - open_games, user_id=user.pk)
    return open_games | {
        pk
        for pk, state in came.values_list("game_id", "state")
        if by_key[pk].joined_by is not JoinedBy.HOST or state == Admission.State.ADMITTED
    }


def let_in(game: Game, user: User, at: datetime) -> Admission:
    """Let that user join the game, on the host's word."""
    state = {"state": Admission.State.ADMITTED, "at": at}
    return Admission.objects.update_or_create(game=game, user=user, defaults=state)[0]


def token_of(invitation: Invitation) -> str:
    """The token in the address of the invitation, NONCE-SECRET; `find_invitation` finds it by
    that."""
    return f"{invitation.nonce}-{_secret(invitation)}"


def find_invitation(token: str) -> Invitation | None:
    """The invitation of that token, withdrawn or used up or not; None where none has it."""
    nonce, _, secret = token.partition("-")
    if not nonce.isascii() or not nonce.isalnum():
        return None
    invitation = Invitation.objects.select_related("game__host").filter(nonce=nonce).first()
    if invitation is None or not constant_time_compare(secret, _secret(invitation)):
        return None
    return invitation


def why_closed(invitation: Invitation, user: User | None = None) -> str:
    """Why nobody, or not this user, comes in by it, as a sentence; "" where they can."""
    if user is not None and invitation.game.players.filter(user=user, removed=True).exists():
        return REMOVED
    if invitation.game.is_closed:
        return "This game is over, so nobody joins it any more. You can still read all of it."
    came = invitation.game.admissions.came()
    if user and (user.pk == invitation.game.host_id or came.filter(user=user).exists()):
        return ""
    if invitation.withdrawn_at:
        return "This invitation was withdrawn. Ask the host of the game for another one."
    if invitation.used >= invitation.most:
        times = f"{invitation.most} people" if invitation.most > 1 else "somebody"
        return f"This invitation is used up: {times} came by it. Ask the host for another one."
    return ""


def empty_seats(game: Game) -> QuerySet[Player]:
    """The seats in which somebody plays of whom this site knows no account, and who has sealed
    nothing that another would be shown there."""
    return game.players.filter(active=True, user=None, bot=False, sealed_entries=None)


def seat_given(game: Game, user: User) -> Player | None:
    """The empty seat to which that user came by the host's link, if there is one."""
    links_used = game.admissions.came().filter(user=user, invitation__withdrawn_at=None)
    return empty_seats(game).filter(invitations__admissions__in=links_used).first()


def come_by(invitation: Invitation, user: User, at: datetime) -> str:
    """Let that user in by the invitation, once: a second time it counts no more. Who is in already
    comes by a link only where it brings them to a seat.

    Returns why they cannot come by it, as a sentence; "" where they have.
    """
    game = invitation.game
    closed = why_closed(invitation, user)
    came = game.admissions.filter(user=user).came()
    if invitation.seat_id:
        came = came.filter(invitation=invitation)
    if closed or came.exists() or (user.pk == game.host_id and not invitation.seat_id):
        return closed
    # One statement that compares and counts: of two who come at once, one gets the last place.
    good = Invitation.objects.filter(pk=invitation.pk, withdrawn_at=None, used__lt=F("most"))
    if not good.update(used=F("used") + 1):
        invitation.refresh_from_db()
        return why_closed(invitation)
    invited = {"state": Admission.State.INVITED, "invitation": invitation, "at": at}
    admission, is_new = Admission.objects.get_or_create(game=game, user=user, defaults=invited)
    if is_new:
        return ""
    if came.exists():  # sent twice at once
        Invitation.objects.filter(pk=invitation.pk).update(used=F("used") - 1)
    else:
        declined = admission.state == Admission.State.DECLINED
        changed = invited if declined else {"invitation": invitation}
        Admission.objects.filter(pk=admission.pk).update(**changed)
    return ""


def _secret(invitation: Invitation) -> str:
    words = f"{invitation.pk} {invitation.nonce}"
    return salted_hmac("nomic.invitation", words, algorithm="sha256").hexdigest()[:_DIGITS]
