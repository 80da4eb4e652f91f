"""Forms of an arm's links, joined to forms of the whole arm: at any point they are M, g, V and J themselves."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import leverarm as la
from leverarm.model import Arm, Body, Joint, JointKind, MassProperties
from leverarm.spatial import Symmetric3, Vec3
from leverarm.verify.enclosures.bounding import products
from leverarm.verify.enclosures.extremes import EXTREMES
from leverarm.verify.enclosures.recursion import FormRecursion, in_the_middle, over_boxes
from leverarm.verify.enclosures.rigid_chain import Array, rigid_chain
from leverarm.verify.enclosures.spaces import InertiaSpace, VelocityForceSpace, WeightSpace
from leverarm.verify.enclosures.tool_mass import greatest_tool_mass
from tests.support.random_arms import random_arm

TREES = [random_arm(seed) for seed in (1, 2, 3, 5, 8, 13, 21, 26)]
SMALL_TREES = [random_arm(seed, joints=3 + seed % 2) for seed in range(40, 52)]
"""Their forms of velocities have some thirty variables at most."""
BODY = MassProperties(2, Vec3(1, 0, 0), Symmetric3(1, 0, 1, 0, 0, 1))
HALF_WIDTHS = (0.0, 1e-6, 1e-3, 0.1, 0.5, 0.99, 1.01, 1.5, 2.19, 2.21, math.pi)
"""Of joint ranges: none, small ones, and both sides of where a turn is treated as a whole one."""


def at(arm: Arm, recursion: FormRecursion, q: Array) -> Array:
    """The form at the base at coordinates q (states, coordinates)."""
    return in_the_middle(recursion, q @ rigid_chain(arm).joints.T)


def recursions(arm: Arm) -> dict[str, FormRecursion]:
    """Of each quantity."""
    chain = rigid_chain(arm)
    tool = greatest_tool_mass(arm)
    return {
        "M": replace(FormRecursion.of(chain, InertiaSpace()), constant=chain.rotors),
        "g": FormRecursion.of(chain, WeightSpace()),
        "V": FormRecursion.of(chain, VelocityForceSpace()),
        "J": tool.jacobian,
    }


def test_the_trees_have_all_there_is() -> None:
    for arms in (TREES, SMALL_TREES):
        joints = [body.joint for arm in arms for body in arm.bodies]
        assert {joint.kind for joint in joints} >= {JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.HELICAL}
        assert any(joint.coupling for joint in joints)
        assert any(joint.motor and joint.motor.also for joint in joints)
        assert any(len({body.parent for body in arm.bodies}) < len(arm.bodies) for arm in arms)


@pytest.mark.parametrize("arm", [*map(la.load, la.catalog_names()), *TREES], ids=lambda arm: arm.name)
def test_forms_at_points_are_the_quantities(arm: Arm) -> None:
    """To rounding: 1e-12 of the largest entry, for sums of some hundred terms."""
    rng = np.random.default_rng(3)
    q, qd = rng.uniform(-2, 2, (3, arm.dof)), rng.normal(size=(3, arm.dof))
    found = {name: at(arm, recursion, q) for name, recursion in recursions(arm).items()}
    n = arm.dof
    for k in range(3):
        M = la.mass_matrix(arm, q[k])
        assert abs(found["M"][k] - M).max() <= 1e-12 * abs(M).max()
        g = la.gravity(arm, q[k])
        assert abs(found["g"][k, 0, 1:] - g).max() <= 1e-12 * (abs(g).max() or 1)
        assert found["g"][k, 0, 0] == 0 and not found["g"][k, 1:, 1:].any()
        V, y = la.coriolis_torques(arm, q[k], qd[k]), products(qd[k])
        tensor = found["V"][k, :n, n:]
        assert abs(tensor @ y - V).max() <= 1e-12 * abs(tensor).max() * (y @ y) ** 0.5
        assert abs(found["V"][k, :n, :n]).max() == 0 == abs(found["V"][k, n:, n:]).max()
        J = la.jacobian(arm, q[k])[3:]
        assert abs(found["J"][k, :3, 3:] - J).max() <= 1e-12 * abs(J).max()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["M", "g", "V", "J"])
@pytest.mark.parametrize("sign", [1, -1])
def test_no_form_of_a_box_passes_its_bound(name: str, sign: int) -> None:
    """Corners, edges and random points of boxes of random sizes; the bound may be off by the error it states, no more.

    The samples are computed too: they have an error of the same kind.
    """
    rng = np.random.default_rng(17 + sign)
    for arm in SMALL_TREES[:8] if name == "V" else [*SMALL_TREES, *TREES[:3]]:
        recursion = recursions(arm)[name]
        joints = len(recursion.steps)
        boxes = 5 if name == "V" else 12
        middles = rng.uniform(-3, 3, (boxes, joints))
        halves = rng.choice(HALF_WIDTHS, (boxes, joints))
        halves[0] = rng.choice(HALF_WIDTHS[:3], joints)
        size = recursion.base.shape[1]
        W = rng.normal(size=(boxes, size, size))
        budget = W @ np.swapaxes(W, 1, 2) + 10.0 ** rng.uniform(-3, 1, (boxes, 1, 1)) * np.eye(size)
        form = over_boxes(recursion, middles, halves, budget, sign).form
        assert (form.error <= 1e-7 * np.linalg.norm(form.matrix, axis=(1, 2))).all()
        inside = np.concatenate(
            [
                rng.choice((-1.0, 1.0), (60, joints)),
                np.where(rng.random((60, joints)) < 0.4, rng.uniform(-1, 1, (60, joints)), 1.0),
                rng.uniform(-1, 1, (80, joints)),
            ]
        )
        for k in range(boxes):
            samples = in_the_middle(recursion, middles[k] + inside * halves[k])
            below = np.linalg.eigvalsh(sign * (form.matrix[k] - samples))[:, 0]
            assert below.min() >= -2 * form.error[k], (arm.name, k)


@pytest.mark.parametrize("name", ["M", "g", "V", "J"])
def test_bounds_tighten_with_the_square_of_a_small_range(name: str) -> None:
    """What a bound adds to the middle is linear in the range, but on the even side it is quadratic.

    At a tenth of the range, a bound less the extreme samples is at most about a tenth squared; a dropped first-order
    match would leave a tenth.
    """
    arm = la.load("spherical")
    recursion = recursions(arm)[name]
    middle = np.array([[0.3, -0.7, 0.9]])
    here = in_the_middle(recursion, middle)
    budget = np.eye(here.shape[-1])[None] * np.linalg.norm(here)
    slack = []
    for h in (1e-1, 1e-2):
        halves = np.array([[0.0, h, 0.0]])
        form = over_boxes(recursion, middle, halves, budget, 1).form
        ends = in_the_middle(recursion, middle + np.linspace(-1, 1, 201)[:, None] * halves)
        slack.append(np.linalg.eigvalsh(form.matrix - here)[0, -1] - np.linalg.eigvalsh(ends - here)[:, -1].max())
    assert -1e-12 <= slack[1] <= 0.03 * slack[0] + 1e-12


def test_a_coordinate_that_moves_several_joints() -> None:
    """The boxes of joints hold all that the box of coordinates makes of them, in exact numbers; also a box of one point."""
    ratios = (Fraction(1, 3), Fraction(-7, 10))
    one, two = (Body(name, "base", Joint(name, JointKind.REVOLUTE), BODY) for name in ("a", "b"))
    both = Joint("c", JointKind.REVOLUTE, coupling=(("a", ratios[0]), ("b", ratios[1])))
    bounding = EXTREMES["mu2"].bounding(Arm("coupled", (one, two, Body("c", "b", both, BODY))), "2")
    rng = np.random.default_rng(2)
    for width in (0.0, 1e-12, 1.0):
        lower = rng.uniform(-3, 3, 2)
        upper = lower + width * rng.uniform(0, 1, 2)
        middles, halves = bounding.in_joints(bounding.whole(lower, upper, np.ones(2, bool)))
        middle, half = Fraction(float(middles[0, 2])), Fraction(float(halves[0, 2]))
        for a, b in product(*zip(lower, upper, strict=True)):
            joint = ratios[0] * Fraction(float(a)) + ratios[1] * Fraction(float(b))
            assert abs(joint - middle) <= half
        assert halves[0, 2] <= width + 1e-13
