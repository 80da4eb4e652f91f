"""The box of joint positions, and the constants that follow from coefficients: friction, disturbance, growth."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.model import Arm, Body, Friction, Joint, JointKind, Limits, MassProperties, Placement, parse_quantity
from leverarm.spatial import Symmetric3, Vec3
from leverarm.verify.table.bound_rows import disturbance_property
from leverarm.verify.table.box import HALF_TURN, Box, box_of
from leverarm.verify.table.exact_states import exact_states
from leverarm.verify.table.friction_bounds import friction_bounds, friction_properties
from leverarm.verify.table.growth import Powers, growth_of, growth_property
from leverarm.verify.table.identities import ENERGY, property_of
from leverarm.verify.table.property import Property
from leverarm.verify.table.velocity_terms import dissipation_of, dissipation_property, passivity_property
from tests.support.loaded_arms import under_load
from tests.support.random_arms import random_arm

ROUNDING = 1e-13
"""Of some dozens of floating-point operations without cancellation."""
BODY = MassProperties(2, Vec3(1, 0, 0), Symmetric3(1, 0, 1, 0, 0, 1))


def passivity_line(arm: Arm, box: Box) -> Property:
    states = exact_states(arm)
    return passivity_property(states, property_of(ENERGY, states), box)


def arm_of(*joints: Joint, symbols: tuple = ()) -> Arm:
    """A chain of equal bodies on these joints."""
    names = ["base", *(f"b{i}" for i in range(len(joints)))]
    placed = [replace(joint, placement=Placement(Vec3(1, 0, 0))) for joint in joints]
    bodies = tuple(Body(names[i + 1], names[i], joint, BODY) for i, joint in enumerate(placed))
    return Arm("chain", bodies, symbols=symbols)


def revolute(name: str, **fields) -> Joint:
    return Joint(name, JointKind.REVOLUTE, **fields)


def test_limits_make_the_box_and_symbols_in_them_take_their_values() -> None:
    reach = Limits(parse_quantity("-w/2"), parse_quantity("w"))
    box = box_of(arm_of(revolute("a", limits=reach), symbols=(("w", 1.5),)))
    assert (box.lower, box.upper, box.notes, box.missing) == ((-0.75,), (1.5,), (), ())


def test_a_turning_joint_without_limits_has_a_full_turn_and_a_sliding_one_none() -> None:
    box = box_of(la.load("polar"))
    assert box.lower == (-HALF_TURN, -math.inf)
    assert box.upper == (HALF_TURN, math.inf)
    assert box.missing == ("r",)
    assert not box.is_bounded
    assert box.notes == ("theta: no limits, so one full turn, which covers every pose.",)
    assert "box={'r': (low, high)}" in box.remedy
    assert math.pi < HALF_TURN
    given = box_of(la.load("polar"), {"r": (0.5, 2)})
    assert given.is_bounded
    assert given.remedy == ""
    assert (given.lower[1], given.upper[1]) == (0.5, 2.0)


def test_limits_wider_than_a_turn_are_cut_to_one_inside_them() -> None:
    wide = box_of(arm_of(revolute("a", limits=Limits(-2 * math.pi, 2 * math.pi))))
    assert (wide.lower, wide.upper) == ((-HALF_TURN,), (HALF_TURN,))
    high = box_of(arm_of(revolute("a", limits=Limits(1.0, 10.0))))
    assert high.lower == (1.0,)
    assert 1.0 + 2 * math.pi < high.upper[0] < 1.0 + 2 * math.pi + 1e-14
    one_sided = box_of(arm_of(revolute("a", limits=Limits(upper=1.0))))
    assert one_sided.upper == (1.0,)
    assert one_sided.lower[0] < 1.0 - 2 * math.pi
    screw = Joint("a", JointKind.HELICAL, pitch=0.1, limits=Limits(-20.0, 20.0))
    assert box_of(arm_of(screw)).upper == (20.0,)
    assert box_of(arm_of(Joint("a", JointKind.HELICAL, pitch=0.1))).missing == ("a",)


def test_a_coupled_joint_narrows_the_coordinate_it_follows() -> None:
    leader = revolute("a", limits=Limits(-3.0, 3.0))
    follower = revolute("b", coupling=(("a", -2),), offset=0.5, limits=Limits(-1.5, 4.5))
    box = box_of(arm_of(leader, follower))
    assert (box.lower, box.upper) == ((-2.0,), (1.0,))
    apart = revolute("b", coupling=(("a", 1),), limits=Limits(4.0, 5.0))
    with pytest.raises(InputError, match="leave it no position at all"):
        box_of(arm_of(leader, apart))
    assert box_of(arm_of(leader, apart), {"a": (0, 1)}).upper == (1.0,)
    half = revolute("b", coupling=(("a", 0.5),))
    assert box_of(arm_of(revolute("a"), half)).missing == ("a",)  # a full turn of a turns b half way round


def test_limits_that_bind_several_coordinates_are_left_out_and_said() -> None:
    both = revolute("c", coupling=(("a", 1), ("b", -1)), limits=Limits(-1.0, 1.0))
    box = box_of(arm_of(revolute("a"), revolute("b"), both))
    assert box.notes[-1] == "c: limits not used, because they bind several coordinates at once."


def test_a_range_may_be_given_by_name_or_for_all() -> None:
    arm = la.load("elbow")
    assert box_of(arm, [(0, 1), None]).upper == (1.0, HALF_TURN)
    assert box_of(arm, np.array([[0, 1], [-1, 1]])).lower == (0.0, -1.0)
    beyond = box_of(arm_of(revolute("a", limits=Limits(-1.0, 1.0))), {"a": (-2, 1)})
    assert beyond.notes == ("a: the given range goes beyond the limits, -57.2958° to 57.2958°.",)
    half_open = arm_of(revolute("a", limits=Limits(-1.0, None)))
    assert box_of(half_open, {"a": (-2, 1)}).notes == ("a: the given range goes beyond the limit.",)
    assert box_of(half_open, {"a": (-1 - 1e-12, 1)}).notes == ()
    assert box_of(arm, {"theta1": (1, 1)}).lower[0] == 1.0


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ({"theta": (0, 1)}, "did you mean 'theta1' or 'theta2'"),
        ({"theta1": (1, 0)}, "ends before it begins"),
        ({"theta1": (0, math.nan)}, "finite"),
        ({"theta1": (-math.inf, 0)}, "finite"),
        ({"theta1": 3}, "two numbers"),
        ({"theta1": ("a", "b")}, "two numbers"),
        ([(0, 1)], "a range .low, high. for each of theta1, theta2"),
        ("theta1", "for each of theta1, theta2"),
        (7, "for each of theta1, theta2"),
    ],
)
def test_ranges_that_are_none_are_refused(box: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        box_of(la.load("elbow"), box)


def excess(arm: Arm, v: float, k: float, qd: list[float]) -> float:
    """By how much ||F|| exceeds v ||qd|| + k."""
    return float(np.linalg.norm(la.friction(arm, qd)) - v * np.linalg.norm(qd) - k)


FRICTIONS = {
    "plain": (Friction(0.5, 0.3), Friction(0.2, 0.4)),
    "offset": (Friction(0.5, 0.3, offset=-0.1), Friction(0.2, 0.0, offset=0.7)),
    "asymmetric": (Friction(0.5, 0.3, 0.9, 0.1), Friction(0.2, 0.4, 0.1, 0.6, offset=0.2)),
    "smooth": (Friction(0.5, 0.3, smoothing=0.02), Friction(0.2, 0.4, smoothing=0.1, offset=0.1)),
    "smooth and asymmetric": (Friction(0.5, 0.3, 0.4, 0.1, smoothing=0.02), Friction(0.2, 0.4, 0.1, 1.6, 0.1)),
}


@pytest.mark.parametrize("kind", FRICTIONS)
@pytest.mark.parametrize("coupled", [False, True])
def test_friction_never_exceeds_its_bound_and_no_smaller_one_will_do(kind: str, coupled: bool) -> None:
    first, second = FRICTIONS[kind]
    follower = {"coupling": (("a", 2), ("b", -1))} if coupled else {}
    joints = [revolute("a", friction=first), revolute("b", friction=second)]
    joints += [revolute("c", friction=second, **follower)] if coupled else []
    arm = arm_of(*joints)
    bounds = friction_bounds(arm)
    rng = random.Random(1)
    for _ in range(400):
        qd = [rng.choice((-1, 1)) * 10 ** rng.uniform(-6, 6) for _ in range(2)]
        rounding = 1e-12 * np.linalg.norm(qd)
        assert excess(arm, bounds.v[1], bounds.k[1], qd) <= rounding
    assert bounds.v[0] <= bounds.v[1]
    assert bounds.k[0] <= bounds.k[1]
    steps = [(math.cos(angle), math.sin(angle)) for angle in np.linspace(0.01, 2 * math.pi, 200)]
    far = max(np.linalg.norm(la.friction(arm, [1e9 * x, 1e9 * y])) / 1e9 for x, y in steps)
    assert far >= bounds.v[0] * (1 - 1e-3)  # the nearest of 200 directions is 0.016 rad off, which costs its square
    if not coupled and "smooth" not in kind:
        near = max(np.linalg.norm(la.friction(arm, [1e-9 * x, 1e-9 * y])) for x, y in steps)
        assert math.isclose(near, bounds.k[0], rel_tol=1e-7)


def test_the_bounds_of_the_sources_friction_are_the_greatest_coefficient_and_the_norm() -> None:
    arm = arm_of(revolute("a", friction=Friction(0.5, 3)), revolute("b", friction=Friction(2.0, 4)))
    bounds = friction_bounds(arm)
    assert (bounds.v, bounds.k) == ((2.0, 2.0), (5.0, 5.0))
    v, k = friction_properties(arm)
    assert (v.key, v.value, v.bound.upper, v.how) == ("v", "v = 2 N m s", 2.0, "exact identity")
    assert (k.key, k.value, k.latex_value) == ("k", "k = 5 N m", r"k = 5\ \mathrm{N\,m}")


def test_an_arm_without_friction_says_so() -> None:
    v, k = friction_properties(la.load("elbow"))
    assert v.value == k.value == "no friction declared"
    assert (v.bound.lower, v.bound.upper, v.how) == (0.0, 0.0, "declared")


def test_a_disturbance_is_what_is_declared() -> None:
    assert disturbance_property().bound is None
    assert (disturbance_property().value, disturbance_property().how) == ("not declared", "none")
    line = disturbance_property(0.1)
    assert (line.bound.upper, line.value, line.how) == (0.1, "d = 0.1", "declared")
    for bad in (-1, math.nan, math.inf, True, "1"):
        with pytest.raises(InputError, match="zero or positive"):
            disturbance_property(bad)


@pytest.mark.parametrize(
    ("friction", "drives"),
    [
        (Friction(0.1, 0.2), False),
        (Friction(0.1, 0.2, offset=0.2), False),
        (Friction(0.1, 0.2, offset=-0.2), False),
        (Friction(0.1, 0.2, offset=0.3), True),
        (Friction(0.1, 0.2, 0.1, 0.5, offset=0.3), False),
        (Friction(0.1, 0.2, 0.1, 0.5, offset=-0.3), True),
        (Friction(0.1, 0.2, smoothing=0.1), False),
        (Friction(0.1, 0.2, smoothing=0.1, offset=0.01), True),
        (Friction(0.1, 0.2, 0.5, 0.9, smoothing=0.1), False),
    ],
)
def test_friction_takes_energy_unless_an_offset_outweighs_it(friction: Friction, drives: bool) -> None:
    arm = arm_of(revolute("a", friction=friction))
    powers = [x * la.friction(arm, [x])[0] for x in np.concatenate([-np.geomspace(1e-6, 1e3), np.geomspace(1e-6, 1e3)])]
    assert (min(powers) < 0) == drives
    assert dissipation_of(arm).driving == (("a",) if drives else ())
    assert dissipation_property(arm).value == ("does not hold" if drives else "proven")
    line = passivity_line(arm, box_of(arm))
    assert line.value == f"passive from tau to qd with H = K + P{' + offset . q' if drives else ''}"


def test_passivity_says_when_the_energy_has_no_lowest_value() -> None:
    arm = la.load("polar")
    assert "along r" in passivity_line(arm, box_of(arm)).detail[2]
    bounded = passivity_line(arm, box_of(arm, {"r": (0, 1)}))
    assert "bounded" in bounded.detail[2]
    assert (bounded.how, bounded.value) == ("exact identity", "passive from tau to qd with H = K + P")


def _at(powers: Powers, rho: float) -> float:
    return float(sum(size * rho**power for power, size in powers.items()))


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("name", ["polar", "cylindrical", "spherical", "rp", "scara"])
def test_bounds_as_functions_of_the_range_hold_and_grow_as_fast_as_needed(name: str, size: float) -> None:
    arm = la.load(name)
    arm = la.with_values(arm, **{symbol: size * float(x) for symbol, x in arm.symbols})  # not all of them one
    box = box_of(arm)
    growth = growth_of(exact_states(arm), box)
    slides = np.array([x in box.missing for x in arm.coordinates])
    rng = np.random.default_rng(1)
    for rho in (0.1, 1.0, 30.0):
        greatest = 0.0
        for _ in range(60):
            q = np.where(slides, rng.uniform(-rho, rho, arm.dof), rng.uniform(-math.pi, math.pi, arm.dof))
            qd = rng.normal(size=arm.dof)
            qd /= np.linalg.norm(qd)
            greatest = max(greatest, np.linalg.norm(la.mass_matrix(arm, q), 2))
            assert np.linalg.norm(la.coriolis_torques(arm, q, qd)) <= _at(growth.c, rho) * (1 + ROUNDING)
            assert np.linalg.norm(la.gravity(arm, q)) <= _at(growth.g, rho) * (1 + ROUNDING)
        assert (
            greatest <= _at(growth.M, rho) * (1 + ROUNDING) <= 30 * greatest
        )  # not closely, but of the same power of rho


def test_the_polar_arm_has_its_bounds_in_closed_form() -> None:
    arm = la.load("polar")
    line = growth_property(exact_states(arm), box_of(arm))
    assert line.value == "||M|| <= rho^2 + 1 for |r| <= rho"
    assert line.detail[:2] == (
        "M = diag(m r^2, m), so mu2 = max(m rho^2, m) for |r| <= rho.",
        "mu1 = min(m r^2, m) at the least |r|.",
    )
    heavy = growth_property(exact_states(la.with_values(arm, m=3)), box_of(arm))
    assert heavy.value == "||M|| <= 3 rho^2 + 3 for |r| <= rho"


def test_an_arm_without_closed_forms_has_no_bound_as_a_function_of_the_range() -> None:
    arm = random_arm(4)
    line = growth_property(exact_states(arm), box_of(arm))
    assert (line.how, line.value) == ("none", "no bound")
    assert "give limits" in line.detail[-1]


def test_friction_under_load_has_no_v_and_k_but_a_bound_with_the_load() -> None:
    arm = under_load(la.load("elbow"), 0.05, viscous=0.3, coulomb=0.4)
    for line in friction_properties(arm):
        assert (line.how, line.value, line.bound) == ("none", "not known", None)
        assert line.detail[0].startswith("the friction of theta1, theta2 grows with the load tau_l")
        assert line.detail[1].startswith("||F|| <= 0.30000000 ||qd|| + 0.56568543 + 0.10000001 ||tau_l|| holds")
    rng, worst = np.random.default_rng(4), 0.0
    for _ in range(200):
        q, qd = rng.uniform(-3, 3, (2, 2))
        load = la.quantities.joint_loads(arm, q, qd)
        bound = 0.3 * np.linalg.norm(qd) + 0.56568543 + 0.10000001 * np.linalg.norm(load)
        worst = max(worst, np.linalg.norm(la.friction(arm, qd, load=load)) / bound)
    assert 0.8 < worst <= 1
    assert dissipation_of(arm).is_declared


def test_friction_under_load_is_bounded_where_the_load_is_the_weight() -> None:
    """A pendulum has no Coriolis torque: |F| <= v |qd| + F_c + k g_b, attained where it is level."""
    joint = Joint("q", JointKind.REVOLUTE, axis=Vec3(0, 1, 0), friction=la.Friction(0.3, 0.4, load=0.25))
    arm = Arm("pendulum", (Body("rod", "base", joint, MassProperties(2, Vec3(0.5, 0, 0))),))
    p = la.properties(arm, {"q": (-1, 1)}, boxes=100, processes=1)
    assert (p["v"].bound.lower, p["v"].bound.upper) == (0.3, 0.3)
    assert p["k"].how == "certified enclosure" and p["k"].bound.lower is None
    attained = 0.4 + 0.25 * 2 * 0.5 * 9.81
    assert attained <= p["k"].bound.upper <= attained * (1 + 1e-6)
    assert "c = 0, so the load is g" in p["k"].detail[0]
