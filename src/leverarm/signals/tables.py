"""A table in time as a signal."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError, unknown_name
from leverarm.signals.checked import increasing_times, rows_in_time
from leverarm.signals.pieces import polynomial_signal
from leverarm.signals.signal import Signal
from leverarm.signals.splines import hermite_coefficients, smoothest_derivatives

Between = Literal["linear", "hold", "cubic"]
Outside = Literal["error", "hold"]


def table(
    times: ArrayLike,
    values: ArrayLike,
    between: Between = "linear",
    before: Outside = "error",
    after: Outside = "error",
) -> Signal:
    """The values of a table at its times [s] and, between two rows, a straight line, the earlier row, or a spline.

    times (K,) increase; values (K, n), or (K,) for one coordinate, or (environments, K, n). `between="cubic"` is the
    natural cubic spline: continuous accelerations, which are zero at both ends. A run that leaves the table is an
    InputError, unless its first row is to hold `before` it begins or its last one `after` it ends.

    >>> table([0, 1, 3], [[0.0], [2.0], [0.0]]).at(2.0)
    Moment(value=array([1.]), rate=array([-1.]), acceleration=array([0.]))
    """
    for option, given, valid in (("between", between, Between), ("before", before, Outside), ("after", after, Outside)):
        if given not in get_args(valid):
            raise InputError(f"table: {option}: " + unknown_name("way", given, get_args(valid)))
    t = increasing_times("table", times)
    x = rows_in_time("table", values, t)
    holds = before == "hold", after == "hold"
    begins, coefficients = (t, [x]) if between == "hold" else (t[:-1], _pieces(between, t, x))
    return polynomial_signal(
        begins,
        coefficients,
        before=x[..., 0, :] if holds[0] else None,
        after=(float(t[-1]), x[..., -1, :]) if holds[1] and between != "hold" else None,
        known=(-math.inf if holds[0] else float(t[0]), math.inf if holds[1] else float(t[-1])),
    )


def _pieces(between: Between, t: Array, x: Array) -> list[Array]:
    if between == "linear":
        return [x[..., :-1, :], np.diff(x, axis=-2) / np.diff(t)[:, None]]
    nowhere = np.zeros((len(t), 1), dtype=bool)
    slopes = smoothest_derivatives(t, x, [np.zeros_like(x)], nowhere)
    return hermite_coefficients(t, x, slopes)
