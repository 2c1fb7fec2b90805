import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("league", "0006_pool_of_each_event")]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="pool",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="events",
                to="league.pool",
                verbose_name="rating pool",
            ),
        ),
    ]
