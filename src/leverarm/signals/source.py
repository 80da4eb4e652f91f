"""What a run asks of a function of time, be it stored as pieces or made when asked for."""

from __future__ import annotations

from typing import Protocol

from numpy.typing import ArrayLike

from leverarm.signals.form import Form, Moment
from leverarm.signals.signal import Signal


class Source(Protocol):
    """A vector-valued function of time that can be had as pieces for any stretch of time: `Signal`, `Noise`."""

    @property
    def form(self) -> Form:
        """What a program must know of it."""
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
