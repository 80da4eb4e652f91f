"""The line of the disturbance: its bound is what is declared, because an arm does not know what will push it."""

from __future__ import annotations

import math
from numbers import Real

from leverarm.errors import InputError
from leverarm.verify.table.digits import latex_number
from leverarm.verify.table.property import Bound, Property


def disturbance_property(d: float | None = None) -> Property:
    """||tau_d|| <= d as declared [N m or N, 2-norm]; InputError unless d is a finite number, zero or positive."""
    if d is not None and (isinstance(d, bool) or not isinstance(d, Real) or not math.isfinite(d) or d < 0):
        raise InputError(f"disturbance={d!r}; it is the greatest norm of tau_d, a finite number, zero or positive.")
    bound, value, latex_value = None, "not declared", r"\text{not declared}"
    detail: tuple[str, ...] = ("declare it (disturbance=, or --disturbance), the greatest norm of the unknown forces.",)
    if d is not None:
        number = repr(float(d)).removesuffix(".0")
        bound = Bound(float(d), float(d), "declared", None, "SI units", 0.0, "as declared")
        value, latex_value, detail = f"d = {number}", f"d = {latex_number(number)}", ("as declared.",)
    return Property(
        key="d",
        name="Bound of the disturbance",
        statement="||tau_d|| <= d, 2-norm",
        latex=r"\|\tau_d\| \le d",
        how="declared" if d is not None else "none",
        bound=bound,
        value=value,
        latex_value=latex_value,
        detail=detail,
        witness=None,
        seconds=0.0,
    )
