"""Clubs, seasons, players, events and entries; also the project package."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
