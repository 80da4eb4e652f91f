"""The value of a quantity at one state, certified: the mechanics run over balls, and the error of every step is known.

The numbers of the arm count exactly as they are written, the state exactly as its floats are. What an extreme is at a
state is a bound of the extreme over every box that holds the state, from inside (`extremes.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from leverarm import mechanics
from leverarm.mechanics import ROWS, Matrix
from leverarm.model import Arm, Mechanism, bind
from leverarm.quantities.arrays import numbers
from leverarm.scalars import BALL, Ball, Scalar, as_ball
from leverarm.verify.enclosures.rigid_chain import effective_mass_axes

Interval = tuple[float, float]
"""Floats below and above a number."""

BITS = 160
"""Of midpoints: what a hundred thousand operations lose stays far below a float's last digit."""
MARGINS = tuple(10.0**-k for k in range(15, 2, -1))
"""How far beyond an eigenvalue its other side is tried: in parts of itself, then of the greatest entry."""


@dataclass(frozen=True, slots=True)
class BallState:
    """An arm over balls at one state; `qd` is empty where speeds do not count."""

    arm: Arm
    mechanism: Mechanism
    q: list[Ball]
    qd: list[Ball]


def ball_state(arm: Arm, state: Mapping[str, Sequence[float]]) -> BallState:
    """The state {"q": ..., "qd": ...} of an arm."""
    return BallState(arm, _over_balls(arm), _balls(arm, "q", state["q"]), _balls(arm, "qd", state.get("qd")))


@lru_cache(maxsize=16)
def _over_balls(arm: Arm) -> Mechanism:
    """The arm over balls, bound once, at the precision of this file."""
    return bind(arm, BALL)


def _balls(arm: Arm, what: str, given: Sequence[float] | None) -> list[Ball]:
    if given is None or len(given) == 0:
        return []
    return [as_ball(x) for x in numbers(f"{what} of arm {arm.name!r}", given, arm.joint_names)]


def mass_matrix(state: BallState) -> Matrix:
    """M(q)."""
    return mechanics.mass_matrix(state.mechanism, state.q)


def gravity(state: BallState) -> list[Scalar]:
    """g(q)."""
    return mechanics.gravity_forces(state.mechanism, state.q)


def velocity_torques(state: BallState) -> list[Scalar]:
    """c(q, qd)."""
    return mechanics.coriolis_torques(state.mechanism, state.q, state.qd)


def mobility(state: BallState) -> Matrix:
    """J M^-1 J^T of the tool's point along the axes that it can move along: the inverse of the effective mass."""
    rows = [ROWS.index(axis) for axis in effective_mass_axes(state.arm)]
    return mechanics.Task.of(state.mechanism, state.q, state.arm.tool, rows).mobility()


def per_square_speed(vector: Iterable[Scalar], state: BallState) -> Interval:
    """The length of a vector that is quadratic in the speeds, at speeds of length one."""
    return (length(vector) / _sum(x * x for x in state.qd)).bounds()


def _sum(terms: Iterable[Scalar]) -> Ball:
    return as_ball(sum(terms, start=0))


def length(vector: Iterable[Scalar]) -> Ball:
    """The root of the sum of squares."""
    return _sum(x * x for x in vector).sqrt()


def eigenvalue(A: Matrix, *, is_greatest: bool) -> Interval:
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


def reciprocal(interval: Interval) -> Interval:
    """The reciprocals of positive numbers; infinite where zero cannot be excluded."""
    low, high = interval
    return math.nextafter(1 / high, 0.0), math.nextafter(1 / low, math.inf) if low > 0 else math.inf


def _greatest_sum(M: Matrix) -> Interval:
    """The greatest sum of sizes in a row, or column: M is symmetric."""
    sums = [_sum(abs(as_ball(x)) for x in row).bounds() for row in M]
    return max(low for low, _ in sums), max(high for _, high in sums)


NORMS: dict[str, Callable[[Matrix], Interval]] = {
    "1": _greatest_sum,
    "inf": _greatest_sum,
    "2": lambda M: eigenvalue(M, is_greatest=True),
    "fro": lambda M: length(x for row in M for x in row).bounds(),
}
