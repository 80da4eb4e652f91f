"""The derivation of Lagrange's equations of a Lagrangian of one's own, from least action to its equilibria."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from leverarm._version import __version__
from leverarm.closed_form.lagrangian import LagrangianSystem
from leverarm.closed_form.lagrangian.equilibria import Equilibrium
from leverarm.closed_form.lagrangian.reading import TIME
from leverarm.derivation.chapters.equations_of_motion import gamma
from leverarm.derivation.derivation import Derivation
from leverarm.derivation.formulas import M_DOT_MINUS_2C, C, H, K, L, M, P, brief, c, equation, full, g, plus, times
from leverarm.derivation.routes import LETTERS
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Document, Paragraph, Section, Shown, Words, sentence
from leverarm.errors import InputError, SingularError
from leverarm.notation.tree import (
    ZERO,
    Differential,
    Indexed,
    Node,
    Of,
    PartialDerivative,
    Symbol,
    TimeDerivative,
    Transposed,
    negated,
)
from leverarm.scalars.exact import is_exactly_zero

Q, R, G = Symbol("Q"), Symbol("R"), Symbol("G")
READABLE = 60
"""Accelerations of at most this many terms are shown."""


def over_time(*factors: Node) -> Node:
    """The integral of a product over time."""
    return times(Indexed(Symbol("int")), *factors, Differential(Symbol(TIME)))


ACTION, DELTA = Symbol("S"), Symbol("delta")
LEAST_ACTION = sentence(
    "Least action: of all motions that lead from one position to another in the same time, the real one makes the "
    "action {action} stationary; where there are generalised forces {Q}, its variation and their virtual work cancel.",
    action=equation(ACTION, over_time(L)), Q=Q,
)  # fmt: skip


def derivation_of(system: LagrangianSystem) -> Derivation:
    """Coordinates, Lagrangian, each derivative, the equations in matrix form, energy, equilibria, linearisation."""
    chapters = (_given(system), _equations(system), _matrix_form(system), _energy(system), _rest(system))
    document = Document(
        title=f"{system.name}: Lagrange's equations",
        summary=(Paragraph(LEAST_ACTION), Paragraph((_exactness(system) + _shared_letters(system),))),
        sections=chapters,
        writing=system.notation.writing,
        code=f"import leverarm as la\n\nsystem = {system.call}",
    )
    return Derivation(system.name, "Lagrange", document)


def _shared_letters(system: LagrangianSystem) -> str:
    """A warning where a constant is also the letter of one of the document's own quantities."""
    shared = [name for name in LETTERS if name in system.constants]
    of = ", ".join(LETTERS[name] for name in shared)
    return f" Note: {', '.join(shared)} is both a constant of the system and the letter of {of}." if shared else ""


def _exactness(system: LagrangianSystem) -> str:
    how = "with exact arithmetic: decimals are fractions."
    if system.functions:
        are = ", ".join(system.functions)
        how = (
            f"with derivatives by SymPy, which also simplified them: {are} of a formula is beyond the exact arithmetic "
            "of polynomials, sines and cosines. Equal formulas may look different."
        )
    return f"By Lagrange's equations, {how} leverarm {__version__}."


def _symbols(system: LagrangianSystem, dots: int = 0) -> list[Symbol]:
    return [Symbol(name, dots) for name in system.coordinates]


def _listed(nodes: Sequence[Node]) -> Words:
    return tuple(piece for k, node in enumerate(nodes) for piece in ((", ", node) if k else (node,)))


def _force(name: str) -> Node:
    return Indexed(Q, name)


def _given(system: LagrangianSystem) -> Section:
    """What was given: coordinates, those eliminated, L, forces."""
    words: Words = ("The coordinates are ", *_listed(_symbols(system)))
    constants = [Symbol(name) for name in system.constants if name not in system.inputs]
    words += ("; the constants are ", *_listed(constants)) if constants else ()
    words += ("; the inputs are ", *_listed([Symbol(name) for name in system.inputs])) if system.inputs else ()
    steps = [step("Coordinates", (*words, "."))]
    if system.written.let:
        shown = []
        for name, value in system.written.let.items():
            shown.append(brief(Symbol(name), system.formula(value).tree))
            shown.append(full(Symbol(name, 1), system.formula(system.time_derivative(value)).tree))
        told = "These are eliminated: functions of the coordinates, with the speeds that follow."
        steps.append(step("Constraints", (told,), tuple(shown)))
    lines = [brief(L, *([plus(K, negated(P))] if system.is_natural else []), system.L.tree)]
    lines += [full(K, system.K.tree), full(P, system.P.tree)] if system.is_quadratic else []
    steps.append(step("The Lagrangian", _about_lagrangian(system), tuple(lines), code="system.L"))
    if not system.forces.is_zero:
        steps.append(_forces(system))
    return chapter("The system", steps)


def _about_lagrangian(system: LagrangianSystem) -> Words:
    if system.is_natural:
        return ("The Lagrangian is the kinetic energy minus the potential energy.",)
    if system.is_quadratic:
        return ("The Lagrangian has a kinetic energy, a potential energy, and terms linear in the speeds.",)
    return (
        "The Lagrangian is not quadratic in the speeds: it is no kinetic energy minus a potential energy. Lagrange's "
        "equations hold all the same.",
    )


def _forces(system: LagrangianSystem) -> Section:
    shown, words = [], "The forces along the coordinates that the Lagrangian does not account for."
    if not is_exactly_zero(system.written.dissipation):
        words += " Dissipation takes the derivatives of Rayleigh's function by the speeds."
        shown.append(brief(R, system.formula(system.written.dissipation).tree))
    own = system.formulas(system.written.forces)
    for i, (name, qd) in enumerate(zip(system.coordinates, _symbols(system, 1), strict=True)):
        sides: list[Node] = [_force(name)]
        if not system.damping[i].is_zero:
            loss = negated(PartialDerivative(R, qd))
            sides.append(loss if own[i].is_zero else plus(own[i].tree, loss))
        shown.append(brief(*sides, system.forces[i].tree))
    return step("Generalised forces", (words,), tuple(shown), code="system.forces")


def _equations(system: LagrangianSystem) -> Section:
    q, qd = (Indexed(Symbol("q", dots), "i") for dots in range(2))
    rule = plus(TimeDerivative(PartialDerivative(L, qd)), negated(PartialDerivative(L, q)))
    work = over_time(Transposed(Q), DELTA, Symbol("q"))
    varied = full(plus(times(DELTA, ACTION), *([] if system.forces.is_zero else [work])), ZERO)
    words = "Integrated by parts, the variation of the action gives one equation for each coordinate."
    steps = [step("From least action", (words,), (varied, brief(rule, Indexed(Q, "i"))))]
    steps += [_coordinate(system, i) for i in range(len(system.coordinates))]
    return chapter("Lagrange's equations", steps)


def _coordinate(system: LagrangianSystem, i: int) -> Section:
    name, q, qd = system.coordinates[i], _symbols(system)[i], _symbols(system, 1)[i]
    momentum = PartialDerivative(L, qd)
    forces = [] if system.forces.is_zero else [_force(name)]
    return step(
        f"Coordinate {i + 1}",
        sentence("The momentum of {q}, its rate, the derivative of {L} by {q}, and the equation.", q=q, L=L),
        (
            full(momentum, system.momentum[i].tree),
            full(TimeDerivative(momentum), system.momentum_rate[i].tree),
            full(PartialDerivative(L, q), system.by_position[i].tree),
            brief(system.euler_lagrange[i].tree, *forces, system.forces[i].tree),
        ),
        code=f"system.formulas([x[{i}].value for x in (system.momentum, system.momentum_rate, system.by_position, "
        "system.euler_lagrange, system.forces)])",
    )  # fmt: skip


def _matrix_form(system: LagrangianSystem) -> Section:
    q, qd, qdd = (Symbol("q", dots) for dots in range(3))
    if not system.is_quadratic:
        words = "The coefficients of the accelerations; they depend on the speeds, so there is no Coriolis matrix."
        shown = (brief(Of(M, (q, qd)), system.M.tree),)
        return chapter(
            "The equations of motion", [step("Mass matrix", (words,), shown, code="system.M"), *_solved(system)]
        )
    further = [] if system.gyroscopic.is_zero else [Of(G, (q, qd))]
    left = plus(times(Of(M, (q,)), qdd), Of(c, (q, qd)), *further, Of(g, (q,)))
    shown_all = [brief(left, Q), brief(Of(M, (q,)), system.M.tree)]
    shown_all += [brief(Of(c, (q, qd)), system.c.tree)]
    shown_all += [brief(further[0], system.gyroscopic.tree)] if further else []
    shown_all += [brief(Of(g, (q,)), system.g.tree)]
    told = (
        "The coefficients of the accelerations are the mass matrix {M}; {c} are the terms that come with its change "
        "along the motion, {g} what is left at rest"
    )
    more = "; {G} are what remains: gyroscopic terms, and those of a mass that changes with time." if further else "."
    steps = [step("Matrix form", sentence(told + more, M=M, c=c, g=g, G=G), tuple(shown_all), code="system.M")]
    if not system.christoffel.is_zero:
        steps.append(_coriolis(system))
    return chapter("The equations of motion", [*steps, *_solved(system)])


def _coriolis(system: LagrangianSystem) -> Section:
    n = range(len(system.coordinates))
    shown = [
        full(*([gamma(i, j, k)] if j == k else [gamma(i, j, k), gamma(i, k, j)]), system.christoffel[i, j, k].tree)
        for i, j, k in product(n, n, n)
        if j <= k and not system.christoffel[i, j, k].is_zero
    ]
    S = [[system.time_derivative(system.M.values[i][j]) - 2 * system.C.values[i][j] for j in n] for i in n]
    is_skew = all(is_exactly_zero(S[i][j] + S[j][i]) for i in n for j in n)
    proven = sentence("{S} is skew-symmetric: its sum with its transpose is zero.", S=M_DOT_MINUS_2C)
    return step(
        "Coriolis matrix",
        sentence("The Christoffel symbols of {M}, and the matrix {C} that they make of the speeds.", M=M, C=C),
        (*shown, brief(Of(C, (Symbol("q"), Symbol("q", 1))), system.C.tree)),
        code="system.C",
        proven=proven if is_skew else (),
    )


def _solved(system: LagrangianSystem) -> list[Section]:
    """The accelerations, where they are determined and short."""
    try:
        system.require_invertible()
    except SingularError as problem:
        return [step("Accelerations", (str(problem)[0].upper() + str(problem)[1:],))]
    if len(system.coordinates) > 2 or system.accelerations.terms > READABLE:
        return []
    shown = [brief(qdd, x.tree) for qdd, x in zip(_symbols(system, 2), system.accelerations, strict=True)]
    return [step("Accelerations", ("The equations solved for the accelerations.",), tuple(shown),
                 code="system.accelerations")]  # fmt: skip


def _energy(system: LagrangianSystem) -> Section:
    power = sum((v * f for v, f in zip(system.qd, system.euler_lagrange.values, strict=True)), start=0)
    by_time = system.diff(system.written.lagrangian, TIME)
    holds = system.formula(system.time_derivative(system.H.value) - power + by_time).is_zero
    right: list[Node] = [] if system.forces.is_zero else [times(Transposed(Symbol("q", 1)), Q)]
    right += [] if is_exactly_zero(by_time) else [negated(PartialDerivative(L, Symbol(TIME)))]
    total: list[Node] = [plus(K, P)] if system.is_quadratic else []
    momentum = plus(times(Transposed(Symbol("q", 1)), PartialDerivative(L, Symbol("q", 1))), negated(L))
    words = "The energy, and how it changes." if right else "The energy is conserved."
    shown = (brief(H, momentum, *total, system.H.tree), brief(Symbol("H", 1), plus(*right)))
    verdict = "With the left sides of the equations for Q, the difference of both sides is identically zero."
    proven = (verdict,) if holds else ()
    return chapter("Energy", [step("The energy integral", (words,), shown, code="system.H", proven=proven)])


def _rest(system: LagrangianSystem) -> Section:
    """Equilibria and linearisations, or why there are none."""
    title = "Equilibria and linearisation"
    try:
        found = system.equilibria
    except InputError as problem:
        return chapter(title, [step("States of rest", (str(problem)[0].upper() + str(problem)[1:],))])
    if not found:
        return chapter(title, [step("States of rest", ("None was found.",))])
    head = "States of rest, with the inputs zero." if system.inputs else "States of rest."
    steps = [step("How they are found", (
        f"{head} An exact one solves the equations one by one; a numeric one is a root found by Newton's method with "
        "the given numbers, and there may be others.",))]  # fmt: skip
    return chapter(title, [*steps, *(_equilibrium(k, each) for k, each in enumerate(found, 1))])


def _equilibrium(k: int, at: Equilibrium) -> Section:
    A, B = Symbol("A"), Symbol("B")
    words = "Exact." if at.exact is not None else f"Numeric: the largest force left is {at.residual:.1e}."
    if at.is_real is False:
        words = "Exact, but not there with the given numbers."
    if at.is_everywhere:
        words += " The other coordinates may be anything." if at.position else " Everywhere: nothing pushes at rest."
    if at.system.is_singular:
        return step(f"Equilibrium {k}", (words,), tuple(map(Shown, at.shown)), code=f"system.equilibria[{k - 1}].shown")
    shown = [*map(Shown, at.shown), *_linearised(at, A)]
    shown += [full(B, at.B.tree)] if at.system.inputs else []
    free = [q for q in at.system.coordinates if q not in at.position]
    if at.is_real and not at.system.missing_values and all(at.A.diff(q).is_zero for q in free):
        words += f" The eigenvalues of the linearisation are {_eigenvalues(at)} [1/s]."
    return step(f"Equilibrium {k}", (words,), tuple(shown), code=f"system.equilibria[{k - 1}].A")


def _linearised(at: Equilibrium, A: Symbol) -> list[Shown]:
    """A; of many coordinates its lower blocks alone, which multiply positions and speeds."""
    n, values = len(at.system.coordinates), at.A.values
    if n <= 2:
        return [full(A, at.A.tree)]
    blocks = (("21", slice(n)), ("22", slice(n, None)))
    return [full(Indexed(A, name), at.system.formulas([row[part] for row in values[n:]]).tree) for name, part in blocks]


def _eigenvalues(at: Equilibrium) -> str:
    def written(x: complex) -> str:
        real, imaginary = (0.0 if abs(part) < 1e-9 * abs(x) else part for part in (x.real, x.imag))
        if not imaginary:
            return f"{real:.6g}"
        return (f"{real:.6g} " if real else "") + f"± {imaginary:.6g}i"

    return ", ".join(dict.fromkeys(written(x) for x in at.eigenvalues().tolist() if x.imag >= 0))
