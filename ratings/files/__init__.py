"""Files that `manage.py rate` reads and writes."""
