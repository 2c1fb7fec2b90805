from django.urls import path

from privacy import views

app_name = "privacy"
urlpatterns = [
    path("privacy/", views.privacy, name="privacy"),
    path("terms/", views.terms, name="terms"),
    path("accounts/data/", views.own_data_page, name="own-data"),
    path("accounts/data/download/", views.own_data_file, name="own-data-file"),
    path("accounts/delete/", views.account_delete, name="account-delete"),
]
