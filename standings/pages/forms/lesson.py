"""Form of the example on the page about how ratings work."""

from typing import Any

from django import forms

from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from standings.goals.lessons import MOST_PLAYERS


class ExampleForm(forms.Form):
    n = forms.IntegerField(label=gettext_lazy("Players"), min_value=2, max_value=MOST_PLAYERS)
    place = forms.IntegerField(label=gettext_lazy("Place"), min_value=1, max_value=MOST_PLAYERS)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        n, place = data.get("n"), data.get("place")
        if n and place and place > n:
            self.add_error("place", _("There are %(n)d places.") % {"n": n})
        return data
