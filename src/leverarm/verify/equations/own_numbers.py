"""Equations in which some symbols are replaced by the arm's own numbers: 9.81 for g."""

from __future__ import annotations

from leverarm.scalars import Scalar
from leverarm.scalars.exact import EXACT, Polynomial, Quotient, substitute
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.values import entries, equal, mapped


def with_own_numbers(case: Case) -> str | None:
    """The words "equal with g = 9.81, ...", where what is written lacks symbols and holds at their default numbers."""
    written, wanted = _symbols(case, case.value), _symbols(case, case.wanted)
    missing = [name for name in case.scope.arm.defaults if name in wanted - written]
    defaults = case.scope.equations.notation.defaults
    if not missing or any(name not in case.scope.values.exact.ring.index for name in missing):
        return None
    numbers = {name: EXACT.lift(defaults[name]) for name in missing}
    if not equal(case.value, mapped(case.wanted, lambda x: substitute(x, numbers))):
        return None
    return f"equal with {', '.join(f'{name} = {defaults[name]:g}' for name in missing)}, the arm's own numbers"


def _symbols(case: Case, value: object) -> set[str]:
    return {name for x in entries(value) for name in _names(x) if name in case.scope.arm.defaults}


def _names(x: Scalar) -> set[str]:
    if isinstance(x, Quotient):
        return _names(x.numerator) | _names(x.denominator)
    return {generator.name for generator in x.generators()} if isinstance(x, Polynomial) else set()
