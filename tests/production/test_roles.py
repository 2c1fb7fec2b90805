"""The role that the site has in the PostgreSQL of docker-compose.yml, made by the script that its image runs."""

import os
import subprocess
from urllib.parse import unquote, urlsplit

import psycopg
import pytest

from tests.production.compose import SERVICES, filled_in
from tests.production.conftest import IS_POSTGRESQL, ROOT
from tests.servers import postgresql_server

SUPERUSER = SERVICES["db"]["environment"]["POSTGRES_USER"]
PASSWORD = filled_in()["POSTGRES_PASSWORD"]
(SCRIPT,) = [
    ROOT / volume.split(":")[0]
    for volume in SERVICES["db"]["volumes"]
    if ":/docker-entrypoint-initdb.d/" in volume
]


@pytest.fixture
def server():
    with postgresql_server(superuser=SUPERUSER, over_network="scram-sha-256") as url:
        yield urlsplit(url)


def by_network(server, user, database, password=PASSWORD):
    return psycopg.connect(host="127.0.0.1", port=server.port, user=user, password=password, dbname=database)


@pytest.mark.skipif(not IS_POSTGRESQL, reason="needs PostgreSQL")
def test_the_role_owns_its_database_alone_and_the_superuser_gets_in_by_the_socket_alone(server):
    folder = unquote(server.hostname)
    with psycopg.connect(
        host=folder, port=server.port, user=SUPERUSER, dbname="postgres", autocommit=True
    ) as image:
        image.execute(
            f"ALTER ROLE {SUPERUSER} PASSWORD '{PASSWORD}'"
        )  # as the image's entrypoint has done before
    # The image runs it as the superuser, by the socket, with the variables of the service.
    given = {
        "PGHOST": folder,
        "PGPORT": str(server.port),
        "POSTGRES_USER": SUPERUSER,
        "POSTGRES_PASSWORD": PASSWORD,
    }
    done = subprocess.run([SCRIPT], env=os.environ | given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with by_network(server, "tierboard", "tierboard") as connection:
        rights = connection.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        assert rights == (False,) * 5
        connection.execute("CREATE TABLE own (id bigint)")
        # As scripts/restore.sh does.
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    for user, password in ((SUPERUSER, PASSWORD), ("tierboard", "wrong")):
        with pytest.raises(psycopg.OperationalError):
            by_network(server, user, "postgres", password)
    with by_network(server, "tierboard", "tierboard") as connection:
        for command in (
            "COPY own TO PROGRAM 'cat'",
            "SELECT pg_read_file('PG_VERSION')",
            "CREATE ROLE other",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(command.replace("own", "pg_class"))
