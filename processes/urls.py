from django.urls import path

from processes import views

app_name = "processes"
urlpatterns = [
    path("readyz", views.ready, name="ready"),
    path("metrics", views.metrics, name="metrics"),
]
