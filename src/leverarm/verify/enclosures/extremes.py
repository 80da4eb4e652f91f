"""Which extremes of the equations of motion are bounded over a box of positions, by the letters that proofs use.

| letter | extreme | unit |
|---|---|---|
| mu1, mu2 | least and greatest eigenvalue of M | of M |
| norm_lower, norm_upper | least and greatest norm of M | of M |
| g_b | greatest length of g | N m, N |
| v_b | greatest length of c(q, qd) = C(q, qd) qd over unit speeds | of M |
| lambda1, lambda2 | least and greatest eigenvalue of Lambda, the effective mass at the tool | kg |
"""

from __future__ import annotations

from leverarm.errors import InputError, unknown_name
from leverarm.model import Arm
from leverarm.quantities import task_axes

EXTREMES = ("mu1", "mu2", "norm_lower", "norm_upper", "g_b", "v_b", "lambda1", "lambda2")
LEAST = frozenset({"mu1", "norm_lower", "lambda1"})
"""Those that are minima; the others are maxima."""
NORMS = ("1", "2", "inf", "fro")
"""Norms of M: greatest column sum, greatest eigenvalue, greatest row sum (the column sum again), root of squares."""


def check_extreme(quantity: str, norm: str) -> None:
    """Raises InputError for a letter or a norm that there is not."""
    if quantity not in EXTREMES:
        raise InputError(unknown_name("quantity", str(quantity), EXTREMES))
    if norm not in NORMS:
        raise InputError(unknown_name("norm", str(norm), NORMS))


def effective_mass_axes(arm: Arm) -> tuple[str, ...]:
    """The world's axes along which the tool can move and feels a mass [kg]: x, y, z or fewer."""
    axes = tuple(axis for axis in task_axes(arm) if axis in ("x", "y", "z"))
    if not axes:
        raise InputError(
            f"arm {arm.name!r}: its tool {arm.tool!r} only turns, so there is no effective mass along x, y or z. Name "
            "a frame `tool` away from the axes."
        )
    return axes
