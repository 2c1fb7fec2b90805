"""Accounts: who cannot get in, and why; and what helps them."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.forms import ResetPasswordForm
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from league.admin.base import OperatedAdmin, ReadOnlyAdmin, RowsInline, operation
from league.models import FORMER, Claim, Invitation, Membership, Player
from league.queries import clubs_owned_alone
from league.services.errors import Refused
from people.accounts.waits import failures_of, forget_account
from people.services.accounts import delete_account


class EmailAddressInline(RowsInline):
    model = EmailAddress
    related = ("user",)


class MembershipInline(RowsInline):
    model = Membership
    fields = ("club", "role", "joined_at")
    readonly_fields = ("joined_at",)
    related = ("club", "user")
    show_change_link = False


class PlayerInline(RowsInline):
    model = Player
    fields = ("name", "club")
    related = ("club",)


class ClaimInline(RowsInline):
    model = Claim
    fields = ("player", "asked_at")
    readonly_fields = ("asked_at",)
    related = ("player", "user")
    show_change_link = False


class SecondFactorInline(RowsInline):
    model = Authenticator
    fields = ("type", "created_at", "last_used_at")
    readonly_fields = fields
    related = ("user",)


class SessionInline(RowsInline):
    model = UserSession
    fields = ("created_at", "last_seen_at", "ip", "user_agent")
    related = ("user",)


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(OperatedAdmin, UserAdmin[User]):
    list_display = ("username", "email", "is_confirmed", "clubs", "last_login", "is_active", "is_staff")
    search_fields = (
        "username", "email", "emailaddress__email", "players__name",
        "memberships__club__name", "memberships__club__slug",
    )  # fmt: skip
    fieldsets = (
        (gettext_lazy("Why somebody cannot get in"), {"fields": ("sign_in", "invitations")}),
        (None, {"fields": ("username", "password", "email", "last_login", "date_joined")}),
        (
            gettext_lazy("Rights on these pages"),
            {
                "fields": ("is_active", "is_staff", "is_superuser", "user_permissions"),
                "classes": ("collapse",),
            },
        ),
    )
    list_filter = ("is_active", "is_staff")
    readonly_fields = ("sign_in", "invitations", "last_login", "date_joined")
    actions = ("unlock", "send_confirmation", "send_password_link")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        confirmed = EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)
        users = super().get_queryset(request).prefetch_related("memberships__club")
        return users.annotate(  # type: ignore[no-any-return]  # of two bases
            is_confirmed=Exists(confirmed)
        )

    def get_inlines(self, _request: HttpRequest, obj: User | None) -> Any:
        inlines = (
            MembershipInline, EmailAddressInline, SecondFactorInline, PlayerInline, ClaimInline, SessionInline,
        )  # fmt: skip
        return inlines if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Keep an account whose clubs would have no owner: they are given to somebody else first."""
        if (
            obj is None
            and request.resolver_match
            and request.resolver_match.url_name == "auth_user_changelist"
        ):
            return False  # one by one, so that each is looked at
        may = super().has_delete_permission(request, obj)
        return may and not (obj and (obj.username == FORMER or clubs_owned_alone(obj).exists()))

    def delete_model(self, _request: HttpRequest, obj: User) -> None:
        delete_account(obj)

    @admin.display(description=gettext_lazy("address confirmed"), boolean=True)
    def is_confirmed(self, user: Any) -> bool:
        return bool(user.is_confirmed)

    @admin.display(description=gettext_lazy("clubs"))
    def clubs(self, user: User) -> str:
        return ", ".join(row.club.name for row in user.memberships.all())

    @admin.display(description=gettext_lazy("signing in"))
    def sign_in(self, user: User) -> str:
        """Describe what prevents the person from signing in."""
        failures, has_confirmed = (
            failures_of(user.pk),
            EmailAddress.objects.filter(user=user, verified=True).exists(),
        )
        failed = ngettext("%(n)d failed sign-in lately.", "%(n)d failed sign-ins lately.", failures.n)
        wait = _("The next attempt is possible in %(n)d seconds.")
        said = [
            "" if user.is_active else _("The account is closed: tick “Active” to open it."),
            "" if user.has_usable_password() else _("It has no password."),
            "" if has_confirmed else _("No address is confirmed, so mails about clubs are not sent."),
            failed % {"n": failures.n} if failures.n else "",
            wait % {"n": failures.seconds} if failures.seconds else "",
            "" if user.memberships.all() else _("It is a member of no club."),
            *(_("It is the only owner of %(club)s.") % {"club": club} for club in clubs_owned_alone(user)),
            _("Lines of the security log about it have account=%(number)d.") % {"number": user.pk},
        ]
        return " ".join(filter(None, said))

    @admin.display(description=gettext_lazy("invitations"))
    def invitations(self, user: User) -> str:
        """List the invitations that were sent to an address of the person and not used."""
        addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)} - {
            ""
        }
        sent = (
            Invitation.objects.filter(email__in=addresses)
            .exclude(acceptances__user=user)
            .select_related("club")
        )
        return "; ".join(f"{invitation} ({_is_open(invitation)})" for invitation in sent)

    @operation(gettext_lazy("Unlock: forget failed sign-ins"))
    def unlock(self, _request: HttpRequest, user: User) -> str:
        forget_account(user.pk)
        return _("Failed sign-ins are forgotten.")

    @operation(gettext_lazy("Send the mail that confirms the address"))
    def send_confirmation(self, request: HttpRequest, user: User) -> str:
        address = EmailAddress.objects.filter(user=user).order_by("-primary").first()
        if address is None:
            raise Refused(_("The account has no address."))
        return confirm(request, address)

    @operation(gettext_lazy("Send a link for a new password"))
    def send_password_link(self, request: HttpRequest, user: User) -> str:
        form = ResetPasswordForm({"email": user.email})
        if not user.email or not user.is_active or not form.is_valid():
            raise Refused(_("The account is closed, or has no address."))
        form.save(request)
        return _("Sent to %(email)s.") % {"email": user.email}


def confirm(request: HttpRequest, address: EmailAddress) -> str:
    """Send the link that confirms an address."""
    if address.verified:
        raise Refused(_("The address is confirmed already."))
    address.send_confirmation(request)
    return _("Sent to %(email)s.") % {"email": address.email}


def _is_open(invitation: Invitation) -> str:
    return pgettext("invitation", "open") if invitation.is_open else pgettext("invitation", "ended")


admin.site.unregister(EmailAddress)


@admin.register(EmailAddress)
class AddressAdmin(OperatedAdmin, EmailAddressAdmin):  # type: ignore[misc]  # allauth has no types
    list_select_related = ("user",)
    actions = ("make_verified", "send_confirmation")

    @operation(gettext_lazy("Send the mail that confirms the address"))
    def send_confirmation(self, request: HttpRequest, address: EmailAddress) -> str:
        return confirm(request, address)


admin.site.unregister(UserSession)  # allauth's page shows the key of the session


@admin.register(UserSession)
class SessionAdmin(ReadOnlyAdmin):
    list_display = ("user", "created_at", "last_seen_at", "ip", "user_agent")
    list_select_related = ("user",)
    search_fields = ("user__username", "ip")
    exclude = ("session_key", "data")
    actions = ("end",)

    @operation(gettext_lazy("Sign out this browser"))
    def end(self, _request: HttpRequest, session: UserSession) -> str:
        session.end()
        return _("It is signed out.")


# Keys of providers come from the environment, tokens are not stored, and allauth's page shows what a provider has said.
for model in (SocialApp, SocialToken, SocialAccount):
    admin.site.unregister(model)


@admin.register(SocialAccount)
class SignInElsewhereAdmin(ReadOnlyAdmin):
    list_display = ("user", "provider", "date_joined", "last_login")
    list_select_related = ("user",)
    search_fields = ("user__username", "user__email")
    exclude = ("extra_data",)


admin.site.unregister(Authenticator)  # allauth's page shows the secret


@admin.register(Authenticator)
class SecondFactorAdmin(admin.ModelAdmin[Authenticator]):
    """For the operator, who removes a factor that its owner has lost."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "user__email")
    exclude = ("data",)
    readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False
