"""A motion between its rows: quintic Hermite interpolation through positions, velocities and accelerations."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.simulation.trajectories.records import Records

EPS = float(np.finfo(np.float64).eps)
MOST_ROWS = 10**9


def evenly_spaced(records: Records, rate: float) -> Array:
    """Times from the first to the last row, `rate` of them a second [1/s]."""
    if isinstance(rate, bool) or not isinstance(rate, int | float | np.number) or not 0 < rate < np.inf:
        raise InputError(f"rate = {rate!r} rows a second; it must be a positive number, such as 100.")
    start, end = float(records.t[0]), float(records.t[-1])
    steps = np.floor((end - start) * float(rate) * (1 + 4 * EPS))
    if steps >= MOST_ROWS:
        raise InputError(f"rate = {rate!r} gives {steps:.0f} rows over {end - start:g} s; ask for fewer than 1e9.")
    # the last one may round to just after the end
    return np.minimum(start + np.arange(int(steps) + 1) / float(rate), end)


def resampled(records: Records, times: ArrayLike) -> Records:
    """The run at other times, which must lie within it: nothing is extrapolated.

    In each interval q is the polynomial of degree 5 that has q, qd and qdd of both its rows; qd and qdd are its
    derivatives. Torques, energies and works are linear between rows, so that the energy balance is unchanged. A
    row's own time gives that row (the last one at that time). `held` is that of the row before.
    """
    at = _checked(records, times)
    left = np.searchsorted(records.t, at, side="right") - 1
    right = np.minimum(left + 1, len(records) - 1)
    h = records.t[right] - records.t[left]
    u = np.divide(at - records.t[left], h, out=np.zeros_like(at), where=h > 0)

    def linear(values: Array) -> Array:
        part = u if values.ndim == 1 else u[:, None]
        return np.asarray(values[left] + part * (values[right] - values[left]))

    return Records(
        at,
        *_motion(records, left, right, h[:, None], u[:, None]),
        tau=linear(records.tau),
        kinetic=linear(records.kinetic),
        potential=linear(records.potential),
        works={name: linear(work) for name, work in records.works.items()},
        held=records.held[left],
    )


def _checked(records: Records, times: ArrayLike) -> Array:
    try:
        at = np.array(times, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"times = {times!r} is not a list of numbers; give times in seconds.") from None
    if at.ndim != 1 or not at.size or not (np.diff(at) >= 0).all():
        raise InputError(f"times of shape {at.shape} were given; give one or more times [s], sorted, as one list.")
    start, end = float(records.t[0]), float(records.t[-1])
    outside = at[~((at >= start) & (at <= end))]
    if outside.size:
        raise InputError(
            f"t = {float(outside[0])!r} s is outside of the run, which lasts from {start!r} to {end!r} s. "
            "Ask for times within it: nothing is extrapolated."
        )
    return at


def _motion(records: Records, left: np.ndarray, right: np.ndarray, h: Array, u: Array) -> tuple[Array, Array, Array]:
    """q, qd, qdd at u = (t - t_left) / h.

    The polynomial is written as a sum of what each of three levels adds. The lowest one has a linear qdd. F is what the
    change of velocity differs from that: u^3 - u^4/2 adds it to h qd and leaves qdd at the ends. E is what the change
    of position still differs: u^3 (10 - 15 u + 6 u^2) adds it and leaves qd and qdd at the ends. Rounding makes E as
    wrong as q is, which qdd sees divided by h^2: so the derivatives take F and E only where they are larger than their
    own rounding errors, and short intervals stay smooth.
    """
    q0, q1 = records.q[left], records.q[right]
    step = np.where(h > 0, h, 1.0)
    v0, v1 = step * records.qd[left], step * records.qd[right]
    a0, a1 = step * step * records.qdd[left], step * step * records.qdd[right]
    speeds, turns = np.abs(v0) + np.abs(v1), np.abs(a0) + np.abs(a1)
    clock = EPS * (1 + np.abs(records.t[right])[:, None] / step)  # how well h is known
    jump = a1 - a0
    F = v1 - v0 - a0 - jump / 2
    F = np.where(np.abs(F) > 4 * (EPS * speeds + clock * turns), F, 0.0)
    E = q1 - q0 - v0 - a0 / 2 - jump / 6 - F / 2
    q = q0 + u * (v0 + u * (a0 / 2 + u * (jump / 6 + F * (1 - u / 2) + E * (10 + u * (6 * u - 15)))))
    E = np.where(np.abs(E) > 4 * (EPS * (np.abs(q0) + np.abs(q1)) + clock * speeds), E, 0.0)
    qd = (v0 + u * (a0 + u * (jump / 2 + F * (3 - 2 * u) + E * (30 + u * (30 * u - 60))))) / step
    qdd = (a0 + u * (jump + 6 * F * (1 - u) + E * (60 + u * (120 * u - 180)))) / (step * step)
    rows = ((records.q, q), (records.qd, qd), (records.qdd, qdd))
    at_q, at_qd, at_qdd = (np.where(u == 0, values[left], between) for values, between in rows)
    return at_q, at_qd, at_qdd
