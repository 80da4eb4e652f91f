"""Equations with rounded numbers: whether they hold to the digits that are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from leverarm.notation.reading.as_written import Node, Number, replaced, walk
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.values import Value, aligned, described, entries, fits, shape_of
from leverarm.verify.equations.verdict import WrittenError

MOST_NUMBERS = 200
"""Formulas with more numbers than this are taken at their word."""
ROUGHEST = Fraction(1, 20)
"""What rounding may change of a number at most, however few digits it has."""

Monomial = tuple[tuple[str, int], ...]
Terms = dict[Monomial, float]


def to_written_digits(case: Case) -> str | None:
    """The words "equal to the digits that are written ...", where rounding of its decimals explains what is off.

    Every decimal may be off by half a unit of its last digit; terms smaller than that may be left out. None elsewhere.
    """
    decimals = [node for node in walk(case.written) if isinstance(node, Number) and digits_behind(node, case)]
    if not decimals or len(decimals) > MOST_NUMBERS or not fits(case.value, case.wanted):
        return None
    try:
        slack = _slack(case, decimals)
    except WrittenError:
        return None
    if slack is None:
        return None
    least = float(min(half_unit(node, case) for node in decimals))
    worst, is_short = 0.0, False
    pairs = zip(entries(case.value), entries(aligned(case.wanted, case.value)), slack, strict=True)
    for written, wanted, allowed in pairs:
        ours, theirs = coefficients(written), coefficients(wanted)
        if ours is None or theirs is None:
            return None
        for monomial in {*ours, *theirs}:
            off = abs(ours.get(monomial, 0.0) - theirs.get(monomial, 0.0))
            left_out = monomial not in ours and monomial not in allowed
            if off > (least if left_out else allowed.get(monomial, 0.0)) * (1 + 1e-9) + 1e-15:
                return None
            worst, is_short = max(worst, off), is_short or (left_out and off > 0)
    rest = "; smaller terms are left out" if is_short else ""
    return f"equal to the digits that are written: no coefficient is off by more than {worst:.2g}{rest}"


def half_unit(node: Number, case: Case) -> Fraction:
    """Half a unit of the last digit of a decimal, and never more than a small part of the number."""
    half = Fraction(1, 2) / Fraction(10) ** digits_behind(node, case)
    return min(half, abs(node.value) * ROUGHEST) if node.value else half


def digits_behind(node: Number, case: Case) -> int:
    """The digits behind the point of a number as it is written, its power of ten included; 0 for whole numbers."""
    mantissa, _, power = case.scope.text[slice(*node.span)].lower().partition("e")
    whole, point, behind = mantissa.partition(".")
    return len(behind) - int(power or 0) if point and whole.strip().isdigit() else 0


def _slack(case: Case, decimals: Sequence[Number]) -> list[Terms] | None:
    """What rounding can change of each monomial of each entry."""
    total: list[Terms] = [{} for _ in entries(case.value)]
    for node in decimals:
        moved = replaced(case.written, node, Number(node.span, node.value + half_unit(node, case)))
        for allowed, change in zip(total, changes(moved, case), strict=True):
            if change is None:
                return None
            for monomial, size in change.items():
                allowed[monomial] = allowed.get(monomial, 0.0) + abs(size)
    return total


def changes(moved: Node, case: Case) -> Iterator[Terms | None]:
    value: Value = case.worth(moved)
    if shape_of(value) != shape_of(case.value):
        raise WrittenError(moved.span, f"is {described(value)} with another number in it.")
    for new, old in zip(entries(value), entries(case.value), strict=True):
        yield coefficients(new - old)


def coefficients(x: Scalar) -> Terms | None:
    """The coefficients of a polynomial by its letters; roots and other constants are numbers. None of a quotient."""
    if isinstance(x, int | Fraction):
        return {(): float(x)} if x else {}
    if not isinstance(x, Polynomial):
        return None
    found: Terms = {}
    for letters, coefficient in x.terms():
        number, key = float(coefficient), []
        for generator, power in letters:
            if generator.value is None:
                key.append((generator.name, power))
            else:
                number *= generator.value**power
        found[tuple(key)] = found.get(tuple(key), 0.0) + number
    return found
