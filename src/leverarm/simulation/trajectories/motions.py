"""Motions in any form (a run, a signal, arrays) as rows of positions, velocities and accelerations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals import Signal
from leverarm.control.signals.checked import increasing_times, positive, rows_in_time
from leverarm.control.signals.pieces import polynomial_signal
from leverarm.control.signals.splines import hermite_coefficients, smoothest_derivatives
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.simulation.trajectories.records import Records, resampled
from leverarm.simulation.trajectories.trajectory import Trajectory

Motion = Trajectory | Signal | Sequence[ArrayLike]
"""A run, a function of time, or arrays (t, q), (t, q, qd), (t, q, qd, qdd)."""

State = tuple[Array, Array, Array]
"""q, qd and qdd, (N, n) each."""

MOST_ROWS = 10**8


@dataclass(frozen=True, slots=True, eq=False)
class MotionRows:
    """The motion at its rows, t (N,) and q, qd, qdd (N, n), and how to evaluate it in between.

    `knots` are times between which the motion is smooth. `is_function` is False where it is only known by
    interpolation of rows. `derivatives` describes where qd and qdd come from.
    """

    t: Array
    q: Array
    qd: Array
    qdd: Array
    between: Callable[[Array], State]
    knots: Array
    is_function: bool
    derivatives: str

    def faster(self, speed: float) -> MotionRows:
        """The same path `speed` times as fast, from the same time on."""
        start = self.t[0]

        def between(times: Array) -> State:
            # a clock that was stretched and is turned back may round to just after the end
            q, qd, qdd = self.between(np.minimum(start + (times - start) * speed, self.t[-1]))
            return q, qd * speed, qdd * speed**2

        t, knots = start + (self.t - start) / speed, start + (self.knots - start) / speed
        scaled = (self.q, self.qd * speed, self.qdd * speed**2)
        return MotionRows(t, *scaled, between, knots, self.is_function, self.derivatives)


def motion_rows(arm: Arm, motion: Motion, rate: float = 1000.0, times: ArrayLike | None = None) -> MotionRows:
    """The rows of a recorded motion as they are; a signal from start to end, `rate` rows per second [1/s].

    `times` [s] selects other rows: every motion can be evaluated between its own.
    """
    if not isinstance(arm, Arm):
        raise InputError(f"{arm!r} was given to be moved; an arm is needed, as from la.load('elbow').")
    asked = None if times is None else _sorted_times(times)
    if isinstance(motion, Signal):
        signal = motion.of_size(arm.dof, f"the motion of arm {arm.name!r}")
        if signal.rows.ndim != 2:
            raise InputError(
                f"the motion is a signal for {signal.rows.shape[0]} environments; give that of one environment."
            )
        return _of_signal(signal, _even_times(signal, rate) if asked is None else asked, "those of the signal")
    if isinstance(motion, Trajectory):
        arrays = (motion.t, motion.q, motion.qd, motion.qdd)
        return _of_arrays(arm, arrays[: 4 if np.isfinite(motion.qdd).all() else 3], asked)
    return _of_arrays(arm, motion, asked)


def span(signal: Signal) -> tuple[float, float]:
    """When a signal begins and ends to move [s]: pieces at its ends that only hold a value do not count.

    A Fourier series has one period.
    """
    begins, form = signal.begins, signal.form
    if form.kind == "fourier":
        period = 2 * math.pi / float(signal.rows[..., 0, 1].flat[0])
        return float(begins[0]), float(begins[-1]) + period
    leads_in = len(begins) > 1 and not signal.rows[..., 0, 1 + form.size :].any()
    start = signal.known[0] if math.isfinite(signal.known[0]) else begins[1 if leads_in else 0]
    end = signal.known[1] if math.isfinite(signal.known[1]) else begins[-1]
    if not start < end:
        raise InputError(
            f"the motion is a signal of one piece, from t = {float(start):g} s on without end. Give the times to "
            "evaluate it at: times=[...], in seconds."
        )
    return float(start), float(end)


def _even_times(signal: Signal, rate: float) -> Array:
    start, end = span(signal)
    per_second = positive("rate", rate, "rows a second")
    if (end - start) * per_second > MOST_ROWS:
        raise InputError(
            f"rate = {per_second:g} rows a second gives more than 1e8 rows in {end - start:g} s; lower it."
        )
    steps = math.floor((end - start) * per_second * (1 + 1e-12))
    even = start + np.arange(steps + 1) / per_second
    return np.append(even[even < end - 1e-9 / per_second], end)


def _of_signal(signal: Signal, t: Array, derivatives: str) -> MotionRows:
    def between(times: Array) -> State:
        moment = signal.at(times)
        return moment.value, moment.rate, moment.acceleration

    inside = signal.begins[(signal.begins > t[0]) & (signal.begins < t[-1])]
    return MotionRows(t, *between(t), between, np.union1d(t, inside), True, derivatives)


def _of_arrays(arm: Arm, given: Sequence[ArrayLike], asked: Array | None) -> MotionRows:
    if not isinstance(given, Sequence) or not 2 <= len(given) <= 4:
        raise InputError(
            f"the motion of arm {arm.name!r}: {type(given).__name__} was given. It takes a Trajectory, a Signal, or "
            "arrays (t, q), (t, q, qd) or (t, q, qd, qdd), one row per time."
        )
    t = _sorted_times(given[0])
    arrays = [_per_joint(arm, name, rows, t) for name, rows in zip(("q", "qd", "qdd"), given[1:], strict=False)]
    if len(arrays) < 3:
        increasing_times("the motion", t)
    if len(arrays) == 1:
        return _of_signal(spline(t, arrays[0]), t if asked is None else asked, "qd and qdd by a cubic spline of q")
    derivatives = "as given"
    if len(arrays) == 2:
        arrays.append(spline(t, arrays[1]).at(t).rate)
        derivatives = "qdd by a cubic spline of qd"
    q, qd, qdd = arrays
    nothing = np.zeros_like(t)
    records = Records(t, q, qd, qdd, np.zeros_like(q), nothing, nothing, {}, np.zeros(q.shape, dtype=bool))

    def between(times: Array) -> State:
        at = resampled(records, times)
        return at.q, at.qd, at.qdd

    if asked is None:
        return MotionRows(t, q, qd, qdd, between, np.unique(t), False, derivatives)
    inside = t[(t > asked[0]) & (t < asked[-1])]
    return MotionRows(asked, *between(asked), between, np.union1d(asked, inside), False, derivatives)


def spline(t: Array, x: Array) -> Signal:
    """The cubic spline through rows x (K, n) at times t [s], known from the first to the last of them.

    Its velocities at the ends are those of the polynomial through the five rows there: a natural spline would have no
    acceleration at its ends, which a recorded motion has.
    """
    ends = np.zeros_like(x)
    near = min(5, len(t))
    ends[0], ends[-1] = _end_slope(t[:near], x[:near]), _end_slope(t[::-1][:near], x[::-1][:near])
    fixed = np.zeros((len(t), 1), dtype=bool)
    fixed[[0, -1]] = True
    slopes = smoothest_derivatives(t, x, [ends], fixed)
    return polynomial_signal(t[:-1], hermite_coefficients(t, x, slopes), known=(float(t[0]), float(t[-1])))


def _end_slope(t: Array, x: Array) -> Array:
    """The slope at t[0] of the polynomial through all the points, by its Newton form's divided differences."""
    differences, slope, product = x.copy(), np.zeros(x.shape[1]), 1.0
    for k in range(1, len(t)):
        differences = np.diff(differences, axis=0) / (t[k:] - t[:-k])[:, None]
        slope = slope + product * differences[0]
        product *= float(t[0] - t[k])
    return slope


def _sorted_times(given: ArrayLike) -> Array:
    try:
        t = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"times: {given!r} is not a list of numbers; give times in seconds.") from None
    if t.ndim != 1 or len(t) < 2 or not np.isfinite(t).all() or not (np.diff(t) >= 0).all() or not t[0] < t[-1]:
        raise InputError(f"times of shape {t.shape} were given; a motion takes two or more sorted times in seconds.")
    return t


def _per_joint(arm: Arm, name: str, given: ArrayLike, t: Array) -> Array:
    array = rows_in_time(f"{name} of arm {arm.name!r}", given, t)
    if array.shape != (len(t), arm.dof):
        raise InputError(
            f"{name} of arm {arm.name!r} has shape {array.shape}; it takes ({len(t)}, {arm.dof}): one row per time, "
            f"one column for each of {', '.join(arm.joint_names)}."
        )
    return array
