"""Smooth motions from logs: positions, speeds, accelerations and torques through one zero-phase filter.

The filter fits a polynomial around each sample by weighted least squares. A fit of degree d leaves every polynomial up
to d unchanged, so a smooth motion passes unharmed, and value, slope and curvature come from one fit: speed and
acceleration are those of the smoothed position (Savitzky and Golay 1964, here with weights that fall to zero at the
ends of the window). `EverySample` is what the filter does to torques that jump, such as Coulomb friction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import factorial
from typing import Literal

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from leverarm.arrays import Array, IntArray
from leverarm.errors import InputError
from leverarm.identification.logs.log import Log, Piece


@dataclass(frozen=True, slots=True)
class Motion:
    """Smooth motion and torques: t (k,), the rest (k, n), in SI units on the joints' side.

    `tau` is smoothed like the motion, `raw` is as it was measured. `piece` numbers the unbroken stretches, in which
    samples are 1/rate apart. `rows` says which row of the log a sample is.
    """

    t: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    raw: Array
    piece: IntArray
    rows: IntArray
    rate: float

    def __len__(self) -> int:
        return len(self.t)


def joined(motions: list[Motion]) -> Motion:
    """Several motions in sequence, their pieces numbered consecutively."""
    counts = np.cumsum([0, *(int(m.piece[-1]) + 1 for m in motions)])
    pieces = np.concatenate([m.piece + before for m, before in zip(motions, counts[:-1], strict=True)])
    names = ("t", "q", "qd", "qdd", "tau", "raw", "rows")
    whole = {name: np.concatenate([getattr(motion, name) for motion in motions]) for name in names}
    return Motion(**whole, piece=pieces, rate=motions[0].rate)


SMOOTHING_DEGREE = 5
DIFFERENCING_DEGREE = 8
SHORT = 24
"""Half a window up to which sums are computed term by term."""
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
        """The -3 dB frequency [Hz]; half the rate where nothing is smoothed."""
        return rate / 2 if self.keeps_samples else rate * _cut_off(self.half, self.degree)


def differencing() -> LocalPolynomial:
    """Central differences of eighth order: no smoothing."""
    return LocalPolynomial(DIFFERENCING_DEGREE // 2, DIFFERENCING_DEGREE)


def smoothing(cut_off: float, rate: float) -> LocalPolynomial:
    """The filter with the cut-off nearest to the given one [Hz], at a sampling rate [Hz]."""
    per_window = _cut_off(64, SMOOTHING_DEGREE) * 64
    half = max(NARROWEST, round(per_window * rate / cut_off))
    return LocalPolynomial(half, SMOOTHING_DEGREE)


def applied(filter_: LocalPolynomial, x: Array, rate: float, stride: int = 1) -> tuple[Array, Array, Array]:
    """Value, first and second derivative [1/s, 1/s^2] of columns x (k, n), from sample `half` on, every `stride`th."""
    # Without its mean: the rounding of a large one would reach the derivatives.
    constant = x.mean(axis=0)
    found = _sums(filter_.kernels(), x - constant, stride)
    return constant + found[0], found[1] * rate, found[2] * rate**2


def smoothed(filter_: LocalPolynomial, x: Array, stride: int = 1) -> Array:
    """The values alone of columns x (k, n), from sample `half` on, every `stride`th."""
    constant = x.mean(axis=0)
    return np.asarray(constant + _sums(filter_.kernels()[:, :1], x - constant, stride)[0])


def _sums(kernels: Array, x: Array, stride: int) -> Array:
    """Sums (kernels, samples, n) over windows of x (k, n), weighted with each of the kernels.

    Term by term, exact to rounding; for long windows as products of spectra.
    """
    if len(kernels) <= 2 * SHORT + 1:
        return np.moveaxis(sliding_window_view(x, len(kernels), axis=0)[::stride] @ kernels, -1, 0)
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
    to_powers = np.zeros((degree + 1, degree + 1))
    for k in range(degree + 1):
        to_powers[: k + 1, k] = np.polynomial.chebyshev.cheb2poly([0.0] * k + [1.0])
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


Taken = Literal["q", "qd", "qdd"]
"""The highest derivative taken from the log; higher ones are computed from it."""

SAME_RATE = 0.01
"""Rates that differ by less than this fraction are the same: clocks are not better."""
SAMPLES_PER_CUT_OFF = 8.0
"""Samples kept per period of the cut-off frequency: twice oversampled for what the filter passes."""


@dataclass(frozen=True, slots=True)
class Filtering:
    """How a log becomes a motion: the filter, the signals taken from the log, the stride of samples, the lag [s]."""

    filter: LocalPolynomial
    taken: Taken
    stride: int
    lag: float = 0.0


def stride_for(filter_: LocalPolynomial, rate: float) -> int:
    """The stride of samples that keeps all that the filter passes."""
    return max(1, int(rate / (SAMPLES_PER_CUT_OFF * filter_.cut_off(rate))))


def available(log: Log) -> tuple[Taken, ...]:
    """The signals that a log offers: speeds and accelerations only where every piece has them."""
    with_speed = all(piece.qd is not None for piece in log.pieces)
    with_acceleration = with_speed and all(piece.qdd is not None for piece in log.pieces)
    all_three: tuple[Taken, ...] = ("q", "qd", "qdd")
    return all_three[: 1 + with_speed + with_acceleration]


def bandwidth(log: Log) -> float:
    """The frequency below which nine tenths of the power of the joint speeds lies, of the fastest joint [Hz]."""
    speed = np.diff(max(log.pieces, key=len).q, axis=0)
    # The mean over a window keeps quantisation and noise of fast logs from being counted as motion.
    window = max(1, int(log.rate / 50))
    if window > 1:
        sums = np.cumsum(speed, axis=0)
        speed = (sums[window:] - sums[:-window])[::window] / window
    return power_band(speed, log.rate / window, 0.9)


def power_band(speed: Array, rate: float, share: float) -> float:
    """The frequency below which this share of the power of speeds (k, n) lies, of the fastest joint [Hz]."""
    power = np.abs(np.fft.rfft((speed - speed.mean(axis=0)) * np.hanning(len(speed))[:, None], axis=0)) ** 2
    shares = np.cumsum(power, axis=0) / np.maximum(power.sum(axis=0), 1e-300)
    last = max((int(np.searchsorted(column, share)) for column in shares.T), default=1)
    return float(max(1, last) * rate / len(speed))


def is_same_rate(a: float, b: float) -> bool:
    """Whether two rates [Hz] are the same."""
    return abs(a / b - 1) < SAME_RATE


def for_log(filtering: Filtering, rate: float, log: Log) -> Filtering:
    """The filtering for logs of one rate [Hz], adapted to another log: the same cut-off, the signals that it has."""
    taken = filtering.taken if filtering.taken in available(log) else available(log)[-1]
    if is_same_rate(log.rate, rate):
        return replace(filtering, taken=taken)
    filter_ = filtering.filter
    if not filter_.keeps_samples:
        filter_ = smoothing(filter_.cut_off(rate), log.rate)
    return replace(filtering, filter=filter_, taken=taken, stride=max(1, round(filtering.stride * log.rate / rate)))


def smooth_motion(log: Log, filtering: Filtering) -> Motion:
    """The motion of a log; pieces too short for the filter's window are left out."""
    shortest = 4 * filtering.filter.half + 3
    found = [_smooth_piece(piece, log.rate, filtering) for piece in log.pieces if len(piece) >= shortest]
    if not found:
        seconds = shortest / log.rate
        raise InputError(f"{log.name}: no unbroken stretch is longer than {seconds:.2g} s. Give a longer log.")
    return joined(found)


def _smooth_piece(piece: Piece, rate: float, filtering: Filtering) -> Motion:
    filter_, stride = filtering.filter, filtering.stride
    inside = slice(filter_.half, len(piece) - filter_.half, stride)
    raw = piece.tau if filtering.lag == 0 else _shifted(piece.tau, filtering.lag * rate)
    tau = applied(filter_, raw, rate, stride)[0]
    q, qd, qdd = applied(filter_, piece.q, rate, stride)
    if filtering.taken != "q" and piece.qd is not None:
        qd, qdd, _ = applied(filter_, piece.qd, rate, stride)
    if filtering.taken == "qdd" and piece.qdd is not None:
        qdd = applied(filter_, piece.qdd, rate, stride)[0]
    t, rows = piece.t[inside], piece.rows[inside]
    return Motion(t, q, qd, qdd, tau, raw[inside], np.zeros(len(rows), dtype=np.int64), rows, rate / stride)


def _shifted(x: Array, samples: float) -> Array:
    """x some samples later, interpolated linearly; the ends are held."""
    at = np.arange(len(x)) + samples
    return np.stack([np.interp(at, np.arange(len(x)), column) for column in x.T], axis=1)


@dataclass(frozen=True, slots=True)
class EverySample:
    """The motions of logs at every sample, and the filterings that decimate them."""

    motions: tuple[Motion, ...]
    filterings: tuple[Filtering, ...]

    @staticmethod
    def of(logs: Sequence[Log], filterings: Sequence[Filtering]) -> EverySample:
        motions = [smooth_motion(log, replace(each, stride=1)) for log, each in zip(logs, filterings, strict=True)]
        return EverySample(tuple(motions), tuple(filterings))

    def spread(self, made: Callable[[Motion], Array]) -> Array:
        """What the filter adds to torques (k, ...) of the motion: filtered minus unfiltered, at the samples kept.

        A smooth torque passes the filter unchanged. Coulomb friction jumps where a joint reverses, and the filter
        spreads the jump over its window: to compare it with filtered torques it must pass the same filter, at every
        sample of the log.
        """
        parts = []
        for motion, filtering in zip(self.motions, self.filterings, strict=True):
            torques = made(motion)
            pieces = (torques[motion.piece == piece] for piece in range(int(motion.piece[-1]) + 1))
            parts += [_spread(each, filtering.filter, filtering.stride) for each in pieces]
        return np.concatenate(parts)


def _spread(torques: Array, filter_: LocalPolynomial, stride: int) -> Array:
    flat = torques.reshape(len(torques), -1)
    spread = np.zeros((-(-len(flat) // stride), flat.shape[1]))
    changing = np.flatnonzero(np.ptp(flat, axis=0) > 0)
    if len(changing) and not filter_.keeps_samples:
        # Before the first and after the last sample the torque is held constant.
        padded = np.pad(flat[:, changing], ((filter_.half, filter_.half), (0, 0)), mode="edge")
        spread[:, changing] = smoothed(filter_, padded, stride) - flat[::stride, changing]
    return spread.reshape(-1, *torques.shape[1:])
