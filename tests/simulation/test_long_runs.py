"""Long runs: energy over 100 s, ledgers that close, and runs that are killed and go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from tests.support.paths import ROOT


def conservative(name):
    arm = la.load(name)
    bodies = tuple(replace(body, joint=replace(body.joint, friction=None)) for body in arm.bodies)
    return replace(arm, bodies=bodies)


def trend(t, x):
    """The slope of a straight line through x, and its standard error from blocks of a tenth of the run."""
    slopes = [np.polyfit(t[k::10], x[k::10], 1)[0] for k in range(10)]
    blocks = x[: len(x) // 10 * 10].reshape(10, -1).mean(axis=1)
    residual = blocks - np.polyval(np.polyfit(np.arange(10), blocks, 1), np.arange(10))
    return float(np.mean(slopes)), float(residual.std(ddof=2) / np.ptp(t) * np.sqrt(12 / 10) * 10)


@pytest.mark.slow
@pytest.mark.parametrize("start", [np.zeros(7), np.array([0, -0.3, 0, -1.5, 0, 1.5, 0])], ids=["upright", "bent"])
def test_a_falling_panda_keeps_its_energy_for_100_seconds(start, capsys):
    arm = conservative("panda")
    start = start + 0.01  # exactly upright it would stand
    told = {}
    for method in ("midpoint", "gauss6", "rk4"):
        run = la.simulate(arm, start, until=100.0, step=1e-3, method=method, record=0.01, bound=1.0)
        error = run.energy.total / run.energy.total[0] - 1
        told[method] = np.abs(error).max(), *trend(run.t, error)
    with capsys.disabled():
        for method, (worst, slope, spread) in told.items():
            print(
                f"\n  {method:9} |E/E0 - 1| <= {worst:.1e}, trend {slope * 100:+.1e} per 100 s (+- {spread * 100:.0e})",
                end="",
            )
    assert told["midpoint"][0] < 1e-6
    assert told["gauss6"][0] < 1e-8
    worst, slope, spread = told["midpoint"]
    assert abs(slope) * 100 < max(3 * spread * 100, 1e-7)
    assert abs(slope) < abs(told["rk4"][1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["puma560", "panda"])
def test_the_ledger_closes_with_friction_and_control(name):
    arm = la.load(name)
    rng = np.random.default_rng(2)
    friction = la.Friction(viscous=0.5, coulomb=0.3)
    arm = replace(arm, bodies=tuple(replace(b, joint=replace(b.joint, friction=friction)) for b in arm.bodies))
    q0 = rng.uniform(-0.5, 0.5, arm.dof)
    move = la.signals.quintic([q0, q0 + 0.6, q0 - 0.2], [0.0, 1.0, 2.0])
    run = la.simulate(arm, q0, until=2.5, torque=la.control.computed_torque(move, 60.0, 15.0), rtol=1e-11)
    assert {"torque", "friction"} == set(run.energy.works)
    assert run.energy.works["friction"][-1] < -0.1
    assert run.energy.relative < 1e-9


@pytest.mark.slow
def test_torques_along_a_run_are_those_of_the_run():
    arm = la.load("puma560")
    q0 = np.full(6, 0.2)
    run = la.simulate(arm, q0, until=1.0, torque=la.control.pd_gravity(q0 + 0.3, 40.0, 8.0))
    moving = np.abs(run.qd) > 1e-3  # in a joint at rest dry friction may be anything
    assert moving.mean() > 0.5
    assert np.abs(la.trajectories.torques_along(arm, run).tau - run.tau)[moving].max() < 1e-9


def ten_million_steps(path):
    arm = la.load("elbow")
    torque = [
        la.control.pd_gravity([0.5, 1.0], 30.0, 4.0),
        la.signals.table([0, 5000, 10000], [[0, 0], [1, -1], [0, 0]]),
    ]
    noise = la.signals.noise(0.2, every=0.05, seed=4)
    return la.simulate(
        arm, [0, 0], until=10000.0, step=1e-3, record=0.1, torque=torque, noise=noise, bound=1.0, method="rk4",
        output=path, existing="resume" if path else "refuse",
    )  # fmt: skip


KILLED = """
import os
import signal
import sys

from leverarm import atomic_write
from leverarm.simulation.trajectories.files import stream
from tests.simulation.test_long_runs import ten_million_steps

stream.PART_SECONDS, stream.PART_ROWS = 1e9, 10_000
replace = atomic_write.Path.replace


def killing(path, target):
    if target.name.startswith("part-000003"):
        os.kill(os.getpid(), signal.SIGKILL)
    return replace(path, target)


atomic_write.Path.replace = killing
ten_million_steps(sys.argv[1])
"""
"""The run, that ends itself by kill -9 when three parts are there and the fourth is about to take its place."""


@pytest.fixture(scope="module")
def whole():
    return ten_million_steps(None)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["parquet", pytest.param("npz", marks=pytest.mark.thorough)])
def test_a_run_of_ten_million_steps_is_killed_and_goes_on_to_the_same_end(tmp_path, ending, whole):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    assert len(whole) == 100_001 and whole.about["complete"]
    path = tmp_path / f"run.{ending}"
    setting = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    assert subprocess.run([sys.executable, "-c", KILLED, path], env=setting).returncode == -signal.SIGKILL
    assert len(list(path.glob("part-*"))) == 3 and len(list(path.glob(".part-000003*"))) == 1
    part = la.trajectories.load(path)
    assert part.about["complete"] is False and 30_000 <= len(part) < len(whole)
    assert (part.q == whole.q[: len(part)]).all() and (part.energy.balance == whole.energy.balance[: len(part)]).all()
    ten_million_steps(path)
    again = la.trajectories.load(path)
    assert again.about["complete"] and [entry.name for entry in tmp_path.iterdir()] == [path.name]
    for name in ("t", "q", "qd", "qdd", "tau"):
        assert (getattr(again, name) == getattr(whole, name)).all()
    assert (again.energy.balance == whole.energy.balance).all()


@pytest.mark.parametrize(
    "options",
    [{"step": 1e-3}, {}, {"step": 1e-3, "method": "midpoint"}],
    ids=["rk4", "adaptive", "midpoint"],
)
def test_a_run_that_stops_between_two_parts_goes_on_bit_for_bit(tmp_path, monkeypatch, options):
    from leverarm.simulation.adaptive import engine as adaptive
    from leverarm.simulation.fixed_step import marching as fixed_step
    from leverarm.simulation.trajectories.files import stream

    monkeypatch.setattr(adaptive, "CHUNK_SECONDS", -1.0)
    monkeypatch.setattr(fixed_step, "FIRST_CHUNK", 50)
    monkeypatch.setattr(fixed_step, "LARGEST_CHUNK", 7)  # with and without a row, one for 10 steps
    monkeypatch.setattr(fixed_step, "CHUNK_SECONDS", 1e9)
    monkeypatch.setattr(stream, "PART_SECONDS", 0.0)
    monkeypatch.setattr(stream, "PART_OF_WORK", 0.0)
    arm = la.load("elbow")
    payload = la.payload(1.0, at=0.1)
    whole = la.simulate(arm, [0, 0], until=0.5, record=0.01, payload=payload, **options)

    def stopping(done):
        if done > 0.5:
            raise KeyboardInterrupt

    path = tmp_path / "run.npz"
    with pytest.warns(UserWarning, match="interrupted: the run is complete up to t"):
        part = la.simulate(
            arm, [0, 0], until=0.5, record=0.01, payload=payload, output=path, progress=stopping, **options
        )
    assert part.about["complete"] is False and 1 < len(part) < len(whole)
    with pytest.raises(InputError, match="unfinished run"):
        la.simulate(arm, [0, 0], until=0.5, record=0.01, payload=payload, output=path, **options)
    with pytest.raises(InputError, match="holds another run"):
        la.simulate(arm, [0, 0.1], until=0.5, record=0.01, payload=payload, output=path, existing="resume", **options)
    again = la.simulate(arm, [0, 0], until=0.5, record=0.01, payload=payload, output=path, existing="resume", **options)
    for name in ("t", "q", "qd", "qdd", "tau"):
        assert (getattr(again, name) == getattr(whole, name)).all()
    assert (again.energy.balance == whole.energy.balance).all()
    assert path.is_file() and [entry.name for entry in tmp_path.iterdir()] == ["run.npz"]
    assert la.trajectories.load(path).about["complete"] is True


def test_a_complete_run_that_is_to_go_on_is_given_as_it_is(tmp_path):
    arm, path = la.load("elbow"), tmp_path / "run.npz"
    first = la.simulate(arm, [0, 0], until=0.2, step=1e-3, output=path)
    again = la.simulate(arm, [0, 0], until=0.2, step=1e-3, output=path, existing="resume")
    assert (again.q == first.q).all() and again.about["complete"]
    with pytest.raises(InputError, match="there is nothing to resume"):
        la.simulate(arm, [0, 1], until=0.2, step=1e-3, output=path, existing="resume")


def test_a_run_that_was_stopped_while_it_became_one_file_is_found_again(tmp_path, monkeypatch):
    from leverarm.simulation import keeping

    arm, path = la.load("elbow"), tmp_path / "run.npz"
    whole = la.simulate(arm, [0, 0], until=0.2, step=1e-3)

    def killed(folder, rows):
        folder.rename(keeping._aside(folder))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(keeping, "_put_away", killed)
        la.simulate(arm, [0, 0], until=0.2, step=1e-3, output=path)
    assert not path.exists()
    again = la.simulate(arm, [0, 0], until=0.2, step=1e-3, output=path, existing="resume")
    assert (again.q == whole.q).all() and [entry.name for entry in tmp_path.iterdir()] == ["run.npz"]


@pytest.mark.parametrize(
    "options", [{"step": 3e-3}, {}, {"step": 3e-3, "method": "gauss6"}], ids=["rk4", "adaptive", "gauss6"]
)
def test_a_run_that_was_stopped_after_its_last_row_has_no_other_one(tmp_path, monkeypatch, options):
    from leverarm.simulation.trajectories.files.stream import Stream

    arm, path = la.load("elbow"), tmp_path / "run.npz"
    whole = la.simulate(arm, [0, 0], until=0.1, **options)  # the steps of 3 ms end with a shorter one

    def killed(stream, about=None):
        stream.close()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Stream, "finish", killed)
        la.simulate(arm, [0, 0], until=0.1, output=path, **options)
    again = la.simulate(arm, [0, 0], until=0.1, output=path, existing="resume", **options)
    assert again.t.shape == whole.t.shape and (again.t == whole.t).all() and (again.q == whole.q).all()
    assert (again.energy.balance == whole.energy.balance).all() and again.about["complete"]
