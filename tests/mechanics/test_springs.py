"""Springs in the joints: identities on random trees, over the rationals with tolerance zero."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.control.joint_space import rigid_forces
from leverarm.model import Arm, Body, Joint, JointKind, MassProperties, Spring, bind, lock
from leverarm.scalars import RATIONAL, Dual, along, slope
from leverarm.spatial import Vec3
from tests.support.levels import at_level
from tests.support.random_arms import exact_state, float_state, random_arm
from tests.support.springs import sprung

TREES = range(at_level(3, 12, 60))


def product(A, x):
    return [sum((a * b for a, b in zip(row, x, strict=True)), start=0) for row in A]


def units(n):
    return [[int(k == j) for k in range(n)] for j in range(n)]


@pytest.fixture(scope="module", params=TREES)
def case(request):
    """A random tree with springs over the rationals, and a state."""
    arm = sprung(random_arm(request.param, joints=2 + request.param % 4), request.param)
    return (bind(arm, RATIONAL), *exact_state(arm, request.param))


def test_lagrange_is_newton_euler(case):
    """d/dt dL/dqd - dL/dq of the energies, by nested dual numbers, against inverse dynamics without friction."""
    arm, q, qd, qdd = case
    free = me.without_friction(arm)
    expected = me.inverse_dynamics(free, q, qd, qdd)
    assert me.classical_inverse_dynamics(free, q, qd, qdd) == expected
    for i, unit in enumerate(units(arm.dof)):
        along_motion = [Dual(Dual(v, r), 0) for v, r in zip(q, qd, strict=True)]
        rates = [Dual(Dual(v, r), e) for v, r, e in zip(qd, qdd, unit, strict=True)]
        momentum_rate = slope(slope(me.lagrangian(arm, along_motion, rates)))
        assert momentum_rate - slope(me.lagrangian(arm, along(q, unit), qd)) == expected[i]


def test_g_is_the_slope_of_P(case):
    arm, q, _, _ = case
    g = me.gravity_forces(arm, q)
    assert g == [slope(me.potential_energy(arm, along(q, unit))) for unit in units(arm.dof)]
    assert g == me.static_forces(arm, q, {}) == me.inverse_dynamics(me.without_friction(arm), q, *[[0] * arm.dof] * 2)
    assert g != me.gravity_forces(me.without_springs(arm), q)


def test_the_equations_of_motion_keep_their_form(case):
    arm, q, qd, qdd = case
    inertial = product(me.mass_matrix(arm, q), qdd)
    parts = [inertial, product(me.coriolis_matrix(arm, q, qd), qd), me.friction(arm, qd), me.gravity_forces(arm, q)]
    assert me.inverse_dynamics(arm, q, qd, qdd) == [sum(terms) for terms in zip(*parts, strict=True)]
    bare = me.without_springs(arm)
    assert me.coriolis_matrix(arm, q, qd) == me.coriolis_matrix(bare, q, qd)
    assert me.coriolis_torques(arm, q, qd) == me.coriolis_torques(bare, q, qd)


def test_power_balance(case):
    """dH/dt = qd . (tau - F) with the springs' energy in H."""
    arm, q, qd, qdd = case
    tau = me.inverse_dynamics(me.without_friction(arm), q, qd, qdd)
    rate = slope(me.hamiltonian(arm, along(q, qd), along(qd, qdd)))
    assert rate == sum(v * t for v, t in zip(qd, tau, strict=True))


def test_linear_in_the_stiffness(case):
    arm, q, qd, qdd = case
    phi = [entry.value for entry in me.parameters(arm)]
    assert product(me.regressor(arm, q, qd, qdd), phi) == me.inverse_dynamics(arm, q, qd, qdd)
    names = [entry.name for entry in me.parameters(arm, ("spring",))]
    assert names == [f"{link.joint}.spring" for link, s in zip(arm.links, arm.springs, strict=True) if s]


def test_derivatives(case):
    arm, q, qd, qdd = case
    by_q, by_qd, _ = me.inverse_dynamics_derivatives(arm, q, qd, qdd)
    columns = [[slope(x) for x in me.inverse_dynamics(arm, along(q, unit), qd, qdd)] for unit in units(arm.dof)]
    assert by_q == me.transposed(columns)
    bare = me.without_springs(arm)
    assert by_qd == me.inverse_dynamics_derivatives(bare, q, qd, qdd)[1]


def test_forces_of_slotine_and_li(case):
    """M vd + C v + g in one pass, springs in g."""
    arm, q, qd, qdd = case
    free, v = me.without_friction(arm), [Fraction(k + 1, 3) for k in range(arm.dof)]
    parts = product(me.mass_matrix(arm, q), qdd), product(me.coriolis_matrix(arm, q, qd), v), me.gravity_forces(arm, q)
    assert rigid_forces(free, q, qd, v, qdd) == [sum(terms) for terms in zip(*parts, strict=True)]


@pytest.mark.parametrize("seed", TREES)
def test_forward_dynamics_by_every_route(seed):
    for arm in (sprung(random_arm(seed), seed), lone(sprung(random_arm(seed), seed))):
        bound, (q, qd, qdd) = bind(arm), float_state(arm, seed)
        tau = me.inverse_dynamics(bound, q, qd, qdd)
        rounding = 1e-13 * np.linalg.cond(np.array(me.mass_matrix(bound, q), float))
        routes = [me.forward_dynamics, me.forward_dynamics_by_mass_matrix, me.classical_forward_dynamics]
        routes += [me.articulated_body, me.classical_articulated_body] if me.is_separable(bound) else []
        for route in routes:
            assert np.allclose(np.array(route(bound, q, qd, tau), float), qdd, rtol=rounding, atol=rounding)


def lone(arm: Arm) -> Arm:
    """The arm with every joint a coordinate of its own and without motors, for which articulated bodies hold."""
    joints = (replace(b.joint, coupling=None, offset=0, motor=None) for b in arm.bodies)
    return replace(
        arm, coordinates=(), bodies=tuple(replace(b, joint=j) for b, j in zip(arm.bodies, joints, strict=True))
    )


def two_links(spring: Spring, **second) -> Arm:
    first = Body("one", "base", Joint("a", JointKind.REVOLUTE), MassProperties(2, Vec3(1, 0, 0)))
    follower = Joint("b", JointKind.REVOLUTE, spring=spring, **second)
    return Arm("two", (first, Body("two", "one", follower, MassProperties(1, Vec3(1, 0, 0)))), gravity=Vec3(0, 0, 0))


def test_a_spring_sits_on_the_joint_also_where_that_follows_others():
    """The joint is at -2 q + 1/4: its spring pulls on q through the ratio, and counts the offset."""
    arm = two_links(Spring(3, Fraction(1, 2)), coupling=(("a", -2),), offset=Fraction(1, 4))
    stretch = -2 * 0.7 + 0.25 - 0.5
    assert la.potential_energy(arm, [0.7]) == pytest.approx(1.5 * stretch**2, rel=1e-15)
    assert la.gravity(arm, [0.7]) == pytest.approx([-2 * 3 * stretch], rel=1e-15)
    ((slope_of_g,),), _, _ = me.inverse_dynamics_derivatives(bind(arm), [0.7], [0], [0])
    assert slope_of_g == 4 * 3


def test_a_locked_joint_does_nothing_with_its_spring():
    arm = lock(two_links(Spring(3, 1)), {"b": 0.2})
    assert la.potential_energy(arm, [0.7]) == 0 and la.gravity(arm, [0.7]) == [0]
