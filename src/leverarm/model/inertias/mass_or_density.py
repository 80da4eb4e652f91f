"""How heavy a shape is: its mass given, or its density times its volume. Exactly one of the two."""

from __future__ import annotations

import math
from fractions import Fraction

from leverarm.errors import InputError
from leverarm.scalars import Scalar


def mass_of(shape: str, volume: Scalar, mass: Scalar | None, density: Scalar | None) -> Scalar:
    """The mass [kg] of a shape of this volume [m^3] (a length [m] for a rod)."""
    if (mass is None) == (density is None):
        given = "neither" if mass is None else "both"
        raise InputError(f"{shape}: {given} of mass and density given; give exactly one, such as mass=2.5.")
    check_measure(shape, "mass" if density is None else "density", mass if density is None else density)
    return mass if density is None else density * volume


def check_measure(shape: str, name: str, measure: Scalar) -> None:
    """Raises InputError for a literal that is negative or not finite; a symbol may be anything."""
    if isinstance(measure, int | float | Fraction) and not (math.isfinite(measure) and measure >= 0):
        raise InputError(f"{shape}: {name} is {measure}; it must be a finite number, zero or positive.")
