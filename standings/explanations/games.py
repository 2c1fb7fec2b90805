"""Why a player's R changed by a game: steps that add up as shown, in sentences and in figures."""

from dataclasses import dataclass

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.safestring import SafeString

from league import formats
from league.formats import ordinal
from league.models import Entry, Event, Player
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy, ngettext
from ratings.engine.profit.figures import change_steps, correction
from ratings.engine.profit.params import ProfitParams
from ratings.models import BroughtRating, RatedGame, RatingSettings
from ratings.queries import began_with, profit_params_of, settings_at, with_brought
from standings.explanations.figures import Line
from standings.explanations.sentences import change_of, filled, size_of
from standings.explanations.steps import Step, apportioned, tenths

STEPS = {
    "result": gettext_lazy("Result"),
    "table_pull": gettext_lazy("Pull to the table"),
    "count_correction": gettext_lazy("Count correction"),
}


@dataclass(frozen=True)
class ExplainedGame:
    """A game with what explains the change of R; `rated` is None until it is computed. R is in tenths."""

    event: Event
    player: Player
    entry: Entry
    rated: RatedGame | None
    settings: RatingSettings | None
    params: ProfitParams
    r_from: int
    r_to: int
    steps: list[Step]
    r_left: int  # after the player's game before; new settings may have moved R since
    brought: BroughtRating | None  # with which the player began, if this was the first game

    @property
    def correction(self) -> float:
        """c(n) of the game."""
        return correction(self.rated.n_before, self.params) if self.rated else 1.0

    def tenths_of(self, name: str) -> int:
        return next(step.tenths for step in self.steps if step.name == name)


def explained_game(event: Event, player: Player) -> ExplainedGame | None:
    """The explained game of a player, or None without an entry. `event` has its season, club and pool loaded."""
    entry = Entry.objects.filter(event=event, player=player).first()
    if entry is None:
        return None
    settings = settings_at(event.pool_id, event.starts_at)
    params = profit_params_of(settings)
    rows = RatedGame.objects.filter(pool=event.pool_id, event=event, player=player)
    rated = with_brought(rows).first()
    if rated is None:
        return ExplainedGame(event, player, entry, None, settings, params, 0, 0, [], 0, None)
    r_from, r_to = tenths(rated.r_before), tenths(rated.r_after)
    left = _r_left(rated)
    steps = change_steps(rated.result_part, rated.pull_part, rated.n_before, params)
    rounded = apportioned([by for _name, by in steps], r_to - r_from)
    named = [Step(name, n) for (name, _by), n in zip(steps, rounded, strict=True)]
    r_left = r_from if left is None else tenths(left)
    began = began_with(rated)
    return ExplainedGame(event, player, entry, rated, settings, params, r_from, r_to, named, r_left, began)


def _r_left(rated: RatedGame) -> float | None:
    """Read R after the player's previous game; None before the first."""
    earlier = RatedGame.objects.filter(pool=rated.pool_id, player=rated.player_id)
    earlier = earlier.filter(
        Q(starts_at__lt=rated.starts_at) | Q(starts_at=rated.starts_at, event__lt=rated.event_id)
    )
    return earlier.order_by("-starts_at", "-event_id").values_list("r_after", flat=True).first()


def headline(explained: ExplainedGame) -> str:
    assert explained.rated
    # Rounded from the stored R, as on every other page, not from tenths.
    before, after = map(formats.whole_rate, (explained.rated.r_before, explained.rated.r_after))
    values = {"name": explained.player.name, "before": before, "after": after}
    if before == after:
        return _("Why %(name)s’s R stayed at %(after)s") % values
    return _("Why %(name)s’s R went from %(before)s to %(after)s") % values


def sentences(explained: ExplainedGame) -> list[SafeString]:
    """Say what the result, the table and the number of games did, and new settings before the game."""
    parts = (
        _brought(explained),
        _moved(explained),
        _result(explained),
        _included(explained.entry),
        _pull(explained),
        _count(explained),
    )
    return [sentence for sentence in parts if sentence]


def _brought(explained: ExplainedGame) -> SafeString | None:
    """Say with which R of an older system the player began."""
    if explained.brought is None:
        return None
    text = _("%(name)s began with an R of an older system, brought forward from %(day)s: %(r)s.")
    return filled(
        text,
        name=explained.player.name,
        day=date_format(explained.brought.day, "DATE_FORMAT"),
        r=formats.number(explained.brought.mu, 1),
    )


def _moved(explained: ExplainedGame) -> SafeString | None:
    if explained.r_left == explained.r_from:
        return None
    text = _("Since the %(game_word)s before, new rating settings have moved R from %(before)s to %(after)s.")
    before, after = (formats.number(r / 10, 1) for r in (explained.r_left, explained.r_from))
    return filled(text, before=before, after=after)


def _result(explained: ExplainedGame) -> SafeString:
    rated, entry = explained.rated, explained.entry
    assert rated
    if explained.params.system == "placement" or rated.balance is None:
        text = _(
            "%(name)s was expected to finish about %(expected)s and finished %(place)s of %(n)d: worth %(by)s."
        )
    elif entry.score is not None:
        text = _(
            "%(name)s was expected to finish about %(expected)s and finished %(place)s of %(n)d with %(score)s points, "
            "a balance of %(balance)s: worth %(by)s."
        )
    else:
        text = _(
            "%(name)s was expected to finish about %(expected)s and finished %(place)s of %(n)d with a balance of "
            "%(balance)s: worth %(by)s."
        )
    return filled(
        text,
        name=explained.player.name,
        expected=formats.number(rated.expected_place, 1),
        place=ordinal(rated.place),
        n=rated.n_players,
        score=formats.grouped(entry.score) if entry.score is not None else "",
        balance=formats.signed(rated.balance, 1) if rated.balance is not None else "",
        by=change_of(explained.tenths_of("result")),
    )


def _included(entry: Entry) -> SafeString | None:
    """Say what the balance holds besides the score and the place."""
    penalty = formats.points(entry.penalty) if entry.penalty else ""
    chips = formats.signed(entry.chips) if entry.chips else ""
    if penalty and chips:
        text = _("The balance includes a penalty of %(penalty)s and %(chips)s chips.")
    elif penalty:
        text = _("The balance includes a penalty of %(penalty)s.")
    elif chips:
        text = _("The balance includes %(chips)s chips.")
    else:
        return None
    return filled(text, penalty=penalty, chips=chips)


def _pull(explained: ExplainedGame) -> SafeString:
    rated = explained.rated
    assert rated
    above = rated.table_mean - rated.r_before
    by = explained.tenths_of("table_pull")
    if by > 0:
        text = _("The table stood %(points)s above %(name)s, whom that pulls up by %(by)s.")
    elif by < 0:
        text = _("The table stood %(points)s below %(name)s, whom that pulls down by %(by)s.")
    else:
        text = _("The table pulls neither up nor down.")
    return filled(text, points=formats.number(abs(above)), name=explained.player.name, by=size_of(by))


def _count(explained: ExplainedGame) -> SafeString:
    rated = explained.rated
    assert rated
    if rated.n_before == 0:
        return filled(_("The first %(game_word)s counts in full."))
    text = ngettext(
        "After %(n)d %(game_word)s, %(a_game_word)s counts %(share)s times as much as the first: %(by)s.",
        "After %(n)d %(games_word)s, %(a_game_word)s counts %(share)s times as much as the first: %(by)s.",
        rated.n_before,
    )
    by = change_of(explained.tenths_of("count_correction"))
    return filled(text, n=rated.n_before, share=formats.number(explained.correction, 3), by=by)


def lines(explained: ExplainedGame) -> list[Line]:
    """List the rows of the table: R before, each step with R after it, and R after."""
    rated = explained.rated
    assert rated
    n_before = ngettext("after %(n)d %(game_word)s", "after %(n)d %(games_word)s", rated.n_before) % {
        "n": rated.n_before
    }
    level = explained.r_from
    rows = [Line(_("R before"), n_before, None, level / 10)]
    for step in explained.steps:
        level += step.tenths
        rows.append(Line(str(STEPS[step.name]), _basis(step.name, explained), step.tenths / 10, level / 10))
    change = (explained.r_to - explained.r_from) / 10
    return [*rows, Line(_("R after"), "", change, explained.r_to / 10)]


def _basis(name: str, explained: ExplainedGame) -> str:
    return {"result": _result_basis, "table_pull": _pull_basis, "count_correction": _count_basis}[name](
        explained
    )


def _result_basis(explained: ExplainedGame) -> str:
    rated, params = explained.rated, explained.params
    assert rated
    if params.system == "placement" or rated.balance is None:
        return _("%(place)s of %(n)d") % {"place": ordinal(rated.place), "n": rated.n_players}
    scale = params.f / params.least_correction
    return f"{formats.number(scale, 4)} × {formats.number(rated.balance / params.balance_unit, 1)}"


def _pull_basis(explained: ExplainedGame) -> str:
    rated = explained.rated
    assert rated
    share = formats.number(explained.params.pull / explained.params.least_correction, 5)
    return f"{share} × ({formats.number(rated.table_mean, 1)} − {formats.number(rated.r_before, 1)})"


def _count_basis(explained: ExplainedGame) -> str:
    rated, params = explained.rated, explained.params
    assert rated
    values = {
        "share": formats.number(explained.correction, 3),
        "least": formats.number(params.least_correction, 2).rstrip("0"),
        "n": min(rated.n_before, params.games),
        "games": params.games,
    }
    if params.system == "placement":
        return (
            _("× %(share)s: 1 for the first %(game_word)s, evenly down to %(least)s after %(games)d") % values
        )
    return (
        _(
            "× %(share)s, %(least)s to the power of %(n)d/%(games)d: 1 for the first %(game_word)s, %(least)s after"
            " %(games)d"
        )
        % values
    )


def chart_title(explained: ExplainedGame) -> str:
    """Describe the steps of the waterfall in words, for readers who do not see it."""
    steps = formats.listed(
        f"{STEPS[step.name]} {formats.signed(step.tenths / 10, 1)}" for step in explained.steps
    )
    values = {
        "before": formats.number(explained.r_from / 10, 1),
        "after": formats.number(explained.r_to / 10, 1),
        "steps": steps,
    }
    return _("From %(before)s to %(after)s: %(steps)s.") % values


def notes(explained: ExplainedGame) -> list[str]:
    """Say what the game alone says about where R is heading."""
    assert explained.rated
    if explained.rated.stable_r is None:
        return [_("Nothing pulls R to the table, so it never settles.")]
    text = _(
        "One-%(game_word)s stable R: %(r)s. If every %(game_word)s were like this one, R would end there."
    )
    return [text % {"r": formats.number(explained.rated.stable_r)}]


def formula(params: ProfitParams) -> str:
    return _("%(A_game_word)s changes R by c(n) × (result + %(pull)s × (mean of the table − R)).") % {
        "pull": formats.number(params.pull / params.least_correction, 5)
    }
