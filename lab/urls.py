from django.urls import path

from lab.views import site

app_name = "lab"
urlpatterns = [
    path("lab/", site.index, name="index"),
    path("lab/vpip/", site.vpip, name="vpip"),
    path("lab/vpip.csv", site.vpip_file, name="vpip-file"),
    path("lab/decide/", site.decide, name="decide"),
]
