"""The identities of the robot equation on random trees with full inertias: to rounding over floats, exactly over rationals.

The bound over floats is 1e-12 of the largest number in the comparison: some thousand roundings of 1e-16 each, on trees of
up to 12 joints and more.
"""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.compiler.derivatives import jacobian_program
from leverarm.compiler.llvm import host_machine
from leverarm.compiler.lowering import lower
from leverarm.model import Arm, Body, Friction, Joint, JointKind, bind
from leverarm.runtime.requests import request_for, traced
from leverarm.scalars import RATIONAL, Dual, along, slope, value
from leverarm.spatial import Force, Vec3, point_inertia
from tests.support.levels import at_level
from tests.support.machine_code import Batch
from tests.support.random_arms import exact_state, float_state, random_arm

TREES = range(at_level(4, 24, 200))


def close(a, b, scale=1.0, rtol=1e-12):
    a, b = np.asarray(a, float), np.asarray(b, float)
    size = max(np.abs(a).max(initial=0), np.abs(b).max(initial=0), scale)
    assert np.abs(a - b).max(initial=0) <= rtol * size


def matvec(A, x):
    return [sum((a * b for a, b in zip(row, x, strict=True)), start=0) for row in A]


@pytest.fixture(scope="module", params=TREES)
def case(request):
    arm = random_arm(request.param)
    return bind(arm), *float_state(arm, request.param)


def test_mass_matrix_three_routes(case):
    arm, q, _, _ = case
    M = me.mass_matrix(arm, q)
    close(M, me.mass_matrix_by_jacobians(arm, q))
    close(M, me.mass_matrix_by_unit_accelerations(arm, q))
    assert np.linalg.eigvalsh(np.array(M, float)).min() > 0


def test_coriolis_matrix_two_routes_and_skew(case):
    arm, q, qd, _ = case
    C = np.array(me.coriolis_matrix(arm, q, qd), float)
    close(C, me.coriolis_matrix_from_christoffel(arm, q, qd))
    S = np.array(me.mass_matrix_rate(arm, q, qd), float) - 2 * C
    size = np.abs(np.array(me.mass_matrix(arm, q), float)).max() * np.abs(qd).max()
    close(S, -S.T, scale=size)
    close(C @ qd, me.coriolis_torques(arm, q, qd), scale=size)


def test_inverse_dynamics_is_its_parts(case):
    arm, q, qd, qdd = case
    tau = me.inverse_dynamics(arm, q, qd, qdd)
    parts = np.array(matvec(me.mass_matrix(arm, q), qdd)) + matvec(me.coriolis_matrix(arm, q, qd), qd)
    parts = parts + me.gravity_forces(arm, q) + np.array(me.friction(arm, qd), float)
    close(tau, parts)
    close(me.rigid_body_forces(arm, q, qd, qdd), me.screw_inverse_dynamics(arm, q, qd, qdd))


def test_forward_dynamics_inverts_inverse_dynamics(case):
    arm, q, qd, qdd = case
    tau = me.inverse_dynamics(arm, q, qd, qdd)
    condition = np.linalg.cond(np.array(me.mass_matrix(arm, q), float))
    close(me.forward_dynamics(arm, q, qd, tau), qdd, rtol=1e-14 * condition)
    close(me.forward_dynamics_by_mass_matrix(arm, q, qd, tau), qdd, rtol=1e-14 * condition)


def test_gravity_is_the_gradient_of_potential_energy(case):
    arm, q, _, _ = case
    n = arm.dof
    gradient = [slope(me.potential_energy(arm, along(q, [int(k == j) for k in range(n)]))) for j in range(n)]
    close(me.gravity_forces(arm, q), gradient)


def test_power_balance(case):
    """dH/dt = qd . (tau - F) + qd . J^T w: what motors and outside forces put in, less friction, is the energy gained."""
    arm, q, qd, qdd = case
    wrench = {arm.tool: Force(Vec3(0.3, -1.2, 2.0), Vec3(4.0, 0.5, -3.0))}
    tau = np.array(me.inverse_dynamics(arm, q, qd, qdd, wrenches=wrench), float)
    H_rate = slope(me.hamiltonian(arm, along(q, qd), along(qd, qdd)))
    J = np.array(me.jacobian(arm, q, arm.tool), float)
    pushed = J.T @ [0.3, -1.2, 2.0, 4.0, 0.5, -3.0]
    put_in = np.array(qd) @ (tau - np.array(me.friction(arm, qd), float) + pushed)
    close(H_rate, put_in, scale=np.abs(tau).max() * np.abs(qd).max() * arm.dof)


def test_kinetic_energy_and_momentum(case):
    arm, q, qd, _ = case
    M = np.array(me.mass_matrix(arm, q), float)
    close(me.kinetic_energy(arm, q, qd), 0.5 * np.array(qd) @ M @ qd)
    close(me.generalised_momentum(arm, q, qd), [slope(me.lagrangian(arm, q, along(qd, e))) for e in np.eye(arm.dof)])


def test_euler_lagrange_gives_the_same_forces(case):
    """d/dt dL/dqd - dL/dq from energies alone, by nested dual numbers."""
    arm, q, qd, qdd = case
    tau = []
    for i in range(arm.dof):
        unit = [int(k == i) for k in range(arm.dof)]
        along_motion = [Dual(Dual(v, r), 0) for v, r in zip(q, qd, strict=True)]
        rates = [Dual(Dual(v, r), e) for v, r, e in zip(qd, qdd, unit, strict=True)]
        momentum_rate = slope(slope(me.lagrangian(arm, along_motion, rates)))
        tau.append(momentum_rate - slope(me.lagrangian(arm, along(q, unit), qd)))
    rigid = np.array(me.rigid_body_forces(arm, q, qd, qdd), float) + np.array(me.rotor_forces(arm, qdd), float)
    close(tau, rigid)


def test_momentum(case):
    """Linear momentum is the rate of the first moment; angular momentum is power-conjugate to turning the whole arm."""
    arm, q, qd, _ = case
    total = me.momentum(arm, q, qd)
    moving = me.world_from_links(arm, along(q, qd))
    rates, spin = np.zeros(3), np.zeros(3)
    for link, pose, w in zip(arm.links, moving[:-1], me.angular_velocities(arm, q, qd)[:-1], strict=True):
        rate = np.array([slope(x) for x in me.first_moment(link.inertia, pose)], float)
        R = np.array([[value(x) for x in row] for row in pose.rotation.rows()], float)
        com = np.array([value(x) for x in me.first_moment(link.inertia, pose)], float) / float(link.inertia.m)
        about_com = link.inertia.I - point_inertia(Vec3(*(x / link.inertia.m for x in link.inertia.h))) * link.inertia.m
        spin += R @ np.array(about_com.full().rows(), float) @ R.T @ np.array(list(w), float) + np.cross(com, rate)
        rates += rate
    size = np.abs(rates).max() + np.abs(spin).max()
    close(list(total.force), rates, scale=size)
    close(list(total.moment), spin, scale=size)


def test_wrenches_act_through_the_jacobian_on_every_link(case):
    arm, q, qd, qdd = case
    free = np.array(me.rigid_body_forces(arm, q, qd, qdd), float)
    wrench = Force(Vec3(0.3, -1.2, 2.0), Vec3(4.0, 0.5, -3.0))
    for link in (arm.links[0], arm.links[-1]):
        pushed = np.array(me.rigid_body_forces(arm, q, qd, qdd, wrenches={link.name: wrench}), float)
        J = np.array(me.jacobian(arm, q, link.name), float)
        close(free - pushed, J.T @ [0.3, -1.2, 2.0, 4.0, 0.5, -3.0], scale=np.abs(free).max())


def test_smooth_friction_has_a_derivative():
    arm = bind(
        Arm("a", (Body("b", "base", Joint("j", JointKind.REVOLUTE, friction=Friction(0.3, 2.0, smoothing=0.5))),))
    )
    rate = slope(me.friction(arm, along([0.4], [1.0]))[0])
    ahead, behind = (me.friction(arm, [0.4 + step])[0] for step in (1e-6, -1e-6))
    assert abs(rate - (ahead - behind) / 2e-6) < 1e-8


def test_jacobians(case):
    arm, q, qd, qdd = case
    for frame in (arm.tool, arm.links[len(arm.links) // 2].name):
        J = np.array(me.jacobian(arm, q, frame), float)
        close(J, me.jacobian_by_differentiation(arm, q, frame))
        J_dot = [[slope(x) for x in row] for row in me.jacobian(arm, along(q, qd), frame)]
        close(me.jacobian_dot(arm, q, qd, frame), J_dot)
        parts = me.acceleration(arm, q, qd, qdd, frame)
        velocity_rate = [slope(x) for x in matvec(me.jacobian(arm, along(q, qd), frame), along(qd, qdd))]
        close(parts.total, velocity_rate, scale=np.abs(J).max())


def test_angular_velocity_adds_up_and_turns_the_rotation(case):
    """Rdot = S(w) R."""
    arm, q, qd, _ = case
    omega = me.angular_velocities(arm, q, qd)
    poses = me.world_from_links(arm, q)
    moving = me.world_from_links(arm, along(q, qd))
    for w, pose, moved in zip(omega[:-1], poses[:-1], moving[:-1], strict=True):
        S = np.array([[0, -w.z, w.y], [w.z, 0, -w.x], [-w.y, w.x, 0]], float)
        R_dot = [[slope(x) for x in row] for row in moved.rotation.rows()]
        close(S @ np.array(pose.rotation.rows(), float), R_dot)


def test_regressors(case):
    arm, q, qd, qdd = case
    phi = np.array([p.value for p in me.parameters(arm)], float)
    close(np.array(me.regressor(arm, q, qd, qdd), float) @ phi, me.inverse_dynamics(arm, q, qd, qdd))
    inertial = np.array([p.value for p in me.parameters(arm, ["inertial"])], float)
    links = sum(me.link_kinetic_energies(arm, q, qd))
    close(np.array(me.kinetic_energy_regressor(arm, q, qd), float) @ inertial, links)
    close(np.array(me.potential_energy_regressor(arm, q), float) @ inertial, me.potential_energy(arm, q), scale=links)


def test_operational_space(case):
    """Lambda a + mu + p is the force at the frame: with tau = J^T of it the frame accelerates by a."""
    arm, q, qd, _ = case
    J = np.array(me.jacobian(arm, q, arm.tool), float)
    M = np.array(me.mass_matrix(arm, q), float)
    rows: list[int] = []
    for row in (3, 4, 5, 0, 1, 2):  # as many directions as the tool can move in independently, and well
        trial = J[[*rows, row]]
        if np.abs(J[row]).max() > 1e-3 and np.linalg.cond(trial @ np.linalg.solve(M, trial.T)) < 1e6:
            rows.append(row)
    assert rows
    mobility = J[rows] @ np.linalg.solve(M, J[rows].T)
    rounding = 1e-13 * np.linalg.cond(M) * np.linalg.cond(mobility)
    close(me.operational_inertia(arm, q, arm.tool, rows), np.linalg.inv(mobility), rtol=rounding)
    wanted = np.arange(1.0, len(rows) + 1)
    force = np.array(me.operational_inertia(arm, q, arm.tool, rows), float) @ wanted
    force = (
        force
        + me.operational_bias(arm, q, qd, arm.tool, rows)
        + np.array(me.operational_gravity(arm, q, arm.tool, rows))
    )
    tau = J[rows].T @ force + np.array(me.friction(arm, qd), float)
    qdd = me.forward_dynamics(arm, q, qd, list(tau))
    reached = J[rows] @ qdd + np.array(me.jacobian_dot(arm, q, qd, arm.tool), float)[rows] @ qd
    close(reached, wanted, scale=np.abs(qdd).max() * np.abs(J).max(), rtol=max(rounding, 1e-12))


@pytest.mark.parametrize("seed", TREES)
def test_exact_identities(seed):
    """Tolerance zero: the routes to M, C, tau agree and Mdot - 2 C is skew over the rationals."""
    random_tree = random_arm(seed, joints=2 + seed % 11)
    arm = bind(random_tree, RATIONAL)
    q, qd, qdd = exact_state(random_tree, seed)
    n = range(arm.dof)
    M, C = me.mass_matrix(arm, q), me.coriolis_matrix(arm, q, qd)
    M_dot = me.mass_matrix_rate(arm, q, qd)
    assert all(M_dot[i][j] + M_dot[j][i] == 2 * (C[i][j] + C[j][i]) for i in n for j in n)
    assert all(M[i][j] == M[j][i] for i in n for j in n)
    c, g = me.coriolis_torques(arm, q, qd), me.gravity_forces(arm, q)
    assert matvec(C, qd) == c
    tau = me.rigid_body_forces(arm, q, qd, qdd)
    rotors = me.rotor_forces(arm, qdd)
    assert [a + b for a, b in zip(tau, rotors, strict=True)] == [
        a + b + d for a, b, d in zip(matvec(M, qdd), c, g, strict=True)
    ]
    assert tau == me.screw_inverse_dynamics(arm, q, qd, qdd)
    if arm.dof <= 5:
        assert M == me.mass_matrix_by_jacobians(arm, q) == me.mass_matrix_by_unit_accelerations(arm, q)
        assert me.coriolis_matrix_from_christoffel(arm, q, qd) == C
        phi = [p.value for p in me.parameters(arm)]
        forces = me.inverse_dynamics(arm, q, qd, qdd)
        assert matvec(me.regressor(arm, q, qd, qdd), phi) == forces
        assert me.forward_dynamics(arm, q, qd, forces) == qdd
        assert me.forward_dynamics_by_mass_matrix(arm, q, qd, forces) == qdd


# the same through compiled code: batches of states, one identity over all of them -------------------------------------


@pytest.fixture(scope="module", params=[5, 9, 12])
def compiled(request):
    """A tree of 3 or 4 joints, compiled, with states in which every joint moves."""
    arm = random_arm(request.param, joints=3 + request.param % 2)
    states = np.random.default_rng(request.param).uniform(-2, 2, (3, 21, arm.dof))
    return arm, la.compile(arm), *states


def times(A, x):
    return np.einsum("kij,kj->ki", A, x)


def by_tape(arm, quantity, **states):
    """Derivatives of the result by each argument: the compiler's own, of the program that it traced, as machine code."""
    program = traced(request_for(arm, quantity))
    pairs = [(program.outputs[0].name, argument) for argument in states]
    both = lower(jacobian_program(program, pairs)).program
    results = Batch(both, "double", host_machine())(*[np.ascontiguousarray(x) for x in states.values()])
    return [x.reshape(-1, *array.shape) for x, array in zip(results[1:], both.outputs[1:], strict=True)]


@pytest.mark.slow
def test_compiled_inverse_dynamics_is_its_parts(compiled):
    arm, fast, q, qd, qdd = compiled
    friction = np.array([me.friction(bind(arm), list(speeds)) for speeds in qd], float)
    bias = times(fast.coriolis_matrix(q, qd), qd) + fast.gravity(q) + friction
    close(fast.bias(q, qd), bias)
    close(fast.inverse_dynamics(q, qd, qdd), times(fast.mass_matrix(q), qdd) + bias)
    phi = np.array([p.value for p in me.parameters(bind(arm))], float)
    close(fast.inverse_dynamics(q, qd, qdd), fast.regressor(q, qd, qdd) @ phi)


def test_compiled_forward_dynamics_inverts_inverse_dynamics(compiled):
    _, fast, q, qd, qdd = compiled
    M = fast.mass_matrix(q)
    rounding = 1e-14 * np.linalg.cond(M).max()
    tau = fast.inverse_dynamics(q, qd, qdd)
    close(fast.forward_dynamics(q, qd, tau), qdd, rtol=rounding)
    close(fast.mass_matrix_inverse(q) @ M, np.broadcast_to(np.eye(M.shape[-1]), M.shape), rtol=rounding)


def test_compiled_coriolis_matrix_is_skew_beside_the_rate_of_the_mass_matrix(compiled):
    arm, fast, q, qd, _ = compiled
    (dM,) = by_tape(arm, "mass_matrix", q=q)
    S = np.einsum("kijl,kl->kij", dM, qd) - 2 * fast.coriolis_matrix(q, qd)
    close(S, -np.swapaxes(S, 1, 2), scale=np.abs(fast.mass_matrix(q)).max() * np.abs(qd).max())


@pytest.mark.slow
def test_compiled_derivatives_are_those_of_the_compiled_program(compiled):
    """Formulas of the mechanics against derivatives that know nothing of it; inverses cost their conditioning."""
    arm, fast, q, qd, qdd = compiled
    expected = by_tape(arm, "inverse_dynamics", q=q, qd=qd, qdd=qdd)
    for ours, wanted in zip(fast.inverse_dynamics_derivatives(q, qd, qdd), expected, strict=True):
        close(ours, wanted)
    tau = fast.inverse_dynamics(q, qd, qdd)
    rounding = 1e-13 * np.linalg.cond(fast.mass_matrix(q)).max()
    expected = by_tape(arm, "forward_dynamics", q=q, qd=qd, tau=tau)
    for ours, wanted in zip(fast.forward_dynamics_derivatives(q, qd, tau), expected, strict=True):
        close(ours, wanted, rtol=rounding)


@pytest.mark.slow
def test_compiled_energies_and_jacobians(compiled):
    arm, fast, q, qd, _ = compiled
    close(fast.kinetic_energy(q, qd), 0.5 * np.einsum("ki,ki->k", qd, times(fast.mass_matrix(q), qd)))
    (dP,) = by_tape(arm, "potential_energy", q=q)
    close(fast.gravity(q), dP)
    (dJ,) = by_tape(arm, "jacobian", q=q)
    close(fast.jacobian_dot(q, qd), np.einsum("kijl,kl->kij", dJ, qd))


@pytest.mark.slow
def test_compiled_steps_are_made_of_compiled_accelerations(compiled):
    _, fast, q, qd, qdd = compiled
    tau, h = fast.inverse_dynamics(q, qd, qdd), 0.01
    a = fast.forward_dynamics(q, qd, tau)
    size = max(np.abs(q).max(), np.abs(qd).max(), h * np.abs(a).max())
    expected = {"euler": (q + h * qd, qd + h * a), "semi-implicit": (q + h * (qd + h * a), qd + h * a)}
    rates = [(qd, a)]
    for part in (h / 2, h / 2, h):
        v, b = rates[-1]
        rates.append((qd + part * b, fast.forward_dynamics(q + part * v, qd + part * b, tau)))
    weights = np.array([1, 2, 2, 1]) * h / 6
    moves = [sum(w * rate[k] for w, rate in zip(weights, rates, strict=True)) for k in range(2)]
    expected["rk4"] = q + moves[0], qd + moves[1]
    # The step is a program of its own: its accelerations are rounded otherwise, as much as M is ill-conditioned.
    rounding = max(1e-12, 1e-14 * h * np.linalg.cond(fast.mass_matrix(q)).max())
    for method, after in expected.items():
        for found, wanted in zip(fast.step(q, qd, tau, h, method=method), after, strict=True):
            close(found, wanted, scale=size, rtol=rounding)
