"""The equations of motion in matrix form, friction and rotors, and the proof that all routes agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from leverarm.derivation.formulas import (
    HALF,
    M_DOT_MINUS_2C,
    C,
    M,
    brief,
    c,
    equation,
    every_line,
    full,
    g,
    plus,
    tau,
    times,
)
from leverarm.derivation.setting import LINE, Setting, matrix_form, term_count, width
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, Table, sentence
from leverarm.model import LAWS
from leverarm.notation.tree import Indexed, Node, Of, PartialDerivative, Sum, Symbol, column, negated
from leverarm.scalars import Scalar
from leverarm.scalars.exact import partial, substitute


def equations_of_motion(setting: Setting) -> Section:
    """M, c and g; the Christoffel symbols; the Coriolis matrix."""
    steps = [matrix_form_step(setting)]
    if not setting.eq.christoffel.is_zero:
        steps += [_christoffel(setting), _coriolis_matrix(setting)]
    return chapter("The equations of motion", tuple(steps))


def matrix_form_alone(setting: Setting) -> Section:
    """M, c and g, for routes that do without Christoffel symbols."""
    return chapter("The equations of motion", (matrix_form_step(setting),))


def matrix_form_step(setting: Setting) -> Section:
    """M(q) qdd + c(q, qd) + g(q) = tau, with M, c and g written out."""
    eq, q, qd = setting.eq, setting.all(), setting.all(1)
    causes = "gravity and the springs" if setting.mechanism.has_springs else "gravity"
    more = " {F} is friction, as below." if setting.mechanism.has_friction else ""
    more += " The last term is the wrench at the tip." if setting.pushed else ""
    return step(
        "Matrix form",
        sentence(
            "The coefficients of the accelerations form the mass matrix {M}; the terms with velocities are the "
            f"Coriolis and centrifugal terms {{c}}; the remaining terms {{g}} are due to {causes}.{more}",
            M=M, c=c, g=g, F=setting.friction,
        ),
        (
            brief(matrix_form(setting), tau),
            *_written_out(setting),
            brief(Of(M, (q,)), eq.M.tree),
            brief(Of(c, (q, qd)), eq.c.tree),
            brief(Of(g, (q,)), eq.g.tree),
        ),
        code="together(eq, eq.M, eq.c, eq.g)",
    )  # fmt: skip


def _written_out(setting: Setting) -> list[Shown]:
    """The whole equation with its matrices on one line, where that fits."""
    parts = (setting.eq.M.tree, setting.eq.c.tree, setting.eq.g.tree)
    if sum(width(setting, part) for part in parts) > 2 * LINE:
        return []
    inertia, velocity, gravity = parts
    losses = [column(setting.friction_forces)] if setting.friction_forces else []
    left = plus(times(inertia, column(setting.coordinates(2))), velocity, *losses, gravity, *setting.pushed)
    return [every_line(left, column(setting.forces))]


def gamma(i: int, j: int, k: int) -> Node:
    """The symbol Gamma_ijk, indices from 0."""
    return Indexed(Symbol("Gamma"), f"{i + 1}{j + 1}{k + 1}")


def _christoffel(setting: Setting) -> Section:
    eq, n = setting.eq, range(setting.dof)
    entry = [Indexed(M, index) for index in ("ij", "ik", "jk")]
    q = [Indexed(Symbol(setting.vector), index) for index in ("k", "j", "i")]
    first, second, third = (PartialDerivative(m, x) for m, x in zip(entry, q, strict=True))
    shown = [brief(Indexed(Symbol("Gamma"), "ijk"), times(HALF, plus(first, second, negated(third))))]
    zeros = 0
    for i, j, k in product(n, n, n):
        value = eq.christoffel[i, j, k]
        if j > k:
            continue
        if value.is_zero:
            zeros += 1
            continue
        names = [gamma(i, j, k)] if j == k else [gamma(i, j, k), gamma(i, k, j)]
        shown.append(full(*names, value.tree))
    rest = f" Of the {zeros + len(shown) - 1} distinct ones, {zeros} are zero." if zeros else ""
    return step(
        "Christoffel symbols",
        (
            "The Christoffel symbols of the first kind of the mass matrix; they are symmetric in the last two indices."
            + rest,
        ),
        tuple(shown),
        level=Level.FULL,
        code="together(eq, *(symbol for symbol in eq.christoffel if not symbol.is_zero))",
    )


def _coriolis_matrix(setting: Setting) -> Section:
    qd = setting.all(1)
    rate = Indexed(Symbol(setting.vector, 1), "k")
    return step(
        "Coriolis matrix",
        sentence(
            "Many matrices satisfy {factorised}. The one built from the Christoffel symbols makes {S} skew-symmetric.",
            factorised=equation(c, times(C, qd)), S=M_DOT_MINUS_2C,
        ),
        (
            full(Indexed(C, "ij"), times(Indexed(Symbol("sum"), "k"), Indexed(Symbol("Gamma"), "ijk"), rate)),
            brief(Of(C, (setting.all(), qd)), setting.eq.C.tree),
        ),
        code="eq.C",
    )  # fmt: skip


def collected(setting: Setting, i: int, value: Scalar) -> Node:
    """A force as (...) qdd1 + (...) qdd2 + Coriolis and centrifugal terms + gravity terms, each printed on its own.

    What friction takes of force i, where there is friction, comes last: tau is the whole force in every chapter.
    """
    terms: list[Node] = []
    rest = value
    for name, symbol in zip(setting.eq.exact.coordinates, setting.coordinates(2), strict=True):
        factor = partial(value, f"{name}.dd")
        rest = rest - factor * setting.eq.exact.letter(f"{name}.dd")
        if factor != 0:
            terms.append(symbol if factor == 1 else times(setting.tree(factor), symbol))
    pushed = rest - substitute(rest, {letter.text(): 0 for letter in setting.eq.wrench})
    weight = substitute(rest - pushed, {f"{name}.d": 0 for name in setting.eq.exact.coordinates})
    for part in (rest - pushed - weight, weight, pushed):
        tree = setting.tree(part)
        if part != 0:
            terms += list(tree.terms) if isinstance(tree, Sum) else [tree]
    return plus(*terms, *setting.friction_forces[i : i + 1])


def losses(setting: Setting) -> Section | None:
    """Friction F(qd), the rotors' share of M, and the complete equations; None without friction and rotors."""
    eq = setting.eq
    steps = []
    if setting.mechanism.rotors:
        words = (
            "A motor behind a gear adds its rotor inertia times the square of the gear ratio; this is part of M. Only "
            "the rotor's spin is counted here: its mass belongs to the link that carries it."
        )
        steps.append(step("Rotors", (words,), (brief(Symbol("tau_r"), eq.rotors.tree),), code="eq.rotors"))
    if setting.mechanism.has_friction:
        shown = (brief(setting.friction, column(setting.friction_forces), eq.friction.tree),)
        steps.append(step("Friction", (_friction_words(setting),), shown, code="eq.friction"))
    if not steps:
        return None
    left = plus(*matrix_form(setting).terms, Symbol("tau_d"))
    words_of_all = sentence("With an unknown disturbance {d}.", d=Symbol("tau_d"))
    steps.append(step("The complete equations of motion", words_of_all, (brief(left, tau),), code="eq.tau"))
    return chapter("Friction, rotors, disturbance", tuple(steps))


def _friction_words(setting: Setting) -> str:
    words = "Viscous and Coulomb friction oppose the motion of each joint."
    if any(rotor.has_friction for rotor in setting.mechanism.rotors):
        words += " Friction on a motor shaft opposes the shaft's own velocity and acts on the joints through the gears."
    terms = [term for term in setting.mechanism.frictions if term is not None]
    words += "".join(f" {law.words}" for law in LAWS if law.words and any(term.has(law) for term in terms))
    if any(term.is_asymmetric for term in terms):
        words += " Here it depends on the direction; the square of the sign is 1 in motion and 0 at rest."
    return words


HOW = {
    "Lagrange": "derivatives of the energies",
    "Newton-Euler": "body by body, in link frames",
    "Newton-Euler in screw form": "screws and home poses",
}
"""How a route arrives at the forces."""


def agreement(setting: Setting, own: str, forces: Sequence[Scalar], code: str = "") -> Section:
    """The forces of this route (without friction) against those of the other routes, difference by difference."""
    rows: list[tuple[str | Node, ...]] = []
    are_equal = True
    for name, other in setting.eq.routes.items():
        if name == own:
            continue
        terms = term_count(a - b for a, b in zip(forces, other.values, strict=True))
        are_equal = are_equal and terms == 0
        rows.append((*_name(setting, name), str(other.terms), str(terms), "equal" if terms == 0 else "DIFFERENT"))
    outcome = "give the same equations: every difference is identically zero" if are_equal else "do NOT agree"
    without = ["friction"] * setting.mechanism.has_friction + ["the wrench at the tip"] * len(setting.pushed)
    apart = f", {' and '.join(without)} apart," if without else ""
    verdict = (
        f"Multiplied out, the equations of motion by {own}{apart} have {term_count(forces)} terms. The other routes "
        f"{outcome}. This was verified symbolically, so it holds for all values of all symbols."
    )
    head = ("route", "method", "terms", "terms of the difference", "verdict")
    code = code or (
        "lagrange = eq.routes['Lagrange'].values\n"
        "{name: [a - b for a, b in zip(f.values, lagrange)] for name, f in eq.routes.items()}"
    )
    return chapter("The routes agree", (step("Proof", (verdict,), (), (Table(head, tuple(rows)),), code=code),))


def _name(setting: Setting, route: str) -> tuple[str | Node, str]:
    """A route's name and its method; the matrix form has its formula as a name."""
    if route in HOW:
        return route, HOW[route]
    return plus(times(M, setting.all(2)), times(C, setting.all(1)), g), "M by composite rigid bodies"
