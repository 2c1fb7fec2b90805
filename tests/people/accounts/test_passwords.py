"""Which passwords are refused: words of the site, and those of a list of leaked ones."""

import hashlib
import io

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ImproperlyConfigured, ValidationError

from people.accounts.validators import LeakedPasswordValidator, SiteWordsValidator, is_listed
from tests.production.conftest import clean_environment, manage


def codes_of(password):
    try:
        validate_password(password)
    except ValidationError as error:
        return {each.code for each in error.error_list}
    return set()


@pytest.mark.parametrize(
    "password",
    ["tierboard123", "leaderboard", "Poker-Club!2026", "mahjong_mahjong", "2026 Tier Board", "LocalHost99"],
)
def test_words_of_the_site_alone_are_refused(password):
    assert "password_site_words" in codes_of(password)


@pytest.mark.parametrize(
    "password",
    ["pokerfacewithoutqueens", "clubs-are-not-spades", "boarding-a-leagueboat", "7291 4406 8153 0947"],
)
def test_words_of_the_site_among_others_are_taken_and_digits_alone_too(password):
    """A rule of what a password is made of is no help: its length and that nobody guesses it are."""
    assert codes_of(password) == set()


def test_own_host_names_are_words(settings):
    settings.ALLOWED_HOSTS = [".riverbank.example", "192.0.2.1", "tv"]
    for refused in ("riverbank2026", "Riverbank-Poker"):
        with pytest.raises(ValidationError):
            SiteWordsValidator().validate(refused)
    SiteWordsValidator().validate("tv-on-the-river")


def test_a_long_password_of_words_takes_as_many_steps_as_letters():
    """A regular expression would try each way to divide it: tierboard is a word, and so are tier and board."""
    with pytest.raises(ValidationError):
        SiteWordsValidator().validate("tierboard" * 11)
    SiteWordsValidator().validate("tierboard" * 10 + "x")
    SiteWordsValidator().validate("tierboard" * 200_000)  # not looked at: nobody tries it first


@pytest.mark.parametrize(
    "text", [b"", b"\xef\xbb\xbf" + b"A" * 40 + b":1\n", b"a table\n", "A".encode("utf-16")]
)
def test_what_is_no_list_of_hashes_is_refused_at_the_start(tmp_path, text):
    file = tmp_path / "leaked.txt"
    file.write_bytes(text)
    with pytest.raises(ImproperlyConfigured, match="HASH:COUNT"):
        LeakedPasswordValidator(file=str(file))


def test_empty_lines_hide_nothing():
    leaked = [f"leaked-{i}" for i in range(200)]
    lines = sorted(f"{digest(each)}:1" for each in leaked)
    for text in (
        "\n\n".join(lines),
        "\n".join([*lines[:100], "", *lines[100:]]),
        "\n".join(lines) + "\n" * 2_000,
    ):
        file = io.BytesIO(text.lower().encode())
        assert [each for each in leaked if not is_listed(file, each)] == []


def digest(password):
    return hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 997])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("has_last_end", [True, False])
def test_each_leaked_password_is_found_and_no_other(n, end, has_last_end):
    leaked = [f"leaked-{i}" for i in range(n)]
    lines = sorted(f"{digest(each)}:{7 * i * i}" for i, each in enumerate(leaked))
    file = io.BytesIO((end.join(lines) + (end if lines and has_last_end else "")).encode())
    assert [each for each in leaked if not is_listed(file, each)] == []
    assert [each for each in map(str, range(500)) if is_listed(file, each)] == []


class CountingFile(io.BytesIO):
    n_lines = 0

    def readline(self, *arguments):
        self.n_lines += 1
        return super().readline(*arguments)


def test_few_lines_are_read_of_a_long_list():
    file = CountingFile("".join(sorted(f"{digest(str(i))}:1\n" for i in range(50_000))).encode())
    assert is_listed(file, "31415")
    assert file.n_lines <= 2 * 22  # two for each halving of 2.1 MB


def test_the_list_of_the_operator_refuses(tmp_path):
    file = tmp_path / "leaked.txt"
    file.write_text(f"{digest('correct horse battery')}:3\n", encoding="ascii")
    validator = LeakedPasswordValidator(file=str(file))
    with pytest.raises(ValidationError, match="leak of another site"):
        validator.validate("correct horse battery")
    validator.validate("correct horse battery staple")


def test_a_setting_names_the_list(tmp_path):
    """The settings read the variable once: a process of its own is asked."""
    file = tmp_path / "leaked.txt"
    file.write_text(f"{digest('correct horse battery')}:3\n", encoding="ascii")
    script = "from django.conf import settings as s; print(s.AUTH_PASSWORD_VALIDATORS[-1])"
    environment = clean_environment(LEAKED_PASSWORDS=str(file), VAR_DIR=str(tmp_path))
    shown = manage("shell", "-v0", "-c", script, environment=environment).stdout
    assert "LeakedPasswordValidator" in shown
    assert str(file) in shown
