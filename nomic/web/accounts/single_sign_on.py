"""Signing in with an account at the OpenID Connect provider that `NOMIC_OIDC` names.

A person is known by what their provider calls them (`sub`) and by nothing else. The first time they
choose a name here. An e-mail address that the provider tells is one that they name: it opens no
account, and is theirs once they have opened its letter.
"""

import logging
from typing import Any

from allauth.account.internal.emailkit import valid_email_or_none
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.utils import get_request_param
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from requests import RequestException

from nomic.web.newcomers.guests import guest_of

log = logging.getLogger(__name__)
_UNREADABLE = "Its answer could not be read."


def provider_of_accounts() -> dict[str, Any] | None:
    """The provider as `NOMIC_OIDC` has it; None where it names none."""
    configured: dict[str, Any] | None = settings.SINGLE_SIGN_ON
    return configured


class SingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """How this site differs from allauth: in whom it lets sign up, and what it believes."""

    def list_apps(
        self, request: HttpRequest | None, provider: Any = None, client_id: Any = None
    ) -> list[SocialApp]:
        """The provider of the settings alone: the database is asked for none."""
        configured = provider_of_accounts()
        is_meant = provider in (None, "openid_connect", configured and configured["provider_id"])
        if not (configured and is_meant and client_id in (None, configured["client_id"])):
            return []
        return [SocialApp(provider="openid_connect", **configured)]

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Whether who comes from the provider may make an account: as everybody else, or all where
        the setting says so."""
        configured = provider_of_accounts()
        if configured and configured["settings"]["sign_up"]:
            return True
        return bool(super().is_open_for_signup(request, sociallogin))

    def new_user(self, request: HttpRequest, sociallogin: SocialLogin) -> User:
        """A new one, also where a guest signs in: that ends the guest's session."""
        return User()

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> User:
        """With what is offered in the form alone: the name that they have elsewhere is not kept."""
        offered = {name: data.get(name) for name in ("username", "email")}
        user: User = super().populate_user(request, sociallogin, offered)
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Whatever the provider says of an address, nobody here has opened its letter yet."""
        addresses = [
            address for address in sociallogin.email_addresses if valid_email_or_none(address.email)
        ]
        for address in addresses:
            address.email, address.verified = address.email.lower(), False
        sociallogin.email_addresses = addresses


class _CheckedProvider(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """The provider, of which an ID token with a good signature is asked each time.

    allauth checks none that came over TLS from the provider itself, and takes what the provider
    tells of a person whether or not it is the person of the token (OpenID Connect Core, 5.3.2).
    """

    @property
    def did_fetch_access_token(self) -> bool:
        return False

    @did_fetch_access_token.setter
    def did_fetch_access_token(self, fetched: bool) -> None:
        """Nothing: the token is checked whatever allauth says here."""

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: Any, **kwargs: Any
    ) -> SocialLogin:
        if not kwargs["response"].get("id_token"):
            raise OAuth2Error("There is no ID token.")
        try:
            login = super().complete_login(request, app, token, **kwargs)
            claims = login.account.extra_data
            person = str(claims["id_token"]["sub"])
            if person != str(claims["userinfo"]["sub"]):
                raise OAuth2Error("The ID token is of somebody else.")
            if not person.isprintable():  # PostgreSQL takes no NUL
                raise OAuth2Error(_UNREADABLE)
        except (KeyError, TypeError, ValueError, AttributeError, ImproperlyConfigured) as error:
            raise OAuth2Error(_UNREADABLE) from error
        # What it tells of people is read once and not kept.
        login.account.extra_data = {}
        login.account.uid = person
        return login


def begin(request: HttpRequest, provider_id: str) -> HttpResponse:
    """By GET a page with the button, by POST one that leads to the provider.

    A page, since a form of this site may lead nowhere else (its Content-Security-Policy), and no
    link alone may add somebody's account at the provider to that of who follows it here.
    """
    provider = _provider(request, provider_id)
    if get_request_param(request, "process") == AuthProcess.CONNECT and guest_of(request.user):
        return redirect("keep_seat")  # a guest has no account that another could be added to
    try:
        response: HttpResponse = OAuth2LoginView.adapter_view(provider)(request)
    except (RequestException, KeyError, ValueError):
        return _out_of_reach(request)
    if response.status_code == 302:
        context = {"url": response.headers["Location"]}
        return render(request, "socialaccount/on_the_way.html", context)
    return response


def come_back(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Where the provider sends people back to: they are signed in, or told why not."""
    provider = _provider(request, provider_id)
    try:
        response: HttpResponse = OAuth2CallbackView.adapter_view(provider)(request)
    except (RequestException, KeyError, ValueError):
        return _out_of_reach(request)
    return response


def _provider(request: HttpRequest, provider_id: str) -> _CheckedProvider:
    configured = provider_of_accounts()
    if configured is None or provider_id != configured["provider_id"]:
        raise Http404("This site has no such provider of accounts.")
    return _CheckedProvider(request, provider_id)


def _out_of_reach(request: HttpRequest) -> HttpResponse:
    """502: it is away, or its configuration lacks something, as the log tells."""
    log.warning("The provider of NOMIC_OIDC did not answer as it should.", exc_info=True)
    return render(request, "socialaccount/authentication_error.html", status=502)
