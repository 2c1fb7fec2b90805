"""What the environment says about this machine, for the settings and for the supervisor, which loads no Django app."""

from pathlib import Path

from league.site import env

BASE_DIR = Path(__file__).resolve().parents[2]
ENVIRONMENT = env.choice("ENVIRONMENT", ("local", "production"), default="local")
PRODUCTION = ENVIRONMENT == "production"
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))
VAR_DIR.mkdir(parents=True, exist_ok=True)
DATABASE = env.database("DATABASE_URL", None if PRODUCTION else f"sqlite:///{VAR_DIR / 'tierboard.sqlite3'}")
LOG_LEVEL = env.text("LOG_LEVEL", "INFO" if PRODUCTION else "WARNING")
LOG_FORMAT = "{asctime} {levelname} {name} {message}"
LOG_JSON = env.boolean("LOG_JSON", default=False)  # a line of JSON for each message, with its fields
