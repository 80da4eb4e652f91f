"""Explicit methods as compiled loops take them, derived exactly from their Butcher tableaux."""

from __future__ import annotations

from leverarm.compiler.llvm.march_layout import Tableau
from leverarm.runtime.stepping import EXPLICIT, Row, RungeKutta


def tableau_of(method: RungeKutta) -> Tableau:
    """The method for x'' = a(t, x, x'): the positions of its stages are those of the velocities, integrated again."""
    a, b, stages = method.a, method.b, range(len(method.b))
    positions = [[sum(a[i][m] * a[m][j] for m in stages) for j in stages] for i in stages]
    last = b if method.has_new_velocity else [sum(b[i] * a[i][j] for i in stages) for j in stages]
    velocities, places = (tuple(_floats(row) for row in rows) for rows in (a, positions))
    return Tableau(
        method.name, method.order, _floats([sum(row) for row in a]), velocities, places, _floats(b), _floats(last)
    )


def _floats(row: Row) -> tuple[float, ...]:
    return tuple(float(x) for x in row)


FIXED_STEP = {name: tableau_of(method) for name, method in EXPLICIT.items()}
"""The methods with a fixed step."""
