"""Numbers longer than a float: FLINT's `arb` without its error bars, and how many bits they need."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from leverarm.scalars import Scalar, cos_sin, precision, sign, tanh

__all__ = ["GUARD_BITS", "LongNumber", "bits_for", "long_number", "precision"]

LongNumber = Any
"""An `arb` (python-flint has no types to import before it is loaded)."""
GUARD_BITS = 32
"""More than the tolerance asks for: a step rounds some ten thousand times, and terms may be larger than their sum."""


def bits_for(tolerance: float) -> int:
    """How long numbers must be for rounding to stay far below a tolerance."""
    return max(64, math.ceil(-math.log2(tolerance)) + GUARD_BITS)


def long_number(x: Any) -> LongNumber:
    """A float, exactly, or a long number, without its error bar."""
    return _arb()(x).mid()


@cache
def _arb() -> Any:
    """The type, loaded when the first long number is made, with the functions that mechanics ask for."""
    from flint import arb

    @cos_sin.register(arb)
    def _(angle: LongNumber) -> tuple[Scalar, Scalar]:
        s, c = angle.sin_cos()
        return c, s

    @sign.register(arb)
    def _(speed: LongNumber) -> Scalar:
        return int(speed > 0) - int(speed < 0)

    @tanh.register(arb)
    def _(x: LongNumber) -> Scalar:
        return x.tanh()

    return arb
