"""The extremes of the equations of motion that are bounded over a box of positions: one record for each.

| letter | extreme | unit |
|---|---|---|
| mu1, mu2 | least and greatest eigenvalue of M | of M |
| norm_lower, norm_upper | least and greatest norm of M | of M |
| g_b | greatest length of g | N m, N |
| v_b | greatest length of c(q, qd) = C(q, qd) qd over unit speeds | of M |
| lambda1, lambda2 | least and greatest eigenvalue of Lambda, the effective mass at the tool | kg |

A record says how the extreme is bounded from outside, what it is at a state (which bounds it from inside), what is
searched for such a state, and what the table of properties says about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from leverarm.documents.document import Words
from leverarm.errors import InputError, unknown_name
from leverarm.model import Arm
from leverarm.notation.tree import Indexed, Symbol
from leverarm.scalars import precision
from leverarm.verify.enclosures import compiled_values as searches
from leverarm.verify.enclosures import point_values as values
from leverarm.verify.enclosures.bounding import (
    Bounding,
    bounded_gravity,
    bounded_inertia,
    bounded_norm,
    bounded_velocity_torques,
)
from leverarm.verify.enclosures.compiled_values import Searched
from leverarm.verify.enclosures.point_values import BITS, BallState, Interval
from leverarm.verify.enclosures.tool_mass import greatest_tool_mass, least_tool_mass
from leverarm.verify.statements import ONE, Lambda, M, at_most, c, g, norm, of, q, qd, said, squared, times

NORMS = ("1", "2", "inf", "fro")
"""Norms of M: greatest column sum, greatest eigenvalue, greatest row sum (the column sum again), root of squares."""
INERTIA, FORCE, MASS = ("kg m^2", "kg"), ("N m", "N"), ("kg", "kg")
"""Units where all joints turn, and where all slide."""
M_q = of(M, q)
NORM_OF_M = Indexed(norm(M_q), "norm")


@dataclass(frozen=True, slots=True)
class Extreme:
    """A number of the state whose least or greatest value over a box is enclosed; the norm is that of M."""

    key: str
    title: Words
    statement: Words
    """An index "norm" stands for the norm of M."""
    section: str
    """The heading of the table that it stands below."""
    units: tuple[str, str]
    bounding: Callable[[Arm, str], Bounding]
    """How it is bounded from outside."""
    value: Callable[[BallState, str], Interval]
    """What it is at a state."""
    searched: Callable[[Arm, str], Searched]
    """What is searched for a state that nearly attains it."""
    is_least: bool = False
    """Whether it is a minimum."""
    is_length: bool = True
    """Whether it is a length or a norm, so never negative."""
    is_of_tool: bool = False
    """Whether it depends on where the tool is, and is there only for a tool that does more than turn."""
    avoids_singular_poses: bool = False
    """Whether it is infinite at a singular pose, and so is bounded over a part of the box that is clear of them."""
    close: float = 5e-7
    """Boxes this close to what is reached, relatively, are left alone."""
    share: float = 1.0
    """Of the time, while all extremes are open."""


EXTREMES: Mapping[str, Extreme] = {
    each.key: each
    for each in (
        Extreme(
            "mu1", said("Least eigenvalue of {M}"), (at_most(times(Symbol("mu1"), ONE), M_q),),
            "Inertia matrix", INERTIA,
            bounding=lambda arm, _: bounded_inertia(arm, -1, floor=1e-3),
            value=lambda state, _: values.eigenvalue(values.mass_matrix(state), is_greatest=False),
            searched=lambda arm, _: searches.eigenvalue_of_mass(arm, 0),
            is_least=True, is_length=False, share=2.0,
        ),
        Extreme(
            "mu2", said("Greatest eigenvalue of {M}"), (at_most(M_q, times(Symbol("mu2"), ONE)),),
            "Inertia matrix", INERTIA,
            bounding=lambda arm, _: bounded_inertia(arm, 1),
            value=lambda state, _: values.eigenvalue(values.mass_matrix(state), is_greatest=True),
            searched=lambda arm, _: searches.eigenvalue_of_mass(arm, -1),
            is_length=False,
        ),
        Extreme(
            "norm_lower", said("Least norm of {M}"), (at_most(Symbol("norm_lower"), NORM_OF_M),),
            "Inertia matrix", INERTIA,
            bounding=lambda arm, norm: bounded_norm(arm, norm, -1),
            value=lambda state, norm: values.NORMS[norm](values.mass_matrix(state)),
            searched=lambda arm, norm: searches.norm_of_mass(arm, norm, is_greatest=False),
            is_least=True, share=0.5,
        ),
        Extreme(
            "norm_upper", said("Greatest norm of {M}"), (at_most(NORM_OF_M, Symbol("norm_upper")),),
            "Inertia matrix", INERTIA,
            bounding=lambda arm, norm: bounded_norm(arm, norm, 1),
            value=lambda state, norm: values.NORMS[norm](values.mass_matrix(state)),
            searched=lambda arm, norm: searches.norm_of_mass(arm, norm, is_greatest=True),
        ),
        Extreme(
            "g_b", ("Bound of the gravity torques",), (at_most(norm(of(g, q)), Symbol("g_b")), ", 2-norm"),
            "Gravity vector", FORCE,
            bounding=lambda arm, _: bounded_gravity(arm),
            value=lambda state, _: values.length(values.gravity(state)).bounds(),
            searched=lambda arm, _: searches.weight(arm),
        ),
        Extreme(
            "v_b", ("Bound of the Coriolis and centrifugal torques",),
            (at_most(norm(of(c, q, qd)), times(Symbol("v_b"), squared(norm(qd)))), ", 2-norms"),
            "Coriolis and centripetal vector", INERTIA,
            bounding=lambda arm, _: bounded_velocity_torques(arm),
            value=lambda state, _: values.per_square_speed(values.velocity_torques(state), state),
            searched=lambda arm, _: searches.velocity_torques(arm),
            share=4.0,
        ),
        Extreme(
            "lambda1", ("Least effective mass",),
            (at_most(times(Symbol("lambda1"), ONE), of(Lambda, q)), ", along the world's axes"),
            "Effective mass at the tip", MASS,
            bounding=lambda arm, _: least_tool_mass(arm),
            value=lambda state, _: values.reciprocal(values.eigenvalue(values.mobility(state), is_greatest=True)),
            searched=lambda arm, _: searches.mobility(arm, is_greatest=True),
            is_least=True, is_length=False, is_of_tool=True,
            avoids_singular_poses=True, close=1e-3, share=0.5,
        ),
        Extreme(
            "lambda2", ("Greatest effective mass",),
            (at_most(of(Lambda, q), times(Symbol("lambda2"), ONE)), ", along the world's axes"),
            "Effective mass at the tip", MASS,
            bounding=lambda arm, _: greatest_tool_mass(arm),
            value=lambda state, _: values.reciprocal(values.eigenvalue(values.mobility(state), is_greatest=False)),
            searched=lambda arm, _: searches.mobility(arm, is_greatest=False),
            is_length=False, is_of_tool=True,
            avoids_singular_poses=True, close=1e-2, share=0.5,
        ),
    )
}  # fmt: skip
"""In the order in which they are bounded."""


def extreme(quantity: str, norm: str = "2") -> Extreme:
    """The record of a letter; InputError for a letter or a norm that there is not."""
    if quantity not in EXTREMES:
        raise InputError(unknown_name("quantity", str(quantity), EXTREMES))
    if norm not in NORMS:
        raise InputError(unknown_name("norm", str(norm), NORMS))
    return EXTREMES[quantity]


def certified_value(arm: Arm, quantity: str, state: Mapping[str, Sequence[float]], norm: str = "2") -> Interval:
    """Floats below and above the value that a quantity has at a state {"q": ..., "qd": ...}.

    In the quantity's unit; for v_b it is |c(q, qd)| / |qd|^2, and speeds of any length may be given. An effective mass
    may be (something, inf): at a singular pose some direction cannot move. `norm` is that of norm_lower and norm_upper.
    """
    what = extreme(quantity, norm)
    with precision(BITS):
        return what.value(values.ball_state(arm, state), norm)
