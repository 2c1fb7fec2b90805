"""What the frame of each page says to its reader."""

from django import template
from django.contrib.auth.models import AnonymousUser, User

from league.models import Notice
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
