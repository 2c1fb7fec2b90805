"""What `manage.py doctor` looks at."""
