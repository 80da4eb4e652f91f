"""An explicit method with an estimate of its error, and with the motion inside its steps, as numbers and formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from leverarm.compiler.llvm.march_layout import Tableau

Coefficients = list[Any]
"""Of a polynomial, by rising powers of the part of the step that is over."""


@dataclass(frozen=True, slots=True)
class Interpolant:
    """The motion inside a step, over any numbers that know + - * and /.

    At both `nodes`, parts of the step, the rates are taken of the state that `inner(part, h, (x, v, a), (x, v, a))`
    gives from both ends. `integral(h, rates, begin, end)`, with the rates at the begin, the nodes and the end, gives
    velocities and sums; `position(h, speed, begin, end)` gives positions from the coefficients of the velocity.
    """

    nodes: tuple[float, float]
    inner: Callable[..., tuple[Any, Any]]
    integral: Callable[..., Coefficients]
    position: Callable[..., Coefficients]
    value: Callable[[Coefficients, Any], Any]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A method whose last stage is the end of its step, with the weights that tell its error.

    The error of v is h sum error_velocity[j] a_j, that of x is h^2 sum error_position[j] a_j. The sums are measured by
    the largest of them, and may be `sums` times less accurate. The worst entry counts `caution` times what it is.
    """

    tableau: Tableau
    error_velocity: tuple[float, ...]
    error_position: tuple[float, ...]
    sums: float
    caution: float
    interpolant: Interpolant
