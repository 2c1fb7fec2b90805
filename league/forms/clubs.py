"""Forms of a club, and the field of an address."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.names import MAX_TITLE, checked_name
from league.models import Club, GameKind
from league.services.addresses import MOST_OF_CLUB, free_club_address
from league.site.hosts import read_origin

# Once a name has been typed, the page of the form answers with the address it proposes.
PROPOSES_ADDRESS = {"hx-get": "", "hx-target": "#id_slug_helptext", "hx-swap": "innerHTML"}


PUBLIC_MEANS = gettext_lazy(
    "Everybody on the web may read names, results and ratings, and search engines find them. Otherwise only signed-in"
    " members may. You can change this at any time in the settings."
)


class AddressField(forms.SlugField):
    """The last part of an address. Left empty, something new gets it from its name, and what is there keeps it."""

    def __init__(self, *, max_length: int) -> None:
        super().__init__(
            label=gettext_lazy("Address"),
            max_length=max_length,
            required=False,
            widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
            help_text=gettext_lazy("Links to an old address lead to the new one."),
            error_messages={
                "invalid": gettext_lazy("Only letters from a to z, digits, hyphens and underscores.")
            },
        )

    def propose(self, slug: str) -> None:
        """Say which address it will be if nothing is typed."""
        self.help_text = (
            _("If you leave it empty: %(slug)s") % {"slug": slug}
            if slug
            else _("If you leave it empty, it is made from the name.")
        )


class ClubForm(forms.ModelForm[Club]):
    slug = AddressField(max_length=MOST_OF_CLUB)

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
        assert isinstance(address, AddressField)
        address.propose(free_club_address(typed) if (typed := str(self["name"].value() or "")) else "")
        name.widget.attrs |= PROPOSES_ADDRESS
        # A club begins among its members; its owner says when everybody may look.
        self.initial["is_public"] = False
        self.fields["is_public"].help_text = PUBLIC_MEANS
        if not self.is_bound:
            # A script chooses the zone of the browser, but not once the form has been sent.
            self.fields["time_zone"].widget.attrs["data-zone"] = ""


# Settings that stand behind a fold.
FOLDED = ("slug", "time_zone", "event_word", "out_word", "embed_hosts", "requires_two_factor")


class ClubSettingsForm(ClubForm):
    class Meta(ClubForm.Meta):
        fields = (
            *ClubForm.Meta.fields,
            "event_word",
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
