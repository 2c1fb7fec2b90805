#!/usr/bin/env bash
# Restores a copy made by backup.sh into the database DATABASE_URL: all of it or nothing.
# Refuses a database that is not empty; --overwrite replaces its data. Stop web, worker and beat first.
set -euo pipefail
umask 077

usage() {
  echo "usage: $0 [--overwrite] FILE" >&2
  exit 2
}

overwrite=
file=
for argument in "$@"; do
  case $argument in
    --overwrite) overwrite=yes ;;
    -*) usage ;;
    *)
      [[ -z $file ]] || usage
      file=$argument
      ;;
  esac
done
[[ -n $file ]] || usage
if [[ ! -f $file ]]; then
  echo "$file: no such file" >&2
  exit 1
fi
url=${DATABASE_URL:-sqlite:///${VAR_DIR:-var}/tierboard.sqlite3}

refuse() {
  echo "the database is not empty: nothing was changed (--overwrite replaces it)" >&2
  exit 1
}

hide_password() {
  if [[ $url =~ ^([a-z]+://[^:@/]*):([^@/]*)@(.*)$ ]]; then
    PGPASSWORD=$(printf '%b' "${BASH_REMATCH[2]//%/\\x}")
    export PGPASSWORD
    url=${BASH_REMATCH[1]}@${BASH_REMATCH[3]}
  fi
}

# One transaction: COMMIT is sent only after the whole archive, so a damaged archive changes nothing.
postgresql_script() {
  echo 'BEGIN;'
  echo 'SET client_min_messages = warning;'
  echo 'DROP SCHEMA public CASCADE;'
  echo 'CREATE SCHEMA public;'
  pg_restore --no-owner --no-privileges --exit-on-error --file - "$file" && echo 'COMMIT;'
}

restore_postgresql() {
  local tables
  hide_password
  tables=$(psql --no-psqlrc --tuples-only --no-align --dbname "$url" \
    --command "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
  if [[ $tables != 0 && -z $overwrite ]]; then
    refuse
  fi
  if ! pg_restore --list "$file" | grep 'TABLE DATA public django_migrations' >/dev/null; then
    echo "$file is no copy of a Tierboard database: nothing was changed" >&2
    exit 1
  fi
  postgresql_script | psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname "$url" >/dev/null
}

restore_sqlite() {
  "${PYTHON:-python3}" - "$file" "$1" "$overwrite" <<'PYTHON'
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

source, target = (Path(name).resolve() for name in sys.argv[1:3])
with (
    closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as copy,
    closing(sqlite3.connect(target, timeout=60)) as live,
):
    try:
        (verdict,) = copy.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        sys.exit(f"{source.name} is damaged, nothing was changed: {verdict}")
    if not copy.execute("SELECT * FROM sqlite_master WHERE name = 'django_migrations'").fetchone():
        sys.exit(f"{source.name} is no copy of a Tierboard database: nothing was changed")
    if live.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,) and not sys.argv[3]:
        sys.exit("the database is not empty: nothing was changed (--overwrite replaces it)")
    copy.backup(live)
PYTHON
}

case $url in
  postgres://* | postgresql://*) restore_postgresql ;;
  sqlite:///*) restore_sqlite "${url#sqlite:///}" ;;
  *) echo "DATABASE_URL must begin with sqlite:/// or postgres://" >&2 && exit 2 ;;
esac
echo "restored from $file"
