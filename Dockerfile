# The image of every Tierboard process: web, worker, beat and the migration step (docker-compose.yml).

FROM python:3.11-slim-bookworm AS packages
RUN python -m venv /venv
COPY requirements.lock .
# Only wheels are installed, so the image needs no compilers.
RUN /venv/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary :all: --require-hashes \
    -r requirements.lock

FROM python:3.11-slim-bookworm
RUN groupadd --gid 10001 tierboard \
    && useradd --uid 10001 --gid tierboard --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tierboard \
    && install --directory --owner tierboard --group tierboard /var/lib/tierboard
COPY --from=packages /venv /venv
WORKDIR /app
COPY . .
# NUMBA_CACHE_DIR is on the volume, so that compiled kernels outlive the container, whose code is read-only.
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ENVIRONMENT=production \
    VAR_DIR=/var/lib/tierboard \
    STATIC_ROOT=/app/static_collected \
    NUMBA_CACHE_DIR=/var/lib/tierboard/numba
# The four values are used by this one command only; it connects to no server, and they do not stay in the image.
RUN python scripts/compile_translations.py league/locale/*/LC_MESSAGES/django.po \
    && python -m compileall -q /app \
    && SECRET_KEY=build ALLOWED_HOSTS=build DATABASE_URL=postgres://build/build BROKER_URL=redis://build \
    VAR_DIR=/tmp/build python manage.py collectstatic --no-input --verbosity 0 \
    && rm -rf /tmp/build
USER tierboard
EXPOSE 8000
CMD ["granian", "--interface", "asginl", "--http", "1", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", \
    "--no-ws", "--log-level", "warning", "--respawn-failed-workers", "--workers-kill-timeout", "10", \
    "league.asgi:application"]
