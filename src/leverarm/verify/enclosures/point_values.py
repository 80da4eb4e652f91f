"""The value of a quantity at one state, certified: the mechanics run over balls, and the error of every step is known.

The numbers of the arm count exactly as they are written, the state exactly as its floats are. What an extreme is at a
state is a bound of the extreme over every box that holds the state, from inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from leverarm import mechanics
from leverarm.mechanics import ROWS, Matrix
from leverarm.model import Arm, Mechanism, bind
from leverarm.quantities.arrays import numbers
from leverarm.scalars import BALL, Ball, Scalar, as_ball, precision
from leverarm.verify.enclosures.extremes import check_extreme, effective_mass_axes

Interval = tuple[float, float]
"""Floats below and above a number."""

BITS = 160
"""Of midpoints: what a hundred thousand operations lose stays far below a float's last digit."""
MARGINS = tuple(10.0**-k for k in range(15, 2, -1))
"""How far beyond an eigenvalue its other side is tried: in parts of itself, then of the greatest entry."""


def certified_value(arm: Arm, quantity: str, state: Mapping[str, Sequence[float]], norm: str = "2") -> Interval:
    """Floats below and above the value that a quantity (see `extremes.py`) has at a state {"q": ..., "qd": ...}.

    In the quantity's unit; for v_b it is |c(q, qd)| / |qd|^2, and speeds of any length may be given. An effective mass
    may be (something, inf): at a singular pose some direction cannot move. `norm` is that of norm_lower and norm_upper.
    """
    check_extreme(quantity, norm)
    with precision(BITS):
        mechanism = _over_balls(arm)
        q = _state(arm, "q", state["q"])
        match quantity:
            case "mu1" | "mu2":
                return _eigenvalue(mechanics.mass_matrix(mechanism, q), is_greatest=quantity == "mu2")
            case "norm_lower" | "norm_upper":
                return _NORMS[norm](mechanics.mass_matrix(mechanism, q))
            case "g_b":
                return _length(mechanics.gravity_forces(mechanism, q)).bounds()
            case "v_b":
                qd = _state(arm, "qd", state["qd"])
                return (_length(mechanics.coriolis_torques(mechanism, q, qd)) / _sum(x * x for x in qd)).bounds()
            case _:
                rows = [ROWS.index(axis) for axis in effective_mass_axes(arm)]
                mobility = mechanics.Task.of(mechanism, q, arm.tool, rows).mobility()
                return _reciprocal(_eigenvalue(mobility, is_greatest=quantity == "lambda1"))


@lru_cache(maxsize=16)
def _over_balls(arm: Arm) -> Mechanism:
    """The arm over balls, bound once, at the precision of this file."""
    return bind(arm, BALL)


def _state(arm: Arm, what: str, given: Sequence[float]) -> list[Ball]:
    return [as_ball(x) for x in numbers(f"{what} of arm {arm.name!r}", given, arm.joint_names)]


def _sum(terms: Iterable[Scalar]) -> Ball:
    return as_ball(sum(terms, start=0))


def _length(vector: Iterable[Scalar]) -> Ball:
    return _sum(x * x for x in vector).sqrt()


def _eigenvalue(A: Matrix, *, is_greatest: bool) -> Interval:
    """The least or greatest eigenvalue of a symmetric matrix.

    v^T A v / v^T v is never outside the eigenvalues, whatever v is; a nearly right v makes it nearly tight. On the
    other side lies a number s for which s 1 - A (or A - s 1) is positive definite: its pivots are proven positive.
    """
    vectors = np.linalg.eigh(np.array([[float(x) for x in row] for row in A])).eigenvectors
    v = [as_ball(float(x)) for x in vectors[:, -1 if is_greatest else 0]]
    quotient = _sum(a * x * b for row, a in zip(A, v, strict=True) for x, b in zip(row, v, strict=True))
    low, high = (quotient / _sum(a * a for a in v)).bounds()
    sizes = (abs(high), max(abs(float(x)) for row in A for x in row))
    margins = [margin * size for size in sizes for margin in MARGINS]
    if is_greatest:
        return low, next((high + margin for margin in margins if _is_definite(A, high + margin, -1)), math.inf)
    return next((low - margin for margin in margins if _is_definite(A, low - margin, 1)), -math.inf), high


def _is_definite(A: Matrix, s: float, sense: int) -> bool:
    """Whether sense (A - s 1) is proven to be positive definite."""
    shifted = [[sense * (as_ball(x) - (s if i == j else 0)) for j, x in enumerate(row)] for i, row in enumerate(A)]
    return all(pivot.bounds()[0] > 0 for pivot in mechanics.factorise(shifted).D)


def _reciprocal(interval: Interval) -> Interval:
    """The reciprocals of positive numbers; infinite where zero cannot be excluded."""
    low, high = interval
    return math.nextafter(1 / high, 0.0), math.nextafter(1 / low, math.inf) if low > 0 else math.inf


def _greatest_sum(M: Matrix) -> Interval:
    """The greatest sum of sizes in a row, or column: M is symmetric."""
    sums = [_sum(abs(as_ball(x)) for x in row).bounds() for row in M]
    return max(low for low, _ in sums), max(high for _, high in sums)


_NORMS: dict[str, Callable[[Matrix], Interval]] = {
    "1": _greatest_sum,
    "inf": _greatest_sum,
    "2": lambda M: _eigenvalue(M, is_greatest=True),
    "fro": lambda M: _length(x for row in M for x in row).bounds(),
}
