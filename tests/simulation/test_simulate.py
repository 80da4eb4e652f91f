"""`la.simulate` and `la.rollout` with fixed steps: the motion, the ledger, what acts, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm.compiler.llvm import runnable_machines
from leverarm.errors import InputError, SimulationError
from leverarm.runtime.stepping import EXPLICIT

ORDERS = {name: method.order for name, method in EXPLICIT.items()}


def without_friction(name):
    from dataclasses import replace

    arm = la.load(name)
    bodies = tuple(replace(body, joint=replace(body.joint, friction=None)) for body in arm.bodies)
    return replace(arm, bodies=bodies)


@pytest.mark.parametrize("method", ORDERS)
@pytest.mark.parametrize("name", ["elbow", "polar", "puma560"])
def test_the_order_of_each_method_is_that_of_theory(name, method):
    arm = without_friction(name)
    rng = np.random.default_rng(3)
    q0, qd0 = rng.uniform(-0.5, 0.5, arm.dof) + 1.0, rng.uniform(-0.5, 0.5, arm.dof)
    until, order = 0.25, ORDERS[method]
    steps = [64, 128, 256] if order > 2 else [512, 1024, 2048]

    def final(method, count):
        run = la.simulate(arm, q0, qd0, until=until, method=method, step=until / count, record=until, bound=np.inf)
        return np.concatenate(run.final)

    exact = final("rk4", 4096)
    errors = [np.abs(final(method, count) - exact).max() for count in steps]
    observed = np.log2(np.array(errors[:-1]) / errors[1:])
    assert abs(observed[-1] - order) < 0.1, (errors, observed)


def test_a_step_is_the_formula_of_the_method():
    arm = la.load("elbow")
    q0, qd0, tau, h = np.array([0.3, -0.7]), np.array([0.5, 0.2]), np.array([1.0, -2.0]), 0.01

    def f(q, qd):
        return la.forward_dynamics(arm, q, qd, tau)

    def stepped(method):
        return la.simulate(arm, q0, qd0, until=h, method=method, step=h, torque=tau, bound=np.inf).final

    a = f(q0, qd0)
    assert np.allclose(stepped("euler"), (q0 + h * qd0, qd0 + h * a), rtol=0, atol=1e-15)
    assert np.allclose(stepped("semi-implicit"), (q0 + h * (qd0 + h * a), qd0 + h * a), rtol=0, atol=1e-15)
    b = f(q0 + h * qd0, qd0 + h * a)
    heun = q0 + h / 2 * (qd0 + qd0 + h * a), qd0 + h / 2 * (a + b)
    assert np.allclose(stepped("heun"), heun, rtol=0, atol=1e-15)
    k1v, k1a = qd0, a
    k2v, k2a = qd0 + h / 2 * k1a, f(q0 + h / 2 * k1v, qd0 + h / 2 * k1a)
    k3v, k3a = qd0 + h / 2 * k2a, f(q0 + h / 2 * k2v, qd0 + h / 2 * k2a)
    k4v, k4a = qd0 + h * k3a, f(q0 + h * k3v, qd0 + h * k3a)
    rk4 = q0 + h / 6 * (k1v + 2 * k2v + 2 * k3v + k4v), qd0 + h / 6 * (k1a + 2 * k2a + 2 * k3a + k4a)
    assert np.allclose(stepped("rk4"), rk4, rtol=0, atol=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("method", ORDERS)
def test_a_python_function_gives_the_bits_of_the_compiled_loop(method):
    arm = without_friction("panda")
    q0 = np.linspace(-1, 1, 7)
    tau = la.signals.table([0.0, 0.05, 0.1], np.array([[1, -2, 3, 4, 0.5, 0.1, 0.2]] * 3) * [[0], [1], [-1]])
    loop = la.simulate(arm, q0, until=0.1, method=method, step=1e-3, torque=tau, bound=np.inf)

    def function(t, q, qd):
        return tau.at(t).value

    called = la.simulate(arm, q0, until=0.1, method=method, step=1e-3, torque=function, bound=np.inf)
    # The table's piece is chosen at the begin of a step, the function is asked at every stage: they differ where the
    # table has its corner, and by the rounding of the interpolation.
    assert np.abs(loop.q - called.q)[:50].max() < 1e-13
    constant = la.simulate(arm, q0, until=0.05, method=method, step=1e-3, torque=np.arange(7.0), bound=np.inf)
    called = la.simulate(
        arm, q0, until=0.05, method=method, step=1e-3, torque=lambda t, q, qd: np.arange(7.0), bound=np.inf
    )
    assert (constant.q == called.q).all() and (constant.qd == called.qd).all()
    assert (constant.energy.works["torque"] == called.energy.works["torque"]).all()


@pytest.mark.slow
@pytest.mark.parametrize("method", ORDERS)
def test_an_environment_of_a_rollout_moves_as_it_does_alone(method):
    arm = la.load("puma560")
    rng = np.random.default_rng(0)
    q0, qd0 = rng.uniform(-1, 1, (13, 6)), rng.uniform(-1, 1, (13, 6))
    kp = rng.uniform(10, 50, (13, 6))
    control = la.control.pd_gravity(np.zeros(6), kp, 5.0)
    together = la.rollout(arm, q0, qd0, steps=60, method=method, torque=control, record=20)
    assert together.q.shape == (13, 4, 6) and np.allclose(together.t, [0, 0.02, 0.04, 0.06])
    for k in (0, 7, 8, 12):
        one = la.control.pd_gravity(np.zeros(6), kp[k], 5.0)
        alone = la.simulate(arm, q0[k], qd0[k], until=0.06, method=method, step=1e-3, torque=one, bound=np.inf)
        # The run alone keeps a ledger: another program, the same numbers but for its rounding.
        assert np.abs(alone.q[::20] - together.q[k]).max() < 1e-13
        assert np.abs(alone.qd[::20] - together.qd[k]).max() < 1e-11
        again = la.rollout(arm, q0[k], qd0[k], steps=60, method=method, torque=one, record=20)
        assert (again.q == together.q[k]).all() and (again.tau == together.tau[k]).all()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["midpoint", "gauss4", "gauss6"])
def test_rollouts_can_be_symplectic(method):
    arm = la.load("elbow")
    q0 = np.random.default_rng(4).normal(size=(11, 2))
    control = la.control.pd_gravity([0.5, -0.5], 20.0, 3.0)
    made = la.rollout(arm, q0, steps=50, method=method, torque=control, record=25)
    for k in (0, 7, 8, 10):
        alone = la.simulate(arm, q0[k], until=0.05, step=1e-3, method=method, torque=control)
        assert np.abs(alone.q[::25] - made.q[k]).max() < 1e-13
    with pytest.raises(SimulationError, match=r"environment \(0,\): a step by method '.*' could not be solved"):
        la.rollout(arm, q0, steps=50, step=2.0, method=method, torque=la.control.pd([3.0, -3.0], [1.0, 800.0], 0.0))


def test_rollouts_take_torques_row_by_row_and_parameters_by_environment():
    arm = la.load("elbow")
    rng = np.random.default_rng(1)
    q0, tau = rng.normal(size=(5, 2)), rng.normal(size=(5, 4, 2))
    masses = rng.uniform(0.5, 2, (5, 2))
    made = la.rollout(arm, q0, steps=40, torque=tau, parameters={"masses": masses}, threads=1)
    for k in range(5):
        times = np.arange(4) * 0.01
        held = la.signals.table(times, tau[k], between="hold", after="hold")
        alone = la.simulate(
            arm, q0[k], until=0.04, step=1e-3, torque=held, parameters={"masses": masses[k]}, bound=np.inf
        )
        assert (alone.final.q == made.q[k, -1]).all()
    assert (la.rollout(arm, q0, steps=40, torque=tau, parameters={"masses": masses}, threads=2).q == made.q).all()


def test_single_precision_rollouts_follow_double_ones():
    arm = la.load("elbow")
    q0 = np.random.default_rng(0).normal(size=(20, 2))
    double, single = (la.rollout(arm, q0, steps=200, dtype=d) for d in (np.float64, np.float32))
    assert single.q.dtype == np.float32
    assert np.abs(double.q - single.q).max() < 200 * 2e-6 * np.abs(double.q).max()


@pytest.mark.slow
def test_the_ledger_books_every_force():
    arm = la.load("puma560")
    q0 = np.array([0.1, 0.5, -0.3, 0.2, 0.4, 0.0])
    run = la.simulate(
        arm,
        q0,
        until=0.5,
        step=2.5e-4,
        torque=[la.control.computed_torque(la.signals.quintic([q0, q0 + 0.5], [0, 0.5]), 100.0, 20.0), np.full(6, 0.3)],
        disturbance=la.signals.table([0, 0.5], [np.zeros(6), np.full(6, 2.0)]),
        wrench={arm.tool: [0, 0.1, 0, 1, 2, 3]},
        payload=[
            la.payload(1.5, com=(0, 0, 0.1), inertia=0.01 * np.eye(3), at=0.2, until=0.4),
            la.payload(0.5, at=0.3),
        ],
        bound=1.0,
    )
    works = run.energy.works
    assert {"torque", "friction", "disturbance", "wrench", "payload"} <= set(works)
    assert all(np.ptp(work) > 1e-3 for work in works.values())
    assert [event.t for event in run.events if event.what == "payload"] == [0.2, 0.3, 0.4]
    assert run.energy.relative < 1e-6


def test_a_payload_changes_what_the_arm_weighs():
    arm = la.load("elbow")
    run = la.simulate(arm, [0, 0], until=0.002, step=1e-3, payload=la.payload(2.0, at=0.001))
    loaded = la.with_values(arm, m2=3.0)
    assert np.allclose(run.qdd[0], la.forward_dynamics(arm, [0, 0], [0, 0], [0, 0]))
    assert np.allclose(run.qdd[1], la.forward_dynamics(loaded, run.q[1], run.qd[1], [0, 0]), atol=1e-12)


def test_steps_that_do_not_fit_end_with_a_shorter_one():
    arm = la.load("elbow")
    run = la.simulate(arm, [0, 0], until=0.0105, step=1e-3)
    assert run.t[-1] == pytest.approx(0.0105, abs=1e-15) and len(run) == 12
    fine = la.simulate(arm, [0, 0], until=0.0105, step=0.0105 / 64)
    assert np.abs(run.final.q - fine.final.q).max() < 1e-11


@pytest.mark.parametrize("record", [1e-3, 3e-3, 7e-3, 1.0])
def test_what_is_recorded_does_not_change_the_motion(record):
    arm = la.load("elbow")
    whole = la.simulate(arm, [0, 0], until=1.0, step=1e-3, record=1e-3)
    some = la.simulate(arm, [0, 0], until=1.0, step=1e-3, record=record)
    every = round(record * 1000)
    assert (some.q[:-1] == whole.q[:-1][::every]).all() and (some.final.q == whole.final.q).all()
    assert (some.energy.total[-1] == whole.energy.total[-1]).all()


def test_a_run_in_many_parts_is_the_run_in_one(monkeypatch):
    from leverarm.simulation.fixed_step import marching as fixed_step

    arm = la.load("puma560")
    one = la.simulate(arm, until=0.3, step=1e-3)
    monkeypatch.setattr(fixed_step, "FIRST_CHUNK", 7)
    monkeypatch.setattr(fixed_step, "CHUNK_SECONDS", 0.0)
    many = la.simulate(arm, until=0.3, step=1e-3)
    assert (one.q == many.q).all() and (one.energy.balance == many.energy.balance).all()


def test_other_processors_differ_by_rounding_only(monkeypatch):
    arm, ends = la.load("puma560"), []
    for name in runnable_machines():
        from leverarm.compiler.llvm import machine_named
        from leverarm.simulation import compiled_system

        monkeypatch.setattr(compiled_system, "host_machine", lambda name=name: machine_named(name))
        q0 = np.full((5, 6), 0.3)
        made = la.rollout(arm, q0, steps=100)
        alone = la.simulate(arm, q0[0], until=0.1, step=1e-3)
        assert (made.q[0, -1] == alone.final.q).all()
        ends.append(made.q)
    for other in ends[1:]:
        assert np.abs(other - ends[0]).max() < 1e-11


def test_energy_that_does_not_balance_is_told_with_the_remedy():
    arm = la.load("elbow")
    with pytest.warns(la.types.EnergyWarning, match=r"smaller step than 0.01 s, or a method of higher order"):
        la.simulate(arm, [0, 0], until=2.0, method="euler", step=0.01)


def test_a_step_too_large_is_a_named_error_with_what_was_computed():
    arm = la.load("elbow")
    with pytest.raises(SimulationError, match=r"theta\d diverges: the step is too large") as caught:
        la.simulate(arm, [0, 0], until=20.0, step=0.05, torque=la.control.pd([1, 1], 2000.0, 500.0))
    problem = caught.value
    assert problem.joint in arm.joint_names and 0 <= problem.t < 20
    assert problem.trajectory.t[-1] <= problem.t and np.isfinite(problem.trajectory.q).all()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda t, q, qd: [0.0, np.nan] if t > 0.01 else [0.0, 0.0],
            r"at t = 0.01 s the torque function gave nan for theta2",
        ),
        (
            lambda t, q, qd: [1.0, 2.0, 3.0],
            r"at t = 0 s the torque function gave an array of shape \(3,\); it must give 2",
        ),
        (lambda t, q, qd: 1 / 0, r"at t = 0 s the torque function raised ZeroDivisionError: division by zero"),
        (
            lambda t, q, qd: "much",
            r"at t = 0 s the torque function gave 'much'; it must give 2 numbers \(theta1, theta2\)",
        ),
    ],
)
def test_a_function_that_gives_nonsense_is_told_with_time_and_joint(function, message):
    with pytest.raises(SimulationError, match=message):
        la.simulate(la.load("elbow"), [0, 0], until=0.1, step=1e-3, torque=function)


@pytest.mark.parametrize("options", [{}, {"step": 1e-3}, {"step": 1e-3, "method": "midpoint"}])
def test_what_was_computed_before_a_function_failed_is_kept(options):
    with pytest.raises(SimulationError) as caught:
        la.simulate(
            la.load("elbow"),
            until=1.0,
            torque=lambda t, q, qd: [np.nan if t > 0.5 else 0.0, 0.0],
            record=1e-3,
            **options,
        )
    assert 0.499 < caught.value.t <= 0.6
    assert caught.value.trajectory.t[-1] > (0.45 if not options else 0.498)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"until": -1}, "not after the start"),
        ({"until": "soon"}, "until: 'soon' is no array of numbers. It takes one finite number"),
        ({"method": "rk5", "step": 1e-3}, "no method named 'rk5'"),
        ({"method": "euler"}, "none was given. Give step="),
        ({"step": 1e-3, "rtol": 1e-6, "method": "rk4"}, "rtol was given to a method with a fixed step"),
        ({"step": 1e-3, "record": 1.5e-3}, "no multiple of the step"),
        ({"step": 2.0}, "longer than the whole run"),
        ({"step": 1e-3, "torque": [1, 2, 3]}, r"torque: an array of shape \(3,\) given; it takes 2 \(theta1, theta2\)"),
        ({"step": 1e-3, "torque": [1, np.inf]}, "not finite"),
        ({"step": 1e-3, "torque": la.signals.table([0, 0.5], [[0, 0], [1, 1]])}, "the table ends at t = 0.5 s"),
        ({"step": 1e-3, "wrench": {"hand": [0] * 6}}, "no frame named 'hand'"),
        ({"step": 1e-3, "payload": 3.0}, "payload"),
        ({"step": 1e-3, "parameters": {"mases": [1, 2]}}, "no parameter named 'mases'"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(options, message):
    with pytest.raises(InputError, match=message):
        la.simulate(la.load("elbow"), [0, 0], **{"until": 1.0, **options})


def test_an_arm_without_inertia_cannot_be_simulated():
    arm = la.planar("RR", masses=[1.0, 0.0])
    with pytest.raises(la.LeverarmError, match="mass matrix"):
        la.simulate(arm, [0, 0], until=1.0, step=1e-3)


def test_a_start_without_a_mass_matrix_that_can_be_inverted_is_told_and_does_not_hang():
    with pytest.raises(SimulationError, match=r"at t = 0 s no step is short enough.*singular mass matrix"):
        la.simulate(la.load("polar"), until=0.2)


def test_a_start_beyond_all_measure_is_told():
    with pytest.raises(SimulationError):
        la.simulate(la.load("elbow"), [0, 0], [1e200, 0], until=0.1)


@pytest.mark.parametrize("given", [[10**400, 0], ["1", "2"], [1j, 0]])
def test_a_function_that_gives_no_numbers_is_told(given):
    with pytest.raises(SimulationError, match="it must give 2 numbers"):
        la.simulate(la.load("elbow"), [0, 0], until=0.1, torque=lambda t, q, qd: given)


def test_a_rollout_that_cannot_be_kept_is_refused():
    with pytest.raises(InputError, match="at most 1e\\+09 fit"):
        la.rollout(la.load("elbow"), np.zeros((1000, 2)), steps=10**10, record=1)
