from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import ReadOnlyAdmin, operation, require_second_factor
from league.models import Invitation
from league.services.errors import Refused
from people.services.invitations import mail_invitation, revoke


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    """Invitations without their links: whoever has a link can use it."""

    list_display = ("club", "role", "email", "player", "made_by", "made_at", "ends_at", "n_uses", "is_open")
    list_select_related = ("club", "player", "made_by")
    search_fields = ("club__name", "club__slug", "email", "player__name", "made_by__username")
    actions = ("send_again", "end")
    view_on_site = False

    @admin.display(boolean=True, description=gettext_lazy("open"))
    def is_open(self, invitation: Invitation) -> bool:
        return invitation.is_open

    @operation(gettext_lazy("Send the mail again"))
    def send_again(self, request: HttpRequest, invitation: Invitation) -> str:
        require_second_factor(invitation.club, request.user)
        if not invitation.email:
            raise Refused(_("It was made without an address: its link is on the club's page of people."))
        if not invitation.is_open:
            raise Refused(_("This invitation has ended. Ask for a new one."))
        mail_invitation(invitation)
        return _("Sent to %(email)s.") % {"email": invitation.email}

    @operation(gettext_lazy("Revoke"))
    def end(self, request: HttpRequest, invitation: Any) -> str:
        require_second_factor(invitation.club, request.user)
        revoke(invitation, actor=request.user)  # type: ignore[arg-type]  # of staff
        return _("The invitation is revoked: its link gives nothing any more.")
