"""Enclosures of extremes over boxes: closed forms lie inside, no sampled state outside, and a stop loses nothing."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import leverarm as la
from leverarm.model import Arm, Body, Frame, Joint, JointKind, MassProperties, Placement
from leverarm.spatial import Vec3
from leverarm.verify.enclosures import branch_and_bound
from leverarm.verify.enclosures.bounding import Boxes, Extent, bounded_norm
from leverarm.verify.enclosures.branch_and_bound import Branching, Workers, halved
from leverarm.verify.enclosures.enclosing import Enclosure, enclosures
from leverarm.verify.enclosures.extremes import EXTREMES, certified_value
from leverarm.verify.enclosures.rigid_chain import effective_mass_axes
from leverarm.verify.enclosures.tool_mass import greatest_tool_mass, least_tool_mass
from tests.support.drawn_states import sampled
from tests.support.levels import at_level
from tests.support.random_arms import random_arm

TURN = math.pi
G = 9.81
ROUNDING = 1e-15
"""Of a closed form in floats."""

ELBOW_V = max(
    math.sqrt((t**4 + 4 * t**3 + 4 * t**2 + 1) / (1 + t * t) ** 2) for t in np.roots([1, 1, -3, -1]).real
)  # fmt: skip
"""The elbow's V = sin theta2 (-(2 a b + b^2), a^2) at speeds a, b = t a: where the slope of its length in t is zero."""
ELBOW = {
    "mu1": 3 - math.sqrt(8), "mu2": 3 + math.sqrt(8), "norm_upper": 3 + math.sqrt(8), "norm_lower": 1.0,
    "g_b": math.sqrt(10) * G, "v_b": ELBOW_V, "lambda1": 1.0, "lambda2": 1 + 1 / math.sin(0.5) ** 2,
}  # fmt: skip
"""M = [[3 + 2 c, 1 + c], [1 + c, 1]] with c = cos theta2: its eigenvalues are 2 + c -+ sqrt(2) (1 + c). Lambda has the
eigenvalues 1 and 1 + 1 / sin(theta2)^2; theta2 is from 0.5 to 2 for it."""
POLAR = {"mu1": 0.25, "mu2": 4.0, "norm_lower": 1.0, "norm_upper": 4.0, "g_b": 2 * G, "v_b": 4 / math.sqrt(3)}
"""M = diag(r^2, 1), g = (r cos theta, sin theta) g, V = r (2 rd thetad, -thetad^2), for r from 0.5 to 2."""


MANY = 10**6
"""More boxes than are ever needed: the arms here are enclosed closely before."""


def within(value: float, enclosure: Enclosure) -> bool:
    return enclosure.lower * (1 - ROUNDING) <= value <= enclosure.upper * (1 + ROUNDING)


def gap(enclosure: Enclosure) -> float:
    return (enclosure.upper - enclosure.lower) / max(abs(enclosure.lower), abs(enclosure.upper))


def test_the_elbow_in_closed_form() -> None:
    arm = la.load("elbow")
    found = enclosures(arm, [-TURN, -TURN], [TURN, TURN], boxes=MANY, processes=1)
    for key in ("mu1", "mu2", "norm_lower", "norm_upper", "g_b", "v_b"):
        assert within(ELBOW[key], found[key]), key
        assert gap(found[key]) < 1e-6, key
    assert abs(math.cos(found["mu2"].witness["q"][1]) - 1) < 1e-6


def test_the_effective_mass_of_the_elbow_in_closed_form() -> None:
    found = enclosures(la.load("elbow"), [-1, 0.5], [1, 2.0], boxes=MANY, processes=1)
    assert within(ELBOW["lambda1"], found["lambda1"]) and gap(found["lambda1"]) < 2e-3
    assert within(ELBOW["lambda2"], found["lambda2"]) and gap(found["lambda2"]) < 2e-2
    assert found["lambda2"].note.startswith("The box holds no singular pose")


@pytest.mark.slow
def test_the_polar_arm_in_closed_form() -> None:
    found = enclosures(la.load("polar"), [-TURN, 0.5], [TURN, 2.0], boxes=MANY, processes=1)
    for key, value in POLAR.items():
        assert within(value, found[key]), key
        assert gap(found[key]) < 1e-6, key


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["1", "inf", "fro"])
def test_other_norms_of_the_elbow(norm: str) -> None:
    """The greatest column sum is 4 + 3 c, but not below 2 + c; the root of squares grows with c too."""
    found = enclosures(la.load("elbow"), [-TURN, -TURN], [TURN, TURN], boxes=3000, norm=norm, processes=1)
    least, greatest = (math.sqrt(2), math.sqrt(34)) if norm == "fro" else (1.0, 7.0)
    assert within(least, found["norm_lower"]) and gap(found["norm_lower"]) < 1e-4
    assert within(greatest, found["norm_upper"]) and gap(found["norm_upper"]) < 1e-6


SLIDES = {"polar": [1], "cylindrical": [1, 2], "spherical": [2], "scara": [2]}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elbow", "polar", "scara", "cylindrical", "spherical", "puma560"])
def test_no_sample_lies_outside(name: str) -> None:
    """Bounds after a few boxes are wide, but hold: 1e5 states of each extreme, none beyond."""
    arm = la.load(name)
    lower, upper = np.full(arm.dof, -2.5), np.full(arm.dof, 2.8)
    lower[SLIDES.get(name, [])], upper[SLIDES.get(name, [])] = 0.2, 1.1
    for key in ("mu1", "mu2", "norm_lower", "g_b", "v_b"):
        best = sampled(arm, key, lower, upper, at_level(30_000, 100_000 if arm.dof < 6 else 30_000, 1_000_000))
        state = {"q": best.q} | ({"qd": best.qd} if best.qd else {})
        low, high = certified_value(arm, key, state)
        bounding = EXTREMES[key].bounding(arm, "2")
        # something less extreme is said to be reached, so that only boxes decide
        reached = 1.5 * high if EXTREMES[key].is_least else 0.5 * low
        branching = Branching(bounding, reached, 1e-3, bounding.whole(lower, upper), reached)
        most = 400 if key != "v_b" else 500 // arm.dof**2
        while branching.count < most and not branching.is_done:
            taken = branching.worst(min(bounding.batch, most // 3))
            branching.put(taken, bounding.extent(taken, best.value))
        assert high >= branching.bound if EXTREMES[key].is_least else low <= branching.bound, key
        if not EXTREMES[key].is_least:
            assert branching.bound <= 2.5 * best.value, key


@pytest.mark.slow
def test_an_enclosure_says_what_it_took() -> None:
    """However short the time, every extreme is bounded; the witness has the inner side."""
    arm = la.load("puma560")
    lower, upper = [-2.0] * 6, [2.0] * 6
    found = enclosures(arm, lower, upper, 0.0, processes=1)
    assert found.keys() == {"mu1", "mu2", "norm_lower", "norm_upper", "g_b", "v_b", "lambda1", "lambda2"}
    for key, enclosure in found.items():
        assert enclosure.boxes >= 1 and enclosure.seconds > 0
        assert enclosure.witness.keys() == ({"q", "qd"} if key == "v_b" else {"q"})
        low, high = certified_value(arm, key, enclosure.witness)
        assert (enclosure.upper == high) if EXTREMES[key].is_least else (enclosure.lower == low), key
        assert enclosure.lower < enclosure.upper
        assert bool(enclosure.note) == key.startswith("lambda")
        assert np.isfinite(enclosure.upper) or key == "lambda2"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elbow", "spherical", "puma560", "ur5"])
def test_effective_masses_of_small_boxes(name: str) -> None:
    """Over boxes that hold no singular pose both sides hold at every sample, and come together as boxes shrink."""
    arm, rng = la.load(name), np.random.default_rng(5)
    greatest = greatest_tool_mass(arm)
    middle = np.array([0.3, 1.1, 0.8, 0.7, 0.9, 0.4])[: arm.dof]
    axes = effective_mass_axes(arm)
    ratios = []
    for half in (0.02, 0.002):
        lower, upper = middle - half, middle + half
        extent = greatest.extent(greatest.whole(lower, upper), 1.0)
        q = rng.uniform(lower, upper, (200, arm.dof))
        values = [np.linalg.eigvalsh(la.operational_inertia(arm, x, axes=axes)) for x in q]
        highest, lowest = max(v[-1] for v in values), min(v[0] for v in values)
        assert highest <= extent.bound[0] * (1 + 1e-12)
        ratios.append(extent.bound[0] / highest - 1)
        apart, singular, _ = greatest.clearance(greatest.whole(lower, upper))
        chosen = ["xyz".index(axis) for axis in axes]
        least = min(np.linalg.svd(la.jacobian(arm, x)[3:][chosen], compute_uv=False)[-1] for x in q)
        assert apart[0] < 1 and singular[0] <= least
        light = least_tool_mass(arm)
        for aim in lowest * np.array([0.9, 1.01]):
            bound = light.extent(light.whole(lower, upper), float(aim)).bound[0]
            assert bound in (0.0, aim)
            assert bound <= lowest * (1 + 1e-12)
        if half < 0.01:
            assert light.extent(light.whole(lower, upper), 0.9 * lowest).bound[0] > 0
    assert ratios[1] < 0.2 * ratios[0] and ratios[1] < 0.1


def test_singular_values_of_the_elbow_over_a_wide_box() -> None:
    """The smallest one at the end that is nearest to the stretched pose, where K in the middle says more."""
    arm = la.load("elbow")
    greatest = greatest_tool_mass(arm)
    apart, singular, _ = greatest.clearance(greatest.whole(np.array([0.0, 0.55]), np.array([0.0, 1.15])))
    J = la.jacobian(arm, [0.0, 0.55])[3:5]
    assert apart[0] < 1 and 0 < singular[0] <= np.linalg.svd(J, compute_uv=False)[-1]


@pytest.mark.parametrize("norm", ["1", "fro"])
@pytest.mark.parametrize("sign", [1, -1])
def test_norms_over_boxes_of_trees(norm: str, sign: int) -> None:
    rng = np.random.default_rng(6)
    for seed in (1, 2, 8):
        arm = random_arm(seed, joints=4)
        bounding = bounded_norm(arm, norm, sign)
        for half in (0.0, 1e-3, 0.4):
            middle = rng.uniform(-1, 1, arm.dof)
            bound = bounding.extent(bounding.whole(middle - half, middle + half), 1.0).bound[0]
            q = middle + half * rng.uniform(-1, 1, (100, arm.dof))
            values = [np.linalg.norm(la.mass_matrix(arm, x), {"1": 1, "fro": "fro"}[norm]) for x in q]
            assert (bound >= max(values) * (1 - 1e-13)) if sign > 0 else (bound <= min(values) * (1 + 1e-13))
            if half < 0.01:
                assert bound == pytest.approx(values[0], rel=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("quantity", ["mu1", "mu2", "norm_lower", "g_b", "v_b"])
def test_bounds_over_boxes_of_trees(quantity: str) -> None:
    """Of eigenvalues too, not only of forms: couplings, rotors, screws and all; a box of one point is met closely."""
    rng = np.random.default_rng(7)
    for seed in (3, 5, 9, 11):
        arm = random_arm(seed, joints=4)
        bounding = EXTREMES[quantity].bounding(arm, "2")
        for half in (0.0, 1e-3, 0.2):
            middle = rng.uniform(-1, 1, arm.dof)
            lower, upper = middle - half, middle + half
            boxes = bounding.whole(lower, upper)
            bound = None
            for _ in range(1 if half else 8):
                extent = bounding.extent(boxes, 0.0)
                boxes = boxes._replace(bound=extent.bound, memory=extent.memory)
                bound = extent.bound[0]
            value = sampled(arm, quantity, lower, upper, 2000).value
            sense = -1 if EXTREMES[quantity].is_least else 1
            # a sample is rounded: 1e-13 of M for the least eigenvalue
            rounding = 1e-12 * max(abs(value), np.abs(la.mass_matrix(arm, middle)).max())
            assert sense * value <= sense * bound + rounding
            if half == 0.0 and quantity != "v_b":
                assert bound == pytest.approx(value, rel=1e-7)


def test_what_no_coordinate_changes_is_cut_to_a_point() -> None:
    puma = la.load("puma560")
    wide = np.full(6, 2.0)
    assert (EXTREMES["mu2"].bounding(puma, "2").whole(-wide, wide).halves[0] > 0).tolist() == [False, *[True] * 5]
    assert (EXTREMES["g_b"].bounding(puma, "2").whole(-wide, wide).halves[0] > 0).tolist() == [False, *[True] * 5]
    elbow, wide = la.load("elbow"), np.full(2, 2.0)
    assert (EXTREMES["v_b"].bounding(elbow, "2").whole(-wide, wide).halves[0] > 0).tolist() == [False, True]
    assert (EXTREMES["g_b"].bounding(elbow, "2").whole(-wide, wide).halves[0] > 0).tolist() == [True, True]


@pytest.mark.slow
def test_the_mass_felt_along_one_axis_changes_as_the_arm_turns() -> None:
    """One joint moves the tool along a circle, and the mass is felt along x: infinite where the tool moves along y."""
    crank = Body("crank", "base", Joint("q", JointKind.REVOLUTE), MassProperties(2, Vec3(1, 0, 0)))
    arm = Arm("crank", (crank,), named_frames=(Frame("tool", "crank", Placement(Vec3(1, 0, 0))),))
    axes = effective_mass_axes(arm)
    assert axes == ("x",)
    assert greatest_tool_mass(arm).whole(np.array([0.6]), np.array([1.4])).halves[0, 0] >= 0.4
    found = enclosures(arm, [0.6], [1.4], boxes=MANY, processes=1)["lambda2"]
    values = [la.operational_inertia(arm, [q], axes=axes)[0, 0] for q in (0.6, 1.0, 1.4)]
    assert max(values) <= found.upper * (1 + 1e-12)
    assert found.lower == pytest.approx(max(values), rel=1e-6)


class Parabola:
    """The sum of squares of the coordinates, bounded over boxes by their corners, and a little too much."""

    batch = 4

    def __init__(self, sign: int) -> None:
        self.sign = sign

    def whole(self, lower, upper) -> Boxes:
        middle, half = (lower + upper) / 2, (upper - lower) / 2
        return Boxes(middle[None], half[None], np.array([self.sign * np.inf]), np.zeros((1, 0)))

    def extent(self, boxes: Boxes, aim: float) -> Extent:
        far = np.abs(boxes.middles) + self.sign * boxes.halves
        bound = (np.maximum(far, 0.0) ** 2).sum(1) + self.sign * boxes.halves.sum(1) / 4
        return Extent(bound, boxes.halves, boxes.memory, np.zeros(len(bound)))


@pytest.mark.parametrize("sign", [1, -1])
def test_branching_closes_in_and_its_bound_never_gets_worse(sign: int) -> None:
    bounding = Parabola(sign)
    reached = 5.0 if sign > 0 else 0.0625
    branching = Branching(
        bounding, reached, 1e-3, bounding.whole(np.array([-1.0, 0.25]), np.array([1.0, 2.0])), reached
    )
    bounds = [branching.bound]
    while not branching.is_done:
        taken = branching.worst(bounding.batch)
        branching.put(taken, bounding.extent(taken, branching.aim()))
        bounds.append(branching.bound)
        assert sign * branching.bound >= sign * reached
    assert all(sign * after <= sign * before for before, after in pairwise(bounds))
    assert abs(branching.bound - branching.reached) <= 1e-3 * abs(branching.reached)
    assert 3 < branching.count < 2000


def test_a_bound_that_is_no_number_says_nothing() -> None:
    bounding = Parabola(1)
    branching = Branching(bounding, 5.0, 1e-6, bounding.whole(np.array([-1.0, 0.25]), np.array([1.0, 2.0])), 5.0)
    for _ in range(4):
        taken = branching.worst(4)
        branching.put(taken, bounding.extent(taken, branching.aim()))
    before = branching.bound
    taken = branching.worst(3)
    extent = bounding.extent(taken, branching.aim())
    assert len(taken.bound) == 3
    branching.put(taken, extent._replace(bound=np.full(3, np.nan)))
    assert branching.bound == before
    assert np.isfinite(branching.boxes.bound).all()


def test_halves_cover_their_box_also_far_from_zero() -> None:
    """In exact numbers: the outer ends reach those of the box, and the inner ones reach each other."""
    rng = np.random.default_rng(8)
    middles = rng.uniform(-1, 1, (400, 3)) * 10.0 ** rng.integers(-3, 4, (400, 1))
    halves = 10.0 ** rng.uniform(-13, 1, (400, 3))
    boxes = Boxes(middles, halves, np.zeros(400), np.zeros((400, 0)))
    left, right = halved(boxes, rng.random((400, 3)))
    for k in range(400):
        cut = 0
        for j in range(3):
            low, high = _ends(boxes, k, j)
            (a, b), (c, d) = _ends(left, k, j), _ends(right, k, j)
            assert a <= low and d >= high and c <= b
            cut += left.halves[k, j] < halves[k, j]
        assert cut <= 1
    is_wide = halves > 1e-6 * np.abs(middles)
    assert (left.halves / halves)[is_wide].min() == pytest.approx(0.5, rel=1e-6)


def _ends(boxes: Boxes, k: int, j: int) -> tuple[Fraction, Fraction]:
    middle, half = Fraction(float(boxes.middles[k, j])), Fraction(float(boxes.halves[k, j]))
    return middle - half, middle + half


def test_the_whole_box_reaches_its_ends() -> None:
    bounding, rng = EXTREMES["mu2"].bounding(la.load("puma560"), "2"), np.random.default_rng(9)
    for _ in range(50):
        lower = rng.uniform(-3, 3, 6)
        upper = lower + 10.0 ** rng.uniform(-15, 0, 6)
        boxes = bounding.whole(lower, upper, np.ones(6, bool))
        for j in range(6):
            low, high = _ends(boxes, 0, j)
            assert low <= Fraction(float(lower[j])) and high >= Fraction(float(upper[j]))


@pytest.mark.slow
@pytest.mark.parametrize("norm", ["2", "fro"])
def test_a_box_of_one_point(norm: str) -> None:
    arm, q = la.load("puma560"), [0.1, -0.4, 0.7, 0.3, 0.9, -0.2]
    for key, enclosure in enclosures(arm, q, q, boxes=200, norm=norm, processes=1).items():
        assert gap(enclosure) < (2e-2 if key in ("v_b", "lambda2", "lambda1") else 1e-6), key
        value = certified_value(arm, key, enclosure.witness, norm)
        assert value[0] <= enclosure.upper and value[1] >= enclosure.lower


@pytest.mark.slow
def test_a_joint_without_a_range_among_others() -> None:
    arm = la.load("spherical")
    lower, upper = [-1.0, 0.4, 0.3], [1.0, 0.4, 0.9]
    found = enclosures(arm, lower, upper, boxes=MANY, processes=1)
    for key in ("mu1", "mu2", "g_b", "v_b"):
        assert gap(found[key]) < 1e-5, key
        assert found[key].witness["q"][1] == 0.4


@pytest.mark.slow
def test_arms_that_nothing_pulls_or_bends() -> None:
    """V is zero for a sliding point, g without gravity: bounds of nearly zero, and soon."""
    found = enclosures(la.load("point-mass"), [-1.0], [1.0], boxes=200, processes=1)
    assert found["v_b"].lower == 0 and found["v_b"].upper < 1e-9
    floating = replace(la.load("elbow"), gravity=Vec3(0, 0, 0))
    found = enclosures(floating, [-1, 0.5], [1.0, 2.0], boxes=MANY, processes=1)
    assert found["g_b"].lower == 0 and found["g_b"].upper < 1e-6 and found["g_b"].boxes < 3000
    assert gap(found["mu2"]) < 1e-6


@pytest.mark.slow
def test_other_processes_bound_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_and_bound, "ALONE", 0.0)
    arm = la.load("spherical")
    bounding = EXTREMES["mu2"].bounding(arm, "2")
    boxes = bounding.whole(np.array([-1, -1, 0.3]), np.array([1, 1, 0.9]))
    for _ in range(5):
        extent = bounding.extent(boxes, 1.0)
        parts = halved(boxes._replace(bound=extent.bound), extent.shares)
        boxes = Boxes(*(np.concatenate(numbers) for numbers in zip(*parts, strict=True)))
    alone = bounding.extent(boxes, 1.0)
    with Workers({"mu2": bounding}, 2) as both:
        assert both.lanes == 2
        together = both.extent("mu2", boxes, 1.0)
    for one, other in zip(alone, together, strict=True):
        assert np.allclose(one, other, rtol=1e-12, atol=0)
    found = enclosures(la.load("elbow"), [-TURN, -TURN], [TURN, TURN], boxes=MANY, processes=2)
    for key in ("mu1", "mu2", "g_b", "v_b"):
        assert within(ELBOW[key], found[key]) and gap(found[key]) < 1e-6, key


def test_processes_that_end_leave_the_work_to_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_and_bound, "ALONE", 0.0)
    bounding = Parabola(1)
    boxes = bounding.whole(np.array([-1.0, 0.25]), np.array([1.0, 2.0]))
    boxes = Boxes(*(np.concatenate([numbers] * 6) for numbers in boxes))
    with Workers({"mu2": EXTREMES["mu2"].bounding(la.load("elbow"), "2")}, 2) as both:
        assert both.lanes == 2
        both.boundings["mu2"] = bounding  # what this process would do
        for other in both._others:
            other.process.kill()
        assert np.array_equal(both.extent("mu2", boxes, 1.0).bound, bounding.extent(boxes, 1.0).bound)
        assert both.lanes == 1
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with Workers({"mu2": bounding}, 2) as alone:
        assert alone.lanes == 1
        assert len(alone.extent("mu2", boxes, 1.0).bound) == 6


def test_a_stop_leaves_what_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, list[Enclosure]] = {}
    calls = 0
    extent = Workers.extent

    def stopped(self, key, boxes, aim):
        nonlocal calls
        calls += 1
        if calls > 40:
            raise KeyboardInterrupt
        return extent(self, key, boxes, aim)

    monkeypatch.setattr(Workers, "extent", stopped)
    with pytest.raises(KeyboardInterrupt):
        enclosures(
            la.load("elbow"),
            [-1, 0.5],
            [1, 2.0],
            boxes=MANY,
            processes=1,
            progress=lambda key, e: told.setdefault(key, []).append(e),
        )
    assert told.keys() >= {"mu1", "mu2", "norm_lower", "norm_upper", "g_b", "v_b", "lambda1", "lambda2"}
    for key, story in told.items():
        assert all(a.lower <= b.lower and b.upper <= a.upper for a, b in pairwise(story)), key
    assert within(ELBOW["lambda1"], told["lambda1"][-1]) and within(ELBOW["lambda2"], told["lambda2"][-1])
    assert len(told["mu2"]) > 3
