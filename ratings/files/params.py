"""Read rating parameters from a JSON file: an object by field name; missing fields have their defaults."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.core_model import WITHOUT_EFFECT, PlainParams
from ratings.engine.tier.params import TierParams

Params = TypeVar("Params", TierParams, ProfitParams, PlainParams)


def _check_type(name: str, value: object, default: object) -> float | bool | str:
    if isinstance(default, str):
        expected, fits = "a text", isinstance(value, str)
    elif isinstance(default, bool):
        expected, fits = "true or false", isinstance(value, bool)
    else:
        expected, fits = "a number", isinstance(value, int | float) and not isinstance(value, bool)
    if not fits:
        raise ValueError(f"{name} must be {expected}, got {json.dumps(value)}")
    return value  # type: ignore[return-value]  # Its type is checked above.


def params_from(values: object, of: type[Params]) -> Params:
    """Build parameters from parsed JSON; raise ValueError that names a wrong field."""
    if not isinstance(values, dict):
        raise ValueError("parameters must be a JSON object of names and numbers")  # noqa: TRY004  bad input
    defaults = {field.name: field.default for field in fields(of)}
    if of is PlainParams:  # It may be a file for TIER, of which the core model reads a part.
        values = {name: value for name, value in values.items() if name not in WITHOUT_EFFECT}
    for name in values:
        if name not in defaults:
            raise ValueError(f"{name} is not a parameter (known: {', '.join(defaults)})")
    checked: dict[str, Any] = {
        name: _check_type(name, value, defaults[name]) for name, value in values.items()
    }
    return of(**checked)


def read_params(path: Path, of: type[Params]) -> Params:
    """Read parameters from a file; raise ValueError that names file, line and field."""
    try:
        return params_from(json.loads(path.read_text(encoding="utf-8")), of)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path.name}, line {error.lineno}: {error.msg}") from error
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror}") from error
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{path.name}: {error}") from error
