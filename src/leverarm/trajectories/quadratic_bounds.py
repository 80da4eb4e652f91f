"""The largest s at which many quadratics of s keep their bounds."""

from __future__ import annotations

import numpy as np

from leverarm.arrays import Array


def largest_within(a: Array, b: Array, c: Array, bound: Array, most: float) -> float:
    """The largest s in (0, most] with |a + b s + c s^2| <= bound for all; 0 where there is none, perhaps infinite.

    Each quadratic is out of bounds on intervals of s. Beyond the first that never ends there is nothing to find;
    from there on down, every interval that s is inside of is left at its lower end. A quadratic that comes back
    between its bounds counts, so the answer need not be connected to s = 0.
    """
    a, b, c, bound = (np.ravel(x) for x in np.broadcast_arrays(a, b, c, bound))
    is_bounded = np.isfinite(bound)
    a, b, c, bound = (x[is_bounded] for x in (a, b, c, bound))
    above, below = _positive(a - bound, b, c), _positive(-a - bound, -b, -c)
    low, high = np.concatenate([above, below], axis=1)
    is_there = high > np.maximum(low, 0)
    low, high = np.maximum(low[is_there], 0.0), high[is_there]
    is_endless = np.isinf(high)
    s = float(min(most, low[is_endless].min(initial=np.inf)))
    low, high = low[~is_endless], high[~is_endless]
    while (around := (low < s) & (s < high)).any():
        s = float(low[around].min())
    return s


def _positive(a: Array, b: Array, c: Array) -> Array:
    """Where a + b s + c s^2 > 0: two intervals each, as lower ends and upper ends (2, 2 K); empty ones end first."""
    root = np.sqrt(np.maximum(b * b - 4 * a * c, 0.0))
    has_roots = b * b - 4 * a * c > 0
    # The sum of terms of one sign; the other root is the quotient (no digits cancel).
    k = -(b + np.where(b >= 0, root, -root)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        r1, r2 = k / c, a / k
    first, second = np.minimum(r1, r2), np.maximum(r1, r2)
    nowhere, everywhere = np.full_like(a, np.inf), np.full_like(a, -np.inf)
    is_line = c == 0
    line = np.divide(-a, b, out=np.zeros_like(a), where=b != 0)
    opens_up = c > 0
    is_constant = is_line & (b == 0)
    kinds = [is_constant, is_line, ~has_roots, opens_up]
    low = np.select(kinds, [np.where(a > 0, everywhere, nowhere), np.where(b > 0, line, everywhere),
                            np.where(opens_up, everywhere, nowhere), second], first)  # fmt: skip
    high = np.select(kinds, [np.where(a > 0, -everywhere, -nowhere), np.where(b > 0, -everywhere, line),
                             np.where(opens_up, -everywhere, -nowhere), -everywhere], second)  # fmt: skip
    # An upward parabola with roots is positive on a second interval, below the first root.
    other_high = np.where(opens_up & has_roots, first, everywhere)
    return np.stack([np.concatenate([low, everywhere]), np.concatenate([high, other_high])])
