from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def fill_names(apps, _schema_editor):
    """Give each listing the present name of its club: it was looked at under that name."""
    Club, Listing = apps.get_model("league", "Club"), apps.get_model("directory", "Listing")
    names = Club.objects.filter(pk=OuterRef("club")).values("name")
    Listing.objects.update(name=Subquery(names))


class Migration(migrations.Migration):

    dependencies = [
        ('directory', '0001_listings_and_reports'),
    ]

    operations = [
        migrations.AddField(
            model_name='listing',
            name='name',
            field=models.CharField(blank=True, max_length=80, verbose_name='name'),
        ),
        migrations.RunPython(fill_names, migrations.RunPython.noop),
    ]
