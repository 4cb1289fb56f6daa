"""Other people's programs, which act for a user who has let them (OAuth 2.1: authorization codes
with PKCE; django-oauth-toolkit). What they may do goes by the same scopes as a token's.

Anybody with an account registers a program of theirs: public clients alone, which have no secret.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.csp import CSP
from django.views.decorators.http import require_safe
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauth2_provider.scopes import BaseScopes
from oauth2_provider.views import AuthorizationView
from oauthlib.oauth2.rfc6749.errors import UnsupportedCodeChallengeMethodError

from nomic.games.bounds import PROGRAMS
from nomic.web.tokens import Scope

_HERE = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
_PLACE = re.compile(r"([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.IGNORECASE)
_LONGEST_TOKEN = 200
_CHALLENGE_METHOD = "S256"


class Scopes(BaseScopes):  # type: ignore[misc]
    """The scopes of tokens; a program that asks for none may read."""

    def get_all_scopes(self) -> dict[str, str]:
        return {scope.value: scope.label for scope in Scope}

    def get_available_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        return list(Scope.values)

    def get_default_scopes(self, *args: Any, **kwargs: Any) -> list[str]:
        return [Scope.READ.value]


class Validator(OAuth2Validator):  # type: ignore[misc]
    """The toolkit's own checks, with no grants but authorization codes and their renewal."""

    def validate_grant_type(self, client_id: str, grant_type: str, *args: Any, **kw: Any) -> bool:
        is_offered = grant_type in ("authorization_code", "refresh_token")
        return is_offered and bool(super().validate_grant_type(client_id, grant_type, *args, **kw))

    def validate_response_type(
        self, client_id: str, response_type: str, client: Application, request: Any
    ) -> bool:
        """With the method of the challenge, which the toolkit would refuse after the user's yes."""
        if request.code_challenge and request.code_challenge_method != _CHALLENGE_METHOD:
            raise UnsupportedCodeChallengeMethodError(request=request)
        return bool(super().validate_response_type(client_id, response_type, client, request))


class Consent(AuthorizationView):  # type: ignore[misc]
    """The page on which a user lets a program act for them, or not."""

    template_name = "web/programs/consent.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The user is asked each time: who asks may be another one than was let in before, as at
        an address of their own machine (RFC 8252, 8.6)."""
        query = request.GET.copy()
        query.pop("approval_prompt", None)
        request.GET = query  # type: ignore[assignment]
        response: HttpResponse = super().get(request, *args, **kwargs)
        return response

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().render_to_response(context, **kwargs)
        if program := context.get("application"):
            # Browsers follow a form no further than this lets them, and its answer leads there.
            return_address = urlsplit(context.get("redirect_uri") or program.default_redirect_uri)
            policy = {
                "form-action": [CSP.SELF, f"{return_address.scheme}://{return_address.netloc}"]
            }
            response._csp_config = {**settings.SECURE_CSP, **policy}  # type: ignore[attr-defined]
        return response


@require_safe
def metadata(request: HttpRequest) -> HttpResponse:
    """Where programs ask for what, as RFC 8414 has it."""
    origin = f"{request.scheme}://{request.get_host()}"
    description = {
        "issuer": origin,
        "authorization_endpoint": origin + reverse("oauth2_provider:authorize"),
        "token_endpoint": origin + reverse("oauth2_provider:token"),
        "revocation_endpoint": origin + reverse("oauth2_provider:revoke-token"),
        "scopes_supported": Scope.values,
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": [_CHALLENGE_METHOD],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
        "service_documentation": f"{origin}/api/docs",
    }
    return JsonResponse(description, headers={"Access-Control-Allow-Origin": "*"})


def redirect_fault(addresses: Iterable[str]) -> str:
    """What is wrong with the addresses to which a program is sent back; "" where nothing is."""
    for address in addresses:
        try:
            parts = urlsplit(address)
        except ValueError:
            return f"“{address[:80]}” is no web address."
        # Its place goes into a header of the page on which its user is asked, and is read there.
        is_plain = _PLACE.fullmatch(parts.netloc)
        if parts.fragment or not is_plain or parts.scheme not in ("http", "https"):
            return f"“{address[:80]}” is no web address without a “#”."
        if parts.scheme == "http" and parts.hostname not in _HERE:
            return (
                f"“{address[:80]}” is not encrypted: only an address of one's own machine may be."
            )
    return ""


def register(owner: User, name: str, addresses: Collection[str]) -> Application:
    """A new program of that owner. Raises ValueError where they have as many as one may have."""
    if Application.objects.filter(user=owner).count() >= PROGRAMS.count:
        raise ValueError(f"You have {PROGRAMS.count} of them. Remove one first.")
    return Application.objects.create(
        user=owner,
        name=name,
        redirect_uris=" ".join(addresses),
        client_type=Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
    )


def find_access(plain: str) -> AccessToken | None:
    """The access that a program shows, its user and the program at hand, whether it is over or not;
    None for one unknown."""
    if len(plain) > _LONGEST_TOKEN:
        return None
    checksum = hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()
    accesses = AccessToken.objects.select_related("user", "application")
    return accesses.filter(token_checksum=checksum, user__isnull=False).first()


def programs_of(user: User, wall: datetime) -> list[tuple[Application, list[str], datetime]]:
    """The programs that the user has let in, what each may do, and since when."""
    rows = []
    renewed = RefreshToken.objects.filter(user=user, revoked__isnull=True).values("application")
    current = AccessToken.objects.filter(user=user, expires__gt=wall).values("application")
    let_in = Application.objects.filter(Q(pk__in=renewed) | Q(pk__in=current))
    for program in let_in.order_by("name", "pk"):
        accesses = AccessToken.objects.filter(user=user, application=program)
        scopes = {scope for access in accesses for scope in access.scope.split()}
        since = min((access.created for access in accesses), default=wall)
        rows.append((program, [scope.label for scope in Scope if scope in scopes], since))
    return rows


def withdraw(user: User, *programs: int) -> None:
    """Let those programs do nothing for the user any more, at once; all of them where none is
    named."""
    selection = Q(application__in=programs) if programs else Q()
    for model in (RefreshToken, AccessToken, Grant):
        model.objects.filter(selection, user=user).delete()
