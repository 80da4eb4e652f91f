"""Signals from polynomial pieces, and signals shifted or scaled in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals.checked import number, positive, vector
from leverarm.control.signals.signal import ALWAYS, Form, Signal
from leverarm.errors import InputError


def constant(values: ArrayLike) -> Signal:
    """One value per coordinate at all times; with more axes, one such row per environment.

    >>> constant([1.0, 2.0]).at(5.0).value
    array([1., 2.])
    """
    return polynomial_signal(np.zeros(1), [vector("constant: values", values)[..., None, :]])


def polynomial_signal(
    begins: Array,
    coefficients: Sequence[Array],
    before: Array | None = None,
    after: tuple[float, Array] | None = None,
    known: tuple[float, float] = ALWAYS,
) -> Signal:
    """The signal of S pieces with coefficients c_0, c_1, ..., each (..., S, n).

    `before` is a value (..., n) held until the first piece starts, `after` a time and the value to hold from then on.
    """
    size = coefficients[0].shape[-1]
    form = Form("polynomial", size, len(coefficients))
    lead = int(before is not None)
    inner = slice(lead, lead + len(begins))
    rows = np.zeros((*coefficients[0].shape[:-2], inner.stop + (after is not None), form.width))
    rows[..., inner, 0] = begins
    for k, c in enumerate(coefficients):
        rows[..., inner, 1 + k * size : 1 + (k + 1) * size] = c
    if before is not None:
        # Any earlier time will do: the first piece also applies before its start.
        rows[..., 0, 0] = begins[0] - max(1.0, abs(begins[0]))
        rows[..., 0, 1 : 1 + size] = before
    if after is not None:
        rows[..., -1, 0] = after[0]
        rows[..., -1, 1 : 1 + size] = after[1]
    if not np.isfinite(rows).all():
        raise InputError(
            "a signal leaves the range of floats (1e308) between two of its times. Give smaller values, or times that "
            "are further apart."
        )
    every = rows.reshape(-1, *rows.shape[-2:])[0, :, 0].copy()
    return Signal(form, every, rows, known)


def shifted(signal: Signal, dt: float) -> Signal:
    """The signal dt seconds later: its value at t is what it was at t - dt.

    >>> from leverarm.control.signals import table
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

    >>> from leverarm.control.signals import cubic
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
