"""The implicit midpoint rule and Gauss's methods in canonical variables: what makes them worth their iterations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import leverarm as la
from leverarm.control import computed_torque, pd, pd_gravity
from leverarm.control.signals import fourier, table
from leverarm.errors import SimulationError
from leverarm.model import Friction
from leverarm.runtime.stepping import EXPLICIT
from leverarm.simulation.acting.feeds import aligned, feeds_for_steps
from leverarm.simulation.acting.payloads import payload
from leverarm.simulation.acting.scenario import scenario_of
from leverarm.simulation.compiled_system import CompiledSystem
from leverarm.simulation.fixed_step.marching import CompiledMarch, FixedEngine, Grid, recorded
from leverarm.simulation.symplectic.engine import (
    GAUSS4,
    GAUSS6,
    MIDPOINT,
    PARTS,
    SYMPLECTIC,
    implicit_loop,
)
from leverarm.spatial import Vec3

RK4 = EXPLICIT["rk4"].tableau

ROUNDS, IS_BEGUN, FAILED = -3, -2, -1
METHODS = list(SYMPLECTIC.values())


def with_friction(name, friction):
    arm = la.load(name)
    return replace(
        arm, bodies=tuple(replace(body, joint=replace(body.joint, friction=friction)) for body in arm.bodies)
    )


@dataclass
class Marcher:
    """A method at work on an arm and what acts on it, for as many environments as it has lanes."""

    march: Any
    first: Any
    n: int

    def __call__(self, q, qd, h, steps, every=1):
        """The rows of a run, and the state at its end."""
        state = self.start(q, qd)
        return self.march(state, 0, steps, every, 0.0, h), state

    def start(self, q, qd):
        state = self.first.copy()
        state[: self.n], state[self.n : 2 * self.n] = q, qd
        return state


def marcher(arm, method, parts=1, **wishes):
    scenario = scenario_of(arm, begin=0.0, until=1e3, **wishes)
    compiled = CompiledSystem(scenario.system)
    if method is RK4:
        march = CompiledMarch(compiled.march(RK4, 1), compiled.layout.record, scenario.sources)
        return Marcher(march, aligned((compiled.layout.state,)), arm.dof)
    native, carried, options = implicit_loop(compiled, method, 1, parts)
    march = CompiledMarch(native, compiled.layout.record, scenario.sources, options)
    return Marcher(march, aligned((compiled.layout.state + carried,)), arm.dof)


def energies(arm, rows):
    fast, n = la.compile(arm), arm.dof
    q, qd = rows[:, :n].copy(), rows[:, n : 2 * n].copy()
    return fast.kinetic_energy(q, qd) + fast.potential_energy(q)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_tables(method):
    """Order conditions of quadrature and collocation, and b_i a_ij + b_j a_ji = b_i b_j: symplectic."""
    A, b, c = np.array(method.matrix), np.array(method.weights), np.array(method.nodes)
    for k in range(1, method.order + 1):
        assert b @ c ** (k - 1) == pytest.approx(1 / k, abs=4e-16)
    for k in range(1, len(c) + 1):
        assert A @ c ** (k - 1) == pytest.approx(c**k / k, abs=2e-16)
    B = b[:, None] * A
    assert np.abs(B + B.T - np.outer(b, b)).max() < 2e-16
    past = method.remembered // len(c)
    times = np.concatenate([c - k for k in range(past, 0, -1)])
    for k in range(method.remembered):
        assert np.array(method.guesses) @ times**k == pytest.approx(c**k, abs=1e-10)


# symplecticity --------------------------------------------------------------------------------------------------------


def step_in_canonical_variables(run, fast, method, h):
    """(q, p) -> (q, p) by one step, from the state that the march carries."""
    n = run.n
    at_p = len(run.first) - n * (1 + method.remembered) - 3

    def step(z):
        state = run.start(z[:n], np.linalg.solve(fast.mass_matrix(z[:n]), z[n:]))
        state[at_p : at_p + n] = z[n:]
        state[at_p + n : ROUNDS] = np.tile(state[n : 2 * n], method.remembered)
        state[IS_BEGUN] = 1.0
        run.march(state, 0, 1, 2, 0.0, h)
        assert state[FAILED] == 0
        return np.concatenate([state[:n], state[at_p : at_p + n]])

    return step


def symplectic_defect(step, z):
    """The largest entry of J^T Omega J - Omega, J by central differences of fourth order."""
    n, d = len(z) // 2, 2e-3
    columns = []
    for k in range(2 * n):
        e = d * np.eye(2 * n)[k]
        columns.append((8 * (step(z + e) - step(z - e)) - step(z + 2 * e) + step(z - 2 * e)) / (12 * d))
    J = np.array(columns).T
    omega = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    return np.abs(J.T @ omega @ J - omega).max()


@pytest.mark.parametrize("name", ["elbow", "puma560"])
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_a_step_is_symplectic(name, method):
    """To the errors of the differences: d^4 = 1.6e-11 times fifth derivatives / 30, and rounding 1e-16 / d."""
    arm = with_friction(name, None)
    rng = np.random.default_rng(3)
    q, qd = rng.uniform(-1, 1, (2, arm.dof))
    fast = la.compile(arm)
    z = np.concatenate([q, fast.mass_matrix(q) @ qd])
    step = step_in_canonical_variables(marcher(arm, method), fast, method, 0.03)
    assert symplectic_defect(step, z) < 1e-9


def test_a_step_of_rk4_is_not_symplectic():
    """The same measure on an explicit step sees its defect, a thousand times the bound above."""
    arm = with_friction("elbow", None)
    run, fast = marcher(arm, RK4), la.compile(arm)

    def step(z):
        state = run.start(z[:2], np.linalg.solve(fast.mass_matrix(z[:2]), z[2:]))
        run.march(state, 0, 1, 2, 0.0, 0.1)
        return np.concatenate([state[:2], fast.mass_matrix(state[:2].copy()) @ state[2:4]])

    z = np.concatenate([[0.3, -0.8], fast.mass_matrix(np.array([0.3, -0.8])) @ [2.0, 3.0]])
    assert symplectic_defect(step, z) > 1e-6


# accuracy -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("method", "steps"), [(MIDPOINT, 400), (GAUSS4, 60), (GAUSS6, 20)], ids=lambda x: str(x)[:8])
@pytest.mark.parametrize("kind", ["free", "damped and controlled"])
def test_order(method, steps, kind):
    """Halving the step divides the error by 2^order, within 0.1; the truth is RK4's at 1/20 000 s.

    With forces as well: they act at the stages.
    """
    arm = with_friction("puma560", None if kind == "free" else Friction(0.8, 0.5, smoothing=4.0))
    n = arm.dof
    wishes = (
        {}
        if kind == "free"
        else {"torque": pd_gravity(fourier(0.6, n * [0.2], sines=[n * [0.3]], cosines=[n * [0.1]]), 30.0, 3.0)}
    )
    q0, qd0 = np.linspace(-0.5, 0.6, n), np.linspace(1.0, -1.0, n)
    truth = marcher(arm, RK4, **wishes)(q0, qd0, 1 / 20_000, 10_000, every=20_000)[1][: 2 * n]
    errors = []
    for count in (steps, 2 * steps):
        _, state = marcher(arm, method, **wishes)(q0, qd0, 0.5 / count, count)
        errors.append(np.abs(state[: 2 * n] - truth).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(method.order, abs=0.1)


def test_parts_are_smaller_steps():
    """Four parts of a step are four steps, to rounding: the matrix of the iteration is the only difference."""
    arm = with_friction("puma560", None)
    q0 = np.linspace(-0.5, 0.6, arm.dof)
    whole = marcher(arm, MIDPOINT)(q0, 0 * q0, 2.5e-3, 400)[1]
    parts = marcher(arm, MIDPOINT, parts=4)(q0, 0 * q0, 1e-2, 100)[1]
    assert np.abs(whole - parts)[: 2 * arm.dof].max() < 1e-10


@pytest.mark.slow
def test_momentum_about_the_first_axis_is_conserved():
    """Without gravity turning the whole arm changes nothing: p_1 stays, where RK4 loses a little in each step."""
    arm = replace(with_friction("puma560", None), gravity=Vec3(0, 0, 0))
    q0, qd0 = np.linspace(-0.5, 0.6, arm.dof), np.linspace(3.0, -4.0, arm.dof)
    fast, n, drift = la.compile(arm), arm.dof, {}
    for method in (MIDPOINT, GAUSS6, RK4):
        rows, _ = marcher(arm, method)(q0, qd0, 0.01, 1000)
        q, qd = rows[:, :n].copy(), rows[:, n : 2 * n].copy()
        p = np.einsum("kj,kj->k", fast.mass_matrix(q)[:, 0], qd)
        drift[method.name] = np.abs(p - p[0]).max() / abs(p[0])
    # 1000 steps, each rounded to about 1e-15 of the momenta of six joints.
    assert drift["midpoint"] < 1e-12
    assert drift["gauss6"] < 1e-12
    assert drift["rk4"] > 1e-9


@pytest.mark.slow
def test_energy_has_no_trend():
    """Elbow at steps of 10 ms for 200 s: RK4's error is all trend, that of the midpoint rule goes to and fro."""
    arm = with_friction("elbow", None)
    trend, size = {}, {}
    for method in (MIDPOINT, RK4):
        rows, _ = marcher(arm, method)([0.4, 0.4], [0.0, 0.0], 0.01, 20_000)
        error = energies(arm, rows) - energies(arm, rows[:1])
        trend[method.name] = np.polyfit(np.linspace(0, 1, len(error)), error, 1)[0]
        size[method.name] = np.abs(error).max()
    assert abs(trend["rk4"]) > 0.5 * size["rk4"]
    assert abs(trend["midpoint"]) < 0.05 * size["midpoint"]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_panda_keeps_its_energy(method):
    """Steps of 1 ms for 20 s, the wrist whirling: to 1e-6, without trend."""
    arm = with_friction("panda", None)
    rows, state = marcher(arm, method, PARTS[method.name])([0, -0.3, 0, -1.5, 0, 1.5, 0], 0, 1e-3, 20_000)
    total = energies(arm, rows)
    error = total / total[0] - 1
    assert state[FAILED] == 0
    assert np.abs(error).max() < 1e-6
    # The trend of white noise of the blocks' size would be within five of its standard errors.
    blocks = error.reshape(100, -1).mean(axis=1)
    trend = np.polyfit(np.linspace(-0.5, 0.5, 100), blocks, 1)[0]
    assert abs(trend) < 5 * blocks.std() * np.sqrt(12 / 100) + 1e-11


# forces ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
@pytest.mark.parametrize("ratio", [1.0, 10.0, 1e4])
@pytest.mark.parametrize("law", [pd, pd_gravity])
def test_stiff_dampers_and_springs(method, ratio, law):
    """Kd h = 10 M and beyond, where the plain iteration diverges: every step is solved, and the arm gets where it should."""
    arm, h = with_friction("puma560", None), 2e-3
    n, fast = arm.dof, la.compile(arm)
    inertia = np.diag(fast.mass_matrix(np.full(n, 0.3)))
    kd = ratio * inertia / h
    target = np.full(n, 0.5)
    _, state = marcher(arm, method, torque=law(target, 5 * kd, kd))(np.full(n, 0.3), np.ones(n), h, 2000)
    assert state[FAILED] == 0
    assert state[ROUNDS] / 2000 < 40
    rest = target
    for _ in range(50 if law is pd else 0):  # its springs give way to the weight
        rest = target - fast.gravity(rest) / (5 * kd)
    # After 20 time constants of the slow mode, kd/kp = 1/5 s, 2e-9 of the way is left.
    assert np.abs(state[:n] - rest).max() < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("parts", [1, 3])
def test_the_ledger_closes_to_the_order_of_the_method(parts):
    """With friction and control the balance is an error of the method: 16 times less at a quarter of the step."""
    arm = with_friction("puma560", Friction(0.8, 0.5, smoothing=0.7))
    n, balance = arm.dof, {}
    for method, h in ((MIDPOINT, 4e-3), (MIDPOINT, 1e-3), (GAUSS6, 1e-3)):
        run = marcher(arm, method, parts, torque=computed_torque(np.full(n, 0.4), 25.0, 10.0))
        rows, _ = run(np.zeros(n), np.ones(n), h, round(1 / h))
        total, works = energies(arm, rows), rows[:, 2 * n : 2 * n + 2]
        assert (works[-1] != 0).all()
        assert works[-1, 1] < 0
        balance[method.name, h] = np.abs(total - total[0] - works.sum(axis=1)).max() / np.ptp(works[:, 0])
    assert balance["midpoint", 4e-3] / balance["midpoint", 1e-3] == pytest.approx(16, rel=0.1)
    assert balance["gauss6", 1e-3] < 1e-11


def test_works_of_a_conservative_arm_are_zero():
    """No account exists, and nothing is booked."""
    arm = with_friction("elbow", None)
    scenario = scenario_of(arm, begin=0.0, until=1.0)
    assert scenario.system.accounts == ()
    assert CompiledSystem(scenario.system).programs[2].sums == 0


@pytest.mark.slow
def test_a_joint_sticks_and_slips():
    """Dry friction: as RK4 has it, from one hold to the next, with the ledger closed."""
    arm, h = with_friction("elbow", Friction(0.2, 3.0)), 1e-3
    weight = la.compile(arm).gravity(np.zeros(2))
    pushed = weight + np.array([8.0, 2.0])
    torques = table([0.0, 0.1, 0.6, 1e3], [weight, weight, pushed, pushed])
    found = {}
    for method in (RK4, MIDPOINT, GAUSS6):
        run = marcher(arm, method, torque=torques)
        state = run.start([0.0, 0.0], [0.0, 0.0])
        state[6:10] = 1.0  # both joints held; sliding, if they do, forwards
        rows = run.march(state, 0, 1000, 1, 0.0, h)
        total = energies(arm, rows)
        assert np.abs(total - total[0] - rows[:, 4:6].sum(axis=1)).max() < 1e-7 * rows[-1, 4]
        found[method.name] = rows
    held = found["rk4"][:, 6:8]
    assert 0 < held[:, 0].sum() < 999
    assert held[:, 1].all()
    for name, bound in (("midpoint", 1e-6), ("gauss6", 1e-9)):  # errors of order 2, and RK4's own
        assert (found[name][:, 6:8] == held).all()
        assert np.abs(found[name][:, :4] - found["rk4"][:, :4]).max() < bound
        assert (found[name][:, 1] == 0).all()


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_torques_by_a_python_function(method, parts):
    """The same motion, works and records as by the law that is compiled with the arm."""
    arm, h, n = with_friction("elbow", Friction(0.1, 0.2, smoothing=0.3)), 2e-3, 2
    law = pd([0.5, -0.4], 40.0, 6.0)
    expected, end = marcher(arm, method, parts, torque=law)([0.1, 0.2], [0.0, 1.0], h, 200, every=5)
    called = marcher(arm, method, parts, torque=lambda t, q, qd: law.torque_at(arm, t, q, qd))
    rows, state = called([0.1, 0.2], [0.0, 1.0], h, 200, every=5)
    assert np.abs(rows - expected).max() < 1e-10 * np.abs(expected).max()
    assert np.abs(state[: 3 * n] - end[: 3 * n]).max() < 1e-11


# the same run, cut and packed -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", [0.3, None], ids=["smooth", "dry"])
@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_one_march_is_two_marches(method, smoothing):
    """Bit for bit, wherever it is cut, with forces that change in time."""
    arm = with_friction("elbow", Friction(0.1, 0.2, smoothing=smoothing))
    torques = table([0.0, 0.05, 0.3, 1e3], [[1.0, 0.0], [2.0, -1.0], [0.0, 3.0], [0.0, 0.0]])
    run = marcher(arm, method, 2, torque=torques)
    rows, whole = run([0.2, 0.1], [0.5, 0.0], 1e-3, 400, every=7)
    for cut in (1, 133, 399):
        state = run.start([0.2, 0.1], [0.5, 0.0])
        parts = [run.march(state, 0, cut, 7, 0.0, 1e-3), run.march(state, cut, 400 - cut, 7, 0.0, 1e-3)]
        assert (state == whole).all()
        assert (np.concatenate(parts) == rows).all()


def test_the_first_record_is_what_was_given():
    arm = la.load("puma560")
    q0, qd0 = np.linspace(-0.5, 0.6, arm.dof), np.linspace(0.3, -0.4, arm.dof)
    rows, _ = marcher(with_friction("puma560", None), MIDPOINT)(q0, qd0, 1e-3, 3)
    assert (rows[0, : 2 * arm.dof] == [*q0, *qd0]).all()


@pytest.mark.parametrize("method", [MIDPOINT, GAUSS6], ids=lambda m: m.name)
def test_an_environment_gives_the_same_bits_in_a_batch(method):
    """Others that take more iterations, or fail, change nothing."""
    arm = with_friction("elbow", None)
    scenario = scenario_of(arm, begin=0.0, until=10.0, torque=pd([0.0, 0.0], 50.0, 5.0))
    compiled = CompiledSystem(scenario.system)
    lanes = compiled.lanes
    many, one = (implicit_loop(compiled, method, width, 1).native for width in (lanes, 1))
    size = compiled.layout.state + implicit_loop(compiled, method, 1, 1).carried
    starts = np.random.default_rng(2).uniform(-2, 2, (4, lanes))
    starts[2:, -1] = 1e9  # hopeless: its step cannot be solved
    h, steps, every = 0.02, 60, 4

    def march(native, start, width):
        state = aligned((size, width))
        state[:4] = start
        rows = aligned((recorded(0, steps, every), compiled.layout.record, width))
        (feeds,) = feeds_for_steps(scenario.sources, h * np.arange(steps), h, width, width)
        native(state.ctypes.data, feeds.address, rows.ctypes.data, 0, steps, every, 0.0, h, 1)
        return state, rows

    state, rows = march(many, starts, lanes)
    assert state[FAILED, -1] == np.inf
    assert (state[FAILED, :-1] == 0).all()
    for k in range(lanes):
        alone, alone_rows = march(one, starts[:, k : k + 1], 1)
        assert np.array_equal(alone[:, 0], state[:, k])
        assert np.array_equal(alone_rows[:, :, 0], rows[:, :, k])


# bad steps and payloads -----------------------------------------------------------------------------------------------


def engine_for(arm, method, h, until, **wishes):
    scenario = scenario_of(arm, begin=0.0, until=until, **wishes)
    compiled = CompiledSystem(scenario.system)
    native, carried, options = implicit_loop(compiled, method, 1, 1)
    march = CompiledMarch(native, compiled.layout.record, scenario.sources, options)
    first = aligned((compiled.layout.state + carried,))
    return FixedEngine(march, Grid.over(0.0, until, h, 1), first, None, method.name)


def test_a_step_that_cannot_be_solved_is_named():
    """Its time, and all that was before it."""
    arm = with_friction("elbow", None)
    engine = engine_for(arm, MIDPOINT, 0.5, 50.0)
    state = engine.start()
    state[:4] = 0.3, 0.2, 4.0, -9.0
    parts = []
    with pytest.raises(SimulationError, match=r"at t = .* 'midpoint' could not be solved.*smaller step") as problem:
        parts.extend(engine.run(0.0, 50.0, state, None))
    assert 0 <= problem.value.t < 50
    assert np.isfinite(state[:-1]).all()


@pytest.mark.slow
def test_a_payload_that_appears_keeps_velocities():
    """Momenta grow with the mass: a new span begins with v, and agrees with RK4 that changes its mass as well."""
    arm, n = with_friction("puma560", None), 6
    wishes = {"payload": payload(2.0, com=[0.1, 0.0, 0.1], at=0.2)}
    engine = engine_for(arm, GAUSS4, 1e-3, 0.4, **wishes)
    state = engine.start()
    state[n : 2 * n] = 1.0
    for span in ((0.0, 0.2), (0.2, 0.4)):
        list(engine.run(*span, state, None))
    truth = marcher(arm, RK4, **wishes)(np.zeros(n), np.ones(n), 1e-4, 4000)[1]
    assert (
        np.abs(state - truth[: len(state)] if len(state) == len(truth) else state[: 2 * n] - truth[: 2 * n]).max()
        < 1e-8
    )
