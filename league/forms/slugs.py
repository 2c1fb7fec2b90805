"""The field of an address."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# Once a name has been typed, the page of the form answers with the address it proposes.
PROPOSES_SLUG = {"hx-get": "", "hx-target": "#id_slug_helptext", "hx-swap": "innerHTML"}


class ProposedSlugField(forms.SlugField):
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
