"""What a form can become while one joint moves within its range: bounds in the Loewner order.

A turn by d makes a form a trigonometric polynomial of d, a shift by d an ordinary one. Both are split into what they
are in the middle of the range, a part that is odd in d, a part that is even, and what is left, which shrinks with the
third power of the range. So bounds tighten with its square.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from leverarm.verify.enclosures.loewner import DATA, UNIT, Metric, absolute, around, norm, spectral, with_any_signs
from leverarm.verify.enclosures.rigid_chain import Array

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
