"""The same signal later, slower or faster."""

from __future__ import annotations

from dataclasses import replace

from leverarm.signals.checked import number, positive
from leverarm.signals.signal import Signal


def shifted(signal: Signal, dt: float) -> Signal:
    """The signal dt seconds later: its value at t is what it was at t - dt.

    >>> from leverarm.signals import table
    >>> shifted(table([0, 1], [0.0, 4.0]), 10).at(10.5).value
    array([2.])
    """
    delay = number("shifted: dt", dt)
    rows = signal.rows.copy()
    rows[..., 0] += delay
    return replace(
        signal, begins=signal.begins + delay, rows=rows, known=(signal.known[0] + delay, signal.known[1] + delay)
    )


def scaled_in_time(signal: Signal, factor: float) -> Signal:
    """The signal `factor` times slower: its value at t is what it was at t / factor.

    Rates fall by the factor, accelerations by its square: this is how a motion is made to fit its limits.

    >>> from leverarm.signals import cubic
    >>> scaled_in_time(cubic([[0.0], [1.0]], [0, 1]), 2).at(1.0)
    Moment(value=array([0.5]), rate=array([0.75]), acceleration=array([0.]))
    """
    slower = positive("scaled_in_time: factor", factor, "(a ratio of times)")
    form = signal.form
    rows = signal.rows.copy()
    rows[..., 0] *= slower
    if form.kind == "fourier":
        rows[..., 1] /= slower
    else:
        for k in range(1, form.terms):
            rows[..., 1 + k * form.size : 1 + (k + 1) * form.size] /= slower**k
    known = (signal.known[0] * slower, signal.known[1] * slower)
    return replace(signal, begins=signal.begins * slower, rows=rows, known=known)
