"""The services that docker-compose.yml declares run as they should."""

import re

import pytest

from league.asgi import MOST_HELD
from tests.production.compose import (
    COMPOSE,
    DOCKERFILE,
    OURS,
    SERVICES,
    command_of,
    environment_of,
    filled_in,
    image_environment,
    interpolate,
    redis_command,
)
from tests.production.conftest import ROOT

MEMORY_OF_WEB = 150  # MB of a process that has answered pages of every kind


@pytest.mark.parametrize("name", ["web", "worker", "beat", "db", "redis"])
def test_each_running_service_is_watched_and_comes_back(name):
    service = SERVICES[name]
    assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert service["restart"] == "unless-stopped"
    assert service["read_only"] is True
    assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_the_site_starts_after_its_tables_are_there(name):
    wanted = SERVICES[name]["depends_on"]
    assert wanted["migrate"]["condition"] == "service_completed_successfully"
    assert wanted["db"]["condition"] == "service_healthy"
    assert "migrate" not in " ".join(SERVICES[name].get("command", []))


@pytest.mark.parametrize("name", OURS)
def test_the_site_has_no_rights_it_does_not_need(name):
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert "privileged" not in service
    assert "container_name" not in service  # a fixed name could not be scaled
    own = "${OWN_TEMPLATES:-./own-templates}:/own-templates:ro"
    assert service["volumes"] == [f"var:{image_environment()['VAR_DIR']}", own]
    assert service["environment"]["OWN_TEMPLATES"] == "/own-templates"
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE) == ["tierboard"]


def test_the_servers_keep_what_their_entrypoints_need_alone():
    """Redis makes folders that only its user may enter: its entrypoint, as root without rights, could not pass a second time."""
    assert (SERVICES["redis"]["user"], SERVICES["redis"]["cap_drop"]) == ("redis", ["ALL"])
    assert "cap_add" not in SERVICES["redis"]
    service = SERVICES["db"]
    assert service["cap_drop"] == ["ALL"]
    assert set(service["cap_add"]) == {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}


def test_redis_asks_for_the_password_that_everybody_is_given():
    values = filled_in()
    password = values["REDIS_PASSWORD"]
    assert redis_command(values)[-1] == f">{password}"
    assert environment_of("redis", values) == {"REDISCLI_AUTH": password}
    for name in OURS:
        assert environment_of(name, values)["BROKER_URL"] == f"redis://:{password}@redis:6379/0"


def test_images_can_be_pinned_by_digest():
    pinned = {"POSTGRES_IMAGE": "postgres@sha256:1", "REDIS_IMAGE": "redis@sha256:2"}
    images = {name: interpolate(service["image"], pinned) for name, service in SERVICES.items()}
    assert {images[name] for name in ("db", "backup", "restore")} == {pinned["POSTGRES_IMAGE"]}
    assert images["redis"] == pinned["REDIS_IMAGE"]
    assert {interpolate(SERVICES[name]["image"], {}) for name in ("db", "redis")} == {
        "postgres:17",
        "redis:7",
    }


def test_data_is_in_named_volumes_and_redis_writes_everything_down():
    assert set(COMPOSE["volumes"]) == {"var", "database", "queue"}
    assert SERVICES["db"]["volumes"] == [
        "database:/var/lib/postgresql/data",
        "./scripts/create-role.sh:/docker-entrypoint-initdb.d/create-role.sh:ro",
    ]
    assert SERVICES["redis"]["volumes"] == ["queue:/data"]
    command = SERVICES["redis"]["command"]
    assert command[command.index("--appendonly") + 1] == "yes"


@pytest.mark.parametrize("name", SERVICES)
def test_no_service_can_take_all_memory(name):
    service = SERVICES[name]
    sizes = [re.fullmatch(r"/[\w/]+:size=(\d+)m", folder) for folder in service["tmpfs"]]
    assert 0 < sum(int(size[1]) for size in sizes) < megabytes(service["mem_limit"]) / 4


def test_web_has_room_for_the_bodies_it_may_keep():
    each = MOST_HELD / 1e6 + MEMORY_OF_WEB
    n_processes = int(command_of("web", 8000)[command_of("web", 8000).index("--workers") + 1])
    assert n_processes * each < megabytes(SERVICES["web"]["mem_limit"])


def megabytes(size):
    return float(size[:-1]) * {"m": 1, "g": 1_000}[size[-1]]


def test_only_web_can_be_reached_and_only_from_this_machine():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["web"]
    assert interpolate(SERVICES["web"]["ports"][0], {}) == "127.0.0.1:8000:8000"
    # The worker sends mails (noticeboard.tasks.sweep): on the inner network alone none could leave.
    outside = [name for name, service in SERVICES.items() if "outside" in service["networks"]]
    assert outside == ["web", "worker"]
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_backup_and_restore_use_the_servers_own_programs():
    for name in ("backup", "restore"):
        assert SERVICES[name]["image"] == SERVICES["db"]["image"]
        assert SERVICES[name]["profiles"] == ["tools"]
        script = ROOT / SERVICES[name]["entrypoint"][0].lstrip("/")
        assert script.stat().st_mode & 0o111
        assert "set -euo pipefail" in script.read_text(encoding="utf-8")
