# Collected for its doctests, it would be imported, and the tests' own messages would be dropped.
collect_ignore = ["celery_app.py"]
