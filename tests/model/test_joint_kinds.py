"""Every kind of joint says how it moves, and its motion, pitch and words follow from that."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

import leverarm as la
from leverarm.errors import FormatError
from leverarm.formats.native import arm_from_toml, toml_from_arm
from leverarm.model import Arm, Body, Joint, JointKind, MassProperties, bind, to_float
from leverarm.pictures import save_picture, terminal_picture
from leverarm.scalars import EXACT
from leverarm.spatial import Vec3

MOVING = [kind for kind in JointKind if kind.moves]


def arm_with(kind: JointKind) -> Arm:
    joint = Joint("q", kind, axis=Vec3(0, 0, 1), pitch=Fraction(1, 4) if kind.has_pitch else 0)
    return Arm("one", (Body("link", "base", joint, MassProperties(2, Vec3(1, 0, 0))),))


def test_a_kind_is_its_word():
    for kind in JointKind:
        assert JointKind(str(kind)) is kind and kind == str(kind) and pickle.loads(pickle.dumps(kind)) is kind
    assert JointKind.REVOLUTE == "revolute" and {JointKind.PRISMATIC: 1}["prismatic"] == 1
    with pytest.raises(ValueError, match="ball"):
        JointKind("ball")


@pytest.mark.parametrize("kind", MOVING)
def test_a_kind_moves_as_it_says(kind):
    arm = arm_with(kind)
    (link,) = bind(arm, EXACT).links
    advance = kind.advance(arm.bodies[0].joint.pitch)
    assert link.turns is kind.turns and float(link.slide) == pytest.approx(to_float(advance, {}))
    assert kind.pitch(advance) == arm.bodies[0].joint.pitch
    pose = la.forward_kinematics(arm, [0.5])["link"]
    assert pose[2, 3] == pytest.approx(0.5 * float(link.slide))
    assert (pose[0, 1] != 0) == kind.turns


@pytest.mark.parametrize("kind", MOVING)
def test_a_kind_goes_everywhere(kind, tmp_path):
    """Read from TOML, drawn, derived, simulated with its energy kept, and written in the formats that have a word."""
    arm = arm_from_toml(toml_from_arm(arm_with(kind)))
    assert arm.bodies[0].joint.kind is kind
    assert kind.traits.picture.symbol in str(terminal_picture(arm, 60, [0.2]))
    save_picture(arm, tmp_path / "one.svg", [0.2])
    assert f"q ({kind})" in (tmp_path / "one.svg").read_text()
    assert "Newton-Euler" in la.derive(arm).text()
    run = la.simulate(arm, [0.2], [0.3], until=0.2)
    assert run.energy.relative <= 1e-9
    for ending, has_word in ((".urdf", kind.traits.urdf), (".dh.toml", kind.traits.dh)):
        if has_word:
            la.save(arm, tmp_path / f"one{ending}")
            (moving,) = la.load(tmp_path / f"one{ending}").joint_names
            assert moving == "q"
        else:
            with pytest.raises(FormatError, match=f"is {kind}"):
                la.save(arm, tmp_path / f"one{ending}")
    la.save(arm, tmp_path / "one.screws.toml")
    again = la.load(tmp_path / "one.screws.toml")
    assert again.bodies[0].joint.kind is kind
    assert la.mass_matrix(again, [0.2]) == pytest.approx(la.mass_matrix(arm, [0.2]), rel=1e-12)
