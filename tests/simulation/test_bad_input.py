"""What users get wrong about a run is told in one message, before anything is computed or removed; never a traceback."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError, LeverarmError

ELBOW = la.load("elbow")
ROWS = np.array([[1.0, 2.0], [300.0, 4.0], [5.0, 6.0]])


def run(**given: Any) -> la.types.Trajectory:
    return la.simulate(ELBOW, **{"until": 0.02, "step": 1e-2, **given})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"torque": ROWS}, "torque: numbers for 3 environments"),
        ({"torque": la.control.pd([0, 0], ROWS, 1)}, "kp: numbers for 3 environments"),
        ({"torque": la.control.pd(ROWS, 1, 1)}, "target: numbers for 3 environments"),
        ({"torque": la.signals.table([0, 1], np.ones((3, 2, 2)))}, "torque: numbers for 3 environments"),
        ({"disturbance": ROWS}, "disturbance: numbers for 3 environments"),
        ({"wrench": np.ones((3, 6))}, "wrench: numbers for 3 environments"),
        ({"parameters": {"masses": ROWS}}, "masses: numbers for 3 environments"),
    ],
)
def test_numbers_for_other_environments_are_not_passed_over(given: dict[str, Any], says: str) -> None:
    """Taking the first row of them, or the last one again and again, would be a wrong motion without a word."""
    with pytest.raises(InputError, match=says):
        run(**given)
    with pytest.raises(InputError, match=f"{says}.* and 10 move"):
        la.rollout(ELBOW, np.zeros((10, 2)), steps=2, **given)
    la.rollout(ELBOW, np.zeros((3, 2)), steps=2, **given)


def test_parameters_of_a_grid_of_environments_are_those_of_its_environments() -> None:
    masses = np.random.default_rng(1).uniform(1, 2, (2, 3, 2))
    wide = la.rollout(ELBOW, np.zeros((2, 3, 2)), steps=20, parameters={"masses": masses}, torque=[1.0, 2.0])
    one = la.rollout(ELBOW, [0.0, 0.0], steps=20, parameters={"masses": masses[1, 2]}, torque=[1.0, 2.0])
    assert np.array_equal(wide.q[1, 2], one.q)


@pytest.mark.parametrize(
    "given",
    [
        {"until": 10**400},
        {"step": 1e-300},
        {"step": None, "record": 1e-300},
        {"step": None, "record": 1e-12},  # more rows than memory holds
        {"step": None, "rtol": 1e-30},
        {"begin": 1e16, "until": 1e16 + 2},  # a step of 0.01 s does not change the time
        {"bound": "a"},
        {"bound": math.nan},
        {"progress": 3},
        {"output": 3},
        {"output": ""},
        {"output": "a\0b.npz"},
        {"output": "x" * 300 + ".npz"},
        {"torque": np.array([1j, 0])},
        {"torque": ["1", "2"]},
        {"torque": np.zeros((2, 3, 2))},
        {"parameters": [1]},
        {"parameters": {"masses": "a"}},
        {"parameters": {"friction": 1}},
    ],
    ids=lambda given: next(reversed(given)),
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(LeverarmError) as told:
            run(**given)
    assert str(told.value).endswith(".")


@pytest.mark.parametrize(
    "given",
    [{"at": "a"}, {"at": np.array([1, 2])}, {"until": None}, {"inertia": "x"}, {"inertia": [[1], [2, 3]]}],
)
def test_payloads_that_are_none(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="payload"):
        la.payload(1.0, **given)


@pytest.mark.parametrize("given", [{"threads": 0}, {"threads": "a"}, {"torque": np.full((1, 1, 2), np.nan)}])
def test_rollouts_that_make_no_sense(given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        la.rollout(ELBOW, np.zeros((1, 2)), steps=2, **given)


@pytest.mark.parametrize(
    "ask",
    [
        lambda made: made.between("a", 1),
        lambda made: made.between(None, None),
        lambda made: made.plot(3),
        lambda made: la.trajectories.check_limits(ELBOW, None),
        lambda made: la.trajectories.check_limits("elbow", made),
        lambda made: la.trajectories.torques_along("elbow", made),
        lambda made: la.trajectories.fit_to_limits("elbow", made),
    ],
)
def test_questions_about_a_run_that_have_no_answer(ask: Any) -> None:
    made = run()
    with pytest.raises(InputError):
        ask(made)


def test_a_file_is_read_for_an_arm_and_not_for_a_name(tmp_path: Path) -> None:
    made = run()
    made.save(tmp_path / "run.npz")
    with pytest.raises(InputError, match="must be an arm"):
        la.types.Trajectory.load(tmp_path / "run.npz", "elbow")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("between", ["linear", "cubic"])
def test_tables_that_leave_the_range_of_floats(between: Any) -> None:
    with pytest.raises(InputError, match="range of floats"):
        la.signals.table([0, 1, 2], [-1e308, 1e308, 0], between=between)


def test_nothing_makes_way_for_a_run_that_cannot_be_written(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("precious")
    with pytest.raises(LeverarmError, match="names no format"):
        run(output=notes, existing="replace")
    assert notes.read_text() == "precious"


def test_a_link_stays_and_the_run_it_points_at_is_replaced(tmp_path: Path) -> None:
    def torque(t: float, q: Any, qd: Any) -> Any:
        raise RuntimeError

    with pytest.raises(la.errors.SimulationError):
        run(torque=torque, output=tmp_path / "run.npz")
    (tmp_path / "link.npz").symlink_to("run.npz")
    made = run(output=tmp_path / "link.npz", existing="replace")
    assert (tmp_path / "link.npz").is_symlink()
    assert np.array_equal(la.types.Trajectory.load(tmp_path / "run.npz").q, made.q)


@pytest.mark.slow
def test_no_alarm_where_only_rounding_is_unexplained() -> None:
    """An arm that is held still, and one that coasts, exchange next to no energy: that is no imbalance."""
    planar = la.load("planar3r")
    floating = replace(ELBOW, gravity=replace(ELBOW.gravity, x=0, y=0, z=0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        la.simulate(planar, until=0.2, torque=la.control.by_name("computed-torque", planar, np.zeros(3)))
        coasting = la.simulate(floating, qd0=[1.0, 0.0], until=1.0)
    assert coasting.energy.relative < 1e-8
