"""Kilograms, metres and seconds: the dimension of every letter of an arm, and of exact values made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from leverarm.model import LAWS, SHAFT_LAWS, Arm, Expression, FrictionLaw, JointKind, Place, Quantity, quantities
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Root, Sine

MOST_TERMS = 400
"""Of a value with more terms than this only so many are looked at."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """kg^a m^b s^c. An angle is a number."""

    kg: Fraction = Fraction(0)
    m: Fraction = Fraction(0)
    s: Fraction = Fraction(0)

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(self.kg + other.kg, self.m + other.m, self.s + other.s)

    def __truediv__(self, other: Dimension) -> Dimension:
        return Dimension(self.kg - other.kg, self.m - other.m, self.s - other.s)

    def __pow__(self, exponent: int | Fraction) -> Dimension:
        return Dimension(self.kg * exponent, self.m * exponent, self.s * exponent)

    def __str__(self) -> str:
        """As it is read out: kg m^2/s^2; a number is 1."""
        units = (("kg", self.kg), ("m", self.m), ("s", self.s))
        above = " ".join(_unit(unit, e) for unit, e in units if e > 0)
        below = " ".join(_unit(unit, -e) for unit, e in units if e < 0)
        if not below:
            return above or "1"
        return f"{above or '1'}/({below})" if " " in below else f"{above or '1'}/{below}"


def _unit(unit: str, exponent: Fraction) -> str:
    return unit if exponent == 1 else f"{unit}^{exponent}" if exponent.denominator == 1 else f"{unit}^({exponent})"


def _of(kg: int, m: int, s: int) -> Dimension:
    return Dimension(Fraction(kg), Fraction(m), Fraction(s))


NUMBER, MASS, LENGTH, TIME = _of(0, 0, 0), _of(1, 0, 0), _of(0, 1, 0), _of(0, 0, 1)
SPEED, ACCELERATION, INERTIA, FORCE = LENGTH / TIME, LENGTH / TIME**2, MASS * LENGTH**2, _of(1, 1, -2)


@dataclass(frozen=True, slots=True)
class Units:
    """The dimension of each letter of an arm's ring; a letter that is not here could have any.

    Where the arm's own masses and lengths are numbers, a number of a formula could have any dimension too.
    """

    letters: Mapping[str, Dimension]
    numbers: Dimension | None


@lru_cache(maxsize=64)
def units_of(arm: Arm) -> Units:
    """The dimensions of an arm's letters, from the places in which its symbols stand."""
    kinds = {body.joint.name: body.joint.kind for body in arm.bodies}
    places = [(quantity, _dimension_of_place(place, kinds)) for place, quantity in quantities(arm)]
    known: dict[str, Dimension | None] = {}
    for _ in range(3):  # what stands alone is known first, then what stands beside it
        for quantity, dimension in places:
            if dimension is not None:
                _learn(quantity, dimension, known)
    letters = {name: dimension for name, dimension in known.items() if dimension is not None}
    for name, dimension in _coordinates(arm).items():
        letters |= {name: dimension, f"{name}.d": dimension / TIME, f"{name}.dd": dimension / TIME**2}
    has_numbers = any(
        _head(quantity) == "" and quantity != 0 and dimension not in (None, NUMBER) for quantity, dimension in places
    )
    return Units(letters, None if has_numbers else NUMBER)


def _coordinates(arm: Arm) -> dict[str, Dimension]:
    """Turning coordinates are numbers, sliding ones lengths; one that does both has no dimension of its own."""
    moved: dict[str, set[bool]] = {name: set() for name in arm.coordinates}
    for body in arm.bodies:
        joint = body.joint
        if not joint.is_fixed:
            for name in [joint.name] if joint.coupling is None else [name for name, _ in joint.coupling]:
                moved[name].add(joint.kind.turns)
    return {name: NUMBER if kinds == {True} else LENGTH for name, kinds in moved.items() if len(kinds) == 1}


def _dimension_of_place(place: Place, kinds: Mapping[str, JointKind]) -> Dimension | None:
    """The dimension of a number by where it stands in the description; None where that does not say it."""
    number = place.number
    turns = place.part is not None and place.part[0] == "joint" and kinds[place.part[1]].turns
    variable, effort = (NUMBER, FORCE * LENGTH) if turns else (LENGTH, FORCE)
    if number.startswith("inertia"):
        return NUMBER if "rpy" in number else INERTIA
    if number.startswith("gravity"):
        return ACCELERATION
    if number.startswith(("com", "xyz", "base xyz", "pitch")):
        return LENGTH
    if "rpy" in number or number.startswith("axis"):
        return NUMBER
    named = {
        "mass": MASS,
        "offset": variable,
        "locked value": variable,
        "friction smoothing": variable / TIME,
        "spring stiffness": effort / variable,
        "spring rest": variable,
        **{f"friction {name}": _of_law(law, effort, variable / TIME) for law in LAWS for name in law.fields},
        "motor inertia": INERTIA,
        "motor gear": NUMBER / variable,
        **{f"motor {law.name}": _of_law(law, FORCE * LENGTH, NUMBER / TIME) for law in SHAFT_LAWS},
    }
    return named.get(number)


def _of_law(law: FrictionLaw, effort: Dimension, speed: Dimension) -> Dimension:
    """The dimension of a friction law's coefficient."""
    force = NUMBER if law.loads else effort
    return force / speed if law.speeds else force


def _learn(quantity: Quantity, dimension: Dimension, known: dict[str, Dimension | None]) -> None:
    """What an expression of this dimension says about its symbols. One that is said to be two things is unknown."""
    match quantity:
        case Expression("symbol", (name, *_)):
            known[name] = dimension if known.get(name, dimension) == dimension else None
        case Expression("+" | "-" | "neg", args):
            for arg in args:
                _learn(arg, dimension, known)
        case Expression("*" | "/" as head, (left, right)):
            of_left, of_right = _dimension(left, known), _dimension(right, known)
            if of_right is not None and of_left is None:
                _learn(left, dimension / of_right if head == "*" else dimension * of_right, known)
            if of_left is not None and of_right is None:
                _learn(right, dimension / of_left if head == "*" else of_left / dimension, known)
        case Expression("^", (base, exponent)) if exponent:
            _learn(base, dimension ** Fraction(1, int(exponent)), known)
        case Expression("cos" | "sin", (inside,)):
            _learn(inside, NUMBER, known)
        case Expression("sqrt", (inside,)):
            _learn(inside, dimension**2, known)


def _head(quantity: Quantity) -> str:
    """The outermost operation of an expression; "" of a number."""
    match quantity:
        case Expression(head):
            return head
    return ""


def _dimension(quantity: Quantity, known: Mapping[str, Dimension | None]) -> Dimension | None:
    match quantity:
        case Expression("symbol", (name, *_)):
            return known.get(name)
        case Expression("*" | "/" as head, args):
            left, right = (_dimension(arg, known) for arg in args)
            if left is None or right is None:
                return None
            return left * right if head == "*" else left / right
        case Expression("^", (base, exponent)):
            below = _dimension(base, known)
            return None if below is None else below ** int(exponent)
        case Expression("cos" | "sin" | "pi"):
            return NUMBER
        case Expression("sqrt", (of,)):
            inside = _dimension(of, known)
            return None if inside is None else inside ** Fraction(1, 2)
        case Expression(_, (first, *_)):
            return _dimension(first, known)
    return NUMBER


def dimension_of(value: Scalar, units: Units) -> Dimension | None:
    """The dimension of an exact value; None where its letters do not say, or where its terms disagree."""
    match value:
        case Quotient(numerator=over, denominator=under):
            above, below = dimension_of(over, units), dimension_of(under, units)
            return None if above is None or below is None else above / below
        case Polynomial() if units.numbers is not None:
            return _of_terms(value, units)
    return units.numbers if value != 0 else None


def _of_terms(value: Polynomial, units: Units) -> Dimension | None:
    """The dimension that the terms share; None where they disagree, or where a letter has none."""
    found: set[Dimension] = set()
    for letters, _ in islice(value.terms(), MOST_TERMS):
        dimension = NUMBER
        for generator, exponent in letters:
            own = _letter(generator, units)
            if own is None:
                return None
            dimension = dimension * own**exponent
        found.add(dimension)
    return found.pop() if len(found) == 1 else None


def _letter(generator: Generator, units: Units) -> Dimension | None:
    match generator:
        case Sine() | Cosine() | Root() | Application():
            return NUMBER
    return units.letters.get(generator.name)
