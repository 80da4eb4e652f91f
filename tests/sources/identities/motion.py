"""Rotations, angular velocities and Jacobians."""

from __future__ import annotations

from leverarm.scalars import Scalar
from leverarm.scalars.exact import partial
from leverarm.spatial import Vec3
from leverarm.spatial.matrix3 import skew
from tests.sources.identities.case import Case, is_null, product, rate
from tests.sources.values import Value, added, column, transposed


def rotations(case: Case) -> bool:
    """R R^T = 1, and dR/dq R^T is skew."""
    for i in case.links:
        R = case.known[f"R{i}"]
        if product(R, transposed(R)) != [[1, 0, 0], [0, 1, 0], [0, 0, 1]]:
            return False
        for name in case.coordinates:
            S = product([[partial(x, name) for x in row] for row in R], transposed(R))
            if not is_null(added(S, transposed(S))):
                return False
    return True


def derivative_of_rotation(case: Case) -> bool:
    """dR/dtheta R^T + R (dR/dtheta)^T = 0; with R dR/dtheta R^T instead, as printed, it is not."""
    R = case.known["R1"]
    slope = [[partial(x, case.coordinates[0]) for x in row] for row in R]
    first = product(slope, transposed(R))
    holds = is_null(added(first, product(R, transposed(slope))))
    return holds and not is_null(added(first, product(R, slope, transposed(R))))


def angular_velocity(case: Case) -> bool:
    """Rdot R^T = S(omega), Rdot = S(omega) R = R S(Omega), omega = R Omega; Rdot = S(Omega) R does not hold."""
    printed = []
    for i in case.links:
        R, omega = case.known[f"R{i}"], case.known[f"omega{i}"]
        S, own = (_skew(vector) for vector in (omega, product(transposed(R), omega)))
        if product(rate(case, R), transposed(R)) != S or not rate(case, R) == product(S, R) == product(R, own):
            return False
        printed.append(rate(case, R) == product(own, R))
    return not all(printed) or all(turns_about_z(case, i) for i in case.links)


def turns_about_z(case: Case, i: int) -> bool:
    """Whether a link of a planar arm turns in the plane only: then both angular velocities have the same components."""
    return case.known[f"omega{i}"][:2] == [[0], [0]]


def _skew(vector: Value) -> list[list[Scalar]]:
    return [list(row) for row in skew(Vec3(*(x for (x,) in vector))).rows()]


def adding_angular_velocities(case: Case) -> bool:
    """R_2 = R_1 R_2^1 and omega_2 = omega_1 + R_1 omega_2^1, the second in axes of link 1."""
    R1, R2 = case.known["R1"], case.known["R2"]
    relative = product(transposed(R1), R2)
    S = product(rate(case, relative), transposed(relative))
    own = column([S[2][1], S[0][2], S[1][0]])
    return product(R1, relative) == R2 and added(case.known["omega1"], product(R1, own)) == case.known["omega2"]


def velocity_of_a_point(case: Case) -> bool:
    """The centre of mass of link 1, which only turns about the origin: pd = omega x p."""
    omega = Vec3(*(x for (x,) in case.known["omega1"]))
    return column(list(omega.cross(case.body(1)[1]))) == case.known["v1"]


def jacobians(case: Case) -> bool:
    """v = J_v qd, omega = J_omega qd; J_v by differentiating; column j of J_omega is the axis of joint j, or zero."""
    for i in case.links:
        Jv, Jw, qd = case.known[f"J_v{i}"], case.known[f"J_omega{i}"], case.known["qd"]
        at = case.body(i)[1]
        axes = [[0, 0, 0] for _ in case.coordinates]
        for j in range(1, i + 1):
            link = case.eq.exact.mechanism.links[j - 1]
            if link.turns:
                axes[j - 1] = [x for (x,) in product(case.known[f"R{j}"], column(list(link.axis)))]
        if (
            product(Jv, qd) != case.known[f"v{i}"]
            or product(Jw, qd) != case.known[f"omega{i}"]
            or Jv != [[partial(x, name) for name in case.coordinates] for x in at]
            or Jw != transposed(axes)
        ):
            return False
    return True


def tip_jacobian(case: Case) -> bool:
    at = list(case.eq.position().values)
    rows = [[partial(x, name) for name in case.coordinates] for x in at]
    return rows == case.eq.jacobian().values[3:] and product(rows, case.known["qd"]) == rate(case, column(at))
