#!/usr/bin/env bash
# Makes the role and the database of the site in a new PostgreSQL; the image of db runs it once, when the volume is empty.
# The site's role is no superuser, and the superuser keeps no password: it gets in from inside the container alone.
set -euo pipefail

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set password="$POSTGRES_PASSWORD" --set superuser="$POSTGRES_USER" <<'SQL'
CREATE ROLE tierboard LOGIN PASSWORD :'password';
CREATE DATABASE tierboard OWNER tierboard;
ALTER ROLE :"superuser" PASSWORD NULL;
SQL
