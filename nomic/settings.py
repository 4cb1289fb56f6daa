"""Settings. What differs between machines comes from the environment (docs/scaling.md)."""

import os
import secrets
import socket
import tomllib
from contextlib import suppress
from email.utils import formataddr
from importlib import import_module
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.utils.csp import CSP
from psycopg import Error as PostgresError
from psycopg.conninfo import conninfo_to_dict

from nomic.embedded.commands import THREADS
from nomic.infrastructure.paths import ROOT, home

HOME = home()


def origin() -> str:
    """The public address, "" where none is named. Raises ImproperlyConfigured."""
    address = os.environ.get("NOMIC_ORIGIN", "").rstrip("/")
    parts = urlsplit(address)
    if address and (parts.scheme not in {"http", "https"} or address != f"{parts[0]}://{parts[1]}"):
        raise ImproperlyConfigured(
            f"NOMIC_ORIGIN is “{address}”: it has to be https:// and a name, and nothing behind it."
        )
    return address


def whole_number(name: str, usual: int) -> int:
    """The setting of that name, or what is usual. Raises ImproperlyConfigured."""
    text = os.environ.get(name) or str(usual)
    if not text.isdecimal():
        raise ImproperlyConfigured(f"{name} is “{text}”: it has to be a whole number.")
    return int(text)


ORIGIN = origin()
SECURE = ORIGIN.startswith("https://")
DATABASE_URL = os.environ.get("DATABASE_URL") or HOME.database_url
REPLICA_URL = os.environ.get("NOMIC_REPLICA_URL", "")
REDIS_URL = os.environ.get("REDIS_URL") or HOME.redis_url
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
SITE_NAME = os.environ.get("NOMIC_SITE_NAME", "Nomic")  # as letters call it
DEBUG = os.environ.get("NOMIC_DEBUG") == "1"
POOLED = os.environ.get("NOMIC_POOLED") == "1"


def secret_key(kept_in: Path) -> str:
    """The site's secret: NOMIC_SECRET_KEY, or one that is made once and kept."""
    if named := os.environ.get("NOMIC_SECRET_KEY"):
        return named
    kept_in.parent.mkdir(parents=True, exist_ok=True)
    fresh = kept_in.with_suffix(f".{os.getpid()}")
    if not kept_in.exists():
        with open(fresh, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(secrets.token_urlsafe(64))
        with suppress(FileExistsError):  # of two that start at once, the first one's key stays
            os.link(fresh, kept_in)
        fresh.unlink()
    return kept_in.read_text()


def database(url: str, *, patience: int = 5) -> dict[str, Any]:
    """A libpq URL (`postgresql://user:password@host:port/name?sslmode=…`) as Django wants it; a
    connection that is not made within `patience` seconds is given up. Raises
    ImproperlyConfigured."""
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except PostgresError:  # whose words would tell the password
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read: postgresql://USER:PASSWORD@HOST:PORT/NAME, where / and @"
            " of a password are written as %2F and %40."
        ) from None
    suffix = os.environ.get("NOMIC_TEST_SUFFIX", "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", "nomic"),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        # A thread keeps its connection; a dead one is noticed and replaced at the next request.
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        # A pooler that shares connections loses cursors and what is prepared (docs/operating.md).
        "DISABLE_SERVER_SIDE_CURSORS": POOLED,
        "OPTIONS": {
            **parts,
            "options": "-c lock_timeout=1000",
            "connect_timeout": patience,
            # What a connection has sent five times is planned no more: half the database's work.
            "server_side_binding": not POOLED,
            "prepare_threshold": None if POOLED else 5,
        },
        "TEST": {"NAME": f"test_nomic_{suffix}" if suffix else "test_nomic"},
    }


def broker(url: str) -> str:
    """The same Redis as Celery names it: `unix:///path?db=1` is its `redis+socket:///path?…`.
    Raises ImproperlyConfigured."""
    parts = urlsplit(url)
    if parts.scheme in {"redis", "rediss"}:
        return url
    if parts.scheme != "unix":
        raise ImproperlyConfigured(
            "REDIS_URL is none of redis://HOST:6379/0, rediss://HOST:6379/0, unix:///PATH?db=0."
        )
    number = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={number}"


_MAIL_PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}


def mailer(url: str) -> dict[str, Any]:
    """`smtp://user:password@host:587` (with STARTTLS), `smtps://…` or, without encryption,
    `smtp+plain://…`; files in var/mail where none is named. Raises ImproperlyConfigured."""
    if not url:
        return {
            "BACKEND": "nomic.notices.mail_files.EmailBackend",
            "OPTIONS": {"file_path": str(HOME.folder / "mail")},
        }
    try:
        parts = urlsplit(url)
        port, is_read = parts.port, parts.scheme in _MAIL_PORTS and bool(parts.hostname)
    except ValueError:  # which would tell a part of the password
        is_read = False
    if not is_read:
        forms = ", ".join(f"{scheme}://USER:PASSWORD@HOST:PORT" for scheme in _MAIL_PORTS)
        raise ImproperlyConfigured(
            f"NOMIC_MAIL_URL is none of {forms}; % and / in a password are written as %25 and %2F."
        )
    return {
        "BACKEND": "nomic.notices.smtp.EmailBackend",
        "OPTIONS": {
            "host": parts.hostname,
            "port": port or _MAIL_PORTS[parts.scheme],
            "username": unquote(parts.username or ""),
            "password": unquote(parts.password or ""),
            "use_ssl": parts.scheme == "smtps",
            "use_tls": parts.scheme == "smtp",
            "timeout": 10,
            "ca_file": os.environ.get("NOMIC_MAIL_CA", ""),
        },
    }


def single_sign_on(url: str) -> dict[str, Any] | None:
    """The OpenID Connect provider `https://CLIENT:SECRET@ISSUER?name=…` as allauth wants it; None
    where none is named. Only of one on this machine the address begins with `http://`. Raises
    ImproperlyConfigured."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
        is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        is_read = parts.scheme == "https" or (parts.scheme == "http" and is_local)
        is_read = bool(is_read and parts.hostname and parts.username and parts.password)
        place = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    except ValueError:  # which would tell a part of the secret
        is_read, place = False, ""
    if not is_read:
        raise ImproperlyConfigured(
            "NOMIC_OIDC is not https://CLIENT:SECRET@ISSUER; %, / and @ in a client's name or"
            " secret are written as %25, %2F and %40."
        )
    query = parse_qs(parts.query)
    return {
        "provider_id": "provider",
        "name": query.get("name", [parts.hostname])[0],
        "client_id": unquote(parts.username or ""),
        "secret": unquote(parts.password or ""),
        "settings": {
            "server_url": f"{parts.scheme}://{place}{parts.path.rstrip('/')}",
            "sign_up": query.get("sign-up", [""])[0] == "open",
        },
    }


def hosts() -> list[str]:
    """The names that this site answers to."""
    here = {"localhost", "127.0.0.1", "[::1]", socket.gethostname().lower()}
    named = {*os.environ.get("NOMIC_HOSTS", "").split(","), urlsplit(ORIGIN).hostname or ""}
    return sorted(here | named - {""})


# The newest heads of all records, kept outside of the database (nomic.engine.restored).
HEADS_FILE = HOME.folder / "heads.json"
SECRET_KEY = secret_key(HOME.folder / "secret-key")
# What the key follows from by which records are signed; left out, it follows from the secret.
SIGNING_KEY = os.environ.get("NOMIC_SIGNING_KEY", "")
ALLOWED_HOSTS = hosts()

INSTALLED_APPS = [
    "nomic.games",
    "nomic.quotas",
    "nomic.ledger",
    "nomic.record",
    "nomic.dice",
    "nomic.rulebook",
    "nomic.engine",
    "nomic.governance",
    "nomic.notices",
    "horses",
    "proposals",
    "settlers",
    "aceofspades",
    "nomic.documents",
    "nomic.contracts",
    "nomic.cases",
    "nomic.offices",
    "nomic.operations",
    "nomic.simulation",
    "nomic.web",
    "nomic.offices.apps.ThemeConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "django.forms",
    "pgtrigger",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "oauth2_provider",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
]

MIDDLEWARE = [
    "nomic.operations.monitoring.requests.Requests",
    "nomic.operations.monitoring.health.ask_to_come_back",
    "nomic.web.api.cors.allow_other_sites",
    "nomic.infrastructure.charsets.forms_in_utf_8",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "nomic.web.request_shares.share_the_threads",
    # It adds random bytes, so that the length of a page does not tell what is in it (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "nomic.web.request_shares.refuse_locked_out",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "nomic.web.newcomers.guests.accounts_first",
    "nomic.web.etags.TagPages",
]

ROOT_URLCONF = "nomic.urls"
WSGI_APPLICATION = "nomic.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.csp",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": [
                "django.templatetags.l10n",
                "nomic.infrastructure.caching.fragments",
                "nomic.web.templatetags.files",
                "nomic.web.templatetags.moments",
            ],
        },
    }
]

DATABASES = {"default": database(DATABASE_URL)}
if REPLICA_URL:
    DATABASES["replica"] = database(REPLICA_URL, patience=1)
    DATABASE_ROUTERS = ["nomic.infrastructure.database.replica.Router"]
    MIDDLEWARE.append("nomic.infrastructure.database.replica.ReadFromStandby")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# A dead Redis makes pages slower by a timeout, never wrong: what the cache holds can be looked up.
CACHES = {
    "default": {
        "BACKEND": "nomic.infrastructure.caching.backend.Cache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {
            "IGNORE_EXCEPTIONS": True,
            "SOCKET_CONNECT_TIMEOUT": 0.5,
            "SOCKET_TIMEOUT": 0.5,
        },
        "KEY_PREFIX": "nomic",
    }
}
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

AUTHENTICATION_BACKENDS = ["nomic.web.accounts.signing_in.AccountBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
# Nobody learns by signing up which addresses have accounts: any may be given, by many. It belongs
# to the account whose letter was opened, for signing in and forgotten passwords (web.accounts).
ACCOUNT_PREVENT_ENUMERATION = "strict"
# allauth's own also asks the database for an account's addresses, which its answer's time tells.
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"  # noqa: S105 (no password)
# Who may make an account: open, invitation (by a link to a game), or closed (`manage.py account`).
SIGN_UP = os.environ.get("NOMIC_SIGN_UP", "open")
VERIFIED_EMAIL = os.environ.get("NOMIC_VERIFIED_EMAIL") == "1"  # before one joins a game
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SECURE else "http"
ACCOUNT_ADAPTER = "nomic.web.accounts.signing_in.AccountAdapter"
ACCOUNT_FORMS = {
    "change_password": "nomic.web.accounts.signing_in.ChangePasswordForm",
    "set_password": "nomic.web.accounts.signing_in.SetPasswordForm",
    "reset_password": "nomic.web.accounts.signing_in.ResetPasswordForm",
    "reset_password_from_key": "nomic.web.accounts.signing_in.ResetPasswordKeyForm",
}
# Of one address, whatever the account; how often an account is tried: nomic.web.rate_limits.
# Whoever mistypes a password as they sign up has had one of their attempts, too.
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip", "signup": "20/h/ip"}
# How many proxies of ours stand in front: so many hops of X-Forwarded-For are believed.
ALLAUTH_TRUSTED_PROXY_COUNT = whole_number("NOMIC_PROXIES", 1 if SECURE else 0)
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {
    "authenticate": "nomic.web.accounts.signing_in.AuthenticateForm",
    "reauthenticate": "nomic.web.accounts.signing_in.ReauthenticateForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = SITE_NAME
# Browsers allow passkeys without TLS on localhost only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SECURE

# Whose accounts people sign in with as well; none unless named. What it says of e-mail addresses
# counts for nothing: neither lets it anybody into an account that has one, nor are they verified.
SINGLE_SIGN_ON = single_sign_on(os.environ.get("NOMIC_OIDC", ""))
SOCIALACCOUNT_ADAPTER = "nomic.web.accounts.single_sign_on.SingleSignOnAdapter"
SOCIALACCOUNT_AUTO_SIGNUP = False  # they choose a name first, which is none that is taken
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_REQUESTS_TIMEOUT = 5
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [SINGLE_SIGN_ON] if SINGLE_SIGN_ON else [],
        "OAUTH_PKCE_ENABLED": True,
    }
}

# Other people's programs (nomic.web.programs): authorization codes with PKCE and nothing else; of
# what lets them in only checksums are kept.
OAUTH2_PROVIDER = {
    "SCOPES_BACKEND_CLASS": "nomic.web.programs.Scopes",
    "OAUTH2_VALIDATOR_CLASS": "nomic.web.programs.Validator",
    "PKCE_REQUIRED": True,
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "REFRESH_TOKEN_EXPIRE_SECONDS": 90 * 86_400,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOW_LOCALHOST_LOOPBACK": True,
    **{
        f"COMPLIANT_BCP_RFC9700_{gate}": True
        for gate in (
            "IMPLICIT_GRANT",
            "PASSWORD_GRANT",
            "PKCE_METHOD",
            "ACCESS_TOKEN_TRANSPORT",
            "AUTHZ_RESPONSE_ISS",
            "TOKEN_STORAGE",
        )
    },
}

HOSTED_GAMES = whole_number("NOMIC_HOSTED_GAMES", 5)  # open ones, of one person
REMARKS_A_MINUTE = whole_number("NOMIC_REMARKS_A_MINUTE", 6)  # of one player
# Of each token, account or address; 0 lets programs ask as often as they like.
API_REQUESTS_A_MINUTE = whole_number("NOMIC_API_RATE", 1200)

WEB_THREADS = whole_number("NOMIC_WEB_THREADS", int(THREADS))  # of each web process

PAGES_KEPT = 10  # seconds for which a page that nobody signed in for is shown to others as well


def bounds() -> dict[str, float]:
    """Bounds of nomic.games.bounds that are others on this site: NOMIC_BOUND_REQUEST_SECONDS=2.
    Raises ImproperlyConfigured."""
    texts = {name: text for name, text in os.environ.items() if name.startswith("NOMIC_BOUND_")}
    try:
        return {
            name.removeprefix("NOMIC_BOUND_").lower(): float(text)
            for name, text in texts.items()
            if text
        }
    except ValueError:
        raise ImproperlyConfigured(
            f"A bound of the site is no number: {', '.join(sorted(texts))}."
        ) from None


BOUNDS = bounds()

# Guest seats in the demonstration, whoever asks; of one address fewer (nomic.web.newcomers.guests).
GUESTS_AN_HOUR = whole_number("NOMIC_GUESTS", 300)

MAILERS = {"default": mailer(os.environ.get("NOMIC_MAIL_URL", ""))}
DEFAULT_FROM_EMAIL = os.environ.get(
    "NOMIC_MAIL_FROM",
    formataddr((SITE_NAME, f"nomic@{urlsplit(ORIGIN).hostname or 'localhost'}")),
)

# Where the process that streams is asked; "" where a proxy leads there, as one does with https.
STREAM_PORT = "" if SECURE else os.environ.get("NOMIC_STREAM_PORT", "")

# Where links in notices lead.
ADDRESS = ORIGIN or f"http://localhost:{os.environ.get('PORT') or HOME.port}"
# Networks that webhooks may be called in although they are not public; none unless named.


def networks() -> list[IPv4Network | IPv6Network]:
    """Those that NOMIC_WEBHOOK_NETWORKS names. Raises ImproperlyConfigured."""
    networks_named = os.environ.get("NOMIC_WEBHOOK_NETWORKS", "")
    try:
        return [ip_network(network) for network in networks_named.split(",") if network]
    except ValueError as error:
        raise ImproperlyConfigured(f"NOMIC_WEBHOOK_NETWORKS: {error}.") from None


WEBHOOK_NETWORKS = networks()
# The service (RFC 3161) that stamps the heads of records; none unless named.
TIMESTAMP_URL = os.environ.get("NOMIC_TIMESTAMP_URL", "")
# What a program asks for /metrics with; without one, only the operator who has signed in may.
METRICS_TOKEN = os.environ.get("NOMIC_METRICS_TOKEN", "")
# The folder of the backups, so that the metrics tell how old the newest is.
BACKUPS = os.environ.get("NOMIC_BACKUPS", "")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True  # one language, in which allauth speaks with our words
LOCALE_PATHS = [ROOT / "nomic" / "locale"]
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = ROOT / "staticfiles"
STATICFILES_DIRS = [ROOT / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CSRF_TRUSTED_ORIGINS = [ORIGIN] if ORIGIN else []
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SECURE_SSL_REDIRECT = SECURE
# Asked for on the machine itself; a proxy leads what comes from outside to TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
# Only a TLS proxy can be in front of an https origin, and it says so in this header.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE else None
# Whether all subdomains speak TLS, now and in browsers' lists, is for the domain's owner to say.
# Programs on one's own machine are sent back to it without TLS, others are not
# (nomic.web.programs).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "oauth2_provider.W008"]

CELERY_BROKER_URL = broker(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 2}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
# In memory: a sweep every second has no past worth keeping in a file.
CELERY_BEAT_SCHEDULER = "nomic.infrastructure.beat:Scheduler"
_EVERY = {  # in seconds
    "engine.tasks.sweep": 1.0,  # late or doubled it does no harm
    "engine.tasks.keep_heads": 60.0,
    "simulation.tasks.move_bots": 2.0,
    "simulation.tasks.look_after_demonstration": 2.0,
    "notices.tasks.send": 5.0,
    "quotas.tasks.keep_usage": 60.0,
    "web.tasks.call_hooks": 5.0,
    "web.tasks.strike_guests": 600.0,
    "web.tasks.forget_brought": 600.0,
    "web.tasks.close_accounts": 20.0,
    "web.tasks.clear_sessions": 3600.0,
    "notices.tasks.remind": 600.0,
    "operations.tasks.recalculate_opened": 60.0,
    "notices.tasks.tidy": 3600.0,
    # Each game has its week; what failed is tried again the next hour.
    "operations.tasks.stamp_heads": 3600.0,
}
CELERY_BEAT_SCHEDULE = {
    task: {"task": f"nomic.{task}", "schedule": every, "options": {"queue": f"beat.{task}"}}
    for task, every in _EVERY.items()
}
CELERY_TASK_QUEUES: dict[str, Any] = {"celery": {}, **{f"beat.{task}": {} for task in _EVERY}}


def log_format() -> str:
    """How the logs are written: line, or json, one object a line. Raises ImproperlyConfigured."""
    choice = os.environ.get("NOMIC_LOGS") or "line"
    if choice not in {"line", "json"}:
        raise ImproperlyConfigured(f"NOMIC_LOGS is “{choice}”: it has to be line or json.")
    return choice


LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname:<7} {name}: {message}", "style": "{"},
        "json": {"()": "nomic.infrastructure.logs.Json"},
    },
    "filters": {
        "worthwhile": {"()": "nomic.infrastructure.logs.Worthwhile"},
        "tracebacks": {"()": "nomic.infrastructure.logs.Tracebacks"},
        "broker_is_away": {"()": "nomic.infrastructure.logs.OnceAMinute"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": log_format(),
            "filters": ["worthwhile", "tracebacks"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True, "level": "WARNING"},
        # Every sweep would be three lines a second.
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING", "filters": ["broker_is_away"]},
        # It would write whole addresses, in which receivers of webhooks keep their secrets.
        "httpx": {"level": "WARNING"},
    },
}

# Faults are told to a Sentry where one is named; it learns nothing of who did what.
if _dsn := os.environ.get("NOMIC_SENTRY_DSN"):
    import_module("nomic.infrastructure.sentry").begin(_dsn, VERSION, SITE_NAME)
