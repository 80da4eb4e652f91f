"""The Newton-Euler algorithm in screw form, line by line."""

from __future__ import annotations

from functools import reduce

from leverarm import mechanics as me
from leverarm.mechanics import screw_form as screw
from leverarm.spatial import ORIGIN, Motion
from leverarm.spatial.matrix3 import skew
from tests.sources.identities.case import Case, minus, product
from tests.sources.values import Value, added, column, transposed


def parts_by_newton_euler(case: Case) -> bool:
    """M by unit accelerations, c without gravity and g at rest, each by runs of the screw recursion."""
    mechanism, q, qd, qdd = case.motion
    n, zero = len(case.coordinates), [0] * len(case.coordinates)
    run = me.screw_inverse_dynamics
    units = [[int(i == j) for i in range(n)] for j in range(n)]
    columns = [run(mechanism, q, zero, unit, gravity=ORIGIN) for unit in units]
    return (
        transposed(columns) == case.known["M"]
        and column(run(mechanism, q, qd, zero, gravity=ORIGIN)) == case.known["c"]
        and column(run(mechanism, q, zero, zero)) == case.known["g(q)"]
        and column(run(mechanism, q, zero, qdd, gravity=ORIGIN)) == product(case.known["M"], case.known["qdd"])
    )


def screw_constants(case: Case) -> bool:
    chain = me.screw_chain(case.eq.exact.mechanism)
    for i, link in enumerate(chain.links):
        if chain.home[i].inverse().motion_into_parent(chain.screws[i]) != link.A:
            return False
        if chain.home[i].inverse() * chain.home[link.parent] != link.M_from_parent:
            return False
    return True


def screw_recursion(case: Case) -> bool:
    """Every line of the two recursions, on what the algorithm finds, with ad and Ad written out as 6 x 6 matrices."""
    run = screw.screw_recursion(*case.motion)
    V = [*run.V, Motion(ORIGIN, ORIGIN)]
    V_dot = [*run.V_dot, Motion(ORIGIN, -case.eq.exact.mechanism.gravity)]
    for i, link in enumerate(run.chain.links):
        qd, qdd = column_of(link.A * case.speed(i)), column_of(link.A * case.eq.exact.qdd[i])
        Ad = adjoint(run.T[i])
        if column_of(V[i]) != added(product(Ad, column_of(V[link.parent])), qd):
            return False
        if column_of(V_dot[i]) != reduce(
            added, [product(Ad, column_of(V_dot[link.parent])), qdd, product(ad(V[i]), qd)]
        ):
            return False
        momentum, needed = link.G @ V[i], link.G @ V_dot[i]
        F = minus(column_of(needed), product(transposed(ad(V[i])), column_of(momentum)))
        for j, child in enumerate(run.chain.links):
            if child.parent == i:
                F = added(F, product(transposed(adjoint(run.T[j])), column_of(run.F[j])))
        if column_of(run.F[i]) != F or run.tau[i] != product(transposed(F), column_of(link.A)):
            return False
    return column(list(run.tau)) == case.known["tau"]


def screw_rotation(case: Case) -> bool:
    """R_{i,i-1} is the turn of the joint after the home rotation; the printed right side is a vector, not a rotation."""
    run = screw.screw_recursion(*case.motion)
    for i, link in enumerate(run.chain.links):
        if screw.exponential(link.A, -case.eq.exact.q[i]).rotation * link.M_from_parent.rotation != run.T[i].rotation:
            return False
    return True


def screw_angular_part(case: Case) -> bool:
    run = screw.screw_recursion(*case.motion)
    V, V_dot = [*run.V, Motion(ORIGIN, ORIGIN)], [*run.V_dot, Motion(ORIGIN, ORIGIN)]
    for i, link in enumerate(run.chain.links):
        R, axis, qd, qdd = run.T[i].rotation, link.A.angular, case.speed(i), case.eq.exact.qdd[i]
        before = link.parent
        if V[i].angular != R @ V[before].angular + axis * qd:
            return False
        if V_dot[i].angular != R @ V_dot[before].angular + axis * qdd + V[i].angular.cross(axis) * qd:
            return False
    return True


def column_of(six: Value) -> Value:
    """A motion or a force as a column, angular part first."""
    upper, lower = (six.angular, six.linear) if isinstance(six, Motion) else (six.moment, six.force)
    return column([*upper, *lower])


def ad(V: Motion) -> Value:
    """[[omega], 0; [v], [omega]]."""
    return _blocks(skew(V.angular).rows(), skew(V.linear).rows())


def adjoint(T: Value) -> Value:
    """Ad(T) = [R, 0; [p] R, R]."""
    return _blocks(T.rotation.rows(), (skew(T.position) * T.rotation).rows())


def _blocks(diagonal: Value, lower: Value) -> Value:
    return [[*row, 0, 0, 0] for row in diagonal] + [[*a, *b] for a, b in zip(lower, diagonal, strict=True)]
