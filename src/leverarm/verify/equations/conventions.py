"""Whether an equation that does not hold as it stands holds by another convention, and which one."""

from __future__ import annotations

from leverarm.verify.equations.case import Case
from leverarm.verify.equations.convention_quantities import defined_otherwise, jacobian_otherwise
from leverarm.verify.equations.convention_torques import with_motor_torques
from leverarm.verify.equations.coriolis_entries import by_rows
from leverarm.verify.equations.descriptions import described_otherwise
from leverarm.verify.equations.factorisations import factorisation
from leverarm.verify.equations.values import Table, equal, table


def convention(case: Case) -> str | None:
    """A sentence that says by which convention the equation holds; None where it is wrong by all that are known.

    A convention is proven exactly, like an equation that is equal. It must hold for the whole equation, must not break
    another equation of the document, and must not be mistaken for a slip: where one slip of the pen explains the
    equation as well, another equation of the document has to agree.
    """
    eq = case.scope.equations
    n = len(eq.exact.qd)
    if isinstance(case.value, Table) and case.value.shape == (n, n) and equal(case.wanted, table(eq.C.values)):
        return _sentence(factorisation(case.value.rows, eq), "equal as ")
    words = by_rows(case) or defined_otherwise(eq, case.wanted, case.value)
    words = words or jacobian_otherwise(eq, case.wanted, case.value)
    described = None if words else described_otherwise(case) or with_motor_torques(case)
    return _sentence(words, "equal ") or _sentence(described, "equal if ")


def _sentence(words: str | None, start: str) -> str | None:
    return None if words is None else f"{start}{words}"
