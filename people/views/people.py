"""People of a club: roles, invitations, claims of players, leaving and handing over."""

import uuid
from typing import Any
from urllib.parse import quote

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import ClubRequest, back_to, club_view, signed_in
from league.models import AccessChange, Claim, Invitation, Membership, Notice, Player, Role
from league.qr import qr_svg
from league.queries import typed_id
from league.rights import GROUPS, RIGHTS, Act, invitable, may
from league.services.errors import Refused
from league.services.quotas import QuotaUsed
from people.forms.members import HandOverForm, InvitationForm, MemberForm, RoleForm
from people.services.claims import approve_claim, ask_for_player, decline_claim, take_back_claim
from people.services.invitations import JOINING, accept, invite, revoke
from people.services.members import hand_over, remove_member, restore_member, set_member

REMOVALS = (AccessChange.Kind.MEMBER_REMOVED, AccessChange.Kind.MEMBER_LEFT)


@club_view(Act.USE_AS_MEMBER)
def people(request: ClubRequest) -> HttpResponse:
    return _people(request)


def _people(request: ClubRequest, **forms: Any) -> HttpResponse:
    """Render the page of members; `forms` are invalid forms to show again."""
    club, role = request.club, request.role
    context: dict[str, Any] = {
        "own": club.memberships.filter(user_id=request.user.pk).first(),
        "own_player": club.players.filter(user_id=request.user.pk).first(),
        "groups": _rights(),
        "all_roles": list(reversed(Role)),
    }
    if may(role, Act.INVITE):
        context |= {
            "memberships": _memberships(club.pk),
            "roles": invitable(Role.OWNER),
            "invitations": club.invitations.open().select_related("player"),
            "claims": Claim.objects.filter(player__club=club).select_related("player", "user"),
            "invitation_form": InvitationForm(role=role, club=club, initial=_first_invitation(request)),
            "removal": _removal(request),
        }
    if may(role, Act.CHOOSE_ORGANIZERS):
        context |= {"member_form": MemberForm(auto_id="id_member_%s")}
    context |= forms
    if form := context.get("invitation_form"):
        context["invited_player"] = (
            form.cleaned_data.get("player") if form.is_bound else form.initial["player"]
        )
    return render(request, "people/people.html", context)


def _first_invitation(request: ClubRequest) -> dict[str, Any]:
    """Fill in the form of an invitation; the address may name the player whom it is for."""
    number = typed_id(request.GET.get("player", ""))
    player = request.club.players.filter(pk=number, user=None).first() if number else None
    return {"form_token": uuid.uuid4(), "player": player}


def _rights() -> list[tuple[Any, list[tuple[Any, list[bool]]]]]:
    """Lay out the table of rights: for each act, whether each role may do it, from owner to public."""
    roles = list(reversed(Role))
    return [
        (title, [(text, [role >= RIGHTS[act] for role in roles]) for act, text in acts])
        for title, acts in GROUPS
    ]


def _memberships(club_id: int) -> list[Membership]:
    """Read the members, each with the name of the player claimed."""
    rows = list(Membership.objects.filter(club_id=club_id).select_related("user"))
    players = dict(Player.objects.filter(club_id=club_id, user__isnull=False).values_list("user_id", "name"))
    for row in rows:
        row.player_name = players.get(row.user_id, "")  # type: ignore[attr-defined]
    return rows


def _link(request: HttpRequest, invitation: Invitation) -> str:
    return request.build_absolute_uri(invitation.get_absolute_url())


def _removal(request: ClubRequest) -> AccessChange | None:
    """Find the removal that the page offers to undo: the address names it."""
    if (number := typed_id(request.GET.get("removed", ""))) is None:
        return None
    return AccessChange.objects.filter(pk=number, club=request.club, kind__in=REMOVALS).first()


@require_POST
@club_view(Act.CHOOSE_ORGANIZERS)
def member_add(request: ClubRequest) -> HttpResponse:
    form = MemberForm(request.POST, auto_id="id_member_%s")
    if form.is_valid():
        try:
            set_member(
                request.club,
                user=form.cleaned_data["person"],
                role=form.cleaned_data["role"],
                actor=request.user,
            )
            return redirect("people:people", request.club.slug)
        except Refused as error:
            form.add_error("role", str(error))
    return _people(request, member_form=form)


@require_POST
@club_view(Act.CHOOSE_ORGANIZERS)
def member_role(request: ClubRequest, membership_id: int) -> HttpResponse:
    membership = get_object_or_404(
        Membership.objects.select_related("user"), pk=membership_id, club=request.club
    )
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Role: choose one from the list."))
    else:
        try:
            role = form.cleaned_data["role"]
            set_member(request.club, user=membership.user, role=role, actor=request.user)
        except Refused as error:
            messages.error(request, str(error))
    return redirect("people:people", request.club.slug)


@club_view(Act.CHOOSE_ORGANIZERS)
def member_remove(request: ClubRequest, membership_id: int) -> HttpResponse:
    """Remove a member after confirmation. Idempotent."""
    membership = Membership.objects.select_related("user").filter(pk=membership_id, club=request.club).first()
    if request.method != "POST" and membership:
        return render(request, "people/member_remove.html", {"membership": membership})
    return _remove(request, membership.user if membership else None)


@club_view(Act.USE_AS_MEMBER)
def leave(request: ClubRequest) -> HttpResponse:
    """End the reader's own membership, after confirmation."""
    if request.method != "POST":
        return render(request, "people/member_remove.html", {"membership": None})
    return _remove(request, request.user)


def _remove(request: ClubRequest, user: User | None) -> HttpResponse:
    address = redirect("people:people", request.club.slug)
    try:
        removal = remove_member(request.club, user=user, actor=request.user) if user else None
    except Refused as error:
        messages.error(request, str(error))
        return address
    if user == request.user:
        messages.success(request, _("You have left %(club)s.") % {"club": request.club})
        return redirect(request.club if request.club.is_public else "directory:home")
    if removal:
        address["Location"] += f"?removed={removal.pk}"
    return address


@require_POST
@club_view(Act.CHOOSE_ORGANIZERS)
def member_restore(request: ClubRequest, change_id: int) -> HttpResponse:
    removals = AccessChange.objects.filter(club=request.club, kind__in=REMOVALS).select_related("club")
    try:
        restore_member(get_object_or_404(removals, pk=change_id), actor=request.user)
    except Refused as error:
        messages.error(request, str(error))
    return redirect("people:people", request.club.slug)


@club_view(Act.CHOOSE_ORGANIZERS)
def club_hand_over(request: ClubRequest) -> HttpResponse:
    form = HandOverForm(request.POST or None, club=request.club, owner=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            hand_over(request.club, user=form.cleaned_data["member"].user, actor=request.user)
            messages.success(request, _("The club is handed over. You are an organizer now."))
            return redirect("people:people", request.club.slug)
        except Refused as error:
            form.add_error("member", str(error))
    context = {"form": form, "title": _("Hand over the club"), "action": _("Hand over")}
    return render(request, "league/form.html", context)


@require_POST
@club_view(Act.INVITE)
def invitation_make(request: ClubRequest) -> HttpResponse:
    form = InvitationForm(request.POST, role=request.role, club=request.club)
    if form.is_valid():
        try:
            invitation = invite(
                request.club, **form.cleaned_data, actor=request.user, actor_role=request.role
            )
            return redirect("people:invitation", request.club.slug, invitation.pk)
        except QuotaUsed as error:
            form.add_error("email", str(error))
        except Refused as error:
            form.add_error("role", str(error))
    return _people(request, invitation_form=form)


@club_view(Act.INVITE)
def invitation(request: ClubRequest, invitation_id: int) -> HttpResponse:
    """Show an invitation with its link and QR code, to be sent or printed."""
    shown = get_object_or_404(
        Invitation.objects.select_related("player", "made_by"), pk=invitation_id, club=request.club
    )
    link = _link(request, shown)
    return render(request, "people/invitation.html", {"invitation": shown, "link": link, "qr": qr_svg(link)})


@require_POST
@club_view(Act.INVITE)
def invitation_revoke(request: ClubRequest, invitation_id: int) -> HttpResponse:
    found = get_object_or_404(
        Invitation.objects.select_related("club", "player"), pk=invitation_id, club=request.club
    )
    revoke(found, actor=request.user)
    messages.success(request, _("The invitation is revoked: its link gives nothing any more."))
    return redirect("people:people", request.club.slug)


def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation, and accept it for the user or ask the visitor to sign in first."""
    invitations = Invitation.objects.select_related("club", "player", "made_by")
    found = get_object_or_404(invitations, token=token)
    user = request.user
    if request.method == "POST" and not user.is_authenticated:
        request.session[JOINING] = str(
            token
        )  # accepted with the sign-in that follows (people.accounts.receivers)
        page = "account_login" if "login" in request.POST else "account_signup"
        return redirect(f"{reverse(page)}?next={quote(found.club.get_absolute_url())}")
    if request.method == "POST" and user.is_authenticated:
        try:
            accept(found, user=user)
            messages.success(request, _("Welcome to %(club)s.") % {"club": found.club})
            return redirect(found.club)
        except Refused as error:
            messages.error(request, str(error))
    may_do = [
        text
        for _title, acts in GROUPS
        for act, text in acts
        if may(Role(found.role), act) and act != Act.READ
    ]
    return render(request, "people/join.html", {"invitation": found, "may_do": may_do})


@require_POST
@club_view(Act.EDIT_PLAYERS)
def claim_answer(request: ClubRequest, claim_id: int) -> HttpResponse:
    """Approve or decline a claim; nothing happens if it was answered before."""
    claim = (
        Claim.objects.select_related("player__club").filter(pk=claim_id, player__club=request.club).first()
    )
    if claim:
        try:
            if "yes" in request.POST:
                approve_claim(claim, actor=request.user)
            else:
                decline_claim(claim)
        except Refused as error:
            messages.error(request, str(error))
    return back_to(request, reverse("people:people", args=[request.club.slug]))


@require_POST
@club_view(Act.USE_AS_MEMBER)
def player_claim(request: ClubRequest, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=request.club)
    try:
        ask_for_player(player, user=request.user)
        messages.success(
            request, _("You have asked to be %(name)s. An organizer answers.") % {"name": player}
        )
    except Refused as error:
        messages.error(request, str(error))
    return redirect(player)


@require_POST
@club_view(Act.USE_AS_MEMBER)
def player_unclaim(request: ClubRequest, player_id: int) -> HttpResponse:
    """Take back a claim: members their own, organizers any."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=request.club)
    if player.user_id == request.user.pk or may(request.role, Act.EDIT_PLAYERS):
        take_back_claim(player, actor=request.user)
    else:
        messages.error(request, _("Only organizers take back a claim of somebody else."))
    return redirect(player)


@require_POST
@signed_in
def notices_seen(request: HttpRequest) -> HttpResponse:
    """Take away the notices that the page showed, and return to it."""
    assert request.user.is_authenticated
    shown = filter(None, map(typed_id, request.POST.getlist("notice")))
    Notice.objects.filter(user=request.user, pk__in=shown).delete()
    return redirect("directory:home")
