"""The explicit methods as tables of numbers, derived exactly from their Runge-Kutta coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from leverarm.compiler.llvm.march_layout import Tableau

Row = Sequence[Fraction | int]


def runge_kutta(name: str, order: int, a: Sequence[Row], b: Row) -> Tableau:
    """A Runge-Kutta method for x'' = a(t, x, x'): the positions of its stages are those of the velocities, twice."""
    stages = range(len(b))
    positions = [[sum(a[i][m] * a[m][j] for m in stages) for j in stages] for i in stages]
    last = [sum(b[i] * a[i][j] for i in stages) for j in stages]
    nodes = [sum(row) for row in a]
    return Tableau(name, order, _floats(nodes), _table(a), _table(positions), _floats(b), _floats(last))


def _floats(row: Row) -> tuple[float, ...]:
    return tuple(float(x) for x in row)


def _table(rows: Sequence[Row]) -> tuple[tuple[float, ...], ...]:
    return tuple(_floats(row) for row in rows)


F = Fraction
EULER = runge_kutta("euler", 1, [[0]], [1])
"""Both q and qd move by their rates at the start: the difference of the textbooks."""

SEMI_IMPLICIT = Tableau("semi-implicit", 1, (0.0,), ((0.0,),), ((0.0,),), (1.0,), (1.0,))
"""q moves by the new velocity: q + h qd + h^2 qdd."""

HEUN = runge_kutta("heun", 2, [[0, 0], [1, 0]], [F(1, 2), F(1, 2)])
RK4 = runge_kutta(
    "rk4", 4,
    [[0, 0, 0, 0], [F(1, 2), 0, 0, 0], [0, F(1, 2), 0, 0], [0, 0, 1, 0]],
    [F(1, 6), F(1, 3), F(1, 3), F(1, 6)],
)  # fmt: skip

DORMAND_PRINCE = runge_kutta(
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
)  # fmt: skip
"""Dormand and Prince 1980: fifth order; the last stage is the first of the next step."""

FIXED_STEP = {tableau.name: tableau for tableau in (EULER, SEMI_IMPLICIT, HEUN, RK4)}
