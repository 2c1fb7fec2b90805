"""Keys of names: what equal names share, however they are typed."""

import unicodedata
from functools import lru_cache

MAX_NAME_LENGTH = 60
JOINERS = "\u200c\u200d"  # shape letters and emoji, and are no letters themselves


@lru_cache(maxsize=20_000)
def name_key(name: str) -> str:
    """Make the key that equal names share: width, case, extra spaces and joiners make no difference."""
    key = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    return key if key.isprintable() else key.replace(JOINERS[0], "").replace(JOINERS[1], "")
