"""Properties noticed: symmetry, which terms are Coriolis and which centripetal, skew-symmetry, linearity."""

from __future__ import annotations

from fractions import Fraction

from leverarm import mechanics as me
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.setting import Setting, equation
from leverarm.derivation.widths import LINE, width
from leverarm.notation.tree import (
    ZERO,
    Call,
    Labelled,
    Node,
    Number,
    Product,
    Sum,
    Symbol,
    Transposed,
    column,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, partial

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
    if setting.dof <= 3:
        shown.append(Shown(equation(Call("det", M), setting.tree(me.determinant(eq.M.values))), Level.FULL))
    free = [s for s, name in zip(setting.coordinates(), eq.exact.coordinates, strict=True) if eq.M.diff(name).is_zero]
    words: list[str | Node] = [
        "M is symmetric" if symmetric else "M is not symmetric, which is a mistake",
        ", and positive definite wherever every motion moves some mass: the kinetic energy is never negative.",
    ]
    if free:
        words.append(" It does not depend on ")
        for k, s in enumerate(free):
            words += [", " if k else "", s]
        words.append(".")
    return Step(
        "The mass matrix", tuple(words), tuple(shown), code="eq.M == eq.formulas(la.mechanics.transposed(eq.M.values))"
    )


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
        names = {label: Symbol(f"c_{label.lower()}") for label in there}
        shown = [equation(Symbol("c"), Sum(tuple(names.values())))] if len(there) > 1 else []
        shown += [equation(names[label], tree) for label, tree in there.items()]
    return Step(
        "Centripetal and Coriolis terms",
        ("Squares of one speed are centripetal terms, products of two speeds Coriolis terms. At rest both vanish.",),
        tuple(map(Shown, shown)),
        code="eq.c",
    )


def _skew(setting: Setting) -> Step:
    eq = setting.eq
    S = [[a - 2 * b for a, b in zip(ra, rb, strict=True)] for ra, rb in zip(eq.M_dot.values, eq.C.values, strict=True)]
    n = range(setting.dof)
    holds = all(is_exactly_zero(S[i][j] + S[j][i]) for i in n for j in n)
    verdict = "computed: its sum with its transpose has no terms" if holds else "it is NOT: something is wrong"
    return Step(
        "Skew-symmetry",
        (
            "With the Christoffel C the matrix ",
            Sum((Symbol("M", 1), _TWICE_C)),
            f" is skew-symmetric ({verdict}), so these forces do no work.",
        ),
        (
            Shown(equation(Symbol("M", 1), eq.M_dot.tree), Level.FULL),
            Shown(equation(Sum((Symbol("M", 1), _TWICE_C)), setting.matrix(S))),
        ),
        code="eq.M_dot",
    )


def _factorisations(setting: Setting) -> Step:
    """Other matrices A with A qd = c."""
    exact = setting.eq.exact
    shown: list[Shown] = []
    for name, factorise in me.FACTORISATIONS.items():
        if name != "christoffel":
            A = setting.matrix(factorise(exact.mechanism, exact.q, exact.qd))
            if width(setting, A) <= LINE:
                form = [equation(Symbol("c"), Product((A, column(setting.coordinates(1)))))]
            else:
                own = Symbol(f"A_{name}")
                form = [equation(Symbol("c"), Product((own, setting.all(1)))), equation(own, A)]
            shown += [Shown(line, Level.EVERY_LINE) for line in form]
    return Step(
        "Other factorisations",
        ("The same forces can be written with other matrices; for these the skew-symmetry is in general lost.",),
        tuple(shown),
        level=Level.EVERY_LINE,
        code="la.mechanics.FACTORISATIONS",
    )


def _energy(setting: Setting) -> Step:
    eq, qd = setting.eq, setting.all(1)
    power = sum((v * f for v, f in zip(eq.exact.qd, eq.euler_lagrange.values, strict=True)), start=0)
    holds = is_exactly_zero(eq.time_derivative(eq.H.value) - power)
    verdict = "has no terms" if holds else "does NOT vanish"
    H = Symbol("H")
    return Step(
        "Total energy",
        ("The Hamiltonian changes by the power of the generalised forces: the difference of both sides ", verdict, "."),
        (
            Shown(equation(H, Sum((Symbol("K"), Symbol("P"))), eq.H.tree)),
            Shown(equation(Symbol("H", 1), Product((Transposed(qd), Symbol("tau"))))),
        ),
        code="eq.H",
    )
