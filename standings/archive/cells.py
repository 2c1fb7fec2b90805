"""Check a value of an archive against the field that it is for."""

from typing import Any

from django.db.models import CharField, Field, ForeignKey, JSONField, TextField


def check_cell(field: "Field[Any, Any]", value: Any) -> Any:
    """Convert a value from JSON and check it as a form would: type, choices, length.

    Raise TypeError, ValueError or ValidationError.
    """
    if field.primary_key or isinstance(field, ForeignKey):
        if value is None and field.null:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError
        return value
    if value is None or (value == "" and isinstance(field, CharField | TextField)):
        if value is None and not field.null:
            raise TypeError
        return value
    if isinstance(field, JSONField) and not isinstance(value, _kinds(field)):
        raise TypeError
    converted = field.to_python(value)
    field.run_validators(converted)
    if field.choices is not None:
        field.validate(converted, None)
    return converted


def _kinds(field: JSONField) -> tuple[type, ...]:
    """Find what a JSON column holds: the kind of its default, or an object or a list."""
    default = field.get_default()
    return (dict, list) if default is None else (type(default),)
