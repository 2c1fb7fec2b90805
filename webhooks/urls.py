from django.urls import path

from league.routes import CLUB
from webhooks.views import hooks

HOOK = f"{CLUB}webhooks/<int:hook_id>/"

app_name = "webhooks"
urlpatterns = [
    path(f"{CLUB}webhooks/", hooks.hooks, name="hooks"),
    path(f"{CLUB}webhooks/new/", hooks.hook_create, name="hook-create"),
    path(HOOK, hooks.hook, name="hook"),
    path(f"{HOOK}edit/", hooks.hook_edit, name="hook-edit"),
    path(f"{HOOK}switch/", hooks.hook_switch, name="hook-switch"),
    path(f"{HOOK}delete/", hooks.hook_delete, name="hook-delete"),
    path(f"{CLUB}webhooks/deliveries/<int:delivery_id>/", hooks.delivery_decide, name="delivery-decide"),
]
