"""Forms of a club's rating pools and games."""

from collections.abc import Mapping
from typing import Any

from django import forms

from league.forms.names import checked_name
from league.forms.pools import PoolChoice
from league.models import Club, EntryForm, Game, Pool, PoolKind, Season
from league.models.game import SEATS
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy

MAX_NAME = 60
MIN_SEATS, MAX_SEATS = 2, 10


class PoolForm(forms.ModelForm[Pool]):
    class Meta:
        model = Pool
        fields = ("name", "kind", "is_shut")

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_NAME)


class GameForm(forms.ModelForm[Game]):
    pool = PoolChoice(
        Pool.objects.none(),
        label=gettext_lazy("Rating pool"),
        empty_label=None,
        help_text=gettext_lazy("Of its %(events_word)s, unless %(an_event_word)s names another one."),
    )

    class Meta:
        model = Game
        fields = ("name", "kind", "entry_form", "pool", "table_size", "is_shut")

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["pool"]
        assert isinstance(choice, PoolChoice)
        choice.queryset = club.pools.order_by("pk")
        if not self.instance.pk:
            # Another game is another skill: it moves no other's ratings unless somebody says so.
            choice.required, choice.empty_label = False, _("a pool of its own")

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_NAME)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not MIN_SEATS <= (data.get("table_size") or MIN_SEATS) <= MAX_SEATS:
            text = _("A table has %(least)d to %(most)d seats.") % {"least": MIN_SEATS, "most": MAX_SEATS}
            self.add_error("table_size", text)
        seats = SEATS.get(data.get("kind", ""))
        if seats and "table_size" not in self.changed_data:
            data["table_size"] = seats  # with another kind, the number that was there before is not meant
        if seats and data.get("table_size") not in {None, seats}:
            self.add_error("table_size", _("This game has tables of %(n)d.") % {"n": seats})
        if seats and data.get("entry_form") == EntryForm.BALANCES:
            self.add_error("entry_form", _("Mahjong is entered by scores or by finishing order."))
        if not seats and data.get("entry_form") == EntryForm.SCORES:
            self.add_error("entry_form", _("Tables with scores are for mahjong."))
        pool: Pool | None = data.get("pool")
        if pool and pool.kind == PoolKind.PROFIT and data.get("entry_form") == EntryForm.ORDER:
            self.add_error(
                "pool", _("R needs a balance of every player: a finishing order alone cannot be rated by it.")
            )
        return data


class SeasonPoolForm(forms.Form):
    """Which pool rates a season's events, unless an event names another one."""

    pool = PoolChoice(Pool.objects.none(), label=gettext_lazy("Rating pool"), empty_label=None)
    moves_events = forms.BooleanField(
        label=gettext_lazy("Its %(events_word)s too"),
        required=False,
        help_text=gettext_lazy("Otherwise only new %(events_word)s are rated there."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, season: Season) -> None:
        self.season = season
        super().__init__(data, initial={"pool": season.pool_id}, prefix=f"season-{season.pk}")
        choice = self.fields["pool"]
        assert isinstance(choice, PoolChoice)
        choice.queryset = season.club.pools.filter(is_shut=False).order_by("pk")
