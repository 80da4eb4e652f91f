"""Polynomial pieces put together to a signal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.signals.checked import vector
from leverarm.signals.form import Form
from leverarm.signals.signal import ALWAYS, Signal


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

    `before` is a value (..., n) to hold until the first begin, `after` a time and the value to hold from then on.
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
        # Any earlier time will do: the first piece also holds before its begin.
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
