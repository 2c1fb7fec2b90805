"""The doctor and disk, clock and mail server."""

import logging
import shutil
import socket
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.core import mail
from django.utils import timezone

from league.models import Change, Club
from processes.doctor import machine
from processes.doctor.findings import State
from tests.factories import enter
from tests.servers import free_port


@pytest.fixture
def folder(settings, tmp_path, monkeypatch):
    """Have the processes write into a folder of this test alone."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(machine, "connection", type("Elsewhere", (), {"vendor": "postgresql"}))
    settings.VAR_DIR = tmp_path / "var"
    return settings.VAR_DIR


def test_the_disk_is_measured(states, folder, monkeypatch):
    free = shutil.disk_usage(folder.parent).free
    (found, _log) = states(machine.check_disk())
    assert found[1] == f"files: {free / machine.GIGABYTE:.1f} GB are free in {folder}."
    monkeypatch.setattr(machine, "LITTLE", 2 * free)
    assert states(machine.check_disk())[0][0] == State.ATTENTION
    monkeypatch.setattr(machine, "ALMOST_NOTHING", 2 * free)
    assert states(machine.check_disk())[0][0] == State.WRONG


def test_a_folder_that_cannot_be_written(states, folder, monkeypatch):
    folder.write_text("a file stands where the folder should be")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder / "numba"))
    found = states(machine.check_disk())
    assert [state for state, _text in found] == [State.WRONG, State.WRONG, State.OK]
    assert f"nothing can be written to {folder}" in found[0][1]
    assert found[1][1].startswith("kernels:")


def test_the_folder_of_a_log_file_is_looked_at(states, folder, tmp_path):
    handler = logging.FileHandler(tmp_path / "site.log")
    logging.getLogger().addHandler(handler)
    try:
        assert states(machine.check_disk())[-1][1].startswith("log:")
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


def test_a_device_that_is_logged_to_needs_no_room(states, folder):
    handler = logging.FileHandler("/dev/null")
    logging.getLogger().addHandler(handler)
    try:
        assert "standard output" in states(machine.check_disk())[-1][1]
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


@pytest.mark.django_db
def test_a_clock_that_goes_wrong(states, season):
    enter(season, "Ada\nBoris")
    assert [state for state, _text in states(machine.check_clock())] == [State.OK]
    Change.objects.update(at=timezone.now() + timedelta(hours=2))
    ((state, text),) = states(machine.check_clock())
    assert state == State.WRONG
    assert "something was saved at" in text


@pytest.mark.django_db
def test_a_time_zone_that_this_machine_does_not_know(states, club):
    Club.objects.update(time_zone="Mars/Base")
    ((state, text),) = states(machine.check_clock())
    assert state == State.WRONG
    assert "Mars/Base" in text


def test_mail_as_files(states, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    ((state, text),) = states(machine.check_mail(is_production=False))
    assert (state, settings.EMAIL_FILE_PATH in text) == (State.OK, True)
    ((state, text),) = states(machine.check_mail(is_production=True))
    assert state == State.ATTENTION
    assert "EMAIL_HOST" in text


@pytest.fixture
def smtp(settings):
    """Set a mail server that nobody runs."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", free_port(), False
    return settings


def test_a_mail_server_that_does_not_answer(states, smtp):
    for findings in (machine.check_mail(), machine.send_test("ada@example.com")):
        ((state, text),) = states(findings)
        assert state == State.WRONG
        assert "refused" in text


def greet(server):
    """Speak SMTP to one visitor, who may not send anything."""
    visitor, _address = server.accept()
    with visitor, visitor.makefile("rw", newline="\r\n") as lines:
        lines.write("220 mail.example\n")
        lines.flush()
        while line := lines.readline():
            assert not line.startswith("MAIL"), "a message in a test of the connection"
            lines.write("250 mail.example\n")
            lines.flush()


def test_a_mail_server_that_answers_and_a_sender_that_servers_refuse(states, smtp):
    with socket.create_server(("127.0.0.1", smtp.EMAIL_PORT)) as server:
        speaking = threading.Thread(target=greet, args=(server,))
        speaking.start()
        found = states(machine.check_mail())
        speaking.join()
    assert [state for state, _text in found] == [State.OK, State.ATTENTION]
    assert found[0][1] == "127.0.0.1 answers."
    assert "DEFAULT_FROM_EMAIL" in found[1][1]


def test_a_message_is_sent_if_wanted(states):
    assert states(machine.check_mail())[0][0] == State.OK
    assert mail.outbox == []
    ((state, _text),) = states(machine.send_test("ada@example.com"))
    assert state == State.OK
    assert [message.to for message in mail.outbox] == [["ada@example.com"]]


def test_the_folder_of_a_database_file_is_looked_at(states, tmp_path, monkeypatch):
    name = {"NAME": str(tmp_path / "database" / "site.sqlite3")}
    file = {"vendor": "sqlite", "is_in_memory_db": lambda *_: False, "settings_dict": name}
    monkeypatch.setattr(machine, "connection", type("OnDisk", (), file)())
    texts = [text for _state, text in states(machine.check_disk())]
    assert any(
        text.startswith("database file:") and str(Path(tmp_path, "database")) in text for text in texts
    )
