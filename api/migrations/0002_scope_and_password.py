import hashlib

from django.db import migrations, models


def mark_passwords(apps, schema_editor):
    """Keys made before stay in force until the next change of the password."""
    ApiKey = apps.get_model('api', 'ApiKey')
    for key in ApiKey.objects.select_related('user').iterator():
        key.password_mark = hashlib.sha256(key.user.password.encode()).hexdigest()
        key.save(update_fields=['password_mark'])


class Migration(migrations.Migration):

    dependencies = [
        ('api', '0001_keys'),
    ]

    operations = [
        migrations.AddField(
            model_name='apikey',
            name='scope',
            field=models.CharField(choices=[('read', 'read'), ('write', 'read and write')], default='write', max_length=5, verbose_name='rights'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='apikey',
            name='password_mark',
            field=models.CharField(default='', editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(mark_passwords, migrations.RunPython.noop),
    ]
