"""Numbers and texts as users write them, as the quantities of a description."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

from leverarm.errors import ExpressionError
from leverarm.model.expression import Expression, Quantity
from leverarm.model.expression_parser import parse_quantity

_NOT_FINITE = ("nan", "inf", "infinity")


def as_quantity(value: Any) -> Quantity:
    """A literal number (of any numeric type), an expression, or a text such as "pi/2", "90 deg" or "m1*L1^2"."""
    match value:
        case Expression():
            return value
        case str() if value.strip().lower().lstrip("+-") not in _NOT_FINITE:
            return parse_quantity(value)
        case bool() | str():
            pass
        case Integral():
            return int(value)
        case Rational():
            return Fraction(int(value.numerator), int(value.denominator))
        case Real() if math.isfinite(value):
            return float(value)
    raise ExpressionError(f'{value!r} was given; it must be a finite number or a text such as "pi/2" or "m1*L1^2".')
