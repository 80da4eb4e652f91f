"""Constants that are exactly zero: of an arm whose inertia is the same everywhere, or that gravity does not move."""

from __future__ import annotations

from leverarm.scalars.exact import is_exactly_zero
from leverarm.verify.table.bound_rows import unit_of
from leverarm.verify.table.exact_states import ExactStates
from leverarm.verify.table.property import Bound


def zero_bounds(states: ExactStates) -> dict[str, Bound]:
    """v_b where every Christoffel symbol is zero, g_b where every force of gravity is; nothing without closed forms."""
    if states.equations is None or states.christoffel is None:
        return {}
    found = {}
    if all(is_exactly_zero(x) for plane in states.christoffel for row in plane for x in row):
        found["v_b"] = "V = 0: M is the same at every position."
    if all(is_exactly_zero(x) for x in states.equations.g.values):
        found["g_b"] = "G = 0: gravity moves no joint."
    return {
        key: Bound(0.0, 0.0, "exact identity", None, unit_of(key, states.arm), 0.0, note) for key, note in found.items()
    }
