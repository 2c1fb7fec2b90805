from typing import Any

from django.dispatch import receiver

from entry.services.drafts import forget_old_uploads
from league.hooks.signals import purging


@receiver(purging)
def purge_uploads(**_kwargs: Any) -> None:
    forget_old_uploads()
