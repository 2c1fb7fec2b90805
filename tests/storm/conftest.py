# Collecting the module for doctests would import it, and messages of the tests would be dropped.
collect_ignore = ["celery_app.py"]
