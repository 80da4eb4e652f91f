"""Where the identities of an arm are checked with tolerance zero: in letters, which proves them, or at random states.

In letters, one state stands for all: coordinates, speeds, accelerations and symbols are unknowns. An arm whose closed
forms are too large is looked at over the rationals, its angles rational points of the circle.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from leverarm import mechanics as me
from leverarm.closed_form import Equations, equations
from leverarm.closed_form.arm_letters import speed
from leverarm.closed_form.size import estimated_terms
from leverarm.errors import LeverarmError
from leverarm.mechanics.dissipation import without_friction
from leverarm.mechanics.matrices import Matrix, apply, dot
from leverarm.model import Arm, Mechanism, bind
from leverarm.scalars import RATIONAL, Scalar, Turn, along, is_zero, slope
from leverarm.scalars.exact import Polynomial, partial
from leverarm.verify.table.digits import nearest
from leverarm.verify.table.property import How

MAX_TERMS = 40_000
"""The most terms that the mass matrix may be expected to have for a proof in letters."""
MAX_ENERGY_TERMS, MAX_COUPLED_TERMS = 10_000, 1_000
"""The most terms that the kinetic energy may turn out to have, of an arm without and with coupled joints.

From there on a proof takes more than some seconds.
"""
MAX_MULTIPLE = 8
"""The largest ratio of a coupled joint for which the sine of a multiple angle is worked out."""
NUMERATORS, DENOMINATOR = 4000, 1000
"""Random numbers, and half-angle tangents, are these numerators, of either sign, over the denominator."""
MANY, FEW, LONG = 6, 3, 12
"""How many states are looked at: fewer of arms with more joints than the last number."""


@dataclass(frozen=True, slots=True)
class ExactState:
    """A state of the arm over exact numbers, and what the identities are about there.

    `tau` (without friction) and `c` are those of Newton-Euler. In letters M is the Hessian of the kinetic energy and
    C comes from its Christoffel symbols; over the rationals M is that of composite bodies and C that of Echeandia
    and Wensing's recursion.
    """

    mechanism: Mechanism
    q: tuple[Scalar, ...]
    qd: tuple[Scalar, ...]
    qdd: tuple[Scalar, ...]
    M: Matrix
    M_dot: Matrix
    C: Matrix
    c: list[Scalar]
    c_stretched: list[Scalar]
    """The slope of c when all speeds grow in proportion, sum of dc/dqd_j qd_j."""
    tau: list[Scalar]


@dataclass(frozen=True, slots=True)
class ExactStates:
    """The states at which an arm's identities are checked, how far that proves them, and a sentence that says so."""

    arm: Arm
    how: How
    states: tuple[ExactState, ...]
    equations: Equations | None
    """The closed forms, where the states are the one in letters."""
    christoffel: list[Matrix] | None
    """Gamma_ijk in letters."""
    note: str
    seconds: float
    """What it took to make the states."""


def exact_states(arm: Arm, seed: int = 1) -> ExactStates:
    """One state in letters where the closed forms of the arm can be held, otherwise several over the rationals.

    None at all, with the reason in `note`, for an arm whose numbers have no exact form.
    """
    begun = time.perf_counter()
    try:
        in_letters = _in_letters(arm) if estimated_terms(arm) <= MAX_TERMS else None
    except LeverarmError:
        in_letters = None
    try:
        found = in_letters or _at_random(arm, seed)
    except LeverarmError as problem:
        found = ExactStates(arm, "none", (), None, None, f"the arm has no exact form: {problem}", 0.0)
    seconds = time.perf_counter() - begun
    shared = f" Their shared setup took {nearest(seconds, 2)} s." if found.states else ""
    return replace(found, note=found.note + shared, seconds=seconds)


def _in_letters(arm: Arm) -> ExactStates | None:
    eq = equations(arm)
    exact = eq.exact
    most = MAX_COUPLED_TERMS if exact.mechanism.is_coupled else MAX_ENERGY_TERMS
    match K := eq.K.value:
        case Polynomial() if len(K) > most:
            return None
    speeds = [speed(name) for name in exact.coordinates]
    p = [partial(K, name) for name in speeds]
    M = [[partial(momentum, name) for name in speeds] for momentum in p]
    gamma = me.christoffel_of([[[partial(x, name) for x in row] for row in M] for name in exact.coordinates])
    M_dot = [[eq.time_derivative(x) for x in row] for row in M]
    C = [apply(plane, exact.qd) for plane in gamma]
    c = me.coriolis_torques(exact.mechanism, exact.q, exact.qd)
    stretched = [dot([partial(x, name) for name in speeds], exact.qd) for x in c]
    motion = exact.q, exact.qd, exact.qdd
    state = ExactState(exact.mechanism, *motion, M, M_dot, C, c, stretched, _forces(exact.mechanism, *motion))
    note = "proven for every position and motion"
    note += ", whatever the symbols are" if arm.symbols else ""
    return ExactStates(arm, "exact identity", (state,), eq, gamma, f"{note}.", 0.0)


def _at_random(arm: Arm, seed: int) -> ExactStates:
    mechanism = rational_mechanism(arm)
    why, note = "the closed forms are too large for a proof", ""
    if mechanism.coordinates != arm.coordinates:
        why = "joints that turn by a fraction of a coordinate have no closed form"
        note = " Every joint was moved by itself: the coordinates move them linearly, so the same holds along these."
    rng = random.Random(seed)
    count = MANY if mechanism.dof <= LONG else FEW
    states = tuple(random_state(mechanism, rng) for _ in range(count))
    chance = (degree(mechanism) / (2 * NUMERATORS + 1)) ** count
    how_sure = f" An identity that is false would pass with a chance below {chance:.0e}." if chance < 0.01 else ""
    values = ", the symbols at their values" if arm.symbols else ""
    text = f"holds exactly at {count} random rational states{values}; {why}."
    return ExactStates(arm, "exact at random rational states", states, None, None, text + how_sure + note, 0.0)


def rational_mechanism(arm: Arm) -> Mechanism:
    """The arm over the rationals, symbols at their values; every joint by itself where multiples are not whole."""
    mechanism = with_signs(bind(arm, RATIONAL))
    return mechanism if _whole_multiples(mechanism) else uncoupled(mechanism)


def random_position(mechanism: Mechanism, rng: random.Random) -> tuple[Scalar, ...]:
    """A position with every number drawn from one finite set, over the rationals."""
    turning = {j for link, row in zip(mechanism.links, mechanism.couplings, strict=True) if link.turns for j, _ in row}
    return tuple(
        Turn.from_half_tangent(_number(rng), _number(rng)) if j in turning else _number(rng)
        for j in range(mechanism.dof)
    )


def random_motion(mechanism: Mechanism, rng: random.Random) -> tuple[tuple[Scalar, ...], ...]:
    """A random position, speeds and accelerations."""
    q = random_position(mechanism, rng)
    return q, tuple(_number(rng) for _ in q), tuple(_number(rng) for _ in q)


def random_state(mechanism: Mechanism, rng: random.Random) -> ExactState:
    """A random position and motion, and what the identities are about there."""
    q, qd, qdd = random_motion(mechanism, rng)
    return ExactState(
        mechanism, q, qd, qdd,
        M=me.mass_matrix(mechanism, q),
        M_dot=me.mass_matrix_rate(mechanism, q, qd),
        C=me.coriolis_matrix(mechanism, q, qd),
        c=me.coriolis_torques(mechanism, q, qd),
        c_stretched=[slope(x) for x in me.coriolis_torques(mechanism, q, along(qd, qd))],
        tau=_forces(mechanism, q, qd, qdd),
    )  # fmt: skip


def _forces(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> list[Scalar]:
    """M qdd + c + g by Newton-Euler."""
    return me.inverse_dynamics(without_friction(arm), q, qd, qdd)


def _number(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(-NUMERATORS, NUMERATORS), DENOMINATOR)


def degree(mechanism: Mechanism) -> float:
    """An upper bound of the degree of the identities in half-angle tangents, lengths, speeds and accelerations.

    M is of degree two in the sine and cosine of each joint's angle, so of degree four in its tangent once the
    denominator is cleared, and of degree two in what slides or stretches a spring; power is of degree three in the
    speeds. By the lemma of Schwartz and Zippel a polynomial that is not zero is zero at a random state with a chance
    of at most its degree over the size of the set the numbers are drawn from.
    """
    total = 3.0
    for link, row, spring in zip(mechanism.links, mechanism.couplings, mechanism.springs, strict=True):
        size = 4 * link.turns + 2 * (spring is not None or not is_zero(link.slide))
        total += size * sum(abs(float(ratio)) for _, ratio in row)
    return total


def _whole_multiples(mechanism: Mechanism) -> bool:
    """Whether every joint that turns does so by small whole multiples of the coordinates."""
    for link, row in zip(mechanism.links, mechanism.couplings, strict=True):
        if link.turns and any(Fraction(ratio).denominator != 1 or abs(ratio) > MAX_MULTIPLE for _, ratio in row):
            return False
    return True


def with_signs(mechanism: Mechanism) -> Mechanism:
    """The mechanism with sgn for the tanh of smooth friction, which is not rational; either is a factor of coulomb."""
    terms = (None if term is None else replace(term, steepness=None) for term in mechanism.frictions)
    rotors = (replace(rotor, friction=replace(rotor.friction, steepness=None)) for rotor in mechanism.rotors)
    return replace(mechanism, frictions=tuple(terms), rotors=tuple(rotors))


def uncoupled(mechanism: Mechanism) -> Mechanism:
    """The mechanism with every joint a coordinate of its own, without rotors, whose inertia is constant."""
    joints = tuple(link.joint for link in mechanism.links)
    return replace(
        mechanism,
        coordinates=joints,
        couplings=tuple(((i, 1),) for i in range(len(joints))),
        rotors=(),
    )
