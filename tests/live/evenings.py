"""A short evening for tests of what is published of a night."""

from live.services.publishing import publish
from tests.live.nights import LiveNight

PRICE = {"cost": 2000, "fee": 200, "decimals": 2, "currency": "EUR"}


def publish_now(night):
    return publish(night.night, night.season, answers={}, head=night.head(), actor=night.actor)


def an_evening(**setup):
    """Ada puts Cleo and Boris out, Dora puts Ada out and wins."""
    night = LiveNight(**setup)
    cost = {"cost": setup["cost"], "paid": setup["cost"]} if "cost" in setup else {}
    ada, boris, cleo, dora = night.enter("Ada", "Boris", "Cleo", "Dora", **cost)
    for minute, (out, by) in enumerate(((cleo, ada), (boris, ada), (ada, dora)), start=10):
        action = night.out(out, minute=minute)
        night.first_out = action if minute == 10 else night.first_out
        night.record("by", minute=minute, target=out, by=by)
    night.outs = {"Cleo": night.first_out}
    night.ids = {"Ada": ada, "Boris": boris, "Cleo": cleo, "Dora": dora}
    return night
