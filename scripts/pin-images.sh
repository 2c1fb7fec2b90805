#!/usr/bin/env bash
# Print lines for .env that name the images of PostgreSQL and Redis by digest, as this machine has pulled them:
# docker compose pull db redis && scripts/pin-images.sh >> .env
# From then on exactly these images run, whatever their tags name later. To update: delete the lines, and pin again.
set -euo pipefail

for image in POSTGRES_IMAGE=postgres:17 REDIS_IMAGE=redis:7; do
    digest=$(docker image inspect --format '{{index .RepoDigests 0}}' "${image#*=}")
    [[ $digest =~ @sha256:[0-9a-f]{64}$ ]] || { echo "${image#*=} has no digest: pull it first" >&2; exit 1; }
    echo "${image%%=*}=$digest"
done
