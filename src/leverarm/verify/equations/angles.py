"""Cosines and sines of written angles: whole multiples of the arm's angles, and constants."""

from __future__ import annotations

import math
from fractions import Fraction

from leverarm.reading.tree import Span
from leverarm.scalars import Scalar
from leverarm.scalars.exact import EXACT, Polynomial, letter, unknown_angle
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.verdict import WrittenError

MAX_MULTIPLE = 24


def turn_of(value: Scalar, values: ArmValues, span: Span) -> Turn:
    """An angle by its cosine and sine. Raises WrittenError where it is no sum of the arm's angles and constants."""
    if not isinstance(value, Polynomial):
        return _constant(float(value)) if isinstance(value, int | Fraction) else _refused(span, "a quotient")
    total = Turn(1, 0)
    for letters, coefficient in value.terms():
        if not letters:
            total = total + _constant(float(coefficient))
            continue
        (generator, power), *others = letters
        if others or power != 1:
            return _refused(span, "a product of letters")
        if generator.name == "pi":
            total = total + _constant(float(coefficient) * math.pi)
            continue
        total = total + _multiple(generator.name, coefficient, values, span)
    return total


def _multiple(name: str, times: Fraction, values: ArmValues, span: Span) -> Turn:
    ring = values.exact.ring
    is_angle = f"cos({name})" in ring.index
    if not is_angle and name not in values.exact.coordinates:
        return _refused(span, f"{name}, which is no angle of the arm")
    if times.denominator != 1:
        return _refused(span, f"{times} times an angle, which is no polynomial in its sine and cosine")
    if abs(times) > MAX_MULTIPLE:
        return _refused(span, f"{times} times an angle; at most {MAX_MULTIPLE} times is read")
    if not is_angle:  # a distance: wrong, but it has a value, and the units tell
        return int(times) * unknown_angle(name)
    return int(times) * Turn(letter(ring, f"cos({name})"), letter(ring, f"sin({name})"))


def _constant(angle: float) -> Turn:
    return Turn(*EXACT.turn(angle))


def _refused(span: Span, what: str) -> Turn:
    raise WrittenError(
        span, f"takes the sine or cosine of {what}. Whole multiples of the arm's angles and constants are read."
    )
