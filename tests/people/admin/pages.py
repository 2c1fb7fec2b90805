"""Addresses of the admin, and what a browser sends to them."""

from django.urls import reverse

# What a browser sends of the tables on the page of a club that are only read.
ONLY_READ = {
    f"{name}-{count}_FORMS": 0 for name in ("invitations", "pools") for count in ("TOTAL", "INITIAL")
}


def address(row, page="change"):
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_{page}", args=[row.pk])


def listed(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def operate(client, row, action):
    """Press a button of the page of a row; return the page that follows, as text."""
    sent = {"action": action, "_selected_action": row.pk, "from_page": 1}
    answer = client.post(listed(type(row)), sent, follow=True)
    assert answer.redirect_chain == [(address(row), 302)], answer.status_code
    return answer.content.decode()
