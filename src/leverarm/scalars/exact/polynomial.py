"""Exact functions of an arm's symbols and coordinates: polynomials, compared term by term, and their quotients.

Quotients are what field programs need, such as the effective mass at the tip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from leverarm.scalars.exact.generators import Generator, Sine
from leverarm.scalars.exact.ring import Flint, Ring, join, ring_of
from leverarm.scalars.ring import Scalar


class Polynomial:
    """A non-zero element in normal form. Zero is always the int 0, so that zeros are structural.

    `p` is FLINT's polynomial, `curbed` a bit set of the sines and roots it may contain (never too few). Mixes with
    ints and fractions; polynomials of different rings meet in the smallest ring that holds both.
    """

    __slots__ = ("curbed", "p", "ring")

    def __init__(self, ring: Ring, p: Flint, curbed: int) -> None:
        self.ring, self.p, self.curbed = ring, p, curbed

    def __mul__(self, other: Scalar) -> Scalar:
        kind = type(other)
        if kind is Polynomial:
            if other.ring is not self.ring:
                return _product(*_together(self, other))
            return _product(self, other)
        if kind is int:
            return self if other == 1 else 0 if other == 0 else Polynomial(self.ring, self.p * other, self.curbed)
        if kind is Fraction:
            if not other:
                return 0
            return Polynomial(self.ring, self.p * self.ring.rational(other), self.curbed)
        return NotImplemented

    __rmul__ = __mul__

    def __add__(self, other: Scalar) -> Scalar:
        kind = type(other)
        if kind is Polynomial:
            a, b = (self, other) if other.ring is self.ring else _together(self, other)
            return element(a.ring, a.p + b.p, a.curbed | b.curbed)
        if kind is int:
            return self if other == 0 else element(self.ring, self.p + other, self.curbed)
        if kind is Fraction:
            return element(self.ring, self.p + self.ring.rational(other), self.curbed)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        kind = type(other)
        if kind is Polynomial:
            a, b = (self, other) if other.ring is self.ring else _together(self, other)
            return element(a.ring, a.p - b.p, a.curbed | b.curbed)
        if kind is int or kind is Fraction:
            return self + (-other)
        return NotImplemented

    def __rsub__(self, other: Scalar) -> Scalar:
        return -self + other if isinstance(other, int | Fraction) else NotImplemented

    def __neg__(self) -> Polynomial:
        return Polynomial(self.ring, -self.p, self.curbed)

    def __pow__(self, exponent: int) -> Scalar:
        result: Scalar = 1
        for _ in range(exponent):
            result = self if type(result) is int else result * self
        return result

    def __truediv__(self, other: Scalar) -> Scalar:

        if isinstance(other, int | Fraction):
            return self * (Fraction(1) / other)
        return quotient(self, other) if isinstance(other, Polynomial) else NotImplemented

    def __rtruediv__(self, other: Scalar) -> Scalar:

        return quotient(other, self) if isinstance(other, int | Fraction) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Polynomial):
            if other.ring is self.ring:
                return bool(self.p == other.p)
            return is_exactly_zero(self - other)
        if isinstance(other, int | Fraction):
            return is_exactly_zero(self - other)
        return NotImplemented

    def __hash__(self) -> int:
        terms = frozenset((frozenset((g.name, e) for g, e in letters), c) for letters, c in self.terms())
        if len(terms) == 1 and not (only := next(iter(terms)))[0]:
            return hash(only[1])
        return hash(terms)

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.p)

    def __bool__(self) -> bool:
        return True

    def __float__(self) -> float:
        return evaluate(self, {})

    def __repr__(self) -> str:
        return str(self.p)

    def __reduce__(self) -> tuple[Any, ...]:
        terms = {tuple(map(int, exponents)): (int(c.p), int(c.q)) for exponents, c in self.p.terms()}
        return _restored, (self.ring.generators, terms, self.curbed)

    def terms(self) -> Iterator[tuple[tuple[tuple[Generator, int], ...], Fraction]]:
        """Each term as its letters with their exponents, and its coefficient."""
        generators = self.ring.generators
        for exponents, c in self.p.terms():
            letters = tuple((generators[i], int(e)) for i, e in enumerate(exponents) if e)
            yield letters, Fraction(int(c.p), int(c.q))

    def generators(self) -> list[Generator]:
        """The letters that occur in it."""
        return [g for g, degree in zip(self.ring.generators, self.p.degrees(), strict=True) if degree]


def _product(a: Polynomial, b: Polynomial) -> Scalar:
    p, shared = a.p * b.p, a.curbed & b.curbed
    if shared:
        p = a.ring.reduce(p, shared)
    return Polynomial(a.ring, p, a.curbed | b.curbed)


Terms = dict[tuple[int, ...], tuple[int, int]]


def _restored(generators: tuple[Generator, ...], terms: Terms, curbed: int) -> Polynomial:
    """A polynomial from its letters and terms: how it comes back from a pickle."""
    ring = ring_of(generators)
    numbers = {exponents: ring.rational(Fraction(*c)) for exponents, c in terms.items()}
    return Polynomial(ring, ring.context.from_dict(numbers), curbed)


def element(ring: Ring, p: Flint, curbed: int) -> Scalar:
    """The number of a polynomial of FLINT in normal form."""
    return Polynomial(ring, p, curbed) if p else 0


def is_exactly_zero(x: Scalar) -> bool:
    """Whether an exact scalar is zero: decided, not guessed."""
    return not isinstance(x, Polynomial) and x == 0


def monomials(x: Scalar) -> list[Scalar]:
    """The terms of an element, each an element; their sum is x."""
    if not isinstance(x, Polynomial):
        return [] if x == 0 else [x]
    return [element(x.ring, x.ring.context.from_dict({exponents: c}), x.curbed) for exponents, c in x.p.terms()]


def letter(ring: Ring, name: str) -> Polynomial:
    """The letter of this name, as an element."""
    i = ring.index[name]
    return Polynomial(ring, ring.letters[i], 1 << i & ring.curbed)


def as_element(ring: Ring, x: Scalar) -> Polynomial:
    """A number as an element of a ring that holds its letters; the zero is an element here."""
    if not isinstance(x, Polynomial):
        return Polynomial(ring, ring.constant(x), 0)
    if x.ring is ring:
        return x
    curbed = sum(1 << ring.index[g.name] for g in x.generators()) & ring.curbed
    return Polynomial(ring, x.p.project_to_context(ring.context), curbed)


def _together(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    ring = join(a.ring, b.ring)
    return as_element(ring, a), as_element(ring, b)


def free_symbol(generator: Generator) -> Polynomial:
    """A letter in a ring of its own: it joins other rings where it meets them."""
    return letter(ring_of([generator]), generator.name)


def evaluate(x: Scalar, values: Mapping[str, float]) -> float:
    """The number x stands for, with these values of its letters; letters that are numbers need none."""
    if not isinstance(x, Polynomial):
        return float(x)
    total = 0.0
    for letters, c in x.terms():
        product = float(c)
        for generator, exponent in letters:
            product *= _value(generator, values) ** exponent
        total += product
    return total


def _value(generator: Generator, values: Mapping[str, float]) -> float:
    if generator.name in values:
        return values[generator.name]
    if generator.value is None:
        raise ValueError(f"{generator.name} has no value")
    return generator.value


class Quotient:
    """numerator / denominator, without common factors. Equality is decided by multiplying crosswise.

    The ring of sines and cosines has no unique factorisation, so a quotient has no unique form.
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Polynomial, denominator: Polynomial) -> None:
        self.numerator, self.denominator = numerator, denominator

    def __add__(self, other: Scalar) -> Scalar:
        if not _is_exact(other):
            return NotImplemented
        a, b = numerator_and_denominator(other)
        if self.denominator == b:
            return quotient(self.numerator + a, b)
        return quotient(self.numerator * b + a * self.denominator, self.denominator * b)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: Scalar) -> Scalar:
        return self + -other if _is_exact(other) else NotImplemented

    def __rsub__(self, other: Scalar) -> Scalar:
        return -self + other if _is_exact(other) else NotImplemented

    def __mul__(self, other: Scalar) -> Scalar:
        if not _is_exact(other):
            return NotImplemented
        a, b = numerator_and_denominator(other)
        return quotient(self.numerator * a, self.denominator * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        if not _is_exact(other):
            return NotImplemented
        a, b = numerator_and_denominator(other)
        return quotient(self.numerator * b, self.denominator * a)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        if not _is_exact(other):
            return NotImplemented
        return quotient(other * self.denominator, self.numerator)

    def __eq__(self, other: object) -> bool:
        if not _is_exact(other):
            return NotImplemented
        a, b = numerator_and_denominator(other)
        return is_exactly_zero(self.numerator * b - a * self.denominator)

    __hash__ = None  # type: ignore[assignment]  # equal quotients may have different forms

    def __float__(self) -> float:
        return float(self.numerator) / float(self.denominator)

    def __repr__(self) -> str:
        return f"({self.numerator!r})/({self.denominator!r})"


def _is_exact(x: Any) -> bool:
    return isinstance(x, Polynomial | Quotient | int | Fraction)


def numerator_and_denominator(x: Scalar) -> tuple[Scalar, Scalar]:
    """An exact scalar as a quotient of two without denominators."""
    return (x.numerator, x.denominator) if isinstance(x, Quotient) else (x, 1)


def _without_sines(ring: Ring, p: Flint, d: Flint) -> tuple[Flint, Flint]:
    """Both without the sines they share, which a common divisor does not see: s^2 is held as 1 - c^2.

    A sine s divides x exactly when 1 - c^2 divides s x in normal form, and the quotient is x / s.
    """
    degrees = d.degrees()
    for i, generator in enumerate(ring.generators):
        if not isinstance(generator, Sine):
            continue
        j = ring.index[f"cos({generator.angle})"]
        if degrees[i] == degrees[j] == 0:
            continue
        s, square = ring.letters[i], 1 - ring.letters[j] ** 2
        while not d.is_constant():
            turned = [ring.reduce(s * x, 1 << i) for x in (p, d)]
            if any(x % square for x in turned):
                break
            p, d = (x / square for x in turned)
    return p, d


def quotient(a: Scalar, b: Scalar) -> Scalar:
    """a / b of exact scalars without denominators, in lowest terms; a polynomial where the division comes out."""
    if is_exactly_zero(b):
        raise ZeroDivisionError("division by an element that is zero")
    if is_exactly_zero(a) or not isinstance(b, Polynomial):
        return a * (Fraction(1) / b) if a != 0 else 0
    ring = b.ring if not isinstance(a, Polynomial) or a.ring is b.ring else join(a.ring, b.ring)
    above, below = as_element(ring, a), as_element(ring, b)
    shared = above.p.gcd(below.p)
    p, d = _without_sines(ring, above.p / shared, below.p / shared)
    if d.is_constant():
        return element(ring, p / d, above.curbed)
    scale = d.leading_coefficient()
    return Quotient(element(ring, p / scale, above.curbed), element(ring, d / scale, below.curbed))
