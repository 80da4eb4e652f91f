"""Properties of the equations of motion: symmetry, Coriolis and centrifugal terms, skew-symmetry, energy."""

from __future__ import annotations

from fractions import Fraction

from leverarm import mechanics as me
from leverarm.derivation.formulas import HALF, M_DOT_MINUS_2C, C, H, K, M, P, brief, c, equation, full, plus, tau, times
from leverarm.derivation.setting import LINE, Setting, term_count, width
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, sentence
from leverarm.notation.tree import (
    ZERO,
    Bracketed,
    Call,
    Equation,
    Indexed,
    Labelled,
    Node,
    Symbol,
    Transposed,
    column,
    negated,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, partial

READABLE = 8
"""A determinant with at most this many terms is worth reading."""


def properties(setting: Setting) -> Section:
    """The properties of the equations of motion, each verified for this arm."""
    steps = [_mass_matrix(setting)]
    if not setting.eq.c.is_zero:
        steps += [_coriolis_and_centrifugal(setting), _skew(setting), _factorisations(setting)]
    steps.append(_energy(setting))
    return chapter("Properties", tuple(steps))


def _mass_matrix(setting: Setting) -> Section:
    eq, qd = setting.eq, setting.all(1)
    is_symmetric = me.transposed(eq.M.values) == eq.M.values
    shown = [brief(Transposed(M), M)]
    words = [
        *sentence(
            "{M} is {symmetric}. Since {twice_K} is twice the kinetic energy, which is never negative for physical "
            "masses, {M} is positive semidefinite, and positive definite wherever its determinant is not zero.",
            M=M, symmetric="symmetric (verified)" if is_symmetric else "NOT symmetric",
            twice_K=times(Transposed(qd), M, qd),
        )
    ]  # fmt: skip
    if setting.dof <= 3 and term_count([d := me.determinant(eq.M.values)]) <= READABLE:
        shown.append(full(Call("det", M), setting.tree(d)))
    free = [s for s, name in zip(setting.coordinates(), eq.exact.coordinates, strict=True) if eq.M.diff(name).is_zero]
    if free:
        words += [" It does not depend on ", free[0], *(part for s in free[1:] for part in (", ", s)), "."]
    code = "eq.M == eq.formulas(la.mechanics.transposed(eq.M.values))"
    return step("The mass matrix", tuple(words), tuple(shown), code=code)


def split_velocity_terms(setting: Setting, value: Scalar) -> tuple[Scalar, Scalar]:
    """The part with squares of velocities (centrifugal, centripetal) and the part with products of two (Coriolis)."""
    squares: Scalar = 0
    for name, qd in zip(setting.eq.exact.coordinates, setting.eq.exact.qd, strict=True):
        second = partial(partial(value, f"{name}.d"), f"{name}.d")
        squares = squares + second * qd * qd * Fraction(1, 2)
    return squares, value - squares


def _coriolis_and_centrifugal(setting: Setting) -> Section:
    parts = [split_velocity_terms(setting, x) for x in setting.eq.c.values]
    by_kind = {"centrifugal": setting.column([a for a, _ in parts]), "Coriolis": setting.column([b for _, b in parts])}
    there = {label: tree for label, tree in by_kind.items() if any(entry != (ZERO,) for entry in tree.rows)}
    if sum(width(setting, tree) for tree in there.values()) <= 2 * LINE:
        shown = [brief(c, plus(*(Labelled(tree, label) for label, tree in there.items())))]
    else:
        names = {label: Symbol(f"c_{label}") for label in there}
        shown = [brief(c, plus(*names.values()))] if len(there) > 1 else []
        shown += [brief(names[label], tree) for label, tree in there.items()]
    return step(
        "Centrifugal and Coriolis terms",
        (
            "Terms with the square of one velocity are centrifugal, terms with the product of two velocities are "
            "Coriolis terms. Both vanish at rest.",
        ),
        tuple(shown),
        code="eq.c",
    )


def _skew(setting: Setting) -> Section:
    eq, n, qd = setting.eq, range(setting.dof), setting.all(1)
    S = [[eq.M_dot.values[i][j] - 2 * eq.C.values[i][j] for j in n] for i in n]
    holds = is_skew(setting, eq.C.values)
    verdict = "verified: adding its transpose gives zero" if holds else "it is NOT: something is wrong"
    rate = Symbol("M", 1)
    return step(
        "Skew-symmetry",
        sentence(
            f"With this {{C}}, the matrix {{S}} is skew-symmetric ({verdict}). Hence the power of {{c}} accounts "
            "exactly for the part of the rate of kinetic energy that comes from the change of {M}.",
            C=C, S=M_DOT_MINUS_2C, c=c, M=M,
        ),
        (
            *(Shown(line, Level.FULL) for line in _entries(setting, rate, eq.M_dot.values, 1)),
            *(Shown(line) for line in _entries(setting, M_DOT_MINUS_2C, S, -1)),
            brief(times(Transposed(qd), c), times(HALF, Transposed(qd), rate, qd)),
        ),
        code="eq.formulas([[a - 2 * b for a, b in zip(x, y)] for x, y in zip(eq.M_dot.values, eq.C.values)])",
    )  # fmt: skip


def _entries(setting: Setting, name: Node, values: list[list[Scalar]], sign: int) -> list[Equation]:
    """name = matrix; a wide one by its entries on and above the diagonal that are not zero (`sign` -1: skew)."""
    matrix = setting.matrix(values)
    if width(setting, matrix) <= LINE:
        return [equation(name, matrix)]
    lines = []
    for i in range(setting.dof):
        for j in range(i, setting.dof):
            if not is_exactly_zero(values[i][j]):
                entry: Node = Indexed(Bracketed(name), f"{i + 1}{j + 1}")
                if i == j:
                    lines.append(equation(entry, matrix.rows[i][j]))
                else:
                    mirrored: Node = Indexed(Bracketed(name), f"{j + 1}{i + 1}")
                    lines.append(equation(entry, mirrored if sign > 0 else negated(mirrored), matrix.rows[i][j]))
    return lines


NAMES = {
    "upper": "with each product of velocities in the column of the later one",
    "lagrange": "as the terms come out of Lagrange's equations",
}


def is_skew(setting: Setting, A: list[list[Scalar]]) -> bool:
    """Whether Mdot - 2 A is skew-symmetric."""
    n, rate = range(setting.dof), setting.eq.M_dot.values
    return all(is_exactly_zero(rate[i][j] + rate[j][i] - 2 * A[i][j] - 2 * A[j][i]) for i in n for j in n)


def _factorisations(setting: Setting) -> Section:
    """Other matrices A with A qd = c."""
    exact = setting.eq.exact
    shown: list[Shown] = []
    verdicts = []
    for name, factorise in me.FACTORISATIONS.items():
        if name != "christoffel":
            values = factorise(exact.mechanism, exact.q, exact.qd)
            verdicts.append(f"{NAMES[name]}, Mdot - 2 A is {'' if is_skew(setting, values) else 'not '}skew-symmetric")
            A = setting.matrix(values)
            if width(setting, A) <= LINE:
                form = [equation(c, times(A, column(setting.coordinates(1))))]
            else:
                own = Symbol(f"A_{name}")
                form = [equation(c, times(own, setting.all(1))), equation(own, A)]
            shown += [Shown(line, Level.EVERY_LINE) for line in form]
    return step(
        "Other factorisations",
        ("The same vector can be written with other matrices A. For these: " + "; ".join(verdicts) + " (verified).",),
        tuple(shown),
        level=Level.EVERY_LINE,
        code="exact = eq.exact\n"
        "together(eq, *(f(exact.mechanism, exact.q, exact.qd) for f in la.mechanics.FACTORISATIONS.values()))",
    )


def _energy(setting: Setting) -> Section:
    eq, qd = setting.eq, setting.all(1)
    power = sum((v * f for v, f in zip(eq.exact.qd, eq.euler_lagrange.values, strict=True)), start=0)
    holds = is_exactly_zero(eq.time_derivative(eq.H.value) - power)
    verdict = "is identically zero" if holds else "does NOT vanish"
    forces: Node = tau
    words = "The total energy changes at the rate of the power of the generalised forces"
    if setting.mechanism.has_friction:
        forces = plus(tau, negated(setting.friction))
        words += ", less the power lost to friction"
    return step(
        "Total energy",
        (f"{words}: the difference of the two sides {verdict}.",),
        (brief(H, plus(K, P), eq.H.tree), brief(Symbol("H", 1), times(Transposed(qd), forces))),
        code="eq.H",
    )
