"""Values between samples."""

from __future__ import annotations

import numpy as np

from leverarm.arrays import Array


def interpolated(t: Array, x: Array, times: Array) -> Array:
    """Values (m, n) at `times` of samples x (k, n) at growing times t: cubic Hermite pieces with parabolic slopes.

    Exact for parabolas. A slope is that of the parabola through three samples, so the noise of each sample reaches
    two steps at most and is not amplified, as it would be by a spline of many knots near uneven ones.
    """
    if len(t) < 3:
        return np.stack([np.interp(times, t, column) for column in x.T], axis=1)
    width = np.diff(t)[:, None]
    chord = np.diff(x, axis=0) / width
    slope = np.empty_like(x)
    slope[1:-1] = (width[1:] * chord[:-1] + width[:-1] * chord[1:]) / (width[1:] + width[:-1])
    slope[0], slope[-1] = 2 * chord[0] - slope[1], 2 * chord[-1] - slope[-2]
    at = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = width[at]
    s = (times - t[at])[:, None] / h
    begin, end = x[at], x[at + 1]
    risen = s * s * (3 - 2 * s)
    bent = s * (1 - s)
    return np.asarray(begin + risen * (end - begin) + h * bent * ((1 - s) * slope[at] - s * slope[at + 1]))
