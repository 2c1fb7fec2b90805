"""What a worker of a storm imports when it starts, for the process that forks them. It opens no connection."""

from tests.storm.celery_app import app

app.loader.import_default_modules()
