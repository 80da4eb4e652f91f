"""The adaptive method: as accurate as asked for, between its steps too; its steps depend on nothing else."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm.control import signals
from leverarm.errors import SimulationError
from leverarm.model import Friction
from leverarm.simulation.acting.callback import PythonCallback
from leverarm.simulation.acting.feeds import Rows
from leverarm.simulation.acting.forces import PythonTorque, TimedTorque
from leverarm.simulation.acting.system import System
from leverarm.simulation.adaptive.engine import AdaptiveEngine
from leverarm.simulation.adaptive.step_control import (
    FRESH,
    Whereabouts,
    factor_after,
    factor_after_rejection,
    recorded,
)
from leverarm.simulation.adaptive.stepping import LOOKS, are_doubtful, first_negative
from tests.support.adaptive_runs import adaptive, imbalance, ran, slider, stops, with_friction


def falling(name):
    """An arm without friction that is let go, and where it starts."""
    arm = with_friction(la.load(name), None)
    return System(arm), np.linspace(0.3, 0.9, arm.dof), np.zeros(arm.dof)


def torqued(arm, torque, **structure):
    return System(arm, (TimedTorque(torque.form),), **structure)


def states_at(steps, times, entries):
    """The states of a run at some times, from its dense output."""
    ends = np.array([step.end for step in steps])
    found = np.empty((len(times), entries))
    for k, t in enumerate(times):
        step = steps[int(np.searchsorted(ends, t))]
        found[k] = step.inside(np.array([t]))[0, :entries]
    return found


# Accuracy


@pytest.mark.parametrize("name", ["elbow", "puma560"])
def test_the_error_follows_the_tolerance_and_the_steps_its_fifth_root(name):
    system, q0, qd0 = falling(name)
    exact = ran(system, [], q0, qd0, 1.5, rtol=1e-13, atol=1e-13).state
    errors, counts = [], []
    for tolerance in (1e-6, 1e-8, 1e-10):
        run = ran(system, [], q0, qd0, 1.5, rtol=tolerance, atol=tolerance)
        errors.append(np.abs(run.state - exact).max())
        counts.append(len(run.steps))
    assert errors[2] < 1e-8
    for k in (0, 1):
        assert 10 < errors[k] / errors[k + 1] < 1000  # a hundred times less, within a digit
        assert counts[k + 1] / counts[k] == pytest.approx(100 ** (1 / 5), rel=0.25)


def test_between_its_ends_a_step_is_as_accurate_as_at_them():
    system, q0, qd0 = falling("puma560")
    n = system.arm.dof
    reference = ran(system, [], q0, qd0, 2.0, rtol=1e-13, atol=1e-13).steps
    for tolerance in (1e-6, 1e-9):
        steps = ran(system, [], q0, qd0, 2.0, rtol=tolerance, atol=tolerance).steps
        ends = np.array([step.end for step in steps[:-1]])
        between = np.concatenate([[s.begin + x * s.attempt.h for x in (0.2, 0.5, 0.85)] for s in steps])
        at_ends = np.abs(states_at(steps, ends, 2 * n) - states_at(reference, ends, 2 * n))
        inside = np.abs(states_at(steps, between, 2 * n) - states_at(reference, between, 2 * n))
        assert inside[:, :n].max() < 1.5 * at_ends[:, :n].max()
        assert inside[:, n:].max() < 1.5 * at_ends[:, n:].max()


def test_the_order_of_the_dense_output_is_six():
    system, q0, qd0 = falling("puma560")
    qd0 = qd0 + np.cos(np.arange(6))
    missed = []
    for h in (0.04, 0.02):
        run = adaptive(system, [], q0, qd0, rtol=1e-2, atol=1e-2)
        run.length = run.longest = h
        step = next(run.steps(1.0))
        exact = ran(system, [], q0, qd0, 0.4 * h, rtol=1e-14, atol=1e-15).state
        error = np.abs(step.inside(np.array([0.4 * h]))[0, : len(exact)] - exact)
        missed.append((error[:6].max(), error[6:12].max()))
    assert (np.log2(np.array(missed[0]) / missed[1]) > 5.7).all()


def test_a_row_between_the_ends_holds_the_rates_of_its_state():
    arm, torque = la.load("elbow"), signals.table([0, 5], [[0, 0], [10, -5]])
    system = torqued(arm, torque)
    step = ran(system, [torque], [0.3, 0.5], [0.1, 0.0], 0.5).steps[-1]
    t = step.begin + 0.3 * step.attempt.h
    (row,) = recorded(step.rates.layout, step.inside(np.array([t])))
    q, qd, work, qdd, tau = row[:2], row[2:4], row[4], row[5:7], row[7:9]
    assert np.allclose(tau, [2 * t, -t], rtol=1e-13)
    assert np.allclose(qdd, la.forward_dynamics(arm, q, qd, tau), rtol=1e-10)
    before, after = step.attempt.state[4], step.attempt.after[4]
    assert before <= work <= after or after <= work <= before


def test_with_control_of_time_and_friction_the_ledger_closes():
    arm = la.load("puma560")
    times = np.linspace(0, 4, 9)
    torque = signals.table(times, 20 * np.sin(np.outer(times, np.arange(1, 7))))
    system = torqued(arm, torque)
    q0, qd0 = np.linspace(0.3, 0.9, 6), np.zeros(6)
    run = ran(system, [torque], q0, qd0, 4.0, rtol=1e-10, atol=1e-10)
    assert imbalance(system, (q0, qd0), run.state) < 1e-9
    assert all(t in [step.end for step in run.steps] for t in times[1:])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elbow", "puma560"])
def test_a_torque_by_a_python_function_gives_the_compiled_motion_bit_for_bit(name):
    arm = la.load(name)
    tau, q0 = np.linspace(1, -2, arm.dof), np.full(arm.dof, 0.3)
    compiled = la.simulate(arm, q0, until=0.5, torque=tau)
    called = la.simulate(arm, q0, until=0.5, torque=lambda t, q, qd: tau)
    for what in ("t", "q", "qd", "qdd", "tau", "held"):
        assert np.array_equal(getattr(compiled, what), getattr(called, what))
    assert np.array_equal(compiled.energy.works["torque"], called.energy.works["torque"])


def test_an_attempt_has_all_rates_of_its_begin_and_of_its_end():
    system, sources = bouncing()
    run = ran(system, sources, [0.3, 0.5], [0.0, 0.0], 0.7).adaptive
    feeds = run.rates.feeds(run.t, 0.0)
    attempt = run.rates.attempt(run.state, run.t, 1e-3, feeds, 1e-9, 1e-9)
    assert np.array_equal(attempt.numbers[attempt.places.first], run.rates.at(run.state, run.t, feeds))
    later = run.rates.at(attempt.after, run.t + 1e-3, feeds)
    last = attempt.numbers[attempt.places.last]
    assert np.array_equal(last, later[: last.size])


# Data in pieces


def test_steps_end_where_pieces_end_and_take_the_data_of_their_own_piece():
    arm = slider(1.0, 0.0)
    torque = signals.table([0, 1, 1.5, 4], [[0], [2], [2], [-3]])
    run = ran(torqued(arm, torque), [torque], [0.0], [0.0], 4.0)
    ends = [step.end for step in run.steps]
    assert 1.0 in ends and 1.5 in ends and ends[-1] == 4.0
    assert run.state[1] == pytest.approx(1 + 1 - 0.5 * 2.5, abs=1e-12)
    assert len(run.steps) < 60


def test_a_step_that_was_cut_short_does_not_shorten_those_after_it():
    times = np.array([k + x for k in range(10) for x in (0.0, 1e-7)])
    torque = signals.table(times, np.sin(times)[:, None])
    run = ran(torqued(slider(1.0, 0.0), torque), [torque], [0.0], [0.0], 9.0)
    early = sum(step.end <= 2 for step in run.steps)
    assert len(run.steps) - early <= 4 * 7


def test_a_load_that_begins_at_a_time_is_met_exactly():
    arm = slider(2.0, -3.0)
    system = System(arm, parameters=("payload",))
    rows = np.zeros((2, 10))
    rows[1, 0] = 4.0
    run = ran(system, [Rows(np.array([0.0, 0.5]), rows)], [0.0], [1.0], 1.0)
    assert 0.5 in [step.end for step in run.steps]
    assert run.state[:2] == pytest.approx([1.0 - 1.5, 1.0 - 3.0], abs=1e-12)


def test_a_torque_that_jumps_beyond_the_friction_breaks_the_joint_loose_at_once():
    arm = slider(1.0, 0.0, Friction(coulomb=2))
    torque = signals.table([0, 1, 1.0000001, 3], [[0], [0], [5], [5]])
    run = ran(torqued(arm, torque), [torque], [0.0], [0.0], 2.0)
    assert run.times("slides") == pytest.approx([1.0], abs=1e-7)
    assert run.state[1] == pytest.approx(3.0, abs=1e-5)


# The same steps, whatever happens around them


def bouncing():
    arm = with_friction(la.load("elbow"), Friction(Fraction(1, 5), Fraction(3, 2), coulomb_negative=1))
    torque = signals.table([0, 1, 2, 9], [[0, 0], [2, -1], [0, 0], [0, 0]])
    return torqued(arm, torque, stops=(0, 1)), [torque, *stops([-1.0, -0.8], [1.5, 1.0], [0.6, 0.4])]


@pytest.mark.slow
def test_a_run_resumed_from_any_checkpoint_goes_on_bit_for_bit():
    system, sources = bouncing()
    whole = ran(system, sources, [0.3, 0.5], [0.0, 0.0], 2.5)
    for k in range(0, len(whole.steps), 23):
        kept = json.loads(json.dumps(whole.steps[k].whereabouts.to_json()))
        run = adaptive(system, sources, [0.0, 0.0], [0.0, 0.0])
        run.resume(Whereabouts.from_json(kept))
        rest = list(run.steps(2.5))
        assert [s.end for s in rest] == [s.end for s in whole.steps[k + 1 :]]
        run.settle()
        assert np.array_equal(run.state, whole.state)


def parts_of(engine, until):
    state = engine.start()
    parts = [*engine.run(0.0, until, state, None), engine.last(state)]
    return parts, np.concatenate([part.t for part in parts]), np.concatenate([part.rows for part in parts])


def test_records_and_parts_do_not_change_the_steps(monkeypatch):
    system, sources = bouncing()
    start = [0.3, 0.5], [0.0, 0.0]
    plain = ran(system, sources, *start, 2.5)
    _, t, rows = parts_of(AdaptiveEngine(adaptive(system, sources, *start), 0.01), 2.5)
    monkeypatch.setattr("leverarm.simulation.adaptive.engine.CHUNK_SECONDS", -1.0)  # a part for each step
    parts, fine_t, fine = parts_of(AdaptiveEngine(adaptive(system, sources, *start), 0.005), 2.5)
    assert len(parts) > 100
    assert np.array_equal(rows[-1][: len(plain.state)], plain.state)
    assert np.array_equal(fine[-1], rows[-1])
    assert np.allclose(t, np.append(0.01 * np.arange(250), 2.5), rtol=0, atol=1e-15)
    assert np.array_equal(fine[::2], rows) and np.array_equal(fine_t[::2], t)
    events = [event for part in parts for event in part.events]
    assert events == plain.events


def test_an_engine_goes_on_from_the_checkpoint_of_any_part(monkeypatch):
    monkeypatch.setattr("leverarm.simulation.adaptive.engine.CHUNK_SECONDS", -1.0)  # a part for each step
    system, sources = bouncing()
    start = [0.3, 0.5], [0.0, 0.0]
    parts, _, rows = parts_of(AdaptiveEngine(adaptive(system, sources, *start), 0.01), 1.5)
    kept = json.loads(json.dumps(parts[60].checkpoint))
    engine = AdaptiveEngine(adaptive(system, sources, *start), 0.01)
    state = engine.resumed(kept)
    again = [*engine.run(0.0, 1.5, state, kept), engine.last(state)]
    seen = sum(len(part.t) for part in parts[:61])
    assert np.array_equal(np.concatenate([part.rows for part in again]), rows[seen:])


# What cannot go on


def test_a_motion_without_end_in_finite_time_is_an_error_with_time_and_joint():
    """x'' = x'^2 from x' = 1 leaves the range of numbers at t = 1."""
    system = System(slider(1.0, 0.0), (PythonTorque(),))
    rising = PythonCallback(lambda t, q, qd: np.minimum(qd**2, 1e300), system.arm)
    run = adaptive(system, [rising], [0.0], [1.0], rtol=1e-9, atol=1e-9)
    with pytest.raises(SimulationError, match="no step is short enough") as caught, np.errstate(all="ignore"):
        list(run.steps(2.0))
    assert caught.value.t == pytest.approx(1.0, abs=1e-6)
    assert caught.value.joint == "s"
    assert "larger tolerances" in str(caught.value)


# The parts


def test_step_control_is_that_of_the_book():
    assert factor_after(1.0, 1.0, 5) == pytest.approx(0.9)
    assert factor_after(1e-5, FRESH, 5) == pytest.approx(0.9 * 1e-5 ** -(0.2 - 0.03) * 1e-4**0.04)
    assert factor_after(0.0, FRESH, 5) == 10 and factor_after(1e9, 1.0, 5) == 0.2
    assert factor_after_rejection(32.0, 5) == pytest.approx(0.45)
    assert factor_after_rejection(math.inf, 5) == 0.1


@pytest.mark.parametrize("power", [1, 3, 0.5])
def test_a_crossing_is_found_from_its_negative_side(power):
    root, calls = 0.3217, []

    def guard(x):
        calls.append(x)
        return math.copysign(abs(root - x) ** power, root - x), x

    t, seen = first_negative(guard, (0.0, guard(0.0)[0]), (1.0, *guard(1.0)), 1e-13)
    assert t == seen and 0 < t - root <= 1.1e-13
    assert len(calls) < 140
    assert power != 1 or len(calls) < 8


def test_a_crossing_that_bends_is_found_in_a_few_steps():
    calls = []

    def guard(x):
        calls.append(x)
        return math.exp(2.0) - math.exp(5 * x), None

    t, _ = first_negative(guard, (0.0, guard(0.0)[0]), (1.0, *guard(1.0)), 1e-13)
    assert 0 < t - 0.4 <= 1.1e-13
    assert len(calls) < 25


def test_loads_that_a_cubic_follows_are_not_doubted():
    smooth, wavy = 3 + 2 * LOOKS - 5 * LOOKS**3, 3 + np.sin(9 * LOOKS)
    assert are_doubtful(np.column_stack([smooth, wavy, 0 * LOOKS])).tolist() == [False, True, False]
