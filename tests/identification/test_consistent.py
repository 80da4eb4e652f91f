"""The physically consistent fit: optimal by its own conditions, equal to a cone solver's, possible whatever the data."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leverarm import mechanics
from leverarm.errors import InputError, NotFiniteError
from leverarm.formats import load
from leverarm.identification.estimation.consistent_fit import ConsistentFit, consistent_fit
from leverarm.identification.estimation.interior_point import SHARE_KEPT, BoundedQuadratic
from leverarm.identification.estimation.pseudo_inertia import consistency, inertial_numbers, pseudo_inertias
from leverarm.identification.physical_consistency import physical_prior
from leverarm.model import MassProperties, bind
from leverarm.model.inertias.algebra import pseudo_inertia
from leverarm.spatial import Inertia, Symmetric3, Vec3
from tests.support.benchmarks import bench

KINDS = ("inertial", "viscous", "coulomb", "offset", "rotor")
NONNEGATIVE = ("viscous", "coulomb", "rotor")


def random_bodies(rng: np.random.Generator, links: int) -> np.ndarray:
    """Ten numbers of bodies with a kilogram in about ten centimetres."""
    points = rng.normal(size=(links, 5, 4)) * [0.1, 0.1, 0.1, 0.0] + [0.0, 0.05, 0.1, 1.0]
    weighed = points * rng.uniform(0.1, 1.0, size=(links, 5, 1))
    return inertial_numbers(np.einsum("lpi,lpj->lij", weighed, points))


@cache
def arm_data(name: str) -> tuple[np.ndarray, np.ndarray, list[slice], list[int]]:
    """Regressor rows, nominal parameters, links and what is not negative, of an arm that swings."""
    arm = bind(load(name))
    rng = np.random.default_rng(5)
    states = rng.normal(size=(40, 3, arm.dof)) * [[[1.0], [1.0], [3.0]]]
    W = np.array([mechanics.regressor(arm, *state.tolist(), KINDS) for state in states], dtype=float)
    parameters = mechanics.parameters(arm, KINDS)
    links = [slice(10 * i, 10 * i + 10) for i in range(len(arm.links))]
    bounded = [j for j, entry in enumerate(parameters) if entry.name.split(".")[-1] in NONNEGATIVE]
    return W.reshape(-1, len(parameters)), np.array([float(entry.value) for entry in parameters]), links, bounded


def noisy(W: np.ndarray, truth: np.ndarray, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """H and b of chi squared for torques with white noise."""
    tau = W @ truth + noise * np.random.default_rng(seed).normal(size=len(W))
    return W.T @ W / noise**2, W.T @ tau / noise**2


def other_truth(cad: np.ndarray, links: list[slice], bounded: list[int], seed: int) -> np.ndarray:
    """Bodies away from the nominal ones, and friction of which every third is zero."""
    rng = np.random.default_rng(seed)
    truth = cad.copy()
    for link in links:
        C = np.linalg.cholesky(pseudo_inertias(cad[link]))
        A = np.eye(4) + 0.3 * rng.normal(size=(4, 4))
        truth[link] = inertial_numbers(C @ A @ A.T @ C.T)
    truth[bounded] = np.abs(rng.normal(size=len(bounded)))
    truth[bounded[::3]] = 0.0
    return truth


def beyond_share(fit_or_cad: np.ndarray, cad: np.ndarray, link: slice) -> np.ndarray:
    """What the divergence is taken of: the pseudo-inertia beyond the share of the nominal one that is kept."""
    return pseudo_inertias(fit_or_cad[link]) - SHARE_KEPT * pseudo_inertias(cad[link])


def slope(fit: ConsistentFit, H: np.ndarray, b: np.ndarray, cad: np.ndarray, links: list[slice]) -> tuple:
    """The gradient of what is minimised, and the size of the terms it is the sum of."""
    g, size = H @ fit.values - b, np.abs(H) @ np.abs(fit.values) + np.abs(b)
    units = pseudo_inertias(np.eye(10))
    for link in links:
        for Q, sign in ((beyond_share(cad, cad, link), 1.0), (beyond_share(fit.values, cad, link), -1.0)):
            pulled = fit.regularisation * np.einsum("ij,kji->k", np.linalg.inv(Q), units)
            g[link] += sign * pulled
            size[link] += np.abs(pulled)
    return g, size


def test_pseudo_inertias_are_those_of_the_model():
    numbers = random_bodies(np.random.default_rng(1), 3)
    for ten, P in zip(numbers, pseudo_inertias(numbers), strict=True):
        assert np.allclose(P, np.array(pseudo_inertia(Inertia.from_numbers(*ten)), dtype=float), rtol=1e-15, atol=0)
        assert np.allclose(inertial_numbers(P), ten, rtol=1e-14, atol=0)


def test_consistency_says_what_can_exist():
    rod = [1.0, 0, 0, 0, 1.0, 0, 1.0, 0, 0, 0.0]
    ball = [1.0, 0, 0, 0, 0.4, 0, 0.4, 0, 0, 0.4]
    broken_triangle = [1.0, 0, 0, 0, 1.0, 0, 1.0, 0, 0, 2.5]
    rod_is, ball_is, broken_is = consistency(np.array([rod, ball, broken_triangle]))
    assert abs(rod_is) < 1e-15
    assert math.isclose(ball_is, 0.2 / 1.6)
    assert math.isclose(broken_is, -0.25 / (1 + 1.25 + 1.25 - 0.25))


@pytest.mark.parametrize("name", ["panda", "ur5"])
@pytest.mark.parametrize("noise", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("regularisation", [1e-2, 1.0, 100.0])
def test_the_fit_is_optimal(name, noise, regularisation):
    """Karush, Kuhn, Tucker: no slope where a parameter is free, only upwards where it lies on zero."""
    W, cad, links, bounded = arm_data(name)
    H, b = noisy(W, other_truth(cad, links, bounded, 2), noise, 3)
    fit = consistent_fit(H, b, cad, links, bounded, regularisation)
    assert fit.regularisation == regularisation
    g, size = slope(fit, H, b, cad, links)
    held = np.array(fit.on_floor, dtype=int)
    free = np.setdiff1d(np.arange(len(g)), held)
    # Rounding: p terms of this size, inverses of matrices that lose up to six digits (the thinnest nominal link).
    assert np.all(np.abs(g[free]) <= 1e-9 * size[free])
    assert np.all(g[held] > -1e-9 * size[held])
    assert np.all(fit.values[held] == 0)
    assert np.all(fit.values[bounded] >= 0)
    assert consistency(fit.values[: 10 * len(links)].reshape(-1, 10)).min() > 0


def test_the_truth_comes_back_where_nothing_contradicts_it():
    """Without noise and with a regularisation that fades, torques and base parameters are those of the truth."""
    W, cad, links, bounded = arm_data("ur5")
    truth = other_truth(cad, links, bounded, 4)
    H, b = W.T @ W, W.T @ (W @ truth)
    fit = consistent_fit(H, b, cad, links, bounded, 0.0)
    off = np.linalg.norm(W @ (fit.values - truth)) / np.linalg.norm(W @ truth)
    assert off < 1e-6
    assert np.allclose(fit.values[bounded], truth[bounded], atol=1e-5)


def test_a_strong_pull_gives_the_drawing_and_the_best_friction():
    W, cad, links, bounded = arm_data("ur5")
    H, b = noisy(W, other_truth(cad, links, bounded, 2), 1.0, 3)
    fit = consistent_fit(H, b, cad, links, bounded, 1e12)
    inertial = slice(0, 10 * len(links))
    assert np.allclose(fit.values[inertial], cad[inertial], rtol=1e-3, atol=1e-4)
    others = np.arange(10 * len(links), len(cad))
    free = np.setdiff1d(others, fit.on_floor)
    assert np.abs((H @ fit.values - b)[free]).max() < 1e-6 * np.abs(b[free]).max()


def test_links_without_data_stay_where_they_are_drawn():
    rng = np.random.default_rng(7)
    cad = np.concatenate([random_bodies(rng, 3).ravel(), [0.5, 0.7]])
    W = rng.normal(size=(50, 32))
    W[:, 10:20] = 0
    W[:, 31] = 0
    fit = consistent_fit(
        W.T @ W, W.T @ rng.normal(size=50), cad, [slice(0, 10), slice(10, 20), slice(20, 30)], [31], 1.0
    )
    assert np.array_equal(fit.values[10:20], cad[10:20])
    assert fit.values[31] == 0.7
    assert not np.allclose(fit.values[:10], cad[:10], rtol=1e-3)


def test_nothing_told_is_the_drawing():
    cad = random_bodies(np.random.default_rng(8), 2).ravel()
    fit = consistent_fit(np.zeros((20, 20)), np.zeros(20), cad, [slice(0, 10), slice(10, 20)], [], 0.0)
    assert np.array_equal(fit.values, cad)


def test_friction_alone_is_least_squares_above_zero():
    H = np.array([[2.0, 1.0], [1.0, 2.0]])
    fit = consistent_fit(H, np.array([2.0, -1.0]), np.zeros(2), [], [0, 1], 1.0)
    assert np.allclose(fit.values, [1.0, 0.0], atol=1e-11)
    assert fit.on_floor == (1,)


@pytest.mark.parametrize("scale", [1e-8, 1e12])
def test_only_the_ratio_of_pull_and_data_counts(scale):
    W, cad, links, bounded = arm_data("ur5")
    H, b = noisy(W, other_truth(cad, links, bounded, 2), 1.0, 3)
    plain = consistent_fit(H, b, cad, links, bounded, 0.1)
    scaled = consistent_fit(scale * H, scale * b, cad, links, bounded, scale * 0.1)
    assert scaled.on_floor == plain.on_floor
    assert np.allclose(scaled.values, plain.values, rtol=1e-6, atol=1e-8)


def test_frames_and_units_do_not_matter():
    """The same bodies seen from turned and moved link frames, in grams and millimetres: the same fit, seen from there."""
    rng = np.random.default_rng(9)
    cad = random_bodies(rng, 2)
    W = rng.normal(size=(30, 20)) * np.tile([1, 10, 10, 10, 100, 100, 100, 100, 100, 100], 2)
    b = W.T @ (W @ random_bodies(rng, 2).ravel() + rng.normal(size=30))
    links = [slice(0, 10), slice(10, 20)]
    plain = consistent_fit(W.T @ W, b, cad.ravel(), links, [], 0.1)
    turned, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    A = np.block([[1000 * turned, rng.normal(size=(3, 1))], [np.zeros((1, 3)), 1.0]]) * math.sqrt(1000)
    seen = np.kron(np.eye(2), inertial_numbers(A @ pseudo_inertias(np.eye(10)) @ A.T).T)
    back = np.linalg.inv(seen)
    moved = consistent_fit(back.T @ (W.T @ W) @ back, back.T @ b, seen @ cad.ravel(), links, [], 0.1)
    assert np.allclose(back @ moved.values, plain.values, rtol=1e-6, atol=1e-7)


def cone_solution(H, b, cad, links, bounded, regularisation) -> np.ndarray:
    """The same minimum by Clarabel."""
    pytest.importorskip("clarabel", reason="the cone solver of the second route")
    pytest.importorskip("scipy.optimize", reason="its sparse matrices are what the cone solver reads")
    return bench("solver_rivals").cone_fit(H, b, cad, links, bounded, regularisation, 1e-11)[0]


def value(phi, H, b, cad, links, regularisation) -> float:
    """What is minimised."""
    total = 0.5 * phi @ H @ phi - b @ phi
    for link in links:
        ratio = np.linalg.solve(beyond_share(cad, cad, link), beyond_share(phi, cad, link))
        total += regularisation * (np.trace(ratio) - np.linalg.slogdet(ratio)[1] - 4)
    return float(total)


@pytest.mark.parametrize("seed", range(6))
def test_cone_solver_agrees_on_random_problems(seed):
    rng = np.random.default_rng(seed)
    cad = np.concatenate([random_bodies(rng, 2).ravel(), rng.uniform(0, 1, 3)])
    W = rng.normal(size=(rng.integers(8, 60), 23)) @ np.diag(1 / np.maximum(np.abs(cad), 1e-3))
    H, b = W.T @ W, W.T @ (W @ (cad * rng.normal(1, 0.5, 23)) + rng.normal(size=len(W)))
    links, bounded = [slice(0, 10), slice(10, 20)], [20, 22]
    fit = consistent_fit(H, b, cad, links, bounded, 0.3)
    theirs = cone_solution(H, b, cad, links, bounded, 0.3)
    assert np.allclose(fit.values, theirs, rtol=1e-5, atol=1e-6 * np.abs(theirs).max())
    scale = abs(value(cad, H, b, cad, links, 0.3)) + abs(b @ fit.values)
    ours, other = (value(phi, H, b, cad, links, 0.3) for phi in (fit.values, theirs))
    assert ours <= other + 1e-9 * scale


@pytest.mark.parametrize("name", ["panda", "ur5"])
def test_cone_solver_agrees_on_real_arms(name):
    W, cad, links, bounded = arm_data(name)
    H, b = noisy(W, other_truth(cad, links, bounded, 2), 3.0, 3)
    fit = consistent_fit(H, b, cad, links, bounded, 1.0)
    theirs = cone_solution(H, b, cad, links, bounded, 1.0)
    assert np.linalg.norm(W @ (fit.values - theirs)) <= 1e-6 * np.linalg.norm(W @ theirs)
    assert value(fit.values, H, b, cad, links, 1.0) <= value(theirs, H, b, cad, links, 1.0) + 1e-9 * abs(b @ fit.values)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.integers(1, 60),
    st.floats(-12, 3),
    st.floats(-8, 12),
    st.sampled_from(["noise", "wrong signs", "contradiction"]),
)
def test_whatever_the_data_the_bodies_can_exist(seed, count, rows, log_pull, log_scale, kind):
    rng = np.random.default_rng(seed)
    p = 10 * count + 4
    cad = np.concatenate([random_bodies(rng, count).ravel(), [0.0, 0.0, 1.0, -0.3]])
    W = rng.normal(size=(rows, p)) * 10.0 ** rng.uniform(-3, 3, size=p)
    tau = {
        "noise": rng.normal(size=rows) * 10.0 ** rng.uniform(-3, 3),
        "wrong signs": -(W @ cad),
        "contradiction": W @ cad * rng.choice([-100.0, 100.0], size=rows),
    }[kind]
    scale = 10.0**log_scale
    links, bounded = [slice(10 * i, 10 * i + 10) for i in range(count)], [p - 4, p - 2, p - 1]
    fit = consistent_fit(scale * W.T @ W, scale * W.T @ tau, cad, links, bounded, 10.0**log_pull)
    assert np.all(np.isfinite(fit.values))
    assert np.all(fit.values[bounded] >= 0)
    for link in links:
        kept = np.linalg.solve(pseudo_inertias(cad[link]), pseudo_inertias(fit.values[link]))
        assert np.linalg.eigvals(kept).real.min() > 0.9 * SHARE_KEPT
    assert consistency(fit.values[: 10 * count].reshape(-1, 10)).min() > 0


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.integers(1, 12))
def test_bounded_quadratic_meets_its_conditions(seed, n):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n))
    K, g = A @ A.T + 0.01 * np.eye(n), rng.normal(size=n)
    is_bounded = rng.random(n) < 0.6
    bounded, free = np.flatnonzero(is_bounded), np.flatnonzero(~is_bounded)
    floor = -rng.uniform(0, 1, len(bounded))
    step, held = BoundedQuadratic.of(K, free, bounded).lowest(g, floor, rng.random(len(bounded)) < 0.5)
    slopes = g + K @ step
    assert np.allclose(slopes[free], 0, atol=1e-9)
    assert np.allclose(slopes[bounded[~held]], 0, atol=1e-9)
    assert np.all(slopes[bounded[held]] > -1e-9)
    assert np.all(step[bounded] >= floor)
    assert np.all(step[bounded[held]] == floor[held])


def test_input_that_does_not_fit_is_refused():
    cad = random_bodies(np.random.default_rng(3), 1).ravel()
    links = [slice(0, 10)]
    with pytest.raises(InputError, match="not finite"):
        consistent_fit(np.eye(10), np.full(10, np.nan), cad, links, [], 1.0)
    with pytest.raises(InputError, match="not physically consistent"):
        consistent_fit(np.eye(10), np.zeros(10), np.zeros(10), links, [], 1.0)


def test_data_beyond_floats_are_refused():
    cad = random_bodies(np.random.default_rng(3), 1).ravel()
    with np.errstate(all="ignore"), pytest.raises(NotFiniteError, match="overflows"):
        consistent_fit(1e306 * np.eye(10), np.full(10, 1e307), cad, [slice(0, 10)], [], 1.0)


def test_arms_with_good_bodies_are_their_own_prior():
    for name in ("panda", "ur5", "iiwa14", "kinova"):
        arm = load(name)
        prior = physical_prior(arm)
        given = [float(x) for link in bind(arm).links for x in link.inertia.numbers()]
        assert prior.findings == ()
        assert np.array_equal(prior.values, given)
        assert consistency(prior.values.reshape(-1, 10)).min() > 0


def test_an_arm_without_masses_gets_plausible_ones():
    arm = load("ur5")
    bare = replace(arm, bodies=tuple(replace(body, mass_properties=MassProperties()) for body in arm.bodies))
    prior = physical_prior(bare)
    ten = prior.values.reshape(-1, 10)
    assert consistency(ten).min() > 1e-6
    assert 5 < ten[:, 0].sum() < 60
    forearm = [link.name for link in bind(arm).links].index("forearm_link")
    beyond = np.array([float(x) for x in bind(arm).links[forearm + 1].placement.position])
    assert np.allclose(ten[forearm, 1:4] / ten[forearm, 0], beyond / 2)
    (note,) = prior.findings
    assert note.level == "note"
    assert "'forearm_link'" in note.where


def test_points_rods_and_wrong_tensors_get_thickness():
    arm = load("ur5")
    tensors = {
        "forearm_link": Symmetric3(0, 0, 0, 0, 0, 0),
        "upper_arm_link": Symmetric3(0.2, 0, 0.2, 0, 0, 0),
        "wrist_1_link": Symmetric3(0.01, 0, 0.01, 0, 0, 0.05),
    }
    bodies = tuple(
        replace(body, mass_properties=replace(body.mass_properties, inertia=tensors[body.name], rpy=Vec3(0, 0, 0)))
        if body.name in tensors
        else body
        for body in arm.bodies
    )
    spoilt = replace(arm, bodies=bodies)
    prior = physical_prior(spoilt)
    links = bind(spoilt).links
    ten = prior.values.reshape(-1, 10)
    assert consistency(ten).min() > 1e-6
    for i, link in enumerate(links):
        assert np.allclose(ten[i, :4], [float(x) for x in link.inertia.numbers()[:4]], rtol=1e-14)
    rod = ten[[link.name for link in links].index("upper_arm_link")]
    about_com = pseudo_inertias(rod)[:3, :3] - np.outer(rod[1:4], rod[1:4]) / rod[0]
    assert math.isclose(about_com[2, 2], 0.2, rel_tol=1e-12)  # along the rod: (0.2 + 0.2 - 0) / 2
    assert 0 < about_com[0, 0] < 0.05
    (note,) = prior.findings
    assert all(name in note.where for name in tensors)


def test_links_for_a_frame_only_stay_light():
    arm = load("polar")
    prior = physical_prior(arm)
    masses = dict(zip([link.name for link in bind(arm).links], prior.values.reshape(-1, 10)[:, 0], strict=True))
    assert 0 < masses["guide"] < 0.1 * masses["slider"]
