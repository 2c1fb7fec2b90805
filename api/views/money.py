"""Money of an event."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from api.access import EventView
from api.serializers.money import MoneySerializer
from league.rights import Act
from payouts.models import EntryMoney
from payouts.queries import event_money


class MoneyView(EventView):
    """Answers with the money of an event."""

    reads = writes = Act.KEEP_MONEY
    serializer_class = MoneySerializer

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read prices, payouts and what each entry has given and won."""
        money: Any = event_money(self.event)
        entries = EntryMoney.objects.filter(entry__event=self.event).select_related("entry__player__club")
        money.entries = list(entries.order_by("entry__place", "entry"))
        return Response(self.get_serializer(money).data)
