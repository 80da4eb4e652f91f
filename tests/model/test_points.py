"""Frames at points and centres of mass, against Jacobians of points and the closed form of the centre of mass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.spatial import Vec3
from tests.support.random_arms import random_arm

POINT = Vec3(0.3, -0.2, 0.5)


@pytest.mark.parametrize("seed", range(4))
def test_a_frame_at_a_point_is_the_point(seed):
    arm = random_arm(seed, joints=4)
    rng = np.random.default_rng(seed)
    q = rng.normal(size=arm.dof)
    for frame in arm.frames:
        there, name = la.model.with_point(arm, frame, POINT)
        assert np.allclose(la.jacobian(there, q, name), la.jacobian(arm, q, frame, point=[*POINT]), atol=1e-13)
        pose, old = la.forward_kinematics(there, q, name), la.forward_kinematics(arm, q, frame)
        assert np.allclose(pose[:3, :3], old[:3, :3], atol=1e-14)
        assert np.allclose(pose @ [0, 0, 0, 1], old @ [*POINT, 1], atol=1e-13)


@pytest.mark.parametrize("name", ["rr", "scara", "panda", "puma560"])
def test_the_centre_of_mass_is_that_of_the_link(name):
    """The masses at their centres of mass, pulled by gravity, are the gravity torques of the arm."""
    arm = la.load(name)
    q = np.linspace(-1, 1, arm.dof)
    mechanism = la.bind(arm)
    held = np.zeros(arm.dof)
    for link in mechanism.links:
        if link.inertia.m != 0:
            there, frame = la.model.with_centre_of_mass(arm, link.name)
            J_v = la.jacobian(there, q, frame)[3:]
            held -= J_v.T @ (np.array([*mechanism.gravity], float) * float(link.inertia.m))
    assert np.allclose(held, la.gravity(arm, q), atol=1e-12)


def test_the_centre_of_mass_keeps_its_letters():
    arm, frame = la.model.with_centre_of_mass(la.load("rr"), "link2")
    eq = la.equations(arm)
    assert eq.position(frame).values == eq.centre_of_mass("link2").values


def test_what_is_welded_to_a_body_counts():
    rod = la.Body("rod", "base", la.Joint("a", la.JointKind.REVOLUTE), la.MassProperties(2, Vec3(1, 0, 0)))
    load = la.Body("load", "rod", la.Joint("b", la.JointKind.FIXED, la.Placement(Vec3(2, 0, 0))), la.MassProperties(2))
    arm = la.Arm("loaded", (rod, load))
    there, frame = la.model.with_centre_of_mass(arm, "rod")
    assert la.forward_kinematics(there, [0.0], frame)[:3, 3].tolist() == [1.5, 0, 0]
    with pytest.raises(InputError, match="load of arm 'loaded' are welded to 'rod'"):
        la.model.with_centre_of_mass(replace(arm, symbols=(("m", 1.0),)), "rod")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: la.model.with_centre_of_mass(la.load("rr"), "tool"), "no moving body named 'tool'. Valid: link1"),
        (lambda: la.model.with_centre_of_mass(la.load("polar"), "guide"), "has no mass"),
        (lambda: la.model.with_point(la.load("rr"), "link3", POINT), "no frame named 'link3'"),
    ],
)
def test_bad_input_is_one_clear_error(call, message):
    with pytest.raises(InputError, match=message):
        call()
