"""Screws: the numbers of Modern Robotics, both forms, both directions, symbols, files, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from leverarm import mechanics as me
from leverarm.errors import ArmError, FormatError
from leverarm.formats.loading import load
from leverarm.formats.screws.builder import arm_from_screws, from_screws
from leverarm.formats.screws.files import arm_from_screws_toml, screws_toml_from_arm, to_screws
from leverarm.model import Arm, Body, Joint, JointKind, Limits, MassProperties, bind
from leverarm.scalars import FLOAT, Dual
from leverarm.spatial import Force, Motion, Symmetric3, Vec3
from tests.support.serial_arms import SCREW_KINDS, assert_same_arm, serial_arm

FRAMES = ("tool", "camera", "socket")
# The three-link example of the book's software (Lynch and Park 2017, functions InverseDynamics, MassMatrix, ...).
M_LIST = [
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.089159], [0, 0, 0, 1]],
    [[0, 0, 1, 0.28], [0, 1, 0, 0.13585], [-1, 0, 0, 0], [0, 0, 0, 1]],
    [[1, 0, 0, 0], [0, 1, 0, -0.1197], [0, 0, 1, 0.395], [0, 0, 0, 1]],
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.14225], [0, 0, 0, 1]],
]
G_LIST = [
    np.diag([0.010267, 0.010267, 0.00666, 3.7, 3.7, 3.7]),
    np.diag([0.22689, 0.22689, 0.0151074, 8.393, 8.393, 8.393]),
    np.diag([0.0494433, 0.0494433, 0.004095, 2.275, 2.275, 2.275]),
]
S_LIST = np.array([[1, 0, 1, 0, 1, 0], [0, 1, 0, -0.089, 0, 0], [0, 1, 0, -0.089, 0, 0.425]]).T
# The first screw of the example is sqrt(2) long: its joint turns sqrt(2) times as fast as its variable.
STRETCH = np.array([math.sqrt(2), 1, 1])


def book_arm():
    return from_screws(M_LIST, S_LIST / STRETCH, G_LIST, poses="relative", gravity=[0, 0, -9.8])


def test_the_numbers_of_the_book():
    mechanism = bind(book_arm())
    q, qd, qdd = (list(STRETCH * rates) for rates in ([0.1, 0.1, 0.1], [0.1, 0.2, 0.3], [2, 1.5, 1]))
    tip = ("tool", Force(Vec3(1, 1, 1), Vec3(1, 1, 1)))
    tau = me.screw_inverse_dynamics(mechanism, q, qd, qdd, tip)
    assert STRETCH * tau == pytest.approx([74.69616155, -33.06766016, -3.23057314], abs=5e-9)
    pose = me.forward_kinematics(mechanism, q)["tool"]
    outside = Force(-(pose.rotation @ Vec3(1, 1, 1)), -(pose.rotation @ Vec3(1, 1, 1)))
    tau = me.inverse_dynamics(mechanism, q, qd, qdd, {"tool": outside})
    assert STRETCH * tau == pytest.approx([74.69616155, -33.06766016, -3.23057314], abs=5e-9)
    assert STRETCH * me.gravity_forces(mechanism, q) == pytest.approx([28.40331262, -37.64094817, -5.4415892], abs=5e-9)
    assert STRETCH * me.coriolis_torques(mechanism, q, qd) == pytest.approx(
        [0.26453118, -0.05505157, -0.00689132], abs=5e-9
    )
    M = np.array(me.mass_matrix(mechanism, q)) * np.outer(STRETCH, STRETCH)
    printed = [
        [2.25433380e01, -3.07146754e-01, -7.18426391e-03],
        [-3.07146754e-01, 1.96850717e00, 4.32157368e-01],
        [-7.18426391e-03, 4.32157368e-01, 1.91630858e-01],
    ]
    assert np.allclose(M, printed, rtol=5e-9, atol=5e-9)


def exponential(S, theta):
    """e^[S] theta by the power series: a route that shares nothing with the arm."""
    w, v = S[:3], S[3:]
    A = np.zeros((4, 4))
    A[:3, :3] = [[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]
    A[:3, 3] = v
    term, total = np.eye(4), np.eye(4)
    for k in range(1, 40):
        term = term @ A * (theta / k)
        total = total + term
    return total


def as_matrix(pose):
    return np.vstack(
        [np.column_stack([np.array(pose.rotation.rows(), float), [float(x) for x in pose.position]]), [0, 0, 0, 1]]
    )


@pytest.mark.parametrize("seed", range(12))
def test_every_frame_is_the_product_of_exponentials(seed):
    arm = serial_arm(seed, SCREW_KINDS)
    space, body = to_screws(arm, "space"), to_screws(arm, "body")
    again = arm_from_screws(space)
    rng = np.random.default_rng(seed)
    q = rng.uniform(-2, 2, arm.dof)
    poses = {name: as_matrix(pose) for name, pose in me.forward_kinematics(bind(arm), list(q)).items()}
    kept = {name: as_matrix(pose) for name, pose in me.forward_kinematics(bind(again), list(q)).items()}
    product, behind = poses["floor"], poses["floor"] @ np.array(body.home[-1], float)
    for i in range(arm.dof):
        product = product @ exponential(np.array(space.screws[i], float), q[i])
        behind = behind @ exponential(np.array(body.screws[i], float), q[i])
        link = product @ np.array(space.home[i], float)
        assert np.allclose(link, poses[f"arm {i}"], rtol=0, atol=1e-12)
        assert np.allclose(link, kept[f"frame{i + 1}"], rtol=0, atol=1e-12)
    assert np.allclose(product @ np.array(space.home[-1], float), poses["tool"], rtol=0, atol=1e-12)
    assert np.allclose(behind, poses["tool"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("form", ["space", "body"])
@pytest.mark.parametrize("seed", range(20))
def test_random_chains_survive_the_screws(seed, form):
    arm = serial_arm(seed, SCREW_KINDS)
    table = to_screws(arm, form)
    again = arm_from_screws(table)
    assert_same_arm(arm, again, FRAMES)
    for body in arm.bodies:
        if body.joint.kind.moves:
            joint = next(b.joint for b in again.bodies if b.name == body.name)
            kept = ("name", "kind", "limits", "friction", "motor", "force")
            assert [getattr(joint, key) for key in kept] == [getattr(body.joint, key) for key in kept]
    plain = from_screws(
        np.array(table.home, float),
        table.screws,
        np.array(table.inertias, float),
        form,
        joints=[
            {"name": link.name, "friction": link.friction, "motor": link.motor, "limits": link.limits}
            for link in table.links
        ],
        gravity=table.gravity,
        base=table.base,
    )
    assert_same_arm(arm, plain)
    assert_same_arm(arm, arm_from_screws(to_screws(again, "body" if form == "space" else "space")), FRAMES)


@pytest.mark.parametrize("form", ["space", "body"])
@pytest.mark.parametrize("seed", [0, 4, 9])
def test_files_hold_every_number(seed, form):
    arm = serial_arm(seed, SCREW_KINDS)
    assert_same_arm(arm, arm_from_screws_toml(screws_toml_from_arm(arm, form)), FRAMES)


@pytest.mark.parametrize("name", ["puma560", "panda", "stanford", "scara"])
def test_catalog_arms_survive_the_screws(name):
    arm = load(name)
    for form in ("space", "body"):
        assert_same_arm(arm, arm_from_screws_toml(screws_toml_from_arm(arm, form)))


def test_one_home_pose_is_the_tools_and_the_inertias_are_in_the_base_frame():
    arm = serial_arm(2, SCREW_KINDS)
    table = to_screws(arm)
    in_base = []
    for home, G in zip(table.home, table.inertias, strict=False):
        T = np.linalg.inv(np.array(home, float))
        R, p = T[:3, :3], T[:3, 3]
        Ad = np.zeros((6, 6))
        Ad[:3, :3] = Ad[3:, 3:] = R
        Ad[3:, :3] = np.cross(np.eye(3), p) @ R
        in_base.append(Ad.T @ np.array(G, float) @ Ad)
    joints = [{"name": link.name, "friction": link.friction, "motor": link.motor} for link in table.links]
    plain = from_screws(table.home[-1], table.screws, in_base, gravity=table.gravity, base=table.base, joints=joints)
    assert_same_arm(arm, plain)


def test_relative_poses_are_absolute_ones_multiplied_up():
    M, absolute = np.eye(4), []
    for relative in M_LIST:
        M = M @ np.array(relative)
        absolute.append(M)
    screws = (S_LIST / STRETCH).T.tolist()
    assert_same_arm(from_screws(absolute, screws, G_LIST, gravity=[0, 0, -9.8]), book_arm())
    without_tool = from_screws(absolute[:3], screws, G_LIST, gravity=[0, 0, -9.8])
    poses = me.forward_kinematics(bind(without_tool), [0, 0, 0])
    assert np.allclose(as_matrix(poses["tool"]), absolute[2], rtol=0, atol=1e-15)


def test_kinds_pitch_and_names_are_read_off():
    screws = [[0, 0, 1, 0, 0, 0.02], [0, 0, 0, 0.6, 0, 0.8], [0, 1, 0, -0.5, 0, 0.3], [1, 0, 0, 0, 0, 0]]
    joints = ["nut", {"name": "slide", "limits": (0, 1)}, "elbow", {"kind": "continuous", "link": "hand"}]
    arm = from_screws(np.eye(4), screws, [{"mass": 1}] * 4, joints=joints)
    found = [body.joint for body in arm.bodies]
    assert [joint.kind for joint in found] == ["helical", "prismatic", "revolute", "continuous"]
    assert found[0].pitch == 0.02 and found[1].limits == Limits(0, 1)
    assert arm.joint_names == ("nut", "slide", "elbow", "joint4") and arm.bodies[3].name == "hand"
    assert me.forward_kinematics(bind(arm), [0] * 4)["link3"].position == Vec3(0.3, 0, 0.5)


def test_six_screws_may_stand_in_rows_or_columns():
    table = to_screws(load("puma560"))
    S = np.array(table.screws, float)
    rows, columns = (from_screws(table.home, given, table.inertias) for given in (S, S.T))
    assert rows == columns
    assert from_screws(table.home, [Motion(Vec3(*s[:3]), Vec3(*s[3:])) for s in S.tolist()], table.inertias) == rows
    turned = np.zeros((6, 6))
    turned[[0, 1, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5]] = 1
    with pytest.raises(ArmError, match=r"rows and the columns .* both normalised"):
        from_screws(np.eye(4), turned, [{"mass": 1}] * 6)


def test_symbols_in_positions_screws_and_inertias():
    def arm(L, m, J, symbols=None):
        half = f"{L}/2" if symbols else L / 2
        home = [np.eye(4).tolist() for _ in range(3)]
        for pose, x in zip(home, (0, L, f"2*{L}" if symbols else 2 * L), strict=True):
            pose[0][3] = x
        screws = [[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, f"-{L}" if symbols else -L, 0]]
        h = f"{m}*{L}/2" if symbols else m * L / 2
        minus = f"-{h}" if symbols else -h
        G = [
            [J, 0, 0, 0, 0, 0],
            [0, J, 0, 0, 0, minus],
            [0, 0, J, 0, h, 0],
            [0, 0, 0, m, 0, 0],
            [0, 0, h, 0, m, 0],
            [0, minus, 0, 0, 0, m],
        ]
        body = {"mass": m, "com": [half, 0, 0], "inertia": [J, J, J], "about": "frame"}
        return from_screws(home, screws, [G, body], gravity=[0, -9.81, 0], symbols=symbols)

    symbolic, numeric = arm("L", "m", "J", {"L": 0.7, "m": 2.0, "J": 0.9}), arm(0.7, 2.0, 0.9)
    assert_same_arm(symbolic, numeric)
    q = [0.3, -0.8]
    slope = me.gravity_forces(bind(symbolic, FLOAT, {"L": Dual(0.7, 1)}), q)[0].slope
    g = me.gravity_forces(bind(numeric), q)[0]
    assert slope == pytest.approx(g / 0.7, rel=1e-12)  # gravity torques are proportional to L


def test_mass_properties_and_six_by_six_say_the_same():
    com, mass, tensor = Vec3(0.1, -0.2, 0.3), 2.0, Symmetric3(0.5, 0.01, 0.6, 0.02, -0.03, 0.7)
    mp = MassProperties(mass, com, tensor, "com", Vec3(0.3, 0.2, -0.5))
    R = [[math.cos(0.4), -math.sin(0.4), 0, 1], [math.sin(0.4), math.cos(0.4), 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]]
    screw = [[0.6, 0, 0.8, 0.8, 1, -0.6]]
    direct = from_screws([R], screw, [mp])
    G = to_screws(direct).inertias[0]  # about the body's origin, in base axes
    home = to_screws(direct).home[0]
    assert np.allclose(np.array(G, float), np.array(G, float).T, rtol=0, atol=1e-15)
    assert_same_arm(direct, from_screws([home], screw, [G]), ("link1",))


def test_branches_and_couplings_are_refused_and_helical_joints_are_not():
    with pytest.raises(FormatError, match="branches off; only a chain of bodies can be written as screws"):
        to_screws(load("torso"))
    first = Body("one", "base", Joint("a", JointKind.REVOLUTE))
    second = Body("two", "one", Joint("b", JointKind.REVOLUTE, coupling=(("a", -1),)))
    with pytest.raises(FormatError, match="joint 'b' is coupled to others"):
        to_screws(Arm("geared", (first, second)))
    nut = Arm("press", (Body("ram", "base", Joint("nut", JointKind.HELICAL, pitch=0.01), MassProperties(1.0)),))
    assert to_screws(nut).screws == ((0, 0, 1, 0, 0, 0.01),)


ONE = [{"mass": 1}]
TURN = [[0, 0, 1, 0, 0, 0]]
HOME = np.eye(4)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: from_screws(HOME, [[0, 0, 2, 0, 0, 0]], ONE),
            "screw 1 is not normalised: w has length 2; it must be 1",
        ),
        (lambda: from_screws(HOME, [[0, 0, 0, 0, 3, 4]], ONE), "v, since w is zero, has length 5"),
        (lambda: from_screws(HOME, [[0] * 6], ONE), "has length 0; it must be 1, so give an axis"),
        (lambda: from_screws(HOME, [[0, 0, 1, 0, 0]], ONE), "1 x 5 numbers were given for 1 inertias"),
        (
            lambda: from_screws(HOME, [[0, 0, 1, math.nan, 0, 0]], ONE),
            "screw 1: nan was given; it must be a finite number",
        ),
        (lambda: from_screws(HOME, [["w", 0, 1, 0, 0, 0]], ONE, symbols={"w": 0}), "angular part must be numbers"),
        (lambda: from_screws(HOME, [[0, 0, 1, 0, 0, "k"]], ONE), "screw 1 uses 'k': there is no symbol named 'k'"),
        (
            lambda: from_screws(HOME, TURN, ONE, "spatial"),
            "form: there is no choice named 'spatial'; did you mean 'space'",
        ),
        (lambda: from_screws(HOME, TURN, ONE, poses="rel"), "did you mean 'relative'"),
        (lambda: from_screws([HOME] * 3, TURN, ONE), "3 poses were given for 1 inertias; give 1 (link frames), 2"),
        (lambda: from_screws(2 * HOME, TURN, ONE), "home: the last row of the 4 x 4 matrix is [0, 0, 0, 2]"),
        (
            lambda: from_screws([HOME, np.diag([1, 2, 1, 1])], TURN, ONE),
            "home 2: the upper left 3 x 3 block is not a rotation",
        ),
        (lambda: from_screws(HOME, TURN, ONE, joints=["a", "b"]), "joints: 2 were given for 1 inertias"),
        (
            lambda: from_screws(HOME, TURN, ONE, joints=[{"nme": "a"}]),
            "joint 1: there is no field named 'nme'; did you mean 'name'",
        ),
        (
            lambda: from_screws(HOME, TURN, ONE, joints=[{"kind": "prismatic"}]),
            "screw 1 is revolute (pitch 0), but its joint",
        ),
        (lambda: from_screws(HOME, TURN, ONE, joints=[{"kind": "fixed"}]), "no joint kind named 'fixed'"),
        (
            lambda: from_screws(HOME, TURN, [{"masss": 1}]),
            "inertia 1: there is no field named 'masss'; did you mean 'mass'",
        ),
        (lambda: from_screws(HOME, TURN, [np.eye(5)]), "inertia 1: it must be a 6 x 6 matrix"),
        (
            lambda: from_screws(HOME, TURN, [np.diag([1, 1, 1, 2, 2, 3.0])]),
            "the mass times the identity (entry 6,6 is 3)",
        ),
        (lambda: from_screws(HOME, TURN, [np.eye(6) + np.eye(6, k=3)]), "the 6 x 6 inertia is not symmetric"),
        (
            lambda: from_screws(HOME, TURN, [np.eye(6) + 0.1 * np.eye(6, k=3) + 0.1 * np.eye(6, k=-3)]),
            "the upper right 3 x 3 block of the 6 x 6 inertia must be skew, S(m c) (entry 1,4 is 0.1)",
        ),
        (lambda: from_screws(HOME, TURN, [[["J"] * 6] * 6]), "inertia 1 uses 'J'"),
        (lambda: from_screws(None, TURN, ONE), "home: 0 poses were given for 1 inertias"),
        (lambda: from_screws(HOME, 3, ONE), "screws: 0 x 0 numbers were given for 1 inertias"),
        (lambda: from_screws(HOME, TURN, None), "inertias: None was given; it must be a list"),
        (lambda: to_screws(load("elbow"), "spatial"), "did you mean 'space'"),
    ],
)
def test_mistakes_are_told(call, says):
    with pytest.raises(ArmError) as error:
        call()
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "[[link]]\nscrew = [0, 0, 1, 0, 0]",
            "t.toml:2: link 1, screw: [0, 0, 1, 0, 0] was given; a screw is six numbers",
        ),
        ("[[link]]\nname = 'a'", "t.toml:1: link 1: 'screw' is missing"),
        (
            "[[link]]\nscrew = [0, 0, 1, 0, 0, 0]\nhmoe = 1",
            "t.toml:3: link 1: there is no field named 'hmoe'; did you mean 'home'",
        ),
        ("form = 'x'\n[[link]]", "t.toml:1: form: there is no choice named 'x'"),
        ("tool = [[1]]\n[[link]]\nscrew = [0, 0, 1, 0, 0, 0]", "t.toml:1: tool: it must be a 4 x 4 matrix"),
        ("[[link]]\nscrew = [0, 0, 3, 0, 0, 0]", "t.toml:2: link 1, screw is not normalised"),
        ("screws = 3\n[[link]]", "t.toml:1: screws = 3 was given as the schema version"),
        ("name = 'x'", "t.toml: there is no [[link]]"),
    ],
)
def test_mistakes_in_a_file_are_told_with_the_line(text, says):
    with pytest.raises(FormatError) as error:
        arm_from_screws_toml(text, "t.toml")
    assert says in str(error.value)
