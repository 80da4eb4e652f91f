"""Lagrange's equation, the robot equation collected from it, and its properties."""

from __future__ import annotations

from fractions import Fraction as Q
from functools import reduce

import leverarm as la
from leverarm import mechanics as me
from leverarm.scalars import sign
from leverarm.scalars.exact import partial, quotient, substitute
from tests.sources.identities.case import Case, is_null, minus, product, rate
from tests.sources.values import Value, added, column, transposed


def momentum(case: Case) -> bool:
    """dL/dqd_k, its rate and dL/dq_k by the sums over d_ij."""
    L, M, n = case.eq.L.value, case.known["M"], range(len(case.coordinates))
    qd, qdd = case.eq.exact.qd, case.eq.exact.qdd
    for k, name in enumerate(case.coordinates):
        p = partial(L, f"{name}.d")
        changing = sum(partial(M[k][j], case.coordinates[i]) * qd[i] * qd[j] for i in n for j in n)
        by_q = Q(1, 2) * sum(partial(M[i][j], name) * qd[i] * qd[j] for i in n for j in n) - partial(
            case.eq.P.value, name
        )
        if (
            p != sum(M[k][j] * qd[j] for j in n)
            or case.eq.time_derivative(p) != sum(M[k][j] * qdd[j] for j in n) + changing
            or partial(L, name) != by_q
        ):
            return False
    return True


def lagrange(case: Case) -> bool:
    """d/dt dL/dqd - dL/dq is what Newton-Euler gives, and its power is the rate of the energy."""
    L = case.eq.L.value
    tau = [case.eq.time_derivative(partial(L, f"{name}.d")) - partial(L, name) for name in case.coordinates]
    mechanism, q, qd, qdd = case.motion
    power = sum(a * b for a, b in zip(tau, qd, strict=True))
    return tau == me.screw_inverse_dynamics(mechanism, q, qd, qdd) and power == case.eq.time_derivative(case.eq.H.value)


def lagrange_with_the_wrong_derivative(case: Case) -> bool:
    L = case.eq.L.value
    momenta = [partial(L, f"{name}.d") for name in case.coordinates]
    printed = [case.eq.time_derivative(p) - p for p in momenta]
    meant = [case.eq.time_derivative(p) - partial(L, name) for p, name in zip(momenta, case.coordinates, strict=True)]
    return printed != meant and column(meant) == case.known["tau"]


def christoffel(case: Case) -> bool:
    """tau_i = M_ij qdd_j + Gamma_ijk qd_j qd_k + dP/dq_i with Gamma by its definition."""
    M, names, n = case.known["M"], case.coordinates, range(len(case.coordinates))
    qd, qdd = case.eq.exact.qd, case.eq.exact.qdd

    def gamma(i: int, j: int, k: int) -> Value:
        return Q(1, 2) * (partial(M[i][j], names[k]) + partial(M[i][k], names[j]) - partial(M[j][k], names[i]))

    symbols = [[[gamma(i, j, k) for k in n] for j in n] for i in n]
    tau = [
        sum(M[i][j] * qdd[j] for j in n)
        + sum(symbols[i][j][k] * qd[j] * qd[k] for j in n for k in n)
        + partial(case.eq.P.value, names[i])
        for i in n
    ]
    return symbols == case.eq.christoffel.values and column(tau) == case.known["tau"]


def quadratic_velocity_terms(case: Case) -> bool:
    """c = C qd with C_ij = Gamma_ijk qd_k; twice the speed gives four times c, none gives none."""
    n, qd = range(len(case.coordinates)), case.eq.exact.qd
    C = [[sum(case.eq.christoffel.values[i][j][k] * qd[k] for k in n) for j in n] for i in n]
    c = case.eq.c.values
    speeds = [f"{name}.d" for name in case.coordinates]
    twice = [substitute(x, {name: 2 * value for name, value in zip(speeds, qd, strict=True)}) for x in c]
    still = [substitute(x, dict.fromkeys(speeds, 0)) for x in c]
    return product(C, case.known["qd"]) == column(c) and twice == [4 * x for x in c] and not any(x != 0 for x in still)


def symmetric_mass_matrix(case: Case) -> bool:
    """M = M^T, and det M > 0 at the arm's default numbers and a pose: with M11 > 0 that is positive definite."""
    M = la.mass_matrix(case.eq.arm, [0.4, 0.7])
    is_positive = M[0, 0] > 0 and M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0] > 0
    return transposed(case.known["M"]) == case.known["M"] and bool(is_positive)


def skew_symmetry(case: Case) -> bool:
    S = minus(case.eq.M_dot.values, product(2, case.known["C"]))
    return is_null(added(S, transposed(S))) and case.eq.M_dot.values == rate(case, case.known["M"])


def robot_equation(case: Case) -> bool:
    """tau by Newton-Euler is M qdd + C qd + F + g."""
    known = case.known
    parts = [product(known["M"], known["qdd"]), product(known["C"], known["qd"]), known["g(q)"]]
    return reduce(added, [*parts, column(case.eq.friction.values)]) == column(case.eq.tau.values)


def friction(case: Case) -> bool:
    terms = case.eq.exact.mechanism.frictions
    expected = [
        0 if term is None else term["viscous"].forward * speed + term["coulomb"].forward * sign(speed)
        for term, speed in zip(terms, case.eq.exact.qd, strict=True)
    ]
    return case.eq.friction.values == expected


def linear_in_parameters(case: Case) -> bool:
    phi = [[entry.value] for entry in case.eq.parameters.values()]
    return product(case.eq.regressor.values, phi) == column(case.eq.tau.values)


def forward_dynamics(case: Case) -> bool:
    """M^-1 (tau - h), with the tau of an acceleration, gives the acceleration back."""
    M = case.known["M"]
    inverse = [[quotient(x, me.determinant(M)) for x in row] for row in me.adjugate(M)]
    h = added(product(case.known["C"], case.known["qd"]), case.known["g(q)"])
    return product(inverse, minus(case.known["tau"], h)) == case.known["qdd"]


def end_effector_mass(case: Case) -> bool:
    """(J^-1)^T M J^-1 along x and y."""
    J = case.eq.jacobian().values[3:5]
    inverse = [[quotient(x, me.determinant(J)) for x in row] for row in me.adjugate(J)]
    return product(transposed(inverse), case.known["M"], inverse) == case.eq.operational_inertia(rows=("x", "y")).values
