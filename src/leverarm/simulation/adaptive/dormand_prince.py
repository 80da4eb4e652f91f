"""The Dormand-Prince method: its coefficients, its error estimate, and its dense output.

The usual free interpolant is of fourth order, too little for steps of fifth. Here the acceleration is evaluated at both
ends and at one and two thirds of the step, at the states of the quintic through q, qd and qdd of both ends. The
polynomial of fifth degree with these accelerations and both velocities gives qd to O(h^6), like the step itself; q is
its integral, and the energy sums follow from their powers in the same way. Neighbouring steps share q, qd and qdd.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any

from leverarm.compiler.llvm.embedded_step import Coefficients, Embedded, Interpolant
from leverarm.runtime.stepping import RungeKutta

DORMAND_PRINCE = RungeKutta(
    "dormand-prince", 5,
    [
        [0, 0, 0, 0, 0, 0, 0],
        [F(1, 5), 0, 0, 0, 0, 0, 0],
        [F(3, 40), F(9, 40), 0, 0, 0, 0, 0],
        [F(44, 45), F(-56, 15), F(32, 9), 0, 0, 0, 0],
        [F(19372, 6561), F(-25360, 2187), F(64448, 6561), F(-212, 729), 0, 0, 0],
        [F(9017, 3168), F(-355, 33), F(46732, 5247), F(49, 176), F(-5103, 18656), 0, 0],
        [F(35, 384), 0, F(500, 1113), F(125, 192), F(-2187, 6784), F(11, 84), 0],
    ],
    [F(35, 384), 0, F(500, 1113), F(125, 192), F(-2187, 6784), F(11, 84), 0],
).tableau  # fmt: skip
"""Dormand and Prince 1980: fifth order; the last stage is the first of the next step."""

CAUTION = 3.0
"""Safety factor on the error estimate of a step's worst entry. Of free falls of 5 s whose errors grow less than a
thousandfold, all are then accurate to 1e-8 at rtol 1e-10; with the plain mean over all entries, three in four are."""

SUMS = 10.0
"""How much less accurate the energies of the balance may be than the motion."""

_DIFFERENCE = [F(71, 57600), F(0), F(-71, 16695), F(71, 1920), F(-17253, 339200), F(22, 525), F(-1, 40)]
"""The weights of order five minus those of order four, for the error estimate."""

_THROUGH_NODES = [
    [F(x, 2) for x in row] for row in ([2, 0, 0, 0], [-11, 18, -9, 2], [18, -45, 36, -9], [-9, 27, -27, 9])
]
"""The coefficients, by rising powers, of the cubic through values at 0, 1/3, 2/3 and 1."""

_BETWEEN_NODES = [F(0), F(-2, 9), F(11, 9), F(-2), F(1)]
"""theta (theta - 1/3) (theta - 2/3) (theta - 1): zero at all nodes."""

_WHOLE = sum(x / (k + 1) for k, x in enumerate(_BETWEEN_NODES))
"""Its integral over the step."""

_SOFT = (0.0, 0.0, 0.0, 10.0, -15.0, 6.0, 0.0)
"""From 0 to 1 with zero slope and curvature at both ends."""


def quintic(part: float, h: Any, begin: Sequence[Any], end: Sequence[Any]) -> tuple[Any, Any]:
    """q and qd at a part of the step by the quintic through (q, qd, qdd) at both ends."""
    q0, q1 = begin[0], end[0]
    v0, v1 = h * begin[1], h * end[1]
    a0, a1 = h * h * begin[2], h * h * end[2]
    gone, faster, more = q1 - q0 - v0 - a0 * 0.5, v1 - v0 - a0, a1 - a0
    c3 = 10.0 * gone - 4.0 * faster + more * 0.5
    c4 = 7.0 * faster - 15.0 * gone - more
    c5 = 6.0 * gone - 3.0 * faster + more * 0.5
    q = q0 + part * (v0 + part * (a0 * 0.5 + part * (c3 + part * (c4 + part * c5))))
    return q, (v0 + part * (a0 + part * (3.0 * c3 + part * (4.0 * c4 + part * (5.0 * c5))))) / h


_CUBIC = [[(j, float(x / (k + 1))) for j, x in enumerate(row) if x] for k, row in enumerate(_THROUGH_NODES)]
_LIFT = [float(x / (k + 1) / _WHOLE) for k, x in enumerate(_BETWEEN_NODES)]
"""Both integrated, so that the coefficient of each is that of the power after."""


def integral(h: Any, rates: Sequence[Any], begin: Any, end: Any) -> Coefficients:
    """The polynomial of fifth degree with these ends and, at the four nodes, these slopes; by rising powers."""
    slopes = [h * rate for rate in rates]
    cubic = []
    for row in _CUBIC:
        terms = [slopes[j] * weight for j, weight in row]
        cubic.append(sum(terms[1:], start=terms[0]))
    missing = end - begin - sum(cubic[1:], start=cubic[0])
    lifted = [c + missing * lift for c, lift in zip(cubic[1:], _LIFT[1:4], strict=True)]
    return [begin, cubic[0], *lifted, missing * _LIFT[4]]


def position(h: Any, speed: Coefficients, begin: Any, end: Any) -> Coefficients:
    """The integral of a velocity from `begin`, corrected smoothly to meet `end`; by rising powers."""
    curve = [begin, *((h * c) * (1 / (k + 1)) for k, c in enumerate(speed))]
    missing = end - sum(curve[1:], start=curve[0])
    return [c + missing * soft if soft else c for c, soft in zip(curve, _SOFT, strict=True)]


def value(curve: Coefficients, part: Any) -> Any:
    """A polynomial by rising powers at a part of the step."""
    total = curve[-1]
    for coefficient in curve[-2::-1]:
        total = total * part + coefficient
    return total


def _of_positions(weights: Sequence[float]) -> tuple[float, ...]:
    """The weights of accelerations in x where these are the weights of stages in v."""
    rows = DORMAND_PRINCE.velocities
    return tuple(sum(w * row[j] for w, row in zip(weights, rows, strict=True)) for j in range(len(weights)))


_ERROR = tuple(float(x) for x in _DIFFERENCE)
METHOD = Embedded(
    DORMAND_PRINCE,
    _ERROR,
    _of_positions(_ERROR),
    SUMS,
    CAUTION,
    Interpolant((1 / 3, 2 / 3), quintic, integral, position, value),
)
"""Everything that the adaptive method compiles."""
