"""Numbers as the laboratory's pages write them."""

from league.formats import number

NO_BREAK = "\u00a0"


def brief(value: float, places: int) -> str:
    """Write a number without zeros at its end: 0.7333, 73.5, 0."""
    text = number(value, places)
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(value: float, places: int = 0) -> str:
    """Write a percentage: 16 %, 29.6 %."""
    return f"{brief(value, places)}{NO_BREAK}%"


def chips(value: float) -> str:
    """Write an amount of chips, with two decimals at most: 15, 73.33, 10,000."""
    return f"{value:,.0f}" if value.is_integer() else brief(value, 2)
