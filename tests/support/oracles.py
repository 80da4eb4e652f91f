"""Robots that are not in the catalog, read by us and by Pinocchio from the same text."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import leverarm as la
from leverarm.formats.urdf.reader import arm_from_urdf
from leverarm.formats.urdf.writer import urdf_from_arm
from leverarm.model import Arm, JointKind
from tests.support.random_arms import random_arm

pin = pytest.importorskip("pinocchio")

ROBOTS = {
    "talos_left_arm": "talos_data/robots/talos_left_arm.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
    "baxter": "baxter_description/urdf/baxter.urdf",
    "icub": "icub_description/robots/icub_reduced.urdf",
    "romeo": "romeo_description/urdf/romeo_small.urdf",
    "human": "human_description/robots/human.urdf",
    "pr2": "pr2_description/urdf/pr2.urdf",
    "ur3": "ur_description/urdf/ur3_robot.urdf",
    "z1": "z1_description/urdf/z1.urdf",
    "so101": "so_arm_description/urdf/so101.urdf",
    "bravo7": "bravo7_description/urdf/bravo7_gripper.urdf",
    "allegro_hand": "allegro_hand_description/urdf/allegro_right_hand.urdf",
    "solo12": "solo_description/robots/solo12.urdf",
    "hyq": "hyq_description/robots/hyq_no_sensors.urdf",
    "anymal_kinova": "anymal_b_simple_description/robots/anymal-kinova.urdf",
    "panda": "panda_description/urdf/panda.urdf",
    "double_pendulum": "double_pendulum_description/urdf/double_pendulum.urdf",
}


def robots_folder() -> Path:
    """Where the wheel of example-robot-data keeps its URDF files."""
    for root in Path(pin.__file__).parents:
        folder = root / "share" / "example-robot-data" / "robots"
        if folder.is_dir():
            return folder
    pytest.skip("example-robot-data is not installed")


def exact_angles(text: str) -> str:
    """The URDF with angles near multiples of pi/2 written to the last digit."""

    def snapped(match: re.Match[str]) -> str:
        values = []
        for part in match[2].split():
            quarters = round(float(part) / (math.pi / 2))
            near = abs(float(part) - quarters * math.pi / 2) <= 1e-9
            values.append(repr(quarters * (math.pi / 2)) if near else part)
        return f"{match[1]}{' '.join(values)}{match[3]}"

    return re.sub(r"(rpy\s*=\s*[\"'])([^\"']*)([\"'])", snapped, text)


class Pinocchio:
    """One robot in Pinocchio, with vectors permuted to our order of coordinates."""

    def __init__(self, text: str, arm: la.Arm) -> None:
        self.model = pin.buildModelFromXML(text, mimic=False)
        self.data = self.model.createData()
        self.joints = [self.model.getJointId(name) for name in arm.joint_names]
        self.index = [self.model.joints[j].idx_v for j in self.joints]
        assert sorted(self.index) == list(range(self.model.nv))
        self.arm = arm

    def position(self, q):
        """Our coordinates as Pinocchio's configuration; continuous joints are (cos, sin) there."""
        full = pin.neutral(self.model)
        for j, value in zip(self.joints, q, strict=True):
            joint = self.model.joints[j]
            full[joint.idx_q : joint.idx_q + joint.nq] = (
                [value] if joint.nq == 1 else [math.cos(value), math.sin(value)]
            )
        return full

    def vector(self, v):
        full = np.zeros(self.model.nv)
        full[self.index] = v
        return full

    def ours(self, tensor):
        """A vector or square matrix of Pinocchio in our order."""
        return tensor[self.index] if tensor.ndim == 1 else tensor[np.ix_(self.index, self.index)]


def arm_and_text(name: str):
    """The arm and the URDF text it was read from: a robot's file, or one of our random trees.

    Mimic joints are set free and joint friction is left out, which Pinocchio ignores; tests/formats/test_mjcf.py compares it.
    """
    if name.startswith("tree"):
        text = urdf_from_arm(plain_tree(int(name[4:])))
    else:
        text = exact_angles((robots_folder() / ROBOTS[name]).read_text())
    text = re.sub(r"<(mimic|dynamics)\b[^>]*/>", "", text)
    return arm_from_urdf(text, name), text


def plain_tree(seed: int) -> la.Arm:
    """A random tree with what both oracles have: no helical joints, no couplings, no base placement, gravity along z."""
    kinds = (JointKind.REVOLUTE, JointKind.PRISMATIC)
    arm = random_arm(seed, joints=4 + seed, kinds=kinds)
    bodies = tuple(
        replace(b, joint=replace(b.joint, coupling=None, offset=0, friction=None, motor=None)) for b in arm.bodies
    )
    return Arm(arm.name, bodies, named_frames=arm.named_frames)
