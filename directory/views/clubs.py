"""The front page, the directory of clubs, a club's place in it, and reports to the operator."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from directory.forms import FindForm, ListingForm, ReportForm
from directory.models import Listing
from directory.queries import PER_PAGE, found_listings, listings_like, living_leaderboard, with_facts
from directory.services.listings import ask_for_listing, withdraw_listing
from directory.services.reports import report_club
from league.access import ClubRequest, club_view
from league.database.snapshots import reading_one_moment
from league.models import ListingRule, SignUp, SiteRules
from league.rights import Act
from league.services.errors import Refused
from league.site.limits import consume_quota
from league.views.my_clubs import my_clubs
from reading.names.rules import visible
from standings.pages.leaderboards import page_number

LOOK_AROUND = 3  # clubs on the front page
MOST_REPORTS = 5  # of a visitor in a minute


@require_safe
@reading_one_moment
def home(request: HttpRequest) -> HttpResponse:
    """Lead members to their clubs, and everybody else to what the site is and the clubs that want to be found."""
    listed = found_listings()
    context = {"section": "home", "form": FindForm(), "n_listed": listed.count()}
    if request.user.is_authenticated:
        return render(request, "directory/my_clubs.html", context | {"mine": my_clubs(request.user)})
    context |= {
        "listings": with_facts(listed[:LOOK_AROUND]),
        "living": living_leaderboard(),
        "is_sign_up_open": SiteRules.current().sign_up == SignUp.ANYBODY,
    }
    return render(request, "directory/front.html", context)


@require_safe
@reading_one_moment
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the directory, or the listed clubs that a search finds."""
    form = FindForm(request.GET)
    typed = form.found
    pages = Paginator(found_listings(typed["q"], typed["place"], typed["game"]), PER_PAGE)
    page = pages.get_page(page_number(request.GET.get("page", "")))
    mine = my_clubs(request.user) if request.user.is_authenticated else []
    context = {
        "section": "clubs",
        "form": FindForm(initial=typed),
        "typed": typed,
        "is_search": any(typed.values()),
        "n_found": pages.count,
        "listings": with_facts(page),
        "page_number": page.number,
        "n_pages": pages.num_pages,
        "query": request.GET.urlencode(),
        "mine": [my for my in mine if typed["q"] and typed["q"].casefold() in my.club.name.casefold()],
        "like": with_facts(listings_like(typed["q"])) if not pages.count and typed["q"] else [],
    }
    return render(request, "directory/clubs.html", context)


@club_view(Act.CHANGE_CLUB)
def listing(request: ClubRequest) -> HttpResponse:
    """Let an owner ask for a line in the directory."""
    own = Listing.objects.filter(club=request.club).first()
    form = ListingForm(request.POST or None, initial={"place": own.place if own else ""})
    if request.method == "POST" and form.is_valid():
        try:
            ask_for_listing(request.club, **form.cleaned_data, actor=request.user)
            return redirect("directory:listing", request.club.slug)
        except Refused as error:
            form.add_error(None, str(error))
    rule = SiteRules.current().listing
    context = {"form": form, "listing": own, "rule": rule, "has_directory": rule != ListingRule.NOBODY}
    return render(request, "directory/listing.html", context)


@require_POST
@club_view(Act.CHANGE_CLUB)
def listing_withdraw(request: ClubRequest) -> HttpResponse:
    withdraw_listing(request.club, actor=request.user)
    messages.success(request, _("%(club)s is not in the directory any more.") % {"club": request.club})
    return redirect("directory:listing", request.club.slug)


@club_view()
def report(request: ClubRequest) -> HttpResponse:
    """Let a reader tell the operator what is wrong with a club."""
    form = ReportForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if not consume_quota(request, "report", user=request.user, limit=MOST_REPORTS):
            return render(request, "429.html", status=429)
        page = visible(request.GET.get("page", ""))[:200]
        try:
            report_club(request.club, **form.cleaned_data, page=page, user=request.user)
            messages.success(request, _("The operator of the site will read it. Thank you."))
            return redirect(request.club)
        except Refused as error:
            form.add_error(None, str(error))
    context = {"form": form, "title": _("Report a club"), "action": _("Send it to the operator")}
    return render(request, "directory/report.html", context)
