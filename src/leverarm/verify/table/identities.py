"""The identities of Table 3.3.1: each says that some exact numbers are zero, by two routes that share nothing.

Linearity in the parameters: what phi holds, the shape of W, and the fewest combinations that matter.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from leverarm import mechanics as me
from leverarm.closed_form import BaseParameter, Equations
from leverarm.closed_form.base_parameters import BaseParameters, base_parameters
from leverarm.documents.document import Words
from leverarm.errors import LeverarmError
from leverarm.mechanics.kinematics import still
from leverarm.mechanics.matrices import apply, dot
from leverarm.mechanics.regressor import KINDS, kinds_of
from leverarm.model import LOADED_LAWS, Mechanism, bind
from leverarm.notation.precedence import signed
from leverarm.notation.tree import Call, Node, Number, Sum
from leverarm.notation.vocabulary import Writing
from leverarm.scalars import RATIONAL, Scalar, along, half, slope
from leverarm.scalars.exact import is_exactly_zero
from leverarm.verify.statements import LOAD, STATEMENTS, said
from leverarm.verify.table.exact_states import ExactState, ExactStates, random_motion, rational_mechanism
from leverarm.verify.table.property import Property, line


@dataclass(frozen=True, slots=True)
class Identity:
    """A line of the table that holds if all its residuals are zero, and how they are made, in a sentence."""

    key: str
    residuals: Callable[[ExactState], Iterator[Scalar]]
    route: Words


def property_of(identity: Identity, states: ExactStates) -> Property:
    """The line of an identity: proven, exact at random states, refuted, or not shown where no exact state is."""
    begun = time.perf_counter()
    refuted = not all(is_exactly_zero(x) for state in states.states for x in identity.residuals(state))
    value = "not shown"
    remarks: list[Words] = [(states.note,)]
    if refuted:
        value = "does not hold"
        remarks = [("a residual is not zero; ", *identity.route, " This is a bug, please report the arm.")]
    elif states.states:
        value = "proven" if states.how == "exact identity" else f"holds at {len(states.states)} random states"
        remarks = [identity.route, (states.note,)]
    seconds = time.perf_counter() - begun
    return line(identity.key, states.how, (value,), tuple(remarks), seconds)


def _symmetric(state: ExactState) -> Iterator[Scalar]:
    """M - M^T of the matrix that Newton-Euler makes column by column; and it is the M of the energy."""
    columns = me.mass_matrix_by_unit_accelerations(state.mechanism, state.q)
    n = range(len(columns))
    yield from (columns[i][j] - columns[j][i] for i in n for j in range(i))
    yield from (columns[i][j] - state.M[i][j] for i in n for j in n)
    yield me.kinetic_energy(state.mechanism, state.q, state.qd) - half(dot(state.qd, apply(state.M, state.qd)))


def _quadratic(state: ExactState) -> Iterator[Scalar]:
    """Euler's theorem: a polynomial is homogeneous of degree two if sum of dc/dqd_j qd_j = 2 c."""
    yield from (stretched - 2 * c for stretched, c in zip(state.c_stretched, state.c, strict=True))


def _factorised(state: ExactState) -> Iterator[Scalar]:
    yield from (a - b for a, b in zip(state.c, apply(state.C, state.qd), strict=True))


def _skew(state: ExactState) -> Iterator[Scalar]:
    n = range(len(state.M))
    S = [[state.M_dot[i][j] - 2 * state.C[i][j] for j in n] for i in n]
    yield from (S[i][j] + S[j][i] for i in n for j in range(i + 1))


def _at_rest(state: ExactState) -> Iterator[Scalar]:
    yield from me.coriolis_torques(state.mechanism, state.q, still(state.mechanism))


def _energy(state: ExactState) -> Iterator[Scalar]:
    """qd^T (M qdd + c + g) - dH/dt, the forces by Newton-Euler, dH/dt by dual numbers along the motion."""
    moving = along(state.q, state.qd), along(state.qd, state.qdd)
    yield dot(state.qd, state.tau) - slope(me.hamiltonian(state.mechanism, *moving))


def _linear(state: ExactState) -> Iterator[Scalar]:
    arm = state.mechanism
    phi = [entry.value for entry in me.parameters(arm)]
    load = me.joint_loads(arm, state.q, state.qd) if arm.loaded_joints else None
    W = me.regressor(arm, state.q, state.qd, state.qdd, load=load)
    for force, tau, friction in zip(apply(W, phi), state.tau, me.friction(arm, state.qd, load=load), strict=True):
        yield force - (tau + friction)


SYMMETRIC = Identity(
    "symmetric",
    _symmetric,
    said("{M} column by column from Newton-Euler equals its transpose, and the {M} of the kinetic energy."),
)
QUADRATIC = Identity(
    "quadratic",
    _quadratic,
    said("{c} from Newton-Euler is a polynomial in the speeds, and its slope along {qd} is 2 {c} (Euler's theorem)."),
)
FACTORISED = Identity("factorised", _factorised, said("{c} from Newton-Euler equals {C} {qd}."))
SKEW = Identity("skew", _skew, said("every entry of {S} + {S_T} is zero."))
AT_REST = Identity("at_rest", _at_rest, said("{c} from Newton-Euler at zero speed is zero."))
ENERGY = Identity(
    "energy",
    _energy,
    said("{qd_T} ({M} {qdd} + {c} + {g}) from Newton-Euler equals d({K} + {P})/dt of the energies."),
)
LINEAR = Identity("linear", _linear, said("{W} {phi} equals the forces of Newton-Euler."))


PRIME = 2**61 - 1
"""The rank of W is found modulo this prime: never above the true one, and below it only by rare chance."""
STATES = 4
"""How many states are added at a time."""
LONG, LEFT_OUT = 60, "..."
"""Characters of a coefficient beyond which it is left out, and what stands for it."""


def linearity_property(states: ExactStates) -> Property:
    """The line of W phi = tau, with the parameters that phi lists and the shape of W."""
    found = property_of(LINEAR, states)
    if not states.states:
        return found
    mechanism = bind(states.arm, RATIONAL)
    phi = [entry.name for entry in me.parameters(mechanism)]
    shape = said(f"{{W}} is {mechanism.dof} x {len(phi)}.")
    kinds = ((line,) for line in _parameters(mechanism))
    found = replace(found, remarks=(shape, *kinds, *found.remarks))
    loaded = mechanism.loaded_joints
    if not loaded:
        return found
    lost = said(
        "the friction of {joints} grows with the load {load}, which depends on the inertial parameters: {tau} holds "
        "their products with its coefficients, and {W} is at the load of the nominal parameters.",
        joints=", ".join(loaded),
        load=Call("abs", LOAD),
    )
    stated = STATEMENTS["linear_at_load"]
    return replace(found, statement=stated.words, formula=stated.formula, remarks=(*found.remarks, lost))


def _parameters(mechanism: Mechanism) -> Iterator[str]:
    """What phi lists, a sentence for each kind of parameter."""
    for kind in kinds_of(mechanism):
        names = [entry.name for entry in KINDS[kind].parameters(mechanism)]
        if kind == "inertial":
            links = ", ".join(link.name for link in mechanism.links)
            yield f"{len(names)} inertial: m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz of each of {links}."
        else:
            yield f"{len(names)} {kind}: {', '.join(names)}."


def _linear_kinds(mechanism: Mechanism) -> tuple[str, ...]:
    """The kinds of parameters that tau is linear in together: all but the coefficients of friction under load."""
    loaded = {law.name for law in LOADED_LAWS}
    return tuple(kind for kind in kinds_of(mechanism) if kind not in loaded)


def base_parameters_property(states: ExactStates) -> Property:
    """The line of the base parameters: their number, and the parameters that go into each."""
    begun = time.perf_counter()
    value, how = "not shown", states.how
    writing = states.equations.notation.writing if states.equations else Writing()
    detail: tuple[Words, ...]
    grouped = _in_letters(states)
    if grouped is not None:
        value, detail = grouped
    elif (mechanism := rational_mechanism(states.arm)).coordinates != states.arm.coordinates:
        how = "none"
        detail = (
            said("joints that turn by a fraction of a coordinate have no exact positions to find the rank of {W} at."),
        )
    else:
        how = "exact at random rational states"
        value = f"{_rank(mechanism)} of {len(me.parameters(mechanism, _linear_kinds(mechanism)))}"
        detail = (
            said("the rank of {W} at random rational states, modulo a prime; the grouping needs the closed forms."),
        )
    seconds = time.perf_counter() - begun
    return line("base_parameters", how, (value,), detail, seconds, writing=writing)


def _in_letters(states: ExactStates) -> tuple[str, tuple[Words, ...]] | None:
    """Their number and grouping, proven; None where the arm has no closed forms or none that are polynomials."""
    eq = states.equations
    if eq is None:
        return None
    try:
        kinds = _linear_kinds(eq.exact.mechanism)
        base = base_parameters(eq.exact, kinds)
    except LeverarmError:
        return None
    total = len(me.parameters(eq.exact.mechanism, kinds))
    detail = [_grouping(eq, entry) for entry in base.entries if len(entry.regrouping) > 1]
    alone = [entry.name for entry in base.entries if len(entry.regrouping) == 1]
    if alone:
        detail.append((f"as they are: {', '.join(alone)}.",))
    if base.unidentifiable:
        detail.append((f"without any effect: {', '.join(base.unidentifiable)}.",))
    return f"{len(base)} of {total}", (*detail, *_special(states, base))


def _special(states: ExactStates, base: BaseParameters) -> tuple[Words, ...]:
    """Over unknown symbols independence is meant for all but special values of them."""
    held = any(len(entry.regrouping) > 1 for entry in base.entries) or base.unidentifiable
    return (("for all but special values of the symbols.",),) if states.arm.symbols and held else ()


def _grouping(eq: Equations, entry: BaseParameter) -> Words:
    """The sum of parameters with their coefficients: the first, with coefficient 1, gives it its name."""
    pieces: list[str | Node] = []
    for coefficient, name in entry.regrouping:
        is_minus, size = _coefficient(eq, coefficient)
        sign = " - " if is_minus else " + "
        match size:
            case Number(value=1):
                pieces += [sign, name]
            case Sum() | str():
                pieces += [f"{sign}(", size, f") {name}"]
            case _:
                pieces += [sign, size, f" {name}"]
    return (*pieces[1:], ".")


def _coefficient(eq: Equations, coefficient: Scalar) -> tuple[bool, Node | str]:
    """Whether it is subtracted, and what is written behind the sign."""
    formula = eq.formula(coefficient)
    try:
        written = formula.text()
    except LeverarmError:  # quotients of constant angles have no printed form that reads back
        return False, LEFT_OUT
    if len(written) > LONG:
        return False, LEFT_OUT
    match formula.tree:
        case Sum():
            return False, formula.tree
    return signed(formula.tree)


def _rank(mechanism: Mechanism) -> int:
    """The rank of W at ever more random states, until more of them add nothing."""
    import flint

    rng, entries = random.Random(2), []
    kinds = _linear_kinds(mechanism)
    columns, best = len(me.parameters(mechanism, kinds)), -1
    while True:
        for _ in range(STATES):
            q, qd, qdd = random_motion(mechanism, rng)
            W = me.regressor(mechanism, q, qd, qdd, kinds)
            entries += [_modulo_prime(x) for row in W for x in row]
        rank = int(flint.nmod_mat(len(entries) // columns, columns, entries, PRIME).rank())
        if rank in (best, columns):
            return rank
        best = rank


def _modulo_prime(x: Scalar) -> int:
    number = Fraction(x)
    return number.numerator * pow(number.denominator, -1, PRIME) % PRIME
