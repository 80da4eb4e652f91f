"""What compiled numbers are worth: bounds of rounding that hold, sines and cosines to the last bits, bad states kept apart."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from flint import arb

import leverarm as la
from leverarm.compiler.llvm import machine_named, runnable_machines
from leverarm.compiler.lowering import lower
from leverarm.compiler.rounding import CONSTANT, NO_BOUND, error_bounds
from leverarm.model import Arm, Body, Joint, JointKind
from leverarm.runtime.requests import request_for, traced
from leverarm.scalars import precision
from tests.support.ball_arithmetic import BITS, UNIT, exact_results, result_balls
from tests.support.machine_code import Single

REALS = {"double": np.float64, "float": np.float32}
MACHINES = ["host", *runnable_machines()]
TINY = 1e-40
"""What the smallest floats may add to a ball: the analysis leaves underflow out."""

NEARLY_SINGULAR = {
    ("elbow", "operational_inertia"): [0.5, 2.0**-9],
    ("ur5", "operational_inertia"): [0.5, -1.25, 0.75, 0.25, 2.0**-7, 1.0],
    ("spherical", "operational_inertia"): [0.5, 2.0**-8, 0.75],
    ("panda", "forward_dynamics"): [0.0, 0.5, 0.0, -(2.0**-8), 0.0, 2.0**-8, 0.0, *[1.5] * 7, *[-0.5] * 7],
    ("panda", "mass_matrix_inverse"): [0.0, 0.0, 0.0, 2.0**-10, 0.0, 0.0, 0.0],
}
ORDINARY = {
    ("puma560", "inverse_dynamics"): [*[0.75] * 6, *[-1.5] * 6, *[0.25] * 6],
    ("torso", "inverse_dynamics_derivatives"): [0.5, -0.25, 1.25] * 20,
    ("xarm7", "coriolis_matrix"): [0.125, -1.5, 0.75, 1.0, -0.5, 0.25, 2.0] * 2,
}
CASES = NEARLY_SINGULAR | ORDINARY


@cache
def program_and_state(case):
    program = lower(traced(request_for(la.load(case[0]), case[1]))).program
    return program, CASES[case][: sum(array.size for array in program.inputs)]


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_bounds_of_rounding_are_those_of_ball_arithmetic(case, real):
    """The running error analysis of exported tests, to the per cent that the radii of balls are rounded up by.

    Where errors are no longer small the two may differ, but not in what is known: a ball without end has no bound.
    """
    program, state = program_and_state(case)
    narrowed = 0.0 if real == "double" else UNIT[real]
    balls = result_balls(program, state, real, CONSTANT * UNIT[real] - narrowed)
    bounds = error_bounds(program, state, UNIT[real])
    for ball, exact, bound in zip(balls, exact_results(program, state), bounds, strict=True):
        farthest = float((ball - exact).abs_upper()) if ball.is_finite() else NO_BOUND
        assert bound >= 0.99 * farthest - TINY
        if farthest < 1e-3 * abs(float(exact)):
            assert bound <= 1.02 * farthest + TINY


@pytest.mark.parametrize("real", REALS)
@pytest.mark.parametrize("case", NEARLY_SINGULAR, ids=" ".join)
def test_results_near_singular_poses_are_in_their_balls(case, real):
    program, state = program_and_state(case)
    balls = result_balls(program, state, real)
    sizes = np.cumsum([array.size for array in program.inputs])[:-1]
    for machine in map(machine_named, MACHINES):
        found = Single(program, real, machine)(*np.split(np.array(state, REALS[real]), sizes))
        for x, ball in zip(np.concatenate(found).tolist(), balls, strict=True):
            assert ball.contains(arb(x)) or not ball.is_finite(), machine.name


# sines and cosines through a whole kernel ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hinge():
    """One joint about z: the pose of its body is made of the cosine and the sine of its angle."""
    return Arm("hinge", (Body("b", "base", Joint("j", JointKind.CONTINUOUS)),))


def hard_angles(dtype):
    """Next to multiples of pi/2, where the reduction loses most; all over up to 1e5; tiny; and a few beyond."""
    rng = np.random.default_rng(3)
    with precision(BITS):
        multiples = [float(arb.pi() / 2 * k) for k in (*range(1, 400), *rng.integers(400, 63662, 600).tolist())]
    # Whole numbers next to multiples of pi/2, from the continued fraction of pi: 22/7, 355/113, 103993/33102.
    nearest = [11.0, 22.0, 344.0, 355.0, 710.0, 51819.0, 52174.0, 99733.0, 103993.0]
    parts = [multiples, nearest, rng.uniform(-1e5, 1e5, 600), 10.0 ** rng.uniform(-30, 0, 100), [1e5, -1e5, 0.0]]
    beyond = [100000.00000000001, 100001.0, -3e5, 1e7, 2.0**40, 1e15, 1e22, -6.5e29]
    near = np.concatenate(parts)
    return np.concatenate([near, -near, beyond]).astype(dtype)


def errors_in_ulp(found, exact):
    """How far results are from the truth, in units of its last place."""
    offs = []
    for x, y in zip(found.tolist(), exact, strict=True):
        unit = float(np.spacing(found.dtype.type(abs(float(y)))))
        offs.append(float(abs(arb(x) - y)) / unit)
    return max(offs)


@pytest.mark.parametrize("cpu", MACHINES)
@pytest.mark.parametrize("dtype", REALS.values())
def test_a_pose_is_right_to_two_units_in_the_last_place(hinge, dtype, cpu):
    pose = la.compile(hinge, ["pose"], dtype=dtype, cpu=cpu).pose
    q = hard_angles(dtype)
    found = pose(q[:, None])
    assert found.dtype == dtype
    with precision(BITS):
        exact = [arb(x) for x in q.tolist()]
        for row, column, truth in ((0, 0, arb.cos), (1, 0, arb.sin), (1, 1, arb.cos)):
            assert errors_in_ulp(found[:, row, column], [truth(x) for x in exact]) <= 2
    for k in range(0, len(q), 97):
        assert np.array_equal(pose(q[k : k + 1]), found[k])
    for k in range(2, 19):
        assert np.array_equal(pose(q[-k:, None]), found[-k:])


# bad states ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cpu", MACHINES)
@pytest.mark.parametrize("dtype", REALS.values())
@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics", "mass_matrix"])
def test_a_bad_state_spoils_no_other(quantity, dtype, cpu):
    """NaN, infinities and angles beyond the reduction, in any lane: the other states keep their bits."""
    arm = la.load("stanford")
    function = getattr(la.compile(arm, [quantity], dtype=dtype, cpu=cpu), quantity)
    count = 1 if quantity == "mass_matrix" else 3
    good = np.random.default_rng(4).uniform(-2, 2, (count, 37, arm.dof)).astype(dtype)
    expected = function(*good)
    assert np.isfinite(expected).all()
    bad = good.copy()
    spoiled = {3: np.nan, 8: np.inf, 15: -np.inf, 22: 3e7, 36: np.nan}
    for lane, (state, number) in enumerate(spoiled.items()):
        bad[lane % count, state, 1] = number
    found = function(*bad)
    for state in range(37):
        if state not in spoiled:
            assert np.array_equal(found[state], expected[state])
        elif not np.isfinite(spoiled[state]):
            assert not np.isfinite(found[state]).all()
        else:
            assert np.isfinite(found[state]).all()
        alone = function(*bad[:, state])
        assert np.array_equal(alone, found[state], equal_nan=True)
