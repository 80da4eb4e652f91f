"""Bounds as functions of a range that is not given: how M, c and g grow as joints slide, |q_j| <= rho.

Every entry is a polynomial in what slides. A sine or cosine is at most one, so the sizes of the coefficients bound it:
surely, if not closely.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from leverarm.closed_form import Equations, Formula
from leverarm.documents.document import Words
from leverarm.mechanics.matrices import Matrix
from leverarm.notation.tree import ZERO, Call, Decimal, Node, Power, Symbol
from leverarm.notation.vocabulary import Writing
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
from leverarm.verify.statements import M, at_most, equal, norm, of, plus, rho, times
from leverarm.verify.table.box import Box
from leverarm.verify.table.exact_states import ExactStates
from leverarm.verify.table.property import Property, line

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
    found: Words = ("no bound",)
    remarks: list[Words] = [("how the bounds grow is read off the closed forms, which this arm does not have.",)]
    writing = Writing()
    if growth is not None and eq is not None:
        writing = eq.notation.writing
        sizes = [Call("abs", Symbol(eq.notation.vocabulary.printed[name])) for name in box.missing]
        where: Words = (" over the box",)
        if sizes:
            listed = [piece for size in sizes[:-1] for piece in (size, " and ")]
            where = (" for ", *listed, at_most(sizes[-1], rho))
        found = (at_most(norm(M), polynomial(growth.M)), *where)
        v_b, g_b = (at_most(Symbol(key), polynomial(powers)) for key, powers in (("v_b", growth.c), ("g_b", growth.g)))
        remarks = [*_diagonal(eq, states.states[0].M, box), (v_b, " and ", g_b, *where, ".")]
        if states.arm.symbols:
            remarks.append(("the symbols have the arm's values.",))
    remarks += [(box.remedy,)] if box.missing else []
    how = "none" if growth is None else states.how
    return line("growth", how, found, tuple(remarks), time.perf_counter() - begun, writing=writing)


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
    match x:
        case Polynomial():
            return _of_terms(x, sizes, box)
    return {} if is_exactly_zero(x) else {0: abs(Fraction(x))}


def _of_terms(x: Polynomial, sizes: dict[str, Fraction], box: Box) -> Powers:
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
    match generator:
        case Sine() | Cosine():
            return Fraction(1)
    if generator.value is not None:
        return Fraction(math.nextafter(abs(generator.value), math.inf))
    return sizes[generator.name]


def polynomial(powers: Powers) -> Node:
    """a2 rho^2 + a1 rho + a0, the coefficients rounded up."""
    terms: list[Node] = []
    for power in sorted(powers, reverse=True):
        digits = f"{float(powers[power]):.{DIGITS}g}"
        grown = [Power(rho, power) if power > 1 else rho] if power else []
        factors = [*([Decimal(digits)] if digits != "1" or not power else []), *grown]
        terms.append(times(*factors) if len(factors) > 1 else factors[0])
    return plus(*terms) if len(terms) > 1 else terms[0] if terms else ZERO


def _diagonal(eq: Equations, inertia: Matrix, box: Box) -> Iterator[Words]:
    """mu1 and mu2 in closed form, where M is diagonal and nothing in it changes but what slides."""
    n = range(len(inertia))
    if any(not is_exactly_zero(inertia[i][j]) for i in n for j in n if i != j) or len(box.missing) != 1:
        return
    entries = [inertia[i][i] for i in n]
    rising = all(_rises(entry, box.missing[0], eq) for entry in entries)
    if not rising or any(Formula(x, eq.notation).terms > SHORT for x in entries):
        return
    size = Call("abs", Symbol(eq.notation.vocabulary.printed[box.missing[0]]))
    shown = [eq.formula(x).tree for x in entries]
    far = [eq.formula(substitute(x, {box.missing[0]: free_symbol(symbol("rho"))})).tree for x in entries]
    mu1, mu2 = equal(Symbol("mu1"), _extreme("min", shown)), equal(Symbol("mu2"), _extreme("max", far))
    diagonal = equal(M, of(Symbol("diag"), *shown))
    yield (diagonal, ", so ", mu2, " for ", at_most(size, rho), ".")
    yield (mu1, " at the least ", size, ".")


def _extreme(which: str, formulas: list[Node]) -> Node:
    different = list(dict.fromkeys(formulas))
    return different[0] if len(different) == 1 else of(Symbol(which), *different)


def _rises(x: Scalar, name: str, eq: Equations) -> bool:
    """Whether x depends on this coordinate alone and grows with its magnitude: even powers, none negative."""
    match x:
        case Polynomial():
            return all(_term_rises(letters, float(coefficient), name, eq) for letters, coefficient in x.terms())
    return True


def _term_rises(letters: Iterable[tuple[Generator, int]], sign: float, name: str, eq: Equations) -> bool:
    for generator, exponent in letters:
        if generator.name == name:
            if exponent % 2:
                return False
        elif generator.name in eq.notation.defaults:
            sign *= eq.notation.defaults[generator.name] ** exponent
        else:
            return False
    return sign >= 0
