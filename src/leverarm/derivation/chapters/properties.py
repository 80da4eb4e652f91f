"""Properties noticed: symmetry, which terms are Coriolis and which centripetal, skew-symmetry, linearity."""

from __future__ import annotations

from fractions import Fraction

from leverarm import mechanics as me
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.setting import HALF, Setting, equation, term_count
from leverarm.derivation.widths import LINE, width
from leverarm.notation.tree import (
    ZERO,
    Bracketed,
    Call,
    Equation,
    Indexed,
    Labelled,
    Node,
    Number,
    Of,
    Product,
    Sum,
    Symbol,
    Transposed,
    column,
    negated,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, partial

READABLE = 8
"""A determinant with at most this many terms is worth reading."""

_TWICE_C = Product((Number(Fraction(-2)), Symbol("C")))


def properties(setting: Setting) -> Part:
    """The properties of the robot equation that this arm shows, each computed."""
    steps = [_mass_matrix(setting)]
    if not setting.eq.c.is_zero:
        steps += [_coriolis_and_centripetal(setting), _skew(setting), _factorisations(setting)]
    steps.append(_energy(setting))
    return Part("Properties", tuple(steps))


def _mass_matrix(setting: Setting) -> Step:
    eq, M = setting.eq, Symbol("M")
    symmetric = me.transposed(eq.M.values) == eq.M.values
    shown = [Shown(equation(Transposed(M), M))]
    words: list[str | Node] = [
        M,
        " is symmetric (computed). " if symmetric else " is NOT symmetric. ",
        Product((Transposed(setting.all(1)), M, setting.all(1))),
        " is twice the kinetic energy, which is never negative for physical masses: ",
        M,
        " is positive semidefinite, and positive definite where its determinant is not zero.",
    ]
    if setting.dof <= 3 and term_count([d := me.determinant(eq.M.values)]) <= READABLE:
        shown.append(Shown(equation(Call("det", M), setting.tree(d)), Level.FULL))
    free = [s for s, name in zip(setting.coordinates(), eq.exact.coordinates, strict=True) if eq.M.diff(name).is_zero]
    if free:
        words += [" It does not depend on ", free[0], *(part for s in free[1:] for part in (", ", s)), "."]
    code = "eq.M == eq.formulas(la.mechanics.transposed(eq.M.values))"
    return Step("The mass matrix", tuple(words), tuple(shown), code=code)


def split_velocity_terms(setting: Setting, value: Scalar) -> tuple[Scalar, Scalar]:
    """Centripetal (squares of speeds) and Coriolis (products of two) parts of a force or acceleration."""
    centripetal: Scalar = 0
    for name, qd in zip(setting.eq.exact.coordinates, setting.eq.exact.qd, strict=True):
        second = partial(partial(value, f"{name}.d"), f"{name}.d")
        centripetal = centripetal + second * qd * qd * Fraction(1, 2)
    return centripetal, value - centripetal


def _coriolis_and_centripetal(setting: Setting) -> Step:
    parts = [split_velocity_terms(setting, x) for x in setting.eq.c.values]
    by_kind = {"centripetal": setting.column([a for a, _ in parts]), "Coriolis": setting.column([b for _, b in parts])}
    there = {label: tree for label, tree in by_kind.items() if any(entry != (ZERO,) for entry in tree.rows)}
    if sum(width(setting, tree) for tree in there.values()) <= 2 * LINE:
        labelled: list[Node] = [Labelled(tree, label) for label, tree in there.items()]
        shown = [equation(Symbol("c"), labelled[0] if len(labelled) == 1 else Sum(tuple(labelled)))]
    else:
        names = {label: Symbol(f"c_{label}") for label in there}
        shown = [equation(Symbol("c"), Sum(tuple(names.values())))] if len(there) > 1 else []
        shown += [equation(names[label], tree) for label, tree in there.items()]
    return Step(
        "Centripetal and Coriolis terms",
        ("Squares of one speed are centripetal terms, products of two speeds Coriolis terms. At rest both vanish.",),
        tuple(map(Shown, shown)),
        code="eq.c",
    )


def _skew(setting: Setting) -> Step:
    eq, n, qd = setting.eq, range(setting.dof), setting.all(1)
    S = [[eq.M_dot.values[i][j] - 2 * eq.C.values[i][j] for j in n] for i in n]
    holds = is_skew(setting, eq.C.values)
    verdict = "computed: its sum with its transpose has no terms" if holds else "it is NOT: something is wrong"
    rate, difference = Symbol("M", 1), Sum((Symbol("M", 1), _TWICE_C))
    return Step(
        "Skew-symmetry",
        (
            "With this ", Symbol("C"), " the matrix ", difference, f" is skew-symmetric ({verdict}). So the power of ",
            Symbol("c"), " is what the change of ", Symbol("M"), " alone adds to the rate of the kinetic energy.",
        ),
        (
            *(Shown(line, Level.FULL) for line in _entries(setting, rate, eq.M_dot.values, 1)),
            *(Shown(line) for line in _entries(setting, difference, S, -1)),
            Shown(equation(Product((Transposed(qd), Symbol("c"))), Product((HALF, Transposed(qd), rate, qd)))),
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
    "upper": "each product of speeds in the column of the later one",
    "lagrange": "as the terms fall out of Lagrange's equation",
}


def is_skew(setting: Setting, A: list[list[Scalar]]) -> bool:
    """Whether Mdot - 2 A is skew-symmetric."""
    n, rate = range(setting.dof), setting.eq.M_dot.values
    return all(is_exactly_zero(rate[i][j] + rate[j][i] - 2 * A[i][j] - 2 * A[j][i]) for i in n for j in n)


def _factorisations(setting: Setting) -> Step:
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
                form = [equation(Symbol("c"), Product((A, column(setting.coordinates(1)))))]
            else:
                own = Symbol(f"A_{name}")
                form = [equation(Symbol("c"), Product((own, setting.all(1)))), equation(own, A)]
            shown += [Shown(line, Level.EVERY_LINE) for line in form]
    return Step(
        "Other factorisations",
        (
            "The same forces can be written with other matrices. ",
            "Computed for these: " + "; ".join(verdicts) + ".",
        ),
        tuple(shown),
        level=Level.EVERY_LINE,
        code="exact = eq.exact\n"
        "together(eq, *(f(exact.mechanism, exact.q, exact.qd) for f in la.mechanics.FACTORISATIONS.values()))",
    )


def _energy(setting: Setting) -> Step:
    eq, qd = setting.eq, setting.all(1)
    power = sum((v * f for v, f in zip(eq.exact.qd, eq.euler_lagrange.values, strict=True)), start=0)
    holds = is_exactly_zero(eq.time_derivative(eq.H.value) - power)
    verdict = "has no terms" if holds else "does NOT vanish"
    H, tau = Symbol("H"), Symbol("tau")
    forces: Node = tau
    words = "The Hamiltonian changes by the power of the generalised forces"
    if setting.mechanism.has_friction:
        forces = Sum((tau, negated(Of(Symbol("F"), (qd,)))))
        words += ", less what friction takes"
    return Step(
        "Total energy",
        (words, ": the difference of both sides ", verdict, "."),
        (
            Shown(equation(H, Sum((Symbol("K"), Symbol("P"))), eq.H.tree)),
            Shown(equation(Symbol("H", 1), Product((Transposed(qd), forces)))),
        ),
        code="eq.H",
    )
