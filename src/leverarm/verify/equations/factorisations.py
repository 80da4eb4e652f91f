"""C qd = c has many solutions: whether a matrix is one of them, and whether it is one that passivity needs."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.mechanics.matrices import dot
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero

Rows = Sequence[Sequence[Scalar]]

KNOWN = {
    "upper": "every product of two speeds is written into the column of the later one",
    "lagrange": "the terms are left as they fall out of the Euler-Lagrange equation",
}


def factorisation(C: Rows, eq: Equations) -> str | None:
    """What to say of a matrix with C qd = c that is not the Christoffel one; None where C qd is not c.

    C qd = c is decided exactly, and so is whether Mdot - 2 C is skew-symmetric.
    """
    n = len(eq.exact.qd)
    if len(C) != n or any(len(row) != n for row in C):
        return None
    if not all(row_fits(row, i, eq) for i, row in enumerate(C)):
        return None
    known = _known(C, eq)
    which = f" ({KNOWN[known]})" if known else ""
    if is_skew(C, eq):
        return (
            f"another factorisation{which}: C qd is the same, and Mdot - 2 C is skew-symmetric too, so it serves "
            "passivity-based control as well as the Christoffel one"
        )
    return (
        f"another factorisation{which}: C qd is the same, but Mdot - 2 C is not skew-symmetric, so it does not serve "
        "passivity-based control"
    )


def row_fits(row: Sequence[Scalar], i: int, eq: Equations) -> bool:
    """Whether row i of a matrix C times qd is c_i, exactly."""
    return bool(dot(row, eq.exact.qd) == eq.c.values[i])


def is_skew(C: Rows, eq: Equations) -> bool:
    """Whether Mdot - 2 C is skew-symmetric, exactly."""
    S = [
        [rate - 2 * x for rate, x in zip(rates, row, strict=True)]
        for rates, row in zip(eq.M_dot.values, C, strict=True)
    ]
    n = range(len(S))
    return all(is_exactly_zero(S[i][j] + S[j][i]) for i in n for j in n[i:])


def _known(C: Rows, eq: Equations) -> str | None:
    mechanism, q, qd = eq.exact.mechanism, eq.exact.q, eq.exact.qd
    for name in KNOWN:
        A = me.FACTORISATIONS[name](mechanism, q, qd)
        if all(x == y for row, other in zip(C, A, strict=True) for x, y in zip(row, other, strict=True)):
            return name
    return None
