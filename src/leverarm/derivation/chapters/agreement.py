"""The last step of every route: another route gives the same equations, computed with tolerance zero."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm import mechanics as me
from leverarm.derivation.document import Part, Step, Table
from leverarm.derivation.setting import Setting
from leverarm.derivation.sizes import term_count
from leverarm.scalars import Scalar


def agreement(setting: Setting, own: str, forces: Sequence[Scalar]) -> Part:
    """The forces of this route (without friction) against the other routes, difference by difference."""
    exact = setting.eq.exact
    state = (exact.mechanism, exact.q, exact.qd, exact.qdd)
    rotors = me.rotor_forces(exact.mechanism, exact.qdd)
    routes = {
        "Lagrange": setting.eq.euler_lagrange.values,
        "Newton-Euler": [a + b for a, b in zip(me.rigid_body_forces(*state), rotors, strict=True)],
        "Newton-Euler in screw form": [a + b for a, b in zip(me.screw_inverse_dynamics(*state), rotors, strict=True)],
        "M qdd + C qd + g": _robot_equation(setting),
    }
    rows, equal = [], True
    for name, other in routes.items():
        if name == own:
            continue
        left = [a - b for a, b in zip(forces, other, strict=True)]
        terms = term_count(left)
        equal = equal and terms == 0
        rows.append((name, str(term_count(other)), str(terms), "equal" if terms == 0 else "DIFFERENT"))
    count = term_count(forces)
    outcome = "the same: every difference has no terms" if equal else "NOT the same"
    verdict = (
        f"By {own} the equations of motion have {count} terms when multiplied out. Those of the other routes, computed "
        f"on their own, are {outcome}. This is a statement about all values of all symbols, not a test at some of them."
    )
    head = ("route", "terms", "terms of the difference", "verdict")
    code = "eq.formulas([a - b - f for a, b, f in zip(eq.tau.values, eq.euler_lagrange.values, eq.friction.values)])"
    return Part("The routes agree", (Step("Proof", (verdict,), (), (Table(head, tuple(rows)),), code=code),))


def _robot_equation(setting: Setting) -> list[Scalar]:
    eq = setting.eq
    inertial = me.apply(eq.M.values, eq.exact.qdd)
    return [a + b + c for a, b, c in zip(inertial, eq.c.values, eq.g.values, strict=True)]
