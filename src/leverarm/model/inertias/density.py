"""Inertia of a body of varying density: the triple integrals of rho, r rho and r r^T rho over a box or another solid.

A density that is a formula is integrated exactly (`exact_integrals.py`), a function numerically (`cubature.py`). A
solid that is no box is one in the coordinates it is integrated over.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import overload

from leverarm.errors import InputError
from leverarm.model.expression import Expression, Quantity, symbols_of, to_float
from leverarm.model.expression_parser import parse_quantity
from leverarm.model.inertias.algebra import inertia_from_moments
from leverarm.model.inertias.cubature import Integrand, Sample, Triple, moments_over_box
from leverarm.model.inertias.exact_integrals import NoPolynomial, exact_solid, expression_of
from leverarm.model.inertias.solids import Solid, solid
from leverarm.scalars import Number
from leverarm.spatial import IDENTITY, ORIGIN, Inertia, Pose, Symmetric3, Vec3

Density = Callable[[float, float, float], float]
Corner = Sequence[Quantity | str]


@overload
def inertia_of_density(
    rho: Density | str | Quantity, lower: Solid, *, rtol: float = ..., max_evaluations: int = ...
) -> Inertia: ...
@overload
def inertia_of_density(
    rho: Density | str | Quantity, lower: Corner, upper: Corner, rtol: float = ..., max_evaluations: int = ...
) -> Inertia: ...
def inertia_of_density(
    rho: Density | str | Quantity,
    lower: Solid | Corner,
    upper: Corner = (),
    rtol: float = 1e-6,
    max_evaluations: int = 1_000_000,
) -> Inertia:
    """The inertia of a body of density rho(x, y, z) [kg/m^3] about the frame's origin.

    The body is a `solid`, or the box from the corner `lower` to the corner `upper` [m]. The density may be a formula,
    "rho0*(1 + z/L)", polynomial in x, y and z (and r, the distance from the axis or centre of a round solid): then the
    ten numbers are exact, expressions in its symbols. A rod has a density per length, a plate per area.

    A density that is a function, or a formula of numbers that is no polynomial, is integrated numerically.
    m = integral of rho, h = integral of r rho, Ixx = integral of (y^2 + z^2) rho, Ixy = -integral of x y rho.
    Each is right within `rtol` of m, of sqrt(m s) or of s, where s is the integral of r^2 rho about the box's centre.
    The error is the sum of those estimated for each piece of the box: not proven, but pessimistic, most of all where
    the density jumps (there ten to a thousand times). A body much smaller than a ninth of the box may be missed
    altogether.
    Raises InputError when `max_evaluations` do not suffice, or rho is negative or not finite at a point.

    >>> print(inertia_of_density("rho0*(1 + z/L)", solid("cylinder", radius="R", length="L")).h.z)
    1/12*pi*L^2*R^2*rho0
    """
    over = lower if isinstance(lower, Solid) else _box_between(lower, upper)
    if not (math.isfinite(rtol) and rtol > 0):
        raise InputError(f"rtol is {rtol}; it must be a positive number such as 1e-6.")
    formula = parse_quantity(rho) if isinstance(rho, str) else rho
    if not callable(formula):
        try:
            return _by_formula(formula, over)
        except NoPolynomial:
            if {*symbols_of(formula), *over.symbols} - set(over.kind.density_of):
                raise
            formula = _as_function(formula, over, {})
    if over.symbols:
        raise InputError(
            f"the {over.shape} has {', '.join(over.symbols)} in its measures, but a density that is a function is "
            "integrated numerically: give the measures as numbers, or the density as a formula, 'rho0*(1 + z/L)'."
        )
    return _by_cubature(formula, over, rtol, max_evaluations)


def _by_formula(rho: Quantity, over: Solid) -> Inertia:
    """Exact; of numbers only, numbers. Raises InputError where a density of numbers is negative at a point."""
    found = exact_solid(rho, over).inertia()
    entries = [expression_of(x) for x in found.numbers()]
    if not {*symbols_of(rho), *over.symbols} - set(over.kind.density_of):
        check_density(rho, over, {})
        entries = [x if isinstance(x, int | Fraction) else to_float(x, {}) for x in entries]
    return Inertia.from_numbers(*entries)


def check_density(rho: Quantity, over: Solid, values: Mapping[str, Number]) -> None:
    """Raises InputError where a formula is negative at a point of a grid over the solid, with these values."""
    integrand, (a, b, c), _ = _integrand(_as_function(rho, over, values), over, values)
    for u, v, w in product((-1.0, -0.5, 0.0, 0.5, 1.0), repeat=3):
        integrand(u * a, v * b, w * c)


def _by_cubature(rho: Density, over: Solid, rtol: float, max_evaluations: int) -> Inertia:
    integrand, half_widths, centre = _integrand(rho, over, {})
    m, x, y, z, *second = moments_over_box(integrand, half_widths, rtol, max_evaluations)
    if m <= 0:
        raise InputError(
            f"the density was zero at every point tried of the {over.shape}; it holds no mass, or a body much smaller "
            "than itself. Give a solid that fits the body."
        )
    return inertia_from_moments(m, Vec3(x, y, z), Symmetric3(*second)).into_parent(Pose(IDENTITY, centre))


def _integrand(rho: Density, over: Solid, values: Mapping[str, Number]) -> tuple[Integrand, Triple, Vec3]:
    """What is integrated, the half widths of the box it is integrated over, and the point that places count from."""
    at = {name: to_float(value, values) for name, value in over.bounds.items()}
    kind = over.kind
    for name in kind.measures:
        low, high = (at[f"{name}_low"], at[f"{name}_high"]) if name not in at else (0.0, at[name])
        if not low < high < math.inf:
            raise InputError(f"{over.shape}: {name} runs from {low:g} to {high:g}; its ends must be finite and rising.")
    if over.shape == "box":
        # Coordinates from the centre of the box: there the second moments suffer least from rounding.
        lows, highs = ([at[f"{axis}_{end}"] for axis in "xyz"] for end in ("low", "high"))
        a, b, c = ((high - low) / 2 for low, high in zip(lows, highs, strict=True))
        centre = Vec3(*((low + high) / 2 for low, high in zip(lows, highs, strict=True)))
        return (
            lambda x, y, z: (_checked(rho, x + centre.x, y + centre.y, z + centre.z), (x, y, z)),
            (a, b, c),
            centre,
        )
    spread = 0.5 ** (3 - len(kind.variables))

    def in_coordinates(u: float, v: float, w: float) -> Sample:
        here, stretch = dict(at), spread
        for variable, part in reversed(list(zip(kind.variables, (u, v, w), strict=False))):
            low, high = (0.0, TURNS[variable.kind]) if variable.kind in TURNS else variable.bounds(here)
            here[variable.name] = low + (high - low) * (1 + part) / 2
            stretch *= (high - low) / 2
        x, y, z = kind.place(here)
        return _checked(rho, x, y, z) * float(kind.element(here)) * stretch, (float(x), float(y), float(z))

    return in_coordinates, (1.0, 1.0, 1.0), ORIGIN


TURNS = {"turn": 2 * math.pi, "half turn": math.pi}


def _as_function(rho: Quantity, over: Solid, values: Mapping[str, Number]) -> Density:
    """A formula of the coordinates as a function; r is the distance from the axis, of a sphere from the centre."""
    is_sphere = over.shape == "sphere"

    def density(x: float, y: float, z: float) -> float:
        r = math.hypot(x, y, z) if is_sphere else math.hypot(x, y)
        return to_float(rho, {**values, "x": x, "y": y, "z": z, "r": r})

    return density


def _checked(rho: Density, x: float, y: float, z: float) -> float:
    value = rho(x, y, z)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"rho({x:.6g}, {y:.6g}, {z:.6g}) is {value!r}; it must be a number [kg/m^3].") from None
    if not 0 <= number < math.inf:
        raise InputError(f"rho({x:.6g}, {y:.6g}, {z:.6g}) is {number}; a density must be finite and not negative.")
    return number


def _box_between(lower: Corner, upper: Corner) -> Solid:
    if len(lower) != 3 or len(upper) != 3:
        raise InputError(f"the box has {len(lower)} lower and {len(upper)} upper bounds; give three of each, [m].")
    for axis, low, high in zip("xyz", lower, upper, strict=True):
        ends = [end for end in (low, high) if not isinstance(end, str | Expression)]
        if not all(map(math.isfinite, ends)) or (len(ends) == 2 and ends[0] >= ends[1]):
            raise InputError(f"the box runs from {low} to {high} along {axis}; its bounds must be finite and rising.")
    return solid("box", **dict(zip("xyz", zip(lower, upper, strict=True), strict=True)))
