"""What a user does with compiled functions: options, parameters as inputs, pictures of what happened, mistakes."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics
from leverarm.runtime.parameters import GROUPS
from tests.support.random_arms import random_arm


@pytest.fixture(scope="module")
def elbow():
    return la.compile(la.load("elbow"))


@pytest.fixture(scope="module")
def panda():
    return la.compile(la.load("panda"))


def state(arm, seed=0, rows=3):
    return np.random.default_rng(seed).normal(size=(rows, arm.dof))


@pytest.mark.slow
def test_wrench_and_disturbance_as_in_the_reference(panda):
    arm = panda.arm
    q, qd, qdd = state(arm)
    wrench, tau_d = np.arange(6.0) - 2, np.linspace(-1, 1, arm.dof)
    expected = la.inverse_dynamics(arm, q, qd, qdd, wrenches={"link3": wrench}, disturbance=tau_d)
    got = panda.inverse_dynamics(q, qd, qdd, wrench=wrench, disturbance=tau_d, frame="link3")
    assert got == pytest.approx(expected, rel=1e-12, abs=1e-12)
    back = panda.forward_dynamics(q, qd, got, wrench=wrench, disturbance=tau_d, frame="link3")
    assert back == pytest.approx(qdd, abs=1e-9)
    assert panda.bias(q, qd, wrench=wrench) == pytest.approx(
        la.inverse_dynamics(arm, q, qd, 0 * q, wrenches={arm.tool: wrench}), abs=1e-12
    )
    dq, _, M = panda.inverse_dynamics_derivatives(q, qd, qdd, wrench=wrench)
    h = 1e-6
    for j in range(arm.dof):
        e = np.eye(arm.dof)[j] * h
        ahead, behind = (panda.inverse_dynamics(q + s * e, qd, qdd, wrench=wrench) for s in (1, -1))
        assert (ahead - behind) / (2 * h) == pytest.approx(dq[:, j], abs=2e-7)
    assert pytest.approx(la.mass_matrix(arm, q), abs=1e-12) == M


@pytest.mark.slow
def test_frames_axes_kinds_and_methods(panda):
    arm = panda.arm
    q, qd, qdd = state(arm, 1)
    assert panda.pose(q, frame="link4") == pytest.approx(la.forward_kinematics(arm, q, "link4"), abs=1e-13)
    assert panda.jacobian(q, frame="link4") == pytest.approx(la.jacobian(arm, q, "link4"), abs=1e-13)
    assert panda.jacobian_dot(q, qd, frame="link4") == pytest.approx(la.jacobian_dot(arm, q, qd, "link4"), abs=1e-12)
    expected = la.operational_inertia(arm, q, axes=["x", "z"])
    assert panda.operational_inertia(q, axes=["x", "z"]) == pytest.approx(expected, rel=1e-10)
    assert panda.regressor(q, qd, qdd, kinds=["inertial", "viscous"]).shape == (7, 77)


@pytest.mark.parametrize(("method", "order"), [("euler", 1), ("semi-implicit", 1), ("rk4", 4)])
def test_steps_have_their_order(elbow, method, order):
    """Halving the step divides the error after a fixed time by 2^order."""

    def after(steps, method):
        q, qd = np.array([0.3, -0.4]), np.array([0.5, 0.2])
        for _ in range(steps):
            q, qd = elbow.step(q, qd, [1.0, -0.5], 0.2 / steps, method=method)
        return np.concatenate([q, qd])

    exact = after(1000, "rk4")
    errors = [np.abs(after(steps, method) - exact).max() for steps in (10, 20)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15)


SETS = (["gravity", "masses", "viscous", "coulomb", "offset", "rotor"], ["inertial", "payload"])


@pytest.mark.slow
@pytest.mark.parametrize("names", SETS, ids=" ".join)
@pytest.mark.parametrize("seed", range(3))
def test_every_group_of_parameters_on_random_trees(seed, names):
    """Other values per state give what an arm with those values gives; left out, they are the arm's own."""
    arm = random_arm(seed)
    fast = la.compile(arm, ["inverse_dynamics", "mass_matrix"], inputs=names)
    q, qd, qdd = state(arm, seed)
    assert fast.inverse_dynamics(q, qd, qdd) == pytest.approx(
        la.inverse_dynamics(arm, q, qd, qdd), rel=1e-11, abs=1e-11
    )
    mechanism, rng = la.bind(arm), np.random.default_rng(seed)
    for name in names:
        group = GROUPS[name]
        given = np.array(group.values(mechanism), float) * rng.uniform(0.5, 1.5, size=(2, len(group.labels(mechanism))))
        given = given if given.any() else rng.normal(size=given.shape)
        got = fast.inverse_dynamics(q, qd, qdd, **{name: given})
        for row, values in zip(got, given, strict=True):
            changed = group.replaced(mechanism, list(values))
            expected = mechanics.inverse_dynamics(changed, list(q), list(qd), list(qdd))
            assert row == pytest.approx(expected, rel=1e-11, abs=1e-11), name


def test_a_payload_is_a_body_at_the_tool():
    arm = la.load("elbow")
    fast = la.compile(arm, inputs="payload")
    q, qd, qdd = state(arm, 5)
    m = 0.7
    with_point = replace(arm, symbols=tuple((n, v + m if n == "m2" else v) for n, v in arm.symbols))
    got = fast.inverse_dynamics(q, qd, qdd, payload=[m, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    assert got == pytest.approx(la.inverse_dynamics(with_point, q, qd, qdd), abs=1e-12)


def test_symbols_of_the_arm_as_inputs():
    arm = la.load("elbow")
    fast = la.compile(arm, inputs=["a1", "m2"])
    lengths = np.array([0.5, 1.0, 2.0])
    got = fast.mass_matrix([0.1, 0.7], a1=lengths, m2=3.0)
    for M, a1 in zip(got, lengths, strict=True):
        assert pytest.approx(la.mass_matrix(la.with_values(arm, a1=a1, m2=3.0), [0.1, 0.7])) == M


@pytest.mark.parametrize("name", ["q", "qdd", "tau", "dt", "wrench", "frame", "out", "threads"])
def test_a_symbol_may_not_be_called_like_an_argument(name):
    """A call could not tell them apart; as a number of the arm the symbol may have any name."""
    arm = la.planar("R", lengths=[1], masses=[name], gravity=9.81, values={name: 2})
    assert la.compile(arm).mass_matrix([0]) == la.mass_matrix(arm, [0])
    with pytest.raises(la.LeverarmError, match=f"'{name}' is a symbol .* and also an argument .* Rename"):
        la.compile(arm, inputs=[name])


def test_kinds_of_parameters_may_be_one_name():
    arm = la.load("rp")
    q, qd, qdd = state(arm)
    one, listed = (la.to_numpy(arm, "regressor", kinds=kinds)(q, qd, qdd) for kinds in ("inertial", ["inertial"]))
    assert np.array_equal(one, listed)
    for kinds in ([], 3, [[]]):
        with pytest.raises(la.LeverarmError, match="kind"):
            la.to_numpy(arm, "regressor", kinds=kinds)


def test_positions_names_and_signatures(elbow):
    assert str(inspect.signature(elbow.gravity)).startswith("(q, *")
    assert "wrench=None" in str(inspect.signature(elbow.inverse_dynamics))
    assert elbow.inverse_dynamics(q=[0, 0], qd=[0, 0], qdd=[0, 0]) == pytest.approx([29.43, 9.81])
    assert "mass_matrix" in dir(elbow)
    again = pickle.loads(pickle.dumps(elbow))
    assert again.gravity([0, 0]) == pytest.approx([29.43, 9.81])


def test_single_precision_stays_single():
    fast = la.compile(la.load("panda"), ["inverse_dynamics"], dtype=np.float32)
    q = np.full((5, 7), 0.3, np.float32)
    assert fast.inverse_dynamics(q, q, q).dtype == np.float32
    assert fast.inverse_dynamics(q[0], q[0], q[0]).dtype == np.float32


@pytest.mark.slow
def test_explain_tells_what_was_done(panda):
    panda.inverse_dynamics(*state(panda.arm))
    told = panda.explain("inverse_dynamics")
    assert max(map(len, str(panda.explain()).splitlines())) <= 80
    stages = told.codes[0].record.stages
    assert stages[0].name == "traced"
    assert stages[-1].flops <= stages[0].flops
    assert told.codes[0].instructions > 100
    assert "native code" in str(told)
    assert "spills" in str(told)


def test_flops_of_the_panda(panda):
    """A tenth below the prototype was asked for (650 and 1380); what the passes reach beyond that is to stay."""
    panda.forward_dynamics(*state(panda.arm))
    assert panda.explain("inverse_dynamics").codes[0].record.stages[-1].flops <= 560
    assert panda.explain("forward_dynamics").codes[0].record.stages[-1].flops <= 1100


def test_compiled_ahead_everything_runs():
    fast = la.compile(la.load("rr"), ["gravity", "mass_matrix"]).warm()
    assert len(fast.explain().codes) == 4


MISTAKES = {
    "needs qdd as well": lambda f: f.inverse_dynamics([0, 0], [0, 0]),
    "3 numbers given": lambda f: f.gravity([0, 0, 0]),
    "no frame named 'hand'": lambda f: f.pose([0, 0], frame="hand"),
    "pose takes no 'axes'": lambda f: f.pose([0, 0], axes=["x"]),
    "gravity takes no argument 'wrench'": lambda f: f.gravity([0, 0], wrench=np.zeros(6)),
    "no method named 'magic'": lambda f: f.step([0, 0], [0, 0], [0, 0], 0.1, method="magic"),
    "no kind of parameter named 'mass'": lambda f: f.regressor([0, 0], [0, 0], [0, 0], kinds=["mass"]),
    "no argument named 'speed'": lambda f: f.gravity([0, 0], speed=1),
    "no axis named 'roll'": lambda f: f.operational_inertia([0, 0], axes=["roll"]),
}


@pytest.mark.parametrize("told", MISTAKES)
def test_mistakes_in_a_call_are_told(elbow, told):
    with pytest.raises(la.LeverarmError, match=told):
        MISTAKES[told](elbow)


def test_mistakes_in_compiling_are_told(monkeypatch):
    arm = la.load("elbow")
    for given, told in (
        ({"quantities": "gravty"}, "did you mean 'gravity'"),
        ({"dtype": int}, "float64 or float32"),
        ({"dtype": "nonsense"}, "float64 or float32"),
        ({"inputs": "m3"}, "did you mean 'm2'"),
        ({"inputs": ["m1", "m1"]}, "twice"),
        ({"inputs": None}, "inputs: None was given; it must be a list of names"),
        ({"inputs": [3]}, "it must be a list of names"),
        ({"inputs": ["masses", "inertial"]}, "already includes the masses"),
        ({"cpu": "z80"}, "no machine named 'z80'"),
    ):
        with pytest.raises(la.LeverarmError, match=told):
            la.compile(arm, **given)
    with pytest.raises(la.LeverarmError, match=r"'elbow' was given .* an arm is needed, as from la.load"):
        la.compile("elbow")
    with pytest.raises(AttributeError, match="was not among the quantities to compile"):
        _ = la.compile(arm, ["gravity"]).mass_matrix
    with pytest.raises(AttributeError, match="did you mean 'mass_matrix'"):
        _ = la.compile(arm).mas_matrix
    monkeypatch.setenv("LEVERARM_CPU", "neon" if la.compile(arm).machine.triple.startswith("x86") else "avx2")
    with pytest.raises(la.LeverarmError, match="cannot run here"):
        la.compile(arm).gravity([0, 0])


def test_a_native_function_can_be_pickled(elbow):
    again = pickle.loads(pickle.dumps(elbow.gravity))
    assert again([0, 0]) == pytest.approx([29.43, 9.81])


@pytest.mark.slow
def test_what_an_arm_does_not_have_stops_nothing_else():
    """A massless last link: no inverse of M, the rest is there."""
    arm = la.load("elbow")
    massless = replace(
        arm,
        bodies=(
            arm.bodies[0],
            replace(arm.bodies[1], mass_properties=la.MassProperties()),
        ),
    )
    fast = la.compile(massless).warm()
    assert fast.gravity([0, 0]) == pytest.approx([9.81, 0])
    with pytest.raises(la.LeverarmError, match="divides by zero"):
        fast.warm("forward_dynamics")
    with pytest.raises(la.LeverarmError, match="divides by zero"):
        _ = fast.mass_matrix_inverse
    assert "mass_matrix_inverse" not in {f.request.quantity for f in la.export(massless, None).functions}


def test_default_axes_are_independent():
    """Two turning joints in space move the tool on a surface: two linear axes, not three."""
    arm = la.from_dh([("0", 0.3, 0.2, "pi/2"), ("0", 0.1, 0.4, 0)], convention="standard")
    axes = la.quantities.task_axes(arm)
    assert len(axes) == 2
    J = la.jacobian(arm, [0.4, 0.9])
    assert np.linalg.matrix_rank(J[[["wx", "wy", "wz", "x", "y", "z"].index(axis) for axis in axes]]) == 2


ODD_CHOICES = {"frame": 3, "axes": 5, "kinds": 3, "method": 4}


@pytest.mark.parametrize("choice", ODD_CHOICES)
def test_choices_of_the_wrong_type_are_told(elbow, choice):
    calls = {
        "frame": lambda value: elbow.pose([0, 0], frame=value),
        "axes": lambda value: elbow.operational_inertia([0, 0], axes=value),
        "kinds": lambda value: elbow.regressor([0, 0], [0, 0], [0, 0], kinds=value),
        "method": lambda value: elbow.step([0, 0], [0, 0], [0, 0], 0.1, method=value),
    }
    with pytest.raises(la.LeverarmError):
        calls[choice](ODD_CHOICES[choice])


def test_masked_arrays_are_refused(elbow):
    with pytest.raises(la.LeverarmError, match="masked"):
        elbow.gravity(np.ma.masked_equal([0.0, 1.0], 1.0))
