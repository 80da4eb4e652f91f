"""Bounds as functions of a range that is not given: how M, c and g grow as joints slide, |q_j| <= rho.

Every entry is a polynomial in what slides. A sine or cosine is at most one, so the sizes of the coefficients bound it:
surely, if not closely.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from leverarm.closed_form import Equations, Formula
from leverarm.mechanics.matrices import Matrix
from leverarm.scalars import Scalar, exact
from leverarm.scalars.exact import (
    Cosine,
    Generator,
    Polynomial,
    Quotient,
    Sine,
    free_symbol,
    is_exactly_zero,
    substitute,
    symbol,
)
from leverarm.verify.table.box import Box
from leverarm.verify.table.digits import latex_number
from leverarm.verify.table.exact_states import ExactStates
from leverarm.verify.table.property import Property

DIGITS = 6
"""Significant digits of a coefficient, which is rounded up."""
SHORT = 4
"""Terms of a diagonal entry that is printed."""

Powers = dict[int, Fraction]
"""A polynomial in rho with coefficients that are not negative: power to coefficient."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Upper bounds of ||M||, of ||c|| / ||qd||^2 and of ||g||, 2-norms, as polynomials in rho."""

    M: Powers
    c: Powers
    g: Powers


def growth_of(states: ExactStates, box: Box) -> Growth | None:
    """How the bounds grow while the coordinates without a range stay within rho; None without closed forms.

    The norm of a matrix of bounds is taken as its Frobenius norm, power by power. Symbols have the arm's values.
    """
    eq, gamma = states.equations, states.christoffel
    if eq is None or gamma is None:
        return None
    every = (
        [x for row in states.states[0].M for x in row],
        [x for plane in gamma for row in plane for x in row],
        list(eq.g.values),
    )
    if any(isinstance(x, Quotient) for entries in every for x in entries):
        return None
    sizes = _sizes(eq, box)
    return Growth(*(_norm(entries, sizes, box) for entries in every))


def growth_property(states: ExactStates, box: Box) -> Property:
    """The line that bounds M, c and g by polynomials in rho, or by constants where all coordinates have a range."""
    begun = time.perf_counter()
    growth, eq = growth_of(states, box), states.equations
    value, latex_value = "no bound", r"\text{no bound}"
    detail = ["how the bounds grow is read off the closed forms, which this arm does not have."]
    if growth is not None and eq is not None:
        sizes = [f"|{eq.notation.vocabulary.printed[name]}|" for name in box.missing]
        where = f"for {' and '.join(sizes)} <= rho" if sizes else "over the box"
        value, latex_value = f"||M|| <= {text_of(growth.M)} {where}", rf"\|M\| \le {_latex(growth.M)}"
        detail = [
            *_diagonal(eq, states.states[0].M, box),
            f"v_b <= {text_of(growth.c)} and g_b <= {text_of(growth.g)} {where}.",
        ]
        if states.arm.symbols:
            detail.append("the symbols have the arm's values.")
    return Property(
        key="growth",
        name="Bounds as functions of the range",
        statement="What the bounds become as far as a joint without limits moves.",
        latex=r"\|M(q)\| \le a_0 + a_1 \rho + a_2 \rho^2, \quad |q_j| \le \rho",
        how="none" if growth is None else states.how,
        bound=None,
        value=value,
        latex_value=latex_value,
        detail=(*detail, *((box.remedy,) if box.missing else ())),
        witness=None,
        seconds=time.perf_counter() - begun,
    )


def _sizes(eq: Equations, box: Box) -> dict[str, Fraction]:
    """The greatest magnitude of each letter that has one: symbols at their values, coordinates within the box."""
    ranges = zip(box.arm.coordinates, box.lower, box.upper, strict=True)
    return {name: abs(exact(x)) for name, x in eq.notation.defaults.items()} | {
        name: exact(max(abs(low), abs(high))) for name, low, high in ranges if math.isfinite(high - low)
    }


def _norm(entries: Iterable[Scalar], sizes: dict[str, Fraction], box: Box) -> Powers:
    """The root of the sum of squares of the entries' bounds, power by power: not below the norm at any rho."""
    squares: Powers = {}
    for entry in entries:
        for power, size in _powers(entry, sizes, box).items():
            squares[power] = squares.get(power, Fraction(0)) + size * size
    return {power: _root(square) for power, square in squares.items()}


def _root(square: Fraction) -> Fraction:
    """The square root, rounded up to some digits: the least whole r with r^2 >= square 10^(2 k)."""
    places = DIGITS - 1 - math.floor(math.log10(square) / 2)
    scaled = math.ceil(square * Fraction(10) ** (2 * places))
    root = math.isqrt(scaled)
    return (root + (root * root < scaled)) / Fraction(10) ** places


def _powers(x: Scalar, sizes: dict[str, Fraction], box: Box) -> Powers:
    """The bound of one entry."""
    if not isinstance(x, Polynomial):
        return {} if is_exactly_zero(x) else {0: abs(Fraction(x))}
    found: Powers = {}
    for letters, coefficient in x.terms():
        power, size = 0, abs(coefficient)
        for generator, exponent in letters:
            if generator.name in box.missing:
                power += exponent
            else:
                size *= _size(generator, sizes) ** exponent
        found[power] = found.get(power, Fraction(0)) + size
    return found


def _size(generator: Generator, sizes: dict[str, Fraction]) -> Fraction:
    if isinstance(generator, Sine | Cosine):
        return Fraction(1)
    if generator.value is not None:
        return Fraction(math.nextafter(abs(generator.value), math.inf))
    return sizes[generator.name]


def text_of(powers: Powers) -> str:
    """a2 rho^2 + a1 rho + a0, the coefficients rounded up."""
    return _sum(powers, ("{}", "{} rho", "{} rho^{}"), str)


def _latex(powers: Powers) -> str:
    return _sum(powers, ("{}", r"{} \rho", r"{} \rho^{{{}}}"), latex_number)


def _sum(powers: Powers, forms: tuple[str, str, str], written: Callable[[str], str]) -> str:
    """The highest power first; `forms` are those of a constant, of rho and of its powers."""
    terms = []
    for power in sorted(powers, reverse=True):
        number = f"{float(powers[power]):.{DIGITS}g}"
        terms.append(forms[min(power, 2)].format("" if power and number == "1" else written(number), power).lstrip())
    return " + ".join(terms) or "0"


def _diagonal(eq: Equations, M: Matrix, box: Box) -> Iterator[str]:
    """mu1 and mu2 in closed form, where M is diagonal and nothing in it changes but what slides."""
    n = range(len(M))
    if any(not is_exactly_zero(M[i][j]) for i in n for j in n if i != j) or len(box.missing) != 1:
        return
    entries = [M[i][i] for i in n]
    rising = all(_rises(entry, box.missing[0], eq) for entry in entries)
    if not rising or any(Formula(x, eq.notation).terms > SHORT for x in entries):
        return
    name = eq.notation.vocabulary.printed[box.missing[0]]
    shown = [eq.formula(x).text() for x in entries]
    far = [eq.formula(substitute(x, {box.missing[0]: free_symbol(symbol("rho"))})).text() for x in entries]
    yield f"M = diag({', '.join(shown)}), so mu2 = {_extreme('max', far)} for |{name}| <= rho."
    yield f"mu1 = {_extreme('min', shown)} at the least |{name}|."


def _extreme(which: str, texts: list[str]) -> str:
    different = list(dict.fromkeys(texts))
    return different[0] if len(different) == 1 else f"{which}({', '.join(different)})"


def _rises(x: Scalar, name: str, eq: Equations) -> bool:
    """Whether x depends on this coordinate alone and grows with its magnitude: even powers, none negative."""
    if not isinstance(x, Polynomial):
        return True
    for letters, coefficient in x.terms():
        sign = float(coefficient)
        for generator, exponent in letters:
            if generator.name == name:
                if exponent % 2:
                    return False
            elif generator.name in eq.notation.defaults:
                sign *= eq.notation.defaults[generator.name] ** exponent
            else:
                return False
        if sign < 0:
            return False
    return True
