"""The mass integrals of a solid whose density is a formula, exactly: one coordinate after the other.

The density is a polynomial in the coordinates with symbols in its coefficients; then so is each integrand, in powers of
lengths, cosines and sines, and each integral is a sum of integrals of powers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from leverarm.errors import InputError
from leverarm.model.expression import PI, Expression, Quantity, format_quantity, symbol, symbols_of
from leverarm.model.inertias.algebra import inertia_from_moments
from leverarm.model.inertias.solids import Solid, Variable
from leverarm.scalars import EXACT, Scalar
from leverarm.scalars.exact import (
    Polynomial,
    coefficients,
    free_symbol,
    numerator_and_denominator,
    quotient,
    unknown_angle,
)
from leverarm.scalars.exact import symbol as exact_symbol
from leverarm.spatial import Inertia, Symmetric3, Vec3


@cache
def exact_pi() -> Polynomial:
    """Pi as a letter."""
    return free_symbol(exact_symbol("pi", math.pi))


class NoPolynomial(InputError):
    """A density that has no exact integrals here."""


@dataclass(frozen=True, slots=True)
class ExactSolid:
    """A solid with letters for its symbols and coordinates; everything that is integrated, as exact scalars."""

    solid: Solid
    density: Scalar
    element: Scalar
    place: Vec3
    bounds: Mapping[str, tuple[Scalar, Scalar]]
    """Of the coordinates that are lengths."""

    @property
    def variables(self) -> tuple[Variable, ...]:
        return self.solid.kind.variables

    def successive(self, moment: Scalar) -> list[Scalar]:
        """The integrand of a moment, and what it becomes by each integral, from the innermost outwards."""
        found = [moment * self.density * self.element]
        for variable in self.variables:
            found.append(self._over(found[-1], variable))
        return found

    def integral(self, moment: Scalar) -> Scalar:
        """The integral of a moment times the density over the solid."""
        return self.successive(moment)[-1]

    def inertia(self) -> Inertia:
        """The ten numbers, exact scalars. Raises InputError where the mass is zero."""
        p, m = self.place, self.integral(1)
        if m == 0:
            raise InputError(
                f"the mass of the {self.solid.shape} is zero, because its density is negative in one half or zero "
                "throughout. Give a density that is positive, such as rho0*(1 + x/a)."
            )
        first = Vec3(*map(self.integral, p))
        second = (p.x * p.x, p.x * p.y, p.y * p.y, p.x * p.z, p.y * p.z, p.z * p.z)
        return inertia_from_moments(m, first, Symmetric3(*map(self.integral, second)))

    def _over(self, value: Scalar, variable: Variable) -> Scalar:
        above, below = numerator_and_denominator(value)
        match variable.kind:
            case "length":
                low, high = self.bounds[variable.name]
                found = _over_length(above, variable.name, low, high)
            case "turn":
                found = _over_angle(above, variable.name, _whole_turn)
            case "half turn":
                found = _over_angle(above, variable.name, _half_turn)
        return found if below == 1 else found / below if isinstance(found, Polynomial) else found * quotient(1, below)


def exact_solid(rho: Quantity, solid: Solid) -> ExactSolid:
    """A solid of this density. Raises InputError where the density is no polynomial in the coordinates."""
    kind = solid.kind
    at: dict[str, Scalar] = {name: exact_value(value, {}) for name, value in solid.bounds.items()}
    for variable in kind.variables:
        name = variable.name
        at[name] = free_symbol(exact_symbol(name)) if variable.kind == "length" else unknown_angle(name)
    place = kind.place(at)
    known = {**dict(zip("xyz", place, strict=True)), "r": at.get("r")}
    density = exact_value(rho, {name: known[name] for name in kind.density_of})
    unknown = {"x", "y", "z", "r", "phi", "theta"} & set(symbols_of(rho)) - set(kind.density_of)
    if unknown:
        raise InputError(
            f"the density {format_quantity(rho)} has {', '.join(sorted(unknown))}, but that of a {solid.shape} is a "
            f"function of {', '.join(kind.density_of)} ({kind.frame}). Give other symbols other letters."
        )
    below = numerator_and_denominator(density)[1]
    moving = {g.name for g in below.generators()} if isinstance(below, Polynomial) else set()
    if moving & _letters(kind.variables):
        raise NoPolynomial(
            f"the density {format_quantity(rho)} divides by a coordinate; exact integrals need a polynomial in "
            f"{', '.join(kind.density_of)}. {NUMBERS}"
        )
    lengths = [variable for variable in kind.variables if variable.kind == "length"]
    return ExactSolid(solid, density, kind.element(at), place, {v.name: v.bounds(at) for v in lengths})


NUMBERS = "With numbers in place of all symbols such a density is integrated numerically."


def _letters(variables: tuple[Variable, ...]) -> set[str]:
    return {name for v in variables for name in (v.name, f"cos({v.name})", f"sin({v.name})")}


def exact_value(quantity: Quantity, letters: Mapping[str, Scalar]) -> Scalar:
    """An expression as an exact scalar; symbols without a value given are letters, and so is pi."""
    if not isinstance(quantity, Expression):
        return EXACT.lift(quantity)
    match quantity.head:
        case "symbol":
            name = quantity.args[0]
            return letters[name] if name in letters else free_symbol(exact_symbol(name))
        case "pi":
            return exact_pi()
        case "neg":
            return -exact_value(quantity.args[0], letters)
        case "^":
            base, exponent = exact_value(quantity.args[0], letters), quantity.args[1]
            power: Scalar = math.prod([base] * abs(exponent), start=Fraction(1))
            return power if exponent >= 0 else _divided(quantity, 1, power)
        case "+" | "-" | "*" | "/" as sign:
            a, b = (exact_value(part, letters) for part in quantity.args)
            return (
                a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else _divided(quantity, a, b)
            )
        case function:
            raise NoPolynomial(
                f"{format_quantity(quantity)}: exact integrals are those of polynomials, which have no {function}. "
                f"{NUMBERS}"
            )


def _divided(quantity: Expression, a: Scalar, b: Scalar) -> Scalar:
    if b == 0:
        raise InputError(f"{format_quantity(quantity)} divides by zero.")
    return Fraction(a) / b if isinstance(a, int) else a / b


def _over_length(value: Scalar, name: str, low: Scalar, high: Scalar) -> Scalar:
    total: Scalar = 0
    for powers, c in coefficients(value, (name,)).items():
        k = powers[0] + 1
        total = total + c * (_power(high, k) - _power(low, k)) * Fraction(1, k)
    return total


def _over_angle(value: Scalar, name: str, integral: Callable[[int, int], Scalar]) -> Scalar:
    terms = coefficients(value, (f"cos({name})", f"sin({name})"))
    return sum((c * integral(*powers) for powers, c in terms.items()), start=0)


def _whole_turn(cosines: int, sines: int) -> Scalar:
    """The integral of cos^a sin^b over a whole turn; b is 0 or 1, because squares of sines are not kept."""
    return 0 if sines or cosines % 2 else 2 * exact_pi() * _mean_of_even_power(cosines)


def _half_turn(cosines: int, sines: int) -> Scalar:
    """The same from 0 to pi, where the sine is positive."""
    if sines:
        return Fraction(1 + (-1) ** cosines, cosines + 1)
    return 0 if cosines % 2 else exact_pi() * _mean_of_even_power(cosines)


def _mean_of_even_power(n: int) -> Fraction:
    """The mean of cos^n over a turn: 1/2 of the square, 3/8 of the fourth power."""
    return Fraction(math.comb(n, n // 2), 2**n)


def _power(base: Scalar, exponent: int) -> Scalar:
    return math.prod([base] * exponent, start=Fraction(1))


def expression_of(value: Scalar) -> Quantity:
    """An exact scalar as an expression in its letters, as arms have them; a rational number as it is."""
    above, below = numerator_and_denominator(value)
    return _sum_of_terms(above) if below == 1 else _sum_of_terms(above) / _sum_of_terms(below)


def _sum_of_terms(value: Scalar) -> Quantity:
    if not isinstance(value, Polynomial):
        return int(value) if Fraction(value).denominator == 1 else Fraction(value)
    total: Quantity = 0
    for term in _terms(value):
        total = total + term
    return total


def _terms(value: Polynomial) -> Iterator[Quantity]:
    """In an order that is the same however the value came about: pi first, then letters by name."""
    terms = [(sorted((g.name != "pi", g.name, e) for g, e in letters), c) for letters, c in value.terms()]
    for factors, c in sorted(terms):
        term: Quantity = int(c) if c.denominator == 1 else c
        for is_symbol, name, exponent in factors:
            term = term * (symbol(name) if is_symbol else PI) ** exponent
        yield term
