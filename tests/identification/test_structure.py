"""Which combinations of parameters the equations see: counts of known arms on both routes, roundings of pi, identities."""

from __future__ import annotations

import math
import random
import struct
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.formats.urdf.reader import arm_from_urdf
from leverarm.formats.urdf.writer import urdf_from_arm
from leverarm.identification.modelling.modelled_arm import Coupling, with_couplings
from leverarm.identification.structure import ALL_KINDS, squared_up, structure, with_drives, with_two_way_friction
from leverarm.identification.structure.exact_route import exact_structure, geometry_of
from leverarm.identification.structure.numeric_route import numeric_structure
from leverarm.identification.structure.squaring import multiple, rounded_multiple
from leverarm.model import Arm, Body, Friction, Joint, JointKind, Motor, Placement, to_float
from leverarm.model.symbolic import symbolic
from leverarm.spatial import Vec3
from tests.support.paths import DATA
from tests.support.random_arms import mass_properties, random_arm

TX40 = DATA / "tx40_figaroh" / "tx40_mdh_modified.urdf"
SIX, SEVEN = (36, 40, 58), (43, 48, 69)
COUNTS = {
    "ur5": SIX, "ur10": SIX, "puma560": SIX, "tx40": SIX, "panda": SEVEN, "lwr": SEVEN,
    "stanford": (33, 37, 55), "scara": (8, 11, 22), "elbow": (6, 7, 13),
}  # fmt: skip
"""Inertial, with rotors, with friction and offsets."""
STAGES = (ALL_KINDS[:1], ALL_KINDS[:2], ALL_KINDS)


def load(name: str) -> Arm:
    if name == "tx40" and not TX40.exists():
        pytest.skip("the TX40's description is not on this computer")
    return with_two_way_friction(with_drives(la.load(TX40 if name == "tx40" else name)))


def re_angled(arm: Arm, written) -> Arm:
    """The arm with the angles of its joints written otherwise."""

    def joint(j: Joint) -> Joint:
        rpy = Vec3(*(written(to_float(part, arm.defaults)) for part in j.placement.rpy))
        return replace(j, placement=Placement(j.placement.xyz, rpy))

    return replace(arm, bodies=tuple(replace(body, joint=joint(body.joint)) for body in arm.bodies))


def error_of(arm: Arm, found, states: int = 12) -> float:
    """The largest entry of W - W_b R, over the largest of W."""
    rng = np.random.default_rng(5)
    W = np.vstack([la.regressor(arm, *rng.uniform(-2, 2, (3, arm.dof)), list(found.kinds)) for _ in range(states)])
    return float(np.abs(W - W[:, list(found.base)] @ found.regrouping).max() / np.abs(W).max())


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_known_arms_on_both_routes(name):
    arm = load(name)
    geometry = geometry_of(arm)
    for kinds, count in zip(STAGES, COUNTS[name], strict=True):
        proven, measured = exact_structure(geometry, kinds), numeric_structure(geometry, kinds)
        assert (len(proven), len(measured)) == (count, count)
        assert (proven.how, measured.how) == ("exact", "numeric")
        assert proven.names == measured.names == tuple(la.quantities.parameter_names(arm, kinds))
        assert proven.base_names == measured.base_names
        assert np.array_equal(proven.regrouping.any(axis=0), measured.regrouping.any(axis=0)), "what has no effect"
        scale = np.abs(proven.regrouping).max()
        np.testing.assert_allclose(measured.regrouping, proven.regrouping, rtol=0, atol=1e-11 * scale)
        assert error_of(arm, proven) < 1e-12  # angles of a file within 1e-9 of a right one are read as right


WAYS = {
    "the angle rounded": lambda digits, x: float(f"{x:.{digits}g}"),
    "pi rounded": lambda digits, x: x / math.pi * round(math.pi, digits - 1),
    "pi cut off": lambda digits, x: x / math.pi * math.trunc(math.pi * 10 ** (digits - 1)) / 10 ** (digits - 1),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", COUNTS)
def test_rounded_angles_change_no_count(name, way):
    """pi to 4..11 digits; the geometry is the same as with pi itself, so both routes see the same arm."""
    arm = load(name)
    exact = geometry_of(arm)
    multiples = re_angled(arm, lambda x: round(x / math.pi * 12) / 12 * math.pi)
    for digits in range(4, 12):
        rounded = re_angled(multiples, partial(WAYS[way], digits))
        assert geometry_of(rounded) == exact
        assert [len(structure(rounded, kinds)) for kinds in STAGES] == list(COUNTS[name])


@pytest.mark.parametrize("digits", [4, 5, 7, 9])
def test_rounded_angles_in_a_file_change_no_count(digits):
    arm = arm_from_urdf(urdf_from_arm(re_angled(load("panda"), lambda x: float(f"{x:.{digits}g}"))))
    assert len(structure(arm)) == 69
    squared, notes = squared_up(arm)
    assert [(note.level, note.where) for note in notes] == [("note", "angles")]
    assert "joint 'joint2' rpy x = -1.57" in notes[0].message
    assert "(-pi/2)" in notes[0].message
    assert len(numeric_structure(geometry_of(squared), ("inertial",))) == 43
    assert error_of(squared, structure(arm)) < 1e-12 < error_of(arm, structure(arm))


SINGLE = struct.unpack("f", struct.pack("f", math.pi / 2))[0]


@pytest.mark.parametrize(
    ("angle", "k"),
    [
        (1.57, 6), (3.14, 12), (6.28, 24), (-4.71, -18), (1.571, 6), (1.5707, 6), (1.5708, 6), (3.1415, 12), (-3.142, -12), (4.712, 18),
        (1.570795, 6), (SINGLE, 6), (0.785, 3), (0.7854, 3), (0.7855, 3), (2.356, 9), (2.3565, 9), (1.0472, 4), (3.1416 / 3, 4), (0.2618, 1),
        (math.pi / 12, 1), (0.0, 0), (3.7e-6, 0), (-7.3e-6, 0), (1.57079632679, 6),
    ],
)  # fmt: skip
def test_digits_tell_a_rounded_multiple(angle, k):
    assert rounded_multiple(angle) == k
    assert math.isclose(to_float(multiple(k), {}), k * math.pi / 12)


@pytest.mark.parametrize(
    "angle", [1.58, 1.5703, 1.5731, 1.56, 1.5, 1.0, -1.1, 0.3, 0.26, 0.52, 0.79, 0.001, 2e-5, 1.57081, 1.5708201, 3.1401, 0.7851, 1e40]
)  # fmt: skip
def test_other_angles_are_what_they_are(angle):
    assert rounded_multiple(angle) is None


def calibrated(arm: Arm, size: float) -> Arm:
    rng = random.Random(3)
    return re_angled(arm, lambda x: round(x + rng.uniform(-size, size), 8))


@pytest.mark.parametrize("size", [1e-2, 1e-3])
def test_a_calibrated_arm_keeps_its_angles(size):
    """Angles of a real arm are not those of its drawing: no two axes are parallel, and each counts."""
    arm = calibrated(load("ur5"), size)
    assert squared_up(arm) == (arm, ())
    found = structure(arm)
    assert found.how == "numeric"
    assert len(found) == 61
    assert error_of(arm, found) < 1e-8  # coefficients as small as 1e-9 are taken as zero where axes are nearly parallel


@pytest.mark.parametrize("seed", range(30))
def test_base_columns_times_regrouping_are_the_regressor(seed):
    """On trees with every kind of joint, odd angles, oblique axes, couplings, rotors and two-sided friction."""
    arm = random_arm(seed, joints=2 + seed % 5)
    found = structure(arm)
    assert found.names == tuple(la.quantities.parameter_names(arm, ALL_KINDS))
    assert error_of(arm, found) < 1e-11
    assert np.array_equal(found.regrouping[:, list(found.base)], np.eye(len(found)))
    rng = np.random.default_rng(1)
    count = 3 * len(found.names) // arm.dof
    W = np.vstack([la.regressor(arm, *rng.uniform(-2, 2, (3, arm.dof)), list(ALL_KINDS)) for _ in range(count)])
    W = W[:, list(found.base)]
    sizes = np.linalg.svd(W / np.abs(W).max(axis=0), compute_uv=False)
    assert sizes[-1] > 1e-9 * sizes[0]  # the base columns are independent; that they span the others is above


def test_special_odd_angles_are_seen_by_numbers():
    """Roll and yaw about one axis, at a pitch of pi/2: only their difference counts, here a right angle."""
    rng = random.Random(4)

    def chain(rpy: Vec3) -> Arm:
        first = Body("a", "base", Joint("q1", JointKind.REVOLUTE), mass_properties(rng))
        second = Joint("q2", JointKind.REVOLUTE, Placement(Vec3(0.3, 0.2, 0.1), rpy))
        return Arm("two", (first, Body("b", "a", second, mass_properties(rng))))

    plain, odd = chain(Vec3(-math.pi / 2, math.pi / 2, 0)), chain(Vec3(0.4, math.pi / 2, 0.4 + math.pi / 2))
    assert structure(plain).how == "exact"
    assert structure(odd).how == "numeric"
    assert structure(odd).base == structure(plain).base
    np.testing.assert_allclose(structure(odd).regrouping, structure(plain).regrouping, atol=1e-12)


def test_geared_joints_are_found_by_numbers():
    leader = Joint("q1", JointKind.REVOLUTE, friction=Friction())
    follower = Joint("q2", JointKind.REVOLUTE, Placement(Vec3(1, 0, 0)), coupling=(("q1", Fraction(1, 2)),))
    rng = random.Random(2)
    arm = Arm(
        "geared", (Body("a", "base", leader, mass_properties(rng)), Body("b", "a", follower, mass_properties(rng)))
    )
    found = structure(arm, ("inertial", "viscous"))
    assert found.how == "numeric"
    assert combination(found, "q1.viscous") == pytest.approx({"q1.viscous": 1, "q2.viscous": 0.25})
    assert error_of(arm, found) < 1e-12


def combination(found, name: str) -> dict[str, float]:
    """The parameters in the base parameter of this name, and their factors."""
    row = found.regrouping[found.base_names.index(name)]
    return {found.names[k]: float(row[k]) for k in np.flatnonzero(row)}


def test_combinations_of_the_puma():
    found = structure(la.load("puma560"), ("inertial",))
    assert combination(found, "link6.Ixx") == {"link6.Ixx": 1, "link6.Iyy": -1}
    assert combination(found, "link3.hy") == pytest.approx(
        {"link3.hy": 1, "link4.m": 0.4318, "link4.hz": 1, "link5.m": 0.4318, "link6.m": 0.4318}
    )
    assert combination(found, "link5.Izz") == {"link5.Izz": 1, "link6.Iyy": 1}
    without_effect = np.flatnonzero(~found.regrouping.any(axis=0))[:4]
    assert [found.names[k] for k in without_effect] == ["link1.m", "link1.hx", "link1.hy", "link1.hz"]


def test_masses_friction_and_symbols_do_not_matter():
    arm = la.load("panda")
    found = structure(arm, ("inertial",))
    heavier = replace(arm, bodies=tuple(replace(b, mass_properties=la.MassProperties(7)) for b in arm.bodies))
    assert structure(heavier, ("inertial",)) is found
    assert structure(symbolic(arm, "inertia", "geometry"), ("inertial",)) is found
    with pytest.raises(ValueError, match="read-only"):
        found.regrouping[0, 0] = 2.0


def test_every_free_joint_gets_a_drive():
    given = Joint("q1", JointKind.REVOLUTE, motor=Motor(0.1, 50), friction=Friction(1, 2))
    follower = Joint("q3", JointKind.REVOLUTE, coupling=(("q1", 2),))
    bodies = (
        Body("a", "base", given),
        Body("b", "a", Joint("q2", JointKind.PRISMATIC)),
        Body("c", "b", follower),
        Body("d", "c", Joint("weld", JointKind.FIXED)),
    )
    first, second, third, fourth = (body.joint for body in with_drives(Arm("mixed", bodies)).bodies)
    assert first == given
    assert (second.motor, second.friction) == (Motor(0, 1), Friction())
    assert (third, fourth) == (follower, bodies[3].joint)


@pytest.mark.parametrize("name", ["tx40", "ur5"])
def test_a_coupled_wrist_has_three_parameters_more(name):
    """The sixth motor also turns with joint 5: its rotor, viscous and Coulomb friction, besides those of joint 6."""
    plain = load(name)
    arm = replace(plain, bodies=tuple(replace(b, joint=replace(b.joint, motor=None)) for b in plain.bodies))
    wrist = with_drives(with_couplings(arm, [Coupling(5, 4, 1.0)]))
    assert with_drives(wrist) == wrist
    geometry, (fifth, sixth) = geometry_of(wrist), arm.coordinates[4:]
    for find in (exact_structure, numeric_structure):
        assert [len(find(geometry, kinds)) for kinds in STAGES] == [36, 41, 61]
    names = structure(wrist).base_names
    assert {f"{sixth}_gear.rotor", f"{sixth}.rotor", f"{sixth}.motor_viscous", f"{sixth}.motor_coulomb"} <= set(names)
    assert {f"{fifth}.rotor", f"{fifth}.viscous", f"{sixth}.viscous", f"{sixth}.coulomb"} <= set(names)
    assert error_of(wrist, structure(wrist)) < 1e-12
    motors = {body.joint.name: body.joint.motor for body in wrist.bodies}
    assert motors[sixth] == Motor(0, 1, ((fifth, 1.0),))


def test_two_sided_friction_has_numbers_of_its_own():
    """Forward and backward Coulomb friction and an offset are two things a torque can tell, not three."""
    assert len(structure(with_drives(la.load("puma560")))) == 40 + 12 + 6 + 6


def test_small_lengths_and_tilted_axes_are_rounding():
    arm = la.load("ur5")
    first, second, *others = arm.bodies
    tilted = replace(first.joint, axis=Vec3(-3.67e-6, 0, 1.0))
    moved = replace(second.joint, placement=replace(second.joint.placement, xyz=Vec3(4e-7, 0.13585, 6e-17)))
    written = replace(arm, bodies=(replace(first, joint=tilted), replace(second, joint=moved), *others))
    squared, notes = squared_up(written)
    assert [note.where for note in notes] == ["axes", "lengths"]
    assert squared.bodies[0].joint.axis == Vec3(0, 0, 1)
    assert squared.bodies[1].joint.placement.xyz == Vec3(0, 0.13585, 0)
    assert "4e-07 (0)" in notes[1].message
    assert "6e-17" not in notes[1].message


def test_an_axis_in_a_plane_is_turned_to_the_angle_it_was_written_for():
    oblique = Joint("q1", JointKind.REVOLUTE, axis=Vec3(0.866, 0, -0.5))
    squared, notes = squared_up(Arm("one", (Body("a", "base", oblique),)))
    assert list(squared.bodies[0].joint.axis) == pytest.approx([math.sqrt(3) / 2, 0, -0.5], abs=1e-15)
    assert notes[0].where == "axes"
    real = Joint("q1", JointKind.REVOLUTE, axis=Vec3(0.8671, 0, -0.4981))
    assert squared_up(Arm("one", (Body("a", "base", real),)))[1] == ()


def test_unknown_kinds_are_named():
    with pytest.raises(InputError, match="kind of parameter named 'rotors'; did you mean 'rotor'"):
        structure(la.load("rr"), ("rotors",))


def test_no_parameters_have_no_structure():
    assert len(structure(la.load("ur5"), ("rotor",))) == 0
    assert len(numeric_structure(geometry_of(la.load("ur5")), ("rotor",))) == 0
