"""Forms for the awards and the seal of a season."""

from typing import Any

from django import forms

from league.forms.names import MAX_TITLE, checked_name
from league.models import Player, Season
from league.queries import players_by_key
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from reading.names.keys import name_key
from reading.names.near import likely
from reading.names.rules import clean_name
from standings.models import Award, AwardKind

MAX_EVENTS = 1000
WITH_LEAST_EVENTS = {AwardKind.BEST_PROFIT, AwardKind.MOST_IMPROVED}


class AwardForm(forms.Form):
    kind = forms.ChoiceField(label=gettext_lazy("Award for"), choices=AwardKind.choices)
    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=MAX_TITLE,
        required=False,
        help_text=gettext_lazy("Empty for the usual one. An award of your own needs one."),
    )
    min_events = forms.IntegerField(
        label=gettext_lazy("Minimum %(events_word)s"),
        min_value=1,
        max_value=MAX_EVENTS,
        required=False,
        help_text=gettext_lazy("For best profit per tourney and most improved."),
    )
    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=200,
        required=False,
        widget=forms.TextInput({"list": "players", "autocomplete": "off"}),
        help_text=gettext_lazy("Only for an award chosen by the organizers; all others are computed."),
    )

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.season = season

    def clean_title(self) -> str:
        title: str = self.cleaned_data["title"]
        return checked_name(title, most=MAX_TITLE) if title else ""

    def clean_player(self) -> Player | None:
        name = clean_name(self.cleaned_data["player"])
        if not name:
            return None
        known = players_by_key(self.season.club)
        if match := known.get(name_key(name)):
            return Player.objects.get(pk=match[0])
        if meant := likely([name], {key: known_name for key, (_pk, known_name) in known.items()}):
            message = _("No player of this club has the name “%(name)s”. Is it %(meant)s?")
            raise forms.ValidationError(message, params={"name": name, "meant": meant[name_key(name)]})
        raise forms.ValidationError(
            _("No player of this club has the name “%(name)s”."), params={"name": name}
        )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        is_chosen = data.get("kind") == AwardKind.CHOSEN
        if data.get("kind") not in WITH_LEAST_EVENTS or data.get("min_events") is None:
            data["min_events"] = 1
        if is_chosen and "title" in data and not data["title"]:
            self.add_error("title", _("Say what the award is for."))
        if is_chosen and "player" in data and not data["player"]:
            self.add_error("player", _("Choose who gets it."))
        if not is_chosen and data.get("player"):
            self.add_error("player", _("This award is computed: leave the player empty."))
        return data


class AwardChangeForm(AwardForm):
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)


def award_initial(award: Award) -> dict[str, Any]:
    return {
        "kind": award.kind,
        "title": award.title,
        "min_events": award.min_events,
        "player": award.player.name if award.player else "",
        "version": award.version,
    }


class UnsealForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name of the season"), max_length=200)

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.season = season

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name_key(name) != name_key(self.season.name):
            raise forms.ValidationError(_("This is not the name of the season."))
        return name
