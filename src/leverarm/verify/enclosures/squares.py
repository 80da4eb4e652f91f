"""Forms of products that are zero on squares: what may be added to a form of x_i x_j without changing its value.

As products, (x1 x2)^2 and (x1^2)(x2^2) are the same; as squares of independent numbers they are not. A bound over
products holds with any such difference added, and with the right one it is nearly as sharp as over x itself: the first
step of the sums-of-squares hierarchy (P. A. Parrilo, 2000).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import sqrt

import numpy as np

from leverarm.verify.enclosures.rigid_chain import Array

TURNS = 12
"""Of u and x."""
SMOOTH = 1.0
"""Of what is above the nearest square: eigenvalues so close to the largest count with it."""


def products(x: Array) -> Array:
    """The products x_i x_j with i <= j of vectors (..., n), mixed ones times sqrt(2): of length |x|^2."""
    n = x.shape[-1]
    return np.stack(
        [x[..., i] * x[..., j] * (1 if i == j else sqrt(2)) for i, j in combinations_with_replacement(range(n), 2)], -1
    )


def as_matrices(y: Array, n: int) -> Array:
    """Numbers for products as symmetric matrices (..., n, n): those of the products of x are x x^T."""
    Y = np.zeros((*y.shape[:-1], n, n))
    for k, (i, j) in enumerate(combinations_with_replacement(range(n), 2)):
        Y[..., i, j] = Y[..., j, i] = y[..., k] / (1 if i == j else sqrt(2))
    return Y


def null_part(form: Array, n: int) -> Array:
    """The part of forms of products (..., products, products) that is zero on the products of every x."""
    crossings, weight = _crossings(n)
    plain = form / weight
    rows, columns = crossings
    crossed = plain[..., rows[0], columns[0]] + plain[..., rows[1], columns[1]]
    return np.asarray(weight * (2 * plain - crossed) / 3)


@lru_cache(maxsize=32)
def _crossings(n: int) -> tuple[Array, Array]:
    """For products (i j) and (k m): where (i k), (j m) and (i m), (j k) stand; and the weight of mixed products."""
    pairs = list(combinations_with_replacement(range(n), 2))
    place = {pair: k for k, pair in enumerate(pairs)} | {(j, i): k for k, (i, j) in enumerate(pairs)}
    crossings = np.array(
        [
            [[[place[i, k], place[i, m]] for k, m in pairs] for i, j in pairs],
            [[[place[j, m], place[j, k]] for k, m in pairs] for i, j in pairs],
        ]
    )
    weight = np.array([1.0 if i == j else sqrt(2) for i, j in pairs])
    return np.moveaxis(crossings, -1, 1), weight[:, None] * weight


def sharpened(form: Array, null: Array, n: int, steps: int) -> Array:
    """A null form, as good as or better than the given one for the largest eigenvalue of a form of (u, products).

    Steps along the slope of a smooth maximum of the eigenvalues, of the length that would reach the value at the
    nearest square at once (B. T. Polyak, 1969). The best form on the way is kept.
    """
    best, best_value = null, np.full(len(form), np.inf)
    current = null
    reached = np.zeros(len(form))
    for step in range(steps + 1):
        w, V = np.linalg.eigh(with_null(form, current))
        value = w[:, -1]
        better = value < best_value
        best = np.where(better[:, None, None], current, best)
        best_value = np.where(better, value, best_value)
        if step == steps:
            break
        for k in (-1, -2):
            reached = np.maximum(reached, _at_nearest_square(form, V[:, n:, k], n))
        above = np.maximum(value - reached, 1e-13 * np.abs(w).max(1) + 1e-300)
        weights = np.exp((w - value[:, None]) / (SMOOTH * above[:, None]))
        weights /= weights.sum(1, keepdims=True)
        y = V[:, n:]
        slope = null_part((y * weights[:, None]) @ np.swapaxes(y, -1, -2), n)
        length = np.einsum("bij,bij->b", slope, slope)
        # where the smooth slope nearly vanishes the step would be endless: no form of use is larger than the value
        step_length = np.minimum(above / np.maximum(length, 1e-12), value / np.sqrt(np.maximum(length, 1e-24)))
        current = current - step_length[:, None, None] * slope
    # once more, so that what was rounded on the way counts no longer
    return null_part(best, n)


def with_null(form: Array, null: Array) -> Array:
    """A form of (u, products) with a null form added to that of the products."""
    total = form.copy()
    n = form.shape[-1] - null.shape[-1]
    total[:, n:, n:] += null
    return total


def _at_nearest_square(form: Array, y: Array, n: int) -> Array:
    """The value of the form at products near y: of the x whose products are nearest, bettered by turns of u and x."""
    tensor = form[:, :n, n:]
    seen = as_matrices(y, n)
    for _ in range(TURNS):
        w, V = np.linalg.eigh(seen)
        outermost = np.where(-w[:, 0] > w[:, -1], 0, n - 1)
        force = np.einsum("bij,bj->bi", tensor, products(np.take_along_axis(V, outermost[:, None, None], 2)[:, :, 0]))
        value = np.linalg.norm(force, axis=1)
        seen = as_matrices(np.einsum("bi,bij->bj", force, tensor), n)
    return np.asarray(value)
