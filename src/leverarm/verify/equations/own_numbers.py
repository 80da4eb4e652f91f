"""Equations in which some symbols are replaced by the arm's own numbers: 9.81 for g."""

from __future__ import annotations

from leverarm.scalars.exact import EXACT, substitute
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.letters import letters_of
from leverarm.verify.equations.values import equal, mapped


def with_own_numbers(case: Case) -> str | None:
    """The words "equal with g = 9.81, ...", where what is written lacks symbols and holds at their default numbers."""
    missing = [name for name in case.scope.arm.defaults if name in letters_of(case.wanted) - letters_of(case.value)]
    defaults = case.scope.equations.notation.defaults
    if not missing or any(name not in case.scope.values.exact.ring.index for name in missing):
        return None
    numbers = {name: EXACT.lift(defaults[name]) for name in missing}
    if not equal(case.value, mapped(case.wanted, lambda x: substitute(x, numbers))):
        return None
    return f"equal with {', '.join(f'{name} = {defaults[name]:g}' for name in missing)}, the arm's own numbers"
