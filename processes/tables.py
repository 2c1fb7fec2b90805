"""Create the tables of an empty local database without running its migrations one by one.

Django renders the models of all apps again for each of them, which takes longer than everything else that the first
start of `make run` waits for. A test compares the two databases.
"""

from django.apps import apps
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, router
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def set_up_database() -> None:
    """Create the tables or migrate them, and create the table of the cache."""
    # On PostgreSQL some of Django's own tables would differ from those that its migrations make.
    if connection.vendor != "sqlite" or not create_tables():
        call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)


def create_tables() -> bool:
    """Create all tables from the models and record all migrations as applied, if the database is empty."""
    if connection.introspection.table_names():
        return False
    with connection.schema_editor(atomic=True) as editor:
        for app in apps.get_app_configs():
            for model in router.get_migratable_models(app, connection.alias):
                if model._meta.can_migrate(connection):
                    editor.create_model(model)
        recorder = MigrationRecorder(connection)
        recorder.ensure_schema()
        for name in MigrationLoader(connection).graph.nodes:
            recorder.record_applied(*name)
    # Its receivers create content types and permissions.
    emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)
    return True
