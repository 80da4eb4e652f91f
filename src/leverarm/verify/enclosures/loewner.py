"""Upper and lower bounds of symmetric matrices in the Loewner order, with rounding accounted for.

A <= B means that B - A has no negative eigenvalue. A form is kept as floats and one number, its error: the true form
differs from the floats by at most that in the spectral norm. What LAPACK finds is never trusted: eigenvectors and
factors only say which bound is tried, and that it is one is seen from products of matrices, whose rounding is known (N.
J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.5).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from leverarm.verify.enclosures.rigid_chain import Array

UNIT = 2.0**-53
DATA = 64 * UNIT
"""What an arm's numbers, placements and sines may be off, relative to the matrix that they make."""


class Form(NamedTuple):
    """Symmetric matrices (boxes, size, size), and how far off each may be."""

    matrix: Array
    error: Array


class Metric(NamedTuple):
    """A positive definite form P = L L^T: L, roughly its inverse, and how far their product is from 1."""

    factor: Array
    inverse: Array
    slack: Array


def metric_of(inverse: Array) -> Metric:
    """The metric whose inverse is a given positive definite form, roughly: any factor will do for a bound."""
    half = np.swapaxes(np.linalg.cholesky(inverse), -1, -2)
    factor = np.linalg.inv(half)
    size = half.shape[-1]
    rounding = 2 * size * UNIT * norm(np.abs(half) @ np.abs(factor))
    return Metric(factor, half, norm(half @ factor - np.eye(size)) + rounding)


def congruent(form: Form, X: Array) -> Form:
    """X^T A X: the form in other variables, old = X new. X is exact; an error grows with the square of its norm."""
    matrix, rounding = congruence(form.matrix, X)
    return Form(matrix, spectral(X) ** 2 * form.error + rounding)


def congruence(A: Array, X: Array) -> tuple[Array, Array]:
    """X^T A X, and how far off it is: by the rounding of products, and where X itself is off by no more than `DATA`."""
    matrix = np.swapaxes(X, -1, -2) @ A @ X
    rounding = (4 * X.shape[-2] * UNIT + 2.1 * DATA) * spectral(X) ** 2 * norm(A)
    return (matrix + np.swapaxes(matrix, -1, -2)) / 2, rounding


def norm(A: Array) -> Array:
    """The Frobenius norm of each matrix, not below the spectral norm."""
    return np.asarray(np.sqrt(np.einsum("...ij,...ij->...", A, A)) * (1 + 1e-12))


def spectral(A: Array) -> Array:
    """A bound of the spectral norms of A and |A|: the root of the largest row sum times the largest column sum."""
    size = np.abs(A)
    return np.asarray(np.sqrt(size.sum(-1).max(-1) * size.sum(-2).max(-1)) * (1 + 1e-12))


def absolute(B: Array, metric: Metric) -> Array:
    """A form that is at least B and at least -B: |B| as the metric sees it, L |L^-1 B L^-T| L^T.

    With eigenvectors V and eigenvalues w of what is seen, V (|w| - w) V^T and V (|w| + w) V^T have no negative
    eigenvalue whatever V is; what V w V^T lacks of it is added in all directions.
    """
    seen, blur = _seen(B, metric)
    w, V = np.linalg.eigh(seen)
    rounding = 4 * w.shape[-1] ** 2 * UNIT * np.abs(w).max(-1)
    missing = norm(seen - (V * w[..., None, :]) @ np.swapaxes(V, -1, -2)) + rounding
    return _outside(V, np.abs(w), blur + missing, metric)


def around(B: Array, C: Array, metric: Metric) -> Array:
    """A form that is at least b B + c C for all b, c on the unit circle: the root of B^2 + C^2 as the metric sees them.

    (b B + c C)^2 + (c B - b C)^2 = B^2 + C^2, and the root keeps the order.
    """
    return _root_of_squares([_seen(B, metric), _seen(C, metric)], metric)


def with_any_signs(parts: list[Array], metric: Metric) -> Array:
    """A form that is at least the sum of the parts times any numbers from -1 to 1.

    The root of the sum of (N / n) A^2, where n are the parts' sizes and N is their sum: the numbers times (n / N)^(1/2)
    have squares that add to no more than 1, and then the same holds as for two parts on the circle.
    """
    seen = [_seen(A, metric) for A in parts]
    sizes = np.array([np.maximum(norm(A), 1e-300) for A, _ in seen])
    stretch = np.sqrt(sizes.sum(0) / sizes) * (1 + 1e-12)
    stretched = [(c[:, None, None] * A, c * blur) for c, (A, blur) in zip(stretch, seen, strict=True)]
    return _root_of_squares(stretched, metric)


def _root_of_squares(seen: list[tuple[Array, Array]], metric: Metric) -> Array:
    """What is missing of the squares counts with its root; so does what makes V differ from a rotation."""
    squares = np.sum([A @ A for A, _ in seen], axis=0)
    w, V = np.linalg.eigh(squares)
    root = np.sqrt(np.maximum(w, 0.0))
    size = w.shape[-1]
    bent = norm(np.swapaxes(V, -1, -2) @ V - np.eye(size)) + 4 * size**2 * UNIT
    missing = norm(squares - (V * (root**2)[..., None, :]) @ np.swapaxes(V, -1, -2))
    missing = missing + 8 * (size + len(seen)) * UNIT * sum(norm(A) ** 2 for A, _ in seen) + 2 * bent * w[..., -1]
    everywhere = sum(blur for _, blur in seen) + np.sqrt(missing) + 2 * bent * root.max(-1)
    return _outside(V, root, everywhere, metric)


def _seen(B: Array, metric: Metric) -> tuple[Array, Array]:
    """L^-1 B L^-T, and how far it is from that: L^-1 is the inverse that is at hand but for the slack."""
    transposed = np.swapaxes(metric.inverse, -1, -2)
    seen = metric.inverse @ B @ transposed
    seen = (seen + np.swapaxes(seen, -1, -2)) / 2
    size = B.shape[-1]
    rounding = 4 * size * UNIT * norm(np.abs(metric.inverse) @ np.abs(B) @ np.abs(transposed))
    slack = np.where(metric.slack < 0.01, metric.slack, np.inf)
    return seen, rounding + 2.1 * slack * norm(seen)


def _outside(V: Array, w: Array, everywhere: Array, metric: Metric) -> Array:
    """L (V w V^T + everywhere) L^T, not less for rounding: w is not negative."""
    size = w.shape[-1]
    G = metric.factor @ V
    above = (G * w[..., None, :]) @ np.swapaxes(G, -1, -2)
    P = metric.factor @ np.swapaxes(metric.factor, -1, -2)
    rounding = 8 * size**3 * UNIT * (w.max(-1) + everywhere)
    above = above + everywhere[..., None, None] * P
    above[..., range(size), range(size)] += rounding[..., None] * np.einsum("...ii->...i", P)
    return np.asarray(above)


def largest_eigenvalue(form: Form) -> tuple[Array, Array]:
    """A number that no eigenvalue of the form is above, and the eigenvector (of the floats) that comes nearest."""
    w, V = np.linalg.eigh(form.matrix)
    return w[..., -1] + _uncertain(form, w, V), V[..., :, -1]


def least_largest_eigenvalue(form: Form) -> tuple[Array, Array]:
    """A number that the largest eigenvalue of the form is not below, and its eigenvector (of the floats)."""
    w, V = np.linalg.eigh(form.matrix)
    return w[..., -1] - _uncertain(form, w, V), V[..., :, -1]


def smallest_eigenvalue(form: Form) -> tuple[Array, Array]:
    """A number that no eigenvalue of the form is below, and the eigenvector (of the floats) that comes nearest."""
    w, V = np.linalg.eigh(form.matrix)
    return w[..., 0] - _uncertain(form, w, V), V[..., :, 0]


def _uncertain(form: Form, w: Array, V: Array) -> Array:
    """How far eigenvalues may be off: A = V w V^T + rest, where V is nearly a rotation (A. Ostrowski, 1959)."""
    size = w.shape[-1]
    rest = norm(form.matrix - (V * w[..., None, :]) @ np.swapaxes(V, -1, -2))
    bent = norm(np.swapaxes(V, -1, -2) @ V - np.eye(size)) + 4 * size**2 * UNIT
    scale = np.abs(w).max(-1)
    return np.asarray((rest + 4 * size**2 * UNIT * scale + 2 * bent * scale + form.error) * (1 + 1e-9))
