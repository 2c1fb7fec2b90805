from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0012_imports_that_can_be_undone'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='importdraft',
            name='file_name',
        ),
        migrations.RemoveField(
            model_name='importdraft',
            name='text',
        ),
    ]
