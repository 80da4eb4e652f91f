"""Between DH, screws, URDF and TOML a converted arm is the same arm: equal poses, M, C, g and torques to 1e-12."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import leverarm as la
from tests.support.springs import sprung

ENDINGS = (".dh.toml", ".csv", ".screws.toml", ".urdf", ".toml")


def assert_same_arm(a: la.Arm, b: la.Arm) -> None:
    assert a.joint_names == b.joint_names
    rng = np.random.default_rng(7)
    for _ in range(5):
        q, qd, qdd = rng.uniform(-2, 2, (3, a.dof))
        for ours, theirs in (
            (la.inverse_dynamics(a, q, qd, qdd), la.inverse_dynamics(b, q, qd, qdd)),
            (la.mass_matrix(a, q), la.mass_matrix(b, q)),
            (la.coriolis_matrix(a, q, qd), la.coriolis_matrix(b, q, qd)),
            (la.gravity(a, q), la.gravity(b, q)),
            (la.friction(a, qd), la.friction(b, qd)),
            (la.forward_kinematics(a, q, "tool"), la.forward_kinematics(b, q, "tool")),
        ):
            assert np.abs(ours - theirs).max() <= 1e-12 * np.abs(ours).max(initial=0)


@pytest.mark.parametrize("name", ["puma560", "panda"])
@pytest.mark.parametrize("route", list(permutations(ENDINGS, 2)), ids="".join)
def test_every_pair_of_formats(name, route, tmp_path):
    """The arm written in one format, read, written in another and read again."""
    original = la.load(name)
    arm = original
    for ending in route:
        la.save(arm, tmp_path / f"arm{ending}")
        arm = la.load(tmp_path / f"arm{ending}")
    assert_same_arm(original, arm)


@pytest.mark.parametrize("name", ["puma560", "panda"])
def test_the_long_way_round(name, tmp_path):
    """DH, screws, URDF, TOML and back, three times over: the digits do not drift."""
    original = arm = la.load(name)
    for _ in range(3):
        for ending in ENDINGS:
            la.save(arm, tmp_path / f"arm{ending}")
            arm = la.load(tmp_path / f"arm{ending}")
    assert_same_arm(original, arm)


def test_builders_agree_with_files():
    puma = la.load("puma560")
    for convention in ("standard", "modified"):
        table = la.to_dh(puma, convention)
        again = la.from_dh(table.rows, convention, base=table.base, tool=table.tool, gravity=table.gravity)
        assert_same_arm(puma, again)
    for form in ("space", "body"):
        screws = la.to_screws(la.load("panda"), form)
        assert len(screws.screws) == 7


def test_a_tree_goes_through_urdf_and_toml_but_not_through_a_table(tmp_path):
    torso = la.load("torso")
    for ending in (".urdf", ".toml"):
        la.save(torso, tmp_path / f"arm{ending}")
        assert_same_arm(torso, la.load(tmp_path / f"arm{ending}"))
    for ending in (".csv", ".dh.toml", ".screws.toml"):
        with pytest.raises(la.LeverarmError, match=r"branches off.*\.urdf"):
            la.save(torso, tmp_path / f"tree{ending}")
        assert not (tmp_path / f"tree{ending}").exists()


def test_nothing_is_half_written(tmp_path):
    target = tmp_path / "arm.csv"
    target.write_text("precious")
    with pytest.raises(la.LeverarmError):
        la.save(la.load("torso"), target)
    assert target.read_text() == "precious"
    assert [p.name for p in tmp_path.iterdir()] == ["arm.csv"]
    with pytest.raises(la.LeverarmError, match="can be read but not written"):
        la.save(la.load("elbow"), tmp_path / "arm.xml")
    with pytest.raises(la.LeverarmError, match="cannot be written"):
        la.save(la.load("elbow"), tmp_path / "nowhere" / "arm.toml")


def test_springs_go_through_every_format(tmp_path):
    """Also where rests are written in degrees, or one joint alone has a spring."""
    original = sprung(la.load("stanford"), 3)
    assert 1 < sum(body.joint.spring is not None for body in original.bodies) < original.dof
    arm = original
    for ending in ENDINGS:
        la.save(arm, tmp_path / f"arm{ending}")
        arm = la.load(tmp_path / f"arm{ending}")
        springs = [body.joint.spring for body in arm.bodies if body.joint.kind.moves]
        expected = [body.joint.spring for body in original.bodies if body.joint.kind.moves]
        for spring, own in zip(springs, expected, strict=True):
            assert (spring and (float(spring.stiffness), float(spring.rest))) == (
                own and (float(own.stiffness), float(own.rest))
            )
    assert_same_arm(original, arm)
    table = "joint,kind,theta,d,a,alpha,mass,spring_stiffness,spring_rest_deg\n1,R,0,0,1,0,1,12,90\n2,R,0,0,1,0,1,,\n"
    (tmp_path / "arm.csv").write_text(table)
    first, second = (body.joint.spring for body in la.load(tmp_path / "arm.csv").bodies)
    assert la.gravity(la.load(tmp_path / "arm.csv"), [np.pi / 2, 0])[0] == pytest.approx(0, abs=1e-12)
    assert first.stiffness == 12 and second is None
