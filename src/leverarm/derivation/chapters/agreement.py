"""The last step of every route: the other routes give the same equations, computed with tolerance zero."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.derivation.document import Part, Step, Table
from leverarm.derivation.setting import Setting
from leverarm.derivation.sizes import term_count
from leverarm.notation.tree import Node, Product, Sum, Symbol
from leverarm.scalars import Scalar


def agreement(setting: Setting, own: str, forces: Sequence[Scalar]) -> Part:
    """The forces of this route (without friction) against the other routes, difference by difference."""
    rows: list[tuple[str | Node, ...]] = []
    equal = True
    for name, other in setting.eq.routes.items():
        if name == own:
            continue
        terms = term_count(a - b for a, b in zip(forces, other.values, strict=True))
        equal = equal and terms == 0
        rows.append((*_name(setting, name), str(other.terms), str(terms), "equal" if terms == 0 else "DIFFERENT"))
    outcome = "equal to them: every difference has no terms" if equal else "NOT equal to them"
    verdict = (
        f"By {own} the equations of motion have {term_count(forces)} terms when multiplied out. Those of the other "
        f"routes are {outcome}. This holds for all values of all symbols; it is not a test at some of them."
    )
    head = ("route", "how", "terms", "terms of the difference", "verdict")
    code = "lagrange = eq.routes['Lagrange'].values\n"
    code += "{name: [a - b for a, b in zip(f.values, lagrange)] for name, f in eq.routes.items()}"
    return Part("The routes agree", (Step("Proof", (verdict,), (), (Table(head, tuple(rows)),), code=code),))


def _name(setting: Setting, route: str) -> tuple[str | Node, str]:
    """A route's name, and how it comes to the forces."""
    if route == "robot equation":
        M, C, g = Symbol("M"), Symbol("C"), Symbol("g")
        return Sum((Product((M, setting.all(2))), Product((C, setting.all(1))), g)), "M by composite bodies"
    how = {
        "Lagrange": "energies, differentiated",
        "Newton-Euler": "body by body, in link frames",
        "Newton-Euler in screw form": "screws and home poses",
    }
    return route, how[route]
