"""Properties of arms with springs: what is proven stays so, and g is bounded with the springs in it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.model import Arm, Body, Joint, JointKind, Limits, MassProperties, Spring
from leverarm.spatial import Vec3
from leverarm.verify.enclosures.bounding import bounded_gravity
from leverarm.verify.enclosures.enclosing import enclosures
from leverarm.verify.enclosures.extremes import certified_value
from leverarm.verify.table.box import box_of
from tests.support.drawn_states import sampled
from tests.support.levels import at_level
from tests.support.random_arms import random_arm
from tests.support.springs import sprung


def pendulum(spring: Spring, limits: Limits = Limits(), kind: JointKind = JointKind.REVOLUTE) -> Arm:
    """g = 2 cos q + k (q - q0), or that of a slide along x, which lifts nothing."""
    joint = Joint("q", kind, axis=Vec3(0, 0, 1), limits=limits, spring=spring)
    return Arm("pendulum", (Body("rod", "base", joint, MassProperties(2, Vec3(1, 0, 0))),), gravity=Vec3(0, -1, 0))


def test_g_of_a_pendulum_in_closed_form():
    """2 cos q + 3 (q - 1/2) grows where the spring is the stiffer: it is largest at the end of the range."""
    found = enclosures(pendulum(Spring(3, 0.5)), [-2.0], [1.0], boxes=10**5, processes=1)["g_b"]
    expected = abs(2 * math.cos(-2) + 3 * (-2 - 0.5))
    assert found.lower <= expected * (1 + 1e-14) and expected <= found.upper * (1 + 1e-14)
    assert found.upper - found.lower < 1e-5 * expected
    weak = enclosures(pendulum(Spring(0.5, 0.0)), [-2.0], [1.0], boxes=10**5, processes=1)["g_b"]
    inside = math.asin(0.25)
    assert weak.lower == pytest.approx(2 * math.cos(inside) + 0.5 * inside, rel=1e-6)


def test_a_range_counts_as_far_as_it_stretches_the_spring():
    """Without weight the bound over one box is the force at its end, not in its middle."""
    arm = replace(pendulum(Spring(3, 0.5)), gravity=Vec3(0, 0, 0))
    bounding = bounded_gravity(arm)
    extent = bounding.extent(bounding.whole(np.array([-1.0]), np.array([1.0])), 0.0)
    assert 3 * 1.5 <= extent.bound[0] <= 1.01 * 3 * 1.5
    assert extent.shares[0, 0] == pytest.approx(3, rel=0.02)


@pytest.mark.parametrize("seed", range(at_level(2, 6, 24)))
def test_no_sample_is_outside_its_box(seed):
    """Trees with couplings, rotors and screws; boxes of all sizes, also of one point, which is met closely."""
    arm = sprung(random_arm(seed, joints=4), seed)
    bounding, rng = bounded_gravity(arm), np.random.default_rng(seed)
    assert (bounding.whole(-np.ones(arm.dof), np.ones(arm.dof)).halves[0] > 0).any()
    for half in (0.0, 1e-3, 0.2, 1.5):
        middle = rng.uniform(-1, 1, arm.dof)
        boxes = bounding.whole(middle - half, middle + half)
        for _ in range(1 if half else 8):
            extent = bounding.extent(boxes, 0.0)
            boxes = boxes._replace(bound=extent.bound, memory=extent.memory)
        best = sampled(arm, "g_b", middle - half, middle + half, 2000)
        assert certified_value(arm, "g_b", {"q": best.q})[0] <= extent.bound[0]
        if half == 0.0:
            assert extent.bound[0] == pytest.approx(best.value, rel=1e-7)


def test_the_table_of_an_arm_with_springs():
    arm = sprung(la.load("elbow"), 2)
    found = la.properties(arm, {"theta1": (-3, 3), "theta2": (-3, 3)}, boxes=64, processes=1)
    for key in ("symmetric", "quadratic", "factorised", "skew", "at_rest", "energy", "linear"):
        assert found[key].value == "proven", key
    assert found["g_b"].name == "Bound of the torques of gravity and springs"
    assert found.v_b.lower == pytest.approx(1.6444908, rel=1e-4)  # as without springs: they are searched apart
    rng = np.random.default_rng(1)
    most = max(np.linalg.norm(la.gravity(arm, q)) for q in rng.uniform(-3, 3, (500, 2)))
    assert most <= found.g_b.upper and "1 spring: theta1.spring." in found["linear"].detail
    assert "theta1.spring" in " ".join(found["base_parameters"].detail)
    assert la.properties(la.load("elbow"), boxes=8, processes=1)["g_b"].name == "Bound of the gravity torques"


def test_a_spring_that_is_wound_without_limit_has_no_bound():
    """M and c have theirs over one turn; g grows, and the table says how."""
    found = la.properties(pendulum(Spring(3, 0.5), kind=JointKind.CONTINUOUS), boxes=8, processes=1)
    assert found["g_b"].bound is None and "wind springs without limit" in found["g_b"].value
    assert found.mu2.upper == pytest.approx(2)
    assert "g_b <= 3 rho + 3.5" in " ".join(found["growth"].detail)
    assert "bounded below over the box" in " ".join(found["passivity"].detail)
    pushing = la.properties(pendulum(Spring(-3, 0.5)), boxes=8, processes=1)
    assert "not bounded below along q" in " ".join(pushing["passivity"].detail)


def test_limits_wider_than_a_turn_are_kept_where_they_wind_a_spring():
    wide = Limits(-10.0, 9.0)
    assert (box_of(pendulum(Spring(3), wide)).lower, box_of(pendulum(Spring(3), wide)).winding) == ((-10.0,), ())
    free = replace(pendulum(Spring(3), wide).bodies[0].joint, spring=None)
    arm = replace(pendulum(Spring(3), wide), bodies=(replace(pendulum(Spring(3)).bodies[0], joint=free),))
    assert box_of(arm).lower[0] > -4


def test_a_spring_holds_up_what_slides():
    """On a spring a slide without limits has a lowest energy; without one, or pushed outwards, it has none."""
    for spring, is_bounded in ((Spring(3), True), (Spring(-3), False)):
        found = la.properties(pendulum(spring, kind=JointKind.PRISMATIC), boxes=8, processes=1)
        words = " ".join(found["passivity"].detail)
        assert ("bounded below over the box" in words) is is_bounded
