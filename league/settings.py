"""Settings of the site; what differs between machines comes from environment variables (docs/operations.md).

ENVIRONMENT=local (the default) serves this machine only and needs no other variable; ENVIRONMENT=production
requires SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL and BROKER_URL, and enforces HTTPS.
"""

import contextlib
import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from league.site import beat, env, log_lines, rest, sign_in
from league.site.cookies import cookie_name
from league.site.machine import BASE_DIR, DATABASE, PRODUCTION, VAR_DIR
from league.site.queues import SOON

# NumPy and SciPy would each start a thread for every processor in each process, and such threads wait by spinning. The
# site computes with more processes instead.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

DEBUG = env.boolean("DEBUG", default=False)


def _local_secret() -> str:
    """Read this machine's secret key; create it first if there is none.

    A key in the repository would be known to everybody.
    """
    file = VAR_DIR / "secret_key"
    if not file.exists():
        draft = VAR_DIR / f"secret_key.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="ascii")
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)  # never creates an incomplete file, and the first of two processes wins
        draft.unlink()
    return file.read_text(encoding="ascii")


SECRET_KEY = env.text("SECRET_KEY") if PRODUCTION else env.text("SECRET_KEY", "") or _local_secret()
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS", "")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", None if PRODUCTION else "localhost,127.0.0.1,[::1]")
# Links in mails begin with it. Without one they begin as the visitor's own address of the site does.
SITE_ADDRESS = env.site_address(
    "SITE_ADDRESS", f"https://{ALLOWED_HOSTS[0].lstrip('*.')}" if PRODUCTION else ""
)
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS", "")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "league.site.static_files.NeededFiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    *sign_in.APPS,
    "corsheaders",
    "csp",
    "django_filters",
    "django_htmx",
    "django_tables2",
    "knox",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "league",
    "people",
    "entry",
    "ratings",
    "payouts",
    "live",
    "standings",
    "lab",
    "noticeboard",
    "forecasts",
    "sharing",
    "directory",
    "processes",
    "webhooks",
    "api",
    "privacy",
]

MIDDLEWARE = [
    "league.site.middleware.api_over_https",
    "django.middleware.security.SecurityMiddleware",
    "league.site.middleware.permissions_policy",
    "corsheaders.middleware.CorsMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "league.site.middleware.private_to_accounts",
    "people.accounts.second_factor.required",
    "allauth.account.middleware.AccountMiddleware",
    "league.views.former_slugs.FormerSlugMiddleware",
    "league.views.unsaved.UnsavedFormMiddleware",
]

# templates/django/forms/field.html renders the form fields.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
ROOT_URLCONF = "league.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# A folder of the operator, whose Django templates take the place of those with the same name (docs/operations.md).
OWN_TEMPLATES = [Path(folder) for folder in [env.text("OWN_TEMPLATES", "")] if folder]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [*OWN_TEMPLATES, BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "django.templatetags.static",
                "league.templatetags.formatting",
            ],
        },
    },
    {
        # Rows of long tables (docs/decisions/0004-fast-tables.md).
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "jinja"],
        "OPTIONS": {"environment": "standings.pages.rows.environment"},
    },
]

DATABASES = {"default": DATABASE}

# "default" counts sign-in attempts, wrong API keys and the turns of league.site.limits. It is in the database: all
# processes share it, and sign-in does not need Redis.
# "pages" holds compressed pages keyed by the version of their data, and for some seconds the mark of the health check
# that it could write. Nothing in it has to be shared, so each process has its own.
# "goals" holds what the engines work out for pages, by the version of what it follows from; in each process, too.
# "pictures" holds those of shared links, by what they say (about 30 kB each), and "api" the counts of requests of each
# address without a key, and of each key. Where Redis is the broker, it holds these two for all processes.
CELERY_BROKER_URL = env.broker("BROKER_URL", None if PRODUCTION else "embedded://localhost")
HAS_REDIS = CELERY_BROKER_URL.startswith("redis")


def _local_cache(name: str, *, most: int, seconds: int | None = 300) -> dict[str, object]:
    return {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": name,
        "TIMEOUT": seconds,
        "OPTIONS": {"MAX_ENTRIES": most},
    }


def _shared_cache(name: str, *, most: int, seconds: int | None = 300) -> dict[str, object]:
    if not HAS_REDIS:
        return _local_cache(name, most=most, seconds=seconds)
    return {
        "BACKEND": "league.site.redis_cache.SharedCache",
        "LOCATION": CELERY_BROKER_URL,
        "KEY_PREFIX": f"tierboard:{name}",
        "TIMEOUT": seconds,
        "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
    }


CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},  # so that attempts at many names do not push out those at one
    },
    "pages": _local_cache("pages", most=500, seconds=None),
    "goals": _local_cache("goals", most=2_000),
    "pictures": _shared_cache("pictures", most=200, seconds=86_400),
    "api": _shared_cache("api", most=10_000),
}

# --- people -----------------------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS: list[dict[str, object]] = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "django.contrib.auth.password_validation.MinimumLengthValidator",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
        "people.accounts.validators.SiteWordsValidator",
    )
]
if LEAKED_PASSWORDS := env.file("LEAKED_PASSWORDS"):
    AUTH_PASSWORD_VALIDATORS.append(
        {"NAME": "people.accounts.validators.LeakedPasswordValidator", "OPTIONS": {"file": LEAKED_PASSWORDS}}
    )
# Who needs a second factor, besides those whose clubs ask for it.
SECOND_FACTOR = env.choice(
    "SECOND_FACTOR",
    ("clubs", "operators", "organizers", "everybody"),
    default="operators" if PRODUCTION else "clubs",
)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_USERNAME_VALIDATORS = "people.accounts.usernames.VALIDATORS"
ACCOUNT_ADAPTER = "people.accounts.adapter.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_PREVENT_ENUMERATION = "strict"  # signing up with a known address looks like any other sign-up
# The owner of an account whose password somebody guesses gets in by a new one.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Tierboard: "
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Wrong passwords and sign-ups by network address; without TRUSTED_PROXY_COUNT it is that of the connection. The waits
# of an account are in people.accounts. "login_failed" is allauth's name for wrong codes, after the right password.
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "password_failed": "10/m/ip",
    "login_failed": "5/5m/key",
    "signup": "20/h/ip",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = {name: f"people.forms.codes.{name.title()}Form" for name in ("authenticate", "reauthenticate")}
MFA_TOTP_ISSUER = "Tierboard"
MFA_TOTP_TOLERANCE = 1  # codes of the half minute before and after, for clocks that are a little wrong
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
# Sites that people sign in with (docs/decisions/0037-signing-in-elsewhere.md).
SOCIALACCOUNT_PROVIDERS = sign_in.providers()
SOCIALACCOUNT_ADAPTER = "people.accounts.providers.SocialAccountAdapter"
SOCIALACCOUNT_AUTO_SIGNUP = False  # everybody chooses the user name that others see
ALLAUTH_TRUSTED_PROXY_COUNT = env.integer("TRUSTED_PROXY_COUNT", default=0)

EMAIL_HOST = env.text("EMAIL_HOST", "")
EMAIL_PORT = env.integer("EMAIL_PORT", default=587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = env.boolean("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = (
    env.text("DEFAULT_FROM_EMAIL", "") or f"tierboard@{urlsplit(SITE_ADDRESS).hostname or 'localhost'}"
)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = str(VAR_DIR / "mail")

# --- languages and time -----------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("en-gb", _("British English")), ("ja", _("Japanese"))]
LOCALE_PATHS = [BASE_DIR / "league" / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# --- files ------------------------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(VAR_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "league.site.stylesheets.OneSheetStorage"},
}
WHITENOISE_MIMETYPES = {".svg": "image/svg+xml; charset=utf-8"}
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("map", "png", "woff2")  # those of our static files that gain nothing
MAX_BODY_SIZE = 8_000_000  # of a request; an event file of more than 2 MB gets a message that says so
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
# Files are kept in memory: nothing that a visitor sends is written to the disk.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_SIZE
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000

# --- hardening --------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
# A session ends two weeks after its last change, and in any case so long after its sign-in.
SESSION_MOST_SECONDS = 90 * 86_400
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION and ALLAUTH_TRUSTED_PROXY_COUNT else None
)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = cookie_name("sessionid"), cookie_name("csrftoken")
LANGUAGE_COOKIE_NAME = cookie_name("django_language")
MESSAGE_STORAGE = "league.site.messages.NextPageOrSession"
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_HSTS_PRELOAD = PRODUCTION and env.boolean("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # preloading is the operator's choice: it is hard to take back
SECURITY_CONTACT = env.contact("SECURITY_CONTACT")
# Who runs the site, for its pages about privacy and terms.
OPERATOR = env.text("OPERATOR", "")
OPERATOR_CONTACT = env.contact("OPERATOR_CONTACT")

# --- background work (docs/decisions/0002-one-recomputation.md) --------------------------------------------------

BROKER_DIR = VAR_DIR / "broker"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = (
    {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "polling_interval": 0.05,
    }
    if CELERY_BROKER_URL.startswith("embedded:")
    else {
        "visibility_timeout": 60,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "queue_order_strategy": "priority",  # the queues of a worker in their order (league.site.queues)
        # These limit only the publisher: a page must not wait for a broker that is down. The worker retries for ever.
        "max_retries": 1,
        "interval_start": 0.1,
        "interval_step": 0.1,
    }
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = SOON
CELERY_TASK_ROUTES = ("standings.recomputation.costs.queue_of",)
CELERY_TASK_PUBLISH_RETRY = False  # a page must not wait for a broker that is down; the sweep publishes again
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "league.site.scheduler:SteadyScheduler"  # writes no file that a kill could damage
SWEEP_SECONDS = beat.SWEEP_SECONDS
HEARTBEAT_SECONDS = beat.HEARTBEAT_SECONDS
CELERY_BEAT_SCHEDULE = beat.SCHEDULE
# Chunks of laboratory runs that are published at one time: results of events wait for no more of them.
LAB_CHUNKS_AT_ONCE = env.integer("LAB_CHUNKS_AT_ONCE", default=2, least=1)

# --- the API (docs/api.md) ----------------------------------------------------------------------------------------

# Whether pages of other sites may read what is public, in the browsers of their readers and without their accounts.
CORS_ALLOW_ALL_ORIGINS = env.boolean("API_CORS", default=False)
CORS_URLS_REGEX, CORS_ALLOW_METHODS = r"^/api/v1/", ("GET", "HEAD", "OPTIONS")
CORS_ALLOW_HEADERS, CORS_EXPOSE_HEADERS = ("accept", "if-none-match"), ("ETag", "Retry-After")
# Hosts that webhooks may lead to although they are none of the internet, such as a chat server of your own.
WEBHOOK_HOSTS = env.words("WEBHOOK_HOSTS", "")
REST_FRAMEWORK, SPECTACULAR_SETTINGS, REST_KNOX = rest.FRAMEWORK, rest.SCHEMA, rest.KEYS
KNOX_TOKEN_MODEL = "api.ApiKey"  # noqa: S105  names a model, is no password
MIGRATION_MODULES = {"knox": None}  # api.ApiKey replaces knox's only model

LOGGING = log_lines.LOGGING

# --- what the operator watches (docs/operations.md) --------------------------------------------------------------

# Who has this token reads /metrics; without one, nothing is measured and there is no such page.
METRICS_TOKEN = env.text("METRICS_TOKEN", "")
METRICS_DIR = VAR_DIR / "metrics"
if METRICS_TOKEN:
    # All processes of the web server count into this folder, whichever of them is asked.
    METRICS_DIR.mkdir(exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)
    MIDDLEWARE.insert(0, "league.site.measuring.measured")
# Errors are sent there, without what people have typed and without their addresses.
SENTRY_DSN = env.text("SENTRY_DSN", "")
if SENTRY_DSN:
    from league.site.scrubbing import report_errors_to

    report_errors_to(SENTRY_DSN)

DJANGO_TABLES2_TEMPLATE = "league/_table.html"
django_stubs_ext.monkeypatch()
