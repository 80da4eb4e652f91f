"""URDF: read, written and read again; compared with Pinocchio and MuJoCo on the same text."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace

import numpy as np
import pytest

from leverarm import mechanics
from leverarm.errors import FormatError
from leverarm.formats.rigid import rpy_from_rotation
from leverarm.formats.urdf.reader import arm_from_urdf
from leverarm.formats.urdf.writer import unseen_by_others, urdf_from_arm
from leverarm.model import (  # fmt: skip
    PI,
    Arm,
    Body,
    Frame,
    Friction,
    Joint,
    JointKind,
    Limits,
    MassProperties,
    Motor,
    Placement,
    bind,
    lock,
    symbol,
)
from leverarm.spatial import Symmetric3, Vec3, rotation_from_rpy
from tests.support.paths import TESTS
from tests.support.random_arms import float_state, random_arm

TORSO = (TESTS / "data" / "torso.urdf").read_text()
FREE = re.sub(r"<mimic[^>]*>", "", TORSO)
WITHIN = 1e-12
URDF_KINDS = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)


def agree(ours, theirs) -> None:
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= WITHIN * max(np.abs(theirs).max(), 1e-3)


def mimic_map(arm: Arm, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The torso's joints from its coordinates, joints = G q + offset, worked out by hand from the file."""
    G, offset = np.zeros((len(names), arm.dof)), np.zeros(len(names))
    for k, name in enumerate(arm.joint_names):
        G[names.index(name), k] = 1
    twist = arm.joint_names.index("right_twist")
    G[names.index("right_grip"), twist], offset[names.index("right_grip")] = -0.5, 0.3
    G[names.index("right_pinch"), twist], offset[names.index("right_pinch")] = -0.02, 0.04 * 0.3 + 0.01
    return G, offset


class Pinocchio:
    """A robot in Pinocchio, its joints in the order of its own."""

    def __init__(self, text: str, gravity) -> None:
        self.pin = pytest.importorskip("pinocchio")
        self.model = self.pin.buildModelFromXML(text)
        self.model.gravity.linear = np.array([float(part) for part in gravity])
        self.data = self.model.createData()
        self.names = list(self.model.names)[1:]

    def positions(self, q) -> np.ndarray:
        full = self.pin.neutral(self.model)
        for joint, x in zip(list(self.model.joints)[1:], q, strict=True):
            full[joint.idx_q : joint.idx_q + joint.nq] = [x] if joint.nq == 1 else [math.cos(x), math.sin(x)]
        return full

    def mass_matrix(self, q) -> np.ndarray:
        M = np.triu(self.pin.crba(self.model, self.data, self.positions(q)))
        return M + np.triu(M, 1).T

    def bias(self, q, qd) -> np.ndarray:
        return self.pin.rnea(self.model, self.data, self.positions(q), np.asarray(qd), np.zeros(len(qd)))

    def order(self, names) -> list[int]:
        return [self.names.index(name) for name in names]


@pytest.mark.parametrize("text", [FREE, TORSO], ids=["free", "mimic"])
def test_torso_is_pinocchios(text):
    arm = arm_from_urdf(text)
    mechanism, pinocchio = bind(arm), Pinocchio(FREE, arm.gravity)
    if text is FREE:
        G, offset = np.eye(arm.dof)[:, [arm.joint_names.index(n) for n in pinocchio.names]].T, np.zeros(arm.dof)
    else:
        G, offset = mimic_map(arm, pinocchio.names)
    for seed in range(20):
        q, qd, _ = float_state(arm, seed)
        x, xd = G @ q + offset, G @ qd
        agree(mechanics.mass_matrix(mechanism, q), G.T @ pinocchio.mass_matrix(x) @ G)
        agree(mechanics.rigid_body_forces(mechanism, q, qd, [0] * arm.dof), G.T @ pinocchio.bias(x, xd))


def test_torso_is_mujocos_with_damping_and_friction():
    mujoco = pytest.importorskip("mujoco")
    text = re.sub(r"<(visual|collision).*?</\1>", "", FREE)
    model = mujoco.MjModel.from_xml_string(text)
    data, arm = mujoco.MjData(model), arm_from_urdf(text)
    names = [model.joint(i).name for i in range(model.njnt)]
    order = [names.index(name) for name in arm.joint_names]
    mechanism = bind(arm)
    for seed in range(10):
        q, qd, _ = float_state(arm, seed)
        data.qpos[order], data.qvel[order] = q, qd
        mujoco.mj_forward(model, data)
        dry = model.dof_frictionloss * np.sign(data.qvel)
        agree(mechanics.bias(mechanism, q, qd), (data.qfrc_bias - data.qfrc_passive + dry)[order])


def test_what_is_read():
    arm = arm_from_urdf(TORSO)
    assert arm.name == "torso"
    assert arm.base == "world"
    assert arm.joint_names == ("waist", "left_shoulder", "left_elbow", "right_lift", "right_twist")
    assert "left_tip" in arm.frames
    assert not arm.named_frames
    joints = {body.joint.name: body.joint for body in arm.bodies}
    assert joints["waist"].limits == Limits(-2.5, 2.5, 1.5, 120.0)
    assert joints["left_elbow"].limits == Limits(None, None, 3.0, 40.0)
    assert joints["left_elbow"].axis == Vec3(1.0, 0.0, 0.0)
    assert joints["left_shoulder"].axis == Vec3(0.0, 3.0, 4.0)
    assert joints["waist"].friction == Friction(0.8, 1.5)
    assert joints["left_elbow"].friction is None
    assert joints["right_grip"].coupling == (("right_twist", -0.5),)
    assert joints["right_pinch"].coupling == (("right_twist", 0.04 * -0.5),)
    assert joints["right_pinch"].offset == 0.04 * 0.3 + 0.01
    assert joints["mount"].kind is JointKind.FIXED


def test_reading_what_was_written_gives_the_same_text():
    once = urdf_from_arm(arm_from_urdf(TORSO))
    assert urdf_from_arm(arm_from_urdf(once)) == once


def same(arm: Arm, other: Arm) -> None:
    assert other.joint_names == arm.joint_names
    assert set(arm.frames) <= set(other.frames)
    assert (other.base, other.tool) == (arm.base, arm.tool)
    first, second = bind(arm), bind(other)
    for seed in range(3):
        q, qd, qdd = float_state(arm, seed)
        agree(mechanics.mass_matrix(second, q), mechanics.mass_matrix(first, q))
        agree(mechanics.inverse_dynamics(second, q, qd, qdd), mechanics.inverse_dynamics(first, q, qd, qdd))
        ours, theirs = mechanics.forward_kinematics(first, q), mechanics.forward_kinematics(second, q)
        for name in arm.frames:
            agree(theirs[name].rotation.rows(), ours[name].rotation.rows())
            agree(list(theirs[name].position), list(ours[name].position))


@pytest.mark.parametrize("seed", range(40))
def test_round_trip_of_random_trees(seed):
    arm = random_arm(seed, kinds=URDF_KINDS)
    same(arm, arm_from_urdf(urdf_from_arm(arm)))


@pytest.mark.parametrize("seed", range(10))
def test_locked_joints_are_fixed_where_they_were_locked(seed):
    rng = random.Random(seed)
    arm = random_arm(seed, joints=6)
    screws = [b.joint.name for b in arm.bodies if b.joint.kind is JointKind.HELICAL and b.joint.coupling is None]
    driven = [b.joint.coupling[0][0] for b in arm.bodies if b.joint.kind is JointKind.HELICAL and b.joint.coupling]
    names = dict.fromkeys((*screws, *driven, arm.joint_names[0]))
    held = {name: rng.choice((math.pi / 2, PI, 0.0, 0.7, -2.1)) for name in names}
    if len(held) == arm.dof:
        del held[arm.joint_names[-1]]
        arm = replace(arm, bodies=tuple(_without_screw(body) for body in arm.bodies))
    locked = lock(arm, held)
    same(locked, arm_from_urdf(urdf_from_arm(locked)))


def _without_screw(body: Body) -> Body:
    kind = JointKind.REVOLUTE if body.joint.kind is JointKind.HELICAL else body.joint.kind
    return replace(body, joint=replace(body.joint, kind=kind, pitch=0))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_written_is_read_alike_by_others(seed):
    arm = random_arm(seed, kinds=URDF_KINDS)
    arm = replace(arm, bodies=tuple(replace(b, joint=replace(b.joint, coupling=None, offset=0)) for b in arm.bodies),
                  coordinates=())  # fmt: skip
    text, mechanism = urdf_from_arm(arm), bind(arm)
    pinocchio = Pinocchio(text, arm.gravity)
    order = pinocchio.order(arm.joint_names)
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.gravity[:] = [float(part) for part in arm.gravity]
    data = mujoco.MjData(model)
    own = [[model.joint(i).name for i in range(model.njnt)].index(name) for name in arm.joint_names]
    for state in range(3):
        q, qd, _ = float_state(arm, state)
        ours = mechanics.rigid_body_forces(mechanism, q, qd, [0] * arm.dof)
        x, xd = np.zeros(arm.dof), np.zeros(arm.dof)
        x[order], xd[order] = q, qd
        agree(pinocchio.bias(x, xd)[order], ours)
        M = np.array(mechanics.mass_matrix(mechanism, q), float) - np.array(
            mechanics.rotor_mass_matrix(mechanism), float
        )
        agree(pinocchio.mass_matrix(x)[np.ix_(order, order)], M)
        data.qpos[own], data.qvel[own] = q, qd
        mujoco.mj_forward(model, data)
        agree(data.qfrc_bias[own], ours)


def symbolic_arm() -> Arm:
    m, length, b = symbol("m"), symbol("L"), symbol("b")
    rod = MassProperties(
        m, Vec3(length / 2, 0, 0), Symmetric3(0, 0, m * length**2 / 3, 0, 0, m * length**2 / 3), "origin"
    )
    first = Joint(
        "a", JointKind.REVOLUTE, Placement(Vec3(0, 0, length), Vec3(PI / 2, 0, 0)),
        limits=Limits(-PI, None, velocity=2),
        friction=Friction(b, 0, viscous_negative=0, smoothing=0.1),
        motor=Motor(0.02, 50, (("b", 3),), viscous=b / 100, coulomb=0.004),
    )  # fmt: skip
    second = Joint("b", JointKind.PRISMATIC, Placement(Vec3(length, 0, 0)), axis=Vec3(1, 1, 0))
    third = Joint("c", JointKind.REVOLUTE, coupling=(("b", 2),), offset=PI / 2)
    return Arm(
        "symbolic & <odd> \"name\"",
        (Body("one", "base", first, rod), Body("two", "one", second, rod), Body("three", "two", third, rod)),
        gravity=Vec3(0, -symbol("g"), 0),
        base_placement=Placement(Vec3(1, 2, 3), Vec3(0, 0, PI / 2)),
        named_frames=(
            Frame("tool", "three", Placement(Vec3(length, 0, 0))), Frame("world", "one"), Frame("mark", "base"),
        ),
        symbols=(("m", 2), ("L", 0.7), ("b", 0.3), ("g", 9.8)),
        coordinates=("b", "a"),
        title="A test",
        source="nowhere",
        licence="CC0-1.0",
    )  # fmt: skip


def test_extensions_round_trip():
    arm = symbolic_arm()
    text = urdf_from_arm(arm)
    again = arm_from_urdf(text)
    same(arm, again)
    assert again.coordinates == ("b", "a")
    assert (again.name, again.title, again.source, again.licence) == (arm.name, "A test", "nowhere", "CC0-1.0")
    assert again.frames == arm.frames
    joints = {body.joint.name: body.joint for body in again.bodies}
    assert joints["a"].limits == Limits(-math.pi, None, 2.0, None)
    assert joints["a"].friction == Friction(0.3, 0.0, 0.0, None, 0.1)
    assert joints["a"].motor == Motor(0.02, 50.0, (("b", 3.0),), 0.003, 0.004)
    assert joints["b"].limits == Limits()
    assert unseen_by_others(arm) == (
        "gravity (0, -9.8, 0) m/s^2",
        "the rotor inertia at a",
        "friction on the motor's shaft at a",
        "friction that is constant, smooth or differs by direction at a",
        "the order b, a of the coordinates",
    )
    assert (
        f"<!-- Programs other than leverarm skip its elements, and with them: {'; '.join(unseen_by_others(arm))}."
        in text
    )
    assert (
        unseen_by_others(
            replace(
                random_arm(1),
                gravity=Vec3(0, 0, -9.81),
                bodies=(Body("l", "base", Joint("q", JointKind.REVOLUTE)),),
                named_frames=(),
                coordinates=(),
            )
        )
        == ()
    )


def test_a_fixed_joints_motor_keeps_its_smooth_friction():
    """A locked joint's motor that turns with another joint: its tanh needs the smoothing of the locked joint."""
    held = Joint("b", JointKind.REVOLUTE, Placement(Vec3(1, 0, 0)), friction=Friction(smoothing=0.2),
                 motor=Motor(0.01, -30, (("a", 4),), coulomb=0.3), locked=0.5)  # fmt: skip
    rod = MassProperties(1, Vec3(0.3, 0, 0), Symmetric3(0.1, 0, 0.1, 0, 0, 0.1))
    bodies = (Body("one", "base", Joint("a", JointKind.REVOLUTE), rod), Body("two", "one", held, rod))
    arm = Arm("held", bodies)
    again = arm_from_urdf(urdf_from_arm(arm))
    for speed in (0.3, -2.0):
        wanted = 4 * 0.3 * math.tanh(4 * speed / (30 * 0.2))
        assert mechanics.friction(bind(arm), [speed]) == pytest.approx([wanted], rel=1e-14)
        assert mechanics.friction(bind(again), [speed]) == pytest.approx([wanted], rel=1e-14)


def test_two_hyphens_in_a_name_do_not_end_the_remark():
    joint = Joint("q--1", JointKind.REVOLUTE, motor=Motor(1e-4))
    arm = Arm("one", (Body("link", "base", joint, MassProperties(1)),))
    assert arm_from_urdf(urdf_from_arm(arm)).joint_names == ("q--1",)


def test_written_text_in_full():
    rod = MassProperties(2, Vec3(0.5, 0, 0), Symmetric3(0, 0, 0.1, 0, 0, 0.1))
    joint = Joint("q1", JointKind.REVOLUTE, Placement(Vec3(0, 0, 0.1), Vec3(PI / 2, 0, 0)), motor=Motor(1e-4, 100))
    arm = Arm(
        "one", (Body("link", "base", joint, rod),), named_frames=(Frame("tool", "link", Placement(Vec3(1, 0, 0))),)
    )
    assert urdf_from_arm(arm) == (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        "<!-- Programs other than leverarm skip its elements, and with them: the rotor inertia at q1. -->\n"
        '<robot name="one">\n'
        '  <link name="base"/>\n'
        '  <link name="link">\n'
        "    <inertial>\n"
        '      <origin xyz="0.5 0 0"/>\n'
        '      <mass value="2"/>\n'
        '      <inertia ixx="0" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>\n'
        "    </inertial>\n"
        "  </link>\n"
        '  <link name="tool"/>\n'
        '  <joint name="q1" type="continuous">\n'
        '    <origin xyz="0 0 0.1" rpy="1.5707963267948966 0 0"/>\n'
        '    <parent link="base"/>\n'
        '    <child link="link"/>\n'
        '    <axis xyz="0 0 1"/>\n'
        '    <leverarm rotor_inertia="0.0001" gear="100"/>\n'
        "  </joint>\n"
        '  <joint name="link_to_tool" type="fixed">\n'
        '    <origin xyz="1 0 0"/>\n'
        '    <parent link="link"/>\n'
        '    <child link="tool"/>\n'
        '    <leverarm role="frame"/>\n'
        "  </joint>\n"
        "</robot>\n"
    )


def test_what_urdf_cannot_say_is_refused():
    arm = random_arm(3, joints=3, kinds=(JointKind.HELICAL,))
    with pytest.raises(FormatError, match="joint 'j0' is helical, and URDF has no such joints"):
        urdf_from_arm(arm)
    joint = Joint("c", JointKind.REVOLUTE, coupling=(("x", 1), ("y", 1)))
    two = Arm("two", (Body("link", "base", joint, MassProperties(1)),), coordinates=("x", "y"))
    with pytest.raises(FormatError, match=r"joint 'c' follows x, y\. In URDF a joint follows exactly one other joint"):
        urdf_from_arm(two)
    odd = Arm("odd", (Body("link", "base", Joint("c", JointKind.REVOLUTE), MassProperties(1)),), title="odd\x00")
    with pytest.raises(FormatError, match="XML cannot hold the character"):
        urdf_from_arm(odd)


def test_roll_pitch_yaw_is_exact_to_rounding_everywhere():
    rng = random.Random(5)
    for _ in range(3000):
        near = rng.choice((1, -1)) * (math.pi / 2 - 10 ** rng.uniform(-17, -5))
        angles = (rng.uniform(-4, 4), rng.choice((near, math.pi / 2, rng.uniform(-1.6, 1.6))), rng.uniform(-4, 4))
        R = rotation_from_rpy(*((math.cos(a), math.sin(a)) for a in angles))
        again = rotation_from_rpy(*((math.cos(a), math.sin(a)) for a in rpy_from_rotation(R)))
        assert np.abs(np.array(R.rows(), float) - np.array(again.rows(), float)).max() < 2e-15
