"""The robot equation: the forces collected into M qdd + c + g, Christoffel symbols and the Coriolis matrix."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.setting import HALF, Setting, equation
from leverarm.derivation.widths import LINE, width
from leverarm.notation.tree import Indexed, Node, Number, Of, PartialDerivative, Product, Sum, Symbol, column, negated


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
