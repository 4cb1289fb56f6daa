"""Signing in: which devices an account knows, whose an e-mail address is, and how often anybody may
try (rate_limits.py).

An address belongs to the one account whose letter was opened. Any other may name it as well, so
that nobody learns by it who has an account here; it does nothing for them but wait for its letter.
"""

import secrets
from collections.abc import Iterator
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from allauth.account import forms as account_forms
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.password_reset import get_reset_password_url
from allauth.account.models import EmailAddress
from allauth.account.utils import filter_users_by_username, user_pk_to_url_str
from allauth.core import context
from allauth.core.internal.ratelimit import get_ip
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.forms import CheckboxSelectMultiple, Field, ModelMultipleChoiceField
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac

from nomic.engine.subgames import all_subgames
from nomic.games.admission import why_closed
from nomic.games.confusables import first_unseen
from nomic.games.models import Invitation, Office
from nomic.games.names import is_read_as, mixes_scripts, names_several, reads_as_one_of
from nomic.ledger.models import Asset, AssetVisibility
from nomic.notices.outbox import write_account_letter
from nomic.web.game_context import SHOWN_LINKS
from nomic.web.models import Token
from nomic.web.newcomers.guests import guest_of
from nomic.web.programs import withdraw
from nomic.web.rate_limits import Attempt, begin
from nomic.web.request_shares import refuse_user
from nomic.web.tokens import revoke

_COOKIE = "device"
_A_YEAR = 365 * 24 * 60 * 60  # seconds
_MOST_ACCOUNTS = 20  # that a device is known to


def owner_of(address: str) -> User | None:
    """The user to whom that e-mail address belongs."""
    verified = EmailAddress.objects.filter(email=address.strip().lower(), verified=True)
    owned = verified.select_related("user").first()
    return owned.user if owned else None


def make_account(name: str, email: str) -> User:
    """A new account without a password, by the operator's word, who knows whose the address is.

    Raises ValidationError where the name is none for it, or the address another's.
    """
    user = User(username=AccountAdapter().clean_username(name), email=email.lower())
    user.set_unusable_password()
    user.full_clean()
    if user.email and owner_of(user.email):
        raise ValidationError(f"“{user.email}” belongs to another account.")
    user.save()
    if user.email:
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def password_link(user: User) -> str:
    """The link by which that user chooses a password, once."""
    link = {"uidb36": user_pk_to_url_str(user), "key": default_token_generator.make_token(user)}
    return f"{settings.ADDRESS}{reverse('account_reset_password_from_key', kwargs=link)}"


def reset_password(user: User, *, second_factor: bool, other_ways: bool = False) -> None:
    """Let that account have no password, and no session that was begun by one; `second_factor`
    takes away those as well, of somebody who has lost theirs. `other_ways` ends its API tokens,
    others' programs and signing in by the provider, where somebody else has made them."""
    user.set_unusable_password()
    user.save(update_fields=["password"])
    if second_factor:
        Authenticator.objects.filter(user=user).delete()
    if other_ways:
        for token in Token.objects.filter(user=user, revoked_at=None):
            revoke(token)
        withdraw(user)
        SocialAccount.objects.filter(user=user).delete()


def own_address(user: User) -> str:
    """The e-mail address that belongs to that user, the primary one first; "" where none does."""
    owned = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk").first()
    return owned.email if owned else ""


class AccountBackend(AuthenticationBackend):  # type: ignore[misc]
    """Signing in by a name, or by an address that belongs to the account.

    One password is hashed each time, whoever is asked for: Django's backend and allauth's, one
    after the other, hashed it twice for a name that nobody has and three times for an address.
    """

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> Any:
        login = str(credentials.get("username") or credentials.get("email") or "")
        user = filter_users_by_username(login).order_by("pk").first() or owner_of(login)
        return self._check_password(user, str(credentials["password"]))


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """How this site differs from allauth: in who may sign up, names, and how often one may try.

    `renamed` is who wants another name: it may be like the one that they have.
    """

    renamed: User | None = None

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": "Too many attempts from your address. Try again in a minute.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether who asks may make an account: everybody, whoever came by an invitation that is
        good still, or nobody (`NOMIC_SIGN_UP`)."""
        if settings.SIGN_UP != "invitation":
            return bool(settings.SIGN_UP == "open")
        shown = request.session.get(SHOWN_LINKS, [])
        return any(
            not why_closed(invitation) for invitation in Invitation.objects.filter(pk__in=shown)
        )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Let a letter be sent in which the site has its name, and not its address for a name."""
        site = {"name": settings.SITE_NAME, "domain": urlsplit(settings.ADDRESS).netloc}
        rendered = {"email": email, **context, "current_site": site}
        letter = self.render_mail(template_prefix, email, rendered)
        write_account_letter(email, letter.subject, str(letter.body))

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """Ask whether the address is theirs, or tell whose it is that it was named."""
        address: EmailAddress = emailconfirmation.email_address
        if address.can_set_verified():
            super().send_confirmation_mail(request, emailconfirmation, signup)
            return
        letter = {"user": address.user, "password_reset_url": get_reset_password_url(request)}
        self.send_mail("account/email/account_already_exists", address.email, letter)

    def new_user(self, request: HttpRequest) -> Any:
        """Who signs up: a guest stays the user that they are."""
        guest = guest_of(request.user)
        return guest.user if guest else super().new_user(request)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name of a new account: none that reads as another one's, or as the site's own.

        Raises ValidationError. `shallow` where it is only looked up.
        """
        own_name = self.renamed.username if self.renamed else ""
        # Its own name in other letters is taken by nobody else.
        is_own = username.casefold() == own_name.casefold()
        name: str = super().clean_username(username, shallow or is_own)
        if shallow:
            return name
        if first_unseen(name) or not any(letter.isalnum() for letter in name):
            raise ValidationError("A name has at least one letter or digit, and nothing unseen.")
        if mixes_scripts(name):
            raise ValidationError(f"“{name}” mixes letters of several scripts. Keep to one.")
        if names_several(name):
            raise ValidationError(f"“{name}” reads as several names. Choose another one.")
        if namesake := reads_as_one_of(name, _things()):
            raise ValidationError(f"“{name}” reads as “{namesake}”. Choose another name.")
        other_users = User.objects.exclude(pk=self.renamed.pk if self.renamed else 0)
        if taken := other_users.filter(is_read_as("username", name)).first():
            raise ValidationError(f"“{name}” reads as “{taken}”, which is taken.")
        return name

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Raises ValidationError where the account, or the address by itself, has to wait.

        A device that the account knows does not wait for others at its address.
        """
        login = str(credentials.get("username") or credentials.get("email"))
        by_name: User | None = filter_users_by_username(login).order_by("pk").first()
        user = by_name or owner_of(login)
        self.attempt = _begin(request, "password", user or login.casefold())
        if not (user and _knows(request, user)):
            super().pre_authenticate(request, **credentials)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        user = super().authenticate(request, **credentials)
        if user:
            self.attempt.succeeded()
        return user

    def pre_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse | None:
        """Nobody signs in who is locked out; they are told why."""
        refused: HttpResponse | None = refuse_user(request, user.pk)
        return refused or super().pre_login(request, user, **options)

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse:
        """From now on the account knows this device."""
        response: HttpResponse = super().post_login(request, user, **options)
        device, accounts = _device(request)
        trace = _trace(user)
        traces = [trace, *(old_trace for old_trace in accounts if old_trace != trace)]
        response.set_signed_cookie(
            _COOKIE,
            ".".join([device or secrets.token_hex(16), *traces[:_MOST_ACCOUNTS]]),
            salt=_COOKIE,
            max_age=_A_YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return response


def _things() -> Iterator[str]:
    """The names of things in the site's games: of the offices that a game may have, and of what is
    owned in those that nobody hosts, so that no host keeps names from others."""
    yield from chain(*(subgame.offices for subgame in all_subgames()))
    yield from Office.objects.values_list("name", flat=True).order_by().distinct()
    owned = Asset.objects.filter(
        visibility=AssetVisibility.PUBLIC, game__host=None, game__scratch=False
    )
    yield from chain(*owned.values_list("name", "plural").order_by().distinct())


class _EndsTokens:
    """A form for a new password, which also ends what programs may do: all unless said. Others'
    programs are let in anew by who wants them."""

    user: User | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mine = Token.objects.filter(user=self.user, revoked_at=None)
        if self.user and mine.exists():
            self.fields: dict[str, Field]
            self.fields["kept_tokens"] = ModelMultipleChoiceField(
                mine,
                required=False,
                widget=CheckboxSelectMultiple,
                label="API tokens that go on working",
                help_text="Your programs sign in with these. All that you leave out are revoked.",
            )

    def save(self) -> None:
        super().save()  # type: ignore[misc]
        kept_tokens = self.cleaned_data.get("kept_tokens", ())  # type: ignore[attr-defined]
        for token in Token.objects.filter(user=self.user, revoked_at=None).exclude(
            pk__in=kept_tokens
        ):
            revoke(token)
        if self.user:
            withdraw(self.user)


class ChangePasswordForm(_EndsTokens, account_forms.ChangePasswordForm):  # type: ignore[misc]
    """A new password, by the old one."""


class SetPasswordForm(_EndsTokens, account_forms.SetPasswordForm):  # type: ignore[misc]
    """The first password of an account that had none."""


class ResetPasswordForm(account_forms.ResetPasswordForm):  # type: ignore[misc]
    """Asking for a new password, by an address that belongs to an account. One that belongs to none
    gets a letter, too, which says so."""

    users: list[User]

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        owner = owner_of(email)
        self.users = [owner] if owner and owner.is_active else []
        return email


class ResetPasswordKeyForm(_EndsTokens, account_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password, by a letter."""


class _Throttled:
    """A form for a code of the second factor, by account and place like passwords."""

    user: User

    def clean_code(self) -> str:
        attempt = _begin(context.request, "code", self.user)
        code = str(super().clean_code())  # type: ignore[misc]
        attempt.succeeded()
        return code


class AuthenticateForm(_Throttled, forms.AuthenticateForm):  # type: ignore[misc]
    """The code at signing in."""


class ReauthenticateForm(_Throttled, forms.ReauthenticateForm):  # type: ignore[misc]
    """The code of somebody who has signed in."""


def _begin(request: HttpRequest, secret: str, account: User | str) -> Attempt:
    knows_device = isinstance(account, User) and _knows(request, account)
    place = _device(request)[0] if knows_device else get_ip(request)
    return begin(
        f"{secret} of {account.pk if isinstance(account, User) else account!r}",
        place,
        by_known_device=knows_device,
    )


def _knows(request: HttpRequest, user: User) -> bool:
    """Whether this device has signed in to that account since its password was set."""
    return _trace(user) in _device(request)[1]


def _trace(user: User) -> str:
    """An account as a device remembers it: it does not tell whose, and a new password ends it."""
    return salted_hmac(_COOKIE, f"{user.pk} {user.password}", algorithm="sha256").hexdigest()[:32]


def _device(request: HttpRequest) -> tuple[str, list[str]]:
    """The device's own name and the traces of accounts on it; "" and none for a new one."""
    cookie = request.get_signed_cookie(_COOKIE, "", salt=_COOKIE, max_age=_A_YEAR) or ""
    device, *accounts = cookie.split(".")
    return device, accounts
