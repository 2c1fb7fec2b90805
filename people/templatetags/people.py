"""What the frame of each page says to its reader."""

from allauth.socialaccount.models import SocialAccount
from django import template
from django.contrib.auth.models import AnonymousUser, User

from league.models import Notice
from people.accounts.providers import is_offered, name_of
from people.services.notices import words_of

register = template.Library()


@register.simple_tag
def notices(user: User | AnonymousUser) -> list[tuple[Notice, str]]:
    """List the unread notices of a user, each with its text."""
    # A request that could not be read has no user.
    if not getattr(user, "is_authenticated", False):
        return []
    unseen = Notice.objects.filter(user=user.pk).select_related("change__club", "change__actor")
    return [(notice, words_of(notice.change)) for notice in unseen]


@register.filter
def provider_name(account: SocialAccount) -> str:
    """Name the site that an account is signed in to with."""
    return name_of(account)


@register.filter
def shown_there(account: SocialAccount) -> str:
    """Say who somebody is at that site, as far as it has said."""
    return next(iter(account.extra_data.values()), "")


register.filter("is_offered", is_offered)
