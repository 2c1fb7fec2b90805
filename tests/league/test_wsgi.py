"""The application that the web server runs."""

import io

import pytest

from league.wsgi import application


@pytest.mark.django_db(transaction=True)  # a request closes old connections, and transactions with them
def test_it_answers():
    answer = []
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": "/healthz", "SERVER_NAME": "localhost", "SERVER_PORT": "80",
        "wsgi.input": io.BytesIO(), "wsgi.url_scheme": "http",
    }  # fmt: skip
    application(environ, lambda status, headers: answer.append(status))
    assert answer == ["200 OK"]
