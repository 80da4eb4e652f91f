"""Linear systems of a chain of unknowns in which each meets only its two neighbours, solved for a million at once."""

from __future__ import annotations

import numpy as np

from leverarm.arrays import Array


def solve_chain(diagonal: Array, beside: Array, right: Array) -> Array:
    """x with D_i x_i + B_{i-1}^T x_{i-1} + B_i x_{i+1} = r_i, for a symmetric positive definite block system.

    Diagonal blocks (K, m, m), blocks beside them (K-1, m, m), right sides (K, m, n). Cyclic reduction: every second
    unknown is eliminated, all of them at once, until one is left (Golub and Van Loan, Matrix Computations, 4th ed.,
    sec. 4.5). What remains stays positive definite, so no pivoting is needed. O(K m^2 (m + n)) in log2 K steps.
    """
    if len(diagonal) == 1:
        return np.asarray(np.linalg.solve(diagonal, right), dtype=np.float64)
    m = diagonal.shape[-1]
    even, odd = diagonal[::2].copy(), diagonal[1::2]
    to_odd = beside[::2]  # from each even unknown to the odd one after it
    from_odd = beside[1::2]  # from each odd unknown to the even one after it, if there is one
    inner = len(from_odd)
    leaving = np.swapaxes(to_odd, 1, 2)

    # An odd unknown is x = own - back x_before - ahead x_after.
    own = np.linalg.solve(odd, np.concatenate([right[1::2], leaving], axis=2))
    own, back = own[..., :-m], own[..., -m:]
    ahead = np.linalg.solve(odd[:inner], from_odd)
    entering = np.swapaxes(from_odd, 1, 2)

    pull = right[::2].copy()
    even[: len(odd)] -= to_odd @ back
    pull[: len(odd)] -= to_odd @ own
    even[1 : 1 + inner] -= entering @ ahead
    pull[1 : 1 + inner] -= entering @ own[:inner]
    kept = solve_chain(even, -(to_odd[:inner] @ ahead), pull)

    x = np.empty_like(right)
    x[::2] = kept
    x[1::2] = own - back @ kept[: len(odd)]
    x[1 : 1 + 2 * inner : 2] -= ahead @ kept[1 : 1 + inner]
    return x
