"""docker-compose.yml, .env.example and Dockerfile, read without a Docker engine."""

import json
import re
import sys
from pathlib import Path

import yaml

from tests.production.conftest import ROOT, clean_environment

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
OURS = ("migrate", "web", "worker", "beat")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
REQUIRED = ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "BROKER_URL")
HOST = "league.example"


def example_variables():
    return dict(re.findall(r"^#?([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))


def filled_in():
    """.env as an operator would write it: what is required, and every other line as it stands in the example."""
    values = example_variables()
    given = {
        "SECRET_KEY": "s3cret-" * 10,
        "ALLOWED_HOSTS": f"{HOST},www.{HOST}",
        "POSTGRES_PASSWORD": "f00d" * 8,
        "REDIS_PASSWORD": "beef" * 8,
    }
    assert all(values[name] == "" for name in given), "no secret has a default"
    return values | given


def interpolate(value, values):
    """The forms of interpolation that the file uses."""

    def replace(found):
        name, operator, rest = found.groups()
        if values.get(name):
            return values[name]
        assert operator != ":?", f"{name} {rest}"
        return rest or ""

    return re.sub(r"\$\{([A-Z_]+)(:[?-])?([^}]*)\}", replace, str(value))


def environment_of(service, values):
    """The environment a container gets; a name without a value is handed on if it is in .env."""
    declared = SERVICES[service]["environment"]
    given = {
        name: values.get(name) if value is None else interpolate(value, values)
        for name, value in declared.items()
    }
    return {name: value for name, value in given.items() if value is not None}


def image_environment():
    return dict(
        re.findall(r"\b([A-Z_]+)=(/[\w/]+|production)", DOCKERFILE.split("\nENV ")[1].split("\n#")[0])
    )


def production(tmp_path, **own):
    folder = {"VAR_DIR": str(tmp_path / "var"), "STATIC_ROOT": str(tmp_path / "static")}
    return clean_environment(**(environment_of("web", filled_in()) | folder | own))


def redis_command(values):
    """Build the command of the service redis."""
    return [interpolate(part, values) for part in SERVICES["redis"]["command"]]


def command_of(service, port):
    command = SERVICES[service].get("command") or json.loads(
        re.search(r"^CMD (\[(?:.|\n)*\])", DOCKERFILE, re.MULTILINE)[1].replace("\\\n", "")
    )
    program, *rest = [str(port) if part == "8000" else str(part) for part in command]
    return [str(Path(sys.executable).with_name(program)), *rest]
