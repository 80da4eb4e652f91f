"""Bridges: every quantity through NumPy, Torch, JAX and CasADi equals the reference mechanics, and so do derivatives."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from functools import lru_cache

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.errors import InputError, MissingExtraError
from leverarm.model import bind
from leverarm.runtime.bridges import to_casadi, to_jax, to_numpy, to_torch
from leverarm.runtime.quantities import QUANTITIES
from leverarm.runtime.requests import request_for
from leverarm.scalars import along, slope
from tests.support.random_arms import random_arm
from tests.support.springs import sprung


def needs(package):
    missing = importlib.util.find_spec(package) is None
    return pytest.mark.skipif(missing, reason=f"{package} is not installed")


ARMS = {arm.name: arm for arm in (la.load("rr"), la.load("scara"), la.load("puma560"), sprung(random_arm(11, 4)))}
"""The last is a tree with friction, springs, rotors and a coupled joint."""
SOLVES = {"forward_dynamics", "forward_dynamics_derivatives", "mass_matrix_inverse", "operational_inertia", "step"}
UNITS_OF_FLOAT32 = 2.0**29
"""The rounding of float32 in units of that of float64."""


def state(arm, quantity, batch, seed=0):
    """Arguments of a quantity for a batch of states."""
    rng = np.random.default_rng(seed)
    arrays = request_for(arm, quantity).arguments
    return [np.full(batch, 0.01) if a.name == "dt" else rng.uniform(-1, 1, (*batch, *a.shape)) for a in arrays]


@lru_cache
def over_floats(arm):
    return bind(arm)


def reference(arm, quantity, arguments):
    """The first algorithm of the quantity over floats, state by state: no tape, no passes, no regrouping."""
    request = request_for(arm, quantity)
    mechanism = over_floats(arm)
    names = [a.name for a in request.arguments]
    rows = []
    for k in range(len(arguments[0])):
        given = {name: [float(v) for v in np.ravel(x[k])] for name, x in zip(names, arguments, strict=True)}
        rows.append(
            [np.array(part, float) for part in QUANTITIES[quantity].computed(0, mechanism, request.choices, given)]
        )
    return [np.array(same) for same in zip(*rows, strict=True)]


def conditioning(quantity, arm, q):
    """Of what a quantity solves with, the worst over the states."""
    if quantity not in SOLVES:
        return 1.0
    at = request_for(arm, quantity).choices
    matrix = (
        (lambda x: la.mobility(arm, x, at.frame, axes=at.axes))
        if quantity == "operational_inertia"
        else (lambda x: la.mass_matrix(arm, x))
    )
    return max(np.linalg.cond(matrix(x)) for x in q)


def close(got, expected, quantity, arm, q, units=1.0):
    """1e-12 of the largest entry; where something is solved, as many units of rounding as that is ill-conditioned."""
    within = max(1e-12, 1e-14 * conditioning(quantity, arm, q)) * units
    for x, wanted in zip(got, expected, strict=True):
        x = np.asarray(x, np.float64)
        assert x.shape == wanted.shape
        assert np.abs(x - wanted).max() <= within * max(np.abs(wanted).max(), 1), quantity


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.slow
@pytest.mark.parametrize("name", ARMS)
def test_numpy_equals_the_reference(name):
    arm = ARMS[name]
    for quantity in QUANTITIES:
        arguments = state(arm, quantity, (3,))
        expected = reference(arm, quantity, arguments)
        function = to_numpy(arm, quantity)
        close(as_tuple(function(*arguments)), expected, quantity, arm, arguments[0])
        single = [x.astype(np.float32) for x in arguments]
        got = as_tuple(function(*single))
        assert {x.dtype for x in got} == {np.dtype(np.float32)}
        close(got, expected, quantity, arm, arguments[0], UNITS_OF_FLOAT32)


def test_numpy_takes_what_numpy_takes():
    arm = la.load("rr")
    function = to_numpy(arm, "inverse_dynamics")
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, 20_000, 2))
    whole = function(q, qd, qdd)
    assert whole.shape == (20_000, 2)
    for k in (0, 16_383, 16_384, 19_999):
        assert (
            function(q[k], qd[k], qdd[k]).tolist()
            == whole[k].tolist()
            == function(q[k].tolist(), qd=qd[k], qdd=qdd[k]).tolist()
        )
    grid = function(q[:5, None], qd[:4], qdd[7])
    assert grid.shape == (5, 4, 2)
    assert grid[3, 2].tolist() == function(q[3], qd[2], qdd[7]).tolist()
    assert function(q[:0], qd[:0], qdd[:0]).shape == (0, 2)
    assert (
        function(q[::-7].astype(np.float32), qd[::-7].astype(np.float32), qdd[::-7].astype(np.float32)).dtype
        == np.float32
    )
    assert function([0, 1], [0, 0], [0, 0]).dtype == np.float64
    assert str(inspect.signature(function)) == "(q, qd, qdd)"
    assert function.__doc__.startswith("tau(q, qd, qdd): joint torques, M qdd")


def test_parameters_and_wrenches_as_arguments():
    arm = la.load("rr")
    function = to_numpy(arm, "inverse_dynamics", inputs=["masses"], extras=["wrench"])
    at = [[0.3, -0.4], [0.5, 0.6], [-0.7, 0.8]]
    wrench = [1.0, -2.0, 3.0, 0.5, 4.0, -1.0]
    expected = la.inverse_dynamics(arm, *at, wrenches={arm.tool: wrench})
    assert function(*at, wrench) == pytest.approx(expected, abs=1e-12)
    masses = inspect.signature(function).parameters["masses"].default
    assert function(*at, wrench, masses=2 * np.array(masses)) - function(*at, wrench) == pytest.approx(
        la.inverse_dynamics(arm, *at), abs=1e-12
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda f: f([0, 0], [0, 0]), "missing a required argument: 'qdd'; it takes (q, qd, qdd), each once"),
        (
            lambda f: f([0, 0], [0, 0], [0, 0, 0]),
            "qdd of inverse_dynamics: an array of shape (3,) given; it takes shape (..., 2)",
        ),
        (lambda f: f(0.0, [0, 0], [0, 0]), "q of inverse_dynamics: an array of shape () given"),
        (lambda f: f(np.zeros((3, 2)), np.zeros((4, 2)), [0, 0]), "do not broadcast: q (3,), qd (4,), qdd ()"),
        (lambda f: f(["a", "b"], [0, 0], [0, 0]), "q of inverse_dynamics: not an array of real numbers"),
        (lambda f: f([1j, 0], [0, 0], [0, 0]), "q of inverse_dynamics: not an array of real numbers"),
    ],
)
def test_mistakes_are_named(wrong, message):
    with pytest.raises(InputError) as problem:
        wrong(to_numpy(la.load("rr"), "inverse_dynamics"))
    assert message in str(problem.value)


def test_an_unknown_choice_is_named():
    with pytest.raises(InputError, match="no choice named 'fram'; did you mean 'frame'"):
        to_numpy(la.load("rr"), "pose", fram="tool")


def test_an_unknown_quantity_is_named():
    with pytest.raises(InputError, match="did you mean 'inverse_dynamics'"):
        to_numpy(la.load("rr"), "inverse_dynamic")


@pytest.mark.parametrize(("bridge", "package"), [(to_jax, "jax"), (to_torch, "torch"), (to_casadi, "casadi")])
def test_a_missing_package_is_named(bridge, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"is not installed. Run: pip install 'leverarm\[{package}\]'"):
        bridge(la.load("rr"), "gravity")


def derivative(arm, k, q, qd, qdd):
    """d tau/d (q, qd or qdd), by dual numbers."""
    groups = [list(map(float, x)) for x in (q, qd, qdd)]
    columns = []
    for j in range(arm.dof):
        unit = [float(i == j) for i in range(arm.dof)]
        moving = [along(x, unit) if k == i else x for i, x in enumerate(groups)]
        columns.append([float(slope(t)) for t in me.inverse_dynamics(over_floats(arm), *moving)])
    return np.array(columns).T


@needs("torch")
class TestTorch:
    @pytest.mark.parametrize("name", ARMS)
    def test_equals_the_reference(self, name):
        import torch

        arm = ARMS[name]
        for quantity in QUANTITIES:
            arguments = state(arm, quantity, (2,))
            expected = reference(arm, quantity, arguments)
            function = to_torch(arm, quantity)
            got = as_tuple(function(*(torch.as_tensor(x) for x in arguments)))
            close([x.numpy() for x in got], expected, quantity, arm, arguments[0])
            got = as_tuple(function(*(torch.as_tensor(x, dtype=torch.float32) for x in arguments)))
            assert {x.dtype for x in got} == {torch.float32}
            close([x.numpy() for x in got], expected, quantity, arm, arguments[0], UNITS_OF_FLOAT32)

    def test_autograd_of_a_batch(self):
        import torch

        function = to_torch(la.load("scara"), "inverse_dynamics")
        torch.manual_seed(0)
        arguments = [torch.rand(3, 4, dtype=torch.float64, requires_grad=True) for _ in range(3)]
        assert torch.autograd.gradcheck(function, arguments)
        assert torch.autograd.gradgradcheck(
            to_torch(la.load("rr"), "inverse_dynamics"), [x[:, :2].detach().requires_grad_() for x in arguments]
        )

    def test_jacobians_and_vmap(self):
        import torch

        arm = la.load("puma560")
        function = to_torch(arm, "inverse_dynamics")
        at = state(arm, "inverse_dynamics", (3,))
        tensors = [torch.as_tensor(x) for x in at]
        for k in range(3):
            got = torch.func.vmap(torch.func.jacrev(function, k))(*tensors).numpy()
            expected = np.array([derivative(arm, k, *(x[i] for x in at)) for i in range(3)])
            assert np.abs(got - expected).max() <= 1e-12 * max(np.abs(expected).max(), 1)

    def test_lists_become_tensors_like_the_first(self):
        import torch

        function = to_torch(la.load("rr"), "inverse_dynamics")
        q = torch.tensor([0.1, 0.2], dtype=torch.float64)
        assert function(q, [0.0, 0.0], [0, 0]).dtype == torch.float64
        assert function([0.1, 0.2], [0.0, 0.0], [0, 0]).dtype == torch.get_default_dtype()
        assert function(q.numpy(), [0.0, 0.0], [0, 0]).dtype == torch.float64
        assert function(q.numpy(), q.float(), [0, 0]).dtype == torch.float32
        with pytest.raises(InputError, match=r"shape \(3,\) given"):
            function(torch.zeros(3), q, q)
        with pytest.raises(InputError, match=r"do not broadcast: q \(4,\), qd \(3,\), qdd \(\)"):
            function(torch.zeros(4, 2), torch.zeros(3, 2), q)
        for wrong in (q + 0j, "angle", None):
            with pytest.raises(InputError, match="q of inverse_dynamics: not an array of real numbers"):
                function(wrong, q, q)


@pytest.fixture
def jax_x64():
    """JAX in double precision for one test."""
    jax = pytest.importorskip("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield jax
    jax.config.update("jax_enable_x64", before)


@needs("jax")
class TestJax:
    @pytest.mark.parametrize("name", ["rr", "scara"])
    def test_equals_the_reference(self, name, jax_x64):
        """Operation by operation, which needs no compiler for each quantity."""
        arm = ARMS[name]
        for quantity in QUANTITIES:
            arguments = state(arm, quantity, (2,))
            expected = reference(arm, quantity, arguments)
            with jax_x64.disable_jit():
                got = as_tuple(to_jax(arm, quantity)(*arguments))
            assert {str(x.dtype) for x in got} == {"float64"}
            close(got, expected, quantity, arm, arguments[0])

    def test_jit_vmap_and_jacobians(self, jax_x64):
        arm = la.load("scara")
        function = to_jax(arm, "inverse_dynamics")
        at = state(arm, "inverse_dynamics", (3,))
        expected = np.array([[derivative(arm, k, *(x[i] for x in at)) for i in range(3)] for k in range(3)])

        @jax_x64.jit
        def everything(q, qd, qdd):
            jacobians = jax_x64.vmap(jax_x64.jacfwd(function, (0, 1, 2)))(q, qd, qdd)
            gradient = jax_x64.grad(lambda x: (function(x, qd, qdd) ** 2).sum() / 2)(q)
            return function(q, qd, qdd), jax_x64.vmap(function)(q, qd, qdd), jacobians, gradient

        tau, mapped, jacobians, gradient = everything(*at)
        close([tau, mapped], reference(arm, "inverse_dynamics", at) * 2, "inverse_dynamics", arm, at[0])
        assert np.abs(np.array(jacobians) - expected).max() <= 1e-12 * np.abs(expected).max()
        pulled = np.einsum("bi,bij->bj", tau, expected[0])
        assert np.abs(gradient - pulled).max() <= 1e-12 * np.abs(pulled).max()

    def test_precision_is_as_jax_is_set(self):
        import jax

        arm = la.load("rr")
        at = state(arm, "forward_dynamics", (3,))
        got = to_jax(arm, "forward_dynamics")(*at)
        assert got.dtype == (np.float64 if jax.config.jax_enable_x64 else np.float32)
        close([got], reference(arm, "forward_dynamics", at), "forward_dynamics", arm, at[0], UNITS_OF_FLOAT32)

    def test_mistakes_are_named_inside_jit(self):
        import jax

        with pytest.raises(InputError, match=r"qd of bias: an array of shape \(3,\) given; it takes shape \(..., 2\)"):
            jax.jit(to_jax(la.load("rr"), "bias"))(np.zeros(2), np.zeros(3))
        with pytest.raises(InputError, match="do not broadcast"):
            to_jax(la.load("rr"), "bias")(np.zeros((4, 2)), np.zeros((3, 2)))
        with pytest.raises(InputError, match="q of bias: not an array of real numbers"):
            to_jax(la.load("rr"), "bias")(np.zeros(2) + 0j, np.zeros(2))


@needs("casadi")
class TestCasadi:
    @pytest.mark.parametrize("name", ARMS)
    def test_equals_the_reference(self, name):
        arm = ARMS[name]
        for quantity in QUANTITIES:
            arguments = state(arm, quantity, (2,))
            function = to_casadi(arm, quantity)
            states = [as_tuple(function(*(x[k] for x in arguments))) for k in range(2)]
            expected = reference(arm, quantity, arguments)
            got = [
                np.array([one.full() for one in same]).reshape(wanted.shape)
                for same, wanted in zip(zip(*states, strict=True), expected, strict=True)
            ]
            close(got, expected, quantity, arm, arguments[0])

    def test_names_sparsity_and_derivatives(self):
        arm = la.load("scara")
        function = to_casadi(arm, "inverse_dynamics")
        assert (function.name(), function.name_in(), function.name_out()) == (
            "inverse_dynamics",
            ["q", "qd", "qdd"],
            ["tau"],
        )
        at = [x[0] for x in state(arm, "inverse_dynamics", (1,))]
        jacobian = function.jacobian()(*at, 0)
        for k, block in enumerate(jacobian):
            expected = derivative(arm, k, *at)
            assert np.abs(block.full() - expected).max() <= 1e-12 * max(np.abs(expected).max(), 1)
        assert to_casadi(arm, "mass_matrix").nnz_out() < 16, "the slide of a SCARA is coupled to nothing"
        assert to_casadi(arm, "step").name_out() == ["q_next", "qd_next"]
