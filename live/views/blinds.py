"""Blinds of a night, and of a club between nights: propose, change, compare, keep, and plan the rest anew."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from league.access import ClubRequest, club_view
from league.forms.names import checked_name
from league.queries import typed_id
from league.rights import Act
from league.services.errors import Refused
from league.vocabulary import gettext as _
from live.blind_forms import BadLevelsError, PlanForm, TypedLevel, read_chips, read_levels, typed_levels
from live.courses import chips_of, courses_of
from live.engine.actions import BadActionError
from live.engine.blinds import (
    END_BIG_BLINDS,
    Level,
    big_steps,
    falling,
    levels_of,
    replanned,
    unpayable,
    with_colour_ups_ahead,
)
from live.engine.chips import most_players, stack_of
from live.engine.clock import clock_at
from live.engine.ending import Blinds, ending_of
from live.engine.state import Night as State
from live.models import BlindStructure, ChipCase, Night
from live.services.blinds import (
    chips_of_club,
    keep_chips,
    keep_structure,
    kept_levels,
    last_levels,
    use_levels,
    values_in_play,
)
from live.services.nights import now_ms
from live.stored_log import state_of
from live.views.nights import night_of

WIDTH, HEIGHT, LEFT, BOTTOM = 640, 240, 44, 210
MOST_NAME = 60
N_ROWS = 7  # of the table beside the chart


class Row(NamedTuple):
    """A level on the page: its number, what was typed, when it begins, and how many big blinds are in play."""

    number: int | None
    typed: TypedLevel
    begins: datetime
    in_play: float | None
    is_past: bool
    is_now: bool
    gone: list[int]

    @property
    def amounts(self) -> list[tuple[str, str, str]]:
        """List name, label and text of the boxes for its amounts."""
        labels = {"sb": _("Small blind"), "bb": _("Big blind"), "ante": _("Ante")}
        return [(name, label, getattr(self.typed, name)) for name, label in labels.items()]


@club_view(Act.ENTER_RESULTS)
def blinds(request: ClubRequest, night_id: int | None = None) -> HttpResponse:
    """Show and change levels: those of a night, or without one those that the club keeps."""
    night = None if night_id is None else night_of(request, night_id)
    page = _Page(request, night)
    if request.method == "POST":
        answer = page.post()
        if answer is not None:
            return answer
    return render(request, "live/blinds.html", page.context())


class _Page:
    """The page of blinds while it is built: what is played, what was asked for, and what was typed."""

    def __init__(self, request: ClubRequest, night: Night | None) -> None:
        self.request, self.night, self.club = request, night, request.club
        self.state = state_of(night) if night else State()
        self.now = now_ms()
        setup = self.state.setup
        self.n_players = len(self.state.entries) or setup.get("expected") or 9
        self.stack = setup.get("stack") or 5_000
        self.form = PlanForm(
            request.GET if "players" in request.GET else None,
            initial={"players": self.n_players, "stack": self.stack},
        )
        self.error = ""
        self.played = self.state.levels or ([] if night else last_levels(self.club))
        clock = self.state.clock
        self.clock = clock_at(self.played, clock, self.now) if clock and self.played else None
        self.first = self.clock.level + 1 if self.clock else 0
        self.against = self._structure("against")
        self.typed = typed_levels(self._asked_for())

    @property
    def chips(self) -> tuple[int, ...]:
        return values_in_play(self.club, self.stack)

    def _coloured(self) -> list[Level]:
        """Read what was typed; breaks that are over keep the chips that left there."""
        typed = read_levels(self.typed)
        return with_colour_ups_ahead(
            [*self.played[: self.first], *typed[self.first :]], self.chips, self.first
        )

    def _asked_for(self) -> list[Level]:
        """List the levels that the address asks for: proposed, kept, or shortened; else those that are played."""
        get = self.request.GET
        if self.form.is_bound and self.form.is_valid():
            data = self.form.cleaned_data
            self.n_players, self.stack = data["players"], data["stack"]
            return [*self.played[: self.first], *levels_of(self.form.plan(self.chips))[self.first :]]
        kept = self._structure("structure")
        if kept is not None:
            return [*self.played[: self.first], *kept_levels(kept)[self.first :]]
        if get.get("end") and self.clock:
            return self._shortened(get["end"])
        return self.played

    def _structure(self, name: str) -> BlindStructure | None:
        """Find the kept structure that a parameter of the address names."""
        pk = typed_id(self.request.GET.get(name, "")) or 0
        return BlindStructure.objects.filter(club=self.club, pk=pk).first()

    def _shortened(self, text: str) -> list[Level]:
        """Plan the levels ahead so that the night ends at a time of day."""
        assert self.clock is not None
        wanted = _moment_of(text)
        if wanted is None:
            self.error = _("“%(text)s” is no time like 23:30.") % {"text": text}
            return self.played
        chips = chips_of(self.state) or self.n_players * self.stack
        end = next(
            (i for i, level in enumerate(self.played) if (level.get("bb") or 0) >= chips / END_BIG_BLINDS),
            len(self.played) - 1,
        )
        left = self.clock.left_ms or 0
        wanted_ms = int(wanted.timestamp() * 1000) - self.now
        return replanned(self.played, self.clock.level, left, max(end, self.first), wanted_ms)

    def post(self) -> HttpResponse | None:
        """Do what was pressed; None shows the page again with what was typed."""
        post = self.request.POST
        if "keep-chips" in post:
            return self._keep_chips()
        if "forget" in post:
            BlindStructure.objects.filter(club=self.club, pk=typed_id(post["forget"]) or 0).delete()
            return self._again(_("The structure is removed."))
        self.typed = _changed(
            [TypedLevel(*row) for row in zip(*map(post.getlist, TypedLevel._fields), strict=False)], post
        )
        if not ("keep" in post or ("use" in post and self.night)):
            return None
        try:
            levels = self._coloured()
            if "keep" in post:
                name = checked_name(post.get("name", ""), most=MOST_NAME)
                keep_structure(self.club, name, levels)
                return self._again(_("“%(name)s” is kept.") % {"name": name})
            assert self.night is not None
            use_levels(self.night, levels[self.first :], first=self.first, actor=self.request.user)
            return self._again(_("These levels are played. They are in the log and can be undone there."))
        except (BadLevelsError, BadActionError, Refused) as error:
            self.error = str(error)
        except ValidationError as error:  # a name that cannot be one
            self.error = " ".join(error.messages)
        return None

    def _keep_chips(self) -> HttpResponse | None:
        post = self.request.POST
        try:
            chips = read_chips(*(post.getlist(name) for name in ("value", "number", "colour")))
        except BadLevelsError as error:
            self.error = str(error)
            return None
        keep_chips(self.club, chips)
        return self._again(_("The chips are kept."))

    def _again(self, message: str) -> HttpResponse:
        messages.success(self.request, message)
        if self.night:
            return redirect("live:blinds", self.club.slug, self.night.pk)
        return redirect("live:club-blinds", self.club.slug)

    def context(self) -> dict[str, Any]:
        try:
            levels = self._coloured()
        except BadLevelsError as error:
            self.error = self.error or str(error)
            levels = []
        case = ChipCase.objects.filter(club=self.club).first()
        owned = chips_of_club(self.club)
        chips = chips_of(self.state) or self.n_players * self.stack
        return {
            "night": self.night,
            "form": self.form,
            "error": self.error,
            "rows": self._rows(levels, chips),
            "unpaid": [(number_in(levels, i), amount) for i, amount in unpayable(levels, self.chips)],
            "falling": [number_in(levels, i) for i in falling(levels)],
            "big_steps": [(number_in(levels, i), step) for i, step in big_steps(levels)],
            "lines": self._lines(levels, chips),
            "against": self.against,
            "structures": BlindStructure.objects.filter(club=self.club),
            "case": case.chips if case and owned else [(value, "", "") for value in self.chips],
            "stack": self.stack,
            "n_players": self.n_players,
            "stack_chips": stack_of(owned, self.stack, self.n_players) if owned else None,
            "most_players": most_players(owned, self.stack) if owned else None,
            "is_changed": levels != self.played,
            "clock": self.clock,
        }

    def _rows(self, levels: Sequence[Level], chips: int) -> list[Row]:
        at, rows, number = self._begin(), [], 0
        for i, typed in enumerate(self.typed):
            level = levels[i] if i < len(levels) else {}
            number += not typed.is_break
            in_play = chips / level["bb"] if level.get("bb") else None
            is_now = self.clock is not None and i == self.clock.level
            rows.append(
                Row(
                    None if typed.is_break else number,
                    typed,
                    at,
                    in_play,
                    i < self.first,
                    is_now,
                    level.get("gone") or [],
                )
            )
            at += timedelta(milliseconds=level.get("ms") or 0)
        return rows

    def _begin(self) -> datetime:
        """Find when the first level begins, or would have begun without pauses."""
        if self.night is None:
            return timezone.localtime().replace(hour=19, minute=0)
        start = timezone.localtime(self.night.starts_at)
        if self.clock is None:
            return start
        gone = sum(level["ms"] for level in self.played[: self.clock.level + 1]) - (self.clock.left_ms or 0)
        return timezone.localtime() - timedelta(milliseconds=gone)

    def _lines(self, levels: Sequence[Level], chips: int) -> dict[str, Any] | None:
        """Compare the levels of the page with a kept structure or those that are played, in one chart and a table."""
        other = kept_levels(self.against) if self.against else self.played
        both = [("a", levels)] + ([("b", other)] if other and other != levels else [])
        plans = [
            (name, Blinds(each, chips), each)
            for name, each in both
            if sum(bool(x.get("bb")) for x in each) > 1
        ]
        if not plans or plans[0][0] != "a":
            return None
        longest = max(sum(level["ms"] for level in each) for _name, _blinds, each in plans)
        most = math.log(max(plan.in_play(0) for _name, plan, _each in plans))
        least = math.log(min(plan.in_play(longest) for _name, plan, _each in plans))
        steps = [longest * i / 60 for i in range(61)]

        def point(plan: Blinds, at: float) -> str:
            x = LEFT + (WIDTH - LEFT - 8) * at / longest
            y = 12 + (BOTTOM - 12) * (most - math.log(plan.in_play(at))) / max(most - least, 1e-9)
            return f"{x:.1f},{y:.1f}"

        begin = self._begin()
        at_rows = [longest * i / (N_ROWS - 1) for i in range(N_ROWS)]
        return {
            "paths": [(name, " ".join(point(plan, at) for at in steps)) for name, plan, _each in plans],
            "table": [
                (begin + timedelta(milliseconds=at), [plan.in_play(at) for _name, plan, _each in plans])
                for at in at_rows
            ],
            "ends": [self._end(plan, begin) for _name, plan, _each in plans],
            "is_comparison": len(plans) > 1,
            "first": begin,
            "last": begin + timedelta(milliseconds=longest),
            "most": math.exp(most),
            "least": math.exp(least),
            "bottom": BOTTOM,
            "left": LEFT,
            "width": WIDTH,
            "height": HEIGHT,
        }

    def _end(self, plan: Blinds, begin: datetime) -> dict[str, Any]:
        """Say when an evening by a plan ends, from now on."""
        gone = 0
        if self.clock:
            gone = sum(each["ms"] for each in self.played[: self.clock.level + 1]) - (self.clock.left_ms or 0)
        night = self.night or Night(club=self.club)
        ending = ending_of(
            courses_of(night),
            plan,
            left=max(self.state.n_in, 2) if self.state.entries else self.n_players,
            n_players=max(self.n_players, 2),
            now_ms=gone,
            usual=END_BIG_BLINDS,
        )
        at = [
            None if ms is None else begin + timedelta(milliseconds=gone + ms)
            for ms in (ending.about_ms, ending.from_ms, ending.to_ms)
        ]
        return {"about": at[0], "from": at[1], "to": at[2], "n_nights": ending.n_nights}


def number_in(levels: Sequence[Mapping[str, Any]], i: int) -> int:
    return sum(not level.get("is_break") for level in levels[: i + 1])


def _changed(typed: list[TypedLevel], post: Mapping[str, str]) -> list[TypedLevel]:
    """Apply a tool of a row: another level or a break after it, or without it."""
    for tool in ("after", "break", "remove"):
        i = typed_id(post.get(tool, ""))
        if i is not None and i < len(typed):
            minutes = typed[i].minutes
            new = {
                "after": TypedLevel("", "", "", minutes, ""),
                "break": TypedLevel("", "", "", "5", "1"),
            }.get(tool)
            return [*typed[: i + 1], new, *typed[i + 1 :]] if new else [*typed[:i], *typed[i + 1 :]]
    return typed


def _moment_of(text: str) -> datetime | None:
    """Read a time of day as the next such time."""
    try:
        clock = datetime.strptime(text.strip(), "%H:%M").time()  # noqa: DTZ007  a time of day
    except ValueError:
        return None
    now = timezone.localtime()
    at = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
    return at if at > now else at + timedelta(days=1)
