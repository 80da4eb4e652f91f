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
    """X^T A X: the form in other variables, old = X new."""
    matrix = np.swapaxes(X, -1, -2) @ form.matrix @ X
    size = X.shape[-2]
    rounding = 4 * size * UNIT * norm(X) ** 2 * norm(form.matrix)
    return Form((matrix + np.swapaxes(matrix, -1, -2)) / 2, spectral(X) ** 2 * form.error + rounding)


def added(form: Form, places: Array, other: Form) -> Form:
    """The sum of a form and one in some of its variables."""
    matrix = form.matrix.copy()
    matrix[..., places[:, None], places] += other.matrix
    return Form(matrix, form.error + other.error + 2 * UNIT * norm(matrix))


def norm(A: Array) -> Array:
    """The Frobenius norm of each matrix, not below the spectral norm."""
    return np.asarray(np.sqrt(np.einsum("...ij,...ij->...", A, A)) * (1 + 1e-12))


def spectral(A: Array) -> Array:
    """A bound of the spectral norm of each matrix: the root of its largest row sum times its largest column sum."""
    size = np.abs(A)
    return np.asarray(np.sqrt(size.sum(-1).max(-1) * size.sum(-2).max(-1)) * (1 + 1e-12))


def absolute(B: Array, metric: Metric) -> Array:
    """A form that is at least B and at least -B: |B| as the metric sees it, L |L^-1 B L^-T| L^T.

    With eigenvectors V and eigenvalues w of what is seen, V (|w| - w) V^T and V (|w| + w) V^T have no negative
    eigenvalue whatever V is; what V w V^T lacks of it is added in all directions.
    """
    seen, blur = _seen(B, metric)
    w, V = np.linalg.eigh(seen)
    missing = norm(seen - (V * w[..., None, :]) @ np.swapaxes(V, -1, -2)) + 4 * len(w.T) ** 2 * UNIT * np.abs(w).max(-1)
    return _outside(V, np.abs(w), blur + missing, metric)


def around(B: Array, C: Array, metric: Metric) -> Array:
    """A form that is at least b B + c C for all b, c on the unit circle: the root of B^2 + C^2 as the metric sees them.

    (b B + c C)^2 + (c B - b C)^2 = B^2 + C^2, and the root keeps the order. What is missing of the squares counts with
    its root.
    """
    (first, blur), (second, blur_too) = _seen(B, metric), _seen(C, metric)
    squares = first @ first + second @ second
    w, V = np.linalg.eigh(squares)
    root = np.sqrt(np.maximum(w, 0.0))
    size = B.shape[-1]
    bent = norm(np.swapaxes(V, -1, -2) @ V - np.eye(size)) + 4 * size**2 * UNIT
    missing = norm(squares - (V * (root**2)[..., None, :]) @ np.swapaxes(V, -1, -2))
    missing = missing + 8 * size * UNIT * (norm(first) ** 2 + norm(second) ** 2) + 2 * bent * np.abs(w).max(-1)
    return _outside(V, root, blur + blur_too + np.sqrt(missing), metric)


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
    return _certified(form, w, V, -1), V[..., :, -1]


def smallest_eigenvalue(form: Form) -> tuple[Array, Array]:
    """A number that no eigenvalue of the form is below, and the eigenvector (of the floats) that comes nearest."""
    w, V = np.linalg.eigh(form.matrix)
    return _certified(form, w, V, 0), V[..., :, 0]


def _certified(form: Form, w: Array, V: Array, which: int) -> Array:
    """The outermost eigenvalue with what may be missing: A = V w V^T + rest, and V is a rotation but for a little."""
    size = w.shape[-1]
    rest = norm(form.matrix - (V * w[..., None, :]) @ np.swapaxes(V, -1, -2))
    bent = norm(np.swapaxes(V, -1, -2) @ V - np.eye(size)) + 4 * size**2 * UNIT
    scale = np.abs(w).max(-1)
    margin = (rest + 4 * size**2 * UNIT * scale + 2 * bent * scale + form.error) * (1 + 1e-9)
    return np.asarray(w[..., which] + margin if which else w[..., which] - margin)
