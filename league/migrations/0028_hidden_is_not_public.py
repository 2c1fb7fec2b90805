from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0027_hidden_clubs_are_private'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='club',
            constraint=models.CheckConstraint(condition=models.Q(('hidden_at', None), ('is_public', False), _connector='OR'), name='club_hidden_is_not_public'),
        ),
    ]
