"""Derivatives on tapes: against dual numbers, exactly where a program is a ring program, and on traced arms."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import leverarm as la
from leverarm import mechanics as me
from leverarm.compiler import Array, program_of
from leverarm.compiler.derivatives import forward, jacobian_program, reverse
from leverarm.compiler.lowering import lower
from leverarm.model import bind
from leverarm.scalars import Dual, Node, Op, Tape, Turn, cos_sin, sign, slope, tanh
from leverarm.scalars.operations import ARITHMETIC
from leverarm.scalars.tape import evaluated, live_nodes
from tests.support.random_arms import random_arm

FUNCTIONS = {
    Op.COS: lambda a: cos_sin(a)[0],
    Op.SIN: lambda a: cos_sin(a)[1],
    Op.SIGN: sign,
    Op.TANH: tanh,
}


def run(outputs, inputs, lift):
    """The nodes over any scalar: the plainest interpreter there is."""
    known = {}
    for node in live_nodes(outputs):
        if node.op is Op.CONST:
            known[node.index] = lift(node.value)
        elif node.op is Op.INPUT:
            known[node.index] = inputs[int(node.value)]
        else:
            operation = FUNCTIONS.get(node.op) or ARITHMETIC[node.op]
            known[node.index] = operation(*(known[a.index] for a in node.args))
    return [known[y.index] if type(y) is Node else lift(y) for y in outputs]


def by_duals(outputs, at, lift):
    """The Jacobian by one run over dual numbers per input."""
    columns = []
    for k in range(len(at)):
        moving = [Dual(x, lift(int(i == k))) for i, x in enumerate(at)]
        columns.append([slope(y) for y in run(outputs, moving, lift)])
    return [list(row) for row in zip(*columns, strict=True)]


STEP = st.tuples(
    st.sampled_from(["add", "subtract", "multiply", "scale", "divide"]), st.integers(0, 99), st.integers(0, 99)
)


COMBINED = {
    "add": lambda a, b, j: a + b,
    "subtract": lambda a, b, j: a - b,
    "multiply": lambda a, b, j: a * b,
    "scale": lambda a, b, j: a * (j % 5 - 2) + 0.5,
    "divide": lambda a, b, j: a / (b * b + 1),
}


def random_program(steps):
    """Two angles (as their cosines and sines) and two plain inputs, combined; the last values are the outputs."""
    tape = Tape()
    angles, plain = [tape.input(f"a{k}") for k in range(2)], [tape.input(f"x{k}") for k in range(2)]
    values = [*(f for angle in angles for f in cos_sin(angle)), *plain]
    for kind, i, j in steps:
        a, b = values[i % len(values)], values[j % len(values)]
        made = COMBINED[kind](a, b, j)
        if isinstance(made, Node):
            values.append(made)
    return [*angles, *plain], values[-4:]


EXACT_POINT = [
    Turn.from_half_tangent(Fraction(1, 2)),
    Turn.from_half_tangent(Fraction(-2, 3)),
    Fraction(3, 7),
    Fraction(-5, 4),
]


@given(st.lists(STEP, max_size=14))
def test_forward_reverse_and_dual_numbers_agree_exactly(steps):
    inputs, outputs = random_program(steps)
    expected = by_duals(outputs, EXACT_POINT, Fraction)
    rows = forward(outputs, inputs)
    assert [run(row, EXACT_POINT, Fraction) for row in rows] == expected
    units = [[int(i == k) for i in range(len(outputs))] for k in range(len(outputs))]
    assert [run(reverse(outputs, unit, inputs), EXACT_POINT, Fraction) for unit in units] == expected


@given(st.lists(STEP, max_size=10))
def test_reverse_weighs_the_rows_by_its_seeds(steps):
    """Seeds may be numbers or nodes, and an output may stand twice."""
    inputs, outputs = random_program(steps)
    outputs = [*outputs, outputs[0], 3]
    seeds = [2, inputs[2], 0, inputs[3] * inputs[2], Fraction(1, 2), 7][: len(outputs)]
    jacobian = [run(row, EXACT_POINT, Fraction) for row in forward(outputs, inputs)]
    weights = run(seeds, EXACT_POINT, Fraction)
    expected = [sum(w * row[k] for w, row in zip(weights, jacobian, strict=True)) for k in range(len(inputs))]
    assert run(reverse(outputs, seeds, inputs), EXACT_POINT, Fraction) == expected


@given(st.lists(STEP, max_size=7))
def test_second_derivatives_are_derivatives_of_derivatives(steps):
    """Hessians by forward over reverse and reverse over forward are equal, symmetric, and those of nested duals."""
    inputs, outputs = random_program(steps)
    y = outputs[-1:]
    hessian = forward(reverse(y, [1], inputs), inputs)
    other = [reverse([slope_k], [1], inputs) for slope_k in forward(y, inputs)[0]]
    values = [run(row, EXACT_POINT, Fraction) for row in hessian]
    assert values == [run(row, EXACT_POINT, Fraction) for row in other]
    assert values == [list(column) for column in zip(*values, strict=True)]
    i, j = 0, 3
    at = [
        Dual(Dual(x, Fraction(int(k == i))), Dual(Fraction(int(k == j)), Fraction(0)))
        for k, x in enumerate(EXACT_POINT)
    ]
    nested = slope(slope(run(y, at, Fraction)[0]))
    assert values[i][j] == nested


def test_structural_zeros_cost_nothing():
    tape = Tape()
    x, y, z = (tape.input(name) for name in "xyz")
    rows = forward([x * y, z, 5, 0, x - z], [x, y, z])
    assert rows == [[y, x, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [1, 0, -1]]
    assert all(type(entry) in (int, Node) for row in rows for entry in row)
    assert reverse([x * y, z], [0, 0], [x, y, z]) == [0, 0, 0]
    length = tape.length
    forward([x * y + z], [x, y, z])
    assert tape.length == length + 1, "the sum x y + z is new, its derivatives are nodes that exist"


def test_functions_that_friction_needs():
    tape = Tape()
    x = tape.input("x")
    (d_tanh,), (d_sign,) = forward([tanh(3 * x), sign(x) * x], [x])
    at = {"x": 0.2}
    assert evaluated([d_tanh], at)[0] == pytest.approx(3 / math.cosh(0.6) ** 2, rel=1e-15)
    assert d_sign is sign(x)
    assert forward([sign(x)], [x]) == [[0]]


def traced(arm, algorithm, count):
    """An algorithm of the mechanics on a tape: its inputs and outputs."""
    tape = Tape()
    groups = [[tape.input(f"{v}{i}") for i in range(arm.dof)] for v in ("q", "qd", "u")[:count]]
    return [x for group in groups for x in group], algorithm(bind(arm), *groups)


@pytest.mark.parametrize("algorithm", [me.inverse_dynamics, me.forward_dynamics], ids=["inverse", "forward"])
@pytest.mark.parametrize(
    "arm", [la.load("scara"), la.load("stanford"), random_arm(3, 5), random_arm(8, 4)], ids=lambda a: a.name
)
def test_derivatives_of_dynamics_are_those_of_dual_numbers(arm, algorithm):
    """Rounding: thousands of operations on numbers of one size, hence 1e-11 of the largest entry."""
    rng = random.Random(arm.name)
    inputs, outputs = traced(arm, algorithm, 3)
    at = [rng.uniform(-1, 1) for _ in inputs]
    named = {x.tape.inputs[int(x.value)]: value for x, value in zip(inputs, at, strict=True)}
    expected = by_duals(outputs, at, float)
    scale = max(abs(x) for row in expected for x in row)
    for rows in (forward(outputs, inputs), [reverse([y], [1], inputs) for y in outputs]):
        for row, wanted in zip(rows, expected, strict=True):
            assert evaluated(row, named) == pytest.approx(wanted, abs=1e-11 * scale)


def test_mass_matrix_and_gravity_are_derivatives_of_inverse_dynamics_and_energy():
    """M = d tau/d qdd and g = d P/d q, by the compiler's own derivatives."""
    arm = la.load("panda")
    n, rng = arm.dof, random.Random(1)
    inputs, tau = traced(arm, me.inverse_dynamics, 3)
    at = [rng.uniform(-1, 1) for _ in inputs]
    named = {x.tape.inputs[int(x.value)]: value for x, value in zip(inputs, at, strict=True)}
    M = la.mass_matrix(arm, at[:n])
    for row, wanted in zip(forward(tau, inputs[2 * n :]), M, strict=True):
        assert evaluated(row, named) == pytest.approx(list(wanted), abs=1e-13)
    q, P = traced(arm, lambda m, q: [me.potential_energy(m, q)], 1)
    assert evaluated(reverse(P, [1], q), named) == pytest.approx(list(la.gravity(arm, at[:n])), abs=1e-12)


def test_the_jacobian_of_a_program_is_a_program():
    """Appended results, named after what they differentiate; fused operations are read too."""
    arm = la.load("rr")
    _, outputs = traced(arm, me.inverse_dynamics, 3)
    arrays = [Array(name, (2,)) for name in ("q", "qd", "qdd")]
    program = program_of("inverse_dynamics", arrays, [Array("tau", (2,), "forces")], outputs)
    for given_program in (program, lower(program).program):
        both = jacobian_program(given_program, [("tau", "qdd"), ("tau", "q")])
        assert [(a.name, a.shape) for a in both.outputs] == [("tau", (2,)), ("dtau_dqdd", (2, 2)), ("dtau_dq", (2, 2))]
        at = [0.3, -0.7, 0.2, 0.9, -1.1, 0.4]
        values = []
        for op, args, value in both.code:
            operation = FUNCTIONS.get(op) or ARITHMETIC.get(op)
            values.append(
                value if op is Op.CONST else at[int(value)] if op is Op.INPUT else operation(*(values[a] for a in args))
            )
        results = [values[k] for k in both.results]
        assert results[:2] == pytest.approx(list(la.inverse_dynamics(arm, at[:2], at[2:4], at[4:])), abs=1e-13)
        assert results[2:6] == pytest.approx(list(la.mass_matrix(arm, at[:2]).flat), abs=1e-13)
        wanted = by_duals(outputs, at, float)
        assert results[6:] == pytest.approx([wanted[i][j] for i in range(2) for j in range(2)], abs=1e-13)
