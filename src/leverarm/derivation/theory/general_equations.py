"""Lagrange's equations of any arm in indices: d_kj, c_ijk, phi_k; proven with a letter for every entry and slope."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

from leverarm.derivation.formulas import HALF, M_DOT_MINUS_2C, C, H, K, L, M, P, brief, full, g, plus, tau, times
from leverarm.derivation.steps import chapter, step
from leverarm.derivation.theory.proofs import at, at_rate, letter, proven
from leverarm.documents.document import Section, sentence
from leverarm.notation.tree import (
    Indexed,
    Node,
    PartialDerivative,
    Sum,
    Symbol,
    TimeDerivative,
    Transposed,
    negated,
)
from leverarm.scalars import Scalar, half
from leverarm.scalars.exact import Polynomial, partial, time_derivative

LARGEST = 4
"""Arms of one to this many coordinates are tried: a term has three indices, so no arm has terms of another kind."""
q, q_dot = Symbol("q"), Symbol("q", 1)
i, j, k = "ijk"
d_kj, d_ij, d_ki = at("d", "kj"), at("d", "ij"), at("d", "ki")
c_ijk, phi_k, tau_k = at("c", "ijk"), at("phi", "k"), at("tau", "k")


def general_equations() -> Section:
    """From K and P to tau_k, to the matrices, and to the balance of energy."""
    return chapter(
        "Lagrange's equations in indices", (_energies(), _derivatives(), _collected(), _matrices(), _balance())
    )


@dataclass(frozen=True)
class AnyArm:
    """An arm of n coordinates of which nothing is known: a letter for each d_ij, each of its slopes, and each phi_k."""

    n: int

    @property
    def indices(self) -> range:
        return range(1, self.n + 1)

    def d(self, i: int, j: int) -> Polynomial:
        """An entry of the mass matrix, which is symmetric."""
        return letter("d{}_{}".format(*sorted((i, j))))

    def slope(self, i: int, j: int, k: int) -> Polynomial:
        """How it changes with q_k."""
        return letter("d{}_{}_by_{}".format(*sorted((i, j)), k))

    def phi(self, k: int) -> Polynomial:
        return letter(f"phi{k}")

    def speed(self, k: int) -> Polynomial:
        return letter(f"q{k}.d")

    def acceleration(self, k: int) -> Polynomial:
        return letter(f"q{k}.dd")

    @cached_property
    def kinetic(self) -> Scalar:
        pairs = product(self.indices, repeat=2)
        return half(sum((self.d(i, j) * self.speed(i) * self.speed(j) for i, j in pairs), start=0))

    def by_coordinate(self, value: Scalar, k: int) -> Scalar:
        """The derivative by q_k of a function of the speeds and the entries: the chain rule through their slopes."""
        entries = [(i, j) for i in self.indices for j in self.indices if i <= j]
        return sum((partial(value, f"d{i}_{j}") * self.slope(i, j, k) for i, j in entries), start=0)

    def rate(self, value: Scalar) -> Scalar:
        """The derivative in time, along any motion."""
        along = sum((self.by_coordinate(value, k) * self.speed(k) for k in self.indices), start=0)
        return along + time_derivative(value, {f"q{k}.d": self.acceleration(k) for k in self.indices})

    def by_lagrange(self, k: int) -> Scalar:
        """d/dt dL/dqd_k - dL/dq_k."""
        return self.rate(partial(self.kinetic, f"q{k}.d")) - self.by_coordinate(self.kinetic, k) + self.phi(k)

    def christoffel(self, i: int, j: int, k: int) -> Scalar:
        """c_ijk."""
        return half(self.slope(k, j, i) + self.slope(k, i, j) - self.slope(i, j, k))

    def coriolis(self, k: int, j: int) -> Scalar:
        """c_kj, an entry of C."""
        return sum((self.christoffel(i, j, k) * self.speed(i) for i in self.indices), start=0)

    def in_indices(self, k: int) -> Scalar:
        """The sum of d_kj qdd_j, of c_ijk qd_i qd_j, and phi_k."""
        inertial = sum((self.d(k, j) * self.acceleration(j) for j in self.indices), start=0)
        velocity = sum((self.coriolis(k, j) * self.speed(j) for j in self.indices), start=0)
        return inertial + velocity + self.phi(k)


ARMS = tuple(AnyArm(n) for n in range(1, LARGEST + 1))
EVERY = "Verified with a letter for every entry and every slope, for one to four coordinates"


def total(index: str, *factors: Node) -> Node:
    """A sum over indices."""
    return times(Indexed(Symbol("sum"), index), *factors)


def slope(of: Node, by: str) -> Node:
    """d(of)/dq_i."""
    return PartialDerivative(of, at("q", by))


SPEEDS = (at_rate("q", i), at_rate("q", j))
SLOPES = Sum((slope(d_kj, i), slope(d_ki, j), negated(slope(d_ij, k))))
qdd_j = Indexed(Symbol("q", 2), j)


def _energies() -> Section:
    return step(
        "The Lagrangian",
        sentence(
            "The kinetic energy of an arm is a quadratic form in the velocities, whose coefficients {d} depend on the "
            "positions and are symmetric. The potential energy depends on the positions only.",
            d=d_ij,
        ),
        (
            brief(K, times(HALF, Transposed(q_dot), Symbol("D"), q_dot), times(HALF, total("i,j", d_ij, *SPEEDS))),
            brief(L, plus(K, negated(P))),
            brief(tau_k, plus(TimeDerivative(PartialDerivative(L, at_rate("q", k))), negated(slope(L, k)))),
        ),
    )


def _derivatives() -> Section:
    by_speed = PartialDerivative(L, at_rate("q", k))
    return step(
        "Its derivatives",
        sentence(
            "Every speed occurs twice in the sum, which takes away the half. The coefficients change in time because "
            "the positions do: this is where products of two velocities come from.",
        ),
        (
            full(by_speed, total(j, d_kj, at_rate("q", j))),
            full(TimeDerivative(by_speed),
                 plus(total(j, d_kj, qdd_j), total(j, TimeDerivative(d_kj), at_rate("q", j))),
                 plus(total(j, d_kj, qdd_j), total("i,j", slope(d_kj, i), *SPEEDS))),
            full(slope(L, k), plus(times(HALF, total("i,j", slope(d_ij, k), *SPEEDS)), negated(slope(P, k)))),
        ),
        proven=proven(
            f"{EVERY}.",
            [partial(arm.kinetic, f"q{k}.d") - sum((arm.d(k, j) * arm.speed(j) for j in arm.indices), start=0)
             for arm in ARMS for k in arm.indices],
        ),
    )  # fmt: skip


def _collected() -> Section:
    both = plus(slope(d_kj, i), slope(d_ki, j))
    return step(
        "The equations of motion",
        sentence(
            "In a sum over both indices i and j may change places, so half of each order may be taken. What stands "
            "before the two velocities are the Christoffel symbols {c}. With i = j they give centrifugal torques, "
            "with different i and j Coriolis torques; {phi} is the torque of gravity.",
            c=c_ijk, phi=phi_k,
        ),
        (
            full(total("i,j", slope(d_kj, i), *SPEEDS), times(HALF, total("i,j", both, *SPEEDS))),
            brief(tau_k, plus(total(j, d_kj, qdd_j), total("i,j", c_ijk, *SPEEDS), phi_k)),
            brief(c_ijk, times(HALF, SLOPES)),
            brief(phi_k, slope(P, k)),
        ),
        proven=proven(
            f"{EVERY}: both forms of each equation are the same, term by term.",
            [arm.by_lagrange(k) - arm.in_indices(k) for arm in ARMS for k in arm.indices],
        ),
        code="print(la.equations(la.load('elbow')).text(['christoffel']))",
    )  # fmt: skip


def _matrices() -> Section:
    c_kj = at("c", "kj")
    skewed = [
        [arm.rate(arm.d(k, j)) - 2 * arm.coriolis(k, j) + arm.rate(arm.d(j, k)) - 2 * arm.coriolis(j, k)
         for j in arm.indices]
        for arm in ARMS for k in arm.indices
    ]  # fmt: skip
    return step(
        "As matrices",
        sentence(
            "One of the two velocities goes into the entries {c} of the Coriolis matrix. Other matrices give the same "
            "torques; with this one {S} is skew-symmetric.",
            c=c_kj, S=M_DOT_MINUS_2C,
        ),
        (
            brief(c_kj, total(i, c_ijk, at_rate("q", i)),
                  times(HALF, total(i, SLOPES, at_rate("q", i)))),
            brief(tau, plus(times(M, Symbol("q", 2)), times(C, q_dot), g)),
            brief(Transposed(M_DOT_MINUS_2C), negated(M_DOT_MINUS_2C)),
        ),
        proven=proven(f"{EVERY}.", skewed),
        code="la.equations(la.load('elbow')).C",
    )  # fmt: skip


def _balance() -> Section:
    rests = []
    for arm in ARMS:
        stored = arm.rate(arm.kinetic) + sum((arm.phi(k) * arm.speed(k) for k in arm.indices), start=0)
        rests.append(stored - sum((arm.by_lagrange(k) * arm.speed(k) for k in arm.indices), start=0))
    return step(
        "Power",
        sentence(
            "A generalised force belongs to its coordinate if force times velocity is power: a torque to an angle, a "
            "force to a length. Then the energy {H} grows by exactly what the generalised forces put in, which are "
            "those of the motors less friction.",
            H=H,
        ),
        (brief(H, plus(K, P)), brief(Symbol("H", 1), times(Transposed(q_dot), tau))),
        proven=proven(f"{EVERY}.", rests),
    )
