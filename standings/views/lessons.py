"""How points and ratings work: of a club by its own settings, and in general."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.models import Season
from ratings.engine.profit.params import ProfitParams
from standings.goals.lessons import RatingLesson, costs, example, points_lesson, rating_lesson
from standings.pages.forms.lesson import ExampleForm
from standings.pages.lesson_sentences import points_in_words, rate_in_words, weights_in_words
from standings.queries import chosen_pool, rated_pools


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    lesson = rating_lesson(None)
    context = _context(request, lesson, None) | _of_r(ProfitParams())
    return render(request, "standings/lessons/how_it_works.html", context)


@require_safe
@club_view()
def how_it_works(request: ClubRequest) -> HttpResponse:
    pools = rated_pools(request.club)
    pool = chosen_pool(pools, request.GET.get("pool"))
    lesson = rating_lesson(pool) if pool else RatingLesson(None, None, [])
    # The season is read on first use, and may be none.
    season = request.season or None
    context = _context(request, lesson, season) | {"pools": pools, "pool": pool} | _of_r(lesson.profit)
    return render(request, "standings/lessons/how_it_works.html", context)


def _context(request: HttpRequest, lesson: RatingLesson, season: Season | None) -> dict[str, Any]:
    points = points_lesson(season, lesson.field.n_players)
    context: dict[str, Any] = {
        "lesson": lesson,
        "points_by": points,
        "points_in_words": points_in_words(points),
    }
    if lesson.tier is None:
        return context
    default = {"n": lesson.field.n_players, "place": 1}
    form = ExampleForm(request.GET if "n" in request.GET else default)
    if form.is_valid():
        values = form.cleaned_data
        context["example"] = example(values["n"], values["place"], lesson)
    return context | {
        "form": form,
        "tier": lesson.tier,
        "costs": costs(lesson),
        "rate": rate_in_words(lesson.tier),
        "weights": weights_in_words(lesson.tier),
    }


def _of_r(params: ProfitParams | None) -> dict[str, Any]:
    return {"profit": params, "least_part": 100 * params.least_correction} if params else {}
