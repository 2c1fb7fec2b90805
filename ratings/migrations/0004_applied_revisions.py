from datetime import UTC, datetime

from django.db import migrations


def apply_computed_revisions(apps, _schema_editor):
    """Say of the revisions up to the one in force that ratings take them into account, from the first event on."""
    settings = apps.get_model("ratings", "RatingSettings")
    for revision in settings.objects.filter(is_in_force=True):
        computed = settings.objects.filter(pool=revision.pool_id, revision__lte=revision.revision)
        computed.update(applied_from=datetime(1, 1, 1, tzinfo=UTC))


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0003_settings_from_a_season'),
    ]

    operations = [
        migrations.RunPython(apply_computed_revisions, migrations.RunPython.noop),
    ]
