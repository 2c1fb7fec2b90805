#!/usr/bin/env bash
# Writes a copy of the database DATABASE_URL to the folder of the first argument (default: backups) and prints its name.
# Uses pg_dump for PostgreSQL and the online backup for SQLite: both are safe while the site is in use.
set -euo pipefail
umask 077

folder=${1:-backups}
url=${DATABASE_URL:-sqlite:///${VAR_DIR:-var}/tierboard.sqlite3}
stamp=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$folder"

# Keep the password out of the process list: pg_dump gets it in its environment.
hide_password() {
  if [[ $url =~ ^([a-z]+://[^:@/]*):([^@/]*)@(.*)$ ]]; then
    PGPASSWORD=$(printf '%b' "${BASH_REMATCH[2]//%/\\x}")
    export PGPASSWORD
    url=${BASH_REMATCH[1]}@${BASH_REMATCH[3]}
  fi
}

copy_sqlite() {
  "${PYTHON:-python3}" - "$1" "$2" <<'PYTHON'
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

source, target = (Path(name).resolve() for name in sys.argv[1:])
with closing(sqlite3.connect(f"{source.as_uri()}?mode=rw", uri=True, timeout=60)) as live:
    with closing(sqlite3.connect(target)) as copy:
        live.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        (verdict,) = copy.execute("PRAGMA integrity_check").fetchone()
sys.exit(None if verdict == "ok" else f"the copy is damaged: {verdict}")
PYTHON
}

# The copy gets its final name only when it is complete.
case $url in
  postgres://* | postgresql://*) file=$folder/tierboard-$stamp.dump ;;
  sqlite:///*)
    file=$folder/tierboard-$stamp.sqlite3
    [[ -e ${url#sqlite:///} ]] || { echo "DATABASE_URL: there is no database ${url#sqlite:///}" >&2 && exit 1; }
    ;;
  *) echo "DATABASE_URL must begin with sqlite:/// or postgres://" >&2 && exit 2 ;;
esac
if [[ -e $file ]]; then
  echo "$file exists already: not overwritten" >&2
  exit 1
fi
trap 'rm -f "$file.part"' EXIT
case $url in
  sqlite:*) copy_sqlite "${url#sqlite:///}" "$file.part" ;;
  *)
    hide_password
    pg_dump --format custom --no-owner --no-privileges --dbname "$url" --file "$file.part"
    ;;
esac
mv "$file.part" "$file"
echo "$file"
