"""Denavit-Hartenberg tables: both conventions, both directions, symbols, files, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from leverarm import mechanics as me
from leverarm.errors import ArmError, FormatError
from leverarm.formats.dh.builder import arm_from_dh, from_dh
from leverarm.formats.dh.export import to_dh
from leverarm.formats.dh.files import arm_from_dh_csv, arm_from_dh_toml, dh_csv_from_arm, dh_toml_from_arm
from leverarm.formats.dh.rows import DHRow
from leverarm.formats.loading import load
from leverarm.formats.plain_parts import quantity
from leverarm.formats.rigid import compose, moved, pose_of
from leverarm.model import (  # fmt: skip
    PI,
    Arm,
    Body,
    Friction,
    Joint,
    JointKind,
    Limits,
    MassProperties,
    Motor,
    Placement,
    Valuation,
    bind,
    format_quantity,
    lock,
    to_float,
)
from leverarm.scalars import FLOAT, RATIONAL, Dual, Turn
from leverarm.spatial import Symmetric3, Vec3
from tests.support.serial_arms import assert_same_arm, serial_arm

FRAMES = ("tool", "camera", "socket")
STANDARD_PUMA = [  # Corke and Armstrong-Helouvry 1994
    (0, 0.672, 0, "pi/2"),
    (0, 0, 0.4318, 0),
    (0, 0.15005, 0.0203, "-pi/2"),
    (0, 0.4318, 0, "pi/2"),
    (0, 0, 0, "-pi/2"),
    (0, 0, 0, 0),
]
MODIFIED_PUMA = [  # the same arm after Craig, whose alpha and a belong to the link before
    (0, 0.672, 0, 0),
    (0, 0, 0, "90 deg"),
    (0, 0.15005, 0.4318, 0),
    (0, 0.4318, 0.0203, "-90 deg"),
    (0, 0, 0, "90 deg"),
    (0, 0, 0, "-90 deg"),
]


def dh_matrix(theta, d, a, alpha, convention):
    def rot(axis, angle):
        c, s = math.cos(angle), math.sin(angle)
        i, j = {"x": (1, 2), "z": (0, 1)}[axis]
        T = np.eye(4)
        T[i, i], T[i, j], T[j, i], T[j, j] = c, -s, s, c
        return T

    def move(x, z):
        T = np.eye(4)
        T[0, 3], T[2, 3] = x, z
        return T

    if convention == "standard":
        return rot("z", theta) @ move(0, d) @ move(a, 0) @ rot("x", alpha)
    return rot("x", alpha) @ move(a, 0) @ rot("z", theta) @ move(0, d)


def as_matrix(pose):
    return np.vstack(
        [np.column_stack([np.array(pose.rotation.rows(), float), [float(x) for x in pose.position]]), [0, 0, 0, 1]]
    )


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_every_dh_frame_is_the_product_of_the_matrices_of_the_book(convention):
    rng = np.random.default_rng(0)
    table = rng.normal(size=(5, 4))
    kinds = "RPRRP"
    base, tool = dh_matrix(*rng.normal(size=4), "standard"), dh_matrix(*rng.normal(size=4), "modified")
    arm = from_dh(
        [(*row, kind) for row, kind in zip(table, kinds, strict=True)], convention, base=base, tool=tool.tolist()
    )
    q = rng.normal(size=5)
    poses = me.forward_kinematics(bind(arm), list(q))
    T = base
    for i, ((theta, d, a, alpha), kind) in enumerate(zip(table, kinds, strict=True)):
        turned, slid = (q[i], 0) if kind == "R" else (0, q[i])
        T = T @ dh_matrix(theta + turned, d + slid, a, alpha, convention)
        assert np.allclose(as_matrix(poses[f"dh{i + 1}"]), T, rtol=0, atol=1e-14)
    assert np.allclose(as_matrix(poses["tool"]), T @ tool, rtol=0, atol=1e-14)


def test_standard_and_modified_puma_are_the_catalog_puma():
    catalog = load("puma560")
    inertias = [body.mass_properties for body in catalog.bodies]
    joints = [body.joint for body in catalog.bodies]
    # the catalog's bodies lie on their own axes with d passed, as Craig's frames do (joint 3's d is in joint 3 here)
    rows = [
        {"theta": t, "d": d, "a": a, "alpha": alpha, "name": j.name, "friction": j.friction, "motor": j.motor}
        for (t, d, a, alpha), j in zip(MODIFIED_PUMA, joints, strict=True)
    ]
    arm = from_dh(rows, "modified", inertias=inertias)
    assert_same_arm(arm, catalog)
    standard = to_dh(catalog, "standard")
    assert [tuple(map(str, row)) for row in STANDARD_PUMA] == [
        tuple(format_quantity(x) for x in (r.theta, r.d, r.a, r.alpha)) for r in standard.rows
    ]
    assert_same_arm(arm_from_dh(standard), catalog)
    modified = [(r.theta, r.d, r.a, r.alpha) for r in to_dh(catalog, "modified").rows]
    assert [tuple(map(str, row)) for row in modified] == [
        tuple(str(x).replace("90 deg", "pi/2") for x in row) for row in MODIFIED_PUMA
    ]


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("seed", range(20))
def test_random_chains_survive_the_table(seed, convention):
    arm = serial_arm(seed)
    table = to_dh(arm, convention)
    again = arm_from_dh(table)
    assert_same_arm(arm, again, FRAMES)
    for body in arm.bodies:
        if body.joint.kind.moves:
            joint = next(b.joint for b in again.bodies if b.name == body.name)
            kept = ("name", "kind", "limits", "friction", "motor", "force")
            assert [getattr(joint, key) for key in kept] == [getattr(body.joint, key) for key in kept]
    assert (again.gravity, again.title, again.base) == (arm.gravity, arm.title, "floor")
    assert_same_arm(arm, arm_from_dh(to_dh(again, "standard" if convention == "modified" else "modified")), FRAMES)


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("seed", [1, 3, 8])
def test_files_hold_every_number(seed, convention):
    arm = serial_arm(seed)
    direct = arm_from_dh(to_dh(arm, convention))
    assert arm_from_dh_csv(dh_csv_from_arm(arm, convention)) == direct
    assert arm_from_dh_toml(dh_toml_from_arm(arm, convention)) == direct


def test_a_table_found_again_is_the_same_table():
    rows = [
        {"theta": 0.3, "d": 0.2, "a": -0.4, "alpha": 0.7, "mass": 2, "com": [0.1, 0.2, 0.3], "inertia": [1, 2, 3]},
        {"theta": "pi/2", "d": -0.1, "a": 0.5, "alpha": "-pi/2", "kind": "P", "limits": (0, 1)},
        {"theta": 0, "d": 0.3, "a": 0.1, "alpha": -1.2},
    ]
    for convention in ("standard", "modified"):
        arm = from_dh(rows, convention)
        table = to_dh(arm, convention)
        assert table.base == table.tool == Placement()
        for row, given in zip(table.rows, rows, strict=True):
            found = [number(x) for x in (row.theta, row.d, row.a, row.alpha)]
            assert found == pytest.approx([number(given[key]) for key in ("theta", "d", "a", "alpha")], abs=1e-15)
        assert list(table.rows[0].com) == pytest.approx([0.1, 0.2, 0.3], abs=1e-15)


def number(x):
    return to_float(quantity(x, "test"), {})


INERTIA = {
    "mass": "m",
    "com": ["c", 0.1, -0.2],
    "inertia": {"xx": 0.3, "yy": "J", "zz": 0.4, "xy": 0.02},
    "rpy": [0.2, "t", 0],
}


@pytest.mark.parametrize("about", ["com", "frame"])
@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_symbols_anywhere_equal_the_numbers_they_stand_for(convention, about):
    values = {"l1": 0.7, "a2": 0.4, "b": 1.1, "t": 0.6, "m": 2.0, "c": 0.15, "J": 0.25}
    symbolic = [
        {"theta": "t", "d": "l1", "a": "a2/2", "alpha": "b", "about": about, **INERTIA},
        {"theta": "-t", "d": 0.1, "a": "a2", "alpha": "2*b", "kind": "P", **INERTIA},
        {"theta": 0.4, "d": "l1", "a": 0.2, "alpha": "b - pi/2", "about": about, **INERTIA},
    ]
    tool = {"xyz": ["a2", 0, 0.1], "rpy": [0.3, "t", 0.1]}
    arm = from_dh(symbolic, convention, symbols=values, tool=tool, gravity=(3, 1, -9))
    t, b, l1, a2, m, c, J = (values[key] for key in ("t", "b", "l1", "a2", "m", "c", "J"))
    body = {
        "mass": m,
        "com": [c, 0.1, -0.2],
        "inertia": [[0.3, 0.02, 0], [0.02, J, 0], [0, 0, 0.4]],
        "rpy": [0.2, t, 0],
    }
    numeric = from_dh(
        [
            {"theta": t, "d": l1, "a": a2 / 2, "alpha": b, "about": about, **body},
            {"theta": -t, "d": 0.1, "a": a2, "alpha": 2 * b, "kind": "P", **body},
            {"theta": 0.4, "d": l1, "a": 0.2, "alpha": b - math.pi / 2, "about": about, **body},
        ],
        convention,
        tool={"xyz": [a2, 0, 0.1], "rpy": [0.3, t, 0.1]},
        gravity=(3, 1, -9),
    )
    assert_same_arm(arm, numeric, ("tool", "dh1", "dh3"))
    assert_same_arm(arm, arm_from_dh(to_dh(arm, convention)))
    # a symbol stays one: the derivative of a torque with respect to the twist b, against a difference
    q, step = [0.3, 0.2, -0.5], 1e-6
    slope = me.gravity_forces(bind(arm, FLOAT, {"b": Dual(b, 1)}), q)[0].slope
    up, down = (me.gravity_forces(bind(arm, FLOAT, {"b": b + sign * step}), q)[0] for sign in (1, -1))
    assert slope == pytest.approx((up - down) / (2 * step), rel=1e-7)


def test_exact_numbers_stay_exact():
    rows = [(0, Fraction(1, 3), "1/2", "pi/2"), (0, 0, "2/3", 0), ("pi/2", "1/5", 0, "-90 deg")]
    inertias = [{"mass": 2, "com": ["1/3", 0, "1/7"], "inertia": [1, "3/2", 2], "about": "frame"}] * 3
    q = [Turn.from_half_tangent(Fraction(k, 7)) for k in (1, 2, 3)]
    M = me.mass_matrix(bind(from_dh(rows, inertias=inertias), RATIONAL), q)
    assert all(isinstance(x, Fraction | int) for row in M for x in row)
    assert [list(column) for column in zip(*M, strict=True)] == M
    floats = me.mass_matrix(bind(from_dh(rows, inertias=inertias)), [2 * math.atan(k / 7) for k in (1, 2, 3)])
    assert np.allclose(np.array(M, float), np.array(floats), rtol=1e-14, atol=1e-14)


def test_degrees_are_exact_and_reach_limits_and_rpy_of_turning_joints_only():
    row = {"theta": 30, "alpha": "pi/2", "limits": {"lower": -90, "upper": 45.5, "effort": 9}, "rpy": [0, 180, 0]}
    first, second = from_dh([row, row | {"kind": "P", "limits": (-90, 45)}], angles="deg").bodies
    assert first.joint.limits == Limits(-PI / 2, 91 * PI / 360, None, 9)
    assert second.joint.limits == Limits(-90, 45)
    assert second.joint.placement.rpy == Vec3(PI / 2, 0, PI / 6)
    assert from_dh([(0, 0, 0, 90)], angles="deg") == from_dh([(0, 0, 0, "pi/2")])


def test_an_inertia_about_the_frame_is_the_one_about_the_centre_moved():
    com, mass = Vec3(0.1, -0.3, 0.2), 3.0
    central = Symmetric3(0.5, 0.01, 0.6, 0.02, -0.03, 0.7)
    lever = Symmetric3(0.13, 0.03, 0.05, -0.02, 0.06, 0.10) * mass  # |c|^2 1 - c c^T by hand
    rows = [
        [{"d": 0.4, "a": 0.3, "alpha": 0.5, "mass": mass, "com": list(com), "inertia": tensor, "about": about}]
        for tensor, about in ((central, "com"), (central + lever, "frame"))
    ]
    for convention in ("standard", "modified"):
        assert_same_arm(from_dh(rows[0], convention), from_dh(rows[1], convention))


def test_mass_moves_as_the_frames_do():
    mp = MassProperties(
        2.0, Vec3(0.1, 0.2, 0.3), Symmetric3(1.0, 0.1, 2.0, 0.2, 0.3, 2.5), "origin", Vec3(0.3, 0.2, 0.1)
    )
    place = Placement(Vec3(1, 2, 3), Vec3(0.5, -0.4, 0.9))
    valuation = Valuation(FLOAT, {}, {}, frozenset())
    expected = valuation.inertia(mp).into_parent(pose_of(place))
    assert valuation.inertia(moved(mp, place)).numbers() == pytest.approx(expected.numbers(), rel=1e-14)
    both = pose_of(compose(place, Placement(Vec3(3, 2, 1), Vec3(-1, 0.2, 3))))
    product = pose_of(place) * pose_of(Placement(Vec3(3, 2, 1), Vec3(-1, 0.2, 3)))
    assert np.allclose(as_matrix(both), as_matrix(product), rtol=0, atol=1e-14)


KR300 = """\
# standard DH (RTB order: Rz(q+offset) Tz(d) Tx(a) Rx(alpha)); base turned 180 deg about x
# base = 0, 0, 0, pi, 0, 0
joint,offset_deg,d_m,a_mm,alpha_deg,gear_ratio,mass_kg,com_x_m,com_y_m,com_z_m,qmin_deg,qmax_deg

1,0,-0.675,350,90,1798/7,395.40,-0.353,0.174,-0.004,-147,147
2,0,-0.189,1150.5,0,1872/7,339.12,-0.709,-0.001,0.023,-140,-5
3,90,0.189,41,-90,,105.21,-0.018,-0.018,-0.076,,153
"""


def test_a_published_csv_with_units_in_its_headings():
    arm = arm_from_dh_csv(KR300, "kr300.csv")
    table = to_dh(arm)
    assert arm.joint_names == ("joint1", "joint2", "joint3")
    joints = [body.joint for body in arm.bodies]
    assert [joint.motor for joint in joints] == [Motor(0, Fraction(1798, 7)), Motor(0, Fraction(1872, 7)), None]
    assert joints[0].limits == Limits(-49 * PI / 60, 49 * PI / 60)
    assert joints[2].limits == Limits(None, 17 * PI / 20)
    assert arm.base_placement.rpy == Vec3(PI, 0, 0)
    assert [number(row.a) for row in table.rows] == [0.35, 1.1505, 0.041]
    assert [number(row.d) for row in table.rows] == [-0.675, 0, 0]  # parallel axes 2 and 3: d2 = 0, the rest is in d3
    assert [format_quantity(row.alpha) for row in table.rows] == ["pi/2", "0", "-pi/2"]
    assert [number(row.mass) for row in table.rows] == [395.40, 339.12, 105.21]
    assert list(table.rows[2].com) == pytest.approx([-0.018, -0.018, -0.076], abs=1e-15)


def test_toml_written_by_hand():
    arm = arm_from_dh_toml(
        """
        convention = "modified"
        angles = "deg"
        name = "hand"
        gravity = [0, 0, "-g"]
        tool = { xyz = [0, 0, "l"], rpy = [90, 0, 0] }
        [symbols]
        g = 9.81
        l = 0.5
        [[row]]
        offset = 90
        alpha = "pi/4"
        mass = 1
        friction = { viscous = 0.1 }
        motor = { inertia = 1e-3, gear = 50, also = { slide = 2 } }
        [[row]]
        name = "slide"
        sigma = 1
        d = "l"
        [[frame]]
        name = "flange"
        row = 2
        xyz = [0, 0, 1]
        """
    )
    assert arm.joint_names == ("joint1", "slide") and arm.frames[-2:] == ("flange", "tool")
    assert arm.bodies[0].joint.motor == Motor(1e-3, 50, (("slide", 2),))
    assert arm.bodies[0].joint.friction == Friction(0.1)
    assert bind(arm).gravity == Vec3(0, 0, -9.81)


def test_other_orders_of_the_coordinates_are_kept():
    arm = serial_arm(5)
    arm = replace(arm, coordinates=tuple(reversed(arm.coordinates)))
    for convention in ("standard", "modified"):
        assert_same_arm(arm, arm_from_dh_csv(dh_csv_from_arm(arm, convention)), FRAMES)


def test_locked_joints_and_merged_branches_are_one_chain():
    torso = load("torso")
    chain = lock(torso, {name: 0.3 for name in torso.coordinates if name.startswith("left")})
    frames = tuple(frame.name for frame in chain.named_frames)
    assert chain.dof < torso.dof and frames
    for convention in ("standard", "modified"):
        assert_same_arm(chain, arm_from_dh(to_dh(chain, convention)), frames)


def helical():
    screw = Joint("nut", JointKind.HELICAL, pitch=0.01)
    return Arm("press", (Body("ram", "base", screw, MassProperties(1.0)),))


def coupled():
    first = Body("one", "base", Joint("a", JointKind.REVOLUTE))
    second = Body("two", "one", Joint("b", JointKind.REVOLUTE, coupling=(("a", -1),)))
    return Arm("geared", (first, second))


def nearly_parallel():
    place = Placement(Vec3(0.5, 0.1, 0), Vec3(3.7e-6, 0, 0))
    return Arm(
        "off",
        (
            Body("one", "base", Joint("a", JointKind.REVOLUTE)),
            Body("two", "one", Joint("b", JointKind.REVOLUTE, place)),
        ),
    )


@pytest.mark.parametrize(
    ("arm", "says"),
    [
        (load("torso"), "branches off; only a chain of bodies can be written as a DH table"),
        (helical(), "joint 'nut' is helical"),
        (coupled(), "joint 'b' is coupled to others"),
        (nearly_parallel(), "almost parallel (3.7e-06 rad apart)"),
    ],
)
def test_arms_that_no_table_holds(arm, says):
    for convention in ("standard", "modified"):
        with pytest.raises(FormatError) as error:
            to_dh(arm, convention)
        assert says in str(error.value)


ROW = (0, 0, 1, 0)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: from_dh([ROW, {"alfa": 1}]), "row 2: there is no field named 'alfa'; did you mean 'alpha'?"),
        (lambda: from_dh([ROW, (0, 0, 1)]), "row 2: (0, 0, 1) was given; a row is (theta, d, a, alpha)"),
        (lambda: from_dh([7]), "row 1: 7 was given"),
        (lambda: from_dh([ROW], "Craig"), "no DH convention named 'Craig'"),
        (lambda: from_dh([ROW], "modifed"), "did you mean 'modified'?"),
        (lambda: from_dh([ROW], angles="degrees"), "did you mean 'deg'?"),
        (lambda: from_dh([(0, 0, math.nan, 0)]), "row 1, a: nan was given; it must be a finite number"),
        (lambda: from_dh([(0, 0, "nan", 0)]), "row 1, a: 'nan' was given; it must be a finite number"),
        (lambda: from_dh([(0, "1 +", 0, 0)]), "row 1, d: '1 +', column 4"),
        (lambda: from_dh([(0, "a2", 0, 0)]), "row 1, d uses 'a2': there is no symbol named 'a2'"),
        (lambda: from_dh([(*ROW, "Q")]), "row 1, kind: there is no joint kind of a DH table named 'Q'"),
        (lambda: from_dh([{"theta": 1, "offset": 2}]), "row 1: both 'theta' and 'offset'"),
        (lambda: from_dh([{"limits": {"min": 1}}]), "row 1, limits: there is no field named 'min'"),
        (lambda: from_dh([{"limits": 3}]), "row 1, limits: 3 was given"),
        (lambda: from_dh([{"friction": {"viscos": 1}}]), "did you mean 'viscous'"),
        (lambda: from_dh([{"inertia": [1, 2, 3, 0, 0, 0]}]), "{xx, yy, zz, xy, xz, yz} by name"),
        (
            lambda: from_dh([{"inertia": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}]),
            "not symmetric, entry 1,2 is 2 and entry 2,1 is 0",
        ),
        (lambda: from_dh([{"about": "tip"}]), "row 1, about: there is no point named 'tip'"),
        (lambda: from_dh([{"com": [1, 2]}]), "row 1, com: [1, 2] was given; it must be three numbers"),
        (lambda: from_dh([{"mass": True}]), "row 1, mass: True was given"),
        (lambda: from_dh([{"mass": -1}]), "mass -1 kg"),
        (lambda: from_dh([ROW], inertias=[]), "0 inertias were given for 1 rows"),
        (lambda: from_dh([{"mass": 1}], inertias=[{"mass": 1}]), "row 1 has a mass or inertia of its own"),
        (lambda: from_dh([ROW], base=[[1, 0, 0, 0]] * 4), "base: the last row of the 4 x 4 matrix is [1, 0, 0, 0]"),
        (lambda: from_dh([ROW], tool=np.diag([1, 1, 2, 1])), "tool: the upper left 3 x 3 block is not a rotation"),
        (lambda: from_dh([ROW], tool=np.diag([1, 1, -1, 1])), "is a reflection"),
        (lambda: from_dh([ROW], tool=[[1, 0]]), "tool: it must be a 4 x 4 matrix"),
        (lambda: from_dh([]), "rows: [] was given; it must be a list with one row for each joint"),
        (lambda: from_dh(None), "rows: None was given"),
    ],
)
def test_mistakes_in_a_table_are_told_with_the_row(call, says):
    with pytest.raises(ArmError) as error:
        call()
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("joint,alfa\n1,2", "t.csv:1: there is no column named 'alfa'; did you mean 'alpha'"),
        ("joint,d_deg\n1,2", "t.csv:1: there is no column named 'd_deg'"),
        ("# hello\njoint,d\n1,x y", "t.csv:3: row 1, d: 'x y', column 3"),
        ("joint,d\n1,2,3", "t.csv:2: the row has 3 cells but there are 2 columns"),
        ("d,d_mm\n1,2", "t.csv:1: two columns mean 'd'"),
        ("# convention = craig\nd\n1", "t.csv:1: there is no DH convention named 'craig'"),
        ("# conventoin = modified\nd\n1", "t.csv:1: there is no setting named 'conventoin'; did you mean 'convention'"),
        ("# base = 1, 2\nd\n1", "t.csv:1: base: '1, 2' was given; a pose is x, y, z, roll, pitch, yaw"),
        ("# symbol a = b\nd\n1", "t.csv:1: symbol 'a': 'b' was given; a default value is a number"),
        ("# frame f = 9, 0, 0, 0, 0, 0, 0\nd\n1", "t.csv: frame 'f' is on row 9; rows are 1 to 1"),
        ("kind,qmin_deg\nP,4", "t.csv:2: row 1, qmin_deg: the joint slides"),
        ('d\n"1', "t.csv:2: unexpected end of data"),
        ("", "t.csv: the table has no row"),
        ("d\nk", "t.csv:2: row 1, d uses 'k': there is no symbol named 'k'"),
    ],
)
def test_mistakes_in_a_csv_are_told_with_the_line(text, says):
    with pytest.raises(FormatError) as error:
        arm_from_dh_csv(text, "t.csv")
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[row]]\nd = 1\n[[row]]\na = 1\nalpah = 2", "t.toml:5: row 2: there is no field named 'alpah'; did you mean"),
        ("[[row]]\nd = 1\n[[row]]\na = [1]", "t.toml:4: row 2, a: [1] was given"),
        ("convention = 'x'\n[[row]]", "t.toml:1: convention: there is no choice named 'x'"),
        ("dh = 2\n[[row]]", "t.toml:1: dh = 2 was given as the schema version"),
        ("rows = 1\n[[row]]", "t.toml:1: the DH table: there is no key named 'rows'; did you mean 'row'"),
        ("[[row]]\nd = ]\n", "t.toml:2: not valid TOML"),
        ("base = 3\n[[row]]", "t.toml:1: base: it must be a 4 x 4 matrix"),
        ("[[row]]\n[[frame]]\nname = 'f'\nrow = 'x'", "t.toml:4: frame 'f': row = 'x' was given"),
        ("name = 'x'", "t.toml: an arm needs at least one body"),
    ],
)
def test_mistakes_in_a_toml_table_are_told_with_the_line(text, says):
    with pytest.raises(FormatError) as error:
        arm_from_dh_toml(text, "t.toml")
    assert says in str(error.value)


def test_a_row_may_be_a_dhrow():
    assert from_dh([DHRow(alpha=PI / 2, a=1)]) == from_dh([(0, 0, 1, "pi/2")])


def test_the_rest_of_a_spring_is_an_angle_where_the_joint_turns():
    """In degrees where the table's angles are; a length where it slides."""
    rows = [{"a": 1, "spring": {"stiffness": 3, "rest": 90}}, {"kind": "P", "spring": {"stiffness": 4, "rest": 0.2}}]
    turning, sliding = (body.joint.spring for body in from_dh(rows, angles="deg").bodies)
    assert to_float(turning.rest, {}) == math.pi / 2 and sliding.rest == 0.2
    with pytest.raises(ArmError, match="no stiffness was given"):
        from_dh([{"spring": {"rest": 1}}])
