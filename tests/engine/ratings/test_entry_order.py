"""Order of the loops, compared with NumPy's lexicographic sort."""

import numpy as np
import pytest

from ratings.engine.chain import competition_places
from ratings.engine.tier.entry_order import order_entries


@pytest.mark.parametrize("n_distinct", [1, 3, 1000])
def test_order_is_the_lexicographic_one(n_distinct):
    """Few distinct values leave ties down to the last key, where the order of the history decides."""
    rng = np.random.default_rng(n_distinct)
    offset = np.array([0, 1, 40, 100])
    event = np.repeat(np.arange(3), np.diff(offset))
    place = np.concatenate(
        [competition_places(rng.integers(0, n_distinct, n)) for n in np.diff(offset).tolist()]
    )
    busted, registered, evidence = rng.integers(0, n_distinct, (3, 100)).astype(np.float64)
    number = rng.integers(1, 3, 100)
    order = order_entries(offset, place, busted, registered, evidence, number)
    expected = np.lexsort((number, evidence, registered, busted, place, event))
    assert order.tolist() == expected.tolist()
