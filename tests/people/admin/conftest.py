import pytest
from django.contrib.auth.models import User


@pytest.fixture
def root(db):
    return User.objects.create_superuser("root", "root@example.com", "a-good-passphrase")


@pytest.fixture
def operator(client, root):
    client.force_login(root)
    return client
