"""Rows of the table that are bounds over the whole box: from an enclosure to the row that reports it.

Also the bound of the disturbance, which is as declared; constants that are exactly zero; and which coordinates need a
range at all: bounds of M, c and g need none for a joint on which they do not depend.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from numbers import Real

from leverarm import mechanics as me
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.model.units import Units
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, partial
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.table.box import Box
from leverarm.verify.table.digits import latex_number, outward, rounded_down, rounded_up
from leverarm.verify.table.exact_states import ExactStates
from leverarm.verify.table.property import Bound, Property

NORM_WORDS = {
    "2": "the 2-norm, the greatest eigenvalue",
    "1": "the 1-norm, the greatest column sum",
    "inf": "the infinity norm, the greatest row sum",
    "fro": "the Frobenius norm, the root of the sum of squares",
}


MIXED = "SI units"
MIXED_UNITS = "some joints turn and others slide, so units are mixed: the number is for radians and metres."


LATEX = {
    "mu1": (r"\mu_1", r"\mu_1 I \le M(q)"),
    "mu2": (r"\mu_2", r"M(q) \le \mu_2 I"),
    "norm_lower": (r"\|M\|_{\text{lower}}", r"\|M\|_{{\text{{lower}}}} \le \|M(q)\|_{{{letter}}}"),
    "norm_upper": (r"\|M\|_{\text{upper}}", r"\|M(q)\|_{{{letter}}} \le \|M\|_{{\text{{upper}}}}"),
    "v_b": ("v_b", r"\|c(q, \dot{q})\| \le v_b \|\dot{q}\|^2"),
    "g_b": ("g_b", r"\|g(q)\| \le g_b"),
    "lambda1": (r"\lambda_1", r"\lambda_1 I \le \Lambda(q)"),
    "lambda2": (r"\lambda_2", r"\Lambda(q) \le \lambda_2 I"),
}
NORM_LETTERS = {"2": "2", "1": "1", "inf": r"\infty", "fro": "F"}


def statement_of(key: str, norm: str) -> tuple[str, str]:
    """The statement of a constant in words and in LaTeX; the norm is that of norm_lower and norm_upper."""
    latex = LATEX[key][1]
    if key in ("norm_lower", "norm_upper"):
        latex = latex.format(letter=NORM_LETTERS[norm])
    return EXTREMES[key].statement.format(norm=norm), latex


def bound_row(key: str, bound: Bound, norm: str, detail: tuple[str, ...] = ()) -> Property:
    """The line of a constant that is enclosed."""
    statement, latex = statement_of(key, norm)
    value, latex_value = enclosed(key, LATEX[key][0], bound)
    norms = (f"The norm is {NORM_WORDS[norm]}.",) if key in ("norm_lower", "norm_upper") else ()
    mixed = (MIXED_UNITS,) if bound.unit == MIXED else ()
    notes = (*norms, *((bound.note,) if bound.note else ()), *mixed, *detail)
    return Property(
        key, EXTREMES[key].name, statement, latex, bound.how, bound, value, latex_value, notes, bound.witness,
        bound.seconds,
    )  # fmt: skip


def missing_row(key: str, norm: str, why: str, detail: tuple[str, ...] = ()) -> Property:
    """The line of a constant that is not there: no number for this box, or not computed yet."""
    statement, latex = statement_of(key, norm)
    return Property(key, EXTREMES[key].name, statement, latex, "none", None, why, "", detail, None, 0.0)


def unit_of(key: str, arm: Arm) -> str:
    """The unit of a constant. Entries of M have different ones where some joints turn and others slide."""
    angular, linear = EXTREMES[key].units
    turns = set(Units.of(arm).is_angle)
    return angular if angular == linear or turns == {True} else linear if turns == {False} else MIXED


def enclosed(key: str, letter: str, bound: Bound) -> tuple[str, str]:
    """The enclosure in words and in LaTeX, its sides rounded outward."""
    lower, upper = bound.lower, bound.upper
    unit, latex_unit = f" {bound.unit}" if bound.unit else "", unit_in_latex(bound.unit)
    if lower is None and upper is None:
        return "nothing is known yet", ""
    if lower is None or upper is None:
        sign, latex_sign = ("<=", r"\le") if lower is None else (">=", r"\ge")
        text = rounded_up(upper) if upper is not None else rounded_down(lower or 0.0)
        return f"{key} {sign} {text}{unit}", f"{letter} {latex_sign} {latex_number(text)}{latex_unit}"
    if lower == upper == 0:
        return f"{key} = 0{unit}", f"{letter} = 0{latex_unit}"
    low, high = outward(lower, upper)
    between = rf"{latex_number(low)} \le {letter} \le {latex_number(high)}{latex_unit}"
    return f"{low} <= {key} <= {high}{unit}", between


def unit_in_latex(unit: str) -> str:
    """Behind a number."""
    spaced = unit.replace(" ", r"\,")
    return rf"\ \mathrm{{{spaced}}}" if unit else ""


def disturbance_property(d: float | None = None) -> Property:
    """||tau_d|| <= d as declared [N m or N, 2-norm]; InputError unless d is a finite number, zero or positive."""
    if d is not None and (isinstance(d, bool) or not isinstance(d, Real) or not math.isfinite(d) or d < 0):
        raise InputError(f"disturbance={d!r}; it is the greatest norm of tau_d, a finite number, zero or positive.")
    bound, value, latex_value = None, "not declared", r"\text{not declared}"
    detail: tuple[str, ...] = (
        "declare it with disturbance= or --disturbance: the greatest norm of the unknown torques.",
    )
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


def zero_bounds(states: ExactStates) -> dict[str, Bound]:
    """v_b where every Christoffel symbol is zero, g_b where every force of gravity is; nothing without closed forms."""
    if states.equations is None or states.christoffel is None:
        return {}
    found = {}
    if all(is_exactly_zero(x) for plane in states.christoffel for row in plane for x in row):
        found["v_b"] = "c = 0: M is the same at every position."
    if all(is_exactly_zero(x) for x in states.equations.g.values):
        found["g_b"] = "g = 0: gravity moves no joint."
    return {
        key: Bound(0.0, 0.0, "exact identity", None, unit_of(key, states.arm), 0.0, note) for key, note in found.items()
    }


TRANSLATION = slice(3, 6)
"""The rows of a Jacobian that move a point; the others turn it."""


def ranges_needed(states: ExactStates, box: Box) -> tuple[str, ...]:
    """The coordinates without a range that M or g depends on: all of them where there is no closed form to tell.

    c is made of the slopes of M, so it depends on no other coordinate.
    """
    eq = states.equations
    if eq is None:
        return box.missing
    return _felt((*(x for row in states.states[0].M for x in row), *eq.g.values), box)


def ranges_needed_at_the_tool(states: ExactStates, box: Box) -> tuple[str, ...]:
    """The same of the effective mass, made of M and the Jacobian of the tool's point."""
    if states.equations is None:
        return box.missing
    state = states.states[0]
    J = me.jacobian(state.mechanism, state.q, box.arm.tool)[TRANSLATION]
    return tuple(dict.fromkeys((*ranges_needed(states, box), *_felt((x for row in J for x in row), box))))


def with_needless(box: Box, needed: tuple[str, ...]) -> Box:
    """The box with a note about the ranges that are missing, but not missed."""
    needless = [name for name in box.missing if name not in needed]
    note = f"{', '.join(needless)}: no range, and none is needed: M, c and g do not depend on it."
    return replace(box, notes=(*box.notes, note)) if needless else box


def _felt(entries: Iterable[Scalar], box: Box) -> tuple[str, ...]:
    """The coordinates without a range that one of the entries changes with."""
    every = list(entries)
    return tuple(name for name in box.missing if not all(is_exactly_zero(partial(x, name)) for x in every))
