"""Exciting motions: the slope of the cost, limits between all rows, rest at the ends, and what they are worth."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import FormatError, InputError
from leverarm.identification.excitation import excite
from leverarm.identification.excitation.designing import objective_of
from leverarm.identification.excitation.harmonics import PER_WAVE, Harmonics, bounds_of
from leverarm.identification.excitation.information import Heights
from leverarm.identification.excitation.objective import Cost, _dwelling, downhill
from leverarm.identification.excitation.search import kept_within, random_motion, uses_of
from leverarm.identification.structure import ALL_KINDS, structure, with_drives
from leverarm.model import Arm, Body, Joint, JointKind, Limits, MassProperties, Placement
from leverarm.simulation.trajectories.limits import check_limits
from leverarm.simulation.trajectories.torques import torques_along
from leverarm.spatial import Vec3
from tests.support.lifting_arm import WHOLE, two_links

ALL_STEPS = 10_000
"""More steps than a search takes: it ends by itself, however slow the machine."""


def mixed_arm() -> Arm:
    """A turning, a sliding and a turning joint, the last of which also follows the first."""
    base = two_links().bodies[0]
    rail = Joint(
        "x", JointKind.PRISMATIC, Placement(Vec3(0.1, 0.2, 0.3)), Vec3(0, 0.6, 0.8), limits=Limits(-0.3, 0.5, 1, 60)
    )
    wrist = Joint("w", JointKind.REVOLUTE, Placement(Vec3(0.2, 0, 0.1)), Vec3(1, 0, 0), limits=Limits(-3, 3, 5, 9))
    follower = replace(wrist, coupling=(("w", 1), ("a", -0.5)), offset=0.1)
    return Arm(
        "mixed",
        (base, Body("cart", "upper", rail, WHOLE), Body("hand", "cart", follower, WHOLE)),
        coordinates=("a", "x", "w"),
    )


def objective_for(arm, *, harmonics=3, acceleration=None, floor=None, margin=0.1, duration=5.0):
    bounds, _ = bounds_of(arm, margin, acceleration)
    return objective_of(arm, bounds, Harmonics.of(harmonics, 1 / duration), floor)


@pytest.fixture(scope="module")
def lifter():
    return excite(two_links(), duration=5, harmonics=4, rate=200, steps=ALL_STEPS)


@pytest.fixture(scope="module")
def panda():
    return excite(la.load("panda"), steps=ALL_STEPS)


# The cost ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arm", "options"),
    [(two_links(), {"floor": -1.0}), (mixed_arm(), {"acceleration": [9.0, 6.0, 20.0]}), (la.load("puma560"), {})],
    ids=["lifter", "mixed", "puma560"],
)
def test_the_slope_of_the_cost_is_its_derivative(arm, options):
    """Central differences of a smooth function: an error of 1e-10/h from rounding and h^2 from curvature."""
    objective = objective_for(arm, **options)
    random = np.random.default_rng(1)
    x = random_motion(objective, random)
    slope = objective.cost(x, 2.0).slope
    assert np.abs(slope).max() > 1
    for _ in range(6):
        d = random.normal(size=x.shape)
        h = 1e-5 / np.linalg.norm(d)
        there, back = (objective.cost(x + sign * h * d, 2.0).value for sign in (1, -1))
        assert (there - back) / (2 * h) == pytest.approx(slope @ d, rel=1e-3, abs=1e-3 * np.linalg.norm(slope))


def test_a_joint_that_dwells_has_its_price():
    """A joint at rest lacks a quarter of the time in both directions; the slope is that of the price."""
    floor, fastest = np.array([0.06, 0.08]), np.array([3.0, 4.0])
    t = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    wave = np.stack([3 * np.sin(t), 0.1 * np.cos(t)], axis=1)
    price, slopes = _dwelling(wave, floor, fastest)
    assert price > 10 and _dwelling(np.stack([3 * np.sin(t), 4 * np.cos(t)], axis=1), floor, fastest)[0] == 0
    faster = _dwelling(wave * 1.001, floor, fastest)[0]
    assert faster - price == pytest.approx(0.001 * (slopes * wave).sum(), rel=0.01) and faster < price


def test_outside_the_limits_there_is_no_cost():
    objective = objective_for(two_links())
    x = random_motion(objective, np.random.default_rng(0))
    assert objective.cost(x, 1.0) is not None and not objective.broken(x)
    assert objective.cost(20 * x, 1.0) is None and "velocity" in objective.broken(20 * x)


def test_log_det_is_that_of_the_weighted_base_regressor():
    objective = objective_for(two_links())
    state = objective.motion(random_motion(objective, np.random.default_rng(3)))
    W = objective.information.regressor(*state) / objective.information.noise[:, None]
    A = np.einsum("kia,kib->ab", W, W) / len(W)
    assert objective.information.gain(*state)[0] == pytest.approx(np.linalg.slogdet(A)[1], rel=1e-9)
    assert objective.information.noise == pytest.approx([1.0, 15 / 40])


def test_downhill_reaches_the_bottom_without_leaving_where_it_may_be():
    seen = []

    def cost(x):
        seen.append(x)
        if x[1] > 1.5:
            return None
        f = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
        slope = np.array([-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2), 200 * (x[1] - x[0] ** 2)])
        return Cost(f, slope, f)

    points = list(downhill(cost, np.array([-1.2, 1.0]), 1e-14))
    values = [c.value for _, c in points]
    assert values == sorted(values, reverse=True) and points[-1][0] == pytest.approx([1, 1], abs=1e-5)
    assert len(points) < 60, "it learns the curvature"
    assert list(downhill(cost, np.array([0.0, 2.0]), 1e-14)) == []


# The series -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_series_rest_where_they_begin_and_end(lifter):
    at = lifter.signal.at([0.0, 5.0])
    assert at.rate == pytest.approx(0, abs=1e-13) and at.acceleration == pytest.approx(0, abs=1e-12)
    assert at.value[0] == pytest.approx(at.value[1], abs=1e-13)
    assert np.abs(lifter.trajectory.qd).max() > 1


def test_shapes_are_the_signal_and_its_derivatives():
    series = Harmonics.of(4, 0.2)
    free = np.random.default_rng(0).normal(size=(series.free, 3))
    t = np.linspace(0, 7, 50)
    moment = series.signal(free).at(t)
    for shape, part in zip(series.shapes(t), moment, strict=True):
        assert shape @ free == pytest.approx(part, abs=1e-11)


def test_between_rows_a_series_exceeds_them_by_no_more_than_said():
    random = np.random.default_rng(2)
    series = Harmonics.of(5, 0.1)
    coarse, fine = (series.shapes(series.times(per_wave))[0] for per_wave in (4, 400))
    free = random.normal(size=(series.free, 500))
    ratio = np.abs(fine @ free).max(axis=0) / np.abs(coarse @ free).max(axis=0)
    assert 1.05 < ratio.max() <= series.excess(4)


# The limits -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("arm", [two_links(), mixed_arm()], ids=["lifter", "mixed"])
def test_limits_are_kept_with_the_margin_at_all_times(arm):
    """By the other route, on a grid that is fifty times finer than the one that was designed on."""
    found = excite(arm, duration=5, harmonics=3, margin=0.2, acceleration=8.0, rate=200, steps=ALL_STEPS)
    times = np.linspace(0, 5, 50 * PER_WAVE * 3 + 1)
    report = check_limits(arm, torques_along(arm, found.signal, times=times))
    assert report.ok and found.limits.ok
    ratios = {(use.joint, use.quantity): use.ratio for use in report.uses if use.ratio is not None}
    assert 0.75 < max(ratios.values()) <= 0.8
    by_joint = {use.joint: use for use in found.uses}
    for (joint, quantity), ratio in ratios.items():
        said = getattr(by_joint[joint], quantity)
        assert said is None or 100 * ratio <= said + 1e-9
        assert said is None or said <= 100 * ratio + 1, "the bound is not much more than what is used"
    assert max(np.abs(found.signal.at(times).acceleration).max(axis=0)) < 8 * 0.8 * 2
    assert all(use.acceleration <= 80 for use in found.uses)


@pytest.mark.slow
def test_motions_at_the_brink_of_the_coarse_grid_are_inside_at_all_times():
    """The largest that the coarse grid lets through keeps position, velocity and acceleration on the fine one."""
    objective = objective_for(two_links(), acceleration=6.0)
    for seed in range(20):
        x = random_motion(objective, np.random.default_rng(seed)).reshape(-1, 2)
        centre = np.where(np.arange(len(x))[:, None] == 0, x, 0)
        sizes = [size for size in np.linspace(1, 3, 400) if not objective.broken(centre + size * (x - centre))]
        for use in uses_of(objective, centre + sizes[-1] * (x - centre)):
            assert max(use.position, use.velocity, use.acceleration) <= 90


def test_a_motion_that_goes_too_far_is_made_smaller():
    objective = objective_for(two_links())
    x = random_motion(objective, np.random.default_rng(0))
    x[2:] *= 1.5
    assert max(use.most for use in uses_of(objective, x)) > 90
    kept, uses = kept_within(objective, x)
    assert 85 < max(use.most for use in uses) <= 90
    assert kept[:2] == pytest.approx(x[:2]) and kept[2:] / x[2:] == pytest.approx(kept[2] / x[2])


def test_frames_stay_above_a_floor():
    arm, times = two_links(), np.linspace(0, 5, 4000)

    def lowest(found):
        q = found.signal.at(times).value
        return la.compile(arm).pose(q, frame="fore")[:, 2, 3].min()

    free, kept = (
        excite(arm, duration=5, harmonics=3, rate=200, floor=floor, steps=ALL_STEPS) for floor in (None, -0.1)
    )
    assert lowest(free) < -0.3 and lowest(kept) >= -0.1
    assert "floor" in " ".join(f.message for f in kept.findings)


@pytest.mark.slow
def test_up_is_against_gravity():
    arm = la.load("elbow")
    q = np.random.default_rng(0).uniform(-2, 2, (5, 2))
    heights = Heights.of(arm)
    rigid = replace(arm, gravity=Vec3(0, -1, 0), bodies=with_masses(arm, (0, 1)))
    assert arm.gravity.y != 0 and heights.frames[-1] in arm.frames
    assert heights.at(q)[:, heights.frames.index(arm.bodies[1].name)] == pytest.approx(
        la.compile(rigid).potential_energy(q)
    )
    with pytest.raises(InputError, match="moves vertically"):
        excite(replace(arm, gravity=Vec3(0, 0, 0)), floor=0.0)


def with_masses(arm, masses):
    """The bodies of an arm with masses at their origins alone."""
    return tuple(replace(b, mass_properties=MassProperties(m)) for b, m in zip(arm.bodies, masses, strict=True))


@pytest.mark.slow
def test_each_joint_moves_both_ways_for_a_part_of_the_time(lifter, panda):
    for use in (*lifter.uses, *panda.uses):
        assert use.forward >= 22.5 and use.backward >= 22.5


@pytest.mark.slow
def test_limits_that_are_missing_are_assumed_and_said():
    found = excite(la.load("elbow"), duration=5, harmonics=3, rate=200, steps=ALL_STEPS)
    assert {f.where for f in found.findings if f.level == "warning"} >= {
        "position limits",
        "velocity limits",
        "effort limits",
    }
    assert np.abs(found.trajectory.q).max() < 0.9 * np.pi and all(use.effort is None for use in found.uses)
    assert np.abs(found.trajectory.qd).max() < 1.5


def test_an_arm_that_cannot_hold_itself_is_refused():
    with pytest.raises(InputError, match="effort"):
        excite(two_links(limits=Limits(-1, 2.5, 4, 0.001)), duration=5)
    with pytest.raises(InputError, match="no room between"):
        excite(two_links(limits=Limits(1, 1, 4, 15)))


# What it is worth -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_panda_is_excited_well(panda):
    assert panda.finished
    assert len(panda.base_parameters) == 69
    assert panda.after.condition < 20 < panda.before.condition
    assert panda.after.rigid_condition < 60 and panda.after.log_det > panda.before.log_det + 100
    assert panda.limits.ok and all(use.most <= 90 for use in panda.uses)
    assert not [f for f in panda.findings if f.level != "note"]


@pytest.mark.slow
def test_an_identification_by_the_motion_has_smaller_errors():
    """Least squares of noisy torques: the covariance of its errors shrinks as log det A says (400 runs: within 0.7)."""
    arm = two_links()
    found = excite(arm, duration=5, harmonics=4, rate=200, steps=ALL_STEPS)
    objective = objective_for(arm, harmonics=4)
    start = objective.harmonics.signal(objective.free(random_motion(objective, np.random.default_rng(0))))
    random, noise = np.random.default_rng(5), np.array([1.0, 15 / 40])
    base, driven = list(structure(with_drives(arm), ALL_KINDS).base), la.compile(with_drives(arm))
    spread, errors = [], []
    for signal in (start, found.signal):
        at = signal.at(found.trajectory.t[:-1])
        W = driven.regressor(*at, kinds=ALL_KINDS)[..., base]
        X = (W / noise[:, None]).reshape(-1, len(base))
        runs = np.linalg.pinv(X) @ random.normal(size=(len(X), 400))
        covariance = np.cov(runs)
        spread.append(np.linalg.slogdet(covariance)[1])
        errors.append(np.sqrt(np.diag(covariance)))
    assert spread[0] - spread[1] == pytest.approx(found.after.log_det - found.before.log_det, abs=2.0)
    assert (errors[1] < errors[0]).mean() > 0.9 and found.error_ratio > 1.3


@pytest.mark.slow
def test_the_seed_decides_the_motion(lifter):
    again = excite(two_links(), duration=5, harmonics=4, rate=200, steps=ALL_STEPS)
    other = excite(two_links(), duration=5, harmonics=4, rate=200, seed=1, steps=ALL_STEPS)
    assert (again.signal.rows == lifter.signal.rows).all() and (other.signal.rows != lifter.signal.rows).any()


def test_a_search_that_is_cut_short_gives_the_best_so_far(lifter):
    def interrupt(done, log_det):
        if done > 0.02:
            raise KeyboardInterrupt

    stopped = excite(two_links(), duration=5, harmonics=4, rate=200, progress=interrupt, steps=ALL_STEPS)
    late = excite(two_links(), duration=5, harmonics=4, rate=200, time_limit=1e-9)
    counted = excite(two_links(), duration=5, harmonics=4, rate=200, steps=5)
    for found, why in ((stopped, "interrupted"), (late, "time limit"), (counted, "step limit")):
        assert not found.finished and why in {f.where for f in found.findings}
        assert found.limits.ok and all(use.most <= 90 for use in found.uses)
        assert found.after.log_det < lifter.after.log_det
    assert lifter.finished


def test_progress_ends_at_one():
    told = []
    excite(two_links(), duration=5, harmonics=2, rate=200, steps=ALL_STEPS, progress=lambda *now: told.append(now))
    parts, values = zip(*told, strict=True)
    assert list(parts) == sorted(parts) and 0.5 < parts[-1] <= 1 and list(values) == sorted(values)


def test_several_periods_repeat_the_motion():
    found = excite(two_links(), duration=6, base_frequency=0.5, harmonics=2, rate=100, steps=ALL_STEPS)
    q = found.trajectory.q
    assert len(q) == 601 and q[:200] == pytest.approx(q[200:400], abs=1e-12) and found.limits.ok


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"base_frequency": 0.13}, "whole periods. Give 0.1 Hz"),
        ({"harmonics": 1}, "from 2 to 50"),
        ({"harmonics": 2.5}, "whole number"),
        ({"margin": 10}, "0.1 is 10 %"),
        ({"duration": -1}, "greater than zero"),
        ({"rate": 1}, "highest harmonic"),
        ({"seed": -1}, "0 or more"),
        ({"acceleration": [1, 2, 3]}, "or 2, for a, b"),
        ({"time_limit": 0}, "greater than zero"),
        ({"steps": 0}, "1 or more"),
        ({"steps": 2.5}, "1 or more"),
    ],
)
def test_mistakes_are_told(given, told):
    with pytest.raises(InputError, match=told):
        excite(two_links(), **given)


# Files ------------------------------------------------------------------------------------------------------------------


def test_the_motion_is_written_as_a_plain_table(lifter, tmp_path):
    run = lifter.trajectory
    table = np.hstack([run.t[:, None], run.q, run.qd, run.qdd])
    lifter.save(tmp_path / "m.csv")
    lines = (tmp_path / "m.csv").read_text().splitlines()
    assert lines[0] == "t,q.a,q.b,qd.a,qd.b,qdd.a,qdd.b" and len(lines) == 1002
    assert (np.loadtxt(lines[1:], delimiter=",") == table).all()
    lifter.save(tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as arrays:
        assert (arrays["q"] == run.q).all() and list(arrays["joints"]) == ["a", "b"]
    with pytest.raises(FormatError, match=r"Valid: \.csv, .*\.html"):
        lifter.save(tmp_path / "m.xlsx")


def test_the_motion_is_shown(lifter, tmp_path):
    text = lifter.text()
    assert text.startswith(f"Exciting motion of {lifter.arm.name}") and f"{lifter.error_ratio:.3g} times" in text
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.startswith("  ") and line.strip()}
    assert float(rows["a"][1]) == pytest.approx(lifter.uses[0].position, abs=0.05)
    lifter.save(tmp_path / "m.html")
    page = (tmp_path / "m.html").read_text()
    assert page.count("<figure>") == lifter.arm.dof and "random motion" in page
    lifter.save(tmp_path / "m.json")
    facts = json.loads((tmp_path / "m.json").read_text())
    assert facts["after"]["condition"] == lifter.after.condition and facts["seed"] == lifter.seed


def test_the_motion_is_written_as_parquet(lifter, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    lifter.save(tmp_path / "m.parquet")
    read = pq.read_table(tmp_path / "m.parquet")
    assert (read["qdd.b"].to_numpy() == lifter.trajectory.qdd[:, 1]).all()


@pytest.mark.slow
def test_the_motion_is_drawn(lifter, tmp_path):
    pytest.importorskip("matplotlib")
    figure = lifter.plot(tmp_path / "m.svg")
    assert len(figure.axes) == 8 and "<svg" in (tmp_path / "m.svg").read_text()[:400]
    with pytest.raises(InputError, match="such an ending"):
        lifter.plot(tmp_path / "m.txt")
