"""Upper and lower bounds of symmetric matrices in the Loewner order, with rounding accounted for.

A <= B means that B - A has no negative eigenvalue. A form is kept as floats and one number, its error: the true form
differs from the floats by at most that in the spectral norm. What LAPACK finds is never trusted: eigenvectors and
factors only say which bound is tried, and that it is one is seen from products of matrices, whose rounding is known (N.
J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.5).

While one joint moves within its range, a turn by d makes a form a trigonometric polynomial of d, a shift an ordinary
one. Both are split into the middle of the range, an odd part, an even part, and a rest that shrinks with the third
power of the range. So bounds tighten with its square.
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


WIDE = {2: 2.2, 4: 1.0}
"""From this half range on [rad], by degree, a turn is treated as a whole one."""


class Moved(NamedTuple):
    """Forms that all forms of a range stay below (or above), how far they lie off the middle, and their rounding."""

    bound: Array
    width: Array
    rounding: Array


def turn_nodes(degree: int) -> Array:
    """The angles at which a form is sampled to find its harmonics."""
    return np.arange(2 * degree + 1) * (2 * np.pi / (2 * degree + 1))


def turned_within(form: Array, turns: Array, half_range: Array, metric: Metric, sign: int) -> Moved:
    """Of R(d)^T A R(d) for |d| <= half_range: an upper bound for sign 1, a lower one for -1.

    `turns` are R at the `turn_nodes`.
    """
    cosines, sines, rounding = _harmonics(form, turns)
    degree = len(sines)
    whole = half_range >= WIDE[degree]
    middle, width, error = np.empty_like(form), np.empty_like(form), np.empty_like(half_range)
    for chosen, bounded in ((whole, _whole_turn), (~whole, _part_of_a_turn)):
        if chosen.any():
            part = bounded(
                [c[chosen] for c in cosines], [s[chosen] for s in sines], half_range[chosen],
                Metric(*(part[chosen] for part in metric)),
            )  # fmt: skip
            middle[chosen], width[chosen], error[chosen] = part
    return Moved(middle + sign * width, width, rounding + error)


def shifted_within(form: Array, step: Array, half_range: Array, metric: Metric, sign: int) -> Moved:
    """Of (1 + d step)^T A (1 + d step) for |d| <= half_range: A, d times a slope, and d^2 times a curve."""
    h = half_range[:, None, None]
    slope = form @ step
    slope = slope + np.swapaxes(slope, -1, -2)
    curve = step.T @ form @ step
    width = absolute(h * slope, metric) + absolute(h * h / 2 * curve, metric)
    middle = form + h * h / 2 * curve
    stretch = (1 + half_range * spectral(step)) ** 2
    rounding = (8 * len(step) * UNIT + 4 * DATA) * stretch * norm(form) + 8 * UNIT * (norm(middle) + norm(width))
    return Moved(middle + sign * width, width, rounding)


def _harmonics(form: Array, turns: Array) -> tuple[list[Array], list[Array], Array]:
    """R(d)^T A R(d) = sum of cosines[k] cos(k d) + sines[k] sin(k d); sines start at k = 1."""
    nodes = len(turns)
    degree = nodes // 2
    angles = turn_nodes(degree)
    values = np.swapaxes(turns, -1, -2) @ form[:, None] @ turns
    cosines = [
        np.einsum("i,bi...->b...", np.cos(k * angles) * (2 if k else 1) / nodes, values) for k in range(degree + 1)
    ]
    sines = [np.einsum("i,bi...->b...", np.sin(k * angles) * 2 / nodes, values) for k in range(1, degree + 1)]
    size = form.shape[-1]
    # each harmonic is twice a mean of values, each of two products of matrices of this size with a turn that is data;
    # |R| has a norm of no more than 3, also where it is that of W' = R^T W R
    rounding = 2 * nodes * (18 * size * UNIT + 4 * nodes * UNIT + 6 * DATA) * norm(form)
    return [_symmetric(c) for c in cosines], [_symmetric(s) for s in sines], rounding


def _symmetric(A: Array) -> Array:
    return (A + np.swapaxes(A, -1, -2)) / 2


Part = tuple[Array, Array, Array]
"""The middle, the width around it, and the error."""


def _whole_turn(cosines: list[Array], sines: list[Array], half_range: Array, metric: Metric) -> Part:
    """Each harmonic goes round its own circle."""
    rounds = [around(c, s, metric) for c, s in zip(cosines[1:], sines, strict=True)]
    width = np.sum(rounds, axis=0)
    return cosines[0], width, 16 * UNIT * norm(width)


def _part_of_a_turn(cosines: list[Array], sines: list[Array], half_range: Array, metric: Metric) -> Part:
    """With u = cos d in [cos h, 1], u = m + r e, and sin d = s t, where |e|, |t| <= 1.

    cos(k d) is a polynomial of u: its values around a_k + b_k e are off by less than p_k; sin(k d) / sin d is one too,
    around c_k, off by less than q_k.
    """
    h = np.minimum(half_range, np.pi)[:, None, None]
    m, r = (1 + np.cos(h)) / 2, (1 - np.cos(h)) / 2
    s = np.where(h < np.pi / 2, np.sin(np.minimum(h, np.pi / 2)), 1.0)
    even, odd = _cosine_polynomials(m, r), _sine_polynomials(m, r)
    middle = cosines[0] + np.sum([a * A for (a, _, _), A in zip(even, cosines[1:], strict=False)], axis=0)
    along = np.sum([b * A for (_, b, _), A in zip(even, cosines[1:], strict=False)], axis=0)
    across = s * np.sum([c * A for (c, _), A in zip(odd, sines, strict=False)], axis=0)
    rest = [p * A for (_, _, p), A in zip(even[1:], cosines[2:], strict=False)]
    rest += [s * q * A for (_, q), A in zip(odd[1:], sines[1:], strict=False)]
    width = absolute(across, metric) + absolute(along, metric) + with_any_signs(rest, metric)
    # cos h and sin h are off by a few units, their fourth multiples by 16 times that
    rounding = 512 * UNIT * (norm(middle) + norm(width) + sum(norm(A) for A in (*cosines, *sines)))
    return middle, width, rounding


def _cosine_polynomials(m: Array, r: Array) -> list[tuple[Array, Array, Array]]:
    """a, b, p of cos(k d) for k = 1 to 4, from the Chebyshev polynomials at m + r e."""
    square = 48 * m**2 * r**2 - 8 * r**2
    return [
        (m, r, 0 * r),
        (2 * m**2 - 1 + r**2, 4 * m * r, r**2),
        (4 * m**3 - 3 * m + 6 * m * r**2, 12 * m**2 * r - 3 * r, 6 * np.abs(m) * r**2 + 4 * r**3),
        (
            8 * m**4 - 8 * m**2 + 1 + square / 2 + 4 * r**4, 32 * m**3 * r - 16 * m * r,
            np.abs(square) / 2 + 32 * np.abs(m) * r**3 + 4 * r**4,
        ),
    ]  # fmt: skip


def _sine_polynomials(m: Array, r: Array) -> list[tuple[Array, Array]]:
    """c, q of sin(k d) / sin d for k = 1 to 4."""
    return [
        (1 + 0 * m, 0 * r),
        (2 * m, 2 * r),
        (4 * m**2 - 1 + 2 * r**2, 8 * np.abs(m) * r + 2 * r**2),
        (8 * m**3 - 4 * m + 12 * m * r**2, np.abs(24 * m**2 * r - 4 * r) + 12 * np.abs(m) * r**2 + 8 * r**3),
    ]
