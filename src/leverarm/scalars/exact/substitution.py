"""Values in place of letters, coefficients of their powers, and what remains when a letter grows without bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from leverarm.scalars.exact.polynomial import Polynomial, Quotient, as_element, element, quotient
from leverarm.scalars.exact.ring import Ring, join
from leverarm.scalars.ring import Scalar
from leverarm.scalars.turn import Turn


def substitute(x: Scalar, values: Mapping[str, Scalar]) -> Scalar:
    """x with exact scalars in place of letters; an angle is replaced by giving a Turn for its name."""
    if isinstance(x, Quotient):
        return quotient(substitute(x.numerator, values), substitute(x.denominator, values))
    if not isinstance(x, Polynomial):
        return x
    given = _by_letter(values)
    ring: Ring = x.ring
    for value in given.values():
        if isinstance(value, Polynomial):
            ring = join(ring, value.ring)
    moved = as_element(ring, x)
    if not any(name in ring.index for name in given):
        return x
    images = [
        as_element(ring, given[generator.name]).p if generator.name in given else ring.letters[i]
        for i, generator in enumerate(ring.generators)
    ]
    return element(ring, ring.reduce(moved.p.compose(*images), ring.curbed), ring.curbed)


def _by_letter(values: Mapping[str, Scalar]) -> dict[str, Scalar]:
    given: dict[str, Scalar] = {}
    for name, value in values.items():
        if isinstance(value, Turn):
            given |= {f"cos({name})": value.cos, f"sin({name})": value.sin, name: value.value}
        else:
            given[name] = value
    return given


def limit_at_infinity(x: Scalar, name: str) -> Scalar | None:
    """What x tends to when a letter grows without bound; None where it grows too."""
    above, below = (x.numerator, x.denominator) if isinstance(x, Quotient) else (x, 1)
    (n, lead_above), (d, lead_below) = _leading(above, name), _leading(below, name)
    if n > d:
        return None
    return 0 if n < d else quotient(lead_above, lead_below)


def _leading(x: Scalar, name: str) -> tuple[int, Scalar]:
    """The degree in a letter and the coefficient of its highest power."""
    (degree,), leading = max(coefficients(x, (name,)).items(), default=((-1,), 0))
    return degree, leading


def coefficients(x: Scalar, names: Sequence[str]) -> dict[tuple[int, ...], Scalar]:
    """x as a polynomial in these letters: the coefficient of each product of their powers; none of zero."""
    if not isinstance(x, Polynomial):
        return {(0,) * len(names): x} if x != 0 else {}
    places = [x.ring.index.get(name) for name in names]
    groups: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
    for exponents, c in x.p.terms():
        powers = tuple(0 if i is None else int(exponents[i]) for i in places)
        rest = tuple(0 if k in places else e for k, e in enumerate(exponents))
        groups.setdefault(powers, {})[rest] = c
    return {p: element(x.ring, x.ring.context.from_dict(terms), x.curbed) for p, terms in groups.items()}
