"""White noise of unlimited length: a function of seed, environment and piece, so that nothing is stored."""

from __future__ import annotations

import math
import operator
import sys
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals.checked import check_window, number_array, positive, vector
from leverarm.control.signals.pieces import polynomial_signal
from leverarm.control.signals.signal import Form, Moment, Signal
from leverarm.errors import InputError

_WORDS = 4
"""64-bit numbers that one count of the generator (Philox 4x64) gives."""
_SPARSE = 256
"""Up to this many pieces it is cheaper to draw and discard than to restart the generator."""


@dataclass(frozen=True, slots=True, eq=False)
class Noise:
    """White noise, held for `every` seconds: independent normal numbers of mean zero. Piece k begins at k every [s].

    Its spectral density up to 1/(2 every) Hz is about std^2 every [unit^2/Hz, two-sided].
    """

    std: Array
    """(n,) standard deviations, in the unit of the signal."""
    every: float
    seed: int

    @property
    def form(self) -> Form:
        return Form("polynomial", len(self.std), 1)

    @property
    def size(self) -> int:
        """How many coordinates the signal has."""
        return len(self.std)

    def window(self, t0: float, t1: float, environments: int | None = None) -> Signal:
        """The pieces from t0 to t1 [s]: the same numbers whatever was requested before.

        With environments, each has its own numbers, whatever their count; without, they are those of the first one.
        """
        check_window(t0, t1, sys.float_info.max)
        first = math.floor(t0 / self.every) - 1
        count = math.floor(t1 / self.every) + 2 - first
        begins = np.arange(first, first + count, dtype=np.float64) * self.every
        # Which piece a time belongs to is decided by the begins as floats, as everywhere.
        low, high = np.searchsorted(begins, (t0, t1), side="right")
        begins, first, count = begins[low - 1 : high], first + int(low) - 1, int(high - low) + 1
        if environments is None:
            return polynomial_signal(begins, [self._draw(0, first, count)])
        return polynomial_signal(begins, [np.stack([self._draw(e, first, count) for e in range(environments)])])

    def at(self, t: ArrayLike) -> Moment:
        """The noise at every time [s] of an array, (*t.shape, size); its derivatives are zero between its steps."""
        times = number_array("a signal at t", t, "times [s]")
        order = np.argsort(times, axis=None)
        flat = times.ravel()[order]
        value = np.zeros((times.size, self.size))
        for stretch in np.split(np.arange(times.size), np.flatnonzero(np.diff(flat) > _SPARSE * self.every) + 1):
            if len(stretch):
                near = flat[stretch]
                value[order[stretch]] = self.window(float(near[0]), float(near[-1])).at(near).value
        value = value.reshape(*times.shape, self.size)
        return Moment(value, np.zeros_like(value), np.zeros_like(value))

    def of_size(self, size: int, what: str) -> Noise:
        """The noise with as many coordinates as `what` takes; one standard deviation serves all of them."""
        if self.size not in (1, size):
            raise InputError(
                f"{what}: the noise has {self.size} coordinates; it takes {size}. Give one standard deviation for "
                "each, or one for all."
            )
        return replace(self, std=np.broadcast_to(self.std, (size,)))

    def _draw(self, environment: int, first: int, count: int) -> Array:
        """The numbers of pieces first, first + 1, ..., (count, n).

        Philox (Salmon et al. 2011) is a counter-based generator without state: the counter is made of the environment
        and the piece. Two uniform numbers make two normal ones (Box and Muller 1958), never more, so that each piece
        has a fixed place in the sequence.
        """
        per_piece = -(-self.size // _WORDS)
        # Pieces before t = 0 are counted from a much earlier one.
        counter = (environment << 128) + (first + (1 << 62)) * per_piece
        raw = np.random.Philox(key=self.seed, counter=counter).random_raw(count * per_piece * _WORDS)
        uniform = (raw >> np.uint64(11)).reshape(-1, 2) * 2.0**-53
        radius = np.sqrt(-2 * np.log(1 - uniform[:, 0]))
        angle = 2 * math.pi * uniform[:, 1]
        normal = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
        return normal.reshape(count, per_piece * _WORDS)[:, : self.size] * self.std


def noise(std: ArrayLike, every: float = 1e-3, seed: int = 0, size: int | None = None) -> Noise:
    """White noise with a standard deviation per coordinate (or one for all), each sample held for `every` seconds.

    The seed determines every sample, in any time window and in every run. `size` is the number of coordinates where
    one standard deviation is given; by default, that of what the noise is added to.

    >>> hum = noise([0.1, 0.2], seed=7)
    >>> bool((hum.window(5.0, 6.0).at(5.5).value == hum.at(5.5).value).all())
    True
    """
    deviations = vector("noise: std", std)
    if deviations.ndim != 1 or (deviations < 0).any():
        raise InputError(f"noise: std = {std!r}. It takes one number per coordinate, none below zero.")
    held = positive("noise: every", every, "s")
    try:
        key = operator.index(seed)
    except TypeError:
        key = -1
    if not 0 <= key < 1 << 128:
        raise InputError(f"noise: seed = {seed!r}. It takes a whole number from 0 to 2^128 - 1.")
    made = Noise(deviations, held, key)
    if size is None:
        return made
    if size < 1:
        raise InputError(f"noise: size = {size!r}. It takes the count of coordinates, one or more.")
    return made.of_size(size, "noise: size")
