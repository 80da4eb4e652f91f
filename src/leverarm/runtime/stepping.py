"""The explicit integrators: exact coefficients, and one step over any scalar with constant forces.

To add one, add an entry to `EXPLICIT`: `step`, `la.simulate` and `la.rollout` read this table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from fractions import Fraction as F
from math import lcm

from leverarm.compiler.llvm.march_layout import Tableau
from leverarm.scalars import Scalar, divide

State = tuple[list[Scalar], list[Scalar]]
Accelerations = Callable[[Sequence[Scalar], Sequence[Scalar]], list[Scalar]]
"""qdd at (q, qd)."""

Row = Sequence[Fraction | int]


@dataclass(frozen=True, slots=True)
class RungeKutta:
    """A Butcher tableau for y' = f(y): k_i = f(y + h sum_j a[i][j] k_j), and the step ends at y + h sum_j b[j] k_j.

    With `has_new_velocity`, q moves by the velocity at the end of the step in place of those of the stages.
    """

    name: str
    order: int
    a: Sequence[Row]
    b: Row
    has_new_velocity: bool = False
    remark: str = ""

    @property
    def tableau(self) -> Tableau:
        """The method for x'' = a(t, x, x'): where its stages are in x is where they are in v, integrated once more."""
        a, b, stages = self.a, self.b, range(len(self.b))
        positions = [[sum(a[i][m] * a[m][j] for m in stages) for j in stages] for i in stages]
        last = b if self.has_new_velocity else [sum(b[i] * a[i][j] for i in stages) for j in stages]
        velocities, places = (tuple(map(_floats, rows)) for rows in (a, positions))
        nodes = _floats([sum(row) for row in a])
        return Tableau(self.name, self.order, nodes, velocities, places, _floats(b), _floats(last))


def _floats(row: Row) -> tuple[float, ...]:
    return tuple(float(x) for x in row)


EXPLICIT = {
    method.name: method
    for method in (
        RungeKutta("euler", 1, [[0]], [1], remark="q[k+1] = q[k] + h qd[k], qd likewise"),
        RungeKutta("semi-implicit", 1, [[0]], [1], has_new_velocity=True,
                   remark="q moves by the new velocity, qd[k+1]"),
        RungeKutta("heun", 2, [[0, 0], [1, 0]], [F(1, 2), F(1, 2)]),
        RungeKutta(
            "rk4", 4,
            [[0, 0, 0, 0], [F(1, 2), 0, 0, 0], [0, F(1, 2), 0, 0], [0, 0, 1, 0]],
            [F(1, 6), F(1, 3), F(1, 3), F(1, 6)],
        ),
    )
}  # fmt: skip
"""The explicit fixed-step methods by name."""


def step(method: RungeKutta, qdd: Accelerations, q: Sequence[Scalar], qd: Sequence[Scalar], h: Scalar) -> State:
    """q and qd one step of length h later."""
    velocities: list[list[Scalar]] = []
    accelerations: list[list[Scalar]] = []
    for row in method.a:
        at, speed = _moved(q, velocities, row, h), _moved(qd, accelerations, row, h)
        velocities.append(speed)
        accelerations.append(qdd(at, speed))
    after = _moved(qd, accelerations, method.b, h)
    return _moved(q, [after], [1], h) if method.has_new_velocity else _moved(q, velocities, method.b, h), after


def _moved(x: Sequence[Scalar], rates: Sequence[Sequence[Scalar]], weights: Row, h: Scalar) -> list[Scalar]:
    """x + h sum weights[j] rates[j], the weights over a common denominator: integers are exact in any scalar."""
    used = [(Fraction(weight), rate) for weight, rate in zip(weights, rates, strict=False) if weight]
    if not used:
        return list(x)
    common = lcm(*(weight.denominator for weight, _ in used))
    length = h if common == 1 else divide(h, common)
    moved = []
    for k, begin in enumerate(x):
        first, *others = (rate[k] if w * common == 1 else int(w * common) * rate[k] for w, rate in used)
        moved.append(begin + sum(others, start=first) * length)
    return moved
