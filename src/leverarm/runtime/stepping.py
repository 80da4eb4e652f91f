"""One step in time, written over any scalar, with the forces held constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from leverarm.scalars import Scalar, divide

State = tuple[list[Scalar], list[Scalar]]
Accelerations = Callable[[Sequence[Scalar], Sequence[Scalar]], list[Scalar]]
"""qdd at (q, qd)."""


def _moved(x: Sequence[Scalar], rate: Sequence[Scalar], h: Scalar) -> list[Scalar]:
    return [a + b * h for a, b in zip(x, rate, strict=True)]


def euler(qdd: Accelerations, q: Sequence[Scalar], qd: Sequence[Scalar], h: Scalar) -> State:
    """The explicit Euler step: both q and qd move by their rates at the start. First order."""
    return _moved(q, qd, h), _moved(qd, qdd(q, qd), h)


def semi_implicit(qdd: Accelerations, q: Sequence[Scalar], qd: Sequence[Scalar], h: Scalar) -> State:
    """The semi-implicit Euler step: q moves by the new velocity. First order, no energy drift without friction."""
    after = _moved(qd, qdd(q, qd), h)
    return _moved(q, after, h), after


def rk4(qdd: Accelerations, q: Sequence[Scalar], qd: Sequence[Scalar], h: Scalar) -> State:
    """The classical Runge-Kutta step. Fourth order."""
    half_step, sixth = divide(h, 2), divide(h, 6)
    rates = [(list(qd), qdd(q, qd))]
    for part in (half_step, half_step, h):
        v, a = rates[-1]
        at_v = _moved(qd, a, part)
        rates.append((at_v, qdd(_moved(q, v, part), at_v)))

    def weighted(k: int) -> list[Scalar]:
        return [a + 2 * b + 2 * c + d for a, b, c, d in zip(*(rate[k] for rate in rates), strict=True)]

    return _moved(q, weighted(0), sixth), _moved(qd, weighted(1), sixth)


STEPS = {"semi-implicit": semi_implicit, "euler": euler, "rk4": rk4}
