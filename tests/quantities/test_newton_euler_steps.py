"""The steps of Newton-Euler: twists are those of the links' Jacobians, wrenches balance, and tau is the torque."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

import leverarm as la
from leverarm import mechanics as me
from leverarm.cli import cli
from leverarm.errors import InputError
from leverarm.spatial import Force, Vec3
from tests.support.random_arms import random_arm

ARMS = [la.load(name) for name in ("elbow", "rp", "polar", "panda", "stanford", "torso")]
ARMS += [random_arm(seed) for seed in range(8)]


def state(arm, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (3, arm.dof))


def in_axes(R, six):
    """A twist, or an acceleration, in other axes."""
    return np.concatenate([R @ six[:3], R @ six[3:]])


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_twists_are_those_of_the_jacobians_of_the_links(arm):
    q, qd, qdd = state(arm)
    for step in la.newton_euler_steps(arm, q, qd, qdd):
        R = la.forward_kinematics(arm, q, step.link)[:3, :3]
        assert in_axes(R, step.V) == pytest.approx(la.jacobian(arm, q, step.link) @ qd, abs=1e-12)


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_accelerations_are_those_of_the_links_less_gravity(arm):
    """Vdot is in the moving frame: the acceleration of the origin is vdot + omega x v."""
    q, qd, qdd = state(arm, 1)
    for step in la.newton_euler_steps(arm, q, qd, qdd):
        R = la.forward_kinematics(arm, q, step.link)[:3, :3]
        expected = la.acceleration(arm, q, qd, qdd, step.link).total - np.r_[0, 0, 0, np.array(gravity(arm), float)]
        shift = np.r_[0, 0, 0, np.cross(step.V[:3], step.V[3:])]
        assert in_axes(R, step.V_dot + shift) == pytest.approx(expected, abs=1e-11)


def gravity(arm):
    return list(la.bind(arm).gravity)


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
@pytest.mark.parametrize("wrench", [None, (1.0, -2.0, 3.0, 4.0, -5.0, 6.0)], ids=["free", "wrench"])
def test_the_components_along_the_joints_are_the_torques(arm, wrench):
    """Against Newton-Euler in spatial vectors with the same outside wrench, rotors, springs and friction apart."""
    q, qd, qdd = state(arm, 2)
    steps = la.newton_euler_steps(arm, q, qd, qdd, wrenches=None if wrench is None else {arm.tool: wrench})
    mechanism = la.bind(arm)
    outside = None if wrench is None else {arm.tool: Force(Vec3(*wrench[:3]), Vec3(*wrench[3:]))}
    expected = me.rigid_body_forces(mechanism, list(q), list(qd), list(qdd), wrenches=outside)
    assert mechanism.generalised_forces([step.tau for step in steps]) == pytest.approx(expected, rel=1e-11)


def test_poses_lead_from_the_base_to_each_link():
    arm = la.load("panda")
    q = state(arm)[0]
    poses = {arm.base: np.eye(4)}
    for step in la.newton_euler_steps(arm, q, q, q):
        poses[step.link] = poses[step.parent] @ np.linalg.inv(step.T)
        assert poses[step.link] == pytest.approx(la.forward_kinematics(arm, q, step.link), abs=1e-12)


def test_the_command_prints_and_writes_them():
    args = ["eval", "rp", "tau", "--q", "1,2", "--qd", "3,4", "--qdd", "5,6", "--steps", "--wrench", "tool=0,0,1,2,3,0"]
    data = json.loads(CliRunner().invoke(cli, [*args, "--json"]).stdout)
    steps = la.newton_euler_steps(la.load("rp"), [1, 2], [3, 4], [5, 6], wrenches={"tool": [0, 0, 1, 2, 3, 0]})
    assert [step["F"] for step in data["steps"]] == [step.F.tolist() for step in steps]
    assert [step["tau"] for step in data["steps"]] == pytest.approx(data["value"])
    text = CliRunner().invoke(cli, args).stdout
    assert all(f"F^T A = {step.tau:.6g}" in text for step in steps)
    assert "T: link1 in the frame of link2" in text


def test_what_has_no_steps_is_refused():
    result = CliRunner().invoke(cli, ["eval", "rp", "M", "--steps"])
    assert result.exit_code == 2 and "--steps shows how tau is computed" in result.stderr
    arm, zero = la.load("rp"), [0, 0]
    with pytest.raises(InputError, match="the steps of Newton-Euler take one"):
        la.newton_euler_steps(arm, zero, zero, zero, wrenches={"tool": [0] * 6, "link1": [0] * 6})
