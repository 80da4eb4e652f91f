"""The algorithms with the fewest operations: equal to the independent routes, and as lean as they claim."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.model import Arm, Body, Friction, Joint, JointKind, MassProperties, Placement, bind, regrouped
from leverarm.scalars import RATIONAL, Dual, Tape, along, is_zero, slope
from leverarm.spatial import Force, Matrix3, Vec3, rotation_about
from tests.support.levels import at_level
from tests.support.operation_counts import QUANTITIES, flops
from tests.support.random_arms import exact_state, float_state, random_arm

TREES = range(at_level(4, 8, 24))
WRENCH = Force(Vec3(0.3, -1.2, 2.0), Vec3(4.0, 0.5, -3.0))
EXACT_WRENCH = Force(Vec3(1, -2, 3), Vec3(4, 0, -3))


def close(a, b, rtol=1e-12):
    """1e-12 of the largest number: some thousand roundings of 1e-16 each."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    assert np.abs(a - b).max(initial=0) <= rtol * max(1.0, np.abs(a).max(initial=0), np.abs(b).max(initial=0))


def quarter_turned(seed, joints=None):
    """A random tree of quarter turns and axes along coordinates, forwards or backwards: where zeros are structural."""
    arm, rng = random_arm(seed, joints), random.Random(seed)
    bodies = []
    for body in arm.bodies:
        xyz = [rng.choice((0, part)) for part in body.joint.placement.xyz]
        rpy = [rng.choice((0.0, math.pi / 2, -math.pi / 2, math.pi)) for _ in range(3)]
        axis = rng.sample((0, 0, rng.choice((1, -1))), 3)
        joint = replace(body.joint, placement=Placement(Vec3(*xyz), Vec3(*rpy)), axis=Vec3(*axis))
        bodies.append(replace(body, joint=joint))
    return replace(arm, bodies=tuple(bodies))


@pytest.fixture(scope="module", params=[(make, seed) for seed in TREES for make in (random_arm, quarter_turned)])
def case(request):
    """A random tree as it is, and regrouped."""
    make, seed = request.param
    arm = make(seed)
    original = bind(arm)
    return (original, regrouped(original)), *float_state(arm, seed)


def loads(arm):
    """Wrenches on the tool, on the first and on a middle link."""
    return dict.fromkeys((arm.tool, arm.links[0].name, arm.links[len(arm.links) // 2].name), WRENCH)


def test_forces_two_routes(case):
    arms, q, qd, qdd = case
    expected = me.inverse_dynamics(arms[0], q, qd, qdd, loads(arms[0]), qd)
    for arm in arms:
        close(me.classical_inverse_dynamics(arm, q, qd, qdd, loads(arm), qd), expected)
        close(me.classical_bias(arm, q, qd), me.bias(arms[0], q, qd))


def test_matrices_two_routes(case):
    arms, q, qd, _ = case
    M, C = me.mass_matrix(arms[0], q), me.coriolis_matrix(arms[0], q, qd)
    condition = np.linalg.cond(np.array(M, float))
    for arm in arms:
        close(me.classical_mass_matrix(arm, q), M)
        close(me.classical_coriolis_matrix(arm, q, qd), C)
        inverse = np.array(me.mass_matrix_inverse(arm, q), float)
        close(inverse @ np.array(M, float), np.eye(arm.dof), rtol=1e-14 * condition)
        assert (inverse == inverse.T).all()


def test_forward_dynamics_inverts_inverse_dynamics(case):
    arms, q, qd, qdd = case
    tau = me.inverse_dynamics(arms[0], q, qd, qdd, loads(arms[0]), qd)
    rounding = 1e-14 * np.linalg.cond(np.array(me.mass_matrix(arms[0], q), float))
    for arm in arms:
        close(me.classical_forward_dynamics(arm, q, qd, tau, loads(arm), qd), qdd, rounding)
        if me.is_separable(arm):
            left = [t - d for t, d in zip(tau, qd, strict=True)]
            close(me.classical_articulated_body(arm, q, qd, left, loads(arm)), qdd, rounding)


def derivative(run, n, *state):
    """The derivatives of run(*state) by each part of the state, column by column, on dual numbers."""
    matrices = []
    for k in range(len(state)):
        columns = []
        for j in range(n):
            moving = list(state)
            moving[k] = along(state[k], [int(i == j) for i in range(n)])
            columns.append([slope(x) for x in run(*moving)])
        matrices.append([list(row) for row in zip(*columns, strict=True)])
    return matrices


def test_derivatives_of_inverse_dynamics(case):
    arms, q, qd, qdd = case
    expected = derivative(
        lambda *at: me.inverse_dynamics(arms[0], *at, wrenches=loads(arms[0])), arms[0].dof, q, qd, qdd
    )
    for arm in arms:
        for got, wanted in zip(me.inverse_dynamics_derivatives(arm, q, qd, qdd, loads(arm)), expected, strict=True):
            close(got, wanted)


def test_derivatives_of_forward_dynamics(case):
    arms, q, qd, qdd = case
    arm = arms[0]
    tau = me.inverse_dynamics(arm, q, qd, qdd, loads(arm))
    by_q, by_qd, M = (np.array(m, float) for m in me.inverse_dynamics_derivatives(arm, q, qd, qdd, loads(arm)))
    rounding = 1e-13 * np.linalg.cond(M)
    expected = (-np.linalg.solve(M, by_q), -np.linalg.solve(M, by_qd), np.linalg.inv(M))
    for new in arms:
        for got, wanted in zip(me.forward_dynamics_derivatives(new, q, qd, tau, loads(new)), expected, strict=True):
            close(got, wanted, rounding)


@pytest.mark.parametrize("seed", TREES[:12])
@pytest.mark.parametrize("make", [random_arm, quarter_turned])
def test_exactly_equal_over_the_rationals(seed, make):
    """Tolerance zero, on trees with every kind of joint."""
    tree = make(seed, joints=2 + seed % 4)
    original = bind(tree, RATIONAL)
    q, qd, qdd = exact_state(tree, seed)
    push = {original.tool: EXACT_WRENCH}
    tau = me.inverse_dynamics(original, q, qd, qdd, push)
    slopes = derivative(lambda *at: me.inverse_dynamics(original, *at, wrenches=push), original.dof, q, qd, qdd)
    for arm in (original, regrouped(original)):
        assert me.classical_inverse_dynamics(arm, q, qd, qdd, push) == tau
        assert me.classical_mass_matrix(arm, q) == me.mass_matrix(original, q)
        assert me.classical_coriolis_matrix(arm, q, qd) == me.coriolis_matrix(original, q, qd)
        assert me.classical_forward_dynamics(arm, q, qd, tau, push) == qdd
        assert list(me.inverse_dynamics_derivatives(arm, q, qd, qdd, push)) == slopes
        if me.is_separable(arm):
            assert me.classical_articulated_body(arm, q, qd, tau, push) == qdd


@pytest.mark.parametrize("seed", TREES[:4])
def test_derivatives_of_forward_dynamics_exactly(seed):
    tree = random_arm(seed, joints=3)
    arm = bind(tree, RATIONAL)
    q, qd, tau = exact_state(tree, seed)
    expected = derivative(lambda *at: me.forward_dynamics_by_mass_matrix(arm, *at), arm.dof, q, qd, tau)
    assert list(me.forward_dynamics_derivatives(arm, q, qd, tau)) == expected


@pytest.mark.parametrize("friction", [
    Friction(0.3, 2.0, smoothing=0.5), Friction(0.3, 2.0, 0.4, 1.5, smoothing=0.5), Friction(0.3, 2.0, 0.4, 1.5),
])  # fmt: skip
def test_slopes_of_friction(friction):
    """Smooth, smooth and asymmetric, and with a sign, whose slope counts as zero."""
    joint = Joint("j", JointKind.REVOLUTE, friction=friction)
    arm = bind(Arm("a", (Body("b", "base", joint, MassProperties(1, Vec3(1, 0, 0))),)))
    for speed in (0.4, -1.3):
        expected = slope(me.friction(arm, along([speed], [1.0]))[0])
        assert me.inverse_dynamics_derivatives(arm, [0.2], [speed], [0.0])[1][0][0] == pytest.approx(
            expected, rel=1e-14
        )


@pytest.mark.parametrize("name", ["panda", "talos_left_arm", "solo12", *(f"tree{seed}" for seed in range(4))])
def test_derivatives_agree_with_pinocchio(name):
    pin = pytest.importorskip("pinocchio")
    from tests.support.oracles import Pinocchio, arm_and_text

    arm, text = arm_and_text(name)
    theirs, ours = Pinocchio(text, arm), regrouped(bind(arm))
    rng = np.random.default_rng(3)
    for _ in range(5):
        q, qd, x = rng.uniform(-1, 1, (3, arm.dof))
        at = (theirs.model, theirs.data, theirs.position(q), theirs.vector(qd), theirs.vector(x))
        M = pin.crba(*at[:3])
        condition = np.linalg.cond(M)
        state = (list(q), list(qd), list(x))
        pin.computeRNEADerivatives(*at)
        got = me.inverse_dynamics_derivatives(ours, *state)
        for mine, other in zip(got, (theirs.data.dtau_dq, theirs.data.dtau_dv), strict=False):
            close(mine, theirs.ours(other))
        pin.computeABADerivatives(*at)
        got = me.forward_dynamics_derivatives(ours, *state)
        for mine, other in zip(got, (theirs.data.ddq_dq, theirs.data.ddq_dv), strict=False):
            close(mine, theirs.ours(other), max(1e-12, 1e-15 * condition))


def test_branches_stay_apart_in_the_factors():
    """Eliminated from the tips, the zeros between the arms of a torso stay structural."""
    arm, tape = bind(la.load("torso")), Tape()
    L = me.factorise(me.classical_mass_matrix(arm, [tape.input(name) for name in arm.coordinates])).L
    apart = [(i, j) for i in range(arm.dof) for j in range(i) if j not in me.ancestors(arm, i)]
    assert apart
    assert all(is_zero(L[i][j]) for i, j in apart)


def test_a_turn_in_closed_form():
    """R A R^T about each coordinate, for a matrix without symmetry."""
    A = Matrix3(Vec3(1, 2, 3), Vec3(4, 6, 5), Vec3(9, 8, 7))
    for k in range(3):
        R = rotation_about(Vec3(*(int(i == k) for i in range(3))), 0.6, 0.8)
        close(A.turned_about(k, 0.6, 0.8).rows(), (R * A * R.transposed()).rows())


LEAN = {
    # the most operations of traced programs, regrouped, before the passes of the compiler
    "panda": {"inverse_dynamics": 552, "forward_dynamics": 1085, "mass_matrix": 318, "coriolis_matrix": 1182,
              "inverse_dynamics_derivatives": 2609, "forward_dynamics_derivatives": 4613},
    "puma560": {"inverse_dynamics": 408, "forward_dynamics": 638, "mass_matrix": 158, "coriolis_matrix": 610},
    "ur5": {"inverse_dynamics": 258, "forward_dynamics": 467, "mass_matrix": 133, "coriolis_matrix": 566},
    "stanford": {"inverse_dynamics": 228, "forward_dynamics": 393, "mass_matrix": 89, "coriolis_matrix": 376},
}  # fmt: skip


@pytest.mark.parametrize("name", LEAN)
def test_operation_counts(name):
    """A change that costs operations is seen here."""
    arm = regrouped(bind(la.load(name), RATIONAL))
    counts = {quantity: flops(QUANTITIES[quantity], arm) for quantity in LEAN[name]}
    assert all(counts[quantity] <= most for quantity, most in LEAN[name].items()), counts


def test_floats_and_rationals_trace_to_programs_of_one_size():
    """Zeros that regrouping makes are zeros in floats, too."""
    for name in ("panda", "puma560", "stanford"):
        arm = la.load(name)
        counts = [flops(QUANTITIES["forward_dynamics"], regrouped(bind(arm, *system))) for system in ((), (RATIONAL,))]
        assert counts[0] == counts[1]


def test_derivatives_run_on_a_tape_of_duals():
    """Closed-form derivatives may be differentiated again."""
    arm, tape = bind(la.load("rr")), Tape()
    q = [Dual(tape.input(name), int(name == "a")) for name in "ab"]
    by_q = me.inverse_dynamics_derivatives(arm, q, [0.1, 0.2], [0.3, 0.4])[0]
    assert not is_zero(slope(by_q[1][1]))
