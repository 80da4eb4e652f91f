"""Each finding provoked by one hand-made arm, and absent on a clean one."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from leverarm.formats import catalog_names, load
from leverarm.formats.lint import Finding, lint
from leverarm.model import (
    Arm,
    Body,
    Frame,
    Joint,
    JointKind,
    Limits,
    MassProperties,
    Motor,
    Placement,
    Spring,
    lock,
    parse_quantity,
    symbol,
)
from leverarm.model.inertias.algebra import moved, pose_of
from leverarm.model.inertias.shapes import inertia_of_box, inertia_of_cylinder, inertia_of_rod
from leverarm.spatial import IDENTITY, ORIGIN, Pose, Symmetric3, Vec3
from tests.support.random_arms import random_arm

LIMITS = Limits(-2.0, 2.0, 3.0, 50.0)
LINK = MassProperties(2.0, Vec3(0.2, 0, 0), Symmetric3(0.003, 0.0001, 0.03, 0, 0.0002, 0.031))
Z, Y = Vec3(0, 0, 1), Vec3(0, 1, 0)


def body(name, parent, axis=Z, xyz=ORIGIN, mass=LINK, **joint):
    return Body(
        name,
        parent,
        Joint(
            f"q_{name}",
            **({"kind": JointKind.REVOLUTE, "placement": Placement(xyz), "axis": axis, "limits": LIMITS} | joint),
        ),
        mass,
    )


def arm(*bodies, **fields):
    tool = Frame("tool", bodies[-1].name, Placement(Vec3(0.4, 0, 0)))
    return Arm("test", bodies, **({"named_frames": (tool,)} | fields))


COLUMN = body("column", "base", xyz=Vec3(0, 0, 0.3))
CLEAN = arm(COLUMN, body("upper", "column", Y), body("fore", "upper", Y, Vec3(0.4, 0, 0)))


def with_last(**joint):
    """The clean arm with something else about its last joint."""
    last = CLEAN.bodies[2]
    return replace(CLEAN, bodies=(*CLEAN.bodies[:2], replace(last, joint=replace(last.joint, **joint))))


def with_mass(mass):
    return replace(CLEAN, bodies=(*CLEAN.bodies[:2], replace(CLEAN.bodies[2], mass_properties=mass)))


def only(findings) -> Finding:
    assert len(findings) == 1, [str(finding) for finding in findings]
    return findings[0]


def test_a_clean_arm_has_no_findings():
    assert lint(CLEAN) == ()


def test_a_finding_says_where_what_and_what_to_do():
    finding = only(lint(with_last(limits=Limits(velocity=1, effort=1))))
    assert str(finding) == (
        "warning: joint 'q_fore': no lower and upper limit of the position. "
        "Give limits = { lower = ..., upper = ... }; if a joint turns without end, call it continuous."
    )


@pytest.mark.parametrize(
    ("tensor", "level", "text"),
    [
        (Symmetric3(0.003, 0, 0.03, 0, 0, 0.036), "error", "triangle inequality), 0.036 > 0.003 + 0.03"),
        (Symmetric3(0.003, 0, 0.03, 0, 0, 0.0331), "warning", "triangle inequality"),
        (Symmetric3(0.003, 0.02, 0.03, 0, 0, 0.031), "error", "below zero"),
        (Symmetric3(0, 0, 0, 0, 0, 0.031), "error", "triangle inequality"),
    ],
)
def test_inertias_no_body_can_have(tensor, level, text):
    finding = only(lint(with_mass(replace(LINK, inertia=tensor))))
    assert (finding.level, finding.where) == (level, "body 'fore' inertia")
    assert text in finding.message


def test_inertia_without_mass():
    finding = lint(with_mass(replace(LINK, mass=0)))[0]
    assert finding.level == "error"
    assert "its mass is 0 kg" in finding.message


def test_a_moment_about_the_only_axis_is_a_planar_shorthand():
    flat = MassProperties(1.0, Vec3(0.2, 0, 0), Symmetric3(0, 0, 0, 0, 0, 0.02))
    planar = arm(
        body("a", "base", mass=flat), body("b", "a", xyz=Vec3(0.4, 0, 0), mass=flat), gravity=Vec3(0, -9.81, 0)
    )
    finding = only(lint(planar))
    assert (finding.level, finding.where) == ("note", "bodies 'a', 'b' inertia")
    turned = MassProperties(
        1.0, Vec3(0.2, 0, 0), Symmetric3(0, 0, 0.02, 0, 0, 0), rpy=Vec3(parse_quantity("pi/2"), 0, 0)
    )
    assert (
        only(lint(replace(planar, bodies=(planar.bodies[0], replace(planar.bodies[1], mass_properties=turned)))))
        == finding
    )
    negative = replace(flat, inertia=Symmetric3(0, 0, 0, 0, 0, -0.001))
    found = lint(replace(planar, bodies=(planar.bodies[0], replace(planar.bodies[1], mass_properties=negative))))
    assert found[0].level == "error"
    # 0.02 about the origin leaves 0.02 - 1.0 * 0.2^2 < 0 about the centre of mass.
    too_small = replace(flat, about="origin")
    found = lint(replace(planar, bodies=(planar.bodies[0], replace(planar.bodies[1], mass_properties=too_small))))
    assert "below zero" in found[0].message


def test_the_shorthand_axis_is_followed_through_placements():
    """The second body's z is the first joint's axis, seen through a placement that turns all three axes."""
    rpy = Vec3(0.4, 0.7, 0.2)
    axis = pose_of(Placement(rpy=rpy)).rotation @ Z
    flat = MassProperties(1.0, Vec3(0.2, 0, 0), Symmetric3(0, 0, 0, 0, 0, 0.02))
    first = body("a", "base", axis)
    second = body("b", "a", placement=Placement(Vec3(0.4, 0, 0), rpy), mass=flat)
    assert [f.level for f in lint(arm(first, second)) if "inertia" in f.where] == ["note"]
    assert [f.level for f in lint(arm(body("a", "base", Z), second)) if "inertia" in f.where] == ["error"]


ROD = MassProperties(1.0, Vec3(0, 0, 0.2), inertia_of_rod(0.4, mass=1.0).I)


def test_a_joint_that_moves_nothing():
    spinning = arm(COLUMN, body("upper", "column", Y), body("spin", "upper", Z, mass=ROD))
    finding = only(lint(spinning))
    assert (finding.level, finding.where) == ("error", "joint 'q_spin'")
    assert "what it moves has no mass or inertia along it" in finding.message
    rotor = replace(spinning.bodies[2].joint, motor=Motor(1e-5, 100))
    assert lint(replace(spinning, bodies=(*spinning.bodies[:2], replace(spinning.bodies[2], joint=rotor)))) == ()
    slide = arm(COLUMN, body("slide", "column", kind=JointKind.PRISMATIC, mass=MassProperties()))
    assert only(lint(slide)).where == "joint 'q_slide'"


def test_joints_that_yield_to_each_other():
    """Two joints on one axis with nothing between them: either moves mass, but they can turn against each other."""
    doubled = arm(COLUMN, body("first", "column", Y, mass=MassProperties()), body("second", "first", Y))
    finding = only(lint(doubled))
    assert (finding.level, finding.where) == ("error", "joint 'q_first'")
    assert "singular" in finding.message
    point = MassProperties(1.0, Vec3(0.3, 0, 0))
    bare = MassProperties()
    four = arm(
        body("a", "base", Z, mass=bare),
        body("b", "a", Y, Vec3(0, 0, 0.1), bare),
        body("c", "b", Y, Vec3(0.4, 0, 0), bare),
        body("d", "c", Vec3(1, 0, 0.5), Vec3(0.3, 0.1, 0), point),
    )
    assert [finding.where for finding in lint(four)] == ["joint 'q_a'"]  # a point moves in three ways, not in four
    assert lint(arm(*four.bodies[:2], replace(four.bodies[2], mass_properties=point))) == ()


def test_a_joint_coupled_to_another_shares_its_inertia():
    follower = body("fore", "upper", Y, Vec3(0.4, 0, 0), mass=MassProperties(), coupling=(("q_upper", -1),))
    assert lint(arm(*CLEAN.bodies[:2], follower)) == ()


@pytest.mark.parametrize(
    ("angle", "level", "written"),
    [
        (1.5708, "warning", '"pi/2", or all its digits, 1.5707963267948966'),
        (-1.57, "warning", '"-pi/2"'),
        (3.14, "warning", '"pi"'),
        (4.7124, "warning", '"3*pi/2"'),
        (-6.2832, "warning", '"-2*pi"'),
        (2e-8, "warning", '"0"'),
        (1.5707963, "warning", '"pi/2"'),
        (1.57079632679, "note", "pi/2"),
        (6.1e-17, "note", "expressions"),
    ],
)
def test_probable_quarter_turns(angle, level, written):
    finding = only(lint(with_last(placement=Placement(Vec3(0.4, 0, 0), Vec3(0, 0, angle)))))
    assert (finding.level, finding.where) == (level, "joint 'q_fore' rpy z")
    assert repr(angle) in finding.message
    assert written in finding.remedy


@pytest.mark.parametrize(
    "angle", [math.pi / 2, -math.pi, 3 * math.pi / 2, 1.58, 1.6, 0.001, parse_quantity("90 deg"), 0]
)
def test_angles_that_are_what_they_are(angle):
    assert lint(with_last(placement=Placement(Vec3(0.4, 0, 0), Vec3(0, 0, angle)))) == ()


def test_angles_are_found_wherever_they_stand():
    near = Vec3(1.5708, 0, 0)
    crooked = replace(
        CLEAN,
        base_placement=Placement(rpy=Vec3(0, 3.1416, 0)),
        named_frames=(Frame("tool", "fore", Placement(Vec3(0.4, 0, 0), near)),),
        bodies=(
            replace(COLUMN, mass_properties=replace(LINK, rpy=near)),
            replace(CLEAN.bodies[1], joint=replace(CLEAN.bodies[1].joint, locked=1.5708)),
            replace(CLEAN.bodies[2], joint=replace(CLEAN.bodies[2].joint, coupling=(("q_column", 1),), offset=-1.5708)),
        ),
        coordinates=("q_column",),
    )
    places = {finding.where for finding in lint(crooked) if "probably" in finding.message}
    assert places == {
        "base rpy y",
        "body 'column' inertia rpy x",
        "frame 'tool' rpy x",
        "joint 'q_fore' offset",
        "joint 'q_upper' locked value",
    }


def test_centre_of_mass_and_inertia_in_the_wrong_unit():
    finding = only(lint(with_mass(replace(LINK, com=Vec3(200.0, 0, 0)))))
    assert (finding.level, finding.where) == ("warning", "body 'fore' com")
    assert "200 m from the body's origin, on a link of about 0.4 m" in finding.message
    finding = only(lint(with_mass(replace(LINK, inertia=LINK.inertia * 1000))))
    assert (finding.level, finding.where) == ("warning", "body 'fore' inertia")
    assert "radius of gyration is 3.94 m, on a link of about 0.4 m" in finding.message


@pytest.mark.parametrize(
    ("gravity", "level", "text"),
    [
        (Vec3(0, 0, 0), "warning", "gravity is zero"),
        (Vec3(0, 0, 9.81), "warning", "points up, along +z"),
        (Vec3(0, 0, -9810), "warning", "its size is 9810 m/s^2"),
        (Vec3(0, 0, -1.62), "warning", "its size is 1.62"),
        (Vec3(0, -9.81, 0), "warning", "along -y, but the first joint turns about z"),
        (Vec3(0, 6.0, -7.76), "note", "no axis of the world"),
    ],
)
def test_odd_gravity(gravity, level, text):
    finding = only(lint(replace(CLEAN, gravity=gravity)))
    assert (finding.level, finding.where) == (level, "gravity")
    assert text in finding.message
    assert "[0, 0, -9.81]" in finding.remedy


def test_gravity_that_no_joint_of_a_planar_arm_feels():
    planar = arm(body("a", "base"), body("b", "a", xyz=Vec3(0.4, 0, 0)))
    finding = only(lint(planar))
    assert (finding.level, finding.where) == ("note", "gravity")
    assert "gravity loads none of them" in finding.message
    assert lint(replace(planar, gravity=Vec3(0, -9.81, 0))) == ()
    scara = arm(*planar.bodies, body("quill", "b", xyz=Vec3(0.3, 0, 0), kind=JointKind.PRISMATIC))
    assert lint(scara) == ()


def test_missing_limits():
    assert [f.level for f in lint(with_last(limits=Limits()))] == ["warning", "note"]
    assert lint(with_last(limits=Limits(velocity=1, effort=1), kind=JointKind.CONTINUOUS)) == ()
    finding = only(lint(with_last(limits=Limits(-1, 1))))
    assert (finding.level, finding.message) == ("note", "no limit of velocity or effort.")
    assert only(lint(with_last(limits=Limits(None, 1, 1, 1)))).level == "warning"
    assert lint(lock(with_last(limits=Limits()), {"q_fore": 0.5})) == ()


def test_unused_symbols():
    finding = only(lint(replace(CLEAN, symbols=(("m9", 1.0),))))
    assert (finding.level, finding.where, finding.message) == ("warning", "symbol 'm9'", "nothing uses it.")
    used = replace(LINK, mass=symbol("m9"))
    bodies = (*CLEAN.bodies[:2], replace(CLEAN.bodies[2], mass_properties=used))
    assert lint(replace(CLEAN, bodies=bodies, symbols=(("m9", 2.0),))) == ()


def about_end(shape, com):
    """A shape's tensor about the body's origin, when its centre of mass is at `com`."""
    return moved(shape, Pose(IDENTITY, com)).I


BAR = inertia_of_box(0.4, 0.05, 0.06, mass=2.0)


def test_a_tensor_about_the_origin_that_claims_the_centre_of_mass():
    com = Vec3(0.2, 0.01, 0.02)
    finding = only(lint(with_mass(MassProperties(2.0, com, about_end(BAR, com), "com"))))
    assert (finding.level, finding.where) == ("warning", "body 'fore' inertia")
    assert "parallel-axis term" in finding.message
    assert 'about = "origin"' in finding.remedy
    assert lint(with_mass(MassProperties(2.0, com, about_end(BAR, com), "origin"))) == ()
    assert lint(with_mass(MassProperties(2.0, com, BAR.I, "com"))) == ()


def test_a_tensor_about_the_centre_of_mass_that_claims_the_origin():
    findings = lint(with_mass(MassProperties(2.0, Vec3(0.2, 0, 0), BAR.I, "origin")))
    suspicion = only([finding for finding in findings if finding.level == "warning"])
    assert suspicion.where == "body 'fore' inertia"
    assert 'write about = "com"' in suspicion.remedy
    assert any(finding.level == "error" and "below zero" in finding.message for finding in findings)


def test_thick_links_are_not_suspected():
    """A motor housing around its joint has more inertia than m d^2 for good reasons."""
    housing = inertia_of_cylinder(0.08, 0.15, mass=3.0)
    for com in (Vec3(0.02, 0, 0), Vec3(0, 0, 0.03), Vec3(0.01, 0.02, 0.04)):
        assert lint(with_mass(MassProperties(3.0, com, housing.I))) == ()


def test_springs_that_push_or_do_nothing():
    given = (({"spring": Spring(-2)}, 1), ({"spring": Spring(0)}, 1), ({"spring": Spring(2), "locked": 0.1}, 1))
    found = []
    for joint, count in (*given, ({"spring": Spring(2, 1)}, 0)):
        arm = with_last(**{name: x for name, x in joint.items() if name != "locked"})
        arm = lock(arm, {"q_fore": 0.1}) if "locked" in joint else arm
        found.append([finding.message for finding in lint(arm) if "spring" in finding.message])
        assert len(found[-1]) == count
    assert "pushes the joint away" in found[0][0] and "does not move" in found[2][0]


def test_a_link_that_reaches_behind_its_joint_is_not_suspected():
    """A bar of 0.5 m with its centre of mass 0.1 m from the joint: 2.1 m d^2 across, and nothing to be said."""
    assert lint(with_mass(MassProperties(2.0, Vec3(0.1, 0, 0), inertia_of_box(0.5, 0.02, 0.02, mass=2.0).I))) == ()


@pytest.mark.parametrize("name", catalog_names())
def test_the_catalog_is_clean_but_for_what_was_published(name):
    findings = lint(load(name))
    errors = [finding.where for finding in findings if finding.level == "error"]
    assert errors == (["body 'link3' inertia"] if name == "puma560" else [])
    assert all("limit" in finding.message for finding in findings if finding.level == "warning")


@pytest.mark.parametrize("seed", range(20))
def test_random_trees_of_sound_bodies_have_no_errors(seed):
    assert [finding for finding in lint(random_arm(seed)) if finding.level == "error"] == []
