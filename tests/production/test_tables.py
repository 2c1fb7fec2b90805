"""The tables of a first start are made from the models; they are those that the migrations make."""

import re

from tests.production.conftest import clean_environment, connect, databases, manage

CREATE = "from processes.tables import create_tables; assert create_tables(); assert not create_tables()"
QUERIES = (
    "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL",
    "SELECT app, name FROM django_migrations",
    "SELECT model, codename FROM auth_permission JOIN django_content_type t ON content_type_id = t.id",
)


def definitions(sql):
    """Split what stands in the brackets of CREATE; columns that were added later stand at another position."""
    head, body = sql.split("(", 1)
    depth, parts = 0, [""]
    for letter in body:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return head, *sorted(re.sub(r"\s+", " ", part).strip(" )") for part in parts)


def schema(url):
    with connect(url) as connection:
        tables, *others = [connection.execute(query).fetchall() for query in QUERIES]
    return {(name, *definitions(sql)) for name, sql in tables}.union(*others)


def test_tables_from_models_are_those_of_the_migrations(tmp_path):
    def made_by(*command):
        url = new_database()
        environment = clean_environment(DATABASE_URL=url, VAR_DIR=str(tmp_path / "var"))
        manage(*command, environment=environment)
        return schema(url)

    with databases(tmp_path, server_url="") as new_database:
        migrated = made_by("migrate", "--verbosity", "0")
        assert "league_entry" in {name for name, *_rest in migrated}
        assert made_by("shell", "--no-imports", "--command", CREATE) ^ migrated == set()


def test_migrations_are_up_to_date(tmp_path):
    environment = clean_environment(VAR_DIR=str(tmp_path))
    manage("makemigrations", "--check", "--dry-run", environment=environment)
