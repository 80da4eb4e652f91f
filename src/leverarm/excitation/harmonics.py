"""Fourier series that begin and end at rest: the coefficients that are free, and the motion they give.

A joint's motion is q = c + sum over k of a_k sin(k w t) + b_k cos(k w t). It rests where a period begins and ends, with
neither speed nor acceleration, where sum k a_k = 0 and sum k^2 b_k = 0: two coefficients of each joint are not free.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.signals import Signal, fourier

PER_WAVE = 24
"""Rows of the coarse grid in one wave of the highest harmonic."""


@dataclass(frozen=True, slots=True, eq=False)
class Harmonics:
    """The series of one frequency [Hz] with K harmonics: free numbers (2K - 1, n) become a motion.

    The first row of the free numbers is the centre of each joint; the others are mixtures of waves, harmonic k with an
    amplitude that falls as 1/k, so that equal numbers are equal speeds.
    """

    count: int
    frequency: float
    sines: Array
    """(K, 2K - 1): sines = sines @ free."""
    cosines: Array

    @staticmethod
    def of(count: int, frequency: float) -> Harmonics:
        k = np.arange(1, count + 1)
        none = np.zeros((count, 1))
        sines, cosines = ((_perpendicular(law / k).T / k).T for law in (k, k**2))
        return Harmonics(
            count,
            frequency,
            np.hstack([none, sines, np.zeros_like(cosines)]),
            np.hstack([none, np.zeros_like(sines), cosines]),
        )

    @property
    def free(self) -> int:
        """How many numbers are free for each joint."""
        return 2 * self.count - 1

    def times(self, per_wave: int = PER_WAVE) -> Array:
        """Times of one period [s], evenly spaced, without its end."""
        rows = per_wave * self.count
        return np.arange(rows) / (rows * self.frequency)

    def shapes(self, t: Array) -> tuple[Array, Array, Array]:
        """Matrices (N, 2K - 1) that make position, velocity and acceleration at N times of the free numbers."""
        w = 2 * math.pi * self.frequency * np.arange(1, self.count + 1)
        sin, cos = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        value = sin @ self.sines + cos @ self.cosines
        value[:, 0] = 1.0
        rate = (cos * w) @ self.sines - (sin * w) @ self.cosines
        return value, rate, -(sin * w**2) @ self.sines - (cos * w**2) @ self.cosines

    def signal(self, free: Array) -> Signal:
        """The motion itself."""
        return fourier(self.frequency, free[0], self.sines @ free, self.cosines @ free)

    def excess(self, per_wave: int) -> float:
        """By how much a series may be greater than at the rows of an even grid: at most this many times.

        A trigonometric polynomial of degree K on M evenly spaced points: max |p| <= max over points / cos(pi K / M)
        (Ehlich and Zeller, Schwankung von Polynomen zwischen Gitterpunkten, Math. Z. 86, 1964).
        """
        return 1 / math.cos(math.pi / per_wave)


def _perpendicular(row: Array) -> Array:
    """Orthonormal columns (K, K - 1) that a row is perpendicular to."""
    return np.asarray(np.linalg.svd(row[None, :])[2][1:].T)
