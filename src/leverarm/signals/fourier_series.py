"""Periodic signals, such as the excitations that parameters are identified from."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from leverarm.errors import InputError
from leverarm.signals.checked import finite, number, number_array, positive, vector
from leverarm.signals.form import Form
from leverarm.signals.signal import Signal


def fourier(frequency: float, centre: ArrayLike, sines: ArrayLike, cosines: ArrayLike, begin: float = 0.0) -> Signal:
    """A periodic motion: centre + sum over k of sines[k-1] sin(k w s) + cosines[k-1] cos(k w s), with s = t - begin.

    w = 2 pi frequency [Hz]; centre (n,), sines and cosines (K, n) in the unit of the signal, first harmonic first.
    It holds at all times, before `begin` [s] too.

    >>> fourier(0.5, [1.0], sines=[[0.25]], cosines=[[0.0]]).at(0.5).value
    array([1.25])
    """
    w = 2 * math.pi * positive("fourier: frequency", frequency, "Hz")
    t0 = number("fourier: begin", begin)
    c = vector("fourier: centre", centre)
    takes = f"one row per harmonic, shape (K, {c.shape[-1]})"
    a, b = (
        finite(f"fourier: {name}", number_array(f"fourier: {name}", given, takes))
        for name, given in (("sines", sines), ("cosines", cosines))
    )
    if c.ndim != 1 or a.ndim != 2 or a.shape != b.shape or a.shape[1] != len(c) or not len(a):
        raise InputError(
            f"fourier: centre of shape {c.shape}, sines {a.shape} and cosines {b.shape}. It takes (n,), (K, n) and "
            "(K, n): one column per coordinate, one row per harmonic, one harmonic or more."
        )
    row = np.concatenate([[t0, w], c, np.stack([a, b], axis=1).ravel()])
    return Signal(Form("fourier", len(c), len(a)), np.array([t0]), row[None, :])
