"""Everything of a club as one file, a club from such a file, and the end of a club."""

from io import BytesIO

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from league.access import ClubRequest, club_view, signed_in
from league.celery import enqueue_on_commit
from league.forms.names import TypedNameForm
from league.models import Event, Use
from league.rights import Act
from league.services.errors import Refused
from league.services.quotas import QuotaUsed, count_use
from league.site.limits import consume_quota
from league.vocabulary import gettext as _
from people.services.clubs import close_club, reopen_club, restore_club, soft_delete_club
from standings.archive.reading import BadArchive, read_archive
from standings.archive.services import ask_for_club, import_draft, is_asked_for
from standings.archive.writing import write_archive
from standings.models import ArchiveDraft
from standings.pages.forms.archive import ArchiveForm, ImportedClubForm
from standings.tasks import make_club

MOST_UPLOADS = 5  # archives of an account or a network in a minute
MOST_AT_ONCE = 500_000  # bytes of an archive; a larger one becomes a club in the worker


@club_view(Act.KEEP_CLUB)
@require_safe
def club_data(request: ClubRequest) -> HttpResponse:
    return render(request, "standings/club_data/club_data.html")


@club_view(Act.KEEP_CLUB)
@require_safe
def club_archive(request: ClubRequest) -> HttpResponse:
    file = BytesIO()
    write_archive(request.club, file)
    name = f"{request.club.slug}-{timezone.localdate()}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(file.getvalue(), content_type="application/zip", headers=headers)


@require_POST
@club_view(Act.KEEP_CLUB)
def club_close(request: ClubRequest) -> HttpResponse:
    is_closed = request.POST.get("closed") == "1"
    (close_club if is_closed else reopen_club)(request.club, actor=request.user)
    message = _("%(club)s is closed.") if is_closed else _("%(club)s is open again.")
    messages.success(request, message % {"club": request.club})
    return redirect("standings:club-data", request.club.slug)


@club_view(Act.KEEP_CLUB)
def club_delete(request: ClubRequest) -> HttpResponse:
    """Require the typed name to delete a club; a resubmitted form shows that it is deleted."""
    form = TypedNameForm(request.POST or None, expected=request.club.name)
    if request.method == "POST" and form.is_valid():
        soft_delete_club(request.club, actor=request.user)
        return redirect("standings:club-data", request.club.slug)
    counts = {"n_events": Event.objects.filter(season__club=request.club).count()}
    return render(request, "standings/club_data/club_delete.html", {"form": form, **counts})


@require_POST
@club_view(Act.KEEP_CLUB)
def club_restore(request: ClubRequest) -> HttpResponse:
    restore_club(request.club, actor=request.user)
    messages.success(request, _("%(club)s is back.") % {"club": request.club})
    return redirect(request.club)


@signed_in
def club_import(request: HttpRequest) -> HttpResponse:
    """Validate and store an uploaded archive, then redirect to its confirmation page."""
    assert request.user.is_authenticated
    form = ArchiveForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        if not consume_quota(request, "archive", user=request.user, limit=MOST_UPLOADS):
            return render(request, "429.html", status=429)
        data = form.cleaned_data["archive"].read()
        try:
            count_use(request.user, Use.UPLOADS)
            summary = read_archive(BytesIO(data)).summary
            draft = ArchiveDraft.objects.create(user=request.user, data=data, summary=summary)
            return redirect("standings:club-import-confirm", draft.pk)
        except (BadArchive, QuotaUsed) as error:
            form.add_error("archive", str(error))
    return render(request, "standings/club_data/club_import.html", {"form": form})


@signed_in
def club_import_confirm(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Make the club of an uploaded archive, at once or, of a large one, in the worker; show how far it is."""
    draft = get_object_or_404(ArchiveDraft.objects.select_related("club"), pk=draft_id, user=request.user)
    is_poll = "HX-Request" in request.headers
    if draft.club:
        address = draft.club.get_absolute_url()
        return HttpResponseClientRedirect(address) if is_poll else redirect(address)
    if is_asked_for(draft):
        page = "standings/club_data/club_import_progress.html"
        part = "standings/club_data/_club_import_progress.html"
        return render(request, part if is_poll else page, {"draft": draft, "archive": draft.summary})
    if not draft.summary:  # of a version that kept none
        messages.error(request, _("Upload the archive again."))
        return redirect("standings:club-import")
    return _confirmed(request, draft)


def _confirmed(request: HttpRequest, draft: ArchiveDraft) -> HttpResponse:
    form = ImportedClubForm(
        request.POST or None, initial={name: draft.summary[name] for name in ("name", "slug")}
    )
    if request.method == "POST" and form.is_valid():
        if not consume_quota(request, "archive", user=request.user, limit=MOST_UPLOADS):
            return render(request, "429.html", status=429)
        try:
            return _make(request, draft, form.cleaned_data)
        except (BadArchive, QuotaUsed) as error:
            form.add_error(None, str(error))
        except Refused as error:
            form.add_error("slug", str(error))
    context = {"form": form, "archive": draft.summary, "problem": draft.error, **draft.summary}
    return render(request, "standings/club_data/club_import_confirm.html", context)


def _make(request: HttpRequest, draft: ArchiveDraft, typed: dict[str, str]) -> HttpResponse:
    if len(draft.data) > MOST_AT_ONCE:
        ask_for_club(draft, **typed)
        enqueue_on_commit(make_club, draft.pk)
        return redirect("standings:club-import-confirm", draft.pk)
    club = import_draft(draft, read_archive(BytesIO(draft.data)), **typed)
    messages.success(request, _("%(club)s is here. Ratings and points are being computed.") % {"club": club})
    return redirect(club)
