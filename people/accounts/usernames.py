"""What a user name may be made of."""

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from league.models.change import FORMER

MAY_BE = RegexValidator(
    rf"^(?!(?i:{FORMER})\Z)[\w.@+-]+(?: [\w.@+-]+)*\Z",
    _("Letters, digits, single spaces between them, and @ . + - _ only."),
)
VALIDATORS = [MAY_BE]
