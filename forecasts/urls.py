from django.urls import path  # noqa: F401

app_name = "forecasts"
urlpatterns: list[object] = []
