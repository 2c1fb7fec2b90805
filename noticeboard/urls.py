from django.urls import path

from league.routes import CLUB, SEASON
from noticeboard.views import embed, feeds, follow, run, schedule

KEYED = "feeds/<uuid:key>/"
PLANNED = f"{CLUB}schedule/<int:planned_id>/"

app_name = "noticeboard"
urlpatterns = [
    path(f"{CLUB}run/", run.run, name="run"),
    path(f"{CLUB}run/<int:pool_id>/again/", run.try_again, name="try-again"),
    path(f"{CLUB}schedule/", schedule.schedule, name="schedule"),
    path(f"{SEASON}schedule/new/", schedule.plan_create, name="plan-create"),
    path(f"{PLANNED}edit/", schedule.plan_edit, name="plan-edit"),
    path(f"{PLANNED}cancel/", schedule.plan_cancel, name="plan-cancel"),
    path(f"{PLANNED}come/", schedule.come, name="come"),
    path(f"{PLANNED}event.ics", feeds.planned_file, name="planned-file"),
    path(f"{CLUB}calendar.ics", feeds.calendar, name="calendar"),
    path(f"{CLUB}events.atom", feeds.events_atom, name="events-atom"),
    path(f"{CLUB}corrections.atom", feeds.corrections_atom, name="corrections-atom"),
    path(f"{KEYED}calendar.ics", feeds.keyed_calendar, name="keyed-calendar"),
    path(f"{KEYED}events.atom", feeds.keyed_events_atom, name="keyed-events-atom"),
    path(f"{KEYED}corrections.atom", feeds.keyed_corrections_atom, name="keyed-corrections-atom"),
    path(f"{CLUB}follow/", follow.follow, name="follow"),
    path(f"{CLUB}follow/key/", follow.follow_key, name="follow-key"),
    path(f"{CLUB}follow/mails/", follow.follow_mails, name="follow-mails"),
    path(f"{CLUB}embed/", embed.embed, name="embed"),
]
