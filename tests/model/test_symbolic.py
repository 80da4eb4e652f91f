"""An arm with its numbers turned into symbols is the same arm, and every number that was asked for is a symbol."""

from __future__ import annotations

from fractions import Fraction

import pytest

import leverarm as la
from leverarm.errors import ArmError
from leverarm.model import Arm, Body, Friction, Joint, JointKind, MassProperties, Motor, Placement, symbols_of
from leverarm.model.symbolic import GROUPS, symbolic
from leverarm.spatial import Symmetric3, Vec3
from tests.support.random_arms import random_arm
from tests.support.serial_arms import assert_same_arm

TEN = ("m", "rx", "ry", "rz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")


@pytest.mark.parametrize("about", ["origin", "com"])
@pytest.mark.parametrize("zeros", ["named", "kept"])
@pytest.mark.parametrize("name", la.catalog_names())
def test_catalog_arms_stay_what_they_are(name, about, zeros):
    arm = la.load(name)
    assert_same_arm(symbolic(arm, about=about, zeros=zeros), arm, frames=arm.frames)


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_stay_what_they_are(seed):
    arm = random_arm(seed)
    for groups in ((), ("inertia",), ("geometry", "gravity"), ("friction", "motors")):
        assert_same_arm(symbolic(arm, *groups), arm, frames=arm.frames)
    assert_same_arm(symbolic(symbolic(arm, "geometry"), about="com"), arm, frames=arm.frames)


def test_every_moving_body_has_ten_symbols():
    arm = symbolic(la.load("puma560"), "inertia")
    assert list(arm.defaults) == [f"{letter}{i}" for i in range(1, 7) for letter in TEN]
    assert arm.defaults["m2"] == 17.4
    assert arm.defaults["Ixx2"] == 1.03118515  # 0.13 + 17.4 (0.006^2 + 0.2275^2)
    assert {body.mass_properties.about for body in arm.bodies} == {"origin"}


def test_moments_about_the_centre_of_mass_are_the_published_ones():
    arm = symbolic(la.load("puma560"), "inertia", about="com", zeros="kept")
    assert arm.defaults["Ixx2"] == 0.13
    assert "Ixy2" not in arm.defaults
    assert arm.bodies[1].mass_properties.inertia.xy == 0
    assert [name for name in arm.defaults if name.endswith("1")] == ["Izz1"]


def test_zero_lengths_stay_zero():
    arm = symbolic(la.load("puma560"), "geometry")
    assert list(arm.defaults) == ["Lz1", "Lx3", "Lz3", "Lx4", "Ly4"]
    assert [list(symbols_of(x)) for x in arm.bodies[2].joint.placement.xyz] == [["Lx3"], [], ["Lz3"]]


def test_what_was_symbolic_stays():
    arm = la.load("scara")
    same = symbolic(arm, "geometry", "gravity")
    assert same.symbols == arm.symbols
    more = symbolic(arm, "inertia")
    assert more.bodies[0].mass_properties.mass == arm.bodies[0].mass_properties.mass
    assert [name for name in more.defaults if name not in arm.defaults and name.endswith("1")] == [
        "ry1", "rz1", "Ixy1", "Ixz1", "Iyz1",
    ]  # fmt: skip
    assert more.bodies[0].mass_properties.about == "com"


def test_gravity_along_an_axis_is_one_symbol_and_otherwise_three():
    arm = la.load("panda")
    assert [str(x) for x in symbolic(arm, "gravity").gravity] == ["0", "0", "-g"]
    tilted = Arm("tilted", arm.bodies, gravity=Vec3(Fraction(3), 0, -9.0))
    assert symbolic(tilted, "gravity").symbols == (("gx", 3), ("gz", -9.0))
    assert symbolic(Arm("floating", arm.bodies, gravity=Vec3(0, 0, 0)), "gravity").symbols == ()


def test_friction_and_motors():
    arm = symbolic(la.load("puma560"), "friction", "motors")
    firsts = {name: value for name, value in arm.defaults.items() if name.endswith("1")}
    assert firsts == {
        "Fv1": 5.8018217679508, "Fc1": 24.7313845, "Fcn1": 27.2358285, "J1": 200e-6, "N1": -62.6111,
    }  # fmt: skip
    assert symbolic(la.load("stanford"), "motors").defaults.keys() == {f"J{i}" for i in range(1, 7)}


def test_a_number_one_is_a_number_except_as_a_gear():
    joint = Joint("q1", JointKind.REVOLUTE, friction=Friction(1, 0), motor=Motor(1, 1))
    made = symbolic(Arm("plain", (Body("link", "base", joint, MassProperties(1)),)), "friction", "motors")
    assert made.defaults == {"Fv1": 1, "J1": 1}


def test_what_is_welded_to_a_body_is_part_of_its_symbols():
    bodies = (
        Body("link", "base", Joint("q1", JointKind.REVOLUTE), MassProperties(2.0, Vec3(0.5, 0, 0))),
        Body(
            "hand",
            "link",
            Joint("weld", JointKind.FIXED, Placement(Vec3(1, 0, 0), Vec3(0, 0, 0.3))),
            MassProperties(1.0, Vec3(0, 0, 0.25), Symmetric3(0, 0, 0, 0, 0, 0.5)),
        ),
    )
    arm = Arm("welded", bodies)
    made = symbolic(arm, "inertia")
    assert made.defaults["m1"] == 3
    assert made.defaults["rx1"] == Fraction(2, 3)
    assert made.bodies[1].mass_properties == MassProperties()
    assert_same_arm(made, arm, frames=arm.frames)
    assert symbolic(arm, "geometry").defaults == {"Lx_hand": 1}


def test_what_is_welded_by_a_symbol_keeps_it():
    arm = Arm(
        "held",
        (
            Body("link", "base", Joint("q1", JointKind.REVOLUTE), MassProperties(2.0)),
            Body("hand", "link", Joint("q2", JointKind.REVOLUTE), MassProperties(1.0, Vec3(0.5, 0, 0))),
        ),
        symbols=(("a", 0.5),),
    )
    held = la.lock(arm, {"q2": "a"})
    made = symbolic(held, "inertia")
    assert made.bodies[1] == held.bodies[1]
    assert_same_arm(la.with_values(made, a=0.9), la.with_values(held, a=0.9), frames=arm.frames)


def test_a_taken_name_gets_a_letter_more():
    bodies = (
        Body("link", "base", Joint("m1", JointKind.REVOLUTE), MassProperties(2.0)),
        Body("cup", "link", Joint("g", JointKind.REVOLUTE), MassProperties(1.0)),
    )
    made = symbolic(Arm("odd", bodies, symbols=(("m2", 1.0),)), "inertia", "gravity", zeros="kept")
    assert made.defaults == {"m2": 1.0, "m1b": 2, "m2b": 1, "gb": 9.81}


def test_wrong_choices_are_named():
    arm = la.load("elbow")
    with pytest.raises(ArmError, match=r"group of numbers named 'masses'.*Valid: inertia, geometry, gravity"):
        symbolic(arm, "masses")
    with pytest.raises(ArmError, match="about: there is no choice named 'centre'"):
        symbolic(arm, about="centre")
    with pytest.raises(ArmError, match="zeros: there is no choice named 'gone'"):
        symbolic(arm, zeros="gone")
    assert symbolic(arm, *GROUPS) == symbolic(arm)


def test_a_symbolic_arm_can_be_saved_and_read(tmp_path):
    arm = symbolic(la.load("panda"))
    la.save(arm, tmp_path / "panda.toml")
    assert_same_arm(la.load(tmp_path / "panda.toml"), arm)
