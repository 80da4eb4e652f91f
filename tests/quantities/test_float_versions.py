"""The public functions: shapes, errors, and the answers at singular poses."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError, NotFiniteError, SingularError

PANDA = la.load("panda")
Q = np.linspace(-1, 1, 7)


def test_arguments_may_be_any_sequence_of_numbers():
    expected = la.mass_matrix(PANDA, Q)
    for q in (list(Q), tuple(Q), np.float32(Q).astype(object)):
        assert la.mass_matrix(PANDA, q).shape == (7, 7)
    assert np.array_equal(la.mass_matrix(PANDA, list(Q)), expected)
    assert np.array_equal(la.mass_matrix(PANDA, Q[::-1][::-1]), expected)
    assert la.mass_matrix(PANDA, [0] * 7).dtype == np.float64


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: la.mass_matrix(PANDA, [1, 2]), "2 numbers given; it takes 7 (joint1,"),
        (lambda: la.mass_matrix(PANDA, np.zeros((2, 7))), "shape (2, 7)"),
        (lambda: la.mass_matrix(PANDA, 3.0), "shape ()"),
        (lambda: la.mass_matrix(PANDA, ["a"] * 7), "is not a list of numbers"),
        (lambda: la.mass_matrix(PANDA, None), "shape ()"),
        (lambda: la.gravity(PANDA, [0, 0, np.nan, 0, 0, np.inf, 0]), "joint3 = nan, joint6 = inf"),
        (lambda: la.bias(PANDA, Q, Q[:-1]), "qd of arm 'panda': 6 numbers"),
        (lambda: la.jacobian(PANDA, Q, "toool"), "did you mean 'tool'"),
        (lambda: la.inverse_dynamics(PANDA, Q, Q, Q, wrenches={"tool": [1, 2]}), "6 (mx, my, mz, fx, fy, fz)"),
        (lambda: la.inverse_dynamics(PANDA, Q, Q, Q, wrenches={"hand": [0] * 6}), "no frame named 'hand'"),
        (lambda: la.regressor(PANDA, Q, Q, Q, ["viscos"]), "did you mean 'viscous'"),
        (lambda: la.coriolis_matrix(PANDA, Q, Q, "uper"), "did you mean 'upper'"),
        (lambda: la.operational_inertia(PANDA, Q, axes=["x", "w"]), "no axis named 'w'"),
        (lambda: la.operational_inertia(PANDA, Q, axes=["x", "x"]), "different axes"),
        (lambda: la.operational_inertia(PANDA, Q, singular="ignore"), "Valid: raise, restrict"),
    ],
)
def test_input_errors(call, says):
    with pytest.raises(InputError) as error:
        call()
    assert says in str(error.value)


def test_wrenches_act_through_the_jacobian():
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.normal(size=(3, 7))
    w = rng.normal(size=6)
    for frame in ("tool", "link4", "link7"):
        pushed = la.inverse_dynamics(PANDA, q, qd, qdd, wrenches={frame: w})
        free = la.inverse_dynamics(PANDA, q, qd, qdd)
        assert np.allclose(pushed, free - la.jacobian(PANDA, q, frame).T @ w, rtol=1e-12, atol=1e-12)
        tau = rng.normal(size=7)
        J = la.jacobian(PANDA, q, frame)
        expected = la.forward_dynamics(PANDA, q, qd, tau + J.T @ w)
        assert np.allclose(la.forward_dynamics(PANDA, q, qd, tau, wrenches={frame: w}), expected, rtol=1e-9)
    assert np.allclose(la.static_torque(PANDA, q, {"tool": w}), la.gravity(PANDA, q) - la.jacobian(PANDA, q).T @ w)
    assert np.array_equal(la.inverse_dynamics(PANDA, q, qd, qdd, wrenches={"base": w}), free)


def test_points_of_a_frame_move_with_it():
    """v_p = v + w x r, and Jdot is the rate of J."""
    rng = np.random.default_rng(3)
    q, qd = rng.normal(size=(2, 7))
    point = [0.1, -0.2, 0.3]
    w, v = np.split(la.velocity(PANDA, q, qd, "link5"), 2)
    r = la.forward_kinematics(PANDA, q, "link5")[:3, :3] @ point
    assert np.allclose(la.velocity(PANDA, q, qd, "link5", point), [*w, *(v + np.cross(w, r))], rtol=1e-12)
    step = 1e-6
    ahead, behind = (la.jacobian(PANDA, q + s * step * qd, "link5", point) for s in (1, -1))
    assert np.allclose(la.jacobian_dot(PANDA, q, qd, "link5", point), (ahead - behind) / (2 * step), atol=1e-8)


def test_disturbance_is_part_of_the_forces():
    d = np.arange(7.0)
    free = la.inverse_dynamics(PANDA, Q, Q, Q)
    tau = la.inverse_dynamics(PANDA, Q, Q, Q, disturbance=d)
    assert np.allclose(tau, free + d)
    assert np.allclose(la.forward_dynamics(PANDA, Q, Q, tau, disturbance=d), Q, rtol=1e-9)


def test_tip_wrench_of_the_screw_form_is_the_opposite_of_an_outside_wrench():
    from leverarm import mechanics as me
    from leverarm.spatial import Force, Vec3

    arm = la.bind(PANDA)
    q, qd, qdd = (list(x) for x in np.random.default_rng(1).normal(size=(3, 7)))
    world = la.forward_kinematics(PANDA, q, "tool")[:3, :3]
    moment, force = np.array([1.0, 2.0, 3.0]), np.array([-4.0, 5.0, 0.5])
    applied = Force(Vec3(*(world.T @ moment)), Vec3(*(world.T @ force)))
    screw = me.screw_inverse_dynamics(arm, q, qd, qdd, ("tool", applied))
    body = la.inverse_dynamics(PANDA, q, qd, qdd, wrenches={"tool": -np.concatenate([moment, force])})
    assert np.allclose(screw, body, rtol=1e-12)


def test_forward_kinematics_of_one_and_of_all_frames():
    poses = la.forward_kinematics(PANDA, Q)
    assert set(poses) == set(PANDA.frames)
    assert np.array_equal(la.forward_kinematics(PANDA, Q, "tool"), poses["tool"])
    assert np.allclose(poses["tool"][:3, :3] @ poses["tool"][:3, :3].T, np.eye(3))


def test_operational_inertia_of_square_and_redundant_arms():
    q = [0.1, -0.5, 0.3, -1.8, 0.2, 1.4, 0.5]
    J, M = la.jacobian(PANDA, q), la.mass_matrix(PANDA, q)
    expected = np.linalg.inv(J @ np.linalg.solve(M, J.T))
    assert np.allclose(la.operational_inertia(PANDA, q), expected, rtol=1e-9)
    puma = la.load("puma560")
    q6 = [0.1, -0.5, 0.3, -1.8, 0.7, 1.4]
    J, M = la.jacobian(puma, q6), la.mass_matrix(puma, q6)
    inverse = np.linalg.inv(J)
    assert np.allclose(la.operational_inertia(puma, q6), inverse.T @ M @ inverse, rtol=1e-9)


def test_operational_inertia_at_a_singular_pose():
    elbow, stretched = la.load("elbow"), [0.0, 0.0]
    with pytest.raises(SingularError, match=r"cannot move along \(1 x\).*restrict"):
        la.operational_inertia(elbow, stretched)
    restricted = la.operational_inertia(elbow, stretched, singular="restrict")
    mobility = la.mobility(elbow, stretched)
    assert np.allclose(restricted, [[0, 0], [0, 1 / mobility[1, 1]]])
    damped = la.operational_inertia(elbow, stretched, damping=0.01)
    assert np.allclose(damped, np.linalg.inv(mobility + 0.01 * np.eye(2)))
    assert damped[0, 0] == pytest.approx(100)
    weight = la.operational_gravity(elbow, stretched, singular="restrict")
    felt = la.jacobian(elbow, stretched)[4] @ np.linalg.solve(
        la.mass_matrix(elbow, stretched), la.gravity(elbow, stretched)
    )
    assert weight == pytest.approx([0, restricted[1, 1] * felt], rel=1e-9)
    rate = [1.0, -0.5]
    drift = la.jacobian_dot(elbow, stretched, rate)[3:5] @ rate
    c = np.linalg.solve(la.mass_matrix(elbow, stretched), la.coriolis_torques(elbow, stretched, rate))
    expected = damped @ (la.jacobian(elbow, stretched)[3:5] @ c - drift)
    assert np.allclose(la.operational_bias(elbow, stretched, rate, damping=0.01), expected)
    assert np.allclose(la.operational_inertia(elbow, stretched, axes="y"), 1 / mobility[1, 1])
    near = la.operational_inertia(elbow, [0.0, 1e-3])
    assert np.allclose(near @ la.mobility(elbow, [0.0, 1e-3]), np.eye(2), atol=1e-6)


@pytest.mark.parametrize(
    ("name", "axes"),
    [("elbow", "x y"), ("planar3r", "wz x y"), ("scara", "wz x y z"), ("cylindrical", "x y z"), ("panda", "wx wy wz x y z")],
)  # fmt: skip
def test_axes_meant_when_none_are_named(name, axes):
    assert la.quantities.task_axes(la.load(name)) == tuple(axes.split())


def test_singular_mass_matrix_is_named():
    with pytest.raises(SingularError, match=r"along \(1 theta\)"):
        la.forward_dynamics(la.load("polar"), [0.3, 0.0], [0, 0], [1, 1])


def test_parameters_have_names():
    puma = la.load("puma560")
    names = la.quantities.parameter_names(puma)
    assert len(names) == len(la.parameters(puma)) == la.regressor(puma, *np.zeros((3, 6))).shape[1]
    assert names[:4] == ("link1.m", "link1.hx", "link1.hy", "link1.hz")
    assert any(n.endswith(".rotor") for n in names) and any(n.endswith(".coulomb_negative") for n in names)


def test_energies_add_up():
    energies = la.quantities.link_energies(PANDA, Q, Q)
    assert sum(K for K, _ in energies.values()) == pytest.approx(la.kinetic_energy(PANDA, Q, Q))
    assert la.hamiltonian(PANDA, Q, Q) - la.lagrangian(PANDA, Q, Q) == pytest.approx(2 * la.potential_energy(PANDA, Q))


def test_linear_momentum_is_mass_times_the_velocity_of_the_centre_of_mass():
    from leverarm import mechanics as me
    from leverarm.scalars import along, slope

    rng = np.random.default_rng(5)
    for name in ("panda", "torso", "stanford"):
        arm = la.load(name)
        mechanism = la.bind(arm)
        q, qd = rng.normal(size=(2, arm.dof))
        poses = me.world_from_links(mechanism, along(list(q), list(qd)))
        rates = np.zeros(3)
        for link, pose in zip(mechanism.links, poses[:-1], strict=True):
            rates += [slope(x) for x in me.first_moment(link.inertia, pose)]
        assert np.allclose(la.momentum(arm, q, qd)[3:], rates, rtol=1e-12, atol=1e-12)


def test_angular_momentum_of_spinning_about_one_axis():
    """The first joint alone turns every link about z: their angular momentum there is their share of M11 times qd1."""
    for name in ("panda", "puma560"):
        arm = la.load(name)
        q, qd = np.linspace(-1, 1, arm.dof), np.eye(arm.dof)[0] * 1.7
        links = 2 * sum(K for K, _ in la.quantities.link_energies(arm, q, qd).values()) / 1.7**2
        assert la.momentum(arm, q, qd)[2] == pytest.approx(links * 1.7, rel=1e-12)


@pytest.mark.parametrize("frame", ["link1", "link2", "link5", "tool"])
def test_wrenches_on_every_body(frame):
    rng = np.random.default_rng(2)
    q, qd, qdd = rng.normal(size=(3, 7))
    w = rng.normal(size=6)
    pushed = la.inverse_dynamics(PANDA, q, qd, qdd, wrenches={frame: w})
    free = la.inverse_dynamics(PANDA, q, qd, qdd)
    assert np.abs(pushed - free).max() > 1e-3
    assert np.allclose(pushed, free - la.jacobian(PANDA, q, frame).T @ w, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: la.inverse_dynamics(la.load("elbow"), [1, 1], [1e200] * 2, [0, 0]),
        lambda: la.kinetic_energy(la.load("elbow"), [1, 1], [1e200] * 2),
        lambda: la.mass_matrix(la.load("polar"), [0, 1e200]),
        lambda: la.forward_dynamics(la.with_values(la.load("elbow"), a1=1e200), [1, 1], [0, 0], [0, 0]),
        lambda: la.operational_inertia(la.load("polar"), [0.2, 1e200]),
    ],
)
def test_nan_and_infinity_are_never_an_answer(call):
    with pytest.raises(NotFiniteError, match="range of floats"):
        call()


def test_masses_of_very_different_size_are_no_singularity():
    heavy = la.with_values(la.load("rp"), m1=1e9, m2=1e-6)
    assert np.isfinite(la.forward_dynamics(heavy, [0.3, 0.5], [0, 0], [1, 1])).all()


def test_kinds_of_parameters_may_be_none_at_all():
    assert la.parameters(PANDA, []).shape == (0,)
    assert la.regressor(PANDA, Q, Q, Q, []).shape == (7, 0)
