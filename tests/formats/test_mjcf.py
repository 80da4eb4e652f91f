"""MJCF: read through MuJoCo, compared with MuJoCo; what an arm cannot hold is refused with words."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

from leverarm import mechanics
from leverarm.errors import FormatError, MissingExtraError
from leverarm.formats.mjcf.reader import arm_from_mjcf
from leverarm.formats.urdf.reader import arm_from_urdf
from leverarm.formats.urdf.writer import urdf_from_arm
from leverarm.model import Arm, JointKind, bind
from tests.support.paths import TESTS

mujoco = pytest.importorskip("mujoco")

TORSO = TESTS / "data" / "torso.xml"
WITHIN = 1e-12
COUPLED = """
  <equality>
    <joint joint1="pinch" joint2="grip" polycoef="0.2 -0.5 0 0 0"/>
    <joint joint1="elbow" joint2="pinch" polycoef="0 3 0 0 0"/>
    <joint joint1="shoulder_slide" polycoef="0.03 0 0 0 0"/>
    <joint joint1="lift" joint2="waist" active="false"/>
  </equality>
</mujoco>"""


def simulator(text: str):
    model = mujoco.MjModel.from_xml_string(text)
    return model, mujoco.MjData(model)


def full_mass_matrix(model, data) -> np.ndarray:
    M = np.zeros((model.nv, model.nv))
    for j in range(model.nv):  # through mj_mulM, whose signature is the same in every MuJoCo
        column, unit = np.zeros(model.nv), np.zeros(model.nv)
        unit[j] = 1
        mujoco.mj_mulM(model, data, column, unit)
        M[:, j] = column
    return M


def agree(ours, theirs) -> None:
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= WITHIN * max(np.abs(theirs).max(), 1e-3)


def states(count: int, size: int):
    rng = random.Random(7)
    for _ in range(count):
        yield tuple([rng.uniform(-1.5, 1.5) for _ in range(size)] for _ in range(3))


@pytest.fixture(scope="module")
def torso() -> Arm:
    return arm_from_mjcf(TORSO)


def test_coordinates_are_mujocos_and_frames_keep_their_names(torso):
    assert torso.joint_names == (
        "waist", "shoulder_lift", "shoulder_slide", "shoulder_roll", "elbow", "body6_joint", "lift", "grip", "pinch",
    )  # fmt: skip
    assert {"world", "pedestal", "trunk", "upper", "fore", "camera", "body6", "thumb"} <= set(torso.frames)
    assert {"floor_mark", "elbow_mark", "camera_2"} <= set(torso.frames)
    assert torso.name == "torso"


def test_dynamics_are_mujocos(torso, text=TORSO.read_text()):
    model, data = simulator(text)
    arm = bind(torso)
    for q, qd, qdd in states(20, torso.dof):
        data.qpos[:], data.qvel[:] = q, qd
        mujoco.mj_forward(model, data)
        M = full_mass_matrix(model, data)
        agree(mechanics.mass_matrix(arm, q), M)
        dry = model.dof_frictionloss * np.sign(qd)
        agree(mechanics.bias(arm, q, qd), data.qfrc_bias - data.qfrc_passive + dry)
        agree(mechanics.inverse_dynamics(arm, q, qd, qdd), M @ qdd + data.qfrc_bias - data.qfrc_passive + dry)


def test_frames_are_where_mujoco_has_them(torso):
    model, data = simulator(TORSO.read_text())
    arm = bind(torso)
    for q, _, _ in states(5, torso.dof):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        poses = mechanics.forward_kinematics(arm, q)
        for i in range(model.nbody):
            pose = poses[model.body(i).name or f"body{i}"]
            agree(list(pose.position), data.xpos[i])
            agree(pose.rotation.rows(), data.xmat[i].reshape(3, 3))
        for i, name in enumerate(("floor_mark", "elbow_mark", "camera_2")):
            agree(list(poses[name].position), data.site_xpos[i])
            agree(poses[name].rotation.rows(), data.site_xmat[i].reshape(3, 3))


def test_limits(torso):
    limits = {body.joint.name: body.joint.limits for body in torso.bodies}
    assert (limits["waist"].lower, limits["waist"].upper) == pytest.approx((-np.deg2rad(150), np.deg2rad(150)))
    assert (limits["lift"].lower, limits["lift"].upper) == (0, 0.5)
    assert limits["elbow"].lower is None
    assert limits["shoulder_lift"].effort == 60
    kinds = {body.joint.name: body.joint.kind for body in torso.bodies}
    assert (kinds["waist"], kinds["elbow"], kinds["lift"]) == (
        JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC,
    )  # fmt: skip


def test_joint_equalities_become_couplings_and_locks():
    text = TORSO.read_text().replace("</mujoco>", COUPLED)
    coupled = arm_from_mjcf(text)
    assert coupled.joint_names == ("waist", "shoulder_lift", "shoulder_roll", "body6_joint", "lift", "grip")
    model, data = simulator(text)
    arm = bind(coupled)
    names = [model.joint(i).name or "body6_joint" for i in range(model.njnt)]
    rest = dict(zip(names, model.qpos0, strict=True))
    G = np.zeros((model.nv, coupled.dof))
    for k, name in enumerate(coupled.joint_names):
        G[names.index(name), k] = 1
    grip = coupled.joint_names.index("grip")
    G[names.index("pinch"), grip], G[names.index("elbow"), grip] = -0.5, -1.5
    for q, qd, _ in states(10, coupled.dof):
        x = dict(zip(coupled.joint_names, q, strict=True))
        x["pinch"] = rest["pinch"] + 0.2 - 0.5 * (x["grip"] - rest["grip"])
        x["elbow"] = rest["elbow"] + 3 * (x["pinch"] - rest["pinch"])
        x["shoulder_slide"] = rest["shoulder_slide"] + 0.03
        data.qpos[:], data.qvel[:] = [x[name] for name in names], G @ qd
        mujoco.mj_forward(model, data)
        agree(mechanics.mass_matrix(arm, q), G.T @ full_mass_matrix(model, data) @ G)
        dry = model.dof_frictionloss * np.sign(data.qvel)
        agree(mechanics.bias(arm, q, qd), G.T @ (data.qfrc_bias - data.qfrc_passive + dry))


def test_flags_switch_gravity_and_damping_off():
    off = '<option gravity="0.3 -0.2 -9.6"><flag gravity="disable" frictionloss="disable"/></option>'
    arm = arm_from_mjcf(TORSO.read_text().replace('<option gravity="0.3 -0.2 -9.6"/>', off))
    assert list(arm.gravity) == [0, 0, 0]
    assert all(body.joint.friction is None or body.joint.friction.coulomb == 0 for body in arm.bodies)


SPRINGS = {
    '<joint name="waist" ': 'stiffness="3" springref="20" ',
    '<joint name="lift" ': 'stiffness="70" springref="0.2" ',
    '<joint name="elbow" ': 'stiffness="0.7" ',
}
"""Springs on a hinge, a slide and a hinge whose body is at home elsewhere; angles in degrees."""


def test_springs_are_mujocos():
    text = TORSO.read_text()
    for joint, spring in SPRINGS.items():
        assert joint in text
        text = text.replace(joint, joint + spring)
    sprung = arm_from_mjcf(text)
    joints = {body.joint.name: body.joint for body in sprung.bodies}
    assert joints["waist"].spring.rest == pytest.approx(np.deg2rad(20)) and joints["lift"].spring.stiffness == 70
    test_dynamics_are_mujocos(sprung, text)
    model, data = simulator(text)
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    arm, energies = bind(sprung), []
    for q, _, _ in states(10, sprung.dof):
        data.qpos[:] = q
        mujoco.mj_forward(model, data)
        energies.append((mechanics.potential_energy(arm, q), data.energy[0]))
    ours, theirs = np.array(energies, float).T
    agree(ours - ours[0], theirs - theirs[0])
    again = bind(arm_from_urdf(urdf_from_arm(sprung)))
    for q, qd, qdd in states(5, sprung.dof):
        agree(mechanics.inverse_dynamics(again, q, qd, qdd), mechanics.inverse_dynamics(arm, q, qd, qdd))


def test_springs_of_default_classes_and_their_flag():
    default = '<default><joint stiffness="2" springref="10"/></default>'
    text = mjcf('<joint name="k" stiffness="0"/>').replace("<worldbody>", default + "<worldbody>")
    (first, second) = (body.joint.spring for body in arm_from_mjcf(text).bodies)
    assert first.stiffness == 2 and first.rest == pytest.approx(np.deg2rad(10)) and second is None
    off = text.replace("<worldbody>", '<option><flag spring="disable"/></option><worldbody>')
    assert not any(body.joint.spring for body in arm_from_mjcf(off).bodies)


def test_mjcf_to_urdf_is_the_same_arm(torso):
    again = arm_from_urdf(urdf_from_arm(torso))
    assert again.joint_names == torso.joint_names
    assert set(again.frames) == set(torso.frames)
    first, second = bind(torso), bind(again)
    for q, qd, qdd in states(5, torso.dof):
        agree(mechanics.inverse_dynamics(second, q, qd, qdd), mechanics.inverse_dynamics(first, q, qd, qdd))


def mjcf(joint: str, rest: str = "") -> str:
    return (
        "<mujoco>\n<worldbody>\n"
        '<body name="a"><joint name="j"/><geom size="0.1" pos="1 0 0"/>\n'
        f'<body name="b">{joint}<geom size="0.1" pos="0 1 0"/></body>\n'
        f"</body>\n</worldbody>\n{rest}</mujoco>"
    )


REFUSED = {
    "free": (
        '<mujoco><worldbody>\n<body name="cube"><freejoint/><geom size="1"/></body></worldbody></mujoco>',
        "2: body 'cube' has a free joint; leverarm reads arms on a fixed base. Remove the joint, or the body if it is "
        "not part of the arm.",
    ),
    "ball": (
        mjcf('<joint name="k" type="ball"/>'),
        "4: joint 'k' of body 'b' is a ball joint; leverarm's joints have one degree of freedom. Write it as three hinges in the "
        "same body.",
    ),
    "spring": (
        mjcf('<joint name="k" stiffness="2 0.1"/>'),
        "4: joint 'k' has a spring that is not linear; give it one number.",
    ),
    "loop": (
        mjcf("", '<equality>\n<connect body1="a" body2="b" anchor="0 0 0"/></equality>'),
        "7: an equality constraint that is not of joints closes a loop, and an arm is a tree. Remove it, or set "
        'active="false".',
    ),
    "polynomial": (
        mjcf('<joint name="k"/>', '<equality><joint joint1="k" joint2="j" polycoef="0 1 2 0 0"/></equality>'),
        "7: joint 'k' follows 'j' by a polynomial; only a line is read. Set all but the first two numbers of polycoef "
        "to 0.",
    ),
    "circle": (
        mjcf('<joint name="k"/>', '<equality><joint joint1="k" joint2="j"/><joint joint1="j" joint2="k"/></equality>'),
        "7: equality constraints drive joint 'k' in a cycle; remove one.",
    ),
    "tendon": (
        mjcf('<joint name="k"/>', '<tendon><fixed damping="1"><joint joint="k" coef="1"/></fixed></tendon>'),
        "7: a tendon has damping, and an arm has no tendons. Remove it.",
    ),
    "nothing moves": (
        "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>",
        "arm 'mujoco' has no joint that moves; at least one is needed.",
    ),
    "urdf": (
        "<robot name='r'/>",
        "1: the outermost element is <robot>; MJCF has <mujoco>. This is URDF: read it as such.",
    ),
    "nan": (mjcf('<joint axis="0 NaN 1"/>'), "4: attribute 'axis' of <joint> has a NaN; give a number."),
    "copies": (
        '<mujoco><worldbody><replicate count="300">\n<replicate count="400"/></replicate></worldbody></mujoco>',
        "2: <replicate> asks for 120000 copies; at most 10000 are read.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_words(case):
    text, message = REFUSED[case]
    with pytest.raises(FormatError) as caught:
        arm_from_mjcf(text)
    assert str(caught.value) == message


def test_mujocos_own_complaints_keep_their_line(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text("<mujoco>\n<worldbody>\n<boddy/>\n</worldbody>\n</mujoco>")
    with pytest.raises(FormatError, match="unrecognized element") as caught:
        arm_from_mjcf(path)
    assert (caught.value.file, caught.value.line) == (str(path), 3)


def test_missing_mesh_is_said():
    text = mjcf("", '<asset><mesh name="m" file="none.stl"/></asset>').replace(
        'size="0.1" pos="0 1 0"', 'type="mesh" mesh="m"'
    )
    with pytest.raises(FormatError, match=r"none\.stl.*Mass may come from meshes"):
        arm_from_mjcf(text)


def test_hostile_text_never_reaches_mujoco():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]>\n<mujoco model="&a;"/>'
    with pytest.raises(FormatError, match=r"^1: a document type"):
        arm_from_mjcf(bomb)
    with pytest.raises(FormatError, match="nested more than 200 deep"):
        arm_from_mjcf("<mujoco>" + "<body>" * 100_000)


def test_missing_file_is_said(tmp_path):
    with pytest.raises(FormatError, match=r"none\.xml: cannot be read: No such file"):
        arm_from_mjcf(tmp_path / "none.xml")


def test_a_model_that_includes_itself_is_refused(tmp_path):
    path = tmp_path / "loop.xml"
    path.write_text('<mujoco><include file="loop.xml"/></mujoco>')
    with pytest.raises(FormatError):
        arm_from_mjcf(path)


def test_without_mujoco_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'leverarm\[mjcf\]'"):
        arm_from_mjcf(TORSO)


def test_actuator_armature_is_felt_through_its_gear():
    text = mjcf('<joint name="k"/>', '<actuator><motor joint="k" gear="3" armature="0.2" damping="0.7"/></actuator>')
    try:
        model, data = simulator(text)
    except ValueError:
        pytest.skip("this MuJoCo has no armature of actuators")
    arm = bind(arm_from_mjcf(text))
    for q, qd, _ in states(3, 2):
        data.qpos[:], data.qvel[:] = q, qd
        mujoco.mj_forward(model, data)
        agree(mechanics.mass_matrix(arm, q), full_mass_matrix(model, data))
        agree(mechanics.bias(arm, q, qd), data.qfrc_bias - data.qfrc_passive)
