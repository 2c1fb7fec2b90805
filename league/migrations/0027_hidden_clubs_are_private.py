from django.db import migrations


def make_private(apps, _schema_editor):
    """Let only members read hidden clubs, as the next migration requires of each."""
    apps.get_model("league", "Club").objects.exclude(hidden_at=None).update(is_public=False)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0026_reading_in_the_worker'),
    ]

    operations = [
        migrations.RunPython(make_private, migrations.RunPython.noop),
    ]
