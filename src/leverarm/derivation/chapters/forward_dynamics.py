"""Forward dynamics: the inverse of the mass matrix, and the accelerations that given forces cause.

In closed form where that is readable; otherwise by structure, in the entries of M.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm import mechanics as me
from leverarm.derivation.formulas import M, N, brief, c, full, g, plus, tau, times
from leverarm.derivation.setting import LARGE, Setting, defined, mass_matrix_in_letters
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Section, Shown, sentence
from leverarm.errors import SingularError
from leverarm.notation.tree import (
    Bracketed,
    Call,
    Indexed,
    Inverse,
    Node,
    Of,
    Power,
    Ratio,
    Symbol,
    Transposed,
    negated,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero

SMALL = 20
"""Entries of M^-1 are written out when their numerators have at most this many terms; of accelerations, twice that."""
DET, ADJ = Call("det", M), Call("adj", M)


def forward_dynamics(setting: Setting) -> Section | None:
    """M^-1 and qdd = M^-1 (tau - N); None where M has no inverse."""
    if setting.dof >= LARGE:
        return chapter("Forward dynamics", (_question(setting), _factors(setting)))
    try:
        _ = setting.eq.M_determinant
    except SingularError:
        return None
    is_readable = all(entry.terms <= SMALL for entry in setting.eq.M_inverse)
    inverse = _inverse(setting) if is_readable else _inverse_by_entries(setting)
    return chapter("Forward dynamics", (_question(setting), inverse, _accelerations(setting, is_readable)))


def _question(setting: Setting) -> Section:
    q, qd = setting.all(), setting.all(1)
    losses = [setting.friction] if setting.mechanism.has_friction else []
    return step(
        "Solving for the accelerations",
        sentence(
            "For given forces the equations of motion are linear in the accelerations. {N} gathers all that is there "
            "without acceleration.",
            N=N,
        ),
        (
            brief(Of(N, (q, qd)), plus(Of(c, (q, qd)), *losses, Of(g, (q,)))),
            brief(setting.all(2), times(Inverse(M), plus(tau, negated(N)))),
        ),
        code="eq.bias",
    )


def _inverse(setting: Setting) -> Section:
    eq, n = setting.eq, range(setting.dof)
    entries = eq.M_inverse.values
    product = [[sum((entries[i][k] * eq.M.values[k][j] for k in n), start=0) for j in n] for i in n]
    is_one = all(product[i][j] == int(i == j) for i in n for j in n)
    return step(
        "The inverse of the mass matrix",
        ("The adjugate over the determinant, with common factors cancelled.",),
        (
            full(DET, eq.M_determinant.tree),
            full(ADJ, setting.matrix(me.adjugate(eq.M.values))),
            *defined(setting, Inverse(M), Ratio(ADJ, DET), eq.M_inverse.tree),
        ),
        code="together(eq, eq.M_determinant, la.mechanics.adjugate(eq.M.values), eq.M_inverse)",
        proven=(times(Inverse(M), M), " is the identity matrix, entry by entry.") if is_one else (),
    )


def _inverse_by_entries(setting: Setting) -> Section:
    eq, letters = setting.eq, mass_matrix_in_letters(setting)
    adjugate, n = me.adjugate(letters), range(setting.dof)
    upper = [(i, j) for i in n for j in range(i, setting.dof) if not is_exactly_zero(adjugate[i][j])]
    largest = max(entry.terms for entry in eq.M_inverse)
    shown = [full(DET, setting.tree(me.determinant(letters)))]
    shown += [full(_entry(ADJ, i, j), setting.tree(adjugate[i][j])) for i, j in upper]
    return step(
        "The inverse of the mass matrix",
        sentence(
            "The adjugate over the determinant, in the entries of {M}; entries of the adjugate below the diagonal are "
            f"those above it, and all others are zero. Multiplied out, {{det}} has {eq.M_determinant.terms} terms, and "
            f"entries of {{inverse}} have up to {largest} in their numerators.",
            M=M, det=DET, inverse=Inverse(M),
        ),
        (brief(Inverse(M), Ratio(ADJ, DET)), *shown),
        code="eq.M_determinant.terms, [entry.terms for entry in eq.M_inverse]",
    )  # fmt: skip


def _entry(head: Node, i: int, j: int) -> Node:
    return Indexed(Bracketed(head), f"{i + 1}{j + 1}")


def _accelerations(setting: Setting, is_readable: bool) -> Section:
    eq = setting.eq
    values, solved = list(eq.qdd), _solved(setting, mass_matrix_in_letters(setting))
    written = [value.terms <= 2 * SMALL for value in values]
    shown: list[Shown] = []
    for i, symbol_of in enumerate(setting.coordinates(2)):
        shown.append(brief(symbol_of, solved[i]))
        if written[i] and is_readable:
            shown.append(brief(symbol_of, values[i].tree))
    words = "Each force, less what is there without acceleration, through its entry of the inverse."
    if not (is_readable and all(written)):
        words += f" Multiplied out, the longest numerator has {max(value.terms for value in values)} terms."
    return step("The accelerations", (words,), tuple(shown), code="eq.qdd")


def _solved(setting: Setting, letters: Sequence[Sequence[Scalar]]) -> list[Node]:
    """(M^-1)_i1 (tau_1 - N_1) + ..., without the entries that are zero."""
    adjugate = me.adjugate(letters)
    rest = [plus(force, negated(Indexed(N, str(j)))) for j, force in enumerate(setting.forces, start=1)]
    return [
        plus(
            *(
                times(_entry(Inverse(M), i, j), rest[j])
                for j in range(setting.dof)
                if not is_exactly_zero(adjugate[i][j])
            )
        )
        for i in range(setting.dof)
    ]


def _factors(setting: Setting) -> Section:
    """M = L^T D L, with which large arms are solved."""
    L, D, of = Symbol("L"), Symbol("D"), Indexed
    outer = of(Symbol("sum"), "m>k")
    mk, mi = of(L, "mk"), of(L, "mi")
    pivot = plus(of(M, "kk"), negated(times(outer, Power(mk, 2), of(D, "m"))))
    below = plus(of(M, "ki"), negated(times(outer, mk, mi, of(D, "m"))))
    return step(
        "By factorisation",
        sentence(
            "Written out, the inverse of {M} fills pages. It is factorised instead, from the last joint to the first, "
            "with {L} of units on the diagonal and zeros above it, and a diagonal {D}. What is zero in {M} between "
            "branches of the arm stays zero in {L}. Two triangular systems and a division by {D} then give the "
            "accelerations.",
            M=M, L=L, D=D,
        ),
        (
            brief(M, times(Transposed(L), D, L)),
            brief(of(D, "k"), pivot),
            brief(of(L, "ki"), Ratio(below, of(D, "k"))),
            brief(times(Transposed(L), D, L, setting.all(2)), plus(tau, negated(N))),
        ),
    )  # fmt: skip
