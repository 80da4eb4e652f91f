"""Vector-valued functions of time, stored as pieces.

A program is compiled for a signal's `Form`; the rest of the signal is data. A piece is one row of numbers, which
`moment` evaluates, over any scalar, by one of two formulas:

    polynomial: [begin, c_0, c_1, ...]               value = sum of c_k s^k,                              s = t - begin
    fourier:    [begin, w, c, a_1, b_1, a_2, b_2, ...]   value = c + sum of a_k sin(k w s) + b_k cos(k w s)

Each c, c_k, a_k, b_k is as many numbers as the signal has coordinates; w [rad/s] is the base frequency. `Source` is
anything that gives pieces for a time span, stored or generated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals.checked import check_window, number_array, seconds
from leverarm.errors import InputError, require_known
from leverarm.scalars import Scalar, cos_sin

Kind = Literal["polynomial", "fourier"]


@dataclass(frozen=True, slots=True)
class Form:
    """The shape of a signal's formula: its kind, how many coordinates it has, and how many terms each one has.

    A polynomial of n terms has degree n - 1; a Fourier series of n terms has n harmonics.

    >>> Form("polynomial", size=2, terms=4).width
    9
    """

    kind: Kind
    size: int
    terms: int

    def __post_init__(self) -> None:
        require_known("kind of signal", self.kind, get_args(Kind))
        if self.size < 1 or self.terms < 1:
            raise InputError(
                f"a {self.kind} signal of {self.size} coordinates and {self.terms} terms: it takes one or more of each."
            )

    @property
    def head(self) -> int:
        """How many numbers of a row come before the coefficients."""
        return 1 if self.kind == "polynomial" else 2

    @property
    def vectors(self) -> int:
        """How many coefficients each coordinate has."""
        return self.terms if self.kind == "polynomial" else 1 + 2 * self.terms

    @property
    def width(self) -> int:
        """How many numbers one piece has."""
        return self.head + self.vectors * self.size


class Moment(NamedTuple):
    """A signal at one time: its value and the first two derivatives with respect to time [per s, per s^2]."""

    value: Any
    rate: Any
    acceleration: Any


def moment(form: Form, row: Sequence[Scalar], t: Scalar) -> Moment:
    """The signal and its two time derivatives at a time [s] by the formula of one piece: three lists. Ring.

    >>> moment(Form("polynomial", size=1, terms=3), [10.0, 1.0, 2.0, 3.0], 12.0)
    Moment(value=[17.0], rate=[14.0], acceleration=[6.0])
    """
    s = t - row[0]
    coordinates = [row[form.head + j :: form.size] for j in range(form.size)]
    if form.kind == "polynomial":
        moments = [polynomial(c, s) for c in coordinates]
    else:
        shared = waves(form.terms, row[1], *cos_sin(row[1] * s))
        moments = [series(c, shared) for c in coordinates]
    value, rate, acceleration = map(list, zip(*moments, strict=True))
    return Moment(value, rate, acceleration)


def polynomial(coefficients: Sequence[Scalar], s: Scalar) -> Moment:
    """The sum of c_k s^k and its derivatives, by Horner's rule on all three at once. Ring."""
    *lower, value = coefficients
    rate: Scalar = 0
    half_acceleration: Scalar = 0
    for c in reversed(lower):
        half_acceleration = half_acceleration * s + rate
        rate = rate * s + value
        value = value * s + c
    return Moment(value, rate, 2 * half_acceleration)


def waves(terms: int, w: Scalar, cos: Scalar, sin: Scalar) -> list[Moment]:
    """sin(k w s) and cos(k w s) for k = 1, 2, ... with their derivatives, from cosine and sine of w s alone. Ring.

    The next multiple of the angle is one turn further (sum formulas): rounding grows with k, not with k^2.
    """
    found = []
    cos_k, sin_k = cos, sin
    for k in range(1, terms + 1):
        if k > 1:
            cos_k, sin_k = cos_k * cos - sin_k * sin, sin_k * cos + cos_k * sin
        kw = k * w
        sin_rate, cos_rate = kw * cos_k, -(kw * sin_k)
        found.append(Moment(sin_k, sin_rate, kw * cos_rate))
        found.append(Moment(cos_k, cos_rate, -(kw * sin_rate)))
    return found


def series(coefficients: Sequence[Scalar], shared: Sequence[Moment]) -> Moment:
    """A constant and a sum of waves with their derivatives. Ring."""
    value, rate, acceleration = coefficients[0], 0, 0
    for c, wave in zip(coefficients[1:], shared, strict=True):
        value = value + c * wave.value
        rate = rate + c * wave.rate
        acceleration = acceleration + c * wave.acceleration
    return Moment(value, rate, acceleration)


ALWAYS = (-math.inf, math.inf)

_CLOCK = 1e-9
"""How far past its end a signal can be evaluated, relative to the time: a clock that sums steps is not exact."""

_cos_sin = np.frompyfunc(cos_sin, 1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """A function of time with its first two derivatives: torques [N m or N], references [rad or m], wrenches.

    Piece i applies from begins[i] to begins[i + 1]; the first one also before that, the last one forever. Leading
    axes of `rows` are environments; rows without them apply to every environment. Evaluating the signal outside the
    times of `known` raises an InputError.
    """

    form: Form
    begins: Array
    """(S,) [s], increasing."""
    rows: Array
    """(..., S, form.width); the first number of a row is the start time of its piece."""
    known: tuple[float, float] = ALWAYS
    """The first and the last time [s] at which the signal has a value."""

    def __post_init__(self) -> None:
        pieces = self.begins.shape
        if len(pieces) != 1 or pieces[0] < 1 or self.rows.shape[-2:] != (*pieces, self.form.width):
            raise InputError(
                f"a signal of {self.form}: begins of shape {pieces} and rows of shape {self.rows.shape} were given; "
                f"it takes (S,) and (..., S, {self.form.width}), one row per piece."
            )
        if not (np.diff(self.begins) > 0).all():
            raise InputError("a signal's pieces must start one after another; their start times do not increase.")

    @property
    def size(self) -> int:
        """How many coordinates the signal has."""
        return self.form.size

    def at(self, t: ArrayLike) -> Moment:
        """The signal and its two time derivatives at every time [s] of an array, each (..., *t.shape, size)."""
        times = number_array("a signal at t", t, "times [s]")
        if times.size:
            self._check_known(float(times.min()), float(times.max()))
        index = np.zeros((1,) * times.ndim, dtype=np.intp)
        if len(self.begins) > 1:
            index = np.maximum(np.searchsorted(self.begins, times, side="right") - 1, 0)
        row = self.rows[..., index, :]
        shape = (*self.rows.shape[:-2], *times.shape, self.size)
        value, rate, acceleration = (
            np.array(np.broadcast_to(x, shape), np.float64) for x in _moments(self.form, row, times)
        )
        return Moment(value, rate, acceleration)

    def window(self, t0: float, t1: float, environments: int | None = None) -> Signal:
        """The same signal with only the pieces that matter from t0 to t1 [s]. Shares memory with the whole.

        `environments` is their number; rows without an axis for them apply to all of them.
        """
        check_window(t0, t1)
        self._check_known(t0, t1)
        axes = self.rows.shape[:-2]
        if environments is not None and axes not in ((), (environments,)):
            raise InputError(
                f"the signal was made for {' x '.join(map(str, axes))} environments and is used for {environments}. "
                "Give one value for all of them, or one for each."
            )
        first, last = np.maximum(np.searchsorted(self.begins, (t0, t1), side="right") - 1, 0)
        return replace(self, begins=self.begins[first : last + 1], rows=self.rows[..., first : last + 1, :])

    def of_size(self, size: int, what: str) -> Signal:
        """The signal itself if it has as many coordinates as `what` takes; otherwise an InputError."""
        if self.size != size:
            raise InputError(
                f"{what}: the signal has {_counted(self.size)}; it takes {_counted(size)}, one value for each."
            )
        return self

    def _check_known(self, t0: float, t1: float) -> None:
        first, last = self.known
        if not (math.isfinite(t0) and math.isfinite(t1)):
            raise InputError(f"a signal was evaluated at t = {t1 if math.isfinite(t0) else t0} s; times are finite.")
        if t0 < first - _slack(first):
            raise InputError(
                f"the table begins at t = {seconds(first)} but is needed at t = {seconds(t0)}. Give rows from "
                f'{seconds(t0)} on, start later, or let its first row hold before it begins: before="hold".'
            )
        if t1 > last + _slack(last):
            raise InputError(
                f"the table ends at t = {seconds(last)} but is needed at t = {seconds(t1)}. Give rows up to "
                f'{seconds(t1)}, stop at {seconds(last)}, or let its last row hold after it ends: after="hold".'
            )


def _moments(form: Form, row: Array, times: Array) -> Moment:
    """The formula of `moment`, vectorised over rows and times with the same operations."""
    s = (times - row[..., 0])[..., None]
    vectors: list[Any] = [
        row[..., form.head + k * form.size : form.head + (k + 1) * form.size] for k in range(form.vectors)
    ]
    if form.kind == "polynomial":
        return polynomial(vectors, s)
    w = row[..., 1:2]
    cos, sin = (np.asarray(x, dtype=np.float64) for x in _cos_sin(w * s))
    return series(vectors, waves(form.terms, w, cos, sin))


def _slack(end: float) -> float:
    return _CLOCK * max(1.0, abs(end)) if math.isfinite(end) else 0.0


def _counted(size: int) -> str:
    return "1 coordinate" if size == 1 else f"{size} coordinates"


class Source(Protocol):
    """A vector-valued function of time that gives pieces for any time span: `Signal`, `Noise`."""

    @property
    def form(self) -> Form:
        """The form for which a program is compiled."""
        ...

    def at(self, t: ArrayLike) -> Moment:
        """Value and derivatives at every time [s] of an array, each (..., *t.shape, size)."""
        ...

    def window(self, t0: float, t1: float, environments: int | None = None) -> Signal:
        """The pieces from t0 to t1 [s], for so many environments."""
        ...

    def of_size(self, size: int, what: str) -> Source:
        """The same for as many coordinates as `what` takes; an InputError where it has another count."""
        ...
