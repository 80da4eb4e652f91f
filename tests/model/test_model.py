"""Arms are complete and checked, or not built; expressions read back as they print."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import leverarm as la
from leverarm import mechanics as me
from leverarm.errors import ArmError, ExpressionError
from leverarm.formats.native import arm_from_toml, toml_from_arm
from leverarm.model import (  # fmt: skip
    PI,
    Arm,
    Body,
    Frame,
    Friction,
    Joint,
    JointKind,
    MassProperties,
    Motor,
    Placement,
    bind,
    format_quantity,
    parse_quantity,
    symbol,
    to_float,
)
from leverarm.model.expression import add, call, divide, multiply, negate, power, subtract
from leverarm.scalars import RATIONAL
from leverarm.spatial import Symmetric3, Vec3
from tests.support.random_arms import float_state, random_arm

literals = st.one_of(
    st.integers(-50, 50),
    st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-6),
    st.fractions(-9, 9, max_denominator=20),
)
leaves = st.one_of(literals, st.sampled_from([symbol("m1"), symbol("L_2"), PI]))


def _nodes(children):
    pairs = st.tuples(children, children)
    nonzero = children.filter(lambda x: x != 0)
    return st.one_of(
        pairs.map(lambda p: add(*p)),
        pairs.map(lambda p: subtract(*p)),
        pairs.map(lambda p: multiply(*p)),
        st.tuples(children, nonzero).map(lambda p: divide(*p)),
        st.tuples(children, st.integers(2, 4)).map(lambda p: power(*p)),
        children.map(negate),
        st.tuples(st.sampled_from(["cos", "sin"]), children).map(lambda p: call(*p)),
    )


@given(st.recursive(leaves, _nodes, max_leaves=12))
def test_printed_expressions_read_back_equal(quantity):
    assert parse_quantity(format_quantity(quantity)) == quantity


@pytest.mark.parametrize(
    ("text", "value"),
    [("pi/2", math.pi / 2), ("-pi", -math.pi), ("90 deg", math.pi / 2), ("-30°", -math.pi / 6), ("2^3", 8), ("1/12", 1 / 12),
     ("-2^2", -4), ("2*(3 - 1)/4", 1), ("sqrt(16) - 1e-1", 3.9), ("2**-1", 0.5), ("cos(pi)", -1), (".5", 0.5)],
)  # fmt: skip
def test_expression_values(text, value):
    assert to_float(parse_quantity(text), {}) == pytest.approx(value, abs=1e-15)


def test_whole_numbers_divide_exactly():
    assert parse_quantity("1/12") == Fraction(1, 12)


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "expected a number"), ("m1 +", "found the end"), ("(1", "expected ')'"), ("2 x", "expected an operator"), ("a$b", "'$'"),
     ("__import__('os')", "does not belong"), ("1/0", "divided by zero"), ("2^99", "too large"), ("x^y", "whole number"),
     ("sin 3", "'(' after sin"), ("1e999", "not a finite"), ("(" * 500, "nested more"), ("x+" * 2000 + "1", "deep"), ("1+" * 40000 + "1", "too long"), ("9" * 3000, "not a finite"),
     ("-" * 200 + "1", "nested more"), ("deg", "cannot name a symbol")],
)  # fmt: skip
def test_expression_errors(text, says):
    with pytest.raises(ExpressionError, match=r".") as error:
        parse_quantity(text)
    assert says in str(error.value)


def link(name="link", parent="base", **joint):
    fields = {"name": f"j_{name}", "kind": JointKind.REVOLUTE} | joint
    return Body(name, parent, Joint(**fields), MassProperties(1.0, Vec3(0.5, 0, 0), Symmetric3(1, 0, 1, 0, 0, 1)))


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: Arm("a", ()), "at least one body"),
        (lambda: Arm("a", (link("x", "y"), link("y", "x"))), "form a cycle"),
        (lambda: Arm("a", (link("x", "bass"),)), "did you mean 'base'"),
        (lambda: Arm("a", (link("x"), link("x"))), "name 'x'"),
        (lambda: Arm("a", (replace(link(), mass_properties=MassProperties(-1.0)),)), "mass -1 kg"),
        (lambda: Arm("a", (link(axis=Vec3(0, 0, 0)),)), "axis of length zero"),
        (lambda: Arm("a", (link(placement=Placement(Vec3(0, math.nan, 0))),)), "xyz y is nan"),
        (lambda: Arm("a", (link(placement=Placement(Vec3(symbol("L1"), 0, 0))),)), "uses 'L1'"),
        (lambda: Arm("a", (link(),), named_frames=(Frame("tool", "lnik"),)), "did you mean 'link'"),
        (lambda: Arm("a", (link(coupling=(("nobody", 2),)),)), "unknown coordinate"),
        (lambda: Arm("a", (link(kind=JointKind.FIXED),)), "no joint that moves"),
        (lambda: Arm("a", (link(pitch=0.1),)), "only a helical joint"),
        (lambda: Arm("a", (link(friction=Friction(viscous=-1)),)), "viscous friction is -1"),
        (lambda: Arm("a", (link(friction=Friction(smoothing=0)),)), "must be positive"),
        (lambda: Arm("a", (link(motor=Motor(-0.1)),)), "rotor inertia"),
        (lambda: Arm("a", (link(offset=1.0),)), "no coupling"),
        (lambda: Arm("a", (link(),), symbols=(("pi", 3.0),)), "cannot name a symbol"),
        (lambda: la.lock(la.load("elbow"), {"theta3": 0}), "did you mean 'theta"),
        (lambda: la.with_values(la.load("elbow"), m3=1.0), "did you mean 'm"),
        (lambda: la.bind(la.load("elbow"), RATIONAL, {"mass": 1}), "no symbol named 'mass'"),
    ],
)
def test_arm_errors(build, says):
    with pytest.raises(ArmError) as error:
        build()
    assert says in str(error.value)


def test_bodies_are_put_in_tree_order():
    arm = Arm("a", (link("c", "b"), link("b", "a"), link("a"), link("d", "a")))
    assert [body.name for body in arm.bodies] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("seed", range(40))
def test_native_format_round_trip_is_exact(seed):
    arm = random_arm(seed)
    assert arm_from_toml(toml_from_arm(arm)) == arm


@pytest.mark.parametrize("name", la.catalog_names())
def test_catalog_arms(name):
    arm = la.load(name)
    assert arm.name == name
    assert arm.title and arm.source and arm.licence
    assert "tool" in arm.frames
    assert arm_from_toml(toml_from_arm(arm)) == arm
    hash(arm)


def hand(coupling):
    """Three fingers, one that follows, and a fixed palm."""
    fingers = [Body(f"f{k}", "base", Joint(f"finger{k}", JointKind.PRISMATIC), MassProperties(1.0)) for k in (1, 2, 4)]
    third = Body("f3", "base", Joint("finger3", JointKind.PRISMATIC, coupling=coupling), MassProperties(1.0))
    palm = Body("palm", "base", Joint("mount", JointKind.FIXED), MassProperties(1.0))
    return Arm("hand", (*fingers, third, palm))


@pytest.mark.parametrize(
    ("coupling", "says"),
    [
        (
            (("finger1", 1),),
            "joint 'finger3' follows 'finger1', so it has no position of its own. Lock 'finger1' instead.",
        ),
        (
            (("finger1", 1), ("finger2", -2)),
            "joint 'finger3' follows 'finger1' and 'finger2', so it has no position of its own. "
            "Lock 'finger1' and 'finger2' instead.",
        ),
    ],
)
def test_locking_a_joint_that_follows_says_which_to_lock_instead(coupling, says):
    with pytest.raises(ArmError) as error:
        la.lock(hand(coupling), {"finger3": 0.01})
    assert str(error.value) == f"arm 'hand', lock: {says}"
    held = la.lock(hand(coupling), {leader: 0.01 for leader, _ in coupling})
    assert not any(body.joint.coupling for body in held.bodies)


def test_locking_a_joint_that_does_not_move():
    with pytest.raises(ArmError, match=r"joint 'mount' does not move. Lock one that does: finger1, finger2, finger4\."):
        la.lock(hand((("finger1", 1),)), {"mount": 0})


@pytest.mark.parametrize("seed", range(20))
def test_locking_is_the_arm_at_rest_there(seed):
    """A locked joint: the remaining forces are those of the free arm with that joint held still."""
    arm = random_arm(seed, joints=5)
    held = arm.joint_names[seed % arm.dof]
    locked = la.lock(arm, {held: 0.4})
    assert held not in locked.joint_names
    q, qd, qdd = (dict(zip(arm.joint_names, part, strict=True)) for part in float_state(arm, seed))
    q[held], qd[held], qdd[held] = 0.4, 0.0, 0.0
    if not locked.joint_names:
        return
    free = me.inverse_dynamics(bind(arm), *([part[n] for n in arm.joint_names] for part in (q, qd, qdd)))
    kept = me.inverse_dynamics(bind(locked), *([part[n] for n in locked.joint_names] for part in (q, qd, qdd)))
    expected = [f for n, f in zip(arm.joint_names, free, strict=True) if n != held]
    dropped = next(b.joint.friction for b in arm.bodies if b.joint.name == held)
    if dropped is None or not dropped.offset:
        assert np.allclose(kept, expected, rtol=1e-11, atol=1e-9)


def test_geared_wrist_in_motor_coordinates():
    """Coordinates that are motor angles: joints = G motors, and the forces are those of the plain arm through G^T."""
    plain = random_arm(3, joints=3, serial=True, kinds=(JointKind.REVOLUTE,))
    bodies = tuple(
        replace(b, joint=replace(b.joint, coupling=None, offset=0, motor=None, friction=None)) for b in plain.bodies
    )
    plain = replace(plain, bodies=bodies, coordinates=tuple(b.joint.name for b in bodies if not b.joint.is_fixed))
    names = plain.joint_names
    couplings = {names[0]: (("m0", 0.5),), names[1]: (("m1", 0.1),), names[2]: (("m1", -0.1), ("m2", 0.2))}
    geared = replace(
        plain,
        bodies=tuple(replace(b, joint=replace(b.joint, coupling=couplings.get(b.joint.name))) for b in bodies),
        coordinates=("m0", "m1", "m2"),
    )
    G = np.array([[0.5, 0, 0], [0, 0.1, 0], [0, -0.1, 0.2]])
    m, md, mdd = np.array([[0.3, 1.0, -2.0], [1.0, -3.0, 0.7], [0.2, 2.0, 5.0]])
    joint_tau = la.inverse_dynamics(plain, G @ m, G @ md, G @ mdd)
    assert np.allclose(la.inverse_dynamics(geared, m, md, mdd), G.T @ joint_tau, rtol=1e-12)
    assert np.allclose(la.mass_matrix(geared, m), G.T @ la.mass_matrix(plain, G @ m) @ G, rtol=1e-12)
    assert np.allclose(
        la.coriolis_matrix(geared, m, md), G.T @ la.coriolis_matrix(plain, G @ m, G @ md) @ G, rtol=1e-12
    )
    assert np.allclose(la.forward_dynamics(geared, m, md, G.T @ joint_tau), mdd, rtol=1e-9)


def test_a_motor_that_turns_with_two_joints():
    """Its rotor adds J N^T N, also off the diagonal."""
    bodies = (link("a"), link("b", "a", motor=Motor(0.01, 32, (("j_a", 5),))))
    with_motor = Arm("a", bodies)
    without = Arm("a", (link("a"), link("b", "a")))
    extra = la.mass_matrix(with_motor, [0.1, 0.2]) - la.mass_matrix(without, [0.1, 0.2])
    assert np.allclose(extra, 0.01 * np.outer([5, 32], [5, 32]), rtol=1e-12)


@pytest.mark.parametrize("speed", [-0.7, 0.0, 0.4])
def test_friction_forms(speed):
    def torque(friction):
        return la.friction(Arm("a", (link(friction=friction),)), [speed])[0]

    sign = float(np.sign(speed))
    assert torque(Friction(2.0, 3.0)) == pytest.approx(2 * speed + 3 * sign)
    back = 5.0 * speed - 7.0 if speed < 0 else 2 * speed + 3 * sign
    assert torque(Friction(2.0, 3.0, 5.0, 7.0)) == pytest.approx(back)
    assert torque(Friction(2.0, 3.0, smoothing=0.1)) == pytest.approx(2 * speed + 3 * math.tanh(speed / 0.1))
    s = math.tanh(speed / 0.1)
    blend = (2 * (1 + s) / 2 + 5 * (1 - s) / 2) * speed + (3 * (1 + s) / 2 + 7 * (1 - s) / 2) * s
    assert torque(Friction(2.0, 3.0, 5.0, 7.0, smoothing=0.1)) == pytest.approx(blend)
    assert torque(Friction(offset=0.5)) == 0.5


def test_planar_builder_makes_the_sources_arms():
    elbow = la.planar("RR", lengths=["a1", "a2"], masses=["m1", "m2"], values={"a1": 1.0, "a2": 1.0})
    q, qd, qdd = [0.3, -0.4], [1.0, 2.0], [-0.5, 0.2]
    assert np.allclose(la.inverse_dynamics(elbow, q, qd, qdd), la.inverse_dynamics(la.load("elbow"), q, qd, qdd))
    rp = la.planar("RP", masses=["m1", "m2"], inertias=["I1", "I2"])
    reference = la.with_values(la.load("rp"), m1=1.0, m2=1.0, L1=1.0, I1=1.0, I2=1.0)
    assert np.allclose(la.inverse_dynamics(rp, q, qd, qdd), la.inverse_dynamics(reference, q, qd, qdd))
    with pytest.raises(ArmError, match="'X' is no joint"):
        la.planar("RX")
    with pytest.raises(ArmError, match="list of 2"):
        la.planar("RR", masses=[1])


def test_bodies_by_their_shape():
    text = """leverarm = 1
name = "bar"
[symbols]
m = 3.0
L = 2.0
[[body]]
name = "bar"
[body.shape]
kind = "rod"
length = "L"
mass = "m"
xyz = ["L/2", 0, 0]
rpy = [0, "pi/2", 0]
[body.joint]
name = "swing"
kind = "revolute"
axis = [0, 1, 0]
"""
    arm = arm_from_toml(text)
    assert la.mass_matrix(arm, [0.3]) == pytest.approx(3.0 * 2.0**2 / 3)
    longer = la.with_values(arm, L=4.0)
    assert la.mass_matrix(longer, [0.3]) == pytest.approx(3.0 * 4.0**2 / 3)
    assert arm_from_toml(toml_from_arm(arm)) == arm
    for change, says in (
        ('length = "L"', "'length' is missing"), ('mass = "m"', "mass"), ('kind = "rod"\nlength', "kind"),
    ):  # fmt: skip
        with pytest.raises(la.LeverarmError, match=says):
            arm_from_toml(text.replace(change.split("\n")[0], ""))
    with pytest.raises(la.LeverarmError, match="both given"):
        arm_from_toml(text.replace("[body.shape]", "mass = 1\n[body.shape]"))


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (("mass = \"m1\"", "mas = \"m1\""), 18, "did you mean 'mass'"),
        (("mass = \"m1\"", "mass = true"), 18, "mass: True was given"),
        (("mass = \"m1\"", "mass = \"m1 +\""), 18, "found the end"),
        (("com = [\"a1\", 0, 0]", "com = [1, 2]"), 19, "three numbers"),
        (("kind = \"revolute\"", "kind = \"revolut\""), 22, "did you mean 'revolute'"),
        (("leverarm = 1", "leverarm = 9"), 1, "schema version"),
        (("m1 = 1.0", "m1 = \"x\""), 9, "a default value is a number"),
        (("[symbols]", "[symbols"), 8, "not valid TOML"),
    ],
)  # fmt: skip
def test_native_format_errors_name_the_line(change, line, says):
    from importlib.resources import files

    text = (files("leverarm") / "formats" / "catalog" / "elbow.toml").read_text()
    assert change[0] in text
    with pytest.raises(la.LeverarmError) as error:
        arm_from_toml(text.replace(*change, 1), "my.toml")
    assert says in str(error.value)
    assert str(error.value).startswith(f"my.toml:{line}: ")


def test_puma560_has_the_published_numbers():
    """Mass matrix and gravity at the nominal pose as Corke's Robotics Toolbox prints them (motors included)."""
    puma, nominal = la.load("puma560"), [0, math.pi / 4, math.pi, 0, math.pi / 4, 0]
    assert np.diag(la.mass_matrix(puma, nominal)).round(4).tolist() == [3.6594, 4.4137, 0.9378, 0.1925, 0.1713, 0.1941]
    assert la.gravity(puma, nominal) == pytest.approx([0, 31.6399, 6.0351, 0, 0.0283, 0], abs=5e-5)
