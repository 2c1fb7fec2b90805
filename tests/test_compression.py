"""Pages and downloads are compressed for readers who accept it, and the same for those who do not."""

import gzip
import io
import zipfile

import pytest
from django.core.cache import caches
from django.urls import reverse

pytestmark = pytest.mark.django_db
GZIP = {"accept-encoding": "gzip, deflate, br, zstd"}


@pytest.fixture
def leaderboard(season, enter_event):
    enter_event("\n".join(f"Player {number}" for number in range(60)))
    return reverse("standings:leaderboard", args=[season.club.slug, season.slug])


def unpacked(answer):
    assert answer.headers["Content-Encoding"] == "gzip"
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    return gzip.decompress(answer.content)


def test_a_page_is_compressed_to_a_quarter(client, leaderboard):
    plain = client.get(leaderboard)
    packed = client.get(leaderboard, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert unpacked(packed) == plain.content
    assert len(packed.content) < len(plain.content) / 4
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]


def test_a_page_in_the_cache_is_compressed_once_for_all_readers(client, leaderboard, monkeypatch):
    first = client.get(leaderboard, headers=GZIP)
    monkeypatch.setattr(gzip, "compress", None)
    assert client.get(leaderboard, headers=GZIP).content == first.content
    assert client.get(leaderboard).content == unpacked(first)
    assert len(caches["pages"]._cache) == 1


@pytest.mark.rest
def test_the_length_of_a_page_of_a_person_tells_nothing(client, leaderboard, people):
    """Middleware adds as many random bytes as hide what a guess adds to the length (BREACH)."""
    client.force_login(people["member"])
    lengths = {len(client.get(leaderboard, headers=GZIP).content) for _ in range(20)}
    assert len(lengths) > 1


def test_what_is_short_is_not_compressed(client):
    assert "Content-Encoding" not in client.get("/healthz", headers=GZIP).headers


def test_files_to_download_are_whole(client, leaderboard):
    csv, xlsx = f"{leaderboard}standings.csv", f"{leaderboard}standings.xlsx"
    assert unpacked(client.get(csv, headers=GZIP)) == client.get(csv).content
    answer = client.get(xlsx, headers=GZIP)
    content = unpacked(answer) if "Content-Encoding" in answer.headers else answer.content
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
