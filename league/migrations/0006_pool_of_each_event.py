"""Give each event the rating pool of its season, by which it was rated so far."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def take_pool_of_season(apps, schema_editor):
    Event, Season = (apps.get_model("league", name) for name in ("Event", "Season"))
    pool = Season.objects.filter(pk=OuterRef("season")).values("pool")
    Event.objects.filter(pool=None).update(pool=Subquery(pool))


class Migration(migrations.Migration):

    dependencies = [("league", "0005_pools_and_games")]

    operations = [migrations.RunPython(take_pool_of_season, migrations.RunPython.noop)]
