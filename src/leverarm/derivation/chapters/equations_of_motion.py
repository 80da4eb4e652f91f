"""The robot equation: the forces collected into M qdd + c + g, Christoffel symbols and the Coriolis matrix.

A force with its accelerations collected: (...) qdd1 + (...) qdd2 + velocity terms + gravity terms.

Friction, rotors and disturbances, where the arm has them.

The last step of every route: the other routes give the same equations, computed with tolerance zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from leverarm.derivation.document import Level, Part, Shown, Step, Table
from leverarm.derivation.setting import HALF, Setting, equation, term_count
from leverarm.derivation.widths import LINE, width
from leverarm.notation.tree import Indexed, Node, Number, Of, PartialDerivative, Product, Sum, Symbol, column, negated
from leverarm.scalars import Scalar
from leverarm.scalars.exact import partial, substitute


def robot_equation(setting: Setting) -> Part:
    """M, c, g; Gamma; C."""
    steps = [_collected(setting)]
    if not setting.eq.christoffel.is_zero:
        steps += [_christoffel(setting), _coriolis_matrix(setting)]
    return Part("The robot equation", tuple(steps))


def _collected(setting: Setting) -> Step:
    eq, q, qd, qdd = setting.eq, setting.all(), setting.all(1), setting.all(2)
    M, c, g = Symbol("M"), Symbol("c"), Symbol("g")
    form = Sum((Product((Of(M, (q,)), qdd)), Of(c, (q, qd)), Of(g, (q,))))
    return Step(
        "Matrix form",
        (
            "The factors of the accelerations are the mass matrix, the terms with speeds the vector ",
            c,
            ", the rest is gravity.",
        ),
        (
            Shown(equation(form, Symbol("tau"))),
            *_written_out(setting),
            Shown(equation(Of(M, (q,)), eq.M.tree)),
            Shown(equation(Of(c, (q, qd)), eq.c.tree)),
            Shown(equation(Of(g, (q,)), eq.g.tree)),
        ),
        code="together(eq, eq.M, eq.c, eq.g)",
    )


def _written_out(setting: Setting) -> list[Shown]:
    """The whole equation with its matrices in one line, where that fits."""
    parts = (setting.eq.M.tree, setting.eq.c.tree, setting.eq.g.tree)
    if sum(width(setting, part) for part in parts) > 2 * LINE:
        return []
    M, c, g = parts
    left = Sum((Product((M, column(setting.coordinates(2)))), c, g))
    return [Shown(equation(left, column(setting.forces)), Level.EVERY_LINE)]


def gamma(i: int, j: int, k: int) -> Node:
    """The symbol Gamma_ijk, indices from 0."""
    return Indexed(Symbol("Gamma"), f"{i + 1}{j + 1}{k + 1}")


def _christoffel(setting: Setting) -> Step:
    eq, n = setting.eq, range(setting.dof)
    entry = [Indexed(Symbol("M"), index) for index in ("ij", "ik", "jk")]
    q = [Indexed(Symbol(setting.vector), index) for index in ("k", "j", "i")]
    a, b, c = (PartialDerivative(m, x) for m, x in zip(entry, q, strict=True))
    shown = [Shown(equation(Indexed(Symbol("Gamma"), "ijk"), Product((HALF, Sum((a, b, negated(c)))))))]
    zeros = 0
    for i, j, k in product(n, n, n):
        value = eq.christoffel[i, j, k]
        if j > k:
            continue
        if value.is_zero:
            zeros += 1
            continue
        names = [gamma(i, j, k)] if j == k else [gamma(i, j, k), gamma(i, k, j)]
        shown.append(Shown(equation(*names, value.tree), Level.FULL))
    rest = f" Of the {zeros + len(shown) - 1} different ones {zeros} are zero." if zeros else ""
    return Step(
        "Christoffel symbols",
        (f"Of the mass matrix, first kind; symmetric in the last two indices.{rest}",),
        tuple(shown),
        level=Level.FULL,
        code="together(eq, *(symbol for symbol in eq.christoffel if not symbol.is_zero))",
    )


def _coriolis_matrix(setting: Setting) -> Step:
    eq, qd = setting.eq, setting.all(1)
    rate = Indexed(Symbol(setting.vector, 1), "k")
    general = Product((Indexed(Symbol("sum"), "k"), Indexed(Symbol("Gamma"), "ijk"), rate))
    return Step(
        "Coriolis matrix",
        (
            "Many matrices give ",
            equation(Symbol("c"), Product((Symbol("C"), qd))),
            ". This one, from the Christoffel symbols, makes ",
            Sum((Symbol("M", 1), Product((Number(Fraction(-2)), Symbol("C"))))),
            " skew-symmetric.",
        ),
        (
            Shown(equation(Indexed(Symbol("C"), "ij"), general), Level.FULL),
            Shown(equation(Of(Symbol("C"), (setting.all(), qd)), eq.C.tree)),
        ),
        code="eq.C",
    )


def collected(setting: Setting, value: Scalar) -> Node:
    """A force as (...) qdd1 + (...) qdd2 + velocity terms + gravity terms, each part printed on its own."""
    terms: list[Node] = []
    rest = value
    for name, symbol in zip(setting.eq.exact.coordinates, setting.coordinates(2), strict=True):
        factor = partial(value, f"{name}.dd")
        rest = rest - factor * setting.eq.exact.letter(f"{name}.dd")
        terms += _times(setting, factor, symbol)
    weight = _at_rest(setting, rest)
    for part in (rest - weight, weight):
        tree = setting.tree(part)
        if part != 0:
            terms += list(tree.terms) if isinstance(tree, Sum) else [tree]
    return Sum(tuple(terms)) if len(terms) > 1 else terms[0] if terms else setting.tree(0)


def _times(setting: Setting, factor: Scalar, symbol: Symbol) -> list[Node]:
    if factor == 0:
        return []
    tree = setting.tree(factor)
    if factor == 1:
        return [symbol]
    return [Product((*tree.factors, symbol)) if isinstance(tree, Product) else Product((tree, symbol))]


def _at_rest(setting: Setting, value: Scalar) -> Scalar:
    """The part without speeds."""
    return substitute(value, {f"{name}.d": 0 for name in setting.eq.exact.coordinates})


def _friction_words(setting: Setting) -> str:
    words = "Viscous and dry friction oppose the motion of each joint."
    if any(rotor.has_friction for rotor in setting.mechanism.rotors):
        words += " Friction on a motor's shaft opposes the shaft's own speed and is felt through the gears."
    if any(term is not None and term.is_asymmetric for term in setting.mechanism.frictions):
        words += " Here it differs by direction: the square of the sign is 1 in motion and 0 at rest."
    return words


def losses(setting: Setting) -> Part | None:
    """F(qd), what rotors add to M, and the whole equation with a disturbance; None without friction and rotors."""
    eq = setting.eq
    steps = []
    if setting.mechanism.rotors:
        steps.append(
            Step(
                "Rotors",
                (
                    "Motors behind gears add their inertia times the square of the gear ratio; it is part of M. Only a "
                    "rotor's own spin is counted here; its mass belongs to the link that carries it.",
                ),
                (Shown(equation(Symbol("tau_r"), eq.rotors.tree)),),
                code="eq.rotors",
            )
        )
    if setting.mechanism.has_friction:
        steps.append(
            Step(
                "Friction",
                (_friction_words(setting),),
                (Shown(equation(Of(Symbol("F"), (setting.all(1),)), eq.friction.tree)),),
                code="eq.friction",
            )
        )
    if not steps:
        return None
    q, qd, qdd = (setting.all(dots) for dots in (0, 1, 2))
    left = Sum(
        (
            Product((Of(Symbol("M"), (q,)), qdd)),
            Of(Symbol("c"), (q, qd)),
            Of(Symbol("F"), (qd,)),
            Of(Symbol("g"), (q,)),
            Symbol("tau_d"),
        )
    )
    steps.append(
        Step(
            "The whole robot equation",
            ("With friction and an unknown disturbance ", Symbol("tau_d"), "."),
            (Shown(equation(left, Symbol("tau"))),),
            code="eq.tau",
        )
    )
    return Part("Friction, rotors, disturbance", tuple(steps))


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
