"""Zero-phase smoothing and differentiation: a polynomial fitted around each sample, by weighted least squares.

A fit of degree d leaves every polynomial up to d as it is, so a smooth motion passes unharmed, and its value, slope and
curvature in the middle come from one and the same fit: speed and acceleration are those of the smoothed position
(Savitzky and Golay 1964, here with weights that fall to zero at the ends of the window).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from leverarm.arrays import Array

SMOOTHING_DEGREE = 5
DIFFERENCING_DEGREE = 8
SHORT = 24
"""Half a window up to which sums are taken term by term."""
NARROWEST = 4
"""Half a window of smoothing, at least [samples]."""


@dataclass(frozen=True, slots=True)
class LocalPolynomial:
    """A window of 2 half + 1 samples and the degree of the polynomial fitted in it."""

    half: int
    degree: int

    @property
    def keeps_samples(self) -> bool:
        """Whether the polynomial goes through every sample, so that nothing is smoothed."""
        return self.degree == 2 * self.half

    def kernels(self) -> Array:
        """Weights (2 half + 1, 3) of the samples in the value, the slope and the curvature, per sample."""
        return _kernels(self.half, self.degree)

    def cut_off(self, rate: float) -> float:
        """The frequency that is halved in power [Hz]; half the rate where nothing is smoothed."""
        return rate / 2 if self.keeps_samples else rate * _cut_off(self.half, self.degree)


def differencing() -> LocalPolynomial:
    """Central differences of eighth order: no smoothing."""
    return LocalPolynomial(DIFFERENCING_DEGREE // 2, DIFFERENCING_DEGREE)


def smoothing(cut_off: float, rate: float) -> LocalPolynomial:
    """The window whose cut-off is nearest to one [Hz], at a rate of samples [Hz]."""
    per_window = _cut_off(64, SMOOTHING_DEGREE) * 64
    half = max(NARROWEST, round(per_window * rate / cut_off))
    return LocalPolynomial(half, SMOOTHING_DEGREE)


def applied(filter_: LocalPolynomial, x: Array, rate: float, stride: int = 1) -> tuple[Array, Array, Array]:
    """Value, first and second derivative [1/s, 1/s^2] of columns x (k, n), from sample `half` on, every `stride`th."""
    # Without its constant part: the rounding of a large one would reach the derivatives.
    constant = x.mean(axis=0)
    found = _sums(filter_.kernels(), x - constant, stride)
    return constant + found[0], found[1] * rate, found[2] * rate**2


def smoothed(filter_: LocalPolynomial, x: Array, stride: int = 1) -> Array:
    """The values alone of columns x (k, n), from sample `half` on, every `stride`th."""
    constant = x.mean(axis=0)
    return np.asarray(constant + _sums(filter_.kernels()[:, :1], x - constant, stride)[0])


def _sums(kernels: Array, x: Array, stride: int) -> Array:
    """Sums (kernels, samples, n) over windows of x (k, n), weighted with each of the kernels."""
    return _directly(kernels, x, stride) if len(kernels) <= 2 * SHORT + 1 else _by_fft(kernels, x, stride)


def _directly(kernels: Array, x: Array, stride: int) -> Array:
    """Term by term: exact to rounding."""
    windows = sliding_window_view(x, len(kernels), axis=0)[::stride]
    return np.moveaxis(windows @ kernels, -1, 0)


def _by_fft(kernels: Array, x: Array, stride: int) -> Array:
    """As products of spectra: for long windows, whose sums are long."""
    length, window = len(x), len(kernels)
    size = fast_length(length + window)
    spectrum = np.fft.rfft(x, size, axis=0)
    of_kernels = np.fft.rfft(kernels[::-1], size, axis=0)
    products = spectrum[None] * of_kernels.T[:, :, None]
    return np.asarray(np.fft.irfft(products, size, axis=1)[:, window - 1 : length : stride])


def fast_length(length: int) -> int:
    """The next length whose only prime factors are 2, 3 and 5, for which transforms are fast."""
    best = 1 << (length - 1).bit_length()
    for fives in range(4):
        for threes in range(4):
            factor = 5**fives * 3**threes
            best = min(best, factor << max(0, -(-length // factor) - 1).bit_length())
    return best


@lru_cache(maxsize=256)
def _kernels(half: int, degree: int) -> Array:
    if degree == 2 * half:
        return _differences(half)
    reach = half + 1.0
    x = np.arange(-half, half + 1) / reach
    weights = (1 - x**2) ** 4
    basis = np.polynomial.chebyshev.chebvander(x, degree)
    roots = np.sqrt(weights)
    Q, R = np.linalg.qr(basis * roots[:, None])
    fit = np.linalg.solve(R, Q.T * roots)
    to_powers = np.array([_monomials(k, degree) for k in range(degree + 1)]).T
    in_powers = to_powers @ fit
    kernels = np.stack([factorial(k) * in_powers[k] / reach**k for k in range(3)], axis=1)
    kernels.setflags(write=False)
    return kernels


def _differences(half: int) -> Array:
    """Kernels of the polynomial through all samples in closed form, exact to the last digit (Fornberg 1988)."""
    kernels = np.zeros((2 * half + 1, 3))
    kernels[half, 0] = 1.0
    for k in range(1, half + 1):
        share = (-1) ** (k + 1) * factorial(half) ** 2 / (factorial(half - k) * factorial(half + k))
        kernels[half + k, 1:] = share / k, 2 * share / k**2
        kernels[half - k, 1:] = -share / k, 2 * share / k**2
    kernels[half, 2] = -2 * sum(1 / k**2 for k in range(1, half + 1))
    kernels.setflags(write=False)
    return kernels


def _monomials(k: int, degree: int) -> Array:
    powers = np.zeros(degree + 1)
    coefficients = np.polynomial.chebyshev.cheb2poly([0.0] * k + [1.0])
    powers[: len(coefficients)] = coefficients
    return powers


@lru_cache(maxsize=256)
def _cut_off(half: int, degree: int) -> float:
    """In cycles per sample, by bisection of the gain, which falls once through 1/sqrt(2)."""
    kernel = _kernels(half, degree)[:, 0]
    n = np.arange(-half, half + 1)
    low, high = 0.0, min(0.5, 2.0 * degree / half)
    for _ in range(40):
        middle = (low + high) / 2
        is_below = float(np.cos(2 * np.pi * middle * n) @ kernel) < np.sqrt(0.5)
        low, high = (low, middle) if is_below else (middle, high)
    return high
