"""Forms of a club."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.names import MAX_TITLE, checked_name
from league.forms.slugs import PROPOSES_SLUG, ProposedSlugField
from league.models import Club, GameKind
from league.services.slugs import MOST_OF_CLUB, propose_club_slug
from league.site.hosts import read_origin

PUBLIC_MEANS = gettext_lazy(
    "Everybody on the web may read names, results and ratings, and search engines find them. Otherwise only signed-in"
    " members may. You can change this at any time in the settings."
)


class ClubForm(forms.ModelForm[Club]):
    slug = ProposedSlugField(max_length=MOST_OF_CLUB)

    class Meta:
        model = Club
        fields: tuple[str, ...] = ("name", "slug", "time_zone", "language", "is_public")

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_TITLE)


class NewClubForm(ClubForm):
    field_order = ("name", "plays")
    plays = forms.TypedChoiceField(
        label=gettext_lazy("What do you play?"),
        choices=GameKind.choices,
        coerce=GameKind,
        initial=GameKind.POKER,
        required=False,
        empty_value=GameKind.POKER,
        help_text=gettext_lazy("More games and rating pools can be added later."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, address = self.fields["name"], self.fields["slug"]
        assert isinstance(address, ProposedSlugField)
        address.propose(propose_club_slug(typed) if (typed := str(self["name"].value() or "")) else "")
        name.widget.attrs |= PROPOSES_SLUG
        # A club begins among its members; its owner says when everybody may look.
        self.initial["is_public"] = False
        self.fields["is_public"].help_text = PUBLIC_MEANS
        if not self.is_bound:
            # A script chooses the zone of the browser, but not once the form has been sent.
            self.fields["time_zone"].widget.attrs["data-zone"] = ""


# Settings that stand behind a fold.
FOLDED = ("slug", "time_zone", "event_word", "night_word", "out_word", "embed_hosts", "requires_two_factor")


class ClubSettingsForm(ClubForm):
    class Meta(ClubForm.Meta):
        fields = (
            *ClubForm.Meta.fields,
            "event_word",
            "night_word",
            "out_word",
            "contact",
            "embed_hosts",
            "requires_two_factor",
        )
        widgets = {
            "embed_hosts": forms.Textarea({"rows": 2, "autocapitalize": "none", "spellcheck": "false"})
        }
        help_texts = {
            "embed_hosts": gettext_lazy(
                "Addresses such as https://example.org. Their pages may show the leaderboard in a frame."
            )
        }

    @property
    def has_folded_errors(self) -> bool:
        return any(name in self.errors for name in FOLDED)

    def clean_embed_hosts(self) -> str:
        typed = self.cleaned_data["embed_hosts"].split()
        for text in typed:
            if read_origin(text) is None:
                raise forms.ValidationError(_("“%(text)s” is no address of a site.") % {"text": text[:80]})
        return " ".join(dict.fromkeys(filter(None, map(read_origin, typed))))
